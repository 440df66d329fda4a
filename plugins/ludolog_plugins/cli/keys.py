"""The keyboard: a key at a time in a terminal, a line at a time from anywhere else."""

from __future__ import annotations

import sys
from typing import Protocol

import typer

__all__ = ["ENTER", "ERASE", "Keyboard", "Lines", "Terminal", "keyboard"]

ENTER = "\r"
ERASE = "\x7f"


class Keyboard(Protocol):
    """Where keys come from; ``at_once`` if each is read when it is pressed."""

    at_once: bool

    def key(self) -> str:
        """The next key, or line; empty when there are no more.

        Raises:
            KeyboardInterrupt: The key for that was pressed.
        """
        ...


class Terminal:
    """Keys as they are pressed."""

    at_once = True

    def key(self) -> str:
        """One key: a character, ``ENTER``, ``ERASE``, or what an arrow or page key sends."""
        try:
            pressed = typer.getchar()
        except EOFError:
            return ""
        return {"\n": ENTER, "\b": ERASE, "\x04": ""}.get(pressed, pressed)


class Lines:
    """Lines of the standard input, for scripts."""

    at_once = False

    def key(self) -> str:
        """The next line that is not empty, without blanks around it."""
        for line in sys.stdin:
            if line.strip():
                return line.strip()
        return ""


def keyboard() -> Keyboard:
    """The keyboard, if there is one."""
    return Terminal() if sys.stdin.isatty() and sys.stdout.isatty() else Lines()
