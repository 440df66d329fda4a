"""What falls due as time passes: recorded first, as a command of its own, whatever becomes of what arrived."""

from __future__ import annotations

import copy

import pytest

from ludolog import Chance, Command, Game, Position, Ruleset, Table, errors, table_from
from ludolog.journal import Journal
from toys.sale import ENOUGH, PATIENCE, Bid, BidMade, Sale, Sell, Shout, ruleset
from toys.walk import ruleset as walk

T = 1_000_000_000


@pytest.fixture
def table() -> Table:
    found = table_from(ruleset(), ("ann", "bob"), seed=1, at=T)
    found.play("ann", Bid(bid=1), at=T)
    return found


def commands(table: Table) -> list[tuple[str | None, Command, int]]:
    return [(batch.seat, batch.command, batch.time) for batch in table.journal.batches(2)]


def test_a_command_past_the_moment_is_decided_after_what_was_due(table):
    late = T + PATIENCE + 1
    table.play("bob", Bid(bid=1), at=late)
    assert commands(table) == [("ann", Bid(bid=1), T), (None, Sell(), late), ("bob", Bid(bid=1), late)]
    assert table.position[Sale] == Sale(bidder="bob", bid=1, moment=late, buyers=("ann",))
    assert table.audit([table.receipt]).ok


def test_a_command_at_the_moment_itself_is_not_late(table):
    table.play("bob", Bid(bid=2), at=T + PATIENCE)
    assert table.position[Sale].buyers == ()


def test_what_was_due_stands_although_the_command_is_refused(table):
    with pytest.raises(errors.IllegalCommand):
        table.play("bob", Bid(bid=0), at=T + PATIENCE + 1)
    assert commands(table)[-1] == (None, Sell(), T + PATIENCE + 1)


def test_a_tick_records_what_is_due_and_else_nothing(table):
    before = table.receipt
    assert table.tick(at=T + PATIENCE) == before
    assert table.due(T + PATIENCE) is None
    assert table.due(T + PATIENCE + 1) == Sell()
    after = table.tick(at=T + PATIENCE + 1)
    assert after.length == before.length + 1
    assert table.tick(at=T + 10 * PATIENCE) == after


def test_the_host_may_give_the_due_command_itself_and_it_counts_once(table):
    table.play(None, Sell(), at=T + 2 * PATIENCE)
    assert commands(table)[1:] == [(None, Sell(), T + 2 * PATIENCE)]


def test_check_foresees_what_is_due_and_records_nothing(table):
    assert table.check("ann", Bid(bid=1), at=T).code == "leading"
    assert table.check("ann", Bid(bid=1), at=T + PATIENCE + 1) is None
    assert table.check(None, Sell(), at=T + PATIENCE + 1) is None
    assert table.length == 3


def test_who_expects_a_length_is_told_that_something_fell_due(table):
    with pytest.raises(errors.VersionConflict):
        table.play("bob", Bid(bid=1), at=T + 2 * PATIENCE, expect=3)
    assert commands(table)[-1] == (None, Sell(), T + 2 * PATIENCE)


def test_the_same_command_id_gives_the_first_receipt_and_lets_no_time_pass(table):
    first = table.play("bob", Bid(bid=2), at=T + 1, command_id="x")
    again = table.play("bob", Bid(bid=2), at=T + 9 * PATIENCE, command_id="x")
    assert (again.length, again.head, again.repeated) == (first.length, first.head, True)
    assert table.length == first.length


def test_another_writer_settles_it_once():
    """S4: of two writers one wins, and the other goes on from there."""
    one = table_from(ruleset(), ("ann", "bob"), seed=1, at=T)
    one.play("ann", Bid(bid=1), at=T)
    journal = Journal(one.journal.store, one.id, one.ruleset, one.length, one.journal.head)
    other = Table(journal, one.opened, seed=one.seed)
    one.tick(at=T + 2 * PATIENCE)
    other.tick(at=T + 2 * PATIENCE)
    other.play("bob", Bid(bid=1), at=T + 2 * PATIENCE)
    one.refresh()
    assert [type(command) for _, command, _ in commands(one)] == [Bid, Sell, Bid]


# ---------------------------------------------------------------- what a command makes due at once


def test_what_a_command_makes_due_at_once_is_recorded_after_it(table):
    """The receipt proves the log as it was after the command, so that a retry gets the same one."""
    receipt = table.play("bob", Bid(bid=ENOUGH), at=T + 5, command_id="x")
    assert commands(table)[1:] == [("bob", Bid(bid=ENOUGH), T + 5), (None, Sell(), T + 5)]
    assert (receipt.length, table.length) == (4, 5)
    again = table.play("bob", Bid(bid=ENOUGH), at=T + 6, command_id="x")
    assert (again.length, again.head, again.repeated) == (receipt.length, receipt.head, True)
    assert table.length == 5
    assert table.audit([receipt, table.receipt]).ok


def test_it_is_left_to_whoever_asks_not_to_settle(table):
    table.play("bob", Bid(bid=ENOUGH), at=T + 5, settle=False)
    assert commands(table)[1:] == [("bob", Bid(bid=ENOUGH), T + 5)]
    assert table.due(T + 5) == Sell()
    table.play("ann", Bid(bid=1), at=T + 6)
    assert [type(command) for _, command, _ in commands(table)] == [Bid, Bid, Sell, Bid]


def test_a_store_that_fails_in_between_leaves_a_log_that_goes_on(table, monkeypatch):
    """S1: the command was recorded, so it is not reported as failed; what is due is recorded by what comes next."""
    append = Journal.append

    def fails(journal, batch):
        if isinstance(batch.command, Sell):
            message = "the disk is full"
            raise errors.StoreError(message)
        append(journal, batch)

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "append", fails)
        receipt = table.play("bob", Bid(bid=ENOUGH), at=T + 5)
    assert (receipt.length, table.length) == (4, 4)
    table.tick(at=T + 5)
    assert commands(table)[-1] == (None, Sell(), T + 5)
    assert table.audit([receipt, table.receipt]).ok


def test_without_it_nothing_is_decided_so_that_an_audit_finds_a_host_that_waits_too_long(table):
    position = table.position
    with pytest.raises(errors.IllegalCommand) as refused:
        ruleset().decide(position, "bob", Bid(bid=2), Chance(b"x"), T + 2 * PATIENCE)
    assert refused.value.refusal.code == "something-due"


def test_nothing_is_due_after_the_end(table):
    table.tick(at=T + 2 * PATIENCE)
    table.play("bob", Bid(bid=1), at=T + 2 * PATIENCE)
    table.tick(at=T + 4 * PATIENCE)
    assert table.over
    assert table.due(T + 9 * PATIENCE) is None


def test_rules_that_are_due_without_end_are_stopped():
    """S31: what the rules get wrong is told, and nothing is decided on top of it."""
    part = copy.copy(ruleset().rules[1])
    part.due_function = lambda _position, _at: Sell()
    same = part.deciders[Sell]._replace(function=lambda now, _: iter((BidMade(seat="ann", bid=1, moment=now.at),)))
    part.deciders = {**part.deciders, Sell: same}
    found = Ruleset(Game(id="sale", title="Sale", summary="", seats=(2,), rules=lambda: part))
    table = table_from(found, ("ann", "bob"), seed=1, at=T)
    with pytest.raises(errors.RulesFault, match="due without end"):
        table.play("ann", Bid(bid=1), at=T)


def test_a_command_may_come_out_of_turn_where_the_rules_let_its_decider_judge(table):
    table.play("ann", Shout(), at=T + 1)
    assert table.position[Sale].bid == 2
    with pytest.raises(errors.NotYourTurn):
        table.play("ann", Bid(bid=5), at=T + 1)


def test_games_without_it_never_have_anything_due():
    position: Position = walk().opening(("ann",))
    assert walk().due(position, T) is None
