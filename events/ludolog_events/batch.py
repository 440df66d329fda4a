"""The unit of append, hash and undo: one command and the events it caused, as canonical bytes in a chain."""

from __future__ import annotations

import hashlib
from typing import Any, Final, Generic, TypeVar

import msgspec

from ludolog_events.errors import CorruptLog

__all__ = [
    "FORMAT",
    "GENESIS",
    "MAX_BATCH",
    "Batch",
    "RawBatch",
    "Receipt",
    "check_canonical",
    "check_chain",
    "encode",
    "from_json",
    "head_of",
    "read_raw",
    "to_json",
]

FORMAT: Final = 1
"""Version of the layout below; a reader refuses a newer one."""

GENESIS: Final = bytes(32)
"""Hash that stands before the first batch."""

MAX_BATCH: Final = 4 * 1024 * 1024
"""Largest batch, in bytes; read from outside, it can take some 300 MB of memory at worst."""

C = TypeVar("C")
E = TypeVar("E")


class Batch(
    msgspec.Struct, Generic[C, E], frozen=True, kw_only=True, array_like=True, forbid_unknown_fields=True, gc=False
):
    """A command and its events.

    ``number`` counts from 0. ``time`` is in microseconds since 1970, UTC. ``seat`` is ``None`` for the host. ``draws``
    lists what was drawn from chance: ``"<bound>:<number drawn>"`` for each, with blanks between. ``blind`` is 16 bytes
    derived from the table's seed, so that the hash of a batch can't be used to guess its secrets. ``previous`` is the
    SHA-256 of the batch before.
    """

    format: int
    number: int
    time: int
    seat: str | None
    command_id: str | None
    command: C
    events: tuple[E, ...]
    draws: str
    blind: bytes
    previous: bytes


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """Length of a table's log and its head hash (64 hex digits) after a batch: proof of what the log was then.

    ``repeated`` says that the command had been recorded before under the same command id.
    """

    table: str
    length: int
    head: str
    repeated: bool = False


RawBatch = Batch[msgspec.Raw, msgspec.Raw]
"""A batch whose command and events are left as bytes; readable without any plugin."""

_encoder: Final = msgspec.msgpack.Encoder()
_raw_decoder: Final = msgspec.msgpack.Decoder(RawBatch)


class _Format(msgspec.Struct, array_like=True):
    format: int


_format_decoder: Final = msgspec.msgpack.Decoder(_Format)
_PLAIN: Final = (str, int, bool, type(None))
_MAX_DEPTH: Final = 64


def encode(batch: Batch[Any, Any]) -> bytes:
    """Canonical bytes of ``batch``."""
    return _encoder.encode(batch)


def head_of(payload: bytes) -> bytes:
    """SHA-256 of a batch's bytes, 32 bytes."""
    return hashlib.sha256(payload).digest()


def read_raw(payload: bytes, *, batch: int | None = None) -> Batch[msgspec.Raw, msgspec.Raw]:
    """Read a batch without knowing its types.

    Raises:
        CorruptLog: The bytes are no batch of this format.
    """
    if len(payload) > MAX_BATCH:
        why = f"a batch has {len(payload)} bytes, more than {MAX_BATCH}"
        raise CorruptLog(why, batch=batch)
    try:
        found = _raw_decoder.decode(payload)
    except (msgspec.DecodeError, RecursionError, ValueError, OverflowError) as error:
        _check_format(payload, batch)
        why = f"the bytes are no batch ({error})"
        raise CorruptLog(why, batch=batch) from None
    if found.format != FORMAT:
        _check_format(payload, batch)
    return found


def _check_format(payload: bytes, batch: int | None) -> None:
    """Tell a batch of another version of the library, which may have any number of fields, from damage."""
    try:
        found = _format_decoder.decode(payload).format
    except (msgspec.DecodeError, RecursionError, ValueError, OverflowError):
        return
    if found != FORMAT:
        why = f"a batch has format {found}, and this version reads format {FORMAT}"
        raise CorruptLog(why, batch=batch)


def check_canonical(payload: bytes, *, batch: int | None = None) -> None:
    """Check that the bytes are the one encoding of what they say, built from plain values only.

    Raises:
        CorruptLog: They are not: trailing bytes, padded integers, duplicate keys, floats, deep nesting and so on.
    """
    read_raw(payload, batch=batch)
    try:
        value = msgspec.msgpack.decode(payload)
        _check_plain(value, 0, batch)
        again = _encoder.encode(value)
    except CorruptLog:
        raise
    except (msgspec.MsgspecError, RecursionError, ValueError, OverflowError, TypeError) as error:
        why = f"the bytes can't be read ({error})"
        raise CorruptLog(why, batch=batch) from None
    if again != payload:
        why = "the bytes are not the canonical encoding of what they say"
        raise CorruptLog(why, batch=batch)


def _check_plain(value: object, depth: int, batch: int | None) -> None:
    if depth > _MAX_DEPTH:
        why = f"values are nested more than {_MAX_DEPTH} deep"
        raise CorruptLog(why, batch=batch)
    if isinstance(value, list):
        for item in value:  # pyright: ignore[reportUnknownVariableType]
            _check_plain(item, depth + 1, batch)  # pyright: ignore[reportUnknownArgumentType]
    elif isinstance(value, dict):
        for key, item in value.items():  # pyright: ignore[reportUnknownVariableType]
            if not isinstance(key, str):
                why = "a map has a key that is no text"
                raise CorruptLog(why, batch=batch)
            _check_plain(item, depth + 1, batch)  # pyright: ignore[reportUnknownArgumentType]
    elif type(value) not in _PLAIN and not (depth == 1 and isinstance(value, bytes)):
        why = f"a value is of kind {type(value).__name__}, which no log holds"
        raise CorruptLog(why, batch=batch)


def check_chain(payload: bytes, number: int, previous: bytes) -> bytes:
    """Check that ``payload`` is batch ``number`` after the batch with hash ``previous``; return its own hash.

    Raises:
        CorruptLog: It is another batch.
    """
    raw = read_raw(payload, batch=number)
    if raw.number != number:
        why = f"batch {raw.number} stands where batch {number} should"
        raise CorruptLog(why, batch=number)
    if raw.previous != previous:
        why = "it does not follow the batch before it (the hashes differ)"
        raise CorruptLog(why, batch=number)
    return head_of(payload)


def to_json(payload: bytes, *, batch: int | None = None) -> bytes:
    """One batch as one line of JSON, hashes in hex, with its own hash as ``head``; the same value every time.

    Raises:
        CorruptLog: The bytes are not canonical.
    """
    check_canonical(payload, batch=batch)
    raw = read_raw(payload)
    line = {
        "format": raw.format,
        "number": raw.number,
        "time": raw.time,
        "seat": raw.seat,
        "command_id": raw.command_id,
        "command": msgspec.msgpack.decode(raw.command),
        "events": [msgspec.msgpack.decode(event) for event in raw.events],
        "draws": raw.draws,
        "blind": raw.blind.hex(),
        "previous": raw.previous.hex(),
        "head": head_of(payload).hex(),
    }
    return msgspec.json.encode(line)


class _Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    format: int
    number: int
    time: int
    seat: str | None
    command_id: str | None
    command: dict[str, Any]
    events: tuple[dict[str, Any], ...]
    draws: str
    blind: str
    previous: str
    head: str


_line_decoder: Final = msgspec.json.Decoder(_Line)


def from_json(line: bytes, *, batch: int | None = None) -> bytes:
    """Canonical bytes of the batch that :func:`to_json` wrote.

    Raises:
        CorruptLog: The line is not such a line, or its bytes don't have the hash that it names.
    """
    if len(line) > 4 * MAX_BATCH:
        why = f"a line has {len(line)} bytes, more than {4 * MAX_BATCH}"
        raise CorruptLog(why, batch=batch)
    try:
        found = _line_decoder.decode(line)
        payload = _encoder.encode(
            Batch(
                format=found.format,
                number=found.number,
                time=found.time,
                seat=found.seat,
                command_id=found.command_id,
                command=found.command,
                events=found.events,
                draws=found.draws,
                blind=bytes.fromhex(found.blind),
                previous=bytes.fromhex(found.previous),
            )
        )
    except (msgspec.MsgspecError, RecursionError, ValueError, OverflowError, TypeError) as error:
        why = f"the line is no batch ({error})"
        raise CorruptLog(why, batch=batch) from None
    if head_of(payload).hex() != found.head:
        why = "the line's content does not have the hash that it names"
        raise CorruptLog(why, batch=batch)
    if to_json(payload, batch=batch) != line.strip():
        why = "the line is not the canonical form of what it says"
        raise CorruptLog(why, batch=batch)
    return payload
