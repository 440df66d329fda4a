"""Measuring ratios: what is compared runs in turn, round by round, in one process, and medians are compared."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

__all__ = ["Ratio", "ratio"]

Work = Callable[[], int]
"""Does some work and returns how many units of it."""


class Ratio(NamedTuple):
    """How long a unit takes beside a unit of the bare work; ``goal`` is the most wanted (the least, if ``least``)."""

    name: str
    value: float
    goal: float
    least: bool
    unit_us: float
    bare_us: float

    @property
    def met(self) -> bool:
        """Whether the goal is met."""
        return self.value >= self.goal if self.least else self.value <= self.goal

    def line(self) -> str:
        """One line of the report."""
        sign = ">=" if self.least else "<="
        mark = "ok  " if self.met else "MISS"
        return (
            f"{mark} {self.name:<58} {self.value:6.2f} x (goal {sign} {self.goal:.2f}) "
            f"{self.unit_us:9.2f} us beside {self.bare_us:9.2f} us"
        )


def _once(work: Work) -> float:
    gc.collect()
    began = time.perf_counter()
    units = work()
    return (time.perf_counter() - began) / units * 1e6


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
