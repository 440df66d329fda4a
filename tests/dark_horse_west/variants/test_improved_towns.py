"""Improved Towns: what they cost, where they go, and what they give."""

from __future__ import annotations

import pytest

from dark_horse_west.variants.scenes import (
    after,
    asked,
    at,
    claimed,
    dice,
    goods,
    has,
    offered,
    pieces,
    points,
    refusal,
    scene,
)
from ludolog_plugins.dark_horse_west.building import pieces_left
from ludolog_plugins.dark_horse_west.commands import Collect
from ludolog_plugins.dark_horse_west.conserved import lost_or_doubled
from ludolog_plugins.dark_horse_west.improved_towns import ImprovedTowns
from ludolog_plugins.dark_horse_west.slots import MAP_MARKS, MEASURES
from ludolog_plugins.dark_horse_west.state import Board, Piece, Task

FOOD, MORE_FOOD, THIRD_FOOD, WOOD, RUGGED = (3, -4), (4, -3), (2, -3), (4, -1), (1, -1)
TILES = {FOOD: "food", MORE_FOOD: "food", THIRD_FOOD: "food", WOOD: "wood", RUGGED: "food"}
BUILDER = Task(kind="builder", seat="ann", n=1)
RICH = {"food": 3, "wood": 3, "ore": 3}


def settled(**options: object):
    """Ann has a city, towns on Food and Wood, and the means for three towns."""
    position = scene("improved-towns", tiles=TILES, **options)
    position = pieces(position, "city", ann=((3, -3),), bob=((-3, 3),))
    return goods(pieces(position, "town", ann=(FOOD, WOOD)), ann=RICH)


@pytest.mark.rule("RR-181", "RR-182", "RR-183", "RR-R31")
def test_an_improved_town_must_match(  # RR-E06
) -> None:
    position = asked(settled(), BUILDER)
    assert [option for option in offered(position, "ann") if option.startswith("improved")] == [
        "improved-food 3,-4",
        "improved-wood 4,-1",
    ]
    assert refusal(position, "ann", "improved-food 4,-1").clause == "RR-183"
    assert refusal(position, "ann", "improved-food 4,-3").clause == "RR-182"
    built = after(position, ("ann", "improved-food 3,-4"))
    assert built[ImprovedTowns].towns == (Piece("ann", FOOD),)
    assert [has(built, "ann", what) for what in ("food", "wood", "ore")] == [2, 2, 2]
    assert pieces_left(built, "ann", "town") == pieces_left(position, "ann", "town")
    assert built[Board] == position[Board]
    assert built.slot(MAP_MARKS)["improved-towns"](built) == ((FOOD, "Improved Town"),)
    assert lost_or_doubled(built) == ()


@pytest.mark.rule("RR-179", "RR-180", "RR-184", "RR-R31")
@pytest.mark.parametrize(("improved_yield", "food"), [(2, 4), (3, 5)])
def test_the_number_of_improved_towns(  # RR-E42
    improved_yield: int, food: int
) -> None:
    position = scene("improved-towns", tiles=TILES, improved_yield=improved_yield)
    position = pieces(position, "city", ann=((3, -3),))
    position = pieces(position, "town", ann=(FOOD, MORE_FOOD, THIRD_FOOD))
    position = goods(position, ann=RICH).having(ImprovedTowns(towns=(Piece("ann", FOOD),)))
    assert refusal(asked(position, BUILDER), "ann", "improved-food 4,-3").clause == "RR-184"
    second = pieces(position, "city", ann=((0, 0),))
    assert "improved-food 4,-3" in offered(asked(second, BUILDER), "ann")
    assert points(position, "ann", "RR-180") == 1
    assert position.slot(MEASURES)["improved"](position, "ann") == 1
    crew = at(claimed(dice(goods(position), ann=(4,)), "ann", "work-crew", 0), "collection", "ann")
    crew = after(crew, ("ann", Collect(site="work-crew")), ("ann", "ore"))
    assert (has(crew, "ann", "food") - RICH["food"], has(crew, "ann", "ore") - RICH["ore"]) == (food, 1)


@pytest.mark.rule("RR-005", "RR-R31")
def test_there_are_two_of_each_resource() -> None:
    position = pieces(settled(), "town", bob=(MORE_FOOD, THIRD_FOOD))
    position = pieces(position, "city", bob=((0, 0),))
    position = position.having(ImprovedTowns(towns=(Piece("bob", MORE_FOOD), Piece("bob", THIRD_FOOD))))
    assert lost_or_doubled(position) == ()
    assert refusal(asked(position, BUILDER), "ann", "improved-food 3,-4").code == "none-left"
    assert "improved-wood 4,-1" in offered(asked(position, BUILDER), "ann")
    three = position.having(ImprovedTowns(towns=(*position[ImprovedTowns].towns, Piece("ann", FOOD))))
    assert lost_or_doubled(three) == ("There are Improved Towns of ['food', 'food', 'food'].",)


@pytest.mark.rule("RR-R31", "RR-181")
def test_rugged_ground_makes_no_improved_town_dearer_and_leaves_an_engineer_nothing_to_waive() -> None:
    position = pieces(settled(), "town", ann=(RUGGED,))
    position = asked(goods(position, ann={"food": 1, "wood": 1, "ore": 1, "engineer": 1}), BUILDER)
    assert "improved-food 1,-1" in offered(position, "ann")
    assert "engineer town" not in offered(position, "ann")
    built = after(position, ("ann", "improved-food 1,-1"))
    assert [has(built, "ann", what) for what in ("food", "wood", "ore", "engineer")] == [0, 0, 0, 1]


@pytest.mark.rule("RR-182")
def test_a_town_is_improved_once_and_only_by_its_owner_who_can_pay() -> None:
    position = pieces(settled(), "city", ann=((0, 0),)).having(ImprovedTowns(towns=(Piece("ann", FOOD),)))
    assert refusal(asked(position, BUILDER), "ann", "improved-food 3,-4").code == "improved-already"
    theirs = asked(goods(settled(), bob=RICH), Task(kind="builder", seat="bob", n=1))
    assert refusal(theirs, "bob", "improved-food 3,-4").code == "no-own-town"
    poor = asked(goods(settled(), ann={"food": 1, "wood": 1}), BUILDER)
    assert "improved-food 3,-4" not in offered(poor, "ann")


@pytest.mark.rule("RR-005", "RR-182", "RR-184")
def test_the_proof_finds_improved_towns_that_cannot_be() -> None:
    position = settled()
    alone = position.having(ImprovedTowns(towns=(Piece("ann", MORE_FOOD),)))
    assert "without a town" in lost_or_doubled(alone)[0]
    many = position.having(ImprovedTowns(towns=(Piece("ann", FOOD), Piece("ann", WOOD))))
    assert lost_or_doubled(many) == ("ann has more Improved Towns than cities.",)
