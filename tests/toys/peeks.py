"""Peeks: a game in which it is a secret whether anything happened at all. For the undo barrier."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from ludolog import Audience, Command, Event, Now, Position, Private, Ruleset, Seat, State, told_to
from toys.made import new_rules, ruleset_of

rules: Final = new_rules("peeks")
TURNS: Final = 8


@rules.state
class Card(State, frozen=True):
    """The first seat's card, and whether it lies open."""

    card: str | None = ""
    turns: int = 0
    open: bool = False


class CardDealt(Event, frozen=True, tag="peeks/card-dealt"):
    seat: Seat
    card: Private[str]


class CardPeeked(Event, frozen=True, tag="peeks/card-peeked"):
    """Only who peeks knows that it happened."""

    audience: ClassVar[Audience | None] = told_to("seat")
    seat: Seat
    card: str


class TurnPassed(Event, frozen=True, tag="peeks/turn-passed"):
    seat: Seat


class CardShown(Event, frozen=True, tag="peeks/card-shown"):
    card: str


class Peek(Command, frozen=True, tag="peeks/peek"):
    pass


class Pass(Command, frozen=True, tag="peeks/pass"):
    pass


class Show(Command, frozen=True, tag="peeks/show"):
    pass


@rules.reducer
def dealt(_card: Card, event: CardDealt) -> Card:
    return Card(card=event.card)


@rules.reducer
def peeked(card: Card, event: CardPeeked) -> Card:
    return Card(card=event.card, turns=card.turns, open=card.open)


@rules.reducer
def passed(card: Card, _event: TurnPassed) -> Card:
    return Card(card=card.card, turns=card.turns + 1, open=card.open)


@rules.reducer
def shown(card: Card, event: CardShown) -> Card:
    return Card(card=event.card, turns=card.turns + 1, open=True)


@rules.setup
def setup(now: Now) -> Iterator[Event]:
    yield CardDealt(seat=now.seats[0], card=now.chance.choose(("one", "other")))


@rules.to_act
def to_act(position: Position) -> tuple[Seat, ...]:
    return (position.seats[(position[Card].turns + 1) % len(position.seats)],)


@rules.legal
def legal(position: Position, seat: Seat) -> Iterator[Command]:
    yield Pass()
    if seat == position.seats[0]:
        yield Show()
    else:
        yield Peek()


@rules.decider
def peek(now: Now, _command: Peek) -> Iterator[Event]:
    """Peeking looks like passing to everyone else."""
    yield CardPeeked(seat=now.seat, card=now[Card].card)
    yield from pass_turn(now, Pass())


@rules.decider
def pass_turn(now: Now, _command: Pass) -> Iterator[Event]:
    yield TurnPassed(seat=now.seat)
    if now[Card].turns == TURNS:
        yield now.end("over")


@rules.decider
def show(now: Now, _command: Show) -> Iterator[Event]:
    yield CardShown(card=now[Card].card)
    if now[Card].turns == TURNS:
        yield now.end("over")


def ruleset() -> Ruleset:
    """The game."""
    return ruleset_of(rules)
