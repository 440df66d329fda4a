"""Sharing a log: JSON lines, one batch a line; written, verified and read without the plugins it was played with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import BinaryIO, Final, Protocol

import msgspec

from ludolog.audit import verify_payloads
from ludolog.chance import blind_of, commitment_of
from ludolog.errors import CorruptLog, StillSecret, UnknownTable
from ludolog.frame import RulesRecord, SeedRevealed, TableOpened
from ludolog.opening import open_store, read_opening
from ludolog.store import Store, Stored
from ludolog_events import MAX_BATCH, Receipt, Seat, from_json, head_of, read_raw, to_json

__all__ = ["LONGEST_LINE", "LogSummary", "export_log", "import_log", "read_lines", "verify_log"]

LONGEST_LINE: Final = 4 * MAX_BATCH
"""Bytes of one line accepted from outside."""

_REVEALED: Final = b"ludolog/seed-revealed"


class LogSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What a verified log says about itself; ``over`` if its seed was revealed, as it is when a game ends."""

    table: str
    rules: tuple[RulesRecord, ...]
    seats: tuple[Seat, ...]
    length: int
    head: str
    over: bool
    forked_from: str = ""


class _HasSeed(msgspec.Struct):
    """The part of an event that tells a revealed seed from all others, whatever its other fields are."""

    type: str = ""
    seed: object = ""


def export_log(table: str, store: Store, *, secrets: bool = False) -> Iterator[bytes]:
    """The log of a table as lines, each ending with a line feed; the same bytes every time.

    Args:
        table: Its id.
        store: Where it is kept.
        secrets: Export a game that is not over, too. Its log holds what seats may not know: it is for the host alone.

    Raises:
        UnknownTable: The store has no such table.
        StillSecret: The game is not over.
        CorruptLog: A batch can't be read.
    """
    length = store.head(table).length
    if not secrets and not any(_seed_in(found.payload) for found in store.read(table, length - 1, length)):
        msg = (
            f"The game of table {table!r} is not over, so its log holds secrets; "
            f"export it with secrets for the host alone, or share what a seat was told."
        )
        raise StillSecret(msg)
    return _lines(store, table, length)


def _lines(store: Store, table: str, length: int) -> Iterator[bytes]:
    for found in store.read(table, 0, length):
        try:
            line = to_json(found.payload)
        except (msgspec.MsgspecError, RecursionError, ValueError, OverflowError, TypeError) as error:
            why = f"the batch can't be read ({error})"
            raise CorruptLog(why, table=table, batch=found.number) from None
        yield line + b"\n"


def read_lines(file: BinaryIO) -> Iterator[bytes]:
    """Lines of a file from outside, none of them longer than memory is for.

    Raises:
        CorruptLog: A line has more than ``LONGEST_LINE`` bytes.
    """
    for number in _counting():
        line = file.readline(LONGEST_LINE + 1)
        if not line:
            return
        if len(line) > LONGEST_LINE:
            why = f"a line has more than {LONGEST_LINE} bytes"
            raise CorruptLog(why, batch=number)
        yield line


def _counting() -> Iterator[int]:
    number = 0
    while True:
        yield number
        number += 1


def verify_log(lines: Iterable[bytes], receipts: Sequence[Receipt] = ()) -> LogSummary:
    """Check exported lines: canonical form, chain of hashes, receipts, and the revealed seed's commitment.

    No plugin is needed. Whether the game was played by the rules is for :meth:`Table.audit` to say.

    Raises:
        CorruptLog: Something is wrong; it names the batch.
    """
    return _checked(_payloads(lines), receipts)


def import_log(lines: Iterable[bytes], store: Store, receipts: Sequence[Receipt] = ()) -> LogSummary:
    """Verify exported lines and store them as the table that they are of.

    A game that is not over can be read and audited, not played on: its seed is not in its log.

    Raises:
        CorruptLog: Something is wrong; nothing was written.
        TableExists: The store has the table already.
        UnknownTable: The table is a fork, and its parent is not in the store.
    """
    payloads = list(_payloads(lines))
    summary = _checked(payloads, receipts)
    if summary.forked_from and summary.forked_from not in store.tables():
        msg = f"Table {summary.table!r} is a fork of {summary.forked_from!r}, which has to be imported first."
        raise UnknownTable(msg)
    batches = [
        Stored(number, payload, head_of(payload), read_raw(payload).command_id)
        for number, payload in enumerate(payloads)
    ]
    store.create(summary.table, batches, seed=_seed_in(payloads[-1]) or b"")
    return summary


def _payloads(lines: Iterable[bytes]) -> Iterator[bytes]:
    for number, line in enumerate(lines):
        yield from_json(line, batch=number)


class _Keeping:
    """Passes payloads on, and keeps the first, the last, and every batch's number of blinding bytes for later."""

    def __init__(self, payloads: Iterable[bytes]) -> None:
        self.payloads = payloads
        self.first = b""
        self.last = b""
        self.blinds: list[bytes] = []

    def __iter__(self) -> Iterator[bytes]:
        for payload in self.payloads:
            self.first = self.first or payload
            self.last = payload
            yield payload
            self.blinds.append(read_raw(payload).blind)
