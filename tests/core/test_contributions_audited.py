"""What an audit sees of an exchange of contributions; bots, pictures, words and random walks through it."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec
import pytest

from ludolog import (
    Chance,
    Command,
    Event,
    Frame,
    LudologError,
    MemoryStore,
    Now,
    Table,
    open_table,
)
from ludolog.chance import contribution_commitment, stream_key
from ludolog.frame import (
    LATER,
    Begin,
    CloseCommitments,
    CloseContributions,
    Commit,
    CommitmentsClosed,
    Committed,
    Contribute,
    Contributed,
    ContributionsAsked,
    ContributionsClosed,
    Decline,
)
from ludolog.store import Head, Stored
from ludolog_events import encode, head_of, tag_of
from toys.bag import (
    NAMES,
    WORDS,
    Bag,
    Roll,
    Shut,
    asked,
    bag,
    commit,
    facts,
    reopened,
    settled,
    stages,
    tell,
    the,
)
from toys.made import new_rules, table_of

# ---------------------------------------------------------------- what an audit sees


def forged(table: Table, change) -> Table:
    """The table's log as a host would rebuild it that knows the seed: ``change`` turns its batches into others."""
    batches = change(list(table.journal.batches()))
    store, previous, stored = MemoryStore(), table.journal.batch(0).previous, []
    from ludolog.chance import Blinder  # noqa: PLC0415

    blinder = Blinder(table.seed, table.id)
    for number, batch in enumerate(batches):
        payload = encode(msgspec.structs.replace(batch, number=number, previous=previous, blind=blinder.blind(number)))
        previous = head_of(payload)
        stored.append(Stored(number, payload, previous, batch.command_id))
    store.create(table.id, stored, seed=table.seed)
    assert store.head(table.id) == Head(len(stored), previous)
    return open_table(table.id, store, ruleset=bag())


def with_event(number: int, at: int, event: Event):
    def change(batches):
        events = batches[number].events
        batches[number] = msgspec.structs.replace(batches[number], events=(*events[:at], event, *events[at + 1 :]))
        return batches

    return change


def with_batch(number: int, **fields):
    def change(batches):
        batches[number] = msgspec.structs.replace(batches[number], **fields)
        return batches

    return change


def without(*numbers: int):
    return lambda batches: [batch for batch in batches if batch.number not in numbers]


def in_order(*numbers: int):
    return lambda batches: [batches[number] for number in numbers]


LOADED = (("ann", "loaded"), ("bob", WORDS["bob"]), ("cy", WORDS["cy"]))
REVERSED = tuple((seat, WORDS[seat]) for seat in reversed(NAMES[:3]))

FORGERIES = {
    "as it was": (lambda batches: batches, None),
    "another promise": (with_event(0, 1, ContributionsAsked(promise="0" * 64)), 0),
    "not asked": (lambda batches: with_batch(0, events=batches[0].events[:1])(batches), 1),
    "another commitment recorded than sent": (with_event(1, 0, Committed(seat="ann", commitment="0" * 64)), 1),
    "a commitment that fits something else": (
        with_batch(1, command=Commit(commitment="0" * 64), events=(Committed(seat="ann", commitment="0" * 64),)),
        4,
    ),
    "a commitment for another seat": (with_event(1, 0, Committed(seat="bob", commitment="0" * 64)), 1),
    "a seat left out that had committed": (with_event(3, 1, CommitmentsClosed(left_out=("ann",))), 3),
    "commitments closed too early": (
        lambda batches: with_batch(2, events=(*batches[2].events, CommitmentsClosed(left_out=("cy",))))(batches),
        2,
    ),
    "told before all had committed": (in_order(0, 1, 2, 4, 3, 5, 6, 7), 3),
    "another contribution told": (with_batch(4, command=Contribute(contribution="loaded")), 4),
    "another contribution recorded": (with_event(4, 0, Contributed(seat="ann", contribution="loaded")), 4),
    "another contribution counted": (with_event(6, 1, ContributionsClosed(contributions=LOADED, withheld=())), 6),
    "not in seat order": (with_event(6, 1, ContributionsClosed(contributions=REVERSED, withheld=())), 6),
    "one left away": (
        with_event(6, 1, ContributionsClosed(contributions=tuple((s, WORDS[s]) for s in NAMES[:2]), withheld=("cy",))),
        6,
    ),
    "begun before it was settled": (in_order(0, 1, 2, 3, 4, 5, 7, 6), 6),
    "begun twice": (in_order(0, 1, 2, 3, 4, 5, 6, 7, 7), 8),
    "never begun": (in_order(0, 1, 2, 3, 4, 5, 6, 8), 7),
    "begun by a seat": (with_batch(7, seat="ann"), 7),
    "other draws": (with_batch(7, draws="6:0 5:0 4:0 3:0 2:0"), 7),
}


@pytest.mark.parametrize(("change", "batch"), FORGERIES.values(), ids=FORGERIES)
def test_a_host_that_rebuilds_the_log_is_found_out_by_deciding_it_again(change, batch):
    """F41: each departure from the protocol is named by its batch; the untouched log, rebuilt alike, passes."""
    table = settled(asked())
    table.play("ann", Roll())
    other = forged(table, change)
    answers = other.audit().answers
    assert (answers[2].verdict, answers[2].batch) == (("yes", None) if batch is None else ("no", batch))
    if batch is not None:
        receipts = [answer.verdict for answer in other.audit([table.receipt]).answers]
        assert receipts[0] == "no"


def begun_at(table: Table, number: int):
    """A beginning after so many batches, with just the dice that the seed and the texts told by then give."""
    position = table.at(number)
    chance = Chance(stream_key(table.seed, position[Frame].contributions.given), number, recorded=True)
    begun = table.ruleset.begin(position, chance)

    def change(batches):
        batch = msgspec.structs.replace(
            batches[0], command=Begin(), events=begun.recorded(table.seed), draws=begun.draws, time=0
        )
        return [*batches[:number], batch, *batches[number + 1 :]]

    return change


@pytest.mark.parametrize("number", range(1, 9))
def test_the_game_begins_when_the_dice_are_settled_and_then_only(number):
    """F41: dice that do follow from the seed, but from none or some of the texts, or from a second set-up."""
    table = settled(asked())
    table.play("ann", Roll())
    answer = forged(table, begun_at(table, number)).audit().answers[2]
    assert (answer.verdict, answer.batch) == (("yes", None) if number == 7 else ("no", number))
    if number != 7:
        assert "begins in the middle of a log" in answer.why


def test_a_table_that_does_not_ask_begins_in_its_second_batch_alone():
    table = table_of(bag())
    table.play("ann", Roll())
    answer = forged(table, begun_at(table, 2)).audit().answers[2]
    assert (answer.verdict, answer.batch) == ("no", 2)


def test_a_log_that_asks_and_has_contributions_already_is_not_by_the_rules():
    table = table_of(bag(), NAMES[:3], contributions={"ann": "x"})

    def change(batches):
        return with_batch(0, events=(table.opened, ContributionsAsked(promise=table.opened.commitment)))(batches)

    answer = forged(table, change).audit().answers[2]
    assert (answer.verdict, answer.batch) == ("no", 0)


def test_what_a_host_can_do_without_being_found_out():
    """It can leave out a seat that did commit, by claiming silence: the log is by the rules, and names the seat."""
    honest = settled(asked())
    left_out = asked()
    for seat in ("ann", "bob"):
        commit(left_out, seat)
    left_out.play(None, CloseCommitments())
    for seat in ("ann", "bob"):
        tell(left_out, seat)
    assert left_out.audit().ok
    assert the(left_out, CommitmentsClosed).left_out == ("cy",)
    assert left_out.position[Bag] != honest.position[Bag]


# ---------------------------------------------------------------- bots, pictures, words, time, random walks


def test_a_bot_that_takes_what_is_listed_declines():
    table = asked()
    while not table.position[Frame].begun:
        seat = table.to_act[-1]
        (command,) = table.ruleset.legal(table.view(seat), seat)
        assert table.check(seat, command) is None
        table.play(seat, command)
    assert the(table, CommitmentsClosed).left_out == table.seats
    assert table.legal("ann") == (Roll(),)


def test_before_the_beginning_pictures_tell_who_is_waited_for():
    """The game's own picture would look for what set-up lays out."""
    told = []
    for table in stages(2):
        told.append(str(table.view("bob")))
        assert table.position.svg().startswith("<svg")
        assert table.position._repr_svg_() is not None
    assert told == [
        "The game has not begun. It waits for ann and bob.",
        "The game has not begun. ann committed to a contribution to the dice. It waits for bob.",
        "The game has not begun. It waits for ann and bob.",
        "The game has not begun. ann told what they contribute to the dice. It waits for bob.",
        f"{table.position[Bag].order[0]} first",
    ]
    with_mark = asked(("<b>&", "bob"))
    assert "&lt;b&gt;&amp;" in with_mark.position.svg()


def test_each_event_and_each_command_is_a_sentence():
    table = asked(NAMES[:4])
    for seat in ("ann", "bob"):
        commit(table, seat)
    table.play("cy", Decline())
    table.play(None, CloseCommitments())
    tell(table, "ann")
    table.play(None, CloseContributions())
    view = table.view("ann")
    own = [event for event in facts(table) if tag_of(type(event)) in LATER]
    assert [table.ruleset.tell(view, event) for event in own] == [
        "Each seat is asked to contribute to the dice.",
        "ann committed to a contribution.",
        "bob committed to a contribution.",
        "cy declined to contribute.",
        "Contributions to the dice are told now. Left out, having committed to none: cy and dot.",
        f"ann contributed {WORDS['ann']!r}.",
        "The dice come from the seed and what ann contributed. Withheld, in spite of a commitment: bob.",
    ]
    commands = {type(batch.command): batch.command for batch in table.journal.batches()}
    told = {table.ruleset.tell(view, command) for kind, command in commands.items() if tag_of(kind) in LATER}
    assert len(told) == 5
    assert all(sentence.endswith(".") for sentence in told)


def test_time_does_not_pass_before_the_beginning():
    """What falls due by the clock belongs to the game, which would look for what set-up lays out."""
    rules = new_rules()

    @rules.decider(by_host=True)
    def shut(now: Now, command: Shut) -> Iterator[Event]:
        yield now.end("late")

    rules.due(lambda position, at: Shut() if at >= 10 else None)
    table = table_of(rules, contributions="asked")
    assert table.due(10) is None
    table.tick(at=10)
    assert table.length == 1
    table.play("ann", Decline(), at=10)
    table.play("bob", Decline(), at=9)
    assert table.position[Frame].begun
    assert not table.over
    table.tick(at=10)
    assert table.over


@pytest.mark.parametrize("seed", range(40))
def test_random_walks(seed):
    """F42: whatever is tried in whatever order, what is refused changes nothing, and the log gives the position."""
    choose = random.Random(seed)
    seats = NAMES[: choose.randint(1, 5)]
    table = asked(seats)
    words = {seat: [WORDS[seat], "guess", "x" * 201] for seat in seats}

    def any_command() -> tuple[str | None, Command]:
        seat = choose.choice(seats)
        word = choose.choice(words[seat])
        promise = choose.choice([table.opened.commitment] * 4 + ["0" * 64])
        often = (
            (seat, Commit(commitment=contribution_commitment(promise, seat, word))),
            (seat, Commit(commitment="nonsense")),
            (seat, Contribute(contribution=word)),
            (seat, Roll()),
            (seat, CloseCommitments()),
        )
        seldom = ((seat, Decline()), (None, CloseCommitments()), (None, CloseContributions()))
        return choose.choice(often if choose.random() < 0.9 else seldom)

    accepted = 0
    for _ in range(120):
        seat, command = any_command()
        length, position = table.length, table.position
        refusal = table.check(seat, command)
        if refusal is None:
            table.play(seat, command)
            accepted += 1
            assert table.length > length
        else:
            with pytest.raises(LudologError):
                table.play(seat, command)
            assert (table.length, table.position) == (length, position)
        state = table.position[Frame].contributions
        assert {name for name, _ in state.given} <= {name for name, _ in state.commitments}
        assert table.position[Frame].begun == (state.phase == "closed")
        assert table.position[Frame].begun or bool(table.to_act)
    assert accepted
    assert reopened(table).position == table.position
    assert table.audit([table.receipt]).ok
