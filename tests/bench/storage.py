"""Reading, writing and opening logs in SQLite, beside the same bytes by hand."""

from __future__ import annotations

import itertools
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.measure import Ratio, ratio
from ludolog import Catalogue, Chance, Ruleset, Stored, Table, open_table, table_from
from ludolog.folding import HOST, Fold
from ludolog.journal import Journal
from ludolog_events import FORMAT, Batch, encode, head_of
from ludolog_plugins.stores.sqlite import SqliteStore
from toys.walk import STEPS, Stepped, Walk, ruleset, stepped

RULES = ruleset()


def fill(table: Table, length: int) -> None:
    """Append steps until the log has ``length`` batches, many in one transaction; keep a snapshot 1,000 before."""
    store, previous, number = table.journal.store, table.journal.head, table.length
    position = table.position
    rows: list[Stored] = []
    while number < length:
        command = STEPS[number % 3]
        decision = RULES.decide(position, "ann", command, Chance(b""))
        position = decision.position
        batch: Batch[Any, Any] = Batch(
            format=FORMAT,
            number=number,
            time=number,
            seat="ann",
            command_id=None,
            command=command,
            events=decision.events,
            draws="",
            blind=bytes(16),
            previous=previous,
        )
        payload = encode(batch)
        previous = head_of(payload)
        rows.append(Stored(number, payload, previous, None))
        number += 1
        if len(rows) == 5000 or number in {length - 1000, length}:
            store.append(table.id, number - len(rows), rows)
            rows = []
            table.refresh()
            if number == length - 1000:
                table.keep_snapshot()


def replay(folder: Path) -> Ratio:
    """Fold a log of 20,000 batches, beside raw read, msgspec decode and the reducer called by hand."""
    store = SqliteStore(folder / "replay.db")
    table = table_from(RULES, ("ann",), store=store, id="walk", seed=1)
    fill(table, 20_000)
    path = str(folder / "replay.db")

    def library() -> int:
        journal = Journal(store, table.id, RULES, *store.head(table.id))
        fold = Fold(RULES.start(), journal.facts, HOST)
        fold.catch_up(table.length)
        return table.length

    def by_hand() -> int:
        connection = sqlite3.connect(path)
        decode = RULES.event_decoder.decode
        walk = Walk()
        count = 0
        query = connection.execute("SELECT payload FROM batches ORDER BY number")
        for (payload,) in query:
            for event in decode(payload).events:
                if type(event) is Stepped:
                    walk = stepped(walk, event)
            count += 1
        connection.close()
        return count

    return ratio("replay from SQLite", library, by_hand, 1.2)


def appends(folder: Path) -> Ratio:
    """One batch a commit, beside raw inserts of the same bytes with the same durability."""
    store = SqliteStore(folder / "append.db")
    payload = bytes(range(200))
    names = (f"t{number}" for number in itertools.count())

    def library() -> int:
        name = next(names)
        store.create(name, [Stored(0, payload, head_of(payload), None)], seed=bytes(32))
        head = head_of(payload)
        for number in range(1, 300):
            store.append(name, number, (Stored(number, payload, head, None),))
        return 300

    connection = sqlite3.connect(folder / "raw.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute(
        "CREATE TABLE batches (t TEXT, number INTEGER, payload BLOB, head BLOB, command_id TEXT,"
        " PRIMARY KEY (t, number)) WITHOUT ROWID"
    )

    def by_hand() -> int:
        name, head = next(names), head_of(payload)
        for number in range(300):
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO batches VALUES (?, ?, ?, ?, ?)", (name, number, payload, head, None))
            connection.execute("COMMIT")
        return 300

    return ratio("SQLite appends, as a share of raw inserts", library, by_hand, 0.8, least=True)


def long_tables(folder: Path, length: int) -> Iterator[Ratio]:
    """Opening, appending, forking and copying at ``length`` batches, beside 10,000."""
    store = SqliteStore(folder / "long.db")
    short = table_from(RULES, ("ann",), store=store, id="short", seed=1)
    fill(short, 10_000)
    long = table_from(RULES, ("ann",), store=store, id="long", seed=1)
    fill(long, length)

    class Only(Catalogue):
        def ruleset(self, *_: Any, **__: Any) -> Ruleset:
            return RULES

    source = Only(())

    def opening(name: str) -> int:
        for _ in range(20):
            open_table(name, store, source=source)
        return 20

    yield ratio(f"open at {length:,} batches", lambda: opening("long"), lambda: opening("short"), 1.15)

    def append(table: Table) -> int:
        for number in range(300):
            table.play("ann", STEPS[number % 3])
        return 300

    yield ratio(f"append at {length:,} batches", lambda: append(long), lambda: append(short), 1.25)

    def fork(table: Table) -> int:
        for _ in range(20):
            table.fork()
        return 20

    yield ratio(f"fork at {length:,} batches", lambda: fork(long), lambda: fork(short), 1.25)

    def copy(table: Table) -> int:
        for _ in range(5000):
            table.position.copy()
        return 5000

    yield ratio(f"copy a position at {length:,} batches", lambda: copy(long), lambda: copy(short), 1.25)


def ratios(length: int) -> Iterator[Ratio]:
    """All of storage."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield replay(folder)
        yield appends(folder)
        yield from long_tables(folder, length)
