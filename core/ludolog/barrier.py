"""The undo barrier: whether somebody learnt something from a batch, computed by deciding it again.

A seat learnt nothing from a batch if it could have foretold, from what it knew and from the command alone, all that
it was then told. So the command is decided once more on that seat's view, with everything it does not know replaced
by a value that can be moved about and never be looked at. If that gives what the seat was told, the batch disclosed
nothing but somebody's choice, and may be taken back; if the rules have to look, it disclosed what they looked at.

Nothing here depends on a value that the seat doesn't know, so that a refused undo tells nothing either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn, cast

import msgspec

from ludolog.chance import Chance
from ludolog.position import Position
from ludolog_events import Batch, Command, Event, Seat, State, audiences, told

__all__ = ["what_was_learnt"]


class _Looked(Exception):
    """The rules looked at something that the seat doesn't know."""


class _Unknown:
    """Stands for a value that is not known: it can be moved, not looked at."""

    __slots__ = ()

    def _look(self, *_others: object) -> NoReturn:
        raise _Looked

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _look
    __hash__ = _look
    __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = __index__ = __int__ = _look
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __mod__ = __rmod__ = __floordiv__ = _look
    __str__ = __format__ = __getattr__ = _look


def what_was_learnt(batch: Batch[Command, Event], before: Mapping[Seat | None, Position]) -> str:
    """Why ``batch`` lies behind the barrier, in words; empty if nobody learnt anything from it.

    What is said depends on what the seat that played it knows, and on what everyone knows. So the others count as
    knowing what a viewer without a seat knows: whether they know more may be hidden from that seat, and the answer
    would tell.

    Args:
        batch: The batch.
        before: The views before it of the seat that played it, and of a viewer without a seat (``None``).
    """
    actor = batch.seat
    if actor is not None:
        chance = Chance(b"")
        foretold = _foretold(batch, actor, before[actor], chance)
        if chance.drawn:
            return "something was drawn from chance"
        if not foretold:
            return f"{actor} came to know something"
    if batch.draws:
        return "something was drawn from chance"
    everyone = before[None]
    others = [seat for seat in everyone.seats if seat != actor]
    if any(_addressed(event, seat) for event in batch.events for seat in others):
        return "another seat came to know something"
    facts = [fact for event in batch.events if (fact := told(event, None)) is not None]
    if not facts or _only_a_hidden_choice(batch, facts) or _foretold(batch, None, everyone, Chance(b"")):
        return ""
    return "another seat came to know something"


def _addressed(event: Event, seat: Seat) -> bool:
    """Whether ``event`` tells ``seat`` something that it does not tell everyone."""
    whole = type(event).audience
    if whole is not None and seat in whole.seats(event):
        return True
    return any(seat in audience.seats(event) for audience in audiences(type(event)).values())


def _only_a_hidden_choice(batch: Batch[Command, Event], facts: list[Event]) -> bool:
    """Whether facts say no more than that the actor chose something, such as a card laid face down.

    A command without a choice is another matter: that it was accepted may say what the actor holds.
    """
    says = any(value is not None and value != batch.seat for fact in facts for value in _leaves(fact))
    return not says and any(value is not None for value in _leaves(batch.command))


def _leaves(value: object) -> Iterator[object]:
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _leaves(getattr(value, name))
    elif isinstance(value, tuple):
        for item in cast("tuple[object, ...]", value):
            yield from _leaves(item)
    else:
        yield value


def _foretold(batch: Batch[Command, Event], seat: Seat | None, view: Position, chance: Chance) -> bool:
    """Whether ``seat`` could have worked out what it was told, from ``view`` and the command."""
    facts = [fact for event in batch.events if (fact := told(event, seat)) is not None]
    slices: dict[type[State], Any] = {kind: _veiled(state) for kind, state in view.slices.items()}
    position = Position(view.ruleset, slices, seat, is_view=True)
    try:
        decision = view.ruleset.decide(position, batch.seat, batch.command, chance, batch.time)
        return [fact for event in decision.events if (fact := told(event, seat)) is not None] == facts
    except Exception:  # noqa: BLE001 - whatever stops the rules, they could not go on from what the seat knows
        return False


def _veiled(value: Any) -> Any:  # noqa: ANN401 - any plain state
    if value is None:
        return _Unknown()
    if isinstance(value, msgspec.Struct):
        changed = {
            name: new for name in value.__struct_fields__ if (new := _veiled(old := getattr(value, name))) is not old
        }
        return msgspec.structs.replace(value, **changed) if changed else value
    if isinstance(value, tuple):
        items = cast("tuple[object, ...]", value)
        veiled = tuple(_veiled(item) for item in items)
        return veiled if any(new is not old for new, old in zip(veiled, items, strict=True)) else items
    return value
