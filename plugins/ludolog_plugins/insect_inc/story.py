"""How events and commands read, for whoever was told just that much."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ludolog import Position
from ludolog_plugins.insect_inc.commands import Claim, CloseWindow, Declare, Reveal
from ludolog_plugins.insect_inc.events import (
    ClaimEntered,
    ClaimFailed,
    ForestSpread,
    ForestTurned,
    HiddenShown,
    InsectRemoved,
    InsectRevealed,
    InsectTaken,
    PileLaid,
    SkipEnded,
    StartPlayerSet,
    VainSearchDeclared,
    WindowClosed,
)
from ludolog_plugins.insect_inc.state import FAILURES, NO_CARD, rules

__all__ = ["cards_in_words", "listed"]

_CAUSES: Final = {
    "start": "Insect {kind} is revealed.",
    "batch": "Insect {kind} is revealed.",
    "declared": "Nobody finds anything; insect {kind} is revealed.",
    "faces": "No open insect can be completed with equal faces; insect {kind} is revealed.",
}


def listed(items: Iterable[object]) -> str:
    """Such as ``"3, 17 and 40"``."""
    words = [str(item) for item in items]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def cards_in_words(cards: tuple[int | None, ...]) -> str:
    """The cards under a hand, as far as they are known: ``"cards 3 and 17"``."""
    if None in cards:
        return "the forest"
    touched = [card for card in cards if card != NO_CARD]
    return f"card{'s' if len(touched) > 1 else ''} {listed(touched)}"


# ---------------------------------------------------------------- events


@rules.sentence
def _forest_spread(_position: Position, event: ForestSpread) -> str:
    return f"The {event.cards} forest cards are spread, all of them up."


@rules.sentence
def _pile_laid(_position: Position, event: PileLaid) -> str:
    return f"The pile has {len(event.pile or ())} insect cards; {len(event.unused or ())} leave the game unseen."


@rules.sentence
def _start_player_set(_position: Position, event: StartPlayerSet) -> str:
    return f"{event.seat} is the start player."


@rules.sentence
def _insect_revealed(_position: Position, event: InsectRevealed) -> str:
    return _CAUSES[event.cause].format(kind=event.kind)


@rules.sentence
def _claim_entered(_position: Position, event: ClaimEntered) -> str:
    return f"{event.seat} puts a hand on {cards_in_words(event.cards or (None,))}."


@rules.sentence
def _vain_search_declared(_position: Position, event: VainSearchDeclared) -> str:
    return f"{event.seat} finds nothing."


@rules.sentence
def _window_closed(_position: Position, event: WindowClosed) -> str:
    if not event.hands:
        return "Everyone has given up looking."
    hands = listed(f"{hand.seat}'s on {cards_in_words(hand.cards)}" for hand in event.hands)
    return f"The hands are looked at: {hands}."


@rules.sentence
def _insect_taken(_position: Position, event: InsectTaken) -> str:
    return f"{event.seat} takes insect {event.kind}."


@rules.sentence
def _insect_removed(_position: Position, event: InsectRemoved) -> str:
    return f"{listed(event.seats)} found insect {event.kind} at once; it leaves the game."


@rules.sentence
def _claim_failed(position: Position, event: ClaimFailed) -> str:
    return f"{event.seat} fails: {position.slot(FAILURES)[event.failure].sentence}."


@rules.sentence
def _forest_turned(_position: Position, event: ForestTurned) -> str:
    cards, are = ("cards", "are") if len(event.cards) > 1 else ("card", "is")
    return f"Forest {cards} {listed(event.cards)} {are} turned down."


@rules.sentence
def _skip_ended(_position: Position, event: SkipEnded) -> str:
    return f"{listed(event.seats)} may claim again."


@rules.sentence
def _hidden_shown(_position: Position, event: HiddenShown) -> str:
    pile = f"in the pile {listed(event.pile)}" if event.pile else "nothing in the pile"
    return f"What was hidden: {pile}; out of the game {listed(event.unused)}."


# ---------------------------------------------------------------- commands


@rules.sentence
def _reveal(_position: Position, _command: Reveal) -> str:
    return "Reveal the first insect."


@rules.sentence
def _claim(_position: Position, command: Claim) -> str:
    return f"Put a hand on {cards_in_words(command.cards)}."


@rules.sentence
def _declare(_position: Position, _command: Declare) -> str:
    return "Say that you find nothing."


@rules.sentence
def _close_window(_position: Position, _command: CloseWindow) -> str:
    return "Look at the hands."
