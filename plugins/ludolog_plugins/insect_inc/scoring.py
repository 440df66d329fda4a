"""Ways for the game to end, and the outcome: whoever has taken the most insects wins."""

from __future__ import annotations

from collections import Counter

from ludolog import Outcome, Position, ScoreLine
from ludolog_plugins.insect_inc.state import (
    ENDS,
    TARGET_SIZES,
    End,
    Forest,
    InsectOptions,
    Insects,
    Players,
    rules,
)

__all__ = ["outcome", "target"]


def target(position: Position) -> int:
    """How many insects end the game with so many players (II-49 to II-51)."""
    return position.slot(TARGET_SIZES)[len(position.seats)]


def _target_reached(position: Position, _due: bool) -> bool:  # noqa: FBT001 - as every entry of the slot
    """Somebody has taken as many insects as the target (II-48)."""
    taken = Counter(taken.seat for taken in position[Players].taken)
    return max(taken.values(), default=0) >= target(position)


def _forest_down(position: Position, _due: bool) -> bool:  # noqa: FBT001
    """All forest cards are down (II-47)."""
    return all(position[Forest].down)


def _pile_empty(position: Position, due: bool) -> bool:  # noqa: FBT001
    """No card is left in the pile (II-46); or, by option, a reveal is due and none is left (II-R11)."""
    late = position.options(InsectOptions).pile_end == "reveal-due"
    return not position[Insects].pile and (due or not late)


rules.add(ENDS, "target", End(_target_reached, "A player has taken enough insects.", "II-48"), cites="II-48")
rules.add(ENDS, "forest-down", End(_forest_down, "All forest cards are down.", "II-47"), cites="II-47")
rules.add(ENDS, "pile-empty", End(_pile_empty, "No insect card is left in the pile.", "II-46"), cites="II-46")


@rules.scoring
def outcome(position: Position, reason: str) -> Outcome:
    """Each insect taken counts one, nothing else counts; players level on the most share the win (II-52, II-R12)."""
    end = position.slot(ENDS).get(reason)
    players = position[Players]
    return Outcome.by_score(
        {
            seat: (ScoreLine(label="insects", points=len(players.kinds_of(seat)), clause="II-52"),)
            for seat in position.seats
        },
        reason=reason,
        sentence=end.sentence if end is not None else "The game goes on.",
        clause=end.clause if end is not None else "",
    )
