from __future__ import annotations

import pytest

from dark_horse_west.west import NAMES, walk, west
from ludolog import Chance, IllegalCommand, Position
from ludolog_plugins.dark_horse_west.conserved import lost_or_doubled


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.rule("DW-001", "DW-010", "DW-011", "DW-012", "DW-015", "DW-021", "DW-023", "DW-R53")
def test_a_random_game_ends_and_loses_no_piece_tile_or_card(seats: int) -> None:
    last = None
    for position, _, _ in walk(west(), seats):
        assert lost_or_doubled(position) == ()
        last = position
    assert last is not None
    assert last.over


def test_legal_commands_are_those_that_are_accepted_in_the_position_and_on_the_view() -> None:
    ruleset = west()
    known: set[object] = set()
    for number, (position, seat, command) in enumerate(walk(ruleset, 3)):
        if command is None or number > 400:
            break
        legal = ruleset.legal(position, seat)
        assert len(set(legal)) == len(legal) <= 300
        if number % 20 == 0:
            for listed in legal:
                ruleset.decide(position, seat, listed, Chance(b"k" * 32, number))
            for other in known - set(legal):
                with pytest.raises(IllegalCommand) as refused:
                    ruleset.decide(position, seat, other, Chance(b"k" * 32, number))
                assert refused.value.refusal.clause
        known |= set(legal)


def test_a_view_lists_what_the_position_lists_and_can_be_filled_up() -> None:
    ruleset = west()
    start = ruleset.opening(NAMES[:3])
    views = {seat: Position(ruleset, dict(start.slices), viewer=seat, is_view=True) for seat in NAMES[:3]}
    position = start
    decision = ruleset.begin(position, Chance(b"k" * 32))
    for number in range(1, 250):
        position = decision.position
        views = {seat: ruleset.fold(view, decision.events, seat) for seat, view in views.items()}
        seat = ruleset.to_act(position)[0]
        legal = ruleset.legal(position, seat)
        assert ruleset.legal(views[seat], seat) == legal
        if number % 25 == 0:
            for view in views.values():
                filled = ruleset.determinize(view, Chance(b"d" * 32, number))
                assert lost_or_doubled(filled) == ()
                assert str(view)
        decision = ruleset.decide(position, seat, legal[number % len(legal)], Chance(b"k" * 32, number))


@pytest.mark.parametrize("variants", [(), ("reputation", "silver", "mystery-hexes", "improved-towns", "golden-spike")])
def test_what_is_remembered_of_a_position_is_what_would_be_worked_out_again(variants: tuple[str, ...]) -> None:
    ruleset = west(*variants)
    for number, (position, seat, command) in enumerate(walk(ruleset, 2, seed=4)):
        if command is None or number > 150:
            break
        warm = ruleset.legal(position, seat), ruleset.value(position), lost_or_doubled(position)
        events = ruleset.decide(position, seat, command, Chance(b"k" * 32, number)).events
        ruleset.memos.clear()
        assert warm == (ruleset.legal(position, seat), ruleset.value(position), lost_or_doubled(position))
        ruleset.memos.clear()
        assert events == ruleset.decide(position, seat, command, Chance(b"k" * 32, number)).events
