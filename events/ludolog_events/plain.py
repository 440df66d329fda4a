"""What a declared type may hold: plain values, each with one encoding, that no two programs can read differently.

Text, integers, booleans, tuples of them, frozen structs of them, enumerations stored by name. Floats round, sets have
no order, lists and dicts can be changed by whoever holds them, and dates mean something else in every time zone.
"""

from __future__ import annotations

import types
from collections.abc import Iterable
from enum import Enum
from typing import Annotated, Any, Final, Literal, NewType, Union, get_args, get_origin, get_type_hints

import msgspec

from ludolog_events.audience import Audience
from ludolog_events.errors import InvalidType

__all__ = ["check_plain"]

_PLAIN: Final = {str, int, bool, type(None), None}


def check_plain(kind: type[msgspec.Struct], *, hides: bool = False) -> None:
    """Check that a type is immutable and holds plain values only.

    Args:
        kind: An event, a command, a slice of state, or options.
        hides: Whether its fields may name an audience; only an event's may.

    Raises:
        InvalidType: It can be changed, takes fields that it doesn't know, or a field can hold something else.
    """
    config = kind.__struct_config__
    if not config.frozen or not config.forbid_unknown_fields:
        msg = f"{kind.__name__} must be frozen and forbid unknown fields, as the class that it derives from does."
        raise InvalidType(msg)
    _check_fields(kind, hides, {kind})


def _check_fields(kind: type[msgspec.Struct], hides: bool, seen: set[type]) -> None:  # noqa: FBT001 - of one module
    try:
        hints = get_type_hints(kind, include_extras=True)
    except NameError as error:
        msg = f"The annotations of {kind.__name__} can't be read ({error}); import their types at run time."
        raise InvalidType(msg) from None
    for name in kind.__struct_fields__:
        hint: Any = hints[name]
        if hides and get_origin(hint) is Annotated:
            hint = hint.__origin__
        _check(hint, f"{kind.__name__}.{name}", seen)


def _check(hint: Any, where: str, seen: set[type]) -> None:  # noqa: ANN401 - any annotation
    """Check one annotation, and those inside it."""
    origin: Any = get_origin(hint)
    name: str = getattr(hint, "__name__", str(hint))
    if origin is Annotated and any(isinstance(extra, Audience) for extra in get_args(hint)[1:]):
        msg = f"{where} names an audience in a place where it hides nothing; put it around an event's whole field."
        raise InvalidType(msg)
    if origin is Literal:
        _check_members(get_args(hint), where)
    elif (inner := _inside(hint, origin)) is not None:
        for found in inner:
            _check(found, where, seen)
    elif isinstance(hint, type) and issubclass(hint, Enum):
        _check_named(hint, where)
    elif isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        _check_struct(hint, where, seen)
    elif hint not in _PLAIN:
        msg = (
            f"{where} can hold {name}; events, commands and state hold text, integers, booleans, tuples and frozen "
            f"structs."
        )
        raise InvalidType(msg)


def _inside(hint: Any, origin: Any) -> tuple[Any, ...] | None:  # noqa: ANN401 - any annotation
    """What an annotation is made of; None for one that stands for itself."""
    if origin is Annotated:
        return (hint.__origin__,)
    if origin in {Union, types.UnionType, tuple}:
        return tuple(found for found in get_args(hint) if found is not Ellipsis)
    if isinstance(hint, NewType):
        return (hint.__supertype__,)
    alias: Any = getattr(hint, "__value__", None)  # of a `type` statement
    return None if alias is None else (alias,)


def _check_members(members: Iterable[object], where: str) -> None:
    for member in members:
        if type(member) not in _PLAIN:
            msg = f"{where} can be {member!r}, which is no plain value."
            raise InvalidType(msg)


def _check_named(kind: type[Enum], where: str) -> None:
    """Enumerations are stored by name, so that adding or reordering members leaves old logs as they are."""
    for member in kind:
        if not isinstance(member.value, str):
            msg = f"{where}: member {member.name} of {kind.__name__} must have a name, a text, as its value."
            raise InvalidType(msg)


def _check_struct(kind: type[msgspec.Struct], where: str, seen: set[type]) -> None:
    if kind in seen:
        return
    if not kind.__struct_config__.frozen:
        msg = f"{where} can hold {kind.__name__}, which is not frozen."
        raise InvalidType(msg)
    _check_fields(kind, False, seen | {kind})  # noqa: FBT003
