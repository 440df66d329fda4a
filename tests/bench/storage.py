"""Made-up logs of any length, and how fast one is folded from SQLite, beside the same done by hand."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.measure import Ratio, ratio
from ludolog import Chance, Stored, Table, table_from
from ludolog.chance import Blinder
from ludolog.folding import HOST, Fold
from ludolog.journal import Journal
from ludolog_events import FORMAT, Batch, encode, head_of
from ludolog_plugins.stores.sqlite import SqliteStore
from toys.walk import STEPS, Stepped, Walk, ruleset, stepped

__all__ = ["RULES", "fill", "ratios"]

RULES = ruleset()


def fill(table: Table, length: int) -> None:
    """Append steps until the log has ``length`` batches, many in one transaction; keep a snapshot 1,000 before.

    As at a table that is played at, the snapshot holds what the seat saw.
    """
    store, previous, number = table.journal.store, table.journal.head, table.length
    position = table.position
    rows: list[Stored] = []
    blinder = Blinder(table.seed or b"", table.id)
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
            blind=blinder.blind(number),
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
                table.view("ann")
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


def ratios() -> Iterator[Ratio]:
    """Replay from a file."""
    with tempfile.TemporaryDirectory() as name:
        yield replay(Path(name))
