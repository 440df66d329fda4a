"""Reputation: hats of two colours."""

from __future__ import annotations

import pytest

from dark_horse_west.variants.scenes import after, asked, at, fronted, goods, has, offered, points, refusal, scene
from dark_horse_west.west import walk, west
from ludolog import Chance, Now, Rules, Ruleset, Variant, catalogue
from ludolog_plugins.dark_horse_west.conserved import lost_or_doubled
from ludolog_plugins.dark_horse_west.goods import can_pay, gain, lose
from ludolog_plugins.dark_horse_west.offers import cost
from ludolog_plugins.dark_horse_west.reputation import CANCELS, TradeInfluence, hats
from ludolog_plugins.dark_horse_west.slots import MEASURES, THINGS
from ludolog_plugins.dark_horse_west.state import Task

PREACHER = "CB-03"


def given(position, seat: str, what: str, n: int):
    """The position after a seat received something."""
    now = Now(position.copy(), seat, Chance(b"k" * 32))
    return position.ruleset.fold(position, tuple(gain(now, seat, what, n)))


def taken(position, seat: str, what: str, n: int):
    """The position after a seat gave something."""
    now = Now(position.copy(), seat, Chance(b"k" * 32))
    return position.ruleset.fold(position, tuple(lose(now, seat, what, n)))


def colours(position, seat: str) -> tuple[int, int]:
    return has(position, seat, "white"), has(position, seat, "black")


@pytest.mark.rule("RR-040", "RR-035", "RR-041")
def test_there_are_white_and_black_hats_and_nothing_else():
    with_hats, base = scene("reputation"), scene()
    assert {"white", "black", "reputation", "any-reputation"} == set(with_hats.slot(THINGS)) - set(base.slot(THINGS))
    assert colours(given(with_hats, "ann", "white", 2), "ann") == (2, 0)
    assert given(base, "ann", "white", 2) == base


@pytest.mark.rule("RR-011", "RR-012", "RR-R22", "RR-R42")
@pytest.mark.parametrize("colour", ["white", "black"])
def test_tokens_of_both_sizes_count_alike_and_run_out_only_where_supply_is_limited(colour: str):
    assert has(given(scene("reputation"), "ann", colour, 500), "ann", colour) == 500
    assert has(given(scene("reputation", limited_supply=True), "ann", colour, 500), "ann", colour) == 15 + 30


@pytest.mark.rule("RR-036", "RR-045", "RR-046")
@pytest.mark.parametrize(("white", "black", "left"), [(3, 2, (1, 0)), (3, 3, (0, 0)), (3, 5, (0, 2)), (0, 2, (0, 2))])
def test_opposite_hats_cancel_one_for_one(white: int, black: int, left: tuple[int, int]):
    """RR-E01: 3 White Hats, then 2 Black Hats, leave 1 White Hat."""
    position = given(given(scene("reputation"), "ann", "white", white), "ann", "black", black)
    assert colours(position, "ann") == left
    assert lost_or_doubled(position) == ()


@pytest.mark.rule("RR-037")
def test_a_seat_may_take_a_side_and_change_it():
    position = given(scene("reputation"), "ann", "black", 2)
    position = given(position, "ann", "white", 5)
    assert colours(position, "ann") == (3, 0)
    assert colours(given(position, "ann", "black", 4), "ann") == (0, 1)


@pytest.mark.rule("RR-047")
def test_only_what_lifts_cancelling_lets_a_seat_hold_both():
    lifted = Rules("dark-horse-west/both-colours")
    lifted.replace(CANCELS, "hats", False, cites="RR-047")
    extra = Variant(id=lifted.id, title="", summary="", rules=lambda: lifted, requires=("reputation",))
    game = catalogue()
    chosen = [game.variant("dark-horse-west", "reputation"), extra]
    ruleset = Ruleset(game.game("dark-horse-west"), chosen)
    position = scene("reputation").having()
    position = type(position)(ruleset, dict(position.slices))
    position = given(given(position, "ann", "white", 3), "ann", "black", 2)
    assert colours(position, "ann") == (3, 2)
    assert offered(asked(position, Task(kind="give-hat", seat="ann", n=1)), "ann") == ("white", "black")


@pytest.mark.rule("RR-042", "RR-043")
def test_four_hats_are_a_point():
    """RR-E14: 11 White Hats score 2, 3 Black Hats score nothing."""
    position = goods(scene("reputation"), ann={"white": 11}, bob={"black": 3})
    assert [points(position, seat, "RR-042") for seat in position.seats] == [2, 0, 0]
    assert position.slot(MEASURES)["hats"](position, "ann") == hats(position, "ann") == 11
    assert position.slot(MEASURES)["black"](position, "bob") == 3


@pytest.mark.rule("RR-044", "RR-R23", "RR-R56", "RR-R65")
def test_an_influence_buys_four_hats_of_a_colour_of_choice():
    """RR-E15: 5 influence and 1 White Hat become 4 influence and 3 Black Hats; without influence it is refused."""
    position = at(goods(scene("reputation"), ann={"influence": 5, "white": 1}), "collection", "ann", "bob")
    traded = after(position, ("ann", TradeInfluence(colour="black")))
    assert (has(traded, "ann", "influence"), *colours(traded, "ann")) == (4, 0, 3)
    bobs = at(goods(scene("reputation"), ann={"influence": 5}), "collection", "bob")
    reason = refusal(bobs, "bob", TradeInfluence(colour="black"))
    assert (reason.code, reason.clause) == ("no-influence", "RR-R23")
    assert refusal(position, "ann", TradeInfluence(colour="green")).clause == "RR-040"


@pytest.mark.rule("RR-044", "RR-R65")
def test_it_is_done_at_any_decision_of_ones_own():
    position = goods(scene("reputation"), ann={"influence": 2}, bob={"influence": 2})
    question = asked(position, Task(kind="take-resources", seat="ann", n=1))
    assert TradeInfluence(colour="white") in question.ruleset.legal(question, "ann")
    traded = after(question, ("ann", TradeInfluence(colour="white")), ("ann", "food"))
    assert (has(traded, "ann", "white"), has(traded, "ann", "food")) == (4, 1)
    assert question.ruleset.legal(question, "bob") == ()


@pytest.mark.rule("RR-R07")
@pytest.mark.parametrize(
    ("held", "option", "offers"),
    [
        ({"white": 1}, "own-colour", ("white",)),
        ({"black": 3}, "own-colour", ("black",)),
        ({}, "own-colour", ("white", "black")),
        ({"white": 1}, "free", ("white", "black")),
    ],
)
def test_a_plain_reward_is_of_the_own_colour(held: dict[str, int], option: str, offers: tuple[str, ...]):
    position = goods(scene("reputation", plain_reputation=option), ann=held)
    assert offered(asked(position, Task(kind="plain-hats", seat="ann", n=2)), "ann") == offers
    assert [type(event).__name__ for event in _events(position, "ann", "reputation", 2)] == ["TasksAdded"]


def _events(position, seat: str, what: str, n: int):
    return tuple(gain(Now(position.copy(), seat, Chance(b"k" * 32)), seat, what, n))


@pytest.mark.rule("RR-R56")
def test_any_reputation_is_of_one_colour_that_the_seat_is_not_forbidden():
    position = asked(scene("reputation"), Task(kind="any-hats", seat="ann", n=2))
    assert offered(position, "ann") == ("white", "black")
    assert colours(after(position, ("ann", "black")), "ann") == (0, 2)
    preacher = fronted(scene("reputation", "base-changes", characters=True), ann=(PREACHER,))
    assert offered(asked(preacher, Task(kind="any-hats", seat="ann", n=2)), "ann") == ("white",)
    rich = at(goods(preacher, ann={"influence": 1}), "collection", "ann")
    assert refusal(rich, "ann", TradeInfluence(colour="black")).code == "banned"


def test_a_price_in_reputation_takes_hats_of_any_colour_held():
    position = goods(scene("reputation"), ann={"black": 3})
    assert can_pay(position, "ann", (cost("reputation", 3),)) is None
    assert can_pay(position, "ann", (cost("reputation", 4),)).facts["has"] == 3
    assert colours(taken(position, "ann", "reputation", 2), "ann") == (0, 1)


def test_random_games_with_reputation_keep_every_hat_right():
    for number, (position, _, _) in enumerate(walk(west("reputation", "base-changes"), 3)):
        assert lost_or_doubled(position) == ()
        if number > 250:
            return
