"""Writers in each other's way, connections that are cut, programs that end: nothing lost or doubled, all typed."""

# ruff: noqa: S608 - statements of tests

from __future__ import annotations

import contextlib
import gc
import os
import subprocess
import sys
import threading
import time

import msgspec
import psycopg
import pytest

from ludolog import open_table
from ludolog.errors import DuplicateCommand, StoreBusy, StoreFailed, UsedAfterFork
from ludolog.opening import table_from
from ludolog.testing.faults import Child
from ludolog.testing.stores import batch, check_log
from ludolog_plugins.stores import _postgres_server
from stores.postgres_server import database_url, schema_of, store_in
from stores.postgres_wire import Wire
from toys.walk import STEPS, ruleset

SEED = b"s" * 32


@pytest.fixture
def other(tmp_path):
    """Another client of the database, in a transaction."""
    with psycopg.connect(database_url()) as connection:
        yield connection
        connection.rollback()


@pytest.fixture
def store(tmp_path):
    with store_in(tmp_path, busy_timeout=0.3) as store:
        store.create("t", [batch(0, "c0")], seed=SEED)
        yield store


@pytest.fixture
def wire():
    wire = Wire(database_url())
    yield wire
    wire.close()


@pytest.fixture
def cut(tmp_path, wire):
    """A store at the end of a wire."""
    with store_in(tmp_path, url=wire.url) as store:
        store.create("t", [batch(0, "c0")], seed=SEED)
        yield store


def sessions(name):
    with psycopg.connect(database_url(), autocommit=True) as connection:
        found = connection.execute("SELECT pid FROM pg_stat_activity WHERE application_name = %s", (name,))
        return [pid for (pid,) in found]


def terminate(name):
    with psycopg.connect(database_url(), autocommit=True) as connection:
        return connection.execute(
            "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE application_name = %s", (name,)
        ).fetchone()[0]


def again_of(receipt):
    return msgspec.structs.replace(receipt, repeated=True)


# ---------------------------------------------------------------- others in the way


def test_a_writer_that_does_not_end_is_busy(store, other, tmp_path):
    """S13: with the time that was waited; and there is no trace of the append that gave up."""
    name = schema_of(tmp_path)
    other.execute(f"INSERT INTO {name}.batches (table_key, number, payload, head, epoch) VALUES (1, 1, '', '', 1)")
    began = time.monotonic()
    with pytest.raises(StoreBusy, match=r"was busy for 0\.\d seconds; nothing was written, try again") as caught:
        store.append("t", 1, [batch(1, "c1")])
    assert 0.3 <= caught.value.waited <= time.monotonic() - began < 3
    assert check_log(store) == [batch(0, "c0")]
    other.rollback()
    store.append("t", 1, [batch(1, "c1")])
    assert len(check_log(store)) == 2


@pytest.mark.parametrize("call", ["head", "read", "append", "tables", "feed", "create"])
def test_a_table_that_is_locked_is_busy(store, other, tmp_path, call):
    """S13."""
    calls = {
        "head": lambda: store.head("t"),
        "read": lambda: list(store.read("t")),
        "append": lambda: store.append("t", 1, [batch(1)]),
        "tables": store.tables,
        "feed": store.feed,
        "create": lambda: store.create("u", [batch(0)], seed=SEED),
    }
    other.execute(f"LOCK TABLE {schema_of(tmp_path)}.batches, {schema_of(tmp_path)}.tables")
    with pytest.raises(StoreBusy) as caught:
        calls[call]()
    assert 0.3 <= caught.value.waited < 3
    other.rollback()
    calls[call]()


def test_a_store_that_is_locked_is_opened_busy(store, other, tmp_path):
    other.execute(f"LOCK TABLE {schema_of(tmp_path)}.about")
    with pytest.raises(StoreBusy):
        store_in(tmp_path, busy_timeout=0.1)


def test_threads_wait_for_a_connection(other, tmp_path):
    with store_in(tmp_path, busy_timeout=0.3, connections=1) as store:
        store.create("t", [batch(0)], seed=SEED)
        other.execute(f"LOCK TABLE {schema_of(tmp_path)}.batches")
        found = []

        def call():
            with contextlib.suppress(StoreBusy):
                store.head("t")
            found.append(True)

        threads = [threading.Thread(target=call) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
        other.rollback()
        assert len(found) == 3
        assert len(store._database.queries._server._idle) == 1
        store.append("t", 1, [batch(1)])


@pytest.mark.parametrize("error", [psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected])
def test_a_server_that_asks_to_try_again_is_asked_again(store, monkeypatch, error):
    """As distributed engines do when two transactions meet."""
    failures = [error(), error()]
    real = _postgres_server._transact

    def transact(*arguments):
        if failures:
            raise failures.pop()
        return real(*arguments)

    monkeypatch.setattr(_postgres_server, "_transact", transact)
    store.append("t", 1, [batch(1, "c1")])
    assert len(check_log(store)) == 2
    monkeypatch.setattr(_postgres_server, "_transact", lambda *_: (_ for _ in ()).throw(error()))
    with pytest.raises(StoreBusy) as caught:
        store.append("t", 2, [batch(2)])
    assert 0.3 <= caught.value.waited < 3


def test_the_batch_before_may_come_in_the_meantime(store, tmp_path, monkeypatch):
    """S5: beyond the head at first, and then not any more: no false alarm, and no hole."""
    queries = store._database.queries
    real = queries._inserted
    answers = []

    def inserted(table, expected, batches):
        answers.append(real(table, expected, batches))
        if len(answers) == 1:
            other.append("t", 1, [batch(1)])
        return answers[-1]

    monkeypatch.setattr(queries, "_inserted", inserted)
    with store_in(tmp_path) as other:
        store.append("t", 2, [batch(2, "c2")])
    assert answers == [False, True]
    assert check_log(store) == [batch(0, "c0"), batch(1), batch(2, "c2")]


# ---------------------------------------------------------------- connections that are cut


@pytest.mark.parametrize("committed", [True, False])
def test_a_connection_dies_during_commit(cut, wire, committed):
    """S3: the outcome is unknown; it is settled by the command id."""
    if committed:
        wire.cut_after = (b"INSERT", b"COMMIT")
    else:
        wire.cut_before = (b"INSERT", b"COMMIT")
    with pytest.raises(
        StoreFailed, match="unknown whether what was being written is stored; look it up by its command id"
    ):
        cut.append("t", 1, [batch(1, "c1")])
    assert wire.cuts == 1
    deadline = time.monotonic() + 10
    while committed and cut.find("t", "c1") is None and time.monotonic() < deadline:
        time.sleep(0.01)
    if committed:
        with pytest.raises(DuplicateCommand) as caught:
            cut.append("t", 1, [batch(1, "c1")])
        assert caught.value.number == 1
    else:
        assert cut.find("t", "c1") is None
        cut.append("t", 1, [batch(1, "c1")])
    assert check_log(cut) == [batch(0, "c0"), batch(1, "c1")]


@pytest.mark.parametrize("committed", [True, False])
def test_a_table_s_command_is_settled_by_its_id(tmp_path, wire, committed):
    """S1, S3, F25: the retry gets the receipt that the first try would have got, and there is one effect."""
    with store_in(tmp_path, url=wire.url) as store:
        table = table_from(ruleset(), ("ann",), store=store, seed=1)
        before = table.play("ann", STEPS[0], command_id="first")
        if committed:
            wire.cut_after = (b"INSERT", b"COMMIT")
        else:
            wire.cut_before = (b"INSERT", b"COMMIT")
        with pytest.raises(StoreFailed, match="unknown"):
            table.play("ann", STEPS[1], command_id="second")
        receipt = table.play("ann", STEPS[1], command_id="second")
        assert receipt.length == before.length + 1
        assert table.play("ann", STEPS[1], command_id="second") == again_of(receipt)
        after = table.play("ann", STEPS[2], command_id="third")
        assert after.length == before.length + 2
        assert table.audit(receipts=[before, receipt, after]).ok
        again = open_table(table.id, store=store, ruleset=ruleset())
        assert again.play("ann", STEPS[1], command_id="second") == again_of(receipt)
        assert again.audit(receipts=[before, receipt, after]).ok
        assert wire.cuts == 1


def test_a_new_table_is_settled_too(cut, wire):
    wire.cut_after = (b"INSERT", b"COMMIT")
    with pytest.raises(StoreFailed, match="unknown"):
        cut.create("u", [batch(0)], seed=SEED)
    assert check_log(cut, "u") == [batch(0)]
    assert cut.seed("u") == SEED


def test_what_only_reads_is_asked_again(cut, wire):
    for call in (lambda: cut.head("t"), lambda: list(cut.read("t")), cut.feed, cut.tables, lambda: cut.seed("t")):
        expected = call()
        wire.cut_after = (b"SELECT", b"COMMIT")
        assert call() == expected
    assert wire.cuts == 5


def test_a_connection_that_was_cut_while_idle_is_replaced(tmp_path):
    """An append over it would end with an unknown outcome."""
    name = schema_of(tmp_path)
    with store_in(tmp_path, url=f"{database_url()}?application_name={name}") as store:
        store.create("t", [batch(0)], seed=SEED)
        for number in range(1, 6):
            assert terminate(name) == 1
            store.append("t", number, [batch(number, f"c{number}")])
        assert len(check_log(store)) == 6


def test_when_one_connection_is_lost_the_others_are_not_trusted(tmp_path, monkeypatch):
    name = schema_of(tmp_path)
    with store_in(tmp_path, url=f"{database_url()}?application_name={name}") as store:
        store.create("t", [batch(0)], seed=SEED)
        server = store._database.queries._server
        for connection in [server._take() for _ in range(3)]:
            server._give_back(connection)
        monkeypatch.setattr(_postgres_server, "_is_quiet", lambda connection: True)  # as if nobody had said good-bye
        assert terminate(name) == 3
        assert store.head("t").length == 1
        assert len(server._idle) == 1


def test_a_commit_counts_though_the_notification_failed(store, monkeypatch):
    """S9: what wakes readers is sent after the commit, and nothing depends on it."""
    monkeypatch.setattr(store._database.queries, "_wake", _postgres_server.Statement(b"SELECT no_such_function()"))
    store.append("t", 1, [batch(1)])
    store.append("t", 2, [batch(2)])
    assert len(check_log(store)) == 3


def test_no_transaction_is_left_open_after_an_interrupt(store, other, tmp_path, monkeypatch):
    """S22: Ctrl-C while the server works."""
    other.execute(f"LOCK TABLE {schema_of(tmp_path)}.batches")
    store._database.queries._server._set = _postgres_server.Statement(b"SELECT 1, 2")  # without time-outs
    timer = threading.Timer(0.3, os.kill, (os.getpid(), 2))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        store.append("t", 1, [batch(1)])
    timer.join()
    assert {connection.info.transaction_status for connection in store._database.queries._server._idle} <= {0}
    other.rollback()
    assert check_log(store) == [batch(0, "c0")]
    store.append("t", 1, [batch(1)])


# ---------------------------------------------------------------- ends


def test_a_program_may_end_without_closing(tmp_path):
    """S23: no hang, no warning, and what was appended is there."""
    script = f"""if True:
        from ludolog.testing.stores import batch
        from ludolog_plugins.stores.postgres import PostgresStore
        store = PostgresStore({database_url()!r}, schema={schema_of(tmp_path)!r})
        store.create("t", [batch(0)], seed=b"s" * 32)
        store.wait(0.01)
        """
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == done.stderr == ""
    with store_in(tmp_path) as store:
        assert check_log(store) == [batch(0)]


def test_a_store_that_is_dropped_closes_its_connections(tmp_path):
    name = schema_of(tmp_path)
    store = store_in(tmp_path, url=f"{database_url()}?application_name={name}")
    store.create("t", [batch(0)], seed=SEED)
    while len(sessions(name)) < 2:
        store.wait(0.01)
    del store
    gc.collect()
    deadline = time.monotonic() + 10
    while sessions(name) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert sessions(name) == []


def test_a_child_that_drops_its_parent_s_store_leaves_it_alone(store):
    """S19: closing the child's copy would end the parent's session."""

    def drop(report):
        with pytest.raises(UsedAfterFork):
            store.wait(0.1)
        store.close()
        store._database._server._closer()
        report("dropped")

    store.wait(0.01)
    pid = store._database.queries._server._idle[0].info.backend_pid
    assert Child(drop).finish() == ["dropped"]
    store.append("t", 1, [batch(1)])
    assert store._database.queries._server._idle[0].info.backend_pid == pid


def test_an_outcome_that_the_engine_itself_does_not_know(store, monkeypatch):
    """S3: a distributed engine may answer to a commit that its outcome is unknown."""
    error = psycopg.errors.StatementCompletionUnknown()
    with monkeypatch.context() as patch:
        patch.setattr(_postgres_server, "_transact", lambda *_: (_ for _ in ()).throw(error))
        with pytest.raises(StoreFailed, match="unknown whether"):
            store.append("t", 1, [batch(1, "c1")])
    assert store.find("t", "c1") is None
