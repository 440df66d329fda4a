"""Scenes for the rule tests of the variants: an empty map with known tiles, then what a test puts there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from msgspec.structs import replace

from dark_horse_west.west import NAMES, begun
from ludolog import (
    Chance,
    Command,
    Event,
    IllegalCommand,
    Position,
    Refusal,
    Rules,
    Ruleset,
    Seat,
    Variant,
    catalogue,
)
from ludolog_plugins.dark_horse_west.board import layout_of, ordered, place_of
from ludolog_plugins.dark_horse_west.commands import Choose
from ludolog_plugins.dark_horse_west.goods import has
from ludolog_plugins.dark_horse_west.scoring import score_sheet
from ludolog_plugins.dark_horse_west.slots import CARDS
from ludolog_plugins.dark_horse_west.state import (
    Agenda,
    Board,
    Cards,
    Claim,
    Claims,
    Dice,
    Die,
    Fronts,
    Goods,
    HandCard,
    Hex,
    Link,
    Piece,
    Task,
    Tiles,
    Turn,
    Usage,
)
from ludolog_plugins.dark_horse_west.vocabulary import Card

__all__ = [
    "after",
    "asked",
    "at",
    "claimed",
    "decided",
    "dice",
    "fronted",
    "goods",
    "has",
    "hidden",
    "in_hand",
    "links",
    "offered",
    "pieces",
    "points",
    "refusal",
    "rolling",
    "scene",
]


def scene(
    *variants: str,
    seats: int = 3,
    tiles: Mapping[Hex, str] | None = None,
    cards: Iterable[Card] = (),
    **options: object,
) -> Position:
    """Nobody has anything; all tiles lie face up, ``tiles`` where they should and the others as they come.

    ``cards`` are in the game besides those of its modules: cards of decks that are not.
    """
    game = catalogue()
    own = Rules("dark-horse-west/cards-of-the-test")
    for card in cards:
        own.add(CARDS, card.id, card, cites="")
    more = (Variant(id=own.id, title="", summary="", rules=lambda: own),) if own.changes else ()
    chosen = (*(game.variant("dark-horse-west", name) for name in variants), *more)
    position = begun(Ruleset(game.game("dark-horse-west"), chosen, {"characters": False, **options}), seats)
    order = NAMES[:seats]
    places = layout_of(position).places
    wanted = dict(tiles or {})
    bag = ["food", "wood", "ore"] * 6 + ["wood", "food"]
    for resource in wanted.values():
        bag.remove(resource)
    return position.having(
        Board(),
        Tiles(tiles=tuple(wanted.get(hex_) or bag.pop() for hex_ in places), shown=(True,) * len(places)),
        Turn(number=1, phase="placement", track=order, order=order),
        Goods(held=tuple((seat, ()) for seat in order)),
        Agenda(stack=(Task(kind="turn-end"),)),
        Dice(),
        Claims(),
        Usage(),
    )


def fronted(position: Position, **cards: Iterable[str]) -> Position:
    """Cards lie face up before seats."""
    mine = tuple((seat, tuple(cards.get(seat, ()))) for seat in position.seats)
    return position.having(Fronts(cards=mine))


def in_hand(position: Position, **cards: Iterable[str]) -> Position:
    """Action cards in the hands of seats."""
    hands = tuple((seat, tuple(HandCard("action", card) for card in cards.get(seat, ()))) for seat in position.seats)
    return position.having(replace(position[Cards], hands=hands))


def goods(position: Position, **held: Mapping[str, int]) -> Position:
    """Seats hold these things."""
    pairs = tuple((seat, tuple(held[seat].items()) if seat in held else mine) for seat, mine in position[Goods].held)
    return position.having(Goods(held=pairs))


def pieces(position: Position, kind: str, **where: Iterable[Hex]) -> Position:
    """Cities or towns stand there."""
    board = position[Board]
    new = tuple(Piece(seat, hex_) for seat, hexes in where.items() for hex_ in hexes)
    if kind == "city":
        return position.having(replace(board, cities=(*board.cities, *new)))
    return position.having(replace(board, towns=(*board.towns, *new)))


def links(position: Position, **ways: Iterable[Hex]) -> Position:
    """Rails of seats along these hexes."""
    board = position[Board]
    new: list[Link] = []
    for seat, way in ways.items():
        new.extend(Link(seat, *ordered(a, b)) for a, b in pairwise(way))
    return position.having(replace(board, links=(*board.links, *new)))


def hidden(position: Position, hex_: Hex) -> Position:
    """The tile there lies face down."""
    tiles, place = position[Tiles], place_of(position, hex_)
    shown = (*tiles.shown[:place], False, *tiles.shown[place + 1 :])
    return position.having(replace(tiles, shown=shown))


def dice(position: Position, **values: Iterable[int]) -> Position:
    """Seats have rolled this; dice are numbered in the order of the arguments."""
    rolled = tuple(Die(seat=seat, kind="own", value=value) for seat, shown in values.items() for value in shown)
    return position.having(Dice(dice=(*position[Dice].dice, *rolled)))


def claimed(position: Position, seat: Seat, site: str, *numbers: int) -> Position:
    """The seat has claimed a site with these dice."""
    claims = position[Claims]
    lying = tuple(
        replace(die, at=f"site:{site}") if number in numbers else die for number, die in enumerate(position[Dice].dice)
    )
    claim = Claim(seat=seat, site=site, dice=numbers)
    return position.having(Dice(dice=lying), Claims(claims=(*claims.claims, claim), closed=claims.closed))


def at(position: Position, kind: str, *seats: Seat) -> Position:
    """The windows of these seats are open, one after the other."""
    waiting = tuple(Task(kind=kind, seat=seat) for seat in reversed(seats))
    return position.having(Agenda(stack=(*position[Agenda].stack, *waiting)))


def asked(position: Position, task: Task) -> Position:
    """A question is put."""
    return position.having(Agenda(stack=(*position[Agenda].stack, task)))


def rolling(*values: int) -> Chance:
    """A chance that rolls these values first."""
    for number in range(100_000):
        trial = Chance(b"r" * 32, number)
        if all(trial.roll() == value for value in values):
            return Chance(b"r" * 32, number)
    raise AssertionError(values)


def decided(
    position: Position, seat: Seat, command: Command | str, chance: Chance | None = None
) -> tuple[tuple[Event, ...], Position]:
    """Events and position after a command, or after the answer to a question."""
    asked_for = Choose(option=command) if isinstance(command, str) else command
    assert asked_for in position.ruleset.legal(position, seat)
    decision = position.ruleset.decide(position, seat, asked_for, chance or Chance(b"k" * 32))
    return decision.events, decision.position


def after(position: Position, *moves: tuple[Seat, Command | str], chance: Chance | None = None) -> Position:
    """The position after some moves."""
    for seat, command in moves:
        _, position = decided(position, seat, command, chance)
    return position


def refusal(position: Position, seat: Seat, command: Command | str) -> Refusal:
    """Why a command is refused."""
    asked_for = Choose(option=command) if isinstance(command, str) else command
    assert asked_for not in position.ruleset.legal(position, seat)
    try:
        position.ruleset.decide(position, seat, asked_for, Chance(b"k" * 32))
    except IllegalCommand as refused:
        return refused.refusal
    raise AssertionError(asked_for)


def offered(position: Position, seat: Seat) -> tuple[str, ...]:
    """Options of the question put to the seat."""
    return tuple(command.option for command in position.ruleset.legal(position, seat) if isinstance(command, Choose))


def points(position: Position, seat: Seat, clause: str) -> int:
    """Points on the lines of a score sheet that cite a clause."""
    return sum(line.points for line in score_sheet(position, seat) if line.clause == clause)
