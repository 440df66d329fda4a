"""The pictures: what they show, of a position and of a view."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from dark_horse_west.scenes import ANN, BOB, CEM, Scene, scene
from dark_horse_west.west import NAMES, begun, west
from ludolog import Position, Rules, Ruleset, Variant, catalogue
from ludolog_plugins.dark_horse_west import slots
from ludolog_plugins.dark_horse_west.laid_hexes import LaidHexes, Lying
from ludolog_plugins.dark_horse_west.state import Claim, Closing, Dice, Die

SVG = "{http://www.w3.org/2000/svg}"

RICH = {
    "cities": {ANN: ((3, -3),), BOB: ((0, 0),)},
    "towns": {ANN: ((3, -4), (2, -3)), BOB: ((1, -1),)},
    "links": {ANN: (((3, -3), (2, -2)),), BOB: (((2, -2), (1, -2)),)},
    "tiles": {(3, -4): "wood", (1, -1): "food"},
    "goods": {ANN: {"food": 2, "wild": 2, "influence": 4}, BOB: {"gold": 1}},
    "dice": {ANN: (3, 5), BOB: (2, Die(seat=BOB, kind="deputy", value=6, alone=True))},
    "claims": (Claim(seat=ANN, site="politics", dice=(0,)),),
    "hands": {ANN: ("AC-01",), BOB: ("AC-02", "AC-03")},
    "roles": {"sheriff": BOB},
}


def drawn(given: Scene | Position, kind: str = "svg") -> str:
    position = given.position if isinstance(given, Scene) else given
    return position.ruleset.draw(kind, position)


def words(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]  # noqa: S314 - our own


@pytest.mark.rule("DW-029", "DW-030", "DW-038")
def test_the_map_shows_every_hex_piece_and_rail():
    svg = drawn(scene(**RICH))
    root = ET.fromstring(svg)  # noqa: S314 - our own
    assert root.get("width") == "1200"
    # 61 hexes, 4 rugged edges, 2 cities and 3 towns.
    assert len(list(root.iter(f"{SVG}polygon"))) == 61 + 4 + 5
    assert len(list(root.iter(f"{SVG}line"))) == 2 * 2  # each rail has an edge
    told = words(svg)
    assert {"3,-4", "Wood", "Food", "?", "Turn 5 · placement"} <= set(told)
    assert sum(word == "?" for word in told) == 2 * 10  # 12 face down, of which 2 have been turned up


@pytest.mark.rule("DW-066", "DW-041", "DW-042", "DW-047", "DW-049")
def test_sites_tracks_and_panels_are_shown():
    told = words(drawn(scene(**RICH, options={"event_steps": (3, 6, 9)})))
    assert {site.name for site in west().slots[slots.SITES.name].values()} <= set(told)
    assert {"Influence", "Order", "Event", "End", "3 · Limited", "10 natural · Restricted"} <= set(told)
    assert "1 ann ◀" in told
    assert "2 Food, 2 Wild Die tokens, 4 influence" in told
    assert "1 city, 2 towns, 1 rail" in told
    assert "roles: Sheriff" in told


def test_a_closed_site_is_marked():
    given = scene(**RICH)
    claims = given.position.slices
    kind = next(kind for kind in claims if kind.__name__ == "Claims")
    given.position = given.position.having(kind(closed=(Closing("builder", 5, ""),)))
    assert "closed" in words(drawn(given))
    assert "closed" not in words(drawn(scene(**RICH)))


@pytest.mark.rule("DW-113", "DW-033")
@pytest.mark.parametrize("kind", ["svg", "text"])
def test_a_view_shows_no_hand_of_others_and_no_face_down_tile(kind):
    """Everything drawn for a seat is drawn from what it was told."""
    position = begun(west(), 3)
    view = Position(position.ruleset, position.ruleset.opening(NAMES[:3]).slices, BOB, is_view=True)
    given = scene(**RICH)
    full = drawn(given, kind)
    assert "hand: Good Harvest" in full
    hidden = {
        slice_kind: value if slice_kind.__name__ != "Cards" else _blinded(value)
        for slice_kind, value in given.position.slices.items()
    }
    blind = drawn(Position(given.ruleset, hidden, CEM, is_view=True), kind)
    assert "Good Harvest" not in blind
    assert "1 Action card" in blind
    assert drawn(view, kind)


def _blinded(cards):
    hands = tuple((seat, tuple(type(card)(card.deck, None) for card in hand)) for seat, hand in cards.hands)
    piles = tuple(type(pile)(pile.deck, (None,) * len(pile.pile), pile.discards) for pile in cards.piles)
    return type(cards)(piles=piles, hands=hands)


def test_the_text_has_map_coordinates_legend_panels_and_the_question():
    text = drawn(scene(**RICH), "text")
    lines = text.splitlines()
    assert lines[0] == "Turn 5, placement; order ann, bob, cem"
    assert lines[1] == "claimed: Politics (ann)"
    assert any("W T1" in line for line in lines)
    assert any("F^T2" in line for line in lines)
    assert any(". C1" in line for line in lines)
    assert "    rails: 2,-2 to 3,-3" in lines
    assert lines[-1] == "ann's turn: placement"
    assert max(map(len, lines)) < 110


def test_what_variants_mark_and_add_is_shown():
    toy = Rules("dark-horse-west/toy")
    toy.add(slots.MAP_MARKS, "camp", lambda _position: (((0, 0), "camp"), ((0, 0), "fire")), cites="T-1")
    toy.add(slots.PANEL_LINES, "silver", lambda _position, seat: f"silver of {seat}", cites="T-1")
    variant = Variant(id="dark-horse-west/toy", title="", summary="", rules=lambda: toy)
    position = begun(Ruleset(catalogue().game("dark-horse-west"), (variant,)), 2)
    told = words(drawn(position))
    assert {"camp", "fire", "silver of ann", "silver of bob"} <= set(told)
    assert "camp on 0,0, fire on 0,0" in drawn(position, "text")


@pytest.mark.rule("DW-R50")
def test_dice_of_nobody_are_shown_beside_the_decks():
    position = begun(west("gunslinger"), 2)
    riding = position.having(
        Dice(dice=tuple(Die(seat="", kind="gunslinger", value=value, at="gunslinger") for value in (2, 5)))
    )
    assert "dice of the Gunslinger: 2 and 5" in drawn(riding, "text").splitlines()
    assert "die of the Gunslinger" in words(drawn(riding))
    assert not any("die of the Gunslinger" in drawn(position, kind) for kind in ("text", "svg"))


@pytest.mark.rule("RR-197")
def test_a_hex_laid_over_the_map_has_its_name_once():
    ruleset = west("mystery-hexes", "silver", "reputation")
    position = begun(ruleset, 2)
    ghosts = LaidHexes(hexes=(Lying("ghost-town", (1, 1), shown=True), Lying(None, (2, -1))))
    told = words(drawn(position.having(ghosts)))
    assert [told.count(name) for name in ("Ghost Town", "hidden hex")] == [1, 1]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_names_and_lines_of_any_length_stay_in_their_panels(seats):
    names = tuple("W" * 60 + str(number) for number in range(seats))
    ruleset = west()
    position = begun(ruleset, seats)
    slices = ruleset.opening(names).slices
    assert words(drawn(Position(ruleset, slices)))
    assert all(len(word) <= 200 for word in words(drawn(position)))
