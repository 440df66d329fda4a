"""The command line of the kit: ``python -m ludolog.testing``."""

from __future__ import annotations

import argparse
import contextlib
import pickle
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from ludolog.opening import open_store
from ludolog.store import Store
from ludolog.testing._chance_command import add_chance_command
from ludolog.testing._fault_command import Figures, add_fault_command
from ludolog.testing._trust_commands import add_trust_commands
from ludolog.testing.campaign import Plan, campaign
from ludolog.testing.sameness import protocol
from ludolog_events import LudologError

__all__ = ["main"]

_FAILED: Final = 1
_IMPOSSIBLE: Final = 2
_UNREADABLE: Final = 3


def main(arguments: Sequence[str]) -> int:
    """Run one command.

    Returns:
        0; 1 if games failed or promises were broken; 2 if there is nothing to try; 3 for a process that can't import
        what it shall play.
    """
    parsed = _parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = parsed.run
    return run(parsed)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m ludolog.testing", description="For authors of games, variants and stores."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    replay = commands.add_parser("replay", help="play sample games that come on standard input again; the kit's own")
    replay.set_defaults(run=_replay)
    play = commands.add_parser("campaign", help="play thousands of random games under the cheap checks")
    play.add_argument("game", help="id of an installed game")
    play.add_argument("--seats", type=_numbers, default=(), metavar="2,3", help="by default all that are possible")
    play.add_argument("--variants", type=_names, default=(), metavar="A,B", help="switched on in every game")
    play.add_argument("--any-variants", action="store_true", help="draw any set of variants that fits for each game")
    play.add_argument("--options", type=_options, default={}, metavar="A=1,B=x", help="fixed in every game")
    play.add_argument("--all-options", action="store_true", help="draw the other options for each game")
    play.add_argument("--pairs", action="store_true", help="play every pair of variants that fits, not random sets")
    play.add_argument("--sets", type=int, default=0, metavar="N", help="play N different random sets of variants")
    play.add_argument("--bots", default="", metavar="NAME", help="let bots play, such as hasty; else at random")
    play.add_argument("--count", default="", metavar="MODULE:FUNCTION", help="of the last position of every game")
    play.add_argument("--unwanted", type=_names, default=(), metavar="A,B", help="reasons to end that are failures")
    play.add_argument(
        "--games", type=int, default=1000, metavar="N", help="how many (%(default)s); of each pair or set and seats"
    )
    play.add_argument("--first", type=int, default=0, metavar="N", help="number of the first; one game is N and 1 game")
    play.add_argument("--part", type=_part, default=(1, 1), metavar="K/N", help="only the K-th of every N games")
    play.add_argument("--bound", type=int, default=5000, metavar="N", help="most commands of a game (%(default)s)")
    play.add_argument("--jobs", type=int, default=1, metavar="N", help="processes at work (%(default)s)")
    play.add_argument("--invariant", action="append", default=[], metavar="MODULE:FUNCTION", help="of every position")
    play.set_defaults(run=_campaign)
    write = commands.add_parser("writers", help="let many processes append to a store at once, and count the appends")
    write.add_argument("--store", metavar="PATH_OR_URL", help="by default a SQLite file that is removed afterwards")
    write.add_argument("--processes", type=int, default=8, metavar="N", help="how many write (%(default)s)")
    write.add_argument("--appends", type=int, default=500, metavar="N", help="by each of them (%(default)s)")
    write.add_argument("--tables", type=int, default=1, metavar="N", help="to so many new tables (%(default)s)")
    write.set_defaults(run=_writers)
    follow = commands.add_parser("followers", help="let processes append to a store while others follow its feed")
    follow.add_argument("--store", metavar="PATH_OR_URL", help="a new one; by default a SQLite file that is removed")
    follow.add_argument("--writers", type=int, default=8, metavar="N", help="how many write (%(default)s)")
    follow.add_argument("--events", type=int, default=2000, metavar="N", help="by each of them (%(default)s)")
    follow.add_argument("--readers", type=int, default=4, metavar="N", help="how many follow (%(default)s)")
    follow.add_argument("--tables", type=int, default=8, metavar="N", help="to so many new tables (%(default)s)")
    follow.set_defaults(run=_followers)
    add_chance_command(commands)
    add_fault_command(commands)
    add_trust_commands(commands)
    return parser


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, _names(text)))


def _part(text: str) -> tuple[int, int]:
    place, _, of = text.partition("/")
    if not 1 <= int(place) <= int(of):
        raise ValueError(text)
    return int(place), int(of)


def _options(text: str) -> dict[str, Any]:
    pairs = [pair.partition("=") for pair in _names(text)]
    if not all(equals for _, equals, _ in pairs):
        raise argparse.ArgumentTypeError(text)
    return {name: int(value) if value.lstrip("-").isdigit() else value for name, _, value in pairs}


def _campaign(parsed: argparse.Namespace) -> int:
    """Play a campaign, tell its failures one by one, and close with one line."""
    plan = Plan(
        game=parsed.game,
        seats=parsed.seats,
        variants=parsed.variants,
        any_variants=parsed.any_variants,
        options=parsed.options,
        all_options=parsed.all_options,
        games=parsed.games,
        bound=parsed.bound,
        first=parsed.first,
        invariants=tuple(parsed.invariant),
        bots=parsed.bots,
        part=parsed.part,
        count=parsed.count,
        pairs=parsed.pairs,
        sets=parsed.sets,
        unwanted=parsed.unwanted,
    )
    try:
        figures, line = campaign(plan, jobs=parsed.jobs)
    except LudologError as error:
        sys.stderr.write(f"{error}\n")
        return _IMPOSSIBLE
    for failure in figures.failures:
        sys.stdout.write(f"{failure.why}\n    in {failure.drawn}\n")
    sys.stdout.write(f"{line}\n")
    return _FAILED if figures.failures else 0


def _writers(parsed: argparse.Namespace) -> int:
    """Append from many processes; close with one line."""
    from ludolog.testing.writers import write_at_once  # noqa: PLC0415 - needs os.fork

    def run(store: Callable[[], Store]) -> Figures:
        return write_at_once(store, processes=parsed.processes, appends=parsed.appends, tables=parsed.tables)

    return _on_a_store(parsed, run)


def _followers(parsed: argparse.Namespace) -> int:
    """Append and follow from many processes; close with one line."""
    from ludolog.testing.followers import follow_at_once  # noqa: PLC0415 - needs os.fork

    def run(store: Callable[[], Store]) -> Figures:
        return follow_at_once(
            store, writers=parsed.writers, events=parsed.events, readers=parsed.readers, tables=parsed.tables
        )

    return _on_a_store(parsed, run)


def _on_a_store(parsed: argparse.Namespace, run: Callable[[Callable[[], Store]], Figures]) -> int:
    """Try the store that was asked for, or one of SQLite in a folder that goes away."""
    with tempfile.TemporaryDirectory() as folder:
        spec: str = parsed.store or f"sqlite://{Path(folder) / 'tried.db'}?shared=allow&busy_timeout=60"
        try:
            figures = run(lambda: open_store(spec))
        except LudologError as error:
            sys.stderr.write(f"{error}\n")
            return _IMPOSSIBLE
    sys.stdout.write("".join(f"{line}\n" for line in (*figures.faults, figures)))
    return _FAILED if figures.faults else 0


def _replay(_parsed: argparse.Namespace) -> int:
    """Play the games of a recipe, and write what happens."""
    try:
        recipe = pickle.loads(sys.stdin.buffer.read())  # noqa: S301 - written by the kit that started this process
    except (ImportError, AttributeError) as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return _UNREADABLE
    with contextlib.redirect_stdout(sys.stderr):
        told = protocol(recipe)
    sys.stdout.buffer.write(msgspec.msgpack.encode(told))
    return 0
