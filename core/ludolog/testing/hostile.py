"""Hostile input to everything that reads: only our errors, bounded memory, no hang, no import caused by data.

::

    python -m ludolog.testing hostile --cases 100000

The cases run in a forked child: a limit of memory holds for it alone, and it can be ended when it hangs.
"""

from __future__ import annotations

import contextlib
import logging
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Generator, Sequence
from importlib.abc import MetaPathFinder
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Final, NamedTuple

import msgspec

from ludolog.testing.faults import Child, Report
from ludolog.testing.hostile_inputs import PLANTED
from ludolog.testing.hostile_readers import Reader, readers
from ludolog_events import LudologError

__all__ = ["Figures", "hostile", "try_readers"]

MEMORY: Final = 1024 * 1024 * 1024
"""Bytes that the child may take beyond what it has when it begins."""

SECONDS: Final = 10.0
"""After which one case is a hang."""

_BLOCK: Final = 200


class Figures(msgspec.Struct):
    """What came of the cases; ``faults`` tells each that must not be, with the number that makes it again."""

    cases: int = 0
    accepted: dict[str, int] = {}
    refused: dict[str, int] = {}
    """By reader."""
    errors: dict[str, int] = {}
    """By the code of the error."""
    faults: list[str] = []
    slowest: float = 0.0
    """Seconds of processor time of one case."""
    slowest_reader: str = ""
    memory: int = 0
    """Megabytes that the child grew by at most."""

    def __str__(self) -> str:
        """A line for each reader, and one of everything."""
        lines = [
            f"{name:44}{self.accepted.get(name, 0):>8} read{self.refused.get(name, 0):>8} refused"
            for name in sorted({*self.accepted, *self.refused})
        ]
        codes = ", ".join(f"{code} {count}" for code, count in sorted(self.errors.items()))
        lines.append(f"refused with {codes}")
        lines.append(
            f"{self.cases} cases, {sum(self.refused.values())} refused, {len(self.faults)} faults; the slowest took "
            f"{self.slowest:.2f} s ({self.slowest_reader}), and memory grew by {self.memory} MB"
        )
        return "\n".join(lines)


class HungError(BaseException):
    """A case took too long; nothing that catches errors may catch this."""


def hostile(cases: int, *, seed: int = 0, first: int = 0) -> Figures:
    """Make cases and read them in a child of this process; its figures.

    Args:
        cases: How many.
        seed: From which they are drawn.
        first: Number of the first; the same number and seed give the same case.
    """

    def work(report: Report) -> None:
        with tempfile.TemporaryDirectory() as folder:
            found = readers(Path(folder))
            (Path(folder) / f"{PLANTED}.py").write_text("")
            _warm_up(found)
            figures = Figures()
            for start in range(first, first + cases, _BLOCK):
                report(f"case {start}")
                try_readers(found, range(start, min(start + _BLOCK, first + cases)), seed, figures)
            report("done " + msgspec.json.encode(figures).decode())

    child = Child(work, name="hostile input")
    last = ""
    while not last.startswith("done "):
        try:
            last = child.line(timeout=_BLOCK * SECONDS / 10 + 120)
        except AssertionError as error:
            return Figures(faults=[f"the process ended or hung after {last!r}: {error}"])
    child.finish()
    return msgspec.json.decode(last.removeprefix("done "), type=Figures)


def try_readers(found: Sequence[Reader], numbers: range, seed: int, figures: Figures) -> None:
    """Read the cases of these numbers, and count in ``figures`` what comes of them."""
    turns = [reader for reader in found for _ in range(reader.weight)]
    Random(0).shuffle(turns)  # noqa: S311 - an order, no secret
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    logging.disable(logging.CRITICAL)
    with _limited_memory(), _watched_imports() as imported:
        for number in numbers:
            _one(turns[number % len(turns)], number, Random(f"{seed}/{number}"), figures)  # noqa: S311 - the same
            for name in imported:
                figures.faults.append(f"case {number} ({turns[number % len(turns)].name}): imports {name}")
            imported.clear()
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    figures.memory = max(figures.memory, grown)


def _warm_up(found: Sequence[Reader]) -> None:
    """Read a little with each, so that what they import for any data is there before anybody watches."""
    for reader in found:
        for number in range(12 // reader.weight):
            made = reader.make(Random(number))  # noqa: S311 - a draw of input, no secret
            with contextlib.suppress(Exception):
                reader.read(made)


class _Outcome(NamedTuple):
    kind: str
    told: str = ""


def _one(reader: Reader, number: int, rng: Random, figures: Figures) -> None:
    made = reader.make(rng)
    began = time.process_time()
    outcome = _outcome(reader, made)
    took = time.process_time() - began
    figures.cases += 1
    if took > figures.slowest:
        figures.slowest, figures.slowest_reader = took, reader.name
    if outcome.kind == "fault":
        figures.faults.append(f"case {number} ({reader.name}): {outcome.told}")
    counts = figures.accepted if outcome.kind == "accepted" else figures.refused
    counts[reader.name] = counts.get(reader.name, 0) + 1
    if outcome.kind == "refused":
        figures.errors[outcome.told] = figures.errors.get(outcome.told, 0) + 1


def _outcome(reader: Reader, made: Any) -> _Outcome:  # noqa: ANN401 - whatever the reader takes
    signal.signal(signal.SIGALRM, _hang)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        reader.read(made)
    except LudologError as error:
        return _Outcome("refused", error.code)
    except (Exception, HungError) as error:  # noqa: BLE001 - this is what must not happen, whatever it is
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(where.filename).name}:{where.lineno}"
        return _Outcome("fault", f"{type(error).__name__} at {place}: {str(error)[:200]}")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return _Outcome("accepted")


def _hang(_signal: int, _frame: object) -> None:
    raise HungError


@contextlib.contextmanager
def _limited_memory() -> Generator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) if sys.platform == "linux" else 0
    limit = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


_OWN: Final = frozenset({"ludolog", "msgspec", "rich", "typer", "click", "structlog", "pygments", "shellingham"})
"""What imports modules of its own in functions, for all data alike."""


class _Watch(MetaPathFinder):
    """Is asked for every module that isn't loaded yet, finds none of them, and notes what only data can have named."""

    def __init__(self) -> None:
        self.heard: set[str] = set()

    def find_spec(self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None) -> None:
        """Note the name."""
        top = fullname.partition(".")[0]
        if PLANTED in fullname or (top not in sys.stdlib_module_names and top not in _OWN):
            self.heard.add(fullname)


@contextlib.contextmanager
def _watched_imports() -> Generator[set[str]]:
    """The names of modules that are looked for meanwhile."""
    watch = _Watch()
    sys.meta_path.insert(0, watch)
    try:
        yield watch.heard
    finally:
        sys.meta_path.remove(watch)
