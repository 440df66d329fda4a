"""Bad encounter!: who exchanges, who picks, what goes where, and who learns what."""

from __future__ import annotations

import itertools

import pytest

from dark_horse_bugs.situations import DECK, after, decided, held, new_table, played, race, refusal, seen, turn
from ludolog import Chance, Position
from ludolog.errors import UndoRefused
from ludolog_plugins.dark_horse_bugs.commands import GiveGoal, LayBadEncounter, LayCard, PickGoal
from ludolog_plugins.dark_horse_bugs.events import GoalExchanged, GoalSeen
from ludolog_plugins.dark_horse_bugs.state import Goals

OWN = LayBadEncounter(use="own")
RIVAL = LayBadEncounter(use="rival", rival="C")
GOALS = {"A": ("ladybug", "grasshopper"), "B": ("wasp", "fly"), "C": ("fly", "caterpillar")}
ORDERS = ("give-first", "draw-first")
CHOICES = ("owner", "card-player")
COMBINATIONS = list(itertools.product(ORDERS, ("bottom", "top"), CHOICES))


def encounter(**options: str) -> Position:
    hands = {"A": ("bad-encounter", "wasp+1"), "B": ("bad-encounter", "wasp+1"), "C": ("bee-1", "bee-1")}
    return race(hands=hands, goals=GOALS, **options)


def told(position: Position, *played, viewer):
    """What ``viewer`` knows of the goals after the commands played."""
    view = seen(position, viewer)
    for seat, command in played:
        events = decided(position, seat, command)
        view = position.ruleset.fold(view, events, viewer)
        position = position.ruleset.fold(position, events)
    return view[Goals], position[Goals]


@pytest.mark.rule("DH-52", "DH-R27")
def test_all_uses_of_bad_encounter():
    given = encounter()
    rivals = [LayBadEncounter(use="rival", rival=rival) for rival in ("B", "C")]
    assert given.ruleset.legal(given, "A")[:3] == (OWN, *rivals)


@pytest.mark.rule("DH-52", "DH-54", "DH-R27")
def test_exactly_one_use():
    given = encounter()
    both = refusal(given, "A", LayBadEncounter(use="own", rival="C"))
    assert (both.code, both.clause) == ("one-use", "DH-52")
    stranger = refusal(given, "A", LayBadEncounter(use="rival", rival="Z"))
    assert (stranger.code, stranger.clause, stranger.facts) == ("no-rival", "DH-54", {"rivals": ("B", "C")})


@pytest.mark.rule("DH-34", "DH-53")
def test_an_own_exchange_is_carried_out_before_the_turn_passes():
    between = after(encounter(), "A", OWN)
    assert turn(between) == "A"
    for seat in ("B", "C"):
        assert refusal(between, seat, LayCard(card="bee-1")).clause == "DH-34"
    assert refusal(between, "A", LayCard(card="wasp+1")).clause == "DH-34"
    assert set(between.ruleset.legal(between, "A")) == {GiveGoal(goal="ladybug"), GiveGoal(goal="grasshopper")}
    assert turn(after(between, "A", GiveGoal(goal="ladybug"))) == "B"


@pytest.mark.rule("DH-R4", "DH-R31")
def test_the_rival_picks_and_then_the_turn_passes_as_usual():
    between = after(encounter(), "A", RIVAL)
    assert turn(between) == "C"
    assert refusal(between, "A", PickGoal(place=1)).clause == "DH-R31"
    assert refusal(between, "C", PickGoal(place=1)).code == "not-now"
    assert refusal(between, "C", GiveGoal(goal="bee")).clause == "DH-53"
    assert turn(after(between, "C", GiveGoal(goal="caterpillar"))) == "B"


@pytest.mark.rule("DH-R4")
def test_the_card_player_picks_by_place():
    between = after(encounter(rival_goal_choice="card-player"), "A", RIVAL)
    assert turn(between) == "A"
    assert between.ruleset.legal(between, "A") == (PickGoal(place=1), PickGoal(place=2))
    for place in (0, 3, -1):
        assert refusal(between, "A", PickGoal(place=place)).clause == "DH-R4"
    assert refusal(between, "A", GiveGoal(goal="ladybug")).code == "not-now"
    assert refusal(between, "C", GiveGoal(goal="fly")).clause == "DH-R31"
    own = after(encounter(rival_goal_choice="card-player"), "A", OWN)
    assert set(own.ruleset.legal(own, "A")) == {GiveGoal(goal="ladybug"), GiveGoal(goal="grasshopper")}


@pytest.mark.rule("DH-52")
def test_without_a_bad_encounter_there_is_no_exchange():
    for command in (GiveGoal(goal="ladybug"), PickGoal(place=1)):
        assert refusal(encounter(), "A", command).code == "not-now"


@pytest.mark.rule("DH-53", "DH-54", "DH-R6", "DH-R26")
@pytest.mark.parametrize(("order", "end", "choice"), COMBINATIONS)
def test_every_combination_of_options(order, end, choice):
    given = encounter(goal_exchange_order=order, exchanged_goal=end, rival_goal_choice=choice)
    between = after(given, "A", RIVAL)
    give = GiveGoal(goal="fly") if choice == "owner" else PickGoal(place=1)
    then = after(between, turn(between), give)
    assert held(then, "C") == ("caterpillar", "bee")
    assert then[Goals].deck == (("fly", *DECK[1:]) if end == "top" else (*DECK[1:], "fly"))
    assert [held(then, seat) for seat in "AB"] == [GOALS["A"], GOALS["B"]]
    assert turn(then) == "B"


@pytest.mark.rule("DH-R5")
def test_when_the_top_card_is_seen():
    for order, first, second in (
        ("give-first", ["CardLaid", "ExchangeBegun"], ["GoalSeen", "GoalExchanged"]),
        ("draw-first", ["CardLaid", "ExchangeBegun", "GoalSeen"], ["GoalExchanged"]),
    ):
        given = encounter(goal_exchange_order=order)
        assert [type(event).__name__ for event in decided(given, "A", OWN)] == first
        between = after(given, "A", OWN)
        events = decided(between, "A", GiveGoal(goal="ladybug"))
        assert [type(event).__name__ for event in events] == second


@pytest.mark.rule("DH-R5")
def test_a_goal_held_may_be_given_even_if_its_twin_comes_in():
    given = race(
        hands={"A": ("bad-encounter",)},
        goals={"A": ("bee", "fly")},
        deck=("bee", "wasp"),
        goal_exchange_order="draw-first",
    )
    then = after(after(given, "A", OWN), "A", GiveGoal(goal="bee"))
    assert held(then, "A") == ("fly", "bee")


@pytest.mark.rule("DH-R4", "DH-R35")
@pytest.mark.parametrize(("order", "choice"), list(itertools.product(ORDERS, CHOICES)))
def test_only_giver_and_taker_know_the_cards(order, choice):
    given = encounter(goal_exchange_order=order, rival_goal_choice=choice)
    give = ("C", GiveGoal(goal="fly")) if choice == "owner" else ("A", PickGoal(place=1))
    mine, _ = told(given, ("A", RIVAL), give, viewer="C")
    assert mine.held[2].cards == ("caterpillar", "bee")
    assert mine.deck == (None, None, None, None, None, "fly")
    for viewer in ("A", "B", None):
        view, _ = told(given, ("A", RIVAL), give, viewer=viewer)
        assert view.held[2].cards == (None, None)
        assert view.deck == (None,) * 6


@pytest.mark.rule("DH-R6", "DH-R35")
def test_whoever_gave_a_card_on_top_knows_who_takes_it():
    given = encounter(exchanged_goal="top")
    commands = (("A", OWN), ("A", GiveGoal(goal="ladybug")), ("B", OWN), ("B", GiveGoal(goal="wasp")))
    view, full = told(given, *commands, viewer="A")
    assert full.held[1].cards == ("fly", "ladybug")
    assert view.held[1].cards == (None, "ladybug")
    assert view.deck == (None,) * 6
    view, _ = told(given, *commands, viewer="C")
    assert view.held[1].cards == (None, None)


@pytest.mark.rule("DH-R35")
def test_the_others_are_told_only_who_exchanged():
    table = next(table for seed in range(99) if (table := played(2, seed=seed)) and exchanges(table))
    for viewer in (*table.seats, None):
        facts = [fact.event for fact in table.feed(viewer)]
        for event in facts:
            if isinstance(event, GoalSeen):
                assert event.seat == viewer
            if isinstance(event, GoalExchanged) and event.seat != viewer:
                assert (event.given, event.kept) == (None, (None, None))
        assert len([event for event in facts if isinstance(event, GoalExchanged)]) == len(exchanges(table))


def exchanges(table):
    return [fact.event for fact in table.feed(None) if isinstance(fact.event, GoalExchanged)]


@pytest.mark.rule("DH-R26")
def test_the_goal_deck_never_changes_size():
    for seats, size in ((2, 8), (3, 8), (4, 6), (5, 4), (6, 2)):
        table = played(seats, seed=seats)
        assert {len(table.at(length)[Goals].deck) for length in range(2, table.length)} == {size}


@pytest.mark.rule("DH-R26")
def test_two_exchanges_with_a_goal_deck_of_two():
    position = race(6, hands={"A": ("bad-encounter",), "B": ("bad-encounter",)}, deck=("snail", "wasp"))
    for seat in "AB":
        position = after(after(position, seat, OWN), seat, GiveGoal(goal="bee"))
    assert [held(position, seat) for seat in "AB"] == [("bee", "snail"), ("bee", "wasp")]
    assert position[Goals].deck == ("bee", "bee")


@pytest.mark.rule("DH-R35")
@pytest.mark.parametrize("order", ORDERS)
def test_an_exchange_cannot_be_taken_back_freely(order):
    """F6: whoever exchanged a goal has seen another, so taking it back would be a free look."""
    table = new_table(2, seed=3, goal_exchange_order=order)
    chance = Chance(b"moves", 3)
    asked = set()
    while not table.over:
        seat = table.to_act[0]
        command = chance.choose(table.legal(seat))
        table.play(seat, command)
        if isinstance(command, GiveGoal | LayBadEncounter):
            asked.add(type(command))
            with pytest.raises(UndoRefused) as raised:
                table.undo(seat)
            assert raised.value.refusal.code == "behind-barrier"
    assert asked == {GiveGoal, LayBadEncounter}
