"""One log of the store in memory, and what stands against appending to it."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ludolog.errors import DuplicateCommand, VersionConflict

if TYPE_CHECKING:
    from ludolog.store import Stored

__all__ = ["Log", "compare", "numbers"]


class Log:
    """One table in memory; bytes in flat lists, which the garbage collector has no need to look into."""

    __slots__ = ("command_ids", "heads", "key", "name", "numbers", "payloads", "seed", "snapshots")

    def __init__(self, name: str, key: int, seed: bytes) -> None:
        self.name = name
        self.key = key
        self.seed = seed
        self.payloads: list[bytes] = []
        self.heads: list[bytes] = []
        self.command_ids: list[str | None] = []
        self.numbers: dict[str, int] = {}
        self.snapshots: dict[int, bytes] = {}

    def add(self, batches: Sequence[Stored], order: array[int]) -> None:
        """Add all of them, here and to the order of all tables, or, if a signal's handler raises in between, none."""
        length, place = len(self.command_ids), len(order)
        try:
            for number, payload, head, command_id in batches:
                self.payloads.append(payload)
                self.heads.append(head)
                # Readers take no lock: a number counts as stored once this list has it.
                self.command_ids.append(command_id)
                if command_id is not None:
                    self.numbers[command_id] = number
                order.append(self.key << 32 | number)
        except BaseException:
            del order[place:]
            for column in (self.command_ids, self.heads, self.payloads):
                del column[length:]
            for batch in batches:
                if batch.command_id is not None:
                    self.numbers.pop(batch.command_id, None)
            raise


def numbers(log: Log, start: int, stop: int | None) -> Iterator[int]:
    """The numbers of a range that a growing log has by the time each is asked for."""
    number = max(start, 0)
    while (stop is None or number < stop) and number < len(log.command_ids):
        yield number
        number += 1


def compare(table: str, log: Log, expected: int, batches: Sequence[Stored]) -> None:
    """Raise what stands against appending, before anything is changed."""
    seen: set[str] = set()
    for batch in batches:
        if batch.command_id is not None:
            if batch.command_id in log.numbers:
                raise DuplicateCommand(table, batch.command_id, log.numbers[batch.command_id])
            if batch.command_id in seen:
                raise DuplicateCommand(table, batch.command_id, batch.number)
            seen.add(batch.command_id)
    length = len(log.command_ids)
    if expected != length:
        raise VersionConflict(table, expected, length)
    for number, batch in enumerate(batches, expected):
        if batch.number != number:
            raise VersionConflict(table, batch.number, number)
