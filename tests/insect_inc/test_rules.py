"""Clauses and rulings beyond the worked examples: who may act, what counts, what is refused, what is told."""

from __future__ import annotations

import itertools

import pytest

import ludolog
from insect_inc.scenes import CLOSE, DECLARE, REVEAL, SEATS, Scene, new_game, ruleset
from ludolog import Chance, errors
from ludolog_events import told
from ludolog_plugins.insect_inc.commands import Claim, CloseWindow, Declare, Reveal, every_claim
from ludolog_plugins.insect_inc.events import (
    ClaimEntered,
    ClaimFailed,
    ForestTurned,
    HiddenShown,
    InsectRevealed,
    SkipEnded,
    StartPlayerSet,
    WindowClosed,
)
from ludolog_plugins.insect_inc.forest import Kind
from ludolog_plugins.insect_inc.state import NO_CARD, Forest, Hand, Insects, Players, Window

LAST_TWO = tuple(card for card in range(48) if card not in {10, 11})


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


# ---------------------------------------------------------------- judging


@pytest.mark.rule("II-27", "II-29", "II-30", "II-R6")
@pytest.mark.parametrize(
    ("cards", "down", "failure"),
    [
        ((10,), (), "one-card"),
        ((11,), (11,), "one-card"),
        ((10, 11), (10,), "different-faces"),
        ((10, 11), (11,), "different-faces"),
        ((10, 14), (), "same-half"),
        ((11, 16), (), "same-half"),
        ((11, 16), (16,), "same-half"),
        ((10, 12), (), "not-open"),
        ((10, 12), (12,), "not-open"),
        ((10, 40), (), "wrong-insect"),
        ((30, 40), (), "wrong-insect"),
        ((10, 11), (), ""),
        ((14, 11), (14, 11), ""),
    ],
)
def test_how_a_claim_on_kind_10_is_judged(cards, down, failure):
    scene = Scene(down=down).claim("A", *cards).close()
    assert [event.failure for event in scene.told(ClaimFailed)] == ([failure] if failure else [])
    assert scene.kinds("A") == (() if failure else (10,))


@pytest.mark.rule("II-R6")
def test_halves_of_two_open_insects_are_no_insect():
    scene = Scene(open=(10, 30)).claim("A", 10, 31).close()
    assert scene.told(ClaimFailed)[0].failure == "wrong-insect"


@pytest.mark.rule("II-R1")
@pytest.mark.parametrize(("cards", "taken"), [((10, 11), (10,)), ((14, 16), (10,)), ((10, 16), ()), ((11, 14), ())])
def test_with_marked_pairs_only_a_pair_fits(cards, taken):
    assert Scene(pairs="marked").claim("A", *cards).close().kinds("A") == taken


@pytest.mark.rule("II-R1", "II-R10")
def test_with_marked_pairs_only_pairs_keep_an_insect_catchable():
    # Cards 10 and 16 are up, 11 and 14 down: any left fits any right, but no pair shows equal faces.
    down = (11, 14)
    marked = Scene(open=(20,), following=(10, 33), down=down, pairs="marked").claim("A", 20, 21).close()
    assert marked.open == (10, 33)
    unmarked = Scene(open=(20,), following=(10, 33), down=down).claim("A", 20, 21).close()
    assert unmarked.open == (10,)


@pytest.mark.rule("II-R30")
def test_two_cards_that_complete_two_open_insects_take_the_one_revealed_first():
    scene = Scene(open=(20, 10))
    kinds = scene.position[Forest].kinds
    both = tuple(kinds[10] if kind == 20 else halves for kind, halves in enumerate(kinds))
    scene.position = scene.position.having(Forest(kinds=both, down=scene.position[Forest].down))
    scene.claim("A", 10, 11).close()
    assert scene.kinds("A") == (20,)


@pytest.mark.rule("II-33", "II-R3", "II-R22")
def test_claims_of_a_batch_are_judged_on_the_faces_before_it():
    # B turns card 11 down in the same batch; A's claim on it is judged as if it were still up.
    scene = Scene(4, open=(10, 20)).claim("B", 11, 40).claim("A", 10, 11).close()
    assert scene.kinds("A") == (10,)
    assert scene.told(ForestTurned) == [ForestTurned(cards=(10, 11, 40))]
    later = Scene(4, open=(10, 20), following=(30, 5), down=(11,)).claim("A", 10, 11).close()
    assert later.told(ClaimFailed)[0].failure == "different-faces"


@pytest.mark.rule("II-31", "II-32", "II-33", "II-R7", "II-R22")
def test_only_cards_that_were_up_are_turned():
    scene = Scene(down=(10, 11)).claim("A", 10, 11).claim("B", 11, 12).close()
    assert scene.told(ForestTurned) == [ForestTurned(cards=(12,))]
    again = Scene(down=(10, 11)).claim("A", 10, 11).close()
    assert again.told(ForestTurned) == []
    assert again.down == {10, 11}


@pytest.mark.rule("II-42", "II-43", "II-44", "II-R4", "II-R5")
def test_shared_and_single_successes_of_one_batch():
    scene = Scene(5, start="E", open=(10, 20), following=(30,))
    scene.claim("A", 10, 11).claim("B", 11, 14).claim("C", 20, 21).claim("D", 21, 11).close()
    assert scene.position[Insects].removed == (10,)
    assert scene.counts() == {"A": 0, "B": 0, "C": 1, "D": 0, "E": 0}
    assert (scene.out, scene.start, scene.open) == ({"D"}, "C", (30,))
    assert scene.down == {10, 11, 14, 20, 21}


@pytest.mark.rule("II-R4", "II-R14")
def test_who_shared_a_success_becomes_no_start_player_and_scores_nothing_at_the_end():
    scene = Scene(3, start="C", pile=1, following=(20,)).claim("A", 10, 11).claim("B", 14, 16).close()
    assert scene.start == "C"
    assert scene.told(StartPlayerSet) == []
    assert [scene.position.outcome.score(seat) for seat in "ABC"] == [0, 0, 0]
    assert scene.position.outcome.winners == ("A", "B", "C")


@pytest.mark.rule("II-23", "II-R16")
@pytest.mark.parametrize(("start", "next_start"), [("A", "A"), ("B", "D"), ("C", "D"), ("D", "D"), ("E", "A")])
def test_of_several_takers_the_first_clockwise_from_the_start_player_starts(start, next_start):
    scene = Scene(5, start=start, open=(10, 20)).claim("D", 20, 21).claim("A", 10, 11).close()
    assert scene.start == next_start


# ---------------------------------------------------------------- out for a while


@pytest.mark.rule("II-25", "II-26", "II-R8")
def test_a_batch_frees_those_who_were_out_before_it_and_not_those_it_puts_out():
    scene = Scene(4, out=("D",)).claim("A", 10).claim("B", 11).close()
    assert scene.out == {"A", "B"}
    assert scene.told(SkipEnded) == [SkipEnded(seats=("D",))]
    scene.claim("C", 30, 31).close()
    assert scene.out == set()


@pytest.mark.rule("II-R8")
def test_two_out_and_the_third_failing_does_not_free_all():
    scene = Scene(3, out=("A", "B")).claim("C", 10).close()
    assert scene.out == {"C"}


@pytest.mark.rule("II-R20")
def test_a_shared_success_frees_those_who_are_out():
    assert Scene(3, out=("C",)).claim("A", 10, 11).claim("B", 14, 16).close().out == set()


# ---------------------------------------------------------------- reveals and ends


@pytest.mark.rule("II-40", "II-R10", "II-R19")
def test_insects_are_revealed_until_one_can_be_completed():
    # Kinds 10, 20 and 40 have their left halves up and their right halves down.
    down = tuple(card for kind in (10, 20, 40) for card in (kind + 1, kind + 6))
    scene = Scene(open=(30,), following=(10, 20, 40, 5), down=down).claim("A", 30, 31).close()
    assert scene.open == (10, 20, 40, 5)
    assert [event.cause for event in scene.told(InsectRevealed)] == ["batch", "faces", "faces", "faces"]


@pytest.mark.rule("II-R19", "II-R11")
def test_reveals_in_a_row_may_empty_the_pile():
    down = tuple(card for kind in (10, 20) for card in (kind + 1, kind + 6))
    for pile_end in ("last-card-leaves", "reveal-due"):
        scene = Scene(open=(30,), pile=2, following=(10, 20), down=down, pile_end=pile_end)
        scene.claim("A", 30, 31).close()
        assert (scene.open, scene.reason) == ((10, 20), "pile-empty")


@pytest.mark.rule("II-46", "II-R11")
def test_the_last_card_may_leave_by_declaration():
    scene = Scene(2, pile=1, following=(30,)).declare("A").declare("B")
    assert (scene.open, scene.reason, scene.winners) == ((10, 30), "pile-empty", {"A", "B"})


@pytest.mark.rule("II-R11")
def test_with_an_empty_pile_a_reveal_that_is_due_ends_the_game():
    scene = Scene(2, pile=0, following=(), pile_end="reveal-due")
    assert scene.reason == ""
    scene.declare("A").declare("B")
    assert (scene.open, scene.reason) == ((10,), "pile-empty")


@pytest.mark.rule("II-45", "II-48", "II-49", "II-50", "II-51")
@pytest.mark.parametrize(("count", "target"), [(2, 9), (3, 7), (4, 7), (5, 5), (6, 5)])
def test_the_target_depends_on_the_number_of_players(count, target):
    short = Scene(count, taken={"A": target - 2}).claim("A", 10, 11).close()
    assert short.reason == ""
    enough = Scene(count, taken={"A": target - 1}).claim("A", 10, 11).close()
    assert (enough.reason, enough.winners) == ("target", {"A"})


@pytest.mark.rule("II-45", "II-47", "II-R12", "II-R17")
def test_the_last_two_cards_may_be_turned_by_failures():
    """F16: a game may end on a failure; whoever has most wins all the same."""
    scene = Scene(3, down=LAST_TWO, taken={"B": 1}).claim("A", 10).claim("C", 11).close()
    assert (scene.reason, scene.winners, scene.told(InsectRevealed)) == ("forest-down", {"B"}, [])


@pytest.mark.rule("II-R12", "II-R17")
def test_several_ends_at_once_name_the_target_first():
    scene = Scene(2, down=LAST_TWO, pile=1, taken={"A": 8}).claim("A", 10, 11).close()
    assert (scene.reason, scene.pile, scene.winners) == ("target", 1, {"A"})


@pytest.mark.rule("II-52", "II-R12")
def test_players_level_on_the_most_share_the_win_and_others_rank_behind():
    """F38: a shared win is given to all who share it."""
    scene = Scene(4, pile=1, following=(30,), taken={"A": 3, "B": 2, "C": 3, "D": 1}).claim("D", 5).close()
    outcome = scene.position.outcome
    assert outcome.ranking == (("A", "C"), ("B",), ("D",))
    assert outcome.winners == ("A", "C")
    assert [line.clause for sheet in outcome.scores for line in sheet.lines] == ["II-52"] * 4


@pytest.mark.rule("II-R21", "II-45")
def test_after_the_end_everyone_knows_what_was_hidden_and_nobody_may_act():
    """F21: one end, and every further command is refused for the same reason."""
    scene = Scene(2, open=(10, 20), pile=6, taken={"A": 8}).claim("A", 10, 11).close()
    (shown,) = scene.told(HiddenShown)
    assert (len(shown.pile), len(shown.unused)) == (6, 24)
    assert told(shown, "B") == shown
    assert scene.position.ruleset.to_act(scene.position) == ()
    codes = {
        scene.refused(seat, command).code
        for seat, command in (("A", Claim(cards=(1, 2))), ("B", DECLARE), ("A", REVEAL), (None, CLOSE))
    }
    assert codes == {"game-over"}


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
