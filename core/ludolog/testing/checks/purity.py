"""Do the rules change nothing but what they return, and look at nothing outside of the game?"""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable
from typing import Any, Final

from ludolog.position import Position
from ludolog.testing.comparing import difference
from ludolog.testing.findings import Finding, Skipped
from ludolog.testing.replaying import Step, replay, rewired
from ludolog.testing.subject import Sample, Subject, some
from ludolog.testing.surroundings import Surroundings, modules_of, print_of
from ludolog_events import Event

__all__ = ["FOREIGN", "rules_change_nothing_else", "rules_import_nothing_foreign"]

FOREIGN: Final = frozenset(
    (
        *("_thread", "asyncio", "concurrent", "ctypes", "datetime", "ftplib", "glob", "http", "io", "locale", "mmap"),
        *("multiprocessing", "numpy", "os", "pathlib", "pickle", "platform", "random", "sched", "secrets", "select"),
        *("shelve", "shutil", "signal", "smtplib", "socket", "socketserver", "sqlite3", "ssl", "subprocess"),
        *("tempfile", "threading", "time", "urllib", "uuid", "zoneinfo"),
    )
)
"""Modules by which rules would reach a clock, dice, a disk or a network."""

_EACH: Final = 6
_BATCHES: Final = 60


class _Watch:
    """Wraps reducers; notes the first that does anything but return its slice."""

    def __init__(self) -> None:
        self.batch = 0
        self._calls: dict[str, int] = {}

    def __call__(self, function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        @functools.wraps(function)
        def watched(state: Any, event: Event) -> Any:  # noqa: ANN401 - any state
            name = type(event).__name__
            self._calls[name] = self._calls.get(name, 0) + 1
            if self._calls[name] > _EACH:
                return function(state, event)
            before = print_of(state), print_of(event)
            new = function(state, event)
            self._check(before, state, event, new)
            again = function(state, event)
            found = difference(new, again, type(state).__name__)
            if found is not None:
                why = f"called twice with the same, the reducer gives {found}"
                raise _Caught(Finding(why, batch=self.batch, event=name, field=found.path))
            return new

        return watched

    def _check(self, before: object, state: object, event: Event, new: object) -> None:
        name, kind = type(event).__name__, type(state).__name__
        if (print_of(state), print_of(event)) != before:
            why = "the reducer changed the slice or the event that it was given"
            raise _Caught(Finding(why, batch=self.batch, event=name, field=kind))
        if type(new) is not type(state):
            why = f"the reducer returned {type(new).__name__}, not {kind}"
            raise _Caught(Finding(why, batch=self.batch, event=name, field=kind))


class _Caught(BaseException):
    """Carries a finding through the engine, which turns ordinary exceptions of rules into faults of its own."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding
        super().__init__(str(finding))


def rules_change_nothing_else(subject: Subject) -> None:
    """Reducers return a new slice and change nothing; no function of the rules leaves a trace in its module."""
    around = Surroundings(subject.ruleset)
    watch = _Watch()
    ruleset = rewired(subject.ruleset, reducing=watch)
    for sample in subject.samples:
        steps = replay(sample, ruleset)
        for number in range(len(sample.positions)):
            watch.batch = number
            try:
                step = next(steps)
            except _Caught as caught:
                raise caught.finding from None
            _check_around(around, step.number, _last_event(step), f"deciding {step.name}")
            _check_slices(subject, step)
        for number, position in some(enumerate(sample.positions), _BATCHES):
            _look(subject, sample, number, position)
            _check_around(around, number, "", "listing, drawing or asking who may act")


def _last_event(step: Step) -> str:
    return type(step.events[-1]).__name__ if step.events else step.name


def _check_around(around: Surroundings, number: int, event: str, what: str) -> None:
    changed = around.changed()
    if changed:
        msg = f"{what} changed {changed}"
        raise Finding(msg, batch=number, event=event, field=changed)


def _check_slices(subject: Subject, step: Step) -> None:
    """A slice changes only by the reducers of the batch's events."""
    touched = {reducer.state for event in step.events for reducer in subject.ruleset.reducers_of(type(event))}
    for kind, state in step.after.slices.items():
        if kind in touched:
            continue
        found = difference(step.before.slices[kind], state, kind.__name__)
        if found is not None:
            why = f"no event of the batch has a reducer into this slice, and it changed: {found}"
            raise Finding(why, batch=step.number, event=step.name, field=found.path)


def _look(subject: Subject, sample: Sample, number: int, position: Position) -> None:
    """Ask everything that must not change anything."""
    for viewer in subject.viewers:
        for shown in (position, sample.views[viewer][number]):
            fresh = shown.copy()
            subject.ruleset.to_act(fresh)
            if number:
                for kind in subject.ruleset.pictures:
                    subject.ruleset.draw(kind, fresh)
            if viewer is not None:
                subject.ruleset.legal(fresh, viewer)


def rules_import_nothing_foreign(subject: Subject) -> None:
    """The modules of the rules import no clock, dice, disk or network."""
    read = 0
    for module in modules_of(subject.ruleset):
        try:
            tree = ast.parse(inspect.getsource(module))
        except (OSError, TypeError):
            continue
        read += 1
        for node in ast.walk(tree):
            for name in _imported(node):
                if name.partition(".")[0] in FOREIGN:
                    line = getattr(node, "lineno", 0)
                    why = f"line {line} imports {name}; chance comes from now.chance, the time from now.at"
                    raise Finding(why, field=module.__name__)
    if not read:
        why = "the source of the rules can't be read"
        raise Skipped(why)


def _imported(node: ast.AST) -> tuple[str, ...]:
    if isinstance(node, ast.Import):
        return tuple(alias.name for alias in node.names)
    if isinstance(node, ast.ImportFrom) and not node.level:
        return (node.module or "",)
    return ()
