"""What must be refused, with the sentence that a player reads; and nothing is left of it but what was due anyway."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludolog
from insect_inc.golden import played
from insect_inc.scenes import CLOSE, DECLARE, REVEAL
from ludolog import Command, Seat, Table, errors
from ludolog_plugins.insect_inc.commands import Claim
from ludolog_plugins.insect_inc.state import Players, Window

T = 1_700_000_000_000_000
MS = 1000
WINDOW = 500
SEATS = ("ann", "bob", "cy")


def new_table(window: object = WINDOW, id: str | None = None) -> Table:  # noqa: A002 - the engine's word
    options = {"forest_labels": "plain", "claims_window": window}
    return ludolog.new_table("insect-inc", seats=SEATS, options=options, seed=5, at=T, id=id)


def in_a_window(window: object = WINDOW) -> Table:
    """The window before is over since ``T + 2500 ms``; ann is out, bob has a hand in this one, and cy may claim."""
    table = new_table(window)
    table.play(table.to_act[0], REVEAL, at=T)
    table.play("ann", Claim(cards=(0,)), at=T + 2000 * MS)
    table.tick(at=T + 2501 * MS)
    if window == "until-closed":
        table.play(None, CLOSE, at=T + 2501 * MS)
    table.play("bob", Claim(cards=(20, 30)), at=T + 4000 * MS)
    return table


def refused(table: Table, seat: Seat | None, command: Command, at: int) -> str:
    """The code and sentence of a refusal, which ``check`` foresees and which changes nothing."""
    receipt, position = table.receipt, table.position
    with pytest.raises(errors.CommandError) as caught:
        table.play(seat, command, at=at)
    assert (table.receipt, table.position) == (receipt, position)
    assert table.check(seat, command, at=at) == caught.value.refusal
    return str(caught.value)


@pytest.mark.rule("II-26", "II-R15", "II-R27")
@pytest.mark.parametrize(
    ("seat", "command", "ms", "sentence"),
    [
        ("cy", Claim(cards=(3, 48)), 4100, "There are forest cards 0 to 47, not 48. (II-02)"),
        ("cy", Claim(cards=(-1,)), 4100, "There are forest cards 0 to 47, not -1. (II-02)"),
        ("cy", Claim(cards=(7, 7)), 4100, "Card 7 is named twice. (II-R15)"),
        ("cy", Claim(cards=()), 4100, "A hand goes on one or two cards, not on 0. (II-R15)"),
        ("cy", Claim(cards=(1, 2, 3)), 4100, "A hand goes on one or two cards, not on 3. (II-R15)"),
        ("ann", Claim(cards=(1, 2)), 4100, "ann is out until another player has succeeded or failed. (II-26)"),
        ("ann", DECLARE, 4100, "ann is out until another player has succeeded or failed. (II-26)"),
        (
            "bob",
            Claim(cards=(1, 2)),
            4100,
            "bob has claimed already; the claim is judged when the window is closed. (II-R15)",
        ),
        (
            "cy",
            Claim(cards=(1, 2)),
            2400,
            "This was too late: its moment lies in a window that has been closed. (II-R27)",
        ),
        (
            "cy",
            Claim(cards=(1, 2)),
            3499,
            "Its moment lies further before the latest one of the log than a window is long. (II-R27)",
        ),
        (
            "cy",
            REVEAL,
            4100,
            "Only the first insect is revealed by the start player's command; the others follow by themselves. (II-37)",
        ),
        ("cy", CLOSE, 4100, "Only the table's host gives this command."),
        (None, Claim(cards=(1, 2)), 4100, "A seat gives this command, not the table's host."),
        (
            None,
            CLOSE,
            4100,
            "The window is still open: its time has not passed, and somebody has not claimed yet. (II-R26)",
        ),
    ],
)
def test_in_an_open_window(seat, command, ms, sentence):
    assert refused(in_a_window(), seat, command, T + ms * MS) == sentence


@pytest.mark.rule("II-R15", "II-R27")
def test_by_who_sits_elsewhere():
    with pytest.raises(errors.UnknownSeat, match="Nobody named 'zed' sits at this table; the seats are ann, bob, cy"):
        in_a_window().play("zed", Claim(cards=(1, 2)), at=T + 4100 * MS)


@pytest.mark.rule("II-18")
@pytest.mark.parametrize("command", [Claim(cards=(1, 2)), DECLARE])
@pytest.mark.parametrize("window", [WINDOW, "until-closed", "first-claim"])
def test_before_the_first_reveal(window, command):
    table = new_table(window)
    (start,) = table.to_act
    told = f"No insect has been revealed yet; {start}, the start player, reveals the first. (II-18)"
    for seat in SEATS:
        assert refused(table, seat, command, T + 5) == told
    other = next(seat for seat in SEATS if seat != start)
    assert refused(table, other, REVEAL, T + 5) == told
    assert refused(table, None, CLOSE, T + 5) == "The window holds no claim, and not everyone has declared. (II-R15)"


@pytest.mark.rule("II-45")
@pytest.mark.parametrize("name", ["target", "forest-down"])
def test_after_the_end(name):
    """F21: for everyone, whatever it is, with the same reason."""
    table = played(name)
    asked = (
        *((seat, command) for seat in table.seats for command in (Claim(cards=(1, 2)), DECLARE, REVEAL)),
        (None, CLOSE),
    )
    told = {refused(table, seat, command, T + 10**12) for seat, command in asked}
    assert len(told) == 1
    assert table.tick(at=T + 10**12) == table.receipt
    assert table.due(T + 10**12) is None
    last = next(
        batch for batch in table.journal.batches(table.length - 2) if isinstance(batch.command, Claim | type(CLOSE))
    )
    assert last.seat is None or last.seat in table.seats


@pytest.mark.parametrize("at", ["now", 1.5, 2**70, True])
def test_with_a_moment_that_is_none(at):
    with pytest.raises(errors.MalformedCommand, match="A time is a whole number of microseconds"):
        in_a_window().play("cy", Claim(cards=(1, 2)), at=at)


# ---------------------------------------------------------------- the same command again


@pytest.mark.rule("II-R27")
@pytest.mark.parametrize("window", [WINDOW, "until-closed", "first-claim"])
def test_the_same_command_id_counts_once_however_late(window):
    """F25, S1: within the window, past it, after its seat has claimed anew, and after the end, out of order."""
    table = new_table(window)
    table.play(table.to_act[0], REVEAL, at=T)
    given = {
        "b": ("bob", Claim(cards=(20, 30)), T + 1300 * MS),
        "a": ("ann", Claim(cards=(0,)), T + 1000 * MS),
        "c": ("cy", DECLARE, T + 1200 * MS),
    }
    first = {}
    for name, (seat, command, at) in given.items():
        if table.check(seat, command, at=at) is None:
            first[name] = table.play(seat, command, at=at, command_id=name)
    assert len(first) >= 2

    def again() -> None:
        before = table.receipt
        for name, receipt in first.items():
            seat, command, at = given[name]
            for moment in (at, at - 10**9, at + 10**12):
                repeated = table.play(seat, command, at=moment, command_id=name)
                assert (repeated.repeated, repeated.head, repeated.length) == (True, receipt.head, receipt.length)
        assert table.receipt == before

    again()
    if window == "until-closed":
        table.play(None, CLOSE, at=T + 2000 * MS)
    else:
        table.tick(at=T + 2000 * MS)
    again()
    with pytest.raises(errors.CommandIdReused):
        table.play("cy", Claim(cards=(1, 2)), at=T + 2001 * MS, command_id="b")
    ids = [batch.command_id for batch in table.journal.batches(0) if batch.command_id is not None]
    assert sorted(ids) == sorted(first)
    assert table.audit([table.receipt]).answers[0].verdict == "yes"


ENTRIES = st.tuples(
    st.sampled_from([*SEATS, None]),
    st.one_of(
        st.builds(Claim, cards=st.lists(st.integers(-1, 48), max_size=3).map(tuple)),
        st.sampled_from([DECLARE, REVEAL, CLOSE]),
        st.none(),
    ),
    st.integers(-2 * WINDOW, 4 * WINDOW),
)


@pytest.mark.rule("II-R15", "II-R26", "II-R27")
@given(st.lists(ENTRIES, max_size=40), st.sampled_from([WINDOW, 1, "until-closed", "first-claim"]))
def test_whatever_is_refused_leaves_nothing_but_what_was_due(entries, window):
    """F32, S35: clocks that step, entries of all kinds, ticks; the log is that of the same table without refusals."""
    table, other = new_table(window, id="twice"), new_table(window, id="twice")
    now = T
    for seat, command, step in (("ann", REVEAL, 0), ("bob", REVEAL, 0), ("cy", REVEAL, 0), *entries):
        now += step * MS
        if command is None or table.check(seat, command, at=now) is None:
            for one in (table, other):
                one.tick(at=now) if command is None else one.play(seat, command, at=now)
            continue
        other.tick(at=now)
        foreseen = table.check(seat, command, at=now)
        with pytest.raises(errors.CommandError) as caught:
            table.play(seat, command, at=now)
        assert caught.value.refusal == foreseen
    assert table.receipt == other.receipt
    assert len(table.position[Players].skipping) < len(SEATS)
    assert {hand.seat for hand in table.position[Window].hands} & {*table.position[Players].skipping} == set()
    assert table.audit([table.receipt]).ok
