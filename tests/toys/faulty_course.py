"""Lanterns that take another course than they should, one way each: what the conformance kit must find."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Final

import msgspec

from ludolog import Command, Event, Now, Outcome, Position, Rules, Seat, Slot, State, Variant
from toys import lanterns
from toys.lanterns import (
    POINTS,
    Bid,
    BidsOpened,
    CardPeeked,
    Deck,
    Draw,
    Hands,
    LampRolled,
    Peek,
    Play,
    Roll,
    Street,
    TurnPassed,
    place_of,
)
from toys.planting import altered, fault

LONG: Final = {"rounds": 40}
PEEKED: Final[set[tuple[int, str]]] = set()
OWN: Final = random.Random(5)


def rolled(now: Now, pips: int) -> LampRolled:
    return LampRolled(seat=now.seat, place=place_of(now), pips=pips, points=0)


# ---------------------------------------------------------------- chance and clocks


@fault("played-again-it-is-the-same", event="LampRolled", field="LampRolled.pips")
def a_clock_in_a_decider() -> Rules:
    def roll(now: Now, _command: Roll) -> Iterator[Event]:
        yield rolled(now, time.time_ns())

    return altered(deciders={Roll: roll})


@fault("rules-import-nothing-foreign", field="toys.faulty_course")
def an_hour_of_the_clock() -> Rules:
    def roll(now: Now, _command: Roll) -> Iterator[Event]:
        yield rolled(now, time.localtime().tm_hour)

    return altered(deciders={Roll: roll})


@fault("played-again-it-is-the-same", event="LampRolled", field="LampRolled.pips")
def global_random() -> Rules:
    def roll(now: Now, _command: Roll) -> Iterator[Event]:
        yield rolled(now, random.randint(1, 1_000_000))

    return altered(deciders={Roll: roll})


@fault("rules-change-nothing-else", event="LampRolled", field="the global random generator")
def global_random_for_nothing() -> Rules:
    def roll(now: Now, command: Roll) -> Iterator[Event]:
        random.random()
        yield from lanterns.roll(now, command)

    return altered(deciders={Roll: roll})


@fault("played-again-it-is-the-same", event="LampRolled", field="LampRolled.pips")
def dice_of_its_own() -> Rules:
    def roll(now: Now, _command: Roll) -> Iterator[Event]:
        yield rolled(now, OWN.randint(1, 1_000_000))

    return altered(deciders={Roll: roll})


@fault("played-again-it-is-the-same", event="LampRolled", field="LampRolled.pips", options=LONG)
def another_course_from_step_50_on() -> Rules:
    def roll(now: Now, command: Roll) -> Iterator[Event]:
        if now[Street].turns < 50:
            yield from lanterns.roll(now, command)
        else:
            yield rolled(now, time.time_ns())

    return altered(deciders={Roll: roll})


@fault("other-processes-give-the-same", event="LampRolled", field="LampRolled.pips")
def an_order_that_depends_on_the_hash_seed() -> Rules:
    def roll(now: Now, _command: Roll) -> Iterator[Event]:
        order = [lanterns.CARDS.index(card) for card in set(lanterns.CARDS)]
        yield rolled(now, sum(24**power * at for power, at in enumerate(order[:8])))

    return altered(deciders={Roll: roll})


@fault("other-processes-give-the-same", field="legal")
def a_list_in_the_order_of_a_set() -> Rules:
    def legal(position: Position, seat: Seat) -> Iterator[Command]:
        if lanterns.bidding(position):
            yield from lanterns.legal(position, seat)
        else:
            rest = [command for command in lanterns.legal(position, seat) if not isinstance(command, Play)]
            hand = position[Hands].cards[position.seats.index(seat)]
            yield from (Play(card=card) for card in set(hand))
            yield from rest

    return altered(legal=legal)


# ---------------------------------------------------------------- values


class LooseRolled(Event, frozen=True, tag="lanterns/lamp-rolled"):
    seat: Seat
    place: int
    pips: tuple[int, ...]
    points: int


class NamedOpened(Event, frozen=True, tag="lanterns/bids-opened"):
    amounts: tuple[int, ...]
    winner: str | None = None


class Lead(State, frozen=True):
    seat: str | None = None


@fault("values-survive-their-encoding", event="LooseRolled", field="LooseRolled.pips")
def an_event_that_is_read_as_something_else() -> Rules:
    def roll(now: Now, _command: Roll) -> Iterator[Event]:
        yield LooseRolled(seat=now.seat, place=place_of(now), pips=[now.chance.roll()], points=0)

    return altered(deciders={Roll: roll}, events={LampRolled: LooseRolled})


@fault("values-are-plain", event="NamedOpened", field="NamedOpened.winner")
def a_public_field_that_can_be_none() -> Rules:
    def bid(now: Now, command: Bid) -> Iterator[Event]:
        for event in lanterns.bid(now, command):
            yield NamedOpened(amounts=event.amounts) if isinstance(event, BidsOpened) else event

    return altered(deciders={Bid: bid}, events={BidsOpened: NamedOpened})


@fault("values-are-plain", field="Lead.seat")
def a_state_that_is_none_for_everyone() -> Rules:
    return altered(more_states=(Lead,))


@fault("values-are-plain", event="LampRolled", field="Street.played")
def a_state_that_can_be_changed() -> Rules:
    def turn_taken(street: Street, event: LampRolled) -> Street:
        return msgspec.structs.replace(lanterns.turn_taken(street, event), played=[*street.played])

    return altered(reducers={(Street, LampRolled): turn_taken})


@fault("reopening-changes-nothing", field="Street")
def a_state_that_no_snapshot_keeps() -> Rules:
    def turn_taken(street: Street, event: LampRolled) -> Street:
        return msgspec.structs.replace(lanterns.turn_taken(street, event), played=(*street.played, event.pips))

    return altered(reducers={(Street, LampRolled): turn_taken})


@fault("reopening-changes-nothing", field="legal")
@fault("rules-change-nothing-else", event="CardPeeked", field="toys.faulty_course.PEEKED")
def a_cache_beside_the_position() -> Rules:
    PEEKED.clear()

    def peek(now: Now, command: Peek) -> Iterator[Event]:
        yield from lanterns.peek(now, command)
        PEEKED.add((now[Street].turns, now.seat))

    def legal(position: Position, seat: Seat) -> Iterator[Command]:
        listed = lanterns.legal(position, seat)
        tired = any(position[Street].turns < turn and name == seat for turn, name in PEEKED)
        yield from (command for command in listed if not (tired and isinstance(command, Draw)))

    return altered(deciders={Peek: peek}, legal=legal)


# ---------------------------------------------------------------- undo


@fault("undo-and-redo-keep-in-step", event="LampRolled")
@fault("audits-say-yes", event="Roll")
def a_count_of_its_own() -> Rules:
    def roll(now: Now, _command: Roll) -> Iterator[Event]:
        OWN.random()
        yield rolled(now, OWN.randint(1, 1_000_000))

    return altered(deciders={Roll: roll})


# ---------------------------------------------------------------- the end


@fault("every-game-ends", options={"rounds": 100_000})
def a_game_that_never_ends() -> Rules:
    return altered()


@fault("every-game-ends", field="to_act")
def a_game_in_which_nobody_can_go_on() -> Rules:
    def bid(now: Now, command: Bid) -> Iterator[Event]:
        for event in lanterns.bid(now, command):
            yield event
            if isinstance(event, BidsOpened):
                return

    return altered(deciders={Bid: bid})


@fault("every-game-ends", field="to_act")
def a_seat_that_may_act_and_has_nothing_to_do() -> Rules:
    def legal(position: Position, seat: Seat) -> Iterator[Command]:
        return iter(()) if seat == "bob" and lanterns.bidding(position) else lanterns.legal(position, seat)

    return altered(legal=legal)


@fault("every-game-ends", event="Bid")
def something_that_happens_after_the_end() -> Rules:
    def bid(now: Now, command: Bid) -> Iterator[Event]:
        yield from lanterns.bid(now, command)
        if now.position.over:
            yield TurnPassed(seat=now.seat)

    return altered(deciders={Bid: bid})


@fault("every-game-ends", event="GameEnded", field="outcome.ranking")
def a_ranking_that_forgets_a_seat() -> Rules:
    def scoring(position: Position, reason: str) -> Outcome:
        outcome = lanterns.scoring(position, reason)
        return msgspec.structs.replace(outcome, ranking=((position.seats[0],),))

    return altered(scoring=scoring)


@fault("every-game-ends", field="legal")
def a_list_that_fails_late() -> Rules:
    def legal(position: Position, seat: Seat) -> Iterator[Command]:
        assert position[Street].turns < 7, "seven is enough"
        return lanterns.legal(position, seat)

    return altered(legal=legal)


# ---------------------------------------------------------------- pictures


@fault("pictures-can-be-drawn", field="picture text")
def a_picture_that_needs_to_know_everything() -> Rules:
    def text(position: Position) -> str:
        return ", ".join(card.upper() for card in position[Deck].cards) or "-"

    return altered(text=text)


@fault("pictures-can-be-drawn", field="picture svg")
def a_picture_that_is_none() -> Rules:
    def svg(position: Position) -> str:
        return f"<svg>{lanterns.svg(position)}"

    return altered(svg=svg)


@fault("pictures-can-be-drawn", event="CardPeeked")
def a_sentence_that_needs_to_be_told() -> Rules:
    rules = altered()
    rules.sentences[CardPeeked] = lambda _position, event: f"{event.card.title()} was seen."
    return rules


# ---------------------------------------------------------------- variants

COSTS: Final = Slot("costs", "A list that a variant changes in place.")
PRICES: Final = [1]
double: Final = Rules("lanterns/double")
double.adjust(POINTS, "play", lambda points: points * 2, cites="LA-10")
dear: Final = Rules("lanterns/dear")
dear.adjust(COSTS, "all", lambda prices: prices.append(2) or prices, cites="LA-11")


def load_double() -> Rules:
    return double


def load_dear() -> Rules:
    return dear


DOUBLE: Final = Variant(id="lanterns/double", title="", summary="", rules=load_double)
DEAR: Final = Variant(id="lanterns/dear", title="", summary="", rules=load_dear)


@fault("variants-have-one-order", field="slot 'points', entry 'play'", variants=(lanterns.OIL, DOUBLE))
def variants_whose_order_matters() -> Rules:
    return altered()


@fault("variants-have-one-order", field="costs", variants=(DEAR,))
def a_variant_that_changes_the_game_in_place() -> Rules:
    rules = altered()
    rules.slots = [*rules.slots, COSTS]
    rules.add(COSTS, "all", PRICES, cites="LA-11")
    return rules
