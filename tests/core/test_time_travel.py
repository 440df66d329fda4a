"""Time travel and forks: any earlier position, and other games from there, at no cost that grows with the log."""

import gc
import random

import pytest

from ludolog import MemoryStore, Retracted, Ruleset, open_table
from ludolog.errors import BadOptions, CommandError, CorruptLog, TableExists, UndoRefused
from ludolog.folding import HOST, Fold
from toys.made import table_of
from toys.vault import GAME, Draw, Finish, Roll, Vault, Walk
from toys.walk import STEPS
from toys.walk import Walk as Trail
from toys.walk import ruleset as walk_ruleset

VAULT = Ruleset(GAME)
SEATS = ("ann", "bob", "cy")
TRAIL = walk_ruleset()


def folded(table, seat=HOST):
    fold = Fold(table.start(seat), table.journal.facts, seat)
    fold.catch_up(table.length)
    return fold.position


def played(steps=12, seed=7, **more):
    table = table_of(VAULT, SEATS, seed=seed, **more)
    play(table, steps, seed)
    return table


def play(table, steps, seed):
    chance = random.Random(seed)
    for _ in range(steps):
        seat = table.to_act[0]
        table.play(seat, chance.choice(table.legal(seat)))


def same(one, other):
    return one.position == other.position and all(one.view(seat) == other.view(seat) for seat in (*SEATS, None))


def test_any_length_can_be_visited():
    table = table_of(VAULT, SEATS)
    positions = {table.length: table.position}
    views = {table.length: {seat: table.view(seat) for seat in (*SEATS, None)}}
    chance = random.Random(3)
    for step in range(40):
        seat = table.to_act[0]
        table.play(seat, chance.choice(table.legal(seat)))
        if step % 7 == 6:
            table.undo(None)
        positions[table.length] = table.position
        views[table.length] = {seat: table.view(seat) for seat in (*SEATS, None)}
        if step == 20:
            table.keep_snapshot()
    for length, position in positions.items():
        assert table.at(length) == position
        for seat in (*SEATS, None):
            assert table.view(seat, at=length) == views[length][seat]
    assert table.at(0) == table.ruleset.start()
    assert table.at(1).seats == SEATS
    assert table.at(1)[Vault].hands == ()


@pytest.mark.parametrize("length", [-1, 15, 10**9, 2.0, "3", None, (1,)])
def test_a_length_that_the_log_does_not_have(length):
    table = played()
    with pytest.raises(CommandError, match="has 14 batches, so there is no position after"):
        table.at(length)
    if length is not None:
        with pytest.raises(CommandError, match="no position after"):
            table.view("ann", at=length)


def test_visiting_changes_nothing():
    table = played()
    receipt, position = table.receipt, table.position
    for length in range(table.length):
        table.at(length)
        table.view("bob", at=length)
    assert (table.receipt, table.position) == (receipt, position)


# ---------------------------------------------------------------- forks


def test_a_fork_begins_where_its_parent_was_and_goes_its_own_way():
    table = played()
    receipt = table.receipt
    for length in range(2, table.length + 1):
        fork = table.fork(length, id=f"f{length}")
        assert fork.position == table.at(length)
        for seat in (*SEATS, None):
            assert fork.view(seat) == table.view(seat, at=length)
        play(fork, 3, length)
        assert fork.position == folded(fork)
        assert fork.audit([fork.receipt]).ok
    assert table.receipt == receipt
    assert table.audit([receipt]).ok


def test_a_fork_says_where_it_comes_from():
    table = played()
    fork = table.fork(5, id="f")
    (point,) = fork.opened.forked
    assert (point.table, point.length) == ("t", 5)
    assert point.head == table.journal.heads(4, 5)[0].hex()
    assert fork.length == 1
    assert fork.seats == SEATS
    assert fork.opened.rules == table.opened.rules


def test_by_default_a_fork_leaves_from_the_end_under_a_name_of_its_own():
    table = played()
    one, other = table.fork(), table.fork()
    assert one.id not in {"t", other.id}
    assert one.position == table.position
    assert one.seed != other.seed


def test_forks_of_forks():
    table = played()
    fork = table.fork(8, id="f")
    play(fork, 4, 1)
    again = fork.fork(3, id="g")
    assert not same(again, fork)
    assert again.position == fork.at(3)
    play(again, 5, 2)
    deep = again.fork(4, id="h")
    play(deep, 2, 3)
    for found in (fork, again, deep):
        reopened = open_table(found.id, table.journal.store, ruleset=VAULT)
        assert same(reopened, found)
        assert reopened.position == folded(reopened)
        assert reopened.audit([found.receipt]).ok
    assert deep.parent.parent.parent.id == "t"


def test_undo_in_a_fork_stops_at_the_fork():
    """What happened before it belongs to the parent."""
    table = table_of(VAULT, SEATS)
    table.play("ann", Walk(to=1))
    fork = table.fork(id="f")
    for seat in ("ann", None):
        with pytest.raises(UndoRefused, match="nothing to take back"):
            fork.undo(seat)
    before = fork.position
    fork.play("bob", Walk(to=9))
    after = fork.position
    fork.undo("bob")
    assert fork.position == before
    fork.redo("bob")
    assert fork.position == after
    fork.undo(None, to=1)
    assert fork.position == before == folded(fork)
    assert fork.view("cy") == folded(fork, "cy")
    assert fork.audit().ok


def test_what_was_undone_in_the_parent_is_undone_in_the_fork():
    table = played()
    table.undo(None, to=6)
    fork = table.fork(id="f")
    assert fork.position == table.at(6)
    play(fork, 3, 9)
    assert fork.position == folded(fork)
    early = table.fork(table.length - 1, id="g")
    assert early.position == table.at(table.length - 1)


def test_a_feed_goes_on_across_the_fork():
    table = played()
    fork = table.fork(8, id="f")
    play(fork, 3, 5)
    for seat in (*SEATS, None):
        feed = fork.feed(seat)
        told = table.feed_until(seat, 8)
        assert feed[: len(told)] == told
        assert [item.number for item in feed] == list(range(1, len(feed) + 1))
        assert feed[len(told)].event == fork.opened
        assert fork.feed(seat, after=len(told)) == feed[len(told) :]
    fork.undo(None)
    retracted = fork.feed("ann")[-1].event
    assert isinstance(retracted, Retracted)
    assert min(retracted.numbers) > len(table.feed_until("ann", 8))


@pytest.mark.parametrize("seed", [7, None, "x"])
def test_a_fork_never_foretells_the_dice_of_its_parent(seed):
    """Not even when it is given the same seed, from wherever it leaves."""
    table = table_of(VAULT, SEATS, seed=7)
    forks = [table.fork(id=f"f{number}", seed=seed) for number in range(2)]
    for number in range(30):
        table.play(SEATS[number % 3], Roll())
    for fork in forks:
        for number in range(30):
            fork.play(SEATS[number % 3], Roll())
        rolls, parents = fork.position[Vault].rolls, table.position[Vault].rolls
        assert rolls != parents
        assert all(rolls[at : at + 12] != parents[by : by + 12] for at in range(18) for by in range(18))


def test_a_fork_with_a_seed_is_the_same_each_time():
    one, other = (played().fork(9, id="f", seed=3) for _ in range(2))
    for fork in (one, other):
        play(fork, 6, 1)
    assert one.position == other.position


def test_a_fork_that_can_not_be():
    table = played()
    for length in (0, 1):
        with pytest.raises(BadOptions, match="can be forked from batch 2 on"):
            table.fork(length)
    for length in (99, -1, "3"):
        with pytest.raises(CommandError, match="no position after"):
            table.fork(length)
    table.fork(id="f")
    for name in ("f", "t"):
        with pytest.raises(TableExists):
            table.fork(id=name)
    for name in ("", " x", "a\nb", 7, "x" * 201):
        with pytest.raises(BadOptions, match="A table can't have the id"):
            table.fork(id=name)


def test_a_fork_of_a_finished_game_before_its_end():
    table = played()
    table.play(None, Finish())
    fork = table.fork(table.length - 1, id="f")
    assert not fork.over
    fork.play(fork.to_act[0], Draw())
    assert fork.audit().ok


def test_a_fork_whose_parent_was_changed_is_not_opened():
    """Its position would be another; the opening names the hash of the batch that it leaves."""
    table = played()
    table.fork(8, id="f")
    log = table.journal.store._logs["t"]
    log.heads[7] = bytes(32)
    with pytest.raises(CorruptLog, match="not the one that it was forked from"):
        open_table("f", table.journal.store, ruleset=VAULT)


def long_table(length, store=None):
    table = table_of(TRAIL, ("ann",), store=store or MemoryStore())
    for number in range(length):
        table.play("ann", STEPS[number % 3])
    table.keep_snapshot()
    return table


def test_a_fork_costs_the_same_however_long_the_log_is():
    """Counted in batches read from the store, which does not depend on the machine."""

    class Counting(MemoryStore):
        reads = 0

        def payloads(self, table, start=0, stop=None):
            for payload in super().payloads(table, start, stop):
                self.reads += 1
                yield payload

        def read(self, table, start=0, stop=None):
            for stored in super().read(table, start, stop):
                self.reads += 1
                yield stored

    costs = []
    for length in (300, 2400):
        store = Counting()
        table = long_table(length, store)
        store.reads = 0
        fork = table.fork(id="f")
        fork.play("ann", STEPS[0])
        fork.fork(id="g")
        early = table.fork(table.length - 50, id="h")
        costs.append(store.reads)
        assert early.position[Trail].steps == length - 50
        bytes_of_fork = sum(map(len, store._logs["f"].payloads))
        assert bytes_of_fork < 2000
        gc.collect()
    assert costs[0] <= costs[1] <= costs[0] + 1000


def test_a_hidden_card_stays_hidden_in_a_fork():
    """F4: what a seat was not told in the parent, it is not told by forking."""
    table = played()
    fork = table.fork(id="f")
    for seat in SEATS:
        hands = zip(SEATS, fork.position[Vault].hands, strict=True)
        others = [card for name, hand in hands if name != seat for card in hand]
        text = repr(fork.feed(seat)) + repr(fork.view(seat).slices) + str(fork.view(seat))
        shown = {item.event.card for item in fork.feed(seat) if type(item.event).__name__ == "Shown"}
        assert not [card for card in others if card in text and card not in shown]
