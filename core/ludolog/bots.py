"""What a bot is: something that is given a view and picks one of the seat's legal commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import msgspec

from ludolog.chance import Chance
from ludolog.errors import BadOptions
from ludolog.position import Position
from ludolog_events import Command

__all__ = ["Bot", "BotPlugin", "bot_of"]


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


def bot_of(plugin: BotPlugin, given: Sequence[str] = ()) -> Bot:
    """A bot with options as text, such as ``("playouts=50", "horizon=100")``; the others as the manifest has them.

    Raises:
        BadOptions: It has no such option, or not with such a value.
    """
    options: dict[str, Any] = {}
    for part in given:
        option, equals, text = part.partition("=")
        if not equals or option not in plugin.options:
            known = ", ".join(f"{known}={value}" for known, value in plugin.options.items()) or "none"
            name = plugin.id.rpartition("/")[2]
            msg = f"Bot {name!r} has no option {part!r}; its options are {known}."
            raise BadOptions(msg)
        options[option] = _converted(plugin, option, text)
    return plugin.make(**options)


def _converted(plugin: BotPlugin, option: str, text: str) -> object:
    default: object = plugin.options[option]
    kind = type(default)
    try:
        value: object = msgspec.convert(text, kind, strict=False)
    except msgspec.ValidationError:
        msg = f"Option {option} of {plugin.id} can't be {text!r}: it takes {kind.__name__} values."
        raise BadOptions(msg) from None
    return value
