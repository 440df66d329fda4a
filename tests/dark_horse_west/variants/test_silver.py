"""Silver: one purse of Gold and Silver."""

from __future__ import annotations

import pytest

from dark_horse_west.variants.scenes import after, asked, goods, points, scene
from dark_horse_west.west import walk, west
from ludolog import Chance, Now
from ludolog_plugins.dark_horse_west.agenda import proceed
from ludolog_plugins.dark_horse_west.conserved import lost_or_doubled
from ludolog_plugins.dark_horse_west.effects import effects_task
from ludolog_plugins.dark_horse_west.goods import can_pay, gain, lose
from ludolog_plugins.dark_horse_west.offers import cost, gained
from ludolog_plugins.dark_horse_west.picture import goods_line
from ludolog_plugins.dark_horse_west.silver import gold_in
from ludolog_plugins.dark_horse_west.slots import MEASURES, THINGS
from ludolog_plugins.dark_horse_west.state import Goods, Task
from ludolog_plugins.dark_horse_west.wording import amounts


def changed(position, happening, seat: str, what: str, n: int):
    """The position after something is gained or lost."""
    now = Now(position.copy(), seat, Chance(b"k" * 32))
    return position.ruleset.fold(position, tuple(happening(now, seat, what, n)))


@pytest.mark.rule("RR-038")
def test_a_gold_is_four_silver():
    position = changed(scene("silver"), gain, "ann", "gold", 1)
    assert position.slot(THINGS)["silver"].count(position, "ann") == 4
    position = changed(position, gain, "ann", "silver", 3)
    assert gold_in(position, "ann") == 1
    position = changed(position, gain, "ann", "silver", 1)
    assert gold_in(position, "ann") == 2


@pytest.mark.rule("RR-039", "RR-R65", "RR-R66")
def test_gold_pays_silver_and_silver_pays_gold_without_changing_first():
    position = changed(scene("silver"), gain, "ann", "gold", 1)
    assert can_pay(position, "ann", (cost("silver", 3),)) is None
    position = changed(position, lose, "ann", "silver", 3)
    assert position.slot(THINGS)["silver"].count(position, "ann") == 1
    position = changed(position, gain, "ann", "silver", 3)
    assert can_pay(position, "ann", (cost("gold", 1),)) is None
    position = changed(position, lose, "ann", "gold", 1)
    assert position.slot(THINGS)["silver"].count(position, "ann") == 0
    assert can_pay(position, "ann", (cost("gold", 1),)).facts == {"what": "gold", "needs": 1, "has": 0}


@pytest.mark.rule("RR-R66", "DW-064")
def test_gold_and_silver_are_paid_from_one_purse():
    """1 Gold and 1 Silver are 5 Silver."""
    price = (cost("gold", 1), cost("silver", 1))
    position = changed(scene("silver"), gain, "ann", "silver", 4)
    refused = can_pay(position, "ann", price)
    assert refused is not None
    assert refused.facts == {"what": "silver", "needs": 5, "has": 4}
    assert can_pay(changed(position, gain, "ann", "silver", 1), "ann", price) is None


@pytest.mark.rule("RR-R66")
def test_the_rest_scores_nothing():
    """RR-E18: 1 Gold and 3 Silver, then 2 Silver: a purse of 9 Silver, 2 points."""
    position = changed(scene("silver"), gain, "ann", "gold", 1)
    position = changed(position, gain, "ann", "silver", 3)
    position = changed(position, gain, "ann", "silver", 2)
    assert points(position, "ann", "DW-124") == 2
    assert position.slot(MEASURES)["gold"](position, "ann") == 2
    assert goods_line(position, "ann") == "2 Gold and 1 Silver"
    assert amounts(position, (("silver", 8),)) == "2 Gold"
    assert amounts(position, (("silver", 3),)) == "3 Silver"


@pytest.mark.rule("RR-016", "RR-R42")
@pytest.mark.parametrize(("limited", "got"), [(False, 500), (True, 88)])
def test_tokens_run_out_only_where_supply_is_limited(limited: bool, got: int):
    position = changed(scene("silver", limited_supply=limited), gain, "ann", "silver", 500)
    assert position.slot(THINGS)["silver"].count(position, "ann") == got


@pytest.mark.rule("RR-038")
def test_cards_and_sites_that_give_gold_fill_the_purse():
    position = goods(scene("silver"), ann={"silver": 1})
    task = effects_task("ann", (gained("resource"), gained("gold", 2)))
    position = after(asked(position, Task(kind="take-resources", seat="ann", n=1)), ("ann", "food"))
    now = Now(asked(position, task), "ann", Chance(b"k" * 32))
    for event in proceed(now):
        now.position = position.ruleset.fold(now.position, (event,))
        if now.position[Goods] != position[Goods]:
            break
    position = after(now.position, ("ann", "ore"))
    assert position.slot(THINGS)["silver"].count(position, "ann") == 1 + 8
    assert gold_in(position, "ann") == 2


def test_random_games_with_silver_lose_nothing():
    for number, (position, _, _) in enumerate(walk(west("silver"), 3)):
        assert lost_or_doubled(position) == ()
        if number > 250:
            return
