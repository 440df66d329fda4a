"""The stateful machine: it finds nothing in sound games, and what is wrong in others."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from ludolog.errors import UnknownGame
from ludolog.testing import Finding, state_machine
from toys import faulty_course, faulty_lists, lanterns
from toys.planting import FAULTS

QUICK = settings(max_examples=12, stateful_step_count=25, suppress_health_check=list(HealthCheck))
SEARCH = settings(
    max_examples=300, stateful_step_count=30, phases=(Phase.generate,), suppress_health_check=list(HealthCheck)
)

TestTicTacToe = state_machine("tic-tac-toe", variants=("misere",)).TestCase
TestTicTacToe.settings = QUICK
TestLanterns = state_machine(lanterns.ruleset(rounds=3), invariants=(lanterns.cards_are_whole,)).TestCase
TestLanterns.settings = QUICK


@pytest.mark.parametrize(
    "load",
    [
        faulty_lists.a_listed_illegal_move,
        faulty_lists.an_unlisted_legal_move,
        faulty_lists.a_list_that_looks_at_the_deck,
        faulty_lists.a_reducer_that_branches_on_a_hidden_value,
        faulty_course.a_count_of_its_own,
    ],
    ids=lambda load: load.__name__,
)
def test_a_planted_fault_is_found(load) -> None:
    fault = next(fault for fault in FAULTS if fault.load is load)
    with pytest.raises(Finding) as caught:
        run_state_machine_as_test(state_machine(fault.ruleset(), seats=(2,)), settings=SEARCH)
    assert caught.value.why


def test_an_invariant_of_the_author_s_is_checked() -> None:
    def never(position) -> None:
        assert position[lanterns.Street].turns < 2, "two turns are too many"

    with pytest.raises(AssertionError, match="two turns are too many"):
        run_state_machine_as_test(state_machine(lanterns.ruleset(), invariants=(never,)), settings=SEARCH)


def test_what_is_not_there_is_said_at_once() -> None:
    with pytest.raises(UnknownGame):
        state_machine("no-such-game")
