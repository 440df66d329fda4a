"""Pictures of the spread, and how events and commands read."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

import ludolog
from insect_inc.scenes import CLOSE, REVEAL, Scene, new_game
from ludolog_plugins.insect_inc.commands import Claim, CloseWindow, Declare, Reveal
from ludolog_plugins.insect_inc.state import Forest, Insects

SVG = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314 - the game's own picture


def texts(svg: str) -> list[str]:
    return ["".join(found.itertext()) for found in parsed(svg).iter(f"{SVG}text")]


@pytest.mark.rule("II-11", "II-R21")
def test_the_text_shows_cards_with_their_halves_and_faces():
    lines = str(Scene(down=(10,), out=("B",)).claim("A", 10, 11).position).splitlines()
    assert lines[0] == "open insects: 10   pile: 20   7 insects end the game"
    assert lines[2:5] == [
        "  A   0 insects, has a hand on cards 10 and 11",
        "  B   0 insects, out for a while",
        "* C   0 insects",
    ]
    assert lines[8].startswith(" 08   2)  7) (4  (8    09   3)  8) (5  (9   ~10~  4)  9) (6  (10 ")
    assert len(lines) == 6 + 12
    assert max(map(len, lines)) < 100


def test_the_text_tells_of_the_end():
    scene = Scene(2, taken={"A": 8}).claim("A", 10, 11).close()
    assert "The game is over: A player has taken enough insects. A won." in str(scene.position)


def test_the_text_before_the_forest_is_spread():
    rules = new_game().ruleset
    assert str(rules.opening(("A", "B"))) == "The forest is not spread yet."
    parsed(rules.opening(("A", "B")).svg())


def test_the_svg_shows_cards_insects_hands_and_players():
    scene = Scene(3, open=(10, 30), down=(10,), taken={"B": 2}).claim("A", 10, 11)
    svg = scene.position.svg()
    shown = texts(svg)
    assert [text for text in shown if text == "2 insects: 47 46"]
    assert "has a hand on cards 10 and 11" in shown
    assert "C (start player)" in shown
    assert "20" in shown  # the pile
    assert svg.count('stroke-dasharray="none"') == 2  # a ring for each card under the hand
    assert svg.count("#71804f") == 1  # one card is down
    closed = scene.close().position.svg()
    assert closed.count('stroke-dasharray="5 4"') == 2


@pytest.mark.rule("II-R29")
def test_pictures_of_a_view_show_no_hidden_hand():
    """F9: what a seat doesn't know is in no picture of its view."""
    table = ludolog.new_table("insect-inc", seats=("ann", "bob", "<cy>"), seed=4)
    table.play(table.to_act[0], REVEAL, at=5)
    table.play("ann", Claim(cards=(33, 34)), at=6)
    assert "33 and 34" in str(table.view("ann"))
    assert table.view("ann").svg().count('stroke-dasharray="none"') == 2
    for viewer in ("bob", None):
        assert "ann    0 insects, has claimed" in str(table.view(viewer))
        assert 'stroke-dasharray="none"' not in table.view(viewer).svg()
    assert any("<cy>" in text for text in texts(table.view(None).svg()))


def test_every_kind_looks_its_own_way():
    looks = set()
    for kind in range(48):
        root = parsed(Scene(open=(kind,)).position.svg())
        (insect,) = [
            found for found in root.iter(f"{SVG}g") if found.get("transform") == "translate(36 42) scale(1.35)"
        ]
        looks.add(ET.tostring(insect))
    assert len(looks) == 48


def test_how_a_game_reads():
    table = ludolog.new_table("insect-inc", seats=("ann", "bob"), options={"forest_labels": "plain"}, seed=4)
    (start,) = table.to_act
    table.play(start, Reveal(), at=5)
    kind = table.position[Insects].open[0]
    left, right = table.position[Forest].kinds[kind].pairs("any")[0]
    table.play("ann", Claim(cards=(left, right)), at=6)
    table.play("bob", Claim(cards=(left,)), at=7)
    told = [table.ruleset.tell(table.view("bob"), item.event) for item in table.feed("bob")]
    low, high = sorted((left, right))
    assert "The pile has 24 insect cards; 24 leave the game unseen." in told
    assert f"Insect {kind} is revealed." in told
    assert "ann puts a hand on the forest." in told
    assert f"bob puts a hand on card {left}." in told
    assert f"The hands are looked at: ann's on cards {low} and {high} and bob's on card {left}." in told
    assert f"ann takes insect {kind}." in told
    assert "bob fails: a hand on one card only." in told
    assert f"Forest cards {low} and {high} turned down." in told
    commands = (Reveal(), Claim(cards=(1, 2)), Claim(cards=(1,)), Declare(), CloseWindow())
    assert [table.ruleset.tell(table.position, command) for command in commands] == [
        "Reveal the first insect.",
        "Put a hand on cards 1 and 2.",
        "Put a hand on card 1.",
        "Say that you find nothing.",
        "Look at the hands.",
    ]


def test_every_event_reads_as_a_sentence():
    scene = Scene(3, pile=1, open=(10,), following=(20,), out=("C",)).claim("A", 10, 11).claim("B", 14, 16)
    scene.play(None, CLOSE)
    for event in scene.events[:-1]:
        sentence = scene.position.ruleset.tell(scene.position, event)
        assert re.fullmatch(r"[^\n:]+(: [^\n]+)?\.", sentence), sentence
