"""How a bundle is laid out: a header, then a line for each batch; every line JSON, in one form only.

The header says what the bundle is, so that it can be checked while it is read, in memory that doesn't grow with it::

    {"ludolog":"bundle","format":1,"holds":"log","seat":null,"table":"...","plugins":[...],"digest":"...",
     "receipts":[{"length":8,"head":"..."}],"seed":"..."}

``holds`` is ``log`` or ``told``, ``plugins`` the game and its variants as the opening records them, ``receipts`` what
the batches must agree with, the whole log's last, and ``seed`` the revealed seed, ``null`` until the game is over.
A line of a log is what :func:`ludolog_events.to_json` writes. A line of what a seat was told is its :class:`Told`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, Literal, TypeAlias

import msgspec

from ludolog.errors import CorruptLog, NewerBundle, NotABundle
from ludolog.frame import RulesRecord
from ludolog_events import MAX_BATCH, Seat

__all__ = ["BUNDLE_FORMAT", "LONGEST_LINE", "Header", "Kind", "Mark", "Told", "header_in", "line_of", "told_in"]

BUNDLE_FORMAT: Final = 1
"""Version of this layout; a reader refuses a newer one."""

LONGEST_LINE: Final = 4 * MAX_BATCH
"""Bytes of one line accepted from outside."""

Kind: TypeAlias = Literal["log", "told"]
"""A whole log, or what one viewer was told of it."""

_MAX_DEPTH: Final = 64
_PLAIN: Final = (str, int, bool, type(None))


class Mark(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A receipt of this table: a length and the head hash (64 hex digits) that the log had then."""

    length: int
    head: str


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """First line of a bundle; ``seat`` is who was told (``None``: everyone), and ``None`` in that of a log."""

    ludolog: Literal["bundle"] = "bundle"
    format: int = BUNDLE_FORMAT
    holds: Kind
    seat: Seat | None
    table: str
    plugins: tuple[RulesRecord, ...]
    digest: str
    receipts: tuple[Mark, ...]
    seed: str | None


class Told(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one batch told a seat: events as it was told them, undo and redo by the numbers in its own feed."""

    number: int
    head: str
    told: tuple[dict[str, Any], ...]


_UNREADABLE: Final = (msgspec.MsgspecError, RecursionError, ValueError, OverflowError, TypeError)
_MAGIC: Final = re.compile(rb'{"ludolog":"bundle","format":([0-9]{1,9})[,}]')
"""What the header of any version begins with."""
_header: Final = msgspec.json.Decoder(Header)
_told: Final = msgspec.json.Decoder(Told)


def line_of(value: Header | Told) -> bytes:
    """The one line that says it."""
    return msgspec.json.encode(value) + b"\n"


def header_in(lines: Iterator[bytes]) -> Header:
    """The header, taken from the first of ``lines``.

    Raises:
        NotABundle: It is no header, or NewerBundle: one of a newer version.
        CorruptLog: It is not the canonical form of what it says, or says what can't be.
    """
    line = next(lines, None)
    if line is None:
        why = "it is empty"
        raise NotABundle(why)
    if not isinstance(line, bytes):  # pyright: ignore[reportUnnecessaryIsInstance]
        why = "it is not given line by line, as bytes"
        raise NotABundle(why)
    magic = _MAGIC.match(line)
    if magic is None:
        why = "it does not begin with the header of one"
        raise NotABundle(why)
    if int(magic[1]) > BUNDLE_FORMAT:
        why = f"it has format {int(magic[1])}, and this version reads format {BUNDLE_FORMAT}"
        raise NewerBundle(why)
    try:
        header = _header.decode(line)
        same = header.format == BUNDLE_FORMAT and line_of(header) == line
    except _UNREADABLE as error:
        why = f"the header can't be read ({error})"
        raise CorruptLog(why) from None
    if not same:
        why = "the header is not the canonical form of what it says"
        raise CorruptLog(why)
    lengths = [mark.length for mark in header.receipts]
    if not lengths or lengths != sorted(set(lengths)) or (header.holds == "log" and header.seat is not None):
        why = "the header says what can't be"
        raise CorruptLog(why, table=header.table)
    return header


def told_in(line: bytes, number: int) -> Told:
    """What batch ``number`` told a seat.

    Raises:
        CorruptLog: The line doesn't say it, or not in the canonical form.
    """
    try:
        found = _told.decode(line)
        same = found.number == number and line_of(found) == line and _is_plain(found.told, 1)
    except _UNREADABLE as error:
        why = f"the line can't be read ({error})"
        raise CorruptLog(why, batch=number) from None
    if not same:
        why = "the line is not this batch's, or not the canonical form of what it says"
        raise CorruptLog(why, batch=number)
    return found


def _is_plain(value: Any, depth: int) -> bool:  # noqa: ANN401 - any value of JSON
    """Whether a value holds only what a log may hold."""
    if depth > _MAX_DEPTH:
        return False
    if isinstance(value, dict):
        return all(_is_plain(item, depth + 1) for item in value.values())  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list | tuple):
        return all(_is_plain(item, depth + 1) for item in value)  # pyright: ignore[reportUnknownVariableType]
    return type(value) in _PLAIN and (type(value) is not int or -(2**63) <= value < 2**64)
