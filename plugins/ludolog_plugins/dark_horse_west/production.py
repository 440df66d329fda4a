"""Production: what hexes with towns yield."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ludolog import Event, Now, Position, Seat, derived
from ludolog_plugins.dark_horse_west.board import Grounds, grounds
from ludolog_plugins.dark_horse_west.events import HexProduced, Produced
from ludolog_plugins.dark_horse_west.goods import RESOURCE_TOKENS, RESOURCES, granted
from ludolog_plugins.dark_horse_west.slots import YIELDS
from ludolog_plugins.dark_horse_west.state import Board

__all__ = ["produce", "yields_of"]


Yields = tuple[tuple[tuple[int, int], int], ...]
"""Hexes with towns of a seat, and what each would yield."""


def yields_of(position: Position | Now, seat: Seat) -> Mapping[str, Yields]:
    """What the seat's towns would yield: (hex, number) of each, by resource."""
    at = position.position if isinstance(position, Now) else position
    return _yields_of(at, seat, grounds(at))


@derived
def _yields_of(position: Position, seat: Seat, there: Grounds) -> Mapping[str, Yields]:
    found: dict[str, list[tuple[tuple[int, int], int]]] = {resource: [] for resource in RESOURCES}
    for town in position[Board].towns:
        resource = there[town.hex].resource
        if town.seat == seat and resource in found:
            n = 1
            for change in position.slot(YIELDS).values():
                n = change(position, seat, town.hex, resource, n)
            found[resource].append((town.hex, n))
    return {resource: tuple(yields) for resource, yields in found.items()}


def produce(now: Now, seat: Seat, resources: tuple[str, ...]) -> Iterator[Event]:
    """Every own town on a hex of these resources produces; this is production of a hex (DW-107, DW-R62)."""
    for resource in resources:
        yields = yields_of(now, seat).get(resource, ())
        for hex_, n in yields:
            given = granted(now, RESOURCES, RESOURCE_TOKENS, n)
            if given:
                yield HexProduced(seat=seat, hex=hex_, resource=resource, n=given)
        if yields:
            yield Produced(seat=seat, resource=resource)
