"""A screen of lines in the terminal, of which only those that differ are written again."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Final, Self

from rich.console import Console
from rich.control import Control
from rich.segment import ControlType
from rich.text import Text

from ludolog_plugins.cli.console import clean

__all__ = ["LineScreen"]

_CLEAR_LINE: Final = Control((ControlType.ERASE_IN_LINE, 2))


class LineScreen:
    """The terminal's other screen: what stood there before comes back at the end.

    Args:
        out: The terminal.
    """

    def __init__(self, out: Console) -> None:
        self.out = out
        self._size = (0, 0)
        self._shown: list[str] = []

    def __enter__(self) -> Self:
        """Take the screen."""
        self.out.set_alt_screen(enable=True)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Give it back."""
        self.out.set_alt_screen(enable=False)

    @property
    def size(self) -> tuple[int, int]:
        """Columns that can be written, and lines."""
        return self.out.width - 1, self.out.height

    def show(self, lines: Sequence[str], *, cursor: int) -> None:
        """Let the screen show ``lines`` from its top; what is too much is cut off.

        Args:
            lines: All of them, also those that stand there already.
            cursor: Column of the cursor, in the last line.
        """
        width, height = self.size
        if self._size != (width, height):
            self._size = (width, height)
            self._shown = []
            self.out.control(Control.clear())
        wanted = [_cut(line, width) for line in lines[:height]]
        before = [*self._shown, *[""] * (len(wanted) - len(self._shown))]
        for row, line in enumerate([*wanted, *[""] * (len(before) - len(wanted))]):
            if line != before[row]:
                self.out.control(Control.move_to(0, row), _CLEAR_LINE)
                self.out.print(Text(line), end="", soft_wrap=True)
        if wanted and wanted != self._shown:
            self.out.control(Control.move_to(min(cursor, width), len(wanted) - 1))
        self._shown = wanted


def _cut(line: str, width: int) -> str:
    text = Text(clean(line))
    text.truncate(width, overflow="crop")
    return text.plain
