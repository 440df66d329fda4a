"""The bot ``random``: every legal command is as likely as the other."""

from __future__ import annotations

from collections.abc import Sequence

from ludolog import BotPlugin, Chance, Command, Position, hookimpl

__all__ = ["RandomBot", "ludolog_bot"]


class RandomBot:
    """Plays any legal command."""

    def choose(self, view: Position, legal: Sequence[Command], chance: Chance) -> Command:  # noqa: ARG002 - see Bot
        """One of ``legal``."""
        return chance.choose(legal)


@hookimpl
def ludolog_bot() -> BotPlugin:
    """Manifest."""
    return BotPlugin(
        id="bots/random",
        title="Random",
        summary="Plays any legal command, each as likely as the other.",
        make=RandomBot,
    )
