"""A table's log as typed facts: reads the store, decodes, upcasts, and remembers the newest batches."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, Final, get_type_hints

import msgspec

from ludolog.errors import MissingPlugin, RulesFault
from ludolog.folding import Facts
from ludolog.ruleset import Ruleset
from ludolog.store import Store, Stored
from ludolog_events import (
    GENESIS,
    MAX_BATCH,
    Batch,
    Command,
    CorruptLog,
    Event,
    InvalidType,
    encode,
    head_of,
    owner_of,
    tag_of,
    upcast,
)

__all__ = ["Journal", "decode_batch", "seal"]

_REMEMBERED: Final = 128


def decode_batch(ruleset: Ruleset, payload: bytes, number: int) -> Batch[Command, Event]:
    """One batch with its command and events as typed values; old events brought to their newest form.

    Raises:
        MissingPlugin: It holds a type that the ruleset doesn't have.
        CorruptLog: The bytes are no such batch.
    """
    try:
        return ruleset.batch_decoder.decode(payload)
    except (msgspec.DecodeError, RecursionError, ValueError, OverflowError) as error:
        return _decode_old(ruleset, payload, number, error)


def seal(ruleset: Ruleset, batch: Batch[Command, Event]) -> bytes:
    """Canonical bytes of a new batch; they read back as what was meant, or the rules are at fault.

    Raises:
        RulesFault: An event holds what it doesn't declare, or the batch is longer than a log may hold.
    """
    try:
        payload = encode(batch)
        sound = ruleset.batch_decoder.decode(payload).events == batch.events
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError):
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
            except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError):
                sound = False
            if not sound:
                return f"{type(event).__name__}.{name}", owner_of(tag_of(type(event)))
    return "an event", "this table"


def _decode_old(ruleset: Ruleset, payload: bytes, number: int, cause: Exception) -> Batch[Command, Event]:
    try:
        plain: Any = msgspec.msgpack.decode(payload, type=Batch[dict[str, Any], dict[str, Any]])
        _check_known(ruleset, number, plain.events)
        newer = tuple(
            found for event in plain.events for found in upcast(event, ruleset.event_types, ruleset.upcasters)
        )
        return msgspec.convert(
            msgspec.to_builtins(msgspec.structs.replace(plain, events=newer), builtin_types=(bytes,)),
            ruleset.batch_type,
        )
    except MissingPlugin:
        raise
    except (
        CorruptLog,
        InvalidType,
        msgspec.MsgspecError,
        RecursionError,
        ValueError,
        TypeError,
        KeyError,
        OverflowError,
    ):
        why = f"the batch can't be read ({cause})"
        raise CorruptLog(why, batch=number) from None


def _check_known(ruleset: Ruleset, number: int, events: tuple[dict[str, Any], ...]) -> None:
    for event in events:
        tag = event.get("type")
        if tag not in ruleset.event_types and tag not in ruleset.upcasters:
            versions = ", ".join(f"{record.id} version {record.version}" for record in ruleset.records)
            msg = f"Batch {number} holds an event {tag!r}, which no plugin here declares ({versions})."
            raise MissingPlugin(msg)


class Journal:
    """The log of one table in a store.

    Args:
        store: Where it is kept.
        table: Its id.
        ruleset: Whose types its batches hold.
    """

    def __init__(self, store: Store, table: str, ruleset: Ruleset, length: int = 0, head: bytes = GENESIS) -> None:
        self.store = store
        self.table = table
        self.ruleset = ruleset
        self.length = length
        self.head = head
        self._newest: deque[Facts] = deque(maxlen=_REMEMBERED)

    def append(self, batch: Batch[Command, Event]) -> None:
        """Append one batch; it is durable when this returns.

        Raises:
            VersionConflict: Another writer came first.
            RulesFault: An event holds what it doesn't declare.
            StoreError: The store failed.
        """
        payload = seal(self.ruleset, batch)
        head = head_of(payload)
        self.store.append(self.table, self.length, (Stored(batch.number, payload, head, batch.command_id),))
        self.took(Facts(batch.number, batch.events), head)

    def took(self, facts: Facts, head: bytes) -> None:
        """Note a batch that is in the store now."""
        if self._newest and self._newest[-1].number != facts.number - 1:
            self._newest.clear()
        self._newest.append(facts)
        self.length = facts.number + 1
        self.head = head

    def facts(self, start: int, stop: int) -> Iterator[Facts]:
        """Events of the batches from ``start`` to ``stop`` (excluded), in order."""
        newest = self._newest
        if newest and newest[0].number <= start and stop <= newest[-1].number + 1:
            first = newest[0].number
            yield from [newest[number - first] for number in range(start, stop)]
            return
        decode = self.ruleset.event_decoder.decode
        number = start
        for payload in self.store.payloads(self.table, start, stop):
            try:
                events = decode(payload).events
            except (msgspec.DecodeError, RecursionError, ValueError, OverflowError):
                events = decode_batch(self.ruleset, payload, number).events
            yield Facts(number, events)
            number += 1

    def one(self, number: int) -> Facts:
        """Facts of one batch."""
        return Facts(number, self.batch(number).events)

    def batches(self, start: int = 0, stop: int | None = None) -> Iterator[Batch[Command, Event]]:
        """Whole batches from ``start`` to ``stop`` (excluded), in order."""
        for stored in self.store.read(self.table, start, stop):
            yield decode_batch(self.ruleset, stored.payload, stored.number)

    def batch(self, number: int) -> Batch[Command, Event]:
        """One batch.

        Raises:
            CorruptLog: The log does not have it.
        """
        for batch in self.batches(number, number + 1):
            return batch
        why = "it ends before this batch"
        raise CorruptLog(why, table=self.table, batch=number)

    def heads(self, start: int, stop: int) -> Sequence[bytes]:
        """Hashes of the batches from ``start`` to ``stop`` (excluded)."""
        return [stored.head for stored in self.store.read(self.table, start, stop)]
