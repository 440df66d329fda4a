"""The claims window: moments say what is simultaneous; order of arrival, repetition and clocks change nothing."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludolog
from insect_inc.scenes import CLOSE, DECLARE, REVEAL, SEATS, Scene
from ludolog import errors
from ludolog.testing.simultaneous import Delivery, deliver, delivery_orders, hash_of, same_in_any_order
from ludolog_plugins.insect_inc.commands import Claim, CloseWindow
from ludolog_plugins.insect_inc.events import InsectRevealed, WindowClosed
from ludolog_plugins.insect_inc.state import Insects, Players, Window
from ludolog_plugins.insect_inc.window import deadline

T = 1_700_000_000_000_000
MS = 1000
WINDOW = 500


def timed(count: int = 3, **given: object) -> Scene:
    """A scene whose window lasts ``WINDOW`` milliseconds; its first insect was revealed at ``T``."""
    scene = Scene(count, **{"claims_window": WINDOW, **given})
    scene.position = scene.position.having(Window(since=T, latest=T))
    return scene


def claim(seat: str, *cards: int, ms: int) -> Delivery:
    return Delivery(seat, Claim(cards=cards), T + ms * MS)


def new_table(count: int = 3, window: object = WINDOW) -> ludolog.Table:
    options = {"forest_labels": "plain", "claims_window": window}
    table = ludolog.new_table("insect-inc", seats=tuple(SEATS[:count]), options=options, seed=3, at=T)
    table.play(table.to_act[0], REVEAL, at=T)
    return table


def names(table: ludolog.Table) -> list[tuple[str | None, str]]:
    return [(batch.seat, type(batch.command).__name__) for batch in table.journal.batches(3)]


# ---------------------------------------------------------------- who gives the closing step


@pytest.mark.rule("II-R15", "II-R26")
def test_the_table_closes_the_window_when_a_command_comes_past_it():
    table = new_table(4)
    table.play("A", Claim(cards=(10, 11)), at=T + 1000 * MS)
    table.play("B", Claim(cards=(14, 16)), at=T + 1500 * MS)
    assert table.position[Insects].revealed == 1
    table.play("C", Claim(cards=(20, 21)), at=T + 1500 * MS + 1)
    assert names(table) == [("A", "Claim"), ("B", "Claim"), (None, "CloseWindow"), ("C", "Claim")]
    assert [hand.seat for hand in table.position[Window].judged] == ["A", "B"]
    assert [hand.seat for hand in table.position[Window].hands] == ["C"]
    assert table.audit([table.receipt]).ok


@pytest.mark.rule("II-R15", "II-R26")
def test_the_table_closes_the_window_when_the_host_ticks_past_it():
    table = new_table()
    table.play("A", Claim(cards=(10, 11)), at=T + 1000 * MS)
    table.tick(at=T + 1500 * MS)
    assert table.position[Window].hands
    table.tick(at=T + 1500 * MS + 1)
    assert names(table) == [("A", "Claim"), (None, "CloseWindow")]
    before = table.receipt
    assert table.tick(at=T + 99_000 * MS) == before


@pytest.mark.rule("II-R26")
def test_the_window_is_closed_at_once_when_everyone_who_may_claim_has_claimed():
    """F15: two of three may claim; nobody waits for the third."""
    scene = timed(out=("C",)).claim("A", 10, 11, at=T + 5)
    assert scene.position.ruleset.to_act(scene.position) == ("B",)
    scene.claim("B", 20, 21, at=T + 9)
    assert scene.told(WindowClosed)
    assert scene.window.since == T + 9
    assert scene.out == {"B"}


@pytest.mark.rule("II-R15", "II-R26")
def test_the_closing_step_is_a_recorded_command_when_everyone_has_claimed_too():
    """It carries the moment of the claim that arrived last, and the seat of nobody: the table gave it."""
    table = new_table(2)
    table.play("A", Claim(cards=(10, 11)), at=T + 300 * MS)
    receipt = table.play("B", Claim(cards=(20, 21)), at=T + 200 * MS)
    assert names(table) == [("A", "Claim"), ("B", "Claim"), (None, "CloseWindow")]
    closing = table.journal.batch(table.length - 1)
    assert (closing.time, table.length) == (T + 200 * MS, receipt.length + 1)
    assert table.position[Window].since == T + 300 * MS
    assert table.audit([receipt, table.receipt]).ok


@pytest.mark.rule("II-R18", "II-R26")
def test_who_has_declared_is_waited_for_until_the_window_has_passed():
    scene = timed(2).declare("B", at=T + 5).claim("A", 10, 11, at=T + 9)
    assert scene.window.hands
    scene.claim("B", 14, 16, at=T + 10)
    assert scene.position[Insects].removed == (10,)


@pytest.mark.rule("II-R15")
def test_until_closed_means_that_only_the_host_closes():
    table = new_table(window="until-closed")
    for seat, cards in (("A", (10, 11)), ("B", (14, 16)), ("C", (20, 21))):
        table.play(seat, Claim(cards=cards), at=T)
    assert table.to_act == ()
    assert table.due(T + 10**12) is None
    assert table.tick(at=T + 10**12).length == table.length
    table.play(None, CLOSE, at=T)
    assert len(table.position[Window].judged) == 3


@pytest.mark.rule("II-R15")
def test_the_closing_step_needs_a_claim_and_is_the_hosts_alone():
    scene = Scene()
    assert scene.refused(None, CLOSE).code == "nothing-to-close"
    assert scene.refused("A", CLOSE).code == "host-only"
    scene = timed().claim("A", 10, 11, at=T + 7)
    refusal = scene.refused(None, CLOSE, at=T + WINDOW * MS + 7)
    assert (refusal.code, refusal.facts) == ("window-still-open", {"until": T + WINDOW * MS + 7})
    scene.close(at=T + WINDOW * MS + 8)
    assert scene.kinds("A") == (10,)


@pytest.mark.rule("II-R15")
def test_with_first_claim_every_claim_is_a_batch_of_its_own():
    table = new_table(window="first-claim")
    table.play("A", Claim(cards=(10, 11)), at=T)
    assert names(table) == [("A", "Claim")]
    assert len(table.position[Window].judged) == 1
    assert table.position[Insects].revealed == 2


@pytest.mark.rule("II-R15", "II-36")
def test_a_claim_that_is_refused_past_the_window_closes_it_all_the_same():
    table = new_table()
    table.play("A", Claim(cards=(10,)), at=T)
    with pytest.raises(errors.NotYourTurn) as refused:
        table.play("A", Claim(cards=(11,)), at=T + 2000 * MS)
    assert refused.value.refusal.code == "skipping"
    assert names(table) == [("A", "Claim"), (None, "CloseWindow")]
    assert table.check("A", Claim(cards=(11,)), at=T + 3000 * MS).code == "skipping"


@pytest.mark.rule("II-26", "II-R26")
def test_who_was_out_may_claim_past_the_window_that_frees_it():
    scene = timed(out=("C",)).claim("A", 10, 11, at=T)
    assert scene.refused("C", Claim(cards=(30, 31)), at=T + WINDOW * MS).code == "skipping"
    scene.claim("C", 30, 31, at=T + WINDOW * MS + 1)
    assert [hand.seat for hand in scene.window.hands] == ["C"]


def test_check_foresees_the_closing_step_and_records_nothing():
    table = new_table()
    table.play("A", Claim(cards=(10,)), at=T)
    length = table.length
    assert table.check("A", Claim(cards=(1, 2)), at=T + 1).code == "already-claimed"
    assert table.check("A", Claim(cards=(1, 2)), at=T + 2000 * MS).code == "skipping"
    assert table.check("B", Claim(cards=(1, 2)), at=T + 2000 * MS) is None
    assert table.length == length


# ---------------------------------------------------------------- the reveal by declaration


@pytest.mark.rule("II-39", "II-R28")
def test_the_reveal_by_declaration_comes_when_the_window_has_passed():
    table = new_table(2)
    table.play("A", DECLARE, at=T + 100 * MS)
    table.play("B", DECLARE, at=T + 200 * MS)
    table.tick(at=T + 700 * MS)
    assert table.position[Insects].revealed == 1
    table.tick(at=T + 700 * MS + 1)
    assert table.position[Insects].revealed == 2
    assert [
        found.cause for found in table.journal.batch(table.length - 1).events if isinstance(found, InsectRevealed)
    ] == ["declared"]
    assert table.position[Window].since == T + 700 * MS + 1


@pytest.mark.rule("II-R18", "II-R28")
def test_a_claim_made_before_the_last_declaration_and_delivered_after_it_prevents_the_reveal():
    deliveries = (
        Delivery("A", DECLARE, T + 100 * MS),
        claim("A", 10, 11, ms=150),
        Delivery("B", DECLARE, T + 200 * MS),
    )
    after = same_in_any_order(timed(2).position, deliveries, tick=T + 2000 * MS)
    assert after.refused == {}
    assert after.position[Players].kinds_of("A") == (10,)


@pytest.mark.rule("II-R28")
def test_when_all_have_declared_a_claim_does_not_put_the_end_off():
    """Otherwise B's claim, past the end, would belong to A's window only if A's arrived before it."""
    scene = timed(2).declare("A", at=T).declare("B", at=T + 10).claim("A", 10, 11, at=T + 400 * MS)
    assert deadline(scene.position) == T + 500 * MS + 10
    scene.claim("B", 14, 16, at=T + 600 * MS)
    assert scene.kinds("A") == (10,)
    assert [hand.seat for hand in scene.window.hands] == ["B"]


# ---------------------------------------------------------------- arrival order


@pytest.mark.rule("II-R3", "II-R15", "II-R26")
def test_any_order_of_the_same_claims_gives_the_same_position_and_hash():
    """F24: nobody's command is dropped for having come second, third or fourth."""
    deliveries = (
        claim("A", 10, 11, ms=100),
        claim("B", 14, 16, ms=130),
        claim("C", 20, 21, ms=400),
        claim("D", 11, 40, ms=599),
    )
    position = timed(5, open=(10, 20)).position
    pending = {hash_of(deliver(position, order).position) for order in delivery_orders(deliveries)}
    assert len(list(delivery_orders(deliveries))) == 24
    assert len(pending) == 1
    after = same_in_any_order(position, deliveries, tick=T + 2000 * MS)
    assert after.refused == {}
    assert after.position[Insects].removed == (10,)
    assert after.position[Players].kinds_of("C") == (20,)
    assert after.position[Players].skipping == ("D",)


@pytest.mark.rule("II-R12", "II-R26")
def test_any_order_of_claims_that_end_the_game_gives_the_same_end():
    deliveries = (claim("A", 10, 11, ms=400), claim("B", 20, 21, ms=100))
    after = same_in_any_order(timed(2, open=(10, 20), taken={"A": 8, "B": 8}).position, deliveries)
    assert after.position.outcome.winners == ("A", "B")
    assert after.position[Window].latest == T + 400 * MS


@pytest.mark.rule("II-R3", "II-R26")
def test_it_does_not_matter_either_which_claim_closes_the_window_before():
    """All of them lie past it; whichever arrives first, the table closes it before it looks at that."""
    position = timed(5, open=(10, 20, 30)).claim("A", 10, 11, at=T + 100 * MS).position
    deliveries = (
        claim("B", 20, 21, ms=2100),
        Delivery("C", DECLARE, T + 2000 * MS),
        claim("D", 30, 31, ms=2400),
        claim("E", 3, 40, ms=2050),
    )
    after = same_in_any_order(position, deliveries)
    assert after.refused == {}
    assert [hand.seat for hand in after.position[Window].hands] == ["B", "D", "E"]


@pytest.mark.rule("II-R26")
def test_the_window_begins_with_the_earliest_claim_not_with_the_first_to_arrive():
    scene = timed(4).claim("A", 10, 11, at=T + 400 * MS)
    assert deadline(scene.position) == T + 900 * MS
    scene.claim("B", 20, 21, at=T + 100 * MS)
    assert deadline(scene.position) == T + 600 * MS


@pytest.mark.rule("II-R26")
def test_of_two_claims_of_one_player_the_earlier_moment_counts():
    late, early = claim("A", 1, 2, ms=200), claim("A", 10, 11, ms=100)
    other = claim("B", 20, 21, ms=150)
    hands = set()
    for order in itertools.permutations((late, early, other)):
        after = deliver(timed(4).position, order)
        hands.add(after.position[Window].hands)
        assert set(after.refused) <= {late}
    (kept,) = hands
    assert [(hand.seat, hand.cards) for hand in kept] == [("A", (10, 11)), ("B", (20, 21))]
    scene = timed(4).claim("A", 1, 2, at=T + 9)
    assert scene.refused("A", Claim(cards=(3, 4)), at=T + 9).code == "already-claimed"
    assert scene.refused("A", DECLARE, at=T + 5).code == "already-claimed"


CARDS = st.lists(st.integers(0, 47), min_size=1, max_size=2, unique=True)


@pytest.mark.rule("II-R3", "II-R5", "II-R26")
@given(
    st.integers(2, 6),
    st.lists(st.tuples(CARDS, st.integers(0, WINDOW * MS)), min_size=6, max_size=6),
    st.sets(st.integers(0, 5), max_size=5),
    st.sets(st.integers(0, 47), max_size=40),
    st.booleans(),
)
def test_whatever_is_claimed_the_order_of_arrival_changes_nothing(count, hands, silent, down, pending):
    """F24: n seats claim in all orders; same position, same views, same hash, nothing refused.

    With a claim pending, whichever of them comes first closes the window before.
    """
    start = T + 5_000 * MS
    deliveries = [
        Delivery(seat, Claim(cards=tuple(cards)), start + moment)
        for at, (seat, (cards, moment)) in enumerate(zip(SEATS[:count], hands, strict=False))
        if at not in silent
    ]
    scene = timed(count, open=(10, 20, 30), down=tuple(down))
    if pending:
        scene.claim(SEATS[count - 1], 40, at=T + 1)
        deliveries = [delivery for delivery in deliveries if delivery.seat != SEATS[count - 1]]
        assert same_in_any_order(scene.position, deliveries, most=12).refused == {}
    after = same_in_any_order(scene.position, deliveries, tick=start + 9_000 * MS, most=12)
    assert after.refused == {}


ACTIONS = st.tuples(st.one_of(st.none(), CARDS), st.integers(0, WINDOW * MS))


@pytest.mark.rule("II-R18", "II-R26", "II-R28")
@given(st.integers(2, 5), st.lists(ACTIONS, min_size=5, max_size=5), st.lists(CARDS, min_size=5, max_size=5))
def test_declarations_and_claims_may_arrive_in_any_order_too(count, actions, later):
    """F24: some declare and claim all the same; what one seat gives arrives in its order."""
    start = T + 5_000 * MS
    deliveries: list[Delivery] = []
    for seat, (cards, moment), again in zip(SEATS[:count], actions, later, strict=False):
        command = DECLARE if cards is None else Claim(cards=tuple(cards))
        deliveries.append(Delivery(seat, command, start + moment))
        if cards is None and len(again) == 1:
            deliveries.append(Delivery(seat, Claim(cards=tuple(again)), start + WINDOW * MS))
    position = timed(count, open=(10, 20, 30)).position
    first = min(delivery.at for delivery in deliveries)
    together = [delivery for delivery in deliveries if delivery.at <= first + WINDOW * MS]
    after = same_in_any_order(position, together, tick=start + 9_000 * MS, most=12)
    assert after.refused == {}


def test_the_check_of_orders_finds_a_game_that_depends_on_them():
    """F41: the check itself is run against a planted fault: with ``first-claim`` the first to arrive wins."""
    deliveries = (claim("A", 10, 11, ms=100), claim("B", 14, 16, ms=130))
    with pytest.raises(AssertionError, match="arriving as B at"):
        same_in_any_order(timed(claims_window="first-claim").position, deliveries)


@pytest.mark.rule("II-R15")
def test_the_log_lists_claims_as_they_came_and_folds_to_the_same():
    tables = [new_table(4), new_table(4)]
    deliveries = (claim("A", 10, 11, ms=100), claim("B", 20, 21, ms=130), claim("C", 30, ms=400))
    for table, order in zip(tables, (deliveries, deliveries[::-1]), strict=True):
        for delivery in order:
            table.play(delivery.seat, delivery.command, at=delivery.at)
        table.tick(at=T + 3000 * MS)
    assert [seat for seat, _ in names(tables[1])] == ["C", "B", "A", None]
    assert tables[0].position == tables[1].position
    assert hash_of(tables[0].position) == hash_of(tables[1].position)
    for viewer in (*SEATS[:4], None):
        assert tables[0].view(viewer) == tables[1].view(viewer)
    assert all(table.audit([table.receipt]).ok for table in tables)


# ---------------------------------------------------------------- rounds in which everyone submits blindly


@pytest.mark.rule("II-R15", "II-R29")
def test_turn_wise_rounds_are_judged_as_simultaneous_claims_are():
    """The host takes one submission after the other, closes, and gets what a window in milliseconds gets."""
    blind = Scene(4, open=(10, 20)).claim("A", 10, 11).claim("B", 14, 16).declare("C").claim("D", 20, 21).close()
    live = (
        timed(4, open=(10, 20)).claim("D", 20, 21, at=T + 3).claim("B", 14, 16, at=T + 1).claim("A", 10, 11, at=T + 2)
    )
    live.declare("C", at=T + 4).tick(T + 2000 * MS)
    for kind in (Insects, Players):
        assert blind.position[kind] == live.position[kind]
    assert blind.down == live.down


@pytest.mark.rule("II-R15", "II-R27")
@pytest.mark.parametrize("window", ["until-closed", "first-claim"])
def test_without_moments_clocks_change_nothing(window):
    """S35: the same commands at any moments, also backwards, give the same position and hash."""
    positions = set()
    for moments in ((T, T + 5, T + 9, T + 12), (T, T - 3600 * 10**6, T + 1, 0), (0, 0, 0, 0)):
        table = new_table(4, window=window)
        for seat, cards, at in zip("ABC", ((10, 11), (20, 21), (30,)), moments, strict=False):
            table.play(seat, Claim(cards=cards), at=at)
        if window == "until-closed":
            table.play(None, CLOSE, at=moments[3])
        positions.add(hash_of(table.position))
    assert len(positions) == 1


# ---------------------------------------------------------------- late, twice, out of order, with a clock gone wrong


@pytest.mark.rule("II-R27")
def test_a_claim_of_a_window_that_is_closed_is_refused_as_late():
    table = new_table()
    table.play("A", Claim(cards=(10, 11)), at=T + 1000 * MS)
    table.tick(at=T + 1600 * MS)
    before = table.receipt
    for seat, at in (("B", T + 1200 * MS), ("B", T + 1500 * MS), ("A", T + 1000 * MS)):
        with pytest.raises(errors.IllegalCommand, match="too late") as refused:
            table.play(seat, Claim(cards=(14, 16)), at=at)
        assert refused.value.refusal.code == "too-late"
        assert refused.value.refusal.facts["window_since"] == T + 1500 * MS + 1
    with pytest.raises(errors.IllegalCommand, match="too late"):
        table.play("B", DECLARE, at=T + 1500 * MS)
    assert table.receipt == before
    table.play("B", Claim(cards=(14, 16)), at=T + 1500 * MS + 1)


@pytest.mark.rule("II-R27")
def test_a_moment_further_before_the_latest_than_a_window_is_refused():
    scene = timed().declare("A", at=T + 9_000 * MS)
    refusal = scene.refused("B", Claim(cards=(10, 11)), at=T + 8_500 * MS - 1)
    assert (refusal.code, refusal.facts["latest"]) == ("moment-too-early", T + 9_000 * MS)
    scene.claim("B", 10, 11, at=T + 8_500 * MS)
    assert [hand.seat for hand in scene.window.hands] == ["B"]


@pytest.mark.rule("II-R27")
def test_a_tick_counts_as_a_moment_of_the_log():
    table = new_table()
    table.play("A", Claim(cards=(10, 11)), at=T)
    table.tick(at=T + 60_000 * MS)
    assert table.check("B", Claim(cards=(1, 2)), at=T + 1_000 * MS).code == "moment-too-early"
    assert table.check("B", Claim(cards=(1, 2)), at=T + 59_500 * MS) is None


@pytest.mark.rule("II-R27")
def test_the_same_claim_delivered_twice_counts_once():
    """F25, S1: with a command id the first receipt comes back; without one the second is refused."""
    table = new_table()
    first = table.play("A", Claim(cards=(10, 11)), at=T + 5, command_id="a1")
    position = table.position
    again = table.play("A", Claim(cards=(11, 10)), at=T + 7, command_id="a1")
    assert (again.repeated, again.head, again.length) == (True, first.head, first.length)
    for at in (T + 5, T + 7):
        assert table.check("A", Claim(cards=(10, 11)), at=at).code == "already-claimed"
    table.tick(at=T + 2000 * MS)
    assert table.check("A", Claim(cards=(10, 11)), at=T + 5).code == "too-late"
    late = table.play("A", Claim(cards=(10, 11)), at=T + 9000 * MS, command_id="a1")
    assert (late.repeated, late.head) == (True, first.head)
    assert table.at(first.length) == position
    assert len(names(table)) == 2


@pytest.mark.rule("II-R27")
def test_a_claim_is_not_judged_again_when_it_closed_the_window_itself():
    scene = timed(2, open=(10, 20)).claim("B", 20, 21, at=T + 1).claim("A", 10, 11, at=T + 5)
    assert scene.kinds("A") == (10,)
    assert scene.refused("A", Claim(cards=(10, 11)), at=T + 5).code == "already-judged"
    assert scene.refused("A", Claim(cards=(10, 11)), at=T + 4).code == "too-late"
    scene.claim("A", 10, 11, at=T + 6)
    assert scene.window.hands


@pytest.mark.rule("II-R27")
def test_a_claim_is_not_judged_again_however_many_windows_had_the_same_moment():
    """A host's clock may be so coarse that two windows are over within one moment."""
    scene = timed(2, open=(10, 20)).claim("B", 20, 21, at=T + 5).claim("A", 10, 11, at=T + 5)
    scene.claim("A", 1, 3, at=T + 5).claim("B", 2, 5, at=T + 5)
    assert len(scene.window.repeatable) == 4
    for seat, cards in (("A", (10, 11)), ("B", (20, 21)), ("A", (1, 3)), ("B", (2, 5))):
        assert scene.refused(seat, Claim(cards=cards), at=T + 5).code == "already-judged"
    scene.claim("A", 1, 3, at=T + 6).tick(T + 5000 * MS)
    assert scene.window.repeatable == ()


@pytest.mark.rule("II-R27")
@pytest.mark.parametrize("back", [1, 250 * MS, 3600 * 10**6])
def test_a_clock_that_steps_back_never_changes_an_outcome(back):
    """S35: commands with moments from before are refused or counted by their moments; nothing else happens."""
    straight, stepping = new_table(), new_table()
    for table in (straight, stepping):
        table.play("A", Claim(cards=(10, 11)), at=T + 1000 * MS)
        table.tick(at=T + 1500 * MS + 1)
    before = stepping.position
    with pytest.raises(errors.IllegalCommand):
        stepping.play("B", Claim(cards=(30, 31)), at=T + 1500 * MS + 1 - back)
    stepping.tick(at=T + 1500 * MS + 1 - back)
    assert stepping.position == before
    for table in (straight, stepping):
        table.play("B", Claim(cards=(30, 31)), at=T + 4000 * MS)
        table.tick(at=T + 5000 * MS)
    assert hash_of(straight.position) == hash_of(stepping.position)


def test_a_restart_halfway_through_a_window_changes_nothing(tmp_path):
    """F26, F13: reloaded from the store, the same hands wait and the same players may act."""
    path = tmp_path / "games.db"
    options = {"forest_labels": "plain", "claims_window": WINDOW}
    table = ludolog.new_table("insect-inc", seats=tuple("ABC"), options=options, seed=3, at=T, store=path)
    table.play(table.to_act[0], REVEAL, at=T)
    table.play("A", Claim(cards=(10, 11)), at=T + 9)
    again = ludolog.open_table(table.id, path)
    assert again.position == table.position
    assert again.to_act == ("B", "C")
    assert again.due(T + WINDOW * MS + 9) is None
    assert again.due(T + WINDOW * MS + 10) == CloseWindow()
    again.tick(at=T + WINDOW * MS + 10)
    assert again.position[Window].judged


@pytest.mark.parametrize("window", [0, -5, 600_001, "never", 1.5, None])
def test_windows_that_make_no_sense_are_refused(window):
    with pytest.raises(errors.BadOptions):
        ludolog.new_table("insect-inc", seats=("A", "B"), options={"claims_window": window})
