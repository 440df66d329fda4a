"""The command of the kit that kills a store, cuts its power and fails its disk."""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ludolog.testing.on_trial import OnTrial

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage] - argparse has no public name for it

__all__ = ["Figures", "add_fault_command"]

_IMPOSSIBLE = 2


class Figures(Protocol):
    """What all figures have: faults, and a line to print."""

    @property
    def faults(self) -> tuple[str, ...]:
        """What was wrong."""
        ...


def add_fault_command(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add it to the kit's commands."""
    fault = commands.add_parser("faults", help="kill a store, cut its power, fail its disk, and count what is lost")
    fault.add_argument("--kills", type=int, default=1000, metavar="N", help="kill -9 (%(default)s); 0: none")
    fault.add_argument("--images", type=int, default=2000, metavar="N", help="power cuts (%(default)s); 0: none")
    fault.add_argument("--every-io", action="store_true", help="fail each input and output in turn; takes minutes")
    fault.add_argument("--stride", type=int, default=1, metavar="N", help="of inputs and outputs, each N-th")
    fault.add_argument("--seed", type=int, default=0, metavar="N", help="of the samples (%(default)s)")
    fault.add_argument("--game", default="dark-horse-bugs", help="whose log is exported (%(default)s)")
    fault.add_argument(
        "--store",
        default="ludolog_plugins.stores.trial:ON_TRIAL",
        metavar="MODULE:NAME",
        help="what is tried, an OnTrial (%(default)s)",
    )
    fault.set_defaults(run=_faults)


def _faults(parsed: argparse.Namespace) -> int:
    module, _, name = str(parsed.store).partition(":")
    try:
        trial: OnTrial = getattr(importlib.import_module(module), name)
        if parsed.images or parsed.every_io:
            importlib.import_module("apsw")
    except (ImportError, AttributeError, ValueError) as error:
        hint = '; install it with: pip install "ludolog[testing]"' if getattr(error, "name", "") == "apsw" else ""
        sys.stderr.write(f"There is nothing to try it with: {error}{hint}\n")
        return _IMPOSSIBLE
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for figures in _figures(trial, Path(folder), parsed):
            wrong += len(figures.faults)
            sys.stdout.write("".join(f"{line}\n" for line in (figures, *figures.faults)))
            sys.stdout.flush()
    return 1 if wrong else 0


def _figures(trial: OnTrial, folder: Path, parsed: argparse.Namespace) -> Iterator[Figures]:
    if parsed.kills:
        from ludolog.testing.killing import kill  # noqa: PLC0415 - needs os.fork

        yield kill(trial, folder / "kills", parsed.kills, game=parsed.game, seed=parsed.seed)
    if parsed.images:
        from ludolog.testing.power import cut_power  # noqa: PLC0415 - needs apsw

        # Half of them each.
        yield cut_power(trial, folder / "full", parsed.images // 2, durability="full", seed=parsed.seed)
        half = parsed.images - parsed.images // 2
        yield cut_power(trial, folder / "normal", half, durability="normal", seed=parsed.seed)
    if parsed.every_io:
        from ludolog.testing.failing import KINDS, fail_each  # noqa: PLC0415 - needs apsw

        # Where SQLite makes do without an input or output that failed, apsw has nobody to raise the error to.
        sys.unraisablehook = lambda _: None
        for kind in KINDS:
            for lasting in (False, True):
                place = folder / f"{kind} {lasting}"
                yield fail_each(trial, place, kind, lasting=lasting, stride=parsed.stride)
