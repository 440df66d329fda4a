"""Do the rules change nothing but what they return, and look at nothing outside of the game?"""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable
from typing import Any, Final

from ludolog.testing.comparing import difference
from ludolog.testing.findings import Finding, Skipped
from ludolog.testing.replaying import rewired
from ludolog.testing.subject import Sample, Subject
from ludolog.testing.surroundings import Surroundings, modules_of
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
_GAMES: Final = 2
_LONG: Final = 300
_EVERY: Final = 48
_SELDOM: Final = 16
"""What stands around the rules is looked at after each of the first batches, and seldom later in long games."""


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
            before = repr((state, event))
            new = function(state, event)
            self._check(before, state, event, new)
            again = function(state, event)
            found = difference(new, again, type(state).__name__)
            if found is not None:
                why = f"called twice with the same, the reducer gives {found}"
                raise _Caught(Finding(why, batch=self.batch, event=name, field=found.path))
            return new

        return watched

    def _check(self, before: str, state: object, event: Event, new: object) -> None:
        name, kind = type(event).__name__, type(state).__name__
        if repr((state, event)) != before:
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
    watch = _Watch()
    watched = Subject(rewired(subject.ruleset, reducing=watch), len(subject.seats), subject.settings)
    around = Surroundings(subject.ruleset)

    def look(sample: Sample) -> None:
        number = len(sample.positions) - 1
        watch.batch = number + 1
        events = sample.table.journal.one(number).events
        name = sample.name_of(number) or "Begin"
        _check_slices(subject, sample, number, name, events)
        if number <= _EVERY or number % _SELDOM == 0:
            _check_around(around, number, type(events[-1]).__name__, f"deciding {name}")
        if number % (_SELDOM if number <= _EVERY else _EVERY) == 1:
            _ask_everything(sample, number)
            _check_around(around, number, "", "listing, drawing or asking who may act")

    # Games of their own: what the sample games have left somewhere can't be seen any more.
    long = any(len(sample.positions) > _LONG for sample in subject.samples)
    for number in range(subject.settings.games, subject.settings.games + (1 if long else _GAMES)):
        watch.batch = 1
        try:
            watched.play(number, look)
        except _Caught as caught:
            raise caught.finding from None


def _check_around(around: Surroundings, number: int, event: str, what: str) -> None:
    changed = around.changed()
    if changed:
        msg = f"{what} changed {changed}"
        raise Finding(msg, batch=number, event=event, field=changed)


def _check_slices(subject: Subject, sample: Sample, number: int, name: str, events: tuple[Event, ...]) -> None:
    """A slice changes only by the reducers of the batch's events."""
    touched = {reducer.state for event in events for reducer in subject.ruleset.reducers_of(type(event))}
    before, after = sample.positions[number - 1], sample.positions[number]
    for kind, state in after.slices.items():
        if kind in touched:
            continue
        found = difference(before.slices[kind], state, kind.__name__)
        if found is not None:
            why = f"no event of the batch has a reducer into this slice, and it changed: {found}"
            raise Finding(why, batch=number, event=name, field=found.path)


def _ask_everything(sample: Sample, number: int) -> None:
    """Ask everything that must not change anything."""
    table = sample.table
    for shown in (sample.positions[number], *map(table.view, sample.viewers)):
        fresh = shown.copy()
        table.ruleset.to_act(fresh)
        for kind in table.ruleset.pictures:
            table.ruleset.draw(kind, fresh)
        for seat in table.seats:
            if not shown.is_view or shown.viewer == seat:
                table.ruleset.legal(fresh, seat)


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
