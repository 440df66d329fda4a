"""Set-up: goals, the line of bugs, hands."""

from __future__ import annotations

from collections import Counter

import pytest

from dark_horse_bugs.situations import LINE, NAMES, after, begun, lined_up, new_table, played, refusal, turn
from ludolog import Chance
from ludolog_plugins.dark_horse_bugs import data
from ludolog_plugins.dark_horse_bugs.commands import LayCard, PlaceBug
from ludolog_plugins.dark_horse_bugs.events import CardsSetAside, GoalsDealt, HandDealt, PhaseBegun, StarterDrawn
from ludolog_plugins.dark_horse_bugs.state import Cards, Goals, Race, goal_cards, move_deck


def faces(holdings):
    return [card for holding in holdings for card in holding.cards]


@pytest.mark.rule("DH-14", "DH-16", "DH-R36")
@pytest.mark.parametrize(
    ("track", "places"),
    [
        ("published", ("sugar", "walnut", "cherry", "acorn", "olive", "leaf", "stone")),
        ("as-written", ("stone", "walnut", "cherry", "acorn", "olive", "leaf", "sugar")),
    ],
)
def test_the_track_lies_there_before_any_bug_is_placed(track, places):
    position = begun(track=track)
    assert position[Race].line == ()
    assert data.track_of(position).places == places
    shown = str(position)
    assert sorted(places, key=shown.index) == list(places)
    assert shown.index("finish 1") < shown.index("start 7")


@pytest.mark.rule("DH-03", "DH-09", "DH-10", "DH-R15")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_goals_are_dealt_from_one_shuffled_deck(seats):
    position = begun(seats)
    goals = position[Goals]
    assert sorted((*faces(goals.held), *goals.deck)) == sorted(goal_cards(position))
    assert [holding.seat for holding in goals.held] == list(NAMES[:seats])
    assert begun(seats, key=b"other")[Goals] != goals


@pytest.mark.rule("DH-17")
def test_the_starting_player_is_drawn_at_random():
    drawn = Counter(begun(3, key=b"%d" % number)[Race].starter for number in range(300))
    assert set(drawn) == {"A", "B", "C"}
    assert all(70 < count < 130 for count in drawn.values())


@pytest.mark.rule("DH-17", "DH-18", "DH-R34")
def test_one_starting_player_opens_the_line_and_has_the_first_turn():
    for number in range(6):
        table = new_table(4, seed=number)
        starter = table.position[Race].starter
        assert turn(table.position) == starter
        assert table.ruleset.legal(table.position, starter) == tuple(PlaceBug(bug=bug) for bug in LINE)
        assert turn(played(4, seed=number, until=9).position) == starter


@pytest.mark.rule("DH-18", "DH-R25")
def test_the_first_bug_goes_to_no_end():
    given = lined_up(begun(), ())
    for end in ("front", "rear"):
        assert refusal(given, "A", PlaceBug(bug="fly", end=end)).clause == "DH-R25"
    assert after(given, "A", PlaceBug(bug="fly"))[Race].line == ("fly",)


@pytest.mark.rule("DH-19", "DH-20", "DH-21")
def test_later_bugs_go_to_either_end():
    given = lined_up(begun(), ("bee", "fly"))
    legal = given.ruleset.legal(given, "C")
    others = [bug for bug in LINE if bug not in ("bee", "fly")]
    assert set(legal) == {PlaceBug(bug=bug, end=end) for bug in others for end in ("front", "rear")}
    assert after(given, "C", PlaceBug(bug="wasp", end="front"))[Race].line == ("wasp", "bee", "fly")
    assert after(given, "C", PlaceBug(bug="wasp", end="rear"))[Race].line == ("bee", "fly", "wasp")
    assert refusal(given, "C", PlaceBug(bug="wasp")).clause == "DH-21"


@pytest.mark.rule("DH-04", "DH-R14")
def test_only_the_seven_bugs_race():
    refused = refusal(lined_up(begun(), ()), "A", PlaceBug(bug="spider"))
    assert (refused.code, refused.clause, refused.facts) == ("no-such-bug", "DH-04", {"bugs": LINE})


@pytest.mark.rule("DH-22", "DH-24", "DH-R25")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_placing_goes_round_until_all_bugs_are_in_the_line(seats):
    table = new_table(seats)
    chance = Chance(b"line")
    order = []
    while table.position[Race].phase == "line-up":
        order.append(turn(table.position))
        table.play(order[-1], chance.choose(table.legal(order[-1])))
    starter = table.position[Race].starter
    assert order == [table.position.after(starter, count) for count in range(7)]
    assert sorted(table.position[Race].line) == sorted(LINE)


@pytest.mark.rule("DH-23", "DH-R24")
def test_the_front_end_of_the_line_is_space_one():
    given = lined_up(begun(), LINE[1:])
    then = after(given, "A", PlaceBug(bug=LINE[0], end="front"))
    assert then[Race].line == LINE
    assert "finish 1 sugar   ladybug" in str(then)
    assert "start 7 stone   grasshopper" in str(then)


@pytest.mark.rule("DH-01", "DH-25", "DH-27", "DH-R17")
@pytest.mark.parametrize("deck", ["house", "bugs-only"])
@pytest.mark.parametrize("seats", [2, 6])
def test_all_move_cards_are_shuffled_together_dealt_and_set_aside(seats, deck):
    position = played(seats, until=9, move_deck=deck).position
    cards = position[Cards]
    assert sorted((*faces(cards.hands), *cards.aside)) == sorted(move_deck(position))
    other = played(seats, until=9, seed=8, move_deck=deck).position
    assert other[Cards].hands != cards.hands


@pytest.mark.rule("DH-25", "DH-26", "DH-R29")
def test_hands_are_dealt_face_down_and_equally():
    table = played(4, until=9)
    dealt = [fact.event for fact in table.feed(None) if isinstance(fact.event, HandDealt)]
    assert [(event.seat, event.cards) for event in dealt] == [(seat, (None,) * 6) for seat in NAMES[:4]]
    aside = next(fact.event for fact in table.feed("A") if isinstance(fact.event, CardsSetAside))
    assert aside.cards == (None,) * 10


@pytest.mark.rule("DH-27")
def test_cards_set_aside_take_no_part_in_the_game():
    table = played(5, until=9)
    aside = table.position[Cards].aside
    whole = played(5).position[Cards]
    assert whole.aside == aside
    assert sorted((*faces(whole.laid), *aside)) == sorted(move_deck(table.position))


@pytest.mark.rule("DH-32")
def test_no_card_is_laid_before_the_race():
    given = lined_up(begun(), ())
    refused = refusal(given, "A", LayCard(card="wasp+1"))
    assert (refused.code, refused.clause) == ("not-now", "DH-18")


def test_the_phases_follow_each_other():
    events = [fact.event for fact in played(2).feed(None)]
    phases = [event.phase for event in events if isinstance(event, PhaseBegun)]
    assert phases == ["goals", "line-up", "cards", "race", "reckoning"]
    kinds = [type(event) for event in events]
    assert kinds.index(GoalsDealt) < kinds.index(StarterDrawn) < kinds.index(HandDealt)
