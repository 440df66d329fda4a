"""Files that are no store, or can't be used as one: one sentence of our own, and nothing written."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import tempfile
import time
from pathlib import Path

import pytest

from ludolog.errors import (
    BadOptions,
    CorruptLog,
    LudologError,
    NewerFormat,
    NotAStore,
    StoreBusy,
    StoreFailed,
    StoreReadOnly,
)
from ludolog.testing.faults import Child
from ludolog.testing.stores import batch, check_log
from ludolog_plugins.stores.sqlite import SqliteStore

SEED = b"s" * 32


@pytest.fixture
def path(tmp_path):
    """A closed store with a table of 40 batches."""
    path = tmp_path / "games.db"
    with SqliteStore(path) as store:
        store.create("t", [batch(0, "c0")], seed=SEED)
        store.append("t", 1, [batch(number, f"c{number}") for number in range(1, 40)])
    return path


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def refused(path, error, match, **options):
    before = contents(path.parent) if path.parent.is_dir() else None
    with pytest.raises(error, match=match) as caught:
        SqliteStore(path, **options)
    assert type(caught.value) is error
    message = str(caught.value)
    assert path.name in message
    assert message.endswith(".")
    assert "\n" not in message
    if before is not None:
        assert contents(path.parent) == before


GUARD = (
    "CREATE TRIGGER batches_delete BEFORE DELETE ON batches "
    "BEGIN SELECT RAISE(ABORT, 'batches are never changed or removed'); END"
)


def sql(path, *statements):
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        for statement in statements:
            connection.execute(statement)
    finally:
        connection.close()


# ---------------------------------------------------------------- what is no store


def test_a_file_of_something_else(tmp_path):
    text = tmp_path / "notes.txt"
    text.write_text("Dear diary, " * 1000)
    refused(text, NotAStore, "is no SQLite database")
    text.write_bytes(b"SQLite format 3\0" + bytes(4080))
    refused(text, NotAStore, "is no SQLite database")


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_the_database_of_another_program(tmp_path, mode):
    foreign = tmp_path / "foreign.db"
    sql(foreign, f"PRAGMA journal_mode = {mode}", "CREATE TABLE people (name)", "INSERT INTO people VALUES ('ann')")
    refused(foreign, NotAStore, "not one of this library's stores")
    sql(foreign, "DROP TABLE people", "PRAGMA application_id = 7")
    refused(foreign, NotAStore, "not one of this library's stores")


def test_the_database_of_another_program_that_is_in_use(tmp_path):
    foreign = tmp_path / "foreign.db"
    other = sqlite3.connect(foreign, isolation_level=None)
    other.execute("PRAGMA journal_mode = WAL")
    other.execute("CREATE TABLE people (name)")
    other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    other.execute("INSERT INTO people VALUES ('ann')")
    refused(foreign, NotAStore, "not one of this library's stores")
    other.close()


def test_a_newer_format(path):
    sql(path, "PRAGMA user_version = 2")
    refused(path, NewerFormat, "has format 2; this version of the library reads formats up to 1")


@pytest.mark.parametrize("options", [{}, {"create": False}])
def test_places_where_no_file_can_be(tmp_path, options):
    refused(tmp_path / "nowhere" / "games.db", NotAStore, "its folder doesn't exist", **options)
    (tmp_path / "file").write_text("")
    refused(tmp_path / "file" / "games.db", NotAStore, "a part of the path is a file", **options)
    refused(tmp_path, NotAStore, "is a folder", **options)
    os.mkfifo(tmp_path / "pipe")
    refused(tmp_path / "pipe", NotAStore, "no ordinary file", **options)


@pytest.mark.parametrize("name", ["", ":memory:", "a\0b"])
def test_names_of_no_file(name):
    with pytest.raises(NotAStore, match="is no file"):
        SqliteStore(name)


def test_a_missing_or_empty_file_unless_it_may_be_made(tmp_path):
    path = tmp_path / "games.db"
    refused(path, NotAStore, "doesn't exist", create=False)
    path.touch()
    refused(path, NotAStore, "is empty", create=False)
    with SqliteStore(path) as store:
        assert store.tables() == ()


@pytest.mark.parametrize(
    "options",
    [
        {"durability": "none"},
        {"shared": "maybe"},
        {"busy_timeout": -1},
        {"busy_timeout": 1e9},
        {"busy_timeout": float("nan")},
        {"checkpoint_every": 0},
        {"checkpoint_every": 1.5},
    ],
)
def test_options_that_do_not_exist(tmp_path, options):
    with pytest.raises(BadOptions, match=next(iter(options))):
        SqliteStore(tmp_path / "games.db", **options)
    assert contents(tmp_path) == {}


# ---------------------------------------------------------------- damage


def test_a_truncated_file(path):
    whole = path.read_bytes()
    for size in (1, 15, 16, 99, 100, 512, 4095, 4096, 8192, len(whole) // 2, len(whole) - 700, len(whole) - 1):
        path.write_bytes(whole[:size])
        before = contents(path.parent)
        with pytest.raises((NotAStore, CorruptLog)) as caught:
            SqliteStore(path)
        assert path.name in str(caught.value)
        assert contents(path.parent) == before


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("DROP TRIGGER batches_delete", "lacks some of the tables"),
        ("DROP INDEX command_ids", "lacks some of the tables"),
        ("ALTER TABLE snapshots RENAME TO gone", "lacks some of the tables"),
        ("CREATE TRIGGER evil AFTER INSERT ON batches BEGIN SELECT 1; END", "a trigger that no store has"),
        ("CREATE INDEX evil ON batches (hex(zeroblob(9))) WHERE id < 0", "an index that no store has"),
        ("PRAGMA user_version = 0", "lacks some of the tables"),
    ],
)
def test_tables_that_were_altered(path, statement, sentence):
    sql(path, statement)
    refused(path, CorruptLog, sentence)


def test_what_a_user_adds_to_look_around_is_fine(path):
    sql(path, "CREATE VIEW lengths AS SELECT table_key, count(*) FROM batches GROUP BY 1", "ANALYZE")
    with SqliteStore(path) as store:
        store.append("t", 40, [batch(40)])
        assert len(check_log(store)) == 41


@pytest.mark.parametrize("table", ["batches", "tables", "seeds"])
def test_a_slip_of_the_hand_is_stopped(path, table):
    column = {"batches": "payload", "tables": "name", "seeds": "seed"}[table]
    for statement in (f"UPDATE {table} SET {column} = {column}", f"DELETE FROM {table}"):  # noqa: S608
        with pytest.raises(sqlite3.IntegrityError, match="never changed or removed"):
            sql(path, statement)


@pytest.mark.parametrize("number", [0, 17, 38])
def test_a_missing_batch_is_named(path, number):
    """S37: a batch cut out of the middle or the head; its number is told, whichever way the log is read."""
    sql(path, "DROP TRIGGER batches_delete", f"DELETE FROM batches WHERE number = {number}", GUARD)  # noqa: S608
    with SqliteStore(path) as store:
        for read in (store.read, store.payloads):
            with pytest.raises(CorruptLog) as caught:
                list(read("t"))
            assert caught.value.batch == number
            assert caught.value.table == "t"


def test_missing_blocks_are_noticed(path):
    """S37: also where whole blocks are gone."""
    with SqliteStore(path) as store:
        store.append("t", 40, [batch(number) for number in range(40, 3000)])
    sql(path, "DROP TRIGGER batches_delete", "DELETE FROM batches WHERE number >= 500 AND number < 2000", GUARD)
    with SqliteStore(path) as store:
        for read in (store.read, store.payloads):
            with pytest.raises(CorruptLog) as caught:
                list(read("t"))
            assert caught.value.batch == 500


def test_one_flipped_bit(path, tmp_path):
    """S17: anywhere in the file: it shows nowhere, or as an error of ours, or as bytes that don't match their hash."""
    whole = path.read_bytes()
    chance = random.Random(17)
    broken = tmp_path / "broken.db"
    told = 0
    with SqliteStore(path) as store:
        good = (check_log(store), store.seed("t"), store.tables())
    for _ in range(250):
        at = chance.randrange(len(whole))
        flipped = bytearray(whole)
        flipped[at] ^= 1 << chance.randrange(8)
        for file in tmp_path.glob("broken.db*"):
            file.unlink()
        broken.write_bytes(flipped)
        try:
            with SqliteStore(broken) as store:
                found = (check_log(store), store.seed("t"), store.tables())
                found[0].remove(store.find("t", "c7"))
                store.append("t", 40, [batch(40, "c40")])
                store.keep_snapshot("t", 40, b"position")
                store.snapshot("t")
        except (LudologError, AssertionError, ValueError):
            told += 1
        else:
            hashes = [stored.head for stored in good[0] if stored.number != 7]
            assert [stored.head for stored in found[0]] == hashes
    assert 25 < told < 250


# ---------------------------------------------------------------- in use, or write-protected


def test_a_writer_that_holds_the_file_too_long(path):
    """S13: busy is an error of its own, and tells how long it was waited for."""
    with SqliteStore(path, busy_timeout=0.2) as store:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        for write in (
            lambda: store.append("t", 40, [batch(40)]),
            lambda: store.create("u", [batch(0)], seed=SEED),
        ):
            with pytest.raises(StoreBusy, match=r"games.db was busy for 0\.[2-9] seconds") as caught:
                write()
            assert 0.15 < caught.value.waited < 2
        assert time.monotonic() - began > 0.3
        store.keep_snapshot("t", 1, b"not kept, and no error")
        assert len(check_log(store)) == 40
        other.execute("ROLLBACK")
        store.append("t", 40, [batch(40)])
        assert store.snapshot("t") is None
        other.close()


def test_a_file_that_is_locked_while_it_is_opened(tmp_path):
    path = tmp_path / "games.db"
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("CREATE TABLE t (x)")
    other.execute("DROP TABLE t")
    other.execute("BEGIN EXCLUSIVE")
    before = contents(tmp_path)
    with pytest.raises(StoreBusy, match=r"games\.db"):
        SqliteStore(path, busy_timeout=0.1)
    assert contents(tmp_path) == before
    other.execute("ROLLBACK")
    other.close()
    SqliteStore(path).close()


def as_nobody(work, folder, modes=None):
    """Run ``work`` in a process that may read the folder and not write there, whoever runs the tests."""

    def run(report):
        if os.geteuid() == 0:
            os.setgid(65534)
            os.setuid(65534)
        work()
        report("done")

    for entry in folder.iterdir():
        entry.chmod((modes or {}).get(entry.name, 0o444))
    folder.chmod(0o555)
    try:
        assert Child(run).finish() == ["done"]
    finally:
        for entry in (folder, *folder.iterdir()):
            entry.chmod(0o755)


@pytest.fixture
def open_folder():
    """A folder that others may enter; those of pytest are private."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def test_a_write_protected_store_is_read(path, open_folder):
    shutil.copy(path, open_folder)
    before = contents(open_folder)

    def use():
        with SqliteStore(open_folder / "games.db") as store:
            assert len(check_log(store)) == 40
            assert store.find("t", "c3") == batch(3, "c3")
            assert store.seed("t") == SEED
            for write in (
                lambda: store.append("t", 40, [batch(40)]),
                lambda: store.create("u", [batch(0)], seed=SEED),
            ):
                with pytest.raises(StoreReadOnly, match=r"games\.db can only be read: .* write-protected"):
                    write()
            store.keep_snapshot("t", 1, b"not kept, and no error")

    as_nobody(use, open_folder)
    assert contents(open_folder) == before


def test_a_write_protected_folder(open_folder):
    def use():
        with pytest.raises(StoreReadOnly, match=r"games\.db can't be made: its folder is write-protected"):
            SqliteStore(open_folder / "games.db")

    as_nobody(use, open_folder)
    assert contents(open_folder) == {}


def test_a_file_that_may_not_be_read(path, open_folder):
    shutil.copy(path, open_folder)
    hidden = open_folder / "hidden"
    hidden.mkdir()

    def use():
        for file in (open_folder / "games.db", hidden / "games.db"):
            with pytest.raises(StoreFailed, match=r"games\.db could not be read or written"):
                SqliteStore(file)

    shutil.copy(path, hidden)
    as_nobody(use, open_folder, {"games.db": 0o000, "hidden": 0o000})
