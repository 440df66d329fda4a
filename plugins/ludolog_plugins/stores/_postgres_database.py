"""One store in one schema of a PostgreSQL database, opened with care: what it must be, and what is asked of it."""

from __future__ import annotations

import hashlib
import secrets
import time
from functools import partial
from typing import Literal

from ludolog.waking import Bell

from ._postgres_address import Address
from ._postgres_feed import Feed, new_epoch, restored
from ._postgres_format import Schema, open_format
from ._postgres_listening import Listener
from ._postgres_queries import Queries
from ._postgres_server import Server, Settings, Statement

__all__ = ["Database", "open_database"]


class Database:
    """The parts of an open store."""

    def __init__(self, server: Server, queries: Queries, feed: Feed, listener: Listener, where: str) -> None:
        self.where = where
        self.queries = queries
        self.feed = feed
        self._server = server
        self._listener = listener
        self._bell = Bell()

    def wait(self, timeout: float) -> bool:
        """Wait for what is appended by anyone; see ``Store.wait``."""
        self._server.check()
        return self._bell.wait(timeout, partial(self._listener.look, time.monotonic() + timeout))

    def ring(self) -> None:
        """Wake who waits in this process: something was appended."""
        self._bell.ring()

    def close(self) -> None:
        """Close all connections, and wake whoever waits."""
        self._server.close()
        self._listener.close()
        self._bell.ring()


def open_database(
    url: str, schema_name: str, settings: tuple[Literal["full", "normal"], float, int], *, create: bool
) -> Database:
    """Connect, and make sure that the schema is a store; for the errors see ``PostgresStore``."""
    address = Address(url)
    schema = Schema(schema_name)
    server = Server(address, Settings(*settings))
    try:
        found = open_format(server, schema, create=create)
        if found.has_feed:
            server.first = restored(schema), new_epoch(schema)
            if server.read(server.first[0])[0].rows[0][0]:
                server.write(server.first[1])
    except BaseException:
        server.close()
        raise
    # A name of a channel has 63 bytes at most. The payload tells whose notification it is, never what was appended.
    channel = "ludolog_" + hashlib.sha256(schema_name.encode()).hexdigest()[:16]
    own = secrets.token_hex(4)
    feed = Feed(server, schema, found)
    queries = Queries(server, schema, Statement(b"SELECT pg_notify(%b, %b)", (channel, own)))
    listener = Listener(server, feed, channel, own)
    return Database(server, queries, feed, listener, f"{address.where} schema {schema_name}")
