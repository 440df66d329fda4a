"""Events and commands in words, for games that don't say it better themselves."""

from __future__ import annotations

import re
from typing import cast

import msgspec

from ludolog_events import Message, Seat

__all__ = ["plain_sentence", "turned_back"]

_CAPITALS = re.compile(r"(?<!^)(?=[A-Z])")


def plain_sentence(message: Message) -> str:
    """A sentence from the name and the fields of an event or command: ``"Bug moved: bug dot, spaces 2."``."""
    name = _CAPITALS.sub(" ", type(message).__name__).capitalize()
    told = _fields(message)
    return f"{name}: {told}." if told else f"{name}."


def turned_back(by: Seat, touched: int, *, restored: bool = False) -> str:
    """An undo or a redo by a seat, or by the host (empty), of ``touched`` commands of which the reader was told."""
    verb = "restored" if restored else "took back"
    return f"{by or 'The host'} {verb} {'the last command' if touched <= 1 else f'{touched} commands'}."


def _fields(value: msgspec.Struct) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {_words(getattr(value, name))}" for name in value.__struct_fields__)


def _words(value: object) -> str:
    if value is None:
        return "hidden"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, msgspec.Struct):
        return f"({_fields(value)})"
    if isinstance(value, tuple):
        items = cast("tuple[object, ...]", value)
        if items and all(item is None for item in items):
            return f"{len(items)} hidden"
        return " ".join(map(_words, items)) or "none"
    return str(value) or "none"
