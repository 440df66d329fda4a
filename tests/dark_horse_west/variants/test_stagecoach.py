"""Stagecoach: cards as at Pioneer, or Silver."""

from __future__ import annotations

import pytest

from dark_horse_west.variants.scenes import after, at, claimed, dice, fronted, has, offered, refusal, scene
from dark_horse_west.west import west
from ludolog import Position
from ludolog.errors import MissingRequirement
from ludolog_plugins.dark_horse_west.abilities import site_named
from ludolog_plugins.dark_horse_west.cards import hand_of, pile_of
from ludolog_plugins.dark_horse_west.claims import site_needs
from ludolog_plugins.dark_horse_west.commands import ClaimSite, Collect
from ludolog_plugins.dark_horse_west.data import cards_of

MODULES = ("silver", "base-changes", "stagecoach")


def collecting(*variants: str) -> Position:
    """Ann collects from Stagecoach."""
    position = claimed(dice(scene(*MODULES, *variants), ann=(1, 2)), "ann", "stagecoach", 0)
    return after(at(position, "collection", "ann"), ("ann", Collect(site="stagecoach")))


@pytest.mark.rule("RR-130", "RR-R24", "RR-R25")
def test_stagecoach_stands_in_the_place_of_pioneer() -> None:
    sites = west(*MODULES).slots["sites"]
    pioneer = west().slots["sites"]["pioneer"]
    assert "pioneer" not in sites
    assert (sites["stagecoach"].need, sites["stagecoach"].limit) == (pioneer.need, "Limited")
    position = at(dice(scene(*MODULES), ann=(1, 2)), "placement", "ann")
    assert site_needs(position, "ann", "stagecoach") == (pioneer.need,)
    assert refusal(position, "ann", ClaimSite(site="pioneer", dice=(0,))).code == "no-such-site"
    assert refusal(position, "ann", ClaimSite(site="stagecoach", dice=(1,))).code == "wrong-dice"
    taken = after(position, ("ann", ClaimSite(site="stagecoach", dice=(0,))))
    bobs = at(dice(taken, bob=(1,)), "placement", "bob")
    assert refusal(bobs, "bob", ClaimSite(site="stagecoach", dice=(2,))).code == "site-full"


@pytest.mark.rule("RR-131", "RR-R87")
def test_two_cards_of_one_deck_of_which_one_is_kept() -> None:
    position = collecting()
    before = len(pile_of(position, "action").pile)
    position = after(position, ("ann", "cards"))
    drawn = [held.card for held in hand_of(position, "ann")]
    assert len(drawn) == 2
    assert {held.deck for held in hand_of(position, "ann")} == {"action"}
    assert len(pile_of(position, "action").pile) == before - 2
    position = after(position, ("ann", str(drawn[0])))
    assert [held.card for held in hand_of(position, "ann")] == drawn[:1]
    assert pile_of(position, "action").discards == (drawn[1],)
    assert has(position, "ann", "silver") == 0


@pytest.mark.rule("RR-132")
def test_or_two_silver_and_no_card() -> None:
    position = collecting()
    assert offered(position, "ann") == ("cards", "2 Silver", "nothing")
    paid = after(position, ("ann", "2 Silver"))
    assert has(paid, "ann", "silver") == 2
    assert hand_of(paid, "ann") == ()
    assert has(after(position, ("ann", "nothing")), "ann", "silver") == 0


@pytest.mark.rule("RR-133", "RR-R63")
def test_the_sides_differ_in_the_robbery_icon_alone() -> None:
    assert west(*MODULES).slots["sites"]["stagecoach"].robbery
    assert not any(site.robbery for site in west().slots["sites"].values())


@pytest.mark.rule("RR-130")
def test_it_is_not_played_without_what_it_requires() -> None:
    for missing in ("silver", "base-changes"):
        with pytest.raises(MissingRequirement, match=missing):
            west(*(name for name in MODULES if name != missing))


@pytest.mark.rule("RR-131")
def test_stagecoach_counts_as_pioneer(  # RR-E60
) -> None:
    captain = next(card for card in cards_of("character") if card.name == "The Captain")
    position = fronted(scene(*MODULES, cards=(captain,)), ann=(captain.id,))
    position = at(claimed(dice(position, ann=(1, 2)), "ann", "stagecoach", 0), "collection", "ann")
    assert site_named(position, "pioneer", "stagecoach")
    position = after(position, ("ann", Collect(site="stagecoach")))
    assert hand_of(after(position, ("ann", "2 Silver")), "ann") == ()
    drawn = after(position, ("ann", "cards"))
    assert len(hand_of(drawn, "ann")) == 3
    kept = str(hand_of(drawn, "ann")[2].card)
    assert [held.card for held in hand_of(after(drawn, ("ann", kept)), "ann")] == [kept]
