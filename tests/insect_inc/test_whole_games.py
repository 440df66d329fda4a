"""Whole games, for each way to end: reviewed as text, audited, stored, and read again from an old log."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludolog
from insect_inc.campaign import campaign
from insect_inc.golden import GAMES, compare, played, story
from ludolog import MemoryStore
from ludolog.bundles import export_bundle, import_bundle
from ludolog_plugins.insect_inc import rules
from ludolog_plugins.insect_inc.state import ENDS, Forest, Insects, Players

LOGS = Path(__file__).parents[1] / "logs"
REASONS = {
    "target": "target",
    "target-shared": "target",
    "pile-empty": "pile-empty",
    "pile-empty-reveal-due": "pile-empty",
    "forest-down": "forest-down",
}


@pytest.mark.rule("II-45", "II-46", "II-47", "II-48", "II-52")
@pytest.mark.parametrize("name", GAMES)
def test_each_way_to_end(name):
    """F16, F21: every declared reason ends a game, with the right result, and nothing can be played after it."""
    table = played(name)
    outcome = table.outcome
    assert outcome.reason == REASONS[name]
    most = max(len(table.position[Players].kinds_of(seat)) for seat in table.seats)
    assert outcome.winners == tuple(seat for seat in table.seats if len(table.position[Players].kinds_of(seat)) == most)
    assert (len(outcome.winners) > 1) == (name in {"target-shared", "pile-empty"})
    assert table.to_act == ()
    for viewer in (*table.seats, None):
        assert table.view(viewer) == table.position
    assert table.audit([table.receipt]).ok
    compare(name, story(table))


def test_every_declared_ending_has_a_game():
    assert set(REASONS.values()) == set(ludolog.catalogue().ruleset("insect-inc").slots[ENDS.name])


@pytest.mark.rule("II-R29")
def test_a_game_as_it_was_told_to_one_of_the_players():
    compare("pile-empty-as-told-to-ann", story(played("pile-empty"), "ann"))


# ---------------------------------------------------------------- logs of rules version 2

OLD = {
    "target": {"ann": 3, "bob": 5, "cy": 7},
    "forest-down": {"ann": 3, "bob": 1, "cy": 0, "dee": 0},
    "pile-empty-reveal-due": {"ann": 2, "bob": 6, "cy": 4, "dee": 4},
}
"""How many insects each had at the end."""


@pytest.mark.parametrize("name", OLD)
def test_an_old_log_folds_to_what_it_was(name):
    """F27, F28: a log is read as it was written, whatever the rules have become."""
    lines = LOGS.joinpath(f"insect-inc-2-{name}.ludolog").read_bytes().splitlines(keepends=True)
    store = MemoryStore()
    table = ludolog.open_table(import_bundle(lines, store).table, store)
    assert table.outcome.reason == REASONS[name]
    assert {seat: len(table.position[Players].kinds_of(seat)) for seat in table.seats} == OLD[name]
    for viewer in (*table.seats, None):
        assert table.view(viewer) == table.position
    assert [answer.verdict for answer in table.audit().answers[:2]] == ["yes", "yes"]
    assert b"".join(export_bundle(table.id, store)) == b"".join(lines)
    insects = table.position[Insects]
    assert len(insects.pile) == 24 - insects.revealed
    assert sum(table.position[Forest].down) == 48 or name != "forest-down"


def test_the_old_logs_hold_every_kind_of_event_and_command():
    ruleset = ludolog.catalogue().ruleset("insect-inc")
    text = "".join(LOGS.joinpath(f"insect-inc-2-{name}.ludolog").read_text("utf-8") for name in OLD)
    own = [tag for tag in (*ruleset.event_types, *ruleset.command_types) if tag.startswith("insect-inc/")]
    assert len(own) == 13 + 4
    assert [tag for tag in own if f'"{tag}"' not in text] == []


# ---------------------------------------------------------------- many games


@pytest.mark.rule("II-R3", "II-R15", "II-R26", "II-R27")
@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_simulated_games_end_and_give_the_same_for_every_delivery_order(count):
    """F24, F25, S35: random reaction times, delivery orders, repeats, latecomers, and clocks that step back."""
    tally = campaign(count, 12, 3)
    assert tally.counts["games"] == sum(tally.ends.values()) == 12
    assert tally.counts["orders"] > 100
    assert tally.counts["refused: too-late"] > 20


@pytest.mark.nightly
@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_a_thousand_simulated_games(count):
    """The same, longer; ``python tests/insect_inc/campaign.py`` plays ten thousand at every number of seats."""
    assert sum(campaign(count, 1000, 3, first=10_000).ends.values()) == 1000


def test_the_campaign_finds_a_game_that_depends_on_the_order_of_arrival(monkeypatch):
    """F41: run against a planted fault: hands are kept as they arrive."""
    monkeypatch.setattr(rules, "_with", lambda entries, new: (*entries, new))
    with pytest.raises(AssertionError, match="3-0"):
        campaign(3, 1, 3)
