"""Sharing a log: JSON lines, one batch a line; written, verified and read without the plugins it was played with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import BinaryIO, Final

import msgspec

from ludolog.chance import Blinder, commitment_of
from ludolog.errors import CorruptLog, StillSecret, UnknownTable
from ludolog.frame import RulesRecord, SeedRevealed, TableOpened
from ludolog.opening import opening_in
from ludolog.store import Store, Stored
from ludolog.verifying import verify_payloads
from ludolog_events import MAX_BATCH, Receipt, Seat, from_json, head_of, read_raw, to_json

__all__ = ["LONGEST_LINE", "LogSummary", "export_log", "import_log", "read_lines", "verify_log"]

LONGEST_LINE: Final = 4 * MAX_BATCH
"""Bytes of one line accepted from outside."""

_REVEALED: Final = "ludolog/seed-revealed"


class LogSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What a verified log says about itself; ``over`` if its seed was revealed, as it is when a game ends."""

    table: str
    rules: tuple[RulesRecord, ...]
    seats: tuple[Seat, ...]
    length: int
    head: str
    over: bool
    forked_from: str = ""


class _Typed(msgspec.Struct):
    """The type of any event, whatever its fields are."""

    type: str = ""


_event_type: Final = msgspec.msgpack.Decoder(_Typed)
_revealed: Final = msgspec.msgpack.Decoder(SeedRevealed)


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
        yield to_json(found.payload, batch=found.number) + b"\n"


def read_lines(file: BinaryIO) -> Iterator[bytes]:
    """Lines of a file from outside, none of them longer than memory is for.

    Raises:
        CorruptLog: A line has more than ``LONGEST_LINE`` bytes.
    """
    for number in count():
        line = file.readline(LONGEST_LINE + 1)
        if not line:
            return
        if len(line) > LONGEST_LINE:
            why = f"a line has more than {LONGEST_LINE} bytes"
            raise CorruptLog(why, batch=number)
        yield line


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


def _checked(payloads: Iterable[bytes], receipts: Sequence[Receipt]) -> LogSummary:
    ends: dict[str, bytes] = {}
    blinds: list[bytes] = []

    def noted() -> Iterator[bytes]:
        for payload in payloads:
            ends.setdefault("first", payload)
            ends["last"] = payload
            yield payload
            blinds.append(read_raw(payload).blind)

    length, head = verify_payloads(noted(), receipts)
    if not length:
        why = "it is empty"
        raise CorruptLog(why)
    opened = opening_in(ends["first"])
    for receipt in receipts:
        if receipt.table and receipt.table != opened.table:
            why = f"a receipt is for table {receipt.table!r}, and this is the log of {opened.table!r}"
            raise CorruptLog(why)
    seed = _seed_in(ends["last"])
    if seed is not None:
        _check_seed(opened, seed, blinds)
    return LogSummary(
        table=opened.table,
        rules=opened.rules,
        seats=opened.seats,
        length=length,
        head=head.hex(),
        over=seed is not None,
        forked_from=opened.forked[0].table if opened.forked else "",
    )


def _check_seed(opened: TableOpened, seed: bytes, blinds: Sequence[bytes]) -> None:
    if commitment_of(seed, opened.table) != opened.commitment:
        why = "the revealed seed is not the one that was committed to in the opening"
        raise CorruptLog(why, table=opened.table)
    blinder = Blinder(seed, opened.table)
    for number, blind in enumerate(blinds):
        if blind != blinder.blind(number):
            why = "its blinding bytes don't come from the revealed seed"
            raise CorruptLog(why, table=opened.table, batch=number)


def _seed_in(payload: bytes) -> bytes | None:
    """The seed that the last batch of a finished game reveals."""
    for event in read_raw(payload).events:
        try:
            if _event_type.decode(event).type == _REVEALED:
                return bytes.fromhex(_revealed.decode(event).seed)
        except (msgspec.MsgspecError, RecursionError, ValueError) as error:
            why = f"an event can't be read ({error})"
            raise CorruptLog(why) from None
    return None
