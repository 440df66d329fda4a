"""S1, F26: kill -9 at each named point and at random moments; the retry by command id settles what became of it."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time

import pytest

from ludolog.errors import DuplicateCommand
from ludolog.testing.faults import Child
from ludolog.testing.stores import batch, check_log
from ludolog_plugins.stores import _database
from ludolog_plugins.stores.sqlite import SqliteStore

SEED = b"s" * 32
KILLS = 100 * (10 if os.environ.get("LUDOLOG_NIGHTLY") else 1)
POINTS = {
    "before the transaction": ("BEGIN", "before"),
    "after the transaction has begun": ("BEGIN", "after"),
    "before the batches": ("INSERT INTO batches", "before"),
    "after the batches": ("INSERT INTO batches", "after"),
    "before the commit": ("COMMIT", "before"),
    "after the commit": ("COMMIT", "after"),
    "in a snapshot": ("INSERT OR REPLACE INTO snapshots", "after"),
    "in the tidying of snapshots": ("DELETE FROM snapshots", "after"),
    "before a checkpoint": ("PRAGMA wal_checkpoint", "before"),
    "after a checkpoint": ("PRAGMA wal_checkpoint", "after"),
    "while the store is made": ("CREATE", "after"),
    "while the store is marked": ("PRAGMA user_version =", "after"),
    "before the write-ahead log": ("PRAGMA journal_mode", "before"),
    "after the write-ahead log": ("PRAGMA journal_mode", "after"),
}


def dying(point, turn):
    """Connects to SQLite so that the process dies when a named point is passed for the ``turn``-th time."""
    start, when = POINTS[point]
    passed = 0

    def pass_by(sql, moment):
        nonlocal passed
        if moment == when and sql.strip().startswith(start):
            passed += 1
            if passed == turn:
                os.kill(os.getpid(), signal.SIGKILL)

    class Dying(sqlite3.Connection):
        def execute(self, sql, parameters=(), /):
            pass_by(sql, "before")
            cursor = super().execute(sql, parameters)
            pass_by(sql, "after")
            return cursor

        def executemany(self, sql, parameters, /):
            pass_by(sql, "before")
            cursor = super().executemany(sql, parameters)
            pass_by(sql, "after")
            return cursor

    def connect(uri, timeout):
        return sqlite3.connect(
            uri, timeout=timeout, isolation_level=None, check_same_thread=False, uri=True, factory=Dying
        )

    return connect


def play(path, report, **options):
    """Append for ever, one and three at a time; report each acknowledged length."""
    with SqliteStore(path, **options) as store:
        if not store.tables():
            store.create("t", [batch(0, "c0")], seed=SEED)
        length = store.head("t").length
        report(str(length))
        while True:
            count = 1 + 2 * (length % 2)
            store.append("t", length, [batch(number, f"c{number}") for number in range(length, length + count)])
            length += count
            report(str(length))
            if length % 5 == 0:
                store.keep_snapshot("t", length - 1, b"position" * 100)


def verify(path, acknowledged):
    """Everything acknowledged is there, once; so is the retry of what was under way."""
    with SqliteStore(path, durability="normal") as store:
        if not store.tables():
            assert acknowledged == 0
            return
        log = check_log(store)
        assert len(log) in (acknowledged, acknowledged + 1, acknowledged + 3)
        assert [stored.command_id for stored in log] == [f"c{number}" for number in range(len(log))]
        retry = len(log) - 1
        with pytest.raises(DuplicateCommand) as caught:
            store.append("t", retry, [batch(retry, f"c{retry}")])
        assert caught.value.number == retry
        assert check_log(store) == log
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


@pytest.fixture(autouse=True)
def often(monkeypatch):
    """Checkpoints of our own, and many of them."""
    monkeypatch.setattr(_database, "CHECKPOINT_EVERY", 10)
    monkeypatch.setattr(_database, "faulty_when_shared", lambda version: True)


@pytest.mark.parametrize("point", POINTS)
def test_killed_at_a_named_point(tmp_path, point):
    path = tmp_path / "games.db"
    once = point.startswith("while") or point.endswith("write-ahead log")
    for turn in (1,) if once else (1, 2, 5):
        child = Child(lambda report, turn=turn: play(path, report, connect=dying(point, turn)), name=point)
        reported = child.lines()
        assert child.wait() == -signal.SIGKILL
        verify(path, max([0, *map(int, reported)]))


def test_killed_at_random_moments(tmp_path):
    """The same file is killed again and again, also while it recovers from the kill before."""
    path = tmp_path / "games.db"
    chance = random.Random(1)
    acknowledged = 0
    for _ in range(KILLS):
        child = Child(lambda report: play(path, report))
        reported = [child.line() for _ in range(chance.randrange(4))]
        time.sleep(chance.random() ** 2 * 0.01)
        reported += child.kill()
        acknowledged = max([acknowledged, *map(int, reported)])
        if chance.random() < 0.5:
            verify(path, acknowledged)
    assert acknowledged > KILLS / 2


def test_killed_in_the_middle_of_a_checkpoint(tmp_path):
    """At each write into the database file in turn."""
    faulty_disk = pytest.importorskip("ludolog.testing.faulty_disk")

    class Dying(faulty_disk.Disk):
        def __init__(self, turn):
            super().__init__()
            self.turn = turn

        def step(self, kind):
            if kind in ("write", "sync") and self.record and self.record[-1].file == "games.db":
                self.turn -= 1
                if self.turn == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

    for turn in range(1, 30):
        path = tmp_path / str(turn) / "games.db"
        path.parent.mkdir()
        child = Child(lambda report, turn=turn, path=path: play(path, report, connect=Dying(turn).connect))
        reported = child.lines()
        assert child.wait() == -signal.SIGKILL
        verify(path, max([0, *map(int, reported)]))
