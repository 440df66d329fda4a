"""Kill -9 at named points, at every step of what a store is used for, and at random moments.

For authors of stores over SQLite; ``python -m ludolog.testing faults --kills 1000`` runs it on the one that comes with
the library. After each kill the store is opened anew: all that was acknowledged must be there, once, and the retry of
what was under way must settle what became of it.
"""

# ruff: noqa: S101 - these are the assertions of tests

from __future__ import annotations

import contextlib
import itertools
import random
import shutil
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from ludolog.bundles import export_bundle, import_bundle, verify_bundle, write_lines
from ludolog.errors import DuplicateCommand, LudologError, TableExists
from ludolog.store import Store
from ludolog.testing._batches import SEED, batch, check_log
from ludolog.testing.faults import Child, Report
from ludolog.testing.on_trial import OnTrial, Steps
from ludolog.testing.specimens import specimens

__all__ = ["Kills", "at_named_points", "at_random_moments", "in_checkpoints", "in_every_step", "kill"]

_TURNS: Final = (1, 2, 5)
_WRONG: Final = (AssertionError, LudologError, OSError, sqlite3.Error)
"""What looking into a store raises that a kill has damaged."""

_ENOUGH: Final = 400
"""Batches after which a point that was not passed counts as one that this store doesn't pass."""


class Kills(NamedTuple):
    """How often, where, and what was wrong afterwards."""

    places: Counter[str]
    acknowledged: int
    """Batches that were acknowledged and looked for."""
    faults: tuple[str, ...]
    seconds: float

    def __str__(self) -> str:
        """One line, then one for each place."""
        found = f"{len(self.faults)} faults" if self.faults else "nothing acknowledged lost, nothing doubled by a retry"
        places = "".join(f"\n    {count:5} {place}" for place, count in self.places.items())
        return (
            f"{sum(self.places.values())} kills: {found}; {self.acknowledged} batches acknowledged; "
            f"{self.seconds:.0f} s{places}"
        )


def kill(store: OnTrial, folder: Path, kills: int, *, game: str, seed: int = 0) -> Kills:
    """All of it; ``kills`` in all, those at random moments making up the number.

    Args:
        store: what is killed.
        folder: an empty folder.
        kills: how many.
        game: an installed game, whose log is exported and imported.
        seed: of the random moments.
    """
    began = time.perf_counter()
    places: Counter[str] = Counter()
    faults: list[str] = []
    acknowledged = 0

    def count(killed: Iterator[Killed]) -> int:
        nonlocal acknowledged
        for place, found, fault in killed:
            places[place] += 1
            acknowledged += found
            faults.extend([fault] if fault else [])
        return kills - sum(places.values())

    count(at_named_points(store, folder / "points"))
    count(in_checkpoints(store, folder / "checkpoints"))
    left = count(in_every_step(store, folder / "steps", game))
    count(at_random_moments(store, folder / "random", left, random.Random(seed)))  # noqa: S311 - a sample
    return Kills(places, acknowledged, tuple(faults), time.perf_counter() - began)


Killed = tuple[str, int, str]
"""Where, how many batches had been acknowledged since the last kill, and what was wrong (empty: nothing)."""


# ---------------------------------------------------------------- playing on


def _play(store: Store, report: Report) -> None:
    """Append one and three at a time; report each acknowledged length."""
    if not store.tables():
        store.create("t", [batch(0, "c0")], seed=SEED)
    length = store.head("t").length
    report(str(length))
    for _ in range(_ENOUGH):
        count = 1 + 2 * (length % 2)
        store.append("t", length, [batch(number, f"c{number}") for number in range(length, length + count)])
        length += count
        report(str(length))
        if length % 5 == 0:
            store.keep_snapshot("t", length - 1, b"position" * 100)


def _settle(trial: OnTrial, path: Path, acknowledged: int) -> str:
    """Everything acknowledged is there, once; so is the retry of what was under way."""
    try:
        _with_store(trial, path, lambda store: _look(store, acknowledged))
        connection = sqlite3.connect(path)
        try:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        finally:
            connection.close()
    except _WRONG as error:
        return f"after {acknowledged} acknowledged: {error!r}"
    return ""


def _look(store: Store, acknowledged: int) -> None:
    if not store.tables():
        assert acknowledged == 0
        return
    log = check_log(store)
    assert len(log) in (acknowledged, acknowledged + 1, acknowledged + 3)
    assert log == [batch(number, f"c{number}") for number in range(len(log))]
    retry = len(log) - 1
    repeated: DuplicateCommand | None = None
    try:
        store.append("t", retry, [batch(retry, f"c{retry}")])
    except DuplicateCommand as error:
        repeated = error
    assert repeated is not None
    assert repeated.number == retry
    assert check_log(store) == log


def _with_store(trial: OnTrial, path: Path, work: Callable[[Store], None], connect: object = None) -> None:
    """Open the store, do some work on it, and close it."""
    store = trial.open(path, durability="normal" if connect is None else "full", connect=connect)
    try:
        work(store)
    finally:
        store.close()


def at_named_points(trial: OnTrial, folder: Path) -> Iterator[Killed]:
    """At each of the store's points, when it is passed for the first, the second and the fifth time."""
    for (name, point), turn in itertools.product(trial.points.items(), _TURNS):
        if point.once and turn > 1:
            continue
        path = folder / f"{name} {turn}" / "games.db"
        path.parent.mkdir(parents=True)
        yield _killed_at(trial, path, name, Steps(turn, point).connect)


def in_checkpoints(trial: OnTrial, folder: Path, turns: int = 29) -> Iterator[Killed]:
    """In the middle of a checkpoint, at each write into the database file in turn; none without ``apsw``."""
    try:
        from ludolog.testing.faulty_disk import dying_in_writes  # noqa: PLC0415 - needs apsw
    except ImportError:
        return
    for turn in range(1, turns + 1):
        path = folder / str(turn) / "games.db"
        path.parent.mkdir(parents=True)
        yield _killed_at(trial, path, "in a checkpoint", dying_in_writes(turn, path.name))


def _killed_at(trial: OnTrial, path: Path, name: str, connect: object) -> Killed:
    child = Child(lambda report: _with_store(trial, path, lambda store: _play(store, report), connect), name=name)
    reported = child.lines()
    acknowledged = max([0, *map(int, reported)])
    if child.wait() == -signal.SIGKILL:
        return name, acknowledged, _settle(trial, path, acknowledged)
    return name, acknowledged, f"{name}: never passed"


def at_random_moments(trial: OnTrial, folder: Path, kills: int, chance: random.Random) -> Iterator[Killed]:
    """The same file is killed again and again, also while it recovers from the kill before."""
    folder.mkdir(parents=True)
    path = folder / "games.db"
    acknowledged = 0
    for number in range(kills):
        child = Child(lambda report: _with_store(trial, path, lambda store: _play(store, report)))
        before = acknowledged
        reported = [child.line() for _ in range(chance.randrange(4))]
        time.sleep(chance.random() ** 2 * 0.01)
        reported += child.kill()
        acknowledged = max([acknowledged, *map(int, reported)])
        looked = chance.random() < 1 / 2 or number == kills - 1
        yield "at a random moment", acknowledged - before, _settle(trial, path, acknowledged) if looked else ""


# ---------------------------------------------------------------- what else a store is used for


class _Work(NamedTuple):
    """Something that is killed at each of its steps in turn."""

    name: str
    run: Callable[[Path, Steps], None]
    check: Callable[[Path], None]
    """The folder after a kill: nothing is half done, and doing it again works."""


def in_every_step(trial: OnTrial, folder: Path, game: str, stride: int = 1) -> Iterator[Killed]:
    """In an export, an import and a backup, at each line, statement, block and operation on a file.

    ``stride``: at each so-manieth only.
    """
    specimen = specimens(game)[0]
    lines = list(export_bundle(specimen.table, specimen.store()))
    start = folder / "start"
    start.mkdir(parents=True)
    _with_store(
        trial, start / "games.db", lambda store: store.create(specimen.table, specimen.rows, seed=specimen.seed)
    )
    for work in _works(trial, specimen.table, lines):
        for turn in itertools.count(1, stride):
            place = folder / f"{work.name} {turn}"
            shutil.copytree(start, place)
            child = Child(lambda _, place=place, work=work, turn=turn: work.run(place, Steps(turn)))  # type: ignore[misc]
            child.lines()
            killed = child.wait() == -signal.SIGKILL
            fault = ""
            try:
                work.check(place)
            except _WRONG as error:
                fault = f"{work.name}, step {turn}: {error!r}"
            if killed or fault:
                yield work.name, 0, fault
            if not killed:
                break
            shutil.rmtree(place)


def _works(trial: OnTrial, table: str, lines: list[bytes]) -> Iterator[_Work]:
    def export(folder: Path, steps: Steps) -> None:
        steps.watch(folder)
        _with_store(
            trial,
            folder / "games.db",
            lambda store: write_lines(folder / "t.ludolog", steps.lines(export_bundle(table, store))),
        )

    def exported(folder: Path) -> None:
        target = folder / "t.ludolog"
        assert not target.exists() or target.read_bytes() == b"".join(lines)
        export(folder, Steps(0))
        verify_bundle(target.read_bytes().splitlines(keepends=True))

    def take_in(folder: Path, steps: Steps) -> None:
        def imported(store: Store) -> None:
            import_bundle(lines, store)

        _with_store(trial, folder / "other.db", imported, steps.connect)

    def taken_in(folder: Path) -> None:
        with contextlib.suppress(TableExists):
            take_in(folder, Steps(0))
        _with_store(trial, folder / "other.db", lambda store: _same(export_bundle(table, store), lines))

    yield _Work("in an export", export, exported)
    yield _Work("in an import", take_in, taken_in)
    if trial.backup is not None:
        yield _backing_up(trial, trial.backup, table, lines)


def _backing_up(trial: OnTrial, backup: Callable[[Store, Path], None], table: str, lines: list[bytes]) -> _Work:
    def back_up(folder: Path, steps: Steps) -> None:
        steps.watch(folder)
        _with_store(trial, folder / "games.db", lambda store: backup(store, folder / "copy.db"), steps.connect)

    def backed_up(folder: Path) -> None:
        copy = folder / "copy.db"
        if copy.exists():
            _with_store(trial, copy, lambda store: _same(export_bundle(table, store), lines))
            copy.unlink()
        back_up(folder, Steps(0))
        _with_store(trial, copy, lambda store: _same(export_bundle(table, store), lines))

    return _Work("in a backup", back_up, backed_up)


def _same(found: Iterator[bytes], lines: list[bytes]) -> None:
    assert list(found) == lines
