"""What laid cards do to the line of bugs."""

from __future__ import annotations

import itertools

import pytest

from dark_horse_bugs.situations import LINE, bugs_of, decided, laid, line, played, race, refusal
from ludolog import Chance
from ludolog_plugins.dark_horse_bugs.commands import LayBadEncounter, LayCard
from ludolog_plugins.dark_horse_bugs.data import CARDS
from ludolog_plugins.dark_horse_bugs.events import BugMoved, CardLaid
from ludolog_plugins.dark_horse_bugs.state import Race, move_deck

OPTIONS = [
    {"move_deck": deck, "overlong_move": overlong, "two_place_at_end": at_end}
    for deck, overlong, at_end in itertools.product(
        ("house", "bugs-only"), ("stop", "no-move"), ("partial", "both-must-move")
    )
]


def lines():
    """Some of the 5040 lines of bugs, among them those where any one bug is first and any other last."""
    chance = Chance(b"lines")
    for first, last in itertools.permutations(LINE, 2):
        yield (first, *chance.shuffle(bug for bug in LINE if bug not in (first, last)), last)


@pytest.mark.rule("DH-42")
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options.values()))
def test_every_card_can_be_laid_whatever_the_line(options):
    for bugs in lines():
        given = race(bugs=bugs, **options)
        for name in set(move_deck(given)):
            position = race(bugs=bugs, hands={"A": (name,)}, **options)
            assert position.ruleset.legal(position, "A"), (bugs, name)


@pytest.mark.rule("DH-24", "DH-43")
def test_each_space_keeps_one_bug_and_only_passed_bugs_shift():
    for bugs in itertools.islice(lines(), 0, None, 3):
        for name in set(move_deck(race())):
            given = race(bugs=bugs, hands={"A": (name,)})
            for command in given.ruleset.legal(given, "A"):
                events = decided(given, "A", command)
                then = given
                for event in events:
                    before, then = then, given.ruleset.fold(then, (event,))
                    if isinstance(event, BugMoved):
                        old, new = before[Race].line.index(event.bug) + 1, event.place
                        assert then[Race].line[new - 1] == event.bug
                        for bug in set(LINE) - {event.bug}:
                            was, now = before[Race].line.index(bug) + 1, then[Race].line.index(bug) + 1
                            passed = min(old, new) <= was <= max(old, new)
                            assert now - was == ((old > new) - (old < new) if passed else 0)
                assert sorted(then[Race].line) == sorted(LINE)


@pytest.mark.rule("DH-07")
def test_only_laid_cards_change_the_order_of_the_bugs():
    table = played(3, variants=("dilly-dally",))
    for length in range(9, table.length):
        before, after = table.at(length), table.at(length + 1)
        (batch,) = table.journal.batches(length, length + 1)
        moved = [event for event in batch.events if isinstance(event, BugMoved)]
        assert moved or before[Race].line == after[Race].line
        if moved:
            assert any(isinstance(event, CardLaid) for event in batch.events)


@pytest.mark.rule("DH-34", "DH-48")
def test_the_bugs_move_in_the_batch_of_the_card_before_the_turn_passes():
    given = race(hands={"A": ("wasp+1",)})
    events = decided(given, "A", LayCard(card="wasp+1"))
    assert events == (CardLaid(seat="A", card="wasp+1", hand=()), BugMoved(bug="wasp", place=4))


@pytest.mark.rule("DH-37", "DH-38")
@pytest.mark.parametrize(("card", "place"), [("fly+1", 2), ("fly-1", 4)])
def test_forward_is_toward_space_one(card, place):
    assert bugs_of(laid(race(hands={"A": (card,)}), card)).index("fly") + 1 == place


@pytest.mark.rule("DH-35", "DH-44", "DH-R20")
def test_a_one_place_card_means_the_same_space_on_either_track():
    for track in ("published", "as-written"):
        given = race(hands={"A": ("place1-3",)}, track=track)
        assert bugs_of(laid(given, "place1-3")) == line("snail, fly, caterpillar, ladybug, wasp, bee, grasshopper")


@pytest.mark.rule("DH-R21")
def test_a_card_with_one_sign_is_played_in_that_direction():
    given = race(hands={"A": ("snail-1", "place5-2")})
    for card in ("snail-1", "place5-2"):
        for step in (-2, -1, 1, 2):
            assert refusal(given, "A", LayCard(card=card, step=step)).clause == "DH-R21"


@pytest.mark.rule("DH-41")
def test_a_choice_has_to_be_made_and_only_among_the_steps_of_the_card():
    given = race(hands={"A": ("bee+-1",)})
    assert given.ruleset.legal(given, "A") == (LayCard(card="bee+-1", step=1), LayCard(card="bee+-1", step=-1))
    for step in (0, 2, -2):
        refused = refusal(given, "A", LayCard(card="bee+-1", step=step))
        assert (refused.code, refused.clause, refused.facts) == ("no-such-step", "DH-41", {"steps": (1, -1)})


@pytest.mark.rule("DH-39", "DH-40", "DH-R10")
@pytest.mark.parametrize("name", ["places1,2+-1", "places6,7+-1", "places2,6+-1", "places3,5+-1"])
@pytest.mark.parametrize("step", [1, -1])
def test_both_bugs_of_a_two_place_card_go_one_space_the_same_way(name, step):
    given = race(hands={"A": (name,)})
    then = bugs_of(laid(given, name, step))
    for place in given.slot(CARDS)[name].places:
        goal = min(max(place - step, 1), 7)
        if {place, goal} <= {1, 2} and step == 1 and name == "places1,2+-1":
            goal = {1: 2, 2: 1}[place]  # the one at the end stays and is passed by the other
        if {place, goal} <= {6, 7} and step == -1 and name == "places6,7+-1":
            goal = {7: 6, 6: 7}[place]
        assert then.index(LINE[place - 1]) + 1 == goal


@pytest.mark.rule("DH-R22")
def test_the_bugs_of_a_two_place_card_are_fixed_before_either_moves():
    given = race(hands={"A": ("places1,2+-1",)})
    assert bugs_of(laid(given, "places1,2+-1", -1)) == line("fly, ladybug, snail, caterpillar, wasp, bee, grasshopper")


@pytest.mark.rule("DH-R11")
def test_both_directions_of_a_two_place_card_may_be_chosen_unless_both_must_move():
    for name, step in (("places1,2+-1", 1), ("places6,7+-1", -1)):
        both = {LayCard(card=name, step=1), LayCard(card=name, step=-1)}
        partial = race(hands={"A": (name,)})
        assert set(partial.ruleset.legal(partial, "A")) == both
        strict = race(hands={"A": (name,)}, two_place_at_end="both-must-move")
        assert strict.ruleset.legal(strict, "A") == (LayCard(card=name, step=-step),)
        assert refusal(strict, "A", LayCard(card=name, step=step)).clause == "DH-R11"
    inner = race(hands={"A": ("places3,5+-1",)}, two_place_at_end="both-must-move")
    assert len(inner.ruleset.legal(inner, "A")) == 2


@pytest.mark.rule("DH-R8", "DH-R9")
@pytest.mark.parametrize(("overlong", "legal"), [("stop", {2, -2}), ("no-move", {-2})])
def test_a_choice_that_does_not_fit(overlong, legal):
    bugs = line("ladybug, wasp, fly, caterpillar, snail, bee, grasshopper")
    given = race(bugs=bugs, hands={"A": ("wasp+-2",)}, overlong_move=overlong, move_deck="bugs-only")
    assert {command.step for command in given.ruleset.legal(given, "A")} == legal
    if overlong == "stop":
        assert bugs_of(laid(given, "wasp+-2", 2))[0] == "wasp"
    else:
        assert refusal(given, "A", LayCard(card="wasp+-2", step=2)).clause == "DH-R9"


@pytest.mark.rule("DH-R8")
@pytest.mark.parametrize(("overlong", "place"), [("stop", 1), ("no-move", 3)])
def test_a_long_move_of_one_sign(overlong, place):
    bugs = line("snail, fly, ladybug, caterpillar, wasp, bee, grasshopper")
    given = race(bugs=bugs, hands={"A": ("ladybug+3",)}, overlong_move=overlong, move_deck="bugs-only")
    assert bugs_of(laid(given, "ladybug+3")).index("ladybug") + 1 == place


@pytest.mark.rule("DH-49", "DH-50", "DH-51", "DH-R19", "DH-R23")
@pytest.mark.parametrize("overlong", ["stop", "no-move"])
@pytest.mark.parametrize(
    ("track", "then"),
    [
        ("published", "ladybug, snail, caterpillar, wasp, bee, grasshopper, fly"),
        ("as-written", "fly, ladybug, snail, caterpillar, wasp, bee, grasshopper"),
    ],
)
def test_run_for_your_life_goes_to_stone_on_either_track(track, then, overlong):
    given = race(hands={"A": ("run-for-your-life",)}, track=track, overlong_move=overlong)
    assert bugs_of(laid(given, "run-for-your-life")) == line(then)
    assert refusal(given, "A", LayCard(card="run-for-your-life", step=1)).code == "no-such-step"


@pytest.mark.rule("DH-47", "DH-48", "DH-52")
def test_a_special_card_takes_the_place_of_a_move_card():
    given = race(hands={"A": ("run-for-your-life", "wasp+1", "bad-encounter")})
    legal = given.ruleset.legal(given, "A")
    assert LayCard(card="run-for-your-life") in legal
    assert LayBadEncounter(use="own") in legal
    assert refusal(given, "A", LayCard(card="bad-encounter")).clause == "DH-52"
    then = laid(given, "run-for-your-life")
    assert given.ruleset.to_act(then) == ("B",)
