"""The one line, on games in which nothing is wrong, and what it makes of it."""

from __future__ import annotations

import pytest

from ludolog import Ruleset
from ludolog.errors import UnknownGame, UnknownVariant
from ludolog.testing import conformance
from ludolog.testing.checks import CHECKS, ONCE, name_of
from toys import high_card, lanterns

test_tic_tac_toe = conformance("tic-tac-toe")
test_misere = conformance("tic-tac-toe", variants=("misere",))
test_lanterns = conformance(lanterns.ruleset(), reveals=lanterns.REVEALS, invariants=(lanterns.cards_are_whole,))
test_lanterns_with_variants = conformance(
    lanterns.ruleset(lanterns.OIL, lanterns.WICK, rounds=8), seats=(3,), reveals=lanterns.REVEALS, games=2
)
test_high_card = conformance(
    Ruleset(high_card.ludolog_game()), seats=(2,), reveals=("high-card/card-laid.index", "high-card/trick-shown")
)


ASKED = {"invariants-hold", "simultaneous-commands-come-in-any-order"}
"""Checks that are made only where the author says what to check."""


def cases(test) -> list[str]:
    (mark,) = test.pytestmark
    return [case.id for case in mark.args[1]]


def test_every_check_is_a_test_of_its_own() -> None:
    asked_for = {"invariants-hold", "simultaneous-commands-come-in-any-order"}
    names = {name_of(check) for check in CHECKS} - asked_for
    once = {name_of(check) for check in ONCE}
    assert set(cases(test_tic_tac_toe)) == {f"{'all' if name in once else 2}-seats-{name}" for name in names}


def test_every_number_of_seats_is_tested() -> None:
    counts = [name.partition("-")[0] for name in cases(test_lanterns)]
    not_asked_for = 1  # whether simultaneous commands may come in any order
    assert {count: counts.count(count) for count in counts} == {
        "2": len(CHECKS) - len(ONCE) - not_asked_for,
        "3": len(CHECKS) - len(ONCE) - not_asked_for,
        "all": len(ONCE),
    }


def test_invariants_are_a_check_if_there_are_any() -> None:
    assert "3-seats-invariants-hold" in cases(test_lanterns)
    assert "3-seats-invariants-hold" not in cases(test_lanterns_with_variants)


def test_what_is_not_there_is_said_at_once() -> None:
    with pytest.raises(UnknownGame):
        conformance("no-such-game")
    with pytest.raises(UnknownVariant):
        conformance("tic-tac-toe", variants=("no-such-variant",))
