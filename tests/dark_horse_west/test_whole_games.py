"""Whole games: one for each way to end, and the bots that play them."""

from __future__ import annotations

import pytest

from dark_horse_west.golden import GAMES, compare, played, story
from dark_horse_west.scenes import ANN, BOB, scene
from dark_horse_west.west import begun, west
from ludolog import Chance, Position, catalogue
from ludolog.testing.campaign import Plan, campaign
from ludolog_plugins.bots.match import bot_from, play_match
from ludolog_plugins.dark_horse_west.commands import ClaimSite, Collect
from ludolog_plugins.dark_horse_west.conserved import lost_or_doubled
from ludolog_plugins.dark_horse_west.slots import END_TRIGGERS
from ludolog_plugins.dark_horse_west.state import Claim

TURN = "ludolog_plugins.dark_horse_west.turn"
CLAUSES = {"influence": "DW-121", "all-built": "DW-120", "turn-limit": "DW-R53"}


@pytest.mark.rule("DW-120", "DW-121", "DW-R53", "DW-R46", "DW-003")
@pytest.mark.parametrize("ending", GAMES)
def test_each_way_to_end(ending):
    """F16, F21: every declared reason ends a game with the right result, and nothing can be played after it."""
    table = played(ending)
    outcome = table.outcome
    assert (outcome.reason, outcome.clause) == (ending, CLAUSES[ending])
    assert [sheet.total for sheet in outcome.scores] == [
        sum(line.points for line in sheet.lines) for sheet in outcome.scores
    ]
    best = max(sheet.total for sheet in outcome.scores)
    assert all(outcome.score(seat) == best for seat in outcome.winners)
    assert table.to_act == ()
    assert all(table.legal(seat) == () for seat in table.seats)
    assert lost_or_doubled(table.position) == ()
    assert table.audit().ok
    compare(ending, story(table))


def test_every_trigger_has_a_game():
    assert set(GAMES) == set(west().slots[END_TRIGGERS.name])


def test_the_best_of_a_few_random_commands_brings_a_game_to_its_end():
    plan = Plan(
        game="dark-horse-west", bots="hasty", seats=(3,), games=1, unwanted=("turn-limit",), count=f"{TURN}:turns"
    )
    figures, _ = campaign(plan)
    assert figures.failures == ()
    assert set(figures.ends) <= {"influence", "all-built"}
    assert 10 < figures.counts[0] < 100
    assert figures.widest is not None
    assert 10 < figures.widest.commands < 300


def test_greedy_beats_random():
    """A few of the 200 games whose result the game's page tells."""
    ruleset = catalogue().ruleset("dark-horse-west")
    wins = 0
    for number in range(2):
        seats = (ANN, BOB)[:: 1 - 2 * (number % 2)]
        bots = {ANN: bot_from("greedy:worlds=1"), BOB: bot_from("random")}
        match = play_match(ruleset, seats, bots, number)
        assert match.outcome is not None
        wins += match.outcome.winners == (ANN,)
    assert wins == 2


def test_greedy_claims_what_it_can_use_and_collects_it():
    given = scene(2, dice={ANN: (6, 1)}, goods={ANN: {"food": 1, "wood": 1, "ore": 1}}, cities={ANN: ((3, -3),)})
    bot, chance = bot_from("greedy"), Chance(bytes(32))
    chosen = bot.choose(_view(given.position), given.legal, chance)
    assert chosen == ClaimSite(site="builder", dice=(0,))
    claim = Claim(seat=ANN, site="tycoon", dice=(0,))
    given = scene(2, window="collection", dice={ANN: (6,)}, claims=(claim,))
    assert bot.choose(_view(given.position), given.legal, chance) == Collect(site="tycoon")


def _view(position: Position) -> Position:
    return Position(position.ruleset, dict(position.slices), ANN, is_view=True)


@pytest.mark.rule("DW-122")
def test_the_standing_is_the_score_sheet_and_what_else_lies_there():
    given = scene(2, goods={ANN: {"gold": 3, "food": 1}, BOB: {}})
    standing = given.ruleset.value(given.position)
    assert 3 < standing[ANN] - standing[BOB] < 4


def test_the_search_bot_keeps_to_its_budget():
    ruleset = west()
    position = begun(ruleset, 2)
    view = Position(ruleset, dict(position.slices), ruleset.to_act(position)[0], is_view=True)
    legal = ruleset.legal(position, ruleset.to_act(position)[0])
    ticks = iter(range(1000))
    bot = catalogue().bot("search").make(seconds=3, horizon=30, clock=lambda: float(next(ticks)))
    assert bot.choose(view, legal, Chance(bytes(32))) in legal
    assert next(ticks) <= 5
