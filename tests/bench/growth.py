"""What grows with a log, with the number of tables, and what doesn't: a table of 10,000 batches is the measure."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from bench.measure import Ratio, ratio, single
from bench.storage import RULES, fill
from ludolog import Catalogue, Game, Ruleset, Stored, Table, open_table, table_from
from ludolog.store import Store
from ludolog_events import head_of
from ludolog_plugins.stores.sqlite import SqliteStore
from toys.walk import GAME, STEPS

__all__ = ["ratios"]

MEASURE: Final = 10_000
LONG: Final = 100_000
TABLES: Final = 10_000
READER: Final = Path(__file__).with_name("reading.py")


class _Only(Catalogue):
    """Knows the rules of the walk alone."""

    def game(self, *_: Any) -> Game:
        return GAME

    def ruleset(self, *_: Any, **__: Any) -> Ruleset:
        return RULES


ONLY: Final = _Only(())


def ratios(longest: int) -> Iterator[Ratio]:
    """Everything that is asked of logs of 1,000 to ``longest`` batches, then of files with many tables."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "growth.db"
        store = SqliteStore(path)
        lengths = sorted({1000, MEASURE, LONG, longest})
        tables = {length: table_from(RULES, ("ann",), store=store, id=f"long{length}", seed=1) for length in lengths}
        for length, table in tables.items():
            fill(table, length)
        measure = tables.pop(MEASURE)
        for length, table in tables.items():
            yield from _at_any_length(store, table, measure, f"at {length:,} batches")
        for length, table in tables.items():
            yield from _whole_log(table, measure, f"of {length:,} batches")
            if length > MEASURE:
                yield from _memory(path, table, measure, f"{length:,} batches")
        for length, table in tables.items():
            yield _beside(f"append at {length:,} batches", _steps, table, measure, 100)
        store.close()
    with tempfile.TemporaryDirectory() as name:
        yield from _many_tables(Path(name))


def _at_any_length(store: Store, table: Table, measure: Table, where: str) -> Iterator[Ratio]:
    """What should cost the same wherever the log ends."""

    def opened(one: Table) -> Table:
        return open_table(one.id, store, source=ONLY)

    yield _beside(f"open {where}", opened, table, measure, 10, goal=1.15)
    view = f"open, and what a seat sees, {where}"
    yield _beside(view, lambda one: opened(one).view("ann"), table, measure, 3, goal=1.15)
    yield _beside(f"time travel by 500 {where}", lambda one: one.at(one.length - 500), table, measure, 10)
    yield _beside(f"fork {where}", Table.fork, table, measure, 20)
    yield _beside(f"copy of a position {where}", lambda one: one.position.copy(), table, measure, 5000)


def _beside(
    name: str, work: Callable[[Table], object], table: Table, measure: Table, times: int, *, goal: float = 1.25
) -> Ratio:
    def repeated(one: Table) -> int:
        for _ in range(times):
            work(one)
        return times

    return ratio(name, lambda: repeated(table), lambda: repeated(measure), goal)


def _steps(table: Table) -> None:
    table.play("ann", STEPS[table.length % 3])


def _whole_log(table: Table, measure: Table, where: str) -> Iterator[Ratio]:
    """What has to read the whole log, or half of it: a batch should cost the same."""

    def audited(one: Table) -> int:
        report = one.audit([one.receipt])
        if not report.ok:
            raise AssertionError(str(report))
        return one.length

    def middle(one: Table) -> int:
        return one.at(one.length // 2).ruleset is RULES and one.length // 2

    # A short log is all beginning and end.
    goal = 1.25 if table.length > MEASURE else 0
    for name, work in ((f"time travel to the middle, a batch, {where}", middle), (f"audit, a batch, {where}", audited)):
        if table.length <= LONG:
            yield ratio(name, partial(work, table), partial(work, measure), goal, rounds=3)
        else:
            yield single(name, partial(work, table), partial(work, measure), goal)


def _memory(path: Path, table: Table, measure: Table, what: str) -> Iterator[Ratio]:
    """Most memory that a process needs that reads a whole log."""
    for how in ("payloads", "batches", "fold", "verify"):
        most = [_peak(path, one.id, how) / 1024 for one in (table, measure)]
        yield Ratio(
            f"memory, {what}: {how}", most[0] / most[1], 1.1, least=False, unit_us=most[0], bare_us=most[1], unit="MB"
        )


def _peak(path: Path, table: str, how: str) -> int:
    """Kilobytes."""
    done = subprocess.run([sys.executable, READER, path, table, how], capture_output=True, text=True, check=True)
    return int(done.stdout)


def _many_tables(folder: Path) -> Iterator[Ratio]:
    """One file with 10,000 tables beside one with 10."""
    stores = {count: SqliteStore(folder / f"{count}.db", durability="normal") for count in (10, TABLES)}
    payload = bytes(range(200))
    for count, store in stores.items():
        for number in range(count):
            batches = [Stored(n, payload, head_of(payload), f"c{n}") for n in range(10)]
            store.create(f"t{number}", batches, seed=bytes(32))
    tables = {count: table_from(RULES, ("ann",), store=store, id="played", seed=1) for count, store in stores.items()}

    def beside(name: str, work: Callable[[int], object], times: int) -> Ratio:
        def repeated(count: int) -> int:
            for _ in range(times):
                work(count)
            return times

        return ratio(f"{name}, {TABLES:,} tables in the file", lambda: repeated(TABLES), lambda: repeated(10), 1.25)

    def new(count: int) -> None:
        table_from(RULES, ("ann",), store=stores[count], seed=1)

    yield beside("append", lambda count: _steps(tables[count]), 200)
    yield beside("open", lambda count: open_table("played", stores[count], source=ONLY), 20)
    yield beside("new table", new, 20)
    for store in stores.values():
        store.close()
