"""What each seat knows, and what may be true for all it knows."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from dark_horse_bugs.situations import (
    DILLY_DALLY,
    NAMES,
    begun,
    decided,
    hand,
    held,
    new_table,
    played,
    race,
    seen,
    step,
)
from ludolog import Chance
from ludolog.standing import lacks_nothing
from ludolog_events import told
from ludolog_plugins.dark_horse_bugs.events import CardsSetAside, GoalExchanged
from ludolog_plugins.dark_horse_bugs.state import Cards, Goals, Holding, Race, goal_cards, move_deck


def leaves(value):
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from leaves(getattr(value, name))
    elif isinstance(value, tuple):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def fits(view, position):
    """Whether a view says nothing that isn't so."""
    pairs = zip(leaves(tuple(view.slices.values())), leaves(tuple(position.slices.values())), strict=True)
    return all(known is None or known == value for known, value in pairs)


@pytest.mark.rule("DH-11", "DH-12", "DH-13", "DH-R29", "DH-R33", "DH-R35")
@pytest.mark.parametrize("options", [{}, {"goal_exchange_order": "draw-first"}, {"rival_goal_choice": "card-player"}])
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_until_the_end_a_view_holds_no_more_than_was_told(seats, options):
    table = played(seats, DILLY_DALLY, seed=seats, **options)
    given = Counter()
    for length in range(2, table.length):
        full = table.at(length)
        (batch,) = table.journal.batches(length - 1, length)
        given.update(event.seat for event in batch.events if isinstance(event, GoalExchanged))
        for viewer in (*table.seats, None):
            view = table.view(viewer, at=length)
            assert fits(view, full)
            for seat in table.seats:
                if seat == viewer:
                    assert hand(view, seat) == hand(full, seat)
                    assert held(view, seat) == held(full, seat)
                else:
                    assert set(hand(view, seat)) <= {None}
                    assert set(held(view, seat)) == {None}
            known = [card for card in view[Goals].deck if card is not None]
            assert len(known) <= given[viewer] + (full[Goals].giver == viewer)


@pytest.mark.rule("DH-27", "DH-R30")
def test_undealt_cards_are_never_shown():
    table = played(3)
    for viewer in (*table.seats, None):
        assert table.view(viewer)[Cards].aside == (None,) * 13
        set_aside = [item.event for item in table.feed(viewer) if isinstance(item.event, CardsSetAside)]
        assert set_aside == [CardsSetAside(cards=(None,) * 13)]
    marked = table.position.having(msgspec.structs.replace(table.position[Cards], aside=("marker",) * 13))
    assert "marker" not in str(marked)
    assert "marker" not in marked.svg()


@pytest.mark.rule("DH-R29", "DH-R33")
def test_two_worlds_that_differ_only_in_what_a_seat_was_not_told_look_alike_to_it():
    """F12: and what it is told next is the same, too, whatever the rivals hold."""
    table = played(3, DILLY_DALLY, until=15)
    (seat,) = table.to_act
    view = table.view(seat)
    first, second = (table.ruleset.determinize(view, Chance(key)) for key in (b"one", b"two"))
    assert first != second
    assert seen(first, seat) == seen(second, seat) == view
    for command in table.legal(seat):
        facts = [[told(event, seat) for event in decided(world, seat, command)] for world in (first, second)]
        assert facts[0] == facts[1]


@pytest.mark.parametrize("variants", [(), DILLY_DALLY])
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_determinize_keeps_what_is_known_and_deals_the_rest(seats, variants):
    table = new_table(seats, variants, goal_exchange_order="draw-first", exchanged_goal="top")
    moves, worlds = Chance(b"moves", seats), Chance(b"worlds")
    while not table.over:
        step(table, moves)
        for viewer in (*table.seats, None):
            view = table.view(viewer)
            world = table.ruleset.determinize(view, worlds)
            assert all(lacks_nothing(part) for part in world.slices.values())
            assert not world.is_view
            assert fits(view, world)
            cards, goals = world[Cards], world[Goals]
            if cards.hands:
                everything = [card for holding in (*cards.hands, *cards.laid) for card in holding.cards]
                assert sorted((*everything, *cards.aside)) == sorted(move_deck(world))
            everything = [card for holding in goals.held for card in holding.cards]
            assert sorted((*everything, *goals.deck)) == sorted(goal_cards(world))
            assert table.ruleset.to_act(world) == table.to_act
            if viewer in table.to_act:
                assert table.ruleset.legal(world, viewer) == table.legal(viewer)


def test_every_world_that_fits_a_view_is_as_likely_as_the_other():
    """Three Move cards are unknown to A, one in each rival's hand and one aside: six worlds."""
    deck = list(move_deck(begun()))
    goals = goal_cards(begun())
    position = race(hands={"A": deck[:1], "B": deck[1:2], "C": deck[2:3]}).having(
        Goals(held=tuple(Holding(seat=seat) for seat in "ABC"), deck=goals)
    )
    laid = (Holding(seat="A", cards=tuple(deck[4:])),)
    cards = msgspec.structs.replace(position[Cards], laid=laid, aside=(deck[3],))
    view, chance = seen(position.having(cards), "A"), Chance(b"deals")
    worlds = [view.ruleset.determinize(view, chance) for _ in range(1200)]
    found = Counter((hand(world, "B"), hand(world, "C"), world[Cards].aside) for world in worlds)
    assert len(found) == 6
    assert all(150 < count < 250 for count in found.values())
    decks = Counter(world[Goals].deck[0] for world in worlds)
    assert len(decks) == 7
    assert all(120 < count < 230 for count in decks.values())


@pytest.mark.rule("DH-R6", "DH-R35")
def test_a_world_has_a_goal_where_its_giver_put_it():
    table = next(found for seed in range(40) for found in [played(2, seed=seed)] if gift(found))
    length, giver, goal = gift(table)
    assert table.at(length)[Goals].deck[-1] == goal
    for number in range(20):
        world = table.ruleset.determinize(table.view(giver, at=length), Chance(b"%d" % number))
        assert world[Goals].deck[-1] == goal


def gift(table):
    """Where in the log, by whom, and which goal was given to the bottom of the deck first."""
    for batch in table.journal.batches(0, table.length):
        for event in batch.events:
            if isinstance(event, GoalExchanged):
                return batch.number + 1, event.seat, event.given
    return None


def test_a_view_is_what_the_seat_was_told_at_every_moment():
    table = played(4, DILLY_DALLY)
    for viewer in (*NAMES[:4], None):
        position = table.view(viewer, at=0)
        for number in range(table.length):
            (batch,) = table.journal.batches(number, number + 1)
            position = table.ruleset.fold(position, batch.events, viewer)
            assert position == table.view(viewer, at=number + 1)


def test_legal_commands_are_the_same_from_the_view():
    for options in ({}, {"rival_goal_choice": "card-player"}, {"goal_exchange_order": "draw-first"}):
        table = new_table(3, **options)
        chance = Chance(b"moves")
        while not table.over:
            for seat in table.seats:
                assert table.ruleset.legal(table.view(seat), seat) == table.legal(seat)
            step(table, chance)


@pytest.mark.rule("DH-12", "DH-R33")
def test_set_up_is_hidden_from_a_viewer_without_a_seat():
    table = new_table(5)
    view = table.view(None)
    assert [holding.cards for holding in view[Goals].held] == [(None, None)] * 5
    assert view[Goals].deck == (None,) * 4
    assert view[Race].starter == table.position[Race].starter
