"""Values compared leaf by leaf, so that a difference has a name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, TypeAlias, cast

import msgspec

from ludolog.position import Position
from ludolog_events import Event

__all__ = ["Difference", "culprit", "difference", "leaves", "not_part_of", "position_difference", "state_leaves"]

Path: TypeAlias = str

_encode: Final = msgspec.msgpack.Encoder().encode


class Difference(NamedTuple):
    """Where two values differ first, and what stands there."""

    path: Path
    one: object
    other: object

    def __str__(self) -> str:
        """Such as ``3 against 4``."""
        return f"{self.one!r} against {self.other!r}"


def leaves(value: object, path: Path = "") -> Iterator[tuple[Path, object]]:
    """Every value that is no struct and no tuple, with its path such as ``"cards[1].name"``."""
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from leaves(getattr(value, name), f"{path}.{name}" if path else name)
    elif isinstance(value, tuple):
        for at, item in enumerate(cast("tuple[object, ...]", value)):
            yield from leaves(item, f"{path}[{at}]")
    else:
        yield path, value


def state_leaves(position: Position) -> Iterator[tuple[Path, object]]:
    """Leaves of all slices, with paths such as ``"Hands.cards[1]"``."""
    for kind, state in position.slices.items():
        yield from leaves(state, kind.__name__)


def difference(one: Any, other: Any, path: Path = "") -> Difference | None:  # noqa: ANN401 - any values
    """First difference in value or type; ``None`` if there is none."""
    if one is other or _same(one, other):
        return None
    if type(one) is not type(other):
        return Difference(path, one, other)
    if isinstance(one, msgspec.Struct):
        for name in one.__struct_fields__:
            found = difference(getattr(one, name), getattr(other, name), f"{path}.{name}" if path else name)
            if found is not None:
                return found
        return None
    if isinstance(one, tuple):
        return _difference_of_tuples(
            cast("tuple[object, ...]", one), cast("tuple[object, ...]", other), path, difference
        )
    return None if one == other else Difference(path, one, other)


def _same(one: object, other: object) -> bool:
    """Whether two structs or tuples are surely the same in value and type; what has no bytes is looked into."""
    if not isinstance(one, msgspec.Struct | tuple) or one != other:
        return False
    try:
        # Equal values of different types, such as 1 and True, have different bytes.
        return _encode(one) == _encode(other)
    except TypeError:
        return False


def _difference_of_tuples(
    one: tuple[object, ...],
    other: tuple[object, ...],
    path: Path,
    compare: Callable[[Any, Any, Path], Difference | None],
) -> Difference | None:
    if len(one) != len(other):
        return Difference(path, one, other)
    for at, (item, another) in enumerate(zip(one, other, strict=True)):
        found = compare(item, another, f"{path}[{at}]")
        if found is not None:
            return found
    return None


def position_difference(one: Position, other: Position) -> Difference | None:
    """First difference of two positions of one ruleset."""
    for kind, state in one.slices.items():
        found = difference(state, other.slices[kind], kind.__name__)
        if found is not None:
            return found
    return None


def not_part_of(view: Any, full: Any, path: Path = "") -> Difference | None:  # noqa: ANN401 - any values
    """First place where ``view`` says something else than ``full``; where it holds ``None``, it says nothing."""
    if view is None or view is full:
        return None
    if isinstance(view, msgspec.Struct) and type(view) is type(full):
        fields = () if view == full else view.__struct_fields__
        parts = (
            not_part_of(getattr(view, name), getattr(full, name), f"{path}.{name}" if path else name) for name in fields
        )
        return next((found for found in parts if found is not None), None)
    if isinstance(view, tuple) and isinstance(full, tuple):
        if view == full:
            return None
        return _difference_of_tuples(
            cast("tuple[object, ...]", view), cast("tuple[object, ...]", full), path, not_part_of
        )
    return difference(view, full, path)


def culprit(position: Position, events: tuple[Event, ...], path: Path) -> str:
    """Name of the event, folded onto ``position``, that last touched the slice in which ``path`` lies."""
    name = ""
    for event in events:
        for reducer in position.ruleset.reducers_of(type(event)):
            if reducer.state.__name__ == path.partition(".")[0]:
                name = type(event).__name__
    return name or (type(events[-1]).__name__ if events else "")
