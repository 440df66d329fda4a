"""High card: all lay a card face down at once, and the highest wins the prize. Hidden, simultaneous, small."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
    Rules,
    ScoreLine,
    Seat,
    State,
    hookimpl,
    refuse,
)


class CardOptions(Options, frozen=True):
    """How many cards everyone gets."""

    hand: int = 4


rules = Rules("high-card", options=CardOptions)
CARDS = tuple(range(1, 17))
PRIZES = (1, 2, 4, 8, 16, 32)


@rules.state
class Cards(State, frozen=True):
    """By seat: the hand, the card laid face down (0: none), and the points. ``shown``: cards laid open."""

    hands: tuple[tuple[int | None, ...], ...] = ()
    laid: tuple[int | None, ...] = ()
    points: tuple[int, ...] = ()
    shown: tuple[int, ...] = ()
    prizes: tuple[int, ...] = ()


class HandDealt(Event, frozen=True, tag="high-card/hand-dealt"):
    seat: Seat
    cards: Private[tuple[int | None, ...]]


class PrizeTurned(Event, frozen=True, tag="high-card/prize-turned"):
    prize: int


class CardLaid(Event, frozen=True, tag="high-card/card-laid"):
    seat: Seat
    place: int
    index: int
    card: Private[int]


class TrickShown(Event, frozen=True, tag="high-card/trick-shown"):
    cards: tuple[int, ...]
    winner: int


class Lay(Command, frozen=True, tag="high-card/lay"):
    card: int


def put(row: tuple, place: int, value: object) -> tuple:
    return (*row[:place], value, *row[place + 1 :])


@rules.reducer
def dealt(cards: Cards, event: HandDealt) -> Cards:
    hands = (*cards.hands, event.cards or ())
    return Cards(hands=hands, laid=(0,) * len(hands), points=(0,) * len(hands))


@rules.reducer
def laid(cards: Cards, event: CardLaid) -> Cards:
    hand = cards.hands[event.place]
    hands = put(cards.hands, event.place, (*hand[: event.index], *hand[event.index + 1 :]))
    return msgspec.structs.replace(cards, hands=hands, laid=put(cards.laid, event.place, event.card))


@rules.reducer
def shown(cards: Cards, event: TrickShown) -> Cards:
    points = cards.points
    points = put(points, event.winner, points[event.winner] + cards.prizes[-1])
    return msgspec.structs.replace(cards, laid=(0,) * len(points), points=points, shown=(*cards.shown, *event.cards))


@rules.reducer
def turned(cards: Cards, event: PrizeTurned) -> Cards:
    return msgspec.structs.replace(cards, prizes=(*cards.prizes, event.prize))


def next_prize(now: Now) -> Event:
    return PrizeTurned(prize=now.chance.choose([prize for prize in PRIZES if prize not in now[Cards].prizes]))


@rules.setup
def setup(now: Now) -> Iterator[Event]:
    hand = now.options(CardOptions).hand
    deck = now.chance.shuffle(CARDS)
    for place, seat in enumerate(now.seats):
        yield HandDealt(seat=seat, cards=deck[place * hand : (place + 1) * hand])
    yield next_prize(now)


@rules.to_act
def to_act(position: Position) -> tuple[Seat, ...]:
    return tuple(seat for seat, card in zip(position.seats, position[Cards].laid, strict=True) if card == 0)


@rules.legal
def legal(position: Position, seat: Seat) -> Iterator[Command]:
    return (Lay(card=card) for card in position[Cards].hands[position.seats.index(seat)])


@rules.decider
def lay(now: Now, command: Lay) -> Iterator[Event]:
    place = now.seats.index(now.seat)
    hand = now[Cards].hands[place]
    if command.card not in hand:
        refuse("not-in-hand", f"You don't have card {command.card}.", "HC-1", card=command.card)
    yield CardLaid(seat=now.seat, place=place, index=hand.index(command.card), card=command.card)
    cards = now[Cards].laid
    if 0 not in cards:
        yield TrickShown(cards=cards, winner=cards.index(max(cards)))
        if any(now[Cards].hands):
            yield next_prize(now)
        else:
            yield now.end("hands-empty")


@rules.scoring
def scoring(position: Position, reason: str) -> Outcome:
    points = zip(position.seats, position[Cards].points, strict=True)
    lines: Mapping[Seat, list[ScoreLine]] = {seat: [ScoreLine(label="Prizes", points=won)] for seat, won in points}
    return Outcome.by_score(lines, reason=reason, sentence="All hands are empty.")


@rules.determinize
def determinize(view: Position, chance: Chance) -> Position:
    cards = view[Cards]
    known = {card for row in (*cards.hands, cards.laid, cards.shown) for card in row}
    unseen = iter(chance.shuffle(card for card in CARDS if card not in known))
    hands = tuple(tuple(next(unseen) if card is None else card for card in hand) for hand in cards.hands)
    down = tuple(next(unseen) if card is None else card for card in cards.laid)
    return view.having(msgspec.structs.replace(cards, hands=hands, laid=down))


@rules.picture("text")
def text(position: Position) -> str:
    cards = position[Cards]
    rows = zip(position.seats, cards.hands, cards.laid, cards.points, strict=True)
    return f"prizes {' '.join(map(str, cards.prizes))}\n" + "\n".join(
        f"{seat}: hand {' '.join('?' if card is None else str(card) for card in hand)}, "
        f"laid {'?' if down is None else down or '-'}, points {points}"
        for seat, hand, down, points in rows
    )


@rules.sentence
def told_laid(_position: Position, event: CardLaid) -> str:
    return f"{event.seat} laid {'a card face down' if event.card is None else f'the {event.card}'}."


@hookimpl
def ludolog_game() -> Game:
    return Game(id="high-card", title="High card", summary="Highest card wins.", seats=(2, 3, 4), rules=lambda: rules)
