"""Improved Towns: a second town price on the hex of an own town raises its yield and scores a point.

Source: clauses RR-005, RR-179 to RR-184 and RR-220 of ``rebels_and_rogues.toml``, completed by RR-R31 and RR-R70.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from ludolog import Event, Now, Options, Position, Refusal, Rules, ScoreLine, Seat, State, Variant, hookimpl
from ludolog_plugins.dark_horse_west.board import ground, name_of
from ludolog_plugins.dark_horse_west.goods import RESOURCES
from ludolog_plugins.dark_horse_west.prices import changed_price, price_of
from ludolog_plugins.dark_horse_west.reasons import no
from ludolog_plugins.dark_horse_west.slots import (
    BUILDS,
    CONSERVED,
    COSTS,
    MAP_MARKS,
    MEASURES,
    SCORE_LINES,
    YIELDS,
    Build,
    Price,
)
from ludolog_plugins.dark_horse_west.state import Board, Hex, Piece

__all__ = ["ImprovedOptions", "ImprovedTowns", "TownImproved", "improvement_refusal", "ludolog_variant"]

SUPPLY = 2
"""Improved Towns of each resource (RR-R31)."""


class ImprovedOptions(Options, frozen=True):
    """What a table may settle in its own way (RR-R31)."""

    improved_yield: Literal[2, 3] = 2


rules = Rules("dark-horse-west/improved-towns", version=1, options=ImprovedOptions)

# ------------------------------------------------------------ state and event


@rules.state
class ImprovedTowns(State, frozen=True):
    """The Improved Towns on the map; the hex tells the resource."""

    towns: tuple[Piece, ...] = ()


class TownImproved(Event, frozen=True, tag="dark-horse-west/improved-towns/town-improved"):
    """An Improved Town was put onto a hex with an own town."""

    seat: Seat
    hex: Hex


@rules.reducer(cites="RR-182")
def town_improved(improved: ImprovedTowns, event: TownImproved) -> ImprovedTowns:
    """It lies under the town that is there (RR-182)."""
    return ImprovedTowns(towns=(*improved.towns, Piece(event.seat, event.hex)))


# ------------------------------------------------------------ building one


def improved_by(position: Position, seat: Seat) -> int:
    """How many Improved Towns a seat has."""
    return sum(piece.seat == seat for piece in position[ImprovedTowns].towns)


def own_town_hexes(position: Position, seat: Seat) -> tuple[Hex, ...]:
    """Hexes on which a town of the seat stands."""
    return tuple(town.hex for town in position[Board].towns if town.seat == seat)


def improvement_refusal(position: Position, seat: Seat, hex_: Hex, resource: str) -> Refusal | None:
    """Why an Improved Town of a resource can't go onto a hex (RR-182, RR-183, RR-R70)."""
    here = ground(position, hex_)
    if hex_ not in own_town_hexes(position, seat):
        return no("no-own-town", f"{seat} has no town on {name_of(hex_)}.", "RR-182", hex=hex_)
    if here.name:
        return no("special-hex", f"No Improved Town goes onto the {here.name}.", "RR-R70", hex=hex_, name=here.name)
    if here.resource != resource:
        sentence = f"{name_of(hex_)} produces {here.resource}, not {resource}."
        return no("other-resource", sentence, "RR-183", hex=hex_, produces=here.resource)
    return limit_refusal(position, seat, hex_, resource)


def limit_refusal(position: Position, seat: Seat, hex_: Hex, resource: str) -> Refusal | None:
    """Why there can't be one more: on this hex, of this seat, of this resource (RR-184, RR-R31)."""
    towns = position[ImprovedTowns].towns
    if any(piece.hex == hex_ for piece in towns):
        return no("improved-already", f"The town on {name_of(hex_)} is improved already.", "RR-R31", hex=hex_)
    cities = sum(city.seat == seat for city in position[Board].cities)
    mine = improved_by(position, seat)
    if mine >= cities:
        sentence = f"{seat} has {mine} Improved Towns and {cities} cities; one for each city is the limit."
        return no("one-for-each-city", sentence, "RR-184", improved=mine, cities=cities)
    if sum(ground(position, piece.hex).resource == resource for piece in towns) >= SUPPLY:
        return no("none-left", f"No Improved Town of {resource} is left.", "RR-R31", resource=resource)
    return None


def price_of_town(position: Position, seat: Seat, _hex: Hex) -> Price:
    """That of a town, without the rugged surcharge (RR-R31)."""
    return changed_price(position, seat, "town", price_of(position.slot(COSTS)["costs"].town))


def improve(_now: Now, seat: Seat, hex_: Hex) -> Iterator[Event]:
    """No town piece is placed (RR-182)."""
    yield TownImproved(seat=seat, hex=hex_)


def refusal_for(resource: str) -> Callable[[Position, Seat, Hex], Refusal | None]:
    """Why not, for the Improved Towns of one resource."""
    return lambda position, seat, hex_: improvement_refusal(position, seat, hex_, resource)


for _resource in RESOURCES:
    rules.add(
        BUILDS,
        f"improved-{_resource}",
        Build(
            title=f"an Improved Town of {_resource}",
            hexes=own_town_hexes,
            refusal=refusal_for(_resource),
            price=price_of_town,
            place=improve,
            reach="any",
            purchases=lambda _position: 0,
            cites="RR-181",
        ),
        cites="RR-181",
    )

# ------------------------------------------------------------ yield, score, picture, proof


def more(position: Position, seat: Seat, hex_: Hex, _resource: str, n: int) -> int:
    """The hex yields its owner 2 instead of 1 (RR-179, RR-R31)."""
    improved = Piece(seat, hex_) in position[ImprovedTowns].towns
    return n + position.options(ImprovedOptions).improved_yield - 1 if improved else n


def improved_line(position: Position, seat: Seat) -> tuple[ScoreLine, ...]:
    """Each scores 1 point (RR-180)."""
    n = improved_by(position, seat)
    return (ScoreLine(label=f"{n} Improved Towns", points=n, clause="RR-180"),)


def limits_kept(position: Position) -> str:
    """Two of each resource, each with an own town, one for each own city (RR-005, RR-184)."""
    towns = position[ImprovedTowns].towns
    kinds = [ground(position, piece.hex).resource for piece in towns]
    if any(kinds.count(kind) > (SUPPLY if kind else 0) for kind in kinds):
        return f"There are Improved Towns of {kinds}."
    if any(Piece(piece.seat, piece.hex) not in position[Board].towns for piece in towns):
        return f"An Improved Town lies without a town: {towns}."
    for seat in position.seats:
        if improved_by(position, seat) > sum(city.seat == seat for city in position[Board].cities):
            return f"{seat} has more Improved Towns than cities."
    return ""


rules.add(YIELDS, "improved-towns", more, cites="RR-179")
rules.add(SCORE_LINES, "improved-towns", improved_line, cites="RR-180")
rules.add(MEASURES, "improved", improved_by, cites="RR-180")
rules.add(
    MAP_MARKS,
    "improved-towns",
    lambda position: tuple((piece.hex, "Improved Town") for piece in position[ImprovedTowns].towns),
    cites="RR-182",
)
rules.add(CONSERVED, "improved-towns", limits_kept, cites="RR-005")


@rules.sentence
def _improved(_position: Position, event: TownImproved) -> str:
    return f"{event.seat} improves the town on {name_of(event.hex)}."


def load() -> Rules:
    """The rules."""
    return rules


@hookimpl
def ludolog_variant() -> Variant:
    """Manifest."""
    return Variant(
        id="dark-horse-west/improved-towns",
        title="Improved Towns",
        summary="A second town price on an own town hex raises its yield and scores 1 point; one per own city.",
        rules=load,
        clauses=("ludolog_plugins.dark_horse_west:rebels_and_rogues.toml",),
    )
