"""What may stand in place of PostgreSQL itself: a pooler, or a compatible engine."""

from __future__ import annotations

import threading

import pytest
from structlog.testing import capture_logs

from ludolog.errors import DuplicateCommand, StoreFailed, VersionConflict
from ludolog.testing.stores import batch, check_log
from ludolog_plugins.stores import _postgres_format
from stores.postgres_server import database_url, store_in
from stores.postgres_wire import Pooler

SEED = b"s" * 32


def test_every_transaction_may_go_to_another_session(tmp_path):
    """S42: nothing is kept in a session, so a pooler in transaction mode is in nobody's way."""
    pooler = Pooler(database_url())
    with capture_logs() as logs, store_in(tmp_path, url=pooler.url) as store, store_in(tmp_path, url=pooler.url) as two:
        store.create("t", [batch(0, "c0")], seed=SEED)
        for number in range(1, 30):
            (store, two)[number % 2].append("t", number, [batch(number, f"c{number}")])
        with pytest.raises(VersionConflict):
            store.append("t", 3, [batch(3)])
        with pytest.raises(DuplicateCommand):
            store.append("t", 30, [batch(30, "c7")])
        for number in range(10):
            two.keep_snapshot("t", number, b"x" * number)
        assert store.snapshot("t", 5) == (5, b"x" * 5)
        assert len(check_log(two)) == 30
        feed = store.feed()
        assert [appended.stored.number for appended in feed] == list(range(30))

        # There is no listening through a pooler, so `wait` looks.
        store.wait(0.3)
        waiter = threading.Timer(0.3, two.append, ("t", 30, [batch(30)]))
        waiter.start()
        while not store.wait(0.2):
            pass
        waiter.join()
        assert len(store.feed(feed[-1].position)) == 1
        assert [entry["event"] for entry in logs] == ["no listening through a pooler, looks instead"]
    assert pooler.transactions > 60
    for session in pooler.sessions:
        assert session.ask("SELECT name FROM pg_prepared_statements") == []
        assert session.ask("SELECT pg_listening_channels()") == []
        assert session.ask("SELECT name FROM pg_settings WHERE source = 'session'") == []
        assert session.ask("SELECT mode FROM pg_locks WHERE locktype = 'advisory'") == []
    pooler.close()


def test_an_engine_that_numbers_transactions_in_its_own_way(tmp_path, monkeypatch):
    """The store is whole there but for the feed, which is refused and doesn't skip anything in silence."""
    monkeypatch.setattr(_postgres_format, "_HAS_NUMBERS", "SELECT false")
    with store_in(tmp_path, busy_timeout=0.3) as store, store_in(tmp_path) as two:
        monkeypatch.undo()
        store.create("t", [batch(0, "c0")], seed=SEED)
        for number in range(1, 10):
            (store, two)[number % 2].append("t", number, [batch(number, f"c{number}")])
        with pytest.raises(DuplicateCommand):
            store.append("t", 10, [batch(10, "c3")])
        assert len(check_log(two)) == 10
        for call in (store.feed, store.subscribe, store.feed_lag, lambda: store.feed("x")):
            with pytest.raises(StoreFailed, match="has no feed: its engine doesn't number transactions"):
                call()
        while store.wait(0.05):
            pass
        two.append("t", 10, [batch(10)])
        assert store.wait(5)
    with store_in(tmp_path) as again:
        assert len(check_log(again)) == 11
        with pytest.raises(StoreFailed, match="has no feed"):
            again.feed()
