"""Who is told what: fields, tuples, named seats, whole events; and nothing else of a hidden value."""

from typing import Annotated, Any, ClassVar

import msgspec
import pytest

from ludolog_events import (
    NOBODY,
    Audience,
    Event,
    Private,
    PrivateTuple,
    Seat,
    Secret,
    SecretTuple,
    audience_of,
    audiences,
    is_told,
    told,
    told_to,
)

SEATS = ("ann", "bob", "cy", None)


class Card(msgspec.Struct, frozen=True):
    face: str


class Open(Event, frozen=True, tag="toy/open"):
    seat: Seat
    card: str


class Dealt(Event, frozen=True, tag="toy/dealt"):
    seat: Seat
    count: int
    top: Private[Card]
    hand: PrivateTuple[str]
    rows: Private[tuple[tuple[str, ...] | None, ...]]
    maybe: Private[str] = None


class Shuffled(Event, frozen=True, tag="toy/shuffled"):
    order: SecretTuple[int]
    seed: Secret[int]
    pair: Secret[tuple[str | None, int | None]]


class Noted(Event, frozen=True, tag="toy/noted"):
    watchers: tuple[Seat, ...]
    note: Annotated[str | None, told_to("watchers")]
    reader: Seat
    page: Annotated[int | None, told_to("reader")] = 0


class Whispered(Event, frozen=True, tag="toy/whispered"):
    audience: ClassVar[Audience | None] = told_to("seats")
    seats: tuple[Seat, ...]
    words: str
    aside: Secret[str]


class Marked(Event, frozen=True, tag="toy/marked"):
    audience: ClassVar[Audience | None] = NOBODY
    mark: str


class Blind(Event, frozen=True, tag="toy/blind"):
    watchers: SecretTuple[Seat]
    note: Annotated[str | None, told_to("watchers")]


DEALT = Dealt(seat="ann", count=2, top=Card(face="K"), hand=("K", "Q"), rows=(("a", "b"), ()), maybe="x")
NOTED = Noted(watchers=("ann", "cy"), note="n", reader="bob", page=7)
WHISPERED = Whispered(seats=("bob",), words="w", aside="s")


def test_what_everyone_is_told_is_the_event_itself():
    event = Open(seat="ann", card="K")
    for seat in SEATS:
        assert told(event, seat) is event
    assert audiences(Open) == {}
    assert audience_of(Open) is None


def test_a_private_field_is_told_to_the_events_seat():
    assert told(DEALT, "ann") is DEALT
    for seat in ("bob", None, "", "Ann"):
        assert told(DEALT, seat) == Dealt(
            seat="ann", count=2, top=None, hand=(None, None), rows=(None, None), maybe=None
        )


def test_the_size_of_a_hidden_tuple_stays_true():
    for size in (0, 1, 5):
        event = Shuffled(order=tuple(range(size)), seed=size, pair=("a", 1))
        for seat in SEATS:
            assert told(event, seat) == Shuffled(order=(None,) * size, seed=None, pair=(None, None))


def test_a_third_form_names_the_field_with_the_seats():
    assert told(NOTED, "ann") == msgspec.structs.replace(NOTED, page=None)
    assert told(NOTED, "bob") == msgspec.structs.replace(NOTED, note=None)
    assert told(NOTED, "cy") == msgspec.structs.replace(NOTED, page=None)
    assert told(NOTED, None) == msgspec.structs.replace(NOTED, note=None, page=None)


def test_an_event_can_be_secret_as_a_whole():
    assert told(WHISPERED, "bob") == msgspec.structs.replace(WHISPERED, aside=None)
    for seat in ("ann", "cy", None, ""):
        assert told(WHISPERED, seat) is None
    for seat in (*SEATS, ""):
        assert told(Marked(mark="m"), seat) is None
    assert audience_of(Marked) is NOBODY


def test_the_seats_told_can_be_hidden_themselves():
    event = Blind(watchers=("ann",), note="n")
    assert told(event, "ann") == Blind(watchers=(None,), note="n")
    assert told(event, "bob") == Blind(watchers=(None,), note=None)


def test_what_was_told_is_not_told_on():
    """Telling what was told gives nothing new: a field hidden once stays hidden."""
    for event in (DEALT, NOTED, WHISPERED, Blind(watchers=("ann",), note="n")):
        for seat in SEATS:
            fact = told(event, seat)
            if fact is not None:
                for other in SEATS:
                    again = told(fact, other)
                    assert again is None or leaves(again) <= leaves(fact) | {None}


def test_is_told_agrees_with_what_is_told():
    for event in (DEALT, NOTED, WHISPERED, Marked(mark="m"), Open(seat="ann", card="K")):
        for seat in SEATS:
            fact = told(event, seat)
            for name in event.__struct_fields__:
                shown = fact is not None and getattr(fact, name) == getattr(event, name)
                assert is_told(event, name, seat) == shown


def leaves(value: Any) -> set[object]:
    if isinstance(value, msgspec.Struct):
        return {leaf for name in value.__struct_fields__ for leaf in leaves(getattr(value, name))}
    if isinstance(value, tuple):
        return {leaf for item in value for leaf in leaves(item)}
    return {value}


@pytest.mark.parametrize("seat", SEATS)
def test_no_leaf_of_a_hidden_value_is_left(seat):
    """F8, F9: every leaf of what is told, by value and by bytes, against every hidden word."""
    event = Dealt(
        seat="dot",
        count=2,
        top=Card(face="secret-1"),
        hand=("secret-2", "secret-3"),
        rows=(("secret-4",), ("secret-5", "secret-6")),
        maybe="secret-7",
    )
    fact = told(event, seat)
    assert not [leaf for leaf in leaves(fact) if "secret" in str(leaf)]
    assert b"secret" not in msgspec.msgpack.encode(fact)
    assert "secret" not in repr(fact)


def test_what_two_seats_may_not_tell_apart_is_equal():
    """F12: other hidden values give the same bytes, other public values others."""
    other = Dealt(seat="ann", count=2, top=Card(face="7"), hand=("8", "9"), rows=(None, ("z",)), maybe=None)
    assert msgspec.msgpack.encode(told(DEALT, "bob")) == msgspec.msgpack.encode(told(other, "bob"))
    shorter = msgspec.structs.replace(DEALT, hand=("K",))
    assert told(DEALT, "bob") != told(shorter, "bob")
    assert told(DEALT, "ann") != told(other, "ann")
