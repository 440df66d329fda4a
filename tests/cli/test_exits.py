"""Whatever goes wrong is one sentence and an exit code that means something."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import ludolog
from ludolog.errors import LudologError, Refusal, StoreBusy, VersionConflict
from ludolog_plugins import cli
from ludolog_plugins.cli import application, exits

PROGRAM = Path(sys.executable).with_name("ludolog")


def tree(kind):
    return [kind, *(found for child in kind.__subclasses__() for found in tree(child))]


@pytest.mark.parametrize("kind", [kind for kind in tree(LudologError) if kind.__module__.startswith("ludolog")])
def test_every_error_of_the_library_has_an_exit_code_and_a_sentence(kind, capsys):
    error = kind.__new__(kind)
    Exception.__init__(error, "Something\nis wrong.")
    with pytest.raises(typer.Exit) as left, exits.explained():
        raise error
    assert left.value.exit_code in {1, 2, 3, 4}
    assert capsys.readouterr().err == "ludolog: Something is wrong.\n"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (VersionConflict("t", 3, 4), exits.REFUSED),
        (ludolog.IllegalCommand(Refusal(code="x", sentence="No.")), exits.REFUSED),
        (ludolog.errors.StillSecret("x"), exits.REFUSED),
        (ludolog.errors.UnknownTable("x"), exits.USAGE),
        (ludolog.errors.BadOptions("x"), exits.USAGE),
        (ludolog.errors.ReplacedTwice("x"), exits.USAGE),
        (StoreBusy("x", 1), exits.STORE),
        (ludolog.errors.CorruptLog("x"), exits.STORE),
        (ludolog.errors.MissingPlugin("x"), exits.STORE),
        (OSError(5, "x"), exits.STORE),
        (ludolog.errors.RulesFault("x"), exits.FAULT),
        (ludolog.errors.PluginFailed("x"), exits.FAULT),
        (KeyError("x"), exits.FAULT),
    ],
)
def test_exit_codes_tell_kinds_of_errors_apart(error, code):
    assert exits.code_of(error) == code
    assert f"\n{code} " in cli.__doc__


@pytest.mark.parametrize(
    ("line", "code", "sentence"),
    [
        ("nonsense", 2, "No such command 'nonsense'"),
        ("show --nonsense", 2, "No such option"),
        ("new", 2, "Missing argument 'GAME'"),
        ("new nonsense a b", 2, "has the game 'nonsense'"),
        ("new tic-tac-toe a b -v dilly-dally", 2, "has no variant 'dilly-dally'"),
        ("new tic-tac-toe a b -v dark-horse-bugs/dilly-dally", 2, "dilly-dally"),
        ("new high-card a b -o hand=many", 2, "can't be 'many'"),
        ("new high-card a b -o colour=red", 2, "no option 'colour'"),
        ("new high-card a b -o hand", 2, "should read NAME=VALUE"),
        ("new high-card a a", 2, "Two seats are named 'a'"),
        ("new high-card a", 2, "not by 1"),
        ("new dark-horse-west a b c d e", 2, "not by 5; with the variant five-player it can be."),
        (
            "play dark-horse-west a",
            2,
            "with the variants gunslinger and solitaire it can be.",
        ),
        ("new tic-tac-toe a b --id there", 3, "has a table 'there' already"),
        ("new tic-tac-toe a b --store no/such/x.db", 3, "its folder doesn't exist"),
        ("new tic-tac-toe a b --store nonsense://x", 3, "No installed plugin has a store"),
        ("show there --store text.db", 3, "text.db"),
        ("show there --store gone.db", 3, "gone.db doesn't exist"),
        ("show nowhere", 2, "There is no table 'nowhere'"),
        ("show there --as nobody", 2, "Nobody named 'nobody'"),
        ("show there --at -1", 1, "no position after -1"),
        ("show there --at x", 2, "Invalid value for '--at'"),
        ("show there --svg x.svg", 2, "no picture as SVG"),
        ("do there 99", 1, "no number 99"),
        ("do there 1 --as b", 1, "b may not act now. To act: a."),
        ("do there {", 1, "is no command of"),
        ('do there {"type":"tic-tac-toe/place"}', 1, "missing required field"),
        ('do there {"type":"tic-tac-toe/place","cell":"4"}', 1, "Expected `int`"),
        ('do there {"type":"tic-tac-toe/place","cell":4,"more":1}', 1, "unknown field"),
        ('do there {"type":"high-card/lay","card":4}', 1, "is no command of"),
        ('do there {"type":"tic-tac-toe/place","cell":4} --as b', 1, "turn of a"),
        ('do there {"type":"tic-tac-toe/place","cell":99}', 1, "cells 0 to 8"),
        ("do there 1 --expect 7", 1, "7 were expected"),
        ("undo there --to 0", 1, "nothing to take back"),
        ("redo there", 1, "nothing to redo"),
        ("audit there --receipt 7", 2, "is no receipt"),
        ("audit there --receipt 7:zz", 2, "is no receipt"),
        ("rules nonsense", 2, "has the game 'nonsense'"),
        ("rules dark-horse-bugs X-1", 2, "has no clause 'X-1'"),
        ("play nonsense", 2, "neither an installed game"),
        ("play high-card --bots nobody", 2, "has the bot 'nobody'"),
        ("play high-card a b --as c", 2, "Nobody named 'c'"),
        ("simulate high-card --bots search:x=1", 2, "has no option 'x=1'"),
        ("simulate high-card -n 0", 2, "Invalid value for '-n'"),
        ("simulate high-card a b c d e", 2, "not by 5"),
    ],
)
def test_wrong_input_is_one_sentence(run, tmp_path, line, code, sentence):
    ludolog.new_table("tic-tac-toe", ("a", "b"), store="ludolog.db", id="there")
    (tmp_path / "text.db").write_text("This is a letter, not a store of tables.\n" * 100)
    before = ludolog.open_table("there", "ludolog.db").receipt
    found = run(line, code=code)
    assert sentence in found.stderr
    assert found.stderr.count("\n") == 1
    assert found.stdout == "" or "play" in line
    assert ludolog.open_table("there", "ludolog.db").receipt == before


@pytest.mark.parametrize(
    "line",
    ["new nonsense a b", "new tic-tac-toe a", "play nonsense", "play tic-tac-toe a b c", "import no.ludolog", "show x"],
)
def test_no_store_is_made_for_what_cannot_be_kept(run, tmp_path, line):
    found = run(line, code=3 if "no.ludolog" in line or "show" in line else 2)
    assert found.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_text_from_outside_cannot_steer_the_terminal(run):
    found = run(["do", "x\x1b[2Jx", "1"], code=3)
    assert "\x1b" not in found.output
    ludolog.new_table("tic-tac-toe", ("a", "b"), store="ludolog.db", id="there")
    assert "\x1b" not in run(["do", "there", '{"type":"\x1b[31m"}'], code=1).output


def test_a_fault_of_ours_is_a_sentence_too(run, monkeypatch):
    def broken(*_):
        msg = "the cause"
        raise KeyError(msg)

    monkeypatch.setattr("ludolog_plugins.cli.games.clauses", broken)
    assert "unexpected KeyError: 'the cause' (set LUDOLOG_TRACEBACK=1" in run("rules tic-tac-toe", code=4).stderr


def test_an_interrupt_is_an_exit_code(run, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("ludolog_plugins.cli.games.clauses", interrupted)
    assert run("rules tic-tac-toe", code=130).stderr == "ludolog: interrupted.\n"


def test_a_reader_that_goes_away_is_no_error_message():
    with subprocess.Popen(
        [PROGRAM, "rules", "dark-horse-bugs"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as reader:
        reader.stdout.close()
        assert reader.stderr.read() == ""
        assert reader.wait(60) == 141


@pytest.mark.parametrize(
    ("line", "code"),
    [("verify - 0<&-", 3), ("play tic-tac-toe 0<&-", 0), ("show >&-", 3), ("games >&-", 0), ("games x 2>&-", 2)],
)
@pytest.mark.skipif(sys.platform == "win32", reason="its shell has no such words")
def test_a_closed_stream_is_an_empty_one(tmp_path, line, code):
    """Python has None for a stream that was closed before it began."""
    found = subprocess.run(  # noqa: S602 - only a shell can close them
        f"{PROGRAM} {line}", shell=True, capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert found.returncode == code, found.stderr
    assert "unexpected" not in found.stderr
    assert "Traceback" not in found.stderr


def test_the_program_answers_by_its_own_name():
    found = subprocess.run([PROGRAM, "show", "x", "--store", "none.db"], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (3, "")
    assert found.stderr.startswith("ludolog: none.db doesn't exist")


def test_without_a_command_there_is_help():
    found = subprocess.run([PROGRAM], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (2, "")
    assert "Usage: ludolog [OPTIONS] COMMAND" in found.stdout


def test_a_warning_is_a_sentence():
    code = "import warnings; from ludolog_plugins import cli; cli.app = lambda: warnings.warn('Mind\\nit.'); cli.main()"
    found = subprocess.run([sys.executable, "-W", "always", "-c", code], capture_output=True, text=True, check=True)
    assert found.stderr == "ludolog: Mind it.\n"


def test_a_plain_terminal_shows_what_it_can(tmp_path):
    ludolog.new_table("tic-tac-toe", ("Zoë", "b"), store=tmp_path / "x.db", id="there")
    found = subprocess.run(
        [PROGRAM, "show", "there", "--store", tmp_path / "x.db"],
        capture_output=True,
        check=True,
        env={"PYTHONIOENCODING": "ascii"},
    )
    assert b"Zo?" in found.stdout


def test_every_command_has_help(run):
    for commands in application._PANELS.values():
        for name in commands:
            assert f"Usage: ludolog {name}" in run(f"{name} --help").stdout
    assert run("--version").stdout.startswith("ludolog 0")


def test_a_plugin_adds_commands(catalogue_of, capsys, monkeypatch):
    plugins = [
        EntryPoint(name="cli/greet", value="toys.greeting", group="ludolog"),
        EntryPoint(name="cli/gone", value="no_such_module_anywhere", group="ludolog"),
    ]
    catalogue_of([*entry_points(group="ludolog"), *plugins])
    built = application.build()
    assert "Plugin 'cli/gone' (no_such_module_anywhere) can't be imported" in capsys.readouterr().err
    assert CliRunner().invoke(built, ["greet", "hello"]).stdout == "hello from a plugin\n"
