"""The undo barrier: what a seat may take back alone, for every way in which a command can tell something."""

from collections.abc import Iterator
from typing import ClassVar

import msgspec
import pytest

from ludolog import Audience, Command, Event, Now, Private, Ruleset, Seat, Secret, State, told_to
from ludolog.errors import GameOver, UndoRefused
from toys.made import new_rules, ruleset_of, table_of
from toys.vault import (
    GAME,
    Draw,
    Finish,
    Guess,
    Knock,
    LayDown,
    Mark,
    Note,
    Roll,
    Say,
    Show,
    Vault,
    Walk,
    Whisper,
)

VAULT = Ruleset(GAME)
SEATS = ("ann", "bob", "cy")


def held(table, seat="ann", index=0):
    return table.position[Vault].hands[table.seats.index(seat)][index]


FREE = {
    "a public choice": lambda table: Walk(to=4),
    "a public choice with three events that follow": lambda table: Walk(to=9),
    "a card laid face down": lambda table: LayDown(card=held(table)),
    "a note to oneself": lambda table: Note(watchers=("ann",), note="mine"),
    "a whisper to oneself": lambda table: Whisper(to="ann", what="mine"),
    "a mark that nobody hears of": lambda table: Mark(what="hush"),
}
BEHIND = {
    "a draw from the deck": (lambda table: Draw(), "ann came to know"),
    "a die": (lambda table: Roll(), "drawn from chance"),
    "a card shown from a hidden hand": (lambda table: Show(card=held(table)), "another seat"),
    "an announcement that is true": (lambda table: Say(card=held(table)), "another seat"),
    "an announcement that is false": (lambda table: Say(card="card-99"), "another seat"),
    "a knock that only some hands allow": (lambda table: Knock(), "another seat"),
    "a guess that hits": (lambda table: Guess(seat="bob", card=held(table, "bob")), "ann came to know"),
    "a guess that misses": (lambda table: Guess(seat="bob", card="card-99"), "ann came to know"),
    "a note to another": (lambda table: Note(watchers=("bob",), note="yours"), "another seat"),
    "a note to all": (lambda table: Note(watchers=SEATS, note="ours"), "another seat"),
    "a whisper to another": (lambda table: Whisper(to="cy", what="yours"), "another seat"),
}


@pytest.mark.parametrize("command", FREE.values(), ids=list(FREE))
def test_what_nobody_learnt_anything_from_is_taken_back_freely(command):
    """F3: with everything that followed from it, as one."""
    table = table_of(VAULT, SEATS)
    before = table.position, [table.view(seat) for seat in (*SEATS, None)]
    table.play("ann", command(table))
    after = table.position
    table.undo("ann")
    assert (table.position, [table.view(seat) for seat in (*SEATS, None)]) == before
    table.redo("ann")
    assert table.position == after
    assert table.audit().ok


@pytest.mark.parametrize(("command", "why"), BEHIND.values(), ids=list(BEHIND))
def test_what_somebody_learnt_something_from_is_not(command, why):
    """F6: a draw, a look, a telling, an answer."""
    table = table_of(VAULT, SEATS)
    table.play("ann", command(table))
    receipt, position = table.receipt, table.position
    with pytest.raises(UndoRefused, match=why) as refused:
        table.undo("ann")
    assert refused.value.refusal.code == "behind-barrier"
    assert (table.receipt, table.position) == (receipt, position)


@pytest.mark.parametrize(("command", "_why"), BEHIND.values(), ids=list(BEHIND))
def test_beyond_the_barrier_it_takes_everyone_or_the_host(command, _why):
    """S41, F5: the log says who agreed, and what was drawn stays drawn when the command is played again."""
    for undo in (
        lambda table: table.undo("ann", consent=("bob", "cy")),
        lambda table: table.undo("bob", consent=SEATS),
        lambda table: table.undo(None),
    ):
        table = table_of(VAULT, SEATS)
        before = table.position
        asked = command(table)
        table.play("ann", asked)
        after = table.position
        undo(table)
        assert table.position == before
        table.play("ann", asked)
        assert table.position == after
        assert table.audit().ok


def test_the_log_says_who_agreed():
    table = table_of(VAULT, SEATS)
    table.play("ann", Draw())
    table.undo("ann", consent=("cy", "bob", "cy"))
    (event,) = table.journal.batch(3).events
    assert (event.by, event.consent, event.batches) == ("ann", ("bob", "cy"), (2,))
    table.play("ann", Draw())
    table.undo(None)
    (event,) = table.journal.batch(5).events
    assert (event.by, event.consent, event.batches) == ("", (), (4,))


@pytest.mark.parametrize("consent", [(), ("ann",), ("bob",), ("ann", "bob")])
def test_some_are_not_everyone(consent):
    table = table_of(VAULT, SEATS)
    table.play("ann", Draw())
    with pytest.raises(UndoRefused, match="everyone's consent"):
        table.undo("ann", consent=consent)


def test_another_seat_does_not_take_it_back():
    """F1: while it is ann's turn, and after she played."""
    table = table_of(VAULT, SEATS)
    with pytest.raises(UndoRefused, match="nothing to take back"):
        table.undo("bob")
    table.play("ann", Walk(to=1))
    for seat in ("bob", "cy"):
        with pytest.raises(UndoRefused, match=f"not {seat}'s"):
            table.undo(seat)
    table.play("bob", Walk(to=2))
    with pytest.raises(UndoRefused, match="not ann's"):
        table.undo("ann")
    assert table.length == 4


def test_the_barrier_is_the_last_batch_from_which_somebody_learnt():
    """Several own commands are taken back as far as the barrier, not past it."""
    rules = new_rules()

    @rules.state
    class Count(State, frozen=True):
        n: int = 0

    class Rose(Event, frozen=True, tag="toy/rose"):
        by: int

    class Rise(Command, frozen=True, tag="toy/rise"):
        by: int

    @rules.reducer
    def rose(count: Count, event: Rose) -> Count:
        return Count(n=count.n + event.by)

    @rules.decider
    def rise(now: Now, command: Rise) -> Iterator[Event]:
        yield Rose(by=command.by or now.chance.roll())

    table = table_of(rules)
    for by in (1, 0, 2, 3):
        table.play("ann", Rise(by=by))
    with pytest.raises(UndoRefused, match="drawn from chance"):
        table.undo("ann", to=3)
    table.undo("ann", to=4)
    assert table.position[Count].n == table.at(4)[Count].n
    with pytest.raises(UndoRefused, match="drawn from chance"):
        table.undo("ann")
    table.undo(None, to=2)
    assert table.position[Count].n == 0


def test_the_end_is_final():
    """The seed is out, so the next dice would be known."""
    table = table_of(VAULT, SEATS)
    table.play("ann", Walk(to=1))
    table.play(None, Finish())
    for undo in (
        lambda: table.undo("ann"),
        lambda: table.undo("ann", consent=SEATS),
        lambda: table.undo(None),
        lambda: table.undo(None, to=2),
        lambda: table.redo(None),
    ):
        with pytest.raises(GameOver):
            undo()
    assert table.length == 4


def told_about(table, command):
    try:
        table.play("ann", command)
        table.undo("ann")
    except UndoRefused as refused:
        return refused.code, repr(refused.refusal)
    else:
        return "taken back"


@pytest.mark.parametrize(
    "command",
    [Draw(), Roll(), Walk(to=1), Guess(seat="bob", card="card-01"), Whisper(to="bob", what="x"), Mark(what="x")],
    ids=repr,
)
def test_a_refused_undo_tells_nothing(command):
    """Worlds that differ only in what ann was not told give her the same answer, word for word."""
    answers = set()
    for turn in range(6):
        table = table_of(VAULT, SEATS)
        vault = table.position[Vault]
        rest = (*vault.hands[1], *vault.hands[2], *vault.deck)
        rest = rest[turn:] + rest[:turn]
        other = msgspec.structs.replace(vault, hands=(vault.hands[0], rest[:3], rest[3:6]), deck=rest[6:])
        table._fold.position = table.position.having(other)
        answers.add(told_about(table, command))
    assert len(answers) == 1


def test_to_whom_something_was_told_is_not_said():
    """The seat that a hidden value names must not show in ann's refusal, nor whether there was one."""

    class Holder(State, frozen=True):
        who: str | None = ""

    class Chosen(Event, frozen=True, tag="toy/chosen"):
        who: Secret[str]

    class Tipped(Event, frozen=True, tag="toy/tipped"):
        audience: ClassVar[Audience | None] = told_to("seat")
        seat: Seat

    class Nodded(Event, frozen=True, tag="toy/nodded"):
        by: Seat

    class Nod(Command, frozen=True, tag="toy/nod"):
        pass

    class Hide(Command, frozen=True, tag="toy/hide"):
        who: str

    rules = new_rules()
    rules.state(Holder)
    rules.events(Nodded, Tipped)

    @rules.reducer
    def chosen(holder: Holder, event: Chosen) -> Holder:
        return Holder(who=event.who)

    @rules.decider(by_host=True)
    def hide(now: Now, command: Hide) -> Iterator[Event]:
        yield Chosen(who=command.who)

    @rules.decider
    def nod(now: Now, command: Nod) -> Iterator[Event]:
        yield Nodded(by=now.seat)
        yield Tipped(seat=now[Holder].who)

    answers = set()
    for who in ("bob", "cy", ""):
        table = table_of(ruleset_of(rules), SEATS)
        table.play(None, Hide(who=who))
        answers.add(told_about(table, Nod()))
    assert len(answers) == 1
    assert "ann came to know something" in str(answers)


class Seen(State, frozen=True):
    roles: tuple[str | None, ...] = ()


class RolesDealt(Event, frozen=True, tag="toy/roles-dealt"):
    seat: Seat
    role: Private[str]


class TraitorNamed(Event, frozen=True, tag="toy/traitor-named"):
    traitor: Seat


class Name(Command, frozen=True, tag="toy/name"):
    pass


def test_a_seats_name_can_be_news():
    """ann knows who the traitor is, so she foretells the event; the others learn it from her."""
    rules = new_rules()
    rules.state(Seen)
    rules.events(TraitorNamed)

    @rules.reducer
    def dealt(seen: Seen, event: RolesDealt) -> Seen:
        return Seen(roles=(*seen.roles, event.role))

    @rules.setup
    def setup(now: Now) -> Iterator[Event]:
        yield RolesDealt(seat="ann", role="bob")

    @rules.decider
    def name(now: Now, command: Name) -> Iterator[Event]:
        yield TraitorNamed(traitor=now[Seen].roles[0])

    table = table_of(rules, SEATS)
    table.play("ann", Name())
    with pytest.raises(UndoRefused, match="another seat"):
        table.undo("ann")


def test_what_another_seat_happens_to_know_makes_no_difference():
    """bob was told the traitor's name before; whether he was is hidden from ann, so her answer may not hang on it."""
    answers = set()
    for told in (True, False):
        rules = new_rules()
        rules.state(Seen)
        rules.events(TraitorNamed)

        @rules.reducer
        def dealt(seen: Seen, event: RolesDealt) -> Seen:
            return Seen(roles=(*seen.roles, event.role))

        class Told(Event, frozen=True, tag="toy/told"):
            audience: ClassVar[Audience | None] = told_to("seat")
            seat: Seat
            role: str

        @rules.reducer
        def heard(seen: Seen, event: Told) -> Seen:
            return Seen(roles=(event.role, *seen.roles[1:]))

        def setup(now: Now, told=told, kind=Told) -> Iterator[Event]:
            yield RolesDealt(seat="ann", role="bob")
            if told:
                yield kind(seat="bob", role="bob")
                yield kind(seat="cy", role="bob")

        rules.setup(setup)

        @rules.decider
        def name(now: Now, command: Name) -> Iterator[Event]:
            yield TraitorNamed(traitor=now[Seen].roles[0])

        answers.add(told_about(table_of(rules, SEATS), Name()))
    assert len(answers) == 1
    assert "another seat" in str(answers)
