"""The variant Dilly Dally: black base, Ant tokens, and that it leaves the game as it is."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ludolog
import ludolog_plugins.dark_horse_bugs as package
from dark_horse_bugs.situations import (
    DILLY_DALLY,
    FILLER,
    LINE,
    NAMES,
    after,
    begun,
    decided,
    laid,
    lined_up,
    new_table,
    played,
    race,
    refusal,
    ruleset,
    scores,
    turn,
)
from ludolog import Chance
from ludolog.errors import BadOptions, UnknownVariant
from ludolog_plugins.dark_horse_bugs.commands import GiveGoal, LayBadEncounter, LayCard, PlaceBug
from ludolog_plugins.dark_horse_bugs.dilly_dally import (
    Ants,
    BlackBaseGiven,
    OfferDeclined,
    Pass,
    TakeToken,
    TokensOffered,
    TokensReturned,
    TokenTaken,
)
from ludolog_plugins.dark_horse_bugs.events import CardLaid, HandDealt
from ludolog_plugins.dark_horse_bugs.phases import PHASES
from ludolog_plugins.dark_horse_bugs.state import Cards, Goals, Race

OWN_TURN = {"token_timing": "own-turn"}
TOKENS = {2: 1, 3: 2, 4: 2, 5: 3, 6: 3}


def offer(seats: int = 3, starter: str = "A", **options: str):
    """The offer has begun."""
    return race(seats, variants=DILLY_DALLY, **options).having(
        Race(phase="offer", starter=starter, line=LINE), Ants(base="grasshopper", tokens=TOKENS[seats])
    )


def answered(position, *answers):
    for seat, command in answers:
        assert turn(position) == seat
        position = after(position, seat, command)
    return position


# ---------------------------------------------------------------- set-up


@pytest.mark.rule("DH-63")
def test_tokens_and_black_base_come_only_with_the_variant():
    assert "dilly" not in " ".join(f"{kind}" for kind in ruleset().event_types)
    assert Ants not in begun()
    assert Ants in begun(variants=DILLY_DALLY)
    assert [str(key) for key in ruleset().slots["phases"]] == ["goals", "line-up", "cards", "race", "reckoning"]


@pytest.mark.rule("DH-64", "DH-65", "DH-66", "DH-67")
@pytest.mark.parametrize(("seats", "tokens"), TOKENS.items())
def test_how_many_tokens_are_on_offer(seats, tokens):
    table = played(seats, DILLY_DALLY, until=9)
    assert table.position[Ants].tokens == tokens
    offered = [fact.event for fact in table.feed(None) if isinstance(fact.event, TokensOffered)]
    assert offered == [TokensOffered(count=tokens)]


@pytest.mark.rule("DH-68")
def test_set_up_is_the_same_as_without_the_variant():
    plain, with_it = played(3, until=9), played(3, DILLY_DALLY, until=9)
    for kind in (Cards, Goals):
        assert with_it.position[kind] == plain.position[kind]
    assert with_it.position[Race].line == plain.position[Race].line
    assert with_it.position[Race].starter == plain.position[Race].starter


@pytest.mark.rule("DH-05", "DH-69", "DH-R18")
@pytest.mark.parametrize("end", ["front", "rear"])
def test_the_bug_on_the_last_space_gets_the_black_base(end):
    given = lined_up(begun(variants=DILLY_DALLY), LINE[:6])
    then = after(given, "A", PlaceBug(bug="grasshopper", end=end))
    last = then[Race].line[-1]
    assert last == ("grasshopper" if end == "rear" else "bee")
    assert then[Ants].base == last
    assert str(then).count("on a black base") == 1
    assert f"{last} on a black base" in str(then)
    assert then.svg().count('fill="black"') == 1
    assert then.svg().count('fill="#dfe9ec"') == 6


@pytest.mark.rule("DH-69", "DH-70", "DH-71", "DH-R28", "DH-R34")
def test_the_offer_stands_between_the_deal_and_the_first_card():
    names = list(ruleset(DILLY_DALLY).slots["phases"])
    assert names == ["goals", "line-up", "black-base", "cards", "offer", "race", "reckoning"]
    table = played(4, DILLY_DALLY)
    kinds = [type(fact.event) for fact in table.feed(None)]
    assert kinds.index(BlackBaseGiven) < kinds.index(HandDealt) < kinds.index(CardLaid)
    offered = next(at for at, kind in enumerate(kinds) if kind in {TokenTaken, OfferDeclined})
    assert kinds.index(HandDealt) < offered < kinds.index(CardLaid)
    answers = [fact.event for fact in table.feed(None) if isinstance(fact.event, TokenTaken | OfferDeclined)]
    assert answers[0].seat == table.position[Race].starter
    assert refusal(offer(), "A", LayCard(card=FILLER[0])).clause == "DH-71"


@pytest.mark.rule("DH-R18")
def test_the_black_base_goes_with_its_bug():
    given = race(hands={"A": ("place7+3",)}, variants=DILLY_DALLY).having(Ants(base="grasshopper"))
    then = laid(given, "place7+3")
    assert then[Ants].base == "grasshopper"
    assert "4 acorn   grasshopper on a black base" in str(then)


# ---------------------------------------------------------------- the offer


@pytest.mark.rule("DH-71", "DH-72", "DH-R34")
def test_the_offer_begins_with_the_starting_player_who_takes_or_passes():
    given = offer(starter="B")
    assert turn(given) == "B"
    assert given.ruleset.legal(given, "B") == (TakeToken(), Pass())
    for seat in ("A", "C"):
        assert refusal(given, seat, TakeToken()).clause == "DH-71"
    then = after(given, "B", Pass())
    assert turn(then) == "C"
    assert refusal(then, "A", Pass()).clause == "DH-72"


@pytest.mark.rule("DH-73")
def test_everyone_sees_who_holds_a_token():
    table = played(3, DILLY_DALLY, until=9)
    seat = table.to_act[0]
    table.play(seat, TakeToken())
    for viewer in (*table.seats, None):
        view = table.view(viewer)
        assert view[Ants].holders == (seat,)
        assert re.findall(r"^. (\w): [^:]*; Ant token$", str(view), re.MULTILINE) == [seat]
        assert "Ant token<" in view.svg()


@pytest.mark.rule("DH-74", "DH-75", "DH-R12")
def test_the_offer_ends_when_all_have_passed():
    given = offer(3)
    events = decided(answered(given, ("A", Pass()), ("B", Pass())), "C", Pass())
    assert [type(event) for event in events[:2]] == [OfferDeclined, TokensReturned]
    assert events[1] == TokensReturned(count=2)


@pytest.mark.rule("DH-74")
def test_the_offer_ends_when_the_tokens_are_gone():
    given = offer(3)
    then = answered(given, ("A", TakeToken()), ("B", TakeToken()))
    assert then[Race].phase == "race"
    assert then[Ants].holders == ("A", "B")
    assert refusal(then, "A", TakeToken()).clause == "DH-70"
    assert refusal(then, "A", Pass()).code == "not-now"


@pytest.mark.rule("DH-R12")
def test_a_pass_reopens_only_by_a_taking_and_holders_are_not_asked_again():
    position = answered(offer(5), ("A", Pass()), ("B", TakeToken()), ("C", Pass()), ("D", TakeToken()), ("E", Pass()))
    position = answered(position, ("A", Pass()), ("C", TakeToken()))
    assert position[Ants].holders == ("B", "D", "C")
    assert position[Race].phase == "race"
    position = answered(offer(5), ("A", Pass()), ("B", TakeToken()), ("C", Pass()), ("D", Pass()), ("E", Pass()))
    position = answered(position, ("A", Pass()))
    assert position[Race].phase == "race"
    assert position[Ants].tokens == 0


@pytest.mark.rule("DH-R12")
def test_a_final_pass_is_not_asked_again():
    final = {"token_pass": "final"}
    position = answered(offer(5, **final), ("A", Pass()), ("B", TakeToken()), ("C", Pass()), ("D", TakeToken()))
    events = decided(position, "E", Pass())
    assert TokensReturned(count=1) in events


@pytest.mark.rule("DH-R12", "DH-74")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("token_pass", ["reopens", "final"])
def test_every_offer_ends_with_at_most_one_token_each(seats, token_pass):
    for seed in range(12):
        table = new_table(seats, DILLY_DALLY, seed, token_pass=token_pass)
        chance = Chance(b"offer", seed)
        asked = []
        while table.position[Race].phase != "race":
            seat = table.to_act[0]
            if table.position[Race].phase == "offer":
                asked.append(seat)
            table.play(seat, chance.choose(table.legal(seat)))
        holders = table.position[Ants].holders
        assert len(set(holders)) == len(holders) <= TOKENS[seats]
        assert table.position[Ants].tokens == 0
        if token_pass == "final":  # noqa: S105 - an option's value
            assert len(set(asked)) == len(asked)


def test_a_pass_and_a_taking_may_be_taken_back_freely():
    table = played(3, DILLY_DALLY, until=9)
    for command in (Pass(), TakeToken()):
        seat = table.to_act[0]
        table.play(seat, command)
        table.undo(seat)
        assert table.to_act == (seat,)
        assert table.position[Ants].holders == ()


# ---------------------------------------------------------------- tokens in own turns


def own_turn(**changes):
    hands = changes.pop("hands", dict.fromkeys("ABC", FILLER))
    ants = changes.pop("ants", Ants(base="grasshopper", tokens=2))
    return race(hands=hands, variants=DILLY_DALLY, **OWN_TURN, **changes).having(ants)


@pytest.mark.rule("DH-R28")
def test_in_own_turns_there_is_no_offer_before_play():
    table = played(3, DILLY_DALLY, until=9, **OWN_TURN)
    assert table.position[Race].phase == "race"
    assert table.position[Ants].tokens == 2
    seat = table.to_act[0]
    assert TakeToken() in table.legal(seat)
    assert Pass() not in table.legal(seat)
    assert refusal(table.position, seat, Pass()).code == "not-now"


@pytest.mark.rule("DH-R12", "DH-R28")
def test_in_an_own_turn_a_token_is_taken_before_the_card_is_laid():
    given = own_turn()
    assert TakeToken() in given.ruleset.legal(given, "A")
    then = after(given, "A", TakeToken())
    assert turn(then) == "A"
    assert (then[Ants].holders, then[Ants].tokens) == (("A",), 1)
    assert refusal(then, "A", TakeToken()).clause == "DH-R12"
    then = laid(then, FILLER[0])
    assert refusal(then, "A", TakeToken()).clause == "DH-45"
    then = after(then, "B", TakeToken())
    then = laid(then, FILLER[0], seat="B")
    refused = refusal(then, "C", TakeToken())
    assert (refused.code, refused.clause) == ("no-token-left", "DH-74")


@pytest.mark.rule("DH-R28")
def test_in_own_turns_no_token_is_taken_before_the_race_or_in_an_exchange():
    position = lined_up(begun(variants=DILLY_DALLY, **OWN_TURN), ()).having(Ants(tokens=2))
    assert refusal(position, "A", TakeToken()).clause == "DH-R28"
    given = own_turn(hands={"A": ("bad-encounter", *FILLER), "B": FILLER, "C": FILLER})
    between = after(given, "A", LayBadEncounter(use="own"))
    assert between.ruleset.legal(between, "A") == (GiveGoal(goal="bee"),)
    assert refusal(between, "A", TakeToken()).clause == "DH-R28"


@pytest.mark.rule("DH-R28", "DH-75")
def test_in_own_turns_whole_games_end_and_tokens_nobody_took_count_for_nobody():
    taken = set()
    for seed in range(10):
        table = played(4, DILLY_DALLY, seed, **OWN_TURN)
        ants = table.position[Ants]
        taken.add(len(ants.holders))
        for sheet in table.outcome.scores:
            tokens = [line for line in sheet.lines if line.label.startswith("Ant token")]
            assert len(tokens) == (sheet.seat in ants.holders)
    assert len(taken) > 1


# ---------------------------------------------------------------- play and score


@pytest.mark.rule("DH-76")
def test_turns_and_cards_are_as_in_the_basic_game():
    basic = race(hands={"A": ("wasp+1", "places3,5+-1")})
    variant = race(hands={"A": ("wasp+1", "places3,5+-1")}, variants=DILLY_DALLY).having(Ants(base="bee"))
    assert variant.ruleset.legal(variant, "A") == basic.ruleset.legal(basic, "A")
    for command in basic.ruleset.legal(basic, "A"):
        assert decided(variant, "A", command) == decided(basic, "A", command)
        assert after(variant, "A", command)[Cards] == after(basic, "A", command)[Cards]


@pytest.mark.rule("DH-76")
def test_a_whole_game_without_takers_is_the_basic_game():
    plain, with_it = new_table(3), new_table(3, DILLY_DALLY)
    chance = Chance(b"same")
    while not plain.over:
        while with_it.position[Race].phase == "offer":
            with_it.play(with_it.to_act[0], Pass())
        assert with_it.to_act == plain.to_act
        (seat,) = plain.to_act
        assert with_it.legal(seat) == plain.legal(seat)
        command = chance.choose(plain.legal(seat))
        plain.play(seat, command)
        with_it.play(seat, command)
    assert with_it.outcome == plain.outcome


@pytest.mark.rule("DH-77", "DH-78", "DH-79", "DH-R32")
@pytest.mark.parametrize(("rank", "points"), [(1, 5), (2, 5), (3, 5), (4, -3), (5, -3), (6, -3), (7, -3)])
def test_what_a_token_is_worth(rank, points):
    goals = dict.fromkeys("ABC", ("grasshopper",))
    base = LINE[rank - 1]
    given = race(goals=goals, variants=DILLY_DALLY).having(Ants(base=base, holders=("A", "C")))
    assert scores(given) == {"A": 1 + points, "B": 1, "C": 1 + points}
    line = given.ruleset.score(given, "hands-empty").scores[0].lines[-1]
    assert (line.points, line.clause) == (points, "DH-77" if points > 0 else "DH-78")


@pytest.mark.rule("DH-R32", "DH-62")
def test_a_score_may_be_negative_and_the_highest_still_wins():
    given = race(2, goals={"A": ("grasshopper",), "B": ()}, variants=DILLY_DALLY).having(
        Ants(base="bee", holders=("A", "B"))
    )
    outcome = given.ruleset.score(given, "hands-empty")
    assert scores(given) == {"A": -2, "B": -3}
    assert outcome.sentence == "A wins with -2 points."


# ---------------------------------------------------------------- as a variant


def test_where_each_phase_comes_from_and_by_which_rule():
    sources = ruleset(DILLY_DALLY).slots[PHASES.name].sources
    assert [str(source) for source in sources["offer"]] == ["dark-horse-bugs/dilly-dally adds it (DH-70)"]
    assert [str(source) for source in sources["race"]] == ["dark-horse-bugs adds it (DH-32)"]


def test_options_of_the_variant_belong_to_it():
    with pytest.raises(BadOptions, match="token_pass"):
        ruleset(token_pass="final")  # noqa: S106 - an option's value
    with pytest.raises(BadOptions, match="reopens"):
        ruleset(DILLY_DALLY, token_pass="never")  # noqa: S106 - an option's value
    with pytest.raises(UnknownVariant, match="dilly-dally"):
        ludolog.new_table("dark-horse-bugs", NAMES[:2], ["dally-dilly"])


def test_the_game_stands_without_the_file_of_the_variant(tmp_path):
    """Delete the variant's file: the game imports, compiles and is played to the end."""
    source = Path(package.__file__).parent
    copy = tmp_path / "ludolog_plugins" / "dark_horse_bugs"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__", "dilly_dally.py"))
    (tmp_path / "ludolog_plugins" / "__init__.py").touch()
    script = """
import ludolog_plugins.dark_horse_bugs as package
from ludolog import Chance, table_from
from ludolog.ruleset import Ruleset

assert package.__file__.startswith({folder!r}), package.__file__
try:
    import ludolog_plugins.dark_horse_bugs.dilly_dally
    raise SystemExit("the variant is still there")
except ModuleNotFoundError:
    pass
table = table_from(Ruleset(package.ludolog_game()), ("ann", "bob", "cy"), seed=1)
chance = Chance(b"moves")
while not table.over:
    seat = table.to_act[0]
    table.play(seat, chance.choose(table.legal(seat)))
assert table.audit([table.receipt]).ok
print(table.outcome.sentence)
"""
    found = subprocess.run(
        [sys.executable, "-c", script.format(folder=str(tmp_path))],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        check=False,
    )
    assert found.returncode == 0, found.stderr
    assert "points" in found.stdout
