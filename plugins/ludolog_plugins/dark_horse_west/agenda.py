"""The agenda: what is still to be done, as a stack that any rules may add to.

Every decider ends with :func:`proceed`, which carries out automatic steps until a seat has to answer. A reaction may
put tasks on top of what caused it, for any seat: so other seats get their say before the rest goes on.
"""

from __future__ import annotations

from collections.abc import Iterator

from ludolog import Event, Now, Position, Seat, derived
from ludolog_plugins.dark_horse_west.events import EndNeared, TaskDone, TasksAdded
from ludolog_plugins.dark_horse_west.slots import END_TRIGGERS, TASKS, Question, Step, Window
from ludolog_plugins.dark_horse_west.state import Agenda, Task, Turn

__all__ = ["answer", "asked", "do", "open_window", "proceed", "question", "top"]


def do(*tasks: Task) -> Event:
    """Put tasks on the agenda, to be done in this order."""
    return TasksAdded(tasks=tasks[::-1])


def top(position: Position | Now) -> Task | None:
    """The task that waits for an answer now."""
    stack = position[Agenda].stack
    return stack[-1] if stack else None


def question(position: Position, seat: Seat) -> tuple[Task, Question] | None:
    """The question that waits for ``seat``'s answer, if one does."""
    task = top(position)
    if task is None or task.seat != seat:
        return None
    rule = position.slot(TASKS)[task.kind]
    return (task, rule) if isinstance(rule, Question) else None


@derived
def asked(position: Position) -> tuple[str, ...]:
    """The options of the question that stands next on the agenda; none if there stands none."""
    task = top(position)
    rule = position.slot(TASKS)[task.kind] if task is not None else None
    return rule.options(position, task) if task is not None and isinstance(rule, Question) else ()


def open_window(position: Position, seat: Seat) -> str:
    """The kind of the window in which ``seat`` acts now (``"placement"``, ``"collection"``), or ``""``."""
    task = top(position)
    if task is None or task.seat != seat or not isinstance(position.slot(TASKS)[task.kind], Window):
        return ""
    return task.kind


def answer(now: Now, task: Task, rule: Question, option: str) -> Iterator[Event]:
    """Take the question off the agenda and do what was chosen."""
    yield TaskDone()
    yield from rule.take(now, task, option)


@derived
def _met(position: Position) -> str:
    """The first end trigger that is met; ``""`` if none is."""
    triggers = position.slot(END_TRIGGERS).items()
    return next((str(name) for name, trigger in triggers if trigger.met(position)), "")


def proceed(now: Now) -> Iterator[Event]:
    """Carry out what needs no answer, until a seat has to decide or the game is over (DW-R46)."""
    while not now.position.over:
        if not now[Turn].due and now[Turn].number:
            met = _met(now.position)
            if met:
                yield EndNeared(trigger=met)
        task = top(now)
        if task is None:
            return
        rule = now.slot(TASKS)[task.kind]
        if isinstance(rule, Step):
            yield TaskDone()
            yield from rule.run(now, task)
        elif isinstance(rule, Question):
            options = asked(now.position)
            if len(options) > 1 or (options and rule.ask_always):
                return
            if options:
                yield from answer(now, task, rule, options[0])
            else:
                yield TaskDone()
        else:
            return
