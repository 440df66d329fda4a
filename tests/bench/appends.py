"""Appends, one batch a commit, beside raw inserts of the same bytes with the same durability; for each store."""

from __future__ import annotations

import itertools
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Literal

from bench.measure import Ratio, ratio
from ludolog.store import Store, Stored
from ludolog_events import head_of
from ludolog_plugins.stores.sqlite import SqliteStore

__all__ = ["ratios"]

PAYLOAD: Final = bytes(range(200))
HEAD: Final = head_of(PAYLOAD)
Durability = Literal["full", "normal"]
Insert = Callable[[str, int, str | None], object]
"""Table, number, command id."""

_names = (f"t{number}" for number in itertools.count())


def beside(
    name: str, store: Store, insert: Insert, appends: int, rounds: int, *, ids: bool, goal: float = 0.8
) -> Ratio:
    """Appends to a store beside raw inserts."""

    def command_id(table: str, number: int) -> str | None:
        return f"{table}-{number}" if ids else None

    def library() -> int:
        table = next(_names)
        store.create(table, [Stored(0, PAYLOAD, HEAD, None)], seed=bytes(32))
        for number in range(1, appends):
            store.append(table, number, (Stored(number, PAYLOAD, HEAD, command_id(table, number)),))
        return appends

    def by_hand() -> int:
        table = next(_names)
        for number in range(appends):
            insert(table, number, command_id(table, number))
        return appends

    return ratio(name, library, by_hand, goal, rounds=rounds, least=True)


def _raw_sqlite(path: Path, durability: Durability, *, unique: bool) -> Insert:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(f"PRAGMA synchronous={durability}")
    connection.execute(
        "CREATE TABLE batches (t TEXT, number INTEGER, payload BLOB, head BLOB, command_id TEXT,"
        f" PRIMARY KEY (t, number){', UNIQUE (t, command_id)' * unique}) WITHOUT ROWID"
    )

    def insert(table: str, number: int, command_id: str | None) -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO batches VALUES (?, ?, ?, ?, ?)", (table, number, PAYLOAD, HEAD, command_id))
        connection.execute("COMMIT")

    return insert


def _sqlite(folder: Path) -> Iterator[Ratio]:
    kinds: tuple[Durability, ...] = ("full", "normal")
    for durability in kinds:
        store = SqliteStore(folder / f"{durability}.db", durability=durability)
        plain = _raw_sqlite(folder / f"{durability}-raw.db", durability, unique=False)
        keyed = _raw_sqlite(folder / f"{durability}-keyed.db", durability, unique=True)
        appends = 300 if durability == "full" else 2000
        name = f"SQLite {durability}: appends"
        yield beside(f"{name} as a share of raw inserts", store, plain, appends, 9, ids=False)
        yield beside(f"{name} with command ids, of raw inserts", store, plain, appends, 9, ids=True)
        yield beside(f"{name} with command ids, of raw with a key", store, keyed, appends, 9, ids=True)
        store.close()


def _postgres(folder: Path) -> Iterator[Ratio]:
    import psycopg  # noqa: PLC0415 - only where there is a server to talk to

    from ludolog_plugins.stores.postgres import PostgresStore  # noqa: PLC0415
    from stores.postgres_server import PostgresServer  # noqa: PLC0415

    server = PostgresServer(folder)
    server.start(fsync="on", full_page_writes="on")
    try:
        kinds: tuple[Durability, ...] = ("full", "normal")
        for durability in kinds:
            store = PostgresStore(server.url, schema=f"bench_{durability}", durability=durability)
            connection = psycopg.connect(server.url, autocommit=True)
            connection.execute(f"SET synchronous_commit = {'on' if durability == 'full' else 'off'}")
            connection.execute(
                f"CREATE TABLE raw_{durability} (t text, number bigint, payload bytea, head bytea, command_id text,"
                " PRIMARY KEY (t, number), UNIQUE (t, command_id))"
            )
            statement = f"INSERT INTO raw_{durability} VALUES (%s, %s, %s, %s, %s)"  # noqa: S608 - made up here

            def insert(table: str, number: int, command_id: str | None) -> None:
                connection.execute(statement, (table, number, PAYLOAD, HEAD, command_id))  # noqa: B023 - used at once

            name = f"PostgreSQL {durability}: appends"
            yield beside(f"{name} as a share of raw inserts", store, insert, 300, 5, ids=False, goal=0)
            yield beside(f"{name} with command ids, of raw with a key", store, insert, 300, 5, ids=True, goal=0)
            store.close()
            connection.close()
    finally:
        server.stop()


def ratios() -> Iterator[Ratio]:
    """Both stores, both durabilities, with command ids and without."""
    with tempfile.TemporaryDirectory() as name:
        yield from _sqlite(Path(name))
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)  # The server may run as somebody else.
        yield from _postgres(Path(name))
