"""Playing against the clock: who reacts when. The clock itself stays with the host, which passes moments in.

A host in real time holds a table, a :class:`RealTime` with the bots' seats, and a clock::

    game = RealTime(table, {"bob": bot}, {"bob": chance}, began=now())
    while not table.over:
        game.advance(now())                                     # what has happened by now, in order
        if hand is not None:                                    # what a person did in the meantime
            game.play("ann", Claim(cards=hand), at=now())
        ...                                                     # wait until game.next_moment, at most a little

Simulations pass ``game.next_moment`` itself, and no time passes at all. Where the window is ``until-closed``, it is
closed when everyone has claimed or declared: then bots and persons play in blind rounds. The rules are the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from ludolog import Chance, Command, Position, Seat, Table
from ludolog_plugins.insect_inc.commands import Claim, CloseWindow, Declare, Reveal
from ludolog_plugins.insect_inc.state import Insects, Players, Window
from ludolog_plugins.insect_inc.story import cards_in_words
from ludolog_plugins.insect_inc.window import UNTIMED, all_submitted, deadline, is_full, window_length

__all__ = ["Happened", "Reacting", "RealTime", "command_from", "deadline", "prompt", "window_number"]


class Reacting(Protocol):
    """A bot that takes its time."""

    def delay(self, view: Position, chance: Chance) -> int:
        """Microseconds from the reveal of an insect until the bot acts."""
        ...

    def choose(self, view: Position, legal: Sequence[Command], chance: Chance) -> Command:
        """What it does then: one of ``legal``."""
        ...


def window_number(position: Position) -> int:
    """How many windows there were: with each reveal there is another one to look at."""
    return position[Insects].revealed


def prompt(view: Position, seat: Seat) -> str:
    """What a person at ``seat`` may do now, or what it waits for, in a sentence."""
    window, start = view[Window], view[Players].start
    hand = window.hand_of(seat)
    if not window_number(view):
        return "Press Enter to reveal the first insect." if seat == start else f"{start} reveals the first insect."
    if seat in view[Players].skipping:
        return "You wait: you are out until another player has succeeded or failed."
    if hand is not None:
        return f"You wait: your hand is on {cards_in_words(hand.cards)}."
    if window.has_declared(seat):
        return "You found nothing, but you may still look for the open insects."
    return "Look for the open insects!"


def command_from(view: Position, typed: str) -> Command:
    """What a person means who types card numbers, ``n`` for finding nothing, or nothing to reveal the first insect.

    Raises:
        ValueError: It is none of these.
    """
    words = typed.replace(",", " ").split()
    if not words and not window_number(view):
        return Reveal()
    if words == ["n"]:
        return Declare()
    if not words:
        msg = "nothing was typed"
        raise ValueError(msg)
    return Claim(cards=tuple(int(word) for word in words))


class Happened(NamedTuple):
    """Something that :meth:`RealTime.advance` did; ``seat`` and ``command`` are ``None`` for a window's closing."""

    moment: int
    seat: Seat | None
    command: Command | None


class RealTime:
    """Lets bots act at their moments, and time pass between them.

    Args:
        table: What is played; others may play at it, too.
        bots: A bot for each seat that is not a person's.
        chances: The chance of each bot, its own.
        began: The moment at which the bots begin to look.
    """

    def __init__(
        self, table: Table, bots: Mapping[Seat, Reacting], chances: Mapping[Seat, Chance], *, began: int
    ) -> None:
        self.table = table
        self._bots = bots
        self._chances = chances
        self._seen = -1
        self._moment = began
        self._plans: dict[Seat, int] = {}

    @property
    def next_moment(self) -> int | None:
        """When something will happen unless a person acts before; ``None`` if only persons can go on."""
        if self.table.over:
            return None
        self._plan()
        moments = [self._plans[seat] for seat in self._waiting()]
        last = deadline(self.table.position)
        if last is not None:
            # It is full where whoever recorded the last claim could not record the closing step, too.
            moments.append(self._moment if is_full(self.table.position) else last + 1)
        elif self._round_is_complete():
            return self._moment
        return min(moments, default=None)

    def advance(self, moment: int) -> list[Happened]:
        """Let everything happen that is due by ``moment``, in the order of its moments."""
        done: list[Happened] = []
        while (following := self.next_moment) is not None and following <= moment:
            self._moment = max(self._moment, following)
            done.append(self._step(following))
        return done

    def play(self, seat: Seat, command: Command, *, at: int) -> list[Happened]:
        """Play a person's command, after everything that is due by its moment; what happened before it.

        Raises:
            CommandError: It was refused.
        """
        done = self.advance(at)
        self._moment = max(self._moment, at)
        self.table.play(seat, command, at=at)
        return done

    def _step(self, moment: int) -> Happened:
        if self.table.due(moment) is not None:
            self.table.tick(at=moment)
            return Happened(moment, None, None)
        if self._round_is_complete():
            self.table.play(None, CloseWindow(), at=moment)
            return Happened(moment, None, None)
        seat = min(self._waiting(), key=lambda seat: (self._plans[seat], seat))
        command = self._bots[seat].choose(self.table.view(seat), self.table.legal(seat), self._chances[seat])
        self.table.play(seat, command, at=moment)
        return Happened(moment, seat, command)

    def _round_is_complete(self) -> bool:
        """Whether the host has to close the window, since all hands are in it."""
        position = self.table.position
        return window_length(position) == UNTIMED and bool(position[Window].hands) and all_submitted(position)

    def _waiting(self) -> list[Seat]:
        """Bots that will act: whoever has declared looks again only after the next reveal."""
        window = self.table.position[Window]
        return [seat for seat in self.table.to_act if seat in self._plans and not window.has_declared(seat)]

    def _plan(self) -> None:
        """With each reveal every bot looks anew."""
        revealed = self.table.position[Insects].revealed
        if revealed == self._seen:
            return
        self._seen = revealed
        # Where moments count, the window says when it began, however late the host looks.
        since = self.table.position[Window].since or self._moment
        self._plans = {
            seat: since + bot.delay(self.table.view(seat), self._chances[seat]) for seat, bot in self._bots.items()
        }
