"""The bot ``hasty``: takes the best of a few legal commands picked at random.

Between ``random``, which hardly ever brings a long game to its proper end, and ``greedy``, which weighs everything.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludolog import BotPlugin, Chance, Command, Position, hookimpl
from ludolog.errors import BadOptions
from ludolog_plugins.bots.greedy import GreedyBot

__all__ = ["HastyBot", "ludolog_bot"]


class HastyBot:
    """Picks some legal commands at random and plays the one after which it stands best, in one world that may be.

    Args:
        picks: How many commands it looks at; with 1 it plays at random.

    Raises:
        BadOptions: It is to look at none.
    """

    def __init__(self, picks: int = 4) -> None:
        if picks < 1:
            msg = f"A hasty bot looks at 1 or more commands, not at {picks}."
            raise BadOptions(msg)
        self.picks = picks
        self._greedy = GreedyBot(worlds=1)

    def choose(self, view: Position, legal: Sequence[Command], chance: Chance) -> Command:
        """The best of ``picks`` of ``legal``."""
        picked = legal if len(legal) <= self.picks else chance.draw(legal, self.picks)
        return self._greedy.choose(view, picked, chance)


@hookimpl
def ludolog_bot() -> BotPlugin:
    """Manifest."""
    return BotPlugin(
        id="bots/hasty",
        title="Hasty",
        summary="Takes the best of a few legal commands picked at random.",
        make=HastyBot,
        options={"picks": 4},
    )
