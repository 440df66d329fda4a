"""Being woken when something is appended: by LISTEN where that is possible, and by looking now and then everywhere."""

from __future__ import annotations

import contextlib
import math
import os
import time
import weakref
from threading import Lock
from typing import Final

import psycopg
import structlog
from psycopg.sql import SQL, Identifier

from ludolog.errors import StoreBusy, StoreFailed

from ._postgres_address import Connection
from ._postgres_feed import Feed
from ._postgres_server import Server

__all__ = ["Listener"]

LISTEN_FOR: Final = 0.1
"""Seconds at a time, so that a store that is closed is let go."""
LOOK_EVERY: Final = 1.0
"""Seconds between two looks while LISTEN works: no notification comes when a transaction that held back others ends."""
LOOK_EVERY_WITHOUT: Final = 0.2
"""Seconds between two looks while it doesn't."""
CONNECT_EVERY: Final = 5.0
"""Seconds between two tries to listen again."""

log = structlog.get_logger(__name__)


class Listener:
    """A connection that only listens; made when somebody first waits, and again when it was cut.

    Args:
        server: Whom to listen to.
        feed: Where to look what there is.
        channel: The channel that writers notify.
        own: What this store itself notifies with; nobody needs to be woken by it a second time.
    """

    def __init__(self, server: Server, feed: Feed, channel: str, own: str) -> None:
        self._server = server
        self._feed = feed
        self._listen = SQL("LISTEN {}").format(Identifier(channel))
        self._own = own
        self._lock = Lock()
        self._connections: list[Connection] = []
        self._next_try = 0.0
        self._next_look = 0.0
        self._closer = weakref.finalize(self, _close, self._connections, os.getpid())

    def look(self, deadline: float) -> bool:
        """Whether something was probably appended by others; listens for a moment, but not beyond the deadline."""
        with self._lock:
            self._server.check()
            if self._heard(deadline):
                return True
            if time.monotonic() < self._next_look:
                return False
            self._next_look = time.monotonic() + (LOOK_EVERY if self._connections else LOOK_EVERY_WITHOUT)
            with contextlib.suppress(StoreBusy, StoreFailed):  # Whoever reads the feed is told.
                return self._feed.grown()
            return False

    def close(self) -> None:
        """Stop listening."""
        _close(self._connections, os.getpid())

    def _heard(self, deadline: float) -> bool:
        """Whether a notification of another store came."""
        if not self._connections and not self._began():
            return False
        wait = min(LISTEN_FOR, max(deadline - time.monotonic(), 0.0))
        try:
            return any(note.payload != self._own for note in self._connections[0].notifies(timeout=wait, stop_after=1))
        except (psycopg.Error, OSError) as error:
            self._server.check()
            log.warning("listening was cut", store=self._server.where, why=type(error).__name__)
            _close(self._connections, os.getpid())
            self._next_try = self._next_look = 0.0
            return False

    def _began(self) -> bool:
        """Whether it listens now; whatever was appended before is left to the look that follows."""
        if time.monotonic() < self._next_try:
            return False
        self._next_try = time.monotonic() + CONNECT_EVERY
        try:
            self._connections.append(self._server.address.connect())
            if _is_pooled(self._connections[0]):
                log.info("no listening through a pooler, looks instead", store=self._server.where)
                _close(self._connections, os.getpid())
                self._next_try = math.inf
                return False
            self._connections[0].execute(self._listen)
        except (psycopg.Error, StoreFailed) as error:
            log.warning("can't listen, looks instead", store=self._server.where, why=type(error).__name__)
            _close(self._connections, os.getpid())
            return False
        self._next_look = 0.0
        return True


def _close(connections: list[Connection], pid: int) -> None:
    """Close connections; in a forked child they are the parent's, and only left alone."""
    if os.getpid() == pid:
        while connections:
            connections.pop().close()


def _is_pooled(connection: Connection) -> bool:
    """Whether the process that answers is another one than the process that let us in."""
    answer = connection.execute(b"SELECT pg_backend_pid()").fetchone()
    return answer != (connection.info.backend_pid,)
