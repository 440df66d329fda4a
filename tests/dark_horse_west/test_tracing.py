"""Every clause and ruling of the base game has a test, and nothing cites a clause that there isn't."""

from __future__ import annotations

from pathlib import Path

from ludolog.testing.tracing import untraced


def test_every_clause_of_the_base_game_has_its_test():
    found = [sentence for sentence in untraced("dark-horse-west", Path(__file__).parent) if "'DW-" in sentence]
    assert found == []
