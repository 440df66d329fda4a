"""An exchange of contributions through undo, time travel, forks, crashes, retries and several writers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence

import pytest

from ludolog import (
    Chance,
    Frame,
    IllegalCommand,
    MemoryStore,
    open_table,
)
from ludolog.chance import stream_key
from ludolog.contributing import waited_for
from ludolog.errors import (
    BadOptions,
    StoreFailed,
    UndoRefused,
    VersionConflict,
)
from ludolog.frame import (
    CloseCommitments,
    CloseContributions,
)
from ludolog.store import Stored
from toys.bag import (
    NAMES,
    WORDS,
    Bag,
    Roll,
    asked,
    bag,
    commit,
    reopened,
    settled,
    stages,
    tell,
)

# ---------------------------------------------------------------- undo, time travel, forks


def test_nothing_before_the_beginning_can_be_taken_back():
    """F5, S41: neither by its seat, nor by all of them, nor by the host, who would get other dice."""
    for table in stages():
        length = table.length
        for number in (None, *range(length)):
            for seat, consent in ((None, ()), ("ann", ()), ("ann", table.seats), ("bob", table.seats)):
                with pytest.raises(UndoRefused) as error:
                    table.undo(seat, to=number, consent=consent)
                assert error.value.refusal.code == "nothing-to-undo"
        assert table.length == length
    begun = table.length
    table.play("ann", Roll())
    rolled = table.position
    table.undo(None, to=begun)
    assert table.position[Bag].rolls == ()
    for number in range(begun):
        with pytest.raises(UndoRefused):
            table.undo(None, to=number)
    table.play("ann", Roll())
    assert table.position == rolled
    assert table.audit().ok


def test_every_position_of_the_exchange_can_be_visited():
    """F13, F26: at each prefix, time travel, a fresh reader and a snapshot give the same, whoever is to act."""
    positions = []
    for number, table in enumerate(stages()):
        if number % 2:
            table.keep_snapshot()
        positions.append((table.length, table.position, table.to_act))
        again = reopened(table)
        assert again.position == table.position
        assert again.to_act == table.to_act
        assert table.position[Frame].begun or table.to_act == waited_for(table.position)
        for seat in table.seats:
            assert again.legal(seat) == table.legal(seat)
            assert again.view(seat) == table.view(seat)
            assert table.ruleset.to_act(table.view(seat)) == table.to_act
        assert table.audit([table.receipt]).ok
    for length, position, acting in positions:
        assert table.at(length) == position
        assert table.ruleset.to_act(table.at(length)) == acting


def test_a_fork_leaves_after_the_beginning_and_has_dice_of_its_own():
    for table in stages():
        if not table.position[Frame].begun:
            with pytest.raises(BadOptions, match="has not begun, so it can't be forked yet"):
                table.fork()
    for length in range(1, table.length):
        with pytest.raises(BadOptions, match=f"can be forked from batch {table.length} on"):
            table.fork(length)
    table.play("ann", Roll())
    fork = table.fork(table.length - 1)
    assert fork.position[Frame].contributions.given == ()
    for _ in range(9):
        fork.play("ann", Roll())
        table.play("ann", Roll())
    assert fork.position[Bag].rolls != table.position[Bag].rolls[:9]
    key = stream_key(fork.seed)
    assert fork.position[Bag].rolls == tuple(Chance(key, number).roll() for number in range(1, 10))
    with pytest.raises(UndoRefused):
        fork.undo(None, to=0)
    assert fork.fork().audit().ok
    assert open_table(fork.id, fork.journal.store, ruleset=bag()).audit([fork.receipt]).ok


# ---------------------------------------------------------------- crashes, retries, other writers


class Failing(MemoryStore):
    """Fails in the append ``when`` it is told to, before or after it was stored."""

    def __init__(self) -> None:
        super().__init__()
        self.when = ""
        self.sizes: list[int] = []

    def append(self, table: str, expected: int, batches: Sequence[Stored]) -> None:
        if self.when == "before":
            raise StoreFailed
        super().append(table, expected, batches)
        self.sizes.append(len(batches))
        if self.when == "after":
            raise StoreFailed


SCRIPT = [(step, seat) for step in (commit, tell) for seat in NAMES[:3]]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("broken", range(len(SCRIPT)))
def test_a_crash_at_each_boundary(when, broken):
    """F26, S1, S3: whatever was stored by then goes on with the same seats asked; a retry has one effect."""
    whole = settled(asked())
    store = Failing()
    table = asked(store=store)
    for number, (step, seat) in enumerate(SCRIPT):
        if number == broken:
            store.when = when
            with pytest.raises(StoreFailed):
                step(table, seat, command_id=f"{number}")
            store.when = ""
            table = reopened(table)
            receipt = step(table, seat, command_id=f"{number}")
            assert receipt.repeated == (when == "after")
            assert receipt.length == number + 2
            assert receipt.head == table.journal.heads(number + 1, number + 2)[0].hex()
        else:
            step(table, seat)
    assert table.position == whole.position
    assert table.audit([table.receipt]).ok
    assert store.sizes == [1, 1, 1, 1, 1, 2]  # the last word and the beginning: both or neither


def test_the_last_answer_has_a_receipt_of_its_own_and_a_retry_gives_the_same():
    table = asked()
    for seat in table.seats:
        commit(table, seat)
    receipts = [tell(table, seat, command_id=seat) for seat in table.seats]
    assert [receipt.length for receipt in receipts] == [5, 6, 7]
    assert table.receipt.length == 8
    again = [tell(table, seat, command_id=seat) for seat in table.seats]
    assert [(receipt.length, receipt.head) for receipt in again] == [
        (receipt.length, receipt.head) for receipt in receipts
    ]
    assert table.audit([*receipts, table.receipt]).ok


def test_closing_what_has_just_been_closed_does_not_close_the_next():
    """F25: a host that is late must not cut off the seats that are to tell."""
    table = asked()
    host = reopened(table)
    for seat in table.seats:
        commit(table, seat)
    with pytest.raises(IllegalCommand) as error:
        host.play(None, CloseCommitments())
    assert error.value.refusal.code == "commitments-closed"
    with pytest.raises(VersionConflict):
        host.play(None, CloseContributions(), expect=1)
    assert host.to_act == table.seats


def test_eight_seats_at_once():
    """F24: simultaneous answers are all accepted once, whatever their order."""
    store = MemoryStore()
    asked(NAMES, store=store)
    tables = {seat: open_table("t", store, ruleset=bag()) for seat in NAMES}
    failed: list[BaseException] = []

    def at_once(step) -> None:
        gate = threading.Barrier(len(NAMES))

        def run(seat: str) -> None:
            gate.wait()
            try:
                step(tables[seat], seat)
            except BaseException as error:  # noqa: BLE001 - told below
                failed.append(error)

        threads = [threading.Thread(target=run, args=(seat,)) for seat in NAMES]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    at_once(commit)
    at_once(tell)
    assert not failed
    table = open_table("t", store, ruleset=bag())
    assert table.length == 18
    assert table.position[Frame].contributions.given == tuple((seat, WORDS[seat]) for seat in NAMES)
    assert table.audit().ok
    for other in tables.values():
        other.refresh()
        assert other.position == table.position


KILLED = """
import os, signal, sys
import ludolog
from ludolog.chance import contribution_commitment
from ludolog.frame import Commit, Contribute
from ludolog_plugins.stores import sqlite

path, steps, point = sys.argv[1], int(sys.argv[2]), sys.argv[3]
table = ludolog.open_table("t", path) if os.path.exists(path) else ludolog.new_table(
    "tic-tac-toe", ("ann", "bob"), seed=7, id="t", at=0, store=path, contributions="asked")
store = table.journal.store
inner = store.append
def append(*args):
    if point == "before" and table.length == steps:
        os.kill(os.getpid(), signal.SIGKILL)
    inner(*args)
    if point == "after" and table.length == steps:
        os.kill(os.getpid(), signal.SIGKILL)
store.append = append
while table.to_act and not table.position[ludolog.Frame].begun:
    seat = table.to_act[0]
    if table.position[ludolog.Frame].contributions.phase == "committing":
        command = Commit(commitment=contribution_commitment(table.opened.commitment, seat, seat + " word"))
    else:
        command = Contribute(contribution=seat + " word")
    table.play(seat, command, at=0)
"""


def test_killed_at_each_boundary(tmp_path):
    """F26: kill -9 before and after every append of the exchange; whoever opens the file goes on to the same dice."""
    path = tmp_path / "t.db"

    def run(steps: int, point: str) -> int:
        command = [sys.executable, "-c", KILLED, str(path), str(steps), point]
        return subprocess.run(command, check=False, env=dict(os.environ), timeout=60).returncode

    for steps in range(1, 5):
        assert run(steps, "before") == -signal.SIGKILL
        with_before = open_table("t", str(path))
        assert with_before.length == steps
        assert run(steps, "after") == -signal.SIGKILL
    assert run(99, "never") == 0
    table = open_table("t", str(path))
    assert table.length == 6
    assert table.position[Frame].contributions.given == (("ann", "ann word"), ("bob", "bob word"))
    assert table.position[Frame].begun
    assert table.audit([table.receipt]).ok
