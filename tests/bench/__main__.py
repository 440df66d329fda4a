"""``make bench``: the ratios that the library promises, measured in one run on one machine."""

from __future__ import annotations

import argparse
import json
import platform
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1])]

from bench import playouts, storage  # noqa: E402 - found by the path above
from bench.measure import Ratio  # noqa: E402


def ratios(length: int) -> Iterator[Ratio]:
    """Every ratio, as it is measured."""
    yield from playouts.ratios()
    yield from storage.ratios(length)


def main() -> None:
    """Measure, print and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="file for the figures")
    parser.add_argument("--length", type=int, default=1_000_000, help="batches of the long table")
    arguments = parser.parse_args()
    found: list[Ratio] = []
    for ratio in ratios(arguments.length):
        print(ratio.line(), flush=True)
        found.append(ratio)
    if arguments.json:
        about = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version, "machine": platform.machine()}
        figures = [{**ratio._asdict(), "met": ratio.met} for ratio in found]
        arguments.json.write_text(json.dumps({**about, "ratios": figures}, indent=2) + "\n")


main()
