"""The SQLite store as the fault harness tries it: opened with many checkpoints, and the points where it is killed."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, Final

from ludolog.store import Store
from ludolog.testing.on_trial import OnTrial, Point

from ._presence import faulty_when_shared
from .sqlite import Durability, SqliteStore

__all__ = ["CHECKPOINTS", "ON_TRIAL"]


def _open(path: Path, *, durability: Durability = "full", connect: Any = None) -> Store:  # noqa: ANN401
    options: dict[str, Any] = {} if connect is None else {"connect": connect}
    return SqliteStore(path, durability=durability, shared="allow", checkpoint_every=20, **options)


def _back_up(store: Store, path: Path) -> None:
    assert isinstance(store, SqliteStore)  # noqa: S101 - opened above
    store.backup(path)


_POINTS: Final = {
    "before the transaction": Point("before", "BEGIN"),
    "after the transaction has begun": Point("after", "BEGIN"),
    "before the batches": Point("before", "INSERT INTO batches"),
    "after the batches": Point("after", "INSERT INTO batches"),
    "before the commit": Point("before", "COMMIT"),
    "after the commit": Point("after", "COMMIT"),
    "before a snapshot": Point("before", "INSERT OR REPLACE INTO snapshots"),
    "in a snapshot": Point("after", "INSERT OR REPLACE INTO snapshots"),
    "in the tidying of snapshots": Point("after", "DELETE FROM snapshots"),
    "while the store is made": Point("after", "CREATE", once=True),
    "while the store is marked": Point("after", "PRAGMA user_version =", once=True),
    "before the write-ahead log": Point("before", "PRAGMA journal_mode", once=True),
    "after the write-ahead log": Point("after", "PRAGMA journal_mode", once=True),
}
CHECKPOINTS: Final = {
    "before a checkpoint": Point("before", "PRAGMA wal_checkpoint"),
    "after a checkpoint": Point("after", "PRAGMA wal_checkpoint"),
}
"""Points of a store under a SQLite that is faulty when shared; another makes its checkpoints by itself."""

ON_TRIAL: Final = OnTrial(
    open=_open,
    points=_POINTS | (CHECKPOINTS if faulty_when_shared(sqlite3.sqlite_version_info) else {}),
    backup=_back_up,
)
