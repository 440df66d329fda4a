"""Whole games: random ones, recorded and without a log, and one folded from SQLite.

There is no bare loop of these games to compare with; the figures are games, moves and batches a second, and how much a
log costs.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from bench.measure import Ratio, Speed, ratio
from ludolog import Chance, Ruleset, catalogue, open_table, table_from
from ludolog.folding import HOST, Fold
from ludolog_plugins.stores.sqlite import SqliteStore

__all__ = ["ratios", "speeds"]

GAMES: Final = {"dark-horse-bugs": 20, "dark-horse-west": 2}
"""How many games of each are one round."""
GOALS: Final = {"dark-horse-west": 1.5}
"""Most that recording may cost; a move of the race is too small beside it for a goal."""
SEATS: Final = ("ann", "bob")


def _unrecorded(ruleset: Ruleset, games: int) -> int:
    """Random games through the ruleset, as search plays them; how many moves."""
    moves = 0
    for number in range(games):
        rng, chance = random.Random(number), Chance(bytes([number]) * 32)
        position = ruleset.begin(ruleset.opening(SEATS), chance).position
        while acting := ruleset.to_act(position):
            command = rng.choice(ruleset.legal(position, acting[0]))
            position = ruleset.decide(position, acting[0], command, chance).position
            moves += 1
    return moves


def _recorded(ruleset: Ruleset, games: int) -> int:
    """The same at tables, in memory."""
    moves = 0
    for number in range(games):
        rng = random.Random(number)
        table = table_from(ruleset, SEATS, seed=number)
        while acting := table.to_act:
            table.play(acting[0], rng.choice(table.legal(acting[0])))
            moves += 1
    return moves


def speeds() -> Iterator[Speed]:
    """Games and moves a second, and batches folded from SQLite."""
    for game, games in GAMES.items():
        ruleset = catalogue().ruleset(game)
        for name, play in (("recorded", _recorded), ("without a log", _unrecorded)):
            play(ruleset, games)
            began = time.perf_counter()
            moves = play(ruleset, games)
            seconds = time.perf_counter() - began
            yield Speed(f"{game}, random, {name}", games / seconds, moves / seconds, "moves")
        yield _folding(ruleset)


def _folding(ruleset: Ruleset) -> Speed:
    """A whole random game, folded from a file."""
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "game.db", durability="normal")
        rng = random.Random(1)
        table = table_from(ruleset, SEATS, store=store, id="game", seed=1)
        while acting := table.to_act:
            table.play(acting[0], rng.choice(table.legal(acting[0])))
        again = open_table("game", store)
        began = time.perf_counter()
        fold = Fold(again.ruleset.start(), again.journal.facts, HOST)
        fold.catch_up(again.length)
        seconds = time.perf_counter() - began
        store.close()
        if fold.position != table.position:
            msg = "the folded game differs from the one that was played"
            raise RuntimeError(msg)
        return Speed(f"{ruleset.id}, whole game folded from SQLite", 1 / seconds, table.length / seconds, "batches")


def ratios() -> Iterator[Ratio]:
    """What recording costs."""
    for game, games in GAMES.items():
        ruleset = catalogue().ruleset(game)
        recorded, unrecorded = partial(_recorded, ruleset, games), partial(_unrecorded, ruleset, games)
        yield ratio(f"{game}, recorded beside without a log", recorded, unrecorded, GOALS.get(game, 0), rounds=3)
