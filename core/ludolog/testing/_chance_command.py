"""The command of the kit that measures chance."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ludolog.testing.fair_dice import figures

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage] - argparse has no public name for it

__all__ = ["add_chance_command"]


def add_chance_command(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add it to the kit's commands."""
    measure = commands.add_parser("chance", help="draw dice, shuffles and choices, and print how even they come")
    measure.add_argument("--draws", type=int, default=1_000_000, metavar="N", help="for each of them (%(default)s)")
    measure.add_argument("--seed", default="1", metavar="TEXT", help="from which all is derived (%(default)s)")
    measure.set_defaults(run=_measure)


def _measure(parsed: argparse.Namespace) -> int:
    unfair = 0
    for figure in figures(parsed.draws, parsed.seed):
        sys.stdout.write(f"{figure}\n")
        unfair += not figure.ok
    sys.stdout.write(f"{unfair} of them not as fair dice would have it.\n" if unfair else "All as fair dice have it.\n")
    return 1 if unfair else 0
