"""Deciding a command: the events of its decider, each folded at once, and what follows from each."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, TypeVar

import msgspec

from ludolog.chance import Chance
from ludolog.errors import (
    GameOver,
    IllegalCommand,
    LudologError,
    MalformedCommand,
    NotYourTurn,
    Refusal,
    RulesFault,
    UnknownSeat,
)
from ludolog.frame import Frame, GameBegun, GameEnded, SeedRevealed, frame_rules
from ludolog.position import NOT_ASKED, Now, Position
from ludolog.rules import Decider, Reaction, Reducer
from ludolog_events import Command, Event, Seat

if TYPE_CHECKING:
    from ludolog.ruleset import Ruleset

__all__ = ["MAX_EVENTS", "Decision", "answer", "begin", "decide", "refuse_when_over"]

T = TypeVar("T")

LIBRARY: Final = frame_rules.id
"""Whose deciders decide what comes before the game."""

MAX_EVENTS: Final = 10_000
"""Most events of one batch; reactions that call each other without end are stopped there."""


class Setup(NamedTuple):
    """The set-up of some rules."""

    function: Callable[[Now], Iterator[Event]]
    rules: str


Running: TypeAlias = Setup | Decider | Reaction
Yielded: TypeAlias = Mapping[type[Event], tuple[Reducer, ...]]


class Decision(msgspec.Struct, frozen=True):
    """What a command led to: its events, the position after them, and what was drawn from chance (as in a batch)."""

    events: tuple[Event, ...]
    position: Position
    draws: str

    def recorded(self, seed: bytes | None) -> tuple[Event, ...]:
        """Its events as they are recorded: those that end the game reveal the seed of its table."""
        if seed is None or not self.position.over:
            return self.events
        return (*self.events, SeedRevealed(seed=seed.hex()))


def _begun(_now: Now) -> Iterator[Event]:
    yield GameBegun()


def begin(ruleset: Ruleset, position: Position, chance: Chance, at: int) -> Decision:
    """Set the game up: every set-up function in order, the game's first."""
    work = position.copy()
    now = Now(work, "", chance, at)
    events: list[Event] = []
    _follow(ruleset, events, now, Setup(_begun, "ludolog"), None, ruleset.merged.reducers)
    for part in ruleset.rules:
        if part.setup_function is not None:
            _follow(ruleset, events, now, Setup(part.setup_function, part.id), None, ruleset.merged.yielded)
    return Decision(tuple(events), work, chance.draws)


def decide(
    ruleset: Ruleset, position: Position, seat: Seat | None, command: Command, chance: Chance, at: int
) -> Decision:
    """Decide ``command`` of ``seat`` (``None``: the host).

    Raises:
        CommandError: It is refused; the position is as it was.
        RulesFault: The rules raised something else than a refusal.
    """
    decider = ruleset.merged.deciders.get(type(command))
    if decider is None:
        sentence = f"{type(command).__name__} is no command of {ruleset.id}."
        raise MalformedCommand(Refusal(code="malformed-command", sentence=sentence))
    frame: Frame = position.slices[Frame]
    if frame.outcomes:
        refuse_when_over(position)
    librarys = decider.rules == LIBRARY
    if not frame.begun and not librarys:
        raise NotYourTurn(Refusal(code="not-begun", sentence="The game has not begun."))
    if decider.by_host:
        if seat is not None:
            raise NotYourTurn(Refusal(code="host-only", sentence="Only the table's host gives this command."))
    elif seat is None:
        raise NotYourTurn(Refusal(code="seat-only", sentence="A seat gives this command, not the table's host."))
    elif seat not in ruleset.to_act(position):
        waiting = _why_waiting(ruleset, position, seat, command)
        if waiting is not None:
            raise NotYourTurn(waiting)
    if ruleset.rules[1].due_function is not None and ruleset.due(position, at) not in (None, command):
        raise IllegalCommand(Refusal(code="something-due", sentence="Something has fallen due before this."))
    work = Position(ruleset, position.slices.copy(), position.viewer, position.is_view)
    now = Now(work, seat or "", chance, at)
    events: list[Event] = []
    merged = ruleset.merged
    _follow(ruleset, events, now, decider, command, merged.reducers if librarys else merged.yielded)
    return Decision(tuple(events), work, chance.draws)


def _why_waiting(ruleset: Ruleset, position: Position, seat: Seat, command: Command) -> Refusal | None:
    seats = position.slices[Frame].seats
    if seat not in seats:
        msg = f"Nobody named {seat!r} sits at this table; the seats are {', '.join(seats)}."
        raise UnknownSeat(msg)
    if ruleset.merged.deciders[type(command)].rules == LIBRARY:
        return None  # what comes before the game is nobody's turn
    acting = ruleset.to_act(position)
    function = ruleset.rules[1].waiting_function
    if function is not None and acting:
        return answer(ruleset, "The waiting function", lambda: function(position, seat, command))
    return Refusal(
        code="not-your-turn",
        sentence=f"It is the turn of {' and '.join(acting)}, not of {seat}." if acting else "Nobody may act now.",
        facts={"to_act": acting},
    )


def _follow(
    ruleset: Ruleset, events: list[Event], now: Now, what: Running, subject: Command | Event | None, yielded: Yielded
) -> None:
    """Ask ``what`` for events and fold each at once; what follows from one comes before the next."""
    merged, slices = ruleset.merged, now.position.slices
    reactions = merged.reactions
    try:
        for event in what.function(now) if isinstance(what, Setup) else what.function(now, subject):
            kind = type(event)
            reducers = yielded.get(kind)
            if reducers is None or len(events) >= MAX_EVENTS or (events and type(events[-1]) is GameEnded):
                raise _refused(ruleset, events, event, what)  # noqa: TRY301 - it passes
            events.append(event)
            for reducer in reducers:
                state, reduce, _, _ = reducer
                try:
                    slices[state] = after = reduce(slices[state], event)
                except Exception as error:
                    raise _failed(error, events, reducer) from error
                if type(after) is not state:
                    raise _not_a_slice(reducer, event, after)  # noqa: TRY301 - it passes
            now.position.acting = NOT_ASKED  # whoever asked in between asked of another position
            if kind in reactions:
                for reaction in reactions[kind]:
                    _follow(ruleset, events, now, reaction, event, merged.yielded)
    except LudologError:
        raise
    except Exception as error:
        raise _failed(error, events, what) from error


def answer(ruleset: Ruleset, what: str, ask: Callable[[], T]) -> T:
    """What rules answer when they are asked something about a position.

    Raises:
        RulesFault: They raised something else than an error of the library; what it said is left to the cause.
    """
    try:
        return ask()
    except LudologError:
        raise
    except Exception as error:
        msg = f"{what} of {ruleset.id} raised {type(error).__name__} at {_line_of(error)}."
        raise RulesFault(msg) from error


def _not_a_slice(reducer: Reducer, event: Event, after: object) -> RulesFault:
    msg = f"{_where(reducer)}, given {type(event).__name__}, returns {type(after).__name__}; nothing was recorded."
    return RulesFault(msg)


def _failed(error: Exception, events: list[Event], what: Running | Reducer) -> RulesFault:
    """What was running when it failed. What it said is left to the cause: it may hold what a seat may not know."""
    verb = "given" if isinstance(what, Reducer) else "after"
    tell = f", {verb} {type(events[-1]).__name__}" if events else ""
    return RulesFault(f"{_where(what)} raised {type(error).__name__} at {_line_of(error)}{tell}; nothing was recorded.")


def _line_of(error: Exception) -> str:
    """Where it was raised, for the author: ``"building.py:237"``."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{PurePath(frame.filename).name}:{frame.lineno}"


def _refused(ruleset: Ruleset, events: list[Event], event: Event, what: Running) -> RulesFault:
    """Why an event can't follow those before it."""
    kind = type(event).__name__
    if type(event) not in ruleset.merged.yielded:
        why = f"yields {kind}, which is no event that rules of {ruleset.id} may yield"
    elif len(events) >= MAX_EVENTS:
        why = f"yields {kind} after {MAX_EVENTS} others in one batch"
    else:
        why = f"yields {kind} after the end of the game"
    return RulesFault(f"{_where(what)} {why}; nothing was recorded.")


def _where(what: Running | Reducer) -> str:
    """Which function of which rules was running, in words."""
    name: str = getattr(what.function, "__name__", repr(what.function))
    return f"The {type(what).__name__.lower()} {name} of {what.rules}"


def refuse_when_over(position: Position) -> None:
    """Refuse whatever is asked after the end, always for the same reason.

    Raises:
        GameOver: The game has ended.
    """
    frame: Frame = position.slices[Frame]
    if frame.outcomes:
        outcome = frame.outcomes[0]
        raise GameOver(
            Refusal(
                code="game-over",
                sentence=f"The game is over: {outcome.sentence}",
                clause=outcome.clause or None,
                facts={"reason": outcome.reason},
            )
        )
