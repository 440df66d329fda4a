"""Changes of the base game that come with the expansion."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest

from dark_horse_west.variants.scenes import fronted, scene
from dark_horse_west.west import west
from ludolog import catalogue
from ludolog_plugins.dark_horse_west.abilities import offer_refusal, site_named
from ludolog_plugins.dark_horse_west.cards import cards_in_play
from ludolog_plugins.dark_horse_west.dice import role_of
from ludolog_plugins.dark_horse_west.offers import cost, gained
from ludolog_plugins.dark_horse_west.slots import CARDS, SHIELDS
from ludolog_plugins.dark_horse_west.state import Roles

PREACHER = "CB-03"


@pytest.mark.rule("RR-001")
def test_every_part_of_the_expansion_is_a_variant_of_the_base_game():
    variants = catalogue().variants("dark-horse-west")
    assert variants
    assert {variant.game for variant in variants} == {"dark-horse-west"}
    assert west("base-changes").game.id == "dark-horse-west"


@pytest.mark.rule("RR-024", "RR-025")
def test_the_tables_have_the_sites_of_seven_tiles():
    """Eight sites of the expansion lie in the place of others; two of them, sharing a place, are the large ones."""
    text = files("ludolog_plugins.dark_horse_west").joinpath("rebels_and_rogues.toml").read_text(encoding="utf-8")
    rows = [row for row in tomllib.loads(text)["space"] if row.get("replaces")]
    large = [row["id"] for row in rows if row["slots"] == 0]
    assert sorted(large) == ["barnstorming", "saloon"]
    assert len({row["replaces"] for row in rows} - {"market"}) == 5


@pytest.mark.rule("RR-309", "RR-R21")
def test_the_shield_covers_the_marshal_as_it_does_the_sheriff():
    position = scene("base-changes").having(Roles(held=(("marshal", "ann"), ("sheriff", "bob"))))
    assert role_of(position, "sheriff") == "bob"
    shielded = {
        seat: any(shield(position, seat) for shield in position.slot(SHIELDS).values()) for seat in position.seats
    }
    assert shielded == {"ann": True, "bob": True, "cem": False}
    base = scene().having(Roles(held=(("marshal", "ann"),)))
    assert not any(shield(base, "ann") for shield in base.slot(SHIELDS).values())


@pytest.mark.rule("RR-310")
def test_what_names_pioneer_speaks_of_stagecoach_too():
    assert site_named(scene("base-changes"), "pioneer", "stagecoach")
    assert not site_named(scene(), "pioneer", "stagecoach")
    assert not site_named(scene("base-changes"), "scout", "stagecoach")


@pytest.mark.rule("RR-311")
def test_the_preacher_takes_neither_black_hats_nor_jail():
    position = fronted(scene("base-changes", "reputation", characters=True), ann=(PREACHER,))
    assert offer_refusal(position, "ann", (), (gained("black"),)).clause == "DW-104"
    assert offer_refusal(position, "ann", (cost("jail"),), ()).clause == "DW-104"
    assert offer_refusal(position, "ann", (), (gained("white"),)) is None
    base = fronted(scene("reputation", characters=True), ann=(PREACHER,))
    assert offer_refusal(base, "ann", (), (gained("black"),)) is None


@pytest.mark.rule("RR-312")
def test_the_revised_tracker_takes_the_place_of_the_old_one():
    with_changes = cards_in_play(scene("base-changes", characters=True), "character-base")
    base = cards_in_play(scene(characters=True), "character-base")
    assert "CX-06" in with_changes
    assert "CB-04" not in with_changes
    assert set(with_changes) ^ set(base) == {"CX-06", "CB-04"}
    assert scene("base-changes").slot(CARDS)["CX-06"].name == "Tracker (revised)"
