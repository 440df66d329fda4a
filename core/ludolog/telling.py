"""Telling the seats of a table what they are told, beside the table: nobody who plays waits for those who listen."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING

from ludolog.errors import BadPosition
from ludolog.journal import Journal
from ludolog.subscribing import Subscription
from ludolog.viewing import FeedItem, Views
from ludolog_events import Seat

if TYPE_CHECKING:
    from ludolog.reading import Reading

__all__ = ["Telling"]


class Telling:
    """The feeds of a table's seats as its store has them, whoever appended; kept up as somebody asks.

    It numbers as ``Table.feed`` does, from a journal and counts of its own, which all subscriptions of a table share.
    """

    def __init__(self, table: Reading) -> None:
        journal = table.journal
        self._journal = Journal(journal.store, journal.table, journal.ruleset, *journal.end)
        self._views = Views(self._journal, table.start)
        self._parent = None if table.parent is None else Telling(table.parent)
        self._fork = table.opened.forked[0].length if table.opened.forked else 0
        self._lock = threading.Lock()

    def subscribe(self, seat: Seat | None, after: int, timeout: float | None) -> Subscription[int, FeedItem]:
        """What ``seat`` is told after number ``after``."""

        def news(after: int, limit: int) -> list[FeedItem]:
            return self._news(seat, after, limit)

        return Subscription(news, attrgetter("number"), self._journal.store.wait, after, timeout)

    def _news(self, seat: Seat | None, after: int, limit: int) -> list[FeedItem]:
        with self._lock:
            self._catch_up()
            length = self._journal.length
            if limit == 0:
                _check(seat, after, self._told(seat, length))
            return list(islice(self._feed(seat, length, after), limit))

    def _catch_up(self) -> None:
        journal = self._journal
        for facts, head in journal.news(journal.length, journal.store.head(journal.table).length):
            journal.took(facts, head)

    def _feed(self, seat: Seat | None, length: int, after: int) -> Iterator[FeedItem]:
        if self._parent is not None:
            yield from self._parent._feed(seat, self._fork, after)  # noqa: SLF001 - another of its class
        yield from self._views.feed(seat, self._told_before(seat), length, after)

    def _told(self, seat: Seat | None, length: int) -> int:
        return self._told_before(seat) + self._views.told(seat, length)

    def _told_before(self, seat: Seat | None) -> int:
        """By the table that this one was forked from."""
        return 0 if self._parent is None else self._parent._told(seat, self._fork)  # noqa: SLF001 - as above


def _check(seat: Seat | None, after: object, told: int) -> None:
    """Refuse a position that would pass over things the seat is yet to be told."""
    if type(after) is not int or after < 0:
        raise BadPosition(after, "things told to a seat are numbered from 1, and 0 is the beginning")
    if after > told:
        raise BadPosition(after, f"{'a viewer' if seat is None else seat} was told {told} things so far")
