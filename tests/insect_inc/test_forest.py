"""The check of forest cards, on whatever list is loaded; and how another list is dropped in."""

from __future__ import annotations

from importlib.resources import files

import pytest

import ludolog
from ludolog import Chance, Game, Rules, Variant, errors, table_from
from ludolog.ruleset import Ruleset
from ludolog_plugins.bots.insect import InsectBot
from ludolog_plugins.insect_inc import load
from ludolog_plugins.insect_inc.commands import Reveal
from ludolog_plugins.insect_inc.data import FOREST
from ludolog_plugins.insect_inc.forest import ForestCard, faults_of, kinds_of, read_forest
from ludolog_plugins.insect_inc.realtime import RealTime
from ludolog_plugins.insect_inc.state import FOREST_CARDS, Forest

TEXT = files("ludolog_plugins.insect_inc").joinpath("rules.toml").read_text("utf-8")


def changed(**cards: ForestCard) -> tuple[ForestCard, ...]:
    """The constructed cards with some of them, named ``card_7``, replaced."""
    found = list(FOREST)
    for name, card in cards.items():
        found[int(name.removeprefix("card_"))] = card
    return tuple(found)


def clauses_of(cards: tuple[ForestCard, ...], pairs: str = "any") -> set[str]:
    return {fault.clause for fault in faults_of(cards, pairs)}


@pytest.mark.rule("II-R2", "II-R25", "II-10")
def test_the_construction_has_every_property_that_is_stated():
    assert faults_of(FOREST, "marked") == ()
    for card, halves in enumerate(FOREST):
        assert halves == ForestCard(left=(card, (card - 4) % 48), right=((card - 1) % 48, (card - 6) % 48))
        assert (len(halves.left), len(halves.right)) == (2, 2)


@pytest.mark.parametrize(
    ("clause", "cards"),
    [
        pytest.param("II-02", FOREST[:47], marks=pytest.mark.rule("II-02"), id="a-card-is-missing"),
        pytest.param("II-02", (*FOREST, FOREST[0]), marks=pytest.mark.rule("II-02"), id="a-card-too-many"),
        pytest.param(
            "II-01",
            changed(card_0=ForestCard((48, 44), (47, 42))),
            marks=pytest.mark.rule("II-01"),
            id="a-kind-that-is-none",
        ),
        pytest.param(
            "II-06", changed(card_0=ForestCard((0,), (47, 42))), marks=pytest.mark.rule("II-06"), id="three-halves"
        ),
        pytest.param(
            "II-06", changed(card_0=ForestCard((0, 0), (47, 42))), marks=pytest.mark.rule("II-06"), id="one-kind-twice"
        ),
        pytest.param(
            "II-07",
            tuple(
                ForestCard(
                    tuple(1 if kind == 0 else kind for kind in card.left), tuple(2 if k == 0 else k for k in card.right)
                )
                for card in FOREST
            ),
            marks=pytest.mark.rule("II-07"),
            id="a-kind-is-nowhere",
        ),
        pytest.param(
            "II-08",
            changed(card_0=ForestCard((0, 44), (0, 42))),
            marks=pytest.mark.rule("II-08"),
            id="one-card-completes-a-kind",
        ),
        pytest.param(
            "II-09",
            changed(card_0=ForestCard((9, 44), (47, 42))),
            marks=pytest.mark.rule("II-09"),
            id="one-left-half-and-three-of-another",
        ),
        pytest.param(
            "II-09",
            changed(card_0=ForestCard((42, 44), (47, 0))),
            marks=pytest.mark.rule("II-09"),
            id="a-half-on-the-wrong-side",
        ),
    ],
)
def test_each_property_that_a_list_lacks_is_named(clause, cards):
    """F41: the check is run against a planted fault of every kind."""
    assert clause in clauses_of(cards)


@pytest.mark.rule("II-R1")
def test_marks_matter_with_marked_pairs_only():
    swapped = changed(card_10=ForestCard((6, 10), (9, 4)))
    assert clauses_of(swapped) == set()
    assert clauses_of(swapped, "marked") == {"II-R1"}
    assert set(kinds_of(swapped)[10].left) == {10, 14}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[[forest]\n", "it is no TOML"),
        ('[[forest]]\ncard = 0\nleft = ["a"]\nright = []', r"line 3, forest\[0\].left"),
        ("[[forest]]\ncard = 0\nleft = [1]", "right"),
        ("[[forest]]\ncard = 0\nleft = [1]\nright = []\nback = []", "back"),
        ("[[forest]]\ncard = 1\nleft = []\nright = []", r"line 2, forest\[0\].card.*numbered from 0 to 0"),
        ("[[forest]]\ncard = 0\nleft = []\nright = []\n" * 2, r"line 6, forest\[1\].card"),
        ("forest = 3", "array"),
    ],
)
def test_lists_that_are_none_are_refused(text, why):
    with pytest.raises(errors.BadData, match=why):
        read_forest(text)


def with_cards(text: str, **options: object) -> Ruleset:
    """The game with another list of cards, as a variant of ten lines puts it in."""
    rules = Rules("insect-inc/other-forest")
    rules.replace(FOREST_CARDS, "cards", read_forest(text), cites="II-06")
    game = Game(id="insect-inc", title="", summary="", seats=(2, 3), rules=load)
    variant = Variant(id="insect-inc/other-forest", title="", summary="", rules=lambda: rules)
    return Ruleset(game, (variant,), options)


def entries(cards: tuple[ForestCard, ...]) -> str:
    return "\n".join(
        f"[[forest]]\ncard = {number}\nleft = {list(card.left)}\nright = {list(card.right)}"
        for number, card in enumerate(cards)
    )


@pytest.mark.rule("II-09", "II-R2")
def test_another_list_of_cards_is_dropped_in_as_data():
    mirrored = tuple(ForestCard(left=card.right, right=card.left) for card in FOREST)
    ruleset = with_cards(entries(mirrored), forest_labels="plain")
    table = table_from(ruleset, ("A", "B"), seed=1)
    kinds = table.position[Forest].kinds
    assert kinds == kinds_of(mirrored)
    assert set(kinds[10].left) == {11, 16}
    assert ruleset.digest != Ruleset(ruleset.game).digest


@pytest.mark.rule("II-06")
def test_a_table_with_a_faulty_list_is_not_opened():
    ruleset = with_cards(entries(changed(card_0=ForestCard((0,), (47, 42)))))
    with pytest.raises(errors.IllegalCommand) as refused:
        table_from(ruleset, ("A", "B"), seed=1)
    refusal = refused.value.refusal
    assert (refusal.code, refusal.clause) == ("faulty-forest", "II-06")
    assert len(refusal.facts["faults"]) == 2


@pytest.mark.rule("II-09", "II-R2")
def test_the_real_list_is_given_as_a_file_whose_text_the_log_keeps(tmp_path):
    mirrored = tuple(ForestCard(left=card.right, right=card.left) for card in FOREST)
    path = tmp_path / "cards.toml"
    path.write_text(entries(mirrored), encoding="utf-8")
    options = {"forest": str(path), "forest_labels": "plain"}
    table = ludolog.new_table("insect-inc", seats=("A", "B"), options=options, seed=1, store=tmp_path / "games.db")
    assert table.position[Forest].kinds == kinds_of(mirrored)
    path.unlink()
    again = ludolog.open_table(table.id, tmp_path / "games.db")
    again.play(again.to_act[0], Reveal())
    assert again.audit([again.receipt]).answers[0].verdict == "yes"
    assert again.position[Forest] == table.position[Forest]


LINES = 4
"""Lines of an entry: the header, the number, left and right halves."""


@pytest.mark.rule("II-01", "II-02", "II-06", "II-08", "II-09")
@pytest.mark.parametrize(
    ("cards", "line", "field", "why"),
    [
        (changed(card_7=ForestCard((7, 3), (6, 99))), 7 * LINES + 4, "forest[7].right", "Card 7 shows 99"),
        (changed(card_7=ForestCard((7,), (6, 1))), 7 * LINES + 1, "forest[7]", "Card 7 must show halves of four"),
        (changed(card_7=ForestCard((7, 6), (6, 1))), 7 * LINES + 1, "forest[7]", "Card 7 must show halves of four"),
        (changed(card_7=ForestCard((3, 9), (6, 1))), 13 * LINES + 3, "forest[13].left", "Kind 9 must have 2 left"),
        (FOREST[:40], 39 * LINES + 1, "forest[39]", "There must be 48 forest cards, not 40"),
        ((), 0, "forest", "There must be 48 forest cards, not 0"),
    ],
)
def test_a_faulty_file_is_refused_with_line_and_field(tmp_path, cards, line, field, why):
    path = tmp_path / "cards.toml"
    path.write_text(entries(cards) or "# nothing\n", encoding="utf-8")
    with pytest.raises(errors.BadData) as refused:
        ludolog.new_table("insect-inc", seats=("A", "B"), options={"forest": str(path)}, seed=1)
    assert (refused.value.line, refused.value.field) == (line, field)
    assert why in str(refused.value)


def test_entries_may_stand_in_any_order_and_are_found_all_the_same(tmp_path):
    text = "\n".join(reversed(entries(changed(card_7=ForestCard((7,), (6, 1)))).split("\n[[")))
    path = tmp_path / "cards.toml"
    path.write_text(text.replace("forest]]", "[[forest]]").replace("[[[[", "[["), encoding="utf-8")
    with pytest.raises(errors.BadData, match=r"line 161, forest\[40\]"):
        ludolog.new_table("insect-inc", seats=("A", "B"), options={"forest": str(path)}, seed=1)


@pytest.mark.rule("II-R1")
def test_a_file_whose_marks_make_no_pairs_is_good_for_games_without_marks_only(tmp_path):
    path = tmp_path / "cards.toml"
    path.write_text(entries(changed(card_10=ForestCard((6, 10), (9, 4)))), encoding="utf-8")
    ludolog.new_table("insect-inc", seats=("A", "B"), options={"forest": str(path)}, seed=1)
    with pytest.raises(errors.IllegalCommand, match=r"The halves of kind 6 are not marked as two pairs"):
        ludolog.new_table("insect-inc", seats=("A", "B"), options={"forest": str(path), "pairs": "marked"}, seed=1)


@pytest.mark.rule("II-R30")
def test_a_game_with_the_real_list_is_played_to_its_end(tmp_path):
    """Another construction, in which some two cards complete two kinds: every property that is stated holds."""
    steps = {"left": (0, 5), "right": (2, 7)}
    cards = tuple(
        ForestCard(*(tuple((card - step) % 48 for step in steps[side]) for side in ("left", "right")))
        for card in range(48)
    )
    completed = [kind for kind, halves in enumerate(kinds_of(cards)) if halves.completed_by((20, 22), "any")]
    assert completed == [15, 20]
    path = tmp_path / "cards.toml"
    path.write_text(entries(cards), encoding="utf-8")
    table = ludolog.new_table("insect-inc", seats=("A", "B", "C"), options={"forest": str(path)}, seed=1, at=0)
    bots = {seat: InsectBot(reaction=3000, spread=2000) for seat in table.seats}
    game = RealTime(table, bots, {seat: Chance(seat.encode()) for seat in bots}, began=0)
    while (moment := game.next_moment) is not None:
        game.advance(moment)
    assert table.over
    assert table.audit([table.receipt]).ok


def test_the_list_that_is_shipped_is_the_one_of_the_rules_data():
    assert read_forest(TEXT) == FOREST
