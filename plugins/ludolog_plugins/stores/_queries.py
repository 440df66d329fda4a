"""Every statement the SQLite store runs; each function is one piece of work on a connection."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, Final

from ludolog.errors import CorruptLog, DuplicateCommand, StoreFailed, TableExists
from ludolog.store import KEPT_SNAPSHOTS, Head, Stored

from ._format import FIRST, Connection
from ._numbering import consecutive, no_first_batch, require, unknown_table

__all__ = [
    "append",
    "create",
    "find",
    "following",
    "head",
    "keep_snapshot",
    "payload_block",
    "read_block",
    "seed",
    "snapshot",
    "stored_row",
    "table_key",
    "tables",
]

_TRIES: Final = 2
"""How often an append is tried that nothing stands against."""

_BATCH = "SELECT id, payload, head, command_id FROM batches"
# The batch before it must be there, or else there is no payload, which the column refuses: so no length is asked
# for, and no hole can be. (INSERT ... SELECT would read better; it makes SQLite copy what it selects from first.)
_APPEND = """
    INSERT INTO batches (id, payload, head, command_id) VALUES (
        ((SELECT key FROM tables WHERE name = ?1) << 32) + ?2,
        CASE WHEN EXISTS (
            SELECT 1 FROM batches WHERE id = ((SELECT key FROM tables WHERE name = ?1) << 32) + ?2 - 1
        ) THEN ?3 END,
        ?4, ?5
    )
"""


def table_key(connection: Connection, table: str) -> int:
    """The number that stands for the table in ids."""
    try:
        row = connection.execute("SELECT key FROM tables WHERE name = ?", (table,)).fetchone()
    except UnicodeEncodeError:  # a lone surrogate: nothing can be stored by that name
        row = None
    if row is None:
        raise unknown_table(table)
    key: int = row[0]
    return key


def tables(connection: Connection) -> tuple[str, ...]:
    """All names, sorted."""
    names = [name for (name,) in connection.execute("SELECT name FROM tables").fetchall()]
    if not all(isinstance(name, str) for name in names):
        why = "the name of a table is no text"
        raise CorruptLog(why)
    return tuple(sorted(names))


def create(connection: Connection, table: str, batches: Sequence[Stored], seed: bytes) -> None:
    """A table with its seed and first batches."""
    if not batches:
        raise no_first_batch(table)
    connection.execute("BEGIN IMMEDIATE")
    if connection.execute("SELECT 1 FROM tables WHERE name = ?", (table,)).fetchone():
        why = f"The store has a table {table!r} already."
        raise TableExists(why)
    require(table, 0, 0, batches)
    key = connection.execute("INSERT INTO tables (name) VALUES (?)", (table,)).lastrowid or 0
    connection.execute("INSERT INTO seeds VALUES (?, ?)", (key, seed))
    connection.executemany(
        "INSERT INTO batches (id, payload, head, command_id) VALUES (?, ?, ?, ?)",
        [(key * FIRST + number, payload, head, command_id) for number, payload, head, command_id in batches],
    )
    connection.execute("COMMIT")


def append(connection: Connection, table: str, expected: int, batches: Sequence[Stored]) -> None:
    """Batches at the end of a log that has ``expected`` of them."""
    for _ in range(_TRIES):
        if consecutive(expected, batches, FIRST) and _appended(connection, table, batches):
            return
        # Something stands against it; but it may be gone by now, if it was that a batch before was still missing.
        for batch in batches:
            earlier = None if batch.command_id is None else find(connection, table, batch.command_id)
            if earlier is not None:
                raise DuplicateCommand(table, earlier.command_id or "", earlier.number)
        require(table, expected, head(connection, table).length, batches)
        if not batches:
            return
    why = "the next batch is refused though the log ends before it"
    raise CorruptLog(why, table=table, batch=expected)


def _appended(connection: Connection, table: str, batches: Sequence[Stored]) -> bool:
    """Whether nothing stood against batches at their numbers."""
    try:
        if len(batches) == 1:
            # A statement alone is a transaction of its own, for writing from its start as IMMEDIATE is.
            connection.execute(_APPEND, (table, *batches[0]))
        else:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(_APPEND, [(table, *batch) for batch in batches])
            connection.execute("COMMIT")
    except sqlite3.IntegrityError:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        return False
    except UnicodeEncodeError:
        table_key(connection, table)  # If it is the table's name that can't be written, no table has it.
        raise
    return True


def head(connection: Connection, table: str) -> Head:
    """The end of the log."""
    key = table_key(connection, table)
    row = connection.execute(
        "SELECT id, head FROM batches WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 1",
        (key * FIRST, (key + 1) * FIRST),
    ).fetchone()
    if row is None or type(row[1]) is not bytes:
        why = "it has no last batch"
        raise CorruptLog(why, table=table)
    return Head(row[0] - key * FIRST + 1, row[1])


def read_block(connection: Connection, table: str, key: int, start: int, stop: int) -> list[Stored]:
    """Batches from ``start`` on, up to ``stop`` or the end."""
    first = key * FIRST
    rows = connection.execute(f"{_BATCH} WHERE id >= ? AND id < ? ORDER BY id", (first + start, first + stop))
    return [stored_row(table, number, first, row) for number, row in enumerate(rows.fetchall(), start)]


def payload_block(connection: Connection, table: str, key: int, start: int, stop: int) -> list[bytes]:
    """The payloads of ``read_block``, from that column alone."""
    rows = connection.execute(
        "SELECT payload FROM batches WHERE id >= ? AND id < ? ORDER BY id", (key * FIRST + start, key * FIRST + stop)
    ).fetchall()
    payloads = [payload for (payload,) in rows]
    if len(payloads) == stop - start and set(map(type, payloads)) == {bytes}:
        return payloads
    # Fewer than asked for: the last block, or a hole, which only the ids tell.
    return [batch.payload for batch in read_block(connection, table, key, start, stop)]


def following(connection: Connection, key: int, number: int) -> int | None:
    """The least number from ``number`` on that the log has."""
    row = connection.execute(
        "SELECT min(id) FROM batches WHERE id >= ? AND id < ?", (key * FIRST + number, (key + 1) * FIRST)
    ).fetchone()
    return None if row[0] is None else row[0] - key * FIRST


def find(connection: Connection, table: str, command_id: str) -> Stored | None:
    """The batch with this command id."""
    key = table_key(connection, table)
    try:
        row = connection.execute(f"{_BATCH} WHERE table_key = ? AND command_id = ?", (key, command_id)).fetchone()
    except UnicodeEncodeError:
        return None
    return None if row is None else stored_row(table, row[0] - key * FIRST, key * FIRST, row)


def keep_snapshot(connection: Connection, table: str, number: int, payload: bytes) -> None:
    """Store one, and remove all but the newest few."""
    if not 0 <= number < FIRST:
        why = f"No log has a batch {number}."
        raise StoreFailed(why)
    connection.execute("BEGIN IMMEDIATE")
    first = table_key(connection, table) * FIRST
    connection.execute("INSERT OR REPLACE INTO snapshots (id, payload) VALUES (?, ?)", (first + number, payload))
    connection.execute(
        "DELETE FROM snapshots WHERE id >= ?1 AND id < ?2 AND id NOT IN "
        "(SELECT id FROM snapshots WHERE id >= ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3)",
        (first, first + FIRST, KEPT_SNAPSHOTS),
    )
    connection.execute("COMMIT")


def snapshot(connection: Connection, table: str, at_most: int | None) -> tuple[int, bytes] | None:
    """The newest up to a number."""
    first = table_key(connection, table) * FIRST
    newest = FIRST - 1 if at_most is None else max(-1, min(at_most, FIRST - 1))
    row = connection.execute(
        "SELECT id, payload FROM snapshots WHERE id >= ? AND id <= ? ORDER BY id DESC LIMIT 1", (first, first + newest)
    ).fetchone()
    if row is None:
        return None
    if type(row[1]) is not bytes:
        why = "a snapshot is no bytes"
        raise CorruptLog(why, table=table)
    return row[0] - first, row[1]


def seed(connection: Connection, table: str) -> bytes | None:
    """The secret seed."""
    key = table_key(connection, table)
    row = connection.execute("SELECT seed FROM seeds WHERE table_key = ?", (key,)).fetchone()
    if row is not None and type(row[0]) is not bytes:
        why = "its seed is no bytes"
        raise CorruptLog(why, table=table)
    return None if row is None else row[0]


def stored_row(table: str, number: int, first: int, row: tuple[Any, ...]) -> Stored:
    """A row of the batches, as the batch that it must be."""
    batch_id, payload, digest, command_id = row
    if batch_id != first + number:
        why = "a batch is missing"
        raise CorruptLog(why, table=table, batch=number)
    # STRICT columns hold what they say until a bit on the disk flips.
    if type(payload) is not bytes or type(digest) is not bytes or not isinstance(command_id, str | None):
        why = "a column has the wrong type"
        raise CorruptLog(why, table=table, batch=number)
    return Stored(number, payload, digest, command_id)
