"""What it takes to reach a hex: how many new links, over which hexes, with how much rugged ground."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ludolog import Position, Seat, derived
from ludolog_plugins.dark_horse_west.board import (
    all_hexes,
    blocked,
    ground,
    grounds,
    layout_of,
    neighbours,
    network,
    ordered,
)
from ludolog_plugins.dark_horse_west.state import Board, Hex

__all__ = ["Way", "free_links", "new_links", "rugged_link", "ways_to"]


class Way(NamedTuple):
    """A way to a hex: its number of new links, and how many of them touch rugged ground."""

    links: int
    rugged: int


@derived
def _taken(position: Position) -> frozenset[tuple[Hex, Hex]]:
    return frozenset((link.a, link.b) for link in position[Board].links)


def rugged_link(position: Position, a: Hex, b: Hex) -> bool:
    """Whether a link touches a rugged hex (DW-R13)."""
    return ground(position, a).rugged or ground(position, b).rugged


def free_links(position: Position, seat: Seat, start: frozenset[Hex] | tuple[Hex, ...]) -> Iterator[tuple[Hex, Hex]]:
    """Links (from, to) that nobody has and that the seat may lay from ``start`` (DW-R07)."""
    ways = _open_ways(position, seat)
    for a in sorted(start):
        for b in ways.get(a, ()):
            yield a, b


@derived
def _open_ways(position: Position, seat: Seat) -> Mapping[Hex, tuple[Hex, ...]]:
    """For every hex, the neighbours to which the seat may lay a link that nobody has (DW-R07)."""
    layout = layout_of(position)
    taken = _taken(position)
    every = all_hexes(layout)
    open_ = {hex_ for hex_ in every if blocked(position, seat, hex_, "link") is None}
    return {a: tuple(b for b in neighbours(layout, a) if b in open_ and ordered(a, b) not in taken) for a in every}


@derived
def new_links(position: Position, seat: Seat) -> tuple[tuple[Hex, Hex], ...]:
    """Links that join the seat's network, each once, the smaller hex first (DW-R07)."""
    return tuple(sorted({ordered(a, b) for a, b in free_links(position, seat, network(position, seat))}))


@derived
def ways_to(
    position: Position,
    seat: Seat,
    start: frozenset[Hex] | tuple[Hex, ...],
    most: int,
    without: tuple[Hex, Hex] | None,
) -> Mapping[Hex, tuple[Way, ...]]:
    """For every hex within ``most`` new links of ``start``, the cheapest way of each length.

    No way uses the link ``without``.
    """
    found: dict[Hex, list[Way]] = {}
    edge: dict[Hex, int] = dict.fromkeys(start, 0)
    open_ways = _open_ways(position, seat)
    closed = () if without is None else (without, without[::-1])
    rough = {hex_ for hex_, there in grounds(position).items() if there.rugged}
    for length in range(1, most + 1):
        grown: dict[Hex, int] = {}
        for a, before in edge.items():
            for b in open_ways[a]:
                if b in start or (a, b) in closed:
                    continue
                rugged = before + (a in rough or b in rough)
                if rugged < grown.get(b, 99):
                    grown[b] = rugged
        for hex_, rugged in grown.items():
            found.setdefault(hex_, []).append(Way(length, rugged))
        edge = grown
    return {hex_: tuple(ways) for hex_, ways in found.items()}
