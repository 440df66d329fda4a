"""Snapshots: a shortcut and nothing more. A bad one is passed over, and the position is the fold of the log."""

import hashlib
import logging
import random

import msgspec
import pytest

from ludolog import MemoryStore, Now, Ruleset, State, open_table
from ludolog.frame import Undone
from ludolog.history import History
from ludolog.snapshot import dump, load
from ludolog.table import SNAPSHOT_EVERY
from toys.made import new_rules, ruleset_of, table_of
from toys.vault import GAME
from toys.walk import STEPS
from toys.walk import ruleset as walk_ruleset

VAULT = Ruleset(GAME)
TRAIL = walk_ruleset()
SEATS = ("ann", "bob", "cy")


def played(steps=20, store=None):
    table = table_of(VAULT, SEATS, store=store or MemoryStore())
    chance = random.Random(steps)
    for step in range(steps):
        seat = table.to_act[0]
        table.play(seat, chance.choice(table.legal(seat)))
        if step % 5 == 4:
            table.undo(None)
    return table


def same(one, other):
    return (
        one.position == other.position
        and one.to_act == other.to_act
        and one.receipt == other.receipt
        and all(one.legal(seat) == other.legal(seat) for seat in SEATS)
        and all(one.view(seat) == other.view(seat) for seat in (*SEATS, None))
        and (one.history.dead, one.history.asides, one.history.redoable)
        == (other.history.dead, other.history.asides, other.history.redoable)
    )


def test_a_table_opened_from_a_snapshot_is_the_same_table():
    """F13, F18: position, who may act, legal commands, views and what may be redone, at every prefix."""
    for steps in range(0, 12, 2):
        with_one, without = played(steps), played(steps)
        with_one.keep_snapshot()
        opened = open_table("t", with_one.journal.store, ruleset=VAULT)
        assert same(opened, with_one)
        assert opened.position == without.position
        if with_one.history.redoable:
            opened.redo(None)
            with_one.refresh()
            assert same(opened, with_one)


def test_a_snapshot_is_kept_after_so_many_batches():
    table = table_of(TRAIL, ("ann",))
    for number in range(2 * SNAPSHOT_EVERY + 10):
        table.play("ann", STEPS[number % 3])
    assert sorted(table.journal.store._logs["t"].snapshots) == [SNAPSHOT_EVERY - 1, 2 * SNAPSHOT_EVERY - 1]
    opened = open_table("t", table.journal.store, ruleset=TRAIL)
    assert opened.position == table.position


def test_opening_reads_only_what_came_after():
    """The cost of opening does not grow with the log; counted in batches read."""

    class Counting(MemoryStore):
        reads = 0

        def payloads(self, table, start=0, stop=None):
            for payload in super().payloads(table, start, stop):
                self.reads += 1
                yield payload

    costs = []
    for length in (1500, 4500):
        store = Counting()
        table = table_of(TRAIL, ("ann",), store=store)
        for number in range(length):
            table.play("ann", STEPS[number % 3])
        store.reads = 0
        assert open_table("t", store, ruleset=TRAIL).position == table.position
        costs.append(store.reads)
    assert costs[0] == costs[1] < 600


def spoilt(data: bytes) -> dict[str, bytes]:
    """Snapshots that can't be used."""
    payload = data[32:]
    plain = msgspec.msgpack.decode(payload)

    def with_sum(changed: bytes) -> bytes:
        return hashlib.sha256(changed).digest() + changed

    def with_fields(**fields) -> bytes:
        return with_sum(msgspec.msgpack.encode({**plain, **fields}))

    return {
        "empty": b"",
        "cut": data[:-1],
        "cut in its sum": data[:20],
        "a flipped bit": data[:50] + bytes([data[50] ^ 1]) + data[51:],
        "a flipped bit of its sum": bytes([data[0] ^ 1]) + data[1:],
        "no snapshot at all": with_sum(b"\x80"),
        "no msgpack": with_sum(b"\xc1\xc1"),
        "deep": with_sum(b"\x91" * 100_000),
        "another format": with_fields(format=99),
        "another ruleset": with_fields(digest="0" * 64),
        "another log": with_fields(head=bytes(32)),
        "another length": with_fields(length=plain["length"] - 1),
        "a slice is missing": with_fields(slices={}),
        "a slice of another type": with_fields(slices=dict.fromkeys(plain["slices"], 7)),
        "an unknown field": with_fields(extra=1),
    }


@pytest.mark.parametrize("what", list(spoilt(dump(played().position, played().history, bytes(32)))))
def test_a_bad_snapshot_is_passed_over(what, caplog):
    """S25: discarded, told once, and the position is rebuilt from an older one or from the log."""
    table = played()
    number = table.length - 1
    data = dump(table.position, table.history, table.journal.head)
    table.journal.store.keep_snapshot("t", number, spoilt(data)[what])
    with caplog.at_level(logging.WARNING):
        opened = open_table("t", table.journal.store, ruleset=VAULT)
    assert same(opened, table)
    assert [record.message for record in caplog.records] == ["snapshot passed over"]
    assert opened.audit([table.receipt]).ok


def test_an_older_good_one_is_used_behind_a_bad_one():
    table = played()
    table.keep_snapshot()
    good = table.length
    for _ in range(5):
        table.play(table.to_act[0], table.legal(table.to_act[0])[0])
    table.journal.store.keep_snapshot("t", table.length - 1, b"bad")
    assert table.loading.newest(table.length).length == good
    assert same(open_table("t", table.journal.store, ruleset=VAULT), table)


def test_one_that_is_newer_than_the_log_is_ignored():
    """As after a restore of the log from a backup."""
    table = played()
    longer = played(26)
    data = dump(longer.position, longer.history, longer.journal.head)
    table.journal.store.keep_snapshot("t", longer.length - 1, data)
    assert same(open_table("t", table.journal.store, ruleset=VAULT), table)
    assert table.at(table.length) == table.position


def test_one_of_another_version_of_the_rules_is_ignored():
    """S25, F28: a reducer that changed must fold the log, not go on from what the old one made of it."""
    rules = new_rules()

    @rules.state
    class Count(State, frozen=True):
        n: int = 0

    def counting(by, version):
        from ludolog import Command, Event, Rules  # noqa: PLC0415

        class Rose(Event, frozen=True, tag="toy/rose"):
            pass

        class Rise(Command, frozen=True, tag="toy/rise"):
            pass

        part: Rules = new_rules(version=version)
        part.state(Count)
        part.reducer(reduce_by(by, Rose))

        def decide(now: Now, command: Rise):
            yield Rose()

        part.decider(decide)
        return part, Rise()

    def reduce_by(by, kind):
        def rose(count: Count, event: kind) -> Count:
            return Count(n=count.n + by)

        return rose

    store = MemoryStore()
    old, rise = counting(1, 1)
    table = table_of(old, store=store)
    for _ in range(5):
        table.play("ann", rise)
    table.keep_snapshot()
    new, _ = counting(10, 2)
    assert open_table("t", store, ruleset=ruleset_of(new)).position[Count].n == 50
    assert open_table("t", store, ruleset=ruleset_of(old)).position[Count].n == 5


def test_what_was_dumped_is_loaded():
    table = played()
    position, history, head = load(VAULT, dump(table.position, table.history, table.journal.head))
    assert position == table.position
    assert head == table.journal.head
    assert (history.length, history.dead, history.asides) == (
        table.history.length,
        table.history.dead,
        table.history.asides,
    )
    undone = Undone(batches=(2,), by="ann", consent=("bob",))
    history = History(5, {2}, {3}, [undone])
    assert load(VAULT, dump(table.position, history, b"h"))[1].redoable == [undone]


def test_a_snapshot_of_another_game_is_not_loaded():
    table = played()
    data = dump(table.position, table.history, table.journal.head)
    assert load(TRAIL, data) is None
    assert load(ruleset_of(new_rules()), data) is None
