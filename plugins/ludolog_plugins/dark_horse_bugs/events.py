"""What can happen in the bug race, and who is told."""

from __future__ import annotations

from typing import ClassVar, Literal

from ludolog import Audience, Event, Private, PrivateTuple, Seat, SecretTuple, told_to

__all__ = [
    "BugMoved",
    "BugPlaced",
    "CardLaid",
    "CardsSetAside",
    "ExchangeBegun",
    "GoalDeckFormed",
    "GoalExchanged",
    "GoalSeen",
    "GoalsDealt",
    "GoalsRevealed",
    "HandDealt",
    "PhaseBegun",
    "StarterDrawn",
]


class PhaseBegun(Event, frozen=True, tag="dark-horse-bugs/phase-begun"):
    """The game goes on with its next phase."""

    phase: str


class GoalsDealt(Event, frozen=True, tag="dark-horse-bugs/goals-dealt"):
    """Goal cards were dealt to a seat, from left to right."""

    seat: Seat
    goals: PrivateTuple[str]


class GoalDeckFormed(Event, frozen=True, tag="dark-horse-bugs/goal-deck-formed"):
    """The Goal cards that nobody got became the goal deck, from top to bottom."""

    goals: SecretTuple[str]


class StarterDrawn(Event, frozen=True, tag="dark-horse-bugs/starter-drawn"):
    """The starting player was drawn."""

    seat: Seat


class BugPlaced(Event, frozen=True, tag="dark-horse-bugs/bug-placed"):
    """A bug joined the line, as its ``place``-th from the front."""

    seat: Seat
    bug: str
    place: int


class HandDealt(Event, frozen=True, tag="dark-horse-bugs/hand-dealt"):
    """Move cards were dealt to a seat."""

    seat: Seat
    cards: PrivateTuple[str]


class CardsSetAside(Event, frozen=True, tag="dark-horse-bugs/cards-set-aside"):
    """The Move cards that nobody got were set aside; they are never shown."""

    cards: SecretTuple[str]


class CardLaid(Event, frozen=True, tag="dark-horse-bugs/card-laid"):
    """A seat laid a card face up before itself, and kept ``hand``."""

    seat: Seat
    card: str
    hand: PrivateTuple[str]


class BugMoved(Event, frozen=True, tag="dark-horse-bugs/bug-moved"):
    """A bug went to ``place``; every bug that it passed shifted by one the other way."""

    bug: str
    place: int


class ExchangeBegun(Event, frozen=True, tag="dark-horse-bugs/exchange-begun"):
    """``seat`` has to exchange a Goal card, and ``picker`` picks which."""

    seat: Seat
    picker: Seat


class GoalSeen(Event, frozen=True, tag="dark-horse-bugs/goal-seen"):
    """A seat saw the top card of the goal deck, which it takes."""

    audience: ClassVar[Audience | None] = told_to("seat")
    seat: Seat
    goal: Private[str]


class GoalExchanged(Event, frozen=True, tag="dark-horse-bugs/goal-exchanged"):
    """A seat kept ``kept``, took the top card of the goal deck, and put ``given`` to the bottom or on top of it."""

    seat: Seat
    given: Private[str]
    kept: PrivateTuple[str]
    to: Literal["bottom", "top"]


class GoalsRevealed(Event, frozen=True, tag="dark-horse-bugs/goals-revealed"):
    """A seat turned up its Goal cards."""

    seat: Seat
    goals: tuple[str, ...]
