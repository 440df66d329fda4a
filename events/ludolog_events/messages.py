"""What a fact and a request are: the structs that events, commands and state slices derive from."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Final, TypeAlias

import msgspec

from ludolog_events.audience import Audience
from ludolog_events.errors import InvalidType

__all__ = ["Command", "Event", "Message", "Seat", "State", "owner_of", "tag_of"]

Seat: TypeAlias = str
"""A place at the table, by its name."""

TAG: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*(/[a-z0-9]+(-[a-z0-9]+)*){1,2}(@[1-9][0-9]*)?")


class Message(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What events and commands share: immutable, by value, by keyword; tuples instead of lists."""


class Event(Message, frozen=True, kw_only=True, gc=False, tag="ludolog/event", tag_field="type"):
    """A fact; give it a past-tense name and ``tag="<rules id>/<name>"``.

    ``audience`` names who learns that the event happened at all; by default everyone does.
    """

    audience: ClassVar[Audience | None] = None


class Command(Message, frozen=True, kw_only=True, gc=False, tag="ludolog/command", tag_field="type"):
    """A request by a seat; give it an imperative name and ``tag="<rules id>/<name>"``.

    It carries only what the seat chooses, never a fact that the table knows.
    """


class State(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A slice of the position: integers, names, booleans, tuples and other frozen structs.

    ``None`` in a slice means "not told" and nothing else, so that what a view lacks can be counted.
    """


def tag_of(kind: type[msgspec.Struct]) -> str:
    """Stored name of an event or command type, such as ``"dark-horse-bugs/bug-moved"``.

    Raises:
        InvalidType: The type was declared without a tag of that form.
    """
    config: Any = getattr(kind, "__struct_config__", None)
    tag: Any = getattr(config, "tag", None)
    if not isinstance(tag, str) or TAG.fullmatch(tag) is None:
        msg = f"{getattr(kind, '__name__', kind)} needs tag='<rules id>/<name>' in small letters, not {tag!r}."
        raise InvalidType(msg)
    return tag


def owner_of(tag: str) -> str:
    """Id of the rules that declare ``tag``."""
    return tag.rpartition("/")[0]
