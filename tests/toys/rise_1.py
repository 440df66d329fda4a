"""Rise as it was at version 1: what the old log in ``tests/logs`` was written by. Kept as it was, never changed."""

from __future__ import annotations

from collections.abc import Iterator

from ludolog import Command, Event, Game, Now, Options, Outcome, Position, Rules, Seat, State


class RiseOptions(Options, frozen=True):
    step: int = 1
    loud: bool = False


rules = Rules("rise", version=1, options=RiseOptions)


@rules.state
class Heights(State, frozen=True):
    heights: tuple[int, ...] = ()
    turn: int = 0


class Rose(Event, frozen=True, tag="rise/rose"):
    up: int


class Shouted(Event, frozen=True, tag="rise/shouted"):
    pass


class Swapped(Event, frozen=True, tag="rise/swapped"):
    pass


class Climb(Command, frozen=True, tag="rise/climb"):
    pass


class Swap(Command, frozen=True, tag="rise/swap"):
    pass


@rules.reducer
def rose(state: Heights, event: Rose) -> Heights:
    place = state.turn % 2
    heights = state.heights or (0, 0)
    risen = tuple(height + event.up * (at == place) for at, height in enumerate(heights))
    return Heights(heights=risen, turn=state.turn + 1)


@rules.reducer
def swapped(state: Heights, event: Swapped) -> Heights:
    return Heights(heights=state.heights[::-1], turn=state.turn + 1)


rules.events(Shouted)


@rules.decider
def climb(now: Now, command: Climb) -> Iterator[Event]:
    yield Rose(up=now.chance.roll(3))
    yield Shouted()


@rules.decider
def swap(now: Now, command: Swap) -> Iterator[Event]:
    yield Swapped()


@rules.to_act
def to_act(position: Position) -> tuple[Seat, ...]:
    return (position.seats[position[Heights].turn % 2],)


@rules.scoring
def scoring(position: Position, reason: str) -> Outcome:
    return Outcome(reason=reason, sentence="Enough.", ranking=(position.seats,))


GAME = Game(id="rise", title="Rise", summary="", seats=(2,), rules=lambda: rules)
