"""Do undo and redo keep log and fold in step, and never pass the barrier?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ludolog.chance import Chance
from ludolog.errors import CommandError
from ludolog.frame import Undo
from ludolog.testing.findings import Finding
from ludolog.testing.marking import MarkedGame, MarkedStep
from ludolog.testing.subject import FIRST, START, Subject
from ludolog.testing.walking import Walk, told_to_another
from ludolog.undoing import undone
from ludolog_events import Seat

__all__ = ["undo_and_redo_keep_in_step", "undo_stops_at_the_barrier"]

_GAMES: Final = 2
_WHOLE: Final = 100
_BACK: Final = 4
_SIDES: Final = 12
_UNDO: Final = 5
_REDO: Final = 7


def undo_and_redo_keep_in_step(subject: Subject) -> None:
    """In a walk of commands, undo and redo, everything is after each step as the counting batches say."""
    steps, game = 0, 0
    while steps < subject.settings.walk:
        walk = Walk(subject, game)
        begun = steps
        for _ in _steps(walk, subject.chance(f"walk {game}")):
            steps += 1
            if steps % _WHOLE == 0:
                walk.check_whole()
            if steps >= subject.settings.walk:
                break
        walk.check_whole()
        if steps == begun:
            return
        game += 1


def _steps(walk: Walk, chance: Chance) -> Iterator[None]:
    """Random steps, until the game is over or nobody can go on."""
    at = START
    while not walk.table.over:
        choice = chance.below(_SIDES)
        if choice < _UNDO:
            _undo(walk, choice, chance)
        elif choice < _REDO:
            walk.redo(chance.choose((None, *walk.table.seats)))
        elif walk.undone and chance.below(2):
            walk.play_again()
        else:
            at = walk.subject.next_moment(walk.table, chance, at)
            turn = next(walk.subject.turns_at(walk.table, chance, at), None)
            if turn is None:
                return
            walk.play(*turn, at)
        yield


def _undo(walk: Walk, choice: int, chance: Chance) -> None:
    """An undo by whoever gave the last command, by any seat, with everyone's consent, or by the host."""
    seats = walk.table.seats
    if choice == 0:
        walk.undo(chance.choose(seats))
    elif choice == 1:
        back = walk.counting[-_BACK:]
        walk.undo(None, to=back[chance.below(len(back))])
    elif choice == 2:  # noqa: PLR2004 - the third of five
        walk.undo(chance.choose(seats), consent=seats)
    else:
        walk.undo(walk.table.journal.batch(walk.counting[-1]).seat)


def undo_stops_at_the_barrier(subject: Subject) -> None:
    """No seat takes back freely what another did, what was drawn, or what told somebody something unknown to it."""
    for at, sample in enumerate(subject.samples[:_GAMES]):
        table = subject.open(at)
        for marked in MarkedGame(subject, sample, lenient=True):
            step = marked.step
            if step.number < FIRST:
                continue
            table.play(step.seat, sample.turns[step.number - FIRST].command, at=step.at, settle=False)
            for seat in () if table.over else subject.seats:
                try:
                    undone(table.past, seat, Undo(to=-1))
                except CommandError:
                    continue
                _check_free(marked, seat)


def _check_free(marked: MarkedStep, seat: Seat) -> None:
    """Look for anything that stands against taking this batch back freely."""
    step = marked.step
    if step.seat != seat:
        why = f"{seat} may take back {step.name} of {step.seat or 'the host'} without anyone's consent"
        raise Finding(why, batch=step.number, event=step.name, seat=seat)
    if step.draws:
        why = f"{seat} may take back {step.name} freely, though it drew from chance"
        raise Finding(why, batch=step.number, event=type(step.events[-1]).__name__, seat=seat)
    for event in step.events:
        other = told_to_another(event, seat)
        if other:
            why = f"{seat} may take back {step.name} freely, though it told {other} something"
            raise Finding(why, batch=step.number, event=type(event).__name__, seat=seat)
    for learnt in marked.learnt:
        why = f"{seat} may take back {step.name} freely, though {learnt.seat} learnt the secret {learnt.mark} from it"
        raise Finding(why, batch=step.number, event=learnt.event, field=learnt.field, seat=seat)
