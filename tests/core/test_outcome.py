"""Outcomes: ranking and ties at every level, shared wins, draws, and scores line by line."""

import itertools

import pytest

from ludolog import Outcome, ScoreLine, SeatScore
from ludolog.errors import InvalidType
from ludolog_events import check_plain


def scored(**totals: int) -> Outcome:
    one = ScoreLine(label="b", points=1)
    lines = {seat: [ScoreLine(label="a", points=total - 1), one] for seat, total in totals.items()}
    return Outcome.by_score(lines, reason="done", sentence="Done.")


@pytest.mark.parametrize(
    ("totals", "ranking"),
    [
        ({"ann": 3}, (("ann",),)),
        ({"ann": 3, "bob": 5, "cy": 4}, (("bob",), ("cy",), ("ann",))),
        ({"ann": 5, "bob": 5, "cy": 4}, (("ann", "bob"), ("cy",))),
        ({"ann": 3, "bob": 5, "cy": 3}, (("bob",), ("ann", "cy"))),
        ({"ann": 2, "bob": 2, "cy": 2}, (("ann", "bob", "cy"),)),
        ({"ann": -2, "bob": 0, "cy": -2}, (("bob",), ("ann", "cy"))),
    ],
)
def test_equal_totals_are_level(totals, ranking):
    """F38: a shared first place belongs to all who share it, and the order of counting doesn't matter."""
    for order in itertools.permutations(totals.items()):
        outcome = scored(**dict(order))
        assert [set(level) for level in outcome.ranking] == [set(level) for level in ranking]
        assert set(outcome.winners) == set(ranking[0])
        assert {seat: outcome.score(seat) for seat in totals} == totals
    assert scored(**totals).ranking == ranking


def test_a_draw_has_no_winner():
    """F16: a drawn game is not won by whoever stands first."""
    outcome = Outcome(reason="full", sentence="Full.", ranking=(("ann", "bob"),), drawn=True)
    assert outcome.winners == ()
    assert Outcome(reason="x", sentence="X.", ranking=(("bob",), ("ann",))).winners == ("bob",)
    assert Outcome(reason="x", sentence="X.", ranking=()).winners == ()


def test_totals_are_the_sums_of_the_lines():
    sheet = SeatScore(seat="ann", lines=(ScoreLine(label="a", points=3, clause="X-1"), ScoreLine(label="b", points=-4)))
    assert sheet.total == -1
    assert Outcome(reason="x", sentence="X.", ranking=()).score("ann") == 0
    assert scored(ann=3).score("dot") == 0


def test_outcomes_are_plain_values():
    """They stand in the log."""
    for kind in (Outcome, SeatScore, ScoreLine):
        check_plain(kind)


class Measured(Outcome, frozen=True):
    ratio: float = 0.0


def test_an_outcome_with_something_else_in_it_is_none():
    with pytest.raises(InvalidType, match=r"Measured\.ratio can hold float"):
        check_plain(Measured)
