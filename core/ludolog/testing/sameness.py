"""What happens in sample games, as plain values that another process can work out again."""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from ludolog.ruleset import Ruleset
from ludolog.testing.subject import Settings, Subject, Turn
from ludolog_events import LudologError

__all__ = ["Entry", "Recipe", "protocol"]

Entry: TypeAlias = tuple[list[Any], list[Any]]
"""Events of one batch, and the commands that are legal after it, as plain values."""


class Recipe(msgspec.Struct, frozen=True):
    """What another process needs to play sample games again: for each number of seats, the turns of each game."""

    ruleset: Ruleset
    games: dict[int, tuple[tuple[Turn, ...], ...]]


def protocol(recipe: Recipe) -> list[list[Entry]]:
    """For every game and batch from the set-up on: the events, and the lists of legal commands."""
    found: list[list[Entry]] = []
    for count, games in recipe.games.items():
        subject = Subject(recipe.ruleset, count, Settings(games=len(games)))
        found.extend(_protocol_of(subject, number, turns) for number, turns in enumerate(games))
    return found


def _protocol_of(subject: Subject, number: int, turns: tuple[Turn, ...]) -> list[Entry]:
    table = subject.open(number)
    entries: list[Entry] = []
    for turn in (None, *turns):
        try:
            if turn is not None:
                table.play(turn.seat, turn.command, at=turn.at, settle=False)
        except LudologError as error:
            entries.append(([{"type": str(error)}], []))
            return entries
        events = [msgspec.to_builtins(event) for event in table.journal.one(table.length - 1).events]
        listed = [msgspec.to_builtins(command) for seat in subject.seats for command in table.legal(seat)]
        entries.append((events, listed))
    return entries
