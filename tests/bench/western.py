"""The western game: random games recorded and without a log, and a whole game folded from SQLite.

There is no bare loop of this game to compare with; the figures are games, moves and batches a second, and how much a
log costs.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench.measure import Ratio, ratio
from ludolog import Chance, Ruleset, catalogue, open_table, table_from
from ludolog.folding import HOST, Fold
from ludolog_plugins.stores.sqlite import SqliteStore

GAMES = 2
SEATS = ("ann", "bob")


class Speed(NamedTuple):
    """So many units in a second."""

    name: str
    games: float
    moves: float

    def line(self) -> str:
        """One line of the report."""
        return f"     {self.name:<58} {self.games:8.2f} games a s, {self.moves:9.0f} moves a s"


def _ruleset() -> Ruleset:
    return catalogue().ruleset("dark-horse-west")


def unrecorded() -> int:
    """Random games through the ruleset, as search plays them; how many moves."""
    ruleset, moves = _ruleset(), 0
    for number in range(GAMES):
        rng, chance = random.Random(number), Chance(bytes([number]) * 32)
        position = ruleset.begin(ruleset.opening(SEATS), chance).position
        while acting := ruleset.to_act(position):
            command = rng.choice(ruleset.legal(position, acting[0]))
            position = ruleset.decide(position, acting[0], command, chance).position
            moves += 1
    return moves


def recorded() -> int:
    """The same at tables, in memory."""
    ruleset, moves = _ruleset(), 0
    for number in range(GAMES):
        rng = random.Random(number)
        table = table_from(ruleset, SEATS, seed=number)
        while acting := table.to_act:
            table.play(acting[0], rng.choice(table.legal(acting[0])))
            moves += 1
    return moves


def speeds() -> Iterator[Speed]:
    """Games and moves a second, and batches folded from SQLite."""
    for name, play in (("recorded", recorded), ("without a log", unrecorded)):
        play()
        began = time.perf_counter()
        moves = play()
        seconds = time.perf_counter() - began
        yield Speed(f"western game, random, {name}", GAMES / seconds, moves / seconds)
    yield _folding()


def _folding() -> Speed:
    """A whole random game, folded from a file."""
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "west.db")
        rng = random.Random(1)
        table = table_from(_ruleset(), SEATS, store=store, id="west", seed=1)
        while acting := table.to_act:
            table.play(acting[0], rng.choice(table.legal(acting[0])))
        again = open_table("west", store)
        began = time.perf_counter()
        fold = Fold(again.ruleset.start(), again.journal.facts, HOST)
        fold.catch_up(again.length)
        seconds = time.perf_counter() - began
        store.close()
        if fold.position != table.position:
            msg = "the folded game differs from the one that was played"
            raise RuntimeError(msg)
        return Speed("western game, whole game folded from SQLite", 1 / seconds, table.length / seconds)


def ratios() -> Iterator[Ratio]:
    """What recording costs."""
    yield ratio("western game, recorded beside without a log", recorded, unrecorded, 1.5, rounds=3)
