"""A person against bots and the clock: a countdown, typed cards, leaving and going on."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import select
import signal
import struct
import subprocess
import sys
import time

import pytest
from rich.console import Console

import ludolog
from ludolog_plugins.bots.insect import InsectBot
from ludolog_plugins.cli.realtime import LiveSession, _Framed, live_session, steady_clock
from ludolog_plugins.cli.screen import LineScreen
from ludolog_plugins.insect_inc.commands import Claim, CloseWindow, Declare, Reveal
from ludolog_plugins.insect_inc.judging import catchable
from ludolog_plugins.insect_inc.state import Insects, Players, Window

with contextlib.suppress(ImportError):  # not everywhere
    import fcntl
    import pty
    import termios

T = 1_700_000_000_000_000
SECOND = 1_000_000


class Person:
    """Types at certain moments of a clock of its own, which goes on by a tenth of a second a look."""

    def __init__(self, *typed):
        self.typed = list(typed)
        self.waiting = []
        self.now = T

    def clock(self):
        return self.now

    def forget(self):
        self.waiting.clear()

    def key(self, _seconds):
        if self.waiting:
            return self.waiting.pop(0)
        if self.typed and self.now >= T + self.typed[0][0] * SECOND:
            self.waiting = list(self.typed.pop(0)[1])
            return self.waiting.pop(0) if self.waiting else ""
        if not self.typed:
            return ""
        self.now += SECOND // 10
        return None


def new_table(**options):
    given = {"forest_labels": "plain", **options}
    return ludolog.new_table("insect-inc", seats=("ann", "bob"), options=given, seed=5, at=T)


def sat(table, person, **bot):
    """Let the person sit at ``ann``'s seat until it leaves or the game is over."""
    bots = {"bob": InsectBot(**{"errors": 0, "misses": 0, **bot})}
    session = LiveSession(table, "ann", bots, clock=person.clock, keys=person)
    session.run()
    return session


def commands(table):
    return [(batch.seat, type(batch.command), batch.time - T) for batch in table.journal.batches(2)]


def test_bots_act_at_their_moments_while_the_person_thinks(capsys):
    table = new_table()
    assert table.to_act == ("bob",)
    sat(table, Person((5, "q\n")), reaction=2000, spread=0)
    assert commands(table) == [
        ("bob", Reveal, 2 * SECOND),
        ("bob", Claim, 4 * SECOND),
        (None, CloseWindow, 4 * SECOND + 400_001),
    ]
    shown = capsys.readouterr().out
    assert "you are ann" in shown
    assert "* bob takes insect" in shown
    assert f"Go on later: ludolog play {table.id} --as ann" in shown


def test_the_person_claims_by_typing_cards(capsys):
    table = new_table()
    first = Person((3, "q\n"))
    sat(table, first, reaction=2000, spread=0, misses=100)
    (kind,) = table.position[Insects].open
    left, right = next(iter(catchable(table.position, kind)))
    again = Person((0, f"{left} 9\x7f{right}\n"), (1, "q\n"))
    again.now = T + 3 * SECOND
    again.typed = [(3, again.typed[0][1]), (5, "q\n")]
    sat(table, again, reaction=60_000, spread=0)
    assert (kind,) == table.position[Players].kinds_of("ann")
    assert f"* ann takes insect {kind}." in capsys.readouterr().out


def test_what_is_refused_or_mistyped_is_told_and_changes_nothing(capsys):
    table = new_table()
    typed = "\nseven\nn\nn\n1 2 3\n99\nl\nq\n"
    sat(table, Person((3, typed)), reaction=2000, spread=0, misses=100)
    shown = capsys.readouterr().out
    assert "'' is none of these" in shown
    assert "'seven' is none of these" in shown
    assert "ann has declared already since the last reveal. (II-R9)" in shown
    assert "A hand goes on one or two cards, not on 3. (II-R15)" in shown
    assert "There are forest cards 0 to 47, not 99. (II-02)" in shown
    assert shown.count("Open insects:") == 3  # before the reveal, after it, and when asked
    assert [command for _, command, _ in commands(table)] == [Reveal, Declare]


def test_nobody_elses_hand_is_shown(capsys):
    """F4, F9: the news and pictures are those of the person's view."""
    table = new_table(claims_window=5000)
    sat(table, Person((5, "l\nq\n")), reaction=2000, spread=0)
    hand = table.position[Window].hand_of("bob")
    shown = capsys.readouterr().out
    assert "* bob puts a hand on the forest." in shown
    assert "\nClaimed: bob.\n" in shown
    assert f"cards {hand.cards[0]} and {hand.cards[1]}" not in shown


def test_what_is_typed_while_waiting_is_not_left_for_the_next_prompt(capsys):
    """Bob reveals after two seconds; what ann typed before is gone, and what she types then is a line of its own."""
    table = new_table()
    assert table.to_act == ("bob",)
    session = sat(table, Person((1, "7 3"), (3, "n\n"), (3.5, "q\n")), reaction=2000, spread=0, misses=100)
    assert "is none of these" not in capsys.readouterr().out
    assert [command for _, command, _ in commands(table)] == [Reveal, Declare]
    assert session.typed == ""


def test_an_entry_while_waiting_is_answered_at_once(capsys):
    table = new_table()
    sat(table, Person((1, "7 3\n"), (1.5, "q\n")), reaction=2000, spread=0)
    assert (
        "No insect has been revealed yet; bob, the start player, reveals the first. (II-18)" in capsys.readouterr().out
    )


def test_a_game_is_played_to_its_end(capsys):
    table = new_table()
    sat(table, Person((10_000, "q\n")), reaction=1000, spread=500)
    assert table.over
    assert table.outcome.winners == ("bob",)
    shown = capsys.readouterr().out
    assert "Check it: ludolog audit" in shown
    assert table.audit([table.receipt]).ok


def test_it_is_played_in_rounds_where_the_host_closes(capsys):
    table = new_table(claims_window="until-closed")
    sat(table, Person((3, "1 2\n"), (4, "q\n")), reaction=2000, spread=0)
    assert [command for _, command, _ in commands(table)] == [Reveal, Claim, Claim, CloseWindow]


def test_other_games_are_not_played_against_the_clock():
    table = ludolog.new_table("dark-is-the-night", seats=("ann", "bob"), seed=1)
    assert live_session(table, "ann", "") is None


@pytest.mark.parametrize(("given", "window"), [("", 400), ("-o claims_window=first-claim", "first-claim")])
def test_the_command_plays_with_a_countdown_unless_asked_otherwise(run, given, window):
    """Simulations do without a clock; a person does not."""
    shown = run(f"play insect-inc ann bob --seed 5 {given}", given="q\n").output
    table = re.search(r"ludolog play (\w+)", shown).group(1)
    option = json.dumps(f'"claims_window":{json.dumps(window)}')[1:-1]  # options are a text in the log
    assert option in run(f"log {table} --json").output


def test_the_clock_goes_on_from_the_log_and_never_back(monkeypatch):
    """S35: the system's clock steps back by an hour between two sittings, and within one."""
    ahead = time.time_ns() // 1000 + 3600 * SECOND
    clock = steady_clock(ahead)
    assert clock() >= ahead
    before = clock()
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    assert clock() >= before
    table = new_table()
    table.play("bob", Reveal(), at=ahead)
    assert live_session(table, "ann", "").clock() > ahead


def test_the_command_plays_it_and_leaves_at_the_end_of_the_input(run):
    shown = run("play insect-inc ann bob --seed 5 --bots insect:reaction=60000:spread=0", given="q\n").output
    assert "insect inc.: you are ann" in shown
    assert "Go on later" in shown
    table = re.search(r"ludolog play (\w+)", shown).group(1)
    assert "you are bob" in run(f"play {table} --as bob", given="").output


# ---------------------------------------------------------------- in a terminal


def framed(*shown):
    """What a terminal of 80 columns and 24 lines is sent, screen by screen."""
    sent = io.StringIO()
    out = Console(file=sent, force_terminal=True, width=80, height=24, _environ={"TERM": "xterm"})
    written = []
    with LineScreen(out) as screen:
        for lines in shown:
            sent.truncate(0)
            sent.seek(0)
            screen.show(lines, cursor=2)
            written.append(sent.getvalue())
    return written


def test_only_lines_that_differ_are_written_again():
    whole = [f"line {number}" for number in range(24)]
    first, same, one, shorter = framed(whole, whole, [*whole[:5], "other", *whole[6:]], whole[:3])
    assert all(line in first for line in whole)
    assert same == ""
    assert "other" in one
    assert not any(line in one for line in whole)
    assert "line" not in shorter
    assert shorter.count("\x1b[2K") == 21


def test_what_is_too_wide_or_too_much_is_cut_off():
    """F9: a name that steers the terminal steers nothing; lines never wrap, and the last one never scrolls."""
    (sent,) = framed(["x" * 200, "\x1b[2Jbad", *["y"] * 50])
    assert "x" * 79 in sent
    assert "x" * 80 not in sent
    assert "\x1b[2Jbad" not in sent
    assert sent.count("y") == 22


class Shown:
    """A screen of some size, and what it was last asked to show."""

    def __init__(self, columns, lines):
        self.size = columns, lines

    def show(self, lines, *, cursor):
        self.lines, self.cursor = list(lines), cursor


@pytest.mark.parametrize("height", [3, 8, 20, 24, 60])
def test_the_prompt_is_always_seen_and_what_happened_last_as_far_as_there_is_room(height):
    screen = Shown(79, height)
    face = _Framed(screen)
    face.look("\n".join(f"picture {line}" for line in range(19)), asked=False)
    for number in range(12):
        face.tell(f"* Something of no great length happened, and it was number {number}.")
        face.refresh("Look!", "> 7 3")
    assert len(screen.lines) == min(height, 19 + 6 + 2)
    assert screen.lines[-2] == "Look!"
    assert screen.lines[-1].startswith("> 7 3     two card numbers")
    assert screen.cursor == 5
    assert "number 11." in " ".join(screen.lines)
    assert (" ".join(screen.lines).count("Something") > 1) == (height > 22)
    assert ("picture 18" in screen.lines) == (height > 21)
    assert ("picture 0" in screen.lines) == (height > 3)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_in_a_terminal_a_countdown_runs_and_the_keyboard_is_given_back(tmp_path):
    """The whole program in a terminal of its own. Each step waits for what is to be seen, however long that takes."""
    options = "-o forest_labels=plain -o claims_window=600000"
    line = f"play insect-inc ann bob --seed 5 {options} --bots insect:reaction=300:spread=0:errors=0:misses=0"
    with Terminal(line.split(), tmp_path) as terminal:
        terminal.wait_for("Look for the open insects! The hands are looked at in")
        terminal.type("1 2")
        terminal.wait_for("> 1 2")
        counted = len(terminal.shown)
        terminal.wait_for(r"looked at in 59\d\.\d s", again=True)
        assert "Insect 7 takes two cards" not in terminal.shown[counted:]  # the picture is not written again
        terminal.type("\n")
        terminal.wait_for("ann fails: ")
        terminal.wait_for(r"Insect \d+ is revealed")
        terminal.type("q\nls\n")
        terminal.wait_for("Go on later")
        assert terminal.ended() == 0
        assert terminal.settings() == terminal.before
        assert terminal.left_over() == b""
    assert "bob puts a hand on the forest." in terminal.shown
    assert terminal.shown.count("Insect 7 takes two cards") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
@pytest.mark.parametrize(("game", "seen"), [("insect-inc", "Enter to reveal"), ("tic-tac-toe", "Your move, ann")])
def test_a_program_that_is_asked_to_end_gives_the_keyboard_back(tmp_path, game, seen):
    """By an init system, or by ``kill``: a terminal that shows nothing of what is typed is of no use to anybody."""
    with Terminal(["play", game, "ann", "bob", "--seed", "5"], tmp_path) as terminal:
        terminal.wait_for(seen)
        terminal.child.terminate()
        assert terminal.ended() == 128 + signal.SIGTERM
        assert terminal.settings() == terminal.before


HANGS = 300
"""Seconds after which a program hangs, on however busy a machine."""


class Terminal:
    """A program in a terminal of 80 columns and 24 lines; whatever happens, nothing of it is left open."""

    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.folder = folder
        self.shown = ""
        self.seen = 0

    def __enter__(self):
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = self.settings()
        environment = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
        environment |= {"TERM": "xterm", "LUDOLOG_STORE": str(self.folder / "games.db")}
        self.child = subprocess.Popen(
            [sys.executable, "-c", "from ludolog_plugins.cli import main; main()", *self.arguments],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            env=environment,
            cwd=self.folder,
        )
        return self

    def __exit__(self, *_):
        self.child.kill()
        self.child.wait()
        os.close(self.slave)
        os.close(self.master)

    def settings(self):
        return termios.tcgetattr(self.slave)

    def type(self, keys):
        os.write(self.master, keys.encode())

    def wait_for(self, pattern, *, again=False):
        """Read until something is shown that was not looked at yet; a program that hangs is given up in the end."""
        if again:
            self.seen = len(self.shown)
        given_up = time.monotonic() + HANGS
        while not (found := re.search(pattern, _plain(self.shown[self.seen :]))):
            ended = self.child.poll() is not None or time.monotonic() > given_up
            if select.select([self.master], [], [], 0.05)[0] and time.monotonic() <= given_up:
                self.shown += os.read(self.master, 65536).decode(errors="replace")
            elif ended:
                message = f"{pattern!r} is not in {self.shown[-2000:]!r}"
                raise AssertionError(message)
        return found

    def ended(self):
        """The exit status; what the program still writes is read, or it would wait for that."""
        while self.child.poll() is None:
            if select.select([self.master], [], [], 0.05)[0]:
                self.shown += os.read(self.master, 65536).decode(errors="replace")
        return self.child.returncode

    def left_over(self):
        """Keys that whoever reads the terminal next would get."""
        os.set_blocking(self.slave, False)
        try:
            return os.read(self.slave, 100)
        except BlockingIOError:
            return b""


def _plain(shown):
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
