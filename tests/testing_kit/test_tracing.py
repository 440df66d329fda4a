"""Every testable clause has a test, every mark and citation names a clause; the kit tells what is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import ludolog
from ludolog.testing import untraced
from ludolog.testing.tracing import Mention, marks_in, strangers, traced
from toys.made import catalogue_of

ROOT = Path(__file__).parents[2]

DATA = """
[[clause]]
id = "XY-1"
kind = "turn"
text = "Everyone sits."

[[clause]]
id = "XY-2"
kind = "end"
text = "It takes an hour."
testable = false

[[ruling]]
id = "XY-R1"
text = "Sitting is sitting."
reason = "What else?"
confidence = "house"

[[example]]
id = "XY-E1"
"""

RULES = '''
"""Sitting, as XY-1 and XY-E1 have it."""
from __future__ import annotations
from collections.abc import Iterator
from ludolog import Command, Event, Game, Now, Rules, Slot, State, hookimpl, refuse

rules = Rules("sitting")
CHAIRS = rules.slot(Slot("chairs", "What to sit on."), {"one": 1}, cites="XY-1, XY-3")

@rules.state
class Sitting(State, frozen=True):
    seats: tuple[str, ...] = ()

class SatDown(Event, frozen=True, tag="sitting/sat-down"):
    seat: str

class Sit(Command, frozen=True, tag="sitting/sit"):
    pass

@rules.reducer(cites="XY-4")
def sat(sitting: Sitting, event: SatDown) -> Sitting:
    return Sitting(seats=(*sitting.seats, event.seat))

@rules.decider(cites=("XY-1", "XY-5"))
def sit(now: Now, _command: Sit) -> Iterator[Event]:
    if now.seat in now[Sitting].seats:
        refuse("sits", "You sit.", "XY-6")
    yield SatDown(seat=now.seat)

@rules.reaction(cites="XY-R2")
def noted(now: Now, event: SatDown) -> Iterator[Event]:
    return iter(())

def load() -> Rules:
    return rules

@hookimpl
def ludolog_game() -> Game:
    return Game(id="sitting", title="", summary="", seats=(2,), rules=load, clauses=("sitting_game:rules.toml",))
'''


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    package = tmp_path / "sitting_game"
    package.mkdir()
    (package / "__init__.py").write_text(RULES)
    (package / "rules.toml").write_text(DATA)
    monkeypatch.syspath_prepend(tmp_path)
    __import__("sitting_game")
    yield catalogue_of(sys.modules["sitting_game"].ludolog_game())
    del sys.modules["sitting_game"]


@pytest.fixture
def tests(tmp_path: Path) -> Path:
    folder = tmp_path / "tests"
    folder.mkdir()
    return folder


def test_a_clause_without_a_test_is_told(source, tests) -> None:
    (tests / "test_it.py").write_text('import pytest\n@pytest.mark.rule("XY-1")\ndef test_it():\n    pass\n')
    found = untraced("sitting", tests, source=source)
    assert [sentence for sentence in found if "no test" in sentence] == [
        "no test is marked 'XY-R1': Sitting is sitting."
    ]


def test_every_citation_of_no_clause_is_told(source, tests) -> None:
    (tests / "test_it.py").write_text(
        "import pytest\n\n"
        '@pytest.mark.rule("XY-1", "XY-7", "XY-E1")\n'
        "def test_it():\n    pass\n\n"
        '@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.rule("XY-R1"))])\n'
        "def test_that(x):\n    pass\n"
    )
    found = untraced("sitting", [tests], source=source)
    assert found == (
        "test_it.py:3 names 'XY-7', which sitting doesn't have",
        "sat of sitting names 'XY-4', which sitting doesn't have",
        "sit of sitting names 'XY-5', which sitting doesn't have",
        "noted of sitting names 'XY-R2', which sitting doesn't have",
        "slot 'chairs' of sitting names 'XY-3', which sitting doesn't have",
        *(
            f"sitting_game/__init__.py:{line} names {name!r}, which sitting doesn't have"
            for line, name in ((8, "XY-3"), (20, "XY-4"), (24, "XY-5"), (27, "XY-6"), (30, "XY-R2"))
        ),
    )


def test_a_test_that_never_runs_proves_nothing(tests) -> None:
    (tests / "test_it.py").write_text(
        'import pytest\n\n@pytest.mark.skip\n@pytest.mark.rule("XY-1")\ndef test_it():\n    pass\n\n'
        '@pytest.mark.xfail(reason="not yet")\nclass TestIt:\n    @pytest.mark.rule("XY-2")\n    def test_it(self):\n'
        '        pass\n\n\n@pytest.mark.rule("XY-3")\nasync def test_that():\n    rule("XY-4")\n'
    )
    assert list(marks_in(tests)) == [Mention("XY-3", "test_it.py:15")]


def test_a_game_without_rules_data_has_nothing_to_trace(tests) -> None:
    game = ludolog.Game(id="of-no-data", title="", summary="", seats=(2,), rules=lambda: ludolog.Rules("of-no-data"))
    assert untraced(game, tests) == ()


def test_a_mark_that_no_game_has_is_told(source) -> None:
    marks = [Mention("XY-1", "here"), Mention("YX-1", "there")]
    assert strangers(marks, source=source) == ("there names 'YX-1', which no installed game has",)


def test_marks_of_other_games_are_their_business(source) -> None:
    marks = [Mention("XY-1", "here"), Mention("XY-R1", "here"), Mention("AB-1", "there")]
    assert not [sentence for sentence in traced("sitting", marks, source=source) if "AB-1" in sentence]


def test_pytest_fails_if_something_is_not_traced(tests) -> None:
    (tests / "test_it.py").write_text('import pytest\n@pytest.mark.rule("TTT-1", "NO-1")\ndef test_it():\n    pass\n')
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--strict-markers", "--trace-rules"]
    found = subprocess.run([*command, str(tests)], capture_output=True, text=True, cwd=tests, check=False)
    assert found.returncode == 1
    assert "1 passed" in found.stdout
    assert "tic-tac-toe: no test is marked 'TTT-2'" in found.stdout
    assert "no test is marked 'TTT-1'" not in found.stdout
    assert "test_it.py::test_it names 'NO-1', which no installed game has" in found.stdout


@pytest.fixture(scope="module")
def marks() -> list[Mention]:
    return list(marks_in(ROOT / "tests"))


@pytest.mark.parametrize("game", [game.id for game in ludolog.catalogue().games])
def test_the_rules_of_the_games_here_are_traced(game: str, marks: list[Mention]) -> None:
    assert traced(game, marks) == ()


def test_every_mark_here_names_a_rule(marks: list[Mention]) -> None:
    assert strangers(marks) == ()
