"""A PostgreSQL store with two tables, and a slow client beside it; tests of other stores bring their own."""

from __future__ import annotations

import psycopg
import pytest

from ludolog.testing.stores import batch
from stores.postgres_clients import Slow
from stores.postgres_server import database_url, schema_of, store_in


@pytest.fixture
def name(tmp_path):
    return schema_of(tmp_path)


@pytest.fixture
def store(tmp_path):
    with store_in(tmp_path) as store:
        for table in "ab":
            store.create(table, [batch(0, table=table)], seed=b"s" * 32)
        yield store


@pytest.fixture
def slow(name):
    with psycopg.connect(database_url()) as connection:
        yield Slow(connection, name)
        connection.rollback()
