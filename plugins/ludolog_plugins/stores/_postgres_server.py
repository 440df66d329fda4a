"""Transactions on a PostgreSQL server, each sent in one go, over a few connections that threads share.

Nothing is kept in a session: no prepared statement, no SET outside of a transaction, no lock that outlives one. So a
pooler between us and the server may give every transaction to another session.
"""

from __future__ import annotations

import contextlib
import os
import random
import selectors
import time
import weakref
from threading import BoundedSemaphore, Lock
from typing import Any, Final, Literal, NamedTuple

import psycopg
from psycopg.pq import TransactionStatus

from ludolog.errors import (
    CorruptLog,
    LudologError,
    StoreBusy,
    StoreClosed,
    StoreError,
    StoreFailed,
    StoreReadOnly,
    UsedAfterFork,
)

from ._postgres_address import Address, Connection

__all__ = ["Answer", "Refused", "Server", "Settings", "Statement"]

_BEGIN: Final = b"BEGIN ISOLATION LEVEL READ COMMITTED"
# ``local`` and more are durable; ``off`` is what a server may be set to by default.
_SETTINGS: Final = b"""SELECT set_config('lock_timeout', %b, true), set_config('statement_timeout', %b, true),
    set_config('idle_in_transaction_session_timeout', %b, true), set_config('synchronous_commit', CASE
        WHEN %b THEN 'off' WHEN current_setting('synchronous_commit') = 'off' THEN 'on'
        ELSE current_setting('synchronous_commit') END, true)"""

_LONGEST_STATEMENT: Final = 60
"""Seconds on top of ``busy_timeout``: whatever takes longer hangs."""

_BUSY: Final = ("55P03", "57014")  # lock_not_available, query_canceled
_AGAIN: Final = ("40001", "40P01")  # serialization_failure, deadlock_detected: nothing happened, and it may next time
_EXISTS: Final = ("42P06", "42P07", "42710")  # somebody else made the schema, the table or what belongs to it
# Connection exceptions; the server goes down; idle for too long; a distributed engine doesn't know the outcome itself.
_LOST: Final = ("08", "57P", "25P03", "40003")
_UNREADABLE: Final = ("XX001", "XX002", "42P01", "42703", "3F000")  # damaged, or a table or column isn't there


class Settings(NamedTuple):
    """How a database is used."""

    durability: Literal["full", "normal"]
    busy_timeout: float
    connections: int


class Statement(NamedTuple):
    """One statement with its parameters."""

    sql: bytes
    parameters: tuple[object, ...] = ()


class Answer(NamedTuple):
    """What the server answered to a statement: the rows, and how many were read or written."""

    rows: list[tuple[Any, ...]]
    affected: int


class Refused(Exception):
    """A unique key or another constraint stands against a statement; the transaction was rolled back."""


class Server:
    """Connections to one database. Everything goes through ``read`` and ``write``, which let no foreign error out."""

    def __init__(self, address: Address, settings: Settings) -> None:
        self.address = address
        self.where = address.where
        self.settings = settings
        self.first: tuple[Statement, Statement] | None = None
        """What to ask on each new connection, and what to run there if the answer is yes."""
        self._idle: list[Connection] = []
        self._lock = Lock()
        self._places = BoundedSemaphore(settings.connections)
        self._closed = False
        self._pid = os.getpid()
        milliseconds = max(1, round(settings.busy_timeout * 1000))
        patience = (milliseconds, milliseconds + _LONGEST_STATEMENT * 1000, milliseconds + _LONGEST_STATEMENT * 1000)
        self._set = Statement(_SETTINGS, (*(str(time) for time in patience), settings.durability == "normal"))
        # Closes what is idle when the object goes or the program ends, whichever comes first.
        self._closer = weakref.finalize(self, _close_idle, self._idle, self._pid)

    def check(self) -> None:
        """Raise what forbids to use the store now."""
        if os.getpid() != self._pid:
            why = f"{self.where} was opened before the process forked; open it anew in the child."
            raise UsedAfterFork(why)
        if self._closed:
            why = f"{self.where} was closed."
            raise StoreClosed(why)

    def read(self, *statements: Statement) -> list[Answer]:
        """Answers to statements that change nothing; asked a second time if the connection turns out to be lost."""
        return self._run(statements, None, writing=False)

    def write(self, *statements: Statement, then: Statement | None = None) -> list[Answer]:
        """Answers to statements of one transaction, which is durable when this returns.

        Args:
            statements: All or none of them take effect.
            then: Sent after the commit; nothing depends on it.

        Raises:
            Refused: A constraint stands against one of them; nothing was written.
            StoreFailed: If the connection was lost, it is unknown whether they took effect.
        """
        return self._run(statements, then, writing=True)

    def close(self) -> None:
        """Close what is idle; connections in use are closed by whoever uses them."""
        if os.getpid() == self._pid:
            with self._lock:
                self._closed = True
                _close_idle(self._idle, self._pid)

    def _run(self, statements: tuple[Statement, ...], then: Statement | None, *, writing: bool) -> list[Answer]:
        began = time.monotonic()
        self.check()
        if not self._places.acquire(timeout=self.settings.busy_timeout):
            raise StoreBusy(self.where, time.monotonic() - began)
        try:
            tries = 0
            while True:
                tries += 1
                outcome = self._try(statements, then)
                if not isinstance(outcome, psycopg.Error):
                    return outcome
                failure = self._failure(outcome, time.monotonic() - began, writing=writing)
                if _is_lost(outcome):
                    self._forget_idle()
                if outcome.sqlstate in _AGAIN and time.monotonic() - began < self.settings.busy_timeout:
                    time.sleep(random.uniform(0.001, 0.02) * tries)  # noqa: S311 - so that two don't meet again
                elif writing or not _is_lost(outcome) or tries > 1:
                    break
        finally:
            self._places.release()
        # Outside of any handler: a server's message can quote a row, and a row can be a seed.
        raise failure

    def _try(self, statements: tuple[Statement, ...], then: Statement | None) -> list[Answer] | psycopg.Error:
        """One transaction; the error of the driver is returned, so that it never becomes the context of another."""
        connection = self._take()
        try:
            return _transact(connection, (self._set, *statements), then)[1:]
        except psycopg.Error as error:
            return error.with_traceback(None)
        finally:
            self._give_back(connection)

    def _take(self) -> Connection:
        """An idle connection that still stands, as far as can be told without asking the server; or a new one."""
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                return self._connect()
            if _is_quiet(connection):
                return connection
            connection.close()

    def _connect(self) -> Connection:
        connection = self.address.connect()
        failure: LudologError | Refused
        try:
            if self.first is not None and _transact(connection, (self._set, self.first[0]), None)[1].rows[0][0]:
                _transact(connection, (self._set, self.first[1]), None)
        except psycopg.Error as error:
            failure = self._failure(error.with_traceback(None), 0.0, writing=False)
            connection.close()
        except BaseException:
            connection.close()
            raise
        else:
            return connection
        raise failure

    def _forget_idle(self) -> None:
        """Close what is idle: when one connection turns out to be lost, the others are lost as well or soon will be."""
        with self._lock:
            _close_idle(self._idle, self._pid)

    def _give_back(self, connection: Connection) -> None:
        """Keep a connection that is in no transaction; close one of which nobody knows what it does."""
        with contextlib.suppress(psycopg.Error):
            if connection.info.transaction_status is TransactionStatus.INERROR:
                connection.rollback()
            if connection.info.transaction_status is TransactionStatus.IDLE:
                with self._lock:
                    if not self._closed:
                        self._idle.append(connection)
                        return
        connection.close()

    def _failure(self, error: psycopg.Error, waited: float, *, writing: bool) -> LudologError | Refused:
        """The error of our tree that says what the server said."""
        said = (error.diag.message_primary or str(error).partition("\n")[0] or type(error).__name__).rstrip(".")
        if _is_lost(error):
            why = f"{self.where} can't be reached any more: {said}."
            if writing:
                why += " It is unknown whether what was being written is stored; look it up by its command id."
            return StoreFailed(why)
        if isinstance(error, psycopg.IntegrityError) or error.sqlstate in _EXISTS:
            return Refused()
        if error.sqlstate in _BUSY + _AGAIN:
            return StoreBusy(self.where, waited)
        if error.sqlstate in _UNREADABLE:
            return CorruptLog(f"{self.where} can't be read: {said}")
        kind: type[StoreError] = StoreFailed
        why = "could not be read or written"
        if error.sqlstate == "25006" or (error.sqlstate == "42501" and writing):
            kind, why = StoreReadOnly, "can't be written"
        elif isinstance(error, psycopg.DataError) or error.sqlstate == "54000":
            why = "can't hold such a value"
        return kind(f"{self.where} {why}: {said}; nothing was stored.")


def _transact(connection: Connection, statements: tuple[Statement, ...], then: Statement | None) -> list[Answer]:
    """One transaction in one round trip."""
    answers: list[psycopg.Cursor[tuple[Any, ...]]] = []
    commit = connection.cursor()
    failure: psycopg.Error | None = None
    try:
        with connection.pipeline():
            try:
                connection.execute(_BEGIN)
                answers.extend(connection.execute(*statement, binary=True) for statement in statements)
                commit.execute(b"COMMIT")
                if then is not None:
                    connection.execute(*then)
            except psycopg.Error as error:
                # It may come before everything is sent; the pipeline has to end all the same.
                failure = error
    except psycopg.Error as error:
        failure = failure or error
    if commit.statusmessage != "COMMIT":
        why = f"{commit.statusmessage or 'nothing'} is no answer to COMMIT"
        raise failure or psycopg.OperationalError(why)
    return [Answer([] if found.description is None else found.fetchall(), found.rowcount) for found in answers]


def _is_lost(error: psycopg.Error) -> bool:
    """Whether the connection is gone, so that nobody will tell what became of the transaction."""
    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return error.sqlstate.startswith(_LOST)


def _is_quiet(connection: Connection) -> bool:
    """Whether the server has said nothing since the last answer; it does only when it takes its leave."""
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(connection.fileno(), selectors.EVENT_READ)
            return not selector.select(0)
    except (psycopg.Error, OSError, ValueError):
        return False


def _close_idle(idle: list[Connection], pid: int) -> None:
    """Close connections; in a forked child they are the parent's, and only left alone."""
    if os.getpid() == pid:
        while idle:
            idle.pop().close()
