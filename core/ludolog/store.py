"""Where logs are kept: the ``Store`` protocol, and the store in memory.

A store keeps bytes and promises their order; it neither decodes nor verifies them. Every store passes
``ludolog.testing.stores.store_contract``, which is the protocol's promises as tests.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import partial
from threading import Lock
from typing import NamedTuple, Protocol

import msgspec

from ludolog._memory_log import Log, compare, numbers
from ludolog.errors import BadPosition, StoreClosed, StoreFailed, TableExists, UnknownTable
from ludolog.feed_position import FeedPosition
from ludolog.subscribing import Subscription, follow
from ludolog.waking import Bell
from ludolog_events import shown

__all__ = ["KEPT_SNAPSHOTS", "Appended", "Head", "MemoryStore", "OpenStore", "Store", "StorePlugin", "Stored"]

KEPT_SNAPSHOTS = 8
"""How many snapshots of one table a store keeps: the newest ones."""


class Stored(NamedTuple):
    """One batch as a store keeps it."""

    number: int
    """The batch's place in its log, from 0."""
    payload: bytes
    """The batch's canonical bytes; opaque to the store."""
    head: bytes
    """SHA-256 of the payload, 32 bytes."""
    command_id: str | None = None
    """The caller's id of the command, unique in its table when given."""


class Head(NamedTuple):
    """The end of a log."""

    length: int
    """How many batches the log has."""
    head: bytes
    """The last batch's hash."""


class Appended(NamedTuple):
    """One batch in the feed across all tables of a store."""

    position: str
    """Where the feed goes on after this batch: opaque text, to be kept as it is."""
    table: str
    """The table's id."""
    stored: Stored
    """The batch."""


class Store(Protocol):
    """Keeps the logs of many tables; usable from several threads at once.

    Every error is one of the library's tree. Besides those named at each method: StoreBusy when another writer
    holds the store for too long, StoreFailed when reading or writing fails, StoreReadOnly, CorruptLog when what
    is stored can't be read, StoreClosed, UsedAfterFork.
    """

    def create(self, table: str, batches: Sequence[Stored], *, seed: bytes) -> None:
        """Store a new table with its first batches (at least one, numbered from 0) and its secret seed, or nothing.

        Raises:
            TableExists: the store has a table of this id.
        """
        ...

    def append(self, table: str, expected: int, batches: Sequence[Stored]) -> None:
        """Store batches, numbered from ``expected`` on, if the log has exactly ``expected`` now; all or nothing.

        They are durable when this returns. With no batch it only compares the length. After StoreFailed the
        outcome is unknown until the store is opened anew: ``find`` settles it by the command id.

        Raises:
            DuplicateCommand: a batch has this command id already (told in preference to a version conflict, so
                that a late retry learns what became of the first try).
            VersionConflict: the log has another length, or the batches aren't numbered from ``expected`` on.
            UnknownTable: the store has no such table.
        """
        ...

    def read(self, table: str, start: int = 0, stop: int | None = None) -> Iterator[Stored]:
        """Batches from number ``start`` up to ``stop`` (excluded; None: the end), in order, in blocks.

        Numbers the log doesn't have are an empty range. Nothing is locked between two blocks: the iterator may be
        abandoned, and batches appended meanwhile are delivered when ``stop`` lets them.

        Raises:
            UnknownTable: the store has no such table.
        """
        ...

    def payloads(self, table: str, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """Like ``read``, the payloads alone; the fast way to fold a log."""
        ...

    def head(self, table: str) -> Head:
        """The log's length and last hash, at a cost that doesn't grow with the log.

        Raises:
            UnknownTable: the store has no such table.
        """
        ...

    def find(self, table: str, command_id: str) -> Stored | None:
        """The batch that was stored under this command id.

        Raises:
            UnknownTable: the store has no such table.
        """
        ...

    def tables(self) -> tuple[str, ...]:
        """The ids of all tables, sorted."""
        ...

    def feed(self, after: str = "", limit: int = 1000) -> tuple[Appended, ...]:
        """Batches of all tables in the order in which they became visible, at most ``limit``, after a position.

        Each batch has one place for ever: whoever goes on from the last position it got is given every batch once,
        also one whose commit became visible late, and each table's batches in the order of its log. Batches are
        told as they are stored, secrets included: the feed is the host's. With ``limit=0`` it only looks at the
        position.

        Args:
            after: A position that this store gave; ``""``: the beginning.
            limit: How many batches at most.

        Raises:
            BadPosition: this store gave no such position, or what was there is gone.
        """
        ...

    def wait(self, timeout: float) -> bool:
        """Wait at most ``timeout`` seconds; True early when something was probably appended.

        Probably: since the calling thread's last ``wait`` on this store, by any thread or process. It is a wake-up
        and no more: what was appended is for ``feed`` or ``head`` to say, and whoever waits looks again after a
        while in any case.
        """
        ...

    def subscribe(self, after: str = "", *, timeout: float | None = None) -> Subscription[str, Appended]:
        """Follow the feed from a position on, see ``Subscription``; ``ludolog.subscribing.follow`` does it.

        Raises:
            BadPosition: see ``feed``.
        """
        ...

    def keep_snapshot(self, table: str, number: int, payload: bytes) -> None:
        """Keep a snapshot of the position after batch ``number``, in place of one of the same number.

        A snapshot is only ever a shortcut: one that can't be written is logged and forgotten, never an error, and
        only the newest ``KEPT_SNAPSHOTS`` of a table are kept.

        Raises:
            UnknownTable: the store has no such table.
        """
        ...

    def snapshot(self, table: str, at_most: int | None = None) -> tuple[int, bytes] | None:
        """The newest snapshot whose number is at most ``at_most`` (None: of any number), as it was kept.

        The store doesn't know a good snapshot from a bad one: whoever rejects one asks again with ``number - 1``.

        Raises:
            UnknownTable: the store has no such table.
        """
        ...

    def seed(self, table: str) -> bytes | None:
        """The table's secret seed, which is kept apart from the log; None if the store no longer has it.

        Raises:
            UnknownTable: the store has no such table.
        """
        ...

    def close(self) -> None:
        """Let go of files and connections; may be called again. Not needed for durability."""
        ...


class OpenStore(Protocol):
    """How a plugin opens its stores."""

    def __call__(self, spec: str, /, *, create: bool = True) -> Store:
        """Open the store that a path or URL names; without ``create``, one that doesn't exist is NotAStore."""
        ...


class StorePlugin(msgspec.Struct, frozen=True):
    """What a store plugin registers: its name, the URL schemes it serves, and how to open one of them."""

    name: str
    schemes: tuple[str, ...]
    open: OpenStore


class MemoryStore:
    """Logs in this process's memory, for as long as it lives. Nothing here can be busy, damaged or read-only."""

    def __init__(self) -> None:
        self._logs: dict[str, Log] | None = {}
        self._lock = Lock()
        self._all: list[Log] = []
        # Each batch's log and number in the order of appending, as one integer: a list of pairs would be long work
        # for the garbage collector.
        self._order = array("Q")
        self._bell = Bell()

    def create(self, table: str, batches: Sequence[Stored], *, seed: bytes) -> None:
        """See ``Store.create``."""
        with self._lock:
            logs = self._open()
            if table in logs:
                why = f"The store has a table {table!r} already."
                raise TableExists(why)
            if not batches:
                why = f"Table {table!r} can't be stored without its first batch."
                raise StoreFailed(why)
            log = Log(table, len(self._all), seed)
            compare(table, log, 0, batches)
            self._all.append(log)
            place = len(self._order)
            try:
                log.add(batches, self._order)
                logs[table] = log
            except BaseException:  # of a signal's handler
                logs.pop(table, None)
                del self._order[place:]
                raise
        self._bell.ring()

    def append(self, table: str, expected: int, batches: Sequence[Stored]) -> None:
        """See ``Store.append``."""
        with self._lock:
            log = self._log(table)
            compare(table, log, expected, batches)
            log.add(batches, self._order)
        self._bell.ring()

    def read(self, table: str, start: int = 0, stop: int | None = None) -> Iterator[Stored]:
        """See ``Store.read``."""
        log = self._log(table)
        return map(partial(_stored, log), numbers(log, start, stop))

    def payloads(self, table: str, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """See ``Store.payloads``."""
        log = self._log(table)
        return map(log.payloads.__getitem__, numbers(log, start, stop))

    def head(self, table: str) -> Head:
        """See ``Store.head``."""
        log = self._log(table)
        length = len(log.command_ids)
        return Head(length, log.heads[length - 1])

    def find(self, table: str, command_id: str) -> Stored | None:
        """See ``Store.find``."""
        log = self._log(table)
        number = log.numbers.get(command_id)
        return None if number is None else _stored(log, number)

    def tables(self) -> tuple[str, ...]:
        """See ``Store.tables``."""
        with self._lock:
            return tuple(sorted(self._open()))

    def feed(self, after: str = "", limit: int = 1000) -> tuple[Appended, ...]:
        """See ``Store.feed``."""
        start = FeedPosition.parse(after)
        with self._lock:
            self._open()
            first = 0 if start is None else start.number
            if first > len(self._order):
                raise BadPosition(after)
            order = self._order[max(first - 1, 0) : first + max(limit, 0)]
        found = [self._appended(place, entry) for place, entry in enumerate(order, max(first, 1))]
        if start is not None and found.pop(0).position != after:
            raise BadPosition(after)
        return tuple(found)

    def wait(self, timeout: float) -> bool:
        """See ``Store.wait``."""
        self._open()
        return self._bell.wait(timeout)

    def subscribe(self, after: str = "", *, timeout: float | None = None) -> Subscription[str, Appended]:
        """See ``Store.subscribe``."""
        return follow(self, after, timeout)

    def keep_snapshot(self, table: str, number: int, payload: bytes) -> None:
        """See ``Store.keep_snapshot``."""
        with self._lock:
            snapshots = self._log(table).snapshots
            snapshots[number] = payload
            for old in sorted(snapshots)[:-KEPT_SNAPSHOTS]:
                del snapshots[old]

    def snapshot(self, table: str, at_most: int | None = None) -> tuple[int, bytes] | None:
        """See ``Store.snapshot``."""
        with self._lock:
            snapshots = self._log(table).snapshots
            numbers = [number for number in snapshots if at_most is None or number <= at_most]
            return (max(numbers), snapshots[max(numbers)]) if numbers else None

    def seed(self, table: str) -> bytes | None:
        """See ``Store.seed``."""
        return self._log(table).seed

    def close(self) -> None:
        """See ``Store.close``."""
        self._logs = None
        self._bell.ring()

    def _appended(self, place: int, entry: int) -> Appended:
        log = self._all[entry >> 32]
        stored = _stored(log, entry & 0xFFFF_FFFF)
        return Appended(str(FeedPosition.of(place, stored.head)), log.name, stored)

    def _open(self) -> dict[str, Log]:
        if self._logs is None:
            why = "The store in memory was closed."
            raise StoreClosed(why)
        return self._logs

    def _log(self, table: str) -> Log:
        log = self._open().get(table)
        if log is None:
            why = f"The store has no table {shown(table)}."
            raise UnknownTable(why)
        return log


def _stored(log: Log, number: int) -> Stored:
    return Stored(number, log.payloads[number], log.heads[number], log.command_ids[number])
