"""What each seat knows and was told: views and feeds, folded from the seat's own facts when somebody asks."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import partial

import msgspec

from ludolog.folding import Facts, Fold
from ludolog.frame import Redone, Undone
from ludolog.journal import Journal
from ludolog.loading import Loading
from ludolog.position import Position
from ludolog.story import turned_back
from ludolog_events import Event, Seat, told

__all__ = ["FeedItem", "Retracted", "Views", "told_by"]


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
    """Views and feeds of one table, each kept up as somebody asks for it.

    Args:
        journal: The table's log.
        start: What a seat knew before the first batch of this log.
        snapshots: Begin from the views in the table's snapshots.
    """

    def __init__(self, journal: Journal, start: Callable[[Seat | None], Position], *, snapshots: bool = False) -> None:
        self._journal = journal
        self._start = start
        self._snapshots = snapshots
        self._folds: dict[Seat | None, Fold] = {}
        self._told: dict[Seat | None, array[int]] = {}
        self._read: dict[Seat | None, Fold] = {}

    def now(self, seat: Seat | None) -> Position:
        """What ``seat`` knows after the whole log."""
        fold = self._folds.get(seat)
        if fold is None:
            fold = self._folds[seat] = self._new(seat, self._journal.length)
        fold.catch_up(self._journal.length)
        return fold.position

    def asked(self, length: int) -> dict[Seat | None, Position]:
        """The views after ``length`` batches that somebody has asked for; none if the log has another length now."""
        return {seat: self.now(seat) for seat in self._folds} if length == self._journal.length else {}

    def at(self, seat: Seat | None, length: int) -> Position:
        """What ``seat`` knew after ``length`` batches."""
        fold = self._new(seat, length)
        fold.catch_up(length)
        return fold.position

    def before(self, seat: Seat | None, number: int, length: int) -> Position:
        """What ``seat`` knew before batch ``number``, as the log stands after ``length`` batches."""
        fold = self._folds.get(seat)
        if fold is None or fold.length > length:
            fold = self._folds[seat] = self._new(seat, length)
        fold.catch_up(length)
        return fold.before(number)

    def told(self, seat: Seat | None, length: int) -> int:
        """How many things ``seat`` was told by the first ``length`` batches."""
        counts = self._told.get(seat)
        if counts is None:
            counts = self._told[seat] = array("Q", [0])
        if len(counts) <= length:
            for facts in self._journal.facts(len(counts) - 1, length):
                counts.append(counts[-1] + sum(1 for _ in told_by(facts, seat, counts, 0)))
        return counts[length]

    def feed(self, seat: Seat | None, offset: int, length: int, after: int) -> Iterator[FeedItem]:
        """What ``seat`` was told by the first ``length`` batches, numbered from ``offset + 1`` on, after ``after``.

        An undo is told to those whom it concerns, by the numbers of their own feed.
        """
        if self.told(seat, length) + offset <= after:
            return
        counts = self._told[seat]
        first = bisect_right(counts, max(after - offset, 0)) - 1
        number = offset + counts[first]
        for facts in self._journal.facts(first, length):
            for event in told_by(facts, seat, counts, offset):
                number += 1
                if number > after:
                    yield FeedItem(number=number, event=event)

    def story(self, seat: Seat | None, offset: int, length: int, after: int) -> Iterator[tuple[FeedItem, str]]:
        """What :meth:`feed` gives, each with its sentence, told with what ``seat`` knew just then."""
        if self.told(seat, length) + offset <= after:
            return
        counts = self._told[seat]
        first = bisect_right(counts, max(after - offset, 0)) - 1
        fold = self._read.get(seat)
        if fold is None or fold.length > first:
            fold = self._read[seat] = self._new(seat, first)
        fold.catch_up(first)
        number = offset + counts[first]
        for facts in self._journal.facts(first, length):
            view = fold.position
            for event in told_by(facts, seat, counts, offset):
                number += 1
                if isinstance(event, Retracted):
                    sentence = _turned_back(facts, event, counts)
                else:
                    view = view.ruleset.fold(view, (event,))
                    sentence = view.ruleset.tell(view, event) if number > after else ""
                if number > after:
                    yield FeedItem(number=number, event=event), sentence
            fold.advance(facts, view)

    def _new(self, seat: Seat | None, length: int) -> Fold:
        """A fold that has come as far as a snapshot of at most ``length`` batches, or not begun yet."""
        if self._snapshots:
            fold = Loading(self._journal, partial(self._start, seat), seat).newest(length)
            if fold is not None:
                return fold
        return Fold(self._start(seat), self._journal.facts, seat)


def told_by(facts: Facts, seat: Seat | None, counts: array[int], offset: int) -> Iterator[Event | Retracted]:
    """What a batch tells ``seat``; ``counts`` says how many things it had been told before each batch."""
    for event in facts.events:
        if not isinstance(event, Undone | Redone):
            fact = told(event, seat)
            if fact is not None:
                yield fact
            continue
        numbers = tuple(
            offset + number for batch in event.batches for number in range(counts[batch] + 1, counts[batch + 1] + 1)
        )
        if numbers or seat == event.by:
            restores = isinstance(event, Redone)
            yield Retracted(by=event.by, numbers=() if restores else numbers, restored=numbers if restores else ())


def _turned_back(facts: Facts, told: Retracted, counts: array[int]) -> str:
    batches = {number for event in facts.events if isinstance(event, Undone | Redone) for number in event.batches}
    touched = sum(counts[number + 1] > counts[number] for number in batches)
    return turned_back(told.by, touched, restored=bool(told.restored))
