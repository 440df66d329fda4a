"""A table in a random walk of commands, undo and redo, beside a model that knows what should come of it."""

from __future__ import annotations

from ludolog.errors import CommandError
from ludolog.frame import Redone, Undone
from ludolog.opening import open_table
from ludolog.position import Position
from ludolog.testing.comparing import difference, position_difference
from ludolog.testing.findings import Finding
from ludolog.testing.replaying import view_of_nothing
from ludolog.testing.subject import Subject
from ludolog.viewing import FeedItem, Retracted
from ludolog_events import Command, Event, LudologError, Seat, audience_of, audiences, told

__all__ = ["Walk", "told_to_another"]


def told_to_another(event: Event, seat: Seat | None) -> str:
    """A seat other than ``seat`` that ``event`` tells something that it does not tell everyone; empty if none is."""
    whole = audience_of(type(event))
    addressed = [*audiences(type(event)).values(), *((whole,) if whole is not None else ())]
    return next((other for audience in addressed for other in audience.seats(event) if other != seat), "")


class Walk:
    """One table and its model: which batches count, and what everyone then sees, folded from the stored batches.

    Every step is checked against the model.
    """

    def __init__(self, subject: Subject, game: int) -> None:
        self.subject = subject
        self.table = subject.open(game)
        self.counting = [0, 1]
        self.undone: list[tuple[list[int], Seat | None]] = []
        views = {viewer: view_of_nothing(subject.ruleset, viewer) for viewer in subject.viewers}
        self._full = {-1: subject.ruleset.start()}
        self._views: dict[int, dict[Seat | None, Position]] = {-1: views}
        self._feeds: dict[Seat | None, list[FeedItem]] = {viewer: [] for viewer in subject.viewers}
        self._numbers: dict[Seat | None, dict[int, tuple[int, ...]]] = {viewer: {} for viewer in subject.viewers}
        self._take(0, -1)
        self._take(1, 0)

    # ------------------------------------------------------------ steps

    def play(self, seat: Seat | None, command: Command, at: int) -> None:
        """Play a command that is listed."""
        try:
            self.table.play(seat, command, at=at, settle=False)
        except LudologError as error:
            why = f"{command} is listed, and after undo and redo it gives {error}"
            raise Finding(why, batch=self.table.length, event=type(command).__name__) from error
        self.undone.clear()
        number = self.table.length - 1
        self._take(number, self.counting[-1])
        self.counting.append(number)
        self._compare()

    def play_again(self) -> None:
        """Play what was undone last, or the first of it: the same must come of it."""
        before = self.table.journal.batch(self.undone[-1][0][0])
        self.play(before.seat, before.command, before.time)
        batch = self.table.journal.batch(self.table.length - 1)
        found = difference(batch.events, before.events)
        if found is not None:
            why = f"played again after its undo, {type(before.command).__name__} gives {found}"
            raise Finding(why, batch=batch.number, event=_at(batch.events, found.path))

    def undo(self, by: Seat | None, *, to: int | None = None, consent: tuple[Seat, ...] = ()) -> bool:
        """Ask for an undo; whether it was granted."""
        last = self.counting[-1]
        length, receipt = self.table.length, self.table.receipt
        try:
            self.table.undo(by, to=to, consent=consent)
        except CommandError:
            self._check_refused(length, receipt.head, forced=by is None or bool(consent), to=to)
            return False
        expected = [number for number in self.counting if number >= (last if to is None else to)]
        self._check_announced(Undone, expected, by)
        if by is not None and not consent:
            self._check_free(by, expected)
        self.counting = [number for number in self.counting if number not in expected]
        self.undone.append((expected, by))
        self._retract(by, expected, undone=True)
        self._compare()
        return True

    def redo(self, by: Seat | None) -> bool:
        """Ask for a redo; whether it was granted."""
        table = self.table
        expected, undoer = self.undone[-1] if self.undone else ([], None)
        length, receipt = table.length, table.receipt
        own = by == undoer and all(table.journal.batch(number).seat == by for number in expected)
        try:
            table.redo(by)
        except CommandError as error:
            if table.length != length or table.receipt != receipt:
                msg = "a refused redo was written to the log"
                raise Finding(msg, batch=length, event="Redo") from None
            if expected and (by is None or own):
                why = f"what was undone can't be redone: {error}"
                raise Finding(why, batch=length, event="Redo", seat=by) from None
            return False
        if not expected or (by is not None and not own):
            msg = f"{by or 'the host'} redid what is not to redo"
            raise Finding(msg, batch=length, event="Redo", seat=by)
        self._check_announced(Redone, expected, by)
        self.undone.pop()
        self.counting.extend(expected)
        self._retract(by, expected, undone=False)
        self._compare()
        return True

    def _check_refused(self, length: int, head: str, *, forced: bool, to: int | None) -> None:
        if self.table.length != length or self.table.receipt.head != head:
            msg = "a refused undo or redo was written to the log"
            raise Finding(msg, batch=length, event="Undo")
        first = self.counting[-1] if to is None else to
        if forced and first > 1:
            why = "the host, or all seats together, can't take back a command"
            raise Finding(why, batch=length, event="Undo")

    def _check_announced(self, kind: type[Undone | Redone], expected: list[int], by: Seat | None) -> None:
        """What is taken back is what the log says, and no more."""
        events = self.table.journal.one(self.table.length - 1).events
        told = events[0]
        if len(events) != 1 or not isinstance(told, kind) or list(told.batches) != expected or told.by != (by or ""):
            why = f"the log says {events}, and it should say that {expected} is concerned"
            raise Finding(why, batch=self.table.length - 1, event=kind.__name__, field=f"{kind.__name__}.batches")

    def _check_free(self, by: Seat, numbers: list[int]) -> None:
        for number in numbers:
            batch = self.table.journal.batch(number)
            name = type(batch.command).__name__
            if batch.seat != by:
                msg = f"{by} took back {name} of {batch.seat} alone"
                raise Finding(msg, batch=number, event=name, seat=by)
            if batch.draws:
                msg = f"{by} took back {name} alone, and it drew from chance"
                raise Finding(msg, batch=number, event=name, seat=by)
            for event in batch.events:
                other = told_to_another(event, by)
                if other:
                    why = f"{by} took back {name} alone, and it told {other} something"
                    raise Finding(why, batch=number, event=type(event).__name__, seat=by)

    # ------------------------------------------------------------ the model

    def _take(self, number: int, before: int) -> None:
        """Fold a stored batch onto what everyone knew before it."""
        events = self.table.journal.batch(number).events
        ruleset = self.subject.ruleset
        self._full[number] = ruleset.fold(self._full[before], events)
        self._views[number] = {
            viewer: ruleset.fold(view, events, viewer) for viewer, view in self._views[before].items()
        }
        for viewer, feed in self._feeds.items():
            first = len(feed)
            facts = [fact for event in events if (fact := told(event, viewer)) is not None]
            feed.extend(FeedItem(number=first + at, event=fact) for at, fact in enumerate(facts, start=1))
            self._numbers[viewer][number] = tuple(range(first + 1, len(feed) + 1))

    def _retract(self, by: Seat | None, numbers: list[int], *, undone: bool) -> None:
        for viewer, feed in self._feeds.items():
            touched = tuple(item for number in numbers for item in self._numbers[viewer].get(number, ()))
            if not touched and viewer != (by or ""):
                continue
            fact = Retracted(by=by or "", numbers=touched if undone else (), restored=() if undone else touched)
            feed.append(FeedItem(number=len(feed) + 1, event=fact))

    def _compare(self) -> None:
        table, last = self.table, self.counting[-1]
        found = position_difference(table.position, self._full[last])
        number = table.length - 1
        event = type(table.journal.one(number).events[0]).__name__
        if found is not None:
            why = f"the position holds {found.one!r}, and the batches that count give {found.other!r}"
            raise Finding(why, batch=number, event=event, field=found.path)
        for viewer, view in self._views[last].items():
            found = position_difference(table.view(viewer), view)
            if found is not None:
                why = f"the view holds {found.one!r}, and the batches that count give {found.other!r}"
                raise Finding(why, batch=number, event=event, field=found.path, seat=viewer)

    def check_whole(self) -> None:
        """Compare feeds, and the table opened again from its log; the audit says yes."""
        table = self.table
        number = table.length - 1
        again = open_table(table.id, table.journal.store, ruleset=self.subject.ruleset)
        found = position_difference(again.position, self._full[self.counting[-1]])
        if found is not None:
            why = f"opened again, the table holds {found.one!r}, and the batches that count give {found.other!r}"
            raise Finding(why, batch=number, field=found.path)
        counted = [at for at in range(table.length) if again.history.counts(at)]
        if counted != self.counting:
            msg = f"opened again, {counted} count, and it should be {self.counting}"
            raise Finding(msg, batch=number)
        for viewer, feed in self._feeds.items():
            different = difference(table.feed(viewer), tuple(feed))
            if different is not None:
                msg = f"the feed holds {different}"
                raise Finding(msg, batch=number, field=f"feed{different.path}", seat=viewer)
        for answer in table.audit([table.receipt]).answers:
            if answer.verdict != "yes":
                at = number if answer.batch is None else answer.batch
                why = f"with undo and redo in the log, the audit says {answer}"
                raise Finding(why, batch=at, event=type(table.journal.batch(at).command).__name__)


def _at(events: tuple[Event, ...], path: str) -> str:
    at = path.removeprefix("[").partition("]")[0]
    return type(events[int(at)]).__name__ if at.isdigit() and int(at) < len(events) else ""
