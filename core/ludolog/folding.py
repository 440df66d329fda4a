"""Folding a log for one audience: the host's position, or a seat's view, batch by batch, with undo and redo."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from ludolog.frame import Redone, Undone
from ludolog.history import History
from ludolog.position import Position
from ludolog_events import Event, Seat

__all__ = ["HOST", "Facts", "Fold"]

HOST: Final = ""
"""The audience that is told everything."""

_KEPT: Final = 64
"""How many earlier positions are kept for undo; older ones are folded again."""


def _no_checkpoint(_limit: int, _history: History) -> None:
    """Without snapshots, folding begins at the start."""


class Facts(NamedTuple):
    """What a fold needs of a batch."""

    number: int
    events: tuple[Event, ...]


class Fold:
    """The position of one audience after ``length`` batches.

    Args:
        start: Position to begin from.
        read: Facts of batches from a number up to another (excluded), in order.
        audience: A seat, ``None`` for a viewer without a seat, or ``HOST``.
        history: Which batches counted when ``start`` was reached.
    """

    def __init__(
        self,
        start: Position,
        read: Callable[[int, int], Iterator[Facts]],
        audience: Seat | None,
        *,
        history: History | None = None,
    ) -> None:
        self._start = start
        self._start_length = history.length if history else 0
        self._read = read
        self.audience = audience
        self.checkpoint: Callable[[int, History], tuple[Position, int] | None] = _no_checkpoint
        self.history = history or History()
        self.position = start
        self.earlier: dict[int, Position] = {}

    @property
    def length(self) -> int:
        """Number of batches folded."""
        return self.history.length

    def advance(self, facts: Facts, position: Position | None = None) -> None:
        """Take in the next batch; ``position`` is its result where that is known already."""
        first = facts.events[0] if facts.events else None
        self.history.note(first)
        if type(first) is Undone:
            self.position = self._before(first.batches[0])
        elif type(first) is Redone:
            for again in first.batches:
                for found in self._read(again, again + 1):
                    self._step(found, None)
        else:
            self._step(facts, position)

    def catch_up(self, length: int) -> None:
        """Fold all batches up to ``length``."""
        if self.length < length:
            for facts in self._read(self.length, length):
                self.advance(facts)

    def _step(self, facts: Facts, position: Position | None) -> None:
        self.earlier[facts.number] = self.position
        if len(self.earlier) > 2 * _KEPT:
            self.earlier = {number: self.earlier[number] for number in sorted(self.earlier)[-_KEPT:]}
        self.position = (
            self.position.ruleset.fold(self.position, facts.events, self.audience) if position is None else position
        )

    def _before(self, number: int) -> Position:
        """The position as it was before batch ``number``, the first of the batches just undone."""
        if number in self.earlier:
            return self.earlier[number]
        position, length = self._start, self._start_length
        if number < length:
            position, length = position.ruleset.start(), 0
        found = self.checkpoint(number, self.history)
        if found is not None and found[1] > length:
            position, length = found
        for facts in self._read(length, number):
            if self.history.counts(facts.number):
                position = position.ruleset.fold(position, facts.events, self.audience)
        return position
