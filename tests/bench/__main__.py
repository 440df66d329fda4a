"""``make bench``: the ratios that the library promises, measured in one run on one machine."""

from __future__ import annotations

import argparse
import json
import platform
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1])]

from bench import appends, games, growth, playouts, storage  # noqa: E402 - found by the path above
from bench.measure import Ratio, Speed  # noqa: E402

QUICK = 100_000
FULL = 1_000_000

SUBJECTS: dict[str, Callable[[int], Iterator[Ratio | Speed]]] = {
    "playouts": lambda _: playouts.ratios(),
    "games": lambda _: games.ratios(),
    "search": lambda _: games.budgets(),
    "speeds": lambda _: games.speeds(),
    "replay": lambda _: storage.ratios(),
    "appends": lambda _: appends.ratios(),
    "growth": growth.ratios,
}


def main() -> None:
    """Measure, print and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="file for the figures")
    parser.add_argument("--length", type=int, help=f"batches of the longest table (by default {FULL:,})")
    parser.add_argument("--quick", action="store_true", help=f"the longest table has {QUICK:,} batches")
    parser.add_argument("--only", nargs="+", choices=SUBJECTS, default=list(SUBJECTS), help="measure just these")
    arguments = parser.parse_args()
    length: int = arguments.length or (QUICK if arguments.quick else FULL)
    ratios: list[Ratio] = []
    speeds: list[Speed] = []
    for subject in arguments.only:
        for found in SUBJECTS[subject](length):
            print(found.line(), flush=True)
            if isinstance(found, Ratio):
                ratios.append(found)
            else:
                speeds.append(found)
    if arguments.json:
        about = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version, "machine": platform.machine()}
        figures = {
            "ratios": [{**ratio._asdict(), "met": ratio.met} for ratio in ratios],
            "speeds": [speed._asdict() for speed in speeds],
        }
        arguments.json.write_text(json.dumps({**about, "longest": length, **figures}, indent=2) + "\n")


main()
