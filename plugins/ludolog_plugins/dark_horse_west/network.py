"""What it takes to reach a hex: how many new links, over which hexes, with how much rugged ground."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ludolog import Position, Seat
from ludolog_plugins.dark_horse_west.board import blocked, ground, layout_of, neighbours, network, ordered
from ludolog_plugins.dark_horse_west.state import Board, Hex

__all__ = ["Way", "free_links", "new_links", "rugged_link", "ways_to"]


class Way(NamedTuple):
    """A way to a hex: its number of new links, and how many of those that are paid for touch rugged ground."""

    links: int
    rugged: int


def _taken(position: Position) -> frozenset[tuple[Hex, Hex]]:
    return frozenset((link.a, link.b) for link in position[Board].links)


def rugged_link(position: Position, a: Hex, b: Hex) -> bool:
    """Whether a link touches a rugged hex (DW-R13)."""
    return ground(position, a).rugged or ground(position, b).rugged


def free_links(position: Position, seat: Seat, start: frozenset[Hex] | tuple[Hex, ...]) -> Iterator[tuple[Hex, Hex]]:
    """Links (from, to) that nobody has and that the seat may lay from ``start`` (DW-R07)."""
    layout = layout_of(position)
    taken = _taken(position)
    for a in sorted(start):
        for b in neighbours(layout, a):
            if ordered(a, b) not in taken and blocked(position, seat, b, "link") is None:
                yield a, b


def new_links(position: Position, seat: Seat) -> tuple[tuple[Hex, Hex], ...]:
    """Links that join the seat's network, each once, the smaller hex first (DW-R07)."""
    return tuple(sorted({ordered(a, b) for a, b in free_links(position, seat, network(position, seat))}))


def ways_to(
    position: Position,
    seat: Seat,
    start: frozenset[Hex] | tuple[Hex, ...],
    most: int,
    free: int,
    without: tuple[Hex, Hex] | None = None,
) -> dict[Hex, tuple[Way, ...]]:
    """For every hex within ``most`` new links of ``start``, the cheapest way of each length.

    The first ``free`` links of a way are paid for by an Engineer token, surcharge included (DW-R23). No way uses the
    link ``without``.
    """
    found: dict[Hex, list[Way]] = {}
    edge: dict[Hex, int] = dict.fromkeys(start, 0)
    for length in range(1, most + 1):
        grown: dict[Hex, int] = {}
        for a, b in free_links(position, seat, tuple(edge)):
            if ordered(a, b) == without:
                continue
            rugged = edge[a] + (length > free and rugged_link(position, a, b))
            if b not in start and rugged < grown.get(b, 99):
                grown[b] = rugged
        for hex_, rugged in grown.items():
            found.setdefault(hex_, []).append(Way(length, rugged))
        edge = grown
    return {hex_: tuple(ways) for hex_, ways in found.items()}
