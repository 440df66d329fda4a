"""The score sheet and the ranking."""

from __future__ import annotations

import itertools

import pytest

from dark_horse_bugs.situations import LINE, begun, lined_up, played, race, ruleset, scores
from ludolog_plugins.dark_horse_bugs.state import Goals, Holding, Race


@pytest.mark.rule("DH-57", "DH-58", "DH-61", "DH-R16")
def test_points_depend_only_on_the_rank_of_the_bug():
    for bugs in itertools.islice(itertools.permutations(LINE), 0, None, 500):
        for rank, (bug, points) in enumerate(zip(bugs, (10, 8, 6, 4, 3, 2, 1), strict=True), start=1):
            outcome = ruleset().score(race(bugs=bugs, goals={"A": (bug,)}), "hands-empty")
            (line,) = outcome.scores[0].lines
            assert (line.points, line.clause) == (points, "DH-61")
            assert line.label.startswith(f"{bug} {rank}")


@pytest.mark.rule("DH-60")
def test_a_score_sums_up_all_goal_cards():
    table = played(2)
    for seat, sheet in zip(table.seats, table.outcome.scores, strict=True):
        goals = next(holding.cards for holding in table.position[Goals].held if holding.seat == seat)
        assert len(goals) == 3
        ranks = [table.position[Race].line.index(goal) for goal in goals]
        assert sheet.total == sum((10, 8, 6, 4, 3, 2, 1)[rank] for rank in ranks)


@pytest.mark.rule("DH-08", "DH-62", "DH-R7")
def test_the_highest_sum_wins_and_level_seats_rank_together():
    goals = {"A": ("fly", "bee"), "B": ("ladybug", "snail"), "C": ("snail",), "D": ("grasshopper",)}
    outcome = ruleset().score(race(4, goals=goals), "hands-empty")
    assert outcome.ranking == (("B",), ("A", "C"), ("D",))
    assert outcome.winners == ("B",)
    assert outcome.sentence == "B wins with 18 points."


@pytest.mark.rule("DH-62", "DH-R7")
def test_all_may_share_the_win():
    """F38: a shared victory is not given to one alone."""
    goals = dict.fromkeys("ABC", ("bee", "fly"))
    outcome = ruleset().score(race(goals=goals), "hands-empty")
    assert outcome.winners == ("A", "B", "C")
    assert not outcome.drawn


def test_before_the_end_the_bugs_count_as_they_stand():
    held = Goals(held=tuple(Holding(seat=seat, cards=("bee", "fly")) for seat in "ABC"))
    given = lined_up(begun(), ("fly",)).having(held)
    assert scores(given) == dict.fromkeys("ABC", 10)
    assert given.ruleset.value(given) == dict.fromkeys("ABC", 10)
