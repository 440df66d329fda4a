"""Every clause and ruling of the base game has a test, and nothing cites a clause that there isn't."""

from __future__ import annotations

from pathlib import Path

from ludolog.testing.tracing import untraced

LATER = ("DW-R21",)
"""Rulings about modules that aren't there yet: the new Trader."""


def test_every_clause_of_the_base_game_has_its_test():
    found = [sentence for sentence in untraced("dark-horse-west", Path(__file__).parent) if "'DW-" in sentence]
    assert [sentence for sentence in found if not any(f"'{name}'" in sentence for name in LATER)] == []
    assert len(found) == len(LATER)
