"""Many processes append at once, to one table or to many; then every append is looked for in the logs.

For authors of stores; ``python -m ludolog.testing writers --store URL`` runs it on any store that is installed::

    figures = write_at_once(lambda: MyStore("my.store"), processes=8, appends=500, tables=32)
    assert figures.faults == ()
"""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from ludolog.errors import DuplicateCommand, LudologError, StoreBusy, VersionConflict
from ludolog.store import Store
from ludolog.testing._batches import SEED, batch, in_threads
from ludolog.testing.faults import Child, Report

__all__ = ["Figures", "write_at_once"]

_LATE: Final = 10
"""Each so-manieth append is sent a second time, as an app does that missed the answer."""

_ATTEMPTS: Final = 100_000

_SILENCE: Final = 300.0
"""Seconds after which a writer that has said nothing counts as hanging."""


class Figures(NamedTuple):
    """What the writers met, and what was wrong afterwards."""

    processes: int
    appends: int
    """By each of them."""
    tables: int
    seconds: float
    conflicts: int
    """Appends that another writer forestalled, each refused as VersionConflict."""
    busy: int
    """Appends refused as StoreBusy."""
    repeats: int
    """Appends sent a second time, each refused as DuplicateCommand that names the first."""
    faults: tuple[str, ...]
    """What was lost, doubled, skipped or told by an error that the store may not raise."""

    def __str__(self) -> str:
        """One line."""
        total = self.processes * self.appends
        found = f"{len(self.faults)} faults" if self.faults else "none lost, doubled or skipped"
        return (
            f"{self.processes} processes x {self.appends} appends to {self.tables} table{'s'[: self.tables != 1]}: "
            f"{found}; {self.conflicts} conflicts, {self.busy} times busy, {self.repeats} repeats, all typed; "
            f"{self.seconds:.1f} s, {total / self.seconds:.0f} appends a second"
        )


class _Met(NamedTuple):
    """What one writer reports: what it met, and the number of the batch that its command id got."""

    what: str
    table: str
    command_id: str
    number: int = -1

    def line(self) -> str:
        return " ".join((self.what, self.table, self.command_id, str(self.number)))

    @staticmethod
    def read(line: str) -> _Met:
        what, table, command_id, number = line.split(" ")
        return _Met(what, table, command_id, int(number))


def write_at_once(
    open_store: Callable[[], Store], *, processes: int = 8, appends: int = 500, tables: int = 1
) -> Figures:
    """Let ``processes`` write ``appends`` batches each, in turn to ``tables`` new tables, and count what came of it.

    Args:
        open_store: opens the store; called in every process.
        processes: how many write.
        appends: how many each of them writes.
        tables: how many tables they write to.

    Raises:
        AssertionError: a writer died or hung.
    """
    run = secrets.token_hex(4)
    names = [f"writers-{run}-{number}" for number in range(tables)]
    store = open_store()
    for name in names:
        store.create(name, [batch(0, table=name)], seed=SEED)
    store.close()

    def write(report: Report) -> None:
        mine = open_store()
        try:
            for number in range(appends):
                for met in _append(mine, names[(int(report.name) + number) % tables], f"{report.name}-{number}"):
                    report(met.line())
        finally:
            mine.close()

    began = time.perf_counter()
    found = _all_lines([Child(write, name=str(number)) for number in range(processes)])
    seconds = time.perf_counter() - began
    sent = {f"{process}-{number}" for process in range(processes) for number in range(appends)}
    store = open_store()
    faults = (*_told_wrong(found), *_written_wrong(store, names, found, sent))
    store.close()
    counts = Counter(met.what for met in found)
    return Figures(processes, appends, tables, seconds, counts["conflict"], counts["busy"], counts["repeat"], faults)


def _append(store: Store, table: str, command_id: str) -> Iterator[_Met]:
    """Append one batch wherever the log ends now, some of them twice, and tell what happens on the way."""
    met = _Met("", table, command_id)
    for _ in range(_ATTEMPTS):
        met = _try(store, table, command_id)
        yield met
        if met.what not in {"busy", "conflict"}:
            break
    if met.what == "appended" and int(command_id.partition("-")[2]) % _LATE == 0:
        for _ in range(_ATTEMPTS):
            again = _try(store, table, command_id, met.number)
            if again.what != "busy":
                yield again if again.what != "conflict" else again._replace(what="forgotten")
                break
            yield again


def _try(store: Store, table: str, command_id: str, length: int = -1) -> _Met:
    """One attempt to append after ``length`` batches; -1: wherever the log ends."""
    what = "appended"
    try:
        length = store.head(table).length if length < 0 else length
        store.append(table, length, [batch(length, command_id, table=table)])
    except VersionConflict as error:
        what = "conflict" if error.expected == length < error.actual else "misled"
    except StoreBusy:
        what = "busy"
    except DuplicateCommand as error:
        what, length = "repeat", error.number
    except LudologError as error:
        what = f"raised-{type(error).__name__}"
    return _Met(what, table, command_id, length)


def _all_lines(children: Sequence[Child]) -> list[_Met]:
    """What all of them report; each is listened to at once, so that none waits for the parent."""
    found: list[_Met] = []
    in_threads(lambda child: found.extend(map(_Met.read, child.finish(_SILENCE))), children)
    return found


def _told_wrong(found: Sequence[_Met]) -> Iterator[str]:
    """Answers that no store may give."""
    acknowledged = {met.command_id: met.number for met in found if met.what == "appended"}
    for met in found:
        if met.what not in {"appended", "conflict", "busy", "repeat"}:
            yield f"{met.command_id} at {met.table}: {met.what}"
        elif met.what == "repeat" and met.number != acknowledged.get(met.command_id):
            yield f"{met.command_id} at {met.table}: its repetition names batch {met.number}"


def _written_wrong(store: Store, names: Sequence[str], found: Sequence[_Met], sent: set[str]) -> Iterator[str]:
    """What the logs lack, hold twice or hold without anybody having sent it."""
    places: dict[str, list[tuple[str, int]]] = {command_id: [] for command_id in sent}
    for name in names:
        length = 0
        for length, stored in enumerate(store.read(name), 1):
            if stored != batch(length - 1, stored.command_id, table=name):
                yield f"{name}: batch {length - 1} isn't what was sent"
            elif length > 1:
                places.setdefault(str(stored.command_id), []).append((name, length - 1))
        if store.head(name).length != length:
            yield f"{name}: the head says {store.head(name).length} batches, and {length} are there"
    acknowledged = [met for met in found if met.what == "appended"]
    if len(acknowledged) != len(sent):
        yield f"{len(sent)} were sent, and {len(acknowledged)} acknowledged"
    for met in acknowledged:
        if places[met.command_id] != [(met.table, met.number)]:
            where = ", ".join(f"{table} {number}" for table, number in places[met.command_id]) or "nowhere"
            yield f"{met.command_id} was acknowledged as batch {met.number} of {met.table}, and is {where}"
    yield from (f"{command_id} was sent by nobody" for command_id in places if command_id not in sent)
