"""A person against bots and the clock: a countdown, typed cards, leaving and going on."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time

import pytest

import ludolog
from ludolog_plugins.bots.insect import InsectBot
from ludolog_plugins.cli.realtime import LiveSession, live_session, steady_clock
from ludolog_plugins.insect_inc.commands import Claim, CloseWindow, Declare, Reveal
from ludolog_plugins.insect_inc.judging import catchable
from ludolog_plugins.insect_inc.state import Insects, Players, Window

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
    assert shown.count("open insects:") == 3  # before the reveal, after it, and when asked
    assert [command for _, command, _ in commands(table)] == [Reveal, Declare]


def test_nobody_elses_hand_is_shown(capsys):
    """F4, F9: the news and pictures are those of the person's view."""
    table = new_table(claims_window=5000)
    sat(table, Person((5, "l\nq\n")), reaction=2000, spread=0)
    hand = table.position[Window].hand_of("bob")
    shown = capsys.readouterr().out
    assert "* bob puts a hand on the forest." in shown
    assert "bob   0 insects, has claimed" in shown
    assert f"cards {hand.cards[0]} and {hand.cards[1]}" not in shown


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


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_in_a_terminal_a_countdown_runs_and_the_keyboard_is_given_back(tmp_path):
    """The whole program in a terminal of its own: keys one by one, the footer, and the terminal as it was."""
    import termios  # noqa: PLC0415 - not everywhere

    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    options = "-o forest_labels=plain -o claims_window=20000"
    line = f"play insect-inc ann bob --seed 5 {options} --bots insect:reaction=300:spread=0:errors=0:misses=0"
    ludolog_command = [sys.executable, "-c", "from ludolog_plugins.cli import main; main()", *line.split()]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LUDOLOG_STORE": str(tmp_path / "games.db")}
    child = subprocess.Popen(ludolog_command, stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=tmp_path)
    try:
        shown = _read(master, until="The hands are looked at in", seconds=30)
        os.write(master, b"1 2\n")
        shown += _read(master, until="ann puts a hand on cards 1 and 2", seconds=30)
        os.write(master, b"q\n")
        shown += _read(master, until="Go on later", seconds=30)
        assert child.wait(timeout=30) == 0
        assert termios.tcgetattr(slave) == before
    finally:
        child.kill()
        child.wait()
        os.close(slave)
        os.close(master)
    assert "bob puts a hand on the forest." in shown
    assert re.search(r"looked at in 1?[0-9]\.[0-9] s|20\.0 s", shown)


def _read(terminal, *, until, seconds):
    """What a terminal shows until it shows some text."""
    shown = ""
    stop = time.monotonic() + seconds
    while until not in shown and time.monotonic() < stop:
        if select.select([terminal], [], [], 0.1)[0]:
            shown += os.read(terminal, 65536).decode(errors="replace")
    assert until in shown, shown[-2000:]
    return shown
