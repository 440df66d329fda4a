"""The tests that ``store_contract`` gives every store."""

# ruff: noqa: S101, PLR2004 - these are tests: they assert and count

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ludolog.errors import DuplicateCommand, LudologError, StoreClosed, TableExists, UnknownTable, VersionConflict
from ludolog.store import KEPT_SNAPSHOTS, Store, Stored
from ludolog.testing._batches import SEED, append_retrying, batch, check_log, every_call, in_threads
from ludolog.testing._feed_promises import FeedPromises

__all__ = ["Promises"]


class Promises(FeedPromises):
    """What every store promises."""

    # ------------------------------------------------------------ a log

    def test_what_was_stored_is_read_again(self, store: Store, table: str) -> None:
        more = [batch(3), batch(4, "c4")]
        store.append(table, 3, more)
        assert check_log(store) == [batch(0, "c0"), batch(1), batch(2, "c2"), *more]
        assert all(type(stored) is Stored for stored in store.read(table))

    @pytest.mark.parametrize("payload", [b"", b"\0", b"\xff" * 999_999], ids=["empty", "zero", "long"])
    def test_a_payload_is_any_bytes(self, store: Store, table: str, payload: bytes) -> None:
        stored = Stored(3, payload, hashlib.sha256(payload).digest())
        store.append(table, 3, [stored])
        assert list(store.read(table, 3)) == [stored]
        assert list(store.payloads(table, 3)) == [payload]

    def test_a_table_is_made_once(self, store: Store, table: str) -> None:
        with pytest.raises(TableExists, match="'t'"):
            store.create(table, [batch(0)], seed=b"another")
        assert len(check_log(store)) == 3
        assert store.seed(table) == SEED

    def test_a_table_has_a_first_batch_and_no_hole(self, store: Store) -> None:
        for batches in ([], [batch(1)], [batch(0), batch(2)], [batch(0, "c"), batch(1, "c")]):
            with pytest.raises(LudologError):
                store.create("t", batches, seed=SEED)
            assert store.tables() == ()
        store.create("t", [batch(0)], seed=SEED)
        assert check_log(store) == [batch(0)]

    def test_tables_are_listed_sorted_and_kept_apart(self, store: Store) -> None:
        names = ("b", "a", "ab", "", "A", "t/1", "'; DROP TABLE batches; --", "\N{BUG}", "é", "e\u0301", "a" * 500)
        for name in names:
            store.create(name, [batch(0, "same id", table=name)], seed=name.encode())
        for number in (1, 2):
            for name in names:
                store.append(name, number, [batch(number, f"{number}", table=name)])
        assert store.tables() == tuple(sorted(names))
        for name in names:
            expected = [batch(0, "same id", table=name), batch(1, "1", table=name), batch(2, "2", table=name)]
            assert check_log(store, name) == expected
            assert store.seed(name) == name.encode()

    def test_an_unknown_table_is_named(self, store: Store, table: str) -> None:
        calls: list[Callable[[str], Any]] = [
            store.head,
            store.seed,
            store.read,
            store.payloads,
            store.snapshot,
            lambda name: store.find(name, "c0"),
            lambda name: store.append(name, 1, [batch(1)]),
            lambda name: store.append(name, 0, [batch(0)]),
            lambda name: store.append(name, 0, []),
            lambda name: store.keep_snapshot(name, 0, b""),
        ]
        for name in ("T", "", "t ", "\0", "\ud800"):
            for call in calls:
                with pytest.raises(UnknownTable) as caught:
                    call(name)
                assert repr(name) in str(caught.value)
        assert store.tables() == (table,)

    # ------------------------------------------------------------ appending

    @pytest.mark.parametrize("expected", [0, 1, 2, 4, 5, 1000, 2**31, 2**32 + 3, 2**63, 2**70, -1])
    def test_another_length_is_a_conflict(self, store: Store, table: str, expected: int) -> None:
        """S5: also one beyond the head, so that there is never a hole."""
        store.create("next", [batch(number, table="next") for number in range(8)], seed=SEED)
        for batches in ([batch(expected)], []):
            with pytest.raises(VersionConflict) as caught:
                store.append(table, expected, batches)
            assert (caught.value.table, caught.value.expected, caught.value.actual) == (table, expected, 3)
        assert len(check_log(store)) == 3
        assert len(check_log(store, "next")) == 8

    @pytest.mark.parametrize("numbers", [(4,), (2,), (3, 5), (3, 3), (3, 4, 4), (4, 3), (2, 3)])
    def test_batches_are_numbered_on(self, store: Store, table: str, numbers: tuple[int, ...]) -> None:
        with pytest.raises(VersionConflict):
            store.append(table, 3, [batch(number) for number in numbers])
        assert len(check_log(store)) == 3

    def test_appending_nothing_only_compares(self, store: Store, table: str) -> None:
        store.append(table, 3, [])
        assert len(check_log(store)) == 3

    def test_a_command_id_is_stored_once(self, store: Store, table: str) -> None:
        """S1: a retry is told where its first try went, whatever length it expects."""
        store.append(table, 3, [batch(3, "c3"), batch(4)])
        for expected in (3, 5, 9):
            with pytest.raises(DuplicateCommand) as caught:
                store.append(table, expected, [batch(expected, "c3")])
            assert (caught.value.table, caught.value.command_id, caught.value.number) == (table, "c3", 3)
        assert len(check_log(store)) == 5

    def test_an_append_is_all_or_nothing(self, store: Store, table: str) -> None:
        for batches in ([batch(3, "new"), batch(4, "c2")], [batch(3, "new"), batch(4, "new")]):
            with pytest.raises(DuplicateCommand):
                store.append(table, 3, batches)
            assert len(check_log(store)) == 3
            assert store.find(table, "new") is None
        store.append(table, 3, [batch(3, "new")])
        assert store.find(table, "new") == batch(3, "new")

    def test_a_batch_is_found_by_its_command_id(self, store: Store, table: str) -> None:
        assert store.find(table, "c2") == batch(2, "c2")
        for command_id in ("c1", "", "C2", "c2 ", "c2\0", "\ud800"):
            assert store.find(table, command_id) is None

    def test_text_that_is_not_unicode_is_no_accident(self, store: Store, table: str) -> None:
        """S34: a lone surrogate is kept or refused, and nothing foreign is raised."""
        calls: list[Callable[[], None]] = [
            lambda: store.create("\ud800", [batch(0)], seed=SEED),
            lambda: store.append(table, 3, [batch(3)._replace(command_id="\ud800")]),
        ]
        for call in calls:
            try:
                call()
            except LudologError:
                assert store.tables() == (table,)
                assert len(check_log(store)) == 3

    # ------------------------------------------------------------ reading

    @pytest.mark.parametrize("start", [-(2**70), -1, 0, 1, 3, 4, 2**32, 2**70])
    @pytest.mark.parametrize("stop", [None, -(2**70), -1, 0, 2, 3, 4, 2**32, 2**70])
    def test_a_range_is_read_as_it_is(self, store: Store, table: str, start: int, stop: int | None) -> None:
        whole = check_log(store)
        expected = [stored for stored in whole if stored.number >= start and (stop is None or stored.number < stop)]
        assert list(store.read(table, start, stop)) == expected
        assert list(store.payloads(table, start, stop)) == [stored.payload for stored in expected]

    def test_ten_thousand_batches(self, store: Store) -> None:
        whole = [batch(number, f"c{number}" if number % 3 else None) for number in range(10_000)]
        store.create("t", whole[:1], seed=SEED)
        for start in range(1, 10_000, 1111):
            store.append("t", start, whole[start : start + 1111])
        assert check_log(store) == whole
        for start, stop in ((0, 500), (499, 501), (1000, 9_999), (9_999, None), (10_000, None)):
            assert list(store.read("t", start, stop)) == whole[start:stop]
        assert store.find("t", "c7777") == whole[7777]

    def test_reading_goes_on_while_batches_are_appended(self, store: Store, table: str) -> None:
        numbers: list[int] = []
        for stored in store.read(table, 0, 1200):
            numbers.append(stored.number)
            length = store.head(table).length
            store.append(table, length, [batch(length)])
        assert numbers == list(range(1200))
        assert len(check_log(store)) == 1203

    def test_an_abandoned_reader_is_in_nobody_s_way(self, store: Store, table: str) -> None:
        store.append(table, 3, [batch(number) for number in range(3, 2000)])
        readers: list[Iterator[object]] = [store.read(table), store.payloads(table), store.read(table, 1990)]
        for reader in readers:
            next(reader)
        store.append(table, 2000, [batch(2000)])
        del readers[0]
        store.append(table, 2001, [batch(2001)])
        assert next(readers[0]) == batch(1).payload
        assert len(check_log(store)) == 2002

    # ------------------------------------------------------------ snapshots and the seed

    def test_the_newest_snapshot_up_to_a_number(self, store: Store, table: str) -> None:
        assert store.snapshot(table) is None
        for number in (2, 0, 1):
            store.keep_snapshot(table, number, b"%d" % number)
        assert store.snapshot(table) == (2, b"2")
        for at_most, expected in ((1, 1), (0, 0), (99, 2), (2**70, 2)):
            assert store.snapshot(table, at_most) == (expected, b"%d" % expected)
        for at_most in (-1, -(2**70)):
            assert store.snapshot(table, at_most) is None

    def test_a_snapshot_is_replaced_and_old_ones_go(self, store: Store, table: str) -> None:
        store.create("other", [batch(0)], seed=SEED)
        store.keep_snapshot("other", 0, b"stays")
        for number in range(20):
            store.keep_snapshot(table, number, b"first")
            store.keep_snapshot(table, number, b"%d" % number)
        kept = [number for number in range(20) if store.snapshot(table, number) == (number, b"%d" % number)]
        assert kept == list(range(20 - KEPT_SNAPSHOTS, 20))
        assert store.snapshot(table, kept[0] - 1) is None
        assert store.snapshot("other") == (0, b"stays")

    def test_a_snapshot_is_given_back_as_it_was_kept(self, store: Store, table: str) -> None:
        """S25: the store judges neither damaged bytes nor a number that the log hasn't reached."""
        store.keep_snapshot(table, 1, b"good")
        store.keep_snapshot(table, 2, b"\xffdamaged\0")
        store.keep_snapshot(table, 1000, b"")
        assert store.snapshot(table) == (1000, b"")
        assert store.snapshot(table, 999) == (2, b"\xffdamaged\0")
        assert store.snapshot(table, 1) == (1, b"good")
        assert len(check_log(store)) == 3

    def test_the_seed_is_kept_apart_from_the_log(self, store: Store, table: str) -> None:
        """F4: no way to read the log gives it away."""
        store.keep_snapshot(table, 2, b"position")
        told = [*store.payloads(table), repr(list(store.read(table))).encode(), repr(store.snapshot(table)).encode()]
        assert store.seed(table) == SEED
        assert not any(SEED in text for text in told)

    # ------------------------------------------------------------ threads, and the end

    def test_one_of_many_writers_wins(self, store: Store, table: str) -> None:
        """S4: with the same expected length, exactly one append is stored, and the others are typed conflicts."""
        errors: list[LudologError] = []
        at_once = threading.Barrier(8)

        def write(name: str) -> None:
            at_once.wait()
            try:
                store.append(table, 3, [batch(3, name)])
            except LudologError as error:
                errors.append(error)

        in_threads(write, [f"w{n}" for n in range(8)])
        assert [type(error) for error in errors] == [VersionConflict] * 7
        assert len(check_log(store)) == 4

    def test_threads_append_and_read(self, store: Store, table: str) -> None:
        """S4, S12: nothing is lost or doubled, and whoever reads meanwhile gets a prefix."""
        done = threading.Event()
        reads: list[list[int]] = []

        def work(name: str) -> None:
            if name == "reader":
                while not done.is_set():
                    reads.append([stored.number for stored in store.read(table)])
                return
            for n in range(25):
                append_retrying(store, table, f"{name}-{n}")

        reader = threading.Thread(target=work, args=("reader",))
        reader.start()
        try:
            in_threads(work, [f"w{n}" for n in range(6)])
        finally:
            done.set()
            reader.join()
        assert all(numbers == list(range(len(numbers))) for numbers in reads)
        ids = [stored.command_id for stored in check_log(store)[3:]]
        assert sorted(map(str, ids)) == sorted(f"w{w}-{n}" for w in range(6) for n in range(25))

    def test_a_closed_store_says_so(self, store: Store, table: str) -> None:
        store.close()
        store.close()
        for call in every_call(store, table):
            with pytest.raises(StoreClosed):
                call()
