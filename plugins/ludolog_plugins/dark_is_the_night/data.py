"""The board and the tokens, from ``rules.toml``: two closed rings, what faces what, and where bolts land."""

from __future__ import annotations

from importlib.resources import files
from typing import Final, Literal, TypeAlias

import msgspec

__all__ = [
    "APART",
    "CELLS",
    "DARK",
    "DIRECTIONS",
    "FACED",
    "HUNTERS_TOKENS",
    "INNER",
    "MONSTERS_TOKENS",
    "NEIGHBOURS",
    "RAYS",
    "SIDES",
    "SIDE_OF",
    "STABBED",
    "TOWARD",
    "WALKS",
    "Direction",
    "Ray",
]

Direction: TypeAlias = Literal["North", "East", "South", "West"]


class _Rings(msgspec.Struct):
    inner: tuple[str, ...]
    outer: tuple[int, ...]


class _Tokens(msgspec.Struct):
    hunter: tuple[str, ...]
    monster: tuple[str, ...]


class _Outer(msgspec.Struct):
    space: int
    side: Direction
    row: int
    col: int
    neighbours: tuple[int, int]
    faces: str


class _Inner(msgspec.Struct):
    space: str
    row: int
    col: int
    neighbours: tuple[str, str]
    faces: tuple[int, ...]


class Ray(msgspec.Struct, frozen=True, rename={"start": "from"}):
    """Where a bolt from an inner space lands; ``distance`` counts spaces from the Hunter, the last one included."""

    start: str
    direction: Direction
    lands_on: int
    distance: int
    through_fire: bool


class _Data(msgspec.Struct):
    rings: _Rings
    tokens: _Tokens
    outer: tuple[_Outer, ...]
    inner: tuple[_Inner, ...]
    ray: tuple[Ray, ...]


_DATA: Final = msgspec.toml.decode(
    files("ludolog_plugins.dark_is_the_night").joinpath("rules.toml").read_bytes(), type=_Data
)

INNER: Final = _DATA.rings.inner
"""The eight spaces round the fire, clockwise from the north-west (DN-R32)."""

DARK: Final = _DATA.rings.outer
"""The twelve dark spaces, clockwise from the north-west (DN-R1)."""

HUNTERS_TOKENS: Final = _DATA.tokens.hunter
MONSTERS_TOKENS: Final = _DATA.tokens.monster

WALKS: Final[dict[str, tuple[str, ...]]] = {found.space: found.neighbours for found in _DATA.inner}
"""Neighbours of an inner space."""

NEIGHBOURS: Final[dict[int, tuple[int, int]]] = {found.space: found.neighbours for found in _DATA.outer}
"""Neighbours of a dark space: the one before it and the one after it, clockwise (DN-R2)."""

STABBED: Final[dict[str, tuple[int, ...]]] = {found.space: found.faces for found in _DATA.inner}
"""Dark spaces next to an inner space: one, or two at a corner (DN-41)."""

FACED: Final[dict[int, str]] = {found.space: found.faces for found in _DATA.outer}
"""The inner space next to a dark space (DN-70)."""

SIDE_OF: Final[dict[int, Direction]] = {found.space: found.side for found in _DATA.outer}

SIDES: Final[dict[str, tuple[int, ...]]] = {
    side: tuple(space for space in DARK if SIDE_OF[space] == side) for side in SIDE_OF.values()
}

DIRECTIONS: Final[tuple[Direction, ...]] = ("North", "East", "South", "West")

RAYS: Final[dict[tuple[str, str], Ray]] = {(found.start, found.direction): found for found in _DATA.ray}

CELLS: Final[dict[int | str, tuple[int, int]]] = {
    **{found.space: (found.row, found.col) for found in _DATA.outer},
    **{found.space: (found.row, found.col) for found in _DATA.inner},
}
"""Row and column of each space in the square of 5 by 5, for pictures."""


def _apart(one: int, other: int) -> int:
    round_one_way = (DARK.index(one) - DARK.index(other)) % len(DARK)
    return min(round_one_way, len(DARK) - round_one_way)


APART: Final = {(one, other): _apart(one, other) for one in DARK for other in DARK}
"""How many steps two dark spaces are apart, the shorter way round: 0 to 6 (DN-R17)."""

TOWARD: Final[dict[tuple[int, int], tuple[int, ...]]] = {
    (one, other): (one,)
    if one == other
    else tuple(near for near in NEIGHBOURS[one] if APART[near, other] < APART[one, other])
    for one in DARK
    for other in DARK
}
"""Where a step from one dark space toward another leads: two ways at distance 6, and no step at distance 0."""
