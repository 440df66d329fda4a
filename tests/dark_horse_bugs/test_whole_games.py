"""Whole games at random: they end, obey the rules at every moment, and stay what they were."""

from __future__ import annotations

import copy
import itertools
import pickle
from pathlib import Path

import msgspec
import pytest

import ludolog
from dark_horse_bugs.golden import compare, story
from dark_horse_bugs.situations import (
    ANTS,
    BASIC,
    DILLY_DALLY,
    GAME,
    LINE,
    NAMES,
    check_parts,
    new_table,
    played,
    ruleset,
    step,
)
from ludolog import Chance
from ludolog.errors import CommandError
from ludolog_plugins.dark_horse_bugs.commands import GiveGoal, LayBadEncounter, LayCard, PickGoal, PlaceBug
from ludolog_plugins.dark_horse_bugs.data import CARDS
from ludolog_plugins.dark_horse_bugs.dilly_dally import Ants, Pass, TakeToken
from ludolog_plugins.dark_horse_bugs.state import Cards, Goals

CARDS_LAID = {2: 16, 3: 21, 4: 24, 5: 30, 6: 30}
MOST_BATCHES = 2 + 7 + 6 * 4 + 30 + 2
"""Opening, line-up, an offer that three takings reopen, cards and exchanges."""


def tables():
    """For each number of seats: the defaults, all other values, and some mixtures."""
    chance = Chance(b"tables")
    for seats, variants, number in itertools.product((2, 3, 4, 5, 6), ((), DILLY_DALLY), range(6)):
        known = BASIC | (ANTS if variants else {})
        options = {name: values[number] if number < 2 else chance.choose(values) for name, values in known.items()}
        yield pytest.param(seats, variants, options, id=f"{seats}-{'-'.join(variants) or 'basic'}-{number}")


def candidates(position, seat):
    """All commands that make sense of a seat's words, legal or not."""
    steps = (0, 1, -1, 2, -2, 3, -3)
    yield from (PlaceBug(bug=bug, end=end) for bug in LINE for end in ("", "front", "rear", "middle"))
    yield from (LayCard(card=str(card), step=step) for card in position.slot(CARDS) for step in steps)
    yield from (LayBadEncounter(use=use, rival=rival) for use in ("own", "rival") for rival in ("", *position.seats))
    yield from (GiveGoal(goal=bug) for bug in LINE)
    yield from (PickGoal(place=place) for place in range(5))
    if Ants in position:
        yield from (TakeToken(), Pass())


def accepted(position, seat):
    found, refused = [], []
    for command in candidates(position, seat):
        try:
            position.ruleset.decide(position, seat, command, Chance(b"k"))
            found.append(command)
        except CommandError as error:
            refused.append(error.refusal)
    assert all(refusal.clause and refusal.sentence.endswith(".") for refusal in refused)
    return found


@pytest.mark.parametrize(("seats", "variants", "options"), list(tables()))
def test_a_random_game(seats, variants, options):
    """F15, F21, F42: somebody may act until the end; nothing is lost, and undo keeps log and position in step."""
    table = new_table(seats, variants, seed=repr(options), **options)
    chance = Chance(b"moves", seats)
    while not table.over:
        position = table.position
        (seat,) = table.to_act
        assert len(table.legal(seat)) == len(set(table.legal(seat))) > 0
        if table.length % 11 == 0:
            assert set(accepted(position, seat)) == set(table.legal(seat))
            assert not any(accepted(position, other) for other in table.seats if other != seat)
        check_parts(position)
        step(table, chance)
        if not table.over and table.length % 5 == 0:
            table.undo(None)
            assert table.position == position
            table.redo(None)
    assert table.history.place <= MOST_BATCHES
    assert table.position[Cards].turns == CARDS_LAID[seats]
    assert table.outcome.reason == "hands-empty"
    assert table.audit([table.receipt]).ok


def test_the_options_of_the_tests_are_all_that_there_are():
    record = {name: values[0] for name, values in BASIC.items()}
    assert msgspec.json.decode(ruleset().records[0].options) == record
    assert msgspec.json.decode(ruleset(DILLY_DALLY).records[1].options) == {
        name: values[0] for name, values in ANTS.items()
    }


def test_the_same_seed_gives_the_same_game():
    """F19: the seed is heeded, and nothing but the seed."""
    first, again, other = (played(4, DILLY_DALLY, seed) for seed in (5, 5, 6))
    assert first.receipt == again.receipt
    assert first.receipt != other.receipt


def test_positions_survive_copies_and_pickles():
    """F18: a copy is the same position, not a fresh game."""
    table = played(3, DILLY_DALLY, until=20)
    for same in (copy.copy(table.position), copy.deepcopy(table.position), pickle.loads(pickle.dumps(table.position))):  # noqa: S301
        assert same == table.position
        assert table.ruleset.legal(same, table.to_act[0]) == table.legal(table.to_act[0])


def test_a_stored_game_goes_on_where_it_was(tmp_path):
    """F13, F26: reopened in the middle of an exchange, the same seat has the same choice."""
    store = ludolog.open_store(tmp_path / "games.db")
    table = ludolog.new_table(GAME, NAMES[:2], DILLY_DALLY, {"goal_exchange_order": "draw-first"}, seed=3, store=store)
    chance = Chance(b"moves", 3)
    seen_exchange = False
    while not table.over:
        step(table, chance)
        seen_exchange |= bool(table.position[Goals].giver)
        again = ludolog.open_table(table.id, store)
        assert again.position == table.position
        assert again.to_act == table.to_act
        for seat in table.seats:
            assert again.legal(seat) == table.legal(seat)
            assert again.view(seat) == table.view(seat)
    assert seen_exchange
    store.close()


# ---------------------------------------------------------------- golden playthroughs


def test_the_story_of_a_basic_game():
    compare("basic", story(played(3, seed=12)))


def test_the_story_of_a_game_with_dilly_dally_and_all_other_options():
    options = {name: values[1] for name, values in (BASIC | ANTS).items()}
    compare("dilly-dally-other-options", story(played(2, DILLY_DALLY, seed=3, **options)))


@pytest.mark.parametrize(("viewer", "name"), [("B", "dilly-dally-as-told-to-b"), (None, "dilly-dally-as-told-to-all")])
def test_the_story_of_a_game_with_dilly_dally_as_it_was_told(viewer, name):
    compare(name, story(played(5, DILLY_DALLY, seed=4), viewer))


def test_the_old_logs_hold_every_kind_of_event():
    logs = (Path(__file__).parents[1] / "logs").glob(f"{GAME}-*.ludolog")
    text = "".join(log.read_text(encoding="utf-8") for log in logs)
    own = [tag for tag in ruleset(DILLY_DALLY).event_types if tag.startswith(GAME)]
    assert len(own) == 18
    assert [tag for tag in own if f'"{tag}"' not in text] == []
