"""One connection to one SQLite file: opened with care, used by one thread at a time, given up in a forked child."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sqlite3
import time
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import Concatenate, Literal, NamedTuple, ParamSpec, TypeVar

from ludolog.errors import (
    CorruptLog,
    LudologError,
    NotAStore,
    StoreBusy,
    StoreClosed,
    StoreError,
    StoreFailed,
    StoreReadOnly,
    UsedAfterFork,
)
from ludolog.store import Stored
from ludolog.waking import Bell

from ._backup import back_up
from ._feed import last_place
from ._format import PAGE, Connection
from ._presence import Presence, faulty_when_shared

__all__ = ["Connect", "Database", "Settings", "let_go", "translate"]

P = ParamSpec("P")
T = TypeVar("T")

Connect = Callable[[str, float], Connection]
"""Opens a connection in autocommit mode, for any thread: SQLite URI, busy time-out in seconds."""

_GONE: dict[type[StoreError], str] = {
    StoreClosed: "{path} was closed.",
    StoreFailed: "{path} failed while it was read or written; open it anew.",
    UsedAfterFork: "{path} was opened before the process forked; open it anew in the child.",
}

_SENTENCES: dict[int | None, tuple[type[StoreError], str]] = {
    sqlite3.SQLITE_NOTADB: (NotAStore, "is no SQLite database"),
    sqlite3.SQLITE_READONLY: (StoreReadOnly, "can only be read"),
    sqlite3.SQLITE_FULL: (StoreFailed, "can't grow: the disk is full"),
}

_FAILED = frozenset(
    (
        sqlite3.SQLITE_ABORT,
        sqlite3.SQLITE_AUTH,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_MISUSE,
        sqlite3.SQLITE_NOLFS,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_TOOBIG,
    )
)


class Settings(NamedTuple):
    """How a file is used; two stores of one process with equal settings share a connection."""

    durability: Literal["full", "normal"]
    busy_timeout: float
    shared: Literal["warn", "refuse", "allow"]
    network: Literal["warn", "refuse", "allow"]
    connect: Connect
    checkpoint_every: int


class Database:
    """A connection with its lock. Everything goes through ``run``, which lets no foreign error out."""

    def __init__(self, path: str, settings: Settings, connection: Connection, presence: Presence | None) -> None:
        self.path = path
        self.settings = settings
        self.read_only = presence is None
        self.bell = Bell()
        """Rung by the writers of this process."""
        self._users = 1
        self._connection: Connection | None = connection
        self._presence = presence
        self._lock = Lock()
        self._gone: type[StoreError] = StoreClosed
        self._pages = 0
        self._last = 0
        self._held_for_fork = False
        # Closes when the object goes or the program ends, whichever comes first.
        self._closer = weakref.finalize(self, let_go, connection, presence)

    def run(self, work: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Do one piece of work on the connection, alone; a transaction it leaves open is rolled back."""
        began = time.monotonic()
        # A signal's handler may raise between any two calls, Ctrl-C's does. One call takes the lock and notes it.
        held: list[bool] = []
        try:
            held.extend(map(self._lock.acquire, (True,), (self.settings.busy_timeout,)))
            if not held[0]:
                raise StoreBusy(self.path, time.monotonic() - began)
            connection = self._connection
            if connection is None:
                raise self._gone(_GONE[self._gone].format(path=self.path))
            try:
                if connection.in_transaction:  # A second signal kept the first one's transaction from its end.
                    self._roll_back(connection)
                return work(connection, *args, **kwargs)
            finally:
                if connection.in_transaction:
                    self._roll_back(connection)
        except LudologError:
            raise
        except (sqlite3.Error, OSError, ValueError, OverflowError) as error:
            raise self._failure(error, began) from error
        finally:
            if held and held[0]:
                self._lock.release()

    def write(self, work: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Like ``run``, for work that writes."""
        if self.read_only:
            why = f"{self.path} can only be read: its file or its folder is write-protected."
            raise StoreReadOnly(why)
        return self.run(work, *args, **kwargs)

    def wait(self, timeout: float) -> bool:
        """Wait for what is appended; see ``Store.wait``."""
        self.run(lambda _: None)  # whatever forbids to use the store now
        return self.bell.wait(timeout, self._grown)

    def _grown(self) -> bool:
        """Whether the feed has gone on since this was last asked."""
        try:
            last = self.run(last_place)
        except StoreBusy:
            return False
        grown, self._last = last != self._last, last
        return grown

    def tidy(self, batches: Sequence[Stored]) -> None:
        """Count the pages of appended batches, and now and then bring the write-ahead log back into the database file.

        Only under a SQLite that is faulty when shared: there a checkpoint must not overlap with another
        connection's commit, and FULL owns the write lock meanwhile, which the automatic checkpoint doesn't.
        """
        for batch in batches:
            self._pages += (2 if batch.command_id is None else 3) + len(batch.payload) // PAGE
        if self._pages < self.settings.checkpoint_every:
            return
        self._pages = 0
        if faulty_when_shared(sqlite3.sqlite_version_info):
            with contextlib.suppress(StoreError, CorruptLog):  # The batches are safe in the write-ahead log.
                self.run(_checkpoint)

    def back_up(self, target: str) -> None:
        """Copy everything to a new file, over a connection of its own, so that appends go on."""
        source = Path(os.path.realpath(self.path)).as_uri()
        began = time.monotonic()
        self.run(lambda _: None)  # whatever forbids to use the store now
        try:
            back_up(self.settings.connect(f"{source}?mode=ro", self.settings.busy_timeout), target)
        except (sqlite3.Error, OSError, ValueError) as error:
            raise translate(error, target, time.monotonic() - began) from error

    def join(self) -> bool:
        """Count one more user; False if the connection is gone."""
        with self._lock:
            self._users += 1
            return self._connection is not None

    def leave(self) -> None:
        """Count one user less, and close the connection after the last."""
        with self._lock:
            self._users -= 1
            if self._users == 0:
                self._connection = None
                self._closer()

    def before_fork(self) -> None:
        """Wait until no thread is inside SQLite, whose locks the child would inherit held for ever."""
        self._held_for_fork = self._lock.acquire(timeout=self.settings.busy_timeout)

    def after_fork_in_parent(self) -> None:
        """Go on."""
        if self._held_for_fork:
            self._lock.release()

    def after_fork_in_child(self) -> bool:
        """Close the child's copy of the connection; False if that can't be done.

        While the copy exists, SQLite takes the parent's locks for the child's own, and a store opened anew in the
        child would run without any. Closing is harmless: the lock that the parent holds forbids to tidy up.
        """
        self._lock = Lock()
        self.bell = Bell()
        self._closer.detach()
        if self._presence is not None:
            self._presence.forget()
        connection, self._connection = self._connection, None
        self._gone = UsedAfterFork
        if connection is None:
            return True
        if self._held_for_fork:
            with contextlib.suppress(sqlite3.Error):
                connection.close()
            return True
        # A thread of the parent was inside SQLite for longer than the time-out, and its mutex is held here for ever:
        # closing, also by the garbage collector, would hang. So the copy stays for the life of the child.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))
        return False

    def _roll_back(self, connection: Connection) -> None:
        try:
            connection.execute("ROLLBACK")
        except sqlite3.Error:
            self._give_up()

    def _failure(self, error: Exception, began: float) -> LudologError:
        """The error of our tree that says what SQLite said."""
        code = getattr(error, "sqlite_errorcode", None)
        failure = translate(error, self.path, time.monotonic() - began)
        if code is not None and code & 0xFF == sqlite3.SQLITE_IOERR:
            # After a failed write or sync nobody knows what the disk holds; a second try could seem to succeed.
            self._give_up()
        return failure

    def _give_up(self) -> None:
        self._connection = None
        self._gone = StoreFailed
        self._closer()


def translate(error: Exception, path: str, waited: float) -> LudologError:
    """What a foreign error means to a user of the store."""
    code = getattr(error, "sqlite_errorcode", None)
    kind = None if code is None else code & 0xFF
    if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreBusy(path, waited)
    if kind in _SENTENCES:
        failure, why = _SENTENCES[kind]
        return failure(f"{path} {why}.")
    if isinstance(error, OSError) or kind in _FAILED:
        return StoreFailed(f"{path} could not be read or written: {error}.")
    if kind is None and not isinstance(error, sqlite3.OperationalError):
        return StoreFailed(f"{path} can't hold such a value: {error}.")
    # The rest comes of damage: malformed pages, text that isn't UTF-8, columns or tables that aren't there.
    return CorruptLog(f"{path} can't be read: {error}")


def _checkpoint(connection: Connection) -> None:
    connection.execute("PRAGMA wal_checkpoint(FULL)").fetchone()


def let_go(connection: Connection, presence: Presence | None) -> None:
    """Close a connection, whatever it has to say to that, and be gone."""
    try:
        with contextlib.suppress(sqlite3.Error):
            connection.close()
    finally:
        if presence is not None:
            presence.leave()
