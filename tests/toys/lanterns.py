"""Lanterns: a small game with everything that a game can hide, and nothing wrong with it.

A secret deck, hands, peeks at the deck, dice, secret bids made at the same time, and a reveal at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Final

import msgspec

from ludolog import (
    Chance,
    Command,
    Event,
    Game,
    Now,
    Options,
    Outcome,
    Position,
    Private,
    Refusal,
    Rules,
    Ruleset,
    ScoreLine,
    Seat,
    Secret,
    Slot,
    State,
    Variant,
    refuse,
)

COLOURS: Final = ("amber", "blue", "green", "white")
CARDS: Final = tuple(f"{colour}-{value}" for colour in COLOURS for value in range(1, 7))
HAND: Final = 3
BIDS: Final = (0, 1, 2, 3)


class LanternOptions(Options, frozen=True):
    """How many turns each seat has."""

    rounds: Annotated[int, msgspec.Meta(ge=1)] = 6


rules: Final = Rules("lanterns", options=LanternOptions)

POINTS: Final[Slot[int]] = rules.slot(Slot("points", "What it brings."), {"play": 1, "roll": 2}, cites="LA-1")


@rules.state
class Street(State, frozen=True):
    """Turns taken, points by seat, and the cards that were played."""

    turns: int = 0
    points: tuple[int, ...] = ()
    played: tuple[str, ...] = ()


@rules.state
class Hands(State, frozen=True):
    """Cards by seat, and which seats have peeked."""

    cards: tuple[tuple[str | None, ...], ...] = ()
    peeked: tuple[bool, ...] = ()


@rules.state
class Deck(State, frozen=True):
    """Cards that nobody has, the top one first."""

    cards: tuple[str | None, ...] = ()


@rules.state
class Bids(State, frozen=True):
    """By seat: whether it has bid, and what."""

    placed: tuple[bool, ...] = ()
    amounts: tuple[int | None, ...] = ()


class DeckShuffled(Event, frozen=True, tag="lanterns/deck-shuffled"):
    seats: int
    order: Secret[tuple[str | None, ...]]


class HandDealt(Event, frozen=True, tag="lanterns/hand-dealt"):
    seat: Seat
    cards: Private[tuple[str | None, ...]]


class CardPlayed(Event, frozen=True, tag="lanterns/card-played"):
    seat: Seat
    place: int
    index: int
    card: str
    points: int


class CardPeeked(Event, frozen=True, tag="lanterns/card-peeked"):
    seat: Seat
    place: int
    card: Private[str]


class CardDrawn(Event, frozen=True, tag="lanterns/card-drawn"):
    seat: Seat
    place: int
    card: Private[str]


class LampRolled(Event, frozen=True, tag="lanterns/lamp-rolled"):
    seat: Seat
    place: int
    pips: int
    points: int


class TurnPassed(Event, frozen=True, tag="lanterns/turn-passed"):
    seat: Seat


class BidPlaced(Event, frozen=True, tag="lanterns/bid-placed"):
    seat: Seat
    place: int
    amount: Private[int]


class BidsOpened(Event, frozen=True, tag="lanterns/bids-opened"):
    amounts: tuple[int, ...]


class HandsShown(Event, frozen=True, tag="lanterns/hands-shown"):
    hands: tuple[tuple[str, ...], ...]


class Play(Command, frozen=True, tag="lanterns/play"):
    card: str


class Peek(Command, frozen=True, tag="lanterns/peek"):
    pass


class Draw(Command, frozen=True, tag="lanterns/draw"):
    pass


class Roll(Command, frozen=True, tag="lanterns/roll"):
    pass


class Pass(Command, frozen=True, tag="lanterns/pass"):
    pass


class Bid(Command, frozen=True, tag="lanterns/bid"):
    amount: int


REVEALS: Final = ("lanterns/bids-opened", "lanterns/card-played.index", "lanterns/hands-shown")
"""What makes secrets known to all, and means to: everyone sees which of the cards in a hand is played."""


def put(row: tuple[Any, ...], place: int, value: object) -> tuple[Any, ...]:
    """The row with another value in one place."""
    return (*row[:place], value, *row[place + 1 :])


# ---------------------------------------------------------------- reducers


@rules.reducer
def street_begins(_street: Street, event: DeckShuffled) -> Street:
    return Street(points=(0,) * event.seats)


@rules.reducer
def hands_begin(_hands: Hands, event: DeckShuffled) -> Hands:
    return Hands(peeked=(False,) * event.seats)


@rules.reducer
def shuffled(_deck: Deck, event: DeckShuffled) -> Deck:
    return Deck(cards=event.order or ())


@rules.reducer
def bids_begin(_bids: Bids, event: DeckShuffled) -> Bids:
    return Bids(placed=(False,) * event.seats, amounts=(0,) * event.seats)


@rules.reducer
def dealt(hands: Hands, event: HandDealt) -> Hands:
    return Hands(cards=(*hands.cards, event.cards or ()), peeked=hands.peeked)


@rules.reducer
def dealt_from_deck(deck: Deck, event: HandDealt) -> Deck:
    return Deck(cards=deck.cards[len(event.cards or ()) :])


@rules.reducer
def turn_taken(street: Street, event: CardPlayed | LampRolled) -> Street:
    points = put(street.points, event.place, street.points[event.place] + event.points)
    played = (*street.played, event.card) if isinstance(event, CardPlayed) else street.played
    return Street(turns=street.turns + 1, points=points, played=played)


@rules.reducer
def turn_over(street: Street, _event: TurnPassed | CardPeeked | CardDrawn) -> Street:
    return msgspec.structs.replace(street, turns=street.turns + 1)


@rules.reducer
def played(hands: Hands, event: CardPlayed) -> Hands:
    hand = hands.cards[event.place]
    left = (*hand[: event.index], *hand[event.index + 1 :])
    return Hands(cards=put(hands.cards, event.place, left), peeked=hands.peeked)


@rules.reducer
def peeked(hands: Hands, event: CardPeeked) -> Hands:
    return Hands(cards=hands.cards, peeked=put(hands.peeked, event.place, True))


@rules.reducer
def top_known(deck: Deck, event: CardPeeked) -> Deck:
    return Deck(cards=(event.card, *deck.cards[1:]))


@rules.reducer
def drawn(hands: Hands, event: CardDrawn) -> Hands:
    hand = (*hands.cards[event.place], event.card)
    return Hands(cards=put(hands.cards, event.place, hand), peeked=hands.peeked)


@rules.reducer
def drawn_from_deck(deck: Deck, _event: CardDrawn) -> Deck:
    return Deck(cards=deck.cards[1:])


@rules.reducer
def bid_placed(bids: Bids, event: BidPlaced) -> Bids:
    placed = put(bids.placed, event.place, True)
    return Bids(placed=placed, amounts=put(bids.amounts, event.place, event.amount))


@rules.reducer
def bids_opened(bids: Bids, event: BidsOpened) -> Bids:
    return Bids(placed=bids.placed, amounts=event.amounts)


@rules.reducer
def bids_paid(street: Street, event: BidsOpened) -> Street:
    best = max(event.amounts)
    points = (
        had - amount + (3 if amount == best else 0) for had, amount in zip(street.points, event.amounts, strict=True)
    )
    return msgspec.structs.replace(street, points=tuple(points))


@rules.reducer
def hands_shown(hands: Hands, event: HandsShown) -> Hands:
    return Hands(cards=event.hands, peeked=hands.peeked)


# ---------------------------------------------------------------- decisions


def bidding(position: Position) -> bool:
    """Whether all turns are taken."""
    return position[Street].turns >= position.options(LanternOptions).rounds * len(position.seats)


@rules.setup
def setup(now: Now) -> Iterator[Event]:
    yield DeckShuffled(seats=len(now.seats), order=now.chance.shuffle(CARDS))
    for seat in now.seats:
        yield HandDealt(seat=seat, cards=now[Deck].cards[:HAND])


@rules.to_act
def to_act(position: Position) -> tuple[Seat, ...]:
    if bidding(position):
        return tuple(seat for seat, done in zip(position.seats, position[Bids].placed, strict=True) if not done)
    return (position.seats[position[Street].turns % len(position.seats)],)


@rules.waiting
def waiting(position: Position, seat: Seat, _command: Command) -> Refusal | None:
    acting = " and ".join(position.ruleset.to_act(position))
    return Refusal(code="wait", sentence=f"{seat} waits for {acting}.", clause="LA-2")


def place_of(now: Now, *, bids: bool = False) -> int:
    """The seat's place; refused in the wrong half of the game."""
    if bidding(now.position) != bids:
        refuse("wrong-half", "The bids come after the turns." if bids else "All turns are taken.", "LA-3")
    return now.seats.index(now.seat)


@rules.decider
def play(now: Now, command: Play) -> Iterator[Event]:
    place = place_of(now)
    hand = now[Hands].cards[place]
    if command.card not in hand:
        refuse("not-in-hand", f"You don't hold {command.card!r}.", "LA-4", card=command.card)
    points = now.slot(POINTS)["play"]
    yield CardPlayed(seat=now.seat, place=place, index=hand.index(command.card), card=command.card, points=points)


@rules.decider
def peek(now: Now, _command: Peek) -> Iterator[Event]:
    place = place_of(now)
    if now[Hands].peeked[place] or not now[Deck].cards:
        refuse("no-peek", "You may peek once, at a deck that has cards.", "LA-5")
    yield CardPeeked(seat=now.seat, place=place, card=now[Deck].cards[0])


@rules.decider
def draw(now: Now, _command: Draw) -> Iterator[Event]:
    place = place_of(now)
    if not now[Deck].cards or len(now[Hands].cards[place]) > HAND:
        refuse("no-draw", "You may draw while the deck has cards and your hand has room.", "LA-6")
    yield CardDrawn(seat=now.seat, place=place, card=now[Deck].cards[0])


@rules.decider
def roll(now: Now, _command: Roll) -> Iterator[Event]:
    place = place_of(now)
    pips = now.chance.roll()
    points = now.slot(POINTS)["roll"] if pips == 6 else 0
    yield LampRolled(seat=now.seat, place=place, pips=pips, points=points)


@rules.decider
def pass_turn(now: Now, _command: Pass) -> Iterator[Event]:
    place_of(now)
    yield TurnPassed(seat=now.seat)


@rules.decider
def bid(now: Now, command: Bid) -> Iterator[Event]:
    place = place_of(now, bids=True)
    if command.amount not in BIDS:
        refuse("no-such-bid", "A bid is a number from 0 to 3.", "LA-7", amount=command.amount)
    yield BidPlaced(seat=now.seat, place=place, amount=command.amount)
    if all(now[Bids].placed):
        yield BidsOpened(amounts=now[Bids].amounts)
        yield HandsShown(hands=now[Hands].cards)
        yield now.end("bids-opened")


@rules.legal
def legal(position: Position, seat: Seat) -> Iterator[Command]:
    if bidding(position):
        yield from (Bid(amount=amount) for amount in BIDS)
        return
    place = position.seats.index(seat)
    hand = position[Hands].cards[place]
    yield from (Play(card=card) for card in hand)
    if position[Deck].cards:
        if not position[Hands].peeked[place]:
            yield Peek()
        if len(hand) <= HAND:
            yield Draw()
    yield Roll()
    yield Pass()


@rules.scoring
def scoring(position: Position, reason: str) -> Outcome:
    lines = {
        seat: [ScoreLine(label="Points", points=won)]
        for seat, won in zip(position.seats, position[Street].points, strict=True)
    }
    return Outcome.by_score(lines, reason=reason, sentence="The bids are open.")


# ---------------------------------------------------------------- views


@rules.determinize
def determinize(view: Position, chance: Chance) -> Position:
    """Deal what is not known anew; a bid that is not known may be any."""
    hands, deck, bids = view[Hands], view[Deck], view[Bids]
    known = {*view[Street].played, *deck.cards, *(card for hand in hands.cards for card in hand)}
    unseen = iter(chance.shuffle([card for card in CARDS if card not in known]))

    def fill(cards: tuple[str | None, ...]) -> tuple[str, ...]:
        return tuple(next(unseen) if card is None else card for card in cards)

    amounts = tuple(chance.choose(BIDS) if amount is None else amount for amount in bids.amounts)
    return view.having(
        Hands(cards=tuple(map(fill, hands.cards)), peeked=hands.peeked),
        Deck(cards=fill(deck.cards)),
        Bids(placed=bids.placed, amounts=amounts),
    )


def row(cards: tuple[str | None, ...]) -> str:
    return " ".join("?" if card is None else card for card in cards) or "-"


@rules.picture("text")
def text(position: Position) -> str:
    street = position[Street]
    lines = [f"{seat}: {row(hand)}" for seat, hand in zip(position.seats, position[Hands].cards, strict=False)]
    return "\n".join([*lines, f"deck: {row(position[Deck].cards)}", f"points: {street.points}"])


@rules.picture("svg")
def svg(position: Position) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg"><text>{row(position[Deck].cards)}</text></svg>'


# ---------------------------------------------------------------- manifests


def load() -> Rules:
    return rules


GAME: Final = Game(id="lanterns", title="Lanterns", summary="Light the street.", seats=(2, 3), rules=load)

oil: Final = Rules("lanterns/oil")
oil.adjust(POINTS, "play", lambda points: points + 1, cites="LA-8")

wick: Final = Rules("lanterns/wick")
wick.adjust(POINTS, "play", lambda points: points + 2, cites="LA-9")


def load_oil() -> Rules:
    return oil


def load_wick() -> Rules:
    return wick


OIL: Final = Variant(id="lanterns/oil", title="Oil", summary="A card brings one more.", rules=load_oil)
WICK: Final = Variant(id="lanterns/wick", title="Wick", summary="A card brings two more.", rules=load_wick)


def ruleset(*variants: Variant, **options: Any) -> Ruleset:
    """The game, with variants and options."""
    return Ruleset(GAME, variants, options)


def cards_are_whole(position: Position) -> None:
    """Every card is in one place; for an invariant."""
    hands = [card for hand in position[Hands].cards for card in hand]
    every = [*position[Deck].cards, *hands, *position[Street].played]
    assert sorted(map(str, every)) == sorted(CARDS), f"{len(every)} cards of {len(CARDS)}"
