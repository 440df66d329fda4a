"""Values that carry a mark: planted in every secret field, followed wherever the rules move them.

A marked value is equal to the plain one and works like it, so the rules play on as before. What is made from it by
adding and joining carries its marks too. While marks are *loud*, writing a marked value into a text writes its mark
instead, so that a secret in a sentence, a picture or a line of a log is seen even where the value itself is common.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Generator
from typing import Any, Final, TypeVar, cast

import msgspec

from ludolog.chance import Chance
from ludolog_events import Seat

__all__ = ["Mark", "MarkedChance", "MarkedNumber", "MarkedText", "Marks", "loud", "marks_of", "plain", "planted"]

T = TypeVar("T")
Marks = frozenset["Mark"]

_OPEN, _CLOSE = "\u27e6secret ", "\u27e7"
_WRITTEN: Final = re.compile(f"{_OPEN}([0-9, ]+){_CLOSE}")
_loud: Final = [False]


class Mark:
    """One secret: where it was planted, and who knows it."""

    _all: Final[list[Mark]] = []

    def __init__(self, source: str = "", batch: int = 0, knowers: frozenset[Seat] = frozenset()) -> None:
        self.source = source
        self.batch = batch
        self.knowers = knowers
        self.open = False
        """Whether everyone knows it."""
        self.number = len(Mark._all)
        Mark._all.append(self)

    def known_to(self, seat: Seat | None) -> bool:
        """Whether ``seat`` (``None``: a viewer without a seat) knows it."""
        return self.open or seat in self.knowers

    @property
    def fresh(self) -> bool:
        """Whether it was only drawn, and stood in no event yet."""
        return not self.source

    def __str__(self) -> str:
        """Where it comes from."""
        return f"{self.source} of batch {self.batch}" if self.source else "a draw from chance"

    @staticmethod
    def written_in(text: str) -> tuple[Mark, ...]:
        """Marks that loud values have left in a text."""
        numbers = [int(number) for found in _WRITTEN.findall(text) for number in found.split(",")]
        return tuple(Mark._all[number] for number in numbers if number < len(Mark._all))

    @staticmethod
    def forget_all() -> None:
        """Begin to count anew; values marked before must be gone."""
        Mark._all.clear()


@contextlib.contextmanager
def loud() -> Generator[None]:
    """Let marked values write their marks into texts."""
    _loud[0] = True
    try:
        yield
    finally:
        _loud[0] = False


def _written(marks: Marks) -> str:
    return f"{_OPEN}{','.join(str(mark.number) for mark in sorted(marks, key=lambda mark: mark.number))}{_CLOSE}"


class MarkedText(str):
    """A text with marks; ``derived`` if it was made from marked values, not moved."""

    __slots__ = ("derived", "marks")
    marks: Marks
    derived: bool

    def __str__(self) -> str:
        """The text; its marks while they are loud."""
        return _written(self.marks) if _loud[0] else str.__str__(self)

    def __repr__(self) -> str:
        """The same."""
        return _written(self.marks) if _loud[0] else str.__repr__(str.__str__(self))

    def __format__(self, spec: str) -> str:
        """The same."""
        return _written(self.marks) if _loud[0] else str.__format__(str.__str__(self), spec)

    def __radd__(self, other: str) -> str:
        """A longer text with the marks of both."""
        return text(str.__add__(other, self), self.marks | marks_of(other), derived=True)

    def __hash__(self) -> int:
        """As the plain text."""
        return str.__hash__(self)

    def __eq__(self, other: object) -> bool:
        """As the plain text."""
        return str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        """As the plain text."""
        return str.__ne__(self, other)


class MarkedNumber(int):
    """A number with marks; ``derived`` if it was made from marked values, not moved."""

    marks: Marks
    derived: bool

    def __str__(self) -> str:
        """The digits; its marks while they are loud."""
        return _written(self.marks) if _loud[0] else int.__repr__(self)

    def __repr__(self) -> str:
        """The same."""
        return _written(self.marks) if _loud[0] else int.__repr__(self)

    def __format__(self, spec: str) -> str:
        """The same."""
        return _written(self.marks) if _loud[0] else int.__format__(self, spec)

    def __hash__(self) -> int:
        """As the plain number."""
        return int.__hash__(self)

    def __eq__(self, other: object) -> bool:
        """As the plain number."""
        return int.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        """As the plain number."""
        return int.__ne__(self, other)


def _carrying(kind: type, name: str) -> Callable[..., Any]:
    """A method of ``kind`` whose results carry the marks of what they are made from."""
    plain_one: Callable[..., Any] = getattr(kind, name)

    def operate(self: MarkedText | MarkedNumber, *others: Any) -> Any:  # noqa: ANN401 - as the plain one does
        return _derived(plain_one(self, *others), self.marks.union(*map(marks_of, others)))

    operate.__name__ = name
    return operate


def _derived(result: Any, marks: Marks) -> Any:  # noqa: ANN401 - what a method of str or int gives
    if type(result) is int:
        return number(result, marks, derived=True)
    if type(result) is str:
        return text(result, marks, derived=True)
    if type(result) in {tuple, list}:
        return type(result)(_derived(item, marks) for item in result)
    return result


for _name in ("add", "sub", "mul", "floordiv", "mod", "lshift", "rshift", "and", "or", "xor"):
    for _side in (f"__{_name}__", f"__r{_name}__"):
        setattr(MarkedNumber, _side, _carrying(int, _side))
for _name in ("__neg__", "__abs__", "__pos__"):
    setattr(MarkedNumber, _name, _carrying(int, _name))
for _name in (
    *("__add__", "__getitem__", "partition", "rpartition", "split", "removeprefix", "removesuffix", "strip"),
    *("lower", "upper", "title", "capitalize", "replace"),
):
    setattr(MarkedText, _name, _carrying(str, _name))


def text(value: str, marks: Marks, *, derived: bool = False) -> str:
    """``value`` with ``marks``."""
    marked = MarkedText(str.__str__(value))
    marked.marks, marked.derived = marks, derived
    return marked


def number(value: int, marks: Marks, *, derived: bool = False) -> int:
    """``value`` with ``marks``."""
    marked = MarkedNumber(value)
    marked.marks, marked.derived = marks, derived
    return marked


def marks_of(value: object) -> Marks:
    """Marks of a value and of all that is in it."""
    if isinstance(value, MarkedText | MarkedNumber):
        return value.marks
    if isinstance(value, msgspec.Struct):
        return frozenset[Mark]().union(*(marks_of(getattr(value, name)) for name in value.__struct_fields__))
    if isinstance(value, tuple | list):
        return frozenset[Mark]().union(*map(marks_of, cast("tuple[object, ...]", value)))
    if isinstance(value, dict):
        return frozenset[Mark]().union(*map(marks_of, cast("dict[object, object]", value).values()))
    return frozenset()


def planted(value: T, mark: Callable[[], Mark]) -> T:
    """``value`` with a mark of its own on every text and number in it that has none yet."""
    return cast("T", _planted(value, mark))


def _planted(value: Any, mark: Callable[[], Mark]) -> Any:  # noqa: ANN401 - any plain value
    if type(value) is str:
        return text(value, frozenset({mark()})) if value else value
    if type(value) is int:
        return number(value, frozenset({mark()}))
    if isinstance(value, msgspec.Struct):
        changed = {name: _planted(getattr(value, name), mark) for name in value.__struct_fields__}
        return msgspec.structs.replace(value, **changed) if changed else value
    if isinstance(value, tuple):
        return tuple(_planted(item, mark) for item in cast("tuple[object, ...]", value))
    return value


def plain(value: T) -> T:
    """``value`` without any marks."""
    return cast("T", _plain(value))


def _plain(value: Any) -> Any:  # noqa: ANN401 - any plain value
    if isinstance(value, MarkedText):
        return str.__str__(value)
    if isinstance(value, MarkedNumber):
        return int(value)
    if isinstance(value, msgspec.Struct):
        changed = {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
        return msgspec.structs.replace(value, **changed) if changed else value
    if isinstance(value, tuple):
        return tuple(map(_plain, cast("tuple[object, ...]", value)))
    return value


class MarkedChance(Chance):
    """Chance whose outcomes are marked until an event says who is told them.

    Args:
        inner: The stream to draw from.
        mark: Gives a fresh mark.
    """

    __slots__ = ("_inner", "_mark")

    def __init__(self, inner: Chance, mark: Callable[[], Mark]) -> None:
        self._inner = inner
        self._mark = mark
        super().__init__(b"")

    @property
    def draws(self) -> str:
        """See :attr:`Chance.draws`."""
        return self._inner.draws

    def below(self, bound: int) -> int:
        """See :meth:`Chance.below`; every other draw is made of these."""
        return self._inner.below(int(bound))

    def roll(self, sides: int = 6) -> int:
        """See :meth:`Chance.roll`."""
        return planted(super().roll(sides), self._mark)

    def choose(self, items: Any) -> Any:  # noqa: ANN401 - as the stream does
        """See :meth:`Chance.choose`."""
        return planted(super().choose(items), self._mark)

    def shuffle(self, items: Any) -> Any:  # noqa: ANN401 - as the stream does
        """See :meth:`Chance.shuffle`."""
        return planted(super().shuffle(items), self._mark)

    def draw(self, items: Any, count: int) -> Any:  # noqa: ANN401 - as the stream does
        """See :meth:`Chance.draw`."""
        return planted(super().draw(items, int(count)), self._mark)
