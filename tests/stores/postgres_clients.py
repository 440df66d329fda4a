"""Other clients of the database that a PostgreSQL store is tested in."""

# ruff: noqa: S608 - statements of tests

from __future__ import annotations

import psycopg

from ludolog.testing.stores import batch
from stores.postgres_server import database_url

__all__ = ["Slow", "names_of", "rest", "sql"]


class Slow:
    """A writer that takes its time between an append and the commit, and wakes nobody."""

    def __init__(self, connection, name):
        self.connection = connection
        self.name = name

    def append(self, table, number):
        stored = batch(number, table=table)
        self.connection.execute(
            f"INSERT INTO {self.name}.batches (table_key, number, payload, head, epoch) "
            f"SELECT key, %s, %s, %s, (SELECT epoch FROM {self.name}.about) FROM {self.name}.tables WHERE name = %s",
            (number, stored.payload, stored.head, table.encode()),
        )

    def commit(self):
        self.connection.commit()

    def rollback(self):
        self.connection.rollback()


def names_of(feed):
    return [(appended.table, appended.stored.number) for appended in feed]


def rest(store):
    """Read and wait until nothing wakes any more."""
    store.feed()
    while store.wait(0.05):
        store.feed()


def sql(statement, *parameters, url=None):
    with psycopg.connect(url or database_url(), autocommit=True) as connection:
        found = connection.execute(statement, parameters)
        return found.fetchall() if found.description else []
