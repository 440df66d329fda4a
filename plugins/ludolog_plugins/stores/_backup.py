"""Copying a store that is in use."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from ludolog.errors import StoreFailed

from ._format import Connection

__all__ = ["back_up"]


def back_up(source: Connection, target: str) -> None:
    """Copy a database to a new file, which gets its name only when it is whole and on the disk; closes the source."""
    part = f"{target}-part"
    try:
        if Path(target).exists():
            why = f"{target} exists already; a backup replaces nothing."
            raise StoreFailed(why)
        Path(part).unlink(missing_ok=True)
        copy = sqlite3.connect(part, isolation_level=None)
        try:
            # All pages in one step are the state of one moment, which the reader's snapshot holds still.
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE").fetchone()
        finally:
            copy.close()
        _sync(part)
        os.link(part, target)  # unlike a rename, it never replaces a file that came meanwhile
        _sync(str(Path(target).absolute().parent))
    finally:
        source.close()
        Path(part).unlink(missing_ok=True)


def _sync(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
