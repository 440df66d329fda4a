"""The feed of a PostgreSQL store: nothing skipped, doubled or out of order, however late a commit becomes visible."""

# ruff: noqa: S608 - statements of tests

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path

import psycopg
import pytest

from ludolog.errors import BadPosition, StoreReadOnly
from ludolog.testing.faults import Child
from ludolog.testing.stores import append_retrying, batch, check_feed, check_log
from ludolog_plugins.stores.postgres import PostgresStore
from stores.postgres_clients import Slow, names_of, rest, sql
from stores.postgres_server import PostgresServer, database_url, store_in

SEED = b"s" * 32


# ---------------------------------------------------------------- commits that become visible late


def test_a_commit_that_becomes_visible_late_is_not_skipped(store, slow):
    """S6: A takes the lower number and sleeps, B commits, the reader looks, A commits: both once, A's first."""
    position = store.feed()[-1].position
    slow.append("a", 1)
    store.append("b", 1, [batch(1, table="b")])
    assert check_log(store, "b")[1:] == [batch(1, table="b")]
    assert store.feed(position) == ()
    slow.commit()
    feed = store.feed(position)
    assert names_of(feed) == [("a", 1), ("b", 1)]
    assert store.feed(feed[-1].position) == ()
    assert store.feed(feed[0].position) == feed[1:]
    check_feed(store)


def test_a_transaction_that_is_rolled_back_is_not_waited_for(store, slow):
    """S7: it neither stalls the feed nor leaves a gap."""
    position = store.feed()[-1].position
    for number in range(1, 4):
        slow.append("a", number)
        store.append("b", number, [batch(number, table="b")])
        assert store.feed(position) == ()
        slow.rollback()
        feed = store.feed(position)
        assert names_of(feed) == [("b", number)]
        position = feed[-1].position
    check_feed(store)


def test_a_session_that_stays_in_its_transaction_is_seen(store, name):
    """S8: the feed lags, a figure says by how much, and in the end nothing was skipped."""
    sql(f"CREATE DATABASE {name}")
    idle = psycopg.connect(f"{database_url().removesuffix('/postgres')}/{name}")  # Of no concern of ours at all.
    try:
        position = store.feed()[-1].position
        assert store.feed_lag() == (0, 0.0)
        idle.execute("CREATE TABLE unrelated ()")
        for number in range(1, 4):
            store.append("a", number, [batch(number, table="a")])
        time.sleep(0.1)
        lag = store.feed_lag()
        assert lag.batches == 3
        assert 0.1 <= lag.seconds < 10
        assert store.feed(position) == ()
        assert len(check_log(store, "a")) == 4
        idle.commit()
        assert store.feed_lag() == (0, 0.0)
        assert names_of(store.feed(position)) == [("a", 1), ("a", 2), ("a", 3)]
    finally:
        idle.close()


def test_a_bound_on_idle_transactions_bounds_the_lag(store, name):
    """S8: the server's own setting, as the guide recommends it."""
    position = store.feed()[-1].position
    sql(f"CREATE ROLE {name} LOGIN", url=database_url())
    sql(f"ALTER ROLE {name} SET idle_in_transaction_session_timeout = '200ms'")
    with psycopg.connect(database_url().replace("postgres@", f"{name}@")) as idle:
        idle.execute("SELECT pg_current_xact_id()")
        store.append("a", 1, [batch(1, table="a")])
        assert store.feed(position) == ()
        deadline = time.monotonic() + 10
        while not store.feed(position) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert names_of(store.feed(position)) == [("a", 1)]
        idle.close()


def test_our_own_transactions_do_not_idle_for_ever(store):
    """S8: a client that vanishes between two packets holds the feed back for a minute, not for hours."""
    server = store._database.queries._server
    _, answer = server.read(
        type(server._set)(b"SELECT 1"),
        type(server._set)(b"SELECT current_setting('idle_in_transaction_session_timeout')"),
    )
    assert answer.rows == [("65s",)]


def test_order_is_by_number_not_by_text(store, name):
    """Transaction 999 comes before 1000, and before one of 64 bits."""
    for number in range(1, 4):
        store.append("a", number, [batch(number, table="a")])
    numbers = (1, 2, 9, 10, 99)
    for transaction, (table, number) in zip(numbers, [("a", 0), ("b", 0), ("a", 1), ("a", 2), ("a", 3)], strict=True):
        sql(
            f"UPDATE {name}.batches SET transaction = %s::xid8 WHERE number = %s"
            f" AND table_key = (SELECT key FROM {name}.tables WHERE name = %s)",
            str(transaction),
            number,
            table.encode(),
        )
    feed = store.feed()
    assert names_of(feed) == [("a", 0), ("b", 0), ("a", 1), ("a", 2), ("a", 3)]
    for place, appended in enumerate(feed, 1):
        assert store.feed(appended.position) == feed[place:]
    rest(store)


def test_writers_that_dawdle_and_give_up_against_readers(tmp_path, name):
    """S6, S7: commits delayed and rolled back at random; every reader gets each batch once, and in one order."""
    writers, appends, readers = 6, 25, 3
    with store_in(tmp_path) as store:
        for n in range(writers):
            store.create(f"t{n}", [batch(0, table=f"t{n}")], seed=SEED)
    total = writers * (appends + 1)

    def write(report):
        draw = random.Random(report.name)
        with psycopg.connect(database_url()) as connection:
            mine = Slow(connection, name)
            number = 1
            while number <= appends:
                mine.append(report.name, number)
                time.sleep(draw.random() * 0.01)
                if draw.random() < 0.3:
                    mine.rollback()
                else:
                    mine.commit()
                    number += 1

    def read(report):
        with store_in(tmp_path) as mine:
            found = []
            with mine.subscribe(timeout=30) as feed:
                while len(found) < total:
                    appended = feed.get(30)
                    assert appended is not None, len(found)
                    found.append(f"{appended.table}/{appended.stored.number}")
            assert mine.feed(feed.position) == ()
            report(" ".join(found))

    children = [Child(read, name=f"r{n}") for n in range(readers)] + [
        Child(write, name=f"t{n}") for n in range(writers)
    ]
    orders = {line for child in children for line in child.finish()}
    assert len(orders) == 1
    order = orders.pop().split()
    assert len(set(order)) == len(order) == total
    for n in range(writers):
        assert [place for place in order if place.startswith(f"t{n}/")] == [f"t{n}/{k}" for k in range(appends + 1)]
    with store_in(tmp_path) as store:
        check_feed(store)


# ---------------------------------------------------------------- another cluster


@pytest.fixture(scope="module")
def younger():
    """A server that has given out few transaction numbers yet."""
    with tempfile.TemporaryDirectory(prefix="ludolog-pg-") as folder:
        server = PostgresServer(Path(folder))
        server.start()
        yield server
        server.stop(3)


def test_a_dump_that_is_restored_in_a_younger_cluster(tmp_path, name, younger):
    """S11: the feed keeps its order and doesn't stall; positions from before go on where they were."""
    sql("DO $$ BEGIN FOR i IN 1..3000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$")
    with store_in(tmp_path) as store:
        store.create("a", [batch(0, table="a")], seed=SEED)
        for n in range(20):
            append_retrying(store, "a", f"old {n}")
        store.create("b", [batch(0, table="b")], seed=SEED)
        old = store.feed()
    assert len(old) == 22
    # By hand and not by pg_restore, which needs a database of its own.
    dump = younger.run("pg_dump", "--schema", name, "--dbname", database_url(), "--file", str(younger.folder / "dump"))
    assert dump == ""
    younger.run("psql", "-q", "-v", "ON_ERROR_STOP=1", "--dbname", younger.url, "--file", str(younger.folder / "dump"))
    counters = [int(sql("SELECT pg_current_xact_id()::text", url=url)[0][0]) for url in (database_url(), younger.url)]
    assert counters[1] < counters[0] - 1000

    read_only = f"{younger.url}?options=-c%20default_transaction_read_only%3Don"
    with pytest.raises(StoreReadOnly):  # Whoever opens it first has to be able to note that it was restored.
        PostgresStore(read_only, schema=name)
    with PostgresStore(younger.url, schema=name) as store, PostgresStore(younger.url, schema=name) as two:
        assert store.feed() == two.feed() == old
        for n in range(3):
            append_retrying(store, "b", f"new {n}")
            append_retrying(two, "a", f"new {n}")
        feed = store.feed()
        assert feed[:22] == old
        assert names_of(feed[22:]) == [("b", 1), ("a", 21), ("b", 2), ("a", 22), ("b", 3), ("a", 23)]
        for place, appended in enumerate(old, 1):
            assert store.feed(appended.position) == feed[place:]
        assert store.feed_lag() == (0, 0.0)
        check_feed(store)
        assert sql(f"SELECT epoch FROM {name}.about", url=younger.url) == [(2,)]
    PostgresStore(younger.url, schema=name).close()
    assert sql(f"SELECT epoch FROM {name}.about", url=younger.url) == [(2,)]

    # What the copy went on to have, the original never gave; it is refused there, and the other way round.
    with store_in(tmp_path) as store:
        for appended in feed[22:]:
            with pytest.raises(BadPosition):
                store.feed(appended.position)
        append_retrying(store, "a", "elsewhere")
        theirs = store.feed()[-1].position
    with PostgresStore(younger.url, schema=name) as store, pytest.raises(BadPosition):
        store.feed(theirs)


def test_a_store_that_notices_while_it_runs(tmp_path, name):
    """S11: the database is replaced behind an open store; its next connection notices."""
    with store_in(tmp_path) as store:
        store.create("a", [batch(0, table="a"), batch(1, table="a")], seed=SEED)
        position = store.feed()[0].position
        sql(f"UPDATE {name}.batches SET transaction = '900000000000'")
        assert store.feed() == ()  # The rows seem to be of the future.
        for connection in store._database.queries._server._idle:
            sql("SELECT pg_terminate_backend(%s, 5000)", connection.info.backend_pid)
        assert names_of(store.feed()) == [("a", 0), ("a", 1)]
        append_retrying(store, "a", "new")
        assert names_of(store.feed())[2:] == [("a", 2)]
        with pytest.raises(BadPosition):
            store.feed(position)


def test_a_store_that_was_set_back_refuses_what_is_gone(store, name):
    """S11: an older copy of the data, in the same cluster."""
    store.append("a", 1, [batch(1, table="a")])
    gone = store.feed()[-1].position
    sql(f"DELETE FROM {name}.batches WHERE number = 1")
    with pytest.raises(BadPosition):
        store.feed(gone)
    store.append("a", 1, [batch(1, "another", table="a")])
    with pytest.raises(BadPosition):
        store.feed(gone)
    check_feed(store)
