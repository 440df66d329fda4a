"""Data of an owner: a TOML file with the real numbers and cards, in the place of those that a game packs.

A game has an option for it and says by :meth:`ludolog.rules.Rules.data` how its text changes the slots. The option is
given as the name of a file. What is recorded in the log is the text, so that a table can be opened again anywhere.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from ludolog.errors import BadData, BadOptions
from ludolog.slots import Change, Key
from ludolog_events import shown

if TYPE_CHECKING:
    from ludolog.rules import Rules

__all__ = ["bad_data", "convert_data", "line_of", "parse_data", "tables_in", "with_own", "with_texts"]

T = TypeVar("T")

_HEADER: Final = re.compile(r"\s*(\[\[?)([\w.\"' -]+)\]")
_KEY: Final = re.compile(r"\s*([\w\"'.-]+)\s*=")
_PATH: Final = re.compile(r" - at `\$\.?(.*)`$", re.DOTALL)
_UNKNOWN: Final = re.compile(r"unknown field `(.*?)`")


LONGEST_TEXT: Final = 1024 * 1024
"""Characters of an owner's data."""

_MOST_DOTS: Final = 200
"""Dots in one line: reading a dotted key takes a time that grows with the square of its parts."""


_MOST_BITS: Final = 64


def with_texts(parts: Sequence[Rules], given: Mapping[str, Any]) -> dict[str, Any]:
    """The options, with the text of the file in the place of its name.

    A value with a line break in it is such a text already.

    Raises:
        BadOptions: A file can't be read.
    """
    found = dict(given)
    names = {name for part in parts for name in part.data_functions}
    for name, value in given.items():
        if str(name).rpartition(":")[2] not in names or not isinstance(value, str | Path) or not str(value):
            continue
        if "\n" not in str(value):
            try:
                found[name] = _text_in(Path(value)).rstrip() + "\n"
            except (OSError, ValueError) as error:
                # The name as it was given: where it leads to is the host's business.
                why = getattr(error, "strerror", None) or error
                msg = f"Option {name!r} names a file that can't be read: {shown(str(value))}: {why}."
                raise BadOptions(msg) from None
    return found


def _text_in(path: Path) -> str:
    """The text of a file from outside, which may be no file at all, or endless."""
    if not path.is_file():
        why = "it is no ordinary file" if path.exists() else "it doesn't exist"
        raise OSError(why)
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(LONGEST_TEXT + 1)
    except UnicodeDecodeError:
        why = "it is no text in UTF-8"
        raise ValueError(why) from None
    if len(text) > LONGEST_TEXT:
        why = f"it has more than {LONGEST_TEXT} characters"
        raise ValueError(why)
    return text


def with_own(changes: Iterable[Change], own: Iterable[Change]) -> tuple[Change, ...]:
    """The changes of a game, with an owner's entries in the place of its own; what it lacks comes at the end."""
    owned: dict[tuple[str, Key], Change] = {(change.slot.name, change.key): change for change in own}
    found: list[Change] = []
    for change in changes:
        new = owned.get((change.slot.name, change.key)) if change.verb == "adds" else None
        if new is None:
            found.append(change)
        else:
            del owned[change.slot.name, change.key]
            if new.verb != "removes":
                found.append(msgspec.structs.replace(new, verb="adds", before=change.before))
    more = (change for change in owned.values() if change.verb != "removes")
    return (*found, *(msgspec.structs.replace(change, verb="adds") for change in more))


# ------------------------------------------------------------ reading, with lines


def tables_in(text: str) -> dict[str, Any]:
    """The tables of a TOML text that is not too long, with numbers no longer than a log's, so that they can be told.

    Raises:
        ValueError: It is no such text. RecursionError: It is nested too deep.
    """
    if len(text) > LONGEST_TEXT:
        why = f"it has {len(text)} characters, more than {LONGEST_TEXT}"
        raise ValueError(why)
    for number, row in enumerate(text.split("\n"), 1):
        if row.count(".") > _MOST_DOTS:
            why = f"there are more than {_MOST_DOTS} dots (at line {number})"
            raise ValueError(why)
    found = tomllib.loads(text)
    pending: list[Any] = [found]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending += value.values()  # pyright: ignore[reportUnknownMemberType] - of any kind
        elif isinstance(value, list):
            pending += value
        elif isinstance(value, int) and value.bit_length() > _MOST_BITS:
            why = f"an integer has more than {_MOST_BITS} bits"
            raise ValueError(why)
    return found


def parse_data(text: str) -> dict[str, Any]:
    """The tables of a TOML text.

    Raises:
        BadData: It is no TOML, or more of it than anybody would write.
    """
    try:
        return tables_in(text)
    except (ValueError, RecursionError) as error:
        line = re.search(r"line (\d+)", str(error))
        why = f"it is no TOML: {error}"
        raise BadData(why, line=int(line[1]) if line else 0) from None


def convert_data(text: str, plain: object, kind: type[T], at: str = "") -> T:
    """Plain data as ``kind``; ``at`` is where it stands in the text, such as ``"card[3]"``.

    Raises:
        BadData: It doesn't fit; line and field are told.
    """
    try:
        return msgspec.convert(plain, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        why = str(error)
        place = _PATH.search(why)
        unknown = _UNKNOWN.search(why)
        inner = place[1].replace("[...]", "") if place else ""
        path = ".".join(part for part in (at, inner, unknown[1] if unknown else "") if part)
        raise bad_data(text, path, _PATH.sub("", why)) from None


def bad_data(text: str, path: str, why: str) -> BadData:
    """The error for a field of an owner's data, such as ``"card[3].ability[0].timing"``, with its line."""
    return BadData(why, line=line_of(text, path), field=path)


def line_of(text: str, path: str) -> int:
    """Line, from 1, of the field at ``path``, or of the innermost table or key around it; 0 if there is none."""
    best, found = -1, 0
    for place, line in _places(text):
        inside = path == place or (path.startswith(place) and path[len(place) :][:1] in {".", "["})
        if inside and len(place) > best:
            best, found = len(place), line
    return found


def _places(text: str) -> Iterable[tuple[str, int]]:
    """Paths of the tables and keys of a text, each with its line."""
    counts: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        header = _HEADER.match(line)
        key = _KEY.match(line)
        if header:
            *outer, last = (part.strip(" \"'") for part in header[2].split("."))
            before = ""
            for part in outer:
                before = f"{before}.{part}" if before else part
                before = f"{before}[{counts[before] - 1}]" if before in counts else before
            table = f"{before}.{last}" if before else last
            if header[1] == "[[":
                counts[table] = counts.get(table, 0) + 1
                table = f"{table}[{counts[table] - 1}]"
            yield table, number
        elif key:
            name = key[1].strip("\"'")
            yield (f"{table}.{name}" if table else name), number
