"""Taking a bundle in: verified first, then stored as the table that it is of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ludolog.bundles.checking import LogCheck, Summary, check_of
from ludolog.errors import CorruptLog, DuplicateCommand, NotABundle, UnknownTable
from ludolog.store import Store, Stored
from ludolog_events import Receipt, head_of, read_raw

__all__ = ["import_bundle"]


def import_bundle(lines: Iterable[bytes], store: Store, receipts: Sequence[Receipt] = ()) -> Summary:
    """Verify the bundle of a log and store it as the table that it is of.

    A game that is not over can be read and audited, not played on: its seed is not in its bundle.

    Raises:
        CorruptLog: Something is wrong; nothing was written. NotABundle: It is something else, or what a seat was told.
        TableExists: The store has the table already.
        UnknownTable: The table is a fork, and its parent is not in the store.
    """
    check = check_of(lines, receipts)
    if not isinstance(check, LogCheck):
        why = "it holds what was told of a log, not the log itself"
        raise NotABundle(why)
    payloads = list(check.items())
    summary = check.summary
    if summary.forked_from and summary.forked_from not in store.tables():
        msg = f"Table {summary.table!r} is a fork of {summary.forked_from!r}, which has to be imported first."
        raise UnknownTable(msg)
    batches = [
        Stored(number, payload, head_of(payload), read_raw(payload).command_id)
        for number, payload in enumerate(payloads)
    ]
    try:
        store.create(summary.table, batches, seed=bytes.fromhex(check.header.seed or ""))
    except DuplicateCommand as error:
        why = f"it has the command id of an earlier batch, {error.command_id!r}"
        raise CorruptLog(why, table=summary.table, batch=error.number) from None
    return summary
