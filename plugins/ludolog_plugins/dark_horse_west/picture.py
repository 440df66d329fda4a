"""The position as text, for the terminal."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator
from typing import Final

from ludolog import Position, Seat
from ludolog_plugins.dark_horse_west.abilities import abilities_of
from ludolog_plugins.dark_horse_west.agenda import top
from ludolog_plugins.dark_horse_west.board import ground, grounds, layout_of, name_of
from ludolog_plugins.dark_horse_west.cards import hand_of, pile_of
from ludolog_plugins.dark_horse_west.goods import has
from ludolog_plugins.dark_horse_west.slots import (
    COLOURS,
    COSTS,
    DECKS,
    DIE_KINDS,
    MAP_MARKS,
    PANEL_LINES,
    ROLES,
    SITES,
    TASKS,
    THINGS,
    Question,
    rules,
)
from ludolog_plugins.dark_horse_west.state import Board, Claims, Dice, Die, Hex, Roles, Turn
from ludolog_plugins.dark_horse_west.wording import amount, amounts, deck, joined, pips, plural, spot, text_of

__all__ = ["colour_of", "goods_line", "hand_line", "marks_of", "ownerless", "price_line", "question_line", "text"]


def colour_of(position: Position, seat: Seat) -> str:
    """The colour of a seat's pieces (DW-038)."""
    return position.slot(COLOURS).get(position.seats.index(seat), "grey")


def goods_line(position: Position, seat: Seat) -> str:
    """What a seat has, in words."""
    held = ((str(key), has(position, seat, str(key))) for key in position.slot(THINGS))
    return ", ".join(amount(position, what, n) for what, n in held if n)


def hand_line(position: Position, seat: Seat) -> str:
    """The seat's hand as the viewer knows it."""
    hand = hand_of(position, seat)
    known = [text_of(position, held.card) for held in hand if held.card is not None]
    hidden = Counter(held.deck for held in hand if held.card is None)
    told = [*known, *(f"{n} {_of_deck(position, key, n)}" for key, n in hidden.items())]
    return "hand: " + ", ".join(told) if told else ""


def _of_deck(position: Position, key: str, n: int) -> str:
    cards = deck(position, key)
    return cards.removesuffix("s") if n == 1 else cards


def _front_line(position: Position, seat: Seat) -> str:
    cards = dict.fromkeys(card for card, _, _ in abilities_of(position, seat))
    return "in play: " + ", ".join(text_of(position, card) for card in cards) if cards else ""


def _role_line(position: Position, seat: Seat) -> str:
    titles = [position.slot(ROLES)[role].title for role, holder in position[Roles].held if holder == seat]
    return "roles: " + ", ".join(titles) if titles else ""


def _piece_line(position: Position, seat: Seat) -> str:
    board = position[Board]
    cities = sum(piece.seat == seat for piece in board.cities)
    towns = sum(piece.seat == seat for piece in board.towns)
    links = sum(link.seat == seat for link in board.links)
    counts = ((cities, "city", "cities"), (towns, "town", "towns"), (links, "rail", "rails"))
    return ", ".join(f"{n} {one if n == 1 else many}" for n, one, many in counts)


def _dice_line(position: Position, seat: Seat) -> str:
    """The seat's dice and where they lie: ``"3; a changed 4 on Politics"``."""
    dice = [
        f"{pips(position, (number,))}{f' on {spot(position, die.at)}' if die.at else ''}"
        for number, die in enumerate(position[Dice].dice)
        if die.seat == seat
    ]
    return "dice: " + "; ".join(dice) if dice else ""


for _key, _panel in (
    ("goods", goods_line),
    ("pieces", _piece_line),
    ("roles", _role_line),
    ("cards", _front_line),
    ("hand", hand_line),
    ("dice", _dice_line),
):
    rules.add(PANEL_LINES, _key, _panel, cites="DW-113")


def ownerless(position: Position) -> dict[str, tuple[Die, ...]]:
    """Dice on the table that are no seat's, by the title of their kind."""
    dice = [die for die in position[Dice].dice if die.seat not in position.seats]
    kinds = {die.kind: position.slot(DIE_KINDS)[die.kind].title for die in dice}
    return {title: tuple(die for die in dice if die.kind == kind) for kind, title in kinds.items()}


def marks_of(position: Position) -> Iterator[tuple[Hex, str]]:
    """What variants mark on hexes."""
    for marks in position.slot(MAP_MARKS).values():
        yield from marks(position)


def question_line(position: Position) -> str:
    """What is waited for now."""
    task = top(position)
    if position.over or task is None:
        outcome = position.outcome
        return outcome.sentence if outcome is not None else ""
    rule = position.slot(TASKS)[task.kind]
    return rule.ask(position, task) if isinstance(rule, Question) else f"{task.seat}'s turn: {task.kind}"


def _cell(position: Position, hex_: Hex) -> str:
    """Four letters: the signs of the legend, then ``C`` or ``T`` with the owner's number."""
    board = position[Board]
    there = ground(position, hex_)
    sign = LAID if there.name else there.resource[:1].upper() or ("?" if there.towns else ".")
    rough = "^" if there.rugged else " "
    seats = position.seats
    city = next((f"C{seats.index(piece.seat) + 1}" for piece in board.cities if piece.hex == hex_), "")
    towns = "".join(f"T{seats.index(piece.seat) + 1}" for piece in board.towns if piece.hex == hex_)
    return f"{sign}{rough}{city or towns or '  '}"


LAID: Final = "*"
LEGEND: Final = "F food, W wood, O ore, ? face down, ^ rugged, . neither; C city and T town with the seat's number"
LAID_LEGEND: Final = f"{LAID} a hex laid on the map, see below"
PAGE: Final = 80
"""How many columns the text keeps to."""


def _map(position: Position) -> list[str]:
    """The map in rows of half hexes, columns of hexes from west to east; under each hex its coordinates."""
    rows: dict[int, dict[int, str]] = {}
    for q, r in layout_of(position).all:
        rows.setdefault(2 * r + q, {})[q] = _cell(position, (q, r))
        rows.setdefault(2 * r + q + 1, {})[q] = f"{q},{r}"
    columns = range(min(q for row in rows.values() for q in row), max(q for row in rows.values() for q in row) + 1)
    return ["".join(rows[at].get(q, "").ljust(7) for q in columns).rstrip() for at in sorted(rows)]


@rules.picture("text")
def text(position: Position) -> str:
    """The table as text: turn, sites with claims, map, a panel for each seat, and what is waited for."""
    turn = position[Turn]
    lines = [f"Turn {turn.number}, {turn.phase or 'set-up'}; order {', '.join(turn.track)}"]
    claims = [f"{position.slot(SITES)[claim.site].name} ({claim.seat})" for claim in position[Claims].claims]
    lines.append("claimed: " + (", ".join(claims) or "nothing"))
    decks = [
        f"{kind.title}: {len(pile_of(position, str(key)).pile)} + {len(pile_of(position, str(key)).discards)} discarded"
        for key, kind in position.slot(DECKS).items()
        if kind.shuffled
    ]
    lines.append("; ".join(decks))
    lines.extend(
        f"{plural(kind, len(dice))}: {joined(str(die.value) for die in dice)}"
        for kind, dice in ownerless(position).items()
    )
    lines.extend(("", *_map(position), "", LEGEND))
    if any(there.name for there in grounds(position).values()):
        lines.append(LAID_LEGEND)
    lines.append(price_line(position))
    marks = [f"{mark} on {name_of(hex_)}" for hex_, mark in marks_of(position)]
    if marks:
        lines.append("on the map: " + ", ".join(marks))
    rails = {
        seat: [f"{name_of(link.a)} to {name_of(link.b)}" for link in position[Board].links if link.seat == seat]
        for seat in position.seats
    }
    for number, seat in enumerate(position.seats, start=1):
        lines.append(f"{number} {seat} ({colour_of(position, seat)})")
        lines.extend(f"    {line}" for panel in position.slot(PANEL_LINES).values() if (line := panel(position, seat)))
        if rails[seat]:
            lines.append("    rails: " + "; ".join(rails[seat]))
    lines.extend(("", question_line(position)))
    return "\n".join(part for line in lines for part in _wrapped(line))


def _wrapped(line: str) -> list[str]:
    """A line in parts that fit the page, the later ones set in."""
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return [line] if len(line) <= PAGE else textwrap.wrap(line, PAGE, subsequent_indent=indent, drop_whitespace=True)


def price_line(position: Position) -> str:
    """What building costs by the data in play; what changes it for a seat is told with its choices (DW-R09, DW-R13)."""
    costs = position.slot(COSTS)["costs"]
    town, city, rails, rugged_town, rugged_link = (
        amounts(position, price.items())
        for price in (costs.town, costs.city, costs.rail_purchase, costs.rugged_town, costs.rugged_link)
    )
    return (
        f"prices: a town {town}; a city {city}; {costs.links_per_purchase} rails {rails}; "
        f"on rugged ground {rugged_town} more for a town, {rugged_link} more for a rail"
    )
