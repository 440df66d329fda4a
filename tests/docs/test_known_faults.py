"""The page of known faults names tests that exist and are about the row, and every row that tests name."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "explanation" / "known-faults.md"
ROW = re.compile(r"^\| ([FS][0-9]+) \| (.*?) \| (.*) \|$", re.MULTILINE)
NAMED = re.compile(r"\b[FS][0-9]{1,2}\b")
ROWS = {name: cell for name, _, cell in ROW.findall(PAGE.read_text("utf-8"))}
TESTED = {name: re.findall(r"`([^`]+)`", cell) for name, cell in ROWS.items() if "`" in cell}


def docstrings(path):
    """Docstrings of a file and of its tests, by name; the file's own is under the empty name."""
    tree = ast.parse(path.read_text("utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {"": ast.get_docstring(tree) or ""} | {node.name: ast.get_docstring(node) or "" for node in functions}


def test_the_page_has_rows_of_both_kinds():
    assert sum(name.startswith("F") for name in TESTED) > 25
    assert sum(name.startswith("S") for name in TESTED) > 30


@pytest.mark.parametrize("row", TESTED)
def test_named_tests_exist_and_are_about_the_row(row):
    for named in TESTED[row]:
        path, _, name = named.partition("::")
        if not (ROOT / path).exists() and path.startswith("core/"):
            pytest.skip("the kit's sources are not beside the tests of a wheel")
        assert row in NAMED.findall(docstrings(ROOT / path)[name]), named


def test_every_row_that_a_test_names_is_on_the_page():
    named = set()
    for path in (ROOT / "tests").rglob("*.py"):
        for name, text in docstrings(path).items():
            if name.startswith("test") or not name:
                named |= {found for found in NAMED.findall(text) if not re.fullmatch(r"S0|F0", found)}
    assert named <= set(ROWS)


def test_what_does_not_apply_says_why():
    assert {name for name, cell in ROWS.items() if "`" not in cell} == {"S40"}
