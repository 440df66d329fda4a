"""Sample games decided again, step by step, by their own ruleset or by one with other functions in it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec

from ludolog.chance import Chance, stream_key
from ludolog.frame import Begin, Open
from ludolog.position import Position
from ludolog.rules import Rules
from ludolog.ruleset import Decision, Ruleset
from ludolog.testing.subject import START, Sample
from ludolog_events import Command, Event, Seat

__all__ = ["Step", "Wrap", "decided_again", "replay", "rewired", "view_of_nothing"]

Wrap = Callable[[Callable[..., Any]], Callable[..., Any]]
"""A function of the rules -> one to use in its place."""


class Step(NamedTuple):
    """One batch of a game decided again."""

    number: int
    seat: Seat | None
    command: Command
    at: int
    before: Position
    events: tuple[Event, ...]
    after: Position
    draws: str

    @property
    def name(self) -> str:
        """Name of the command."""
        return type(self.command).__name__


def replay(
    sample: Sample, ruleset: Ruleset | None = None, chance_of: Callable[[Chance], Chance] = lambda chance: chance
) -> Iterator[Step]:
    """Decide a sample game again.

    Args:
        sample: The game.
        ruleset: By which rules; by default its own.
        chance_of: Gives the chance to decide with, from the one that the game was decided with.
    """
    rules = sample.table.ruleset if ruleset is None else ruleset
    seed = sample.table.seed
    assert seed is not None  # noqa: S101 - a sample's store keeps its seed
    key = stream_key(seed)
    start = rules.start()
    position = rules.fold(start, (sample.table.opened,))
    yield Step(0, None, Open(), START, start, (sample.table.opened,), position, "")
    begun = rules.begin(position, chance_of(Chance(key, 1, recorded=True)), START)
    yield Step(1, None, Begin(), START, position, begun.events, begun.position, begun.draws)
    position = begun.position
    for number, turn in enumerate(sample.turns, start=2):
        decision = rules.decide(
            position, turn.seat, turn.command, chance_of(Chance(key, number, recorded=True)), turn.at
        )
        yield Step(number, *turn, position, decision.events, decision.position, decision.draws)
        position = decision.position


def decided_again(sample: Sample, step: Step, ruleset: Ruleset, chance_of: Callable[[Chance], Chance]) -> Decision:
    """Decide one batch of a sample game once more, from the position before it, by other rules."""
    seed = sample.table.seed
    assert seed is not None  # noqa: S101 - a sample's store keeps its seed
    chance = chance_of(Chance(stream_key(seed), step.number, recorded=True))
    position = Position(ruleset, step.before.slices)
    if isinstance(step.command, Begin):
        return ruleset.begin(position, chance, step.at)
    return ruleset.decide(position, step.seat, step.command, chance, step.at)


def view_of_nothing(ruleset: Ruleset, seat: Seat | None) -> Position:
    """What a viewer knows before the first event."""
    return Position(ruleset, ruleset.start().slices, seat, is_view=True)


def _same(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


def rewired(ruleset: Ruleset, *, deciding: Wrap = _same, reducing: Wrap = _same) -> Ruleset:
    """The same ruleset with other functions in it.

    Args:
        ruleset: The ruleset.
        deciding: Wraps set-up functions, deciders and reactions: generators of events.
        reducing: Wraps reducers.
    """
    parts = [_rewired(part, deciding, reducing) for part in ruleset.rules[1:]]
    manifests = [
        msgspec.structs.replace(manifest, rules=lambda part=part: part)
        for manifest, part in zip((ruleset.game, *ruleset.variants), parts, strict=True)
    ]
    return Ruleset(manifests[0], manifests[1:], ruleset.given_options)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def _rewired(part: Rules, deciding: Wrap, reducing: Wrap) -> Rules:
    copied = copy.copy(part)
    copied.deciders = {
        kind: decider._replace(function=deciding(decider.function)) for kind, decider in part.deciders.items()
    }
    copied.reactions = [
        (kind, reaction._replace(function=deciding(reaction.function))) for kind, reaction in part.reactions
    ]
    if part.setup_function is not None:
        copied.setup_function = deciding(part.setup_function)
    copied.reducers = {
        kind: [reducer._replace(function=reducing(reducer.function)) for reducer in reducers]
        for kind, reducers in part.reducers.items()
    }
    return copied
