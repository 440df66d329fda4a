"""Pairs of worlds that differ only in what a viewer was not told.

A second world is made from a sample game in two ways. Either its history is played again with other dice and other
choices of the other seats, taken wherever the viewer is told the very same; or the game's ``determinize`` draws
another position that fits the view. From there on both worlds are played in step.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Final, NamedTuple, TypeAlias

from ludolog.chance import Chance, stream_key
from ludolog.errors import CommandError
from ludolog.frame import Begin
from ludolog.position import Position
from ludolog.ruleset import Decision
from ludolog.testing.findings import Finding
from ludolog.testing.replaying import Step, replay
from ludolog.testing.subject import FIRST, Sample, Subject
from ludolog_events import Command, Event, LudologError, Seat, audience_of, audiences, tag_of, told

__all__ = ["Act", "Pair", "World", "determinized", "facts_of", "other_histories"]

_DEALS: Final = 12
_TURN: Final = 1000
_CHOICES: Final = 4
_AHEAD: Final = 12
_FOLLOWED: Final = 4
_LONG: Final = 100

_Found: TypeAlias = tuple[Command, Decision, dict[int, int]] | None


class Act(NamedTuple):
    """A command and what it led to in one world."""

    seat: Seat | None
    command: Command
    at: int
    events: tuple[Event, ...]
    draws: str


class World(NamedTuple):
    """A game as it may be after a batch; ``before`` and ``views`` are what viewers knew before it and know now.

    ``drawn`` holds the pictures of the view that is looked at, drawn right after the batch was decided.
    """

    position: Position
    act: Act | None
    before: dict[Seat | None, Position]
    views: dict[Seat | None, Position]
    drawn: dict[str, str]

    def having(self, act: Act, position: Position, viewer: Seat | None, *, draw: bool) -> World:
        """The world after one more batch."""
        ruleset = position.ruleset
        views = {seat: ruleset.fold(view, act.events, seat) for seat, view in self.views.items()}
        drawn = {kind: _drawn(views[viewer], kind) for kind in {"text": None, **ruleset.pictures}} if draw else {}
        return World(position, act, self.views, views, drawn)

    def differs_from(self, other: World) -> bool:
        """Whether anything differs: the position, or what somebody knows of it, or knew before the last batch."""
        return self.position != other.position or self.views != other.views or self.before != other.before


def _drawn(view: Position, kind: str) -> str:
    try:
        return view.ruleset.draw(kind, view)
    except Exception as error:  # noqa: BLE001 - an error text is shown like any other
        return f"{type(error).__name__}: {error}"


class Pair(NamedTuple):
    """Two worlds after batch ``number`` that look alike to the viewer, or should."""

    number: int
    here: World
    there: World


def facts_of(events: tuple[Event, ...], viewer: Seat | None) -> list[Event]:
    """What ``viewer`` is told by ``events``."""
    return [fact for event in events if (fact := told(event, viewer)) is not None]


def other_histories(subject: Subject, sample: Sample, viewer: Seat | None, shown: Container[int]) -> Iterator[Pair]:
    """A sample game, in step with another history of which ``viewer`` is told the same, at the batches ``shown``.

    It ends where the other history can't go on in the same way for a reason that the viewer may learn.

    Raises:
        Finding: The two part in what the viewer is told, and should not.
    """
    maker = _Maker(subject, viewer, sample)
    here = there = World(subject.ruleset.start(), None, {}, sample_start(subject), {})
    for step in replay(sample):
        draw = step.number in shown
        here = here.having(_act(step), step.after, viewer, draw=draw)
        found = (_act(step), step.after) if step.number == 0 else maker.likewise(there, step)
        if found is None:
            return
        there = there.having(*found, viewer, draw=draw)
        if draw and there.differs_from(here):
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
    here = World(sample.positions[number], None, {}, {viewer: view}, {})
    there = World(drawn, None, {}, {viewer: view}, {})
    if drawn != here.position:
        yield Pair(number, here, there)
    key = stream_key(sample.table.seed or b"")
    for at, turn in enumerate(sample.turns[number - 1 :][:_FOLLOWED], start=number + 1):
        chance = Chance(key, at, recorded=True)
        decision = subject.ruleset.decide(here.position, turn.seat, turn.command, chance, turn.at)
        step = Step(at, *turn, here.position, decision.events, decision.position, decision.draws)
        here = here.having(_act(step), step.after, viewer, draw=True)
        found = maker.likewise(there, step)
        if found is None:
            return
        there = there.having(*found, viewer, draw=True)
        if there.differs_from(here):
            yield Pair(at, here, there)


def _act(step: Step) -> Act:
    return Act(step.seat, step.command, step.at, step.events, step.draws)


class _Maker:
    """Finds batches of another world of which the viewer is told the same as of those of a sample game."""

    def __init__(self, subject: Subject, viewer: Seat | None, sample: Sample) -> None:
        self.subject = subject
        self.viewer = viewer
        self.sample = sample
        self.key = stream_key(sample.table.seed or b"")
        # In a long game another choice is looked for here and there only.
        self.rarely = 1 + len(sample.turns) // _LONG
        self.chance = subject.chance(f"worlds of {viewer} {sample.table.id}")

    def likewise(self, there: World, step: Step) -> tuple[Act, Position] | None:
        """A batch of the other world in place of ``step``; ``None`` if the two may part here.

        Raises:
            Finding: They part, and may not.
        """
        facts = facts_of(step.events, self.viewer)
        found = self._alike(there, step, step.command, {}, facts)
        if step.draws:
            found = self._with_other_dice(there, step, facts, found)
        elif step.seat not in (self.viewer, None) and step.number % self.rarely == 0:
            found = self._with_another_choice(there, step, facts, found)
        if found is None:
            self._check_parting(there, step, facts)
            return None
        # Once more and last of all, so that what the rules may remember beside the position is of this world.
        decision = self._decide(there.position, step, found[0], found[2])
        return Act(step.seat, found[0], step.at, decision.events, decision.draws), decision.position

    def _with_other_dice(self, there: World, step: Step, facts: list[Event], found: _Found) -> _Found:
        """Change one draw after the other, as far as the viewer is told the same and the game can go on as it did."""
        draws = len(step.draws.split())
        changes: dict[int, int] = {}
        for _ in range(_DEALS):
            trial = {**changes, self.chance.below(draws): 1 + self.chance.below(_TURN)}
            other = self._alike(there, step, step.command, trial, facts)
            if other is not None and self._goes_on(other[1].position, step.number + 1):
                changes, found = trial, other
        return found

    def _with_another_choice(self, there: World, step: Step, facts: list[Event], found: _Found) -> _Found:
        legal = there.position.ruleset.legal(there.position, step.seat or "")
        for command in self.chance.shuffle(legal)[:_CHOICES]:
            other = self._alike(there, step, command, {}, facts)
            if (
                other is not None
                and other[1].events != step.events
                and self._goes_on(other[1].position, step.number + 1)
            ):
                return other
        return found

    def _alike(self, there: World, step: Step, command: Command, changes: dict[int, int], facts: list[Event]) -> _Found:
        """Decide a command in the other world; ``None`` if the viewer is not told ``facts`` of it."""
        try:
            decision = self._decide(there.position, step, command, changes)
        except LudologError:
            return None
        return (command, decision, changes) if facts_of(decision.events, self.viewer) == facts else None

    def _decide(self, position: Position, step: Step, command: Command, changes: dict[int, int]) -> Decision:
        chance = _OtherChance(self.key, step.number, changes)
        if isinstance(command, Begin):
            return position.ruleset.begin(position, chance, step.at)
        return position.ruleset.decide(position, step.seat, command, chance, step.at)

    def _goes_on(self, position: Position, number: int) -> bool:
        """Whether the sample game's commands from batch ``number`` on are accepted in this position too."""
        turns = self.sample.turns[max(number - FIRST, 0) :][:_AHEAD]
        for at, turn in enumerate(turns, start=max(number, FIRST)):
            try:
                chance = Chance(self.key, at)
                position = position.ruleset.decide(position, turn.seat, turn.command, chance, turn.at).position
            except LudologError:
                return False
        return True

    def _check_parting(self, there: World, step: Step, facts: list[Event]) -> None:
        """Judge why the worlds part here.

        Raises:
            Finding: They may not.
        """
        try:
            decision = self._decide(there.position, step, step.command, {})
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
                place = f"{name}.{field}" if field else name
                meant = f"{tag_of(type(fact))}.{field}" if field else tag_of(type(fact))
                why = (
                    f"in two worlds that differ only in what was not told, it is told as {one} and as {other}; "
                    f"if that is meant, say so: reveals=({meant!r},)"
                )
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


class _OtherChance(Chance):
    """A stream in which some numbers differ: ``changes`` says by how much, by their place among the draws."""

    __slots__ = ("_at", "_changes")

    def __init__(self, key: bytes, place: int, changes: dict[int, int]) -> None:
        super().__init__(key, place, recorded=True)
        self._at = 0
        self._changes = changes

    def below(self, bound: int) -> int:
        """See :meth:`Chance.below`."""
        number = super().below(bound)
        self._at += 1
        return (number + self._changes.get(self._at - 1, 0)) % bound


def _who(viewer: Seat | None) -> str:
    return "a viewer without a seat" if viewer is None else viewer
