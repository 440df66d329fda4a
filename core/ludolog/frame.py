"""The library's own rules, part of every ruleset: opening, beginning, ending, undo and redo of a table."""

from __future__ import annotations

from typing import Final

import msgspec

from ludolog.outcome import Outcome
from ludolog.rules import Rules
from ludolog_events import Command, Event, Seat, State

__all__ = [
    "Begin",
    "ForkPoint",
    "Frame",
    "GameBegun",
    "GameEnded",
    "Open",
    "Redo",
    "Redone",
    "RulesRecord",
    "SeedRevealed",
    "TableOpened",
    "Undo",
    "Undone",
    "frame_rules",
]


class RulesRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game or variant that a table is played by: id, version, and its options as canonical JSON text."""

    id: str
    version: int
    options: str


class ForkPoint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a forked table leaves its parent: after ``length`` batches, the last with hash ``head`` (hex)."""

    table: str
    length: int
    head: str


class Frame(State, frozen=True):
    """What the library itself keeps: the seats, and the outcome once the game has ended (then exactly one)."""

    seats: tuple[Seat, ...] = ()
    begun: bool = False
    outcomes: tuple[Outcome, ...] = ()


class TableOpened(Event, frozen=True, tag="ludolog/table-opened"):
    """A table was opened: by which rules (the game first), for which seats, with which commitment to its seed."""

    table: str
    rules: tuple[RulesRecord, ...]
    digest: str
    seats: tuple[Seat, ...]
    commitment: str
    contributions: tuple[tuple[Seat, str], ...] = ()
    forked: tuple[ForkPoint, ...] = ()


class GameBegun(Event, frozen=True, tag="ludolog/game-begun"):
    """Set-up begins; from here on there are draws from chance."""


class GameEnded(Event, frozen=True, tag="ludolog/game-ended"):
    """The game ended; there is exactly one such event in a finished game."""

    outcome: Outcome


class SeedRevealed(Event, frozen=True, tag="ludolog/seed-revealed"):
    """The seed (hex) was revealed, so that everyone can derive every draw again."""

    seed: str


class Undone(Event, frozen=True, tag="ludolog/undone"):
    """Batches no longer count. ``by`` is empty for the host; ``consent`` lists the seats that agreed."""

    batches: tuple[int, ...]
    by: Seat
    consent: tuple[Seat, ...] = ()


class Redone(Event, frozen=True, tag="ludolog/redone"):
    """Undone batches count again."""

    batches: tuple[int, ...]
    by: Seat


class Open(Command, frozen=True, tag="ludolog/open"):
    """Open a table."""


class Begin(Command, frozen=True, tag="ludolog/begin"):
    """Begin the game."""


class Undo(Command, frozen=True, tag="ludolog/undo"):
    """Take back batches; ``to`` is the number of the first batch that no longer counts."""

    to: int
    consent: tuple[Seat, ...] = ()


class Redo(Command, frozen=True, tag="ludolog/redo"):
    """Count the batches of the last undo again."""


frame_rules: Final = Rules("ludolog")
frame_rules.state(Frame)
frame_rules.events(SeedRevealed, Undone, Redone)
frame_rules.command_types.update(
    {"ludolog/open": Open, "ludolog/begin": Begin, "ludolog/undo": Undo, "ludolog/redo": Redo}
)


@frame_rules.reducer
def _opened(frame: Frame, event: TableOpened) -> Frame:
    return msgspec.structs.replace(frame, seats=event.seats)


@frame_rules.reducer
def _begun(frame: Frame, _event: GameBegun) -> Frame:
    return msgspec.structs.replace(frame, begun=True)


@frame_rules.reducer
def _ended(frame: Frame, event: GameEnded) -> Frame:
    return msgspec.structs.replace(frame, outcomes=(event.outcome,))


@frame_rules.sentence
def _told_opened(_position: object, event: TableOpened) -> str:
    return f"Table {event.table} was opened for {', '.join(event.seats)}: {', '.join(part.id for part in event.rules)}."


@frame_rules.sentence
def _told_ended(_position: object, event: GameEnded) -> str:
    return f"The game is over: {event.outcome.sentence}"


@frame_rules.sentence
def _told_seed(_position: object, event: SeedRevealed) -> str:
    return f"The seed was revealed: {event.seed}."


@frame_rules.sentence
def _told_taken_back(_position: object, event: Undone | Redone) -> str:
    verb = "took back" if isinstance(event, Undone) else "restored"
    return f"{event.by or 'The host'} {verb} batch {', '.join(map(str, event.batches))}."
