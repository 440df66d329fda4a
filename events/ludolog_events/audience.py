"""Who is told what: audiences of fields and of whole events.

A field tells everyone unless its type says otherwise::

    class HandDealt(Event, tag="poker/hand-dealt"):
        seat: Seat
        trump: Private[str]                           # the seat in ``seat``
        cards: PrivateTuple[str]                      # the same, for each element of a tuple
        deck: SecretTuple[str]                        # nobody; ``Secret[str]`` for a single value
        watchers: tuple[Seat, ...]
        note: Annotated[str | None, told_to("watchers")]

To whoever is not told, the field is ``None``; in a tuple, ``None`` for each element, so that sizes stay true.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar, cast, get_args, get_origin, get_type_hints

import msgspec

from ludolog_events.errors import InvalidType

if TYPE_CHECKING:
    from ludolog_events.messages import Event, Seat

__all__ = [
    "NOBODY",
    "Audience",
    "Private",
    "PrivateTuple",
    "Secret",
    "SecretTuple",
    "audience_of",
    "audiences",
    "is_told",
    "told",
    "told_to",
]

T = TypeVar("T")


class Audience(msgspec.Struct, frozen=True):
    """The seats told: those that the event's field ``field`` names; an empty name tells nobody."""

    field: str

    def seats(self, event: Event) -> tuple[Seat, ...]:
        """Seats told by ``event``."""
        if not self.field:
            return ()
        value: Any = getattr(event, self.field)
        if value is None:
            return ()
        return (value,) if isinstance(value, str) else value


NOBODY: Final = Audience("")
_SEAT: Final = Audience("seat")
_SEATS: Final = (str, type(None), tuple[str, ...], tuple[str | None, ...])

Private = Annotated[T | None, _SEAT]
"""A field told to the seat in the event's ``seat`` field only."""

Secret = Annotated[T | None, NOBODY]
"""A field told to nobody."""

PrivateTuple = Annotated[tuple[T | None, ...], _SEAT]
"""A tuple told to the seat in the event's ``seat`` field only; the others are told how long it is."""

SecretTuple = Annotated[tuple[T | None, ...], NOBODY]
"""A tuple told to nobody; everyone is told how long it is."""


def told_to(field: str) -> Audience:
    """Name the field that holds the seats told, for the annotation of another field or for a whole event."""
    return Audience(field)


def audience_of(event_type: type[Event]) -> Audience | None:
    """Audience of the whole event; ``None`` when everyone learns that it happened."""
    return event_type.audience


@functools.cache
def audiences(event_type: type[Event]) -> dict[str, Audience]:
    """Audience of each field that does not tell everyone.

    Raises:
        InvalidType: The named field does not exist or holds no seats, or a hidden field can't be ``None``.
    """
    try:
        hints = get_type_hints(event_type, include_extras=True)
    except NameError as error:
        msg = f"The annotations of {event_type.__name__} can't be read ({error}); import their types at run time."
        raise InvalidType(msg) from None
    found: dict[str, Audience] = {}
    for name in event_type.__struct_fields__:
        audience = _marked(event_type, name, hints[name])
        if audience is not None:
            _check_names_seats(event_type, f"{event_type.__name__}.{name}", audience, hints)
            _check_can_hide(event_type, name, hints[name])
            found[name] = audience
    whole: Any = event_type.audience
    if "audience" in event_type.__struct_fields__ or not isinstance(whole, Audience | None):
        msg = f"{event_type.__name__} must name its audience as `audience: ClassVar[Audience | None] = told_to(...)`."
        raise InvalidType(msg)
    if whole is not None:
        _check_names_seats(event_type, event_type.__name__, whole, hints)
    return found


def _marked(event_type: type[Event], name: str, hint: object) -> Audience | None:
    if get_origin(hint) is not Annotated:
        return None
    marks = [extra for extra in get_args(hint)[1:] if isinstance(extra, Audience)]
    if len(marks) > 1:
        msg = f"{event_type.__name__}.{name} names two audiences."
        raise InvalidType(msg)
    return marks[0] if marks else None


def _check_names_seats(event_type: type[Event], what: str, audience: Audience, hints: dict[str, Any]) -> None:
    """The field that an audience names must be there, and hold a seat or a tuple of seats."""
    if not audience.field:
        return
    if audience.field not in event_type.__struct_fields__:
        msg = f"{what} is told to the seats in {audience.field!r}, which is no field of it."
        raise InvalidType(msg)
    hint = hints[audience.field]
    inner = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    options = (inner,) if inner is str or get_origin(inner) is tuple else get_args(inner)
    if not options or not all(option in _SEATS for option in options):
        msg = f"{what} is told to the seats in {audience.field!r}, which must be a Seat or a tuple[Seat, ...]."
        raise InvalidType(msg)


def _check_can_hide(event_type: type[Event], name: str, hint: object) -> None:
    """A hidden value is shown as ``None``, a hidden tuple as a ``None`` for each element."""
    inner = get_args(hint)[0]
    options = (inner,) if get_origin(inner) is tuple else get_args(inner)
    if options != (inner,) and type(None) not in options:
        msg = f"{event_type.__name__}.{name} is hidden from some seats, so its type must allow None."
        raise InvalidType(msg)
    for option in options:
        if get_origin(option) is tuple and not all(
            arg is Ellipsis or type(None) in get_args(arg) for arg in get_args(option)
        ):
            msg = f"{event_type.__name__}.{name} is a hidden tuple, so its elements must allow None."
            raise InvalidType(msg)


@functools.cache
def _plan(event_type: type[Event]) -> Callable[[Event, Seat | None], Event | None]:
    """Compile how an event type is told, so that telling costs nothing for events without secrets."""
    fields = tuple(audiences(event_type).items())
    whole = event_type.audience
    if not fields and whole is None:
        return lambda event, _seat: event

    def tell(event: Event, seat: Seat | None) -> Event | None:
        if whole is not None and (seat is None or seat not in whole.seats(event)):
            return None
        hidden: dict[str, Any] = {}
        for name, audience in fields:
            if seat is None or seat not in audience.seats(event):
                value = getattr(event, name)
                hidden[name] = (None,) * len(cast("tuple[object, ...]", value)) if isinstance(value, tuple) else None
        return msgspec.structs.replace(event, **hidden) if hidden else event

    return tell


def told(event: Event, seat: Seat | None) -> Event | None:
    """``event`` as ``seat`` is told it (``None``: a viewer without a seat); ``None`` if it is told nothing at all."""
    return _plan(type(event))(event, seat)


def is_told(event: Event, field: str, seat: Seat | None) -> bool:
    """Whether ``seat`` is told the value of ``field``."""
    whole = event.audience
    if whole is not None and (seat is None or seat not in whole.seats(event)):
        return False
    audience = audiences(type(event)).get(field)
    return audience is None or (seat is not None and seat in audience.seats(event))
