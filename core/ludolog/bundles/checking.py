"""Checking bundles line by line, from their bytes alone; no plugin is needed, and memory doesn't grow with the log."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, cast

import msgspec

from ludolog.bundles.fairness import Fairness
from ludolog.bundles.layout import LONGEST_LINE, Header, Kind, Told, header_in, told_in
from ludolog.errors import CorruptLog
from ludolog.frame import (
    Committed,
    Contributed,
    ContributionsAsked,
    ContributionsClosed,
    GameBegun,
    GameEnded,
    Redone,
    RulesRecord,
    SeedRevealed,
    TableOpened,
    Undone,
)
from ludolog.history import History
from ludolog.verifying import Held, receipts_in
from ludolog.viewing import Retracted
from ludolog_events import GENESIS, Batch, Receipt, Seat, check_chain, from_json, read_raw, tag_of

__all__ = ["LogCheck", "Summary", "ToldCheck", "check_of", "verify_bundle"]


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What a bundle that was found whole says about its table.

    ``holds`` is ``log`` or ``told``; ``seat`` who was told (``None``: everyone). ``over``: the game has ended and the
    seed is the one committed to. ``draws`` counts the draws that were derived again from it (0 of what was told).
    """

    table: str
    holds: Kind
    seat: Seat | None
    rules: tuple[RulesRecord, ...]
    seats: tuple[Seat, ...]
    length: int
    head: str
    over: bool
    draws: int = 0
    forked_from: str = ""


class _Typed(msgspec.Struct):
    """The type of any event, whatever its fields are."""

    type: str


_UNREADABLE: Final = (msgspec.MsgspecError, RecursionError, ValueError, OverflowError, TypeError)
_HEX: Final = re.compile("[0-9a-f]{64}")
_event_type: Final = msgspec.msgpack.Decoder(_Typed)
_OPENED: Final = tag_of(TableOpened)
_BEGUN: Final = tag_of(GameBegun)
_ENDED: Final = tag_of(GameEnded)
_REVEALED: Final = tag_of(SeedRevealed)
_OWN: Final[dict[str, msgspec.msgpack.Decoder[Any]]] = {
    tag_of(kind): msgspec.msgpack.Decoder(kind)
    for kind in (
        TableOpened,
        Undone,
        Redone,
        SeedRevealed,
        ContributionsAsked,
        Committed,
        Contributed,
        ContributionsClosed,
    )
}
"""The library's own events that a check looks into."""
_RETRACTED: Final = "ludolog/retracted"
_RETRACTED_FIELDS: Final = {"type", *Retracted.__struct_fields__}
_NEVER_TOLD: Final = {tag_of(Undone), tag_of(Redone)}
_OPENINGS: Final = ([_OPENED], [_OPENED, tag_of(ContributionsAsked)])
_LAST: Final = [_ENDED, _REVEALED]


def verify_bundle(lines: Iterable[bytes], receipts: Sequence[Receipt] = ()) -> Summary:
    """Check a bundle: form, numbers, hashes, receipts, and all that a revealed seed accounts for.

    Args:
        lines: The bundle, line by line, each with its line feed; see :func:`read_lines`.
        receipts: What the caller knows of the log from elsewhere: it must agree with each.

    Raises:
        CorruptLog: Something is wrong; it names the batch where it can. NotABundle: It is something else.
    """
    check = check_of(lines, receipts)
    deque(check.items(), maxlen=0)
    return check.summary


def check_of(lines: Iterable[bytes], receipts: Sequence[Receipt] = ()) -> LogCheck | ToldCheck:
    """The check of a bundle whose header has been read.

    Raises:
        NotABundle: It is something else.
        CorruptLog: The header can't be, or a receipt is for another table.
    """
    receipts = receipts_in(receipts)
    feed = iter(lines)
    header = header_in(feed)
    for receipt in receipts:
        if receipt.table and receipt.table != header.table:
            why = f"a receipt is for table {receipt.table!r}, and this is the log of {header.table!r}"
            raise CorruptLog(why)
    return (LogCheck if header.holds == "log" else ToldCheck)(header, feed, receipts)


class _Check:
    """What the checks of both kinds share."""

    def __init__(self, header: Header, lines: Iterator[bytes], receipts: Sequence[Receipt]) -> None:
        self.header = header
        self.opened: TableOpened | None = None
        self.length = 0
        self.head = GENESIS.hex()
        self._lines = lines
        own = [Receipt(table=header.table, length=mark.length, head=mark.head) for mark in header.receipts]
        self._held = Held([*own, *receipts])
        self._seed = _seed_of(header)
        self._revealed: str | None = None

    def _numbered(self) -> Iterator[tuple[int, bytes]]:
        """The lines with their numbers, compared with the receipts as they come, and at their end with the header."""
        for line in self._lines:
            if self._revealed is not None:
                why = "the log goes on after its seed was revealed"
                raise CorruptLog(why, table=self.header.table, batch=self.length)
            if len(line) > LONGEST_LINE or line[:1] != b"{" or line[-2:] != b"}\n":
                why = "the line is not the canonical form of a batch"
                raise CorruptLog(why, batch=self.length)
            yield self.length, line
            self.length += 1
            self._held.compare(self.length, self.head)
        self._held.end(self.length)
        if self.length != self.header.receipts[-1].length:
            why = f"it has {self.length} batches, and its header says {self.header.receipts[-1].length}"
            raise CorruptLog(why, table=self.header.table)
        if self._revealed != self.header.seed:
            why = "its header has another seed than the one that was revealed"
            raise CorruptLog(why, table=self.header.table)

    def _open(self, opened: TableOpened) -> None:
        """The first batch must open the table that the header names."""
        header = self.header
        if (opened.table, opened.rules, opened.digest) != (header.table, header.plugins, header.digest):
            why = f"the header does not agree with the opening of table {opened.table!r}"
            raise CorruptLog(why, table=header.table, batch=0)
        if not opened.rules:
            why = "it begins with the opening of a table without rules"
            raise CorruptLog(why, table=header.table, batch=0)
        self.opened = opened

    def _check_tags(self, number: int, tags: list[str]) -> None:
        """Where the library's own events may stand: the opening first, the end and the seed last."""
        sound = (_OPENED in tags) == (number == 0) and (number > 0 or tags in _OPENINGS)
        if _ENDED in tags or _REVEALED in tags:
            sound = sound and tags[-2:] == _LAST and tags.count(_ENDED) == tags.count(_REVEALED) == 1
        if not sound:
            why = "it opens or ends the game where it can't" if number else "it does not open a table"
            raise CorruptLog(why, table=self.header.table, batch=number)

    @property
    def summary(self) -> Summary:
        """What was found, once all is read."""
        opened = cast("TableOpened", self.opened)
        return Summary(
            table=opened.table,
            holds=self.header.holds,
            seat=self.header.seat,
            rules=opened.rules,
            seats=opened.seats,
            length=self.length,
            head=self.head,
            over=self._revealed is not None,
            draws=self.draws,
            forked_from=opened.forked[0].table if opened.forked else "",
        )

    @property
    def draws(self) -> int:
        """How many draws were derived again."""
        return 0


class LogCheck(_Check):
    """Checks a whole log; ``items`` are the batches' canonical bytes."""

    def __init__(self, header: Header, lines: Iterator[bytes], receipts: Sequence[Receipt]) -> None:
        super().__init__(header, lines, receipts)
        self._history = History()
        self._fairness: Fairness | None = None
        self._protected: int | None = None

    def items(self) -> Iterator[bytes]:
        """The batches, each as soon as it is checked; the last is followed by what can be checked only then.

        Raises:
            CorruptLog: Something is wrong.
        """
        for number, line in self._numbered():
            payload = from_json(line, batch=number)
            self.head = check_chain(payload, number, bytes.fromhex(self.head)).hex()
            self._check(read_raw(payload))
            yield payload

    @property
    def draws(self) -> int:
        """How many draws were derived again."""
        return self._fairness.draws if self._fairness is not None else 0

    def _check(self, raw: Batch[msgspec.Raw, msgspec.Raw]) -> None:
        number = raw.number
        tags = [_read(event, _event_type, number).type for event in raw.events]
        self._check_tags(number, tags)
        events = [_own(event, tag, number) for event, tag in zip(raw.events, tags, strict=True) if tag in _OWN]
        if number == 0:
            self._open(events[0])
        opened = cast("TableOpened", self.opened)
        if self._fairness is None:
            self._fairness = Fairness(opened, self._seed)
            self._protected = 1 if opened.forked else None
        if raw.seat is not None and raw.seat not in opened.seats:
            why = f"nobody named {raw.seat!r} sits at this table"
            raise CorruptLog(why, table=opened.table, batch=number)
        self._fairness.check(raw, self._history.place, events)
        self._history.note(self._taken_back(raw, events))
        if _BEGUN in tags:
            self._protected = number + 1
        if _REVEALED in tags:
            self._revealed = events[-1].seed

    def _taken_back(self, raw: Batch[msgspec.Raw, msgspec.Raw], events: list[Any]) -> Undone | Redone | None:
        """The undo or redo that a batch is, if it is one: alone, without draws, of batches that it can concern."""
        found = next((event for event in events if isinstance(event, Undone | Redone)), None)
        if found is None:
            return None
        self._history.check(found)
        protected = self._protected
        if len(raw.events) > 1 or raw.draws or protected is None or found.batches[0] < protected:
            why = "it takes back or restores what it can't"
            raise CorruptLog(why, table=self.header.table, batch=raw.number)
        return found


class ToldCheck(_Check):
    """Checks what a seat was told; ``items`` are what it was told of each batch."""

    def __init__(self, header: Header, lines: Iterator[bytes], receipts: Sequence[Receipt]) -> None:
        super().__init__(header, lines, receipts)
        self._told = 0

    def items(self) -> Iterator[Told]:
        """What the seat was told of each batch, as soon as it is checked.

        Raises:
            CorruptLog: Something is wrong.
        """
        for number, line in self._numbered():
            told = told_in(line, number)
            self.head = told.head
            self._check(told)
            yield told

    def _check(self, told: Told) -> None:
        number, tags = told.number, [event.get("type") for event in told.told]
        sound = _HEX.fullmatch(told.head) is not None and all(isinstance(tag, str) for tag in tags)
        if not sound or not _NEVER_TOLD.isdisjoint(cast("list[str]", tags)):
            why = "the line is nothing that a seat is told"
            raise CorruptLog(why, table=self.header.table, batch=number)
        self._check_tags(number, cast("list[str]", tags))
        if number == 0:
            self._open_for_seat(_converted(told.told[0], TableOpened, 0))
        for event in told.told:
            if event["type"] == _RETRACTED:
                self._check_retracted(event, number)
        self._told += len(tags)
        if _REVEALED in tags:
            self._revealed = _converted(told.told[-1], SeedRevealed, number).seed

    def _open_for_seat(self, opened: TableOpened) -> None:
        self._open(opened)
        Fairness(opened, self._seed)
        if self.header.seat is not None and self.header.seat not in opened.seats:
            why = f"nobody named {self.header.seat!r} sits at this table"
            raise CorruptLog(why, table=opened.table, batch=0)

    def _check_retracted(self, event: dict[str, Any], number: int) -> None:
        """What is taken back must have been told before."""
        found: Retracted = _converted(event, Retracted, number)
        for numbers in (found.numbers, found.restored):
            known = not numbers or 0 < numbers[0] <= numbers[-1] <= self._told
            if set(event) != _RETRACTED_FIELDS or list(numbers) != sorted(set(numbers)) or not known:
                why = "it takes back or restores what was not told"
                raise CorruptLog(why, table=self.header.table, batch=number)


def _seed_of(header: Header) -> bytes | None:
    if header.seed is None:
        return None
    if _HEX.fullmatch(header.seed) is None:
        why = "the seed in the header is no seed"
        raise CorruptLog(why, table=header.table)
    return bytes.fromhex(header.seed)


def _own(event: msgspec.Raw, tag: str, number: int) -> Any:  # noqa: ANN401 - its type's
    """One of the library's own events, written in the one way in which it writes them."""
    found = _read(event, _OWN[tag], number)
    if msgspec.msgpack.encode(found) != bytes(event):
        why = f"its {tag} is written in another way than the library's"
        raise CorruptLog(why, batch=number)
    return found


def _read(event: msgspec.Raw, decoder: msgspec.msgpack.Decoder[Any], number: int) -> Any:  # noqa: ANN401 - its type's
    try:
        return decoder.decode(event)
    except _UNREADABLE as error:
        why = f"an event can't be read ({error})"
        raise CorruptLog(why, batch=number) from None


def _converted(event: dict[str, Any], kind: type[Any], number: int) -> Any:  # noqa: ANN401 - of any kind
    try:
        return msgspec.convert(event, kind)
    except _UNREADABLE as error:
        why = f"an event can't be read ({error})"
        raise CorruptLog(why, batch=number) from None
