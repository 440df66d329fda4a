"""The keyboard: a key at a time in a terminal, a line at a time from anywhere else."""

from __future__ import annotations

import sys
from typing import Final, Protocol

import typer

__all__ = ["ENTER", "ERASE", "ESCAPE", "Keyboard", "Lines", "Terminal", "keyboard"]

ENTER = "\r"
ERASE = "\x7f"
ESCAPE = "\x1b"
_SPECIAL: Final = (ESCAPE, "\x00", "\xe0")


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

    def __init__(self) -> None:
        """No key has been pressed yet."""
        self._more = ""

    def key(self) -> str:
        """One key: a character, ``ENTER``, ``ERASE``, or what an arrow or page key sends.

        Raises:
            KeyboardInterrupt: The key for that was pressed.
        """
        if not self._more:
            try:
                self._more = typer.getchar()
            except EOFError:
                return ""
        # What is typed fast or pasted comes at once; only a key that is no character comes as several by itself.
        length = len(self._more) if self._more.startswith(_SPECIAL) else 1
        pressed, self._more = self._more[:length], self._more[length:]
        if pressed == "\x03":
            raise KeyboardInterrupt
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
