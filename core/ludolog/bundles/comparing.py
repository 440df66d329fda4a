"""Was a seat told what the log says it should have been? A bundle of what it was told, held against the whole log."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import cast

from ludolog.bundles.checking import LogCheck, Summary, ToldCheck, check_of
from ludolog.bundles.layout import line_of
from ludolog.bundles.writing import Telling
from ludolog.catalogue import Catalogue, catalogue
from ludolog.errors import CorruptLog, NotABundle
from ludolog.frame import TableOpened
from ludolog.recorded import ruleset_of
from ludolog.ruleset import Ruleset
from ludolog_events import Receipt

__all__ = ["verify_against"]


def verify_against(
    lines: Iterable[bytes],
    log: Iterable[bytes],
    receipts: Sequence[Receipt] = (),
    *,
    source: Catalogue | None = None,
    ruleset: Ruleset | None = None,
) -> tuple[Summary, Summary]:
    """Check both bundles, and that a seat was told just what its events' declarations tell it of that log.

    Args:
        lines: The bundle of what a seat was told; it may be of an earlier moment than the log.
        log: The bundle of the whole log.
        receipts: What the caller knows of the log from elsewhere.
        source: Where plugins are looked up; by default among those installed.
        ruleset: What the table is played by, if that is at hand.

    Returns:
        What each bundle says about itself.

    Raises:
        CorruptLog: One of them is not whole, or they don't agree. NotABundle: One is of another kind.
        MissingPlugin: The game or a variant isn't installed: they say who is told what.
    """
    seat, whole = check_of(lines), check_of(log, receipts)
    if not isinstance(seat, ToldCheck) or not isinstance(whole, LogCheck):
        why = "what a seat was told is held against a whole log"
        raise NotABundle(why)
    if seat.header.table != whole.header.table:
        why = f"one is of table {seat.header.table!r}, the other of {whole.header.table!r}"
        raise CorruptLog(why)
    _compare(seat, whole, source, ruleset)
    return seat.summary, whole.summary


def _compare(seat: ToldCheck, whole: LogCheck, source: Catalogue | None, ruleset: Ruleset | None) -> None:
    batches = whole.items()
    telling: Telling | None = None
    for told in seat.items():
        payload = next(batches, None)
        if payload is None:
            why = f"the seat was told of batch {told.number}, and the log has {whole.length} batches"
            raise CorruptLog(why, table=whole.header.table)
        if telling is None:
            opened = cast("TableOpened", whole.opened)
            rules = ruleset or ruleset_of(catalogue() if source is None else source, opened)
            telling = Telling(rules, seat.header.seat)
        true = telling.next(payload)
        if line_of(told) != line_of(true):  # the names in their order, too
            why = "it is another batch than that of the log (the hashes differ)"
            if told.head == true.head:
                why = "the seat was told something else than the log tells it"
            raise CorruptLog(why, table=whole.header.table, batch=told.number)
    deque(batches, maxlen=0)  # the log may go on; it is checked to its end
