"""Whole games between bots, every position checked for lost pieces, every log audited.

``python -m dark_horse_west.campaign --bots hasty --seats 2 --games 2000`` in the folder ``tests``.
"""

from __future__ import annotations

import argparse
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

import ludolog
from dark_horse_west.west import NAMES
from ludolog_plugins.bots.match import bot_chance, bot_from
from ludolog_plugins.dark_horse_west.conserved import lost_or_doubled
from ludolog_plugins.dark_horse_west.state import Turn

__all__ = ["Played", "game"]


class Played(NamedTuple):
    """How a game ended, in which turn, after how many commands, and the most that were ever legal at once."""

    reason: str
    turn: int
    commands: int
    most: int


def game(number: int, *, bots: str = "hasty", seats: int = 2, variants: tuple[str, ...] = ()) -> Played:
    """Play one game at a table.

    Raises:
        AssertionError: Something is lost or doubled, or the audit finds something.
    """
    names = NAMES[:seats]
    table = ludolog.new_table("dark-horse-west", names, variants, seed=number, id=f"campaign-{number}")
    players = {name: bot_from(bots) for name in names}
    chances = {name: bot_chance(number, name) for name in names}
    commands = most = 0
    while not table.over:
        seat = table.to_act[0]
        legal = table.legal(seat)
        table.play(seat, players[seat].choose(table.view(seat), legal, chances[seat]))
        commands, most = commands + 1, max(most, len(legal))
        assert lost_or_doubled(table.position) == (), (number, commands)
    outcome = table.outcome
    assert outcome is not None
    assert table.audit().ok, number
    return Played(outcome.reason, table.position[Turn].number, commands, most)


def main() -> None:
    """Play, and tell figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", default="hasty")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--variants", nargs="*", default=())
    given = parser.parse_args()
    play = partial(game, bots=given.bots, seats=given.seats, variants=tuple(given.variants))
    numbers = range(given.first, given.first + given.games)
    if given.jobs == 1:
        played = list(map(play, numbers))
    else:
        with ProcessPoolExecutor(given.jobs) as pool:
            played = list(pool.map(play, numbers, chunksize=5))
    turns = sorted(found.turn for found in played)
    ends = dict(Counter(found.reason for found in played))
    commands, most = sum(found.commands for found in played), max(found.most for found in played)
    print(
        f"{len(played)} games of {given.bots} at {given.seats} seats: {ends}; "
        f"turns {turns[0]} to {turns[-1]}, median {turns[len(turns) // 2]}; "
        f"{commands} commands, at most {most} legal at once"
    )


if __name__ == "__main__":
    main()
