"""Folding a stored log from the newest snapshot that can be trusted, and keeping snapshots."""

from __future__ import annotations

from collections.abc import Callable

from ludolog import _log, snapshot
from ludolog.folding import HOST, Fold
from ludolog.history import History
from ludolog.journal import Journal
from ludolog.position import Position

__all__ = ["Loading"]


class Loading:
    """Folds the full position of one table.

    Args:
        journal: The table's log.
        start: Gives the position before the first batch of this log.
    """

    def __init__(self, journal: Journal, start: Callable[[], Position]) -> None:
        self._journal = journal
        self._start = start

    def fold(self, length: int) -> Fold:
        """The fold of the stored log up to ``length``.

        Raises:
            CorruptLog: The log can't be folded.
        """
        fold = self.newest(length)
        if fold is None:
            fold = Fold(self._start(), self._journal.facts, HOST, checkpoint=self.checkpoint)
        fold.catch_up(length)
        return fold

    def newest(self, limit: int) -> Fold | None:
        """A fold begun from the newest usable snapshot of at most ``limit`` batches; ``None`` if there is none."""
        journal = self._journal
        at_most = limit - 1
        while (found := journal.store.snapshot(journal.table, at_most)) is not None:
            number, data = found
            loaded = snapshot.load(journal.ruleset, data)
            if loaded is not None and loaded[1].length == number + 1:
                position, history, head = loaded
                if journal.heads(number, number + 1) == [head]:
                    return Fold(position, journal.facts, HOST, history=history, checkpoint=self.checkpoint)
            _log.warning("snapshot passed over", table=journal.table, batch=number)
            at_most = number - 1
        return None

    def checkpoint(self, limit: int, history: History) -> tuple[Position, int]:
        """The newest position after at most ``limit`` batches by the batches that ``history`` counts."""
        while limit > 0 and (fold := self.newest(limit)) is not None:
            if fold.history.same_until(history):
                return fold.position, fold.length
            limit = fold.length - 1
        return self._start(), 0

    def keep(self, fold: Fold) -> None:
        """Keep a snapshot of the position that ``fold`` has reached.

        The batch before it is recorded already, and the log is whole without a snapshot: so whatever goes wrong here
        is logged, not raised.
        """
        journal = self._journal
        try:
            data = snapshot.dump(fold.position, fold.history, journal.head)
            journal.store.keep_snapshot(journal.table, fold.length - 1, data)
        except Exception as error:  # noqa: BLE001 - see above
            _log.warning("snapshot not kept", table=journal.table, batch=fold.length - 1, error=type(error).__name__)
