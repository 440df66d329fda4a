"""How the seats of a table contribute to its dice, in the log, between its opening and its beginning.

The host opens the table with the commitment to its seed, and asks. Then, in this order:

1. Each seat commits to a contribution of its own, without telling it (``Commit``), or declines.
2. When every seat has answered, those that committed tell their contributions (``Contribute``), each checked against
   its commitment, or decline to after all.
3. When they have, the game begins in the same append: with dice from the seed and all contributions.

No seat can choose its contribution by another's, since all are fixed before one is told; nor by the seed, which the
host alone knows; nor the host its seed by them. So the dice are fair if one of them is honest, and as long as nobody
is left out. A seat that doesn't answer would hold up the table for ever: the host may close a phase
(``CloseCommitments``, ``CloseContributions``), and who hasn't answered by then is left out, by name, for all to see.

Nothing that happens here can be taken back.
"""

from __future__ import annotations

import html
import secrets
from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple

from ludolog.chance import contribution_commitment
from ludolog.errors import BadOptions, UnknownSeat
from ludolog.frame import (
    CloseCommitments,
    CloseContributions,
    Commit,
    CommitmentsClosed,
    Committed,
    Contribute,
    Contributed,
    Contributions,
    ContributionsClosed,
    Decline,
    Declined,
    Frame,
    TableOpened,
    frame_rules,
)
from ludolog.position import Now, Position
from ludolog.rules import refuse
from ludolog_events import Event, Seat, shown

__all__ = ["LONGEST", "Contribution", "is_contribution", "new_contribution", "picture_before", "waited_for"]

LONGEST: Final = 200
"""Most characters of a contribution."""

_HEX: Final = frozenset("0123456789abcdef")
_DIGITS: Final = 64


def waited_for(position: Position) -> tuple[Seat, ...]:
    """Seats that have still to commit, or to tell what they committed to, in seat order; none otherwise."""
    frame = position[Frame]
    asked = frame.contributions
    if asked.phase == "committing":
        answered = {*dict(asked.commitments), *asked.declined}
        return tuple(seat for seat in frame.seats if seat not in answered)
    if asked.phase == "contributing":
        answered = {*dict(asked.given), *asked.declined}
        owing = dict(asked.commitments)
        return tuple(seat for seat in frame.seats if seat in owing and seat not in answered)
    return ()


# ---------------------------------------------------------------- decisions


def _check_phase(now: Now, phase: Literal["committing", "contributing"]) -> Contributions:
    """Refuse what comes too early or too late."""
    frame = now[Frame]
    asked = frame.contributions
    if frame.begun or asked.phase in ("", "closed"):
        refuse("already-begun", "The game has begun, so its dice are settled and nobody can contribute any more.")
    if asked.phase == phase:
        return asked
    waiting = waited_for(now.position)
    if phase == "contributing":
        sentence = f"Contributions are told when every seat has committed to its own; {_names(waiting)} may still."
        refuse("commitments-open", sentence, waiting=waiting)
    return refuse("commitments-closed", "Contributions are being told, so nobody can commit to one any more.")


def _check_waited_for(now: Now, asked: Contributions) -> None:
    """Refuse a second answer."""
    if now.seat in waited_for(now.position):
        return
    if now.seat in asked.declined:
        refuse("already-declined", f"{now.seat} has declined to contribute.")
    if now.seat in dict(asked.given):
        refuse("already-contributed", f"{now.seat} has told its contribution already.")
    if now.seat not in dict(asked.commitments):
        refuse("not-committed", f"{now.seat} committed to no contribution in time, so it can tell none.")
    refuse("already-committed", f"{now.seat} has committed to its contribution already, and can't change it.")


@frame_rules.decider
def _commit(now: Now, command: Commit) -> Iterator[Event]:
    asked = _check_phase(now, "committing")
    _check_waited_for(now, asked)
    if len(command.commitment) != _DIGITS or not _HEX.issuperset(command.commitment):
        refuse("malformed-commitment", "A commitment has 64 hex digits, in small letters.")
    # Another seat's commitment is of no use, since that seat's name is in it. Were it refused, whoever saw a commitment
    # on its way could be first with it, and the one whose it is would be refused.
    yield Committed(seat=now.seat, commitment=command.commitment)
    yield from _go_on(now)


@frame_rules.decider
def _contribute(now: Now, command: Contribute) -> Iterator[Event]:
    asked = _check_phase(now, "contributing")
    _check_waited_for(now, asked)
    if not is_contribution(command.contribution):
        refuse("malformed-contribution", f"A contribution has 1 to {LONGEST} printable characters.")
    commitment = contribution_commitment(asked.promise, now.seat, command.contribution)
    if commitment != dict(asked.commitments)[now.seat]:
        refuse("contribution-differs", f"That is not the contribution to which {now.seat} committed.")
    yield Contributed(seat=now.seat, contribution=command.contribution)
    yield from _go_on(now)


@frame_rules.decider
def _decline(now: Now, _command: Decline) -> Iterator[Event]:
    phase = now[Frame].contributions.phase
    asked = _check_phase(now, "contributing" if phase == "contributing" else "committing")
    _check_waited_for(now, asked)
    yield Declined(seat=now.seat)
    yield from _go_on(now)


@frame_rules.decider(by_host=True)
def _close_commitments(now: Now, _command: CloseCommitments) -> Iterator[Event]:
    _check_phase(now, "committing")
    yield _without_commitment(now)
    yield from _go_on(now)


@frame_rules.decider(by_host=True)
def _close_contributions(now: Now, _command: CloseContributions) -> Iterator[Event]:
    _check_phase(now, "contributing")
    yield _settled(now)


def _go_on(now: Now) -> Iterator[Event]:
    """Close the phase when nobody is waited for, and the next at once if there is nobody to tell anything."""
    if now[Frame].contributions.phase == "committing" and not waited_for(now.position):
        yield _without_commitment(now)
    if now[Frame].contributions.phase == "contributing" and not waited_for(now.position):
        yield _settled(now)


def _without_commitment(now: Now) -> CommitmentsClosed:
    committed = dict(now[Frame].contributions.commitments)
    return CommitmentsClosed(left_out=tuple(seat for seat in now.seats if seat not in committed))


def _settled(now: Now) -> ContributionsClosed:
    asked = now[Frame].contributions
    given, owing = dict(asked.given), dict(asked.commitments)
    return ContributionsClosed(
        contributions=tuple((seat, given[seat]) for seat in now.seats if seat in given),
        withheld=tuple(seat for seat in now.seats if seat in owing and seat not in given),
    )


# ---------------------------------------------------------------- for the seats


class Contribution(NamedTuple):
    """A seat's contribution and its commitment; a seat keeps the text to itself until all have committed."""

    seat: Seat
    text: str
    commitment: str

    @property
    def commit(self) -> Commit:
        """The command that commits to it."""
        return Commit(commitment=self.commitment)

    @property
    def tell(self) -> Contribute:
        """The command that tells it."""
        return Contribute(contribution=self.text)


def new_contribution(opened: TableOpened, seat: Seat, word: str = "") -> Contribution:
    """A contribution that nobody can guess: ``word``, if any, and 128 random bits.

    Args:
        opened: The table's opening: the first event that a seat is told.
        seat: Whose.
        word: What the seat wants to add of its own, such as the roll of a die; at most 160 printable characters.

    Raises:
        UnknownSeat: Nobody of this name sits there.
        BadOptions: The word is too long or unprintable.
    """
    if seat not in opened.seats:
        msg = f"Nobody named {shown(seat)} sits at table {opened.table!r}; the seats are {', '.join(opened.seats)}."
        raise UnknownSeat(msg)
    text = f"{word} {secrets.token_hex(16)}".strip()
    if not is_contribution(text):
        msg = f"{seat} can't contribute {shown(word)}: a contribution has at most {LONGEST} printable characters."
        raise BadOptions(msg)
    return Contribution(seat, text, contribution_commitment(opened.commitment, seat, text))


def is_contribution(text: object) -> bool:
    """Whether something can be contributed: a text of 1 to ``LONGEST`` printable characters."""
    return isinstance(text, str) and 0 < len(text) <= LONGEST and text.isprintable()


def _names(seats: Iterable[Seat]) -> str:
    return " and ".join(seats)


def picture_before(kind: str, position: Position) -> str:
    """Picture of a table that has not begun: who has answered, and for whom it waits."""
    asked = position[Frame].contributions
    telling = asked.phase != "committing"
    answered = asked.given if telling else asked.commitments
    verb = "told what they contribute to the dice" if telling else "committed to a contribution to the dice"
    told = f" {_names(seat for seat, _ in answered)} {verb}." if answered else ""
    waiting = waited_for(position)
    text = f"The game has not begun.{told}{f' It waits for {_names(waiting)}.' if waiting else ''}"
    if kind == "text":
        return text
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{8 * len(text)}" height="32">'
        f'<text x="8" y="20" font-family="sans-serif" font-size="14">{html.escape(text)}</text></svg>'
    )
