"""The tests of the feed that ``store_contract`` gives every store, and what all of its tests start from."""

# ruff: noqa: S101, PLR2004 - these are tests: they assert and count

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from ludolog.errors import BadPosition, DuplicateCommand, StoreClosed, TableExists, VersionConflict
from ludolog.store import Appended, Store
from ludolog.subscribing import PULSE
from ludolog.testing._batches import SEED, append_retrying, batch, check_feed, in_threads
from ludolog.testing.faults import Child, Report

__all__ = ["DurableFeedPromises", "FeedPromises"]


class FeedPromises:
    """What every store promises of its feed, of waiting, and of subscriptions."""

    opener: ClassVar[Callable[[Path], Store]]

    def open_store(self, folder: Path) -> Store:
        """The store that lives in a folder."""
        return type(self).opener(folder)

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        store = self.open_store(tmp_path)
        yield store
        store.close()

    @pytest.fixture
    def table(self, store: Store) -> str:
        store.create("t", [batch(0, "c0"), batch(1), batch(2, "c2")], seed=SEED)
        return "t"

    # ------------------------------------------------------------ the feed

    def test_an_empty_store_has_an_empty_feed(self, store: Store) -> None:
        assert store.feed() == store.feed("", 0) == ()

    def test_the_feed_tells_all_tables_in_the_order_of_appending(self, store: Store, table: str) -> None:
        expected = [(table, number) for number in range(3)]
        for number, name in enumerate(("b", "", "\N{BUG}"), 3):
            store.create(name, [batch(0, table=name)], seed=SEED)
            store.append(table, number, [batch(number)])
            expected += [(name, 0), (table, number)]
        assert names_of(store.feed()) == expected
        assert all(type(appended) is Appended for appended in store.feed())
        check_feed(store)

    def test_several_batches_of_an_append_keep_their_order(self, store: Store, table: str) -> None:
        store.create("u", [batch(0, table="u"), batch(1, table="u")], seed=SEED)
        store.append(table, 3, [batch(number) for number in range(3, 9)])
        store.append("u", 2, [batch(2, "c", table="u"), batch(3, table="u")])
        feed = check_feed(store)
        assert [names_of(feed[3:5]), names_of(feed[5:11]), names_of(feed[11:])] == [
            [("u", 0), ("u", 1)],
            [("t", number) for number in range(3, 9)],
            [("u", 2), ("u", 3)],
        ]

    @pytest.mark.usefixtures("table")
    def test_the_feed_goes_on_from_every_position(self, store: Store) -> None:
        store.create("u", [batch(0, table="u")], seed=SEED)
        for n in range(36):
            append_retrying(store, "tu"[n % 2], f"n{n}")
        whole = check_feed(store)
        assert len(whole) == 40
        for place, appended in enumerate(whole, 1):
            assert store.feed(appended.position) == whole[place:]
            assert store.feed(appended.position, 1) == whole[place : place + 1]
            assert store.feed(appended.position, 7) == whole[place : place + 7]
            assert store.feed(appended.position, 0) == ()

    def test_a_position_stays_what_it_was(self, store: Store, table: str) -> None:
        before = store.feed()
        assert store.feed(before[-1].position) == ()
        store.append(table, 3, [batch(3)])
        assert store.feed()[:3] == before
        assert names_of(store.feed(before[-1].position)) == [(table, 3)]
        assert names_of(store.feed(before[0].position)) == [(table, 1), (table, 2), (table, 3)]

    def test_a_long_feed_in_one_and_in_blocks(self, store: Store) -> None:
        store.create("t", [batch(0)], seed=SEED)
        for start in range(1, 2599, 433):
            store.append("t", start, [batch(number) for number in range(start, start + 433)])
        expected = [("t", number) for number in range(2599)]
        assert names_of(store.feed("", 10**6)) == expected
        assert names_of(store.feed()) == expected[:1000]
        assert names_of(check_feed(store)) == expected
        found: list[Appended] = []
        while more := store.feed(found[-1].position if found else "", 499):
            assert len(more) in {499, 2599 % 499}
            found += more
        assert names_of(found) == expected

    @pytest.mark.parametrize("limit", [0, 1, 1000])
    @pytest.mark.parametrize("position", ["x", " ", "0", "1", "-1", "1-", "\0", "\ud800", "x" * 10_000, None, 1, b""])
    @pytest.mark.usefixtures("table")
    def test_a_position_that_is_none(self, store: Store, position: str, limit: int) -> None:
        with pytest.raises(BadPosition) as caught:
            store.feed(position, limit)
        assert len(str(caught.value)) < 250
        assert len(check_feed(store)) == 3

    @pytest.mark.usefixtures("table")
    def test_a_position_with_something_about_it(self, store: Store) -> None:
        for position in [appended.position for appended in store.feed()]:
            for bad in (f"{position} ", f" {position}", f"{position}\n", position * 2, position[:-1], position[1:]):
                with pytest.raises(BadPosition):
                    store.feed(bad)

    @pytest.mark.usefixtures("table")
    def test_a_position_of_another_store(self, store: Store, tmp_path: Path) -> None:
        """S17: a feed that isn't the one it was says so, and tells nothing."""
        (tmp_path / "other").mkdir()
        other = self.open_store(tmp_path / "other")
        other.create("other", [batch(number, table="other") for number in range(5)], seed=SEED)
        for appended in other.feed():
            for call in (store.feed, store.subscribe):
                with pytest.raises(BadPosition):
                    call(appended.position)
        other.close()

    def test_what_was_refused_leaves_no_gap(self, store: Store, table: str) -> None:
        """S7: an append that is rolled back is neither told nor waited for."""
        position = store.feed()[-1].position
        for _ in range(3):
            with pytest.raises(DuplicateCommand):
                store.append(table, 3, [batch(3, "new"), batch(4, "c2")])
            with pytest.raises(VersionConflict):
                store.append(table, 9, [batch(9)])
            with pytest.raises(TableExists):
                store.create(table, [batch(0)], seed=SEED)
            assert store.feed(position) == ()
        store.append(table, 3, [batch(3, "new")])
        assert names_of(store.feed(position)) == [(table, 3)]
        check_feed(store)

    # ------------------------------------------------------------ waiting

    @pytest.mark.usefixtures("table")
    def test_waiting_ends_with_the_time(self, store: Store) -> None:
        rest(store)
        for timeout in (0.0, 0.05):
            began = time.monotonic()
            assert not store.wait(timeout)
            assert timeout <= time.monotonic() - began < timeout + 5
        assert len(check_feed(store)) == 3

    def test_waiting_ends_with_an_append(self, store: Store, table: str) -> None:
        rest(store)
        timer = threading.Timer(0.05, store.append, (table, 3, [batch(3)]))
        timer.start()
        began = time.monotonic()
        assert store.wait(60)
        assert time.monotonic() - began < 30
        timer.join()

    def test_no_wake_up_is_lost(self, store: Store, table: str) -> None:
        """What is appended between looking and waiting ends the wait, also where others looked meanwhile."""
        rest(store)
        looked, others = threading.Event(), threading.Event()
        woken: list[bool] = []

        def watch() -> None:
            rest(store)
            assert len(store.feed()) == 3
            looked.set()
            others.wait()
            woken.append(store.wait(60))

        thread = threading.Thread(target=watch)
        thread.start()
        looked.wait()
        store.append(table, 3, [batch(3)])
        rest(store)
        assert len(store.feed()) == 4
        others.set()
        thread.join(30)
        assert woken == [True]

    def test_an_append_wakes_everyone(self, store: Store, table: str) -> None:
        woken: list[bool] = []
        ready = threading.Barrier(9)

        def watch(_: str) -> None:
            rest(store)
            ready.wait()
            woken.append(store.wait(60))

        def write() -> None:
            ready.wait()
            time.sleep(0.05)
            store.append(table, 3, [batch(3)])

        appending = threading.Thread(target=write)
        appending.start()
        began = time.monotonic()
        in_threads(watch, [str(n) for n in range(8)])
        appending.join()
        assert woken == [True] * 8
        assert time.monotonic() - began < 30

    # ------------------------------------------------------------ subscriptions

    def test_a_subscription_tells_what_is_there_and_what_comes(self, store: Store, table: str) -> None:
        with store.subscribe(timeout=60) as subscription:
            assert subscription.position == ""
            found = [next(subscription) for _ in range(3)]
            timer = threading.Timer(0.05, store.append, (table, 3, [batch(3), batch(4)]))
            timer.start()
            found += [next(subscription) for _ in range(2)]
            timer.join()
            assert subscription.position == found[-1].position
        assert tuple(found) == store.feed()
        assert list(subscription) == []

    def test_a_subscription_ends_by_its_time(self, store: Store, table: str) -> None:
        subscription = store.subscribe(timeout=0.02)
        assert names_of(subscription) == [(table, 0), (table, 1), (table, 2)]
        assert subscription.get(0) is None
        store.append(table, 3, [batch(3)])
        assert names_of(subscription) == [(table, 3)]

    def test_a_subscription_is_closed_from_elsewhere(self, store: Store, table: str) -> None:
        subscription = store.subscribe()
        timer = threading.Timer(0.05, subscription.close)
        timer.start()
        began = time.monotonic()
        assert names_of(subscription) == [(table, 0), (table, 1), (table, 2)]
        assert time.monotonic() - began < 0.05 + 2 * PULSE + 5
        assert subscription.get() is None
        timer.join()

    def test_a_subscriber_comes_back_to_its_position(self, store: Store, table: str) -> None:
        found: list[Appended] = []
        for number in range(3, 20):
            with store.subscribe(found[-1].position if found else "", timeout=0) as subscription:
                found += [next(subscription)]
            store.append(table, number, [batch(number)])
        found += store.subscribe(found[-1].position, timeout=0)
        assert tuple(found) == check_feed(store)
        with pytest.raises(BadPosition):
            store.subscribe("nowhere")

    @pytest.mark.usefixtures("table")
    def test_a_store_that_is_closed_says_so_to_subscribers(self, store: Store) -> None:
        subscription = store.subscribe()
        for _ in range(3):
            next(subscription)
        threading.Timer(0.05, store.close).start()
        with pytest.raises(StoreClosed):
            next(subscription)
        assert subscription.position != ""

    @pytest.mark.usefixtures("table")
    def test_subscribers_while_threads_append(self, store: Store) -> None:
        """S6, S12: each subscriber gets every batch once, in one order, however the appends of threads fall."""
        for name in "uv":
            store.create(name, [batch(0, table=name)], seed=SEED)
        total = 5 + 6 * 20
        found: dict[str, list[Appended]] = {f"reader-{n}": [] for n in range(4)}

        def work(name: str) -> None:
            if name not in found:
                for n in range(20):
                    append_retrying(store, "tuv"[n % 3], f"{name}-{n}")
                return
            while len(found[name]) < total:
                position = found[name][-1].position if found[name] else ""
                with store.subscribe(position, timeout=30) as subscription:
                    for _ in range(min(30, total - len(found[name]))):
                        found[name].append(next(subscription))

        in_threads(work, [*found, *(f"w{n}" for n in range(6))])
        whole = check_feed(store)
        assert len(whole) == total
        assert all(tuple(appended) == whole for appended in found.values())


class DurableFeedPromises(FeedPromises):
    """What a store promises of its feed that outlives its process."""

    def test_the_feed_is_there_after_opening_again(self, store: Store, table: str, tmp_path: Path) -> None:
        store.create("u", [batch(0, table="u")], seed=SEED)
        before = check_feed(store)
        store.close()
        again = self.open_store(tmp_path)
        assert check_feed(again) == before
        again.append(table, 3, [batch(3)])
        assert names_of(again.feed(before[1].position)) == [("t", 2), ("u", 0), ("t", 3)]
        again.close()

    @pytest.mark.usefixtures("table")
    def test_a_subscriber_follows_another_process(self, store: Store, tmp_path: Path) -> None:
        """S9: whatever wakes it, nothing is missed, and nothing waits for the subscriber."""

        def write(report: Report) -> None:
            mine = self.open_store(tmp_path)
            mine.create("u", [batch(0, table="u")], seed=SEED)
            for n in range(40):
                append_retrying(mine, "tu"[n % 2], f"c-{n}")
                time.sleep(0.02 * (n % 10 == 0))
            report("done")
            mine.close()

        child = Child(write)
        with store.subscribe(timeout=30) as subscription:
            found = [next(subscription) for _ in range(44)]
        assert child.finish() == ["done"]
        assert tuple(found) == check_feed(store)

    def test_waiting_ends_with_an_append_of_another_process(self, store: Store, table: str, tmp_path: Path) -> None:
        def write(report: Report) -> None:
            mine = self.open_store(tmp_path)
            report("open")
            report.wait()
            mine.append(table, 3, [batch(3)])
            mine.close()

        child = Child(write)
        assert child.line() == "open"
        rest(store)
        child.go_on()
        began = time.monotonic()
        assert store.wait(60)
        assert time.monotonic() - began < 30
        child.finish()

    def test_a_killed_subscriber_is_missed_by_nobody(self, store: Store, table: str, tmp_path: Path) -> None:
        """Kill -9 while it reads and waits; whoever takes its place goes on from what it had reported."""

        def read(report: Report) -> None:
            mine = self.open_store(tmp_path)
            for appended in mine.subscribe(report.name):
                report(appended.position)

        positions: list[str] = []
        for lines in (1, 2, 60):
            child = Child(read, name=positions[-1] if positions else "")
            reported: list[str] = []
            while len(reported) < lines:
                append_retrying(store, table, f"c-{store.head(table).length}")
                reported.append(child.line())
            positions += reported + child.kill()
            append_retrying(store, table, f"c-{store.head(table).length}")
        found = [*positions, *(appended.position for appended in store.feed(positions[-1]))]
        assert found == [appended.position for appended in check_feed(store)]


def names_of(feed: Iterator[Appended] | tuple[Appended, ...] | list[Appended]) -> list[tuple[str, int]]:
    """Tables and numbers, as the feed has them."""
    return [(appended.table, appended.stored.number) for appended in feed]


def rest(store: Store) -> None:
    """Wait until nothing was appended lately, as far as the calling thread is told."""
    for _ in range(100):
        if not store.wait(0):
            return
    why = "waiting for an append is never over, though there is none"
    raise AssertionError(why)
