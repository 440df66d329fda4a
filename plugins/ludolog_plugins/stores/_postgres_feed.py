"""The feed across all tables of a PostgreSQL store, in the order of transactions.

Batches become visible when their transaction commits, in another order than they were written in. So each row holds
the number of its transaction, and the feed tells only rows of transactions below the oldest one that is still open
(``xmin`` of the snapshot it reads with): those are all decided, and nothing can appear among them any more.

Transaction numbers belong to a database cluster. A dump that is restored into a younger one has rows with numbers that
the cluster has yet to give out; ``restored`` notices it on the first connection, and begins another epoch, which comes
after all that was restored.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from ludolog.errors import BadPosition, CorruptLog, StoreFailed
from ludolog.store import Appended

from ._postgres_format import Format, Schema
from ._postgres_queries import decoded, stored
from ._postgres_server import Server, Statement

__all__ = ["Feed", "FeedLag", "new_epoch", "restored"]

_RESTORED: Final = """SELECT EXISTS (SELECT FROM {}.batches WHERE epoch = (SELECT epoch FROM {}.about)
    AND transaction >= pg_snapshot_xmax(pg_current_snapshot()))"""
_NEW_EPOCH: Final = """UPDATE {}.about SET epoch = epoch + 1 WHERE EXISTS (SELECT FROM {}.batches
    WHERE batches.epoch = about.epoch AND transaction >= pg_snapshot_xmax(pg_current_snapshot()))"""

# Both comparisons of rows are bounds in the index; below the second, everything is decided. The number that is told as
# text has a name of its own, or else ORDER BY would mean the text.
_READ: Final = """SELECT epoch, transaction::text AS as_text, table_key, number, name, payload, head, command_id
    FROM (SELECT * FROM {}.batches WHERE (epoch, transaction, table_key, number) > (%b, %t::xid8, %b, %b)
        AND (epoch, transaction) < ((SELECT epoch FROM {}.about), pg_snapshot_xmin(pg_current_snapshot()))
        ORDER BY epoch, transaction, table_key, number LIMIT %b) AS told
    LEFT JOIN {}.tables ON key = table_key ORDER BY epoch, transaction, table_key, number"""
_AT: Final = """SELECT head FROM {}.batches
    WHERE table_key = %b AND number = %b AND epoch = %b AND transaction = %t::xid8"""
_NEWEST: Final = """SELECT epoch, transaction::text AS as_text, table_key, number FROM {}.batches
    WHERE (epoch, transaction) < ((SELECT epoch FROM {}.about), pg_snapshot_xmin(pg_current_snapshot()))
    ORDER BY epoch DESC, transaction DESC, table_key DESC, number DESC LIMIT 1"""
_LAG: Final = """SELECT count(*), coalesce(extract(epoch FROM now() - min(stored_at)), 0)::float8 FROM {}.batches
    WHERE (epoch, transaction) >= ((SELECT epoch FROM {}.about), pg_snapshot_xmin(pg_current_snapshot()))"""

_FORM: Final = re.compile(r"pg-([0-9a-f]{12})-(\d{1,9})-(\d{1,18})-(\d{1,18})-(\d{1,18})-([0-9a-f]{16})", re.ASCII)
_CHECKED: Final = 8


class FeedLag(NamedTuple):
    """What the feed holds back because an older transaction of the server is still open."""

    batches: int
    """How many batches are stored and not yet told."""
    seconds: float
    """For how long the oldest of them has been stored."""


class _Place(NamedTuple):
    """A batch's place in the feed. Transactions of one epoch are in the order of their numbers."""

    epoch: int
    transaction: int
    table_key: int
    number: int


_BEGINNING: Final = _Place(0, 0, 0, 0)


class Feed:
    """The feed of one store.

    Args:
        server: Where it is.
        schema: Its schema.
        found: What it is. Its own id is in positions, so that those of another store are not taken for its own.
    """

    def __init__(self, server: Server, schema: Schema, found: Format) -> None:
        self._server = server
        self._sql = schema
        self._store = found.store
        self._possible = found.has_feed
        self._seen = _BEGINNING

    def read(self, after: str, limit: int) -> tuple[Appended, ...]:
        """Batches after a position; see ``Store.feed``."""
        self._require()
        place, check = self._parse(after)
        parameters = (place.epoch, str(place.transaction), place.table_key, place.number, max(limit, 0))
        wanted = Statement(self._sql(_READ), parameters)
        at = (place.table_key, place.number, place.epoch, str(place.transaction))
        told, there = self._server.read(wanted, Statement(self._sql(_AT), at))
        if after and [_check(head) for (head,) in there.rows] != [check]:
            raise BadPosition(after)
        found = tuple(self._appended(row) for row in told.rows)
        if told.rows:
            self._seen = max(self._seen, _place(told.rows[-1]))
        return found

    def grown(self) -> bool:
        """Whether there is something to tell that ``read`` hasn't told yet, and that wasn't there when last asked."""
        if not self._possible:
            return False
        rows = self._server.read(Statement(self._sql(_NEWEST)))[0].rows
        newest = _place(rows[0]) if rows else _BEGINNING
        grown, self._seen = newest > self._seen, max(newest, self._seen)
        return grown

    def lag(self) -> FeedLag:
        """What is held back at this moment."""
        self._require()
        batches, seconds = self._server.read(Statement(self._sql(_LAG)))[0].rows[0]
        return FeedLag(batches, max(seconds, 0.0))

    def _require(self) -> None:
        self._server.check()
        if not self._possible:
            why = (
                f"{self._server.where} has no feed: its engine doesn't number transactions as PostgreSQL does, "
                f"so that one could skip a batch. Each table's log can be followed all the same."
            )
            raise StoreFailed(why)

    def _parse(self, position: object) -> tuple[_Place, str]:
        if position == "":
            return _BEGINNING, ""
        found = _FORM.fullmatch(position) if isinstance(position, str) else None
        if found is None:
            raise BadPosition(position, "it isn't one of a PostgreSQL store")
        store, *place, check = found.groups()
        if store != self._store:
            raise BadPosition(position, "it is one of another store")
        return _Place(*map(int, place)), check

    def _appended(self, row: tuple[Any, ...]) -> Appended:
        *_, number, name, payload, head, command_id = row
        if name is None:
            why = f"its feed has a batch of no table, number {number}"
            raise CorruptLog(why)
        table = decoded(name)
        batch = stored((number, payload, head, command_id), table)
        position = "-".join(("pg", self._store, *map(str, _place(row)), _check(head)))
        return Appended(position, table, batch)


def restored(schema: Schema) -> Statement:
    """Whether rows are from a cluster with more transactions behind it than this one has."""
    return Statement(schema(_RESTORED))


def new_epoch(schema: Schema) -> Statement:
    """Begin another epoch if they are."""
    return Statement(schema(_NEW_EPOCH))


def _place(row: tuple[Any, ...]) -> _Place:
    epoch, transaction, table_key, number = row[:4]
    return _Place(epoch, int(transaction), table_key, number)


def _check(head: bytes) -> str:
    return head[:_CHECKED].ljust(_CHECKED, b"\0").hex()
