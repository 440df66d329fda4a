"""The map: towns, cities, rails, access, prices."""

from __future__ import annotations

import pytest

from dark_horse_west.scenes import ANN, BOB, CEM, DOT, Scene, scene
from dark_horse_west.west import west
from ludolog_plugins.dark_horse_west.board import access, distance, gap, ground, linked_hexes, neighbours
from ludolog_plugins.dark_horse_west.building import RAILS, pieces_left, rails_left
from ludolog_plugins.dark_horse_west.data import zones
from ludolog_plugins.dark_horse_west.events import LinkBuilt, TileRevealed, TownBuilt
from ludolog_plugins.dark_horse_west.prices import changed_price, unaffordable
from ludolog_plugins.dark_horse_west.slots import LAYOUT, Price
from ludolog_plugins.dark_horse_west.state import Board, Claim, Link, Tiles

MAP = west().slots[LAYOUT.name]["map"]
CITY = (3, -3)
RICH = {"food": 5, "wood": 5, "ore": 5}


def at(site: str, *, goods: dict[str, int] | None = None, options: dict[str, object] | None = None, **more) -> Scene:
    """Ann, with a city on (3,-3), collects from ``site``."""
    more = {"cities": {ANN: (CITY,)}, **more}
    claim = Claim(seat=ANN, site=site, dice=(0,))
    given = scene(
        window="collection",
        claims=(claim,),
        dice={ANN: (6,)},
        goods={ANN: goods if goods is not None else RICH},
        options=options,
        **more,
    )
    return given.collect(site)


# ------------------------------------------------------------ the map


@pytest.mark.rule("DW-R01", "DW-029", "DW-030", "DW-034", "DW-031", "DW-021")
def test_the_map():
    assert len(MAP.all) == len(set(MAP.all)) == 61
    assert all(max(abs(q), abs(r), abs(q + r)) <= 4 for q, r in MAP.all)
    assert (len(MAP.safe), len(MAP.hidden), len(MAP.rugged), len(MAP.non_resource)) == (8, 8, 4, 41)
    # Flat-topped: straight up is (0,-1), straight down (0,1).
    assert {(0, -1), (0, 1)} <= set(neighbours(MAP, (0, 0)))
    assert len(neighbours(MAP, (0, 0))) == 6
    assert len(neighbours(MAP, (4, -4))) == 3
    for hex_ in MAP.all:
        mirrored = (-hex_[0], hex_[1] + hex_[0])
        for kind in (MAP.safe, MAP.hidden, MAP.rugged):
            assert (hex_ in kind) == (mirrored in kind)
    assert {hex_ for zone in zones() for hex_ in zone.face_up} == set(MAP.safe)


@pytest.mark.rule("DW-030", "DW-032", "DW-035", "DW-R03")
def test_what_a_hex_is():
    given = scene(tiles={(3, -4): "ore", (2, -3): "wood"}).position
    assert ground(given, (3, -4)).resource == "ore"  # revealed
    assert ground(given, (2, -3)).resource == ""  # face down
    assert (ground(given, (1, -1)).rugged, ground(given, (2, -3)).rugged) == (True, False)
    assert (ground(given, (0, 0)).city, ground(given, (0, 0)).towns) == (True, 0)
    assert (ground(given, (3, -4)).city, ground(given, (3, -4)).towns) == (False, 1)


@pytest.mark.rule("DW-R65", "DW-108", "DW-109")
def test_access_is_beside_a_city_or_at_an_end_of_a_link():
    given = scene(cities={ANN: (CITY,)}, towns={ANN: ((2, 1),)}, links={ANN: (((0, 0), (0, 1)),)}).position
    assert access(given, ANN) == {*neighbours(MAP, CITY), (0, 0), (0, 1)}
    assert access(given, BOB) == frozenset()
    # A first rail from the city reaches a hex that was out of reach before.
    longer = scene(cities={ANN: (CITY,)}, links={ANN: ((CITY, (2, -2)), ((2, -2), (1, -2)))}).position
    assert (1, -2) in access(longer, ANN) - access(given, ANN)


@pytest.mark.rule("DW-R07", "DW-R08")
def test_networks_are_joined_by_own_links_only():
    links = {ANN: ((CITY, (2, -2)),), BOB: (((2, -2), (1, -2)),)}
    given = scene(cities={ANN: (CITY,)}, links=links).position
    assert linked_hexes(given, ANN, (CITY,)) == {CITY, (2, -2)}


# ------------------------------------------------------------ towns


@pytest.mark.rule("DW-R09", "DW-083", "DW-R66", "DW-112", "DW-R04")
def test_a_town_costs_one_of_each_and_ends_the_build():
    given = at("builder").choose("town 3,-4")
    assert given.resources(ANN) == (4, 4, 4)
    assert TownBuilt(seat=ANN, hex=(3, -4)) in given.told
    assert given.waits_for == "collection"


@pytest.mark.rule("DW-R66")
def test_by_option_two_pieces_are_built_with_one_claim():
    given = at("builder", options={"builder_max": 2}).choose("town 3,-4", "town 4,-3")
    assert (given.resources(ANN), given.waits_for) == ((3, 3, 3), "collection")


@pytest.mark.rule("DW-R09", "DW-R12", "DW-R11", "DW-110")
def test_e04_a_town_with_missing_rails():
    given = at("builder", links={ANN: ((CITY, (3, -2)),)}, goods={"food": 1, "wood": 2, "ore": 2})
    # (2,1) is 4 links away from (3,-2); (2,-3) lies beside the city; (3,1) is 3 away.
    assert distance((3, -2), (3, 1)) == 3
    refusal = given.not_an_option("town 3,1")
    assert (refusal.code, refusal.clause, refusal.facts["links"]) == ("no-access", "DW-R65", 2)
    given = at("builder", links={ANN: ((CITY, (3, -2)), ((3, -2), (3, -1)))}, goods={"food": 1, "wood": 2, "ore": 2})
    given.choose("town 3,1")  # there is one shortest way, so it chooses itself
    assert given.resources(ANN) == (0, 0, 0)
    assert [event for event in given.told if isinstance(event, LinkBuilt)] == [
        LinkBuilt(seat=ANN, a=(3, -1), b=(3, 0)),
        LinkBuilt(seat=ANN, a=(3, 0), b=(3, 1)),
    ]
    assert [town.hex for town in given.position[Board].towns] == [(3, 1)]


@pytest.mark.rule("DW-R12", "DW-110")
def test_by_option_no_rails_come_with_a_building():
    links = {ANN: ((CITY, (3, -2)), ((3, -2), (3, -1)))}
    given = at("builder", links=links, options={"rails_at_builder": False})
    assert given.not_an_option("town 3,1").facts["links"] == 0
    assert "town 3,-4" in given.options


@pytest.mark.rule("DW-R13", "DW-032", "DW-111")
def test_e06_rugged_surcharge():
    links = {ANN: (((1, -3), (1, -2)),)}
    given = at("builder", links=links, goods={"food": 1, "wood": 3, "ore": 3}, cities={ANN: ((1, -3),)})
    assert distance((1, -2), (1, -1)) == 1
    given.choose("town 1,-1", "link 1,-2 1,-1")
    assert given.resources(ANN) == (0, 0, 0)
    given = at("builder", links=links, goods={"food": 9, "wood": 9, "ore": 2}, cities={ANN: ((1, -3),)})
    refusal = given.not_an_option("town 1,-1")
    assert (refusal.code, refusal.facts["needs"]) == ("cannot-pay", (1, 3, 3))


@pytest.mark.rule("DW-R04", "DW-R65", "DW-033", "DW-107")
def test_e21_a_town_turns_a_tile_up():
    links = {ANN: ((CITY, (2, -2)), ((2, -2), (2, -3)))}
    given = at("builder", links=links, tiles={(2, -3): "wood"}).choose("town 2,-3")
    place = MAP.places.index((2, -3))
    assert TileRevealed(place=place, resource="wood") in given.told
    assert given.position[Tiles].shown[place]
    assert ground(given.position, (2, -3)).resource == "wood"
    claim = Claim(seat=ANN, site="produce", dice=(0,))
    later = scene(
        window="collection", claims=(claim,), dice={ANN: (1,)}, towns={ANN: ((2, -3),)}, tiles={(2, -3): "wood"}
    )
    assert later.collect("produce").choose("wood").resources(ANN) == (0, 1, 0)


@pytest.mark.rule("DW-105", "DW-R03", "DW-R04", "DW-011", "DW-083", "DW-R65")
def test_why_a_town_cannot_be_built():
    given = at("builder", towns={BOB: ((3, -4),)})
    assert given.not_an_option("town 2,-2").code == "no-town-here"
    refusal = given.not_an_option("town 3,-4")
    assert (refusal.code, refusal.clause, refusal.facts["by"]) == ("hex-taken", "DW-R03", (BOB,))
    assert given.not_an_option("town -3,4").code == "no-access"
    assert given.not_an_option("town 9,9").code == "no-such-build"
    assert given.not_an_option("castle 3,-4").clause == "DW-083"
    assert given.not_an_option("town here").code == "no-such-build"
    assert at("builder", goods={"food": 1, "wood": 1}).waits_for == "collection"  # nothing can be paid for
    six = ((3, -4), (2, 1), (3, 1), (4, -1), (1, 3), (1, -4))
    given = at("builder", towns={ANN: six})
    refusal = given.not_an_option("town 4,-3")
    assert (refusal.code, refusal.clause) == ("no-town-left", "DW-011")
    assert pieces_left(given.position, ANN, "town") == 0
    assert "stop" in given.options


# ------------------------------------------------------------ cities


@pytest.mark.rule("DW-R10", "DW-R06", "DW-083", "DW-106", "DW-110", "DW-R12")
def test_a_city_costs_two_of_each_and_stands_where_a_link_ends():
    links = {ANN: ((CITY, (2, -2)), ((2, -2), (1, -2)))}
    given = at("builder", links=links).choose("city 1,-2")
    assert given.resources(ANN) == (3, 3, 3)
    # Beside the city, without a link: the missing links are bought, up to four.
    given = at("builder", goods={"food": 2, "wood": 4, "ore": 4}).choose("city 3,0")
    given.choose("link 3,-3 3,-2", "link 3,-2 3,-1", "link 3,-1 3,0")
    assert [city.hex for city in given.position[Board].cities] == [CITY, (3, 0)]
    assert (given.resources(ANN), len(given.position[Board].links)) == ((0, 0, 0), 3)
    given = at("builder")
    assert given.not_an_option("city -2,2").facts["links"] == 4


@pytest.mark.rule("DW-R06", "DW-106", "DW-R03", "DW-010")
def test_why_a_city_cannot_be_built():
    links = {ANN: ((CITY, (2, -2)), ((2, -2), (1, -2)))}
    given = at("builder", links=links, cities={ANN: (CITY,), BOB: ((1, -3),)})
    assert given.not_an_option("city 3,-4").code == "no-city-here"
    assert given.not_an_option("city 1,-3").code == "hex-taken"
    refusal = given.not_an_option("city 2,-2")
    assert (refusal.code, refusal.clause) == ("city-too-near", "DW-R06")
    assert (refusal.facts["between"], refusal.facts["least"]) == (0, 1)
    far = {ANN: (CITY,)}
    assert "city 1,-2" in at("builder", links=links, cities=far).options
    assert "city 1,-2" not in at("builder", links=links, cities=far, options={"later_city_gap": 2}).options
    three = {ANN: (CITY, (0, 0), (-3, 3))}
    refusal = at("builder", cities=three).not_an_option("city 3,0")
    assert (refusal.code, refusal.clause) == ("no-city-left", "DW-010")


@pytest.mark.rule("DW-044", "DW-R55")
def test_the_gap_is_the_most_bare_hexes_inside_a_shortest_path():
    assert gap(MAP, (4, -4), (4, 0)) == 1
    assert gap(MAP, (3, -3), (3, 0)) == 2
    assert gap(MAP, (3, -3), (3, -2)) == 0


# ------------------------------------------------------------ rails


@pytest.mark.rule("DW-R11", "DW-081", "DW-112")
def test_e05_rails_at_rail_baron():
    walk = ("link 2,-2 3,-3", "link 1,-2 2,-2", "link 0,-2 1,-2", "link -1,-2 0,-2")
    given = at("rail-baron", goods={"wood": 3, "ore": 3}).choose(*walk)
    assert (given.resources(ANN), given.waits_for) == ((0, 1, 1), "collection")  # five links are not possible
    assert len(given.position[Board].links) == 4
    given = at("rail-baron", goods={"wood": 3, "ore": 3}).choose(*walk[:3], "stop")
    assert given.resources(ANN) == (0, 1, 1)


@pytest.mark.rule("DW-R07", "DW-R08", "DW-R11", "DW-012", "DW-013")
def test_why_a_link_cannot_be_laid():
    given = at("rail-baron", links={BOB: ((CITY, (3, -2)),)})
    assert given.not_an_option("link 0,0 3,-3").code == "not-neighbours"
    refusal = given.not_an_option("link 0,0 0,1")
    assert (refusal.code, refusal.clause, refusal.facts) == ("joins-nothing", "DW-R07", {"a": (0, 0), "b": (0, 1)})
    refusal = given.not_an_option("link 3,-3 3,-2")
    assert (refusal.code, refusal.facts) == ("link-taken", {"by": BOB})
    assert given.not_an_option("rail 3,-3").code == "no-such-link"
    assert given.not_an_option("link x 3,-3").code == "no-such-link"
    given = at("rail-baron", goods={"wood": 1, "ore": 1}, cities={ANN: ((1, -2),)})
    refusal = given.not_an_option("link 1,-2 1,-1")
    assert (refusal.code, refusal.clause, refusal.facts["needs"]) == ("cannot-pay", "DW-R11", (0, 1, 2))


@pytest.mark.rule("DW-R13", "DW-R11")
def test_each_link_on_rugged_ground_costs_one_ore_more():
    links = {ANN: (((1, -3), (1, -2)),)}
    given = at("rail-baron", goods={"wood": 1, "ore": 2}, cities={ANN: ((1, -3),)}, links=links)
    given.choose("link 1,-2 1,-1", "stop")
    assert given.resources(ANN) == (0, 0, 0)


@pytest.mark.rule("DW-R07")
def test_links_run_past_pieces_and_two_owners_rails_meet():
    links = {BOB: (((2, -2), (1, -2)),)}
    given = at("rail-baron", towns={BOB: ((2, -3),)}, links=links)
    given.choose("link 2,-3 3,-3", "link 1,-3 2,-3", "stop")
    given = at("rail-baron", links=links).choose("link 2,-2 3,-3")
    assert "link 2,-2 2,-1" in given.options


@pytest.mark.rule("DW-R08", "DW-012", "DW-013")
def test_fifty_five_rails_for_all():
    pairs = [(a, b) for a in MAP.all for b in neighbours(MAP, a) if a < b and CITY not in (a, b)]
    links = {BOB: pairs[:30], CEM: pairs[30:54]}
    given = at("rail-baron", links=links)
    assert (RAILS, rails_left(given.position)) == (55, 1)
    given.choose("link 2,-2 3,-3")
    assert rails_left(given.position) == 0
    assert given.waits_for == "collection"
    assert given.position[Board].links[-1] == Link(ANN, (2, -2), CITY)
    full = at("rail-baron", links={BOB: pairs[:55]})
    assert full.waits_for == "collection"
    full = at("builder", links={BOB: pairs[:55]})
    assert full.not_an_option("town 3,1").facts["rails_left"] == 0


# ------------------------------------------------------------ the Engineer token


@pytest.mark.rule("DW-R23", "DW-088", "DW-063")
def test_an_engineer_token_makes_two_links_of_a_build_free_surcharge_included():
    links = {ANN: (((1, -3), (1, -2)),)}
    goods = {"food": 1, "wood": 2, "ore": 1, "engineer": 2}
    given = at("builder", cities={ANN: ((1, -3),)}, links=links, goods=goods)
    assert "town 1,-1" not in given.options
    given.choose("engineer links", "town 1,-1", "link 1,-2 1,-1")
    assert given.resources(ANN) == (0, 0, 0)
    assert given.has(ANN, "engineer") == 1
    given = at("builder", goods=dict(RICH, engineer=2), used=((ANN, "token:engineer"),))
    refusal = given.not_an_option("engineer links")
    assert (refusal.code, refusal.clause) == ("no-engineer", "DW-R23")
    assert given.not_an_option("engineer town").facts == {"held": 2}


@pytest.mark.rule("DW-R23", "DW-R13")
def test_of_three_links_those_are_free_that_touch_rugged_ground():
    """The second and the third do; one purchase is left to pay, without any surcharge."""
    links = {ANN: (((0, -3), (1, -3)),), BOB: (((0, -1), (0, 0)), ((0, 0), (0, 1)))}
    goods = {"food": 2, "wood": 3, "ore": 3, "engineer": 1}
    given = at("builder", cities={ANN: ((1, -3),), BOB: ((-4, 0),)}, links=links, goods=goods)
    assert "city 0,0" not in given.options
    given.choose("engineer links", "city 0,0")
    while given.waits_for == "lay-link":
        given.choose(given.options[0])
    assert (0, 0) in [city.hex for city in given.position[Board].cities]
    assert given.resources(ANN) == (0, 0, 0)


@pytest.mark.rule("DW-R23", "DW-088")
def test_or_it_waives_the_surcharge_of_a_town():
    links = {ANN: (((1, -3), (1, -2)), ((1, -2), (1, -1)))}
    goods = {"food": 1, "wood": 1, "ore": 1, "engineer": 1}
    given = at("builder", cities={ANN: ((1, -3),)}, links=links, goods=goods)
    assert "town 1,-1" not in given.options
    given.choose("engineer town")
    assert given.not_an_option("town 1,-4").code == "not-rugged"
    given.choose("town 1,-1")
    assert (given.resources(ANN), given.has(ANN, "engineer")) == ((0, 0, 0), 0)
    given = at("builder", goods=dict(RICH, engineer=1)).choose("engineer links")
    assert given.not_an_option("town 3,-4").code == "no-links"


@pytest.mark.rule("DW-R23", "DW-R11")
def test_at_rail_baron_it_makes_two_of_the_four_links_free():
    given = at("rail-baron", goods={"wood": 1, "ore": 1, "engineer": 1}).choose("engineer links")
    given.choose("link 2,-2 3,-3", "link 1,-2 2,-2", "link 0,-2 1,-2", "link -1,-2 0,-2")
    assert (given.resources(ANN), len(given.position[Board].links)) == ((0, 0, 0), 4)
    assert given.waits_for == "collection"
    refusal = at("rail-baron", goods=RICH).not_an_option("engineer links")
    assert (refusal.code, refusal.clause, refusal.facts) == ("no-engineer", "DW-R23", {"held": 0})


@pytest.mark.rule("DW-102", "DW-064")
def test_a_refused_price_tells_what_comes_off_it():
    homesteader = scene(goods={ANN: {"food": 1}}, fronts={ANN: ("CB-05",)}).position
    price = changed_price(homesteader, ANN, "town", Price(food=1, wood=1, ore=1))
    refusal = unaffordable(homesteader, ANN, (price,), "DW-R09")
    assert (refusal.facts["needs"], refusal.facts["off"], refusal.facts["has"]) == ((1, 1, 1), 1, (1, 0, 0))
    assert "less 1 of any resource" in refusal.sentence


@pytest.mark.rule("DW-010", "DW-011", "DW-013")
def test_stocks_of_pieces():
    given = scene(4, cities={DOT: ((0, 0),)}, towns={DOT: ((3, 1), (3, -4))}).position
    assert (pieces_left(given, DOT, "city"), pieces_left(given, DOT, "town")) == (2, 4)
    assert (pieces_left(given, ANN, "city"), pieces_left(given, ANN, "town")) == (3, 6)
