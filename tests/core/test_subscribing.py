"""Subscriptions: what a seat is told reaches whoever listens for it, once, in order, durable, and costs no writer."""

import random
import threading
import weakref

import pytest

from ludolog import MemoryStore, Retracted, Ruleset, open_table
from ludolog.errors import BadPosition, StoreBusy, StoreFailed, UnknownSeat
from ludolog.subscribing import PULSE
from ludolog.testing.faults import Child
from ludolog_events import encode
from ludolog_plugins.stores.sqlite import SqliteStore
from toys.gate import Gate
from toys.made import table_of
from toys.vault import CARDS, GAME, Mark, Note, Noted, Vault, Walk, Whisper, Whispered

VAULT = Ruleset(GAME)
SEATS = ("ann", "bob", "cy")
EVERYONE = (*SEATS, None)


def play_on(table, steps, seed=7):
    """Random moves, with something whispered, noted, marked or taken back in between."""
    chance = random.Random(seed)
    for step in range(steps):
        seat = table.to_act[0]
        if step % 7 == 3:
            table.play(seat, Whisper(to=chance.choice(SEATS), what=f"whisper-{step:02}"))
        elif step % 7 == 5:
            table.play(seat, Note(watchers=("ann", "cy"), note=f"note-{step:02}"))
        elif step % 7 == 6:
            table.play(seat, Mark(what=f"mark-{step:02}"))
        else:
            table.play(seat, chance.choice(table.legal(seat)))
        if step % 9 == 8:
            table.undo(None)
            if step % 2:
                table.redo(None)


def everything(table, seat, after=0):
    return tuple(table.subscribe(seat, after, timeout=0))


@pytest.fixture
def table():
    return table_of(VAULT, SEATS)


# ---------------------------------------------------------------- what is told


@pytest.mark.parametrize("seat", EVERYONE)
def test_a_seat_is_told_what_its_feed_holds(table, seat):
    play_on(table, 40)
    told = table.feed(seat)
    assert everything(table, seat) == told
    assert [item.number for item in told] == list(range(1, len(told) + 1))
    for after in (0, 1, len(told) // 2, len(told) - 1, len(told)):
        assert everything(table, seat, after) == told[after:]


def test_undo_and_redo_are_told_as_what_they_are(table):
    subscription = table.subscribe("bob", timeout=0)
    assert [item.event for item in subscription] == [item.event for item in table.feed("bob")]
    known = subscription.position
    table.play("ann", Whisper(to="cy", what="nothing of bob's"))
    table.undo(None)
    table.redo(None)
    walked, undone, redone = subscription
    assert (walked.number, undone.number, redone.number) == (known + 1, known + 2, known + 3)
    assert undone.event == Retracted(by="", numbers=(walked.number,))
    assert redone.event == Retracted(by="", restored=(walked.number,))


def may_know(table):
    """Which of the words that are secret at first each seat may come to know, from the whole log."""
    known = {seat: set() for seat in EVERYONE}
    for number in range(2, table.length + 1):
        vault = table.at(number)[Vault]
        for seat in EVERYONE:
            known[seat].update(vault.shown)
        for seat, hand, down in zip(SEATS, vault.hands, vault.downs, strict=True):
            known[seat].update(hand, down)
    for facts in table.journal.facts(0, table.length):
        for event in facts.events:
            if isinstance(event, Whispered):
                known[event.seat].add(event.what)
            elif isinstance(event, Noted):
                known["ann"].add(event.note)
                known["cy"].add(event.note)
    return known


def test_no_foreign_secret_reaches_a_subscriber(table):
    """F4, F8, F32: hands, deck, notes, whispers and marks, before and after undo, on reconnection, in a fork."""
    play_on(table, 60)
    known = may_know(table)
    fork = table.fork()
    words = [*CARDS, *(f"{kind}-{step:02}" for kind in ("whisper", "note", "mark") for step in range(60))]
    assert {word for word in words if word in repr(list(table.journal.facts(0, table.length)))} > known["ann"]
    for seat in EVERYONE:
        items = [*everything(table, seat), *everything(fork, seat)]
        items += everything(fork, seat, len(table.feed(seat)) // 2)
        text = repr(items) + b"".join(encode(item.event) for item in items).decode("latin-1")
        assert {word for word in words if word in text} == known[seat]
        assert repr(table.seed) not in text
        assert table.seed.hex() not in text


@pytest.mark.parametrize("seat", ["dan", "", "Ann", 1])
def test_nobody_of_that_name(table, seat):
    with pytest.raises(UnknownSeat):
        table.subscribe(seat)


@pytest.mark.parametrize("after", [-1, True, "1", 1.0, None, 10**30])
def test_a_number_that_was_never_told(table, after):
    """A listener that knows more than was told listens to another log; passing things over would be no answer."""
    told = len(table.feed("bob"))
    with pytest.raises(BadPosition):
        table.subscribe("bob", after)
    with pytest.raises(BadPosition, match=f"bob was told {told} things so far"):
        table.subscribe("bob", told + 1)
    assert everything(table, "bob", told) == ()


def test_a_fork_tells_what_its_parent_told_before(table):
    play_on(table, 20)
    fork = table.fork(15)
    again = fork.fork()
    play_on(again, 5)
    for listened in (fork, again):
        for seat in EVERYONE:
            told = listened.feed(seat)
            for after in (0, 3, len(table.feed(seat)), len(told)):
                assert everything(listened, seat, min(after, len(told))) == told[min(after, len(told)) :]


def test_a_fork_and_its_parent_are_asked_at_once(table):
    """Both count in one place what the parent told; asked by two threads, they counted double."""
    play_on(table, 30)
    fork = table.fork()
    facts, inside, go_on = table.journal.facts, threading.Event(), threading.Event()

    def slowly(start, stop):
        for found in facts(start, stop):
            if found.number == 20:
                inside.set()
                go_on.wait(0.2)
            yield found

    table.journal.facts = slowly
    threads = [threading.Thread(target=listened.feed, args=("bob",)) for listened in (table, fork)]
    threads[0].start()
    inside.wait()
    threads[1].start()
    threads[1].join(0.1)
    go_on.set()
    for thread in threads:
        thread.join()
    play_on(table, 20)
    fresh = open_table("t", table.journal.store, ruleset=VAULT)
    for after in range(0, len(fresh.feed("bob")), 5):
        assert table.feed("bob", after) == fresh.feed("bob", after)


# ---------------------------------------------------------------- when it is told


def test_nothing_is_told_before_it_is_durable():
    store = Gate()
    table = table_of(VAULT, SEATS, store=store)
    subscription = table.subscribe(None, len(table.feed(None)))
    everywhere = store.subscribe(store.feed()[-1].position)
    store.open.clear()
    store.reached.clear()
    thread = threading.Thread(target=table.play, args=("ann", Walk(to=1)))
    thread.start()
    assert store.reached.wait(30)
    assert subscription.get(0.02) is everywhere.get(0.02) is None
    store.open.set()
    assert subscription.get(30).event.to == 1
    assert everywhere.get(30).stored.number == table.length - 1
    thread.join()
    store.failing = True
    with pytest.raises(StoreFailed):
        table.play("bob", Walk(to=2))
    assert subscription.get(0.02) is everywhere.get(0.02) is None
    store.failing = False
    table.play("bob", Walk(to=3))
    assert subscription.get(30).event.to == 3
    assert everywhere.get(30).stored.number == table.length - 1


@pytest.mark.parametrize("sqlite", [False, True], ids=["memory", "sqlite"])
def test_threads_listen_while_others_play(tmp_path, sqlite):
    store = SqliteStore(tmp_path / "s.db", durability="normal") if sqlite else MemoryStore()
    table = table_of(VAULT, SEATS, store=store)
    others = [open_table("t", store, ruleset=VAULT) for _ in range(2)]
    found = {seat: [] for seat in EVERYONE}
    subscriptions = {seat: others[0].subscribe(seat) for seat in EVERYONE}

    def listen(seat):
        found[seat].extend(subscriptions[seat])

    threads = [threading.Thread(target=listen, args=(seat,)) for seat in EVERYONE]
    for thread in threads:
        thread.start()
    play_on(table, 30)
    others[1].refresh()
    play_on(others[1], 10)
    told = {seat: others[1].feed(seat) for seat in EVERYONE}
    for seat in EVERYONE:
        while subscriptions[seat].position < len(told[seat]):
            threads[0].join(0.001)
        subscriptions[seat].close()
    for thread in threads:
        thread.join()
    assert {seat: tuple(items) for seat, items in found.items()} == told
    store.close()


def test_a_seat_hears_of_what_another_process_plays(tmp_path):
    """F26: also where that process is killed: another takes over, and whoever listened goes on as if nothing were."""
    store = SqliteStore(tmp_path / "s.db", shared="allow")
    table = table_of(VAULT, SEATS, store=store)

    def play(report):
        with SqliteStore(tmp_path / "s.db", shared="allow") as mine:
            own = open_table("t", mine, ruleset=VAULT)
            while True:
                own.play(own.to_act[0], Walk(to=own.length % 9))
                report(str(own.length))

    subscription = table.subscribe("bob", timeout=30)
    heard = [next(subscription) for _ in table.feed("bob")]
    for lines in (1, 4, 9):
        child = Child(play)
        for _ in range(lines):
            child.line()
            heard.append(next(subscription))
        child.kill()
        again = open_table("t", store, ruleset=VAULT)
        told = again.feed("bob")
        heard += [next(subscription) for _ in told[len(heard) :]]
        assert tuple(heard) == told
        assert again.to_act == (SEATS[again.position[Vault].turn % 3],)
    assert table.length < again.length  # Listening doesn't move the table under whoever plays there.
    table.refresh()
    assert table.feed("bob") == tuple(heard)
    assert subscription.get(0) is None
    store.close()


class Deaf(MemoryStore):
    """A store whose wake-up is broken."""

    def wait(self, timeout):
        threading.Event().wait(timeout)
        return False


def test_a_wake_up_is_only_a_wake_up():
    """S9: without any, everything is told all the same, a pulse later."""
    store = Deaf()
    table = table_of(VAULT, SEATS, store=store)
    subscription = table.subscribe("bob", len(table.feed("bob")), timeout=2 * PULSE)
    thread = threading.Timer(0.02, table.play, ("ann", Walk(to=4)))
    thread.start()
    assert [item.event.to for item in subscription] == [4]
    thread.join()


# ---------------------------------------------------------------- nobody waits for a subscriber


def test_a_listener_in_the_middle_of_the_log_keeps_nobody_from_playing():
    inside, go_on = threading.Event(), threading.Event()

    class Slow(MemoryStore):
        def payloads(self, table, start=0, stop=None):
            if threading.current_thread().name == "listener":
                inside.set()
                go_on.wait(60)
            return super().payloads(table, start, stop)

    table = table_of(VAULT, SEATS, store=Slow())
    play_on(table, 200)  # more than a journal remembers
    told = len(table.feed("bob"))
    found = []
    listener = threading.Thread(target=lambda: found.extend(everything(table, "bob")), name="listener")
    listener.start()
    assert inside.wait(30)
    for _ in range(6):
        table.play(table.to_act[0], Walk(to=1))
    assert len(table.feed("bob")) > told
    assert table.view("bob")[Vault].cell == 1
    go_on.set()
    listener.join(30)
    assert tuple(found[:told]) == table.feed("bob")[:told]


def test_subscriptions_are_known_to_nobody():
    """Thousands that are slow, half read, closed or forgotten: the store and the table hold not one of them."""
    store = MemoryStore()
    table = table_of(VAULT, SEATS, store=store)
    subscriptions = [table.subscribe(EVERYONE[n % 4]) for n in range(2000)] + [store.subscribe() for _ in range(2000)]
    for subscription in subscriptions[::2]:
        next(subscription)
    play_on(table, 5)
    for subscription in subscriptions[::7]:
        assert subscription.get(0) is not None
        subscription.close()
    gone = [weakref.ref(subscription) for subscription in subscriptions]
    del subscriptions, subscription
    assert not any(reference() for reference in gone)


def test_a_writer_wakes_one_thread_however_many_wait():
    store = MemoryStore()
    table = table_of(VAULT, SEATS, store=store)
    woken, notified = [], []
    notify = store._bell._watcher.notify
    store._bell._watcher.notify = lambda: (notified.append(threading.current_thread().name), notify())
    subscriptions = [table.subscribe(None, len(table.feed(None))) for _ in range(50)]
    threads = [threading.Thread(target=lambda s=s: woken.append(s.get(30))) for s in subscriptions]
    for thread in threads:
        thread.start()
    table.play("ann", Walk(to=5))
    for thread in threads:
        thread.join()
    assert [item.event.to for item in woken] == [5] * 50
    assert set(notified) <= {threading.current_thread().name}
    assert len(notified) <= 1


def test_a_consumer_that_raises_goes_on_where_it_was(table):
    """S31: it stops at what it can't digest, and meets it again; passing it over is a decision, made by position."""
    play_on(table, 12)
    told = table.feed("bob")
    poison = told[len(told) // 2].number
    done = []

    def consume(after, skip=()):
        for item in table.subscribe("bob", after, timeout=0):
            if item.number == poison and poison not in skip:
                raise ZeroDivisionError
            done.append(item)

    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            consume(done[-1].number if done else 0)
        assert tuple(done) == told[: poison - 1]
    table.play(table.to_act[0], Walk(to=1))
    consume(done[-1].number, skip={poison})
    assert tuple(done) == table.feed("bob")


def test_threads_share_a_subscription(table):
    play_on(table, 60)
    subscription = table.subscribe("ann", timeout=0)
    parts = [[] for _ in range(6)]
    threads = [threading.Thread(target=lambda part=part: part.extend(subscription)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all([item.number for item in part] == sorted(item.number for item in part) for part in parts)
    assert tuple(sorted((item for part in parts for item in part), key=lambda item: item.number)) == table.feed("ann")


def test_an_error_of_the_store_leaves_the_position():
    class Troubled(MemoryStore):
        troubles = 0

        def head(self, table):
            if self.troubles:
                raise StoreBusy(table, 5.0)
            return super().head(table)

    store = Troubled()
    table = table_of(VAULT, SEATS, store=store)
    subscription = table.subscribe("bob")
    next(subscription)
    table.play("ann", Walk(to=1))
    known = len(table.feed("bob")) - 1
    while subscription.position < known:
        next(subscription)
    store.troubles = 1
    with pytest.raises(StoreBusy):
        subscription.get()
    assert subscription.position == known
    store.troubles = 0
    assert next(subscription).number == known + 1
