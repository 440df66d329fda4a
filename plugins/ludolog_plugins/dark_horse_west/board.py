"""The map: geometry, what a hex is now, networks and access."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Final

from ludolog import Now, Position, Refusal, Seat, derived
from ludolog_plugins.dark_horse_west.options import WestOptions
from ludolog_plugins.dark_horse_west.reasons import no
from ludolog_plugins.dark_horse_west.slots import BLOCKS, GROUNDS, LAYOUT, START, Ground
from ludolog_plugins.dark_horse_west.state import Board, Hex, Tiles
from ludolog_plugins.dark_horse_west.tables import Layout

__all__ = [
    "Grounds",
    "access",
    "all_hexes",
    "blocked",
    "distance",
    "gap",
    "gap_refusal",
    "ground",
    "grounds",
    "hex_named",
    "layout_of",
    "linked_hexes",
    "name_of",
    "neighbours",
    "network",
    "occupied",
    "ordered",
    "pieces_done",
    "place_of",
    "reached",
]


NOWHERE: Final = Ground()
"""What lies beyond the map."""


def layout_of(position: Position | Now) -> Layout:
    """The map in play."""
    return position.slot(LAYOUT)["map"]


def name_of(hex_: Hex) -> str:
    """A hex as text: ``"3,-4"``."""
    return f"{hex_[0]},{hex_[1]}"


def hex_named(name: str) -> Hex | None:
    """The hex that ``name`` tells, or None."""
    q, comma, r = name.partition(",")
    try:
        return (int(q), int(r)) if comma else None
    except ValueError:
        return None


def distance(a: Hex, b: Hex) -> int:
    """Steps between two hexes (DW-R01)."""
    q, r = a[0] - b[0], a[1] - b[1]
    return max(abs(q), abs(r), abs(q + r))


def ordered(a: Hex, b: Hex) -> tuple[Hex, Hex]:
    """The ends of a link, the smaller first."""
    return (a, b) if a < b else (b, a)


@functools.cache
def _neighbourhood(layout: Layout) -> dict[Hex, tuple[Hex, ...]]:
    known = set(layout.all)
    return {
        (q, r): tuple((q + dq, r + dr) for dq, dr in layout.directions if (q + dq, r + dr) in known)
        for q, r in layout.all
    }


def neighbours(layout: Layout, hex_: Hex) -> tuple[Hex, ...]:
    """The hexes of the map beside one, clockwise from the top (DW-034)."""
    return _neighbourhood(layout).get(hex_, ())


@functools.cache
def _numbered(layout: Layout) -> dict[Hex, int]:
    """Numbers of the places of tiles."""
    return {hex_: number for number, hex_ in enumerate(layout.places)}


@functools.cache
def all_hexes(layout: Layout) -> tuple[Hex, ...]:
    """Every hex of the map."""
    return layout.all


@functools.cache
def gap(layout: Layout, a: Hex, b: Hex) -> int:
    """Most non-resource hexes that lie strictly inside one shortest path between two hexes (DW-R55)."""
    bare = set(layout.non_resource)
    best: dict[Hex, int] = {a: 0}
    for step in range(1, distance(a, b) + 1):
        reached_now: dict[Hex, int] = {}
        for at, count in best.items():
            for beside in neighbours(layout, at):
                if distance(a, beside) == step and distance(beside, b) == distance(a, b) - step:
                    inside = count + (beside in bare and beside != b)
                    reached_now[beside] = max(inside, reached_now.get(beside, 0))
        best = reached_now
    return best.get(b, 0)


def gap_refusal(position: Position, hex_: Hex, least: int, clause: str) -> Refusal | None:
    """Why a city on ``hex_`` would stand too near to another."""
    layout = layout_of(position)
    for city in position[Board].cities:
        between = gap(layout, city.hex, hex_)
        if between < least:
            return no(
                "city-too-near",
                f"Between {name_of(hex_)} and the city on {name_of(city.hex)} lie {between} hexes without resource; "
                f"{least} must.",
                clause,
                city=city.hex,
                between=between,
                least=least,
            )
    return None


# ------------------------------------------------------------ hexes


def place_of(position: Position | Now, hex_: Hex) -> int:
    """Number of a tile's place on ``hex_``; -1 if there is none."""
    return _numbered(layout_of(position)).get(hex_, -1)


def ground(position: Position, hex_: Hex) -> Ground:
    """What ``hex_`` is now: the printed map and all layers over it (DW-030)."""
    return grounds(position).get(hex_, NOWHERE)


class Grounds(dict[Hex, Ground]):
    """What each hex is, in the map's order; one object as long as nothing changes, so it may be remembered for."""

    __hash__ = object.__hash__  # type: ignore[assignment] # pyright: ignore[reportAssignmentType] - never changed

    def __eq__(self, other: object) -> bool:
        """Whether it is the same object."""
        return self is other


@derived
def grounds(position: Position) -> Grounds:
    """What each hex of the map is now, in the map's order (DW-030)."""
    there = position[Tiles]
    face_up = tuple((tile or "") if shown else "" for tile, shown in zip(there.tiles, there.shown, strict=True))
    found = _printed(layout_of(position), face_up)
    for layer in position.slot(GROUNDS).values():
        changed = {hex_: layer(position, hex_, below) for hex_, below in found.items()}
        if any(changed[hex_] is not below for hex_, below in found.items()):
            found = Grounds(changed)
    return found


@functools.lru_cache(maxsize=1000)
def _printed(layout: Layout, face_up: tuple[str, ...]) -> Grounds:
    """The printed map: towns on resource places, cities elsewhere (DW-105, DW-106, DW-R03).

    ``face_up`` tells the resource of the tile on each place, ``""`` where it lies face down.
    """
    found = dict.fromkeys(layout.all, Ground(city=True))
    for place, hex_ in enumerate(layout.places):
        resource = face_up[place] if place < len(face_up) else ""
        found[hex_] = Ground(resource=resource, towns=1, rugged=hex_ in layout.rugged)
    return Grounds(found)


def occupied(position: Position, hex_: Hex) -> bool:
    """Whether a town or city stands on ``hex_``."""
    board = position[Board]
    return any(piece.hex == hex_ for piece in board.cities) or any(piece.hex == hex_ for piece in board.towns)


def blocked(position: Position, seat: Seat, hex_: Hex, what: str) -> Refusal | None:
    """Why ``"first-city"``, ``"city"``, ``"town"`` or ``"link"`` can't go on ``hex_``, by every block in play."""
    for block in position.slot(BLOCKS).values():
        refusal = block(position, seat, hex_, what)
        if refusal is not None:
            return refusal
    return None


# ------------------------------------------------------------ networks


@derived
def reached(position: Position, seat: Seat) -> frozenset[Hex]:
    """Ends of the seat's links (DW-R65)."""
    return frozenset(end for link in position[Board].links if link.seat == seat for end in (link.a, link.b))


@derived
def network(position: Position, seat: Seat) -> frozenset[Hex]:
    """Hexes that a new link of the seat may share: own cities, towns and ends of links (DW-R07)."""
    board = position[Board]
    pieces = {piece.hex for piece in (*board.cities, *board.towns) if piece.seat == seat}
    return reached(position, seat) | pieces


@derived
def access(position: Position, seat: Seat) -> frozenset[Hex]:
    """Hexes next to an own city or at an end of an own link (DW-R65)."""
    layout = layout_of(position)
    beside = {hex_ for city in position[Board].cities if city.seat == seat for hex_ in neighbours(layout, city.hex)}
    return reached(position, seat) | beside


def linked_hexes(position: Position, seat: Seat, start: Iterable[Hex]) -> frozenset[Hex]:
    """Hexes joined to ``start`` by the seat's links, ``start`` included."""
    return _linked(position, seat, tuple(start))


@derived
def _linked(position: Position, seat: Seat, start: tuple[Hex, ...]) -> frozenset[Hex]:
    links = [link for link in position[Board].links if link.seat == seat]
    found = set(start)
    grown = True
    while grown:
        grown = False
        for link in links:
            if (link.a in found) != (link.b in found):
                found |= {link.a, link.b}
                grown = True
    return frozenset(found)


def first_city_gap(position: Position) -> int:
    """The gap that first cities keep where the map allows it (DW-R55)."""
    return position.options(WestOptions).first_city_gap


@derived
def pieces_done(position: Position) -> tuple[Seat, ...]:
    """Seats that have built all own cities and towns (DW-120)."""
    kit = position.slot(START)["start"]
    board = position[Board]
    if len(board.cities) + len(board.towns) < kit.cities + kit.towns:
        return ()
    return tuple(
        seat
        for seat in position.seats
        if sum(piece.seat == seat for piece in board.cities) >= kit.cities
        and sum(piece.seat == seat for piece in board.towns) >= kit.towns
    )
