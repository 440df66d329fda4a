"""Logs of every released version of every game's rules give the same position for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludolog
from logs.keep import slices_of
from ludolog import MemoryStore
from ludolog.bundles import import_bundle

POSITIONS = sorted(Path(__file__).parent.glob("*.position.json"))


@pytest.mark.parametrize("path", POSITIONS, ids=lambda path: path.name.removesuffix(".position.json"))
def test_an_old_log_gives_the_position_that_it_gave(path):
    """F27, F28: outcomes are in the events and names are stored, so no change of the rules changes an old game."""
    name = path.name.removesuffix(".position.json")
    store = MemoryStore()
    with path.with_name(f"{name}.ludolog").open("rb") as log:
        table = ludolog.open_table(import_bundle(log, store).table, store)
    assert slices_of(table.position).decode() == path.read_text(encoding="utf-8")
    assert table.over


def test_there_are_old_logs():
    assert POSITIONS
