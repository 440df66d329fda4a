"""Waking the threads that wait for what is appended to a store."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cached_property
from time import monotonic
from typing import Final

__all__ = ["Bell"]

SHORTEST: Final = 0.001
LONGEST: Final = 0.05
"""Seconds between two looks for what other processes appended: they grow while nothing comes."""


class Bell:
    """Rung by writers, waited for by threads.

    One of the waiting threads watches, the others wait for it: so a writer wakes one thread, however many there
    are, and only one of them looks for what other processes did.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watched = False
        self._rings = 0
        self._pause = SHORTEST
        # Of each thread by itself: what one has heard, another may still have to look at.
        self._heard = threading.local()

    # Made when somebody waits for the first time, with the lock held: most stores in memory are never waited for.
    @cached_property
    def _watcher(self) -> threading.Condition:
        return threading.Condition(self._lock)

    @cached_property
    def _others(self) -> threading.Condition:
        return threading.Condition(self._lock)

    def ring(self) -> None:
        """Something was appended, or the store was closed."""
        with self._lock:
            self._rings += 1
            if self._watched:
                self._watcher.notify()

    def wait(self, timeout: float, look: Callable[[], bool] | None = None) -> bool:
        """Wait until it rings, at most ``timeout`` seconds; True at once if it rang since this thread last waited.

        Args:
            timeout: In seconds.
            look: Tells whether another process has appended something since it was last called.
        """
        deadline = monotonic() + timeout
        heard: int = getattr(self._heard, "rings", 0)
        with self._lock:
            while self._rings == heard and self._watched:
                left = deadline - monotonic()
                if left <= 0:
                    return False
                self._others.wait(left)
            if self._rings == heard:
                self._watch(heard, deadline, look)
            rang = self._rings != heard
            self._heard.rings = self._rings
        return rang

    def _watch(self, heard: int, deadline: float, look: Callable[[], bool] | None) -> None:
        """Wait for the others, too; called with the lock held."""
        try:
            self._watched = True
            while self._rings == heard:
                if look is not None and self._looked(look):
                    self._rings += 1
                    break
                left = deadline - monotonic()
                if left <= 0 or self._rings != heard:
                    break
                self._watcher.wait(left if look is None else min(self._pause, left))
                self._pause = min(2 * self._pause, LONGEST)
        finally:
            self._watched = False
            if self._rings == heard:
                self._others.notify()  # to watch instead
            else:
                self._pause = SHORTEST
                self._others.notify_all()

    def _looked(self, look: Callable[[], bool]) -> bool:
        """Look without the lock, so that no writer waits for it."""
        self._lock.release()
        try:
            return look()
        finally:
            self._lock.acquire()
