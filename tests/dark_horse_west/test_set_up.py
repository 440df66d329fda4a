"""Set-up: order, tiles, decks, kits, characters, first cities and towns, the free rail."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from dark_horse_west.scenes import ANN, BOB, CEM, DOT, PLAIN, Scene, scene
from dark_horse_west.west import NAMES, begun, west
from ludolog import Rules, Ruleset, Variant, catalogue
from ludolog.errors import BadOptions, BadSeats
from ludolog_plugins.dark_horse_west import slots
from ludolog_plugins.dark_horse_west.agenda import do
from ludolog_plugins.dark_horse_west.board import layout_of, name_of, neighbours, place_of
from ludolog_plugins.dark_horse_west.cards import cards_in_play
from ludolog_plugins.dark_horse_west.events import CityBuilt, LinkBuilt, TownBuilt
from ludolog_plugins.dark_horse_west.picture import colour_of
from ludolog_plugins.dark_horse_west.slots import Question
from ludolog_plugins.dark_horse_west.state import Agenda, Board, Cards, Fronts, Goods, Piece, Task, Tiles, Turn


def start(seats: int = 3, **options: object) -> Scene:
    return Scene(begun(west(**{**PLAIN, "start_order": "given", **options}), seats))


def _hex(option: str) -> tuple[int, int]:
    q, r = option.split(" ")[1].split(",")
    return int(q), int(r)


def set_up(given: Scene, choice: int = 0) -> Scene:
    """Answer everything up to the first roll."""
    while given.position[Turn].number == 0:
        given.choose(given.options[choice % len(given.options)])
    return given


@pytest.mark.rule("DW-001")
def test_two_to_four_seats_without_a_variant():
    assert west().seat_counts == (2, 3, 4)
    for count in (1, 5):
        with pytest.raises(BadSeats):
            west().check_seats(NAMES[:count])


@pytest.mark.rule("DW-021", "DW-040", "DW-033", "DW-031", "DW-R02")
def test_tiles_are_shuffled_dealt_and_shown_in_the_safe_zones():
    layout = layout_of(start().position)
    dealt = set()
    for seed in range(4):
        tiles = begun(west(), 2, seed)[Tiles]
        assert Counter(tiles.tiles) == {"food": 7, "wood": 7, "ore": 6}
        assert tiles.shown == (True,) * 8 + (False,) * 12
        dealt.add(tiles.tiles)
    assert len(dealt) == 4
    assert set(layout.places[:8]) == set(layout.safe)


@pytest.mark.rule("DW-041", "DW-R63", "DW-019", "DW-R36", "DW-042", "DW-020")
def test_the_first_turn_order_is_random_or_given():
    orders = {begun(west(), 3, seed)[Turn].track for seed in range(12)}
    assert len(orders) > 2
    assert all(sorted(order) == sorted(NAMES[:3]) for order in orders)
    given = start().position
    # One disc on the order track, one at the start of the Influence track; nothing is left for a pawn to say.
    assert given[Turn].track == given[Turn].order == NAMES[:3]
    assert [Scene(given).has(seat, "influence") for seat in NAMES[:3]] == [0, 0, 0]


@pytest.mark.rule("DW-039", "DW-042", "DW-028")
def test_each_receives_the_kit():
    given = start()
    for seat in given.position.seats:
        held = dict(dict(given.position[Goods].held)[seat])
        assert {name: n for name, n in held.items() if n} == {"food": 1, "wood": 1, "ore": 1, "wild": 1}


@pytest.mark.rule("DW-038", "DW-015", "DW-010", "DW-011")
def test_each_has_a_colour_of_its_own():
    given = start(4).position
    assert len({colour_of(given, seat) for seat in given.seats}) == 4


@pytest.mark.rule("DW-036", "DW-101", "DW-R43", "DW-R71")
def test_each_takes_one_character_at_random():
    dealt = set()
    for seed in range(6):
        fronts = dict(begun(west(), 4, seed)[Fronts].cards)
        assert [len(front) for front in fronts.values()] == [1, 1, 1, 1]
        assert len({front[0] for front in fronts.values()}) == 4
        dealt |= {(seat, front[0]) for seat, front in fronts.items()}
    assert len(dealt) > 8
    assert {card for _, card in dealt} <= set(cards_in_play(start().position, "character-base"))


@pytest.mark.rule("DW-043", "DW-R05", "DW-105", "DW-106")
def test_in_reverse_turn_order_each_places_a_city_and_two_towns():
    given = start()
    built = []
    while len(built) < 9:
        task = given.position[Turn]
        assert task.number == 0
        given.choose(given.options[0])
        built += [event for event in given.told if isinstance(event, CityBuilt | TownBuilt)]
    assert [event.seat for event in built] == [CEM] * 3 + [BOB] * 3 + [ANN] * 3
    assert [type(event) for event in built] == [CityBuilt, TownBuilt, TownBuilt] * 3
    layout = layout_of(given.position)
    for city, *towns in zip(built[::3], built[1::3], built[2::3], strict=True):
        assert city.hex in layout.non_resource
        assert {town.hex for town in towns} <= set(neighbours(layout, city.hex)) & set(layout.places)


@pytest.mark.rule("DW-043", "DW-R05", "DW-033")
def test_a_start_town_turns_its_tile_up_and_stands_beside_the_own_city():
    given = start(2).choose("city 1,-3")
    place = place_of(given.position, (2, -3))
    assert not given.position[Tiles].shown[place]
    refusal = given.not_an_option("town 3,-4")
    assert (refusal.code, refusal.clause, refusal.facts) == (
        "not-beside-city",
        "DW-R05",
        {"hex": (3, -4), "city": (1, -3)},
    )
    assert given.not_an_option("town 1,-2").code == "no-town-here"
    assert given.not_an_option("house 2,-3").code == "no-such-hex"
    given.choose("town 2,-3")
    assert given.position[Tiles].shown[place]


@pytest.mark.rule("DW-R05", "DW-043", "DW-106")
def test_a_first_city_needs_two_hexes_for_its_towns():
    given = start(2)
    layout = layout_of(given.position)
    for hex_ in layout.non_resource:
        sites = set(neighbours(layout, hex_)) & set(layout.places)
        assert (f"city {name_of(hex_)}" in given.options) == (len(sites) >= 2)
    refusal = given.not_an_option("city 0,-2")
    assert (refusal.code, refusal.clause, refusal.facts["hex"]) == ("no-town-sites", "DW-R05", (0, -2))
    assert given.not_an_option("city 3,-4").clause == "DW-106"
    assert given.not_an_option("town 3,-4").code == "no-such-hex"
    assert given.not_an_option("city 8,8").code == "no-city-here"


@pytest.mark.rule("DW-R05")
def test_by_option_one_start_town_needs_a_face_up_tile():
    plain, strict = start(2), start(2, start_towns="one-face-up")
    bare = set(plain.options) - set(strict.options)
    assert bare
    layout = layout_of(plain.position)
    for option in bare:
        hex_ = _hex(option)
        assert not set(neighbours(layout, hex_)) & set(layout.safe)
        assert strict.not_an_option(option).code == "no-face-up-tile"
    given = start(2, start_towns="one-face-up").choose("city 3,-3")
    first = {_hex(option) for option in given.options}
    assert first <= set(layout.safe)
    given.choose(given.options[0])
    assert any(name_of(hex_) in option for option in given.options for hex_ in layout.hidden)


@pytest.mark.rule("DW-R05", "DW-043")
def test_a_face_up_tile_is_no_longer_demanded_where_none_is_left():
    """Four seats take all eight of them; the fifth begins beside face-down tiles."""
    options = {**PLAIN, "start_order": "given", "start_towns": "one-face-up"}
    given = Scene(begun(west("five-player", **options), 5))
    wished = {"city 4,0", "city -4,4", "city -3,0", "town -3,-1", "town -2,-1", "city 3,-3", "town 3,-4", "town 4,-3"}
    cities = []
    while given.position[Turn].number == 0:
        option = next((option for option in given.options if option in wished), given.options[0])
        cities.append(_hex(option)) if option.startswith("city") else None
        given.choose(option)
    layout = layout_of(given.position)
    assert len(cities) == 5
    assert not set(neighbours(layout, cities[-1])) & set(layout.safe)
    assert len(given.position[Board].towns) == 10


@pytest.mark.rule("DW-044", "DW-045", "DW-R55")
def test_e12_hexes_between_first_cities():
    given = start(2)
    board = given.position[Board]
    given.position = given.position.having(replace(board, cities=(Piece(BOB, (4, -4)),)))
    # Bob has a city on the map already and asks for another: only where it may stand counts.
    refusal = given.not_an_option("city 4,0")
    assert (refusal.code, refusal.clause) == ("city-too-near", "DW-R55")
    assert (refusal.facts["between"], refusal.facts["least"], refusal.facts["city"]) == (1, 2, (4, -4))
    given.position = given.position.having(replace(board, cities=(Piece(BOB, (3, -3)),)))
    assert "city 3,0" in given.options
    assert "city 4,-2" not in given.options


@pytest.mark.rule("DW-R55", "DW-044")
def test_where_no_hex_keeps_the_gap_a_smaller_one_will_do():
    given = start(4)
    crowd = tuple(
        Piece(seat, hex_)
        for seat, hex_ in zip(
            (ANN, ANN, ANN, BOB, BOB, BOB, CEM, CEM, CEM),
            ((4, -4), (4, 0), (-4, 4), (-4, 0), (0, -4), (0, 4), (2, -2), (-2, 2), (0, 0)),
            strict=True,
        )
    )
    board = given.position[Board]
    given.position = given.position.having(replace(board, cities=crowd))
    assert given.actor == DOT
    assert given.options  # the exception
    given.position = Scene(begun(west(**PLAIN, start_order="given", first_city_gap=1), 4)).position
    near = given.position.having(replace(board, cities=(Piece(DOT, (3, -3)),)))
    assert len(Scene(near).options) > len(Scene(start(4).position.having(near[Board])).options)


@pytest.mark.rule("DW-046", "DW-R68", "DW-109")
def test_each_lays_the_free_rail_from_the_own_city_in_turn_order():
    given = start()
    while given.waits_for != "first-rail":
        given.choose(given.options[0])
    laid = []
    while given.waits_for == "first-rail":
        city = next(piece.hex for piece in given.position[Board].cities if piece.seat == given.actor)
        assert all(name_of(city) in option.split(" ")[1:] for option in given.options)
        given.choose(given.options[0])
        laid += [event for event in given.told if isinstance(event, LinkBuilt)]
    assert [event.seat for event in laid] == [ANN, BOB, CEM]
    assert given.position[Turn].number == 1
    assert [given.resources(seat) for seat in NAMES[:3]] == [(1, 1, 1)] * 3  # surcharges are not paid


@pytest.mark.rule("DW-046", "DW-R68")
def test_the_free_rail_starts_at_the_own_first_city():
    given = scene(2, cities={ANN: ((3, -3),)}, towns={ANN: ((2, -3),)})
    given.position = given.position.having(Agenda(stack=(Task(kind="turn"), Task(kind="first-rail", seat=ANN))))
    assert len(given.options) == 6
    refusal = given.not_an_option("link 1,-3 2,-3")
    assert (refusal.code, refusal.clause, refusal.facts) == ("not-from-city", "DW-046", {"city": (3, -3)})


@pytest.mark.rule("DW-048")
def test_what_is_dealt_after_characters_and_before_cities_has_its_place():
    """A set-up step that a variant puts before the first cities comes after the characters."""
    toy = Rules("dark-horse-west/agendas")

    def deal(now):
        assert all(front for _, front in now[Fronts].cards)
        assert now[Board].cities == ()
        yield do(*(Task(kind="agenda", seat=seat) for seat in now.seats))

    toy.add(slots.SETUP_STEPS, "agendas", deal, cites="DW-048", before="first-cities")
    toy.add(
        slots.TASKS,
        "agenda",
        Question(ask=lambda *_: "Which?", options=lambda *_: ("1", "2"), take=lambda *_: iter(()), cites="DW-048"),
        cites="DW-048",
    )
    variant = Variant(id="dark-horse-west/agendas", title="", summary="", rules=lambda: toy)
    given = Scene(begun(Ruleset(catalogue().game("dark-horse-west"), (variant,), {"start_order": "given"}), 2))
    while given.waits_for != "agenda":
        given.choose(given.options[0])
    given.choose("1", "2")
    assert given.waits_for == "first-city"


@pytest.mark.rule("DW-045", "DW-043")
def test_first_cities_may_stand_anywhere_else_safe_zones_or_not():
    options = start(2).options
    layout = layout_of(start(2).position)
    beside_safe = [option for option in options if set(neighbours(layout, _hex(option))) & set(layout.safe)]
    assert 0 < len(beside_safe) < len(options)


@pytest.mark.rule("DW-051", "DW-052")
def test_after_set_up_the_first_turn_is_rolled():
    given = set_up(start(2))
    assert given.position[Turn].number == 1
    assert (given.waits_for, given.actor) == ("placement", ANN)


@pytest.mark.rule("DW-R73", "DW-R40", "DW-049")
def test_influence_received_in_set_up_sets_off_no_event():
    given = set_up(start(2, data="[start]\ninfluence = 5\n", event_steps=(3, 6, 9)))
    assert [given.has(seat, "influence") for seat in (ANN, BOB)] == [5, 5]
    assert given.position[Turn].marker == 0
    assert next(pile for pile in given.position[Cards].piles if pile.deck == "event").discards == ()


@pytest.mark.parametrize("steps", [(3, 3), (6, 3), (0,), (11,), (-1, 4), "3,x"])
def test_event_steps_go_forward_along_the_track(steps: object) -> None:
    with pytest.raises(BadOptions, match="event_steps"):
        west(event_steps=steps)
    assert west(event_steps="1,10").options
