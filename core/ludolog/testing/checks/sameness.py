"""Do the same commands always give the same game, whatever else goes on in the process or in another one?"""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
from typing import Any, Final

import msgspec

from ludolog.frame import SeedRevealed
from ludolog.testing.comparing import difference
from ludolog.testing.findings import Finding, Skipped
from ludolog.testing.replaying import Step, replay
from ludolog.testing.sameness import Recipe, protocol
from ludolog.testing.subject import Sample, Subject
from ludolog_events import LudologError

__all__ = ["other_processes_give_the_same", "played_again_it_is_the_same"]

_HASH_SEEDS: Final = ("1", "2")
_PATIENCE: Final = 300
_GAMES: Final = 2
_UNREADABLE: Final = 3
_CALL: Final = "import sys; from ludolog.testing.command import main; sys.exit(main(['replay']))"


def played_again_it_is_the_same(subject: Subject) -> None:
    """Decided again, to the last batch, with other global random states and at another time, a game is the same."""
    state = random.getstate()
    try:
        for sample in subject.samples:
            for run in range(2):
                random.seed(run)
                _check_again(subject, sample)
    finally:
        random.setstate(state)


def _check_again(subject: Subject, sample: Sample) -> None:
    number = 0
    try:
        for step in replay(sample):
            number = min(step.number + 1, len(sample.facts) - 1)
            _check_step(subject, sample, step)
    except LudologError as error:
        why = f"decided again, the game takes another course: {error}"
        raise Finding(why, batch=number, event=sample.name_of(number)) from error


def _check_step(subject: Subject, sample: Sample, step: Step) -> None:
    live = [event for event in sample.facts[step.number].events if not isinstance(event, SeedRevealed)]
    for event, was in zip(step.events, live, strict=False):
        name = type(event).__name__
        found = difference(event, was, name)
        if found is not None:
            why = f"decided again, it holds {found.one!r}, and it was {found.other!r}"
            raise Finding(why, batch=step.number, event=name, field=found.path)
    if len(step.events) != len(live):
        last = (step.events or tuple(live))[-1]
        why = f"decided again, the batch has {len(step.events)} events, and it had {len(live)}"
        raise Finding(why, batch=step.number, event=type(last).__name__)
    for seat, listed in sample.listed[step.number].items():
        if subject.ruleset.legal(step.after, seat) != listed:
            msg = "listed again, other commands are legal"
            raise Finding(msg, batch=step.number, field="legal", seat=seat)


def other_processes_give_the_same(subject: Subject) -> None:
    """In other processes, with other seeds of ``hash``, the same commands give the same events and the same lists."""
    games = {len(one.seats): tuple(tuple(sample.turns) for sample in one.samples[:_GAMES]) for one in subject.group}
    recipe = Recipe(subject.ruleset, games)
    try:
        data = pickle.dumps(recipe)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        why = f"the rules can't be named to another process ({error}); give a game of a module that can be imported"
        raise Skipped(why) from None
    children = [_start(seed) for seed in _HASH_SEEDS]
    try:
        # What was packed and unpacked holds lists for tuples; so what is expected goes the same way.
        expected = msgspec.msgpack.decode(msgspec.msgpack.encode(protocol(recipe)))
    finally:
        answers = [(child.communicate(data, timeout=_PATIENCE), child.returncode) for child in children]
    for seed, ((told, complaints), code) in zip(_HASH_SEEDS, answers, strict=True):
        last = complaints.decode(errors="replace").strip().rpartition("\n")[2]
        if code == _UNREADABLE:
            why = f"the rules can't be imported in another process ({last})"
            raise Skipped(why)
        if code:
            why = f"in another process the game can't be played: {last}"
            raise Finding(why)
        _compare(expected, msgspec.msgpack.decode(told), seed)


def _start(hash_seed: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen(  # noqa: S603 - this very Python
        [sys.executable, "-c", _CALL],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )


def _compare(expected: list[Any], told: list[Any], seed: str) -> None:
    where = f"with PYTHONHASHSEED={seed}"
    for game, other in zip(expected, told, strict=True):
        for number, (here, there) in enumerate(zip(game, other, strict=False), start=1):
            for event, another in zip(here[0], there[0], strict=False):
                if event != another:
                    name, field = _differing(event, another)
                    why = f"{where}, another process gives {another}, and here it is {event}"
                    raise Finding(why, batch=number, event=name, field=field)
            if len(here[0]) != len(there[0]):
                msg = f"{where}, another process gives another number of events"
                raise Finding(msg, batch=number)
            if here[1] != there[1]:
                why = f"{where}, another process lists other commands, or in another order"
                raise Finding(why, batch=number, field="legal")


def _differing(event: dict[str, Any], other: dict[str, Any]) -> tuple[str, str]:
    name = str(event.get("type", ""))
    camel = "".join(word.capitalize() for word in name.rpartition("/")[2].split("-"))
    fields = [field for field in {**event, **other} if event.get(field) != other.get(field)]
    return camel, f"{camel}.{fields[0]}" if fields else ""
