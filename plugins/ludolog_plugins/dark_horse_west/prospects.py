"""How the seats stand before the end, for bots that look ahead: points so far, and what else lies before a seat.

Points are counted in hundredths. The numbers below are estimates of this program, not of the rules: what a thing may
bring until the end. They only say which of two positions a bot likes better.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ludolog import Position, Seat, derived
from ludolog_plugins.dark_horse_west.abilities import offer_refusal
from ludolog_plugins.dark_horse_west.agenda import top
from ludolog_plugins.dark_horse_west.board import Grounds, access, grounds, reached
from ludolog_plugins.dark_horse_west.building import pieces_left
from ludolog_plugins.dark_horse_west.cards import hand_of
from ludolog_plugins.dark_horse_west.dice import role_of
from ludolog_plugins.dark_horse_west.goods import RESOURCES, resources_of
from ludolog_plugins.dark_horse_west.offers import cost
from ludolog_plugins.dark_horse_west.production import yields_of
from ludolog_plugins.dark_horse_west.scoring import score_sheet
from ludolog_plugins.dark_horse_west.slots import TASKS, THINGS, WORTHS, Window, rules
from ludolog_plugins.dark_horse_west.state import Agenda, Board, Claims, Dice, Goods, Roles, Turn, amount, purse

__all__ = ["value"]

POINT: Final = 100

RESOURCE: Final = 24
SPARE: Final = 6
"""A resource beyond those that a seat will hardly spend at once."""
HOARD: Final = 9
COMPLETE: Final = 14
"""Each Food, Wood and Ore together: they make a town."""
ROLE: Final = 45
CARD: Final = 30
LINK: Final = 9
MOST_LINKS: Final = 10
OPEN_HEX: Final = 12
"""A free hex for a town within access, as many as there are towns left."""
UNKNOWN_THING: Final = 15
UNKNOWN_SITE: Final = 45
_THINGS: Final[dict[str, int]] = {
    "wild": 25,
    "engineer": 35,
    "trader": 20,
    "bonus-die": 45,
    "jail": -45,
    # These have lines of their own on the score sheet.
    "gold": 0,
    "influence": 0,
    "stock": 0,
    "loan": 0,
} | dict.fromkeys(RESOURCES, 0)


def _goods(position: Position, seat: Seat) -> int:
    return _weighed(position, position.part(Goods, purse, seat))


@derived
def _weighed(position: Position, pairs: tuple[tuple[str, int], ...]) -> int:
    held = tuple(amount(pairs, what) for what in RESOURCES)
    total = sum(held)
    known = sum(n * _THINGS.get(what, 0) for what, n in pairs if n)
    others = sum(
        n for what, n in pairs if n and what not in _THINGS and what != "resource" and what in position.slot(THINGS)
    )
    hoard = RESOURCE * min(total, HOARD) + SPARE * max(0, total - HOARD) + COMPLETE * min(held)
    return hoard + known + UNKNOWN_THING * others


def _rest(position: Position, seat: Seat, there: Grounds) -> int:
    roles = sum([holder == seat for _, holder in position[Roles].held])
    return ROLE * roles + CARD * len(hand_of(position, seat)) + _on_the_map(position, seat, there)


@derived
def _on_the_map(position: Position, seat: Seat, there: Grounds) -> int:
    board = position[Board]
    links = sum(link.seat == seat for link in board.links)
    taken = {piece.hex for piece in (*board.cities, *board.towns)}
    free = sum(there[hex_].towns > 0 for hex_ in access(position, seat) - taken)
    open_hexes = min(free, pieces_left(position, seat, "town"))
    return LINK * min(links, MOST_LINKS) + OPEN_HEX * open_hexes


# ------------------------------------------------------------ claims that are still to be collected


def _produce(position: Position, seat: Seat) -> int:
    laid = [die.at.removeprefix("effort:") for die in position[Dice].dice if die.seat == seat and "effort:" in die.at]
    yields = yields_of(position, seat)
    best = max(max(1, sum(n for _, n in yields[what])) + laid.count(what) for what in RESOURCES)
    return RESOURCE * best


def _work_crew(position: Position, seat: Seat) -> int:
    return RESOURCE * (1 + sum(n for yields in yields_of(position, seat).values() for _, n in yields))


def _politics(position: Position, seat: Seat) -> int:
    price = 2 - (role_of(position, "mayor") == seat)
    return (POINT - price * RESOURCE) * min(2, sum(resources_of(position, seat)) // price)


def _builder(position: Position, seat: Seat) -> int:
    held = min(resources_of(position, seat))
    city = held > 1 and pieces_left(position, seat, "city") and bool(reached(position, seat))
    town = held > 0 and pieces_left(position, seat, "town")
    return max(170 * bool(city), 130 * bool(town))


def _market(position: Position, seat: Seat) -> int:
    return (POINT - 3 * RESOURCE) if sum(resources_of(position, seat)) > 2 else 0  # noqa: PLR2004 - its usual rate


def _broker(position: Position, seat: Seat) -> int:
    return (2 * POINT - 2 * RESOURCE) * min(2, sum(resources_of(position, seat)) // 2)


def _rail_baron(position: Position, seat: Seat) -> int:
    payable = offer_refusal(position, seat, (cost("wood"), cost("ore")), ()) is None
    few = sum(link.seat == seat for link in position[Board].links) < MOST_LINKS
    return 15 if payable and few else 0


_SITES: Final[dict[str, Callable[[Position, Seat], int]]] = {
    "produce": _produce,
    "work-crew": _work_crew,
    "politics": _politics,
    "builder": _builder,
    "market": _market,
    "broker": _broker,
    "rail-baron": _rail_baron,
    "mayor": lambda _position, _seat: POINT + ROLE,
    "sheriff": lambda _position, _seat: ROLE,
    "tycoon": lambda _position, _seat: 3 * POINT,
    "engineer": lambda _position, _seat: 60,
    "scout": lambda _position, _seat: 2 * CARD,
    "pioneer": lambda _position, _seat: CARD,
    "hired-hand": lambda _position, _seat: 45,
    "trader": lambda _position, _seat: 35,
    "turn-order": lambda _position, _seat: 2,
}
for _site, _worth in _SITES.items():
    rules.add(WORTHS, _site, _worth, cites="DW-066")


_COLLECTION: Final = {"collection", "collection-begin"}


def _to_come(position: Position, seat: Seat) -> bool:
    """Whether the seat's collection window is still to come, or open, this turn."""
    for task in position[Agenda].stack:
        kind = task.kind
        if task.source == "collection" if kind == "phase" else task.seat == seat and kind in _COLLECTION:
            return True
    return False


def _claims(position: Position, seat: Seat) -> int:
    """What the seat's claims may bring: until it has collected, and while it still chooses."""
    if not _to_come(position, seat):
        return 0
    mine = [claim for claim in position[Claims].claims if claim.seat == seat]
    task = top(position)
    asked = task is not None and task.seat == seat and not isinstance(position.slot(TASKS)[task.kind], Window)
    worths = position.slot(WORTHS)
    if not mine:
        return RESOURCE
    return sum(
        worths[claim.site](position, seat) if claim.site in worths else UNKNOWN_SITE
        for claim in mine
        if not claim.collected or asked
    )


def _unplaced(position: Position, seat: Seat) -> int:
    return sum([die.seat == seat and not die.at for die in position[Dice].dice])


@derived
def _points(position: Position, seat: Seat) -> int:
    return sum(line.points for line in score_sheet(position, seat))


def _standing(position: Position, seat: Seat, there: Grounds) -> int:
    """Hundredths of points that the seat may count on: the score sheet so far, and what else it has."""
    found = POINT * _points(position, seat) + _goods(position, seat) + _rest(position, seat, there)
    return found + (_claims(position, seat) + _unplaced(position, seat) if position[Turn].number else 0)


@rules.value
def value(position: Position) -> dict[Seat, float]:
    """How the seats stand (DW-003): in points, with fractions for what isn't counted yet."""
    there = grounds(position)
    return {seat: _standing(position, seat, there) / POINT for seat in position.seats}
