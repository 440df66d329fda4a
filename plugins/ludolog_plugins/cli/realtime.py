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
import textwrap
import time
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, Protocol, TypeAlias, cast

from ludolog import Bot, Seat, Table
from ludolog.errors import CommandError, MalformedCommand
from ludolog_plugins.bots.match import bot_chance, bot_from
from ludolog_plugins.cli.arguments import STORE_FILE
from ludolog_plugins.cli.console import console, draw, headline, say
from ludolog_plugins.cli.screen import LineScreen
from ludolog_plugins.cli.telling import picture, say_how_to_go_on, say_how_to_look_back, tell, tell_outcome

__all__ = [
    "DEFAULT_BOTS",
    "Keys",
    "LiveSession",
    "live_bots",
    "live_keys",
    "live_session",
    "plays_live",
    "steady_clock",
]

_LIVE: Final = {"insect-inc": "ludolog_plugins.insect_inc.realtime"}
"""Games that are played against the clock, and where their bots' timing is."""

DEFAULT_BOTS: Final = "insect"
_LOOK: Final = 0.1
"""Seconds between looks at the clock."""

_TYPED: Final = 10
"""Columns for what is typed, before the line says what can be."""

_TOLD: Final = 6
"""Lines for what happened last, where there is room for so many."""

_REMEMBERED: Final = 20
"""Sentences that may still stand on the screen."""

_HELP: Final = "two card numbers and Enter, such as 7 31; n: I find nothing; q: leave"
_ESCAPE: Final = "\x1b"
_ERASE: Final = frozenset({"\x7f", "\b"})
_ENTER: Final = frozenset({"\r", "\n"})


class Keys(Protocol):
    """Where keys come from while time passes."""

    def key(self, seconds: float) -> str | None:
        """The next key; ``None`` if none is pressed for so long, empty when there are no more."""
        ...

    def forget(self) -> None:
        """Let keys that were pressed and not asked for yet be as if they had not been pressed."""
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

    def forget(self) -> None:
        """What a file or a program says was meant to be read."""


class _PressedInTerminal(_Pressed):
    """Keys of a terminal."""

    def key(self, seconds: float) -> str | None:
        """The next key; arrows and the like are one key, and none that is typed."""
        found = super().key(seconds)
        while found == _ESCAPE and super().key(0):
            pass
        return found

    def forget(self) -> None:
        """Nobody has read them."""
        import termios  # noqa: PLC0415 - only where there are terminals of this kind

        termios.tcflush(sys.stdin, termios.TCIFLUSH)


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

    def forget(self) -> None:
        """Nobody has read them."""
        console_keys = cast("Any", import_module("msvcrt"))
        while console_keys.kbhit():
            console_keys.getwch()


@contextlib.contextmanager
def live_keys() -> Generator[Keys]:
    """The keyboard, key by key and without echo if it is a terminal; as it was at the end, with no key left over."""
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
        yield _PressedInTerminal()
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSAFLUSH, before)


def plays_live(game: str) -> bool:
    """Whether a game is played against the clock: then time passes, and its bots need no options that do without."""
    return game in _LIVE


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


class _Printed:
    """What happens, line by line; for programs that read along, and terminals that can do no more."""

    def tell(self, sentence: str, style: str = "") -> None:
        """Tell one thing that happened."""
        say(sentence, style)

    def look(self, text: str, *, asked: bool) -> None:
        """Show the picture, if somebody asks for it."""
        if asked:
            draw(f"\n{text}\n")

    def refresh(self, state: str, typed: str) -> None:
        """A prompt again and again would be no help here."""


class _Framed:
    """The picture on top, below it what happened last, at the bottom the prompt; only what changes is written."""

    def __init__(self, screen: LineScreen) -> None:
        self.screen = screen
        self.news: deque[str] = deque(maxlen=_REMEMBERED)
        self.picture: list[str] = []

    def tell(self, sentence: str, style: str = "") -> None:
        """Tell one thing that happened."""
        self.news.append(f"! {sentence}" if style else sentence.removeprefix("* "))

    def look(self, text: str, *, asked: bool) -> None:  # noqa: ARG002 - it always stands there
        """Show the picture."""
        self.picture = text.splitlines()

    def refresh(self, state: str, typed: str) -> None:
        """Show the prompt, and all else as far as there is room."""
        width, height = self.screen.size
        footer = (state, f"{typed:{_TYPED}}{_HELP}")
        room = max(height - len(footer), 0)
        picture = self.picture[: max(room - 1, 0)]
        told = min(room - len(picture), _TOLD)
        news = self._latest(width, told)
        filling = [""] * (told - len(news))
        self.screen.show([*picture, *news, *filling, *footer], cursor=len(typed))

    def _latest(self, width: int, lines: int) -> list[str]:
        """As many of the latest sentences as fit into so many lines; if not even one does, its beginning."""
        found: list[str] = []
        for start in range(len(self.news) - 1, -1, -1):
            wrapped = textwrap.wrap(" ".join(list(self.news)[start:]), max(width, 1))
            if len(wrapped) > lines:
                return found or wrapped[:lines]
            found = wrapped
        return found


_Face: TypeAlias = _Printed | _Framed


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
        self.told = -1
        self.typed = ""
        self.seen = -1
        self.may_act = False

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        headline(f"{self.table.ruleset.game.title}: you are {self.me}, table {self.table.id}")
        say(f"Against the clock: type {_HELP}; l: look again.", "dim")
        out = console()
        with contextlib.ExitStack() as stack:
            keys = self.keys or stack.enter_context(live_keys())
            framed = out.is_terminal and not out.is_dumb_terminal
            face = _Framed(stack.enter_context(LineScreen(out))) if framed else _Printed()
            stayed = self._loop(keys, face)
        if not stayed:
            self.say_how_to_go_on()
            return
        if framed:
            draw(picture(self.table.view(self.me)))
        if self.table.outcome is not None:
            tell_outcome(self.table.outcome)
        say_how_to_look_back(self.table, self.me, self.place)

    def say_how_to_go_on(self) -> None:
        """Everything is kept already."""
        say_how_to_go_on(self.table, self.me, self.place)

    def _loop(self, keys: Keys, face: _Face) -> bool:
        """Let time pass and the person act; whether the game came to its end."""
        while True:
            self.game.advance(self.clock())
            self._tell_news(face)
            if self.table.over:
                return True
            self._let_act(keys)
            face.refresh(self._state(), f"> {self.typed}")
            key = keys.key(_LOOK)
            if key is not None and not self._pressed(key, face):
                return False

    def _let_act(self, keys: Keys) -> None:
        """Whoever may act again begins with an empty line: what was typed while waiting was meant for that time."""
        may_act = self.me in self.table.to_act
        if may_act and not self.may_act:
            self.typed = ""
            keys.forget()
        self.may_act = may_act

    def _state(self) -> str:
        """What the person may do, and how long everybody still may."""
        position = self.table.view(self.me)
        last: int | None = self.timing.deadline(position)
        state: str = self.timing.prompt(position, self.me)
        left = f" The hands are looked at in {max(last - self.clock(), 0) / 1e6:.1f} s." if last is not None else ""
        return f"{state}{left}"

    def _tell_news(self, face: _Face) -> None:
        if self.told == self.table.length:
            return
        for found in tell(self.table, self.me, self.told) if self.told >= 0 else ():
            for sentence in found.sentences:
                face.tell(f"* {sentence}")
        self.told = self.table.length
        view = self.table.view(self.me)
        revealed: int = self.timing.window_number(view)
        face.look(picture(view), asked=revealed != self.seen)
        self.seen = revealed

    def _pressed(self, key: str, face: _Face) -> bool:
        """Take one key; whether the person stays."""
        if key in {"", "\x04"}:
            return False
        if key in _ENTER:
            line, self.typed = self.typed.strip().lower(), ""
            return self._entered(line, face)
        if key in _ERASE:
            self.typed = self.typed[:-1]
        elif key.isprintable() and len(self.typed) < 20:  # noqa: PLR2004 - two numbers and room for slips
            self.typed += key
        return True

    def _entered(self, line: str, face: _Face) -> bool:
        if line == "q":
            return False
        if line == "l":
            face.look(picture(self.table.view(self.me)), asked=True)
            return True
        try:
            command = self.timing.command_from(self.table.view(self.me), line)
            self.game.play(self.me, command, at=self.clock())
        except (ValueError, MalformedCommand):
            face.tell(f"{line!r} is none of these: {_HELP}.", "yellow")
        except CommandError as error:
            face.tell(str(error), "yellow")
        return True
