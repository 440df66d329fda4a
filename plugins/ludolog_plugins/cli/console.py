"""Writing to the terminal: text that can't play tricks on it, tables, and JSON for programs."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import Final, Literal

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

__all__ = ["clean", "console", "draw", "grid", "headline", "hung", "pairs", "print_json", "say", "wrapped"]

_LEAST: Final = 20
"""Columns for a text behind a mark, however narrow the screen."""


def clean(text: str) -> str:
    """``text`` without characters that would steer the terminal; a log may come from anybody."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in "\n\t" else "�" for char in text)


class _Terminal(Console):
    """Leaves a reader that went away to whoever explains errors."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console() -> Console:
    """The terminal as it is now."""
    return _Terminal(highlight=False, markup=False, emoji=False)


def say(text: str, style: str = "") -> None:
    """Print prose; a terminal gets whole words in each line, a pipe the text as it is."""
    out = console()
    out.print(Text(clean(text), style=style), soft_wrap=not out.is_terminal)


def hung(mark: str, text: str, width: int) -> list[str]:
    """A text behind a mark, in lines of at most ``width`` columns that leave the mark alone; 0: in one line."""
    if not width or len(mark) + len(text) <= width:
        return [mark + text]
    # A name such as -1,2 is not to be broken behind its sign.
    return textwrap.wrap(
        text,
        max(width, len(mark) + _LEAST),
        initial_indent=mark,
        subsequent_indent=" " * len(mark),
        break_on_hyphens=False,
    )


def wrapped(parts: Iterable[str], width: int) -> list[str]:
    """Parts of a legend in lines of at most ``width`` columns, none of them broken; 0: in one line."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]}  {part}" if lines else part
        if lines and (not width or len(longer) <= width):
            lines[-1] = longer
        else:
            lines.append(part)
    return lines


def draw(text: str) -> None:
    """Print a picture made of text, line by line as it is."""
    sys.stdout.write(clean(text) + "\n")


def headline(text: str) -> None:
    """Print a line with a text in it."""
    console().print(Rule(Text(clean(text), style="bold"), align="left", characters="-"))


def grid(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, right: Iterable[str] = (), whole: Iterable[str] = ()
) -> None:
    """Print a table; the columns named in ``right`` hold numbers, what stands in those in ``whole`` is never broken."""
    table = Grid(show_edge=False, pad_edge=False, box=SIMPLE_HEAD)
    numbers, kept = set(right), set(whole)
    for name in columns:
        justify: Literal["left", "right"] = "right" if name in numbers else "left"
        table.add_column(Text(name), justify=justify, overflow="fold", no_wrap=name in kept)
    for row in rows:
        table.add_row(*(Text(clean(cell)) for cell in row))
    console().print(table)


def pairs(rows: Iterable[tuple[str, str]]) -> None:
    """Print names with the texts that belong to them, side by side."""
    table = Grid.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="bold")
    table.add_column(overflow="fold")
    for name, text in rows:
        table.add_row(Text(clean(name)), Text(clean(text)))
    console().print(table)


def print_json(value: object) -> None:
    """Print one value as one line of JSON."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")
