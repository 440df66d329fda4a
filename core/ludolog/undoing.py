"""Undo and redo: which batches they concern, and who may."""

from __future__ import annotations

from typing import NamedTuple, NoReturn

from ludolog.barrier import what_was_learnt
from ludolog.deciding import refuse_when_over
from ludolog.errors import Refusal, UndoRefused
from ludolog.frame import Frame, GameBegun, Redone, TableOpened, Undo, Undone
from ludolog.history import History
from ludolog.journal import Journal
from ludolog.position import Position
from ludolog.viewing import Views
from ludolog_events import Seat

__all__ = ["Past", "protected_batches", "redone", "undone"]


class Past(NamedTuple):
    """Where a table stands when an undo or redo is asked for; ``protected`` batches open it and always count."""

    position: Position
    history: History
    journal: Journal
    views: Views
    protected: int


def protected_batches(opened: TableOpened, position: Position, journal: Journal, length: int) -> int:
    """How many of the first ``length`` batches can't be undone: all that come before the game itself.

    Opening and set-up; where seats are asked to contribute to the dice, all in between, too; in a fork, its opening.
    """
    if opened.forked:
        return 1
    if not position[Frame].contributions.phase:
        return 2
    for facts in journal.facts(0, length):
        if any(type(event) is GameBegun for event in facts.events):
            return facts.number + 1
    return length


def undone(past: Past, seat: Seat | None, asked: Undo) -> Undone:
    """The event of an undo by ``seat`` (``None``: the host).

    A seat may take back its own last commands as long as nobody learnt anything from them. Beyond that it takes
    everyone's consent, or the host.

    Raises:
        GameOver: The seed has been revealed; nothing can be taken back any more.
        UndoRefused: There is nothing to take back, or it may not be taken back by this seat alone.
    """
    refuse_when_over(past.position)
    first = past.history.last() if asked.to == -1 else asked.to
    batches = past.history.since(first) if first >= past.protected else ()
    if not batches:
        _refuse("nothing-to-undo", "There is nothing to take back.")
    agreed = {seat, *asked.consent} >= set(past.position.seats)
    if seat is not None and not agreed:
        for number in reversed(batches):
            _check_barrier(past, seat, number)
    return Undone(batches=batches, by=seat or "", consent=asked.consent)


def _check_barrier(past: Past, seat: Seat, number: int) -> None:
    batch = past.journal.batch(number)
    if batch.seat != seat:
        sentence = f"The last command is not {seat}'s, so taking it back needs everyone's consent."
        _refuse("not-your-command", sentence)
    before = {viewer: past.views.before(viewer, number, past.history.length) for viewer in (seat, None)}
    learnt = what_was_learnt(batch, before)
    if learnt:
        sentence = f"It can't be taken back freely, since {learnt}; it needs everyone's consent."
        _refuse("behind-barrier", sentence)


def redone(past: Past, seat: Seat | None) -> Redone:
    """The event of a redo by ``seat`` (``None``: the host); possible until something else is played.

    Raises:
        GameOver: The game has ended.
        UndoRefused: There is nothing to redo, another took it back, or what was taken back is not the seat's own.
    """
    refuse_when_over(past.position)
    if not past.history.redoable:
        _refuse("nothing-to-redo", "There is nothing to redo.")
    taken = past.history.redoable[-1]
    if seat is not None and taken.by != seat:
        _refuse("not-your-undo", f"{taken.by or 'The host'} took it back, not {seat}.")
    if seat is not None and any(past.journal.batch(number).seat != seat for number in taken.batches):
        _refuse("not-your-command", f"What was taken back is not {seat}'s alone.")
    return Redone(batches=taken.batches, by=seat or "")


def _refuse(code: str, sentence: str) -> NoReturn:
    raise UndoRefused(Refusal(code=code, sentence=sentence))
