"""Every clause and ruling has a test that names it, every rule cites a clause, and nothing cites one there isn't."""

from __future__ import annotations

from pathlib import Path

import ludolog
from ludolog.testing import untraced

GAME = "dark-is-the-night"


def test_every_rule_has_its_test():
    assert untraced(GAME, tests=Path(__file__).parent) == ()


def test_every_decider_and_reducer_cites():
    ruleset = ludolog.catalogue().ruleset(GAME)
    for tag, command in ruleset.command_types.items():
        if tag.startswith(GAME):
            assert ruleset.decider_of(command).cites
    for tag, event in ruleset.event_types.items():
        if tag.startswith(GAME):
            assert all(reducer.cites for reducer in ruleset.reducers_of(event))
            assert ruleset.reducers_of(event)
