"""Simultaneous commands: whatever order they arrive in, the game must be the same.

::

    deliveries = (
        Delivery("ann", Claim(cards=(10, 11)), at=1_000),
        Delivery("bob", Claim(cards=(14, 16)), at=1_200),
    )
    after = same_in_any_order(position, deliveries, tick=500_000)

The conformance kit makes this check of every game whose author says within how many microseconds commands count as
simultaneous: ``conformance("insect-inc", simultaneous=400_000)``.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from ludolog.chance import Chance
from ludolog.errors import CommandError
from ludolog.position import Position
from ludolog.testing.comparing import position_difference
from ludolog.testing.findings import Finding, Skipped
from ludolog.testing.subject import Sample, Subject, some
from ludolog_events import Command, Event, Seat

__all__ = [
    "Delivered",
    "Delivery",
    "deliver",
    "delivery_orders",
    "hash_of",
    "same_in_any_order",
    "simultaneous_commands_come_in_any_order",
]

_EVERY: Final = 24
"""How many orders are tried unless the caller says otherwise: all of four commands."""

_POSITIONS: Final = 40
_TOGETHER: Final = 4


class Delivery(NamedTuple):
    """A command on its way to the table: from whom (``None``: the host), what, and the moment that it carries."""

    seat: Seat | None
    command: Command
    at: int


class Delivered(NamedTuple):
    """What deliveries led to: the position, everyone's view of it, and those that were refused, with the code."""

    position: Position
    views: dict[Seat | None, Position]
    refused: dict[Delivery, str]


def hash_of(position: Position) -> str:
    """SHA-256 (64 hex digits) over the canonical bytes of all slices."""
    hashed = hashlib.sha256()
    for kind, name in position.ruleset.state_types.items():
        hashed.update(msgspec.msgpack.encode((name, position.slices[kind])))
    return hashed.hexdigest()


def delivery_orders(
    deliveries: Sequence[Delivery], *, most: int = _EVERY, chance: Chance | None = None
) -> Iterator[tuple[Delivery, ...]]:
    """Orders in which deliveries may arrive, the given one first; those of one seat stay in their order.

    Args:
        deliveries: In any order.
        most: How many orders at most; if there may be more, the others are drawn.
        chance: What they are drawn with; by default always the same.
    """
    given = tuple(deliveries)
    found = {given: None}
    drawn = Chance(bytes(32)) if chance is None else chance
    if len(given) <= 4:  # noqa: PLR2004 - 24 orders at most
        found |= dict.fromkeys(_in_turn(given, order) for order in itertools.permutations(range(len(given))))
    else:
        found |= dict.fromkeys(_in_turn(given, drawn.shuffle(range(len(given)))) for _ in range(2 * most))
    yield from itertools.islice(found, most)


def _in_turn(deliveries: tuple[Delivery, ...], order: Sequence[int]) -> tuple[Delivery, ...]:
    """``deliveries`` in another order of seats; what one seat gives stays in its order."""
    waiting: dict[Seat | None, list[Delivery]] = {}
    for delivery in deliveries:
        waiting.setdefault(delivery.seat, []).append(delivery)
    return tuple(waiting[deliveries[at].seat].pop(0) for at in order)


def deliver(
    position: Position, deliveries: Sequence[Delivery], *, tick: int | None = None, key: bytes = bytes(32)
) -> Delivered:
    """Deliver commands one after the other, as a table takes them: what has fallen due before or by each is decided.

    Args:
        position: Where it begins.
        deliveries: The commands.
        tick: A moment at which the host ticks when all have arrived.
        key: Key of the chance to decide with.
    """
    ruleset = position.ruleset
    place = 0
    events: list[Event] = []
    refused: dict[Delivery, str] = {}

    def decide(delivery: Delivery) -> None:
        nonlocal position, place
        decision = ruleset.decide(position, *delivery[:2], Chance(key, place), delivery.at)
        position, place = decision.position, place + 1
        events.extend(decision.events)

    def settle(at: int) -> None:
        while (due := ruleset.due(position, at)) is not None:
            decide(Delivery(None, due, at))

    start = position
    for delivery in deliveries:
        settle(delivery.at)
        try:
            decide(delivery)
        except CommandError as error:
            refused[delivery] = error.refusal.code
        settle(delivery.at)
    if tick is not None:
        settle(tick)
    views = {
        viewer: ruleset.fold(Position(ruleset, start.slices, viewer, is_view=True), events, viewer)
        for viewer in (*position.seats, None)
    }
    return Delivered(position, views, refused)


def same_in_any_order(
    position: Position,
    deliveries: Sequence[Delivery],
    *,
    tick: int | None = None,
    most: int = _EVERY,
    key: bytes = bytes(32),
    chance: Chance | None = None,
) -> Delivered:
    """What simultaneous commands lead to, whatever order they arrive in.

    Args:
        position: Where it begins.
        deliveries: The commands.
        tick: A moment at which the host ticks when all have arrived.
        most: How many orders are tried.
        key: Key of the chance to decide with.
        chance: What orders are drawn with.

    Raises:
        Finding: Two orders give another position, outcome, hash or view, or refuse other commands.
    """
    first: tuple[tuple[Delivery, ...], Delivered] | None = None
    for order in delivery_orders(deliveries, most=most, chance=chance):
        found = deliver(position, order, tick=tick, key=key)
        if first is None:
            first = order, found
        else:
            _compare(first, (order, found))
    assert first is not None  # noqa: S101 - the given order is one
    return first[1]


def _compare(one: tuple[tuple[Delivery, ...], Delivered], other: tuple[tuple[Delivery, ...], Delivered]) -> None:
    (order, here), (another, there) = one, other
    orders = f"{_names(another)} instead of {_names(order)}"
    if set(here.refused) != set(there.refused):
        why = f"arriving as {orders}, {_refusals(there)} are refused, not {_refusals(here)}"
        raise Finding(why)
    for viewer in (None, *here.position.seats, ""):
        before, after = ((found.position if viewer == "" else found.views[viewer]) for found in (here, there))
        different = position_difference(before, after)
        if different is not None or hash_of(before) != hash_of(after):
            whose = "the position" if viewer == "" else f"the view of {viewer or 'a viewer without a seat'}"
            path = different.path if different is not None else ""
            why = f"arriving as {orders}, {whose} holds {different or 'other bytes'}"
            raise Finding(why, field=path, seat=viewer or None)


def _names(order: Sequence[Delivery]) -> str:
    return ", ".join(f"{delivery.seat or 'the host'} at {delivery.at}" for delivery in order)


def _refusals(found: Delivered) -> str:
    return ", ".join(f"{delivery.seat}'s {type(delivery.command).__name__}" for delivery in found.refused) or "none"


def simultaneous_commands_come_in_any_order(subject: Subject) -> None:
    """Whatever order simultaneous commands of several seats arrive in, position, hash and views are the same."""
    if not subject.settings.simultaneous:
        why = "the author doesn't say within how many microseconds commands count as simultaneous"
        raise Skipped(why)
    tried = 0
    for sample in subject.samples:
        for number, position in some(enumerate(sample.positions), _POSITIONS):
            if len(subject.ruleset.to_act(position)) > 1:
                _check_orders(subject, sample, number)
                tried += 1
    if not tried:
        why = "nowhere in the sample games may several seats act"
        raise Skipped(why)


def _check_orders(subject: Subject, sample: Sample, number: int) -> None:
    position, start = sample.positions[number], sample.moment(number) + 1
    chance = subject.chance(f"simultaneous {number}")
    within = subject.settings.simultaneous
    if subject.ruleset.due(position, start + within) is not None:
        within = 1  # something falls due on the way, so that only one moment is surely on this side of it
    acting = subject.ruleset.to_act(position)
    deliveries: list[Delivery] = []
    for seat in chance.draw(acting, 2 + chance.below(min(len(acting), _TOGETHER) - 1)):
        listed = subject.ruleset.legal(position, seat)
        kind = chance.choose(list(dict.fromkeys(map(type, listed))))
        command = chance.choose([found for found in listed if type(found) is kind])
        deliveries.append(Delivery(seat, command, start + chance.below(within)))
    try:
        same_in_any_order(position, deliveries, tick=start + 2 * subject.settings.simultaneous)
    except Finding as finding:
        finding.batch = number
        raise
