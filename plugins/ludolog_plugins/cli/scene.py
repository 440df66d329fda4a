"""What stands above a question in ``play``: the picture and what happened since, no more than a screen can take."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len
from rich.text import Text

from ludolog_plugins.cli.console import console, draw, hung, say
from ludolog_plugins.cli.keys import ESCAPE, Keyboard

__all__ = ["Scene"]

_AROUND: Final = 6
"""Lines of a screen around picture and list."""
_FEW: Final = 5
"""Lines of a list that stand below every picture."""
_SCRIPT: Final = 9
"""Lines of a list for a script, however low the screen it doesn't have."""
_QUIET: Final = "The picture is higher than the screen: [l] shows it."


class Scene:
    """The lines above the question, and how much room they leave to the answers.

    In a terminal a picture is shown when it has changed or is asked for. One that is higher than the screen is shown
    at first and when it is asked for, a screenful at a time; else it would push away what is to be read.

    Args:
        keys: Where keys come from.
    """

    def __init__(self, keys: Keyboard) -> None:
        self.keys = keys
        self._asked = True
        self._shown: str = ""
        self._above = 0

    @property
    def width(self) -> int:
        """Columns of the terminal; 0 if what is printed goes elsewhere."""
        out = console()
        return out.width if out.is_terminal else 0

    @property
    def page(self) -> int:
        """Lines for a list that has the screen for itself."""
        return max(console().height - _AROUND, _FEW if self.keys.at_once else _SCRIPT)

    @property
    def room(self) -> int:
        """Lines for a list below what stands there now."""
        if not self.keys.at_once:
            return self.page
        return max(console().height - _AROUND - self._above, _FEW)

    def ask(self) -> None:
        """Let the next picture be shown, whatever it is."""
        self._asked = True

    def look(self, picture: str) -> None:
        """Show the picture, if there is a reason to; what happened after it is told below."""
        self._above = 0
        if not self.keys.at_once:
            self._draw(picture)
            return
        lines = picture.splitlines()
        if self._rows(lines) + 2 <= console().height:
            if self._asked or picture != self._shown:
                self._draw(picture)
                self._above = self._rows(lines)
        elif self._asked:
            self._leaf_through(lines)
        elif picture != self._shown:
            say(_QUIET, "dim")
            self._above = 1
        self._asked, self._shown = False, picture

    def tell(self, sentence: str, *, mark: str = "", style: str = "") -> None:
        """Print a sentence below the picture."""
        lines = hung(mark, sentence, self.width)
        say("\n".join(lines), style)
        self._above += len(lines)

    def _draw(self, picture: str) -> None:
        say("")
        draw(picture)
        say("")

    def _rows(self, lines: list[str]) -> int:
        """Rows that lines take on the screen, which breaks those that are longer."""
        width = console().width
        return sum(max(-(-cell_len(line) // width), 1) for line in lines)

    def _leaf_through(self, lines: list[str]) -> None:
        """Show lines a screenful at a time, each until a key is pressed."""
        left = lines
        while left:
            page, left = self._parted(left)
            draw("\n".join(page))
            prompt = "Any key goes on, [q] skips the rest." if left else "Any key goes on."
            console().print(Text(prompt, style="dim"), end="")
            key = self.keys.key()
            say("")
            if key in {"q", ESCAPE, ""}:
                return

    def _parted(self, lines: list[str]) -> tuple[list[str], list[str]]:
        """A screenful, with room for a line below it, and the rest; parted at an empty line if one is near the end."""
        height = console().height
        number = next((n for n in range(len(lines), 1, -1) if self._rows(lines[:n]) < height), 1)
        if number < len(lines):
            empty = [place for place in range(height // 2, number + 1) if not lines[place].strip()]
            number = empty[-1] if empty else number
        rest = lines[number:]
        return lines[:number], rest[1:] if rest and not rest[0].strip() else rest
