"""Building: what goes where, and at which price."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ludolog import Event, Now, Position, Refusal, Seat
from ludolog_plugins.dark_horse_west.board import (
    blocked,
    gap_refusal,
    ground,
    grounds,
    name_of,
    place_of,
)
from ludolog_plugins.dark_horse_west.events import (
    CityBuilt,
    TileRevealed,
    TownBuilt,
)
from ludolog_plugins.dark_horse_west.options import WestOptions
from ludolog_plugins.dark_horse_west.prices import (
    changed_price,
    price_of,
)
from ludolog_plugins.dark_horse_west.reasons import no
from ludolog_plugins.dark_horse_west.slots import BUILDS, COSTS, START, Build, Price, rules
from ludolog_plugins.dark_horse_west.state import Board, Hex, Tiles

__all__ = [
    "RAILS",
    "city_refusal",
    "pieces_left",
    "rails_left",
    "town_refusal",
    "turn_up",
]

RAILS: Final = 55


def rails_left(position: Position | Now) -> int:
    """Rails in the common stock (DW-R08)."""
    return RAILS - len(position[Board].links)


def pieces_left(position: Position | Now, seat: Seat, what: str) -> int:
    """Towns or cities that the seat has not placed yet (DW-010, DW-011)."""
    kit = position.slot(START)["start"]
    board = position[Board]
    on_map = board.cities if what == "city" else board.towns
    return (kit.cities if what == "city" else kit.towns) - sum(piece.seat == seat for piece in on_map)


# ------------------------------------------------------------ towns and cities


def town_refusal(position: Position, seat: Seat, hex_: Hex) -> Refusal | None:
    """Why a town of the seat can't stand on a hex, access apart (DW-105, DW-R03, DW-R04)."""
    board = position[Board]
    if pieces_left(position, seat, "town") < 1:
        return no("no-town-left", f"{seat} has placed all own towns.", "DW-011", seat=seat)
    there = ground(position, hex_)
    if not there.towns:
        return no(
            "no-town-here", f"{name_of(hex_)} bears no resource; towns stand on resource hexes.", "DW-105", hex=hex_
        )
    standing = [town.seat for town in board.towns if town.hex == hex_]
    if len(standing) >= there.towns or seat in standing or any(city.hex == hex_ for city in board.cities):
        return no("hex-taken", f"{name_of(hex_)} is taken.", "DW-R03", hex=hex_, by=tuple(standing))
    return blocked(position, seat, hex_, "town")


def city_refusal(position: Position, seat: Seat, hex_: Hex) -> Refusal | None:
    """Why a city of the seat can't stand on a hex, links apart (DW-106, DW-R03)."""
    board = position[Board]
    if pieces_left(position, seat, "city") < 1:
        return no("no-city-left", f"{seat} has placed all own cities.", "DW-010", seat=seat)
    if not ground(position, hex_).city:
        return no("no-city-here", f"No city may stand on {name_of(hex_)}.", "DW-106", hex=hex_)
    if any(piece.hex == hex_ for piece in (*board.cities, *board.towns)):
        return no("hex-taken", f"{name_of(hex_)} is taken.", "DW-R03", hex=hex_)
    return blocked(position, seat, hex_, "city")


def _later_city_refusal(position: Position, seat: Seat, hex_: Hex) -> Refusal | None:
    """A later city keeps a smaller gap than a first one (DW-R06)."""
    least = position.options(WestOptions).later_city_gap
    return city_refusal(position, seat, hex_) or gap_refusal(position, hex_, least, "DW-R06")


def _town_price(position: Position, seat: Seat, hex_: Hex) -> Price:
    """1 Food, 1 Wood, 1 Ore; 1 Wood more on rugged ground (DW-R09, DW-R13)."""
    costs = position.slot(COSTS)["costs"]
    price = changed_price(position, seat, "town", price_of(costs.town))
    if not ground(position, hex_).rugged:
        return price
    more = changed_price(position, seat, "rugged", price_of(costs.rugged_town))
    food, wood, ore = _waived((more.food, more.wood, more.ore), more.off)
    return Price(food=price.food + food, wood=price.wood + wood, ore=price.ore + ore, off=price.off)


def _waived(surcharge: tuple[int, int, int], off: int) -> tuple[int, int, int]:
    """A surcharge with so many resources less of what it consists of, or as many Wood more."""
    food, wood, ore = surcharge
    for _ in range(off):
        food, wood, ore = (food, wood - 1, ore) if wood else (food, wood, ore - 1) if ore else (max(0, food - 1), 0, 0)
    return food, wood + max(0, -off), ore


def _city_price(position: Position, seat: Seat, _hex: Hex) -> Price:
    return changed_price(position, seat, "city", price_of(position.slot(COSTS)["costs"].city))


def turn_up(now: Now, hex_: Hex) -> Iterator[Event]:
    """A face-down tile under a new town is turned up (DW-R04)."""
    place = place_of(now, hex_)
    there = now[Tiles]
    tile = there.tiles[place] if place >= 0 and not there.shown[place] else None
    if tile is not None:
        yield TileRevealed(place=place, resource=tile)


def _place_town(now: Now, seat: Seat, hex_: Hex) -> Iterator[Event]:
    yield from turn_up(now, hex_)
    yield TownBuilt(seat=seat, hex=hex_)


def _place_city(_now: Now, seat: Seat, hex_: Hex) -> Iterator[Event]:
    yield CityBuilt(seat=seat, hex=hex_)


def _town_hexes(position: Position, _seat: Seat) -> tuple[Hex, ...]:
    return tuple(hex_ for hex_, there in grounds(position).items() if there.towns)


def _city_hexes(position: Position, _seat: Seat) -> tuple[Hex, ...]:
    return tuple(hex_ for hex_, there in grounds(position).items() if there.city)


rules.add(
    BUILDS,
    "town",
    Build(
        title="a town",
        hexes=_town_hexes,
        refusal=town_refusal,
        price=_town_price,
        place=_place_town,
        reach="access",
        purchases=lambda position: (
            position.slot(COSTS)["costs"].purchases_with_town if position.options(WestOptions).rails_at_builder else 0
        ),
        cites="DW-R04",
        surcharge=True,
    ),
    cites="DW-083",
)
rules.add(
    BUILDS,
    "city",
    Build(
        title="a city",
        hexes=_city_hexes,
        refusal=_later_city_refusal,
        price=_city_price,
        place=_place_city,
        reach="link",
        purchases=lambda position: (
            position.slot(COSTS)["costs"].purchases_with_city if position.options(WestOptions).rails_at_builder else 0
        ),
        cites="DW-R06",
    ),
    cites="DW-083",
)
