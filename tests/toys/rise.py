"""Rise at version 3: a field was renamed and one added, an event split, one dropped, a command and an option gone.

Version 1 is :mod:`toys.rise_1`; version 2 had ``rise/rose@2``.
"""

from __future__ import annotations

from collections.abc import Iterator

from ludolog import Command, Event, Game, Now, Options, Outcome, Position, Rules, Seat, State

WHY = "no reason was recorded"


class RiseOptions(Options, frozen=True):
    step: int = 1


def new_rules(*, version: int = 3, compatible: tuple[int, ...] = (), skip: tuple[str, ...] = ()) -> Rules:
    """The rules; ``skip`` leaves upcasters out."""
    rules = Rules("rise", version=version, options=RiseOptions, compatible=compatible)
    rules.state(Heights)
    rules.reducer(rose)
    rules.reducer(passed)
    rules.reducer(traded)
    rules.decider(climb)
    rules.to_act(to_act)
    rules.scoring(scoring)
    for tag, upcaster in reversed(UPCASTERS.items()):
        if tag not in skip:
            rules.upcast(tag)(upcaster)
    return rules


class Heights(State, frozen=True):
    heights: tuple[int, ...] = (0, 0)
    turn: int = 0
    reasons: tuple[str, ...] = ()


class Rose(Event, frozen=True, tag="rise/rose@3"):
    by: int
    why: str


class Traded(Event, frozen=True, tag="rise/traded"):
    pass


class Passed(Event, frozen=True, tag="rise/passed"):
    pass


class Climb(Command, frozen=True, tag="rise/climb"):
    why: str = WHY


def rose(state: Heights, event: Rose) -> Heights:
    place = state.turn % 2
    risen = tuple(height + event.by * (at == place) for at, height in enumerate(state.heights))
    return Heights(heights=risen, turn=state.turn + 1, reasons=(*state.reasons, event.why))


def traded(state: Heights, event: Traded) -> Heights:
    return Heights(heights=state.heights[::-1], turn=state.turn, reasons=state.reasons)


def passed(state: Heights, event: Passed) -> Heights:
    return Heights(heights=state.heights, turn=state.turn + 1, reasons=state.reasons)


def climb(now: Now, command: Climb) -> Iterator[Event]:
    yield Rose(by=now.chance.roll(3), why=command.why)


def to_act(position: Position) -> tuple[Seat, ...]:
    return (position.seats[position[Heights].turn % 2],)


def scoring(position: Position, reason: str) -> Outcome:
    return Outcome(reason=reason, sentence="Enough.", ranking=(position.seats,))


UPCASTERS = {
    "rise/rose": lambda event: [{"type": "rise/rose@2", "by": event["up"]}],
    "rise/rose@2": lambda event: [{"type": "rise/rose@3", "by": event["by"], "why": WHY}],
    "rise/shouted": lambda _event: [],
    "rise/swapped": lambda _event: [{"type": "rise/traded"}, {"type": "rise/passed"}],
}


def game(**more: object) -> Game:
    """The manifest, for rules with these arguments."""
    return Game(id="rise", title="Rise", summary="", seats=(2,), rules=lambda: new_rules(**more))
