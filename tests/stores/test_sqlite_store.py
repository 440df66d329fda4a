"""What the SQLite store does beyond the contract: settings, sharing, forks, ends, backups, its plugin."""

from __future__ import annotations

import gc
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import warnings

import pluggy
import pytest

from ludolog import hookspecs
from ludolog.errors import (
    BadOptions,
    DuplicateCommand,
    LudologError,
    NotAStore,
    StoreBusy,
    StoreClosed,
    StoreFailed,
    UsedAfterFork,
)
from ludolog.store import StorePlugin
from ludolog.testing.faults import Child
from ludolog.testing.stores import append_retrying, batch, check_log
from ludolog_plugins.stores import _database, _opening, _presence, _queries, sqlite
from ludolog_plugins.stores.sqlite import SharedUnderFaultySQLite, SqliteStore

SEED = b"s" * 32


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games.db"


@pytest.fixture
def store(path):
    with SqliteStore(path, shared="allow") as store:
        store.create("t", [batch(0, "c0")], seed=SEED)
        yield store


def pragma(store, name):
    return store._database.run(lambda connection: connection.execute(f"PRAGMA {name}").fetchone()[0])


@pytest.fixture(params=[True, False], ids=["faulty SQLite", "sound SQLite"])
def faulty(request, monkeypatch):
    monkeypatch.setattr(_opening, "faulty_when_shared", lambda version: request.param)
    monkeypatch.setattr(_database, "faulty_when_shared", lambda version: request.param)
    return request.param


# ---------------------------------------------------------------- settings


@pytest.mark.parametrize(("durability", "synchronous"), [("full", 2), ("normal", 1)])
def test_the_connection_is_hardened(path, durability, synchronous):
    with SqliteStore(path, durability=durability) as store:
        assert pragma(store, "synchronous") == synchronous
        assert pragma(store, "journal_mode") == "wal"
        assert pragma(store, "trusted_schema") == 0
        assert pragma(store, "cell_size_check") == 1
        assert pragma(store, "busy_timeout") == 5000
        assert pragma(store, "application_id") == int.from_bytes(b"Ludo", "big")
        assert pragma(store, "user_version") == 1
        assert pragma(store, "page_size") == 2048


def test_full_is_the_default(path):
    """S21: who says nothing loses nothing."""
    with SqliteStore(path) as store:
        assert pragma(store, "synchronous") == 2


def test_every_table_is_strict(store, path):
    """S17: SQLite itself refuses a value of another type, whoever writes it."""
    with sqlite3.connect(path) as other:
        rows = other.execute("SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
        tables = {name: strict for name, strict in rows if not name.startswith("sqlite_")}
        assert set(tables) >= {"batches", "seeds", "snapshots", "tables"}
        assert set(tables.values()) == {1}
        with pytest.raises(sqlite3.IntegrityError, match="cannot store TEXT value in BLOB column"):
            other.execute("INSERT INTO snapshots (id, payload) VALUES (1, 'text')")
    other.close()


def test_the_file_can_be_looked_into(store, path):
    store.append("t", 1, [batch(1, "c1"), batch(2)])
    with sqlite3.connect(path) as other:
        rows = other.execute("SELECT name, number, command_id FROM batches JOIN tables ON key = table_key").fetchall()
    other.close()
    assert rows == [("t", 0, "c0"), ("t", 1, "c1"), ("t", 2, None)]


def test_the_write_ahead_log_stays_small(path, faulty):
    """S14: under a SQLite that is faulty when shared, the store's own checkpoints do what the automatic ones did."""
    with SqliteStore(path, durability="normal") as store:
        store.create("t", [batch(0)], seed=SEED)
        for number in range(1, 4000):
            store.append("t", number, [batch(number, f"c{number}")])
        assert pragma(store, "wal_autocheckpoint") == (0 if faulty else 4000)
        size = path.with_name("games.db-wal").stat().st_size
        assert size < 5000 * 2048
    assert sorted(file.name for file in path.parent.iterdir()) == ["games.db"]


# ---------------------------------------------------------------- sharing


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ((3, 37, 0), True), ((3, 44, 5), True), ((3, 44, 6), False), ((3, 44, 9), False), ((3, 45, 0), True),
        ((3, 50, 6), True), ((3, 50, 7), False), ((3, 51, 0), True), ((3, 51, 2), True), ((3, 51, 3), False),
        ((3, 52, 0), False), ((4, 0, 0), False),
    ],
)  # fmt: skip
def test_which_versions_are_faulty(version, expected):
    """S14"""
    assert _presence.faulty_when_shared(version) is expected


def sharing(path, **options):
    """How it goes to open a file that another process has open."""

    def hold(report):
        with SqliteStore(path, shared="allow"):
            report("open")
            report.wait()

    child = Child(hold)
    assert child.line() == "open"
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            SqliteStore(path, **options).close()
        return [(warning.category, str(warning.message), warning.filename) for warning in caught]
    finally:
        child.go_on()
        child.finish()


def test_a_shared_file_is_warned_of(path, faulty):
    """S14: by policy a warning, a refusal or nothing; a file that is used by one process is never complained of."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SqliteStore(path).close()
        SqliteStore(path, shared="refuse").close()
    assert sharing(path, shared="allow") == []
    if not faulty:
        assert sharing(path) == sharing(path, shared="refuse") == []
        return
    ((category, message, filename),) = sharing(path)
    assert category is SharedUnderFaultySQLite
    assert "games.db is in use by another connection" in message
    assert sqlite3.sqlite_version in message
    assert filename == __file__
    with pytest.raises(StoreFailed, match="in use by another connection"):
        sharing(path, shared="refuse")
    assert sorted(file.name for file in path.parent.iterdir()) == ["games.db"]


def test_stores_of_one_process_share_a_connection(path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first, second = SqliteStore(path), SqliteStore(path)
    first.create("t", [batch(0)], seed=SEED)
    first.close()
    with pytest.raises(StoreClosed):
        first.head("t")
    second.append("t", 1, [batch(1)])
    with SqliteStore(path) as third:
        assert len(check_log(third)) == 2
    second.close()
    second.close()
    with SqliteStore(path) as fourth:
        assert len(check_log(fourth)) == 2


def test_a_file_that_was_replaced_is_another_store(path):
    old = SqliteStore(path)
    old.create("old", [batch(0)], seed=SEED)
    for file in path.parent.iterdir():
        file.unlink()
    with SqliteStore(path) as new:
        assert new.tables() == ()
        new.create("new", [batch(0)], seed=SEED)
        old.close()
        assert new.tables() == ("new",)


def test_every_way_to_the_file_is_the_same_store(store, path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link.db").symlink_to(path)
    for name in ("games.db", "link.db", str(path), f"{tmp_path}/./games.db"):
        with SqliteStore(name, shared="allow") as other:
            assert other._database is store._database


# ---------------------------------------------------------------- threads, forks and ends


def test_a_thread_waits_for_another_no_longer_than_for_a_process(path):
    """S13"""
    with SqliteStore(path, busy_timeout=0.1) as store:
        inside, done = threading.Event(), threading.Event()

        def work(_):
            inside.set()
            done.wait()

        thread = threading.Thread(target=store._database.run, args=(work,))
        thread.start()
        inside.wait()
        with pytest.raises(StoreBusy):
            store.tables()
        done.set()
        thread.join()
        assert store.tables() == ()


def test_a_fork_while_a_thread_appends(store, path):
    """S19: the child neither hangs on a lock that no thread of it holds nor disturbs the parent."""
    stop = threading.Event()

    def write():
        number = 0
        while not stop.is_set():
            number += 1
            append_retrying(store, "t", f"thread-{number}")
            time.sleep(0.001)

    def use(report):
        with pytest.raises(UsedAfterFork):
            store.head("t")
        with SqliteStore(path, shared="allow") as mine:
            append_retrying(mine, "t", report.name)
        gc.collect()
        report("done")

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for n in range(4):
            assert Child(use, name=f"child-{n}").finish() == ["done"]
    finally:
        stop.set()
        thread.join()
    ids = [stored.command_id for stored in check_log(store)]
    assert [command_id for command_id in ids if command_id.startswith("child")] == [f"child-{n}" for n in range(4)]


def test_a_fork_while_a_thread_is_stuck_in_sqlite(path):
    """S19: the copy of a connection that is in use can't be closed, and so is left alone."""
    with SqliteStore(path, busy_timeout=0.1) as store:
        inside, done = threading.Event(), threading.Event()

        def work(_):
            inside.set()
            done.wait()

        thread = threading.Thread(target=store._database.run, args=(work,))
        thread.start()
        inside.wait()

        def use(report):
            with pytest.raises(UsedAfterFork):
                store.tables()
            # SQLite would take the parent's locks for those of a new connection.
            with pytest.raises(UsedAfterFork, match="forked while a thread was using it"):
                SqliteStore(path, shared="allow", durability="normal")
            store.close()
            gc.collect()
            report("done")

        assert Child(use).finish() == ["done"]
        done.set()
        thread.join()
        assert store.tables() == ()


SCRIPT = """
import sys
from ludolog_plugins.stores.sqlite import SqliteStore
from ludolog.testing.stores import batch
store = SqliteStore(sys.argv[1])
store.create("t", [batch(0)], seed=b"s" * 32)
reader = store.read("t")
next(reader)
store.append("t", 1, [batch(1)])
{end}
"""


@pytest.mark.parametrize("end", ["", "raise SystemExit(3)", "import os, sys; sys.exit(os.fork() and os.wait()[1])"])
def test_a_program_ends_without_closing(path, end):
    """S23: no hang, nothing on standard error, nothing left beside the file, and the log is whole."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT.format(end=end), path],
        capture_output=True,
        timeout=30,
        check=False,
    )
    assert (done.stdout, done.stderr) == (b"", b"")
    assert done.returncode == (3 if "3" in end else 0)
    assert [file.name for file in path.parent.iterdir()] == ["games.db"]
    with SqliteStore(path) as store:
        assert len(check_log(store)) == 2


def test_a_store_that_is_forgotten_is_closed(path):
    store = SqliteStore(path)
    store.create("t", [batch(0)], seed=SEED)
    del store
    gc.collect()
    assert [file.name for file in path.parent.iterdir()] == ["games.db"]


class Interrupted(BaseException):
    """As Ctrl-C raises it, anywhere."""


def test_an_append_that_is_interrupted(store):
    """S22: whenever the signal comes, no transaction stays open, and the command id tells what became of it."""

    def interrupt(*_):
        raise Interrupted

    previous = signal.signal(signal.SIGALRM, interrupt)
    interrupted = 0
    try:
        for n in range(300):
            length = store.head("t").length
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.0001 + n % 10 * 0.00003)
                while True:
                    store.append("t", length, [batch(length, f"i{n}-{length}")])
                    length += 1
            except Interrupted:
                interrupted += 1
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            assert not store._database.run(lambda connection: connection.in_transaction)
            stored = store.find("t", f"i{n}-{length}")
            assert store.head("t").length == length + (stored is not None)
    finally:
        signal.signal(signal.SIGALRM, previous)
    assert interrupted == 300
    check_log(store)


# ---------------------------------------------------------------- backups


def test_a_backup_while_appends_go_on(store, path, tmp_path):
    stop = threading.Event()
    target = tmp_path / "copies" / "backup.db"
    target.parent.mkdir()

    def write():
        number = 0
        while not stop.is_set():
            number += 1
            append_retrying(store, "t", f"w{number}")

    thread = threading.Thread(target=write)
    thread.start()
    try:
        while store.head("t").length < 50:
            time.sleep(0.001)
        before = store.head("t").length
        store.backup(target)
        after = store.head("t").length
    finally:
        stop.set()
        thread.join()
    assert [file.name for file in target.parent.iterdir()] == ["backup.db"]
    with SqliteStore(target) as copy:
        log = check_log(copy)
        assert before <= len(log) <= after
        assert log == check_log(store)[: len(log)]
        assert copy.seed("t") == SEED
        copy.append("t", len(log), [batch(len(log))])


def test_a_backup_replaces_nothing(store, path, tmp_path):
    target = tmp_path / "backup.db"
    target.write_text("dear diary")
    for name, error in ((target, StoreFailed), (path, StoreFailed), (tmp_path / "nowhere" / "b.db", StoreFailed)):
        with pytest.raises(error, match=name.name):
            store.backup(name)
    assert target.read_text() == "dear diary"
    store.close()
    with pytest.raises(StoreClosed):
        store.backup(tmp_path / "other.db")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["backup.db", "games.db"]


# ---------------------------------------------------------------- the plugin


def test_the_plugin_opens_paths_and_urls(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plugins = pluggy.PluginManager("ludolog")
    plugins.add_hookspecs(hookspecs)
    plugins.register(sqlite, "stores/sqlite")
    plugins.check_pending()
    (plugin,) = plugins.hook.ludolog_store()
    assert isinstance(plugin, StorePlugin)
    assert (plugin.name, plugin.schemes) == ("sqlite", ("sqlite",))
    for spec in ("a b.db", f"{tmp_path}/a b.db", "sqlite://a%20b.db", f"sqlite://{tmp_path}/a%20b.db?shared=allow"):
        plugin.open(spec).close()
    assert [file.name for file in tmp_path.iterdir()] == ["a b.db"]
    store = plugin.open("sqlite://a%20b.db?durability=normal&busy_timeout=1.5", create=False)
    assert (pragma(store, "synchronous"), pragma(store, "busy_timeout")) == (1, 1500)
    store.close()
    with pytest.raises(NotAStore, match="doesn't exist"):
        plugin.open("sqlite://c.db", create=False)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("sqlite://a.db?cache=shared", "no option 'cache'"),
        ("sqlite://a.db?busy_timeout=soon", "'soon' is no number"),
        ("sqlite://a.db?busy_timeout=-1", "isn't between"),
        ("sqlite://a.db?durability=", "durability=''"),
        ("sqlite://nowhere/a.db", "its folder doesn't exist"),
        ("sqlite://", "is no file"),
        ("sqlite://%00", "is no file"),
        ("sqlite://.", "is a folder"),
    ],
)
def test_urls_that_are_none(tmp_path, monkeypatch, spec, sentence):
    monkeypatch.chdir(tmp_path)
    with pytest.raises((BadOptions, NotAStore), match=sentence):
        sqlite.open_spec(spec)
    assert list(tmp_path.iterdir()) == []


def test_a_snapshot_that_is_not_kept_is_logged_and_not_printed(store, caplog, capfd):
    """Nor does the library say so to whoever has set up no logging."""
    store.keep_snapshot("t", -1, b"position")
    assert [record.message for record in caplog.records] == ["snapshot not kept"]
    assert capfd.readouterr() == ("", "")


def test_foreign_errors_never_leave(store):
    """Whatever of the wrong type or size comes in, only errors of the library's tree go out."""
    huge = 2**70
    for call in (
        lambda: store.append("t", 1, [batch(1)._replace(payload="text")]),
        lambda: store.append("t", 1, [batch(1)._replace(head=None)]),
        lambda: store.create("v", [batch(0)], seed=object()),
        lambda: store.find("t", object()),
    ):
        with pytest.raises(LudologError):
            call()
    store.keep_snapshot("t", huge, b"")
    store.keep_snapshot("t", -1, b"")
    store.create("u", [batch(0)], seed=SEED)
    store.keep_snapshot("u", -1, b"")
    assert store.snapshot("t") is store.snapshot("u") is None
    assert store.tables() == ("t", "u")
    assert len(check_log(store)) == 1
    store.append("t", 1, [batch(1, "c1")])
    with pytest.raises(DuplicateCommand):
        store.append("t", 2, [batch(2, "c1")])


def test_the_batch_before_is_stored_while_it_is_asked_what_stands_against_this_one(store, monkeypatch):
    """S4: nothing is damaged then, and nothing stands against it any more."""
    late = iter([batch(1)])
    real = _queries.head

    def head(connection, table):
        for missing in late:
            _queries.append(connection, table, 1, [missing])
        return real(connection, table)

    monkeypatch.setattr(_queries, "head", head)
    store.append("t", 2, [batch(2)])
    assert len(check_log(store)) == 3


@pytest.mark.parametrize("error", [sqlite3.DatabaseError("malformed"), NotAStore("none yet")])
def test_a_file_that_another_process_is_making_is_looked_at_again(store, path, monkeypatch, error):
    """S12: what is half made at one moment, with its journal gone at the next, is no damage."""
    store.close()
    failures = iter([error])
    real = _opening.check_format

    def check_format(connection, name):
        for failure in failures:
            raise failure
        return real(connection, name)

    monkeypatch.setattr(_opening, "check_format", check_format)
    with SqliteStore(path) as again:
        assert len(check_log(again)) == 1
