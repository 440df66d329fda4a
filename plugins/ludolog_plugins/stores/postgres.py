"""The PostgreSQL store: for apps with several servers, and for more tables than one machine's file should hold.

Any number of processes on any number of machines write at once. Whether a batch is the next of its log is decided by
a unique key, in the transaction that stores it; nothing is locked longer than that, nothing is kept in a session, and
no extension is used. So the store also works behind a pooler that gives every transaction to another session.

With ``durability="full"`` an append is on the server's disk when it returns. With ``"normal"`` a crash of the server
may lose the last appends (of a fraction of a second); what is left is always a whole prefix.

The seeds are in the database: whoever can read it knows every table's chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, Self, get_args

import structlog

from ludolog.errors import BadOptions, CorruptLog, PluginFailed, StoreBusy, StoreFailed, StoreReadOnly
from ludolog.hookspecs import hookimpl
from ludolog.store import Appended, Head, Stored, StorePlugin
from ludolog.subscribing import Subscription, follow

from ._postgres_url import SCHEMES, split_url

if TYPE_CHECKING:  # They need psycopg; without it, the plugin is there to say so.
    from ._postgres_database import Database
    from ._postgres_feed import FeedLag

__all__ = ["PostgresStore", "ludolog_store", "open_spec"]

Durability = Literal["full", "normal"]

LONGEST_WAIT: Final = 3600
"""Seconds."""

LONGEST_NAME: Final = 63
"""Bytes of a name in PostgreSQL."""

_MISSING: Final = (
    "The PostgreSQL store needs psycopg 3, which can't be imported here: {}. "
    'Install it with: pip install "ludolog[postgres]"'
)

log = structlog.get_logger(__name__)


class PostgresStore:
    """Logs in one schema of a PostgreSQL database.

    Args:
        url: ``postgresql://user:password@host:port/database``, and what else libpq reads in it. What it leaves out
            comes from the environment: ``PGHOST``, ``PGPASSWORD``, ``~/.pgpass`` and so on.
        schema: the schema that holds the store; it is made if it doesn't exist.
        durability: ``"full"`` or ``"normal"``, see the module.
        busy_timeout: how long to wait for other writers, in seconds, before StoreBusy.
        connections: how many connections this store may have at once; threads wait for each other if there are more.
            One more is used by ``wait``.
        create: False: a schema that doesn't exist or is empty is NotAStore.

    Raises:
        PluginFailed: psycopg isn't installed.
        NotAStore: the URL is malformed, there is no such database, or the schema holds something else.
        NewerFormat: a newer version of the library made it.
        CorruptLog: tables or columns are missing.
        StoreReadOnly: it would have to be made, and can't be.
        StoreBusy: it was locked for longer than ``busy_timeout``.
        StoreFailed: the server can't be reached or doesn't let this user in.
        BadOptions: an argument has a value that it can't have, or the URL has an option that doesn't exist.
    """

    def __init__(
        self,
        url: str,
        *,
        schema: str = "ludolog",
        durability: Durability = "full",
        busy_timeout: float = 5.0,
        connections: int = 4,
        create: bool = True,
    ) -> None:
        _check(schema, durability, busy_timeout, connections)
        self._database = _open_database(url, schema, (durability, busy_timeout, connections), create=create)

    def __repr__(self) -> str:
        return f"PostgresStore({self._database.where!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def create(self, table: str, batches: Sequence[Stored], *, seed: bytes) -> None:
        """See ``Store.create``."""
        self._database.queries.create(table, batches, seed)
        self._database.ring()

    def append(self, table: str, expected: int, batches: Sequence[Stored]) -> None:
        """See ``Store.append``. After StoreFailed the store need not be opened anew: it connects again by itself."""
        self._database.queries.append(table, expected, batches)
        self._database.ring()

    def read(self, table: str, start: int = 0, stop: int | None = None) -> Iterator[Stored]:
        """See ``Store.read``."""
        return self._database.queries.read(table, start, stop)

    def payloads(self, table: str, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """See ``Store.payloads``."""
        return self._database.queries.payloads(table, start, stop)

    def head(self, table: str) -> Head:
        """See ``Store.head``."""
        return self._database.queries.head(table)

    def find(self, table: str, command_id: str) -> Stored | None:
        """See ``Store.find``."""
        return self._database.queries.find(table, command_id)

    def tables(self) -> tuple[str, ...]:
        """See ``Store.tables``."""
        return self._database.queries.tables()

    def feed(self, after: str = "", limit: int = 1000) -> tuple[Appended, ...]:
        """See ``Store.feed``.

        A batch is told when no transaction of the server's that began before its own can still store one; so one
        transaction that stays open holds back the feed of all. ``feed_lag`` shows it.
        """
        return self._database.feed.read(after, limit)

    def feed_lag(self) -> FeedLag:
        """How many batches are stored and not yet told by the feed, and for how many seconds the oldest of them."""
        return self._database.feed.lag()

    def wait(self, timeout: float) -> bool:
        """See ``Store.wait``."""
        return self._database.wait(timeout)

    def subscribe(self, after: str = "", *, timeout: float | None = None) -> Subscription[str, Appended]:
        """See ``Store.subscribe``."""
        return follow(self, after, timeout)

    def keep_snapshot(self, table: str, number: int, payload: bytes) -> None:
        """See ``Store.keep_snapshot``."""
        try:
            self._database.queries.keep_snapshot(table, number, payload)
        except (CorruptLog, StoreBusy, StoreFailed, StoreReadOnly) as error:
            log.warning("snapshot not kept", table=table, number=number, why=str(error))

    def snapshot(self, table: str, at_most: int | None = None) -> tuple[int, bytes] | None:
        """See ``Store.snapshot``."""
        return self._database.queries.snapshot(table, at_most)

    def seed(self, table: str) -> bytes | None:
        """See ``Store.seed``."""
        return self._database.queries.seed(table)

    def close(self) -> None:
        """See ``Store.close``."""
        self._database.close()


def _open_database(url: str, schema: str, settings: tuple[Durability, float, int], *, create: bool) -> Database:
    try:
        from ._postgres_database import open_database  # noqa: PLC0415 - psycopg may be missing
    except ImportError as error:
        why = _MISSING.format(str(error).partition("\n")[0])
        raise PluginFailed(why) from None
    return open_database(url, schema, settings, create=create)


def _check(schema: str, durability: str, busy_timeout: float, connections: int) -> None:
    if not schema or "\0" in schema or len(schema.encode("utf-8", "replace")) > LONGEST_NAME:
        why = f"schema={schema!r} is no name of 1 to {LONGEST_NAME} bytes."
        raise BadOptions(why)
    if durability not in get_args(Durability):
        why = f"durability={durability!r} isn't one of {', '.join(get_args(Durability))}."
        raise BadOptions(why)
    if not 0 <= busy_timeout <= LONGEST_WAIT:
        why = f"busy_timeout={busy_timeout!r} isn't between 0 and {LONGEST_WAIT} seconds."
        raise BadOptions(why)
    if connections < 1:
        why = f"connections={connections!r} isn't 1 or more."
        raise BadOptions(why)


def open_spec(spec: str, /, *, create: bool = True) -> PostgresStore:
    """Open a URL: ``postgresql://user:password@host/database``, with the store's options after those of libpq.

    For example ``postgresql://localhost/games?sslmode=require&schema=club&durability=normal``.

    Raises:
        BadOptions: an option doesn't exist or has a value that it can't have.
        NotAStore and others: see ``PostgresStore``.
    """
    url, given = split_url(spec)
    options: dict[str, Any] = dict(given)
    for name, kind in (("busy_timeout", float), ("connections", int)):
        if name in options:
            try:
                options[name] = kind(options[name])
            except ValueError:
                why = f"{name}={options[name]!r} is no number."
                raise BadOptions(why) from None
    return PostgresStore(url, create=create, **options)


@hookimpl
def ludolog_store() -> StorePlugin:
    """Register the PostgreSQL store."""
    return StorePlugin("postgres", SCHEMES, open_spec)
