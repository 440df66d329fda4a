"""Writing bundles: a whole log, once its game is over or for its host; or what one seat was told, at any time."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from ludolog.bundles.layout import Header, Kind, Mark, Told, line_of
from ludolog.catalogue import Catalogue, catalogue
from ludolog.decoding import UNREADABLE, decode_events
from ludolog.errors import CorruptLog, StillSecret, UnknownSeat
from ludolog.folding import Facts
from ludolog.frame import Redone, SeedRevealed, TableOpened, Undone
from ludolog.history import History
from ludolog.journal import Journal
from ludolog.opening import read_opening
from ludolog.recorded import ruleset_of
from ludolog.ruleset import Ruleset
from ludolog.store import Head, Store
from ludolog.verifying import receipts_in
from ludolog.viewing import Retracted, told_by
from ludolog_events import GENESIS, Event, Receipt, Seat, check_chain, head_of, read_raw, to_json

__all__ = ["Telling", "export_bundle", "export_told"]

_revealed: Final = msgspec.msgpack.Decoder(SeedRevealed)


def export_bundle(
    table: str, store: Store, *, secrets: bool = False, receipts: Sequence[Receipt] = ()
) -> Iterator[bytes]:
    """The log of a table as a bundle, line by line; the same bytes every time. No plugin is needed.

    Args:
        table: Its id.
        store: Where it is kept.
        secrets: Export a game that is not over, too. Its log holds what seats may not know: it is for the host alone.
        receipts: Receipts to put into the header beside that of the whole log, for everyone to check.

    Raises:
        UnknownTable: The store has no such table.
        StillSecret: The game is not over.
        CorruptLog: The stored log is damaged, or does not agree with a receipt.
    """
    end = store.head(table)
    seed = _seed_in(store, table, end)
    if seed is None and not secrets:
        msg = (
            f"The game of table {table!r} is not over, so its log holds secrets; "
            f"export what one seat was told, or all of it with its secrets for the host alone."
        )
        raise StillSecret(msg)
    header = _header(read_opening(store, table), end, seed, receipts)
    return _log_lines(header, store, end)


def _log_lines(header: Header, store: Store, end: Head) -> Iterator[bytes]:
    yield line_of(header)
    known = {mark.length: mark.head for mark in header.receipts}
    previous = GENESIS
    for number, payload in enumerate(store.payloads(header.table, 0, end.length)):
        line = to_json(payload, batch=number) + b"\n"
        previous = check_chain(payload, number, previous)
        _compare(known, number + 1, previous, header.table)
        yield line


def export_told(
    table: str,
    store: Store,
    seat: Seat | None,
    *,
    receipts: Sequence[Receipt] = (),
    source: Catalogue | None = None,
    ruleset: Ruleset | None = None,
) -> Iterator[bytes]:
    """What ``seat`` (``None``: everyone) was told, as a bundle, line by line; also while the game goes on.

    It holds each batch's number and hash, and what the batch told the seat. It holds nothing that another seat alone
    was told, and the seed only when that is revealed.

    Args:
        table: The table's id.
        store: Where it is kept.
        seat: Who was told.
        receipts: Receipts to put into the header beside that of the whole log, for everyone to check.
        source: Where plugins are looked up; by default among those installed.
        ruleset: What the table is played by, if that is at hand.

    Raises:
        UnknownTable: The store has no such table.
        UnknownSeat: Nobody there has this name.
        MissingPlugin: Its game or a variant isn't installed: they say who is told what.
        CorruptLog: The stored log is damaged, or does not agree with a receipt.
    """
    end = store.head(table)
    opened = read_opening(store, table)
    if seat is not None and seat not in opened.seats:
        msg = f"Nobody named {seat!r} sits at table {table!r}; the seats are {', '.join(opened.seats)}."
        raise UnknownSeat(msg)
    if ruleset is None:
        ruleset = ruleset_of(catalogue() if source is None else source, opened)
    header = _header(opened, end, _seed_in(store, table, end), receipts, seat=seat, holds="told")
    return _told_lines(header, Journal(store, table, ruleset, *end))


def _told_lines(header: Header, journal: Journal) -> Iterator[bytes]:
    yield line_of(header)
    known = {mark.length: mark.head for mark in header.receipts}
    telling = Telling(journal.ruleset, header.seat)
    previous = GENESIS
    for number, payload in enumerate(journal.store.payloads(journal.table, 0, journal.length)):
        previous = check_chain(payload, number, previous)
        _compare(known, number + 1, previous, header.table)
        yield line_of(telling.next(payload))


class Telling:
    """Tells a log to one viewer, batch by batch from the first on, as its feed does.

    Args:
        ruleset: Its event types say who is told what.
        seat: The viewer.
    """

    def __init__(self, ruleset: Ruleset, seat: Seat | None) -> None:
        self._ruleset = ruleset
        self._seat = seat
        self._history = History()
        self._counts = array("Q", [0])

    def next(self, payload: bytes) -> Told:
        """What the next batch tells.

        Raises:
            MissingPlugin: It holds an event that the ruleset doesn't know.
            CorruptLog: It can't be read, or takes back what does not count.
        """
        number = self._history.length
        events = decode_events(self._ruleset, payload, number).events
        first = events[0] if events else None
        if isinstance(first, Undone | Redone):
            self._history.check(first)
        self._history.note(first)
        told = tuple(map(_plain, told_by(Facts(number, events), self._seat, self._counts, 0)))
        self._counts.append(self._counts[-1] + len(told))
        return Told(number=number, head=head_of(payload).hex(), told=told)


def _plain(event: Event | Retracted) -> dict[str, Any]:
    """An event as it stands in a log."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(event), type=dict[str, Any])


def _header(
    opened: TableOpened,
    end: Head,
    seed: str | None,
    receipts: Sequence[Receipt],
    *,
    seat: Seat | None = None,
    holds: Kind = "log",
) -> Header:
    """The header of a bundle of the log as it is now.

    Raises:
        CorruptLog: A receipt is for another table, or for another log.
    """
    marks = {end.length: end.head.hex()}
    for receipt in receipts_in(receipts):
        if receipt.table not in {"", opened.table}:
            why = f"a receipt is for table {receipt.table!r}, and this is the log of {opened.table!r}"
            raise CorruptLog(why)
        if not 0 < receipt.length <= end.length or marks.setdefault(receipt.length, receipt.head) != receipt.head:
            why = f"a receipt for {receipt.length} batches is none of this log, which has {end.length}"
            raise CorruptLog(why, table=opened.table)
    return Header(
        holds=holds,
        seat=seat,
        table=opened.table,
        plugins=opened.rules,
        digest=opened.digest,
        receipts=tuple(Mark(length=length, head=marks[length]) for length in sorted(marks)),
        seed=seed,
    )


def _compare(known: Mapping[int, str], length: int, head: bytes, table: str) -> None:
    """The log has so many batches now, and this head."""
    if known.get(length, head.hex()) != head.hex():
        why = "its hash is not the one of a receipt given then"
        raise CorruptLog(why, table=table, batch=length - 1)


def _seed_in(store: Store, table: str, end: Head) -> str | None:
    """The seed that the last batch of a finished game reveals."""
    for payload in store.payloads(table, end.length - 1, end.length):
        for event in read_raw(payload, batch=end.length - 1).events[-1:]:
            try:
                return _revealed.decode(event).seed
            except UNREADABLE:
                return None
    return None
