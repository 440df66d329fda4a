"""Every worked example of the rules data: given a scene, when commands, then what has changed."""

from __future__ import annotations

import itertools
import tomllib
from importlib.resources import files

import pytest

import ludolog
from insect_inc.scenes import CLOSE, REVEAL, SEATS, Scene, new_game
from ludolog import Chance, errors
from ludolog_plugins.insect_inc.commands import Claim, Declare
from ludolog_plugins.insect_inc.data import FOREST
from ludolog_plugins.insect_inc.events import ClaimFailed, InsectRemoved, InsectRevealed
from ludolog_plugins.insect_inc.forest import ForestCard, kinds_of
from ludolog_plugins.insect_inc.state import Forest, Insects, Players, Window

DATA = tomllib.loads(files("ludolog_plugins.insect_inc").joinpath("rules.toml").read_text("utf-8"))
EXAMPLES = {entry["id"]: entry for entry in DATA["example"]}
KINDS = kinds_of(FOREST)


def example(name: str):
    """Name the example that a test plays."""

    def named(function):
        function.example = name
        return function

    return named


def examples():
    return [found for found in globals().values() if hasattr(found, "example")]


def test_every_example_is_a_test():
    assert {found.example for found in examples()} == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_test_of_an_example_names_the_clauses_that_the_example_names(name):
    (found,) = [found for found in examples() if found.example == name]
    marked = {clause for mark in found.pytestmark if mark.name == "rule" for clause in mark.args}
    assert marked == set(EXAMPLES[name]["clauses"])


@pytest.mark.rule("II-06", "II-09", "II-R2", "II-R25")
@example("II-E01")
def test_e01():
    assert FOREST[0] == ForestCard(left=(0, 44), right=(47, 42))
    assert FOREST[10] == ForestCard(left=(10, 6), right=(9, 4))


@pytest.mark.rule("II-07", "II-08", "II-09", "II-R1", "II-R2")
@example("II-E02")
def test_e02():
    assert set(KINDS[47].left) == {47, 3}
    assert set(KINDS[47].right) == {0, 5}
    assert set(KINDS[47].pairs("any")) == {(47, 0), (47, 5), (3, 0), (3, 5)}
    assert set(KINDS[47].pairs("marked")) == {(47, 0), (3, 5)}


@pytest.mark.rule("II-12", "II-13", "II-14", "II-15", "II-16", "II-R21")
@example("II-E03")
def test_e03():
    table = ludolog.new_table("insect-inc", seats=tuple(SEATS[:4]), seed=1)
    insects = table.position[Insects]
    assert (len(insects.unused), len(insects.pile), insects.open) == (24, 24, ())
    assert sorted((*insects.pile, *insects.unused)) == list(range(48))
    assert table.position[Forest].down == (False,) * 48
    assert table.position[Players].taken == ()
    for viewer in (*table.seats, None):
        view = table.view(viewer)
        assert view[Insects].pile == view[Insects].unused == (None,) * 24
        assert view[Forest] == table.position[Forest]


@pytest.mark.rule("II-18", "II-19", "II-R13")
@example("II-E04")
def test_e04():
    position = new_game(4)
    pile = position[Insects].pile
    pile = (10, *(kind for kind in pile if kind != 10))[:24]
    position = position.having(
        Insects(pile=pile, unused=position[Insects].unused), Players(start="C", taken=(), skipping=())
    )
    rules = position.ruleset
    assert rules.to_act(position) == ("C",)
    with pytest.raises(errors.NotYourTurn):
        rules.decide(position, "A", REVEAL, Chance(b""))
    after = rules.decide(position, "C", REVEAL, Chance(b"")).position
    assert (after[Insects].open, len(after[Insects].pile)) == ((10,), 23)
    assert rules.to_act(after) == ("A", "B", "C", "D")
    assert all(Claim(cards=(0, 1)) in rules.legal(after, seat) for seat in "ABCD")


@pytest.mark.rule("II-20", "II-21", "II-22", "II-23", "II-24", "II-31", "II-36", "II-37")
@example("II-E05")
def test_e05():
    scene = Scene(pile=23).claim("A", 10, 11).close()
    assert scene.kinds("A") == (10,)
    assert scene.start == "A"
    assert scene.down == {10, 11}
    assert (scene.open, scene.pile) == ((30,), 22)


@pytest.mark.rule("II-08", "II-21", "II-R1")
@example("II-E06")
def test_e06():
    scene = Scene(pile=23).claim("A", 10, 16).close()
    assert scene.kinds("A") == (10,)
    assert scene.down == {10, 16}


@pytest.mark.rule("II-R1", "II-R2")
@example("II-E07")
def test_e07():
    scene = Scene(pile=23, pairs="marked").claim("A", 10, 16).close()
    assert (scene.counts()["A"], scene.out, scene.down, scene.open) == (0, {"A"}, {10, 16}, (10, 30))
    assert scene.told(ClaimFailed)[0].failure == "other-pair"


@pytest.mark.rule("II-25", "II-29", "II-32", "II-34", "II-38")
@example("II-E08")
def test_e08():
    scene = Scene(pile=23).claim("A", 10, 14).close()
    assert (scene.out, scene.down, scene.open, scene.pile, scene.start) == ({"A"}, {10, 14}, (10, 30), 22, "C")
    assert scene.told(ClaimFailed)[0].failure == "same-half"


@pytest.mark.rule("II-24", "II-30", "II-32", "II-33", "II-35", "II-R22")
@example("II-E09")
def test_e09():
    scene = Scene(down=(11,)).claim("B", 10, 11).close()
    assert (scene.out, scene.down, scene.open) == ({"B"}, {10, 11}, (10, 30))
    assert scene.told(ClaimFailed)[0].failure == "different-faces"


@pytest.mark.rule("II-10", "II-24", "II-33", "II-R22")
@example("II-E10")
def test_e10():
    scene = Scene(open=(10, 30), down=(10, 11), pile=19, following=(40,)).claim("C", 10, 11).close()
    assert (scene.kinds("C"), scene.down, scene.open) == ((10,), {10, 11}, (30, 40))


@pytest.mark.rule("II-28", "II-32", "II-R7")
@example("II-E11")
def test_e11():
    scene = Scene(pile=23).claim("A", 10).close()
    assert (scene.out, scene.down, scene.open) == ({"A"}, {10}, (10, 30))
    assert scene.told(ClaimFailed)[0].failure == "one-card"


@pytest.mark.rule("II-27", "II-32", "II-R7")
@example("II-E12")
def test_e12():
    scene = Scene(pile=23, following=(40,)).claim("A", 10, 30).close()
    assert (scene.out, scene.down, scene.open) == ({"A"}, {10, 30}, (10, 40))
    assert scene.told(ClaimFailed)[0].failure == "wrong-insect"


@pytest.mark.rule("II-27", "II-41", "II-R6")
@example("II-E13")
def test_e13():
    assert 10 in KINDS[6].left
    assert 12 in KINDS[6].right
    scene = Scene().claim("A", 10, 12).close()
    assert (scene.out, scene.down) == ({"A"}, {10, 12})
    assert scene.told(ClaimFailed)[0].failure == "not-open"


@pytest.mark.rule("II-38", "II-41", "II-R6")
@example("II-E14")
def test_e14():
    scene = Scene(open=(6, 10), pile=21).claim("A", 10, 12).close()
    assert (scene.kinds("A"), scene.open, scene.pile) == ((6,), (10, 30), 20)


@pytest.mark.rule("II-42", "II-43", "II-44", "II-R4", "II-R20")
@example("II-E15")
def test_e15():
    scene = Scene(4, start="D", pile=15, taken={"A": 2, "B": 2}, out=("C",))
    scene.claim("A", 10, 11).claim("B", 14, 16).close()
    assert (scene.counts()["A"], scene.counts()["B"]) == (2, 2)
    assert scene.position[Insects].removed == (10,)
    assert (scene.start, scene.down, scene.open, scene.pile) == ("D", {10, 11, 14, 16}, (30,), 14)
    assert len(scene.told(InsectRevealed)) == 1
    # A success that ends in removal frees whoever is out, and puts nobody out (II-R20).
    assert scene.out == set()


@pytest.mark.rule("II-42", "II-43", "II-R4", "II-R5")
@example("II-E16")
def test_e16():
    scene = Scene(4, pile=15).claim("A", 10, 11).claim("B", 10, 11).close()
    assert scene.told(InsectRemoved) == [InsectRemoved(kind=10, seats=("A", "B"))]
    assert (set(scene.counts().values()), scene.out, scene.down, scene.pile) == ({0}, set(), {10, 11}, 14)


@pytest.mark.rule("II-22", "II-42", "II-R3", "II-R4", "II-R16")
@example("II-E17")
def test_e17():
    scene = Scene(4, open=(10, 20)).claim("A", 20, 21).claim("B", 10, 11).close()
    assert (scene.kinds("A"), scene.kinds("B")) == ((20,), (10,))
    assert (scene.open, scene.pile, scene.start) == ((30,), 19, "A")


@pytest.mark.rule("II-25", "II-26", "II-42", "II-R3", "II-R8")
@example("II-E18")
def test_e18():
    scene = Scene().claim("A", 10, 11).claim("B", 10, 14).close()
    assert (scene.kinds("A"), scene.out, scene.down) == ((10,), {"B"}, {10, 11, 14})
    assert (scene.open, scene.pile) == ((30,), 19)
    assert scene.refused("B", Claim(cards=(30, 31))).code == "skipping"


@pytest.mark.rule("II-26", "II-R8")
@example("II-E19")
def test_e19():
    scene = Scene(open=(30,), following=(5,), out=("B",)).claim("C", 30).close()
    assert scene.out == {"C"}
    scene.claim("B", 30, 31)
    assert [hand.seat for hand in scene.window.hands] == ["B"]


@pytest.mark.rule("II-26", "II-R8")
@example("II-E20")
def test_e20():
    scene = Scene(2).claim("A", 10).claim("B", 10, 14).close()
    assert len(scene.told(ClaimFailed)) == 2
    assert (scene.out, scene.down, scene.pile) == (set(), {10, 14}, 19)
    assert scene.position.ruleset.to_act(scene.position) == ("A", "B")


@pytest.mark.rule("II-39", "II-R9", "II-R24")
@example("II-E21")
def test_e21():
    scene = Scene(open=(30,), pile=18, following=(40,), out=("C",)).declare("A")
    assert (scene.open, scene.pile) == ((30,), 18)
    assert scene.refused("C", Declare()).code == "skipping"
    scene.declare("B")
    assert (scene.open, scene.pile, scene.out) == ((30, 40), 17, {"C"})
    assert scene.refused("C", Declare()).code == "skipping"


@pytest.mark.rule("II-39", "II-R9")
@example("II-E22")
def test_e22():
    scene = Scene(open=(30,), pile=18, following=(40, 41)).declare("A").claim("B", 30, 31).close()
    assert (scene.open, scene.pile) == ((40,), 17)
    scene.declare("B").declare("C")
    assert scene.pile == 17
    scene.declare("A")
    assert (scene.open, scene.pile) == ((40, 41), 16)


@pytest.mark.rule("II-37", "II-40", "II-R10")
@example("II-E23")
def test_e23():
    scene = Scene(open=(20,), down=(11, 16), pile=10, following=(10, 30)).claim("A", 20, 21).close()
    assert (scene.open, scene.pile) == ((10, 30), 8)
    assert [event.cause for event in scene.told(InsectRevealed)] == ["batch", "faces"]


@pytest.mark.rule("II-40", "II-R10")
@example("II-E24")
def test_e24():
    scene = Scene(open=(20,), down=(11, 16), pile=10, following=(10, 33)).claim("B", 30, 40).close()
    assert scene.out == {"B"}
    assert (scene.open, scene.pile) == ((20, 10), 9)


@pytest.mark.rule("II-40", "II-R10")
@example("II-E25")
def test_e25():
    scene = Scene(open=(20,), down=(11, 16), pile=10, following=(10, 33), mixed_reveal="newest")
    scene.claim("B", 30, 40).close()
    assert (scene.open, scene.pile) == ((20, 10, 33), 8)


@pytest.mark.rule("II-45", "II-48", "II-49", "II-50", "II-52", "II-R14", "II-R17")
@example("II-E26")
def test_e26():
    scene = Scene(2, open=(10, 20), pile=6, taken={"A": 8, "B": 4}).claim("A", 10, 11).close()
    assert (scene.counts()["A"], scene.reason, scene.winners, scene.pile) == (9, "target", {"A"}, 6)
    assert scene.told(InsectRevealed) == []
    assert [scene.position.outcome.score(seat) for seat in "AB"] == [9, 4]
    three = Scene(3, open=(10, 20), pile=6, taken={"A": 6, "B": 4}).claim("A", 10, 11).close()
    assert (three.counts()["A"], three.reason) == (7, "target")


@pytest.mark.rule("II-45", "II-48", "II-51", "II-52", "II-R12")
@example("II-E27")
def test_e27():
    scene = Scene(5, open=(10, 20), taken={"A": 4, "B": 4, "C": 3, "D": 1})
    scene.claim("A", 10, 11).claim("B", 20, 21).close()
    assert (scene.counts()["A"], scene.counts()["B"]) == (5, 5)
    assert (scene.reason, scene.winners) == ("target", {"A", "B"})


@pytest.mark.rule("II-45", "II-46", "II-52", "II-R11", "II-R14")
@example("II-E28")
def test_e28():
    scene = Scene(pile=1, following=(20,), taken={"A": 5, "B": 6, "C": 4}).claim("A", 10, 11).close()
    assert (scene.counts()["A"], scene.open, scene.pile) == (6, (20,), 0)
    assert (scene.reason, scene.winners) == ("pile-empty", {"A", "B"})
    assert scene.refused("C", Claim(cards=(20, 21))).code == "game-over"


@pytest.mark.rule("II-46", "II-R11")
@example("II-E29")
def test_e29():
    scene = Scene(pile=1, following=(20,), taken={"A": 5, "B": 6, "C": 4}, pile_end="reveal-due")
    scene.claim("A", 10, 11).close()
    assert (scene.open, scene.reason) == ((20,), "")
    scene.claim("C", 20, 21).close()
    assert (scene.counts(), scene.reason) == ({"A": 6, "B": 6, "C": 5}, "pile-empty")
    assert scene.winners == {"A", "B"}


@pytest.mark.rule("II-45", "II-47", "II-R17")
@example("II-E30")
def test_e30():
    down = tuple(card for card in range(48) if card not in {10, 11})
    scene = Scene(4, down=down, pile=4, taken={"A": 3, "B": 5, "C": 2, "D": 1}).claim("A", 10, 11).close()
    assert (scene.counts()["A"], len(scene.down), scene.reason) == (4, 48, "forest-down")
    assert (scene.told(InsectRevealed), scene.winners) == ([], {"B"})


@pytest.mark.rule("II-20", "II-26", "II-R15")
@example("II-E31")
def test_e31():
    scene = Scene(out=("B",)).claim("A", 10, 11)
    hands = scene.window.hands
    assert scene.refused("A", Claim(cards=(14, 16))).code == "already-claimed"
    assert scene.refused("B", Claim(cards=(14, 16))).code == "skipping"
    assert scene.refused("C", Claim(cards=(14, 14))).code == "same-card-twice"
    assert scene.refused("C", Claim(cards=(14, 16, 20))).code == "not-one-or-two-cards"
    assert scene.window.hands == hands
    assert len(hands) == 1


@pytest.mark.rule("II-21", "II-27", "II-R6")
@example("II-E32")
def test_e32():
    scene = Scene(pile=22).claim("B", 10, 11).close()
    assert (scene.kinds("B"), scene.open) == ((10,), (30,))
    scene.claim("C", 14, 16).close()
    assert (scene.out, scene.down) == ({"C"}, {10, 11, 14, 16})


@pytest.mark.rule("II-01", "II-02", "II-03", "II-06", "II-07", "II-08", "II-09", "II-R1", "II-R2")
@example("II-E33")
def test_e33():
    position = new_game()
    assert len({*position[Insects].pile, *position[Insects].unused}) == 48
    assert len(FOREST) == len(position[Forest].down) == 48
    assert not any("explanation" in kind.__name__.lower() for kind in position.slices)
    assert all(len(card.left) + len(card.right) == 4 for card in FOREST)
    assert all(len(set(kind.left)) == len(set(kind.right)) == 2 for kind in KINDS)
    shared = [
        len({*FOREST[one].left, *FOREST[one].right} & {*FOREST[other].left, *FOREST[other].right})
        for one, other in itertools.combinations(range(48), 2)
    ]
    assert (len(shared), shared.count(1), shared.count(0)) == (1128, 288, 840)
    every = [frozenset(pair) for kind in KINDS for pair in kind.pairs("any")]
    assert len(every) == len(set(every)) == 192
    assert len({frozenset(pair) for kind in KINDS for pair in kind.pairs("marked")}) == 96


@pytest.mark.rule("II-21", "II-39", "II-R18")
@example("II-E34")
def test_e34():
    scene = Scene().declare("A").claim("A", 10, 11).close()
    assert (scene.kinds("A"), scene.open, scene.pile) == ((10,), (30,), 19)


@pytest.mark.rule("II-04", "II-17")
@example("II-E35")
def test_e35():
    for count in (2, 6):
        table = ludolog.new_table("insect-inc", seats=tuple(SEATS[:count]), seed=count)
        assert table.position[Players].start in table.seats
    for seats in (("A",), tuple("ABCDEFG")):
        with pytest.raises(errors.BadSeats):
            ludolog.new_table("insect-inc", seats=seats, seed=1)


def test_the_host_alone_closes_windows():
    scene = Scene().claim("A", 10, 11)
    with pytest.raises(errors.NotYourTurn):
        scene.play("B", CLOSE)
    assert scene.position[Window].hands
