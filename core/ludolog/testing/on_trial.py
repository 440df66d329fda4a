"""What the fault harness has to know of a store over SQLite: how it is opened, and where it can be killed."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from ludolog.store import Store

__all__ = ["Durability", "OnTrial", "Opener", "Point", "Steps"]


Durability: TypeAlias = Literal["full", "normal"]


class Opener(Protocol):
    """Opens the store in a file; it is made if it isn't there."""

    def __call__(self, path: Path, *, durability: Durability = "full", connect: Any = None) -> Store:  # noqa: ANN401
        """``connect``: opens the connection in place of ``sqlite3``, given a URI and a busy time-out in seconds."""
        ...


class Point(NamedTuple):
    """Before or after a statement of the store's; ``statement`` is how it begins."""

    when: str
    statement: str
    once: bool = False
    """Whether it is passed only when the store is made."""


class OnTrial(NamedTuple):
    """A store over SQLite. It should bring its write-ahead log back every few pages, to be caught at it."""

    open: Opener
    points: Mapping[str, Point]
    backup: Callable[[Store, Path], None] | None = None
    """Copies the open store to a new file."""


class Steps:
    """Ends this process, as ``kill -9`` does, at the ``turn``-th step that it takes.

    Args:
        turn: which; 0: none.
        point: count only this as a step, not every statement.
    """

    def __init__(self, turn: int, point: Point | None = None) -> None:
        self._left = turn
        self._point = point

    def step(self) -> None:
        """One more; maybe the last."""
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def connect(self, uri: str, busy_timeout: float) -> sqlite3.Connection:
        """A connection on which each statement, and each block of a backup, is a step before and after."""
        passed = self._passed

        class Dying(sqlite3.Connection):
            def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:  # noqa: ANN401
                passed(sql, "before")
                cursor = super().execute(sql, parameters)
                passed(sql, "after")
                return cursor

            def executemany(self, sql: str, parameters: Iterable[Any], /) -> sqlite3.Cursor:
                passed(sql, "before")
                cursor = super().executemany(sql, parameters)
                passed(sql, "after")
                return cursor

            def backup(self, target: sqlite3.Connection, **_: Any) -> None:  # noqa: ANN401
                def progress(_status: int, _left: int, _total: int) -> None:
                    passed("BACKUP", "after")

                super().backup(target, pages=2, progress=progress)

        return sqlite3.connect(
            uri, timeout=busy_timeout, isolation_level=None, check_same_thread=False, uri=True, factory=Dying
        )

    def lines(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The same lines, each a step."""
        for line in lines:
            self.step()
            yield line

    def watch(self, folder: Path) -> None:
        """From now on whatever is done to a file in the folder is a step: opening, syncing, renaming, removing."""
        sync = os.fsync

        def watched_sync(fd: Any) -> None:  # noqa: ANN401 - a descriptor or what has one
            self.step()
            sync(fd)
            self.step()

        os.fsync = watched_sync
        events = frozenset(("open", "os.chmod", "os.link", "os.remove", "os.rename"))

        def heard(event: str, args: tuple[Any, ...]) -> None:
            if event in events and str(args[0]).startswith(str(folder)):
                self.step()

        sys.addaudithook(heard)

    def _passed(self, sql: str, when: str) -> None:
        point = self._point
        if point is None or (point.when == when and sql.strip().startswith(point.statement)):
            self.step()
