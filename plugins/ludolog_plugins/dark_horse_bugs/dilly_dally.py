"""Dilly Dally: whoever takes an Ant token bets that the bug which starts last will be among the first three.

Source: the variant of that name in the rulebook of Dark Horse, clauses DH-63 to DH-79 of ``rules.toml``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from ludolog import (
    Command,
    Event,
    IllegalCommand,
    Now,
    Options,
    Position,
    Refusal,
    Rules,
    ScoreLine,
    Seat,
    Slot,
    State,
    Variant,
    hookimpl,
)
from ludolog_plugins.dark_horse_bugs.commands import LayCard
from ludolog_plugins.dark_horse_bugs.data import TOKEN_POINTS, TOKENS
from ludolog_plugins.dark_horse_bugs.phases import PHASES, Phase, Task, advance, expect, task_of
from ludolog_plugins.dark_horse_bugs.picture import NOTES, Notes
from ludolog_plugins.dark_horse_bugs.scoring import SCORE_LINES, ordinal
from ludolog_plugins.dark_horse_bugs.state import Cards, Race, of

__all__ = ["AntOptions", "Ants", "Pass", "TakeToken", "ludolog_variant"]


class AntOptions(Options, frozen=True):
    """What a table may settle in its own way (DH-R12, DH-R28)."""

    token_pass: Literal["reopens", "final"] = "reopens"
    token_timing: Literal["before-play", "own-turn"] = "before-play"


rules = Rules("dark-horse-bugs/dilly-dally", version=1, options=AntOptions)

OFFER: Slot[int] = rules.slot(Slot("ant-tokens", "Ant tokens on offer, by players."), TOKENS, cites="DH-64")
WORTH: Slot[int] = rules.slot(Slot("ant-points", "What a token is worth, by rank."), TOKEN_POINTS, cites="DH-77")


# ---------------------------------------------------------------- state and events


@rules.state
class Ants(State, frozen=True):
    """The bug on the black base, the tokens on offer, their holders, and who has passed and was asked last."""

    base: str = ""
    tokens: int = 0
    holders: tuple[Seat, ...] = ()
    passed: tuple[Seat, ...] = ()
    last: Seat = ""


class BlackBaseGiven(Event, frozen=True, tag="dark-horse-bugs/dilly-dally/black-base-given"):
    """A bug got the black base."""

    bug: str


class TokensOffered(Event, frozen=True, tag="dark-horse-bugs/dilly-dally/tokens-offered"):
    """Ant tokens were put on the table."""

    count: int


class TokenTaken(Event, frozen=True, tag="dark-horse-bugs/dilly-dally/token-taken"):
    """A seat took an Ant token; if the offer ``reopens``, whoever has passed is asked again."""

    seat: Seat
    reopens: bool


class OfferDeclined(Event, frozen=True, tag="dark-horse-bugs/dilly-dally/offer-declined"):
    """A seat passed."""

    seat: Seat


class TokensReturned(Event, frozen=True, tag="dark-horse-bugs/dilly-dally/tokens-returned"):
    """The Ant tokens that nobody took went back into the box."""

    count: int


@rules.reducer(cites=("DH-69", "DH-R18"))
def black_base_given(ants: Ants, event: BlackBaseGiven) -> Ants:
    """The black base stays with its bug for the whole game (DH-69, DH-R18)."""
    return replace(ants, base=event.bug)


@rules.reducer(cites=("DH-64", "DH-65", "DH-66"))
def tokens_offered(ants: Ants, event: TokensOffered) -> Ants:
    """So many tokens are on offer (DH-64, DH-65, DH-66)."""
    return replace(ants, tokens=event.count)


@rules.reducer(cites=("DH-73", "DH-R12"))
def token_taken(ants: Ants, event: TokenTaken) -> Ants:
    """A taken token lies in full view before its owner (DH-73), and a pass is not final (DH-R12)."""
    passed = () if event.reopens else ants.passed
    holders = (*ants.holders, event.seat)
    return replace(ants, tokens=ants.tokens - 1, holders=holders, passed=passed, last=event.seat)


@rules.reducer(cites="DH-72")
def offer_declined(ants: Ants, event: OfferDeclined) -> Ants:
    """A seat that was asked may pass (DH-72)."""
    return replace(ants, passed=(*ants.passed, event.seat), last=event.seat)


@rules.reducer(cites="DH-75")
def tokens_returned(ants: Ants, event: TokensReturned) -> Ants:
    """Tokens nobody took are out of the game (DH-75)."""
    return replace(ants, tokens=ants.tokens - event.count)


# ---------------------------------------------------------------- the black base, and the offer before the race


class TakeToken(Command, frozen=True, tag="dark-horse-bugs/dilly-dally/take-token"):
    """Take an Ant token."""


class Pass(Command, frozen=True, tag="dark-horse-bugs/dilly-dally/pass"):
    """Take no Ant token."""


def put_out(now: Now) -> Iterator[Event]:
    """The last bug gets the black base, and the tokens are put out, by the number of players (DH-64 to DH-69)."""
    yield BlackBaseGiven(bug=now[Race].line[-1])
    yield TokensOffered(count=now.slot(OFFER)[len(now.seats)])


def offer_task(position: Position) -> Task:
    """The offer goes clockwise among players without a token who have not passed (DH-71, DH-74, DH-R12).

    There is no offer where tokens are taken in own turns (DH-R28).
    """
    ants = position[Ants]
    if not ants.tokens or position.options(AntOptions).token_timing == "own-turn":
        return Task()
    first = position.after(ants.last) if ants.last else position[Race].starter
    clockwise = [position.after(first, steps) for steps in range(len(position.seats))]
    asked = [seat for seat in clockwise if seat not in (*ants.holders, *ants.passed)]
    return Task(tuple(asked[:1]), "take an Ant token or pass", (TakeToken, Pass), "DH-72" if ants.last else "DH-71")


rules.add(PHASES, "black-base", Phase(begin=put_out), cites="DH-69", before="cards")
rules.add(PHASES, "offer", Phase(task=offer_task), cites="DH-70", before="race")


@rules.legal
def legal(position: Position, seat: Seat) -> Iterator[Command]:
    """A token where it may be taken, and passing where it was offered (DH-72, DH-R28)."""
    if why_no_token(position, seat) is None:
        yield TakeToken()
    if Pass in task_of(position).commands:
        yield Pass()


def why_no_token(position: Position, seat: Seat) -> Refusal | None:
    """Why a seat that may act may not take a token (DH-74, DH-R12, DH-R28); ``None`` if it may."""
    ants, task = position[Ants], task_of(position)
    own_turn = position.options(AntOptions).token_timing == "own-turn"
    if (LayCard if own_turn else TakeToken) not in task.commands:
        clause = "DH-R28" if own_turn else "DH-70"
        return Refusal(code="no-offer", sentence=f"No Ant token is on offer: {seat} is to {task.text}.", clause=clause)
    if seat in ants.holders:
        return Refusal(code="one-token-each", sentence=f"{seat} holds an Ant token already.", clause="DH-R12")
    if not ants.tokens:
        return Refusal(code="no-token-left", sentence="All Ant tokens have been taken.", clause="DH-74")
    if own_turn and len(of(position[Cards].hands, seat)) == 1:
        sentence = "With the last card in hand it is too late for an Ant token."
        return Refusal(code="last-card", sentence=sentence, clause="DH-R28")
    return None


@rules.decider(cites=("DH-72", "DH-73", "DH-R12", "DH-R28"))
def take_token(now: Now, _command: TakeToken) -> Iterator[Event]:
    """A player takes one token, and no second one (DH-72, DH-R12)."""
    reason = why_no_token(now.position, now.seat)
    if reason:
        raise IllegalCommand(reason)
    yield TokenTaken(seat=now.seat, reopens=now.options(AntOptions).token_pass == "reopens")
    yield from close_offer(now)


@rules.decider(cites=("DH-72", "DH-74"))
def decline(now: Now, command: Pass) -> Iterator[Event]:
    """A player who is asked may pass (DH-72)."""
    expect(now, command)
    yield OfferDeclined(seat=now.seat)
    yield from close_offer(now)


def close_offer(now: Now) -> Iterator[Event]:
    """When the offer is over, the tokens left go back into the box (DH-74, DH-75)."""
    over = not task_of(now.position).seats
    if over and now[Ants].tokens:
        yield TokensReturned(count=now[Ants].tokens)
    yield from advance(now)


# ---------------------------------------------------------------- score and pictures


def token_lines(position: Position, seat: Seat) -> Iterator[ScoreLine]:
    """A token gains if the black-based bug is among the first three, and loses if not (DH-77, DH-78, DH-79)."""
    ants, line = position[Ants], position[Race].line
    if seat in ants.holders:
        rank = line.index(ants.base) + 1
        points = position.slot(WORTH)[rank]
        clause = "DH-77" if points > 0 else "DH-78"
        yield ScoreLine(label=f"Ant token ({ants.base} {ordinal(rank)})", points=points, clause=clause)


def notes(position: Position) -> Notes:
    """The black base, and who holds a token (DH-69, DH-73)."""
    ants = position[Ants]
    return Notes(
        bases={ants.base: "black"} if ants.base else {},
        seats=dict.fromkeys(ants.holders, "Ant token"),
        table=f"Ant tokens on offer: {ants.tokens}" if ants.tokens else "",
    )


rules.add(SCORE_LINES, "ant-token", token_lines, cites="DH-77")
rules.add(NOTES, "ants", notes, cites="DH-73")


@rules.sentence
def _black_base_given(_position: Position, event: BlackBaseGiven) -> str:
    return f"The {event.bug} gets the black base."


@rules.sentence
def _tokens_offered(_position: Position, event: TokensOffered) -> str:
    return "1 Ant token is offered." if event.count == 1 else f"{event.count} Ant tokens are offered."


@rules.sentence
def _token_taken(_position: Position, event: TokenTaken) -> str:
    return f"{event.seat} takes an Ant token."


@rules.sentence
def _offer_declined(_position: Position, event: OfferDeclined) -> str:
    return f"{event.seat} passes."


def load() -> Rules:
    """The rules."""
    return rules


@hookimpl
def ludolog_variant() -> Variant:
    """Manifest."""
    return Variant(
        id="dark-horse-bugs/dilly-dally",
        title="Dilly Dally",
        summary="Ant tokens bet that the bug that starts last finishes among the first three.",
        rules=load,
        clauses=("ludolog_plugins.dark_horse_bugs:rules.toml",),
    )
