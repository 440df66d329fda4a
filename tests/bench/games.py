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
from ludolog import Chance, Ruleset, Table, catalogue, open_table, table_from
from ludolog.folding import HOST, Fold
from ludolog_plugins.bots.search import SearchBot
from ludolog_plugins.stores.sqlite import SqliteStore

__all__ = ["budgets", "ratios", "speeds"]

GAMES: Final = {"dark-horse-bugs": 20, "dark-horse-west": 2}
"""How many games of each are one round."""
GOALS: Final = {"dark-horse-west": 1.5}
"""Most that recording may cost; a move of the race is too small beside it for a goal."""
SEATS: Final = ("ann", "bob")
BUDGETS: Final = (0.2, 1.0)
"""Seconds that a search is given for a command."""
_MIDDLE: Final = {"dark-horse-bugs": 8, "dark-horse-west": 60}
"""After how many batches the searches begin."""
_SEARCHES: Final = 5
_LATE: Final = 1.25
"""Most of its budget that a search may take: a playout that has begun is played to its horizon."""


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


def budgets() -> Iterator[Ratio]:
    """How long the bot ``search`` takes for a command beside the time it was given: the longest of some commands."""
    for game, middle in _MIDDLE.items():
        table = table_from(catalogue().ruleset(game), SEATS, seed=1)
        rng = random.Random(1)
        while table.length < middle:
            seat = table.to_act[0]
            table.play(seat, rng.choice(table.legal(seat)))
        for seconds in BUDGETS:
            longest = max(_searching(table, seconds) for _ in range(_SEARCHES))
            name = f"{game}, search beside its {seconds:g} s"
            yield Ratio(name, longest / seconds, _LATE, least=False, unit_us=longest * 1e6, bare_us=seconds * 1e6)


def _searching(table: Table, seconds: float) -> float:
    """Seconds that a search for the next real choice takes; the choice is played."""
    bot = SearchBot(seconds=seconds)
    while True:
        seat = table.to_act[0]
        legal = table.legal(seat)
        view = table.view(seat)
        began = time.perf_counter()
        command = bot.choose(view, legal, Chance(bytes(32)))
        took = time.perf_counter() - began
        table.play(seat, command)
        if len(legal) > 1:
            return took


def ratios() -> Iterator[Ratio]:
    """What recording costs."""
    for game, games in GAMES.items():
        ruleset = catalogue().ruleset(game)
        recorded, unrecorded = partial(_recorded, ruleset, games), partial(_unrecorded, ruleset, games)
        yield ratio(f"{game}, recorded beside without a log", recorded, unrecorded, GOALS.get(game, 0), rounds=3)
