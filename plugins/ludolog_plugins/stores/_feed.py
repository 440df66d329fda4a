"""The feed of a SQLite file: its statements, and what may be wrong with its rows."""

from __future__ import annotations

from typing import Any

from ludolog.errors import BadPosition, CorruptLog
from ludolog.feed_position import FeedPosition
from ludolog.store import Appended

from ._format import FIRST, Connection
from ._queries import stored_row

__all__ = ["feed_block", "last_place"]

_ROWS = """
    SELECT feed.place, feed.id, tables.name, batches.id, payload, head, command_id
    FROM feed LEFT JOIN batches ON batches.id = feed.id LEFT JOIN tables ON tables.key = feed.id >> 32
    WHERE feed.place >= ? ORDER BY feed.place LIMIT ?
"""


def last_place(connection: Connection) -> int:
    """The place of the batch that was appended last; 0 if there is none."""
    place: int | None = connection.execute("SELECT max(place) FROM feed").fetchone()[0]
    return place or 0


def feed_block(connection: Connection, after: str, limit: int) -> list[Appended]:
    """At most ``limit`` batches after a position."""
    start = FeedPosition.parse(after)
    first, checked = (1, 0) if start is None else (start.number, 1)
    # The batch at the position is read as well, to see whether it is the one that was there.
    rows = connection.execute(_ROWS, (first, limit + checked)).fetchall()
    found = [_appended(place, row) for place, row in enumerate(rows, first)]
    if start is not None and (not found or found.pop(0).position != after):
        raise BadPosition(after)
    return found


def _appended(place: int, row: tuple[Any, ...]) -> Appended:
    found, batch_id, table, *columns = row
    if found != place:
        why = f"place {place} of its feed is missing"
        raise CorruptLog(why)
    if not isinstance(table, str):
        why = f"place {place} of its feed is of no table"
        raise CorruptLog(why)
    key, number = divmod(batch_id, FIRST)
    stored = stored_row(table, number, key * FIRST, tuple(columns))
    return Appended(str(FeedPosition.of(place, stored.head)), table, stored)
