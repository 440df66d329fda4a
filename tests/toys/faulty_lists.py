"""Lanterns with a fault in their lists or their reducers, one each: what the conformance kit must find."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

import msgspec

from ludolog import Command, Event, Now, Position, Rules, Seat
from toys import lanterns
from toys.lanterns import (
    CardDrawn,
    CardPeeked,
    CardPlayed,
    Deck,
    Draw,
    Hands,
    LampRolled,
    Pass,
    Peek,
    Play,
    Roll,
    Street,
    TurnPassed,
    place_of,
    put,
)
from toys.planting import altered, fault

# ---------------------------------------------------------------- lists against deciders


@fault("other-commands-are-refused", event="Pass")
def an_unlisted_legal_move() -> Rules:
    def legal(position: Position, seat: Seat) -> Iterator[Command]:
        listed = list(lanterns.legal(position, seat))
        yield from (command for command in listed if not isinstance(command, Pass) or position[Street].turns < 5)

    return altered(legal=legal)


@fault("listed-commands-are-accepted", event="Peek")
def a_listed_illegal_move() -> Rules:
    def legal(position: Position, seat: Seat) -> Iterator[Command]:
        yield from lanterns.legal(position, seat)
        if not lanterns.bidding(position) and position[Hands].peeked[position.seats.index(seat)]:
            yield Peek()

    return altered(legal=legal)


@fault("listed-commands-are-accepted", event="Roll")
def a_move_listed_twice() -> Rules:
    def legal(position: Position, seat: Seat) -> Iterator[Command]:
        yield from lanterns.legal(position, seat)
        if not lanterns.bidding(position):
            yield Roll()

    return altered(legal=legal)


@fault("listed-commands-are-accepted", event="Pass")
def a_move_by_which_nothing_happens() -> Rules:
    def pass_turn(now: Now, _command: Pass) -> Iterator[Event]:
        place_of(now)
        if now[Street].turns != 3:
            yield TurnPassed(seat=now.seat)

    return altered(deciders={Pass: pass_turn})


@fault("other-commands-are-refused", event="Play")
def an_error_instead_of_a_refusal() -> Rules:
    def play(now: Now, command: Play) -> Iterator[Event]:
        place = place_of(now)
        index = now[Hands].cards[place].index(command.card)
        yield CardPlayed(seat=now.seat, place=place, index=index, card=command.card, points=1)

    return altered(deciders={Play: play})


@fault("views-list-the-same-commands", event="Draw", field="legal")
def a_list_that_looks_at_the_deck() -> Rules:
    def legal(position: Position, seat: Seat) -> Iterator[Command]:
        for command in lanterns.legal(position, seat):
            top = position[Deck].cards[0] if isinstance(command, Draw) else None
            if top is None or not top.startswith("amber"):
                yield command

    return altered(legal=legal)


@fault("views-list-the-same-commands", field="to_act")
def a_turn_that_depends_on_a_secret() -> Rules:
    def to_act(position: Position) -> tuple[Seat, ...]:
        acting = lanterns.to_act(position)
        return acting[::-1] if str(position[Deck].cards[-1:]) < "('green" else acting

    return altered(to_act=to_act)


@fault("views-list-the-same-commands", field="legal")
def a_list_that_fails_on_a_view() -> Rules:
    def legal(position: Position, seat: Seat) -> Iterator[Command]:
        if sum(len(card) for card in position[Deck].cards) >= 0:
            yield from lanterns.legal(position, seat)

    return altered(legal=legal)


# ---------------------------------------------------------------- reducers

SEEN: Final[list[str]] = []


@fault("rules-change-nothing-else", event="TurnPassed", field="toys.faulty_lists.SEEN")
def a_reducer_that_keeps_a_list() -> Rules:
    def turn_over(street: Street, event: TurnPassed) -> Street:
        SEEN.append(event.seat)
        return lanterns.turn_over(street, event)

    return altered(reducers={(Street, TurnPassed): turn_over})


@fault("rules-change-nothing-else", event="LampRolled", field="Street")
def a_reducer_that_changes_its_slice() -> Rules:
    def turn_taken(street: Street, event: LampRolled) -> Street:
        msgspec.structs.force_setattr(street, "turns", street.turns + 1)
        return street

    return altered(reducers={(Street, LampRolled): turn_taken})


@fault("rules-change-nothing-else", event="LampRolled", field="Street.points")
def a_reducer_that_gives_something_else_each_time() -> Rules:
    count = itertools.count()

    def turn_taken(street: Street, event: LampRolled) -> Street:
        street = lanterns.turn_taken(street, event)
        return msgspec.structs.replace(street, points=put(street.points, event.place, next(count)))

    return altered(reducers={(Street, LampRolled): turn_taken})


@fault("views-are-part-of-the-position", event="CardPeeked", field="Hands.peeked")
def a_reducer_that_branches_on_a_hidden_value() -> Rules:
    def peeked(hands: Hands, event: CardPeeked) -> Hands:
        return lanterns.peeked(hands, event) if event.card is not None else hands

    return altered(reducers={(Hands, CardPeeked): peeked})


@fault("views-are-part-of-the-position", event="CardDrawn")
def a_reducer_that_fails_on_what_is_not_told() -> Rules:
    def drawn(hands: Hands, event: CardDrawn) -> Hands:
        assert event.card.strip()
        return lanterns.drawn(hands, event)

    return altered(reducers={(Hands, CardDrawn): drawn})


@fault("invariants-hold", event="CardDrawn", invariants=(lanterns.cards_are_whole,))
def a_reducer_that_forgets_a_slice() -> Rules:
    def drawn_from_deck(deck: Deck, _event: CardDrawn) -> Deck:
        return deck

    return altered(reducers={(Deck, CardDrawn): drawn_from_deck})


@fault("folding-gives-the-position", event="TurnPassed", field="Street.turns")
def a_reducer_that_counts_on_its_own() -> Rules:
    calls = itertools.count()

    def turn_over(street: Street, event: TurnPassed) -> Street:
        bonus = next(calls) % 7 == 6
        return msgspec.structs.replace(street, turns=street.turns + 1 + bonus)

    return altered(reducers={(Street, TurnPassed): turn_over})


@fault("rules-change-nothing-else", event="Pass", field="Deck.cards[0]")
def a_decider_that_writes_into_the_position() -> Rules:
    def pass_turn(now: Now, _command: Pass) -> Iterator[Event]:
        place_of(now)
        now.position.slices[Deck] = Deck(cards=now[Deck].cards[::-1])
        yield TurnPassed(seat=now.seat)

    return altered(deciders={Pass: pass_turn})
