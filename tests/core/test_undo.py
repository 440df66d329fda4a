"""Undo and redo: what they do to log, position, views and feeds, near the head and deep in a long log."""

import random

import pytest

from ludolog import Chance, MemoryStore, Retracted, Ruleset, open_table
from ludolog.chance import stream_key
from ludolog.errors import CorruptLog, UndoRefused
from ludolog.folding import HOST, Fold
from ludolog.frame import Redone, Undone
from ludolog.history import History
from ludolog.position import Position
from toys.made import ruleset_of, table_of
from toys.vault import CARDS, GAME, Draw, Echoed, Finish, LayDown, Roll, Show, Vault, Walk
from toys.walk import STEPS
from toys.walk import ruleset as walk_ruleset

VAULT = Ruleset(GAME)
SEATS = ("ann", "bob", "cy")
TRAIL = walk_ruleset()


def folded(table, seat=HOST):
    """The log folded from zero, with nothing kept from before."""
    fold = Fold(table.start(seat), table.journal.facts, seat)
    fold.catch_up(table.length)
    return fold.position


def plainly(table):
    """The position by the batches that count alone, decided anew, as if the others had never been."""
    ruleset = table.ruleset
    position = ruleset.fold(ruleset.start(), (table.opened,))
    key, place = stream_key(table.seed), 0
    for batch in table.journal.batches():
        if not table.history.counts(batch.number):
            continue
        chance = Chance(key, place)
        if batch.number == 1:
            position = ruleset.begin(position, chance, batch.time).position
        elif batch.number > 1:
            position = ruleset.decide(position, batch.seat, batch.command, chance, batch.time).position
        place += 1
    return position


def test_undone_events_stay_in_the_log():
    """F2: nothing is deleted; the history says what counts, and the fold from zero is the live position."""
    table = table_of(VAULT, SEATS)
    table.play("ann", Walk(to=9))
    stored = list(table.journal.store.read("t"))
    table.undo("ann")
    assert list(table.journal.store.read("t"))[:3] == stored
    assert not table.history.counts(2)
    assert not table.history.counts(3)
    assert table.history.counts(1)
    assert table.position == folded(table) == table.at(2)


def test_a_command_and_what_followed_from_it_are_one():
    """F3: three derived events go and come back together."""
    table = table_of(VAULT, SEATS)
    table.play("ann", Walk(to=9))
    assert [type(event) for event in table.journal.batch(2).events][1:] == [Echoed] * 3
    after = table.position
    table.undo("ann")
    assert table.position[Vault].said == ()
    table.redo("ann")
    assert table.position == after == folded(table)


def test_redo_is_possible_until_something_else_is_played():
    table = table_of(TRAIL, ("ann",))
    for step in STEPS:
        table.play("ann", step)
    table.undo("ann")
    table.undo("ann")
    table.redo("ann")
    assert table.position == table.at(4)
    table.redo("ann")
    assert table.position == table.at(5)
    with pytest.raises(UndoRefused, match="nothing to redo"):
        table.redo("ann")
    table.undo("ann", to=3)
    table.play("ann", STEPS[0])
    with pytest.raises(UndoRefused, match="nothing to redo"):
        table.redo("ann")
    assert table.position == folded(table) == plainly(table)


def test_what_was_undone_as_one_is_redone_as_one():
    table = table_of(TRAIL, ("ann",))
    for step in STEPS:
        table.play("ann", step)
    after = table.position
    table.undo("ann", to=3)
    assert table.position == table.at(3)
    table.redo("ann")
    assert table.position == after
    assert table.audit().ok


def test_redo_belongs_to_who_took_it_back():
    """F1: neither another seat nor the one overruled by the host restores it."""
    table = table_of(VAULT, SEATS)
    table.play("ann", Walk(to=1))
    table.undo("ann")
    for seat in ("bob", "cy"):
        with pytest.raises(UndoRefused, match="ann took it back"):
            table.redo(seat)
    table.redo("ann")
    table.undo(None)
    with pytest.raises(UndoRefused, match="The host took it back"):
        table.redo("ann")
    table.redo(None)
    assert table.position == table.at(3)


def test_a_seat_alone_does_not_redo_what_was_not_its_own():
    table = table_of(VAULT, SEATS)
    table.play("ann", Draw())
    table.undo("bob", consent=SEATS)
    with pytest.raises(UndoRefused, match="not bob's alone"):
        table.redo("bob")


@pytest.mark.parametrize("to", [0, 1, -2, 3, 99, 2**60])
def test_what_can_not_be_taken_back(to):
    """The opening and the set-up stay, and what is not there is not taken back."""
    table = table_of(VAULT, SEATS)
    table.play("ann", Walk(to=1))
    for seat in ("ann", None):
        with pytest.raises(UndoRefused, match="nothing to take back"):
            table.undo(seat, to=to)
    assert table.length == 3


def test_undo_never_rolls_again():
    """F5: the same command after an undo draws the same, and another draws from the same place."""
    table = table_of(VAULT, SEATS)
    for seat in SEATS:
        table.play(seat, Roll())
    rolls = table.position[Vault].rolls
    for _ in range(3):
        table.undo(None, to=2)
        for seat in SEATS:
            table.play(seat, Roll())
        assert table.position[Vault].rolls == rolls
    table.undo(None, to=2)
    table.play("ann", Walk(to=1))
    for seat in ("bob", "cy"):
        table.play(seat, Roll())
    assert table.position[Vault].rolls == rolls[1:]
    assert table.audit().ok


def test_everyone_is_told_what_no_longer_counts():
    """By the numbers of their own feeds; a feed only grows."""
    table = table_of(VAULT, SEATS)
    before = table.feed("bob")
    table.play("ann", Walk(to=9))
    table.undo("ann")
    table.redo("ann")
    feed = table.feed("bob")
    assert feed[: len(before)] == before
    numbers = tuple(item.number for item in feed[len(before) : len(before) + 4])
    assert [item.event for item in feed[-2:]] == [
        Retracted(by="ann", numbers=numbers),
        Retracted(by="ann", restored=numbers),
    ]


def folded_from_feed(table, seat):
    """What a client far away makes of its feed alone."""
    position = Position(table.ruleset, table.ruleset.start().slices, seat, is_view=True)
    dead = set()
    items = table.feed(seat)
    for item in items:
        if isinstance(item.event, Retracted):
            dead |= set(item.event.numbers)
            dead -= set(item.event.restored)
    alive = [item.event for item in items if item.number not in dead and not isinstance(item.event, Retracted)]
    return table.ruleset.fold(position, alive)


def random_step(table, chance):
    """Play, undo or redo something, as any caller might."""
    choice = chance.random()
    anyone = chance.choice((*SEATS, None))
    try:
        if choice < 0.55:
            seat = table.to_act[0]
            table.play(seat, chance.choice(table.legal(seat)))
        elif choice < 0.8:
            depth = chance.choice((1, 1, 2, 5, 30))
            counting = table.history.since(2)[-depth:]
            table.undo(anyone, to=counting[0] if counting else None, consent=chance.choice(((), SEATS)))
        else:
            table.redo(anyone)
    except UndoRefused:
        return False
    return True


@pytest.mark.parametrize("seed", range(3))
def test_random_walks_keep_log_and_fold_in_step(seed):
    """F42, F2: 500 steps; live position, fold from zero, what counts decided anew, views and feeds all agree."""
    chance = random.Random(seed)
    table = table_of(VAULT, SEATS, seed=seed)
    undone = 0
    for step in range(500):
        if random_step(table, chance):
            undone += isinstance(table.journal.one(table.length - 1).events[0], Undone | Redone)
        if step % 25 == 0:
            assert table.position == folded(table) == plainly(table)
            for seat in (*SEATS, None):
                assert table.view(seat) == folded(table, seat) == folded_from_feed(table, seat)
    assert undone > 50
    report = table.audit([table.receipt])
    assert report.ok, str(report)


def test_an_undo_takes_back_no_more_than_was_announced():
    """F42: one command by default, from the named batch on otherwise."""
    table = table_of(TRAIL, ("ann",))
    for _ in range(10):
        table.play("ann", STEPS[0])
    table.undo("ann")
    assert table.journal.one(12).events == (Undone(batches=(11,), by="ann"),)
    assert table.position == table.at(11)
    table.undo("ann", to=8)
    assert table.journal.one(13).events == (Undone(batches=(8, 9, 10), by="ann"),)
    assert table.position == table.at(8)


def long_walk(steps, **more):
    table = table_of(TRAIL, ("ann",), **more)
    chance = random.Random(steps)
    for _ in range(steps):
        table.play("ann", chance.choice(STEPS))
    return table


@pytest.mark.parametrize("to", [2, 3, 100, 249, 272, 273, 335, 336, 400, 401])
def test_deep_undo(to):
    """Beyond the positions that are kept, the log is folded again."""
    table = long_walk(400)
    before = table.at(to)
    table.undo(None, to=to)
    assert table.position == before == folded(table)
    table.redo(None)
    assert table.position == table.at(402) == folded(table)
    table.undo(None, to=to)
    table.play("ann", STEPS[2])
    assert table.position == folded(table) == plainly(table)


@pytest.mark.parametrize("fork", [False, True])
def test_deep_undo_on_a_table_opened_from_a_snapshot(fork):
    """The snapshot counts batches that are undone later; it must not be begun from, nor a fork's parent forgotten."""
    store = MemoryStore()
    table = long_walk(60, store=store)
    if fork:
        table = table.fork(id="f", seed=3)
        for _ in range(60):
            table.play("ann", STEPS[1])
    head = table.length
    table.keep_snapshot()
    table = open_table(table.id, store, ruleset=TRAIL)
    table.undo(None, to=head - 5)
    first = table.length
    for _ in range(200):
        table.play("ann", STEPS[0])
    assert table.position == folded(table)
    table.undo(None, to=first)
    assert table.position == folded(table) == table.at(head - 5)
    table.undo(None, to=head - 40)
    assert table.position == folded(table) == table.at(head - 40)
    table.keep_snapshot()
    again = open_table(table.id, store, ruleset=TRAIL)
    assert again.position == table.position
    again.redo(None)
    assert again.position == folded(again) == table.at(head - 5)


def test_undo_after_reopening_is_undo_before_it():
    store = MemoryStore()
    table = table_of(VAULT, SEATS, store=store)
    table.play("ann", Walk(to=3))
    table = open_table("t", store, ruleset=VAULT)
    table.undo("ann")
    table = open_table("t", store, ruleset=VAULT)
    assert table.to_act == ("ann",)
    table.redo("ann")
    assert table.to_act == ("bob",)
    assert table.audit().ok


@pytest.mark.parametrize(
    "event",
    [
        Undone(batches=(), by=""),
        Undone(batches=(2,), by=""),
        Undone(batches=(0, 1), by=""),
        Undone(batches=(5,), by=""),
        Undone(batches=(3, 2), by=""),
        Redone(batches=(2,), by=""),
        Redone(batches=(), by=""),
    ],
)
def test_an_undo_that_takes_back_what_does_not_count_is_a_damaged_log(event):
    """F42: a log made by another program can't undo what isn't there."""
    history = History()
    for _ in range(4):
        history.note(None)
    with pytest.raises(CorruptLog, match=r"at batch 4 .* which it can't"):
        history.check(event)


def test_undo_in_a_game_that_is_over_at_once_is_refused():
    table = table_of(VAULT, SEATS)
    table.play(None, Finish())
    assert table.over
    assert table.legal("ann") == ()


def test_cards_go_back_where_they_were():
    """S41: undo across a hidden move and a shown card, twice, with the host's word."""
    table = table_of(VAULT, SEATS)
    hand = table.position[Vault].hands[0]
    table.play("ann", LayDown(card=hand[1]))
    table.play("bob", Show(card=table.position[Vault].hands[1][0]))
    table.undo(None)
    table.undo(None)
    assert table.position[Vault].hands[0] == hand
    assert set(table.position[Vault].hands[0]) < set(CARDS)
    assert table.position == plainly(table)


def test_rules_without_options_or_variants_compile_alike():
    assert ruleset_of(GAME.rules()).digest == VAULT.digest
