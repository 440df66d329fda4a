"""The bot ``insect``: looks for the open insects of insect inc., takes its time, and makes mistakes."""

from __future__ import annotations

from collections.abc import Sequence

from ludolog import BotPlugin, Chance, Command, Position, hookimpl
from ludolog.errors import BadOptions
from ludolog_plugins.insect_inc.commands import Claim, Declare
from ludolog_plugins.insect_inc.judging import catchable
from ludolog_plugins.insect_inc.state import Forest, Insects

__all__ = ["InsectBot", "ludolog_bot"]


class InsectBot:
    """Claims an open insect if it finds one that can be captured, else says that it finds none.

    Args:
        reaction: Milliseconds that it looks, on average.
        spread: By how many milliseconds a look may be shorter or longer.
        errors: How many claims of a hundred are wrong.
        misses: How many times of a hundred it doesn't find what is there.

    Raises:
        BadOptions: A number is out of range.
    """

    def __init__(self, reaction: int = 12_000, spread: int = 8_000, errors: int = 8, misses: int = 10) -> None:
        if not (0 <= spread <= reaction and 0 <= errors <= 100 and 0 <= misses <= 100):  # noqa: PLR2004 - percent
            msg = "An insect bot's spread goes from 0 to its reaction, its errors and misses from 0 to 100."
            raise BadOptions(msg)
        self.reaction = reaction
        self.spread = spread
        self.errors = errors
        self.misses = misses

    def delay(self, view: Position, chance: Chance) -> int:  # noqa: ARG002 - as every bot that takes its time
        """Microseconds that it looks this time."""
        return (self.reaction - self.spread) * 1000 + chance.below(2 * self.spread * 1000 + 1)

    def choose(self, view: Position, legal: Sequence[Command], chance: Chance) -> Command:
        """A claim, or the word that it finds nothing."""
        declare = Declare()
        if len(legal) == 1:
            return legal[0]
        if chance.below(100) < self.errors:
            return _mistake(view, chance)
        found = [Claim(cards=pair) for kind in view[Insects].open for pair in catchable(view, kind)]
        if found and (declare not in legal or chance.below(100) >= self.misses):
            return chance.choose(found)
        return declare if declare in legal else _mistake(view, chance)


def _mistake(view: Position, chance: Chance) -> Claim:
    """A claim as a hasty player makes it: a card of an open insect, alone or with another card."""
    kind = view[Forest].kinds[chance.choose(view[Insects].open)]
    card = chance.choose((*kind.left, *kind.right))
    other = chance.choose((*kind.left, *kind.right, chance.below(len(view[Forest].down))))
    return Claim(cards=(card, other) if card != other else (card,))


@hookimpl
def ludolog_bot() -> BotPlugin:
    """Manifest."""
    return BotPlugin(
        id="bots/insect",
        title="Insect hunter",
        summary="Looks for the open insects of insect inc., takes its time, and makes mistakes.",
        make=InsectBot,
        options={"reaction": 12_000, "spread": 8_000, "errors": 8, "misses": 10},
    )
