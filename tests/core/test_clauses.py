"""Rules data is read from packages; what is malformed is refused with the file, the entry and the field."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import ludolog
from ludolog.clauses import clause, clauses, read_clauses
from ludolog.errors import BadClause, UnknownClause, UnknownGame

CLAUSE = '[[clause]]\nid = "XY-1"\nsection = "Start"\nkind = "setup"\ntext = "Sit down."\n'
RULING = '[[ruling]]\nid = "XY-R1"\ntext = "Stand up."\nreason = "Nobody said."\nconfidence = "house"\n'


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest):
    package = "rules_data_of_" + "".join(filter(str.isalnum, request.node.name))
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)

    def write(text: str | bytes, name: str = "rules.toml") -> str:
        path = tmp_path / package / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return f"{package}:{name}"

    yield write
    sys.modules.pop(package, None)


def test_clauses_and_rulings_are_read_in_order(write) -> None:
    extra = 'options = "posture"\nalternative = "Lie down."\nclauses = ["XY-1"]\ntestable = false\n'
    one, ruling = read_clauses(write(CLAUSE + RULING + extra + '[[card]]\nid = "any"\n'))
    assert (one.id, one.section, one.kind, one.testable, one.is_ruling) == ("XY-1", "Start", "setup", True, False)
    assert (ruling.kind, ruling.reason, ruling.confidence) == ("ruling", "Nobody said.", "house")
    assert (ruling.options, ruling.alternative, ruling.clauses) == (("posture",), "Lie down.", ("XY-1",))
    assert not ruling.testable
    assert str(one) == "XY-1: Sit down."
    assert one.source.endswith(":rules.toml")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (CLAUSE + '[[clause]]\nid = "XY-2"\nkind = "setup"\n', ("clause XY-2", "`text`")),
        (CLAUSE.replace('"Sit down."', "7"), ("clause XY-1", "`text`")),
        (CLAUSE.replace('"Sit down."', '""'), ("clause XY-1", "`text`")),
        (CLAUSE.replace('id = "XY-1"\n', ""), ("clause number 1", "`id`")),
        (CLAUSE.replace("XY-1", "xy one"), ("clause xy one", "`id`")),
        (CLAUSE + "tested = true\n", ("clause XY-1", "`tested`")),
        (CLAUSE + 'testable = "no"\n', ("clause XY-1", "`testable`")),
        (CLAUSE + 'confidence = "sure"\n', ("clause XY-1", "`confidence`")),
        (CLAUSE.replace('"setup"', '"ruling"'), ("clause XY-1", "'kind'")),
        (CLAUSE + CLAUSE, ("'XY-1' stands twice", "'id'")),
        (RULING.replace('reason = "Nobody said."\n', ""), ("ruling XY-R1", "`reason`")),
        (RULING.replace('"house"', '""'), ("ruling XY-R1", "'confidence'")),
        (RULING + "options = 3\n", ("ruling XY-R1", "`options`")),
        ("clause = 3\n", ("'clause'", "[[clause]]")),
        ("clause = [3]\n", ("clause number 1",)),
        ("[[clause\n", ("no TOML",)),
        (b"\xff\xfe", ("no TOML",)),
    ],
)
def test_malformed_data_is_refused_with_its_place(write, text: str | bytes, told: tuple[str, ...]) -> None:
    spec = write(text)
    with pytest.raises(BadClause) as caught:
        read_clauses(spec)
    assert str(caught.value).startswith(f"{spec}: ")
    for part in told:
        assert part in str(caught.value)


@pytest.mark.parametrize("spec", ["", "tic_tac_toe", "tic_tac_toe:", ":rules.toml"])
def test_a_file_needs_package_and_name(spec: str) -> None:
    with pytest.raises(BadClause, match=r"package:file\.toml"):
        read_clauses(spec)


def test_a_missing_package_or_file_is_named() -> None:
    with pytest.raises(BadClause, match="no package 'nothing_of_this_name'"):
        read_clauses("nothing_of_this_name:rules.toml")
    with pytest.raises(BadClause, match=r"tic_tac_toe:nothing.toml: the file can't be read"):
        read_clauses("tic_tac_toe:nothing.toml")


def _game(*specs: str) -> ludolog.Game:
    return ludolog.Game(id="of-data", title="", summary="", seats=(2,), rules=lambda: None, clauses=specs)


def test_ids_are_unique_over_all_files_of_a_game(write) -> None:
    one, other = write(CLAUSE), write(CLAUSE, "other.toml")
    with pytest.raises(BadClause, match="'XY-1' stands twice") as caught:
        clauses(_game(one, other))
    assert one in str(caught.value)
    assert other in str(caught.value)
    assert len(clauses(_game(one, one))) == 1


def test_a_ruling_settles_clauses_that_exist(write) -> None:
    ruling = RULING + 'clauses = ["XY-1"]\n'
    with pytest.raises(BadClause, match="ruling XY-R1, field 'clauses': there is no 'XY-1'"):
        clauses(_game(write(ruling)))
    assert len(clauses(_game(write(ruling), write(CLAUSE, "other.toml")))) == 2


def test_a_game_s_clauses_by_its_id() -> None:
    assert clauses("tic-tac-toe")[0].id == "TTT-1"
    assert clause("tic-tac-toe", "ttt-3").id == "TTT-3"
    with pytest.raises(UnknownClause, match="TTT-99"):
        clause("tic-tac-toe", "TTT-99")
    with pytest.raises(UnknownGame):
        clauses("no-such-game")


def test_a_game_without_rules_data_has_no_clauses() -> None:
    assert clauses(_game()) == ()
