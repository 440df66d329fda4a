"""Which batches count: a pure function of the log, kept up as batches come."""

from __future__ import annotations

from collections.abc import Iterable

from ludolog.frame import Redone, Undone
from ludolog_events import CorruptLog, Event

__all__ = ["History"]


class History:
    """The effective history after ``length`` batches.

    Undo and redo batches themselves never count; ``dead`` holds the numbers of undone batches, ``asides`` those of
    undo and redo batches, ``redoable`` the undos that may be taken back, the last one last.
    """

    __slots__ = ("asides", "dead", "length", "redoable")

    def __init__(
        self,
        length: int = 0,
        dead: Iterable[int] = (),
        asides: Iterable[int] = (),
        redoable: Iterable[Undone] = (),
    ) -> None:
        self.length = length
        self.dead = set(dead)
        self.asides = set(asides)
        self.redoable = list(redoable)

    def check(self, first: Undone | Redone) -> None:
        """Check that the next batch, by its first event, takes back what counts, or restores what was taken back.

        Raises:
            CorruptLog: It doesn't.
        """
        if isinstance(first, Redone):
            sound = bool(self.redoable) and self.redoable[-1].batches == first.batches
        else:
            sound = bool(first.batches) and first.batches == self.since(first.batches[0])
        if not sound:
            verb = "restores" if isinstance(first, Redone) else "takes back"
            why = f"it {verb} {', '.join(map(str, first.batches)) or 'nothing'}, which it can't"
            raise CorruptLog(why, batch=self.length)

    def note(self, first: Event | None) -> None:
        """Take in the next batch, by its first event."""
        if type(first) is Undone:
            self.dead.update(first.batches)
            self.asides.add(self.length)
            self.redoable.append(first)
        elif type(first) is Redone:
            self.dead.difference_update(first.batches)
            self.asides.add(self.length)
            self.redoable.pop()
        elif self.redoable:
            self.redoable.clear()
        self.length += 1

    def counts(self, number: int) -> bool:
        """Whether batch ``number`` is part of the effective history."""
        return number not in self.dead and number not in self.asides

    @property
    def place(self) -> int:
        """How many batches count."""
        return self.length - len(self.dead) - len(self.asides)

    def last(self, before: int | None = None) -> int:
        """Number of the last batch that counts (before batch ``before``); -1 if none does."""
        number = (self.length if before is None else before) - 1
        while number >= 0 and not self.counts(number):
            number -= 1
        return number

    def since(self, number: int) -> tuple[int, ...]:
        """Numbers of the batches from ``number`` on that count."""
        return tuple(found for found in range(max(number, 0), self.length) if self.counts(found))

    def copy(self) -> History:
        """An independent copy."""
        return History(self.length, self.dead, self.asides, self.redoable)

    def same_until(self, other: History) -> bool:
        """Whether ``other``, a longer history, still counts just what this one counted."""
        limit = self.length
        return self.dead == {number for number in other.dead if number < limit} and self.asides == {
            number for number in other.asides if number < limit
        }
