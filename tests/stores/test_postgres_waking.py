"""Waiting for news of a PostgreSQL store: woken at once where that is possible, and soon where it is not."""

from __future__ import annotations

import threading
import time

import psycopg
from structlog.testing import capture_logs

from ludolog.errors import StoreClosed
from ludolog.testing.stores import batch
from ludolog_plugins.stores import _postgres_listening
from stores.postgres_clients import names_of, rest, sql
from stores.postgres_server import database_url, store_in


def test_another_process_wakes_at_once(store, tmp_path):
    with store_in(tmp_path) as other:
        for number in range(1, 4):
            rest(store)
            waiter = threading.Timer(0.1, other.append, ("a", number, [batch(number, table="a")]))
            waiter.start()
            began = time.monotonic()
            assert store.wait(10)
            assert time.monotonic() - began < 5
            waiter.join()
            assert names_of(store.feed())[-1] == ("a", number)


def test_a_store_is_not_woken_twice_by_its_own_append(store):
    rest(store)
    store.append("a", 1, [batch(1, table="a")])
    assert store.wait(10)
    store.feed()
    assert not store.wait(0.3)


def test_a_listener_that_is_cut_misses_nothing(store, tmp_path, name):
    """S9: what was appended while it was cut is seen at once when it listens again, and also without a notification."""
    rest(store)
    position = store.feed()[-1].position
    listener = store._database._listener
    with store_in(tmp_path) as other, capture_logs() as logs:
        for number in range(1, 4):
            pid = listener._connections[0].info.backend_pid
            sql("SELECT pg_terminate_backend(%s, 5000)", pid)
            other.append("a", number, [batch(number, table="a")])
            assert store.wait(10)
            feed = store.feed(position)
            assert names_of(feed) == [("a", number)]
            position = feed[-1].position
            while store.wait(0.05) or not listener._connections:
                pass
        assert {entry["event"] for entry in logs} == {"listening was cut"}
    assert len(sql("SELECT 1 FROM pg_stat_activity WHERE query LIKE 'LISTEN%%ludolog%%'")) == 1


def test_an_append_without_a_notification_is_seen_soon(store, slow):
    """S9: a server that dies between commit and notification; and S8: a transaction that ends wakes nobody."""
    rest(store)
    position = store.feed()[-1].position
    slow.append("a", 1)
    slow.commit()
    began = time.monotonic()
    assert store.wait(10)
    assert time.monotonic() - began < 5
    assert names_of(store.feed(position)) == [("a", 1)]


def test_where_listening_is_impossible_it_looks(store, tmp_path, monkeypatch):
    monkeypatch.setattr(_postgres_listening, "_is_pooled", lambda connection: connection.execute("no sql"))
    rest(store)
    with store_in(tmp_path) as other, capture_logs() as logs:
        for number in range(1, 4):
            other.append("a", number, [batch(number, table="a")])
            began = time.monotonic()
            assert store.wait(10)
            assert time.monotonic() - began < 5
            assert names_of(store.feed())[-1] == ("a", number)
            rest(store)
    assert {entry["event"] for entry in logs} <= {"can't listen, looks instead"}
    assert store._database._listener._connections == []


def test_what_is_long_is_not_in_the_notification(store, tmp_path):
    """S10: 20 kB, which a notification could not hold; and no notification tells what was appended."""
    rest(store)
    with psycopg.connect(database_url(), autocommit=True) as listening, store_in(tmp_path) as other:
        channel = store._database._listener._listen.as_string(listening)
        listening.execute(channel)
        for number, size in ((1, 20_000), (2, 5_000_000)):
            secret = bytes([64 + number]) * size
            other.append("a", number, [batch(number, table="a")._replace(payload=secret)])
            assert store.wait(10)
            assert store.feed()[-1].stored.payload == secret
        notes = list(listening.notifies(timeout=1))
        assert len(notes) == 2
        assert all(len(note.payload) == 8 for note in notes)


def test_closing_wakes_who_waits(store):
    rest(store)
    found = []

    def wait():
        try:
            found.append(store.wait(30))
        except StoreClosed:
            found.append(True)

    waiter = threading.Thread(target=wait)
    waiter.start()
    time.sleep(0.2)
    store.close()
    waiter.join(5)
    assert found == [True]
