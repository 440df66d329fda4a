"""Folding a log for one audience: the host's position, or a seat's view, batch by batch, with undo and redo."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeAlias, cast

from ludolog.frame import Redone, Undone
from ludolog.history import History
from ludolog.position import Position
from ludolog_events import CorruptLog, Event, LudologError, Seat, owner_of, tag_of

__all__ = ["HOST", "Checkpoint", "Facts", "Fold"]

HOST: Final = ""
"""The audience that is told everything."""

_KEPT: Final = 64
"""How many earlier positions are kept for undo, at least; older ones are folded again."""

_MOST: Final = 4 * _KEPT

Checkpoint: TypeAlias = Callable[[int, History], tuple[Position, int]]
"""(number, history) -> a position after at most so many batches, by the batches that ``history`` counts; their number.

It is where folding begins for a position that is not kept any more.
"""


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
        history: Which batches counted when ``start`` was reached; by default there were none.
        checkpoint: Needed if there were some; by default folding begins at ``start``.
    """

    def __init__(
        self,
        start: Position,
        read: Callable[[int, int], Iterator[Facts]],
        audience: Seat | None,
        *,
        history: History | None = None,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        self._read = read
        self.audience = audience
        self.checkpoint: Checkpoint = checkpoint or (lambda _number, _history: (start, 0))
        self.history = history or History()
        self.position = start
        self._earlier: dict[int, Position] = {}

    @property
    def length(self) -> int:
        """Number of batches folded."""
        return self.history.length

    def advance(self, facts: Facts, position: Position | None = None) -> None:
        """Take in the next batch; ``position`` is its result where that is known already.

        Raises:
            CorruptLog: It can't be folded, or takes back what does not count; the fold is as it was.
        """
        first = facts.events[0] if facts.events else None
        kind = type(first)
        if kind is Undone or kind is Redone:
            self._take_back(cast("Undone | Redone", first))
        else:
            self._step(facts, self._fold(self.position, facts) if position is None else position)
        self.history.note(first)

    def _take_back(self, first: Undone | Redone) -> None:
        self.history.check(first)
        if isinstance(first, Undone):
            self.position = self.before(first.batches[0])
            return
        for found in [found for again in first.batches for found in self._read(again, again + 1)]:
            self._step(found, self._fold(self.position, found))

    def catch_up(self, length: int) -> None:
        """Fold all batches up to ``length``."""
        history = self.history
        if history.length >= length:
            return
        # What ``advance`` does, with fewer calls: whole logs come this way.
        for facts in self._read(history.length, length):
            events = facts.events
            kind = type(events[0]) if events else None
            if kind is Undone or kind is Redone or history.redoable:
                self.advance(facts)
                continue
            position = self.position
            after = self._fold(position, facts)
            earlier = self._earlier
            earlier[facts.number] = position
            if len(earlier) > _MOST:
                self._forget()
            self.position = after
            history.length += 1

    def before(self, number: int) -> Position:
        """The position before batch ``number``, which counts."""
        if number in self._earlier:
            return self._earlier[number]
        position, length = self.checkpoint(number, self.history)
        for facts in self._read(length, number):
            if self.history.counts(facts.number):
                position = self._fold(position, facts)
        return position

    def _step(self, facts: Facts, after: Position) -> None:
        self._earlier[facts.number] = self.position
        if len(self._earlier) > _MOST:
            self._forget()
        self.position = after

    def _forget(self) -> None:
        earlier = self._earlier
        self._earlier = {number: earlier[number] for number in sorted(earlier)[-_KEPT:]}

    def _fold(self, position: Position, facts: Facts) -> Position:
        try:
            return position.ruleset.fold(position, facts.events, self.audience)
        except LudologError:
            raise
        except Exception as error:
            raise _unfoldable(position, facts, self.audience, error) from error


def _unfoldable(position: Position, facts: Facts, audience: Seat | None, error: Exception) -> CorruptLog:
    """Which event of which rules it was; not what it held."""
    which = ""
    for event in facts.events:
        tag = tag_of(type(event))
        which = f"the rules of {owner_of(tag)} can't fold its event {tag}"
        try:
            position = position.ruleset.fold(position, (event,), audience)
        except Exception:  # noqa: BLE001 - it is the same error, now with its event
            break
    return CorruptLog(f"{which} ({type(error).__name__})", batch=facts.number)
