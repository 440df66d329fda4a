"""The pictures: complete, readable in a terminal, and of a view no more than was told."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

import ludolog
from dark_horse_bugs.situations import DILLY_DALLY, LINE, NAMES, after, begun, lined_up, new_table, played, race, seen
from ludolog_plugins.dark_horse_bugs.commands import LayBadEncounter, LayCard, PlaceBug
from ludolog_plugins.dark_horse_bugs.dilly_dally import Ants
from ludolog_plugins.dark_horse_bugs.scoring import in_points

RACE = """\
Dark Horse: the bug race, as A sees it

finish 1 sugar   ladybug
       2 walnut  snail
       3 cherry  fly
       4 acorn   caterpillar
       5 olive   wasp
       6 leaf    bee on a black base
 start 7 stone   grasshopper

  A: 1 card (bee±1); 2 goals (bee, fly); laid wasp-1; Ant token
> B: 2 cards; 2 goals
  C: 2 cards; 2 goals

Goal deck: 6 cards
Set aside: 0 Move cards
Ant tokens on offer: 1

B is to lay a card."""

LINE_UP = """\
Dark Horse: the bug race

finish 1 sugar
       2 walnut
       3 cherry
       4 acorn
       5 olive
       6 leaf
 start 7 stone
  line, front to rear: bee, fly
  not in it yet: ladybug, snail, caterpillar, wasp, grasshopper
"""


def texts_of(picture: str) -> list[str]:
    return [node.text or "" for node in ET.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")]  # noqa: S314


def test_the_race_as_text():
    bugs = ("ladybug", "snail", "fly", "wasp", "caterpillar", "bee", "grasshopper")
    given = race(bugs=bugs, hands={"A": ("wasp-1", "bee+-1")}, goals={"A": ("bee", "fly")}, variants=DILLY_DALLY)
    given = given.having(Ants(base="bee", tokens=1, holders=("A",)))
    assert str(seen(after(given, "A", LayCard(card="wasp-1")), "A")) == RACE


def test_the_line_up_as_text():
    assert str(lined_up(begun(), ("bee", "fly"))).startswith(LINE_UP)


@pytest.mark.parametrize("variants", [(), DILLY_DALLY])
@pytest.mark.parametrize("seats", [2, 6])
def test_every_position_and_view_can_be_drawn(seats, variants):
    table = played(seats, variants, exchanged_goal="top")
    for length in range(0, table.length + 1, 3):
        for position in (table.at(length), *(table.view(viewer, at=length) for viewer in (*table.seats, None))):
            assert max(map(len, str(position).splitlines())) <= 80
            ET.fromstring(position.svg())  # noqa: S314 - the library's own picture


@pytest.mark.parametrize("kind", ["text", "svg"])
def test_a_picture_shows_own_cards_and_only_counts_those_of_rivals(kind):
    given = race(hands={"A": ("bee+-1", "places3,5+-1"), "B": ("fly+1", "snail-1")})
    for viewer in ("A", "B", None):
        shown = given.ruleset.draw(kind, seen(given, viewer))
        assert ("bee±1" in shown, "places3,5±1" in shown) == (viewer == "A",) * 2
        assert ("fly+1" in shown, "snail-1" in shown) == (viewer == "B",) * 2
    full = given.ruleset.draw(kind, given)
    assert all(card in full for card in ("bee±1", "places3,5±1", "fly+1", "snail-1"))


def test_the_svg_shows_the_line_in_order():
    words = texts_of(race(bugs=LINE[::-1]).svg())
    assert [word for word in words if word in LINE][:7] == list(LINE[::-1])
    assert [word for word in words if word[:2] in {f"{place} " for place in range(1, 8)}] == [
        "1 sugar",
        "2 walnut",
        "3 cherry",
        "4 acorn",
        "5 olive",
        "6 leaf",
        "7 stone",
    ]


def test_pictures_say_whose_turn_it_is_and_who_won():
    given = race(hands={"A": ("bad-encounter",)})
    between = after(given, "A", LayBadEncounter(use="rival", rival="C"))
    for shown in (str(between), between.svg()):
        assert "C is to give up a Goal card." in shown
    table = played(4, DILLY_DALLY)
    for shown in (str(table.view(None)), table.view(None).svg()):
        assert table.outcome.sentence in shown
    for sheet in table.outcome.scores:
        assert f"    {in_points(sheet.total)}: " in str(table.position)
        assert in_points(sheet.total) in " ".join(texts_of(table.position.svg()))


def test_names_of_seats_are_shown_as_they_are_and_cut_where_they_are_long():
    seats = ("<b>&\"'", "x" * 64)
    table = ludolog.new_table("dark-horse-bugs", seats, seed=1)
    assert "<b>&\"'" in texts_of(table.position.svg())
    assert f"{'x' * 15}…" in texts_of(table.position.svg())
    assert max(map(len, str(table.view(seats[1])).splitlines())) <= 80
    table.play(table.to_act[0], PlaceBug(bug="bee"))
    assert "x" * 17 not in str(table.position)


def test_notebooks_get_the_svg():
    table = new_table()
    assert table.view("A")._repr_svg_() == table.view("A").svg()
    assert table.view("A")._repr_svg_().startswith("<svg")
    assert NAMES[0] in texts_of(table.view("A").svg())
