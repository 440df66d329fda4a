"""The feed under load and fault: many writers, late commits, roll-backs, kills, interrupts, damaged files."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time

import pytest

from ludolog.errors import BadPosition, CorruptLog, StoreClosed
from ludolog.store import MemoryStore
from ludolog.testing.followers import follow_at_once
from ludolog.testing.stores import append_retrying, batch, check_feed
from ludolog.waking import Bell
from ludolog_plugins.stores.sqlite import SqliteStore
from stores.postgres_server import store_in

SEED = b"s" * 32
NIGHTLY = bool(os.environ.get("LUDOLOG_NIGHTLY"))
EVENTS = 20_000 if NIGHTLY else 20
HERE = os.getpid()

# A line for each store and way to use it: opens the store that lives in a folder.
STORES = {
    "sqlite full": lambda folder: SqliteStore(folder / "s.db", shared="allow", busy_timeout=60),
    "sqlite normal": lambda folder: SqliteStore(folder / "s.db", shared="allow", busy_timeout=60, durability="normal"),
    "postgres": lambda folder: store_in(folder, busy_timeout=60),
}


@pytest.fixture(params=STORES)
def opener(request, tmp_path):
    return lambda: STORES[request.param](tmp_path)


def test_eight_writers_and_four_readers(opener):
    """S6, S7, S12: late commits, roll-backs and kills; each reader is told each batch once, and all in one order."""
    figures = follow_at_once(opener, writers=8, events=EVENTS, readers=4)
    assert figures.faults == ()
    assert (figures.writers, figures.events, figures.readers, figures.kills) == (8, EVENTS, 4, 2)
    assert figures.refused > 0
    assert figures.pauses > 0


# ---------------------------------------------------------------- the harness finds what is wrong


class Faulty(SqliteStore):
    """Right in the process that compares, wrong in those that read."""

    def feed(self, after="", limit=1000):
        found = super().feed(after, limit)
        return found if os.getpid() == HERE else self.spoilt(found, limit)


class Skipping(Faulty):
    """Passes over a batch, as a feed ordered by the moment of sending does when a commit is late."""

    def spoilt(self, found, limit):
        return tuple(appended for appended in found if appended.stored.command_id != "0-3")


class Doubling(Faulty):
    """Tells the first batch again after the last."""

    def spoilt(self, found, limit):
        return found or super(Faulty, self).feed("", limit)[:1]


class Swapping(Faulty):
    """Tells another order."""

    def spoilt(self, found, limit):
        return (found[1], found[0], *found[2:]) if len(found) > 2 else found


@pytest.mark.parametrize(
    ("store", "told"),
    [
        (Skipping, "reader [01] was told 9 batches, not 10"),
        (Doubling, "reader [01] was told (1[1-9]|20) batches, not 10|another order"),
        (Swapping, "reader [01] was told another order"),
    ],
)
def test_a_feed_that_breaks_a_promise_is_found_out(tmp_path, store, told):
    """F41: the check itself is run against planted faults."""

    def opener():
        return store(tmp_path / "s.db", shared="allow")

    figures = follow_at_once(opener, writers=2, events=4, readers=2, tables=2, kills=0, patience=0.5)
    assert len(figures.faults) == 2
    assert all(re.fullmatch(told, fault) for fault in figures.faults), figures.faults
    assert "2 faults" in str(figures)


# ---------------------------------------------------------------- interrupts


class Interrupted(BaseException):
    """As Ctrl-C raises it, anywhere."""


@pytest.mark.parametrize("open_store", [lambda _: MemoryStore(), lambda folder: SqliteStore(folder / "s.db")])
def test_an_interrupted_append_is_in_the_feed_or_nowhere(tmp_path, open_store):
    """S22: whenever the signal comes, log and feed agree."""

    def interrupt(*_):
        raise Interrupted

    store = open_store(tmp_path)
    store.create("t", [batch(0)], seed=SEED)
    previous = signal.signal(signal.SIGALRM, interrupt)
    try:
        for n in range(200):
            length = store.head("t").length
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.0001 + n % 10 * 0.00003)
                while True:
                    store.append("t", length, [batch(length), batch(length + 1, f"c{length}")])
                    length += 2
            except Interrupted:
                pass
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, previous)
    assert len(check_feed(store)) == store.head("t").length > 100
    assert store.wait(0) in {True, False}
    store.close()


# ---------------------------------------------------------------- the file


def spoil(path, *statements):
    """Do to the file what its triggers forbid, and put them back."""
    with sqlite3.connect(path, isolation_level=None) as other:
        guards = other.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            other.execute(f"DROP TRIGGER {name}")
        for statement in (*statements, *(sql for _, sql in guards)):
            other.execute(statement)
    other.close()


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        for name in "tu":
            store.create(name, [batch(0, table=name)], seed=SEED)
        for n in range(4):
            append_retrying(store, "tu"[n % 2], f"c{n}")
    return path


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("DELETE FROM feed WHERE place = 3", "place 3 of its feed is missing"),
        ("DELETE FROM feed WHERE place = 1", "place 1 of its feed is missing"),
        ("UPDATE feed SET place = 9 WHERE place = 6", "place 6 of its feed is missing"),
        ("DELETE FROM batches WHERE number = 1 AND table_key = 2", "a batch is missing"),
        ("UPDATE feed SET id = id + (7 << 32) WHERE place = 4", "place 4 of its feed is of no table"),
        ("UPDATE feed SET id = id + 100 WHERE place = 4", "a batch is missing"),
        ("DELETE FROM tables WHERE name = 'u'", "is of no table"),
    ],
)
def test_a_damaged_feed_is_corrupt(path, statement, told):
    spoil(path, statement)
    with SqliteStore(path) as store, pytest.raises(CorruptLog, match=told):
        store.feed()


@pytest.mark.parametrize("statement", ["DELETE FROM feed", "UPDATE feed SET id = 0", "UPDATE feed SET place = 99"])
def test_the_feed_is_guarded(path, statement):
    with sqlite3.connect(path) as other, pytest.raises(sqlite3.IntegrityError, match="never changed or removed"):
        other.execute(statement)
    other.close()


def test_a_store_that_was_set_back_takes_no_later_position(path, tmp_path):
    """S17: after an older copy was put in place, a subscriber is told so, and not the other batches that came since."""
    with SqliteStore(path) as store:
        store.backup(tmp_path / "older.db")
        early = store.feed()[2].position
        append_retrying(store, "t", "lost")
        late = store.feed()[-1].position
    with SqliteStore(tmp_path / "older.db") as store:
        for _ in range(3):
            with pytest.raises(BadPosition):
                store.subscribe(late)
            assert len(tuple(store.subscribe(early, timeout=0))) == len(store.feed()) - 3
            append_retrying(store, "u", f"other-{store.head('u').length}")


def test_a_file_that_can_only_be_read_has_a_feed(path):
    with SqliteStore(path) as store:
        whole = store.feed()
    path.chmod(0o444)
    path.parent.chmod(0o555)
    try:
        with SqliteStore(path) as store:
            assert store.feed() == whole
            assert store.wait(0.01) in {True, False}
            assert tuple(store.subscribe(whole[1].position, timeout=0)) == whole[2:]
    finally:
        path.parent.chmod(0o755)


def test_a_store_held_by_a_writer_can_be_followed(path):
    """S12: whoever holds the write lock keeps no reader from the feed, and is not seen before the commit."""
    with SqliteStore(path, shared="allow") as store, SqliteStore(path, shared="allow", busy_timeout=4) as writer:
        subscription = store.subscribe(store.feed()[-1].position)
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        thread = threading.Thread(target=append_retrying, args=(writer, "t", "late"))
        thread.start()
        assert subscription.get(0.05) is None
        assert len(store.feed()) == 6
        connection.execute("ROLLBACK")
        connection.close()
        assert subscription.get(30).stored.command_id == "late"
        thread.join()


# ---------------------------------------------------------------- the bell


def test_whoever_watches_is_relieved():
    """The one that watches for all leaves first; another watches on, and the ring of a process is heard by all."""
    bell = Bell()
    come = threading.Event()
    lock = threading.Lock()

    def look():
        with lock:  # like a store's connection
            return come.is_set() and not heard

    heard = []

    def wait(timeout):
        if bell.wait(timeout, look):
            heard.append(timeout)

    threads = [threading.Thread(target=wait, args=(timeout,)) for timeout in (0.05, 0.1, 60, 61, 62)]
    for thread in threads:
        thread.start()
    threads[0].join()
    threads[1].join()
    began = time.monotonic()
    come.set()
    for thread in threads:
        thread.join()
    assert sorted(heard) == [60, 61, 62]
    assert time.monotonic() - began < 30


def test_a_look_that_fails_is_told_to_who_looked():
    bell = Bell()
    failed, name = threading.Event(), "it was closed"

    def look():
        if not failed.is_set():
            failed.set()
            raise StoreClosed(name)
        return False

    with pytest.raises(StoreClosed):
        bell.wait(1, look)
    assert not bell.wait(0.01, look)
    bell.ring()
    assert bell.wait(60, look)


# ---------------------------------------------------------------- the command


def test_the_command_prints_the_figures(tmp_path):
    command = [
        sys.executable,
        "-m",
        "ludolog.testing",
        "followers",
        "--writers",
        "2",
        "--events",
        "5",
        "--readers",
        "2",
    ]
    spec = f"sqlite://{tmp_path / 's.db'}?shared=allow&durability=normal"
    done = subprocess.run([*command, "--tables", "3", "--store", spec], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(
        r"2 writers x 5 events to 3 tables, \d+ pauses, 2 kills, \d+ rolled back, 2 readers: each batch once and in "
        r"one order to every reader; told after [\d.]+ ms \(median\), \d+ ms at most; [\d.]+ s, \d+ events a second\n",
        done.stdout,
    )
    with SqliteStore(tmp_path / "s.db") as store:
        assert len(check_feed(store)) == 3 + 2 * 5
    done = subprocess.run([*command, "--store", "nowhere://"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "No installed plugin has a store for 'nowhere'.\n"
