"""The statements of the PostgreSQL store; each function is one piece of work on a server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final, LiteralString

from ludolog.errors import CorruptLog, DuplicateCommand, StoreFailed, TableExists
from ludolog.store import KEPT_SNAPSHOTS, Head, Stored

from ._numbering import blocks, consecutive, no_first_batch, require, unknown_table
from ._postgres_format import Schema
from ._postgres_server import Refused, Server, Statement

__all__ = ["Queries", "decoded", "encoded", "stored"]

LIMIT: Final = 1 << 62
"""Numbers from here on no log has."""

_TRIES: Final = 3

_CREATE = """WITH made AS (INSERT INTO {}.tables (name) VALUES (%b) RETURNING key),
    seed AS (INSERT INTO {}.seeds (table_key, seed) SELECT key, %b FROM made)
    INSERT INTO {}.batches (table_key, number, payload, head, command_id, epoch)
    SELECT made.key, added.*, (SELECT epoch FROM {}.about)
    FROM made, unnest(%b::bigint[], %b::bytea[], %b::bytea[], %b::bytea[]) AS added"""
# The batch before them must be there, or else nothing is inserted: so no length is asked for, and no hole can be.
_APPEND = """INSERT INTO {}.batches (table_key, number, payload, head, command_id, epoch)
    SELECT owner.key, added.*, (SELECT epoch FROM {}.about)
    FROM {}.tables AS owner, unnest(%b::bigint[], %b::bytea[], %b::bytea[], %b::bytea[]) AS added
    WHERE owner.name = %b AND EXISTS
        (SELECT FROM {}.batches AS before WHERE before.table_key = owner.key AND before.number = %b - 1)"""
_HEAD = """SELECT number, head FROM {}.tables LEFT JOIN LATERAL
    (SELECT number, head FROM {}.batches WHERE table_key = key ORDER BY number DESC LIMIT 1) AS last ON true
    WHERE name = %b"""
_FIND = """SELECT number, payload, head, command_id FROM {}.tables
    LEFT JOIN {}.batches ON table_key = key AND command_id = %b WHERE name = %b"""
_READ = """SELECT number, payload, head, command_id FROM {}.batches
    WHERE table_key = %b AND number >= %b AND number < %b ORDER BY number"""
_PAYLOADS = "SELECT payload FROM {}.batches WHERE table_key = %b AND number >= %b AND number < %b ORDER BY number"
_FOLLOWING = "SELECT min(number) FROM {}.batches WHERE table_key = %b AND number >= %b"
_KEEP = """INSERT INTO {}.snapshots (table_key, number, payload) SELECT key, %b, %b FROM {}.tables WHERE name = %b
    ON CONFLICT (table_key, number) DO UPDATE SET payload = EXCLUDED.payload"""
_FORGET = """DELETE FROM {}.snapshots WHERE table_key = (SELECT key FROM {}.tables WHERE name = %b) AND number <
    (SELECT min(number) FROM (SELECT number FROM {}.snapshots
        WHERE table_key = (SELECT key FROM {}.tables WHERE name = %b) ORDER BY number DESC LIMIT %b) AS kept)"""
_SNAPSHOT = """SELECT number, payload FROM {}.tables LEFT JOIN LATERAL
    (SELECT number, payload FROM {}.snapshots WHERE table_key = key AND number <= %b ORDER BY number DESC LIMIT 1)
    AS newest ON true WHERE name = %b"""
_SEED = "SELECT seed FROM {}.tables LEFT JOIN {}.seeds ON table_key = key WHERE name = %b"


def encoded(text: str) -> bytes:
    """A name or a command id as it is stored; also text that is no Unicode, and with zeros."""
    return text.encode("utf-8", "surrogatepass")


def decoded(text: bytes, table: str | None = None) -> str:
    """What ``encoded`` made bytes of."""
    try:
        return text.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        why = "a name or a command id is no text"
        raise CorruptLog(why, table=table) from None


class Queries:
    """What is asked of one store's schema."""

    def __init__(self, server: Server, schema: Schema, wake: Statement) -> None:
        self._server = server
        self._sql = schema
        self._wake = wake

    def create(self, table: str, batches: Sequence[Stored], seed: bytes) -> None:
        """A table with its seed and first batches."""
        if not batches:
            raise no_first_batch(table)
        self._require_no_table(table)
        require(table, 0, 0, batches)
        statement = Statement(self._sql(_CREATE), (encoded(table), seed, *_columns(batches)))
        try:
            self._server.write(statement, then=self._wake)
        except Refused:
            self._require_no_table(table)  # Another writer came first.
            why = f"Table {table!r} can't be stored with such batches or such a seed."
            raise StoreFailed(why) from None

    def append(self, table: str, expected: int, batches: Sequence[Stored]) -> None:
        """Batches at the end of a log that has ``expected`` of them."""
        tries = _TRIES if consecutive(expected, batches, LIMIT) else 0
        for _ in range(tries):
            if self._inserted(table, expected, batches):
                return
            self._explain(table, expected, batches)
            # Nothing stands against it any more: the batch before it came just now.
        self._explain(table, expected, batches)
        if batches:
            why = "the next batch is refused though the log ends before it"
            raise CorruptLog(why, table=table, batch=expected)

    def _inserted(self, table: str, expected: int, batches: Sequence[Stored]) -> bool:
        statement = Statement(self._sql(_APPEND), (*_columns(batches), encoded(table), expected))
        try:
            return self._server.write(statement, then=self._wake)[0].affected == len(batches)
        except Refused:
            return False

    def _explain(self, table: str, expected: int, batches: Sequence[Stored]) -> None:
        """Raise what stands against an append.

        The length is asked for first: a command id that was stored before it is seen by the questions that follow.
        """
        name = encoded(table)
        ids = [batch.command_id for batch in batches if batch.command_id is not None]
        questions = [Statement(self._sql(_FIND), (encoded(command_id), name)) for command_id in ids]
        last, *earlier = self._server.read(Statement(self._sql(_HEAD), (name,)), *questions)
        length = _head(last.rows, table).length
        for command_id, (rows, _) in zip(ids, earlier, strict=True):
            if rows[0][0] is not None:
                raise DuplicateCommand(table, command_id, rows[0][0])
        require(table, expected, length, batches)

    def head(self, table: str) -> Head:
        """The end of the log."""
        return _head(self._ask(_HEAD, encoded(table)), table)

    def find(self, table: str, command_id: str) -> Stored | None:
        """The batch with this command id."""
        rows = self._ask(_FIND, encoded(command_id), encoded(table))
        if not rows:
            raise unknown_table(table)
        return None if rows[0][0] is None else stored(rows[0], table)

    def read(self, table: str, start: int, stop: int | None) -> Iterator[Stored]:
        """Batches from ``start`` up to ``stop`` or the end."""
        key = self._table_key(table)
        block = partial(self._read_block, table, key)
        return blocks(table, (start, stop), LIMIT, block, partial(self._following, key))

    def payloads(self, table: str, start: int, stop: int | None) -> Iterator[bytes]:
        """The payloads of ``read``."""
        key = self._table_key(table)
        block = partial(self._payload_block, table, key)
        return blocks(table, (start, stop), LIMIT, block, partial(self._following, key))

    def _require_no_table(self, table: str) -> None:
        if self._ask("SELECT FROM {}.tables WHERE name = %b", encoded(table)):
            why = f"The store has a table {table!r} already."
            raise TableExists(why)

    def _table_key(self, table: str) -> int:
        """The number that stands for the table in rows."""
        rows = self._ask("SELECT key FROM {}.tables WHERE name = %b", encoded(table))
        if not rows:
            raise unknown_table(table)
        key: int = rows[0][0]
        return key

    def _read_block(self, table: str, key: int, start: int, stop: int) -> list[Stored]:
        """Batches from ``start`` on, up to ``stop`` or the end."""
        found = [stored(row, table) for row in self._ask(_READ, key, start, stop)]
        for number, batch in enumerate(found, start):
            if batch.number != number:
                why = "a batch is missing"
                raise CorruptLog(why, table=table, batch=number)
        return found

    def _payload_block(self, table: str, key: int, start: int, stop: int) -> list[bytes]:
        """The payloads of ``read_block``, from that column alone."""
        payloads = [payload for (payload,) in self._ask(_PAYLOADS, key, start, stop)]
        if len(payloads) == stop - start:
            return payloads
        # Fewer than asked for: the last block, or a hole, which only the numbers tell.
        return [batch.payload for batch in self._read_block(table, key, start, stop)]

    def _following(self, key: int, number: int) -> int | None:
        """The least number from ``number`` on that the log has."""
        least: int | None = self._ask(_FOLLOWING, key, number)[0][0]
        return least

    def tables(self) -> tuple[str, ...]:
        """All names, sorted."""
        return tuple(sorted(decoded(name) for (name,) in self._ask("SELECT name FROM {}.tables")))

    def keep_snapshot(self, table: str, number: int, payload: bytes) -> None:
        """Store one, and remove all but the newest few."""
        if not 0 <= number < LIMIT:
            why = f"No log has a batch {number}."
            raise StoreFailed(why)
        name = encoded(table)
        keep = Statement(self._sql(_KEEP), (number, payload, name))
        forget = Statement(self._sql(_FORGET), (name, name, KEPT_SNAPSHOTS))
        if self._server.write(keep, forget)[0].affected != 1:
            raise unknown_table(table)

    def snapshot(self, table: str, at_most: int | None) -> tuple[int, bytes] | None:
        """The newest up to a number."""
        newest = LIMIT if at_most is None else max(-1, min(at_most, LIMIT))
        rows = self._ask(_SNAPSHOT, newest, encoded(table))
        if not rows:
            raise unknown_table(table)
        return None if rows[0][0] is None else (rows[0][0], rows[0][1])

    def seed(self, table: str) -> bytes | None:
        """The secret seed."""
        rows = self._ask(_SEED, encoded(table))
        if not rows:
            raise unknown_table(table)
        seed: bytes | None = rows[0][0]
        return seed

    def _ask(self, template: LiteralString, *parameters: object) -> list[tuple[Any, ...]]:
        return self._server.read(Statement(self._sql(template), parameters))[0].rows


def _columns(batches: Sequence[Stored]) -> tuple[list[object], ...]:
    """Batches as four columns, which ``unnest`` makes rows again."""
    return (
        [batch.number for batch in batches],
        [batch.payload for batch in batches],
        [batch.head for batch in batches],
        [None if batch.command_id is None else encoded(batch.command_id) for batch in batches],
    )


def _head(rows: list[tuple[Any, ...]], table: str) -> Head:
    if not rows:
        raise unknown_table(table)
    number, head = rows[0]
    if number is None:
        why = "it has no last batch"
        raise CorruptLog(why, table=table)
    return Head(number + 1, head)


def stored(row: tuple[Any, ...], table: str) -> Stored:
    """A batch from its columns."""
    number, payload, head, command_id = row
    return Stored(number, payload, head, None if command_id is None else decoded(command_id, table))
