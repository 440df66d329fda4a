"""Gunslinger and Solitaire: blocked sites, twenty turns, ranks."""

from __future__ import annotations

import pytest

from dark_horse_west.variants.scenes import at, dice, refusal, scene
from dark_horse_west.west import begun, walk, west
from ludolog import catalogue
from ludolog.errors import BadSeats, MissingRequirement, VariantConflict
from ludolog_plugins.dark_horse_west.claims import claim_refusal
from ludolog_plugins.dark_horse_west.commands import ClaimSite
from ludolog_plugins.dark_horse_west.conserved import lost_or_doubled
from ludolog_plugins.dark_horse_west.gunslinger import blocked_numbers
from ludolog_plugins.dark_horse_west.scoring import outcome
from ludolog_plugins.dark_horse_west.slots import SITES
from ludolog_plugins.dark_horse_west.solitaire import rank_of
from ludolog_plugins.dark_horse_west.state import Dice, Die, Turn


def rolled(*values: int):
    """A game for two in which the Gunslinger rolled this and everybody may have any dice."""
    position = scene("gunslinger", seats=2)
    his = tuple(Die(seat="", kind="gunslinger", value=value, at="gunslinger", fixed=True) for value in values)
    return position.having(Dice(dice=his))


def blocked(position) -> set[str]:
    """Sites that ann can't claim because of him, whatever she rolls."""
    found = set()
    for site, entry in position.slot(SITES).items():
        for value in entry.need.values:
            with_dice = dice(position, ann=(value,) if value <= 6 else (6, value - 6))
            numbers = tuple(range(2, len(with_dice[Dice].dice)))
            reason = claim_refusal(at(with_dice, "placement", "ann"), "ann", site, numbers)
            if reason is not None and reason.code == "gunslinger":
                found.add(site)
    return found


@pytest.mark.rule("DW-R50", "DW-127")
def test_he_blocks_limited_and_restricted_sites_by_each_die_and_the_sum():
    """DW-E17: 3 and 5 block Politics, Rail Baron and Engineer; 4 and 2 block Hired Hand alone."""
    assert blocked(rolled(3, 5)) == {"politics", "rail-baron", "engineer"}
    assert blocked(rolled(4, 2)) == {"hired-hand"}


@pytest.mark.rule("DW-R50")
def test_a_blocked_claim_is_refused_with_clause_and_numbers():
    position = at(dice(rolled(3, 5), ann=(3, 1)), "placement", "ann")
    reason = refusal(position, "ann", ClaimSite(site="politics", dice=(2,)))
    assert (reason.code, reason.clause, reason.facts["blocked"]) == ("gunslinger", "DW-R50", (3, 5, 8))


@pytest.mark.rule("DW-050", "DW-R50")
def test_he_rolls_two_dice_each_turn_after_the_players_and_owns_nothing():
    turns: dict[int, tuple[int, ...]] = {}
    for position, seat, _ in walk(west("gunslinger"), 2):
        number = position[Turn].number
        if number and position[Turn].phase == "placement":
            his = [die for die in position[Dice].dice if die.kind == "gunslinger"]
            assert len(his) == 2
            assert all(die.seat == "" and die.fixed for die in his)
            turns[number] = blocked_numbers(position)
        assert seat in {"ann", "bob", ""}
        assert lost_or_doubled(position) == ()
    assert len(set(turns.values())) > 5


@pytest.mark.rule("DW-001", "DW-127", "DW-128")
def test_two_play_with_the_gunslinger_and_one_alone_in_the_solitaire_game():
    assert west("gunslinger").seat_counts == (2,)
    assert west("gunslinger", "solitaire").seat_counts == (1,)


@pytest.mark.rule("DW-001", "DW-128", "DW-R51")
def test_one_seat_plays_solitaire_with_the_gunslinger():
    assert begun(west("gunslinger", "solitaire"), 1).seats == ("ann",)
    with pytest.raises(BadSeats):
        west().check_seats(("ann",))
    with pytest.raises(MissingRequirement):
        west("solitaire")


@pytest.mark.rule("DW-R51")
@pytest.mark.parametrize("turns", [15, 20])
def test_a_solitaire_game_ends_after_its_turns_at_the_latest(turns: int):
    *_, (last, _, _) = walk(west("gunslinger", "solitaire", solo_turns=turns), 1)
    assert last[Turn].number <= turns
    assert last.outcome.reason == "solo-turns"
    assert last.outcome.scores[0].seat == "ann"
    assert rank_of(last.outcome.score("ann")) in last.outcome.sentence


@pytest.mark.rule("DW-R51")
def test_other_end_triggers_hold_too():
    position = begun(west("gunslinger", "solitaire"), 1)
    assert outcome(position, "influence").clause == "DW-121"
    assert "Greenhorn" in outcome(position, "influence").sentence


@pytest.mark.rule("DW-R51")
@pytest.mark.parametrize(
    ("points", "rank"),
    [
        (14, "Greenhorn"),
        (15, "Settler"),
        (18, "Settler"),
        (19, "Rancher"),
        (21, "Rancher"),
        (22, "Baron"),
        (25, "Baron"),
        (26, "Legend"),
    ],
)
def test_ranks_by_points(points: int, rank: str):
    assert rank_of(points) == rank


@pytest.mark.rule("DW-127", "RR-R51")
def test_he_is_not_for_five():
    with pytest.raises(VariantConflict):
        west("gunslinger", "five-player")
    assert catalogue().variant("dark-horse-west", "gunslinger").seats == (2,)
