"""Production: what hexes with towns yield."""

from __future__ import annotations

from collections.abc import Iterator

from ludolog import Event, Now, Position, Seat, derived
from ludolog_plugins.dark_horse_west.board import Grounds, grounds
from ludolog_plugins.dark_horse_west.events import HexProduced, Produced
from ludolog_plugins.dark_horse_west.goods import RESOURCE_TOKENS, RESOURCES, granted
from ludolog_plugins.dark_horse_west.slots import YIELDS
from ludolog_plugins.dark_horse_west.state import Board

__all__ = ["produce", "yields_of"]


def yields_of(position: Position | Now, seat: Seat, resource: str) -> tuple[tuple[tuple[int, int], int], ...]:
    """What the seat's towns on hexes of one resource would yield: (hex, number)."""
    at = position.position if isinstance(position, Now) else position
    return _yields_of(at, seat, resource, grounds(at))


@derived
def _yields_of(
    position: Position, seat: Seat, resource: str, there: Grounds
) -> tuple[tuple[tuple[int, int], int], ...]:
    found: list[tuple[tuple[int, int], int]] = []
    for town in position[Board].towns:
        if town.seat == seat and there[town.hex].resource == resource:
            n = 1
            for change in position.slot(YIELDS).values():
                n = change(position, seat, town.hex, resource, n)
            found.append((town.hex, n))
    return tuple(found)


def produce(now: Now, seat: Seat, resources: tuple[str, ...]) -> Iterator[Event]:
    """Every own town on a hex of these resources produces; this is production of a hex (DW-107, DW-R62)."""
    for resource in resources:
        yields = yields_of(now, seat, resource)
        for hex_, n in yields:
            given = granted(now, RESOURCES, RESOURCE_TOKENS, n)
            if given:
                yield HexProduced(seat=seat, hex=hex_, resource=resource, n=given)
        if yields:
            yield Produced(seat=seat, resource=resource)
