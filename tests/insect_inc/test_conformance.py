"""The game keeps all promises, whoever closes its windows and whatever else is chosen."""

from __future__ import annotations

import pytest

from ludolog import Command, Position, catalogue
from ludolog.testing import Finding, Settings, Skipped, Subject, conformance
from ludolog.testing.simultaneous import simultaneous_commands_come_in_any_order
from ludolog_plugins.insect_inc.commands import CloseWindow
from ludolog_plugins.insect_inc.state import Forest, Insects, Players, Window

HIDDEN = ("insect-inc/insect-revealed", "insect-inc/hidden-shown", "insect-inc/window-closed")


def counted(position: Position) -> None:
    """Every kind is in exactly one place (II-01, II-13 to II-15); the pile tells how many were revealed."""
    insects = position[Insects]
    taken = [found.kind for found in position[Players].taken]
    assert sorted([*insects.pile, *insects.unused, *insects.open, *insects.removed, *taken]) == list(range(48))
    assert len(insects.unused) == 24
    assert len(insects.pile) == 24 - insects.revealed
    assert len(position[Forest].down) == 48


def one_hand_each(position: Position) -> None:
    """Nobody has two hands in the window, nor a hand while it is out (II-R15, II-26)."""
    owners = [hand.seat for hand in position[Window].hands]
    assert owners == sorted(set(owners))
    assert not {*owners} & {*position[Players].skipping}
    assert len(position[Players].skipping) < len(position.seats)


INVARIANTS = (counted, one_hand_each)


def host(position: Position) -> tuple[Command, ...]:
    """The host closes a window that holds a claim."""
    return (CloseWindow(),) if position[Window].hands else ()


test_in_milliseconds = conformance(
    "insect-inc", seats=(3,), games=1, reveals=HIDDEN, invariants=INVARIANTS, simultaneous=400_000
)

test_closed_by_the_host = conformance(
    "insect-inc",
    options={"claims_window": "until-closed"},
    seats=(2,),
    games=1,
    reveals=HIDDEN,
    invariants=INVARIANTS,
    host=host,
)

test_with_any_number_of_seats = pytest.mark.nightly(
    conformance("insect-inc", reveals=HIDDEN, invariants=INVARIANTS, simultaneous=400_000)  # the default window
)

test_the_first_claim_alone = pytest.mark.nightly(
    conformance(
        "insect-inc",
        options={"claims_window": "first-claim", "pairs": "marked", "mixed_reveal": "newest", "pile_end": "reveal-due"},
        seats=(2, 5),
        reveals=HIDDEN,
        invariants=INVARIANTS,
    )
)


def test_the_kit_finds_a_game_in_which_the_order_of_arrival_matters():
    """F41: the check is run against rules by which the first to arrive is judged first."""
    arrival = catalogue().ruleset("insect-inc", (), {"claims_window": "first-claim"})
    with pytest.raises(Finding, match="arriving as"):
        simultaneous_commands_come_in_any_order(Subject(arrival, 3, Settings(games=1, simultaneous=400_000)))


def test_the_kit_asks_only_where_the_author_says_what_is_simultaneous():
    with pytest.raises(Skipped):
        simultaneous_commands_come_in_any_order(Subject(catalogue().ruleset("insect-inc"), 3, Settings(games=1)))
