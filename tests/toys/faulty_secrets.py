"""Lanterns that tell a secret, one way each: what the conformance kit must find."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any, Final

import structlog

from ludolog import (
    Chance,
    Command,
    Event,
    Now,
    Position,
    Refusal,
    Rules,
    Seat,
    Secret,
    refuse,
)
from toys import lanterns
from toys.lanterns import (
    Bids,
    CardDrawn,
    Deck,
    Draw,
    Hands,
    Pass,
    Peek,
    Play,
    Roll,
    place_of,
)
from toys.planting import altered, fault

LAST: Final[dict[str, Any]] = {}
"""What some of the faults remember beside the position."""


class LeakyDrawn(Event, frozen=True, tag="lanterns/card-drawn"):
    """As it should be, but for the card."""

    seat: Seat
    place: int
    card: str


class CardKept(Event, frozen=True, tag="lanterns/card-kept"):
    """How many amber cards a seat holds is nobody's business; the size of the tuple tells."""

    seat: Seat
    ambers: Secret[tuple[str | None, ...]]


class ColourTold(Event, frozen=True, tag="lanterns/colour-told"):
    colour: str


class HandWeighed(Event, frozen=True, tag="lanterns/hand-weighed"):
    weight: int


class AmberFound(Event, frozen=True, tag="lanterns/amber-found"):
    pass


@fault("secrets-stay-secret", event="LeakyDrawn", field="LeakyDrawn.card")
def a_field_that_leaks() -> Rules:
    def draw(now: Now, command: Draw) -> Iterator[Event]:
        for event in lanterns.draw(now, command):
            yield LeakyDrawn(seat=event.seat, place=event.place, card=event.card)

    return altered(deciders={Draw: draw}, events={CardDrawn: LeakyDrawn})


@fault("secrets-stay-secret", event="ColourTold", field="ColourTold.colour")
def a_part_of_a_secret_told_to_all() -> Rules:
    def pass_turn(now: Now, command: Pass) -> Iterator[Event]:
        yield from lanterns.pass_turn(now, command)
        yield ColourTold(colour=now[Deck].cards[0].partition("-")[0])

    return altered(deciders={Pass: pass_turn}, more_events=(ColourTold,))


@fault("hidden-worlds-look-alike", event="HandWeighed", field="HandWeighed.weight")
def a_count_of_secrets_told_to_all() -> Rules:
    def pass_turn(now: Now, command: Pass) -> Iterator[Event]:
        yield from lanterns.pass_turn(now, command)
        hand = now[Hands].cards[now.seats.index(now.seat)]
        yield HandWeighed(weight=len([card for card in hand if card.startswith("amber")]))

    return altered(deciders={Pass: pass_turn}, more_events=(HandWeighed,))


@fault("hidden-worlds-look-alike", event="AmberFound")
def an_event_that_tells_by_happening() -> Rules:
    def pass_turn(now: Now, command: Pass) -> Iterator[Event]:
        yield from lanterns.pass_turn(now, command)
        if (now[Deck].cards or ("",))[0].startswith("amber"):
            yield AmberFound()

    return altered(deciders={Pass: pass_turn}, more_events=(AmberFound,))


@fault("hidden-worlds-look-alike", event="CardKept", field="CardKept.ambers")
def a_hidden_tuple_of_secret_size() -> Rules:
    def pass_turn(now: Now, command: Pass) -> Iterator[Event]:
        yield from lanterns.pass_turn(now, command)
        hand = now[Hands].cards[now.seats.index(now.seat)]
        yield CardKept(seat=now.seat, ambers=tuple(card for card in hand if card.startswith("amber")))

    return altered(deciders={Pass: pass_turn}, more_events=(CardKept,))


@fault("secrets-stay-secret", event="Draw", field="sentence")
def a_secret_in_a_refusal() -> Rules:
    def draw(now: Now, command: Draw) -> Iterator[Event]:
        place = place_of(now)
        if len(now[Hands].cards[place]) > lanterns.HAND:
            refuse("no-draw", f"Your hand is full; {now[Deck].cards[0]} stays where it is.")
        yield from lanterns.draw(now, command)

    return altered(deciders={Draw: draw})


@fault("secrets-stay-secret", event="Peek", field="facts")
def a_secret_in_the_facts_of_a_refusal() -> Rules:
    def peek(now: Now, command: Peek) -> Iterator[Event]:
        place = place_of(now)
        if now[Hands].peeked[place]:
            refuse("no-peek", "You have peeked.", deck=now[Deck].cards)
        yield from lanterns.peek(now, command)

    return altered(deciders={Peek: peek})


@fault("hidden-worlds-look-alike", event="Play", field="refusal of Play")
def a_refusal_that_depends_on_a_secret() -> Rules:
    def play(now: Now, command: Play) -> Iterator[Event]:
        place_of(now)
        if command.card not in lanterns.CARDS and now[Deck].cards[-1].startswith(("amber", "blue")):
            refuse("no-such-card", "There is no such card.")
        yield from lanterns.play(now, command)

    return altered(deciders={Play: play})


@fault("hidden-worlds-look-alike", field="refusal of")
def a_reason_to_wait_that_depends_on_a_secret() -> Rules:
    def waiting(position: Position, seat: Seat, command: Command) -> Refusal | None:
        if position[Deck].cards[-1:] < ("c",):
            return Refusal(code="wait", sentence="Wait.")
        return lanterns.waiting(position, seat, command)

    return altered(waiting=waiting)


@fault("secrets-stay-secret", field="picture text")
def a_secret_in_a_picture() -> Rules:
    def pass_turn(now: Now, command: Pass) -> Iterator[Event]:
        LAST["deck"] = now[Deck].cards
        yield from lanterns.pass_turn(now, command)

    def text(position: Position) -> str:
        return f"{lanterns.text(position)}\nbelow: {LAST.get('deck', ())}"

    return altered(deciders={Pass: pass_turn}, text=text)


@fault("hidden-worlds-look-alike", field="picture svg")
def a_picture_that_depends_on_a_secret() -> Rules:
    def roll(now: Now, command: Roll) -> Iterator[Event]:
        LAST["ambers"] = len([card for card in now[Deck].cards[-9:] if card.startswith("amber")])
        yield from lanterns.roll(now, command)

    def svg(_position: Position) -> str:
        return f"<svg>{LAST.get('ambers', 0)}</svg>"

    return altered(deciders={Roll: roll}, svg=svg)


@fault("secrets-stay-secret", event="CardDrawn", field="DeckShuffled.order")
def a_secret_in_a_line_of_the_log() -> Rules:
    def draw(now: Now, command: Draw) -> Iterator[Event]:
        for event in lanterns.draw(now, command):
            logging.getLogger("lanterns").debug("%s draws %s", event.seat, event.card)
            yield event

    return altered(deciders={Draw: draw})


@fault("secrets-stay-secret", event="CardPeeked", field="DeckShuffled.order")
def a_secret_told_to_structlog() -> Rules:
    def peek(now: Now, command: Peek) -> Iterator[Event]:
        for event in lanterns.peek(now, command):
            structlog.get_logger().info("peeked", card=event.card)
            yield event

    return altered(deciders={Peek: peek})


@fault("secrets-stay-secret", field="DeckShuffled.order")
def a_secret_that_is_printed() -> Rules:
    def setup(now: Now) -> Iterator[Event]:
        for event in lanterns.setup(now):
            yield event
            print(now[Hands].cards)

    return altered(setup=setup)


@fault("undo-stops-at-the-barrier", event="CardPeeked", field="CardPeeked.card")
def a_peek_that_can_be_taken_back() -> Rules:
    def peek(now: Now, command: Peek) -> Iterator[Event]:
        for event in lanterns.peek(now, command) if not now.position.is_view else ():
            LAST["peeked"] = event
            yield event
        if now.position.is_view:
            yield LAST["peeked"]

    return altered(deciders={Peek: peek})


@fault("determinized-positions-fit", field="Hands.cards")
def a_determinize_that_forgets_the_own_hand() -> Rules:
    def determinize(view: Position, chance: Chance) -> Position:
        hands = view[Hands]
        empty = tuple((None,) * len(hand) for hand in hands.cards)
        return lanterns.determinize(view.having(Hands(cards=empty, peeked=hands.peeked)), chance)

    return altered(determinize=determinize)


@fault("determinized-positions-fit", field="Bids.amounts")
def a_determinize_that_leaves_something_open() -> Rules:
    def determinize(view: Position, chance: Chance) -> Position:
        return lanterns.determinize(view, chance).having(view[Bids])

    return altered(determinize=determinize)
