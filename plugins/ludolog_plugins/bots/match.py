"""Games between bots: at a table, or in memory without a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from ludolog import (
    Bot,
    Catalogue,
    Chance,
    Command,
    Event,
    Outcome,
    Position,
    Receipt,
    Ruleset,
    Seat,
    Table,
    catalogue,
)
from ludolog.bots import bot_of
from ludolog.chance import seed_from, stream_key

__all__ = ["Match", "bot_chance", "bot_from", "play_match", "play_turn"]


def bot_from(spec: str, source: Catalogue | None = None) -> Bot:
    """A bot by name and options, such as ``"search"`` or ``"search:playouts=50:horizon=100"``.

    Raises:
        UnknownBot: No plugin has it.
        BadOptions: It has no such option, or not with such a value.
    """
    name, *given = spec.split(":")
    return bot_of((source or catalogue()).bot(name), given)


def bot_chance(seed: int | str | bytes | None, seat: Seat) -> Chance:
    """The chance of the bot at ``seat``; its own, so that it says nothing about the table's."""
    return Chance(stream_key(seed_from(seed), ((seat, "bot"),)))


def play_turn(table: Table, seat: Seat, bot: Bot, chance: Chance) -> Receipt:
    """Let ``bot`` play one command for ``seat``; it gets the seat's view and nothing else.

    Raises:
        CommandError: The seat may not act.
    """
    return table.play(seat, bot.choose(table.view(seat), table.legal(seat), chance))


_SECOND: Final = 1_000_000
_DAY: Final = 86_400 * _SECOND


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A game that bots played; ``outcome`` is ``None`` if it was broken off after ``moves`` commands."""

    position: Position
    moves: int

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self.position.outcome


def play_match(
    ruleset: Ruleset,
    seats: Sequence[Seat],
    bots: Mapping[Seat, Bot],
    seed: int | str | bytes | None,
    *,
    longest: int = 100_000,
) -> Match:
    """Play one game in memory, without a log.

    Chance comes as at a table with the same seed, so the same commands lead to the same game there.

    Args:
        ruleset: What is played.
        seats: By whom.
        bots: A bot a seat.
        seed: Of the game's chance and the bots'.
        longest: Commands after which the game is broken off.
    """
    game = _Game(ruleset, seats, seed_from(seed))
    order = bot_chance(seed, "")
    chances = {seat: bot_chance(seed, seat) for seat in seats}
    moves = 0
    while moves < longest and (acting := game.acting()):
        seat = order.choose(acting)
        legal = ruleset.legal(game.position, seat)
        game.decide(seat, bots[seat].choose(game.view(seat), legal, chances[seat]))
        moves += 1
    return Match(position=game.position, moves=moves)


class _Game:
    """A game in memory, and what each seat was told of it; every command takes a second of its time."""

    def __init__(self, ruleset: Ruleset, seats: Sequence[Seat], seed: bytes) -> None:
        self.ruleset = ruleset
        self.key = stream_key(seed)
        opening = ruleset.opening(seats)
        begun = ruleset.begin(opening, Chance(self.key, 1))
        self.position = begun.position
        self.place = 2
        self.moment = 0
        self.views = {seat: Position(ruleset, opening.slices, viewer=seat, is_view=True) for seat in seats}
        self.untold: dict[Seat, list[Event]] = {seat: list(begun.events) for seat in seats}

    def acting(self) -> tuple[Seat, ...]:
        """Who may act, after what is due; where all wait for time to pass, it passes."""
        while True:
            acting = self.ruleset.to_act(self.position)
            moment = self.moment if acting else self.moment + _DAY
            due = self.ruleset.due(self.position, moment)
            if due is None:
                return acting
            self.moment = moment
            self.decide(None, due)

    def view(self, seat: Seat) -> Position:
        """What ``seat`` knows."""
        self.views[seat] = view = self.ruleset.fold(self.views[seat], self.untold[seat], seat)
        self.untold[seat].clear()
        return view

    def decide(self, seat: Seat | None, command: Command) -> None:
        """Play a command."""
        decision = self.ruleset.decide(self.position, seat, command, Chance(self.key, self.place), self.moment)
        self.position = decision.position
        self.place += 1
        self.moment += _SECOND
        for events in self.untold.values():
            events.extend(decision.events)
