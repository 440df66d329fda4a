"""The position as a picture, 1,200 pixels wide: map, sites, tracks, and a panel for each seat."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from ludolog import Position, Seat
from ludolog_plugins.dark_horse_west.board import ground, layout_of, name_of
from ludolog_plugins.dark_horse_west.cards import pile_of
from ludolog_plugins.dark_horse_west.goods import INFLUENCE_TOP, has
from ludolog_plugins.dark_horse_west.options import WestOptions
from ludolog_plugins.dark_horse_west.picture import colour_of, marks_of, ownerless, price_line, question_line
from ludolog_plugins.dark_horse_west.slots import DECKS, PANEL_LINES, SITES, Site, rules
from ludolog_plugins.dark_horse_west.state import Board, Claims, Dice, Die, Hex, Turn
from ludolog_plugins.dark_horse_west.wording import spot

__all__ = ["svg"]

WIDTH: Final = 1200
SIZE: Final = 43
"""From the middle of a hex to a corner."""
RADIUS: Final = 4
"""Of the map for which the sizes are made."""
MAP_LEFT: Final = 330
MAP_TOP: Final = 410
SITES_LEFT: Final = 660
SITES_TOP: Final = 54
SITE_WIDTH: Final = 172
SITE_HEAD: Final = 44
"""Of a site's name and need; below them stand its effect in words, or dice that find no place beside the need."""
EFFECT_LINE: Final = 10.5
EFFECT_LETTERS: Final = 30
BESIDE_NEED: Final = 2
COLUMNS: Final = 3
MARGIN: Final = 20
LINE: Final = 15
LETTER: Final = 5.9
"""How wide a letter of the panels is, about."""

MARK_LETTERS: Final = 14
"""What fits into a hex in the letters of its marks."""

GROUNDS: Final = {"food": "#ecc84f", "wood": "#7fae63", "ore": "#9aa7b8", "": "#f4ead2"}
HIDDEN: Final = "#c9ad83"
LAID: Final = "#d9c8e6"
"""Of a hex that a variant has laid over the map and that brings nothing."""
INKS: Final = {
    "red": "#c8322b",
    "blue": "#2f6db5",
    "green": "#2e8b4a",
    "yellow": "#d9a300",
    "purple": "#8a4fb0",
    "grey": "#777777",
}
INK: Final = "#2b2118"


def _ink(position: Position, seat: Seat) -> str:
    return INKS.get(colour_of(position, seat), INKS["grey"]) if seat in position.seats else INKS["grey"]


def _text(x: float, y: float, words: str, size: int = 12, **more: str) -> str:
    fill = more.pop("fill", INK)
    attributes = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{fill}"{attributes}>{escape(words)}</text>'


def _box(x: float, y: float, width: float, height: float, fill: str, stroke: str = INK, line: float = 1) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="5" fill="{fill}" '
        f'stroke="{stroke}" stroke-width="{line}"/>'
    )


def _short(words: str, most: int) -> str:
    return words if len(words) <= most else f"{words[: most - 1]}…"


# ------------------------------------------------------------ the map


def _fitted(radius: int) -> str:
    """Opens the group of the map, made smaller where an owner's map is larger than the game's."""
    if radius <= RADIUS:
        return "<g>"
    return (
        f'<g transform="translate({MAP_LEFT} {MAP_TOP}) scale({(RADIUS + 0.5) / (radius + 0.5):.3f}) '
        f'translate({-MAP_LEFT} {-MAP_TOP})">'
    )


def _middle(hex_: Hex) -> tuple[float, float]:
    q, r = hex_
    return MAP_LEFT + 1.5 * SIZE * q, MAP_TOP + math.sqrt(3) * SIZE * (r + q / 2)


def _corners(hex_: Hex, size: float) -> str:
    x, y = _middle(hex_)
    angles = (math.pi / 3 * corner for corner in range(6))
    return " ".join(f"{x + size * math.cos(angle):.1f},{y + size * math.sin(angle):.1f}" for angle in angles)


def _hexes(position: Position) -> Iterator[str]:
    layout = layout_of(position)
    for hex_ in layout.all:
        there = ground(position, hex_)
        face_down = there.towns and not there.resource
        laid = there.name and not there.resource
        fill = HIDDEN if face_down else LAID if laid else GROUNDS[there.resource if there.resource in GROUNDS else ""]
        edge = "#6b3f1d" if there.rugged else "#8c7a5c"
        yield f'<polygon points="{_corners(hex_, SIZE - 1)}" fill="{fill}" stroke="{edge}" stroke-width="1.2"/>'
        if there.rugged:
            yield (
                f'<polygon points="{_corners(hex_, SIZE - 5)}" fill="none" stroke="{edge}" stroke-width="2.5" '
                'stroke-dasharray="4 4"/>'
            )


def _labels(position: Position) -> Iterator[str]:
    """What each hex is, and its coordinates; over the rails, with a light edge."""
    marked = dict(marks_of(position))
    for hex_ in layout_of(position).all:
        there = ground(position, hex_)
        x, y = _middle(hex_)
        words = there.name or there.resource.title() or ("?" if there.towns else "")
        if there.name and marked.get(hex_, "").startswith(there.name):
            words = ""
        size = 18 if words == "?" else 12 if len(words) < 10 else 10  # noqa: PLR2004 - what fits into a hex
        if words:
            at, told = y - SIZE * 0.52, _short(words, 14)
            yield _text(x, at, told, size, text_anchor="middle", font_weight="bold", stroke="#fff6e0", stroke_width="3")
            yield _text(x, at, told, size, text_anchor="middle", font_weight="bold")
        at, told = y + SIZE * 0.78, name_of(hex_)
        yield _text(x, at, told, 9, text_anchor="middle", stroke="#fff6e0", stroke_width="2.5")
        yield _text(x, at, told, 9, text_anchor="middle", fill="#6b5a40")


def _links(position: Position) -> Iterator[str]:
    """Rails, all with a white edge below, so that those of two owners are told apart where they meet."""
    for white in (True, False):
        for link in position[Board].links:
            (x1, y1), (x2, y2) = _middle(link.a), _middle(link.b)
            paint = ("#ffffff", 8) if white else (_ink(position, link.seat), 5)
            yield (
                f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke-linecap="round" '
                f'stroke="{paint[0]}" stroke-width="{paint[1]}"/>'
            )


def _pieces(position: Position) -> Iterator[str]:
    """A city is a tall house, a town a small one; several towns of a hex stand side by side."""
    board = position[Board]
    for city in board.cities:
        yield _house(position, city.seat, city.hex, 30, 0)
    for hex_ in dict.fromkeys(town.hex for town in board.towns):
        seats = [town.seat for town in board.towns if town.hex == hex_]
        for number, seat in enumerate(seats):
            yield _house(position, seat, hex_, 19, (number - (len(seats) - 1) / 2) * 21)


def _house(position: Position, seat: Seat, hex_: Hex, size: int, aside: float) -> str:
    x, y = _middle(hex_)
    left, right, top, bottom = x + aside - size / 2, x + aside + size / 2, y - size * 0.3, y + size * 0.55
    shape = f"{left},{bottom} {left},{top} {x + aside},{top - size * 0.45:.1f} {right},{top} {right},{bottom}"
    number = str(position.seats.index(seat) + 1) if seat in position.seats else ""
    return f'<polygon points="{shape}" fill="{_ink(position, seat)}" stroke="#ffffff" stroke-width="1.5"/>' + _text(
        x + aside, y + size * 0.36, number, size // 2 + 2, text_anchor="middle", fill="#fff"
    )


def _marks(position: Position) -> Iterator[str]:
    """What variants mark on hexes, one below the other: below the piece, or above it where no name of a hex is."""
    told: dict[Hex, int] = {}
    for hex_, mark in marks_of(position):
        x, y = _middle(hex_)
        line = told[hex_] = told.get(hex_, -1) + 1
        parts = textwrap.wrap(mark, MARK_LETTERS)[:2]
        wide = max(map(len, parts)) * LETTER * 0.83 + 6
        there = ground(position, hex_)
        above = there.name and mark.startswith(there.name)
        at = y + SIZE * (-0.5 if above else 0.48) + 12 * line
        yield _box(x - wide / 2, at - 8.5, wide, 11.5 + 10 * (len(parts) - 1), "#fff8dc", "#8c7a5c", 0.7)
        for number, words in enumerate(parts):
            yield _text(x, at + 10 * number, words, 9, text_anchor="middle")
        told[hex_] += len(parts) - 1


# ------------------------------------------------------------ sites and dice


def _die(position: Position, die: Die, x: float, y: float, size: int = 19) -> str:
    """A die in its owner's colour; one that was changed has a dashed edge, the Deputy die is silver."""
    fill = _ink(position, die.seat) if die.kind == "own" else "#c9ced6"
    ink = "#fff" if die.kind == "own" else _ink(position, die.seat)
    dashes = "" if die.natural else ' stroke-dasharray="3 2"'
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{size}" height="{size}" rx="4" fill="{fill}" stroke="{INK}"{dashes}/>'
        + _text(x + size / 2, y + size * 0.76, str(die.value), 14, text_anchor="middle", fill=ink, font_weight="bold")
    )


def _effect(site: Site) -> list[str]:
    return textwrap.wrap(site.effect, EFFECT_LETTERS)


def _site(position: Position, key: str, site: Site, x: float, y: float, high: float) -> Iterator[str]:
    closed = any(found.site == key and found.turn == position[Turn].number for found in position[Claims].closed)
    yield _box(x, y, SITE_WIDTH - 6, high - 6, "#d9d2c3" if closed else "#fffaf0")
    yield _text(x + 7, y + 17, _short(site.name, 20), 13, font_weight="bold")
    need = site.need.text.replace(" by a natural roll", " natural")
    yield _text(x + 7, y + 32, _short(f"{need} · {site.limit}", 27), 10, fill="#6b5a40")
    dice = [die for die in position[Dice].dice if die.at == f"site:{key}"]
    beside = len(dice) <= BESIDE_NEED
    for line, words in enumerate(_effect(site) if beside else []):
        yield _text(x + 7, y + SITE_HEAD + EFFECT_LINE * line, words, 9, fill="#7a6a50")
    left, top = (x + SITE_WIDTH - 11 - 22 * len(dice), y + 16) if beside else (x + 7, y + SITE_HEAD - 3)
    for place, die in enumerate(dice[:7]):
        yield _die(position, die, left + 22 * place, top)
    collected = any(claim.site == key and claim.collected for claim in position[Claims].claims)
    if collected:
        yield _text(left - 4 if beside else x + SITE_WIDTH - 14, top + 15, "✓", 13, text_anchor="end", fill="#2e8b4a")
    if closed:
        yield _text(x + SITE_WIDTH - 12, y + 14, "closed", 10, text_anchor="end", fill="#a02020")


def _sites(position: Position) -> tuple[list[str], float]:
    """The sites in rows, each as high as its longest effect wants, and where they end."""
    sites = [(str(key), site) for key, site in position.slot(SITES).items()]
    found: list[str] = []
    top: float = SITES_TOP
    for row in (sites[at : at + COLUMNS] for at in range(0, len(sites), COLUMNS)):
        lines = max(len(_effect(site)) for _, site in row)
        high = SITE_HEAD + max(24, EFFECT_LINE * lines + 3)
        for column, (key, site) in enumerate(row):
            found.extend(_site(position, key, site, SITES_LEFT + SITE_WIDTH * column, top, high))
        top += high
    return found, top


# ------------------------------------------------------------ tracks


def _tracks(position: Position, top: float) -> Iterator[str]:
    """The Influence track with the Event marker and the Game End token, and the Turn Order track."""
    steps = position.options(WestOptions).event_steps
    passed = position[Turn].marker
    step = 34
    yield _text(SITES_LEFT, top, "Influence", 12, font_weight="bold")
    for n in range(INFLUENCE_TOP + 1):
        x = SITES_LEFT + step * n
        there = steps[passed : passed + 1] == (n,)
        yield _box(x, top + 8, step - 3, 48, "#f6d7b0" if there else "#ead9ff" if n == INFLUENCE_TOP else "#fffaf0")
        words = "Event" if there else "End" if n == INFLUENCE_TOP else str(n)
        yield _text(x + step / 2 - 1, top + 20, words, 9, text_anchor="middle", fill="#6b5a40")
        seats = [seat for seat in position.seats if has(position, seat, "influence") == n]
        for place, seat in enumerate(seats):
            left, down = x + 8 + 14 * (place % 2), top + 29 + 11 * (place // 2)
            yield f'<circle cx="{left}" cy="{down}" r="5.5" fill="{_ink(position, seat)}" stroke="{INK}"/>'
    x = SITES_LEFT + step * (INFLUENCE_TOP + 1) + 12
    yield _text(x, top, "Order", 12, font_weight="bold")
    for place, seat in enumerate(position[Turn].track):
        yield f'<circle cx="{x + 8}" cy="{top + 15 + 15 * place}" r="6" fill="{_ink(position, seat)}" stroke="{INK}"/>'
        yield _text(x + 19, top + 19 + 15 * place, _short(seat, 12), 11)


def _notes(position: Position) -> list[str]:
    """Decks, prices, and how the map is to be read."""
    decks = [
        f"{deck.title}: {len(pile_of(position, str(key)).pile)}, {len(pile_of(position, str(key)).discards)} discarded"
        for key, deck in position.slot(DECKS).items()
        if deck.shuffled
    ]
    dashed = "? face down; dashed edge: rugged"
    return [*decks, *_wrapped((price_line(position), dashed), WIDTH - MARGIN - SITES_LEFT)]


def _decks(position: Position, top: float) -> Iterator[str]:
    for number, words in enumerate(_notes(position)):
        yield _text(SITES_LEFT, top + LINE * number, words, 11, fill="#6b5a40")
    for number, (kind, dice) in enumerate(ownerless(position).items()):
        yield _text(SITES_LEFT + 300, top + 24 * number, kind, 11, text_anchor="end", fill="#6b5a40")
        for place, die in enumerate(dice):
            yield _die(position, die, SITES_LEFT + 308 + 23 * place, top - 14 + 24 * number)


# ------------------------------------------------------------ panels


def _wrapped(lines: Iterable[str], wide: float) -> list[str]:
    letters = max(12, int(wide / LETTER))
    return [part for line in lines for part in textwrap.wrap(line, letters, subsequent_indent="   ") or [""]]


def _panel_lines(position: Position, seat: Seat, wide: float) -> list[str]:
    panels = position.slot(PANEL_LINES)
    lines = (panels[key](position, seat) for key in panels if key != "dice")
    return _wrapped((line for line in lines if line), wide)


def _panels(position: Position, top: float) -> tuple[list[str], float]:
    """A panel for each seat, and how high they are."""
    count = len(position.seats)
    wide = (WIDTH - 2 * MARGIN + 10) / count - 10
    lines = {seat: _panel_lines(position, seat, wide - 16) for seat in position.seats}
    high = 62 + LINE * max(map(len, lines.values()))
    found: list[str] = []
    for number, seat in enumerate(position.seats):
        x = MARGIN + (wide + 10) * number
        ink = _ink(position, seat)
        found.append(_box(x, top, wide, high, "#fffaf0", ink, 2.5))
        acting = seat in position.ruleset.to_act(position)
        name = f"{number + 1} {_short(seat, 20)}{' ◀' if acting else ''}"
        found.append(_text(x + 9, top + 20, name, 15, font_weight="bold", fill=ink))
        dice = [die for die in position[Dice].dice if die.seat == seat and not die.at.startswith("site:")]
        for place, die in enumerate(dice):
            found.append(_die(position, die, x + 9 + 23 * place, top + 28))
        spots = dict.fromkeys(die.at for die in dice if die.at)
        if spots:
            words = _short(
                "on " + ", ".join(spot(position, at) for at in spots), int((wide - 30 - 23 * len(dice)) / 5.2)
            )
            found.append(_text(x + 15 + 23 * len(dice), top + 42, words, 10, fill="#6b5a40"))
        found.extend(_text(x + 9, top + 64 + LINE * line, words, 11) for line, words in enumerate(lines[seat]))
    return found, high


# ------------------------------------------------------------ the whole


@rules.picture("svg")
def svg(position: Position) -> str:
    """The whole table (DW-029): map, sites with dice, tracks, decks, panels, and what is waited for."""
    turn = position[Turn]
    sites, lowest_site = _sites(position)
    tracks = lowest_site + 22
    decks = tracks + 98
    lowest = MAP_TOP + math.sqrt(3) * SIZE * 4.5
    top = max(lowest, decks + LINE * len(_notes(position))) + 20
    panels, high = _panels(position, top)
    height = top + high + MARGIN
    title = f"Turn {turn.number} · {turn.phase or 'set-up'}" if turn.number else "Set-up"
    if position.is_view:
        title += f" · as {position.viewer or 'everybody'} sees it"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" '
        f'height="{height:.0f}" font-family="DejaVu Sans, Verdana, sans-serif">'
    )
    parts = (
        head,
        f'<rect width="{WIDTH}" height="{height:.0f}" fill="#efe3c8"/>',
        _text(MARGIN, 34, "Dark Horse", 22, font_weight="bold"),
        _text(MARGIN + 150, 34, title, 14),
        _text(WIDTH - MARGIN, 34, _short(question_line(position), 80), 13, text_anchor="end", font_weight="bold"),
        _fitted(layout_of(position).radius),
        *_hexes(position),
        *_links(position),
        *_labels(position),
        *_pieces(position),
        *_marks(position),
        "</g>",
        *sites,
        *_tracks(position, tracks),
        *_decks(position, decks),
        *panels,
        "</svg>",
    )
    return "\n".join(parts)
