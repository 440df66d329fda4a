"""Where logs are kept: the ``Store`` protocol, and the store in memory.

A store keeps bytes and promises their order; it neither decodes nor verifies them. Every store passes
``ludolog.testing.stores.store_contract``, which is the protocol's promises as tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Lock
from typing import NamedTuple, Protocol

import msgspec

from ludolog.errors import DuplicateCommand, StoreClosed, StoreFailed, TableExists, UnknownTable, VersionConflict

__all__ = ["KEPT_SNAPSHOTS", "Head", "MemoryStore", "OpenStore", "Store", "StorePlugin", "Stored"]

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


class _Log:
    """One table in memory; bytes in flat lists, which the garbage collector has no need to look into."""

    __slots__ = ("command_ids", "heads", "numbers", "payloads", "seed", "snapshots")

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self.payloads: list[bytes] = []
        self.heads: list[bytes] = []
        self.command_ids: list[str | None] = []
        self.numbers: dict[str, int] = {}
        self.snapshots: dict[int, bytes] = {}

    def add(self, batches: Sequence[Stored]) -> None:
        """Add all of them or, if a signal's handler raises in between, none."""
        length = len(self.command_ids)
        try:
            for number, payload, head, command_id in batches:
                self.payloads.append(payload)
                self.heads.append(head)
                # Readers take no lock: a number counts as stored once this list has it.
                self.command_ids.append(command_id)
                if command_id is not None:
                    self.numbers[command_id] = number
        except BaseException:
            for column in (self.command_ids, self.heads, self.payloads):
                del column[length:]
            for batch in batches:
                if batch.command_id is not None:
                    self.numbers.pop(batch.command_id, None)
            raise

    def at(self, number: int) -> Stored:
        return Stored(number, self.payloads[number], self.heads[number], self.command_ids[number])


class MemoryStore:
    """Logs in this process's memory, for as long as it lives. Nothing here can be busy, damaged or read-only."""

    def __init__(self) -> None:
        self._logs: dict[str, _Log] | None = {}
        self._lock = Lock()

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
            log = _Log(seed)
            _compare(table, log, 0, batches)
            log.add(batches)
            logs[table] = log

    def append(self, table: str, expected: int, batches: Sequence[Stored]) -> None:
        """See ``Store.append``."""
        with self._lock:
            log = self._log(table)
            _compare(table, log, expected, batches)
            log.add(batches)

    def read(self, table: str, start: int = 0, stop: int | None = None) -> Iterator[Stored]:
        """See ``Store.read``."""
        log = self._log(table)
        return map(log.at, _numbers(log, start, stop))

    def payloads(self, table: str, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """See ``Store.payloads``."""
        log = self._log(table)
        return map(log.payloads.__getitem__, _numbers(log, start, stop))

    def head(self, table: str) -> Head:
        """See ``Store.head``."""
        log = self._log(table)
        length = len(log.command_ids)
        return Head(length, log.heads[length - 1])

    def find(self, table: str, command_id: str) -> Stored | None:
        """See ``Store.find``."""
        log = self._log(table)
        number = log.numbers.get(command_id)
        return None if number is None else log.at(number)

    def tables(self) -> tuple[str, ...]:
        """See ``Store.tables``."""
        with self._lock:
            return tuple(sorted(self._open()))

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

    def _open(self) -> dict[str, _Log]:
        if self._logs is None:
            why = "The store in memory was closed."
            raise StoreClosed(why)
        return self._logs

    def _log(self, table: str) -> _Log:
        log = self._open().get(table)
        if log is None:
            why = f"The store has no table {table!r}."
            raise UnknownTable(why)
        return log


def _numbers(log: _Log, start: int, stop: int | None) -> Iterator[int]:
    """The numbers of a range that a growing log has by the time each is asked for."""
    number = max(start, 0)
    while (stop is None or number < stop) and number < len(log.command_ids):
        yield number
        number += 1


def _compare(table: str, log: _Log, expected: int, batches: Sequence[Stored]) -> None:
    """Raise what stands against appending, before anything is changed."""
    seen: set[str] = set()
    for batch in batches:
        if batch.command_id is not None:
            if batch.command_id in log.numbers:
                raise DuplicateCommand(table, batch.command_id, log.numbers[batch.command_id])
            if batch.command_id in seen:
                raise DuplicateCommand(table, batch.command_id, batch.number)
            seen.add(batch.command_id)
    length = len(log.command_ids)
    if expected != length:
        raise VersionConflict(table, expected, length)
    for number, batch in enumerate(batches, expected):
        if batch.number != number:
            raise VersionConflict(table, batch.number, number)
