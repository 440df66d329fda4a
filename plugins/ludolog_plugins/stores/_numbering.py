"""What the stores on a database have in common: what may be appended where, and reading a log in blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from ludolog.errors import CorruptLog, DuplicateCommand, StoreFailed, UnknownTable, VersionConflict
from ludolog.store import Stored
from ludolog_events import shown

__all__ = ["BLOCK", "blocks", "consecutive", "no_first_batch", "require", "unknown_table"]

T = TypeVar("T")

BLOCK: Final = 500
"""Batches read at once: between two blocks nothing is held open."""


def unknown_table(table: str) -> UnknownTable:
    """That there is none of this name."""
    return UnknownTable(f"The store has no table {shown(table)}.")


def no_first_batch(table: str) -> StoreFailed:
    """That a table begins with a batch."""
    return StoreFailed(f"Table {table!r} can't be stored without its first batch.")


def consecutive(expected: int, batches: Sequence[Stored], limit: int) -> bool:
    """Whether there are batches, numbered from ``expected`` on, that can follow others in a log below ``limit``."""
    if not 0 < expected < limit - len(batches):
        return False
    if len(batches) == 1:
        return batches[0].number == expected
    return bool(batches) and all(batch.number == number for number, batch in enumerate(batches, expected))


def require(table: str, expected: int, length: int, batches: Sequence[Stored]) -> None:
    """Raise what is wrong with batches that shall follow ``length`` others."""
    seen: set[str] = set()
    for batch in batches:
        if batch.command_id in seen:
            raise DuplicateCommand(table, batch.command_id or "", batch.number)
        if batch.command_id is not None:
            seen.add(batch.command_id)
    if expected != length:
        raise VersionConflict(table, expected, length)
    for number, batch in enumerate(batches, expected):
        if batch.number != number:
            raise VersionConflict(table, batch.number, number)


def blocks(
    table: str,
    bounds: tuple[int, int | None],
    limit: int,
    read: Callable[[int, int], list[T]],
    following: Callable[[int], int | None],
) -> Iterator[T]:
    """What ``read`` finds from number to number, in blocks.

    Args:
        table: Whose log, for errors.
        bounds: From which number up to which, excluded; None: the end.
        limit: Above all numbers that a log can have.
        read: Batches from a number on, up to another or the end.
        following: The least number from a number on that the log has.
    """
    number = max(bounds[0], 0)
    stop = limit if bounds[1] is None else min(bounds[1], limit)
    while number < stop:
        found = read(number, min(number + BLOCK, stop))
        yield from found
        number += len(found)
        if not found:
            present = following(number)
            if present is None:
                return
            if present > number:
                why = "a batch is missing"
                raise CorruptLog(why, table=table, batch=number)
