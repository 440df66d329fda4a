"""Views and feeds: a seat knows what it was told, and nothing else reaches it on any way."""

import json
import random
from collections.abc import Iterator
from typing import ClassVar

import msgspec
import pytest

from ludolog import (
    Audience,
    Command,
    Event,
    MemoryStore,
    Now,
    Retracted,
    Ruleset,
    Seat,
    State,
    open_table,
    told_to,
)
from ludolog.errors import CommandError
from ludolog.frame import GameEnded, SeedRevealed
from ludolog.position import Position
from toys import walk
from toys.forging import chained, changed, payloads_of, store_of
from toys.made import new_rules, ruleset_of, table_of
from toys.vault import (
    CARDS,
    GAME,
    Draw,
    Finish,
    LayDown,
    Mark,
    Marked,
    Note,
    Notes,
    Show,
    Vault,
    Walk,
    Whisper,
    Whispered,
)

VAULT = Ruleset(GAME)
SEATS = ("ann", "bob", "cy")
EVERYONE = (*SEATS, None)


def played(steps=30, seed=7, **more):
    table = table_of(VAULT, SEATS, seed=seed, **more)
    chance = random.Random(seed)
    for _ in range(steps):
        seat = table.to_act[0]
        table.play(seat, chance.choice(table.legal(seat)))
    return table


def received(table, seat) -> str:
    """Everything that a seat can get hold of, as text."""
    parts = [table.view(seat).slices, table.feed(seat), str(table.view(seat)), table.to_act]
    parts += [table.view(seat, at=length).slices for length in range(1, table.length)]
    if seat is not None:
        parts += [table.legal(seat), *(table.check(seat, Walk(to=to)) for to in (1, 99))]
        for call in (lambda: table.undo(seat), lambda: table.redo(seat), lambda: table.play(seat, Show(card="x"))):
            try:
                parts.append(call().length)  # its hash is blinded, and no two tables share one
            except CommandError as error:
                parts.append((error.refusal, str(error)))
    return repr(parts)


def test_no_foreign_secret_reaches_a_seat():
    """F4, F8, F9: hands, deck, notes, whispers and marks, in views, feeds, refusals, undo and pictures."""
    table = table_of(VAULT, SEATS)
    table.play("ann", Note(watchers=("ann", "cy"), note="marker-note"))
    table.play("bob", Whisper(to="bob", what="marker-whisper"))
    table.play("cy", Mark(what="marker-mark"))
    table.play("ann", Draw())
    table.play("bob", LayDown(card=table.position[Vault].hands[1][0]))
    table.undo(None)
    table.redo(None)
    for again in (table, open_table("t", table.journal.store, ruleset=VAULT)):
        vault = again.position[Vault]
        for place, seat in enumerate(SEATS):
            text = received(again, seat)
            own = {*vault.hands[place], *vault.downs[place]}
            assert {card for card in CARDS if card in text} == own
            assert ("marker-note" in text) == (seat in {"ann", "cy"})
            assert ("marker-whisper" in text) == (seat == "bob")
            assert "marker-mark" not in text
        assert not any(word in received(again, None) for word in (*CARDS, "marker-"))


def test_what_was_shown_is_seen_by_all():
    """F8: a public reveal still shows the card."""
    table = table_of(VAULT, SEATS)
    card = table.position[Vault].hands[0][1]
    table.play("ann", Show(card=card))
    for seat in EVERYONE:
        assert table.view(seat)[Vault].shown == (card,)
        assert card in repr(table.feed(seat)[-1])


def test_sizes_stay_true():
    table = played()
    vault = table.position[Vault]
    for place, seat in enumerate(EVERYONE):
        seen = table.view(seat)[Vault]
        assert [len(hand) for hand in seen.hands] == [len(hand) for hand in vault.hands]
        assert len(seen.deck) == len(vault.deck)
        for other, hand in enumerate(seen.hands):
            assert hand == (vault.hands[other] if other == place else (None,) * len(hand))
        assert set(seen.deck) <= {None}


def test_a_view_says_whose_it_is():
    table = played(3)
    for seat in EVERYONE:
        assert (table.view(seat).viewer, table.view(seat).is_view) == (seat, True)
    assert table.position.is_view is False
    assert repr(table.view("ann")) == "<Position of vault, seen by ann>"
    assert repr(table.view(None)) == "<Position of vault, seen by a viewer>"


def test_an_event_of_which_a_seat_does_not_hear_is_not_in_its_feed():
    table = table_of(VAULT, SEATS)
    lengths = {seat: len(table.feed(seat)) for seat in EVERYONE}
    table.play("ann", Whisper(to="bob", what="w"))
    table.play("bob", Mark(what="m"))
    grown = {seat: len(table.feed(seat)) - lengths[seat] for seat in EVERYONE}
    assert grown == {"ann": 2, "bob": 3, "cy": 2, None: 2}
    assert [item.number for item in table.feed("bob")] == list(range(1, lengths["bob"] + 4))
    told = {seat: {type(item.event) for item in table.feed(seat)} for seat in EVERYONE}
    assert Whispered in told["bob"]
    assert all(Marked not in kinds for kinds in told.values())
    assert table.view("bob")[Notes].told == ("w",)
    assert table.view("ann")[Notes].told == ()


def test_an_undo_of_what_a_seat_did_not_hear_of_is_not_told_to_it():
    """Else the undo would tell that there was something."""
    rules = new_rules()

    class Heard(State, frozen=True):
        words: tuple[str, ...] = ()

    class Hush(Command, frozen=True, tag="toy/hush"):
        pass

    class Hushed(Event, frozen=True, tag="toy/hushed"):
        audience: ClassVar[Audience | None] = told_to("seat")
        seat: Seat

    rules.state(Heard)

    @rules.reducer
    def hushed(heard: Heard, event: Hushed) -> Heard:
        return Heard(words=(*heard.words, event.seat))

    @rules.decider
    def hush(now: Now, command: Hush) -> Iterator[Event]:
        yield Hushed(seat=now.seat)

    table = table_of(rules, SEATS)
    lengths = {seat: len(table.feed(seat)) for seat in EVERYONE}
    table.play("ann", Hush())
    table.undo("ann")
    table.redo("ann")
    table.undo(None)
    assert {seat: len(table.feed(seat)) - lengths[seat] for seat in EVERYONE} == {"ann": 4, "bob": 0, "cy": 0, None: 0}
    table.play("ann", Hush())
    table.undo("bob", consent=SEATS)
    assert table.feed("bob")[-1].event == Retracted(by="bob")


def test_a_feed_can_be_asked_for_from_a_number_on():
    table = played()
    feed = table.feed("bob")
    for after in (0, 1, 5, len(feed) - 1, len(feed), len(feed) + 9):
        assert table.feed("bob", after=after) == feed[after:]
    assert table.feed("bob", after=-3) == feed
    assert table.feed("bob", 2)[0].number == 3


def test_what_is_new_in_a_feed_costs_no_more_in_a_long_log():
    """Counted in batches read, for a client that asks again and again."""

    class Counting(MemoryStore):
        reads = 0

        def payloads(self, table, start=0, stop=None):
            for payload in super().payloads(table, start, stop):
                self.reads += 1
                yield payload

    store = Counting()
    table = table_of(walk.ruleset(), ("ann",), store=store)
    for _ in range(600):
        table.play("ann", walk.STEPS[0])
    seen = len(table.feed("ann"))
    store.reads = 0
    for _ in range(300):
        table.play("ann", walk.STEPS[0])
        (item,) = table.feed("ann", after=seen)
        seen = item.number
    assert store.reads == 0
    table.undo(None, to=100)
    (retracted,) = table.feed("ann", after=seen)
    assert len(retracted.event.numbers) == 802
    assert store.reads <= 100


def test_a_feed_only_grows():
    table = table_of(VAULT, SEATS)
    chance = random.Random(2)
    feeds = dict.fromkeys(EVERYONE, ())
    for _ in range(60):
        seat = table.to_act[0]
        if chance.random() < 0.3:
            try:
                table.undo(chance.choice(EVERYONE))
            except CommandError:
                continue
        else:
            table.play(seat, chance.choice(table.legal(seat)))
        for viewer in EVERYONE:
            feed = table.feed(viewer)
            assert feed[: len(feeds[viewer])] == feeds[viewer]
            feeds[viewer] = feed


def test_views_are_folded_from_the_feed_alone():
    """The one idea: whoever holds the feed, and nothing else of the table, knows what the seat knows."""
    table = played()
    for seat in EVERYONE:
        position = Position(VAULT, VAULT.start().slices, seat, is_view=True)
        facts = [item.event for item in table.feed(seat)]
        assert VAULT.fold(position, facts) == table.view(seat)


def test_legal_commands_by_the_view_are_those_by_the_position():
    table = table_of(VAULT, SEATS)
    chance = random.Random(6)
    for _ in range(30):
        for seat in SEATS:
            assert VAULT.legal(table.view(seat), seat) == table.legal(seat)
        for viewer in EVERYONE:
            assert VAULT.to_act(table.view(viewer)) == table.to_act
        table.play(table.to_act[0], chance.choice(table.legal(table.to_act[0])))


def encoded(table, seat) -> bytes:
    view = table.view(seat)
    return msgspec.msgpack.encode([view.slices[kind] for kind in VAULT.state_types]) + msgspec.json.encode(
        [[item.number, item.event] for item in table.feed(seat)[1:]]
    )


def other_world(table):
    """The same table, dealt otherwise to everyone but ann."""
    vault = table.position[Vault]
    rest = (*vault.hands[1], *vault.hands[2], *vault.deck)
    rest = rest[5:] + rest[:5]

    def deal(events):
        begun, anns, bobs, cys, deck = events
        return (begun, anns, {**bobs, "cards": rest[:3]}, {**cys, "cards": rest[3:6]}, {**deck, "deck": rest[6:]})

    first, second = payloads_of(table)
    store = store_of("t", chained([first, changed(second, events=deal)]), table.seed)
    return open_table("t", store, ruleset=VAULT)


@pytest.mark.parametrize("seed", range(3))
def test_two_worlds_that_a_seat_can_not_tell_apart_look_the_same(seed):
    """F12: and two that it can tell apart do not."""
    table = table_of(VAULT, SEATS, seed=seed)
    other = other_world(table)
    for step in (Walk(to=3), None):
        assert other.position != table.position
        assert encoded(other, "ann") == encoded(table, "ann")
        assert received(other, "ann") == received(table, "ann")
        assert encoded(other, "bob") != encoded(table, "bob")
        if step is not None:
            for found in (table, other):
                found.play("ann", step, at=0)


def test_histories_that_a_seat_can_tell_apart_have_other_views():
    """F12."""
    seen = set()
    for to in range(10):
        table = table_of(VAULT, SEATS)
        table.play("ann", Walk(to=to), at=0)
        seen.add(encoded(table, "bob"))
    assert len(seen) == 10


def test_the_end_tells_the_outcome_and_the_seed_to_all():
    table = played(5)
    table.play(None, Finish())
    for seat in EVERYONE:
        *_, ended, revealed = (item.event for item in table.feed(seat))
        assert isinstance(ended, GameEnded)
        assert isinstance(revealed, SeedRevealed)
        assert table.view(seat).outcome == table.outcome


def test_at_a_reload_the_same_choices_are_offered():
    """F26: at every batch of a game in which all choose at once."""
    from toys.high_card import ludolog_game  # noqa: PLC0415

    ruleset = Ruleset(ludolog_game())
    store = MemoryStore()
    table = table_of(ruleset, SEATS, store=store)
    chance = random.Random(3)
    while not table.over:
        again = open_table("t", store, ruleset=ruleset)
        assert again.to_act == table.to_act
        for seat in SEATS:
            assert again.legal(seat) == table.legal(seat)
            assert again.view(seat) == table.view(seat)
            assert again.feed(seat) == table.feed(seat)
        seat = chance.choice(again.to_act)
        again.play(seat, chance.choice(again.legal(seat)))
        table = again
    assert table.audit().ok


def test_a_seat_that_may_not_act_and_one_that_has_nothing_to_do():
    """F15: a round in which one seat can act, and one in which none can, never wait for a seat that isn't there."""
    rules = new_rules()
    rules.to_act(lambda position: position.seats[1:2])
    table = table_of(ruleset_of(rules))
    assert table.to_act == ("bob",)
    rules.to_act(lambda position: ())
    table = table_of(ruleset_of(rules))
    assert table.to_act == ()
    assert table.legal("ann") == ()
    assert json.loads(msgspec.json.encode(table.to_act)) == []
