"""The command line of the kit: ``python -m ludolog.testing``."""

from __future__ import annotations

import argparse
import contextlib
import pickle
import sys
from collections.abc import Sequence
from typing import Final

import msgspec

from ludolog.testing.sameness import protocol

__all__ = ["UNREADABLE", "main"]

UNREADABLE: Final = 3
"""Exit code of a process that can't import the rules it was told to play."""


def main(arguments: Sequence[str]) -> int:
    """Run one command; its exit code."""
    parser = argparse.ArgumentParser(prog="python -m ludolog.testing", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("replay", help="play sample games that come on standard input again; the kit's own")
    parsed = parser.parse_args(arguments)
    return _replay() if parsed.command == "replay" else 0


def _replay() -> int:
    """Play the games of a recipe, and write what happens."""
    try:
        recipe = pickle.loads(sys.stdin.buffer.read())  # noqa: S301 - written by the kit that started this process
    except (ImportError, AttributeError) as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return UNREADABLE
    with contextlib.redirect_stdout(sys.stderr):
        told = protocol(recipe)
    sys.stdout.buffer.write(msgspec.msgpack.encode(told))
    return 0
