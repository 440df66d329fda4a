"""How a position of the bug race looks, as text and as SVG; of a view, nothing is shown that was not told."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from typing import Final, NamedTuple

from ludolog import Position, Seat, Slot
from ludolog_plugins.dark_horse_bugs.data import BUGS, rules, track_of
from ludolog_plugins.dark_horse_bugs.phases import task_of
from ludolog_plugins.dark_horse_bugs.scoring import in_points
from ludolog_plugins.dark_horse_bugs.state import Cards, Goals, Known, Race, of
from ludolog_plugins.dark_horse_bugs.story import listed, printed

__all__ = ["NOTES", "Notes", "svg", "text"]


class Notes(NamedTuple):
    """What a variant adds to the picture: colours of bases by bug, something before a seat, something on the table."""

    bases: Mapping[str, str] = {}
    seats: Mapping[Seat, str] = {}
    table: str = ""


NOTES: Slot[Callable[[Position], Notes]] = rules.slot(Slot("notes", "What else the pictures show."))


def notes_of(position: Position) -> list[Notes]:
    """What the variants add."""
    return [notes(position) for notes in position.slot(NOTES).values()]


def headline(position: Position) -> str:
    """The game, and whose view it is."""
    if not position.is_view:
        return "Dark Horse: the bug race"
    return f"Dark Horse: the bug race, as {_short(position.viewer) if position.viewer else 'everyone'} sees it"


def footline(position: Position) -> str:
    """What comes next, or how it ended."""
    if position.outcome is not None:
        return position.outcome.sentence
    task = task_of(position)
    return f"{' and '.join(map(_short, task.seats))} is to {task.text}." if task.seats else ""


def _short(seat: Seat) -> str:
    return seat if len(seat) <= 16 else f"{seat[:15]}…"  # noqa: PLR2004 - the pictures have room for so much


def _line_is_complete(position: Position) -> bool:
    return len(position[Race].line) == len(position.slot(BUGS))


# ---------------------------------------------------------------- text


def text(position: Position) -> str:
    """Track from finish to start, seats, decks, and what comes next; 80 columns at most."""
    blocks = [
        [headline(position)],
        [*_track_lines(position)],
        [line for seat in position.seats for line in _seat_lines(position, seat)],
        [*_piles(position)],
        [footline(position)],
    ]
    return "\n\n".join("\n".join(wrapped for line in block for wrapped in _wrapped(line)) for block in blocks)


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, 80, subsequent_indent=" " * 8, break_on_hyphens=False) or [""]


def _track_lines(position: Position) -> Iterator[str]:
    race = position[Race]
    standing = race.line if _line_is_complete(position) else ()
    bases = {bug: f" on a {colour} base" for notes in notes_of(position) for bug, colour in notes.bases.items()}
    ends = {1: "finish", len(track_of(position).places): "start"}
    for place, name in enumerate(track_of(position).places, start=1):
        bug = standing[place - 1] if standing else ""
        yield f"{ends.get(place, ''):>6} {place} {name:<8}{bug}{bases.get(bug, '')}".rstrip()
    if not standing:
        waiting = [str(bug) for bug in position.slot(BUGS) if bug not in race.line]
        yield f"  line, front to rear: {', '.join(race.line) or 'nobody yet'}"
        yield f"  not in it yet: {', '.join(waiting)}"


def _seat_lines(position: Position, seat: Seat) -> Iterator[str]:
    mark = ">" if seat in task_of(position).seats else " "
    hand, laid, held = of(position[Cards].hands, seat), of(position[Cards].laid, seat), of(position[Goals].held, seat)
    parts = [_counted(hand, "card"), _counted(held, "goal")]
    parts += [f"laid {listed(laid)}"] if laid else []
    parts += [notes.seats[seat] for notes in notes_of(position) if seat in notes.seats]
    yield f"{mark} {_short(seat)}: {'; '.join(parts)}"
    if position.outcome is not None:
        sheet = next(sheet for sheet in position.outcome.scores if sheet.seat == seat)
        lines = ", ".join(f"{line.label} {line.points:+d}" for line in sheet.lines)
        yield f"    {in_points(sheet.total)}: {lines}"


def _counted(cards: Known, what: str) -> str:
    faces = f" ({listed(cards)})" if any(cards) else ""
    return f"{len(cards)} {what}{'' if len(cards) == 1 else 's'}{faces}"


def _piles(position: Position) -> Iterator[str]:
    """The goal deck, with the faces that are known; of the cards set aside only how many there are (DH-R30)."""
    yield f"Goal deck: {_counted(position[Goals].deck, 'card')}"
    yield f"Set aside: {len(position[Cards].aside)} Move cards"
    yield from (notes.table for notes in notes_of(position) if notes.table)


# ---------------------------------------------------------------- SVG

WIDTH: Final = 900
SPACE: Final = 124
PANEL: Final = 286

LOOKS: Final = {
    "ladybug": ("#d8352a", '<path d="M0-17V17"/><circle cx="-10" cy="-6" r="3"/><circle cx="10" cy="6" r="3"/>'),
    "snail": ("#c99a6b", '<circle r="11" fill="none"/><circle r="5" fill="none"/>'),
    "fly": ("#5b6b7a", '<path d="M4-6q14-26 24-8q-6 12-24 8zm0 12q14 26 24 8q-6-12-24-8z" fill="#fff9"/>'),
    "caterpillar": ("#5aa83c", '<path d="M-10-15V15M2-17V17M14-14V14"/>'),
    "wasp": ("#f4c430", '<path d="M-8-16V16M4-17V17M15-13V13" stroke-width="5"/>'),
    "bee": ("#e08a1e", '<path d="M-6-16V16M8-16V16" stroke-width="5"/><path d="M0-8q10-22 18-6z" fill="#fff9"/>'),
    "grasshopper": ("#9acb3b", '<path d="M-4 6L12-22L24 18" fill="none" stroke-width="3"/>'),
}
"""Colour and pattern of each bug, drawn around the middle of its body."""

_UNKNOWN_BUG: Final = ("#999", "")


def svg(position: Position) -> str:
    """The same as :func:`text`, 900 pixels wide."""
    rows = -(-len(position.seats) // 3)
    height = 330 + 196 * rows
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="13" role="img">',
        f"<title>{escape(headline(position))}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#faf8f2"/>',
        _write(16, 30, headline(position), size=20),
        *_track_parts(position),
        _write(16, 258, "   ·   ".join(_piles(position)), colour="#555"),
    ]
    for at, seat in enumerate(position.seats):
        parts += _seat_parts(position, seat, 16 + at % 3 * (PANEL + 5), 274 + at // 3 * 196)
    parts += [_write(16, height - 22, footline(position), size=17), "</svg>"]
    return "\n".join(parts)


def _write(x: float, y: float, words: str, *, size: int = 13, colour: str = "#222", anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}" text-anchor="{anchor}">{escape(words)}</text>'


def _track_parts(position: Position) -> Iterator[str]:
    race, places = position[Race], track_of(position).places
    bases = {bug: colour for notes in notes_of(position) for bug, colour in notes.bases.items()}
    for at, name in enumerate(places):
        x = 16 + at * SPACE
        shade = "#e9d8a6" if at % 2 else "#f0e4c0"
        yield f'<rect x="{x}" y="46" width="{SPACE - 4}" height="186" rx="10" fill="{shade}" stroke="#b59b5a"/>'
        yield _write(x + 60, 68, f"{at + 1} {name}", size=15, anchor="middle")
        end = {0: "finish", len(places) - 1: "start"}.get(at, "")
        yield _write(x + 60, 222, end, colour="#8a6d1d", anchor="middle")
    left = 16 + (len(places) - len(race.line)) * SPACE / 2
    for at, bug in enumerate(race.line):
        yield _bug(bug, left + at * SPACE + 60, 136, bases.get(bug, "#dfe9ec"))
        yield _write(left + at * SPACE + 60, 194, bug, size=15, anchor="middle")


def _bug(bug: str, x: float, y: float, base: str) -> str:
    colour, pattern = LOOKS.get(bug, _UNKNOWN_BUG)
    return (
        f'<g transform="translate({x} {y})" stroke="#222" stroke-width="2" stroke-linecap="round">'
        f'<ellipse cy="26" rx="42" ry="12" fill="{escape(base)}" stroke-width="1"/>'
        '<path d="M-32-8q-8-14-16-12M-26-10q0-14-8-20" fill="none"/>'
        f'<ellipse rx="28" ry="18" fill="{colour}"/><circle cx="-30" r="10" fill="{colour}"/>'
        f'<circle cx="-33" cy="-2" r="2"/>{pattern}</g>'
    )


def _seat_parts(position: Position, seat: Seat, x: float, y: float) -> Iterator[str]:
    to_act = seat in task_of(position).seats
    edge = 'stroke="#c0392b" stroke-width="3"' if to_act else 'stroke="#ccc"'
    yield f'<rect x="{x}" y="{y}" width="{PANEL}" height="188" rx="10" fill="#fff" {edge}/>'
    yield _write(x + 12, y + 24, _short(seat), size=16)
    added = [notes.seats[seat] for notes in notes_of(position) if seat in notes.seats]
    if position.outcome is not None:
        added.append(in_points(position.outcome.score(seat)))
    yield _write(x + PANEL - 12, y + 24, " · ".join(added), colour="#8a1f11", anchor="end")
    rows = (
        ("goals", of(position[Goals].held, seat), "#fff3d6"),
        ("hand", of(position[Cards].hands, seat), "#e3eefb"),
        ("laid", of(position[Cards].laid, seat), "#eee"),
    )
    top = y + 34
    for label, cards, fill in rows:
        yield _write(x + 12, top + 14, label, size=11, colour="#777")
        chips, top = _chips(cards, fill, x + 46, top, PANEL - 56)
        yield from chips


def _chips(cards: Iterable[str | None], fill: str, left: float, top: float, width: float) -> tuple[list[str], float]:
    """Cards in rows, a dark back for a face that was not told; and where the next row begins."""
    parts: list[str] = []
    x = left
    for card in cards:
        words = "" if card is None else printed(card)
        wide = 16 if card is None else 10 + 6.2 * len(words)
        if x + wide > left + width:
            x, top = left, top + 22
        colour = "#4a5568" if card is None else fill
        parts.append(
            f'<rect x="{x:.1f}" y="{top}" width="{wide:.1f}" height="19" rx="4" fill="{colour}" stroke="#888"/>'
        )
        parts.append(_write(round(x + wide / 2, 1), top + 14, words, size=11, anchor="middle"))
        x += wide + 4
    return parts, top + 24
