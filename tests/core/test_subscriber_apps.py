"""Subscribers as apps have them: tasks of asyncio, and read models with their place in the feed beside them."""

import asyncio
import contextlib
import sqlite3
import threading

import pytest

from ludolog import MemoryStore, Ruleset
from ludolog.errors import StoreFailed
from toys.gate import Gate
from toys.made import table_of
from toys.vault import GAME, Walk

VAULT = Ruleset(GAME)
SEATS = ("ann", "bob", "cy")


# ---------------------------------------------------------------- asyncio


@pytest.mark.parametrize("failing", [False, True], ids=["the commit succeeds", "the commit fails"])
def test_a_cancelled_task_is_settled_by_its_command_id(failing):
    """S22: the task is gone, the thread still commits; asking again under the id tells what became of it."""
    store = Gate()
    table = table_of(VAULT, SEATS, store=store)
    length = table.length

    async def main():
        store.open.clear()
        store.reached.clear()
        task = asyncio.create_task(asyncio.to_thread(table.play, "ann", Walk(to=1), command_id="move-1"))
        await asyncio.to_thread(store.reached.wait)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        assert task.cancelled()
        store.failing = failing
        again = asyncio.create_task(asyncio.to_thread(table.play, "ann", Walk(to=1), command_id="move-1"))
        await asyncio.sleep(0.01)
        if failing:
            threading.Timer(0.05, setattr, (store, "failing", False))
        store.open.set()
        try:
            return await again
        except StoreFailed:
            store.failing = False
            return await asyncio.to_thread(table.play, "ann", Walk(to=1), command_id="move-1")

    receipt = asyncio.run(main())
    assert receipt.length == table.length == length + 1
    assert receipt.repeated != failing
    assert store.find("t", "move-1").number == length
    assert [item.event.to for item in table.subscribe(None, timeout=0) if hasattr(item.event, "to")] == [1]


def test_a_task_listens_in_threads():
    table = table_of(VAULT, SEATS)

    async def listen(after):
        heard = []
        with table.subscribe("bob", after) as subscription:
            while len(heard) < 6:
                item = await asyncio.to_thread(subscription.get, 0.05)
                if item is not None:
                    heard.append(item)
        return heard

    async def main():
        after = len(table.feed("bob"))
        task = asyncio.create_task(listen(after))
        for to in range(6):
            await asyncio.to_thread(table.play, table.to_act[0], Walk(to=to))
            await asyncio.sleep(0.01)
        return await task

    assert [item.event.to for item in asyncio.run(main())] == list(range(6))


# ---------------------------------------------------------------- read models


class Counts:
    """How many batches each table has, in a database of its own, with the position up to which they are counted."""

    def __init__(self, path):
        self.database = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=60)
        self.database.execute("PRAGMA synchronous = OFF")
        self.database.execute("CREATE TABLE IF NOT EXISTS counts (name TEXT PRIMARY KEY, count INTEGER)")
        self.database.execute("CREATE TABLE IF NOT EXISTS place (one INTEGER PRIMARY KEY, position TEXT)")
        self.database.execute("INSERT OR IGNORE INTO place VALUES (1, '')")

    def read_on(self, store, limit=7, *, poison=None):
        """Count what the position doesn't cover yet; both change in one transaction, which excludes other runners."""
        with self.transaction():
            (position,) = self.database.execute("SELECT position FROM place").fetchone()
            found = store.feed(position, limit)
            for appended in found:
                self.count(appended, poison)
        return len(found)

    @contextlib.contextmanager
    def transaction(self):
        self.database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.database.execute("ROLLBACK")
            raise
        self.database.execute("COMMIT")

    def count(self, appended, poison):
        if (appended.table, appended.stored.number) == poison:
            raise ZeroDivisionError
        self.database.execute(
            "INSERT INTO counts VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET count = count + 1", (appended.table,)
        )
        self.database.execute("UPDATE place SET position = ?", (appended.position,))

    def read_all(self, store, **more):
        while self.read_on(store, 2, **more):
            pass

    def counts(self):
        return dict(self.database.execute("SELECT name, count FROM counts"))


def lengths(store):
    return {name: store.head(name).length for name in store.tables()}


def test_two_runners_of_a_read_model(tmp_path):
    """S43: one works, the other waits, and takes over from one that dies half-way; nothing is counted twice."""
    store = MemoryStore()
    tables = [table_of(VAULT, SEATS, store=store, id=name) for name in "tuv"]
    done = threading.Event()
    counted = [0, 0]

    def run(which):
        runner = Counts(tmp_path / "model.db")
        died = False
        while True:
            ended = done.is_set()
            try:
                found = runner.read_on(store, poison=None if died else ("u", 9))
            except ZeroDivisionError:
                died, found = True, 1
            else:
                counted[which] += found
            if ended and not found:
                return

    runners = [threading.Thread(target=run, args=(which,)) for which in (0, 1)]
    for runner in runners:
        runner.start()
    for step in range(90):
        table = tables[step % 3]
        table.play(table.to_act[0], Walk(to=step % 8))
    done.set()
    for runner in runners:
        runner.join()
    assert Counts(tmp_path / "model.db").counts() == lengths(store)
    assert sum(counted) == len(store.feed()) == 90 + sum(len(tuple(store.read(name, 0, 2))) for name in "tuv")


def test_a_read_model_is_rebuilt_while_batches_come(tmp_path):
    """S44: the old one is served meanwhile; the new one reaches the head, with nothing missed or counted twice."""
    store = MemoryStore()
    tables = [table_of(VAULT, SEATS, store=store, id=name) for name in "tuv"]
    old, new = Counts(tmp_path / "old.db"), Counts(tmp_path / "new.db")
    for step in range(60):
        tables[step % 3].play(tables[step % 3].to_act[0], Walk(to=step % 8))
        old.read_on(store)
    steps = 0
    while new.read_on(store, 3):
        steps += 1
        if steps < 30:
            tables[steps % 3].play(tables[steps % 3].to_act[0], Walk(to=steps % 8))
            old.read_on(store)
        assert old.counts() == lengths(store)
    assert steps > 30
    assert new.counts() == old.counts() == lengths(store)


def test_a_poison_event_stops_a_read_model(tmp_path):
    """S31: it stops there and stays what it was; whoever sets it right goes on from the same place."""
    store = MemoryStore()
    table = table_of(VAULT, SEATS, store=store, id="t")
    for step in range(8):
        table.play(table.to_act[0], Walk(to=step))
    model = Counts(tmp_path / "model.db")
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            model.read_all(store, poison=("t", 5))
        assert model.counts() == {"t": 4}
    model.read_all(store)
    assert model.counts() == lengths(store)
