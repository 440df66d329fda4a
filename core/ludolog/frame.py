"""The library's own rules, part of every ruleset: opening, beginning, ending, undo and redo of a table.

How seats contribute to the dice between opening and beginning is in :mod:`ludolog.contributing`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from ludolog.outcome import Outcome
from ludolog.rules import Rules
from ludolog_events import Command, Event, Seat, State

__all__ = [
    "LATER",
    "Begin",
    "CloseCommitments",
    "CloseContributions",
    "Commit",
    "CommitmentsClosed",
    "Committed",
    "Contribute",
    "Contributed",
    "Contributions",
    "ContributionsAsked",
    "ContributionsClosed",
    "Decline",
    "Declined",
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


class Contributions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the seats add to the seed, so that nobody alone decides the dice.

    ``phase`` is empty at a table whose seats aren't asked. ``promise`` is the commitment to the seed, to which
    ``commitments`` are bound. ``given`` is what was contributed; once it is complete, in seat order.
    """

    phase: Literal["", "committing", "contributing", "closed"] = ""
    promise: str = ""
    commitments: tuple[tuple[Seat, str], ...] = ()
    declined: tuple[Seat, ...] = ()
    given: tuple[tuple[Seat, str], ...] = ()


_UNASKED: Final = Contributions()


class Frame(State, frozen=True):
    """What the library itself keeps: the seats, and the outcome once the game has ended (then exactly one)."""

    seats: tuple[Seat, ...] = ()
    begun: bool = False
    outcomes: tuple[Outcome, ...] = ()
    contributions: Contributions = _UNASKED


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


class ContributionsAsked(Event, frozen=True, tag="ludolog/contributions-asked"):
    """The seats are asked to contribute; what they commit to is bound to ``promise``, the commitment to the seed."""

    promise: str


class Committed(Event, frozen=True, tag="ludolog/committed"):
    """A seat committed to its contribution, see :func:`ludolog.chance.contribution_commitment`."""

    seat: Seat
    commitment: str


class Declined(Event, frozen=True, tag="ludolog/declined"):
    """A seat will not contribute."""

    seat: Seat


class CommitmentsClosed(Event, frozen=True, tag="ludolog/commitments-closed"):
    """From here on contributions are told. ``left_out`` lists the seats that had committed to none, in seat order."""

    left_out: tuple[Seat, ...]


class Contributed(Event, frozen=True, tag="ludolog/contributed"):
    """A seat told the contribution to which it had committed."""

    seat: Seat
    contribution: str


class ContributionsClosed(Event, frozen=True, tag="ludolog/contributions-closed"):
    """The dice are settled: they come from the seed and from ``contributions``, by seat, in seat order.

    ``withheld`` lists the seats that had committed to a contribution and didn't tell it, in seat order.
    """

    contributions: tuple[tuple[Seat, str], ...]
    withheld: tuple[Seat, ...]


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


class Commit(Command, frozen=True, tag="ludolog/commit"):
    """Commit to a contribution without telling it; ``commitment`` has 64 hex digits."""

    commitment: str


class Contribute(Command, frozen=True, tag="ludolog/contribute"):
    """Tell the contribution to which the seat committed."""

    contribution: str


class Decline(Command, frozen=True, tag="ludolog/decline"):
    """Contribute nothing; once committed, tell nothing."""


class CloseCommitments(Command, frozen=True, tag="ludolog/close-commitments"):
    """Wait no longer for seats that have not committed; the host's."""


class CloseContributions(Command, frozen=True, tag="ludolog/close-contributions"):
    """Wait no longer for seats that have not told their contributions; the host's."""


class Undo(Command, frozen=True, tag="ludolog/undo"):
    """Take back batches; ``to`` is the number of the first batch that no longer counts."""

    to: int
    consent: tuple[Seat, ...] = ()


class Redo(Command, frozen=True, tag="ludolog/redo"):
    """Count the batches of the last undo again."""


LATER: Final = frozenset(
    {
        "ludolog/close-commitments",
        "ludolog/close-contributions",
        "ludolog/commit",
        "ludolog/commitments-closed",
        "ludolog/committed",
        "ludolog/contribute",
        "ludolog/contributed",
        "ludolog/contributions-asked",
        "ludolog/contributions-closed",
        "ludolog/decline",
        "ludolog/declined",
    }
)
"""Tags that rulesets didn't have at first; left out of their digests, so that tables of before can be played on."""


frame_rules: Final = Rules("ludolog")
frame_rules.state(Frame)
frame_rules.events(SeedRevealed, Undone, Redone)
frame_rules.command_types.update(
    {"ludolog/open": Open, "ludolog/begin": Begin, "ludolog/undo": Undo, "ludolog/redo": Redo}
)


@frame_rules.reducer
def _opened(frame: Frame, event: TableOpened) -> Frame:
    asked = Contributions(given=event.contributions) if event.contributions else _UNASKED
    return msgspec.structs.replace(frame, seats=event.seats, contributions=asked)


def _changed(frame: Frame, asked: Contributions) -> Frame:
    return msgspec.structs.replace(frame, contributions=asked)


@frame_rules.reducer
def _asked(frame: Frame, event: ContributionsAsked) -> Frame:
    return _changed(frame, Contributions(phase="committing", promise=event.promise))


@frame_rules.reducer
def _committed(frame: Frame, event: Committed) -> Frame:
    asked = frame.contributions
    commitments = (*asked.commitments, (event.seat, event.commitment))
    return _changed(frame, msgspec.structs.replace(asked, commitments=commitments))


@frame_rules.reducer
def _declined(frame: Frame, event: Declined) -> Frame:
    asked = frame.contributions
    return _changed(frame, msgspec.structs.replace(asked, declined=(*asked.declined, event.seat)))


@frame_rules.reducer
def _commitments_closed(frame: Frame, _event: CommitmentsClosed) -> Frame:
    return _changed(frame, msgspec.structs.replace(frame.contributions, phase="contributing"))


@frame_rules.reducer
def _contributed(frame: Frame, event: Contributed) -> Frame:
    asked = frame.contributions
    given = (*asked.given, (event.seat, event.contribution))
    return _changed(frame, msgspec.structs.replace(asked, given=given))


@frame_rules.reducer
def _contributions_closed(frame: Frame, event: ContributionsClosed) -> Frame:
    asked = frame.contributions
    return _changed(frame, msgspec.structs.replace(asked, phase="closed", given=event.contributions))


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


def _names(seats: Iterable[Seat]) -> str:
    return " and ".join(seats)


@frame_rules.sentence
def _tell_asked(_position: object, _event: ContributionsAsked) -> str:
    return "Each seat is asked to contribute to the dice."


@frame_rules.sentence
def _tell_committed(_position: object, event: Committed) -> str:
    return f"{event.seat} committed to a contribution."


@frame_rules.sentence
def _tell_declined(_position: object, event: Declined) -> str:
    return f"{event.seat} declined to contribute."


@frame_rules.sentence
def _tell_commitments_closed(_position: object, event: CommitmentsClosed) -> str:
    left_out = f" Left out, having committed to none: {_names(event.left_out)}." if event.left_out else ""
    return f"Contributions to the dice are told now.{left_out}"


@frame_rules.sentence
def _tell_contributed(_position: object, event: Contributed) -> str:
    return f"{event.seat} contributed {event.contribution!r}."


@frame_rules.sentence
def _tell_contributions_closed(_position: object, event: ContributionsClosed) -> str:
    given = _names(seat for seat, _ in event.contributions)
    source = f"the seed and what {given} contributed" if given else "the seed alone"
    withheld = f" Withheld, in spite of a commitment: {_names(event.withheld)}." if event.withheld else ""
    return f"The dice come from {source}.{withheld}"


@frame_rules.sentence
def _tell_request(_position: object, command: Commit | Contribute | Decline) -> str:
    if isinstance(command, Commit):
        return "Commit to a contribution to the dice."
    what = repr(command.contribution) if isinstance(command, Contribute) else "nothing"
    return f"Contribute {what} to the dice."


@frame_rules.sentence
def _tell_closing(_position: object, command: CloseCommitments | CloseContributions) -> str:
    return f"Wait no longer for {'commitments' if isinstance(command, CloseCommitments) else 'contributions'}."
