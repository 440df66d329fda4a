"""What a store's SQLite file looks like inside, and how a file is told from one that isn't a store."""

from __future__ import annotations

import sqlite3
from typing import Protocol

from ludolog.errors import CorruptLog, NewerFormat, NotAStore

__all__ = ["FIRST", "PAGE", "Connection", "check_format", "make_format"]

APPLICATION_ID = 0x4C75_646F  # "Ludo"
FORMAT = 1

PAGE = 2048
"""Bytes of a page. An append writes two or three whole pages to the write-ahead log, for a batch of a few hundred
bytes: half of SQLite's default makes it cheaper by a fifth, and reading dearer by no more than a twentieth."""

FIRST = 1 << 32
"""Ids of batches and snapshots are ``key of the table * FIRST + number``: one tree, no second index, and the
batches of a table lie next to each other. ``number`` and ``table_key`` stand there for people who look inside."""

_ROW = """id INTEGER PRIMARY KEY,
    payload BLOB NOT NULL,{more}
    table_key INTEGER GENERATED ALWAYS AS (id >> 32) VIRTUAL,
    number INTEGER GENERATED ALWAYS AS (id & 4294967295) VIRTUAL
) STRICT"""

_TABLES = (
    "CREATE TABLE tables (\n    key INTEGER PRIMARY KEY,\n    name TEXT NOT NULL UNIQUE\n) STRICT",
    "CREATE TABLE batches (\n    " + _ROW.format(more="\n    head BLOB NOT NULL,\n    command_id TEXT,"),
    "CREATE UNIQUE INDEX command_ids ON batches (table_key, command_id) WHERE command_id IS NOT NULL",
    "CREATE TABLE seeds (\n    table_key INTEGER PRIMARY KEY,\n    seed BLOB NOT NULL\n) STRICT",
    "CREATE TABLE snapshots (\n    " + _ROW.format(more=""),
    "CREATE TABLE feed (\n    place INTEGER PRIMARY KEY,\n    id INTEGER NOT NULL\n) STRICT",
)
# The order in which batches of all tables came. A trigger keeps an append the one statement that it is, which is
# cheaper than a transaction of two, and than an index over a column of the batches.
_FEED = "CREATE TRIGGER batches_feed AFTER INSERT ON batches BEGIN INSERT INTO feed (id) VALUES (NEW.id); END"
# They stop a slip of the hand in the SQLite shell. Against malice there are receipts.
_GUARDS = tuple(
    f"CREATE TRIGGER {table}_{verb.lower()} BEFORE {verb} ON {table} "
    f"BEGIN SELECT RAISE(ABORT, '{table} are never changed or removed'); END"
    for table in ("batches", "feed", "seeds", "tables")
    for verb in ("UPDATE", "DELETE")
)
_SCHEMA = frozenset((*_TABLES, _FEED, *_GUARDS))


class Connection(Protocol):
    """What of ``sqlite3.Connection`` a store needs; the fault harness offers the same over another SQLite."""

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        ...

    def execute(self, sql: str, parameters: tuple[object, ...] = ..., /) -> sqlite3.Cursor:
        """Run one statement."""
        ...

    def executemany(self, sql: str, parameters: list[tuple[object, ...]], /) -> sqlite3.Cursor:
        """Run one statement for each row of parameters."""
        ...

    def backup(self, target: sqlite3.Connection, /) -> None:
        """Copy the whole database."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


def check_format(connection: Connection, path: str) -> bool:
    """Whether the database is a store; False if it is still empty.

    Raises:
        NotAStore: it is the database of something else.
        NewerFormat: a newer version of the library wrote it.
        CorruptLog: it was a store, and its tables have been altered.
    """
    # In one transaction: another process may be making the store at this moment.
    own = not connection.in_transaction
    if own:
        connection.execute("BEGIN")
    try:
        application_id = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        rows = connection.execute("SELECT type, sql FROM sqlite_schema").fetchall()
    finally:
        if own and connection.in_transaction:
            connection.execute("ROLLBACK")
    if application_id != APPLICATION_ID:
        if application_id == version == len(rows) == 0:
            return False
        why = f"{path} is a SQLite database, and not one of this library's stores."
        raise NotAStore(why)
    if version > FORMAT:
        why = f"{path} has format {version}; this version of the library reads formats up to {FORMAT}."
        raise NewerFormat(why)
    if version < FORMAT or not {sql for _, sql in rows} >= _SCHEMA:
        why = f"{path} lacks some of the tables of a store"
        raise CorruptLog(why)
    # Both run whatever they say with each append: an index may be of an expression that takes a gigabyte.
    for kind in ("trigger", "index"):
        if any(found == kind and sql is not None and sql not in _SCHEMA for found, sql in rows):
            why = f"{path} has {'a trigger' if kind == 'trigger' else 'an index'} that no store has"
            raise CorruptLog(why)
    return True


def make_format(connection: Connection, path: str) -> None:
    """Lay out an empty database; leave one that is a store already."""
    if check_format(connection, path):
        return
    connection.execute(f"PRAGMA page_size = {PAGE}")
    connection.execute("BEGIN IMMEDIATE")
    # Another process may have done so since.
    if check_format(connection, path):
        connection.execute("ROLLBACK")
        return
    for statement in (*_TABLES, _FEED, *_GUARDS):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    connection.execute("COMMIT")
