"""What follows from a position, computed once for the slices that it was read from.

A position is made of immutable slices, and most commands leave most of them as they are. So what a rule works out
from some of them (what a hex is now, how far a road reaches) stays true until one of those gives way to another::

    @derived
    def towns_of(position: Position, seat: Seat) -> tuple[Hex, ...]:
        return tuple(town.hex for town in position[Board].towns if town.seat == seat)

Nobody says which slices those are: they are noted while the function reads them, through all functions that it calls.
A function that needs only a part of a slice reads it by :meth:`Position.part`; then its results stay true until that
part gives way to another::

    @derived
    def worth(position: Position, seat: Seat) -> int:
        return sum(n for _, n in position.part(Goods, purse, seat))
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

Part: TypeAlias = tuple[type[State], Callable[..., Any], tuple[Any, ...]]
"""A part of a slice: which slice, the function that takes it, and that function's further arguments."""

Read: TypeAlias = dict[type[State] | Part, None]
"""What was read, in the order in which it was first."""


class _Noted(Mapping[type[State], Any]):
    """The slices of a position, noting which of them are read, as a whole or in part."""

    __slots__ = ("read", "slices")

    def __init__(self, slices: Slices) -> None:
        self.slices = slices
        self.read: Read = {}

    def __getitem__(self, kind: type[State]) -> Any:  # noqa: ANN401 - a slice of that type
        found = self.slices[kind]
        self.read[kind] = None
        return found

    def part(self, part: Part) -> Any:  # noqa: ANN401 - whatever its function takes
        """A part of a slice."""
        kind, pick, args = part
        found = pick(self.slices[kind], *args)
        self.read[part] = None
        return found

    def __iter__(self) -> Iterator[type[State]]:
        return iter(self.slices)

    def __len__(self) -> int:
        return len(self.slices)

    def copy(self) -> Slices:
        """All of them, as a dict."""
        return dict(self)


class _Results:
    """Results for one choice of further arguments, by viewer and identity of what was read.

    Each result stands beside what it was read from: as long as it is kept, no other object takes that identity.
    """

    __slots__ = ("kept", "kinds", "parts", "read")

    def __init__(self, read: Read) -> None:
        whole = tuple(kind for kind in read if isinstance(kind, type))
        self.kinds = whole
        self.parts: tuple[Part, ...] = tuple(
            part for part in read if not isinstance(part, type) and part[0] not in whole
        )
        self.read = read
        self.kept: dict[tuple[Any, ...], tuple[Any, tuple[Any, ...]]] = {}

    def of(self, slices: Slices) -> tuple[Any, ...]:
        """What the results hang on, as it is in these slices."""
        whole = tuple(map(slices.__getitem__, self.kinds))
        if not self.parts:
            return whole
        return (*whole, *[pick(slices[kind], *args) for kind, pick, args in self.parts])


class Memo:
    """What one function remembers in one ruleset: at most ``MOST`` results, of all arguments together."""

    __slots__ = ("by_args", "size")

    def __init__(self) -> None:
        self.by_args: dict[tuple[Any, ...], _Results] = {}
        self.size = 0

    def keep(self, args: tuple[Any, ...], read: Read) -> _Results:
        """Where to keep a result. Where more was read than ever before, those kept so far don't tell enough."""
        if self.size >= MOST:
            self.by_args.clear()
            self.size = 0
        self.size += 1
        results = self.by_args.get(args)
        if results is None or not read.keys() <= results.read.keys():
            before = results.read if results is not None else {}
            self.size -= len(results.kept) if results is not None else 0
            results = self.by_args[args] = _Results({**before, **read})
        return results


def derived(function: Callable[[Position, *Args], T]) -> Callable[[Position, *Args], T]:
    """Let a function of a position remember its results, for as long as the slices that it reads are the same objects.

    The function must be pure: of the same slices, viewer, options and arguments it makes the same result, which
    nobody changes. Further arguments must be hashable; a seat, a hex, a name. What it raises is not remembered.
    """

    @functools.wraps(function)
    def remembered(position: Position, *args: *Args) -> T:
        slices = position.slices
        given: Slices | _Noted = slices
        outer: Read | None = None
        if type(given) is _Noted:  # pyright: ignore[reportUnnecessaryComparison] - noted slices pose as a dict
            slices, outer = given.slices, given.read
        memo = position.ruleset.memos.get(remembered)
        results = memo.by_args.get(args) if memo is not None else None
        if results is not None:
            # The same as results.of(slices), for the usual case without another call.
            now = map(slices.__getitem__, results.kinds) if not results.parts else results.of(slices)
            found = results.kept.get((position.viewer, position.is_view, *map(id, now)))
            if found is not None:
                if outer is not None:
                    outer.update(results.read)
                result: T = found[0]
                return result
        return work_out(position, slices, args, outer)

    def work_out(position: Position, slices: Slices, args: tuple[*Args], outer: Read | None) -> T:
        noted = _Noted(slices)
        try:
            seen = Position(position.ruleset, cast("Slices", noted), position.viewer, position.is_view)
            result = function(seen, *args)
        finally:
            if outer is not None:
                outer.update(noted.read)
        results = position.ruleset.memos.setdefault(remembered, Memo()).keep(args, noted.read)
        read = results.of(slices)
        results.kept[position.viewer, position.is_view, *map(id, read)] = (result, read)
        return result

    return remembered
