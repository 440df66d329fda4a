"""A walk without end: one seat takes steps on a ring of cells. For logs of any length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ludolog import Command, Event, Game, Now, Outcome, Position, Rules, Ruleset, Seat, State

rules: Final = Rules("walk")

CELLS: Final = 16


@rules.state
class Walk(State, frozen=True):
    """Where the walker is, how many steps it took, and how often it was on each cell."""

    cell: int = 0
    steps: int = 0
    visits: tuple[int, ...] = (0,) * CELLS


class Stepped(Event, frozen=True, tag="walk/stepped"):
    """The walker went on."""

    cell: int


class Step(Command, frozen=True, tag="walk/step"):
    """Go on by 1 to 3 cells."""

    by: int


STEPS: Final = tuple(Step(by=by) for by in (1, 2, 3))


@rules.reducer
def stepped(walk: Walk, event: Stepped) -> Walk:
    """The walker stands on the new cell."""
    cell, visits = event.cell, walk.visits
    return Walk(cell=cell, steps=walk.steps + 1, visits=(*visits[:cell], visits[cell] + 1, *visits[cell + 1 :]))


@rules.decider
def step(now: Now, command: Step) -> Iterator[Event]:
    """Go round the ring."""
    yield Stepped(cell=(now[Walk].cell + command.by) % CELLS)


@rules.to_act
def to_act(position: Position) -> tuple[Seat, ...]:
    """The only seat."""
    return position.seats


@rules.legal
def legal(_position: Position, _seat: Seat) -> tuple[Command, ...]:
    """Three steps."""
    return STEPS


@rules.scoring
def scoring(position: Position, reason: str) -> Outcome:
    """Nobody gets here."""
    return Outcome(reason=reason, sentence="The walk is over.", ranking=(position.seats,))


def load() -> Rules:
    """The rules."""
    return rules


GAME: Final = Game(id="walk", title="Walk", summary="A walk without end.", seats=(1,), rules=load)


def ruleset() -> Ruleset:
    """The walk's ruleset."""
    return Ruleset(GAME)
