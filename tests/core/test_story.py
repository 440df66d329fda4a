"""What a seat was told, in sentences: each with what the seat knew just then, and whatever fails, some sentence."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from ludolog import Command, Event, Now, Position, Private, Retracted, Rules, Seat, State, Table
from ludolog.errors import BadPosition, UnknownSeat
from toys.made import new_rules, table_of

SEATS = ("ann", "bob")
EVERYONE = (*SEATS, None)


class Pile(State, frozen=True):
    """Cards, the top one last."""

    cards: tuple[str, ...] = ()
    held: tuple[str | None, ...] = ()


class CardPiled(Event, frozen=True, tag="toy/card-piled"):
    card: str


class TopTaken(Event, frozen=True, tag="toy/top-taken"):
    """Which card it is, only the pile tells."""

    place: int


class CardHeld(Event, frozen=True, tag="toy/card-held"):
    seat: Seat
    card: Private[str]


class Counted(Event, frozen=True, tag="toy/counted"):
    pass


class Put(Command, frozen=True, tag="toy/put"):
    card: str = ""
    take: int = 0


def rules_of_the_pile() -> Rules:
    rules = new_rules()
    rules.state(Pile)

    @rules.reducer
    def piled(pile: Pile, event: CardPiled) -> Pile:
        return msgspec.structs.replace(pile, cards=(*pile.cards, event.card))

    @rules.reducer
    def taken(pile: Pile, event: TopTaken) -> Pile:
        cards = pile.cards
        return msgspec.structs.replace(pile, cards=(*cards[: event.place], f"({cards[event.place]})"))

    @rules.reducer
    def held(pile: Pile, event: CardHeld) -> Pile:
        return msgspec.structs.replace(pile, held=(*pile.held, event.card))

    @rules.reducer
    def counted(pile: Pile, _event: Counted) -> Pile:
        return pile

    @rules.decider
    def put(now: Now, command: Put) -> Iterator[Event]:
        if command.card:
            yield CardPiled(card=command.card)
            yield CardHeld(seat=now.seat or "", card=command.card)
        for _ in range(command.take):
            yield TopTaken(place=len(now[Pile].cards) - 1)
            yield Counted()

    @rules.sentence
    def told_taken(position: Position, event: TopTaken) -> str:
        return f"{position[Pile].cards[event.place]} of {len(position[Pile].cards)} is taken."

    @rules.sentence
    def told_counted(_position: Position, _event: Counted) -> str:
        return ""

    return rules


@pytest.fixture
def table() -> Table:
    return table_of(rules_of_the_pile(), SEATS)


def sentences(table: Table, seat: Seat | None, after: int = 0) -> list[str]:
    return [sentence for _, sentence in table.story(seat, after)]


def test_each_event_is_told_with_what_was_known_just_then(table: Table) -> None:
    table.play("ann", Put(card="ace", take=1))
    table.play("bob", Put(card="king", take=1))
    assert sentences(table, None, 2) == [
        "Card piled: card ace.",
        "Card held: seat ann, card hidden.",
        "(ace) of 1 is taken.",
        "",
        "Card piled: card king.",
        "Card held: seat bob, card hidden.",
        "(king) of 2 is taken.",
        "",
    ]
    assert "Card held: seat bob, card king." in sentences(table, "bob")
    later = table.view(None)
    taken = next(item.event for item in table.feed(None) if isinstance(item.event, TopTaken))
    assert later.ruleset.tell(later, taken) == "(ace) of 2 is taken.", "a later view says what wasn't so"


def test_undo_and_redo_are_told_and_lead_the_view_back(table: Table) -> None:
    table.play("ann", Put(card="ace", take=1))
    known = len(table.feed(None))
    table.undo(None)
    table.redo(None)
    table.undo(None, to=2)
    table.play("ann", Put(card="king", take=1))
    assert sentences(table, None, known) == [
        "The host took back the last command.",
        "The host restored the last command.",
        "The host took back the last command.",
        "Card piled: card king.",
        "Card held: seat ann, card hidden.",
        "(king) of 1 is taken.",
        "",
    ]


def at_random(table: Table, steps: int, chance: random.Random) -> None:
    for _ in range(steps):
        do: Any = chance.choice(["put", "put", "take", "undo", "redo"])
        if do == "undo" and table.history.place > 2:
            table.undo(None, to=table.history.since(2)[-1])
        elif do == "redo" and table.history.redoable:
            table.redo(None)
        else:
            table.play(chance.choice(SEATS), Put(card=f"{table.length}", take=int(do == "take")))


@pytest.mark.parametrize("seed", range(5))
def test_a_story_is_the_feed_from_wherever_one_goes_on(table: Table, seed: int) -> None:
    """Somebody who asks after every step hears what somebody hears who asks at the end, in a fork as well."""
    chance = random.Random(seed)
    heard: dict[Seat | None, list[Any]] = {seat: [] for seat in EVERYONE}
    for playing in (table, None):
        at_work = playing or table.fork(9, id="f")
        if playing is None:
            heard = {seat: list(at_work.story(seat)) for seat in EVERYONE}
        for _ in range(15):
            at_random(at_work, 1, chance)
            for seat, known in heard.items():
                known.extend(at_work.story(seat, after=len(known)))
        for seat, known in heard.items():
            whole = at_work.story(seat)
            assert list(whole) == known
            assert tuple(item for item, _ in whole) == at_work.feed(seat)
            for after in range(0, len(known) + 2, 3):
                assert at_work.story(seat, after) == whole[after:]
    assert any(isinstance(item.event, Retracted) for item, _ in heard[None])


def test_who_and_from_where_is_checked(table: Table) -> None:
    with pytest.raises(UnknownSeat):
        table.story("cy")
    with pytest.raises(BadPosition):
        table.story("ann", after="1")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def test_a_view_that_does_not_fit_gives_the_sentence_by_names(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    """It was an error in whoever only wanted to show a line. The log says where it failed, for the game's author."""
    early = table.view("ann")
    assert early.ruleset.tell(early, TopTaken(place=4)) == "Top taken: place 4."
    [record] = caplog.records
    assert record.message == "told by names"
    assert "The sentence for TopTaken of toy raised IndexError at test_story.py:" in str(vars(record))


def test_what_a_sentence_raised_is_told_to_nobody(caplog: pytest.LogCaptureFixture) -> None:
    """F4: an exception may hold the card that was looked for."""
    rules = rules_of_the_pile()

    @rules.sentence
    def told_put(_position: Position, _command: Put) -> str:
        raise KeyError("card-13")  # noqa: EM101

    table = table_of(rules, SEATS)
    assert table.ruleset.tell(table.view("ann"), Put(card="ace")) == "Put: card ace, take 0."
    assert "card-13" not in f"{caplog.text}{vars(caplog.records[0])}"
