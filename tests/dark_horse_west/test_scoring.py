"""Points, ties, and how the game ends."""

from __future__ import annotations

import pytest

from dark_horse_west.scenes import ANN, BOB, CEM, Scene, scene
from dark_horse_west.west import west
from ludolog import ScoreLine
from ludolog_plugins.dark_horse_west.commands import ClaimSite, Finish
from ludolog_plugins.dark_horse_west.goods import INFLUENCE_TOP
from ludolog_plugins.dark_horse_west.scoring import city_points, linked_pairs, score_sheet
from ludolog_plugins.dark_horse_west.slots import END_TRIGGERS
from ludolog_plugins.dark_horse_west.state import Agenda, Claim, Goods, Task, Turn
from ludolog_plugins.dark_horse_west.vocabulary import Effect

E02 = {
    "cities": {ANN: ((3, -3), (0, -3), (-3, 0))},
    "towns": {ANN: ((3, -4), (4, -3), (2, -3), (1, -4))},
    "links": {ANN: (((3, -3), (2, -3)), ((2, -3), (1, -3)), ((1, -3), (0, -3)))},
}


def ended(given: Scene) -> Scene:
    """Everybody passes until the game is over."""
    while not given.position.over:
        if given.options:
            given.choose(given.options[-1])
        else:
            given.finish()
    return given


@pytest.mark.rule("DW-126", "DW-122", "DW-R47")
def test_e02_city_scoring():
    given = scene(**E02)
    sheet = {line.label: (line.points, line.clause) for line in score_sheet(given.position, ANN)}
    assert sheet["4 towns"] == (4, "DW-R47")
    assert sheet["3 cities"] == (6, "DW-126")
    assert sheet["1 pairs of joined cities"] == (1, "DW-122")
    assert city_points(given.position, ANN) == (3, 3, 0)
    assert given.points(ANN) == 11


@pytest.mark.rule("DW-R47", "DW-126")
def test_each_town_serves_one_city_so_that_the_total_is_highest():
    cities = {ANN: ((3, -3), (1, -3))}
    # (2,-3) lies beside both; (1,-4) beside the second only.
    assert city_points(scene(cities=cities, towns={ANN: ((2, -3),)}).position, ANN) in {(2, 0), (0, 2)}
    both = scene(cities=cities, towns={ANN: ((2, -3), (1, -4))}).position
    assert sorted(city_points(both, ANN)) == [2, 2]
    full = scene(cities=cities, towns={ANN: ((2, -3), (1, -4), (3, -4), (4, -3))}).position
    assert city_points(full, ANN) == (3, 3)
    assert city_points(scene(cities=cities).position, ANN) == (0, 0)


@pytest.mark.rule("DW-R47", "DW-122")
def test_cities_are_joined_by_own_links_only():
    links = {ANN: (((3, -3), (2, -2)),), BOB: (((2, -2), (1, -2)),)}
    given = scene(cities={ANN: ((3, -3), (1, -2))}, links=links).position
    assert linked_pairs(given, ANN) == 0
    links = {ANN: (((3, -3), (2, -2)), ((2, -2), (1, -2)))}
    assert linked_pairs(scene(cities={ANN: ((3, -3), (1, -2))}, links=links).position, ANN) == 1


@pytest.mark.rule("DW-123", "DW-124", "DW-R48", "DW-R29", "DW-122")
def test_points_of_gold_influence_stocks_and_loans():
    goods = {ANN: {"gold": 3, "influence": 4, "stock": 2, "loan": 1, "food": 9, "wild": 5}}
    given = scene(goods=goods)
    lines = [line for line in score_sheet(given.position, ANN) if line.points]
    assert lines == [
        ScoreLine(label="3 Gold", points=3, clause="DW-124"),
        ScoreLine(label="4 influence", points=4, clause="DW-123"),
        ScoreLine(label="2 Stocks", points=4, clause="DW-R29"),
        ScoreLine(label="1 unpaid Loans", points=-3, clause="DW-R29"),
    ]
    assert scene(goods=goods, options={"gold_points": 0}).points(ANN) == 5


@pytest.mark.rule("DW-R49", "DW-003")
def test_e19_breaking_a_tie():
    goods = {
        ANN: {"influence": 6, "stock": 7},
        BOB: {"influence": 8, "gold": 1, "stock": 5},
        CEM: {"influence": 8, "gold": 1, "stock": 5},
    }
    given = scene(goods=goods, towns={BOB: ((3, 1),), CEM: ((-3, 4),)})
    found = given.ruleset.score(given.position, "influence")
    assert [sheet.total for sheet in found.scores] == [20, 20, 20]
    assert found.ranking == ((BOB, CEM), (ANN,))
    assert found.winners == (BOB, CEM)


@pytest.mark.rule("DW-R49")
def test_gold_breaks_a_tie_after_influence_and_by_option_the_order_does():
    goods = {ANN: {"influence": 2, "stock": 1}, BOB: {"influence": 2, "gold": 2}, CEM: {}}
    given = scene(goods=goods)
    assert given.ruleset.score(given.position, "influence").ranking == ((BOB,), (ANN,), (CEM,))
    given = scene(goods=goods, options={"tie_break": "turn-order"}, order=(ANN, CEM, BOB))
    assert given.ruleset.score(given.position, "influence").ranking == ((ANN,), (BOB,), (CEM,))


@pytest.mark.rule("DW-003")
def test_the_most_points_win():
    given = scene(goods={BOB: {"gold": 1}})
    found = given.ruleset.score(given.position, "influence")
    assert (found.winners, found.clause) == ((BOB,), "DW-121")
    assert "bob won with 1 points" in found.sentence


# ------------------------------------------------------------ the end


@pytest.mark.rule("DW-121", "DW-R46", "DW-R67", "DW-047", "DW-026")
def test_e14_the_end_by_influence():
    claims = (Claim(seat=ANN, site="politics", dice=(0,)),)
    given = scene(2, window="collection", dice={ANN: (3,)}, claims=claims, goods={ANN: {"influence": 10, "food": 4}})
    given.collect("politics").choose("buy")
    assert given.has(ANN, "influence", "food") == (INFLUENCE_TOP, 2)
    assert given.waits_for == "collection"  # she buys only one
    assert (given.position[Turn].due, given.position.over) == ("influence", False)
    given.finish()
    assert given.actor == BOB
    ended(given)
    assert given.position[Turn].number == 5
    assert given.position.outcome.reason == "influence"
    assert given.position.outcome.clause == "DW-121"
    assert given.ruleset.to_act(given.position) == ()


@pytest.mark.rule("DW-120", "DW-R46")
def test_the_end_by_pieces():
    six = ((3, -4), (2, 1), (3, 1), (4, -1), (1, 3))
    given = scene(
        2,
        window="collection",
        claims=(Claim(seat=ANN, site="builder", dice=(0,)),),
        dice={ANN: (6,)},
        goods={ANN: {"food": 1, "wood": 1, "ore": 1}},
        cities={ANN: ((3, -3), (0, 0), (-3, 3))},
        towns={ANN: six},
    )
    given.collect("builder").choose("town 4,-3")
    assert given.position[Turn].due == "all-built"
    assert ended(given).position.outcome.reason == "all-built"


@pytest.mark.rule("DW-R46")
def test_a_trigger_once_met_stays_met():
    """Influence can be lost again; the end comes all the same."""
    goods = {ANN: {"influence": 10, "food": 1}}
    given = scene(2, window="collection", hands={ANN: ("AC-11",)}, goods=goods).card("AC-11")
    assert given.position[Turn].due == "influence"
    given.position = given.position.having(Goods(held=((ANN, (("influence", 3),)), (BOB, ()))))
    assert ended(given).position.outcome.reason == "influence"


@pytest.mark.rule("DW-125", "DW-R64")
def test_influence_can_be_lost_down_to_none():
    loss = Task(kind="effects", seat=ANN, effects=(Effect(op="lose", what="influence", n=2, who="all"),))
    given = scene(2, window="collection", goods={ANN: {"influence": 5}, BOB: {"influence": 1}})
    stack = given.position[Agenda].stack
    given.position = given.position.having(Agenda(stack=(*stack[:-1], loss, stack[-1])))
    given.finish()
    assert (given.has(ANN, "influence"), given.has(BOB, "influence")) == (3, 0)


@pytest.mark.rule("DW-R53", "DW-120")
def test_the_turn_limit():
    given = scene(2, window="collection", seat=BOB, turn=99, options={"pass_gain": 0}).finish()
    assert (given.position[Turn].number, given.position[Turn].due) == (100, "turn-limit")
    assert ended(given).position[Turn].number == 100
    assert given.position.outcome.clause == "DW-R53"
    given = scene(2, window="collection", seat=BOB, turn=99, options={"pass_gain": 0, "turn_limit": 0}).finish()
    assert given.position[Turn].due == ""


@pytest.mark.rule("DW-120", "DW-121", "DW-R53")
def test_the_ways_to_end():
    assert set(west().slots[END_TRIGGERS.name]) == {"all-built", "influence", "turn-limit"}


@pytest.mark.rule("DW-R46")
def test_nothing_can_be_done_after_the_end():
    """F21: every further command is refused with the same reason, and nothing is listed."""
    given = ended(scene(2, window="collection", seat=BOB, turn=100, options={"pass_gain": 0}))
    for seat in given.position.seats:
        assert given.ruleset.legal(given.position, seat) == ()
        for command in (Finish(), ClaimSite(site="market", dice=(0,))):
            assert given.refused(command, seat).code == "game-over"
