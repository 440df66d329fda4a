"""Stored bytes as typed batches, old ones in their newest form; and the way back, for new batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar, get_type_hints

import msgspec

from ludolog.errors import MissingPlugin, RulesFault
from ludolog.ruleset import Ruleset
from ludolog_events import (
    MAX_BATCH,
    Batch,
    Command,
    CorruptLog,
    Event,
    InvalidType,
    encode,
    owner_of,
    read_raw,
    tag_of,
    upcast,
)

__all__ = ["UNREADABLE", "decode_batch", "decode_events", "misplaced", "seal", "written_alike"]

T = TypeVar("T")

UNREADABLE: Final = (msgspec.MsgspecError, RecursionError, ValueError, TypeError, OverflowError)
"""What decoding raises for bytes that don't fit."""


def decode_events(ruleset: Ruleset, payload: bytes, number: int) -> Batch[msgspec.Raw, Event]:
    """The batch that stands at ``number``, its events in their newest form, its command left as bytes.

    Raises:
        MissingPlugin: It holds an event that the ruleset doesn't know.
        InvalidType: An upcaster doesn't lead to an event of today.
        CorruptLog: The bytes are no such batch.
    """
    try:
        batch = ruleset.event_decoder.decode(payload)
    except UNREADABLE as error:
        batch = _old(ruleset, payload, number, error)
    if batch.number != number:
        raise misplaced(batch.number, number)
    return batch


def misplaced(found: int, number: int) -> CorruptLog:
    """Another batch stands in the place of batch ``number``."""
    return CorruptLog(f"batch {found} stands where batch {number} should", batch=number)


def decode_batch(ruleset: Ruleset, payload: bytes, number: int) -> Batch[Command, Event]:
    """The same with its command, in its newest form.

    Raises:
        MissingPlugin: It holds a type that the ruleset doesn't know.
        InvalidType: An upcaster doesn't lead to a type of today.
        CorruptLog: The bytes are no such batch.
    """
    batch = decode_events(ruleset, payload, number)
    try:
        command = ruleset.command_decoder.decode(batch.command)
    except UNREADABLE as error:
        newer = _newest(ruleset, batch.command, ruleset.command_types, ruleset.read_plain_command, number, error)
        if len(newer) != 1:
            msg = f"The upcasters of a command must give one command, and give {len(newer)} (batch {number})."
            raise InvalidType(msg) from None
        command = newer[0]
    typed: Any = batch
    decoded: Batch[Command, Event] = msgspec.structs.replace(typed, command=command)
    return decoded


def written_alike(ruleset: Ruleset, payload: bytes) -> bool:
    """Whether today's types write the bytes that they read; what they can't read, old or foreign, is left out."""
    raw = read_raw(payload)
    pairs: list[tuple[msgspec.Raw, msgspec.msgpack.Decoder[Any]]] = [(raw.command, ruleset.command_decoder)]
    pairs += [(event, ruleset.one_event_decoder) for event in raw.events]
    for stored, decoder in pairs:
        try:
            value = decoder.decode(stored)
        except UNREADABLE:
            continue
        if msgspec.msgpack.encode(value) != bytes(stored):
            return False
    return True


def _old(ruleset: Ruleset, payload: bytes, number: int, cause: Exception) -> Batch[msgspec.Raw, Event]:
    raw: Any = read_raw(payload, batch=number)
    events = [
        found
        for event in raw.events
        for found in _newest(ruleset, event, ruleset.event_types, ruleset.read_plain_event, number, cause)
    ]
    newer: Batch[msgspec.Raw, Event] = msgspec.structs.replace(raw, events=tuple(events))
    return newer


def _newest(
    ruleset: Ruleset,
    stored: msgspec.Raw,
    known: Mapping[str, object],
    read: Callable[[object], T],
    number: int,
    cause: Exception,
) -> tuple[T, ...]:
    """One stored event or command as today's: itself, or what its upcasters make of it."""
    try:
        plain = msgspec.msgpack.decode(stored, type=dict[str, Any])
    except UNREADABLE as error:
        why = f"the batch can't be read ({error})"
        raise CorruptLog(why, batch=number) from None
    tag = plain.get("type")
    if not isinstance(tag, str):
        why = f"it holds something whose type is {tag!r}"
        raise CorruptLog(why, batch=number)
    if tag not in known and tag not in ruleset.upcasters:
        versions = ", ".join(f"{record.id} version {record.version}" for record in ruleset.records)
        msg = f"Batch {number} holds {tag!r}, which no plugin here declares ({versions})."
        raise MissingPlugin(msg)
    newer = upcast(plain, known, ruleset.upcasters)
    try:
        return tuple(read(found) for found in newer)
    except UNREADABLE as error:
        if tag in ruleset.upcasters:
            msg = f"The upcaster of {tag!r} gives something that {ruleset.id} doesn't declare ({error})."
            raise InvalidType(msg) from None
        why = f"the batch can't be read ({cause})"
        raise CorruptLog(why, batch=number) from None


def seal(ruleset: Ruleset, batch: Batch[Command, Event]) -> bytes:
    """Canonical bytes of a new batch; they read back as what was meant, or the rules are at fault.

    Raises:
        RulesFault: An event holds what it doesn't declare, or the batch is longer than a log may hold.
    """
    try:
        payload = encode(batch)
        sound = ruleset.event_decoder.decode(payload).events == batch.events
    except UNREADABLE:
        sound, payload = False, b""
    if not sound:
        where, owner = _misfit(batch.events)
        msg = f"The rules of {owner} gave {where} a value that it doesn't declare; nothing was recorded."
        raise RulesFault(msg)
    if len(payload) > MAX_BATCH:
        msg = f"A batch of {ruleset.id} has {len(payload)} bytes, more than {MAX_BATCH}; nothing was recorded."
        raise RulesFault(msg)
    return payload


def _misfit(events: Sequence[Event]) -> tuple[str, str]:
    """The first field that doesn't hold what it declares, and the rules that own it; the value itself is not told."""
    for event in events:
        hints = get_type_hints(type(event), include_extras=True)
        for name in event.__struct_fields__:
            value = getattr(event, name)
            try:
                sound = bool(msgspec.msgpack.decode(msgspec.msgpack.encode(value), type=hints[name]) == value)
            except UNREADABLE:
                sound = False
            if not sound:
                return f"{type(event).__name__}.{name}", owner_of(tag_of(type(event)))
    return "an event", "this table"
