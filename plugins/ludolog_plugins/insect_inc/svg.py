"""The spread as SVG: forest cards with their half insects, the open insects, and the players.

Right halves stick to the left edge of a card and left halves to the right edge, so that two cards laid side by side
put an insect together. Every kind has a hue, a shape and a number of spots of its own.
"""

from __future__ import annotations

import colorsys
from collections.abc import Iterator
from html import escape
from typing import Final

from ludolog import Position
from ludolog_plugins.insect_inc.picture import halves_by_card, status_of
from ludolog_plugins.insect_inc.scoring import target
from ludolog_plugins.insect_inc.state import NO_CARD, Forest, Insects, Players, Window, rules
from ludolog_plugins.insect_inc.story import listed

__all__ = ["svg"]

_COLUMNS: Final = 8
_CARD: Final = (96, 78)
_GAP: Final = 10
_TOP: Final = 128
_SIDE: Final = 350
_INSECT: Final = (72, 100)
_NAME: Final = 20
_SEAT_COLOURS: Final = ("#d62728", "#1f5fbf", "#e0a100", "#8e44ad", "#0b9a8d", "#e05299")


@rules.picture("svg")
def svg(position: Position) -> str:
    """The open insects on top, the forest below, the players on the right."""
    rows = -(-max(len(position[Forest].down), 1) // _COLUMNS)
    width = _COLUMNS * (_CARD[0] + _GAP) + _GAP + _SIDE
    height = _TOP + rows * (_CARD[1] + _GAP) + _GAP
    parts = [*_insects(position), *_forest(position), *_hands(position), *_players(position)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif"><rect width="100%" height="100%" fill="#f4efe4"/>{"".join(parts)}</svg>'
    )


# ---------------------------------------------------------------- insects


def _colours(kind: int, *, down: bool) -> tuple[str, str]:
    """Fill and line of a kind: its own hue on the front, camouflage on the back (II-11)."""
    hue = kind * 137 % 360
    if down:
        return _hex(72 + hue % 44, 30 + kind % 4 * 5, 32), "#2c3a1e"
    return _hex(hue, 46 + kind % 3 * 7, 76), "#2b2b2b"


def _hex(hue: int, lightness: int, saturation: int) -> str:
    """A colour in the one form that every SVG reader knows; hue in degrees, the others in percent."""
    parts = colorsys.hls_to_rgb(hue / 360, lightness / 100, saturation / 100)
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)


def _half(kind: int, side: int, *, down: bool) -> str:
    """Half an insect 40 high, its middle at the origin; ``side`` is -1 for the left half and 1 for the right."""
    fill, line = _colours(kind, down=down)
    sweep = 1 if side > 0 else 0
    broad = 9 + kind % 4 * 2
    wing = 13 + kind // 4 % 4 * 3
    legs = "".join(f"M{side * broad * 0.7:.1f} {y} l{side * 8} {y // 3 + 3} " for y in (-6, 2, 9))
    spots = "".join(
        f'<circle cx="{side * (4 + kind % 3)}" cy="{-4 + 7 * spot}" r="2.2" fill="{line}"/>'
        for spot in range(1 + kind // 16)
    )
    return (
        f'<g stroke="{line}" stroke-width="1.2" fill="none"><path d="{legs}"/>'
        f'<path d="M0 -15 q{side * 3} -8 {side * (4 + kind % 5)} -8"/>'
        f'<path d="M0 -8 Q{side * wing} -16 {side * wing} 2 Q{side * wing * 0.8:.1f} 14 0 8 Z" fill="{fill}" '
        f'fill-opacity="0.45"/>'
        f'<path d="M0 -17 A{broad * 0.6:.1f} 5 0 0 {sweep} 0 -7 A{broad} 13 0 0 {sweep} 0 19 Z" fill="{fill}"/>'
        f"</g>{spots}"
    )


def _insects(position: Position) -> Iterator[str]:
    insects = position[Insects]
    yield (
        f'<g transform="translate({_GAP} 14)"><rect width="{_INSECT[0]}" height="{_INSECT[1]}" rx="8" fill="#5b4a36"/>'
        f'<text x="36" y="50" text-anchor="middle" font-size="30" font-weight="bold" fill="#f4efe4">'
        f'{len(insects.pile)}</text><text x="36" y="72" text-anchor="middle" font-size="13" fill="#f4efe4">'
        f"pile</text></g>"
    )
    if not insects.open:
        return
    left, width, height = _GAP + _INSECT[0] + 18, *_INSECT
    room = _COLUMNS * (_CARD[0] + _GAP) - left - width
    step = min(width + _GAP, room // max(len(insects.open) - 1, 1))
    for at, kind in enumerate(insects.open):
        yield (
            f'<g transform="translate({left + at * step} 14)"><rect width="{width}" height="{height}" rx="8" '
            f'fill="#fff" stroke="#5b4a36" stroke-width="2"/><g transform="translate(36 42) scale(1.35)">'
            f"{_half(kind, -1, down=False)}{_half(kind, 1, down=False)}</g>"
            f'<text x="6" y="94" font-size="15" font-weight="bold" fill="#2b2b2b">{kind}</text></g>'
        )


# ---------------------------------------------------------------- forest


def _corner(card: int) -> tuple[int, int]:
    return _GAP + card % _COLUMNS * (_CARD[0] + _GAP), _TOP + card // _COLUMNS * (_CARD[1] + _GAP)


def _forest(position: Position) -> Iterator[str]:
    for card, (left, right) in enumerate(halves_by_card(position)):
        down = position[Forest].down[card]
        x, y = _corner(card)
        paper, ink = ("#71804f", "#e9efd8") if down else ("#ffffff", "#444444")
        yield (
            f'<g transform="translate({x} {y})"><rect width="{_CARD[0]}" height="{_CARD[1]}" rx="6" fill="{paper}" '
            f'stroke="#5b4a36"/><text x="{_CARD[0] / 2:g}" y="{_CARD[1] / 2 + 5:g}" text-anchor="middle" '
            f'font-size="14" font-weight="bold" fill="{ink}">{card}</text>'
        )
        # The left half of an insect lies at the right edge, where another card's right half can be laid to it.
        for kinds, side, edge, text_x in ((right, 1, 0, 21), (left, -1, _CARD[0], _CARD[0] - 21)):
            for at, kind in enumerate(kinds):
                middle = _CARD[1] * (2 * at + 1) / (2 * len(kinds))
                anchor = "start" if side > 0 else "end"
                yield (
                    f'<g transform="translate({edge} {middle:g}) scale(0.8)">{_half(kind, side, down=down)}</g>'
                    f'<text x="{text_x}" y="{middle + 4:g}" text-anchor="{anchor}" font-size="10" fill="{ink}">'
                    f"{kind}</text>"
                )
        yield "</g>"


def _hands(position: Position) -> Iterator[str]:
    """Rings round the cards under each hand that is known; dashed for the hands judged last."""
    window = position[Window]
    for hands, dash in ((window.judged if not window.hands else (), "5 4"), (window.hands, "none")):
        for hand in hands:
            colour = _seat_colour(position, hand.seat)
            inset = 2 + 3 * position.seats.index(hand.seat)
            for card in hand.cards:
                if card is None or card == NO_CARD:
                    continue
                x, y = _corner(card)
                yield (
                    f'<rect x="{x - 7 + inset / 2:g}" y="{y - 7 + inset / 2:g}" width="{_CARD[0] + 14 - inset}" '
                    f'height="{_CARD[1] + 14 - inset}" rx="9" fill="none" stroke="{colour}" stroke-width="3" '
                    f'stroke-dasharray="{dash}"/>'
                )


# ---------------------------------------------------------------- players


def _seat_colour(position: Position, seat: str) -> str:
    return _SEAT_COLOURS[position.seats.index(seat) % len(_SEAT_COLOURS)]


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _players(position: Position) -> Iterator[str]:
    x = _COLUMNS * (_CARD[0] + _GAP) + 2 * _GAP
    players = position[Players]
    yield f'<text x="{x}" y="34" font-size="14" fill="#444">{target(position)} insects end the game</text>'
    removed = len(position[Insects].removed)
    if removed:
        yield f'<text x="{x}" y="100" font-size="12" fill="#444">removed: {removed}</text>'
    if position.outcome is not None:
        yield (
            f'<text x="{x}" y="58" font-size="14" font-weight="bold" fill="#2b2b2b">'
            f"{escape(_short(listed(position.outcome.winners), 30))} won</text>"
            f'<text x="{x}" y="78" font-size="12" fill="#444">{escape(position.outcome.sentence)}</text>'
        )
    for at, seat in enumerate(position.seats):
        y = _TOP + 14 + at * 84
        kinds = players.kinds_of(seat)
        name = _short(seat, _NAME)
        state = ", ".join(filter(None, ("start player" if seat == players.start else "", status_of(position, seat))))
        yield (
            f'<circle cx="{x + 9}" cy="{y - 6}" r="9" fill="{_seat_colour(position, seat)}"/>'
            f'<text x="{x + 26}" y="{y}" font-size="17" font-weight="bold" fill="#2b2b2b">{escape(name)}</text>'
            f'<text x="{x + 26}" y="{y + 22}" font-size="13" fill="#444">{len(kinds)} '
            f"insect{'' if len(kinds) == 1 else 's'}{': ' if kinds else ''}{' '.join(map(str, kinds))}</text>"
            f'<text x="{x + 26}" y="{y + 42}" font-size="13" fill="#8a3b12">{escape(state)}</text>'
        )
