"""Canonical bytes: one encoding for each batch, and one error for every other sequence of bytes."""

import hashlib
import json
import random
import time
import tracemalloc
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludolog_events import (
    FORMAT,
    GENESIS,
    MAX_BATCH,
    Batch,
    Command,
    CorruptLog,
    Event,
    Private,
    PrivateTuple,
    Seat,
    check_canonical,
    check_chain,
    encode,
    from_json,
    head_of,
    read_raw,
    to_json,
)


class Card(msgspec.Struct, frozen=True):
    suit: str
    rank: int = 1


class Did(Event, frozen=True, tag="toy/did"):
    seat: Seat
    n: int = 0
    text: str = ""
    sure: bool = False
    cards: tuple[Card, ...] = ()
    hidden: PrivateTuple[int] = ()
    secret: Private[str] = None


class Do(Command, frozen=True, tag="toy/do"):
    n: int = 0


def batch_of(*events: Any, **fields: Any) -> Batch[Any, Any]:
    given = {"number": 3, "time": 1_700_000_000_000_000, "seat": "ann", "command_id": "c-1", "command": Do(n=2)}
    return Batch(
        **{"format": FORMAT, "draws": "6:3 52:0", "blind": b"b" * 16, "previous": bytes(range(32)), **given, **fields},
        events=events,
    )


def raw(command=b"\x81\xa4type\xa3a/b", events=b"\x90", number=b"\x00", head=b"\x9a\x01"):
    """A batch byte by byte, so that each part can be made wrong."""
    return head + number + b"\x00\xc0\xc0" + command + events + b"\xa0\xc4\x10" + bytes(16) + b"\xc4\x20" + bytes(32)


DECODER = msgspec.msgpack.Decoder(Batch[Do, Did])


def test_the_bytes_of_a_batch():
    """A known answer: the format may not drift. Fields in order; defaults are left out of events and commands."""
    payload = encode(batch_of(Did(seat="ann", n=7)))
    assert payload.hex() == (
        "9a0103cf00060a24181e4000a3616e6ea3632d31"
        "82a474797065a6746f792f646fa16e02"
        "9183a474797065a7746f792f646964a473656174a3616e6ea16e07"
        "a8363a332035323a30c410" + "62" * 16 + "c420" + bytes(range(32)).hex()
    )
    assert head_of(payload) == hashlib.sha256(payload).digest()
    check_canonical(payload)


def test_raw_builds_what_the_encoder_builds():
    nobody = {"seat": None, "command_id": None, "command": {"type": "a/b"}}
    assert encode(batch_of(number=0, time=0, draws="", blind=bytes(16), previous=GENESIS, **nobody)) == raw()


texts = st.text('aé♠\x00\n"\\😀', max_size=5)
values = st.builds(
    Did,
    seat=texts,
    n=st.integers(-(2**63), 2**64 - 1),
    text=texts,
    sure=st.booleans(),
    cards=st.lists(st.builds(Card, suit=texts, rank=st.integers(-9, 9)), max_size=3).map(tuple),
    hidden=st.lists(st.none() | st.integers(0, 99), max_size=4).map(tuple),
    secret=st.none() | texts,
)


@given(st.lists(values, max_size=4), st.none() | texts, st.integers(-(2**62), 2**62))
def test_a_batch_is_read_back_as_it_was(events, seat, moment):
    """F31: by value, byte for byte, and through a line of JSON."""
    batch = batch_of(*events, seat=seat, time=moment)
    payload = encode(batch)
    assert DECODER.decode(payload) == batch
    assert encode(DECODER.decode(payload)) == payload
    assert encode(read_raw(payload)) == payload
    check_canonical(payload)
    assert from_json(to_json(payload)) == payload


HOSTILE = {
    "nothing": b"",
    "not msgpack": b"\xc1",
    "a number": b"\x07",
    "a map": b"\x80",
    "too few fields": b"\x99" + raw()[1:],
    "too many fields": b"\x9b" + raw() + b"\xc0",
    "trailing byte": raw() + b"\xc0",
    "two batches": raw() + raw(),
    "cut short": raw()[:-1],
    "deep arrays": raw(command=b"\x91" * 100_000 + b"\xc0"),
    "deep maps": raw(command=b"\x81\xa1a" * 100_000 + b"\xc0"),
    "deep arrays in an event": raw(events=b"\x91" * 100_000 + b"\xc0"),
    "65 levels": raw(command=b"\x81\xa1a" * 65 + b"\xc0"),
    "array of 4 thousand million": raw(events=b"\xdd\xff\xff\xff\xff"),
    "map of 4 thousand million": raw(command=b"\xdf\xff\xff\xff\xff"),
    "text of 4 GB": raw(command=b"\xdb\xff\xff\xff\xff"),
    "bytes of 4 GB": raw(command=b"\xc6\xff\xff\xff\xff"),
    "duplicate keys": raw(command=b"\x82\xa1a\x01\xa1a\x02"),
    "duplicate equal keys": raw(command=b"\x82\xa1a\x01\xa1a\x01"),
    "a padded integer": raw(command=b"\x81\xa1a\xcc\x01"),
    "an integer of 64 bits for 1": raw(command=b"\x81\xa1a\xd3" + bytes(7) + b"\x01"),
    "a padded length of text": raw(command=b"\x81\xd9\x01a\x01"),
    "a padded length of a map": raw(command=b"\xde\x00\x01\xa1a\x01"),
    "a padded length of an array": raw(events=b"\xdc\x00\x00"),
    "invalid UTF-8": raw(command=b"\x81\xa1a\xa1\xff"),
    "overlong UTF-8": raw(command=b"\x81\xa1a\xa2\xc0\x80"),
    "a lone surrogate": raw(command=b"\x81\xa1a\xa3\xed\xa0\x80"),
    "a float": raw(command=b"\x81\xa1a\xcb" + bytes(8)),
    "not a number": raw(command=b"\x81\xa1a\xcb\x7f\xf8" + bytes(6)),
    "an extension": raw(command=b"\x81\xa1a\xd4\x05\x01"),
    "a timestamp": raw(command=b"\x81\xa1a\xd6\xff\x00\x00\x00\x01"),
    "bytes in a command": raw(command=b"\x81\xa1a\xc4\x01a"),
    "bytes in an event": raw(events=b"\x91\x81\xa1a\xc4\x01a"),
    "a number as key": raw(command=b"\x81\x01\x01"),
    "bytes as key": raw(command=b"\x81\xc4\x01a\x01"),
    "nothing as key": raw(command=b"\x81\xc0\x01"),
    "an array as key": raw(command=b"\x81\x91\x01\x01"),
    "a text for the number": raw(number=b"\xa10"),
    "a float for the number": raw(number=b"\xcb" + bytes(8)),
    "true for the number": raw(number=b"\xc3"),
    "a newer format": raw(head=b"\x9a\x02"),
    "a newer format with more fields": b"\x9b\x02" + raw()[2:] + b"\xc0",
}


@pytest.mark.parametrize("payload", HOSTILE.values(), ids=list(HOSTILE))
def test_what_is_no_batch_is_refused_with_one_error(payload):
    """S34: whatever arrives, CorruptLog, with the number of the batch, and nothing else."""
    with pytest.raises(CorruptLog) as error:
        check_canonical(payload, batch=12)
    assert error.value.batch == 12
    assert str(error.value).startswith("The log at batch 12 is damaged: ")
    with pytest.raises(CorruptLog):
        to_json(payload)


@pytest.mark.parametrize("what", ["a newer format", "a newer format with more fields"])
def test_a_newer_format_is_told_from_damage(what):
    with pytest.raises(CorruptLog, match="has format 2, and this version reads format 1"):
        check_canonical(HOSTILE[what])
    with pytest.raises(CorruptLog, match="has format 2"):
        read_raw(HOSTILE[what])


@pytest.mark.parametrize("what", list(HOSTILE))
def test_hostile_bytes_take_neither_time_nor_memory(what):
    """S34: a length header is a claim, not an allocation."""
    began = time.perf_counter()
    tracemalloc.start()
    with pytest.raises(CorruptLog):
        check_canonical(HOSTILE[what])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000_000
    assert time.perf_counter() - began < 1


def test_a_batch_has_a_largest_size():
    text = b"\xdb" + (MAX_BATCH).to_bytes(4, "big") + b"x" * MAX_BATCH
    for check in (check_canonical, read_raw, to_json):
        with pytest.raises(CorruptLog, match=f"more than {MAX_BATCH}"):
            check(raw(command=b"\x81\xa1a" + text))


def test_the_largest_integers_and_nul_are_plain_values():
    check_canonical(raw(command=b"\x81\xa1a\xcf" + b"\xff" * 8))
    check_canonical(raw(command=b"\x81\xa1a\xd3\x80" + bytes(7)))
    check_canonical(raw(command=b"\x81\xa1a\xa1\x00"))


@pytest.mark.parametrize("n", [2**64, -(2**63) - 1])
def test_integers_beyond_64_bits_can_not_be_encoded(n):
    with pytest.raises(OverflowError):
        encode(batch_of(Did(seat="ann", n=n)))


def test_random_damage_is_never_another_error():
    """S17: cut, flip or insert anywhere; what still passes is canonical, and has another hash."""
    chance = random.Random(5)
    payload = encode(batch_of(Did(seat="ann", n=7, cards=(Card(suit="♠"),)), Did(seat="bob", hidden=(1, None))))
    passed = 0
    for _ in range(4000):
        at = chance.randrange(len(payload))
        changed = chance.choice(
            (
                payload[:at] + bytes([chance.randrange(256)]) + payload[at + 1 :],
                payload[:at],
                payload[:at] + bytes([chance.randrange(256)]) + payload[at:],
                payload[:at] + payload[at + 1 :],
            )
        )
        try:
            check_canonical(changed)
        except CorruptLog:
            continue
        passed += changed != payload
        assert encode(read_raw(changed)) == changed
        assert from_json(to_json(changed)) == changed
    assert passed > 100


# ---------------------------------------------------------------- the chain


def test_a_chain_is_followed_batch_by_batch():
    first = encode(batch_of(number=0, previous=GENESIS))
    second = encode(batch_of(number=1, previous=head_of(first)))
    assert check_chain(first, 0, GENESIS) == head_of(first)
    assert check_chain(second, 1, head_of(first)) == head_of(second)
    with pytest.raises(CorruptLog, match="batch 1 stands where batch 0 should"):
        check_chain(second, 0, GENESIS)
    with pytest.raises(CorruptLog, match=r"at batch 1 .* hashes differ"):
        check_chain(second, 1, GENESIS)
    with pytest.raises(CorruptLog, match="batch -1 stands where"):
        check_chain(encode(batch_of(number=-1, previous=GENESIS)), 0, GENESIS)


# ---------------------------------------------------------------- lines of JSON


def line_of(**fields: Any) -> bytes:
    line = json.loads(to_json(encode(batch_of(Did(seat="ann", n=7, text="né\x00")))))
    return json.dumps({**line, **fields}, separators=(",", ":"), ensure_ascii=False).encode()


def test_a_line_says_what_the_bytes_say():
    payload = encode(batch_of(Did(seat="ann", n=7)))
    line = json.loads(to_json(payload))
    assert line["events"] == [{"type": "toy/did", "seat": "ann", "n": 7}]
    assert line["command"] == {"type": "toy/do", "n": 2}
    assert line["head"] == head_of(payload).hex()
    assert line["previous"] == bytes(range(32)).hex()
    assert b"\n" not in to_json(payload)


def test_lines_are_read_with_their_line_feed_or_without():
    payload = encode(batch_of(Did(seat="ann", text="a\nb")))
    assert from_json(to_json(payload) + b"\r\n") == payload
    assert from_json(line_of()) is not None


LINE = line_of()
WRONG_LINES = {
    "nothing": b"",
    "not JSON": b"hello",
    "another type": b"[]",
    "cut short": LINE[:-1],
    "two lines": LINE + b"\n" + LINE,
    "an unknown field": line_of(extra=1),
    "a missing field": LINE.replace(b'"draws":"6:3 52:0",', b""),
    "a field of another type": line_of(number="3"),
    "a float": line_of(number=3.0),
    "an integer of 65 bits": line_of(number=2**64),
    "a huge integer": line_of(number=10**400),
    "a duplicate field": LINE.replace(b'"number":3', b'"number":3,"number":3'),
    "a duplicate field in an event": LINE.replace(b'"n":7', b'"n":7,"n":7'),
    "blanks": LINE.replace(b'"number":3', b'"number": 3'),
    "an escape that isn't needed": LINE.replace(b'"ann"', b'"\\u0061nn"'),
    "fields in another order": json.dumps(dict(sorted(json.loads(LINE).items())), separators=(",", ":")).encode(),
    "a lone surrogate": LINE.replace(b'"ann"', b'"\\ud800"'),
    "invalid UTF-8": LINE.replace(b'"ann"', b'"\xff"'),
    "another text": LINE.replace(b'"n":7', b'"n":8'),
    "another hash": line_of(head="00" * 32),
    "hex in capitals": line_of(previous=bytes(range(32)).hex().upper()),
    "no hex": line_of(blind="zz"),
    "hex with blanks": line_of(blind="62 " * 16),
    "a float in an event": LINE.replace(b'"n":7', b'"n":7.0'),
    "deep arrays": LINE.replace(b'"n":7', b'"n":' + b"[" * 100_000 + b"]" * 100_000),
    "deep maps": LINE.replace(b'"n":7', b'"n":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000),
    "no map for an event": LINE.replace(b'"events":[{', b'"events":[7,{'),
    "not a number": LINE.replace(b'"n":7', b'"n":NaN'),
}


@pytest.mark.parametrize("line", WRONG_LINES.values(), ids=list(WRONG_LINES))
def test_a_line_that_nobody_wrote_is_refused(line):
    """S34, in JSON: one line for each batch, and one error for every other."""
    with pytest.raises(CorruptLog) as error:
        from_json(line, batch=4)
    assert error.value.batch == 4


def test_a_line_whose_hash_was_made_to_fit_is_still_checked():
    """What the bytes may not hold, a line may not bring in."""
    for value in (1.5, [[1.5]], {"a": None, "b": 0.0}):
        plain = {"type": "toy/did", "seat": "ann", "n": value}
        payload = encode(batch_of(plain))
        line = json.loads(to_json(encode(batch_of({"type": "toy/did", "seat": "ann", "n": 1}))))
        line["events"], line["head"] = [plain], head_of(payload).hex()
        with pytest.raises(CorruptLog, match="float"):
            from_json(json.dumps(line, separators=(",", ":")).encode())


def test_a_line_has_a_longest_length():
    with pytest.raises(CorruptLog, match="a line has"):
        from_json(b" " * (4 * MAX_BATCH + 1))
