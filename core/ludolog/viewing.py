"""What each seat knows and was told: views and feeds, folded from the seat's own facts when somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from ludolog.folding import Fold
from ludolog.frame import Redone, Undone
from ludolog.journal import Journal
from ludolog.position import Position
from ludolog_events import Event, Seat, told

__all__ = ["FeedItem", "Retracted", "Views"]


class Retracted(msgspec.Struct, frozen=True, kw_only=True, tag="ludolog/retracted", tag_field="type"):
    """What a seat is told of an undo: the numbers in its own feed that no longer count.

    ``by`` is empty for the host. ``restored`` lists numbers that count again after a redo.
    """

    by: Seat
    numbers: tuple[int, ...] = ()
    restored: tuple[int, ...] = ()


class FeedItem(msgspec.Struct, frozen=True, kw_only=True):
    """One thing a seat was told, numbered from 1 for that seat alone."""

    number: int
    event: Event | Retracted


class Views:
    """Views of one table.

    Args:
        journal: The table's log.
        start: What a seat knew before the first batch of this log.
    """

    def __init__(self, journal: Journal, start: Callable[[Seat | None], Position]) -> None:
        self._journal = journal
        self._start = start
        self._folds: dict[Seat | None, Fold] = {}

    def now(self, seat: Seat | None) -> Position:
        """What ``seat`` knows after the whole log."""
        fold = self._folds.get(seat)
        if fold is None:
            fold = self._folds[seat] = self._new(seat)
        fold.catch_up(self._journal.length)
        return fold.position

    def at(self, seat: Seat | None, length: int) -> Position:
        """What ``seat`` knew after ``length`` batches."""
        fold = self._new(seat)
        fold.catch_up(length)
        return fold.position

    def before(self, seat: Seat, number: int, length: int) -> Position:
        """What ``seat`` knew before batch ``number``, as the log stands after ``length`` batches."""
        fold = self._folds.get(seat)
        if fold is None or fold.length > length:
            fold = self._folds[seat] = self._new(seat)
        fold.catch_up(length)
        return fold.before(number)

    def feed(self, seat: Seat | None, number: int, length: int) -> Iterator[FeedItem]:
        """What ``seat`` was told by the first ``length`` batches, numbered from ``number + 1`` on.

        An undo is told to those whom it concerns, by the numbers of their own feed.
        """
        numbers: dict[int, tuple[int, ...]] = {}
        for facts in self._journal.facts(0, length):
            first = number
            for event in facts.events:
                fact = _retracted(event, seat, numbers) if isinstance(event, Undone | Redone) else told(event, seat)
                if fact is not None:
                    number += 1
                    yield FeedItem(number=number, event=fact)
            numbers[facts.number] = tuple(range(first + 1, number + 1))

    def _new(self, seat: Seat | None) -> Fold:
        return Fold(self._start(seat), self._journal.facts, seat)


def _retracted(event: Undone | Redone, seat: Seat | None, numbers: dict[int, tuple[int, ...]]) -> Retracted | None:
    touched = tuple(number for batch in event.batches for number in numbers.get(batch, ()))
    if not touched and seat != event.by:
        return None
    if isinstance(event, Undone):
        return Retracted(by=event.by, numbers=touched)
    return Retracted(by=event.by, restored=touched)
