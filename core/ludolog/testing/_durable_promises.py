"""The tests that ``store_contract`` gives a store which survives its process and is used by several at once."""

# ruff: noqa: S101, PLR2004 - these are tests: they assert and count

from __future__ import annotations

from pathlib import Path

import pytest

from ludolog.errors import DuplicateCommand, TableExists, UsedAfterFork, VersionConflict
from ludolog.store import Store
from ludolog.testing._batches import SEED, append_retrying, batch, check_feed, check_log, every_call
from ludolog.testing._feed_promises import DurableFeedPromises
from ludolog.testing._store_promises import Promises
from ludolog.testing.faults import Child, Report

__all__ = ["DurablePromises"]


class DurablePromises(DurableFeedPromises, Promises):
    """What a store promises that outlives its process."""

    def test_everything_is_there_after_opening_again(self, store: Store, table: str, tmp_path: Path) -> None:
        store.append(table, 3, [batch(3, "c3")])
        store.keep_snapshot(table, 3, b"position")
        store.close()
        again = self.open_store(tmp_path)
        assert again.tables() == (table,)
        assert check_log(again) == [batch(0, "c0"), batch(1), batch(2, "c2"), batch(3, "c3")]
        assert (again.seed(table), again.snapshot(table)) == (SEED, (3, b"position"))
        with pytest.raises(DuplicateCommand):
            again.append(table, 4, [batch(4, "c3")])
        again.append(table, 4, [batch(4, "c4")])
        again.close()

    def test_two_stores_on_one_place_are_one(self, store: Store, table: str, tmp_path: Path) -> None:
        other = self.open_store(tmp_path)
        other.append(table, 3, [batch(3)])
        with pytest.raises(VersionConflict):
            store.append(table, 3, [batch(3)])
        store.append(table, 4, [batch(4)])
        other.close()
        assert len(check_log(store)) == 5

    def test_processes_append_to_one_table(self, store: Store, table: str, tmp_path: Path) -> None:
        """S4, S12: no append is lost, doubled or skipped, and no foreign error leaks out."""

        def write(report: Report) -> None:
            mine = self.open_store(tmp_path)
            name = report.name
            for n in range(30):
                report(str(append_retrying(mine, table, f"{name}-{n}")))
            mine.close()

        children = [Child(write, name=f"p{n}") for n in range(4)]
        for child in children:
            assert len(child.finish()) == 30
        ids = [stored.command_id for stored in check_log(store)[3:]]
        assert sorted(map(str, ids)) == sorted(f"p{p}-{n}" for p in range(4) for n in range(30))
        check_feed(store)

    def test_processes_open_a_new_store_at_once(self, tmp_path: Path) -> None:
        """Exactly one makes a table; all of them see it."""

        def make(report: Report) -> None:
            mine = self.open_store(tmp_path)
            try:
                mine.create("t", [batch(0, report.name)], seed=SEED)
                report("made")
            except TableExists:
                report("exists")
            assert mine.tables() == ("t",)
            mine.close()

        answers = [line for child in [Child(make, name=f"p{n}") for n in range(5)] for line in child.finish()]
        assert sorted(answers) == ["exists"] * 4 + ["made"]

    def test_a_reader_in_another_process_gets_prefixes(self, store: Store, table: str, tmp_path: Path) -> None:
        def read(report: Report) -> None:
            mine = self.open_store(tmp_path)
            length = 0
            while length < 400:
                numbers = [stored.number for stored in mine.read(table)]
                assert numbers == list(range(len(numbers)))
                assert len(numbers) >= length
                length = len(numbers)
            report(str(length))
            mine.close()

        child = Child(read)
        for number in range(3, 400):
            store.append(table, number, [batch(number)])
        assert child.finish() == ["400"]

    def test_a_forked_child_opens_its_own(self, store: Store, table: str, tmp_path: Path) -> None:
        """S19: the parent's store is refused there; one opened anew works, also after the parent has closed its own."""

        def use(report: Report) -> None:
            for call in every_call(store, table):
                with pytest.raises(UsedAfterFork):
                    call()
            store.close()
            mine = self.open_store(tmp_path)
            mine.append(table, 3, [batch(3, "child 1")])
            report("opened")
            report.wait()
            mine.append(table, 4, [batch(4, "child 2")])
            report("appended")
            mine.close()

        child = Child(use)
        assert child.line() == "opened"
        assert len(check_log(store)) == 4
        store.close()
        child.go_on()
        assert child.finish() == ["appended"]
        again = self.open_store(tmp_path)
        assert [stored.command_id for stored in check_log(again)[3:]] == ["child 1", "child 2"]
        again.close()

    def test_a_killed_writer_loses_nothing_acknowledged(self, store: Store, table: str, tmp_path: Path) -> None:
        """S1: kill -9 in the middle of appending; the retry of the unacknowledged one is stored once."""
        store.close()

        def write(report: Report) -> None:
            mine = self.open_store(tmp_path)
            for number in range(mine.head(table).length, 1_000_000):
                mine.append(table, number, [batch(number, f"c{number}")])
                report(str(number))

        for lines in (1, 7, 30):
            child = Child(write)
            reported = [child.line() for _ in range(lines)] + child.kill()
            acknowledged = int(reported[-1])
            again = self.open_store(tmp_path)
            length = len(check_log(again))
            assert length in (acknowledged + 1, acknowledged + 2)
            retry = acknowledged + 1
            if length == retry:
                again.append(table, retry, [batch(retry, f"c{retry}")])
            else:
                with pytest.raises(DuplicateCommand):
                    again.append(table, retry, [batch(retry, f"c{retry}")])
            assert len(check_log(again)) == len(check_feed(again)) == retry + 1
            again.close()
