"""How the seats stand in a position: what bots that look ahead compare positions by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import msgspec

from ludolog.errors import RulesFault
from ludolog_events import Seat

if TYPE_CHECKING:
    from ludolog.outcome import Outcome
    from ludolog.position import Position

__all__ = ["WON", "lacks_nothing", "standing"]

WON: Final = 1000
"""What a won game counts where the rules give no points; a lost one counts as much below zero, a draw nothing."""

_SO_FAR: Final = "so-far"


def standing(position: Position) -> dict[Seat, float]:
    """Points of each seat, the more the better: at the end by the outcome, before it by the game's estimate.

    A game gives its estimate by :meth:`Rules.value`, on the scale of its final scores (or of ``WON``, if it has
    none). Without one, the lines of its score sheet so far count.

    Raises:
        RulesFault: The game has no estimate, and its scoring can't be asked before the end.
    """
    game = position.ruleset.rules[1]
    if position.outcome is not None:
        return _at_the_end(position.outcome, position.seats)
    if game.value_function is not None:
        return dict(game.value_function(position))
    try:
        so_far = position.ruleset.score(position, _SO_FAR)
    except Exception as error:
        msg = (
            f"The scoring of {game.id} can't be asked before the end ({type(error).__name__}: {error}); "
            f"declare a @rules.value."
        )
        raise RulesFault(msg) from error
    return {seat: so_far.score(seat) for seat in position.seats}


def _at_the_end(outcome: Outcome, seats: tuple[Seat, ...]) -> dict[Seat, float]:
    if outcome.scores:
        return {seat: outcome.score(seat) for seat in seats}
    if outcome.drawn:
        return dict.fromkeys(seats, 0)
    last = max(len(outcome.ranking) - 1, 1)
    return {seat: WON - 2 * WON * place // last for place, level in enumerate(outcome.ranking) for seat in level}


def lacks_nothing(value: object) -> bool:
    """Whether a value of a view holds no ``None``, which stands for what was not told."""
    if isinstance(value, msgspec.Struct):
        return all(lacks_nothing(getattr(value, name)) for name in value.__struct_fields__)
    if isinstance(value, tuple):
        items = cast("tuple[object, ...]", value)
        return all(map(lacks_nothing, items))
    return value is not None
