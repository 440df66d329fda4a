"""The board as text and as SVG, from a position or from what a seat knows of it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from html import escape
from typing import Final

from ludolog import Position
from ludolog_plugins.dark_is_the_night.data import CELLS, DARK, INNER
from ludolog_plugins.dark_is_the_night.deduction import deduced_spaces
from ludolog_plugins.dark_is_the_night.state import Camp, Dark, Night, rules

__all__ = ["svg", "text"]

_SIZE: Final = 5
_FIRE: Final = (2, 2)
_WIDTH: Final = 8


@rules.picture("text")
def text(position: Position, *, possible: bool = False) -> str:
    """The board as text: the Hunter in brackets, ``*`` lit, ``!`` trap, ``%`` mutton, ``M`` the Monster where told.

    Args:
        position: A view or a full position.
        possible: Whether to mark with ``?`` where the Monster may be by what everyone was told.
    """
    words = {CELLS[space]: f"{space:>2}{marks:<3}" for space, marks in _marks(position, possible=possible).items()}
    here = position[Camp].space
    words |= {CELLS[space]: f"[{space}]" if space == here else f" {space} " for space in INNER}
    words[_FIRE] = "fire"
    rows = ["".join(words.get((row, col), "").center(_WIDTH) for col in range(_SIZE)) for row in range(_SIZE)]
    return "\n".join(line.rstrip() for line in (*_captions(position), "", *rows, "", *_legend(words)))


def _marks(position: Position, *, possible: bool) -> dict[int, str]:
    """Marks of each dark space."""
    dark = position[Dark]
    guessed = deduced_spaces(position) if possible else ()
    return {
        space: "".join(
            mark
            for mark, here in (
                ("*", space in dark.lit),
                ("!", space == dark.trap),
                ("%", space == dark.mutton),
                ("M", space == dark.dial),
                ("?", space in guessed),
            )
            if here
        )
        for space in DARK
    }


_KEY: Final = {"*": "lit", "!": "bell trap", "%": "mutton", "M": "Monster", "?": "Monster possible"}


def _legend(words: dict[tuple[int, int], str]) -> Iterator[str]:
    shown = [f"{mark} {name}" for mark, name in _KEY.items() if any(mark in word for word in words.values())]
    if shown:
        yield "   ".join(shown)


_ASKED: Final = {
    "hide": "{monster} chooses where the Monster starts",
    "place": "{hunter} chooses where the Hunter starts",
    "move": "{acting} moves",
    "action": "{acting} may act",
    "torn": "{monster} chooses the way to the mutton",
}


def _captions(position: Position) -> Iterator[str]:
    """Who is to do what, what is left, and how the game ended."""
    night = position[Night]
    yield f"Hunter: {night.hunter} · Items: {', '.join(position[Camp].items) or 'none'}"
    yield f"Monster: {night.monster} · Tokens: {', '.join(position[Dark].tokens) or 'none'}"
    if position.outcome is not None:
        yield position.outcome.sentence
        yield f"The Monster's path: {' '.join(map(str, position[Dark].path))}"
        return
    acting = night.hunter if night.turn % 2 else night.monster
    asked = _ASKED[night.stage].format(hunter=night.hunter, monster=night.monster, acting=acting)
    turn = f"Turn {night.turn}: {asked}." if night.turn else f"{asked}."
    left = f" {night.left} turn{'s' if night.left > 1 else ''} until sunrise." if night.left > 0 else ""
    yield turn + left


# ---------------------------------------------------------------- SVG

_CELL: Final = 84
_MARGIN: Final = 14
_HEAD: Final = 120
_LETTERS: Final = 58
"""How many letters fit into a line above the board."""
_SPAN: Final = _CELL * _SIZE + 2 * _MARGIN

_DEFINITIONS: Final = """<defs>
<radialGradient id="dn-glow"><stop stop-color="#ffd98a"/><stop offset="1" stop-color="#c98a2e"/></radialGradient>
<radialGradient id="dn-fire"><stop stop-color="#fff3b0"/><stop offset="1" stop-color="#e8590c"/></radialGradient>
<pattern id="dn-hatch" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect width="4" height="9" fill="#e03131" fill-opacity=".55"/></pattern>
</defs>"""


@rules.picture("svg")
def svg(position: Position, *, possible: bool = False) -> str:
    """The board as SVG; see :func:`text` for the arguments. Possible spaces are hatched in red."""
    dark = position[Dark]
    guessed = deduced_spaces(position) if possible else ()
    parts = [_DEFINITIONS, f'<rect width="{_SPAN}" height="{_SPAN + _HEAD}" rx="10" fill="#10141c"/>']
    captions = (part for caption in _captions(position) for part in textwrap.wrap(caption, _LETTERS))
    for line, caption in enumerate(captions):
        parts.append(f'<text x="{_MARGIN}" y="{24 + 21 * line}" font-size="14" fill="#dee2e6">{escape(caption)}</text>')
    for space in DARK:
        lit = space in dark.lit
        parts.append(_square(space, "url(#dn-glow)" if lit else "#1d2635"))
        if space in guessed:
            parts.append(_square(space, "url(#dn-hatch)"))
        parts.append(_name(space, "#2b1d06" if lit else "#e9ecef"))
    parts += [_square(space, "#5c4528") + _name(space, "#ffe8cc") for space in INNER]
    parts.append(_at(_FIRE, _FLAME))
    if position[Camp].space:
        parts.append(_at(CELLS[position[Camp].space], _HUNTER))
    if dark.trap:
        parts.append(_at(CELLS[dark.trap], _BELL))
    if dark.mutton:
        parts.append(_at(CELLS[dark.mutton], _MUTTON))
    if dark.dial:
        parts.append(_at(CELLS[dark.dial], _MONSTER))
    size = f'width="{_SPAN}" height="{_SPAN + _HEAD}" viewBox="0 0 {_SPAN} {_SPAN + _HEAD}"'
    body = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">\n{body}\n</svg>\n'


def _corner(cell: tuple[int, int]) -> tuple[int, int]:
    row, col = cell
    return _MARGIN + col * _CELL, _HEAD + _MARGIN + row * _CELL


def _square(space: int | str, fill: str) -> str:
    x, y = _corner(CELLS[space])
    return f'<rect x="{x + 3}" y="{y + 3}" width="{_CELL - 6}" height="{_CELL - 6}" rx="8" fill="{fill}"/>'


def _name(space: int | str, ink: str) -> str:
    x, y = _corner(CELLS[space])
    return f'<text x="{x + 10}" y="{y + 22}" font-size="15" font-weight="bold" fill="{ink}">{space}</text>'


def _at(cell: tuple[int, int], drawing: str) -> str:
    """A drawing of 84 by 84, in a cell."""
    x, y = _corner(cell)
    return f'<g transform="translate({x} {y})">{drawing}</g>'


_FLAME: Final = (
    '<path d="M42 8C50 24 66 32 66 52A24 24 0 0 1 18 52C18 40 26 36 28 24C34 30 36 34 36 40C42 30 44 20 42 8Z" '
    'fill="url(#dn-fire)"/>'
    '<path d="M22 74L62 62M22 62L62 74" stroke="#8d5524" stroke-width="7" stroke-linecap="round"/>'
)
_HUNTER: Final = (
    '<circle cx="50" cy="32" r="10" fill="#69db7c"/><path d="M32 72C32 52 40 44 50 44S68 52 68 72Z" fill="#69db7c"/>'
    '<path d="M26 44L40 66" stroke="#f8f9fa" stroke-width="4" stroke-linecap="round"/>'
)
_MONSTER: Final = (
    '<path d="M24 72C20 44 28 28 34 24L40 34H56L62 24C70 32 76 50 70 72Z" fill="#7048e8" stroke="#e5dbff" '
    'stroke-width="2"/><circle cx="42" cy="48" r="5" fill="#fff3bf"/><circle cx="56" cy="48" r="5" fill="#fff3bf"/>'
    '<path d="M38 60L42 65L46 60L50 65L54 60L58 65L62 60" stroke="#fff" stroke-width="2" fill="none"/>'
)
_BELL: Final = (
    '<path d="M12 70C18 64 16 50 24 50S30 64 36 70Z" fill="#ffd43b" stroke="#5f3dc4" stroke-width="1.5"/>'
    '<circle cx="24" cy="73" r="4" fill="#ffd43b"/>'
)
_MUTTON: Final = (
    '<circle cx="62" cy="26" r="11" fill="#e8590c"/><path d="M54 34L46 42" stroke="#f8f9fa" stroke-width="5" '
    'stroke-linecap="round"/>'
)
