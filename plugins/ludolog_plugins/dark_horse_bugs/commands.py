"""What a seat can ask for in the bug race: only what it chooses, never a fact that the table knows."""

from __future__ import annotations

from typing import Literal

from ludolog import Command, Seat

__all__ = ["GiveGoal", "LayBadEncounter", "LayCard", "PickGoal", "PlaceBug"]


class PlaceBug(Command, frozen=True, tag="dark-horse-bugs/place-bug"):
    """Put a bug at an end of the line, ``"front"`` or ``"rear"``; whoever opens the line names no end."""

    bug: str
    end: str = ""


class LayCard(Command, frozen=True, tag="dark-horse-bugs/lay-card"):
    """Lay a card from your hand; ``step`` is the one you choose, and left out if the card leaves no choice."""

    card: str
    step: int = 0


class LayBadEncounter(Command, frozen=True, tag="dark-horse-bugs/lay-bad-encounter"):
    """Lay Bad encounter!, to exchange a Goal card of your own or to have a named rival exchange one."""

    use: Literal["own", "rival"]
    rival: Seat = ""


class GiveGoal(Command, frozen=True, tag="dark-horse-bugs/give-goal"):
    """In an exchange, give up one of your Goal cards."""

    goal: str


class PickGoal(Command, frozen=True, tag="dark-horse-bugs/pick-goal"):
    """In an exchange, pick a Goal card of the rival unseen, by its place: 1 is the leftmost."""

    place: int
