"""Random games of six variants of the expansion, alone and in every pair that is allowed: nothing is lost."""

from __future__ import annotations

from itertools import combinations

import pytest

from dark_horse_west.west import walk
from ludolog import Position, Rules, Ruleset, Variant, catalogue
from ludolog.testing import conformance
from ludolog_plugins.dark_horse_west.conserved import lost_or_doubled, nothing_lost
from ludolog_plugins.dark_horse_west.slots import END_TRIGGERS, EndTrigger
from ludolog_plugins.dark_horse_west.state import Turn

SIX = ("barnstorming", "golden-spike", "improved-towns", "mystery-hexes", "saloon", "stagecoach")
PAIRS = tuple(pair for pair in combinations(SIX, 2) if pair != ("barnstorming", "saloon"))
SHORT = 5
"""Turns after which the games of every test run stop; those of the night are played to their own end."""

REVEALS = (
    "dark-horse-west/tile-revealed.resource",
    "dark-horse-west/card-played.card",
    "dark-horse-west/cards-discarded.cards",
    "dark-horse-west/event-drawn.card",
    "dark-horse-west/hex-turned",
)


def _time_is_up(position: Position) -> tuple[str, ...]:
    return position.seats if position[Turn].number >= SHORT else ()


short = Rules("dark-horse-west/short")
short.add(
    END_TRIGGERS,
    "short",
    EndTrigger(met=_time_is_up, sentence="Time is up.", cites=""),
    cites="",
)


def short_rules() -> Rules:
    return short


def ruleset(names: tuple[str, ...], *, whole: bool = False) -> Ruleset:
    """The game with these variants and all that they require."""
    known = catalogue()
    chosen: dict[str, Variant] = {}
    pending = [known.variant("dark-horse-west", name) for name in names]
    while pending:
        variant = pending.pop()
        chosen[variant.id] = variant
        pending.extend(known.variant("dark-horse-west", name) for name in variant.requires)
    ending = () if whole else (Variant(id=short.id, title="Short", summary="", rules=short_rules),)
    return Ruleset(known.game("dark-horse-west"), (*chosen.values(), *ending))


def played_through(rules: Ruleset, seats: int) -> str:
    """Why a random game ended in which nothing was lost or doubled."""
    largest = 0
    for position, seat, _ in walk(rules, seats, seed=seats):
        assert lost_or_doubled(position) == ()
        largest = max(largest, len(rules.legal(position, seat)) if seat else 0)
    assert largest <= 300
    assert position.outcome is not None
    return position.outcome.reason


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", SIX)
def test_alone(name: str, seats: int) -> None:
    assert played_through(ruleset((name,)), seats)


@pytest.mark.parametrize(("number", "pair"), tuple(enumerate(PAIRS)))
def test_in_pairs(number: int, pair: tuple[str, str]) -> None:
    """F33: two variants that are allowed together don't break each other."""
    assert played_through(ruleset(pair), 2 + number % 3)


@pytest.mark.nightly
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("names", [*((name,) for name in SIX), *PAIRS])
def test_to_their_own_end(names: tuple[str, ...], seats: int) -> None:
    """F33: the same, played to an end of the game's own."""
    assert played_through(ruleset(names, whole=True), seats) in {"all-built", "influence", "turn-limit"}


test_all_but_barnstorming_keep_all_promises = conformance(
    ruleset(tuple(name for name in SIX if name != "barnstorming")),
    seats=(2,),
    games=1,
    invariants=(nothing_lost,),
    reveals=REVEALS,
)


def alone(name: str):
    """All promises of one of them, in whole games, by night."""
    promises = conformance(
        ruleset((name,), whole=True),
        seats=(2, 3, 4),
        games=1,
        bound=4000,
        invariants=(nothing_lost,),
        reveals=REVEALS,
    )
    return pytest.mark.nightly(promises)


test_barnstorming = alone("barnstorming")
test_golden_spike = alone("golden-spike")
test_improved_towns = alone("improved-towns")
test_mystery_hexes = alone("mystery-hexes")
test_saloon = alone("saloon")
test_stagecoach = alone("stagecoach")
