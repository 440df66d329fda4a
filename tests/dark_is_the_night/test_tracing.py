"""Every clause and ruling has a test that names it, and nothing cites a clause that there isn't."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import ludolog
from ludolog.clauses import clauses

GAME = "dark-is-the-night"
CLAUSE = re.compile(r"DN-R?\d+")


def test_every_clause_and_ruling_has_a_test():
    texts = [path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py")]
    marks = "".join(mark for text in texts for mark in re.findall(r"mark\.rule\([^)]*\)", text))
    assert {found.id for found in clauses(GAME)} == set(CLAUSE.findall(marks))


def test_every_citation_names_a_clause():
    known = {found.id for found in clauses(GAME)}
    package = files("ludolog_plugins.dark_is_the_night")
    cited = {
        clause
        for path in package.iterdir()
        if path.name.endswith(".py")
        for clause in CLAUSE.findall(path.read_text("utf-8"))
    }
    assert cited <= known


def test_every_decider_and_reducer_cites():
    ruleset = ludolog.catalogue().ruleset(GAME)
    for tag, command in ruleset.command_types.items():
        if tag.startswith(GAME):
            assert ruleset.decider_of(command).cites
    for tag, event in ruleset.event_types.items():
        if tag.startswith(GAME):
            assert all(reducer.cites for reducer in ruleset.reducers_of(event))
            assert ruleset.reducers_of(event)
