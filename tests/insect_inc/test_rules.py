"""Clauses and rulings beyond the worked examples: who may act, what counts, what is refused, what is told."""

from __future__ import annotations

import itertools

import pytest

import ludolog
from insect_inc.scenes import CLOSE, DECLARE, REVEAL, SEATS, Scene, new_game, ruleset
from ludolog import Chance, errors
from ludolog_plugins.insect_inc import rules as rules_module
from ludolog_plugins.insect_inc.commands import Claim, CloseWindow, Declare, Reveal, every_claim
from ludolog_plugins.insect_inc.events import (
    ClaimEntered,
    InsectRevealed,
    WindowClosed,
)
from ludolog_plugins.insect_inc.forest import Kind
from ludolog_plugins.insect_inc.state import NO_CARD, Forest, Hand, Insects, Players, Window


def new_table(count: int = 3, **options: object) -> ludolog.Table:
    given = {"forest_labels": "plain", "claims_window": "until-closed", **options}
    return ludolog.new_table("insect-inc", seats=tuple(SEATS[:count]), options=given, seed=3)


# ---------------------------------------------------------------- set-up and hidden cards


@pytest.mark.rule("II-05", "II-13", "II-R21")
def test_nobody_knows_pile_and_unused_cards_before_they_are_revealed():
    """F4, F9: no value of what is hidden is in any view, feed or export before it is shown."""
    table = new_table()
    table.play(table.to_act[0], REVEAL)
    for viewer in (*table.seats, None):
        insects = table.view(viewer)[Insects]
        assert insects.open == table.position[Insects].open
        assert set(insects.pile) == set(insects.unused) == {None}
        assert (len(insects.pile), len(insects.unused)) == (23, 24)


@pytest.mark.rule("II-11", "II-R21")
def test_everyone_sees_every_face_and_every_half():
    table = new_table()
    table.play(table.to_act[0], REVEAL)
    table.play("A", Claim(cards=(3, 40)))
    table.play(None, CLOSE)
    for viewer in (*table.seats, None):
        assert table.view(viewer)[Forest] == table.position[Forest]
        assert table.view(viewer)[Forest].down[3]


@pytest.mark.rule("II-12", "II-17")
def test_pile_and_start_player_differ_from_seed_to_seed():
    games = [new_game(4, bytes([seed]) * 32) for seed in range(40)]
    assert {game[Players].start for game in games} == set("ABCD")
    assert len({game[Insects].pile for game in games}) == 40


@pytest.mark.rule("II-R2")
def test_shuffled_labels_renumber_cards_and_kinds_of_the_same_forest():
    plain, shuffled = new_game(), new_game(forest_labels="shuffled")
    assert shuffled[Forest].kinds != plain[Forest].kinds
    # The same construction: any two kinds share as many cards as before, up to the renumbering.
    assert _shape(shuffled[Forest].kinds) == _shape(plain[Forest].kinds)
    assert new_game(forest_labels="shuffled", seed=b"z" * 32)[Forest].kinds != shuffled[Forest].kinds


def _shape(kinds: tuple[Kind, ...]) -> list[int]:
    cards = [{*kind.left, *kind.right} for kind in kinds]
    return sorted(len(one & other) for one, other in itertools.combinations(cards, 2))


@pytest.mark.rule("II-R2")
def test_tables_are_shuffled_unless_asked_otherwise():
    one, other = (ludolog.new_table("insect-inc", seats=("A", "B"), seed=seed) for seed in (1, 2))
    assert one.position[Forest].kinds != other.position[Forest].kinds


@pytest.mark.rule("II-R23")
def test_kinds_are_numbers():
    position = new_game()
    assert sorted((*position[Insects].pile, *position[Insects].unused)) == list(range(48))


# ---------------------------------------------------------------- who may act


@pytest.mark.rule("II-18", "II-R13")
def test_before_the_first_reveal_only_the_start_player_acts_and_only_reveals():
    position = new_game()
    rules = position.ruleset
    (start,) = rules.to_act(position)
    assert rules.legal(position, start) == (Reveal(),)
    for seat in position.seats:
        for command in (Claim(cards=(1, 2)), Declare()):
            with pytest.raises(errors.CommandError) as refused:
                rules.decide(position, seat, command, Chance(b""))
            assert refused.value.refusal.code == "not-yet-revealed"
            assert refused.value.refusal.clause == "II-18"


@pytest.mark.rule("II-37", "II-R13")
def test_later_reveals_follow_by_themselves():
    scene = Scene()
    for seat in "ABC":
        assert scene.refused(seat, REVEAL).code == "already-revealed"


@pytest.mark.rule("II-19", "II-20", "II-R15")
def test_whoever_may_claim_may_put_a_hand_on_any_one_or_two_cards():
    scene = Scene(out=("B",))
    rules = scene.position.ruleset
    assert rules.to_act(scene.position) == ("A", "C")
    listed = rules.legal(scene.position, "A")
    assert len(listed) == len(set(listed)) == 48 + 48 * 47 // 2 + 1
    assert rules.legal(scene.position, "B") == ()
    for command in listed:
        rules.decide(scene.position, "A", command, Chance(b""))


def test_the_list_of_claims_is_made_once_and_shared():
    """Asking 3 seats of 2 positions for their claims makes no claim: the same tuple comes back every time."""
    one, other = Scene(), Scene(open=(20,), down=(1, 2))
    lists = [scene.position.ruleset.legal(scene.position, seat) for scene in (one, other) for seat in "ABC"]
    assert all(listed is lists[0] for listed in lists)
    assert every_claim() is every_claim()


def test_one_claim_is_checked_and_played_without_listing_any(monkeypatch):
    table = new_table(claims_window=400)
    table.play(table.to_act[0], REVEAL, at=1)

    def listed(*_asked):
        message = "nobody asked for the list"
        raise AssertionError(message)

    monkeypatch.setattr(rules_module, "every_claim", listed)
    monkeypatch.setattr(rules_module, "_claims_and_declare", listed)
    assert table.check("A", Claim(cards=(1, 2)), at=2) is None
    assert table.check("A", Claim(cards=(1, 1)), at=2).code == "same-card-twice"
    table.play("A", Claim(cards=(1, 2)), at=2)
    with pytest.raises(errors.RulesFault, match="AssertionError"):
        table.legal("B")


@pytest.mark.rule("II-R15")
@pytest.mark.parametrize(
    ("cards", "code", "clause"),
    [
        ((), "not-one-or-two-cards", "II-R15"),
        ((1, 2, 3), "not-one-or-two-cards", "II-R15"),
        ((5, 5), "same-card-twice", "II-R15"),
        ((0, 48), "no-such-card", "II-02"),
        ((-1,), "no-such-card", "II-02"),
        ((2**40, 1), "no-such-card", "II-02"),
    ],
)
def test_malformed_claims_are_refused_with_a_reason(cards, code, clause):
    refusal = Scene().refused("A", Claim(cards=cards))
    assert (refusal.code, refusal.clause) == (code, clause)


@pytest.mark.parametrize(
    "text",
    [
        '{"type": "insect-inc/claim"}',
        '{"type": "insect-inc/claim", "cards": "1 2"}',
        '{"type": "insect-inc/claim", "cards": [1.5, 2]}',
        '{"type": "insect-inc/claim", "cards": [null]}',
        '{"type": "insect-inc/claim", "cards": [1, 2], "kind": 3}',
        '{"type": "insect-inc/claim", "cards": [1, 2], "moment": 3}',
        '{"type": "insect-inc/snatch", "cards": [1, 2]}',
    ],
)
def test_claims_with_altered_fields_are_malformed(text):
    """F32: a claim carries cards and nothing else; neither its moment nor an insect comes from the player."""
    with pytest.raises(errors.MalformedCommand):
        ruleset().read_command(text)


def test_the_order_in_which_cards_are_named_makes_no_other_claim():
    assert Claim(cards=(11, 10)) == Claim(cards=(10, 11))
    assert ruleset().read_command('{"type": "insect-inc/claim", "cards": [11, 10]}') == Claim(cards=(10, 11))


def test_nobody_else_may_claim():
    """F32: a name that no seat has."""
    with pytest.raises(errors.UnknownSeat):
        new_table().play("Z", Claim(cards=(1, 2)))
    with pytest.raises(errors.UnknownSeat):
        Scene().position.ruleset.decide(Scene().position, "Z", Claim(cards=(1, 2)), Chance(b""))


# ---------------------------------------------------------------- declarations


@pytest.mark.rule("II-39", "II-R9")
def test_one_declaration_until_the_next_reveal():
    scene = Scene().declare("A")
    assert scene.refused("A", DECLARE).code == "already-declared"
    assert DECLARE not in scene.position.ruleset.legal(scene.position, "A")
    scene.declare("B").declare("C")
    assert scene.told(InsectRevealed) == [InsectRevealed(kind=30, cause="declared")]
    assert DECLARE in scene.position.ruleset.legal(scene.position, "A")
    scene.declare("A")
    assert scene.window.has_declared("A")


@pytest.mark.rule("II-R18")
def test_once_the_window_holds_a_claim_declarations_lead_to_no_reveal():
    scene = Scene().claim("A", 10, 11).declare("B").declare("C")
    assert scene.open == (10,)
    assert scene.refused("A", DECLARE).code == "already-claimed"
    scene.close()
    assert scene.open == (30,)


@pytest.mark.rule("II-R18")
def test_a_claim_after_a_declaration_prevents_the_reveal():
    scene = Scene(2).declare("A").claim("A", 10, 11).declare("B")
    assert scene.open == (10,)
    scene.close()
    assert (scene.open, scene.kinds("A")) == ((30,), (10,))


@pytest.mark.rule("II-R24")
def test_a_reveal_for_lack_of_equal_faces_frees_nobody():
    scene = Scene(open=(20,), following=(10, 33), down=(11, 16), out=("C",)).declare("A").declare("B")
    assert scene.out == {"C"}
    scene = (
        Scene(open=(10,), following=(33,), down=(11, 16), out=("C",), mixed_reveal="newest").declare("A").declare("B")
    )
    assert scene.out == {"C"}


# ---------------------------------------------------------------- hidden hands


@pytest.mark.rule("II-R29")
def test_a_hand_in_the_open_window_is_known_to_its_player_alone():
    """F4, F8, F9: neither view nor feed of the others says which cards, nor how many."""
    table = new_table()
    table.play(table.to_act[0], REVEAL)
    table.play("A", Claim(cards=(17, 23)))
    table.play("B", Claim(cards=(31,)))
    for viewer in (*table.seats, None):
        hands = {hand.seat: hand.cards for hand in table.view(viewer)[Window].hands}
        assert hands == {
            "A": (17, 23) if viewer == "A" else (None, None),
            "B": (31, NO_CARD) if viewer == "B" else (None, None),
        }
        entered = [item.event for item in table.feed(viewer) if isinstance(item.event, ClaimEntered)]
        assert [event.cards for event in entered] == [hands["A"], hands["B"]]
        assert table.ruleset.to_act(table.view(viewer)) == ("C",)
    table.play(None, CLOSE)
    shown = (Hand(seat="A", moment=0, cards=(17, 23)), Hand(seat="B", moment=0, cards=(31, NO_CARD)))
    for viewer in (*table.seats, None):
        assert table.view(viewer)[Window].judged == shown
        assert WindowClosed(hands=shown) in [item.event for item in table.feed(viewer)]


@pytest.mark.rule("II-R29")
def test_a_hand_may_be_taken_back_until_it_is_shown():
    """F1, F6: as long as nobody learnt anything from it; the closed window is beyond the barrier."""
    table = new_table()
    table.play(table.to_act[0], REVEAL)
    before = table.position
    table.play("A", Claim(cards=(17, 23)))
    with pytest.raises(errors.UndoRefused):
        table.undo("B")
    table.undo("A")
    assert table.position == before
    table.play("A", Claim(cards=(17, 24)))
    table.play(None, CLOSE)
    for seat in "AB":
        with pytest.raises(errors.UndoRefused):
            table.undo(seat)
    assert table.audit([table.receipt]).ok


def test_a_reveal_is_beyond_the_barrier():
    """F6: who revealed an insect has seen it."""
    table = new_table()
    (start,) = table.to_act
    table.play(start, REVEAL)
    with pytest.raises(errors.UndoRefused):
        table.undo(start)


# ---------------------------------------------------------------- worlds that fit a view


def test_determinized_views_fit_what_is_known():
    table = new_table()
    table.play(table.to_act[0], REVEAL)
    table.play("A", Claim(cards=(17, 23)))
    table.play(None, CLOSE)
    table.play("B", Claim(cards=(3, 5)))
    view = table.view("A")
    worlds = [table.ruleset.determinize(view, Chance(bytes([seed]) * 32)) for seed in range(20)]
    for world in worlds:
        insects = world[Insects]
        known = {*insects.open, *insects.removed, *(taken.kind for taken in world[Players].taken)}
        assert sorted((*insects.pile, *insects.unused, *known)) == list(range(48))
        assert not world.is_view
        (hand,) = world[Window].hands
        assert len(set(hand.cards)) == 2
        assert None not in hand.cards
    assert len({world[Insects].pile for world in worlds}) == 20
    own = table.ruleset.determinize(table.view("B"), Chance(b"x"))
    assert own[Window].hands[0].cards == (3, 5)
    assert table.ruleset.decide(worlds[0], None, CloseWindow(), Chance(b"")).position[Window].hands == ()
