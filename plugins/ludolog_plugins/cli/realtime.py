"""``play`` against the clock: bots react at their moments, a countdown runs, and the person types what it touches.

A game of this kind is one line in ``_LIVE``: its id, and the module that lets bots react. Nothing of the rules is here:
the person's commands and the bots' go to the table with their moments, and time passes by the table's ticks.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import select
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, Protocol, cast

from rich.live import Live
from rich.text import Text

from ludolog import Bot, Seat, Table
from ludolog.errors import CommandError, MalformedCommand
from ludolog_plugins.bots.match import bot_chance, bot_from
from ludolog_plugins.cli.arguments import STORE_FILE
from ludolog_plugins.cli.console import clean, console, draw, headline, say
from ludolog_plugins.cli.telling import picture, say_how_to_go_on, say_how_to_look_back, tell, tell_outcome

__all__ = ["DEFAULT_BOTS", "Keys", "LiveSession", "live_bots", "live_keys", "live_session", "steady_clock"]

_LIVE: Final = {"insect-inc": "ludolog_plugins.insect_inc.realtime"}
"""Games that are played against the clock, and where their bots' timing is."""

DEFAULT_BOTS: Final = "insect"
_LOOK: Final = 0.1
"""Seconds between looks at the clock."""

_HELP: Final = "type card numbers and Enter, such as 7 31; n: I find nothing; l: look again; q: leave"
_ERASE: Final = frozenset({"\x7f", "\b"})
_ENTER: Final = frozenset({"\r", "\n"})


class Keys(Protocol):
    """Where keys come from while time passes."""

    def key(self, seconds: float) -> str | None:
        """The next key; ``None`` if none is pressed for so long, empty when there are no more."""
        ...


def steady_clock(not_before: int = 0) -> Callable[[], int]:
    """A clock in microseconds since 1970 that never steps back, whatever happens to the system's."""
    began = max(time.time_ns() // 1000, not_before)
    started = time.monotonic_ns()
    return lambda: began + (time.monotonic_ns() - started) // 1000


class _Pressed:
    """Characters of the standard input, as they come."""

    def key(self, seconds: float) -> str | None:
        """The next character."""
        try:
            handle = sys.stdin.fileno()
        except OSError:  # not a real file, as in a program that runs this one
            return sys.stdin.read(1)
        if not select.select([handle], [], [], seconds)[0]:
            return None
        return os.read(handle, 1).decode("utf-8", errors="replace")


class _PressedOnWindows:
    """The same where the standard input can't be waited for."""

    def key(self, seconds: float) -> str | None:
        """The next character."""
        console_keys = cast("Any", import_module("msvcrt"))
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if console_keys.kbhit():
                pressed: str = console_keys.getwch()
                if pressed == "\x03":
                    raise KeyboardInterrupt
                return pressed
            time.sleep(0.01)
        return None


@contextlib.contextmanager
def live_keys() -> Generator[Keys]:
    """The keyboard, key by key and without echo if it is a terminal, as it was at the end."""
    if sys.platform == "win32":
        yield _PressedOnWindows()
        return
    if not sys.stdin.isatty():
        yield _Pressed()
        return
    import termios  # noqa: PLC0415 - only where there are terminals of this kind
    import tty  # noqa: PLC0415

    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        yield _Pressed()
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def live_bots(specs: str, seats: Sequence[Seat]) -> dict[Seat, Bot]:
    """A bot for each seat that takes its time, from names divided by commas and used in turn."""
    names = [name.strip() for name in (specs or DEFAULT_BOTS).split(",")]
    return {seat: bot_from(names[place % len(names)]) for place, seat in enumerate(seats)}


def live_session(table: Table, me: Seat, specs: str, place: str = STORE_FILE) -> LiveSession | None:
    """A sitting against the clock; ``None`` where the game knows none."""
    if table.ruleset.game.id not in _LIVE:
        return None
    rivals = live_bots(specs, [seat for seat in table.seats if seat != me])
    last = next((batch.time for batch in table.journal.batches(table.length - 1)), 0)
    return LiveSession(table, me, rivals, clock=steady_clock(last + 1), place=place)


class LiveSession:
    """One sitting of a person at a table, while time passes; it looks at nothing but what the seat was told."""

    def __init__(
        self,
        table: Table,
        me: Seat,
        bots: Mapping[Seat, Bot],
        *,
        clock: Callable[[], int],
        keys: Keys | None = None,
        place: str = STORE_FILE,
    ) -> None:
        self.table = table
        self.me = me
        self.clock = clock
        self.timing: Any = import_module(_LIVE[table.ruleset.game.id])
        chances = {seat: bot_chance(secrets.token_bytes(32), seat) for seat in bots}
        self.game = self.timing.RealTime(table, bots, chances, began=clock())
        self.keys = keys
        self.place = place
        self.told = table.length
        self.typed = ""
        self.seen = -1

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        headline(f"{self.table.ruleset.game.title}: you are {self.me}, table {self.table.id}")
        say(f"Against the clock: {_HELP}.", "dim")
        with contextlib.ExitStack() as stack:
            keys = self.keys or stack.enter_context(live_keys())
            out = console()
            live = stack.enter_context(Live(console=out, auto_refresh=False)) if out.is_terminal else None
            stayed = self._loop(keys, live)
        if not stayed:
            self.say_how_to_go_on()
            return
        if self.table.outcome is not None:
            tell_outcome(self.table.outcome)
        say_how_to_look_back(self.table, self.me, self.place)

    def say_how_to_go_on(self) -> None:
        """Everything is kept already."""
        say_how_to_go_on(self.table, self.me, self.place)

    def _loop(self, keys: Keys, live: Live | None) -> bool:
        """Let time pass and the person act; whether the game came to its end."""
        while True:
            self.game.advance(self.clock())
            self._tell_news(live)
            if self.table.over:
                return True
            if live is not None:
                live.update(Text(clean(self._footer())), refresh=True)
            key = keys.key(_LOOK)
            if key is not None and not self._pressed(key, live):
                return False

    def _footer(self) -> str:
        """The countdown, and what is typed."""
        last: int | None = self.timing.deadline(self.table.position)
        if self.me not in self.table.to_act:
            state = "You wait."
        elif not self.seen:
            state = "Press Enter to begin."
        elif last is None:
            state = "Look for the open insects!"
        else:
            state = "Quick!"
        left = f" The hands are looked at in {max(last - self.clock(), 0) / 1e6:.1f} s." if last is not None else ""
        return f"{state}{left}\n> {self.typed}"

    def _tell_news(self, live: Live | None) -> None:
        for found in tell(self.table, self.me, self.told):
            for sentence in found.sentences:
                self._say(live, f"* {sentence}")
        self.told = self.table.length
        revealed: int = self.timing.window_number(self.table.position)
        if revealed != self.seen:
            self.seen = revealed
            self._look(live)

    def _look(self, live: Live | None) -> None:
        text = picture(self.table.view(self.me))
        if live is None:
            draw(f"\n{text}\n")
        else:
            live.console.print(Text(f"\n{clean(text)}\n"), soft_wrap=True)

    def _say(self, live: Live | None, text: str, style: str = "") -> None:
        if live is None:
            say(text, style)
        else:
            live.console.print(Text(clean(text), style=style))

    def _pressed(self, key: str, live: Live | None) -> bool:
        """Take one key; whether the person stays."""
        if key in {"", "\x04"}:
            return False
        if key in _ENTER:
            line, self.typed = self.typed.strip().lower(), ""
            return self._entered(line, live)
        if key in _ERASE:
            self.typed = self.typed[:-1]
        elif key.isprintable() and len(self.typed) < 20:  # noqa: PLR2004 - two numbers and room for slips
            self.typed += key
        return True

    def _entered(self, line: str, live: Live | None) -> bool:
        if line == "q":
            return False
        if line == "l":
            self._look(live)
            return True
        try:
            command = self.timing.command_from(self.table.view(self.me), line)
            self.game.play(self.me, command, at=self.clock())
        except (ValueError, MalformedCommand):
            self._say(live, f"{line!r} is none of these: {_HELP}.", "yellow")
        except CommandError as error:
            self._say(live, str(error), "yellow")
        return True
