"""Who has won, and why; and what ends the game after a turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from ludolog import Now, Outcome, Position, Seat, Slot
from ludolog_plugins.dark_is_the_night.data import DARK, STABBED
from ludolog_plugins.dark_is_the_night.deduction import deduced_spaces
from ludolog_plugins.dark_is_the_night.state import Camp, Dark, Night, NightOptions, rules

__all__ = ["ENDINGS", "TURN_ENDS", "Ending", "outcome", "value"]

TurnEnd: TypeAlias = Callable[[Now], str]


def _sunrise(now: Now) -> str:
    """The five turns after the last item are over (DN-84)."""
    return "sunrise" if now[Night].left == 0 else ""


def _cap(now: Now) -> str:
    """The table's cap on the turns of both sides together is reached (DN-R26)."""
    cap = now.options(NightOptions).turn_cap
    return "cap" if cap and now[Night].turn > cap else ""


TURN_ENDS: Final[Slot[TurnEnd]] = rules.slot(
    Slot("turn-ends", "What ends the game after a turn: each gives the reason of an ending, or an empty text."),
)
rules.add(TURN_ENDS, "sunrise", _sunrise, cites="DN-84")
rules.add(TURN_ENDS, "cap", _cap, cites="DN-R26")


class Ending(NamedTuple):
    """Who wins (``"hunter"``, ``"monster"``, or ``""`` for nobody), in which words, and by which clause."""

    winner: str
    sentence: str
    clause: str


ENDINGS: Final[Slot[Ending]] = rules.slot(Slot("endings", "How the game can end, by reason."))
rules.add(ENDINGS, "sword", Ending("hunter", "{hunter} stabbed the Monster.", "DN-40"), cites="DN-40")
rules.add(ENDINGS, "bolt", Ending("hunter", "{hunter} shot the Monster.", "DN-47"), cites="DN-47")
rules.add(ENDINGS, "attack", Ending("monster", "The Monster of {monster} got the Hunter.", "DN-70"), cites="DN-70")
rules.add(ENDINGS, "sunrise", Ending("", "The sun rises, and nobody has won.", "DN-85"), cites="DN-85")
rules.add(ENDINGS, "cap", Ending("", "The last turn of all is over, and nobody has won.", "DN-R26"), cites="DN-R26")


@rules.scoring
def outcome(position: Position, reason: str) -> Outcome:
    """Whoever eliminates the other wins; a game that ends otherwise is a draw (DN-04, DN-23, DN-85, DN-R26)."""
    night = position[Night]
    ending = position.slot(ENDINGS)[reason]
    sides = {"hunter": (night.hunter, night.monster), "monster": (night.monster, night.hunter)}
    ranking = tuple((seat,) for seat in sides[ending.winner]) if ending.winner else (position.seats,)
    return Outcome(
        reason=reason,
        sentence=ending.sentence.format(hunter=night.hunter, monster=night.monster),
        ranking=ranking,
        clause=ending.clause,
        drawn=not ending.winner,
    )


_GUESSED_OUT: Final = 20
"""What a space is worth where the Hunter knows that the Monster is not; far less than a hit, which is ``WON``."""

_ITEM: Final = 30
_FACING: Final = 150


@rules.value
def value(position: Position) -> dict[Seat, int]:
    """The Hunter stands well who knows where the Monster can be and has items left, the Monster that may attack her."""
    night, dark, camp = position[Night], position[Dark], position[Camp]
    possible = deduced_spaces(position)
    known = sum(1 for space in DARK if space not in possible) * _GUESSED_OUT
    facing = night.stage == "action" and night.turn % 2 == 0 and dark.dial in STABBED[camp.space]
    return {night.hunter: known + _ITEM * len(camp.items), night.monster: _FACING * facing}
