"""What a bot is: something that is given a view and picks one of the seat's legal commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import msgspec

from ludolog.chance import Chance
from ludolog.position import Position
from ludolog_events import Command

__all__ = ["Bot", "BotPlugin"]


class Bot(Protocol):
    """Picks commands for a seat; it never gets more than the seat's view."""

    def choose(self, view: Position, legal: Sequence[Command], chance: Chance) -> Command:
        """One of ``legal``, for the seat ``view.viewer``; ``chance`` is the bot's own, not the table's."""
        ...


class BotPlugin(msgspec.Struct, frozen=True, kw_only=True):
    """Manifest of a bot; ``make`` takes the bot's options as keywords."""

    id: str
    title: str
    summary: str
    make: Callable[..., Bot]
    options: dict[str, Any] = {}
