"""The phases of the bug race: whose turn it is, and what comes next.

A table goes through the phases of one slot, in order. A phase begins with events of its own (cards are dealt, say) and
then has a task for a seat; when it has none left, the next phase begins. A variant that inserts a phase needs nothing
else of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ludolog import Command, Event, Now, Position, Refusal, Seat, Slot, refuse
from ludolog_plugins.dark_horse_bugs.data import rules
from ludolog_plugins.dark_horse_bugs.events import PhaseBegun
from ludolog_plugins.dark_horse_bugs.state import Race

__all__ = ["PHASES", "Phase", "Task", "advance", "expect", "task_of"]


class Task(NamedTuple):
    """What the table waits for: ``seats`` are to do what ``text`` says, by one of ``commands``; ``clause`` says so."""

    seats: tuple[Seat, ...] = ()
    text: str = ""
    commands: tuple[type[Command], ...] = ()
    clause: str = ""


def _no_events(_now: Now) -> Iterable[Event]:
    return ()


def _no_task(_position: Position) -> Task:
    return Task()


def _no_commands(_position: Position, _seat: Seat) -> Iterable[Command]:
    return ()


class Phase(NamedTuple):
    """A phase: the events with which it begins, its task now, and the legal commands of a seat that has the task."""

    begin: Callable[[Now], Iterable[Event]] = _no_events
    task: Callable[[Position], Task] = _no_task
    legal: Callable[[Position, Seat], Iterable[Command]] = _no_commands


PHASES: Slot[Phase] = rules.slot(Slot("phases", "The phases of the game, in order."))


def phase_of(position: Position) -> Phase:
    """The phase that the table is in."""
    return position.slot(PHASES)[position[Race].phase]


def task_of(position: Position) -> Task:
    """What the table waits for; without seats when the phase is over."""
    return phase_of(position).task(position) if position[Race].phase else Task()


def advance(now: Now) -> Iterator[Event]:
    """Begin the next phase, and the next, until there is a task or the game has ended; every command ends so."""
    names = ["", *map(str, now.slot(PHASES))]
    while not (task_of(now.position).seats or now.position.over):
        following = names[names.index(now[Race].phase) + 1]
        yield PhaseBegun(phase=following)
        yield from now.slot(PHASES)[following].begin(now)


def expect(now: Now, command: Command) -> None:
    """Refuse a command that is not for the present task."""
    task = task_of(now.position)
    if type(command) not in task.commands:
        refuse("not-now", f"{now.seat} is to {task.text} now.", task.clause)


@rules.setup
def setup(now: Now) -> Iterator[Event]:
    """A game goes from phase to phase."""
    return advance(now)


@rules.to_act
def to_act(position: Position) -> tuple[Seat, ...]:
    """Whoever has the task."""
    return task_of(position).seats


@rules.legal
def legal(position: Position, seat: Seat) -> Iterable[Command]:
    """The commands of the phase."""
    return phase_of(position).legal(position, seat)


@rules.waiting
def waiting(position: Position, seat: Seat, _command: Command) -> Refusal:
    """Everyone else waits for the seats that have the task."""
    task = task_of(position)
    return Refusal(
        code="not-your-turn",
        sentence=f"{' and '.join(task.seats)} is to {task.text}; {seat} has to wait.",
        clause=task.clause,
        facts={"to_act": task.seats},
    )
