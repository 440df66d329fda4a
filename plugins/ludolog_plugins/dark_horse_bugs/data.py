"""What comes in the box, read from ``rules.toml`` into tables that a variant can bend, and the options of a table."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any, Final, Literal

import msgspec

from ludolog import Options, Position, Rules, Slot
from ludolog.slots import Key

__all__ = [
    "BUGS",
    "CARDS",
    "DEALS",
    "POINTS",
    "TOKENS",
    "TOKEN_POINTS",
    "TRACKS",
    "BugOptions",
    "Card",
    "Deal",
    "Track",
    "deal_of",
    "rules",
    "track_of",
]


class BugOptions(Options, frozen=True):
    """What a table may settle in its own way; the rulings say why the default is what it is."""

    track: Literal["published", "as-written"] = "published"
    move_deck: Literal["house", "bugs-only"] = "house"
    overlong_move: Literal["stop", "no-move"] = "stop"
    two_place_at_end: Literal["partial", "both-must-move"] = "partial"
    rival_goal_choice: Literal["owner", "card-player"] = "owner"
    goal_exchange_order: Literal["give-first", "draw-first"] = "give-first"
    exchanged_goal: Literal["bottom", "top"] = "bottom"


class Card(msgspec.Struct, frozen=True):
    """A Move card: it points at a ``bug`` or at one or two ``places``, and its player picks one of ``steps``.

    A positive step goes forward, toward place 1. ``count`` copies of it are in each of ``decks``. ``name`` is such as
    ``"wasp+1"``, ``"bee+-1"``, ``"place1-3"``, ``"places3,5+-1"`` or ``"bad-encounter"``.
    """

    kind: str
    bug: str = ""
    places: tuple[int, ...] = ()
    steps: tuple[int, ...] = ()
    count: int = 1
    decks: tuple[str, ...] = ("house", "bugs-only")
    name: str = ""

    @property
    def choices(self) -> tuple[int, ...]:
        """What a command may say of the step; 0, which is to say nothing, when the card leaves no choice."""
        return self.steps if len(self.steps) > 1 else (0,)


class Track(msgspec.Struct, frozen=True):
    """The pictures of the places from 1 (finish) to 7 (start), and the way of Run for your life!."""

    places: tuple[str, ...]
    run_from: int
    run_to: int


class Deal(msgspec.Struct, frozen=True):
    """How many Move cards and Goal cards each seat gets."""

    hand: int
    goals: int


_FILE: Final[dict[str, Any]] = tomllib.loads(
    files("ludolog_plugins.dark_horse_bugs").joinpath("rules.toml").read_text(encoding="utf-8")
)


def _cards() -> dict[Key, Card]:
    """Cards by name; one-place cards are only in the one deck, their replacements only in the other."""
    rows: list[dict[str, Any]] = [
        *({"decks": ("house",), **row} if row["kind"] == "one-place" else row for row in _FILE["card"]),
        *({"decks": ("bugs-only",), **row} for row in _FILE["replacement_card"]),
    ]
    cards = [msgspec.convert(row, Card) for row in rows]
    return {_name(card): msgspec.structs.replace(card, name=_name(card)) for card in cards}


def _name(card: Card) -> str:
    places = ",".join(map(str, card.places))
    subject = card.bug or (f"place{'s' if len(card.places) > 1 else ''}{places}" if places else card.kind)
    both_ways = len(card.steps) > len({abs(step) for step in card.steps})
    return subject + (f"+-{max(card.steps)}" if both_ways else "".join(f"{step:+d}" for step in card.steps))


rules = Rules("dark-horse-bugs", version=1, options=BugOptions)

BUGS: Slot[int] = rules.slot(
    Slot("bugs", "The bugs that race, each with the number of its Goal cards."),
    {row["bug"]: row["count"] for row in _FILE["goal"]},
    cites="DH-R15",
)

CARDS: Slot[Card] = rules.slot(Slot("cards", "The Move cards of both decks, by name."), _cards(), cites="DH-R13")

TRACKS: Slot[Track] = rules.slot(
    Slot("tracks", "The tracks, by the value of the option."),
    {row["name"]: msgspec.convert(row, Track) for row in _FILE["track"]},
    cites="DH-R1",
)

DEALS: Slot[Deal] = rules.slot(
    Slot("deals", "What is dealt, by the number of players."),
    {row["players"]: msgspec.convert(row, Deal) for row in _FILE["seats"]},
    cites="DH-26",
)

_points: dict[str, Any] = _FILE["points"]
_by_rank: list[int] = _points["by_rank"]

POINTS: Slot[int] = rules.slot(
    Slot("points", "What a bug's rank is worth."), dict(enumerate(_by_rank, start=1)), cites="DH-R16"
)

TOKENS: Final[dict[Key, int]] = {row["players"]: row["tokens"] for row in _FILE["seats"]}
"""Ant tokens on offer, by the number of players; only Dilly Dally has them."""

TOKEN_POINTS: Final[dict[Key, int]] = {
    rank: _points["token_gain"] if rank in _points["token_ranks"] else -_points["token_loss"]
    for rank in range(1, len(_by_rank) + 1)
}
"""What an Ant token is worth, by the rank of the bug on the black base."""


def track_of(position: Position) -> Track:
    """The track of this table (DH-14, DH-R1, DH-R19)."""
    return position.slot(TRACKS)[position.options(BugOptions).track]


def deal_of(position: Position) -> Deal:
    """What is dealt to this number of players (DH-26)."""
    return position.slot(DEALS)[len(position.seats)]
