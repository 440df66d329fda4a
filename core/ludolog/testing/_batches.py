"""Made-up batches, and what the tests of stores do with them."""

# ruff: noqa: S101 - these are the assertions of tests

from __future__ import annotations

import hashlib
import itertools
import threading
from collections.abc import Callable, Iterable
from typing import TypeVar

from ludolog.errors import VersionConflict
from ludolog.store import Appended, Head, Store, Stored

__all__ = ["SEED", "append_retrying", "batch", "check_feed", "check_log", "every_call", "in_threads"]

T = TypeVar("T")

SEED = b"the seed nobody may see".ljust(32, b".")


def batch(number: int, command_id: str | None = None, *, table: str = "t") -> Stored:
    """A made-up batch, whose payload tells table, number and command id."""
    payload = f"{table}/{number}/{command_id}/".encode() * (1 + number % 7)
    return Stored(number, payload, hashlib.sha256(payload).digest(), command_id)


def check_log(store: Store, table: str = "t") -> list[Stored]:
    """The whole log, after comparing every way to read it."""
    log = list(store.read(table))
    assert [stored.number for stored in log] == list(range(len(log)))
    assert [hashlib.sha256(stored.payload).digest() for stored in log] == [stored.head for stored in log]
    assert list(store.payloads(table)) == [stored.payload for stored in log]
    assert store.head(table) == Head(len(log), log[-1].head)
    ids = [stored.command_id for stored in log if stored.command_id is not None]
    assert len(ids) == len(set(ids))
    return log


def check_feed(store: Store) -> tuple[Appended, ...]:
    """The whole feed, after comparing it with every log."""
    feed = tuple(store.subscribe(timeout=0))
    logs: dict[str, list[Stored]] = {table: [] for table in store.tables()}
    for appended in feed:
        logs[appended.table].append(appended.stored)
    assert logs == {table: list(store.read(table)) for table in logs}
    assert len({appended.position for appended in feed}) == len(feed)
    return feed


def append_retrying(store: Store, table: str, command_id: str) -> int:
    """Append one batch with this command id wherever the log ends now; how many conflicts it took."""
    for conflicts in itertools.count():
        length = store.head(table).length
        try:
            store.append(table, length, [batch(length, command_id, table=table)])
        except VersionConflict as error:
            conflict = error
        else:
            return conflicts
        assert conflict.expected == length < conflict.actual
    raise AssertionError


def in_threads(work: Callable[[T], object], items: Iterable[T]) -> None:
    """Run ``work`` for each item at once, and raise what any of them raised."""
    failures: list[BaseException] = []

    def guarded(item: T) -> None:
        try:
            work(item)
        except BaseException as error:  # noqa: BLE001 - raised again below, in the caller's thread
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(item,)) for item in items]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def every_call(store: Store, table: str) -> list[Callable[[], object]]:
    """Each method of a store once, as a call that would work."""
    return [
        lambda: store.create("new", [batch(0)], seed=SEED),
        lambda: store.append(table, 3, [batch(3)]),
        lambda: store.read(table),
        lambda: store.payloads(table),
        lambda: store.head(table),
        lambda: store.find(table, "c0"),
        store.tables,
        lambda: store.keep_snapshot(table, 0, b""),
        lambda: store.snapshot(table),
        lambda: store.seed(table),
        store.feed,
        lambda: store.wait(0),
        store.subscribe,
    ]
