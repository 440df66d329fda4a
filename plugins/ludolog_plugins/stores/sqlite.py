"""The SQLite store: all tables of an app in one file, one writer at a time, durable when ``append`` returns.

The file is in write-ahead-log mode: readers never wait for the writer. With ``durability="full"`` each append is
synced, so that a power cut loses nothing that was acknowledged. With ``"normal"`` only checkpoints are: a crash of
the program still loses nothing, a power cut may lose the last appends, and what is left is always a whole prefix.

Beside the file lie ``-wal`` and ``-shm`` (SQLite's) and ``-lock`` (who else is here) while it is in use. Move or
copy all of them together, or take ``backup``. The seeds are in the file: whoever can read it knows every table's
chance.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Literal, Self, TypeVar, get_args
from urllib.parse import parse_qsl, unquote

from ludolog import _log
from ludolog.errors import BadOptions, CorruptLog, NotAStore, StoreBusy, StoreClosed, StoreFailed, StoreReadOnly
from ludolog.hookspecs import hookimpl
from ludolog.store import Appended, Head, Stored, StorePlugin
from ludolog.subscribing import Subscription, follow

from . import _queries
from ._database import Connect, Database, Settings
from ._feed import feed_block
from ._format import FIRST, Connection
from ._numbering import BLOCK, blocks
from ._opening import OnNetworkFileSystem, SharedUnderFaultySQLite, open_database

__all__ = ["OnNetworkFileSystem", "SharedUnderFaultySQLite", "SqliteStore", "ludolog_store", "open_spec"]

T = TypeVar("T")
_Block = Callable[[Connection, str, int, int, int], list[T]]

Durability = Literal["full", "normal"]
Policy = Literal["warn", "refuse", "allow"]

LONGEST_WAIT: Final = 3600
"""Seconds."""

MOST_PAGES: Final = 1_000_000


def _connect(uri: str, busy_timeout: float) -> Connection:
    return sqlite3.connect(uri, timeout=busy_timeout, isolation_level=None, check_same_thread=False, uri=True)


class SqliteStore:
    """Logs in a SQLite file.

    Args:
        path: the file; it is made if it doesn't exist.
        durability: ``"full"`` or ``"normal"``, see the module.
        busy_timeout: how long to wait for other writers, in seconds, before StoreBusy.
        create: False: a file that doesn't exist or is empty is NotAStore.
        shared: what to do when another connection has the file open and the linked SQLite is one of those that can,
            very rarely, damage a shared file: ``"warn"`` (SharedUnderFaultySQLite), ``"refuse"`` (StoreFailed) or
            ``"allow"``. Stores of one process with the same settings share one connection.
        network: what to do when the file lies on a network file system, as far as the system tells: ``"refuse"``
            (StoreFailed), ``"warn"`` (OnNetworkFileSystem) or ``"allow"``.
        connect: opens a connection; for the fault harness.
        checkpoint_every: after so many pages (by default 8 MB) an append brings the write-ahead log back into the file.

    Raises:
        NotAStore: the file is none of this library.
        NewerFormat: a newer version wrote it.
        CorruptLog: it is damaged.
        StoreReadOnly: it can't be written.
        StoreBusy: another writer held it for longer than ``busy_timeout``.
        StoreFailed: reading or writing failed.
        BadOptions: an argument has a value that it can't have.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        durability: Durability = "full",
        busy_timeout: float = 5.0,
        create: bool = True,
        shared: Policy = "warn",
        network: Policy = "refuse",
        connect: Connect = _connect,
        checkpoint_every: int = 4000,
    ) -> None:
        self._path = os.fspath(path)
        if self._path in ("", ":memory:") or "\0" in self._path:
            why = f"{self._path!r} is no file; the store in memory is MemoryStore()."
            raise NotAStore(why)
        for name, value, choices in (
            ("durability", durability, Durability),
            ("shared", shared, Policy),
            ("network", network, Policy),
        ):
            if value not in get_args(choices):
                why = f"{name}={value!r} isn't one of {', '.join(get_args(choices))}."
                raise BadOptions(why)
        if not 0 <= busy_timeout <= LONGEST_WAIT:
            why = f"busy_timeout={busy_timeout!r} isn't between 0 and {LONGEST_WAIT} seconds."
            raise BadOptions(why)
        if type(checkpoint_every) is not int or not 0 < checkpoint_every <= MOST_PAGES:
            why = f"checkpoint_every={checkpoint_every!r} isn't between 1 and {MOST_PAGES} pages."
            raise BadOptions(why)
        settings = Settings(durability, busy_timeout, shared, network, connect, checkpoint_every)
        self._database: Database | None = open_database(self._path, settings, create=create)

    def __repr__(self) -> str:
        return f"SqliteStore({self._path!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def create(self, table: str, batches: Sequence[Stored], *, seed: bytes) -> None:
        """See ``Store.create``."""
        database = self._open()
        database.write(_queries.create, table, batches, seed)
        database.bell.ring()

    def append(self, table: str, expected: int, batches: Sequence[Stored]) -> None:
        """See ``Store.append``."""
        database = self._open()
        database.write(_queries.append, table, expected, batches)
        database.bell.ring()
        database.tidy(batches)

    def read(self, table: str, start: int = 0, stop: int | None = None) -> Iterator[Stored]:
        """See ``Store.read``."""
        return self._blocks(_queries.read_block, table, start, stop)

    def payloads(self, table: str, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """See ``Store.payloads``."""
        return self._blocks(_queries.payload_block, table, start, stop)

    def head(self, table: str) -> Head:
        """See ``Store.head``."""
        return self._open().run(_queries.head, table)

    def find(self, table: str, command_id: str) -> Stored | None:
        """See ``Store.find``."""
        return self._open().run(_queries.find, table, command_id)

    def tables(self) -> tuple[str, ...]:
        """See ``Store.tables``."""
        return self._open().run(_queries.tables)

    def feed(self, after: str = "", limit: int = 1000) -> tuple[Appended, ...]:
        """See ``Store.feed``."""
        database = self._open()
        found: list[Appended] = []
        while True:
            wanted = min(max(limit - len(found), 0), BLOCK)
            block = database.run(feed_block, found[-1].position if found else after, wanted)
            found += block
            if len(block) < BLOCK:
                return tuple(found)

    def wait(self, timeout: float) -> bool:
        """See ``Store.wait``."""
        return self._open().wait(timeout)

    def subscribe(self, after: str = "", *, timeout: float | None = None) -> Subscription[str, Appended]:
        """See ``Store.subscribe``."""
        return follow(self, after, timeout)

    def keep_snapshot(self, table: str, number: int, payload: bytes) -> None:
        """See ``Store.keep_snapshot``."""
        try:
            self._open().write(_queries.keep_snapshot, table, number, payload)
        except (CorruptLog, StoreBusy, StoreFailed, StoreReadOnly) as error:
            _log.warning("snapshot not kept", table=table, number=number, why=str(error))

    def snapshot(self, table: str, at_most: int | None = None) -> tuple[int, bytes] | None:
        """See ``Store.snapshot``."""
        try:
            return self._open().run(_queries.snapshot, table, at_most)
        except CorruptLog as error:
            _log.warning("snapshots unreadable", table=table, why=str(error))
            return None

    def seed(self, table: str) -> bytes | None:
        """See ``Store.seed``."""
        return self._open().run(_queries.seed, table)

    def backup(self, path: str | os.PathLike[str]) -> None:
        """Copy the whole store, as it is at one moment, to a new file; appends may go on meanwhile.

        The copy holds the secret seeds as well. It appears under its name only when it is whole and on the disk.

        Raises:
            StoreFailed: there is a file of this name already, or it can't be written.
        """
        self._open().back_up(os.fspath(path))

    def close(self) -> None:
        """See ``Store.close``."""
        database, self._database = self._database, None
        if database is not None:
            database.leave()
            database.bell.ring()

    def _open(self) -> Database:
        if self._database is None:
            why = f"{self._path} was closed."
            raise StoreClosed(why)
        return self._database

    def _blocks(self, block: _Block[T], table: str, start: int, stop: int | None) -> Iterator[T]:
        database = self._open()
        key = database.run(_queries.table_key, table)

        def read(number: int, end: int) -> list[T]:
            return database.run(block, table, key, number, end)

        def following(number: int) -> int | None:
            return database.run(_queries.following, key, number)

        return blocks(table, (start, stop), FIRST, read, following)


def open_spec(spec: str, /, *, create: bool = True) -> SqliteStore:
    """Open a path, or a URL: ``sqlite://`` and a path, then options: ``sqlite://games.db?durability=normal``.

    Raises:
        BadOptions: an option doesn't exist or has no such value.
        NotAStore and others: see ``SqliteStore``.
    """
    if not spec.startswith("sqlite://"):
        return SqliteStore(spec, create=create)
    path, _, query = spec.removeprefix("sqlite://").partition("?")
    options: dict[str, Any] = dict(parse_qsl(query, keep_blank_values=True))
    unknown = sorted(set(options) - {"durability", "busy_timeout", "shared", "network"})
    if unknown:
        why = f"A SQLite store has no option {unknown[0]!r}; it has durability, busy_timeout, shared and network."
        raise BadOptions(why)
    if "busy_timeout" in options:
        try:
            options["busy_timeout"] = float(options["busy_timeout"])
        except ValueError:
            why = f"busy_timeout={options['busy_timeout']!r} is no number of seconds."
            raise BadOptions(why) from None
    return SqliteStore(unquote(path), create=create, **options)


@hookimpl
def ludolog_store() -> StorePlugin:
    """Register the SQLite store."""
    return StorePlugin("sqlite", ("sqlite",), open_spec)
