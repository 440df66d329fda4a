"""Is this the log? Chain of hashes, canonical bytes, receipts: checked from the bytes alone, without any plugin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from ludolog.errors import BadOptions
from ludolog.store import Store
from ludolog_events import GENESIS, CorruptLog, Receipt, check_canonical, check_chain, head_of, shown

__all__ = ["Held", "receipts_in", "verify_payloads", "verify_table"]


def receipts_in(given: object) -> tuple[Receipt, ...]:
    """Receipts as a caller gave them, to be gone through more than once.

    A generator would be empty the second time, and its receipts agree with any log.

    Raises:
        BadOptions: They are something else.
    """
    if not isinstance(given, Iterable):
        msg = f"Receipts are given as a tuple of Receipt, not as {shown(given)}."
        raise BadOptions(msg)
    found: list[Receipt] = []
    for receipt in cast("Iterable[object]", given):
        if not isinstance(receipt, Receipt):
            msg = f"Receipts are given as a tuple of Receipt, and {shown(receipt)} is none."
            raise BadOptions(msg)
        found.append(receipt)
    return tuple(found)


class Held:
    """Receipts that a log must agree with; each is compared when the log has reached its length."""

    def __init__(self, receipts: Iterable[Receipt]) -> None:
        self._known: dict[int, set[str]] = {}
        for receipt in receipts:
            self._known.setdefault(receipt.length, set()).add(receipt.head)

    def compare(self, length: int, head: str) -> None:
        """The log has so many batches now, and this head (hex).

        Raises:
            CorruptLog: A receipt says otherwise.
        """
        if self._known.pop(length, {head}) != {head}:
            why = "its hash is not the one of a receipt given then"
            raise CorruptLog(why, batch=length - 1)

    def end(self, length: int) -> None:
        """The log ends here.

        Raises:
            CorruptLog: There is a receipt for a longer one, or for none.
        """
        for missing in sorted(self._known, reverse=True):
            why = f"a receipt was given for {shown(missing)} batches, and there are {length}: the tail is missing"
            if missing < 1:
                why = f"a receipt for {shown(missing)} batches is none"
            raise CorruptLog(why)


def verify_payloads(
    payloads: Iterable[bytes], receipts: Sequence[Receipt] = (), *, since: Receipt | None = None
) -> tuple[int, bytes]:
    """Check the batches of a log; its length and head hash.

    Args:
        payloads: The batches, in order.
        receipts: What is known of the log from elsewhere: it must hold each of them.
        since: What comes before the first of ``payloads``; by default nothing.

    Raises:
        CorruptLog: Something is wrong; it names the batch.
    """
    length, head = (0, GENESIS) if since is None else (since.length, bytes.fromhex(since.head))
    held = Held(receipts)
    for payload in payloads:
        check_canonical(payload, batch=length)
        head = check_chain(payload, length, head)
        length += 1
        held.compare(length, head.hex())
    held.end(length)
    return length, head


def verify_table(
    table: str, store: Store, receipts: Sequence[Receipt] = (), *, since: Receipt | None = None
) -> Receipt:
    """Check a stored log; a receipt for it as it is now.

    Args:
        table: Its id.
        store: Where it is kept.
        receipts: What is known of the log from elsewhere: it must hold each of them.
        since: What an earlier check returned. Only what came since then is read. Should the log no longer hold that
            batch, all of it is read: a stale receipt is no fault of the log's, unless it is one of ``receipts``.

    Raises:
        UnknownTable: The store has no such table.
        CorruptLog: Something is wrong; it names the batch.
    """
    receipts = receipts_in(receipts)
    for receipt in receipts:
        if receipt.table != table:
            why = f"a receipt is for table {shown(receipt.table)}, not for {shown(table)}"
            raise CorruptLog(why)
    if since is not None and (since.table != table or not _holds(table, store, since)):
        since = None
    start = 0 if since is None else since.length
    for receipt in receipts:
        if 0 < receipt.length <= start and not _holds(table, store, receipt):
            why = "its hash is not the one of a receipt given then"
            raise CorruptLog(why, table=table, batch=receipt.length - 1)
    newer = [receipt for receipt in receipts if not 0 < receipt.length <= start]
    payloads = store.payloads(table, start)
    length, head = verify_payloads(payloads, newer, since=since)
    return Receipt(table=table, length=length, head=head.hex())


def _holds(table: str, store: Store, receipt: Receipt) -> bool:
    """Whether the stored log has the batch that a receipt was given for."""
    if receipt.length < 1:
        return False
    return any(
        head_of(payload).hex() == receipt.head for payload in store.payloads(table, receipt.length - 1, receipt.length)
    )
