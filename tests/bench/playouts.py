"""Random playouts of tic-tac-toe: with a log, without one, and by a loop written by hand."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bench.measure import Ratio, ratio
from ludolog import Chance, Ruleset, table_from
from tic_tac_toe import LINES, ludolog_game

GAMES = 400


def bare() -> int:
    """What somebody would write who needs nothing else: a position as a tuple, moves as numbers."""
    rng = random.Random(1)
    moves = 0
    for _ in range(GAMES):
        cells = ("",) * 9
        mark, other = "X", "O"
        over = False
        while not over:
            legal = [cell for cell, taken in enumerate(cells) if not taken]
            cell = rng.choice(legal)
            cells = (*cells[:cell], mark, *cells[cell + 1 :])
            moves += 1
            over = any(cells[a] == cells[b] == cells[c] == mark for a, b, c in LINES) or len(legal) == 1
            mark, other = other, mark
    return moves


def unrecorded() -> int:
    """The same through the ruleset, as search does."""
    ruleset = Ruleset(ludolog_game())
    rng, chance = random.Random(1), Chance(bytes(32))
    opening = ruleset.begin(ruleset.opening(("x", "o")), chance).position
    moves = 0
    for _ in range(GAMES):
        position = opening
        while acting := ruleset.to_act(position):
            seat = acting[0]
            position = ruleset.decide(position, seat, rng.choice(ruleset.legal(position, seat)), chance).position
            moves += 1
    return moves


def recorded() -> int:
    """The same at tables, in memory."""
    ruleset = Ruleset(ludolog_game())
    rng = random.Random(1)
    moves = 0
    for _ in range(GAMES):
        table = table_from(ruleset, ("x", "o"), seed=7)
        while acting := table.to_act:
            seat = acting[0]
            table.play(seat, rng.choice(table.legal(seat)))
            moves += 1
    return moves


def ratios() -> Iterator[Ratio]:
    """Recorded and unrecorded beside the bare loop."""
    yield ratio("tic-tac-toe, recorded random playout", recorded, bare, 2.5)
    yield ratio("tic-tac-toe, random playout without a log", unrecorded, bare, 2.2)
