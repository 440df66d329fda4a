"""Vault: hidden cards, secret marks, dice and a walk, one command for every way of telling. For tests of the engine.

Cards are words such as ``card-07``, so that a test can look for one in whatever a seat receives.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

import msgspec

from ludolog import (
    NOBODY,
    Audience,
    Command,
    Event,
    Game,
    Now,
    Outcome,
    Position,
    Private,
    PrivateTuple,
    Rules,
    ScoreLine,
    Seat,
    SecretTuple,
    State,
    hookimpl,
    refuse,
    told_to,
)

rules = Rules("vault", version=1)

CARDS = tuple(f"card-{number:02}" for number in range(40))


@rules.state
class Vault(State, frozen=True):
    """``hands`` and ``downs`` by place; ``deck`` with its top first; ``turn`` counts the moves."""

    hands: tuple[tuple[str | None, ...], ...] = ()
    downs: tuple[tuple[str | None, ...], ...] = ()
    deck: tuple[str | None, ...] = ()
    shown: tuple[str, ...] = ()
    cell: int = 0
    turn: int = 0
    said: tuple[str, ...] = ()
    rolls: tuple[int, ...] = ()


@rules.state
class Notes(State, frozen=True):
    """What the watchers of a note know, and a mark of which nobody hears."""

    note: str | None = ""
    marks: int = 0
    told: tuple[str, ...] = ()


class Dealt(Event, frozen=True, tag="vault/dealt"):
    """A hand was dealt."""

    seat: Seat
    cards: PrivateTuple[str]


class Stacked(Event, frozen=True, tag="vault/stacked"):
    """The rest became the deck."""

    deck: SecretTuple[str]


class Drew(Event, frozen=True, tag="vault/drew"):
    """The top of the deck went into a hand."""

    seat: Seat
    place: int
    card: Private[str]


class Walked(Event, frozen=True, tag="vault/walked"):
    """A public choice."""

    seat: Seat
    to: int


class LaidDown(Event, frozen=True, tag="vault/laid-down"):
    """A card was laid face down."""

    seat: Seat
    card: Private[str]


class Shown(Event, frozen=True, tag="vault/shown"):
    """A card of a hidden hand was shown to all."""

    seat: Seat
    place: int
    index: int
    card: str


class Said(Event, frozen=True, tag="vault/said"):
    """Something that depends on a hidden hand was said."""

    seat: Seat
    what: str


class Knocked(Event, frozen=True, tag="vault/knocked"):
    """A seat knocked, which only some hands allow."""

    seat: Seat


class Rolled(Event, frozen=True, tag="vault/rolled"):
    """A die was rolled."""

    seat: Seat
    die: int


class Noted(Event, frozen=True, tag="vault/noted"):
    """A note was written, for the watchers only."""

    watchers: tuple[Seat, ...]
    note: Annotated[str | None, told_to("watchers")]


class Whispered(Event, frozen=True, tag="vault/whispered"):
    """A seat was told something, and nobody else heard that it was."""

    audience: ClassVar[Audience | None] = told_to("seat")
    seat: Seat
    what: str


class Marked(Event, frozen=True, tag="vault/marked"):
    """Nobody hears of it."""

    audience: ClassVar[Audience | None] = NOBODY
    what: str


class Echoed(Event, frozen=True, tag="vault/echoed"):
    """Follows from a walk onto cell 9, three times in a row."""

    left: int


class Draw(Command, frozen=True, tag="vault/draw"):
    """Take the top card."""


class Walk(Command, frozen=True, tag="vault/walk"):
    """Go to a cell."""

    to: int


class LayDown(Command, frozen=True, tag="vault/lay-down"):
    """Lay a card face down."""

    card: str


class Show(Command, frozen=True, tag="vault/show"):
    """Show a card."""

    card: str


class Say(Command, frozen=True, tag="vault/say"):
    """Say whether you hold a card."""

    card: str


class Knock(Command, frozen=True, tag="vault/knock"):
    """Allowed with a low card only."""


class Guess(Command, frozen=True, tag="vault/guess"):
    """Guess the first card of another hand: hit or miss."""

    seat: Seat
    card: str


class Roll(Command, frozen=True, tag="vault/roll"):
    """Roll a die."""


class Note(Command, frozen=True, tag="vault/note"):
    """Write a note."""

    watchers: tuple[Seat, ...]
    note: str


class Whisper(Command, frozen=True, tag="vault/whisper"):
    """Whisper to a seat."""

    to: Seat
    what: str


class Mark(Command, frozen=True, tag="vault/mark"):
    """Mark the vault; nobody hears."""

    what: str


class Finish(Command, frozen=True, tag="vault/finish"):
    """End the game; the host's."""


def changed(state: State, **fields: object) -> State:
    return msgspec.structs.replace(state, **fields)


def put(row: tuple, place: int, value: object) -> tuple:
    return (*row[:place], value, *row[place + 1 :])


def without(row: tuple, index: int) -> tuple:
    return (*row[:index], *row[index + 1 :])


@rules.reducer(cites="VA-1")
def dealt(vault: Vault, event: Dealt) -> Vault:
    return changed(vault, hands=(*vault.hands, event.cards), downs=(*vault.downs, ()))


@rules.reducer
def stacked(vault: Vault, event: Stacked) -> Vault:
    return changed(vault, deck=event.deck)


@rules.reducer(cites="VA-2")
def drew(vault: Vault, event: Drew) -> Vault:
    hands = put(vault.hands, event.place, (*vault.hands[event.place], event.card))
    return changed(vault, hands=hands, deck=vault.deck[1:], turn=vault.turn + 1)


@rules.reducer(cites="VA-3")
def walked(vault: Vault, event: Walked) -> Vault:
    return changed(vault, cell=event.to, turn=vault.turn + 1)


@rules.reducer
def laid_down(vault: Vault, event: LaidDown) -> Vault:
    place = vault.turn % len(vault.hands)
    hand = vault.hands[place]
    index = hand.index(event.card) if event.card in hand else 0
    hands = put(vault.hands, place, without(hand, index))
    downs = put(vault.downs, place, (*vault.downs[place], event.card))
    return changed(vault, hands=hands, downs=downs, turn=vault.turn + 1)


@rules.reducer
def shown(vault: Vault, event: Shown) -> Vault:
    hands = put(vault.hands, event.place, without(vault.hands[event.place], event.index))
    return changed(vault, hands=hands, shown=(*vault.shown, event.card), turn=vault.turn + 1)


@rules.reducer
def said(vault: Vault, event: Said) -> Vault:
    return changed(vault, said=(*vault.said, event.what), turn=vault.turn + 1)


@rules.reducer
def knocked(vault: Vault, event: Knocked) -> Vault:
    return changed(vault, turn=vault.turn + 1)


@rules.reducer(cites="VA-4")
def rolled(vault: Vault, event: Rolled) -> Vault:
    return changed(vault, rolls=(*vault.rolls, event.die), turn=vault.turn + 1)


@rules.reducer
def noted(notes: Notes, event: Noted) -> Notes:
    return changed(notes, note=event.note)


@rules.reducer
def whispered(notes: Notes, event: Whispered) -> Notes:
    return changed(notes, told=(*notes.told, event.what))


@rules.reducer
def marked(notes: Notes, event: Marked) -> Notes:
    return changed(notes, marks=notes.marks + 1)


@rules.reducer
def echoed(vault: Vault, event: Echoed) -> Vault:
    return changed(vault, said=(*vault.said, f"echo {event.left}"))


@rules.setup
def setup(now: Now) -> Iterator[Event]:
    deck = now.chance.shuffle(CARDS)
    for place, seat in enumerate(now.seats):
        yield Dealt(seat=seat, cards=deck[3 * place : 3 * place + 3])
    yield Stacked(deck=deck[3 * len(now.seats) :])


def place_of(now: Now) -> int:
    return now.seats.index(now.seat)


@rules.decider(cites="VA-2")
def draw(now: Now, _command: Draw) -> Iterator[Event]:
    if not now[Vault].deck:
        refuse("deck-empty", "The deck is empty.", "VA-2", left=0)
    yield Drew(seat=now.seat, place=place_of(now), card=now[Vault].deck[0])


@rules.decider(cites="VA-3")
def walk(now: Now, command: Walk) -> Iterator[Event]:
    if not 0 <= command.to < 10:
        refuse("no-such-cell", f"There is no cell {command.to}.", "VA-3", cell=command.to)
    yield Walked(seat=now.seat, to=command.to)


@rules.reaction(cites="VA-5")
def echo(_now: Now, event: Walked | Echoed) -> Iterator[Event]:
    left = event.left - 1 if isinstance(event, Echoed) else 3 * (event.to == 9)
    if left > 0:
        yield Echoed(left=left)


def held(now: Now, card: str) -> int:
    hand = now[Vault].hands[place_of(now)]
    if card not in hand:
        refuse("not-in-hand", f"You don't hold {card}.", "VA-6", card=card)
    return hand.index(card)


@rules.decider
def lay_down(now: Now, command: LayDown) -> Iterator[Event]:
    held(now, command.card)
    yield LaidDown(seat=now.seat, card=command.card)


@rules.decider
def show(now: Now, command: Show) -> Iterator[Event]:
    index = held(now, command.card)
    yield Shown(seat=now.seat, place=place_of(now), index=index, card=command.card)


@rules.decider
def say(now: Now, command: Say) -> Iterator[Event]:
    yield Said(seat=now.seat, what="yes" if command.card in now[Vault].hands[place_of(now)] else "no")


@rules.decider
def knock(now: Now, _command: Knock) -> Iterator[Event]:
    if min(now[Vault].hands[place_of(now)]) > "card-30":
        refuse("no-low-card", "You hold no low card.", "VA-7")
    yield Knocked(seat=now.seat)


@rules.decider
def guess(now: Now, command: Guess) -> Iterator[Event]:
    if command.seat not in now.seats or command.seat == now.seat:
        refuse("no-such-seat", "Guess at another seat.", "VA-8")
    hand = now[Vault].hands[now.seats.index(command.seat)]
    yield Said(seat=now.seat, what="hit" if hand[0] == command.card else "miss")


@rules.decider
def roll(now: Now, _command: Roll) -> Iterator[Event]:
    yield Rolled(seat=now.seat, die=now.chance.roll(6))


@rules.decider
def write(now: Now, command: Note) -> Iterator[Event]:
    yield Noted(watchers=command.watchers, note=command.note)
    yield Walked(seat=now.seat, to=now[Vault].cell)


@rules.decider
def whisper(now: Now, command: Whisper) -> Iterator[Event]:
    yield Whispered(seat=command.to, what=command.what)
    yield Walked(seat=now.seat, to=now[Vault].cell)


@rules.decider
def mark(now: Now, command: Mark) -> Iterator[Event]:
    yield Marked(what=command.what)
    yield Walked(seat=now.seat, to=now[Vault].cell)


@rules.decider(by_host=True)
def finish(now: Now, _command: Finish) -> Iterator[Event]:
    yield now.end("finished")


@rules.to_act
def to_act(position: Position) -> tuple[Seat, ...]:
    return (position.seats[position[Vault].turn % len(position.seats)],)


@rules.legal
def legal(position: Position, seat: Seat) -> Iterator[Command]:
    vault = position[Vault]
    if vault.deck:
        yield Draw()
    yield from (Walk(to=to) for to in range(10))
    yield from (LayDown(card=card) for card in vault.hands[position.seats.index(seat)])
    yield from (Show(card=card) for card in vault.hands[position.seats.index(seat)])
    yield Roll()


@rules.scoring
def scoring(position: Position, reason: str) -> Outcome:
    lines = {
        seat: [ScoreLine(label="Cards", points=len(hand))]
        for seat, hand in zip(position.seats, position[Vault].hands, strict=True)
    }
    return Outcome.by_score(lines, reason=reason, sentence="The vault was closed.", clause="VA-9")


@rules.picture("text")
def text(position: Position) -> str:
    vault = position[Vault]
    hands = ", ".join(
        f"{seat} {' '.join(card or '?' for card in hand)}"
        for seat, hand in zip(position.seats, vault.hands, strict=True)
    )
    return f"cell {vault.cell}; {hands}; {len(vault.deck)} left; note {position[Notes].note}"


def load() -> Rules:
    return rules


GAME = Game(id="vault", title="Vault", summary="Hidden cards.", seats=(2, 3, 4), rules=load)


@hookimpl
def ludolog_game() -> Game:
    return GAME
