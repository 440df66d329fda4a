"""Several tables on one store, and several threads on one table: one order, no hole, no duplicate, nothing lost."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from ludolog import MemoryStore, Ruleset, open_table
from ludolog.errors import GameOver, IllegalCommand, NotYourTurn, StoreFailed, UndoRefused, VersionConflict
from ludolog.folding import HOST, Fold
from ludolog.verifying import verify_table
from toys.made import table_of
from toys.vault import GAME, Draw, Finish, Roll, Vault, Walk
from toys.walk import STEPS
from toys.walk import Walk as Trail
from toys.walk import ruleset as walk_ruleset

VAULT = Ruleset(GAME)
TRAIL = walk_ruleset()
SEATS = ("ann", "bob", "cy")


def folded(table):
    fold = Fold(table.start(), table.journal.facts, HOST)
    fold.catch_up(table.length)
    return fold.position


def two(ruleset=VAULT, seats=SEATS):
    store = MemoryStore()
    table = table_of(ruleset, seats, store=store)
    return table, open_table("t", store, ruleset=ruleset)


def test_the_other_writer_is_caught_up_with_before_deciding():
    one, other = two()
    one.play("ann", Walk(to=1))
    with pytest.raises(NotYourTurn, match="turn of bob, not of ann"):
        one.play("ann", Walk(to=2))
    other.play("bob", Walk(to=2))
    one.play("cy", Walk(to=3))
    assert other.length == 4
    assert other.refresh() == 5
    assert one.position == other.position == folded(one)
    assert one.receipt == other.receipt
    assert [one.view(seat) for seat in SEATS] == [other.view(seat) for seat in SEATS]
    assert one.feed("ann") == other.feed("ann")
    assert one.audit([other.receipt]).ok


def test_a_stale_table_decides_by_the_position_at_the_head():
    """F25: what was legal where it stood is refused by the rules where it stands now."""
    one, other = two()
    one.play("ann", Walk(to=1))
    with pytest.raises(NotYourTurn):
        other.play("ann", Walk(to=2))
    assert other.length == 3
    one.play("bob", Walk(to=2))
    assert other.check("cy", Walk(to=2)) is None
    one.play(None, Finish())
    with pytest.raises(GameOver):
        other.play("bob", Walk(to=2))


def test_undo_and_redo_of_the_other_writer():
    one, other = two()
    one.play("ann", Walk(to=1))
    other.refresh()
    other.undo("ann")
    with pytest.raises(UndoRefused, match="nothing to take back"):
        one.undo("ann")
    assert one.length == 4
    one.redo("ann")
    with pytest.raises(UndoRefused, match="nothing to redo"):
        other.redo("ann")
    other.play("bob", Draw())
    assert one.refresh() == 6
    assert one.position == other.position == folded(one)


def test_an_expectation_holds_across_writers():
    """S4: exactly one wins; the loser is told by type and can look again."""
    one, other = two()
    one.play("ann", Walk(to=1), expect=2)
    with pytest.raises(VersionConflict) as error:
        other.play("ann", Walk(to=1), expect=2)
    assert (error.value.expected, error.value.actual) == (2, 3)
    assert other.length == 3
    other.play("bob", Walk(to=2), expect=3)


def test_catching_up_over_many_batches_and_a_snapshot():
    one, other = two(TRAIL, ("ann",))
    for number in range(1200):
        one.play("ann", STEPS[number % 3])
    other.play("ann", STEPS[0])
    assert other.position[Trail].steps == 1201
    assert one.refresh() == other.length
    assert one.position == other.position == folded(one)


def test_the_same_command_through_two_tables_is_one():
    """S1: two front ends that both retry."""
    one, other = two()
    first = one.play("ann", Roll(), command_id="c")
    again = other.play("ann", Roll(), command_id="c")
    assert again.repeated
    assert again.head == first.head
    assert one.length == other.refresh() == 3


def test_random_writers_agree():
    """S4: three tables take turns at random, stale more often than not."""
    store = MemoryStore()
    tables = [table_of(VAULT, SEATS, store=store)]
    tables += [open_table("t", store, ruleset=VAULT) for _ in range(2)]
    chance = random.Random(3)
    for step in range(200):
        table = chance.choice(tables)
        if chance.random() < 0.3:
            table.refresh()
        try:
            if chance.random() < 0.2:
                table.undo(None)
            elif chance.random() < 0.1:
                table.redo(None)
            else:
                seat = chance.choice(table.to_act)
                table.play(seat, chance.choice((Walk(to=step % 10), Draw(), Roll())), command_id=f"c{step}")
        except (NotYourTurn, IllegalCommand, UndoRefused):
            continue
    assert {table.refresh() for table in tables} == {store.head("t").length}
    assert tables[0].position == tables[1].position == tables[2].position == folded(tables[0])
    assert tables[0].audit([table.receipt for table in tables]).ok


# ---------------------------------------------------------------- failing stores


class Failing(MemoryStore):
    """Fails at an append, before it is stored or after."""

    def __init__(self):
        super().__init__()
        self.fails = ""

    def append(self, table, expected, batches):
        fails, self.fails = self.fails, ""
        if fails == "before":
            raise StoreFailed(fails)
        super().append(table, expected, batches)
        if fails == "after":
            raise StoreFailed(fails)


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_failed_append_is_settled_by_a_retry(when):
    """S1, S3: the outcome is unknown, and the same command id resolves it: one effect, the first receipt."""
    store = Failing()
    table = table_of(VAULT, SEATS, store=store)
    whole = table_of(VAULT, SEATS)
    store.fails = when
    with pytest.raises(StoreFailed):
        table.play("ann", Roll(), command_id="c")
    receipt = table.play("ann", Roll(), command_id="c")
    assert receipt.repeated == (when == "after")
    whole.play("ann", Roll(), command_id="c")
    assert table.play("bob", Walk(to=1)).length == 4
    assert table.position[Vault].rolls == whole.position[Vault].rolls
    assert table.position == folded(table)
    assert table.audit([receipt]).ok


@pytest.mark.parametrize("when", ["before", "after"])
def test_without_a_command_id_the_table_stays_in_step(when):
    store = Failing()
    table = table_of(VAULT, SEATS, store=store)
    store.fails = when
    with pytest.raises(StoreFailed):
        table.play("ann", Walk(to=1))
    seat = "ann" if when == "before" else "bob"
    table.play(seat, Walk(to=2))
    assert table.position == folded(table)
    assert verify_table("t", store, [table.receipt]) == table.receipt


def test_a_snapshot_that_can_not_be_kept_does_not_fail_the_command(caplog):
    """The batch is recorded, and the log is whole without it."""

    class NoSnapshots(MemoryStore):
        def keep_snapshot(self, table, number, payload):
            raise StoreFailed("full")  # noqa: EM101

    table = table_of(TRAIL, ("ann",), store=NoSnapshots())
    for number in range(1000):
        table.play("ann", STEPS[number % 3])
    assert table.length == 1002
    assert [record.message for record in caplog.records].count("snapshot not kept") == 1


class Unreadable(MemoryStore):
    """Fails when batches are read, as often as it is told."""

    fails = 0

    def payloads(self, table, start=0, stop=None):
        if self.fails:
            self.fails -= 1
            raise StoreFailed("reading")  # noqa: EM101
        return super().payloads(table, start, stop)


def test_an_undo_whose_result_can_not_be_read_is_recorded_and_caught_up_with():
    """S20: the batch is in the log, so the table may not go on from the position before it."""
    store = Unreadable()
    table = table_of(TRAIL, ("ann",), store=store)
    for _ in range(300):
        table.play("ann", STEPS[0])
    store.fails = 1
    with pytest.raises(StoreFailed):
        table.undo(None, to=10)
    table.play("ann", STEPS[1])
    assert table.position[Trail].steps == 9
    assert table.position == folded(table)
    assert table.audit().ok


@pytest.mark.parametrize("when", ["before the fold", "after the fold"])
def test_an_interrupt_in_the_middle_of_an_append(when, monkeypatch):
    """S22: whatever was recorded is folded, once, before anything else is decided."""
    table, other = two()
    took = table.journal.took
    advance = table._fold.advance
    if when == "before the fold":
        monkeypatch.setattr(table._fold, "advance", raising)
    else:
        other.play("ann", Walk(to=1))
        monkeypatch.setattr(table.journal, "took", raising)
    with pytest.raises(KeyboardInterrupt):
        table.play(*(("ann", Walk(to=1)) if when == "before the fold" else ("bob", Walk(to=2))))
    monkeypatch.setattr(table._fold, "advance", advance)
    monkeypatch.setattr(table.journal, "took", took)
    table.play("bob", Walk(to=3))
    assert table.length == 4
    assert table.position == folded(table)
    assert table.audit().ok


def raising(*_given):
    raise KeyboardInterrupt


# ---------------------------------------------------------------- threads


def test_threads_on_one_table():
    """All commands are recorded once; views, feeds and receipts read meanwhile are of some moment of the log."""
    table = table_of(TRAIL, ("ann",))
    done = threading.Event()
    wrong = []

    def look():
        while not done.is_set():
            receipt = table.receipt
            heads = table.journal.heads(receipt.length - 1, receipt.length)
            steps = table.view("ann")[Trail].steps
            if heads[0].hex() != receipt.head or not 0 <= steps <= 400:
                wrong.append(receipt)
            table.feed("ann", after=max(receipt.length - 5, 0))
            table.legal("ann")

    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    with ThreadPoolExecutor(8) as pool:
        receipts = list(pool.map(lambda n: table.play("ann", STEPS[n % 100 % 3], command_id=f"c{n % 100}"), range(400)))
    done.set()
    looking.join()
    assert wrong == []
    assert table.length == 102
    assert sum(not receipt.repeated for receipt in receipts) == 100
    assert table.position[Trail].steps == 100
    assert table.position == folded(table)
    assert table.audit(receipts[:20]).ok


def test_an_audit_beside_a_writer():
    """What is asked about is the log as it was when the question was put."""
    table = table_of(TRAIL, ("ann",))
    done = threading.Event()

    def write():
        while not done.is_set():
            table.play("ann", STEPS[0])

    writing = threading.Thread(target=write, daemon=True)
    writing.start()
    reports = [table.audit() for _ in range(10)]
    forks = [table.fork() for _ in range(5)]
    done.set()
    writing.join()
    assert all(report.ok for report in reports), list(map(str, reports))
    assert all(fork.position == fork.at(1) for fork in forks)


def test_threads_on_tables_of_their_own():
    """S4: N writers with one expected length: one wins, N-1 typed conflicts, no hole."""
    store = MemoryStore()
    first = table_of(TRAIL, ("ann",), store=store)
    tables = [open_table("t", store, ruleset=TRAIL) for _ in range(8)]
    barrier = threading.Barrier(8, timeout=10)
    lost: list[int] = []

    def write(table):
        won = 0
        for _ in range(10):
            barrier.wait()
            expected = store.head("t").length
            barrier.wait()
            try:
                table.play("ann", STEPS[0], expect=expected)
                won += 1
            except VersionConflict as error:
                lost.append(error.actual - expected)
            barrier.wait()
        return won

    with ThreadPoolExecutor(8) as pool:
        wins = list(pool.map(write, tables))
    assert sum(wins) == 10
    assert lost == [1] * 70
    assert first.refresh() == 12
    assert verify_table("t", store).length == 12


def test_threads_on_tables_of_their_own_without_expectations():
    """Whoever comes second catches up and decides again."""
    store = MemoryStore()
    first = table_of(TRAIL, ("ann",), store=store)
    tables = [open_table("t", store, ruleset=TRAIL) for _ in range(4)]

    def write(table):
        for _ in range(25):
            table.play("ann", STEPS[0])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, tables))
    assert first.refresh() == 102
    assert first.position[Trail].steps == 100
    assert first.audit().ok
