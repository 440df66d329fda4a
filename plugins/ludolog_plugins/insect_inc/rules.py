"""The rules: set-up, the first reveal, claims and declarations, and the closing of the window."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Final, NoReturn, TypeVar

from msgspec.structs import replace

from ludolog import Chance, Command, Event, Now, Position, Refusal, Seat, refuse
from ludolog.errors import NotYourTurn
from ludolog_plugins.insect_inc.closing import close, reveals
from ludolog_plugins.insect_inc.commands import Claim, Declare, Reveal, every_claim
from ludolog_plugins.insect_inc.data import PILE
from ludolog_plugins.insect_inc.events import (
    ClaimEntered,
    ForestSpread,
    PileLaid,
    StartPlayerSet,
    VainSearchDeclared,
)
from ludolog_plugins.insect_inc.forest import CARDS, KINDS, Kind, faults_of, kinds_of
from ludolog_plugins.insect_inc.state import (
    FOREST_CARDS,
    NO_CARD,
    Declaration,
    Forest,
    Hand,
    InsectOptions,
    Insects,
    Players,
    Window,
    rules,
)
from ludolog_plugins.insect_inc.window import UNTIMED, all_declared, claimants, moment_of, window_length

__all__ = ["rules"]

LAST_MOMENT: Final = 2**63
"""Later than every moment: whoever has a hand in the window may not declare, whenever it was put there."""


# ---------------------------------------------------------------- set-up


@rules.setup
def setup(now: Now) -> Iterator[Event]:
    """Spread the forest, shuffle the insect cards, set half of them aside unseen, draw the start player (II-12..17)."""
    cards = now.slot(FOREST_CARDS)["cards"]
    options = now.options(InsectOptions)
    faults = faults_of(cards, options.pairs)
    if faults:
        refuse("faulty-forest", faults[0].sentence, faults[0].clause, faults=tuple(fault.sentence for fault in faults))
    kinds = kinds_of(cards)
    if options.forest_labels == "shuffled":
        kinds = _renumbered(kinds, now.chance)
    yield ForestSpread(kinds=kinds, cards=len(cards))
    insects = now.chance.shuffle(range(KINDS))
    yield PileLaid(pile=insects[:PILE], unused=insects[PILE:])
    yield StartPlayerSet(seat=now.chance.choose(now.seats))


def _renumbered(kinds: Sequence[Kind], chance: Chance) -> tuple[Kind, ...]:
    """The same forest with cards and kinds renumbered at random, so that numbers tell nothing (II-R2)."""
    card = chance.shuffle(range(CARDS))
    return tuple(
        Kind((card[kind.left[0]], card[kind.left[1]]), (card[kind.right[0]], card[kind.right[1]]))
        for kind in chance.shuffle(kinds)
    )


@rules.reducer(cites=("II-16", "II-R21"))
def forest_spread(_forest: Forest, event: ForestSpread) -> Forest:
    """All forest cards start up (II-16)."""
    return Forest(kinds=event.kinds, down=(False,) * event.cards)


@rules.reducer(cites=("II-12", "II-13", "II-14", "II-15"))
def pile_laid(_insects: Insects, event: PileLaid) -> Insects:
    """One pile for all, and as many cards out of the game (II-13 to II-15)."""
    return Insects(pile=event.pile or (), unused=event.unused or ())


@rules.reducer(cites=("II-17", "II-23"))
def start_player_set(players: Players, event: StartPlayerSet) -> Players:
    """The start player changes hands (II-23)."""
    return replace(players, start=event.seat)


# ---------------------------------------------------------------- who may act


@rules.to_act
def to_act(position: Position) -> tuple[Seat, ...]:
    """First the start player alone (II-18), then everyone who may claim, all at once (II-19)."""
    return claimants(position) if position[Insects].revealed else (position[Players].start,)


@rules.legal
def legal(position: Position, seat: Seat) -> tuple[Command, ...]:
    """Every hand on one or two cards is a claim (II-20); the list of them is made once and shared."""
    if not position[Insects].revealed:
        return (Reveal(),)
    return every_claim() if position[Window].has_declared(seat) else _claims_and_declare()


@functools.cache
def _claims_and_declare() -> tuple[Command, ...]:
    return (*every_claim(), Declare())


@rules.waiting
def waiting(position: Position, _seat: Seat, command: Command) -> Refusal | None:
    """Why a player may not act. Of claims and declarations the deciders say it: being late comes first."""
    if not position[Insects].revealed:
        return _not_yet_revealed(position)
    return _revealed_already() if isinstance(command, Reveal) else None


def _not_yet_revealed(position: Position) -> Refusal:
    start = position[Players].start
    sentence = f"No insect has been revealed yet; {start}, the start player, reveals the first."
    return Refusal(code="not-yet-revealed", sentence=sentence, clause="II-18", facts={"start_player": start})


def _revealed_already() -> Refusal:
    sentence = "Only the first insect is revealed by the start player's command; the others follow by themselves."
    return Refusal(code="already-revealed", sentence=sentence, clause="II-37")


# ---------------------------------------------------------------- reveal


@rules.decider(cites=("II-18", "II-R13"))
def reveal(now: Now, _command: Reveal) -> Iterator[Event]:
    """The start player reveals the top insect card of the pile (II-18)."""
    if now[Insects].revealed:
        _refuse(_revealed_already())
    yield from reveals(now, "start", moment_of(now))


# ---------------------------------------------------------------- claims and declarations


@rules.decider(cites=("II-20", "II-41", "II-R15", "II-R26"))
def claim(now: Now, command: Claim) -> Iterator[Event]:
    """A player puts a hand on one or two cards (II-20); it is judged when the window is closed (II-R15)."""
    moment = _moment_that_counts(now)
    _refuse_waiting(now, moment)
    cards = command.cards
    if not 1 <= len(cards) <= 2:  # noqa: PLR2004 - the rulebook's number
        refuse("not-one-or-two-cards", f"A hand goes on one or two cards, not on {len(cards)}.", "II-R15")
    for card in cards:
        if not 0 <= card < len(now[Forest].down):
            refuse("no-such-card", f"There are forest cards 0 to {CARDS - 1}, not {card}.", "II-02", card=card)
    if len(set(cards)) < len(cards):
        refuse("same-card-twice", f"Card {cards[0]} is named twice.", "II-R15", card=cards[0])
    both = cards if len(cards) > 1 else (*cards, NO_CARD)
    if Hand(seat=now.seat, cards=both, moment=moment) in now[Window].repeatable:
        refuse("already-judged", "This claim has been judged already; it was delivered again.", "II-R27")
    yield ClaimEntered(seat=now.seat, cards=both, moment=moment)
    if now.options(InsectOptions).claims_window == "first-claim":
        yield from close(now)


@rules.reducer(cites=("II-R15", "II-R26"))
def claim_entered(window: Window, event: ClaimEntered) -> Window:
    """The hand takes its place in the window, and that of a later hand of the same player."""
    hand = Hand(seat=event.seat, moment=event.moment, cards=event.cards or ())
    return replace(window, hands=_with(window.hands, hand), latest=max(window.latest, event.moment))


@rules.decider(cites=("II-39", "II-R9", "II-R18"))
def declare(now: Now, _command: Declare) -> Iterator[Event]:
    """A player declares that it finds nothing (II-39)."""
    moment = _moment_that_counts(now)
    _refuse_waiting(now, LAST_MOMENT)
    if now[Window].has_declared(now.seat):
        refuse("already-declared", f"{now.seat} has declared already since the last reveal.", "II-R9")
    yield VainSearchDeclared(seat=now.seat, moment=moment)
    if window_length(now.position) == UNTIMED and not now[Window].hands and all_declared(now.position):
        yield from close(now)


@rules.reducer(cites=("II-39", "II-R9"))
def vain_search_declared(window: Window, event: VainSearchDeclared) -> Window:
    """The declaration stands until the next reveal (II-R9); the player may claim all the same (II-R18)."""
    said = Declaration(seat=event.seat, moment=event.moment)
    return replace(window, declared=_with(window.declared, said), latest=max(window.latest, event.moment))


Entry = TypeVar("Entry", Hand, Declaration)


def _with(entries: tuple[Entry, ...], new: Entry) -> tuple[Entry, ...]:
    """``new`` in the place of what its seat had among ``entries``; by the seats' names, whatever came first."""
    found = [entry for entry in entries if entry.seat != new.seat]
    found.append(new)
    found.sort(key=lambda entry: entry.seat)
    return tuple(found)


def _moment_that_counts(now: Now) -> int:
    """Moment of the command, if a window is open for it (II-18, II-R27); 0 where moments don't count."""
    if not now[Insects].revealed:
        _refuse(_not_yet_revealed(now.position))
    length = window_length(now.position)
    if length == UNTIMED:
        return 0
    moment, window = now.at, now[Window]
    if moment < window.since:
        sentence = "This was too late: its moment lies in a window that has been closed."
        refuse("too-late", sentence, "II-R27", moment=moment, window_since=window.since)
    if moment < window.latest - length:
        sentence = "Its moment lies further before the latest one of the log than a window is long."
        refuse("moment-too-early", sentence, "II-R27", moment=moment, latest=window.latest)
    return moment


def _refuse_waiting(now: Now, earlier_than: int) -> None:
    """Refuse players who are out (II-26), or have a hand in the window not later than ``earlier_than`` (II-R15)."""
    if now.seat in now[Players].skipping:
        sentence = f"{now.seat} is out until another player has succeeded or failed."
        raise NotYourTurn(Refusal(code="skipping", sentence=sentence, clause="II-26"))
    held = now[Window].hand_of(now.seat)
    if held is not None and held.moment <= earlier_than:
        sentence = f"{now.seat} has claimed already; the claim is judged when the window is closed."
        raise NotYourTurn(Refusal(code="already-claimed", sentence=sentence, clause="II-R15"))


def _refuse(refusal: Refusal) -> NoReturn:
    refuse(refusal.code, refusal.sentence, refusal.clause, **refusal.facts)


# ---------------------------------------------------------------- worlds that fit a view


@rules.determinize
def determinize(view: Position, chance: Chance) -> Position:
    """Insects that were never open are shuffled anew; hidden hands may lie on any two cards."""
    insects, window = view[Insects], view[Window]
    if None in insects.pile or None in insects.unused:
        seen = {*insects.open, *insects.removed, *(taken.kind for taken in view[Players].taken)}
        unseen = chance.shuffle(kind for kind in range(KINDS) if kind not in seen)
        at = len(insects.pile)
        insects = replace(insects, pile=unseen[:at], unused=unseen[at:])
    hands = tuple(
        replace(hand, cards=tuple(sorted(chance.draw(range(CARDS), 2)))) if None in hand.cards else hand
        for hand in window.hands
    )
    return view.having(insects, replace(window, hands=hands))
