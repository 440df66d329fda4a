"""The worked examples of the rules file: given a position, when a command, then a position."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

import pytest

from dark_horse_bugs.situations import (
    DECK,
    DILLY_DALLY,
    FILLER,
    LINE,
    NAMES,
    after,
    begun,
    bugs_of,
    hand,
    held,
    laid,
    line,
    lined_up,
    new_table,
    played,
    race,
    refusal,
    ruleset,
    scores,
    seen,
    step,
    turn,
)
from ludolog import Chance
from ludolog.errors import BadSeats, MalformedCommand
from ludolog_plugins.dark_horse_bugs import data, dilly_dally
from ludolog_plugins.dark_horse_bugs.commands import GiveGoal, LayBadEncounter, LayCard, PickGoal, PlaceBug
from ludolog_plugins.dark_horse_bugs.data import CARDS, POINTS, TRACKS
from ludolog_plugins.dark_horse_bugs.dilly_dally import Ants, Pass, TakeToken
from ludolog_plugins.dark_horse_bugs.state import Cards, Goals, Race, goal_cards, move_deck

EXAMPLES = tomllib.loads(files("ludolog_plugins.dark_horse_bugs").joinpath("rules.toml").read_text())["example"]


def test_every_example_of_the_rules_file_is_a_test():
    tests = {match[0] for name in globals() if (match := re.match(r"test_e\d\d", name))}
    assert tests == {f"test_{example['id'].removeprefix('DH-').lower()}" for example in EXAMPLES}


# ---------------------------------------------------------------- moves


@pytest.mark.rule("DH-38", "DH-43", "DH-44", "DH-58", "DH-R2")
def test_e01_walnut_example_as_corrected():
    given = race(bugs=line("caterpillar, ladybug, snail, fly, wasp, bee, grasshopper"), hands={"A": ("place1-3",)})
    then = laid(given, "place1-3")
    assert bugs_of(then) == line("ladybug, snail, fly, caterpillar, wasp, bee, grasshopper")
    assert data.track_of(then).places[bugs_of(then).index("caterpillar")] == "acorn"


@pytest.mark.rule("DH-36", "DH-37", "DH-43")
def test_e03_plus_one_moves_a_bug_forward():
    then = laid(race(hands={"A": ("wasp+1",)}), "wasp+1")
    assert bugs_of(then) == line("ladybug, snail, fly, wasp, caterpillar, bee, grasshopper")


@pytest.mark.rule("DH-36", "DH-38", "DH-43", "DH-R21")
def test_e04_minus_one_moves_a_bug_backward_and_leaves_no_choice():
    given = race(hands={"A": ("snail-1",)})
    assert given.ruleset.legal(given, "A") == (LayCard(card="snail-1"),)
    assert bugs_of(laid(given, "snail-1")) == line("ladybug, fly, snail, caterpillar, wasp, bee, grasshopper")


@pytest.mark.rule("DH-41", "DH-43")
def test_e05_plus_minus_one_backward():
    then = laid(race(hands={"A": ("bee+-1",)}), "bee+-1", -1)
    assert bugs_of(then) == line("ladybug, snail, fly, caterpillar, wasp, grasshopper, bee")


@pytest.mark.rule("DH-41", "DH-42", "DH-R9")
def test_e06_a_direction_in_which_the_bug_cannot_move_is_refused():
    given = race(hands={"A": ("ladybug+-1",)})
    refused = refusal(given, "A", LayCard(card="ladybug+-1", step=1))
    assert (refused.code, refused.clause) == ("cannot-move", "DH-R9")
    then = laid(given, "ladybug+-1", -1)
    assert bugs_of(then) == line("snail, ladybug, fly, caterpillar, wasp, bee, grasshopper")


@pytest.mark.rule("DH-42", "DH-R8")
def test_e07_a_card_that_moves_nothing_counts_as_played():
    given = race(hands={"A": ("ladybug+1", "bee-1", "bee-1", "bee-1")})
    then = laid(given, "ladybug+1")
    assert bugs_of(then) == LINE
    assert len(hand(then, "A")) == 3
    assert turn(then) == "B"


@pytest.mark.rule("DH-42", "DH-R8", "DH-R13")
def test_e08_a_move_that_does_not_fit_may_be_none_at_all():
    given = race(
        bugs=line("snail, ladybug, fly, caterpillar, wasp, bee, grasshopper"),
        hands={"A": ("ladybug+3",), "B": ("snail-2",)},
        overlong_move="no-move",
        move_deck="bugs-only",
    )
    then = laid(given, "ladybug+3")
    assert bugs_of(then) == bugs_of(given)
    then = laid(then, "snail-2", seat="B")
    assert bugs_of(then) == line("ladybug, fly, snail, caterpillar, wasp, bee, grasshopper")


@pytest.mark.rule("DH-39", "DH-40", "DH-43", "DH-R22")
def test_e09_two_places_forward():
    then = laid(race(hands={"A": ("places2,6+-1",)}), "places2,6+-1", 1)
    assert bugs_of(then) == line("snail, ladybug, fly, caterpillar, bee, wasp, grasshopper")


@pytest.mark.rule("DH-39", "DH-40", "DH-R10", "DH-R22")
def test_e10_two_places_backward():
    then = laid(race(hands={"A": ("places3,5+-1",)}), "places3,5+-1", -1)
    assert bugs_of(then) == line("ladybug, snail, caterpillar, fly, bee, wasp, grasshopper")


@pytest.mark.rule("DH-39", "DH-R11")
def test_e11_the_bug_at_the_finish_stays_and_the_other_moves():
    then = laid(race(hands={"A": ("places1,2+-1",)}), "places1,2+-1", 1)
    assert bugs_of(then) == line("snail, ladybug, fly, caterpillar, wasp, bee, grasshopper")


@pytest.mark.rule("DH-39", "DH-R11")
def test_e12_the_bug_at_the_start_stays_and_the_other_moves():
    then = laid(race(hands={"A": ("places6,7+-1",)}), "places6,7+-1", -1)
    assert bugs_of(then) == line("ladybug, snail, fly, caterpillar, wasp, grasshopper, bee")


@pytest.mark.rule("DH-40")
def test_e13_two_directions_for_one_card_are_refused():
    given = race(hands={"A": ("places3,5+-1",)})
    with pytest.raises(MalformedCommand):
        given.ruleset.read_command('{"type":"dark-horse-bugs/lay-card","card":"places3,5+-1","step":[1,-1]}')
    assert refusal(given, "A", LayCard(card="places3,5+-1")).clause == "DH-40"


@pytest.mark.rule("DH-49", "DH-50", "DH-51", "DH-R23")
def test_e14_run_for_your_life():
    then = laid(race(hands={"A": ("run-for-your-life",)}), "run-for-your-life")
    assert bugs_of(then) == line("ladybug, snail, caterpillar, wasp, bee, grasshopper, fly")


@pytest.mark.rule("DH-44", "DH-R20")
def test_e15_one_place_forward():
    then = laid(race(hands={"A": ("place7+3",)}), "place7+3")
    assert bugs_of(then) == line("ladybug, snail, fly, grasshopper, caterpillar, wasp, bee")


@pytest.mark.rule("DH-44", "DH-R9")
def test_e16_one_place_with_a_choice():
    given = race(hands={"A": ("place4+-2",)})
    forward = laid(given, "place4+-2", 2)
    assert bugs_of(forward) == line("ladybug, caterpillar, snail, fly, wasp, bee, grasshopper")
    backward = laid(given, "place4+-2", -2)
    assert bugs_of(backward) == line("ladybug, snail, fly, wasp, bee, caterpillar, grasshopper")


@pytest.mark.rule("DH-44", "DH-45", "DH-R11")
def test_e17_a_card_moves_whoever_stands_there_now():
    given = race(hands={"A": ("place1-3",), "B": ("places1,2+-1",)})
    then = laid(given, "place1-3")
    assert bugs_of(then) == line("snail, fly, caterpillar, ladybug, wasp, bee, grasshopper")
    then = laid(then, "places1,2+-1", 1, seat="B")
    assert bugs_of(then) == line("fly, snail, caterpillar, ladybug, wasp, bee, grasshopper")


# ---------------------------------------------------------------- Bad encounter!


@pytest.mark.rule("DH-52", "DH-53", "DH-R6", "DH-R26", "DH-R35")
def test_e18_an_own_exchange():
    given = race(4, hands={"A": ("bad-encounter",)}, goals={"A": ("ladybug", "grasshopper")})
    then = after(after(given, "A", LayBadEncounter(use="own")), "A", GiveGoal(goal="grasshopper"))
    assert held(then, "A") == ("ladybug", "bee")
    assert then[Goals].deck == ("wasp", "snail", "fly", "bee", "ladybug", "grasshopper")


@pytest.mark.rule("DH-54", "DH-R4", "DH-R31", "DH-R35")
def test_e19_a_rival_has_to_exchange_before_anything_else_happens():
    given = race(4, hands={"A": ("bad-encounter",)}, goals={"C": ("fly", "caterpillar")})
    between = after(given, "A", LayBadEncounter(use="rival", rival="C"))
    refused = refusal(between, "B", LayCard(card=FILLER[0]))
    assert (refused.code, refused.clause) == ("not-your-turn", "DH-R31")
    then = after(between, "C", GiveGoal(goal="fly"))
    assert held(then, "C") == ("caterpillar", "bee")
    assert then[Goals].deck == ("wasp", "snail", "fly", "bee", "ladybug", "fly")
    assert turn(then) == "B"
    events = given.ruleset.decide(between, "C", GiveGoal(goal="fly"), Chance(b"k" * 32)).events
    assert held(given.ruleset.fold(seen(between, "A"), events, "A"), "C") == (None, None)


@pytest.mark.rule("DH-52", "DH-54", "DH-R27")
def test_e20_oneself_or_nobody_is_no_rival():
    given = race(hands={"A": ("bad-encounter",)})
    assert refusal(given, "A", LayBadEncounter(use="rival", rival="A")).clause == "DH-R27"
    assert refusal(given, "A", LayBadEncounter(use="rival")).clause == "DH-R27"


# ---------------------------------------------------------------- set-up


@pytest.mark.rule("DH-18", "DH-19", "DH-20", "DH-22", "DH-23", "DH-24", "DH-R24", "DH-R25")
def test_e21_the_line_is_formed():
    position = lined_up(begun(), ())
    for seat, bug, end in (
        ("A", "fly", ""),
        ("B", "bee", "front"),
        ("C", "wasp", "rear"),
        ("A", "snail", "front"),
        ("B", "ladybug", "rear"),
        ("C", "caterpillar", "front"),
        ("A", "grasshopper", "rear"),
    ):
        assert turn(position) == seat
        position = after(position, seat, PlaceBug(bug=bug, end=end))
    assert bugs_of(position) == line("caterpillar, snail, bee, fly, wasp, ladybug, grasshopper")
    assert position[Race].phase == "race"


@pytest.mark.rule("DH-19", "DH-21", "DH-R25")
def test_e22_no_bug_goes_into_the_line_or_twice_into_it():
    given = lined_up(begun(), line("bee, fly, wasp"))
    inside = refusal(given, "A", PlaceBug(bug="snail", end="between bee and fly"))
    assert (inside.code, inside.clause, inside.facts) == ("not-at-an-end", "DH-21", {"line": ("bee", "fly", "wasp")})
    twice = refusal(given, "A", PlaceBug(bug="fly", end="rear"))
    assert (twice.code, twice.clause) == ("bug-in-line", "DH-R25")
    assert turn(given) == "A"


@pytest.mark.rule("DH-09", "DH-10", "DH-26", "DH-27", "DH-28", "DH-29", "DH-30", "DH-31", "DH-R26", "DH-R37")
@pytest.mark.parametrize(
    ("seats", "cards", "goals", "undealt", "deck"),
    [(2, 8, 3, 18, 8), (3, 7, 2, 13, 8), (4, 6, 2, 10, 6), (5, 6, 2, 4, 4), (6, 5, 2, 4, 2)],
)
def test_e23_what_is_dealt(seats, cards, goals, undealt, deck):
    position = played(seats, until=9).position
    assert position[Race].phase == "race"
    assert {len(hand(position, seat)) for seat in NAMES[:seats]} == {cards}
    assert {len(held(position, seat)) for seat in NAMES[:seats]} == {goals}
    assert len(position[Cards].aside) == undealt
    assert len(position[Goals].deck) == deck
    for number in (1, 7):
        with pytest.raises(BadSeats):
            ruleset().opening(tuple(map(str, range(number))))


@pytest.mark.rule("DH-45", "DH-46", "DH-55")
def test_e24_the_last_card_ends_the_game():
    table = played(3, until=9)
    chance = Chance(b"on")
    starter = table.position[Race].starter
    last = table.position.after(starter, 2)
    order = []
    while not table.over:
        cards = table.position[Cards]
        if not table.position[Goals].giver:
            order.append(table.to_act[0])
            left = [seat for seat in table.seats if hand(table.position, seat)]
            assert left == [last] if cards.turns == 20 else len(left) > 1
        step(table, chance)
    assert order == [table.position.after(starter, turns) for turns in range(21)]


# ---------------------------------------------------------------- scores


@pytest.mark.rule("DH-60", "DH-61", "DH-R16")
def test_e02_steve_scores_sixteen():
    outcome = ruleset().score(race(goals={"A": ("ladybug", "fly")}), "hands-empty")
    assert [line.points for line in outcome.scores[0].lines] == [10, 6]
    assert outcome.score("A") == 16


@pytest.mark.rule("DH-10", "DH-60", "DH-R16")
def test_e25_three_goals_with_two_players():
    assert scores(race(2, goals={"A": ("snail", "bee", "grasshopper")}))["A"] == 11


@pytest.mark.rule("DH-60", "DH-R3")
def test_e26_two_goals_of_one_bug_count_twice():
    assert scores(race(4, goals={"A": ("ladybug", "ladybug")}))["A"] == 20


@pytest.mark.rule("DH-08", "DH-62", "DH-R7")
def test_e27_a_tie_shares_the_win():
    goals = {"A": ("ladybug", "caterpillar"), "B": ("snail", "fly"), "C": ("wasp", "bee")}
    outcome = ruleset().score(race(goals=goals), "hands-empty")
    assert [sheet.total for sheet in outcome.scores] == [14, 14, 5]
    assert outcome.winners == ("A", "B")
    assert outcome.ranking == (("A", "B"), ("C",))
    assert outcome.sentence == "A and B share the win with 14 points."


@pytest.mark.rule("DH-07", "DH-11", "DH-12", "DH-13", "DH-59", "DH-R29", "DH-R33")
def test_e28_who_sees_what():
    table = played(3, until=18)
    full = table.position
    own, rival, nobody = (table.view(viewer) for viewer in ("A", "B", None))
    assert len(hand(full, "A")) == 4
    assert hand(own, "A") == hand(full, "A")
    assert held(own, "A") == held(full, "A")
    assert None not in (*hand(own, "A"), *held(own, "A"))
    for view in (rival, nobody):
        assert hand(view, "A") == (None,) * 4
        assert held(view, "A") == (None, None)
    chance = Chance(b"on")
    while not table.over:
        step(table, chance)
    for viewer in ("B", "C", None):
        assert held(table.view(viewer), "A") == held(table.position, "A")


# ---------------------------------------------------------------- Dilly Dally


def offered(seats: int = 3, **options: str):
    """The offer begins, with A to answer."""
    given = race(seats, variants=DILLY_DALLY, **options)
    tokens = data.TOKENS[seats]
    return given.having(Race(phase="offer", starter="A", line=LINE), Ants(base=LINE[-1], tokens=tokens))


@pytest.mark.rule("DH-65", "DH-67", "DH-70", "DH-71", "DH-72", "DH-73", "DH-74", "DH-75", "DH-R12")
def test_e29_the_offer_goes_round_until_all_have_declined():
    position = offered()
    assert position[Ants].tokens == 2
    for seat, command in (("A", Pass()), ("B", TakeToken()), ("C", Pass()), ("A", Pass())):
        assert position[Race].phase == "offer"
        assert turn(position) == seat
        position = after(position, seat, command)
    assert position[Race].phase == "race"
    assert position[Ants].holders == ("B",)
    assert position[Ants].tokens == 0
    assert turn(position) == "A"


def scored(base: str, bugs: str, seats: int, goals: dict[str, str], holders: str) -> dict[str, int]:
    given = race(seats, bugs=line(bugs), goals={seat: line(held) for seat, held in goals.items()}, variants=DILLY_DALLY)
    return scores(given.having(Ants(base=base, holders=tuple(holders))))


@pytest.mark.rule("DH-69", "DH-77", "DH-78", "DH-79")
def test_e30_a_token_gains_or_loses():
    goals = {"A": "snail, caterpillar", "B": "ladybug, fly", "C": "wasp, wasp"}
    found = scored("bee", "ladybug, snail, bee, caterpillar, wasp, fly, grasshopper", 3, goals, "A")
    assert (found["A"], found["B"]) == (17, 12)
    found = scored("bee", "ladybug, snail, caterpillar, bee, wasp, fly, grasshopper", 3, goals, "A")
    assert (found["A"], found["B"]) == (11, 12)


@pytest.mark.rule("DH-69", "DH-R18")
def test_e31_the_black_base_stays_with_the_bug_that_starts_last():
    given = lined_up(begun(variants=DILLY_DALLY), line("caterpillar, snail, bee, fly, wasp, ladybug"))
    position = after(given, "A", PlaceBug(bug="grasshopper", end="front"))
    assert position[Ants].base == "ladybug"
    position = laid(
        race(bugs=bugs_of(position), hands={"A": ("place7+3",)}, variants=DILLY_DALLY).having(position[Ants]),
        "place7+3",
    )
    assert bugs_of(position).index("ladybug") + 1 == 4
    assert position[Ants].base == "ladybug"


@pytest.mark.rule("DH-64", "DH-74", "DH-75", "DH-R12")
def test_e32_two_players_decline():
    position = offered(2)
    assert position[Ants].tokens == 1
    position = after(after(position, "A", Pass()), "B", Pass())
    assert position[Race].phase == "race"
    assert position[Ants].tokens == 0
    assert scores(position) == scores(race(2))


@pytest.mark.rule("DH-56", "DH-57", "DH-R19")
def test_e33_the_track_as_written():
    given = race(hands={"A": ("run-for-your-life",), "B": (), "C": ()}, track="as-written")
    then = laid(given, "run-for-your-life")
    assert then.over
    assert bugs_of(then) == line("fly, ladybug, snail, caterpillar, wasp, bee, grasshopper")
    assert data.track_of(then).places[0] == "stone"
    assert scores(then.having(race(goals={"A": ("fly",), "B": ("ladybug",), "C": ("snail",)})[Goals])) == {
        "A": 10,
        "B": 8,
        "C": 6,
    }


@pytest.mark.rule("DH-15", "DH-16", "DH-50", "DH-57", "DH-R1")
def test_e34_the_published_track():
    given = race()
    pictures = dict(zip(bugs_of(given), data.track_of(given).places, strict=True))
    assert pictures == {
        "ladybug": "sugar",
        "snail": "walnut",
        "fly": "cherry",
        "caterpillar": "acorn",
        "wasp": "olive",
        "bee": "leaf",
        "grasshopper": "stone",
    }
    goals = {"A": ("ladybug",), "B": ("grasshopper",)}
    assert [scores(race(2, goals=goals))[seat] for seat in "AB"] == [10, 1]


@pytest.mark.rule("DH-01", "DH-02", "DH-03", "DH-04", "DH-05", "DH-06", "DH-35", "DH-R13", "DH-R14", "DH-R15", "DH-R17")
def test_e35_the_parts():
    house, bugs_only = begun(), begun(move_deck="bugs-only")
    kinds = [house.slot(CARDS)[name].kind for name in move_deck(house)]
    assert len(kinds) == 34
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "bug": 21,
        "one-place": 5,
        "two-place": 4,
        "run-for-your-life": 2,
        "bad-encounter": 2,
    }
    other = [bugs_only.slot(CARDS)[name].kind for name in move_deck(bugs_only)]
    assert len(other) == 34
    assert other.count("bug") == 26
    assert "one-place" not in other
    bugs = [house.slot(CARDS)[name].bug for name in move_deck(house)]
    assert {bug: bugs.count(bug) for bug in LINE} == dict.fromkeys(LINE, 3)
    assert {len(track.places) for track in house.slot(TRACKS).values()} == {7}
    assert sorted(goal_cards(house)) == sorted(LINE * 2)
    assert len(house.slot(POINTS)) == 7
    assert max(data.TOKENS.values()) == 3
    based = dilly_dally.notes(race(variants=DILLY_DALLY).having(Ants(base="bee"))).bases
    assert based == {"bee": "black"}


@pytest.mark.rule("DH-32", "DH-33", "DH-34", "DH-45", "DH-R34")
def test_e36_one_card_a_turn():
    given = race(starter="B", hands=dict.fromkeys("ABC", ("bee-1",) + FILLER * 3))
    assert refusal(given, "A", LayCard(card="bee-1")).clause == "DH-32"
    then = laid(given, "bee-1", seat="B")
    assert bugs_of(then) == line("ladybug, snail, fly, caterpillar, wasp, grasshopper, bee")
    assert refusal(then, "B", LayCard(card=FILLER[0])).clause == "DH-45"
    then = laid(then, "bee-1", seat="C")
    assert [len(hand(then, seat)) for seat in "ABC"] == [7, 6, 6]
    assert turn(then) == "A"


@pytest.mark.rule("DH-63", "DH-R28")
def test_e37_no_tokens_without_the_variant():
    table = new_table()
    with pytest.raises(MalformedCommand, match="TakeToken is no command of dark-horse-bugs"):
        table.play(table.to_act[0], TakeToken())
    assert Ants not in table.position
    assert "black" not in str(played(until=9).position)


@pytest.mark.rule("DH-47", "DH-48", "DH-53", "DH-R5", "DH-R6")
def test_e38_draw_first():
    given = race(
        4, hands={"A": ("bad-encounter",)}, goals={"A": ("ladybug", "grasshopper")}, goal_exchange_order="draw-first"
    )
    events = given.ruleset.decide(given, "A", LayBadEncounter(use="own"), Chance(b"k" * 32)).events
    assert given.ruleset.fold(seen(given, "A"), events, "A")[Goals].deck[0] == "bee"
    assert given.ruleset.fold(seen(given, "B"), events, "B")[Goals].deck[0] is None
    position = after(given, "A", LayBadEncounter(use="own"))
    assert refusal(position, "A", GiveGoal(goal="bee")).clause == "DH-R5"
    position = after(position, "A", GiveGoal(goal="ladybug"))
    assert held(position, "A") == ("grasshopper", "bee")
    assert position[Goals].deck == ("wasp", "snail", "fly", "bee", "ladybug", "ladybug")


@pytest.mark.rule("DH-54", "DH-R4")
def test_e39_the_card_player_picks_unseen():
    given = race(
        4, hands={"A": ("bad-encounter",)}, goals={"C": ("fly", "caterpillar")}, rival_goal_choice="card-player"
    )
    position = after(given, "A", LayBadEncounter(use="rival", rival="C"))
    events = given.ruleset.decide(position, "A", PickGoal(place=2), Chance(b"k" * 32)).events
    view = given.ruleset.fold(seen(position, "A"), events, "A")
    position = after(position, "A", PickGoal(place=2))
    assert held(position, "C") == ("fly", "bee")
    assert position[Goals].deck == (*DECK[1:], "caterpillar")
    assert held(view, "C") == (None, None)
    assert set(view[Goals].deck) == {None}


@pytest.mark.rule("DH-65", "DH-74", "DH-R12")
def test_e40_a_pass_may_be_final():
    position = offered(token_pass="final")  # noqa: S106 - an option's value
    for seat, command in (("A", Pass()), ("B", TakeToken()), ("C", Pass())):
        position = after(position, seat, command)
    assert position[Race].phase == "race"
    assert position[Ants].holders == ("B",)
    assert position[Ants].tokens == 0


@pytest.mark.rule("DH-R12", "DH-R28")
def test_e41_tokens_in_own_turns():
    given = race(
        hands={"A": FILLER + FILLER[:1], "B": FILLER, "C": FILLER[:1]},
        variants=DILLY_DALLY,
        token_timing="own-turn",  # noqa: S106 - an option's value
    ).having(Ants(base="grasshopper", tokens=2))
    position = after(given, "A", TakeToken())
    assert refusal(position, "A", TakeToken()).clause == "DH-R12"
    position = laid(position, FILLER[0])
    position = laid(position, FILLER[0], seat="B")
    refused = refusal(position, "C", TakeToken())
    assert (refused.code, refused.clause) == ("last-card", "DH-R28")


@pytest.mark.rule("DH-62", "DH-66", "DH-70", "DH-77", "DH-R32")
def test_e42_five_players_with_three_tokens():
    goals = {
        "A": "grasshopper, bee",
        "B": "ladybug, fly",
        "C": "ladybug, snail",
        "D": "fly, wasp",
        "E": "caterpillar, wasp",
    }
    assert offered(5)[Ants].tokens == 3
    assert scored("snail", ", ".join(LINE), 5, goals, "ABD") == {"A": 8, "B": 21, "C": 18, "D": 14, "E": 7}
