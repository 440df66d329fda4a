"""A store in memory whose appends can be held up, and made to fail: for tests of what happens meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from ludolog import MemoryStore, Stored
from ludolog.errors import StoreFailed

__all__ = ["Gate"]


class Gate(MemoryStore):
    """A store whose appends wait, or fail, when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.reached, self.open, self.failing = threading.Event(), threading.Event(), False
        self.open.set()

    def append(self, table: str, expected: int, batches: Sequence[Stored]) -> None:
        self.reached.set()
        self.open.wait()
        if self.failing:
            why = "The disk is gone."
            raise StoreFailed(why)
        super().append(table, expected, batches)
