"""Sample games decided again with marks planted in every secret field, and who came to know what from which event."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, cast

import msgspec

from ludolog.chance import Chance
from ludolog.frame import GameEnded
from ludolog.position import Position
from ludolog.ruleset import Ruleset
from ludolog.testing.findings import Finding
from ludolog.testing.marks import Mark, MarkedChance, MarkedNumber, MarkedText, planted
from ludolog.testing.replaying import Step, replay, rewired, view_of_nothing
from ludolog.testing.subject import Sample, Subject
from ludolog_events import Event, Seat, audience_of, audiences, tag_of, told

__all__ = ["Learnt", "MarkedGame", "MarkedStep", "Planter", "hides_something"]


class Learnt(NamedTuple):
    """A seat that came to know a secret, and by what."""

    seat: Seat
    event: str
    field: str
    mark: Mark


class MarkedStep(NamedTuple):
    """One batch decided with marks; ``views`` are folded from the marked events that each viewer was told."""

    step: Step
    views: dict[Seat | None, Position]
    learnt: tuple[Learnt, ...]


def hides_something(ruleset: Ruleset) -> bool:
    """Whether any event of the rules tells a seat less than another."""
    return any(audience_of(kind) is not None or audiences(kind) for kind in ruleset.event_types.values())


class Planter:
    """Plants marks into events as they are yielded, and notes who learns which.

    Args:
        seats: All seats.
        reveals: Tags of events, or ``tag.field``, that make secrets known to all on purpose.
        dry: Leave marks that were there before as they are, whatever the events tell.
    """

    def __init__(self, seats: tuple[Seat, ...], reveals: tuple[str, ...], *, dry: bool = False) -> None:
        self.seats = seats
        self.reveals = reveals
        self.dry = dry
        self.batch = 0
        self.learnt: list[Learnt] = []

    def __call__(self, function: Callable[..., Iterator[Event]]) -> Callable[..., Iterator[Event]]:
        """Wrap a decider, reaction or set-up function."""

        def planting(*given: object) -> Iterator[Event]:
            for event in function(*given):
                yield self.plant(event)

        return planting

    def plant(self, event: Event) -> Event:
        """The event with marks in its secret fields; what it tells is noted in the marks.

        Raises:
            Finding: It makes known to all what was a secret, and is not said to.
        """
        if isinstance(event, GameEnded):
            return event
        hidden = audiences(type(event))
        whole = audience_of(type(event))
        changed: dict[str, Any] = {}
        for name in sorted(event.__struct_fields__, key=lambda field: field in hidden):
            value = getattr(event, name)
            seats = None if whole is None else frozenset(whole.seats(event))
            if name in hidden:
                narrow = frozenset(hidden[name].seats(event))
                seats = narrow if seats is None else seats & narrow
            if seats is None:
                changed[name] = self._published(event, name, value)
            elif name != "seat":
                changed[name] = self._confided(event, name, value, seats)
        return msgspec.structs.replace(event, **changed) if changed else event

    def _confided(self, event: Event, name: str, value: object, seats: frozenset[Seat]) -> object:
        field = f"{type(event).__name__}.{name}"
        for leaf in _marked_leaves(value):
            for mark in leaf.marks:
                if mark.fresh:
                    mark.source, mark.batch, mark.knowers = field, self.batch, seats
                elif not mark.open:
                    self._note(event, field, mark, seats - mark.knowers)
                    if not self.dry and not leaf.derived:
                        mark.knowers |= seats
        return planted(value, lambda: Mark(field, self.batch, seats))

    def _published(self, event: Event, name: str, value: object) -> object:
        field = f"{type(event).__name__}.{name}"
        for leaf in _marked_leaves(value):
            for mark in sorted(leaf.marks, key=lambda mark: mark.number):
                if mark.fresh:
                    mark.source, mark.batch, mark.open = field, self.batch, True
                elif not mark.open:
                    if not set(self.seats) <= mark.knowers:
                        self._check_revealing(event, name, leaf, mark)
                    self._note(event, field, mark, frozenset(self.seats) - mark.knowers)
                    if not self.dry and not leaf.derived:
                        mark.open = True
        return _without_derived(value)

    def _check_revealing(self, event: Event, name: str, leaf: MarkedText | MarkedNumber, mark: Mark) -> None:
        tag = tag_of(type(event))
        if self.dry or tag in self.reveals or f"{tag}.{name}" in self.reveals:
            return
        made = "is made from" if leaf.derived else "is"
        why = (
            f"the value {leaf!r} {made} {mark}, which only {', '.join(sorted(mark.knowers)) or 'nobody'} knows, and is "
            f"told to everyone; if that is meant, say so: reveals=({f'{tag}.{name}'!r},)"
        )
        field = f"{type(event).__name__}.{name}"
        raise _Leak(Finding(why, batch=self.batch, event=type(event).__name__, field=field))

    def _note(self, event: Event, field: str, mark: Mark, seats: frozenset[Seat]) -> None:
        name = type(event).__name__
        self.learnt.extend(Learnt(seat, name, field, mark) for seat in sorted(seats))


class _Leak(BaseException):
    """Carries a finding through the engine, which turns ordinary exceptions of rules into faults of its own."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding
        super().__init__(str(finding))


def _marked_leaves(value: object) -> Iterator[MarkedText | MarkedNumber]:
    if isinstance(value, MarkedText | MarkedNumber):
        yield value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _marked_leaves(getattr(value, name))
    elif isinstance(value, tuple):
        for item in cast("tuple[object, ...]", value):
            yield from _marked_leaves(item)


def _without_derived(value: Any) -> Any:  # noqa: ANN401 - any plain value
    """The value without the marks of what is public now though made from secrets."""
    if isinstance(value, MarkedText):
        return str.__str__(value) if value.derived else value
    if isinstance(value, MarkedNumber):
        return int(value) if value.derived else value
    if isinstance(value, msgspec.Struct):
        changed = {name: _without_derived(getattr(value, name)) for name in value.__struct_fields__}
        return msgspec.structs.replace(value, **changed) if changed else value
    if isinstance(value, tuple):
        return tuple(map(_without_derived, cast("tuple[object, ...]", value)))
    return value


class MarkedGame:
    """A sample game decided again with marks; iterate over it for its batches.

    Args:
        subject: What is tested.
        sample: The game.
        lenient: Let everything be revealed, as for finding out who learnt what.
    """

    def __init__(self, subject: Subject, sample: Sample, *, lenient: bool = False) -> None:
        self.sample = sample
        every = tuple(subject.ruleset.event_types)
        self.planter = Planter(subject.seats, every if lenient else subject.settings.reveals)
        self.ruleset = rewired(subject.ruleset, deciding=self.planter)

    def __iter__(self) -> Iterator[MarkedStep]:
        """Batches in order.

        Raises:
            Finding: A secret is made known that should not be.
        """
        views = {viewer: view_of_nothing(self.ruleset, viewer) for viewer in self.sample.viewers}
        steps = replay(self.sample, self.ruleset, self._marked)
        for number in range(len(self.sample.positions)):
            self.planter.batch = number
            self.planter.learnt.clear()
            try:
                step = next(steps)
            except _Leak as leak:
                raise leak.finding from None
            for viewer, view in views.items():
                facts = [fact for event in step.events if (fact := told(event, viewer)) is not None]
                views[viewer] = self.ruleset.fold(view, facts)
            yield MarkedStep(step, dict(views), tuple(self.planter.learnt))

    def _marked(self, chance: Chance) -> Chance:
        return MarkedChance(chance, Mark)
