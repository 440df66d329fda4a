"""Whole games, for each way to end: reviewed as text, audited, stored, and read again from an old log."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludolog
from dark_is_the_night.golden import GAMES, compare, played, story
from dark_is_the_night.scenes import HUNTER, MONSTER
from ludolog import MemoryStore
from ludolog.bundles import export_bundle, import_bundle
from ludolog_plugins.dark_is_the_night import possible_spaces
from ludolog_plugins.dark_is_the_night.scoring import ENDINGS
from ludolog_plugins.dark_is_the_night.state import Camp, Dark

WINNERS = {"sword": (HUNTER,), "bolt": (HUNTER,), "attack": (MONSTER,), "sunrise": (), "cap": ()}


@pytest.mark.rule("DN-04", "DN-23", "DN-47", "DN-70", "DN-85", "DN-R26", "DN-R31")
@pytest.mark.parametrize("ending", GAMES)
def test_each_way_to_end(ending):
    """F16, F21: every declared reason ends a game, with the right result, and nothing can be played after it."""
    table = played(ending)
    outcome = table.outcome
    assert outcome.reason == ending
    assert outcome.winners == WINNERS[ending]
    assert outcome.drawn == (not WINNERS[ending])
    assert outcome.clause.startswith("DN-")
    assert {seat for level in outcome.ranking for seat in level} == {HUNTER, MONSTER}
    assert table.to_act == ()
    for seat in table.seats:
        assert table.legal(seat) == ()
        assert table.view(seat)[Dark] == table.position[Dark]
    assert table.audit().ok
    compare(ending, story(table))


def test_every_declared_ending_has_a_game():
    assert set(GAMES) == set(ludolog.catalogue().ruleset("dark-is-the-night").slots[ENDINGS.name])


@pytest.mark.parametrize(
    ("viewer", "name"), [(HUNTER, "sword-as-told-to-the-hunter"), (None, "sunrise-as-told-to-all")]
)
def test_the_story_as_it_was_told(viewer, name):
    compare(name, story(played(name.partition("-")[0]), viewer))


# ---------------------------------------------------------------- logs of rules version 1

LOGS = Path(__file__).parents[1] / "logs"
OLD = {
    "attack": ("NE", ("bolt", "bolt", "bell-trap"), (), (12, 1, 2, 3, 4)),
    "bolt": ("N", ("mutton",), (5,), (2, 3, 4, 5, 5, 4)),
    "sunrise": ("NE", (), (5,), (5, 6, 7, 8, 9, 10, 10, 11, 12, 1)),
}
"""Where the Hunter stood at the end, her items, the lit spaces and the Monster's path."""


@pytest.mark.parametrize("ending", OLD)
def test_an_old_log_folds_to_what_it_was(ending):
    """F27, F28: a log is read as it was written, whatever the rules have become."""
    lines = LOGS.joinpath(f"dark-is-the-night-1-{ending}.ludolog").read_bytes().splitlines(keepends=True)
    store = MemoryStore()
    table = ludolog.open_table(import_bundle(lines, store).table, store)
    camp, dark = table.position[Camp], table.position[Dark]
    assert (camp.space, camp.items, dark.lit, dark.path) == OLD[ending]
    assert table.outcome.reason == ending
    for viewer in (HUNTER, MONSTER, None):
        assert table.view(viewer) == table.position
        assert possible_spaces(table.view(viewer)) == dark.path[-1:]
    assert [answer.verdict for answer in table.audit().answers[:2]] == ["yes", "yes"]
    assert b"".join(export_bundle(table.id, store)) == b"".join(lines)


def test_the_old_logs_hold_every_kind_of_event():
    ruleset = ludolog.catalogue().ruleset("dark-is-the-night")
    text = "".join(LOGS.joinpath(f"dark-is-the-night-1-{ending}.ludolog").read_text("utf-8") for ending in OLD)
    own = [tag for tag in ruleset.event_types if tag.startswith("dark-is-the-night/")]
    assert len(own) == 23
    assert [tag for tag in own if f'"{tag}"' not in text] == []
