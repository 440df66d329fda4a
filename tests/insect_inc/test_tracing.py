"""Every clause and ruling of the game has a test, and nothing cites a clause that there isn't."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

from ludolog.testing.tracing import untraced

HERE = Path(__file__).parent


def test_every_clause_has_its_test():
    assert untraced("insect-inc", HERE) == ()


def test_every_worked_example_has_its_test():
    data = tomllib.loads(files("ludolog_plugins.insect_inc").joinpath("rules.toml").read_text("utf-8"))
    written = HERE.joinpath("test_examples.py").read_text("utf-8")
    names = [f"def test_{example['id'].removeprefix('II-').lower()}" for example in data["example"]]
    assert len(names) == 35
    assert [name for name in names if name not in written] == []
