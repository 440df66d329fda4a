"""What can happen in the western game. Any rules may yield these; only this game reduces them."""

from __future__ import annotations

from ludolog import Event, Private, Seat, Secret
from ludolog_plugins.dark_horse_west.state import Die, Hex, Task

__all__ = [
    "AbilityUsed",
    "CardFronted",
    "CardPlayed",
    "CardsDealt",
    "CardsDiscarded",
    "CardsDrawn",
    "CardsReturned",
    "CityBuilt",
    "ClaimWithdrawn",
    "Claimed",
    "Collected",
    "DeckReady",
    "DiceAdded",
    "DicePlaced",
    "DiceRolled",
    "DiceTakenBack",
    "DieChanged",
    "EndNeared",
    "EventDrawn",
    "GoodsChanged",
    "HandSeen",
    "HexProduced",
    "LinkBuilt",
    "MarkerMoved",
    "OrderChanged",
    "PhaseBegun",
    "PiecesReady",
    "PlayedDiscarded",
    "Produced",
    "RoleTaken",
    "SiteClosed",
    "TaskDone",
    "TaskDropped",
    "TasksAdded",
    "TileRevealed",
    "TileSeen",
    "TilesDealt",
    "TilesExchanged",
    "TownBuilt",
    "TurnBegun",
    "UseNoted",
    "UseTakenBack",
]


class TasksAdded(Event, frozen=True, tag="dark-horse-west/tasks-added"):
    """Tasks were put on the agenda; the last of them comes first."""

    tasks: tuple[Task, ...]


class TaskDone(Event, frozen=True, tag="dark-horse-west/task-done"):
    """The task at the end of the agenda is done or goes on as others."""


class TaskDropped(Event, frozen=True, tag="dark-horse-west/task-dropped"):
    """The task at place ``at`` of the agenda (from its beginning) will not be done."""

    at: int


class TurnBegun(Event, frozen=True, tag="dark-horse-west/turn-begun"):
    """A turn began; its order is the track's."""

    number: int


class PhaseBegun(Event, frozen=True, tag="dark-horse-west/phase-begun"):
    """A phase of the turn began."""

    phase: str


class EndNeared(Event, frozen=True, tag="dark-horse-west/end-neared"):
    """An end trigger was met; the running turn is the last."""

    trigger: str


class OrderChanged(Event, frozen=True, tag="dark-horse-west/order-changed"):
    """The discs on the Turn Order track stand in this order."""

    track: tuple[Seat, ...]


class MarkerMoved(Event, frozen=True, tag="dark-horse-west/marker-moved"):
    """The Event marker passed on; ``steps`` have been passed."""

    steps: int


class PiecesReady(Event, frozen=True, tag="dark-horse-west/pieces-ready"):
    """Every seat has its pieces; the order of turns is decided."""

    track: tuple[Seat, ...]


class TilesDealt(Event, frozen=True, tag="dark-horse-west/tiles-dealt"):
    """Tiles were dealt onto the layout's places: first those face up, then those face down."""

    shown: tuple[str, ...]
    hidden: Secret[tuple[str | None, ...]]


class TileRevealed(Event, frozen=True, tag="dark-horse-west/tile-revealed"):
    """The tile on a place was turned face up."""

    place: int
    resource: str


class TileSeen(Event, frozen=True, tag="dark-horse-west/tile-seen"):
    """A seat looked at a face-down tile."""

    seat: Seat
    place: int
    resource: Private[str]


class TilesExchanged(Event, frozen=True, tag="dark-horse-west/tiles-exchanged"):
    """Two face-down tiles changed places."""

    places: tuple[int, int]


class CityBuilt(Event, frozen=True, tag="dark-horse-west/city-built"):
    """A city was placed."""

    seat: Seat
    hex: Hex


class TownBuilt(Event, frozen=True, tag="dark-horse-west/town-built"):
    """A town was placed."""

    seat: Seat
    hex: Hex


class LinkBuilt(Event, frozen=True, tag="dark-horse-west/link-built"):
    """A rail was laid between two neighbouring hexes, the smaller first."""

    seat: Seat
    a: Hex
    b: Hex


class GoodsChanged(Event, frozen=True, tag="dark-horse-west/goods-changed"):
    """What a seat has of some things changed by these numbers."""

    seat: Seat
    changes: tuple[tuple[str, int], ...]


class HexProduced(Event, frozen=True, tag="dark-horse-west/hex-produced"):
    """A hex produced for a seat."""

    seat: Seat
    hex: Hex
    resource: str
    n: int


class Produced(Event, frozen=True, tag="dark-horse-west/produced"):
    """All hexes of one resource of a seat have produced."""

    seat: Seat
    resource: str


class RoleTaken(Event, frozen=True, tag="dark-horse-west/role-taken"):
    """A role went to a seat (``""``: back to its site)."""

    role: str
    seat: Seat


class DiceRolled(Event, frozen=True, tag="dark-horse-west/dice-rolled"):
    """A seat's dice of the turn were rolled; its marks for this roll are cleared."""

    seat: Seat
    dice: tuple[Die, ...]


class DiceAdded(Event, frozen=True, tag="dark-horse-west/dice-added"):
    """Further dice were rolled during the turn."""

    dice: tuple[Die, ...]


class DieChanged(Event, frozen=True, tag="dark-horse-west/die-changed"):
    """A die shows another value, because of ``source`` (``"token:wild"``, ``"dealer"``, a card's id, ...).

    ``steps`` is how many of its earlier changes still count; the new change is added unless ``source`` is empty.
    """

    die: int
    value: int
    source: str
    natural: bool = False
    alone: bool = False
    fixed: bool = False
    steps: int = -1


class DicePlaced(Event, frozen=True, tag="dark-horse-west/dice-placed"):
    """Dice were put on a site (``"site:pioneer"``), a spot (``"effort:food"``) or aside (``"aside"``)."""

    dice: tuple[int, ...]
    at: str


class DiceTakenBack(Event, frozen=True, tag="dark-horse-west/dice-taken-back"):
    """Dice are unplaced again."""

    dice: tuple[int, ...]


class Claimed(Event, frozen=True, tag="dark-horse-west/claimed"):
    """A seat claimed a site with dice; ``extra`` tells by which rule it comes beside the one of the turn."""

    seat: Seat
    site: str
    dice: tuple[int, ...]
    extra: str = ""


class ClaimWithdrawn(Event, frozen=True, tag="dark-horse-west/claim-withdrawn"):
    """A claim was given up or pushed off; its dice are unplaced again."""

    seat: Seat
    site: str


class Collected(Event, frozen=True, tag="dark-horse-west/collected"):
    """A seat collects from a site that it claimed."""

    seat: Seat
    site: str


class SiteClosed(Event, frozen=True, tag="dark-horse-west/site-closed"):
    """A site can't be claimed in turn ``turn``, except by ``but``."""

    site: str
    turn: int
    but: Seat = ""


class UseNoted(Event, frozen=True, tag="dark-horse-west/use-noted"):
    """Something that works once a turn was used."""

    seat: Seat
    key: str


class UseTakenBack(Event, frozen=True, tag="dark-horse-west/use-taken-back"):
    """A use counts as not made."""

    seat: Seat
    key: str


class DeckReady(Event, frozen=True, tag="dark-horse-west/deck-ready"):
    """A deck was shuffled, its discards included."""

    deck: str
    cards: Secret[tuple[str | None, ...]]


class CardsDealt(Event, frozen=True, tag="dark-horse-west/cards-dealt"):
    """A face-up card went from its box before a seat, the others of its kind out of the game."""

    seat: Seat
    card: str


class CardsDrawn(Event, frozen=True, tag="dark-horse-west/cards-drawn"):
    """A seat drew cards into its hand, at the end of it."""

    seat: Seat
    deck: str
    cards: Private[tuple[str | None, ...]]


class CardsDiscarded(Event, frozen=True, tag="dark-horse-west/cards-discarded"):
    """Cards went from a hand, by their places in it, onto the discards of a deck."""

    seat: Seat
    deck: str
    places: tuple[int, ...]
    cards: tuple[str, ...]


class CardsReturned(Event, frozen=True, tag="dark-horse-west/cards-returned"):
    """Cards went from a hand, by their places in it, face down onto a deck, the first of them on top."""

    seat: Seat
    deck: str
    places: tuple[int, ...]


class CardPlayed(Event, frozen=True, tag="dark-horse-west/card-played"):
    """A card was played from its place in a hand."""

    seat: Seat
    place: int
    card: str


class PlayedDiscarded(Event, frozen=True, tag="dark-horse-west/played-discarded"):
    """A played card went onto the discards of its deck."""

    card: str
    deck: str


class CardFronted(Event, frozen=True, tag="dark-horse-west/card-fronted"):
    """A played card stays face up before a seat."""

    seat: Seat
    card: str


class EventDrawn(Event, frozen=True, tag="dark-horse-west/event-drawn"):
    """An Event card was drawn and lies on its discards."""

    deck: str
    card: str


class HandSeen(Event, frozen=True, tag="dark-horse-west/hand-seen"):
    """A seat looked at the hand of another."""

    seat: Seat
    of: Seat
    cards: Private[tuple[str | None, ...]]


class AbilityUsed(Event, frozen=True, tag="dark-horse-west/ability-used"):
    """An ability was announced; its effects are on the agenda. ``source`` is the card, ``ability`` its number."""

    seat: Seat
    source: str
    ability: int
