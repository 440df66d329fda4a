"""Logs as a forger would leave them: batches changed, dropped, swapped, and chained anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from ludolog import MemoryStore, Store, Stored, Table
from ludolog_events import GENESIS, CorruptLog, encode, head_of, read_raw

__all__ = ["chained", "changed", "payloads_of", "store_of", "swap_store"]


def payloads_of(table: Table) -> list[bytes]:
    return list(table.journal.store.payloads(table.id))


def changed(payload: bytes, **fields: Any) -> bytes:
    """A batch with other fields; a function changes the plain value of the old one."""
    raw = read_raw(payload)
    for name, value in fields.items():
        if callable(value):
            plain: Any = msgspec.msgpack.decode(msgspec.msgpack.encode(getattr(raw, name)))
            fields[name] = value(tuple(plain) if isinstance(plain, list) else plain)
    return encode(msgspec.structs.replace(raw, **fields))


def chained(payloads: Sequence[bytes]) -> list[bytes]:
    """The same batches, numbered and chained as if nothing had happened."""
    previous, done = GENESIS, []
    for number, payload in enumerate(payloads):
        done.append(changed(payload, number=number, previous=previous))
        previous = head_of(done[-1])
    return done


def store_of(table: str, payloads: Sequence[bytes], seed: bytes = b"") -> MemoryStore:
    """A store that holds these batches as the log of ``table``; its own columns fit as far as they can."""
    store = MemoryStore()
    ids: set[str | None] = set()
    batches = []
    for number, payload in enumerate(payloads):
        try:
            command_id = read_raw(payload).command_id
        except CorruptLog:
            command_id = None
        batches.append(Stored(number, payload, head_of(payload), None if command_id in ids else command_id))
        ids.add(command_id)
    store.create(table, batches, seed=seed)
    return store


def swap_store(table: Table, forge: Callable[[list[bytes]], Sequence[bytes]]) -> Store:
    """Put a forged log under a table that is open."""
    store = store_of(table.id, forge(payloads_of(table)), table.seed or b"")
    table.journal.store = store
    return store
