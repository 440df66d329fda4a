"""Sample games that bots play, where random commands would hardly bring a game to its end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ludolog.bots import bot_of
from ludolog.catalogue import catalogue
from ludolog.chance import Chance
from ludolog.ruleset import Ruleset
from ludolog.table import Table
from ludolog.testing.subject import Settings, Subject
from ludolog_events import Command, Seat

__all__ = ["BotSubject"]

_SECOND: Final = 1_000_000


class BotSubject(Subject):
    """A ruleset under test whose sample games are played by bots; commands of the host there are none.

    Args:
        ruleset: What is tested.
        count: With how many seats.
        settings: How.
        bot: Whose bots sit there: a bot with its options, such as ``"hasty"`` or ``"search:playouts=50"``.

    Raises:
        UnknownBot: No plugin has it.
        BadOptions: It has no such option, or not with such a value.
    """

    def __init__(self, ruleset: Ruleset, count: int, settings: Settings, bot: str) -> None:
        super().__init__(ruleset, count, settings)
        name, *given = bot.split(":")
        plugin = catalogue().bot(name)
        self._bots = {seat: bot_of(plugin, given) for seat in self.seats}

    def turns_at(self, table: Table, chance: Chance, at: int) -> Iterator[tuple[Seat | None, Command]]:
        """What falls due by ``at``, alone; else what the bot of one of the seats that may act chooses from its view."""
        due = table.due(at)
        if due is not None:
            yield None, due
            return
        for seat in chance.shuffle(table.to_act):
            listed = self.listed(table.position, seat)
            if listed:
                yield seat, self._bots[seat].choose(table.view(seat), listed, chance)

    def next_moment(self, table: Table, chance: Chance, at: int) -> int:
        """A second later, unless everyone waits for something to fall due."""
        return at + _SECOND if table.to_act else super().next_moment(table, chance, at)
