"""A table's log as typed facts: reads the store, decodes, upcasts, and remembers the newest batches."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from ludolog.decoding import UNREADABLE, decode_batch, decode_events, misplaced, seal
from ludolog.folding import Facts
from ludolog.ruleset import Ruleset
from ludolog.store import Head, Store, Stored
from ludolog_events import GENESIS, Batch, Command, CorruptLog, Event, head_of

__all__ = ["Journal"]

_REMEMBERED: Final = 128


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
        self.end = Head(length, head)
        """Length and last hash, in one so that no thread sees one without the other."""
        self._newest: deque[Facts] = deque(maxlen=_REMEMBERED)

    def append(self, *batches: Batch[Command, Event]) -> None:
        """Append batches, all or none; they are durable when this returns.

        Each is chained to the one before it, so ``previous`` counts in the first alone.

        Raises:
            VersionConflict: Another writer came first.
            RulesFault: An event holds what it doesn't declare.
            StoreError: The store failed.
        """
        stored = [self._sealed(batches[0])]
        for batch in batches[1:]:
            stored.append(self._sealed(msgspec.structs.replace(batch, previous=stored[-1].head)))
        self.store.append(self.table, self.length, stored)
        for batch, found in zip(batches, stored, strict=True):
            self.took(Facts(batch.number, batch.events), found.head)

    def _sealed(self, batch: Batch[Command, Event]) -> Stored:
        payload = seal(self.ruleset, batch)
        return Stored(batch.number, payload, head_of(payload), batch.command_id)

    def took(self, facts: Facts, head: bytes) -> None:
        """Note a batch that is in the store now."""
        if self._newest and self._newest[-1].number != facts.number - 1:
            self._newest.clear()
        self._newest.append(facts)
        self.end = Head(facts.number + 1, head)
        self.length = facts.number + 1
        self.head = head

    def facts(self, start: int, stop: int) -> Iterator[Facts]:
        """Events of the batches from ``start`` to ``stop`` (excluded), in order.

        Raises:
            CorruptLog: The log doesn't have them all, or one of them can't be read.
            MissingPlugin: One holds an event that the ruleset doesn't know.
        """
        newest = self._newest
        if newest and newest[0].number <= start and stop <= newest[-1].number + 1:
            first = newest[0].number
            yield from [newest[number - first] for number in range(start, stop)]
            return
        ruleset, number = self.ruleset, start
        decode = ruleset.event_decoder.decode
        for payload in self.store.payloads(self.table, start, stop):
            try:
                batch = decode(payload)
            except UNREADABLE:
                batch = decode_events(ruleset, payload, number)
            if batch.number != number:
                raise misplaced(batch.number, number)
            yield Facts(number, batch.events)
            number += 1
        if number < stop:
            why = "it ends before this batch"
            raise CorruptLog(why, table=self.table, batch=number)

    def one(self, number: int) -> Facts:
        """Facts of one batch."""
        return next(self.facts(number, number + 1))

    def news(self, start: int, stop: int) -> Iterator[tuple[Facts, bytes]]:
        """The same, each with the hash of its batch."""
        for stored in self.store.read(self.table, start, stop):
            yield Facts(stored.number, decode_events(self.ruleset, stored.payload, stored.number).events), stored.head

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
