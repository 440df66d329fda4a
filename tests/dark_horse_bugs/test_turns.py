"""Whose turn it is, and the end."""

from __future__ import annotations

import pytest

from dark_horse_bugs.situations import NAMES, after, decided, hand, laid, new_table, played, race, refusal, turn
from ludolog import Chance, Frame
from ludolog.errors import GameOver, UndoRefused
from ludolog_plugins.dark_horse_bugs.commands import GiveGoal, LayBadEncounter, LayCard, PlaceBug
from ludolog_plugins.dark_horse_bugs.events import CardLaid, GoalsRevealed
from ludolog_plugins.dark_horse_bugs.state import Cards, Race, of


@pytest.mark.rule("DH-33", "DH-R29")
def test_exactly_one_card_from_the_hand_is_laid_face_up():
    given = race(hands={"A": ("wasp+1", "bee-1", "wasp+1")})
    then = laid(given, "wasp+1")
    assert hand(then, "A") == ("bee-1", "wasp+1")
    assert of(then[Cards].laid, "A") == ("wasp+1",)
    refused = refusal(given, "A", LayCard(card="fly+1"))
    assert (refused.code, refused.clause, refused.facts) == ("not-in-hand", "DH-33", {"card": "fly+1"})
    told = [given.ruleset.fold(given, decided(given, "A", LayCard(card="wasp+1")), seat) for seat in ("B", None)]
    assert [of(view[Cards].laid, "A") for view in told] == [("wasp+1",)] * 2


@pytest.mark.rule("DH-33")
def test_bad_encounter_must_be_in_the_hand_too():
    assert refusal(race(), "A", LayBadEncounter(use="own")).clause == "DH-33"


@pytest.mark.rule("DH-33")
def test_a_card_held_twice_is_listed_once():
    given = race(hands={"A": ("run-for-your-life", "run-for-your-life")})
    assert given.ruleset.legal(given, "A") == (LayCard(card="run-for-your-life"),)
    assert hand(laid(given, "run-for-your-life"), "A") == ("run-for-your-life",)


@pytest.mark.rule("DH-32", "DH-45", "DH-46")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_turns_go_clockwise_until_no_card_is_left(seats):
    table = played(seats)
    layers = [fact.event.seat for fact in table.feed(None) if isinstance(fact.event, CardLaid)]
    start = NAMES.index(layers[0])
    cards = {2: 8, 3: 7, 4: 6, 5: 6, 6: 5}[seats]
    assert layers == [NAMES[(start + count) % seats] for count in range(seats * cards)]


@pytest.mark.rule("DH-45")
def test_whoever_has_no_turn_waits():
    then = laid(race(), "grasshopper-1")
    for seat in ("A", "C"):
        refused = refusal(then, seat, LayCard(card="grasshopper-1"))
        assert (refused.code, refused.clause, refused.facts) == ("not-your-turn", "DH-45", {"to_act": ("B",)})
        assert refused.sentence == f"B is to lay a card; {seat} has to wait."


@pytest.mark.rule("DH-22")
def test_no_bug_is_placed_in_the_race():
    assert refusal(race(), "A", PlaceBug(bug="bee", end="rear")).code == "not-now"


@pytest.mark.rule("DH-55", "DH-R31")
@pytest.mark.parametrize("use", [LayBadEncounter(use="own"), LayBadEncounter(use="rival", rival="B")])
def test_the_game_ends_only_when_the_last_card_has_been_carried_out(use):
    given = race(2, hands={"A": ("bad-encounter",), "B": ()}, goals={"A": ("bee", "fly"), "B": ("bee", "fly")})
    between = after(given, "A", use)
    assert not between.over
    giver = turn(between)
    assert giver == (use.rival or "A")
    then = after(between, giver, GiveGoal(goal="fly"))
    assert then.over
    assert then[Frame].outcomes[0].reason == "hands-empty"


@pytest.mark.rule("DH-55", "DH-56", "DH-59")
def test_goals_are_turned_up_between_the_last_card_and_the_end():
    given = race(2, hands={"A": ("wasp+1",), "B": ()}, goals={"A": ("bee", "fly"), "B": ("bee", "wasp")})
    names = [type(event).__name__ for event in decided(given, "A", LayCard(card="wasp+1"))]
    assert names == ["CardLaid", "BugMoved", "PhaseBegun", "GoalsRevealed", "GoalsRevealed", "GameEnded"]
    outcome = laid(given, "wasp+1").outcome
    assert outcome.score("B") == 2 + 4  # the wasp went from fifth to fourth by the last card
    assert outcome.clause == "DH-55"


@pytest.mark.rule("DH-59")
def test_everyone_learns_all_goals_at_the_end():
    table = played(4)
    for viewer in (*table.seats, None):
        revealed = {
            fact.event.seat: fact.event.goals for fact in table.feed(viewer) if isinstance(fact.event, GoalsRevealed)
        }
        assert list(revealed) == list(table.seats)
        assert all(len(goals) == 2 for goals in revealed.values())


@pytest.mark.rule("DH-55")
def test_after_the_end_nobody_may_act():
    """F21: no legal command for anyone, one result, every further command refused with the same reason."""
    table = played(3)
    assert table.to_act == ()
    for seat in table.seats:
        assert table.legal(seat) == ()
        for command in (LayCard(card="wasp+1"), PlaceBug(bug="bee"), GiveGoal(goal="bee")):
            with pytest.raises(GameOver) as raised:
                table.play(seat, command)
            assert raised.value.refusal.facts == {"reason": "hands-empty"}
            assert raised.value.refusal.clause == "DH-55"


@pytest.mark.rule("DH-R29")
def test_a_laid_card_cannot_be_taken_back_freely():
    """F6: a card laid is a card shown, and undo is no peek; where a bug was put tells nothing that was hidden."""
    table = new_table()
    chance = Chance(b"undo")
    while not table.over:
        seat = table.to_act[0]
        command = chance.choose(table.legal(seat))
        table.play(seat, command)
        if table.over:
            break
        if isinstance(command, PlaceBug) and len(table.position[Race].line) < 7:
            table.undo(seat)
            assert turn(table.position) == seat
            table.redo(seat)
        else:
            with pytest.raises(UndoRefused) as raised:
                table.undo(seat)
            assert raised.value.refusal.code == "behind-barrier"
    assert table.audit([table.receipt]).ok
