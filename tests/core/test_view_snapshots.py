"""Snapshots hold the views that were asked for: what a seat sees of a long table is there as soon as the position."""

import logging
import random

import pytest

from ludolog import MemoryStore, Ruleset, open_table
from ludolog.errors import UndoRefused
from ludolog.snapshot import dump, load_view
from ludolog.table import SNAPSHOT_EVERY
from toys.made import table_of
from toys.vault import GAME
from toys.walk import STEPS
from toys.walk import ruleset as walk_ruleset

VAULT = Ruleset(GAME)
TRAIL = walk_ruleset()
SEATS = ("ann", "bob", "cy")
VIEWERS = (*SEATS, None)


def play_on(table, steps, chance):
    for step in range(steps):
        if table.over:
            return
        seat = table.to_act[0]
        table.play(seat, chance.choice(table.legal(seat)))
        if step % 5 == 4:
            table.undo(None)
        if step % 10 == 9:
            table.redo(None)


def played(steps):
    table = table_of(VAULT, SEATS, store=MemoryStore())
    play_on(table, steps, random.Random(steps))
    return table


def reopened(table):
    return open_table("t", table.journal.store, ruleset=VAULT)


def look(table):
    return {viewer: table.view(viewer) for viewer in VIEWERS}


def blocks(table):
    """Ranges of the log that are read from now on."""
    found = []
    facts = table.journal.facts

    def listening(start=0, stop=None):
        found.append((start, stop))
        return facts(start, stop)

    table.journal.facts = listening
    return found


@pytest.mark.parametrize("steps", range(0, 24, 3))
def test_a_view_from_a_snapshot_is_the_view(steps):
    """F13, F18: at every prefix, undone batches included; also what is told after it."""
    table = played(steps)
    expected = look(table)
    table.keep_snapshot()
    opened = reopened(table)
    read = blocks(opened)
    assert look(opened) == expected
    assert all(start == table.length for start, _ in read)
    play_on(opened, 7, random.Random(1))
    fresh = table_of(VAULT, SEATS, store=MemoryStore())
    play_on(fresh, steps, random.Random(steps))
    play_on(fresh, 7, random.Random(1))
    assert look(opened) == look(fresh)
    assert opened.audit([opened.receipt]).ok


def test_what_a_seat_knew_earlier_is_not_folded_from_later_snapshots():
    table = played(12)
    look(table)
    table.keep_snapshot()
    again = played(12)
    for length in range(2, table.length + 1):
        for viewer in VIEWERS:
            assert reopened(table).view(viewer, at=length) == again.view(viewer, at=length)


def test_only_views_that_were_asked_for_are_kept(caplog):
    """The others are folded from the log, and nothing is said of it."""
    table = played(10)
    table.view("bob")
    table.keep_snapshot()
    data = table.journal.store.snapshot("t")[1]
    assert load_view(VAULT, data, "bob")[0] == table.view("bob")
    assert load_view(VAULT, data, "ann") is None
    assert load_view(VAULT, data, None) is None
    with caplog.at_level(logging.WARNING):
        assert look(reopened(table)) == look(played(10))
    assert caplog.records == []


def test_views_are_kept_on_the_way(monkeypatch):
    """A snapshot after so many batches holds them, and the next process begins with it."""
    store = MemoryStore()
    table = table_of(TRAIL, ("ann",), store=store)
    table.view("ann")
    for number in range(SNAPSHOT_EVERY + 3):
        table.play("ann", STEPS[number % 3])
    opened = open_table("t", store, ruleset=TRAIL)
    read = blocks(opened)
    assert opened.view("ann") == table.view("ann")
    assert min(start for start, _ in read) >= SNAPSHOT_EVERY


@pytest.mark.parametrize("back", [1, 4])
def test_an_undo_that_reaches_behind_the_snapshot(back):
    """What the seat knew before is folded anew, so that the barrier is where it was."""
    answers = []
    for snapshot in (False, True):
        table = played(9)
        look(table)
        if snapshot:
            table.keep_snapshot()
        opened = reopened(table)
        read = blocks(opened)
        for seat in SEATS:
            try:
                opened.undo(seat, to=opened.history.since(0)[-back])
            except UndoRefused as error:
                answers.append((snapshot, seat, str(error)))
            else:
                answers.append((snapshot, seat, look(opened)))
        assert read
    half = len(answers) // 2
    assert [answer[1:] for answer in answers[:half]] == [answer[1:] for answer in answers[half:]]


def test_a_snapshot_in_which_a_seat_knows_too_much():
    """S25, F9: its checksum is right, so it is only by the log that the audit finds it."""
    table = played(14)
    views = {"ann": table.view("bob")}
    assert views["ann"] != table.view("ann")
    table.journal.store.keep_snapshot(
        "t", table.length - 1, dump(table.position, table.history, table.journal.head, views)
    )
    report = table.audit([table.receipt])
    assert not report.ok
    assert report.answers[1].batch == table.length - 1
    assert "in the snapshot kept after it ann knows something else than was told" in report.answers[1].why
