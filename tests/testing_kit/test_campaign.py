"""Campaigns: thousands of random games, their figures, and failures made small."""

from __future__ import annotations

import subprocess
import sys
from typing import Annotated, Literal

import msgspec
import pytest

from ludolog import Options, Rules, Variant
from ludolog.errors import BadOptions, UnknownBot, UnknownGame, UnknownVariant
from ludolog.testing.campaign import Plan, campaign, play, shrink
from ludolog.testing.command import main
from ludolog.testing.drawing import Drawn, draw, listing, option_values
from ludolog.testing.findings import Finding
from ludolog.testing.variant_sets import all_pairs, many_sets
from tic_tac_toe import Board
from toys import lanterns
from toys.made import catalogue_of

broken = Rules("lanterns/broken")
broken.adjust(lanterns.POINTS, "play", lambda _points: 10**30, cites="LA-12")
BROKEN = Variant(id="lanterns/broken", title="", summary="", rules=lambda: broken)


@pytest.fixture
def lantern_games(monkeypatch: pytest.MonkeyPatch):
    """Lanterns and its variants, and a variant that breaks the game, as if they were installed."""
    found = catalogue_of(lanterns.GAME, lanterns.OIL, lanterns.WICK, BROKEN)
    for module in ("campaign", "drawing"):
        monkeypatch.setattr(f"ludolog.testing.{module}.catalogue", lambda: found)
    monkeypatch.setattr("ludolog.testing.variant_sets.catalogue", lambda: found)


def test_a_campaign_tells_its_figures_in_one_line() -> None:
    figures, line = campaign(Plan(game="tic-tac-toe", any_variants=True, games=30))
    assert figures.ends.total() == 30
    assert figures.failures == ()
    assert {variants for variants, _ in figures.choices} == {(), ("tic-tac-toe/misere",)}
    assert "\n" not in line
    assert line.startswith("30 games of tic-tac-toe (2 sets of variants, 1 choices of options): 30 ended (line ")
    assert "0 failed" in line


def test_several_processes_play_the_same_games() -> None:
    one, _ = campaign(Plan(game="tic-tac-toe", games=45))
    two, _ = campaign(Plan(game="tic-tac-toe", games=45), jobs=2)
    assert one == two


def test_parts_are_the_whole() -> None:
    whole, _ = campaign(Plan(game="tic-tac-toe", games=9))
    parts = [campaign(Plan(game="tic-tac-toe", games=9, part=(place, 2))) for place in (1, 2)]
    assert [line.split()[0] for _, line in parts] == ["5", "4"]
    assert parts[0][0].plus(parts[1][0])._replace(widest=None) == whole._replace(widest=None)


@pytest.mark.parametrize("nonsense", ["0/3", "4/3", "3", "a/b"])
def test_a_part_that_is_none_is_refused(nonsense: str) -> None:
    with pytest.raises(SystemExit):
        main(["campaign", "tic-tac-toe", "--part", nonsense])


def test_a_part_can_be_asked_for(capsys) -> None:
    assert main(["campaign", "tic-tac-toe", "--games", "9", "--part", "2/3"]) == 0
    assert capsys.readouterr().out.startswith("3 games of tic-tac-toe")


def test_a_game_of_a_campaign_can_be_played_again(lantern_games) -> None:
    plan = Plan(game="lanterns", variants=("oil",), all_options=True)
    drawn = draw(plan, 7)
    assert drawn == draw(plan, 7)
    assert drawn.variants == ("lanterns/oil",)
    assert drawn.options["lanterns:rounds"] in (1, 6, 7)
    one, other = play(plan, drawn), play(plan, drawn)
    assert one.turns == other.turns
    assert one.table.receipt == other.table.receipt


def test_seats_variants_and_options_are_as_they_were_asked_for(lantern_games) -> None:
    plan = Plan(game="lanterns", seats=(3,), options={"rounds": 2}, all_options=True)
    assert [draw(plan, number) for number in range(3)] == [Drawn(number, 3, (), {"rounds": 2}) for number in range(3)]
    assert {draw(Plan(game="lanterns"), number).seats for number in range(20)} == {2, 3}
    every = {draw(Plan(game="lanterns", any_variants=True), number).variants for number in range(100)}
    assert len(every) == 8
    needed = {
        draw(Plan(game="lanterns", any_variants=True, variants=("oil",)), number).variants for number in range(50)
    }
    assert all("lanterns/oil" in variants for variants in needed)
    assert len(needed) == 4


def test_a_failure_is_made_small(lantern_games) -> None:
    plan = Plan(
        game="lanterns",
        seats=(3,),
        variants=("oil", "wick", "broken"),
        options={"rounds": 9},
        games=2,
        all_options=True,
    )
    figures, line = campaign(plan)
    assert "2 failed" in line
    (failure,) = figures.failures
    assert failure.check == "values-survive-their-encoding"
    assert failure.drawn.variants == ("lanterns/broken",)
    assert failure.drawn.options == {"rounds": 9}
    assert "CardPlayed.points" in failure.why
    with pytest.raises(Finding, match=r"CardPlayed\.points"):
        play(plan, failure.drawn)


def test_what_is_small_stays_as_it_is(lantern_games) -> None:
    plan = Plan(game="lanterns", variants=("broken",), games=1)
    (failure,) = campaign(plan)[0].failures
    assert shrink(plan, failure) == failure


def test_every_pair_of_variants_is_played_at_every_number_of_seats(lantern_games) -> None:
    plan = Plan(game="lanterns", options={"rounds": 9}, pairs=True, games=2)
    figures, line = campaign(plan)
    oil, wick, broken = "lanterns/oil", "lanterns/wick", "lanterns/broken"
    assert {variants for variants, _ in figures.choices} == {(oil, wick), (broken, oil), (broken, wick)}
    assert line.startswith("12 games of lanterns (3 sets of variants")
    assert figures.ends.total() == 4
    assert {failure.drawn.variants for failure in figures.failures} == {(broken,)}


def test_many_sets_are_all_different_and_fewer_where_there_are_no_more(lantern_games) -> None:
    assert len(set(many_sets("lanterns", 5))) == 5
    assert sorted(many_sets("lanterns", 100)) == sorted(set(many_sets("lanterns", 100)))
    assert len(list(many_sets("lanterns", 100))) == 8
    assert list(many_sets("lanterns", 100)) == list(many_sets("lanterns", 100))
    assert not list(all_pairs("lanterns", seats=(9,)))
    plan = listing(Plan(game="lanterns", sets=8, seats=(3,), games=2))
    assert plan.games == 16
    assert {variants for variants, _ in plan.listed} == set(many_sets("lanterns", 8))
    assert {seats for _, seats in plan.listed} == {3}


def test_bots_play_from_their_views_under_the_same_checks() -> None:
    plan = Plan(game="tic-tac-toe", games=10, bots="greedy:worlds=1")
    one, _ = campaign(plan)
    assert one.ends.total() == 10
    assert one == campaign(plan, jobs=2)[0]
    assert one.choices == campaign(Plan(game="tic-tac-toe", games=10))[0].choices
    assert play(plan, draw(plan, 3)).turns == play(plan, draw(plan, 3)).turns
    with pytest.raises(BadOptions):
        campaign(Plan(game="tic-tac-toe", games=1, bots="greedy:speed=9"))
    with pytest.raises(UnknownBot):
        campaign(Plan(game="tic-tac-toe", games=1, bots="no-such-bot"))


def test_an_end_may_be_unwanted() -> None:
    figures, line = campaign(Plan(game="tic-tac-toe", games=20, unwanted=("full",)))
    (failure,) = figures.failures
    assert failure.check == "wanted-ends"
    assert "the game ends by full" in failure.why
    assert "full" not in figures.ends
    assert "0 failed" not in line


def moves_and_one(position) -> int:
    return 1 + sum(bool(mark) for mark in position[Board].cells)


def test_lengths_counts_and_the_longest_list_are_told() -> None:
    sys.modules.setdefault(__name__, sys.modules[moves_and_one.__module__])
    figures, line = campaign(Plan(game="tic-tac-toe", games=30, count=f"{__name__}:moves_and_one"))
    assert figures.lengths == tuple(sorted(figures.lengths))
    assert figures.counts == tuple(length + 1 for length in figures.lengths)
    assert figures.widest is not None
    assert (figures.widest.commands, figures.widest.kind, figures.widest.batch) == (9, "Place", 1)
    assert f"; {figures.lengths[0]} to 9 commands, median " in line
    assert f"; {figures.counts[0]} to 10 moves_and_one, median " in line
    assert "at most 9 commands legal, mostly Place, after batch 1 of game " in line


def cards_are_few(position) -> None:
    assert len(position[lanterns.Street].played) < 5


def test_an_invariant_of_the_author_s_is_checked(lantern_games) -> None:
    plan = Plan(game="lanterns", games=3, invariants=(f"{__name__}:cards_are_few",))
    sys.modules.setdefault(__name__, sys.modules[cards_are_few.__module__])
    failures = campaign(plan)[0].failures
    assert {failure.check for failure in failures} == {"invariants-hold"}


def test_what_rules_declare_to_hold_is_checked_wherever_they_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    strict = Rules("lanterns/strict")
    strict.invariant(cards_are_few)
    variant = Variant(id="lanterns/strict", title="", summary="", rules=lambda: strict)
    found = catalogue_of(lanterns.GAME, variant)
    for module in ("campaign", "drawing"):
        monkeypatch.setattr(f"ludolog.testing.{module}.catalogue", lambda: found)
    failures = campaign(Plan(game="lanterns", variants=("strict",), games=12))[0].failures
    assert {failure.check for failure in failures} == {"invariants-hold"}
    assert "cards_are_few does not hold" in failures[0].why
    assert campaign(Plan(game="lanterns", games=12))[0].failures == ()


class ManyOptions(Options, frozen=True):
    way: Literal["one", "other"] = "one"
    often: bool = False
    length: Annotated[int, msgspec.Meta(ge=1, le=5)] = 5
    name: str = "fixed"


def test_values_to_draw_for_options() -> None:
    assert option_values(ManyOptions) == {
        "way": ("one", "other"),
        "often": (False, True),
        "length": (5, 1),
        "name": ("fixed",),
    }


def test_what_is_not_there_is_said_at_once() -> None:
    with pytest.raises(UnknownGame):
        campaign(Plan(game="no-such-game"))
    with pytest.raises(UnknownVariant):
        campaign(Plan(game="tic-tac-toe", variants=("no-such-variant",)))


def test_the_command_closes_with_one_line() -> None:
    command = [sys.executable, "-m", "ludolog.testing", "campaign", "tic-tac-toe", "--games", "5", "--seats", "2"]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    (line,) = found.stdout.splitlines()
    assert line.startswith("5 games of tic-tac-toe (1 sets of variants, 1 choices of options): 5 ended")


def test_the_command_tells_a_failure_and_how_to_play_it_again(lantern_games, capsys) -> None:
    assert main(["campaign", "lanterns", "--variants", "broken,oil", "--games", "1", "--options", "rounds=9"]) == 1
    told = capsys.readouterr().out
    assert "values-survive-their-encoding (lanterns+broken, " in told
    assert "    in game 0, " in told
    assert told.splitlines()[-1].startswith("1 games of lanterns")


@pytest.mark.parametrize(
    "arguments",
    [
        ("no-such-game",),
        ("tic-tac-toe", "--seats", "5"),
        ("tic-tac-toe", "--seats", "5", "--any-variants"),
        ("tic-tac-toe", "--options", "size=3"),
    ],
)
def test_what_can_t_be_played_is_one_sentence(arguments: tuple[str, ...], capsys) -> None:
    assert main(["campaign", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.strip().splitlines()) == 1
