"""Input that was made to hurt: random bytes, wrong msgpack, JSON and TOML, sound input with something wrong in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

import msgspec

from ludolog.testing.damage import cut_head, cut_middle, cut_tail, deleted, doubled, flipped, inserted, swapped
from ludolog.testing.tampered_logs import leaves_of

__all__ = ["PLANTED", "json_value", "msgpack_value", "mutated", "spliced", "text", "toml_lines"]

PLANTED: Final = "planted_by_hostile_input"
"""Name of a module that can be imported where the input is read, and that nothing may import."""

_DEEP: Final = 100_000

_TEXTS: Final = (
    "",
    "\0",
    "\ud800",
    "x" * 70_000,
    "../../etc/passwd",
    "/dev/zero",
    PLANTED,
    f"{PLANTED}:attack",
    f"ludolog_plugins.{PLANTED}",
    "ludolog/open",
    "ludolog/seed-revealed",
    "__class__",
    "\u202e\u200b",
    "9" * 5000,
    "-1",
    "NaN",
    "' OR 1=1 --",
    "%s%n{0.__class__}",
)
_NUMBERS: Final = (0, -1, 1, 2**31, 2**32, 2**53, 2**63 - 1, -(2**63), 2**64 - 1)

# Each is one value, or pretends to begin one.
_MSGPACK_BOMBS: Final = (
    b"\x91" * _DEEP + b"\xc0",
    b"\x81\xa1a" * _DEEP + b"\xc0",
    b"\xdd\xff\xff\xff\xff",
    b"\xdf\xff\xff\xff\xff",
    b"\xdb\xff\xff\xff\xff",
    b"\xc6\xff\xff\xff\xff",
    b"\xc9\xff\xff\xff\xff\x01",
    b"\xc1",
    b"\x82\xa1a\x01\xa1a\x02",
    b"\xcc\x01",
    b"\xd3" + bytes(7) + b"\x01",
    b"\xd9\x01a",
    b"\xde\x00\x01\xa1a\x01",
    b"\xdc\x00\x00",
    b"\xa1\xff",
    b"\xa3\xed\xa0\x80",
    b"\xa2\xc0\x80",
    b"\xa1\x00",
    b"\xcb\x7f\xf8" + bytes(6),
    b"\xca\x7f\x80\x00\x00",
    b"\xd4\x05\x01",
    b"\xd6\xff\x00\x00\x00\x01",
    b"\xc7\x0c\xff" + b"\xff" * 12,
    b"\x81\x91\x01\x01",
    b"\x81\xc0\x01",
)

_JSON_BOMBS: Final = (
    b"[" * _DEEP,
    b'{"a":' * _DEEP,
    b'{"a":1,"a":2}',
    b"NaN",
    b"-Infinity",
    b"1e999",
    b"1.5",
    b"9" * 5000,
    b"-0",
    b"01",
    b'"\xff"',
    b'"\\ud800"',
    b'"\\u0000"',
    b'"\x00"',
    b'"\\ud83d',
    b"[1,]",
    b"/**/1",
    b"\xef\xbb\xbf{}",
    b"true false",
)

_TOML_BOMBS: Final = (
    "a = " + "[" * _DEEP,
    "a = " + "{b=" * _DEEP,
    ".".join("a" * 2000) + " = 1",
    "[" + ".".join("a" * 2000) + "]",
    "a = " + "9" * 5000,
    "a = 0x" + "f" * 5000,
    "a = nan",
    "a = inf",
    "a = 1e999",
    "a = 1979-05-27T07:32:00Z",
    "a = 07:32:00",
    "a = 1\na = 2",
    "[card]\n[[card]]\n",
    'a = "\\ud800"',
    'a = "\\u0000"',
    "a = '''" + "[" + " " * 20_000 + "\n'''",
    "[" + " " * 20_000,
    "\ufeffa = 1",
    "a\0 = 1",
    "[[space]]\nid = 1",
    "[[card]]\nid = []",
    "card = 3",
    "[costs]\n" + "\n".join(f"a{number} = 1" for number in range(2000)),
)


def text(rng: Random) -> str:
    """A text that is none, or not the one expected."""
    if rng.random() < 1 / 2:
        return rng.choice(_TEXTS)
    return "".join(chr(rng.choice((rng.randrange(128), rng.randrange(0x3000)))) for _ in range(rng.randrange(20)))


def _leaf(rng: Random) -> object:
    return rng.choice((None, True, False, rng.choice(_NUMBERS), rng.randint(-9, 99), _printable(rng), rng.random()))


def _printable(rng: Random) -> str:
    return text(rng).encode(errors="replace").decode()


def msgpack_value(rng: Random, depth: int = 0) -> bytes:
    """One value in msgpack, sound or not."""
    chance = rng.random()
    if chance < 1 / 6:
        return rng.choice(_MSGPACK_BOMBS)
    if chance < 1 / 5:
        return rng.randbytes(rng.randrange(12))
    if depth < 4 and chance < 1 / 2:  # noqa: PLR2004 - deep enough
        count = rng.randrange(4)
        if rng.random() < 1 / 2:
            return bytes([0x90 | count]) + b"".join(msgpack_value(rng, depth + 1) for _ in range(count))
        keys = [msgspec.msgpack.encode(rng.choice(("type", "a", _printable(rng)))) for _ in range(count)]
        return bytes([0x80 | count]) + b"".join(key + msgpack_value(rng, depth + 1) for key in keys)
    return msgspec.msgpack.encode(_leaf(rng))


def json_value(rng: Random, depth: int = 0) -> bytes:
    """One value in JSON, sound or not."""
    chance = rng.random()
    if chance < 1 / 6:
        return rng.choice(_JSON_BOMBS)
    if chance < 1 / 5:
        return rng.randbytes(rng.randrange(12))
    if depth < 4 and chance < 1 / 2:  # noqa: PLR2004 - deep enough
        count = rng.randrange(4)
        if rng.random() < 1 / 2:
            return b"[" + b",".join(json_value(rng, depth + 1) for _ in range(count)) + b"]"
        keys = [msgspec.json.encode(rng.choice(("type", "a", _printable(rng)))) for _ in range(count)]
        return b"{" + b",".join(key + b":" + json_value(rng, depth + 1) for key in keys) + b"}"
    return msgspec.json.encode(_leaf(rng))


_DAMAGES: Final[Sequence[Callable[[Random, bytes], bytes]]] = (
    flipped,
    inserted,
    deleted,
    cut_head,
    cut_middle,
    cut_tail,
    swapped,
    doubled,
)


def mutated(rng: Random, sample: bytes) -> bytes:
    """A sound input, damaged once or a few times."""
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        if len(sample) > 3:  # noqa: PLR2004 - something to damage
            sample = rng.choice(_DAMAGES)(rng, sample)
    return sample


def spliced(rng: Random, plain: Any, value: Callable[[Random], bytes]) -> Any:  # noqa: ANN401 - plain data
    """Sound plain data with wrong bytes in the place of one of its values; ready to be encoded."""
    places = leaves_of(plain)
    if places:
        where, key = rng.choice(places)
        where[key] = msgspec.Raw(value(rng))
    return plain


def toml_lines(rng: Random, samples: Sequence[str]) -> str:
    """A TOML text put together from sound and unsound parts."""
    parts = [rng.choice(samples) for _ in range(rng.randrange(4))] if samples else []
    chance = rng.random()
    if chance < 1 / 3:
        parts.insert(rng.randrange(len(parts) + 1), rng.choice(_TOML_BOMBS))
    whole = "\n".join(parts) + "\n"
    if chance > 1 / 2:
        lines = whole.split("\n")
        at = rng.randrange(len(lines))
        name, equals, _ = lines[at].partition("=")
        lines[at] = f"{name}{equals} {rng.choice(_TOML_BOMBS).removeprefix('a = ')}" if equals else text(rng)
        whole = "\n".join(lines)
    if chance > 3 / 4:
        whole = mutated(rng, whole.encode(errors="replace")).decode(errors="replace")
    return whole
