"""Snapshots: a folded position as bytes, so that a long table opens as fast as a short one.

A snapshot is a shortcut and nothing more: one that is damaged, of another ruleset or not of this log is passed over,
and the position is folded from the log.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from ludolog.frame import Undone
from ludolog.history import History
from ludolog.position import Position
from ludolog.ruleset import Ruleset
from ludolog_events import Seat

__all__ = ["dump", "load", "load_view"]

_FORMAT: Final = 1


class _Snapshot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    format: int
    digest: str
    head: bytes
    length: int
    dead: tuple[int, ...]
    asides: tuple[int, ...]
    redoable: tuple[Undone, ...]
    slices: dict[str, msgspec.Raw]
    views: dict[str, dict[str, msgspec.Raw]] = {}
    """By seat; ``""`` is a viewer without one."""


_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(_Snapshot)


def dump(
    position: Position, history: History, head: bytes, views: Mapping[Seat | None, Position] | None = None
) -> bytes:
    """``position`` after ``history.length`` batches, the last with hash ``head``, as bytes with their checksum.

    ``views`` are what seats (``None``: a viewer without one) knew then, as far as anybody has asked.
    """
    ruleset = position.ruleset
    payload = _encoder.encode(
        _Snapshot(
            format=_FORMAT,
            digest=ruleset.digest,
            head=head,
            length=history.length,
            dead=tuple(sorted(history.dead)),
            asides=tuple(sorted(history.asides)),
            redoable=tuple(history.redoable),
            slices=_slices(position),
            views={seat or "": _slices(view) for seat, view in (views or {}).items()},
        )
    )
    return hashlib.sha256(payload).digest() + payload


def _slices(position: Position) -> dict[str, msgspec.Raw]:
    kinds = position.ruleset.state_types.items()
    return {name: msgspec.Raw(_encoder.encode(position.slices[kind])) for kind, name in kinds}


def load(ruleset: Ruleset, data: bytes) -> tuple[Position, History, bytes] | None:
    """Position, history and head hash of a snapshot; ``None`` if it can't be used."""
    return _load(ruleset, data, lambda found: (found.slices, None, False))


def load_view(ruleset: Ruleset, data: bytes, seat: Seat | None) -> tuple[Position, History, bytes] | None:
    """The same with what ``seat`` knew; ``None`` also if it doesn't hold that."""
    return _load(ruleset, data, lambda found: (found.views[seat or ""], seat, True))


def _load(
    ruleset: Ruleset, data: bytes, part: Callable[[_Snapshot], tuple[dict[str, msgspec.Raw], Seat | None, bool]]
) -> tuple[Position, History, bytes] | None:
    if hashlib.sha256(data[32:]).digest() != data[:32]:
        return None
    try:
        found = _decoder.decode(data[32:])
        if found.format != _FORMAT or found.digest != ruleset.digest:
            return None
        stored, viewer, is_view = part(found)
        slices: dict[Any, Any] = {
            kind: msgspec.msgpack.decode(stored[name], type=kind) for kind, name in ruleset.state_types.items()
        }
    except (msgspec.MsgspecError, KeyError, ValueError, RecursionError):
        return None
    history = History(found.length, found.dead, found.asides, found.redoable)
    return Position(ruleset, slices, viewer, is_view), history, found.head
