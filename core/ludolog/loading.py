"""Folding a stored log from the newest snapshot that can be trusted, and keeping snapshots."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ludolog import _log, snapshot
from ludolog.folding import HOST, Fold
from ludolog.history import History
from ludolog.journal import Journal
from ludolog.position import Position
from ludolog_events import Seat

__all__ = ["Loading"]


class Loading:
    """Folds the full position of one table, or what one audience knows of it.

    Args:
        journal: The table's log.
        start: Gives the position before the first batch of this log.
        audience: A seat, ``None`` for a viewer without a seat, or ``HOST``.
    """

    def __init__(self, journal: Journal, start: Callable[[], Position], audience: Seat | None = HOST) -> None:
        self._journal = journal
        self._start = start
        self._audience = audience

    def fold(self, length: int) -> Fold:
        """The fold of the stored log up to ``length``.

        Raises:
            CorruptLog: The log can't be folded.
        """
        fold = self.newest(length) or self._fold(self._start())
        fold.catch_up(length)
        return fold

    def _fold(self, position: Position, history: History | None = None) -> Fold:
        return Fold(position, self._journal.facts, self._audience, history=history, checkpoint=self.checkpoint)

    def newest(self, limit: int) -> Fold | None:
        """A fold begun from the newest usable snapshot of at most ``limit`` batches; ``None`` if there is none."""
        journal = self._journal
        at_most = limit - 1
        while (found := journal.store.snapshot(journal.table, at_most)) is not None:
            number, data = found
            loaded = self._load(data)
            if loaded is not None and loaded[1].length == number + 1:
                position, history, head = loaded
                if journal.heads(number, number + 1) == [head]:
                    return self._fold(position, history)
            if self._audience == HOST:  # Not every snapshot has every view.
                _log.warning("snapshot passed over", table=journal.table, batch=number)
            at_most = number - 1
        return None

    def _load(self, data: bytes) -> tuple[Position, History, bytes] | None:
        if self._audience == HOST:
            return snapshot.load(self._journal.ruleset, data)
        return snapshot.load_view(self._journal.ruleset, data, self._audience)

    def checkpoint(self, limit: int, history: History) -> tuple[Position, int]:
        """The newest position after at most ``limit`` batches by the batches that ``history`` counts."""
        while limit > 0 and (fold := self.newest(limit)) is not None:
            if fold.history.same_until(history):
                return fold.position, fold.length
            limit = fold.length - 1
        return self._start(), 0

    def keep(self, fold: Fold, views: Callable[[int], Mapping[Seat | None, Position]] | None = None) -> None:
        """Keep a snapshot of the position that ``fold`` has reached, with the ``views`` after so many batches.

        The batch before it is recorded already, and the log is whole without a snapshot: so whatever goes wrong here
        is logged, not raised.
        """
        journal = self._journal
        try:
            known = None if views is None else views(fold.length)
            data = snapshot.dump(fold.position, fold.history, journal.head, known)
            journal.store.keep_snapshot(journal.table, fold.length - 1, data)
        except Exception as error:  # noqa: BLE001 - see above
            _log.warning("snapshot not kept", table=journal.table, batch=fold.length - 1, error=type(error).__name__)
