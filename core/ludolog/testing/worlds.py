"""Pairs of worlds that differ only in what a viewer was not told.

A second world is made from a sample game in two ways. Either its history is played again with other dice and other
choices of the other seats, taken wherever the viewer is told the very same; or the game's ``determinize`` draws
another position that fits the view. From there on both worlds are played in step.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ludolog.chance import Chance, seed_from, stream_key
from ludolog.errors import CommandError
from ludolog.frame import Begin
from ludolog.position import Position
from ludolog.ruleset import Decision, Ruleset
from ludolog.testing.findings import Finding
from ludolog.testing.replaying import Step, replay
from ludolog.testing.subject import Sample, Subject
from ludolog_events import Command, Event, LudologError, Seat, audience_of, audiences, tag_of, told

__all__ = ["Act", "Pair", "World", "determinized", "facts_of", "other_histories"]

_DEALS: Final = 16
_CHOICES: Final = 5
_FOLLOWED: Final = 6


class Act(NamedTuple):
    """A command and what it led to in one world."""

    seat: Seat | None
    command: Command
    at: int
    events: tuple[Event, ...]
    draws: str


class World(NamedTuple):
    """A game as it may be after a batch; ``before`` and ``views`` are what viewers knew before it and know now."""

    position: Position
    act: Act | None
    before: dict[Seat | None, Position]
    views: dict[Seat | None, Position]

    def having(self, act: Act, position: Position) -> World:
        """The world after one more batch."""
        ruleset = position.ruleset
        views = {viewer: ruleset.fold(view, act.events, viewer) for viewer, view in self.views.items()}
        return World(position, act, self.views, views)


class Pair(NamedTuple):
    """Two worlds after batch ``number`` that look alike to the viewer, or should."""

    number: int
    here: World
    there: World


def facts_of(events: tuple[Event, ...], viewer: Seat | None) -> list[Event]:
    """What ``viewer`` is told by ``events``."""
    return [fact for event in events if (fact := told(event, viewer)) is not None]


def other_histories(subject: Subject, sample: Sample, viewer: Seat | None) -> Iterator[Pair]:
    """A sample game, in step with another history of which ``viewer`` is told the same.

    It ends where the other history can't go on in the same way for a reason that the viewer may learn.

    Raises:
        Finding: The two part in what the viewer is told, and should not.
    """
    maker = _Maker(subject, viewer, sample)
    here = there = World(subject.ruleset.start(), None, {}, sample_start(subject))
    for step in replay(sample):
        here = here.having(_act(step), step.after)
        if step.number == 0:
            there = there.having(_act(step), step.after)
            continue
        found = maker.likewise(there, step)
        if found is None:
            return
        there = there.having(*found)
        if there.position != here.position:
            yield Pair(step.number, here, there)


def sample_start(subject: Subject) -> dict[Seat | None, Position]:
    """What every viewer knows before the first event."""
    slices = subject.ruleset.start().slices
    return {viewer: Position(subject.ruleset, slices, viewer, is_view=True) for viewer in subject.viewers}


def determinized(subject: Subject, sample: Sample, viewer: Seat, number: int) -> Iterator[Pair]:
    """From after batch ``number`` of a sample game, in step with a position drawn to fit the view of ``viewer``.

    Raises:
        Finding: The position drawn does not fit the view, or the two part in what the viewer is told.
    """
    view = sample.views[viewer][number]
    drawn = subject.ruleset.determinize(view.copy(), subject.chance(f"determinize {viewer} {number}"))
    maker = _Maker(subject, viewer, sample)
    here = World(sample.positions[number], None, {}, {viewer: view})
    there = World(drawn, None, {}, {viewer: view})
    if drawn != here.position:
        yield Pair(number, here, there)
    key = stream_key(sample.table.seed or b"")
    for at, turn in enumerate(sample.turns[number - 1 :][:_FOLLOWED], start=number + 1):
        decision = subject.ruleset.decide(
            here.position, turn.seat, turn.command, Chance(key, at, recorded=True), turn.at
        )
        step = Step(at, *turn, here.position, decision.events, decision.position, decision.draws)
        here = here.having(_act(step), step.after)
        found = maker.likewise(there, step)
        if found is None:
            return
        there = there.having(*found)
        if there.position != here.position:
            yield Pair(at, here, there)


def _act(step: Step) -> Act:
    return Act(step.seat, step.command, step.at, step.events, step.draws)


class _Maker:
    """Finds batches of another world of which the viewer is told the same as of those of a sample game."""

    def __init__(self, subject: Subject, viewer: Seat | None, sample: Sample) -> None:
        self.subject = subject
        self.viewer = viewer
        self.key = stream_key(sample.table.seed or b"")
        self.others = tuple(seed_from(f"other dice {number}") for number in range(_DEALS))
        self.chance = subject.chance(f"worlds of {viewer} {sample.table.id}")

    def likewise(self, there: World, step: Step) -> tuple[Act, Position] | None:
        """A batch of the other world in place of ``step``; ``None`` if the two may part here.

        Raises:
            Finding: They part, and may not.
        """
        facts = facts_of(step.events, self.viewer)
        same: tuple[Act, Position] | None = None
        for command, key in self._candidates(there, step):
            decision = _decided(
                there.position.ruleset, there.position, step, command, Chance(key, step.number, recorded=True)
            )
            if decision is None or facts_of(decision.events, self.viewer) != facts:
                continue
            found = Act(step.seat, command, step.at, decision.events, decision.draws), decision.position
            if decision.events != step.events:
                return found
            same = same or found
        if same is None:
            self._check_parting(there, step, facts)
        return same

    def _candidates(self, there: World, step: Step) -> Iterator[tuple[Command, bytes]]:
        if step.seat not in (self.viewer, None):
            legal = there.position.ruleset.legal(there.position, step.seat or "")
            for command in self.chance.shuffle(legal)[:_CHOICES]:
                yield command, self.key
        if step.draws:
            for key in self.others if isinstance(step.command, Begin) else self.others[:_CHOICES]:
                yield step.command, key
        yield step.command, self.key

    def _check_parting(self, there: World, step: Step, facts: list[Event]) -> None:
        """Judge why the worlds part here.

        Raises:
            Finding: They may not.
        """
        ruleset = there.position.ruleset
        try:
            decision = _decide(
                ruleset, there.position, step, step.command, Chance(self.key, step.number, recorded=True)
            )
        except CommandError as error:
            if step.seat == self.viewer:
                why = f"{step.command} is accepted in one world and refused in another: {error}"
                raise Finding(why, batch=step.number, event=step.name, seat=self.viewer) from None
            return
        except LudologError:
            return
        if not step.draws and not decision.draws:
            self._judge(step, facts, facts_of(decision.events, self.viewer))

    def _judge(self, step: Step, here: list[Event], there: list[Event]) -> None:
        one, other = next(
            (pair for pair in zip((*here, None), (*there, None), strict=False) if pair[0] != pair[1]), (None, None)
        )
        fact = one if one is not None else other
        if fact is None:
            return
        name, fields = type(fact).__name__, [""]
        if one is not None and type(one) is type(other):
            fields = [field for field in one.__struct_fields__ if getattr(one, field) != getattr(other, field)]
        for field in fields:
            if not any(self._may_tell(found, field) for found in (one, other) if found is not None):
                why = f"in two worlds that differ only in what was not told, it is told as {one} and as {other}"
                place = f"{name}.{field}" if field else name
                raise Finding(why, batch=step.number, event=name, field=place, seat=_who(self.viewer))

    def _may_tell(self, event: Event, field: str) -> bool:
        """Whether an event or a field discloses something on purpose: by its address, or as ``reveals`` says."""
        tag = tag_of(type(event))
        reveals = self.subject.settings.reveals
        if tag in reveals or (field and f"{tag}.{field}" in reveals) or tag == "ludolog/game-ended":
            return True
        whole, hidden = audience_of(type(event)), audiences(type(event))
        if whole is not None:
            return True
        return self.viewer is not None and field in hidden and self.viewer in hidden[field].seats(event)


def _decided(ruleset: Ruleset, position: Position, step: Step, command: Command, chance: Chance) -> Decision | None:
    try:
        return _decide(ruleset, position, step, command, chance)
    except LudologError:
        return None


def _decide(ruleset: Ruleset, position: Position, step: Step, command: Command, chance: Chance) -> Decision:
    if isinstance(command, Begin):
        return ruleset.begin(position, chance, step.at)
    return ruleset.decide(position, step.seat, command, chance, step.at)


def _who(viewer: Seat | None) -> str:
    return "a viewer without a seat" if viewer is None else viewer
