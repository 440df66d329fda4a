"""Upcasters: from a stored version of an event to the next one.

Stored events are never rewritten. An event whose meaning changed gets a new tag (``poker/dealt@2``) and a function
that turns the old one, as plain data, into events of the newer form: one, several or none. Order is by version, not
by registration, since each step names the tag it starts from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ludolog_events.errors import InvalidType

__all__ = ["Plain", "Upcaster", "upcast"]

Plain: TypeAlias = dict[str, Any]
"""An event as plain data; ``type`` holds its tag."""

Upcaster: TypeAlias = Callable[[Plain], Sequence[Plain]]
"""Old event -> events of a newer form."""

_MAX_STEPS = 64


def upcast(event: Plain, known: Mapping[str, object], upcasters: Mapping[str, Upcaster]) -> tuple[Plain, ...]:
    """Bring one stored event to the types in ``known``.

    Raises:
        InvalidType: The chain of upcasters does not end, or not at a type in ``known``, or one of them raises.
    """
    pending = [(event, 0)]
    done: list[Plain] = []
    while pending:
        current, steps = pending.pop(0)
        tag = current.get("type")
        if isinstance(tag, str) and tag in upcasters:
            if steps >= _MAX_STEPS:
                msg = f"The upcasters from {tag!r} do not come to an end."
                raise InvalidType(msg)
            pending[:0] = [(newer, steps + 1) for newer in _step(tag, current, upcasters[tag])]
        elif isinstance(tag, str) and tag in known:
            done.append(current)
        else:
            told = f"{event.get('type')!r} leads to {tag!r}" if steps else f"{tag!r} is stored"
            msg = f"{told}, which is neither a type of today nor has an upcaster."
            raise InvalidType(msg)
    return tuple(done)


def _step(tag: str, event: Plain, upcaster: Upcaster) -> Sequence[Plain]:
    try:
        return [dict(newer) for newer in upcaster(dict(event))]
    except Exception as error:
        msg = f"The upcaster of {tag!r} raised {type(error).__name__}, or gave something else than plain events."
        raise InvalidType(msg) from error
