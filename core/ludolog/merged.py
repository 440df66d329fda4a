"""What game and variants declare, merged into plain dicts: made once, when a ruleset is compiled."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Union

import msgspec

from ludolog.errors import InvalidType, OwnedTwice
from ludolog.frame import LATER, Frame, GameEnded, RulesRecord, frame_rules
from ludolog.rules import Decider, Reaction, Reducer, Rules
from ludolog.slots import SlotTable
from ludolog_events import Command, Event, Message, State, Upcaster

if TYPE_CHECKING:
    from ludolog.position import Position

__all__ = ["Merged", "digest_of"]

_LATER_FIELD: Final = (Frame, "contributions")
"""As with the tags in ``LATER``: digests don't hold it, so that tables of before can be played on."""

_GAMES_ALONE: Final = ("to_act", "waiting", "scoring", "value", "due")


class Merged:
    """Everything that some rules declare, by type or tag; rules in their order, the library's own first.

    Raises:
        OwnedTwice: Two of them declare the same state.
        InvalidType: The game lacks something, a variant declares what only a game may, or a reaction waits for an
            event that none of them declares.
    """

    def __init__(self, rules: Sequence[Rules]) -> None:
        self.state_types: dict[type[State], str] = {}
        self.event_types: dict[str, type[Event]] = {}
        self.command_types: dict[str, type[Command]] = {}
        self.upcasters: dict[str, Upcaster] = {}
        self.pictures: dict[str, Callable[..., str]] = {}
        self.sentences: dict[type[Message], Callable[[Position, Message], str]] = {}
        self.reducers: dict[type[Event], tuple[Reducer, ...]] = {}
        self.deciders: dict[type[Command], Decider] = {}
        self.reactions: dict[type[Event], tuple[Reaction, ...]] = {}
        for part in rules:
            self._take(part)
        _check_parts(rules)
        self._check_events(rules)
        own = {kind for kind in frame_rules.event_types.values() if kind is not GameEnded}
        self.yielded = {kind: found for kind, found in self.reducers.items() if kind not in own}
        """What rules may yield, with its reducers: every event but those by which the library itself keeps a table."""

    def _take(self, part: Rules) -> None:
        for kind in part.states:
            if kind in self.state_types:
                other = self.state_types[kind].rpartition("/")[0]
                msg = f"State {kind.__name__} is declared by {other} and by {part.id}."
                raise OwnedTwice(msg)
            if f"{part.id}/{kind.__name__}" in self.state_types.values():
                msg = f"{part.id} declares two states named {kind.__name__}."
                raise InvalidType(msg)
            self.state_types[kind] = f"{part.id}/{kind.__name__}"
        self.event_types |= part.event_types
        self.command_types |= part.command_types
        self.upcasters |= part.upcasters
        self.pictures |= part.pictures
        self.sentences |= part.sentences
        self.deciders |= part.deciders
        for event in part.event_types.values():
            self.reducers[event] = tuple(part.reducers.get(event, ()))
        for event, reaction in part.reactions:
            self.reactions[event] = (*self.reactions.get(event, ()), reaction)

    def _check_events(self, rules: Sequence[Rules]) -> None:
        for part in rules:
            for event, reaction in part.reactions:
                name = reaction.function.__name__
                if getattr(event.__struct_config__, "tag", None) in LATER:
                    msg = f"The reaction {name} of {part.id} waits for {event.__name__}, which comes before the game."
                    raise InvalidType(msg)
                if event not in self.reducers:
                    msg = f"The reaction {name} of {part.id} waits for {event.__name__}, which no rules here declare."
                    raise InvalidType(msg)
            for tag in part.upcasters:
                if tag in self.event_types:
                    msg = f"{part.id} upcasts {tag!r}, and declares it as an event of today; it can't be both."
                    raise InvalidType(msg)

    def stored_types(self) -> tuple[Any, Any]:
        """The type of any command of these rules, and of any event."""
        return _union(self.command_types.values()), _union(self.event_types.values())


def _check_parts(rules: Sequence[Rules]) -> None:
    """A game says who acts and who wins; a variant bends that through the game's slots, never beside them."""
    _, game, *variants = rules
    if game.to_act_function is None or game.scoring_function is None:
        msg = f"Game {game.id} must declare to_act and scoring."
        raise InvalidType(msg)
    for variant in variants:
        for name in _GAMES_ALONE:
            if getattr(variant, f"{name}_function") is not None:
                msg = f"Variant {variant.id} declares {name}, which is the game's alone; use one of the game's slots."
                raise InvalidType(msg)


def _union(kinds: Iterable[type[Message]]) -> Any:  # noqa: ANN401 - a type, made at run time
    return Union[tuple(kinds)]  # noqa: UP007


def digest_of(records: Sequence[RulesRecord], merged: Merged, slots: Mapping[str, SlotTable[Any]]) -> str:
    """SHA-256 over everything that shapes how commands are decided, as far as it is data."""
    content = {
        "rules": [[record.id, record.version, record.options] for record in records],
        "events": _fields(merged.event_types),
        "commands": _fields(merged.command_types),
        "states": {
            name: [field for field in kind.__struct_fields__ if (kind, field) != _LATER_FIELD]
            for kind, name in merged.state_types.items()
        },
        "slots": {
            name: [[key, [str(source) for source in table.sources[key]], _plain(table[key])] for key in table]
            for name, table in sorted(slots.items())
        },
    }
    return hashlib.sha256(msgspec.json.encode(content, order="deterministic")).hexdigest()


def _fields(kinds: Mapping[str, type[Message]]) -> dict[str, list[str]]:
    return {tag: list(kind.__struct_fields__) for tag, kind in sorted(kinds.items()) if tag not in LATER}


def _plain(value: object) -> object:
    """Data of a slot's entry as far as it can be written down; functions count by their name."""
    try:
        return msgspec.to_builtins(value, enc_hook=_named, order="deterministic")
    except (TypeError, ValueError, RecursionError):
        return _named(value)


def _named(value: object) -> str:
    return getattr(value, "__qualname__", type(value).__qualname__)
