"""Pictures of the spread, and how events and commands read."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

import ludolog
from insect_inc.scenes import CLOSE, REVEAL, SEATS, Scene, new_game
from ludolog_plugins.insect_inc.commands import Claim, CloseWindow, Declare, Reveal
from ludolog_plugins.insect_inc.state import Forest, Insects

SVG = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314 - the game's own picture


def texts(svg: str) -> list[str]:
    return ["".join(found.itertext()) for found in parsed(svg).iter(f"{SVG}text")]


@pytest.mark.rule("II-11", "II-R21")
def test_the_text_shows_cards_with_their_halves_and_faces():
    lines = str(Scene(down=(10,), out=("B",), taken={"A": 2}).claim("A", 10, 11).position).splitlines()
    assert lines[:5] == [
        "Open insects: 10; pile: 20; 7 insects end the game.",
        "  A  2: 47 46",
        "  B  0",
        "* C  0",
        "Claimed: A (10 11); out for a while: B.",
    ]
    assert lines[5].startswith("42) 47)[00](0  (44   6) 11)[12](8  (12")
    assert lines[15].startswith(" 4)  9)~10~(6  (10 ")
    assert len(lines) == 5 + 12 + 2


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_the_text_fits_into_a_small_terminal_whatever_happens(count):
    """With five lines to spare for a prompt and what happened last, in 80 columns and 24 lines."""
    names = tuple(f"{letter}{'x' * 63}" for letter in SEATS[:count])
    table = ludolog.new_table("insect-inc", seats=names, seed=3, at=5)
    table.play(table.to_act[0], REVEAL, at=5)
    for seat, card in zip(names, range(40, 47), strict=False):
        lines = str(table.view(names[0])).splitlines()
        assert len(lines) <= 19 + 2 * (count > 3)  # names as long as these take a line each
        assert max(map(len, lines)) < 80
        table.play(seat, Claim(cards=(card, card + 1)), at=6)
    for short in (2, 4, 6):
        scene = Scene(short, open=range(20), taken=dict.fromkeys(SEATS[:short], 4), out=("A",))
        lines = str(scene.position).splitlines()
        assert len(lines) <= 20
        assert max(map(len, lines)) < 80


def test_the_text_says_what_its_signs_mean_and_who_you_are():
    table = ludolog.new_table("insect-inc", seats=("ann", "bob"), seed=3)
    told = str(table.view("ann"))
    assert "  ann (you)" in told or "* ann (you)" in told
    assert "(you)" not in str(table.view(None))
    assert "(you)" not in str(table.position)
    assert "one with its left half (7, one with 7)" in told
    assert "[12]: card 12, up; ~12~: down." in told


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
    assert "hand on cards 10 and 11" in shown
    assert "start player" in shown
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
    assert "\nClaimed: ann (33 34).\n" in str(table.view("ann"))
    assert table.view("ann").svg().count('stroke-dasharray="none"') == 2
    for viewer in ("bob", None):
        assert "\nClaimed: ann.\n" in str(table.view(viewer))
        assert 'stroke-dasharray="none"' not in table.view(viewer).svg()
    assert any("<cy>" in text for text in texts(table.view(None).svg()))


@pytest.mark.parametrize("count", [2, 6])
def test_nothing_in_the_svg_is_cut_off_or_lies_on_something_else(count):
    """Texts are as wide as their letters at most; the open insects, however many, end left of the players."""
    kinds = dict.fromkeys(SEATS[:count], 9 if count == 2 else 4)
    scene = Scene(count, open=range(20), taken=kinds, out=("A",), following=()).claim("B", 10, 11)
    root = parsed(scene.position.svg())
    width, height = (int(root.get(name, "")) for name in ("width", "height"))
    places = [(0.0, 0.0, element) for element in root]
    texts_from: list[float] = []
    while places:
        left, top, element = places.pop()
        if moved := re.match(r"translate\((\S+) (\S+)\)", element.get("transform", "")):
            left, top = left + float(moved[1]), top + float(moved[2])
        places += [(left, top, inner) for inner in element]
        if element.tag == f"{SVG}text":
            size = len("".join(element.itertext())) * float(element.get("font-size", "")) * 0.65
            start = (
                left
                + float(element.get("x", ""))
                - {"middle": size / 2, "end": size}.get(element.get("text-anchor", ""), 0)
            )
            assert start >= 0
            assert start + size <= width
            assert 0 < top + float(element.get("y", "")) < height
            texts_from.append(start)
        if element.tag == f"{SVG}rect" and element.get("width") == "72":
            assert left + 72 <= 8 * 106
    assert max(texts_from) > 8 * 106


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
    assert f"Forest cards {low} and {high} are turned down." in told
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
