"""The board as text and as SVG, and how the seats stand before the end."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

import ludolog
from dark_is_the_night.scenes import HUNTER, MONSTER, Scene
from ludolog_plugins.dark_is_the_night.commands import ChooseStart, Prowl, PutMutton, SetTrap, Shoot, Walk
from ludolog_plugins.dark_is_the_night.picture import svg, text
from ludolog_plugins.dark_is_the_night.scoring import value
from ludolog_plugins.dark_is_the_night.state import Dark


@pytest.fixture
def scene() -> Scene:
    """8 is lit, the trap lies on 6, and the Monster is on 12 or has gone round the other way."""
    scene = Scene(hunter="NE", monster=10).hunter(Walk(to="N"), Shoot(direction="South")).monster(Prowl(to=11))
    scene.play(MONSTER, scene.ruleset.legal(scene.position, MONSTER)[-1])
    return scene.hunter(Walk(to="NE"), SetTrap(at=6)).monster(Prowl(to=12))


def drawn(picture: str) -> ET.Element:
    return ET.fromstring(picture)  # noqa: S314 - our own picture


def marked(picture: str, mark: str) -> set[int]:
    """Numbers of the dark spaces that bear a mark."""
    words = picture.partition("\n\n")[2].rpartition("\n\n")[0].split()
    return {int("".join(filter(str.isdigit, word))) for word in words if mark in word}


def test_the_text_shows_what_is_told(scene):
    seen = text(scene.view)
    assert (marked(seen, "*"), marked(seen, "!"), marked(seen, "M"), marked(seen, "?")) == ({8}, {6}, set(), set())
    assert "[NE]" in seen
    assert "Items: bolt, mutton" in seen
    assert "M Monster" not in seen
    assert marked(text(scene.position), "M") == {12}


def test_possible_spaces_are_marked_when_asked(scene):
    possible = set(scene.view[Dark].clues[-1].spaces)
    assert 0 < len(possible) < 12
    assert marked(text(scene.view, possible=True), "?") == possible
    assert marked(scene.ruleset.draw("text", scene.view, possible=True), "?") == possible
    hatched = drawn(svg(scene.view, possible=True)).findall(".//*[@fill='url(#dn-hatch)']")
    assert len(hatched) == len(possible)
    assert scene.view.svg(possible=True) == svg(scene.view, possible=True)
    assert drawn(svg(scene.view)).findall(".//*[@fill='url(#dn-hatch)']") == []


def test_the_svg_shows_the_monster_only_where_it_is_told(scene):
    def figures(picture: str) -> int:
        return len(drawn(picture).findall("{http://www.w3.org/2000/svg}g"))

    # The fire, the Hunter and the trap; and the Monster in its own view.
    assert figures(svg(scene.view)) == 3
    assert figures(svg(scene.position)) == 4
    assert len(drawn(svg(scene.view)).findall(".//*[@fill='url(#dn-glow)']")) == 1
    torn = Scene(hunter="N", monster=1).hunter(Walk(to="NE"), PutMutton(at=7))
    assert figures(svg(torn.view)) == 4  # the mutton, and the Monster, which must be opposite
    assert marked(text(torn.view), "%") == {7}


def test_names_of_seats_are_escaped():
    seats = ("<ann & co>", '"bob"')
    table = ludolog.new_table("dark-is-the-night", seats=seats, seed=1)
    table.play('"bob"', ChooseStart(space=1))
    assert "<ann & co>" in "".join(drawn(table.view(None).svg()).itertext())
    assert "<ann & co>" in str(table.view(None))


def test_the_hunter_stands_better_the_more_she_knows_and_has(scene):
    blind, knowing = Scene(), Scene().hunter(Walk(to="NE"), SetTrap(at=9))
    assert value(knowing.position)[HUNTER] > value(blind.position)[HUNTER]
    assert value(Scene(items=()).position)[HUNTER] < value(blind.position)[HUNTER]


def test_the_monster_stands_better_where_it_can_attack():
    near = Scene(hunter="NE", monster=5, to_move="monster").monster(Prowl(to=4))
    far = Scene(hunter="NE", monster=5, to_move="monster").monster(Prowl(to=6))
    assert value(near.position)[MONSTER] > value(far.position)[MONSTER]
    assert value(near.position)[HUNTER] == value(far.position)[HUNTER]
