"""S21: the power goes at any moment; what was synced is there, of the rest any sectors may be."""

from __future__ import annotations

import os
import random
import sqlite3

import pytest

from ludolog.testing.stores import batch, check_log
from ludolog_plugins.stores import _database
from ludolog_plugins.stores.sqlite import SqliteStore

faulty_disk = pytest.importorskip("ludolog.testing.faulty_disk")

SEED = b"s" * 32
IMAGES = 120 * (10 if os.environ.get("LUDOLOG_NIGHTLY") else 1)


def play(path, disk, durability):
    """Two tables, single and many batches, snapshots, checkpoints, closing and opening again; marks each append."""
    lengths = {}

    def append(store, table, count):
        start = lengths[table]
        batches = [batch(number, f"c{number}", table=table) for number in range(start, start + count)]
        store.append(table, start, batches)
        lengths[table] = start + count
        disk.mark(dict(lengths))

    for session in range(3):
        with SqliteStore(path, durability=durability, connect=disk.connect) as store:
            table = f"t{session}"
            store.create(table, [batch(0, table=table)], seed=SEED)
            lengths[table] = 1
            disk.mark(dict(lengths))
            for step in range(12):
                append(store, table, 1)
                append(store, "t0", 1 + step % 4)
                if step % 5 == 4:
                    store.keep_snapshot("t0", lengths["t0"] - 1, b"position" * 700)
    return lengths


@pytest.fixture(params=["full", "normal"])
def durability(request):
    return request.param


@pytest.fixture
def recorded(tmp_path, durability, monkeypatch):
    monkeypatch.setattr(_database, "CHECKPOINT_EVERY", 15)
    monkeypatch.setattr(_database, "faulty_when_shared", lambda version: True)
    disk = faulty_disk.Disk()
    (tmp_path / "played").mkdir()
    lengths = play(tmp_path / "played" / "games.db", disk, durability)
    return disk, lengths


def test_after_a_power_cut(tmp_path, recorded, durability):
    """FULL loses nothing that was acknowledged; NORMAL leaves a prefix; neither damages the file."""
    disk, lengths = recorded
    whole = {table: [batch(n, f"c{n}" if n else None, table=table) for n in range(lengths[table])] for table in lengths}
    # Appends are in one order over all tables: what is left is a moment of that order, not a mixture.
    moments = [{}, *(op.note for op in disk.record if op.kind == "mark")]
    chance = random.Random(21)
    lost = 0
    for image in range(IMAGES):
        at = chance.randrange(len(disk.record) + 1)
        acknowledged = next((op.note for op in reversed(disk.record[:at]) if op.kind == "mark"), {})
        folder = tmp_path / f"image{image}"
        folder.mkdir()
        disk.lose_power(at=at, into=folder, chance=chance)
        with SqliteStore(folder / "games.db", durability="normal") as store:
            found = {table: check_log(store, table) for table in store.tables()}
            assert {table: len(log) for table, log in found.items()} in moments
            for table, log in found.items():
                assert log == whole[table][: len(log)]
                assert store.seed(table) == SEED
                store.append(table, len(log), [batch(len(log), "after the cut", table=table)])
        after = {table: len(found.get(table, ())) for table in acknowledged}
        lost += sum(max(0, length - after[table]) for table, length in acknowledged.items())
        with sqlite3.connect(folder / "games.db") as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        connection.close()
        for file in folder.iterdir():
            file.unlink()
    assert (lost == 0) is (durability == "full")


def test_the_disk_is_as_bad_as_it_says(tmp_path):
    """F41: without any sync, the same images lose what was acknowledged; so the test above can fail."""
    disk = faulty_disk.Disk()
    path = tmp_path / "games.db"
    with SqliteStore(path, connect=disk.connect) as store:
        store._database.run(lambda connection: connection.execute("PRAGMA synchronous = OFF"))
        store.create("t", [batch(0)], seed=SEED)
        for number in range(1, 30):
            store.append("t", number, [batch(number)])
        (tmp_path / "image").mkdir()
        disk.lose_power(at=len(disk.record), into=tmp_path / "image", chance=random.Random(4))
    with SqliteStore(tmp_path / "image" / "games.db") as store:
        assert store.tables() == ()
