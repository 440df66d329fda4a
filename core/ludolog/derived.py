"""What follows from a position, computed once for the slices that it was read from.

A position is made of immutable slices, and most commands leave most of them as they are. So what a rule works out
from some of them (what a hex is now, how far a road reaches) stays true until one of those gives way to another::

    @derived
    def towns_of(position: Position, seat: Seat) -> tuple[Hex, ...]:
        return tuple(town.hex for town in position[Board].towns if town.seat == seat)

Nobody says which slices those are: they are noted while the function reads them, through all functions that it calls.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias, TypeVar, TypeVarTuple, cast

from ludolog.position import Position
from ludolog_events import State

__all__ = ["MOST", "Memo", "derived"]

T = TypeVar("T")
Args = TypeVarTuple("Args")

MOST: Final = 250
"""Results that are kept of one function in one ruleset; after so many it begins anew."""

Slices: TypeAlias = dict[type[State], Any]

Memo: TypeAlias = tuple[dict[type[State], None], dict[tuple[Any, ...], tuple[Any, tuple[Any, ...]]]]
"""The slices that a function has read so far, and results by further arguments, viewer, and identity of those slices.

Each result stands beside the slices themselves: as long as it is kept, no other object takes their identity.
"""


class _Noted(Mapping[type[State], Any]):
    """The slices of a position, noting which of them are read."""

    __slots__ = ("read", "slices")

    def __init__(self, slices: Slices) -> None:
        self.slices = slices
        self.read: dict[type[State], None] = {}

    def __getitem__(self, kind: type[State]) -> Any:  # noqa: ANN401 - a slice of that type
        found = self.slices[kind]
        self.read[kind] = None
        return found

    def __iter__(self) -> Iterator[type[State]]:
        return iter(self.slices)

    def __len__(self) -> int:
        return len(self.slices)

    def copy(self) -> Slices:
        """All of them, as a dict."""
        return dict(self)


def derived(function: Callable[[Position, *Args], T]) -> Callable[[Position, *Args], T]:
    """Let a function of a position remember its results, for as long as the slices that it reads are the same objects.

    The function must be pure: of the same slices, viewer, options and arguments it makes the same result, which
    nobody changes. Further arguments must be hashable; a seat, a hex, a name. What it raises is not remembered.
    """

    @functools.wraps(function)
    def remembered(position: Position, *args: *Args) -> T:
        slices = position.slices
        given: Slices | _Noted = slices
        outer: dict[type[State], None] | None = None
        if type(given) is _Noted:  # pyright: ignore[reportUnnecessaryComparison] - noted slices pose as a dict
            slices, outer = given.slices, given.read
        memo = position.ruleset.memos.get(remembered)
        if memo is not None:
            kinds, results = memo
            found = results.get((args, position.viewer, position.is_view, *map(id, map(slices.__getitem__, kinds))))
            if found is not None:
                if outer is not None:
                    outer.update(kinds)
                result: T = found[0]
                return result
        return work_out(position, slices, args, outer)

    def work_out(position: Position, slices: Slices, args: tuple[*Args], outer: dict[type[State], None] | None) -> T:
        noted = _Noted(slices)
        try:
            seen = Position(position.ruleset, cast("Slices", noted), position.viewer, position.is_view)
            result = function(seen, *args)
        finally:
            if outer is not None:
                outer.update(noted.read)
        kinds, results = _room(position.ruleset.memos, remembered, noted.read)
        read = tuple(map(slices.__getitem__, kinds))
        results[args, position.viewer, position.is_view, *map(id, read)] = (result, read)
        return result

    return remembered


def _room(memos: dict[Callable[..., Any], Memo], function: Callable[..., Any], read: dict[type[State], None]) -> Memo:
    """Where to keep a result. Where more slices were read than ever before, those kept so far don't tell enough."""
    memo = memos.get(function)
    if memo is None or not read.keys() <= memo[0].keys():
        memo = memos[function] = ({**(memo[0] if memo is not None else {}), **read}, {})
    elif len(memo[1]) >= MOST:
        memo[1].clear()
    return memo
