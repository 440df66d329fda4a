"""The bot ``greedy``: looks one command ahead, by the game's own score lines."""

from __future__ import annotations

from collections.abc import Sequence

from ludolog import BotPlugin, Chance, Command, Position, Seat, hookimpl
from ludolog.errors import BadOptions
from ludolog.standing import lacks_nothing

__all__ = ["GreedyBot", "ludolog_bot"]


class GreedyBot:
    """Plays the command after which it stands best before its strongest rival.

    Args:
        worlds: How many full positions are drawn that fit the view; their results count alike.

    Raises:
        BadOptions: There is to be no world at all.
    """

    def __init__(self, worlds: int = 4) -> None:
        if worlds < 1:
            msg = f"A greedy bot looks at 1 or more worlds, not at {worlds}."
            raise BadOptions(msg)
        self.worlds = worlds

    def choose(self, view: Position, legal: Sequence[Command], chance: Chance) -> Command:
        """The best of ``legal`` for ``view.viewer``; among equals any."""
        seat = view.viewer
        if len(legal) == 1 or seat is None:
            return chance.choose(legal)
        totals = [0.0] * len(legal)
        for number in range(self.worlds):
            world = view.ruleset.determinize(view, chance)
            before = chance.drawn
            for place, command in enumerate(legal):
                totals[place] += lead(view.ruleset.decide(world, seat, command, chance).position, seat)
            # Where nothing is hidden and nothing was drawn, every world gives the same.
            if chance.drawn == before and number + 1 < self.worlds and all(map(lacks_nothing, view.slices.values())):
                break
        best = max(totals)
        return chance.choose([command for command, total in zip(legal, totals, strict=True) if total == best])


def lead(position: Position, seat: Seat) -> float:
    """Points by which ``seat`` is ahead of its strongest rival in a full position; below zero if it is behind."""
    points = position.ruleset.value(position)
    return points[seat] - max((points[other] for other in position.seats if other != seat), default=0)


@hookimpl
def ludolog_bot() -> BotPlugin:
    """Manifest."""
    return BotPlugin(
        id="bots/greedy",
        title="Greedy",
        summary="Looks one command ahead, by the game's own score lines.",
        make=GreedyBot,
        options={"worlds": 4},
    )
