"""The position of the western game, in slices; small mappings are tuples of pairs, seats by their names."""

from __future__ import annotations

import msgspec

from ludolog import Seat, State
from ludolog_plugins.dark_horse_west.vocabulary import Effect

__all__ = [
    "Agenda",
    "Board",
    "Cards",
    "Claim",
    "Claims",
    "Closing",
    "Dice",
    "Die",
    "Fronts",
    "Goods",
    "HandCard",
    "Hex",
    "Link",
    "Piece",
    "Pile",
    "Roles",
    "Task",
    "Tiles",
    "Turn",
    "Usage",
    "amount",
    "purse",
    "with_pair",
]

Hex = tuple[int, int]
"""A hex by its axial coordinates (q, r); up is (0, -1)."""


class Piece(msgspec.Struct, frozen=True):
    """A town or city of a seat on a hex."""

    seat: Seat
    hex: Hex


class Link(msgspec.Struct, frozen=True):
    """A rail of a seat between two neighbouring hexes; the smaller hex first."""

    seat: Seat
    a: Hex
    b: Hex


class Board(State, frozen=True):
    """What stands on the map: pieces and links."""

    cities: tuple[Piece, ...] = ()
    towns: tuple[Piece, ...] = ()
    links: tuple[Link, ...] = ()


class Tiles(State, frozen=True):
    """The tiles of the map, in the order of the layout's places.

    ``tiles`` holds what lies on each place (``None``: not told), ``shown`` whether it lies face up, and ``looked``
    for each seat what it saw there (``""``: nothing).
    """

    tiles: tuple[str | None, ...] = ()
    shown: tuple[bool, ...] = ()
    looked: tuple[tuple[Seat, tuple[str | None, ...]], ...] = ()


class Task(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something still to be done: ``kind`` names its entry in the slot of tasks, ``seat`` who does it.

    The other fields are what the kind needs: effects still to carry out, the card or site they come from, the seat
    they touch, a number, names, numbers and hexes.
    """

    kind: str
    seat: Seat = ""
    effects: tuple[Effect, ...] = ()
    source: str = ""
    target: Seat = ""
    n: int = 0
    names: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    hexes: tuple[Hex, ...] = ()


class Agenda(State, frozen=True):
    """Everything still to be done, the next last. Whatever waits for a seat's answer stands at the end."""

    stack: tuple[Task, ...] = ()


class Turn(State, frozen=True):
    """The running turn: its number, the Turn Order track, the order this turn began with, and the end in sight.

    ``due`` names the end trigger that was met, ``""`` while none was. ``marker`` counts the Event steps passed.
    """

    number: int = 0
    phase: str = ""
    track: tuple[Seat, ...] = ()
    order: tuple[Seat, ...] = ()
    due: str = ""
    marker: int = 0


class Die(msgspec.Struct, frozen=True, kw_only=True):
    """A rolled die of a seat.

    ``at`` is where it lies (``""``: unplaced). ``natural`` is false once something changed it; ``alone`` dice are never
    added to others; ``fixed`` ones can't be changed any more. ``steps`` lists (source, value before) of each change.
    """

    seat: Seat
    kind: str
    value: int
    at: str = ""
    natural: bool = True
    alone: bool = False
    fixed: bool = False
    steps: tuple[tuple[str, int], ...] = ()


class Dice(State, frozen=True):
    """The dice of this turn, those laid down by nobody's seat included."""

    dice: tuple[Die, ...] = ()


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's claim of a site, with the dice (by number) that lie there.

    ``extra`` tells by which rule it comes beside the one claim of the turn; ``""``: it is that claim.
    """

    seat: Seat
    site: str
    dice: tuple[int, ...]
    extra: str = ""
    collected: bool = False


class Closing(msgspec.Struct, frozen=True):
    """A site that can't be claimed in turn ``turn``, except by ``but`` (``""``: by nobody)."""

    site: str
    turn: int
    but: Seat = ""


class Claims(State, frozen=True):
    """What was claimed this turn, and which sites are closed."""

    claims: tuple[Claim, ...] = ()
    closed: tuple[Closing, ...] = ()


class Goods(State, frozen=True):
    """What each seat has of everything countable, influence and dice in Jail included: (seat, ((thing, n), ...))."""

    held: tuple[tuple[Seat, tuple[tuple[str, int], ...]], ...] = ()


class HandCard(msgspec.Struct, frozen=True):
    """A card in a hand; its back tells the deck."""

    deck: str
    card: str | None


class Pile(msgspec.Struct, frozen=True):
    """A deck: its face-down pile, the next card first, and its discards, the last on top."""

    deck: str
    pile: tuple[str | None, ...] = ()
    discards: tuple[str, ...] = ()


class Cards(State, frozen=True):
    """Decks, hands, cards that are being played, and those that are out of the game."""

    piles: tuple[Pile, ...] = ()
    hands: tuple[tuple[Seat, tuple[HandCard, ...]], ...] = ()
    playing: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


class Fronts(State, frozen=True):
    """The cards that lie face up before each seat."""

    cards: tuple[tuple[Seat, tuple[str, ...]], ...] = ()


class Usage(State, frozen=True):
    """What was used this turn, once a turn each: (seat, ``"token:wild"``), (seat, ``"ability:CB-01/2"``), ..."""

    used: tuple[tuple[Seat, str], ...] = ()


class Roles(State, frozen=True):
    """Who holds which role: (role, seat)."""

    held: tuple[tuple[str, Seat], ...] = ()


def purse(goods: Goods, seat: Seat) -> tuple[tuple[str, int], ...]:
    """What a seat has; a part of the slice that stays the same while only others gain and lose."""
    for owner, pairs in goods.held:
        if owner == seat:
            return pairs
    return ()


def amount(pairs: tuple[tuple[str, int], ...], name: str) -> int:
    """The number that stands with ``name``; 0 if it isn't there."""
    for key, value in pairs:
        if key == name:
            return value
    return 0


def with_pair(pairs: tuple[tuple[str, int], ...], name: str, value: int) -> tuple[tuple[str, int], ...]:
    """The pairs with ``value`` beside ``name``."""
    for at, (key, _) in enumerate(pairs):
        if key == name:
            return (*pairs[:at], (name, value), *pairs[at + 1 :])
    return (*pairs, (name, value))
