"""Who else has a store's file open, and whether that matters under the SQLite at hand."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

if sys.platform != "win32":
    import fcntl

__all__ = ["Presence", "faulty_when_shared"]


def faulty_when_shared(version: tuple[int, ...]) -> bool:
    """Whether this SQLite can damage a file when one connection checkpoints while another commits.

    Its makers call it the WAL-reset bug: https://sqlite.org/wal.html#walresetbug
    """
    return not (version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51) or (3, 44, 6) <= version < (3, 45))


class Presence:
    """Held while a connection is open. ``alone`` tells whether any other was there when this one came.

    The lock lies in a file of its own (``<path>-lock``): a lock on the database file itself would be lost, and
    SQLite's with it, as soon as any descriptor of that file is closed.
    """

    def __init__(self, database: str) -> None:
        self._path = f"{database}-lock"
        self._descriptor: int | None = None
        self.alone = True
        # Without locks (Windows, some network file systems) nobody is seen; that must stop no one.
        if sys.platform != "win32":
            with contextlib.suppress(OSError):
                while self._descriptor is None:
                    self._descriptor = self._enter()

    def leave(self) -> None:
        """Let go, and remove the file if nobody else holds it."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is None:
            return
        try:
            if _only_holder(descriptor):
                Path(self._path).unlink(missing_ok=True)
        except OSError:
            pass  # An empty file stays behind; whoever opens the store next takes it over.
        finally:
            os.close(descriptor)

    def forget(self) -> None:
        """Close a forked child's copy of the descriptor: the lock stays with the parent."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def _enter(self) -> int | None:
        """Lock the file; None if it was removed between opening and locking."""
        descriptor = os.open(self._path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            self.alone = _only_holder(descriptor)
            # From exclusive to shared, or waiting for somebody who is on the way there.
            if sys.platform != "win32":
                fcntl.flock(descriptor, fcntl.LOCK_SH)
            if _same_file(descriptor, self._path):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
        return None


def _only_holder(descriptor: int) -> bool:
    try:
        if sys.platform != "win32":
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _same_file(descriptor: int, path: str) -> bool:
    try:
        found = Path(path).stat()
    except FileNotFoundError:
        return False
    held = os.fstat(descriptor)
    return (found.st_dev, found.st_ino) == (held.st_dev, held.st_ino)
