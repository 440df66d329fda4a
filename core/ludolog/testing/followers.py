"""Many processes append while others follow the feed; then every batch is looked for in what each follower was told.

For authors of stores; ``python -m ludolog.testing followers --store URL`` runs it on any store that is installed::

    figures = follow_at_once(lambda: MyStore("my.store"), writers=8, events=2000, readers=4)
    assert figures.faults == ()

Writers are stopped for a moment wherever they are, so that commits are late; some appends are refused half-way, and
some writers are killed, so that transactions are rolled back. What a killed writer leaves undone is done afterwards.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import secrets
import signal
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from ludolog.errors import DuplicateCommand, StoreBusy, VersionConflict
from ludolog.store import Appended, Store, Stored
from ludolog.testing._batches import SEED, check_feed
from ludolog.testing.faults import Child, Report

__all__ = ["FeedFigures", "follow_at_once"]

_SILENCE: Final = 120.0
"""Seconds after which a process that has said nothing counts as hanging."""

_TOO_MANY: Final = 10
"""A reader stops listening after so many batches that it should not have been told."""

_RECONNECT: Final = 37
"""Every second reader subscribes anew after so many batches."""


class FeedFigures(NamedTuple):
    """What was appended and told, and what was wrong."""

    writers: int
    events: int
    """By each writer."""
    readers: int
    tables: int
    pauses: int
    """How often a writer was stopped for a moment."""
    kills: int
    """Writers that were killed."""
    refused: int
    """Appends that were rolled back half-way."""
    seconds: float
    delay: float
    """Seconds from the beginning of an append to its being told: the median of the readers' medians."""
    longest: float
    """The longest of all."""
    faults: tuple[str, ...]
    """What a reader was not told, told twice, or told in another order."""

    def __str__(self) -> str:
        """One line."""
        total = self.writers * self.events
        found = f"{len(self.faults)} faults" if self.faults else "each batch once and in one order to every reader"
        return (
            f"{self.writers} writers x {self.events} events to {self.tables} tables, {self.pauses} pauses, "
            f"{self.kills} kills, {self.refused} rolled back, {self.readers} readers: {found}; told after "
            f"{1000 * self.delay:.1f} ms (median), {1000 * self.longest:.0f} ms at most; "
            f"{self.seconds:.1f} s, {total / self.seconds:.0f} events a second"
        )


class _Run(NamedTuple):
    """One run: whose store, and what is written to which tables."""

    open_store: Callable[[], Store]
    names: tuple[str, ...]
    events: int
    total: int
    patience: float


def follow_at_once(
    open_store: Callable[[], Store],
    *,
    writers: int = 8,
    events: int = 2000,
    readers: int = 4,
    tables: int = 8,
    kills: int = 2,
    patience: float = 60.0,
) -> FeedFigures:
    """Let ``writers`` append and ``readers`` follow at the same time, and compare what each reader was told.

    Args:
        open_store: opens the store, which must be new; called in every process.
        writers: how many processes write.
        events: how many batches each of them writes.
        readers: how many processes follow.
        tables: to how many new tables.
        kills: how many of the writers are killed in the middle.
        patience: seconds without any batch after which a reader gives up.

    Raises:
        AssertionError: a process died by itself or hung, or the feed isn't that of the logs.
    """
    run = secrets.token_hex(4)
    names = tuple(f"followers-{run}-{number}" for number in range(tables))
    plan = _Run(open_store, names, events, tables + writers * events, patience)
    store = open_store()
    for name in names:
        store.create(name, [_batch(name, 0, "opening")], seed=SEED)
    store.close()
    began = time.perf_counter()
    following = [Child(lambda report: _read(plan, report), name=str(number)) for number in range(readers)]
    try:
        writing = [Child(lambda report: _write_all(plan, report), name=str(number)) for number in range(writers)]
        crowd = _Crowd(writing, dict.fromkeys(range(min(kills, writers)), events // 2))
        crowd.disturb()
        store = open_store()
        for number, done in enumerate(crowd.done):
            crowd.refused += sum(told == "refused" for told in _write(plan, store, number, done))
        lines = [child.finish(_SILENCE) for child in following]
    except BaseException:
        for child in following:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child.pid, signal.SIGKILL)
        raise
    seconds = time.perf_counter() - began
    faults = tuple(_wrong(check_feed(store), plan, writers, lines))
    store.close()
    delays = [[int(delay) / 1e9 for delay in reader[-1].split()] for reader in lines]
    return FeedFigures(
        writers=writers,
        events=events,
        readers=readers,
        tables=tables,
        pauses=crowd.pauses,
        kills=crowd.kills,
        refused=crowd.refused,
        seconds=seconds,
        delay=statistics.median(median for median, _ in delays),
        longest=max(longest for _, longest in delays),
        faults=faults,
    )


# ---------------------------------------------------------------- writing


def _batch(table: str, number: int, command_id: str) -> Stored:
    """A batch that tells when it was sent."""
    payload = f"{table} {number} {command_id} {time.monotonic_ns()}".encode()
    return Stored(number, payload, hashlib.sha256(payload).digest(), command_id)


def _write_all(plan: _Run, report: Report) -> None:
    store = plan.open_store()
    report.wait()
    for told in _write(plan, store, int(report.name), 0):
        report(told)
    store.close()


def _write(plan: _Run, store: Store, writer: int, done: int) -> Iterator[str]:
    """Append what a writer is to append from its event ``done`` on; tells how many are done, and what was refused.

    What goes together, and where, depends on the numbers alone: so another process can settle what a killed one
    began, by the command ids.
    """
    while done < plan.events:
        chance = random.Random(f"{plan.names[0]}/{writer}/{done}")  # noqa: S311 - no secret
        table = chance.choice(plan.names)
        if chance.random() < 0.15:  # noqa: PLR2004 - often enough
            yield _refused(store, table, f"never-{writer}-{done}")
        ids = [f"{writer}-{number}" for number in range(done, min(done + chance.choice((1, 1, 1, 2, 5)), plan.events))]
        _append(store, table, ids)
        done += len(ids)
        yield str(done)


def _append(store: Store, table: str, ids: Sequence[str]) -> None:
    while True:
        try:
            length = store.head(table).length
            store.append(table, length, [_batch(table, number, name) for number, name in enumerate(ids, length)])
        except (VersionConflict, StoreBusy):
            continue
        except DuplicateCommand:
            pass  # The writer whose work this is was killed after its commit.
        return


def _refused(store: Store, table: str, command_id: str) -> str:
    """Begin an append that can't be committed."""
    while True:
        try:
            length = store.head(table).length
            store.append(table, length, [_batch(table, length, command_id), _batch(table, length + 1, "opening")])
        except (VersionConflict, StoreBusy):
            continue
        except DuplicateCommand:
            return "refused"
        return "accepted twice"


# ---------------------------------------------------------------- disturbing


class _Crowd:
    """The writers, from outside: stopped, killed and listened to."""

    def __init__(self, children: Sequence[Child], kill_at: dict[int, int]) -> None:
        self.done = [0] * len(children)
        self.pauses = self.kills = self.refused = 0
        self._children = children
        self._kill_at = kill_at
        self._alive = set(range(len(children)))
        self._lock = threading.Lock()
        self._failures: list[BaseException] = []

    def disturb(self) -> None:
        """Stop one writer after the other for a moment, until all are done; the first before any begins."""
        threads = [threading.Thread(target=self._listen, args=(number,)) for number in range(len(self._children))]
        for thread in threads:
            thread.start()
        chance = random.Random(len(threads))  # noqa: S311 - no secret
        self._pause(0, chance, self._let_go)
        while alive := sorted(self._alive):
            self._pause(chance.choice(alive), chance)
            time.sleep(0.002)
        for thread in threads:
            thread.join()
        if self._failures:
            raise self._failures[0]

    def _let_go(self) -> None:
        for child in self._children:
            child.go_on()

    def _pause(self, number: int, chance: random.Random, meanwhile: Callable[[], None] = lambda: None) -> None:
        if self._signal(number, signal.SIGSTOP):
            meanwhile()
            time.sleep(chance.uniform(0, 0.005))
            self._signal(number, signal.SIGCONT)
            self.pauses += 1

    def _signal(self, number: int, what: signal.Signals) -> bool:
        """Send a signal, unless the writer has ended."""
        with self._lock:
            if number in self._alive:
                os.kill(self._children[number].pid, what)
            return number in self._alive

    def _listen(self, number: int) -> None:
        child = self._children[number]
        try:
            for line in _lines(child):
                self._hear(number, line)
        except BaseException as error:  # noqa: BLE001 - raised again by ``disturb``
            self._failures.append(error)
        with self._lock:
            self._alive.discard(number)
            status = child.wait()
        if status not in {0, -signal.SIGKILL}:
            why = f"writer {number} ended with status {status}"
            self._failures.append(AssertionError(why))

    def _hear(self, number: int, line: str) -> None:
        with self._lock:
            if line == "refused":
                self.refused += 1
                return
            self.done[number] = int(line)
            if self.done[number] >= self._kill_at.get(number, self.done[number] + 1):
                del self._kill_at[number]
                self.kills += 1
                os.kill(self._children[number].pid, signal.SIGKILL)


def _lines(child: Child) -> Iterator[str]:
    while True:
        try:
            line = child.line(_SILENCE)
        except AssertionError as error:
            if "ended too early" in str(error):
                return
            raise
        yield line


# ---------------------------------------------------------------- reading


def _read(plan: _Run, report: Report) -> None:
    """Follow until everything was told; reports the order as a hash, how many it was told, and the delays."""
    store = plan.open_store()
    order, delays = hashlib.sha256(), list[int]()
    for appended in _told(store, plan, reconnect=int(report.name) % 2 == 1):
        delays.append(time.monotonic_ns() - int(appended.stored.payload.rpartition(b" ")[2]))
        order.update(_line(appended))
    store.close()
    report(order.hexdigest())
    report(str(len(delays)))
    report(f"{int(statistics.median(delays or [0]))} {max(delays, default=0)}")


def _told(store: Store, plan: _Run, *, reconnect: bool) -> Iterator[Appended]:
    """What a reader is told until nothing more comes."""
    position, count = "", 0
    while count < plan.total:
        with store.subscribe(position, timeout=plan.patience) as subscription:
            for appended in subscription:
                yield appended
                position, count = appended.position, count + 1
                if count == plan.total or (reconnect and count % _RECONNECT == 0):
                    break
            else:
                return
    yield from islice(store.subscribe(position, timeout=0.1), _TOO_MANY)


def _line(appended: Appended) -> bytes:
    return f"{appended.position} {appended.table} {appended.stored.number} {appended.stored.command_id}\n".encode()


def _wrong(feed: Sequence[Appended], plan: _Run, writers: int, readers: Sequence[Sequence[str]]) -> Iterator[str]:
    """What the feed lacks or holds twice, and which readers were told something else."""
    expected = Counter(f"{writer}-{number}" for writer in range(writers) for number in range(plan.events))
    expected["opening"] = len(plan.names)
    found = Counter(appended.stored.command_id for appended in feed)
    for command_id in sorted(map(str, expected.keys() | found.keys())):
        if expected[command_id] != found[command_id]:
            yield f"{command_id} is in the feed {found[command_id]} times, not {expected[command_id]} times"
    order = hashlib.sha256(b"".join(map(_line, feed))).hexdigest()
    for reader, (told, count, _) in enumerate(readers):
        if int(count) != plan.total:
            yield f"reader {reader} was told {count} batches, not {plan.total}"
        elif told != order:
            yield f"reader {reader} was told another order"
