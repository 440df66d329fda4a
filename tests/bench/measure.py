"""Measuring ratios: what is compared runs in turn, round by round, in one process, and medians are compared."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

__all__ = ["Ratio", "Speed", "ratio", "single"]

Work = Callable[[], int]
"""Does some work and returns how many units of it."""


class Ratio(NamedTuple):
    """How long a unit takes (or what it needs, in ``unit``) beside a unit of the bare work.

    ``goal`` is the most that is wanted (the least, if ``least``); 0 if no goal is set.
    """

    name: str
    value: float
    goal: float
    least: bool
    unit_us: float
    bare_us: float
    unit: str = "us"

    @property
    def met(self) -> bool:
        """Whether the goal is met."""
        return self.value >= self.goal if self.least else self.value <= self.goal

    def line(self) -> str:
        """One line of the report."""
        goal = f"(goal {'>=' if self.least else '<='} {self.goal:.2f})" if self.goal else "(no goal)     "
        mark = ("ok  " if self.met else "MISS") if self.goal else "    "
        return (
            f"{mark} {self.name:<58} {self.value:6.2f} x {goal} "
            f"{self.unit_us:9.2f} {self.unit} beside {self.bare_us:9.2f} {self.unit}"
        )


class Speed(NamedTuple):
    """So many whole games and so many of their parts in a second."""

    name: str
    games: float
    parts: float
    part: str
    """What the parts are, in the plural."""

    def line(self) -> str:
        """One line of the report."""
        return f"     {self.name:<58} {self.games:8.2f} games a s, {self.parts:9.0f} {self.part} a s"


def _once(work: Work) -> float:
    gc.collect()
    began = time.perf_counter()
    units = work()
    return (time.perf_counter() - began) / units * 1e6


def single(name: str, work: Work, bare: Work, goal: float) -> Ratio:
    """One long run of ``work`` beside the median of three short ones of ``bare``; for what takes a minute."""
    plain = statistics.median(_once(bare) for _ in range(3))
    unit = _once(work)
    return Ratio(name, unit / plain, goal, least=False, unit_us=unit, bare_us=plain)


def ratio(name: str, work: Work, bare: Work, goal: float, *, rounds: int = 9, least: bool = False) -> Ratio:
    """Median of ``work`` over median of ``bare``, in ``rounds`` interleaved rounds after one to warm up.

    With ``least`` the two are rates (bare over work), and larger is better.
    """
    work(), bare()
    times: list[float] = []
    bares: list[float] = []
    for turn in range(rounds):
        for kind in (0, 1) if turn % 2 else (1, 0):
            (times if kind else bares).append(_once(work if kind else bare))
    unit, plain = statistics.median(times), statistics.median(bares)
    return Ratio(name, plain / unit if least else unit / plain, goal, least, unit, plain)
