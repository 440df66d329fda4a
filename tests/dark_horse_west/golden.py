"""Golden playthroughs: a game for each way to end, told turn by turn, reviewed as a difference.

``LUDOLOG_REWRITE=1 pytest tests/dark_horse_west/test_whole_games.py`` writes them anew.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import ludolog
from dark_horse_west.west import NAMES
from ludolog import Command, Table
from ludolog_plugins.bots.match import bot_chance, bot_from
from ludolog_plugins.dark_horse_west.commands import (
    Choose,
    ClaimSite,
    Collect,
    Finish,
    PlayCard,
    PutDice,
    UseAbility,
    UseToken,
)
from ludolog_plugins.dark_horse_west.events import TurnBegun

__all__ = ["GAMES", "compare", "played", "story"]

FOLDER = Path(__file__).parent / "golden"
START = 1_700_000_000_000_000


class Recipe(NamedTuple):
    """How a game is played; without bots everybody passes all the time."""

    seats: int
    seed: int
    bots: str = ""


GAMES: dict[str, Recipe] = {
    "influence": Recipe(2, 1, "greedy:worlds=1"),
    "all-built": Recipe(3, 1, "greedy:worlds=1"),
    "turn-limit": Recipe(2, 3),
}


@functools.cache
def played(name: str) -> Table:
    """One of the games."""
    recipe = GAMES[name]
    table = ludolog.new_table("dark-horse-west", NAMES[: recipe.seats], seed=recipe.seed, id=f"golden-{name}", at=START)
    bots = {seat: bot_from(recipe.bots) for seat in table.seats} if recipe.bots else {}
    chances = {seat: bot_chance(recipe.seed, seat) for seat in table.seats}
    while not table.over:
        seat = table.to_act[0]
        legal = table.legal(seat)
        command = bots[seat].choose(table.view(seat), legal, chances[seat]) if bots else legal[-1]
        table.play(seat, command, at=START + table.length * 1_000_000)
    return table


def _brief(command: Command) -> str:
    told = {
        Finish: lambda _done: ".",
        Choose: lambda done: done.option,
        ClaimSite: lambda done: f"{done.site} with {'+'.join(map(str, done.dice))}",
        PutDice: lambda done: f"{done.spot} with {'+'.join(map(str, done.dice))}",
        Collect: lambda done: f"collects {done.site}",
        UseToken: lambda done: f"spends {done.token}",
        PlayCard: lambda done: f"plays {done.card}",
        UseAbility: lambda done: f"uses {done.card}/{done.ability}",
    }
    return told[type(command)](command)


def story(table: Table) -> str:
    """A line for each turn, then the table and the score sheets."""
    return "\n".join((*_turns(table), "", str(table.position), "", *_sheets(table))) + "\n"


def _turns(table: Table) -> Iterator[str]:
    told: list[str] = []
    turn, who = 0, ""
    for batch in table.journal.batches(2, table.length):
        if batch.seat != who:
            who = batch.seat or "host"
            told.append(f"{who}:")
        told.append(_brief(batch.command))
        begun = next((event.number for event in batch.events if isinstance(event, TurnBegun)), turn)
        if begun != turn:
            yield f"{turn:>3} {' '.join(told)}"
            told, turn, who = [], begun, ""
    yield f"{turn:>3} {' '.join(told)}"


def _sheets(table: Table) -> Iterator[str]:
    outcome = table.outcome
    assert outcome is not None
    for sheet in outcome.scores:
        yield f"{sheet.seat}: {sheet.total}"
        yield from (f"  {line.points:>3}  {line.label} ({line.clause})" for line in sheet.lines)


def compare(name: str, text: str) -> None:
    """Fail if ``text`` is not the golden text; write it if that is asked for."""
    path = FOLDER / f"{name}.txt"
    if os.environ.get("LUDOLOG_REWRITE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text
