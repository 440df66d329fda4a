"""Following what is appended: a subscription is a place in a feed, and waits there for more.

It pulls. Nothing of a subscriber is known to whoever appends: one that is slow, raises or is gone costs the writer
nothing, and one that comes back goes on from its position.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Final, Generic, Self, TypeVar

if TYPE_CHECKING:
    from ludolog.store import Appended, Store

__all__ = ["PULSE", "Subscription", "follow"]

P = TypeVar("P", bound=str | int)
T = TypeVar("T")

PULSE: Final = 0.25
"""Seconds after which a subscription looks again though nothing woke it, and notices that it was closed."""

_BLOCK: Final = 200


class Subscription(Iterator[T], Generic[P, T]):
    """What a feed tells from a position on, one after another, each once and as soon as it is durable.

    Iterating waits for more, until ``timeout`` seconds have passed without any (``None``: for ever) or the
    subscription is closed. It may be iterated again after a time-out. Threads may share one: each item goes to one
    of them. An error of the store comes out here, and leaves the position as it was.

    ``position`` is that of the last item handed out: subscribing there gives the next one. Whoever must not lose an
    item keeps that of the last item it is done with.
    """

    def __init__(
        self,
        news: Callable[[P, int], Sequence[T]],
        position_of: Callable[[T], P],
        wait: Callable[[float], bool],
        after: P,
        timeout: float | None = None,
    ) -> None:
        news(after, 0)  # A bad position is refused here.
        self.position: P = after
        self.timeout = timeout
        self._news = news
        self._position_of = position_of
        self._wait = wait
        self._fetched: deque[T] = deque()
        self._lock = threading.Lock()
        self._closed = False

    def get(self, timeout: float | None = None) -> T | None:
        """The next item; ``None`` if there was none for ``timeout`` seconds, or the subscription is closed.

        Raises:
            StoreError: The store failed or was closed; try again, or subscribe again from ``position``.
        """
        deadline = None if timeout is None else monotonic() + timeout
        while True:
            with self._lock:
                if self._closed:
                    return None
                if not self._fetched:
                    self._fetched.extend(self._news(self.position, _BLOCK))
                if self._fetched:
                    self.position = self._position_of(self._fetched[0])
                    return self._fetched.popleft()
            left = PULSE if deadline is None else deadline - monotonic()
            if not left > 0:  # what is no number has passed, too
                return None
            self._wait(min(left, PULSE))

    def close(self) -> None:
        """End it, from any thread; whoever waits for the next item is told so within ``PULSE`` seconds."""
        self._closed = True

    def __iter__(self) -> Self:
        """The subscription itself."""
        return self

    def __next__(self) -> T:
        """The next item."""
        item = self.get(self.timeout)
        if item is None:
            raise StopIteration
        return item

    def __enter__(self) -> Self:
        """The subscription itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()


def follow(store: Store, after: str = "", timeout: float | None = None) -> Subscription[str, Appended]:
    """Subscribe to all tables of a store; what ``Store.subscribe`` does in every store."""
    return Subscription(store.feed, _position, store.wait, after, timeout)


def _position(appended: Appended) -> str:
    return appended.position
