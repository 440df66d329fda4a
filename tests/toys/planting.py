"""Faults planted into the lanterns: the game as it is, with one thing made wrong."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from ludolog import Command, Event, Game, Rules, Ruleset, State, Variant
from toys import lanterns

__all__ = ["FAULTS", "Fault", "altered", "fault"]

R = TypeVar("R", bound=Callable[[], Rules])


class Fault(NamedTuple):
    """A planted fault: how to load its rules, and which check finds it where."""

    load: Callable[[], Rules]
    check: str
    event: str
    field: str
    options: Mapping[str, Any]
    variants: tuple[Variant, ...]
    invariants: tuple[Any, ...]

    def __repr__(self) -> str:
        return self.load.__name__

    def ruleset(self) -> Ruleset:
        game = Game(id="lanterns", title="", summary="", seats=(2, 3), rules=self.load)
        return Ruleset(game, self.variants, self.options)


FAULTS: list[Fault] = []


def fault(
    check: str,
    *,
    event: str = "",
    field: str = "",
    options: Mapping[str, Any] | None = None,
    variants: tuple[Variant, ...] = (),
    invariants: tuple[Any, ...] = (),
) -> Callable[[R], R]:
    """Note a fault, which ``check`` must find and name the event and the field."""

    def note(load: R) -> R:
        FAULTS.append(Fault(load, check, event, field, options or {}, variants, invariants))
        return load

    return note


def altered(
    *,
    deciders: Mapping[type[Command], Callable[..., Iterator[Event]]] | None = None,
    reducers: Mapping[tuple[type[State], type[Event]], Callable[..., Any]] | None = None,
    events: Mapping[type[Event], type[Event]] | None = None,
    more_events: tuple[type[Event], ...] = (),
    more_states: tuple[type[State], ...] = (),
    **functions: Any,
) -> Rules:
    """The lanterns' rules with other functions, or with other types of events under the same tags.

    ``functions`` are the decorators' names: ``legal``, ``to_act``, ``waiting``, ``setup``, ``scoring``, ``text``, ...
    """
    rules = copy.copy(lanterns.rules)
    rules.states = [*rules.states, *more_states]
    rules.deciders = dict(rules.deciders)
    rules.command_types = dict(rules.command_types)
    rules.event_types = dict(rules.event_types)
    rules.reducers = {kind: list(found) for kind, found in rules.reducers.items()}
    rules.reactions = list(rules.reactions)
    rules.pictures = dict(rules.pictures)
    rules.sentences = dict(rules.sentences)
    rules.changes = list(rules.changes)
    for command, function in (deciders or {}).items():
        rules.deciders[command] = rules.deciders[command]._replace(function=function)
    for (state, event), function in (reducers or {}).items():
        rules.reducers[event] = [
            found._replace(function=function) if found.state is state else found for found in rules.reducers[event]
        ]
    for old, new in (events or {}).items():
        rules.reducers[new] = rules.reducers.pop(old)
        rules.event_types = {tag: new if kind is old else kind for tag, kind in rules.event_types.items()}
    rules.events(*more_events)
    for name, function in functions.items():
        if name in {"text", "svg"}:
            rules.pictures[name] = function
        else:
            setattr(rules, f"{name}_function", function)
    return rules
