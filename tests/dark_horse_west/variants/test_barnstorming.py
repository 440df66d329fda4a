"""Barnstorming: what it takes and what it gives."""

from __future__ import annotations

import pytest

from dark_horse_west.variants.scenes import after, at, claimed, dice, goods, has, offered, refusal, scene
from dark_horse_west.west import west
from ludolog import Position
from ludolog.errors import MissingRequirement, VariantConflict
from ludolog_plugins.dark_horse_west.claims import claims_of
from ludolog_plugins.dark_horse_west.commands import ClaimSite, Collect
from ludolog_plugins.dark_horse_west.expansion import VOTE
from ludolog_plugins.dark_horse_west.goods import next_roll
from ludolog_plugins.dark_horse_west.scoring import score_sheet

MODULES = ("reputation", "silver", "barnstorming")
SHOW, SPEECH = "bonus die and Wild Die token", "influence"


def collecting(**held: int) -> Position:
    """Ann collects from Barnstorming."""
    position = claimed(goods(dice(scene(*MODULES), ann=(3, 4)), ann=held), "ann", "barnstorming", 0)
    return after(at(position, "collection", "ann"), ("ann", Collect(site="barnstorming")))


@pytest.mark.rule("RR-149", "RR-R24", "RR-R25")
def test_barnstorming_stands_in_the_place_of_market_and_takes_any_die_without_limit() -> None:
    sites = west(*MODULES).slots["sites"]
    assert "market" not in sites
    assert sites["barnstorming"].limit == "Unlimited"
    position = claimed(dice(scene(*MODULES), ann=(3, 4), bob=(1,)), "bob", "barnstorming", 2)
    position = at(position, "placement", "ann")
    assert refusal(position, "ann", ClaimSite(site="barnstorming", dice=(0, 1))).code == "one-die-only"
    assert claims_of(after(position, ("ann", ClaimSite(site="barnstorming", dice=(1,)))), "ann") == ("barnstorming",)


@pytest.mark.rule("RR-150", "RR-151", "RR-152")
def test_barnstorming(  # RR-E38
) -> None:
    position = collecting(white=3, silver=2, vote=1, influence=4)
    assert offered(position, "ann") == (SHOW, SPEECH, "nothing")
    show = after(position, ("ann", SHOW))
    assert [has(show, "ann", what) for what in ("white", "silver", "wild", "vote")] == [1, 1, 1, 1]
    assert next_roll(show, "ann") == 3
    speech = after(position, ("ann", SPEECH))
    assert [has(speech, "ann", what) for what in ("white", "silver", "vote", "influence")] == [3, 1, 0, 5]


@pytest.mark.rule("RR-151")
@pytest.mark.parametrize(
    ("held", "able"),
    [
        ({"black": 2, "silver": 1}, True),
        ({"black": 1, "silver": 1}, False),
        ({"white": 2}, False),
    ],
)
def test_any_two_hats_and_a_silver_are_paid_in_full(held: dict[str, int], able: bool) -> None:
    assert (SHOW in offered(collecting(**held), "ann")) is able


@pytest.mark.rule("RR-152")
@pytest.mark.parametrize(
    ("held", "able"), [({"vote": 1, "silver": 1}, True), ({"silver": 1}, False), ({"vote": 1}, False)]
)
def test_a_vote_and_a_silver_are_paid_in_full(held: dict[str, int], able: bool) -> None:
    assert (SPEECH in offered(collecting(**held), "ann")) is able


@pytest.mark.rule("RR-R46")
def test_votes_left_score_nothing() -> None:
    position = scene(*MODULES)
    assert score_sheet(goods(position, ann={"vote": 5}), "ann") == score_sheet(position, "ann")


@pytest.mark.rule("RR-152")
def test_votes_are_shared_with_whatever_else_brings_them() -> None:
    things = west(*MODULES).slots["things"]
    assert things["vote"] is VOTE
    assert [str(source) for source in things.sources["vote"]] == ["dark-horse-west/barnstorming shares it (RR-152)"]


@pytest.mark.rule("RR-149")
def test_conflicting_modules(  # RR-E57, case B: both replace Market
) -> None:
    with pytest.raises(VariantConflict, match=r"barnstorming.*saloon"):
        west("reputation", "silver", "barnstorming", "saloon")
    for missing in ("reputation", "silver"):
        with pytest.raises(MissingRequirement, match=missing):
            west(*(name for name in MODULES if name != missing))
