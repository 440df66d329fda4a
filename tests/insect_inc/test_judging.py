"""How claims are judged, who is out and for how long, when insects are revealed, and how a game ends."""

from __future__ import annotations

import pytest

from insect_inc.scenes import CLOSE, DECLARE, REVEAL, Scene
from ludolog_events import told
from ludolog_plugins.insect_inc.commands import Claim
from ludolog_plugins.insect_inc.events import (
    ClaimFailed,
    ForestTurned,
    HiddenShown,
    InsectRevealed,
    SkipEnded,
    StartPlayerSet,
)
from ludolog_plugins.insect_inc.state import Forest, Insects

LAST_TWO = tuple(card for card in range(48) if card not in {10, 11})

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


@pytest.mark.rule("II-40", "II-R10")
@pytest.mark.parametrize(
    ("down", "more"),
    [((10, 11), False), ((10, 14, 11, 16), False), ((10, 14, 11), False), ((10, 14), True), ((), False)],
)
def test_equal_faces_are_two_up_or_two_down(down, more):
    scene = Scene(open=(30,), following=(10, 5), down=down).claim("A", 30, 31).close()
    assert scene.open == ((10, 5) if more else (10,))


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
