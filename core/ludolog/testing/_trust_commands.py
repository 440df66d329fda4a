"""Commands of the kit that try what a log is trusted for: tampering, and hostile input."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ludolog.testing.tampering import tamper, verifier_in
from ludolog_events import LudologError

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage] - argparse has no public name for it

__all__ = ["add_trust_commands"]


def add_trust_commands(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add them to the kit's commands."""
    forge = commands.add_parser("tamper", help="make mutants of logs and their files, and count who finds them")
    forge.add_argument("--mutants", type=int, default=20_000, metavar="N", help="how many (%(default)s)")
    forge.add_argument("--seed", type=int, default=0, metavar="N", help="from which they are drawn (%(default)s)")
    forge.add_argument("--first", type=int, default=0, metavar="N", help="number of the first; one is N and 1 mutant")
    forge.add_argument("--game", default="dark-horse-bugs", help="whose logs (%(default)s)")
    forge.add_argument("--verifier", metavar="FILE", help="another verifier of bundles, which must agree")
    forge.set_defaults(run=_tamper)
    hurt = commands.add_parser("hostile", help="read input that was made to hurt, with everything that reads")
    hurt.add_argument("--cases", type=int, default=100_000, metavar="N", help="how many (%(default)s)")
    hurt.add_argument("--seed", type=int, default=0, metavar="N", help="from which they are drawn (%(default)s)")
    hurt.add_argument("--first", type=int, default=0, metavar="N", help="number of the first; one is N and 1 case")
    hurt.set_defaults(run=_hostile)


def _tamper(parsed: argparse.Namespace) -> int:
    second = verifier_in(parsed.verifier) if parsed.verifier else None
    try:
        ledger = tamper(parsed.mutants, seed=parsed.seed, first=parsed.first, game=parsed.game, second=second)
    except LudologError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write("".join(f"{line}\n" for line in (ledger, *ledger.faults)))
    return 1 if ledger.faults else 0


def _hostile(parsed: argparse.Namespace) -> int:
    from ludolog.testing.hostile import hostile  # noqa: PLC0415 - needs os.fork

    figures = hostile(parsed.cases, seed=parsed.seed, first=parsed.first)
    sys.stdout.write("".join(f"{line}\n" for line in (*figures.faults, figures)))
    return 1 if figures.faults else 0
