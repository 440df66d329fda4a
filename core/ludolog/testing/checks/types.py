"""Do state, events and commands hold only plain immutable values?"""

from __future__ import annotations

import enum
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from ludolog.testing.comparing import leaves, state_leaves
from ludolog.testing.findings import Finding
from ludolog.testing.replaying import Step, replay
from ludolog.testing.subject import Subject
from ludolog_events import Event, InvalidType, audiences, check_plain

__all__ = ["values_are_plain"]

_PLAIN: Final = (str, int, bool, bytes)
_WIDEST: Final = 2**63


def values_are_plain(subject: Subject) -> None:
    """State, events and commands hold numbers, names, tuples and frozen structs; ``None`` only for what is not told."""
    ruleset = subject.ruleset
    for kind in (*ruleset.state_types, *ruleset.event_types.values(), *ruleset.command_types.values()):
        try:
            check_plain(kind, hides=issubclass(kind, Event))
        except InvalidType as error:
            raise Finding(str(error), event=kind.__name__, field=kind.__name__) from None
    for event_type in ruleset.event_types.values():
        _check_hides(event_type)
    for sample in subject.samples:
        for step in replay(sample):
            _check_step(step)


def _check_step(step: Step) -> None:
    for event in step.events:
        name = type(event).__name__
        for path, leaf in leaves(event):
            _check(leaf, step.number, name, f"{name}.{path}")
    for path, leaf in leaves(step.command):
        if leaf is not None:
            _check(leaf, step.number, step.name, f"{step.name}.{path}")
    last = type(step.events[-1]).__name__ if step.events else step.name
    for path, leaf in state_leaves(step.after) if step.number else ():
        _check(leaf, step.number, last, path)


def _check_hides(kind: type[Event]) -> None:
    """A field that tells everyone has no use for ``None``."""
    hints = get_type_hints(kind, include_extras=True)
    for name in kind.__struct_fields__:
        if name not in audiences(kind) and _allows_none(hints[name]):
            why = "it tells everyone and can be None, which means 'not told'; use an empty value instead"
            raise Finding(why, event=kind.__name__, field=f"{kind.__name__}.{name}")


def _allows_none(hint: Any) -> bool:  # noqa: ANN401 - any annotation
    if get_origin(hint) is Literal:
        return False
    return hint in {None, type(None)} or any(map(_allows_none, get_args(hint)))


def _check(leaf: object, number: int, event: str, field: str) -> None:
    if leaf is None:
        why = "it is None in the full position or event, and None means 'not told' and nothing else"
        raise Finding(why, batch=number, event=event, field=field)
    if not isinstance(leaf, enum.Enum) and type(leaf) not in _PLAIN:
        why = f"it holds a {type(leaf).__name__}, {leaf!r}, and not a number, a name, a tuple or a frozen struct"
        raise Finding(why, batch=number, event=event, field=field)
    if type(leaf) is int and not -_WIDEST <= leaf < 2 * _WIDEST:
        msg = f"the number {leaf} has more than 64 bits"
        raise Finding(msg, batch=number, event=event, field=field)
