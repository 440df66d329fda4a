"""Bad input: one error of the library's tree, a sentence that says what and where, nothing written, nothing lost."""

import datetime as dt
from collections.abc import Iterator

import msgspec
import pytest

import ludolog
from ludolog import Command, Event, MemoryStore, Now, Rules, Ruleset, new_table, open_table
from ludolog.errors import (
    BadOptions,
    BadSeats,
    CommandError,
    CommandIdReused,
    GameOver,
    IllegalCommand,
    LudologError,
    MalformedCommand,
    NotAStore,
    NotYourTurn,
    TableExists,
    UnknownGame,
    UnknownSeat,
    UnknownTable,
    UnknownVariant,
    VersionConflict,
)
from ludolog.frame import Begin, Open, Redo, Undo
from toys import walk
from toys.made import catalogue_of, game_of, new_rules, ruleset_of, table_of, variant_of
from toys.vault import GAME, Draw, Finish, LayDown, Note, Roll, Walk

VAULT = Ruleset(GAME)
NAIVE = dt.datetime(2024, 3, 31, 2, 30)  # noqa: DTZ001 - that is the fault
SEATS = ("ann", "bob", "cy")
HERE = catalogue_of(GAME, walk.GAME, game_of(new_rules()), variant_of(Rules("toy/bold")))


class Looking(MemoryStore):
    """Notes every write."""

    def __init__(self):
        super().__init__()
        self.writes = 0

    def create(self, *given, **more):
        super().create(*given, **more)
        self.writes += 1

    def append(self, *given, **more):
        super().append(*given, **more)
        self.writes += 1


def refused(error, told, **changes):
    """Opening a table fails with this error, and writes nothing."""
    store = Looking()
    given = {"game": "toy", "seats": ("a", "b"), "source": HERE, "store": store, **changes}
    with pytest.raises(error) as found:
        new_table(**given)
    assert isinstance(found.value, LudologError)
    assert told in str(found.value)
    assert store.writes == 0
    assert store.tables() == ()


# ---------------------------------------------------------------- opening


@pytest.mark.parametrize("game", ["go", "", None, 7, "toy/bold", "TOY", ("toy",)])
def test_an_unknown_game(game):
    refused(UnknownGame, f"{game!r}; the games here are toy, vault, walk", game=game)


@pytest.mark.parametrize("variants", [("shy",), ("toy/shy",), ("vault/bold",), ("",), (7,), "shy"])
def test_an_unknown_variant(variants):
    refused(UnknownVariant, "its variants here are bold", variants=variants)


def test_a_variant_of_another_game():
    refused(UnknownVariant, "'vault' has no variant 'toy/bold'", game="vault", variants=("toy/bold",))


@pytest.mark.parametrize("options", [{"track": 1}, {"": 1}, {None: 1}, "track", [("track", 1)]])
def test_an_unknown_option(options):
    refused(BadOptions, "no option" if isinstance(options, dict) else "Options are names and values", options=options)


@pytest.mark.parametrize(
    ("seats", "told"),
    [
        ((), "toy is played by 1, 2, 3, 4 seats, not by 0"),
        (("a", "b", "c", "d", "e"), "not by 5"),
        (("a", "a"), "Two seats are named 'a'"),
        (("a", ""), "can't be named ''"),
        (("a", " "), "can't be named ' '"),
        (("a", "b\n"), "can't be named"),
        (("a", "\ud800"), "can't be named"),
        (("a", "\x00"), "can't be named"),
        (("a", None), "can't be named None"),
        (("a", 7), "can't be named 7"),
        (("a", "x" * 65), "a name has 1 to 64 printable characters"),
        ("ab", "Seats must be a tuple of names, not 'ab'"),
        (None, "Seats must be a tuple of names, not None"),
        (7, "Seats must be a tuple of names, not 7"),
        ({"a", "b"}, "Seats must be a tuple of names"),
        ((name for name in "ab"), "Seats must be a tuple of names"),
    ],
)
def test_seats_that_can_not_sit_down(seats, told):
    refused(BadSeats, told, seats=seats)


def test_any_printable_name_may_sit_down():
    table = new_table("toy", ["Ann Ö.", "小明", "🙂", "x" * 64], source=HERE)
    assert table.seats == ("Ann Ö.", "小明", "🙂", "x" * 64)
    assert table.view("🙂").viewer == "🙂"


@pytest.mark.parametrize("name", ["", " a", "a ", "a\nb", "\ud800", "x" * 201, 7, b"a", ("a",)])
def test_an_id_that_can_not_be(name):
    refused(BadOptions, "A table can't have the id", id=name)


@pytest.mark.parametrize("at", ["now", 1.5, True, NAIVE, dt.timedelta(1), 2**63, -(2**63), (1,), b"1"])
def test_a_time_that_is_none(at):
    """S33: whole microseconds; naive datetimes, zones and folds never come in."""
    refused(MalformedCommand, "A time is a whole number of microseconds", at=at)
    table = table_of(VAULT, SEATS)
    for call in (
        lambda: table.play("ann", Walk(to=1), at=at),
        lambda: table.undo("ann", at=at),
        lambda: table.redo("ann", at=at),
        lambda: table.tick(at=at),
    ):
        with pytest.raises(MalformedCommand, match="A time is a whole number"):
            call()
    assert table.check("ann", Walk(to=1), at=at).code == "malformed-time"
    assert table.length == 2


def test_time_is_information_only():
    """S35: a clock that steps back changes neither order nor outcome."""
    table, other = table_of(VAULT, SEATS), table_of(VAULT, SEATS)
    for number, at in enumerate((10**15, 5, -(10**15), 0)):
        table.play(SEATS[number % 3], Roll(), at=at)
        other.play(SEATS[number % 3], Roll(), at=number)
    assert table.position == other.position
    assert [batch.time for batch in table.journal.batches(2)] == [10**15, 5, -(10**15), 0]
    assert table.audit().ok


def test_an_id_that_is_taken():
    store = MemoryStore()
    table = table_of(VAULT, SEATS, store=store)
    with pytest.raises(TableExists, match="'t'"):
        table_of(VAULT, SEATS, store=store)
    assert open_table("t", store, ruleset=VAULT).position == table.position


def test_an_unknown_table():
    for store in (MemoryStore(), table_of(VAULT, SEATS).journal.store):
        for name in ("nowhere", "", "T"):
            with pytest.raises(UnknownTable, match=f"no table {name!r}"):
                open_table(name, store, ruleset=VAULT)


def test_a_store_of_no_kind():
    with pytest.raises(NotAStore, match="No installed plugin has a store for 'tape'"):
        ludolog.open_store("tape://x")
    with pytest.raises(NotAStore):
        new_table("toy", ("a", "b"), source=HERE, store="tape://x")


# ---------------------------------------------------------------- commands


class Elsewhere(Command, frozen=True, tag="vault/walk"):
    to: int
    extra: int = 1


class OfNobody(Command, frozen=True, tag="other/go"):
    pass


COMMANDS = [
    (walk.Step(by=1), "Step is no command of vault"),
    (OfNobody(), "OfNobody is no command of vault"),
    (Elsewhere(to=1), "Elsewhere is no command of vault"),
    (Open(), "Open is no command of vault"),
    (Begin(), "Begin is no command of vault"),
    (Undo(to=2), "Undo is no command of vault"),
    (Redo(), "Redo is no command of vault"),
    (None, "NoneType is no command of vault"),
    ("walk", "str is no command of vault"),
    ({"type": "vault/walk", "to": 1}, "dict is no command of vault"),
    (Walk, "is no command of vault"),
    (Walk(to="1"), "Walk is malformed"),
    (Walk(to=1.0), "Walk is malformed"),
    (Walk(to=True), "Walk is malformed"),
    (Walk(to=None), "Walk is malformed"),
    (Walk(to=2**64), "Walk is malformed"),
    (Walk(to=[1]), "Walk is malformed"),
    (Walk(to=object()), "Walk is malformed"),
    (LayDown(card=7), "LayDown is malformed"),
    (LayDown(card="\ud800"), "LayDown is malformed"),
    (Note(watchers="ann", note="x"), "Note is malformed"),
    (Note(watchers=("ann", 7), note="x"), "Note is malformed"),
]


@pytest.mark.parametrize(("command", "told"), COMMANDS)
def test_a_command_that_is_none_of_this_game(command, told):
    """F32: whatever is altered or foreign is refused before the rules see it."""
    table = table_of(VAULT, SEATS)
    before = table.receipt, table.position
    with pytest.raises(MalformedCommand) as error:
        table.play("ann", command)
    assert told in str(error.value)
    assert error.value.refusal.code == "malformed-command"
    assert table.check("ann", command) == error.value.refusal
    assert (table.receipt, table.position) == before


@pytest.mark.parametrize(
    "text",
    [
        "",
        "walk",
        "[]",
        "{}",
        '{"type": "vault/walk"}',
        '{"type": "vault/walk", "to": "1"}',
        '{"type": "vault/walk", "to": 1.5}',
        '{"type": "vault/walk", "to": 1, "card": "card-01"}',
        '{"type": "walk/step", "by": 1}',
        '{"type": "vault/drew", "seat": "ann", "place": 0, "card": null}',
        '{"to": 1}',
        '{"type": 7, "to": 1}',
        '{"type": "vault/lay-down", "card": "\\ud800"}',
        '{"type": "vault/walk", "to": ' + "[" * 100_000 + "]" * 100_000 + "}",
        b'{"type": "vault/lay-down", "card": "\xff"}',
        '{"type": "vault/walk", "to": 1} {}',
    ],
)
def test_a_command_from_text_that_is_none(text):
    """F32: unknown and altered fields, other games, events in place of commands, hostile text."""
    with pytest.raises(MalformedCommand, match="This is no command of vault"):
        VAULT.read_command(text)


def test_a_number_that_no_log_can_hold():
    with pytest.raises(MalformedCommand, match="Walk is malformed"):
        VAULT.read_command('{"type": "vault/walk", "to": 99999999999999999999999}')
    with pytest.raises(MalformedCommand, match="Undo is no command of vault"):
        VAULT.read_command('{"type": "ludolog/undo", "to": 2}')


def test_a_command_from_text():
    assert VAULT.read_command('{"type": "vault/walk", "to": 4}') == Walk(to=4)
    assert VAULT.read_command(b'{"to": 4, "type": "vault/walk"}') == Walk(to=4)


def test_a_list_in_a_command_becomes_a_tuple():
    """What was sent as JSON and what was made in Python are one command, in the log and for retries."""
    table = table_of(VAULT, SEATS)
    table.play("ann", Note(watchers=["ann"], note="x"), command_id="c")
    assert table.journal.batch(2).command == Note(watchers=("ann",), note="x")
    assert table.play("ann", Note(watchers=("ann",), note="x"), command_id="c").repeated


@pytest.mark.parametrize("seat", ["dot", "", "Ann", " ann", 7, ("ann",), b"ann"])
def test_a_seat_that_nobody_has(seat):
    """F32: on every way in."""
    table = table_of(VAULT, SEATS)
    for call in (
        lambda: table.play(seat, Walk(to=1)),
        lambda: table.check(seat, Walk(to=1)),
        lambda: table.legal(seat),
        lambda: table.view(seat),
        lambda: table.view(seat, at=1),
        lambda: table.feed(seat),
        lambda: table.undo(seat),
        lambda: table.undo("ann", consent=(seat,)),
        lambda: table.redo(seat),
    ):
        with pytest.raises(UnknownSeat) as error:
            call()
        assert str(error.value) == f"Nobody named {seat!r} sits at this table; the seats are ann, bob, cy."
    assert table.length == 2


def test_the_wrong_seat():
    table = table_of(VAULT, SEATS)
    for seat in ("bob", "cy"):
        with pytest.raises(NotYourTurn, match=f"It is the turn of ann, not of {seat}") as error:
            table.play(seat, Walk(to=1))
        assert error.value.refusal.facts == {"to_act": ("ann",)}
        assert table.legal(seat) == ()
    assert table.length == 2


def test_the_host_and_the_seats_have_commands_of_their_own():
    table = table_of(VAULT, SEATS)
    with pytest.raises(NotYourTurn, match="Only the table's host"):
        table.play("ann", Finish())
    with pytest.raises(NotYourTurn, match="A seat gives this command, not the table's host"):
        table.play(None, Walk(to=1))
    assert table.check(None, Walk(to=1)).code == "seat-only"
    assert table.length == 2


def test_an_illegal_command_says_why():
    table = table_of(VAULT, SEATS)
    with pytest.raises(IllegalCommand) as error:
        table.play("ann", Walk(to=10))
    refusal = error.value.refusal
    assert (refusal.code, refusal.clause, refusal.facts) == ("no-such-cell", "VA-3", {"cell": 10})
    assert str(error.value) == "There is no cell 10. (VA-3)"
    assert table.check("ann", Walk(to=10)) == refusal
    assert table.check("ann", Walk(to=9)) is None
    assert error.value.code == "illegal-command"
    assert isinstance(error.value, CommandError)


def test_after_the_end_everyone_is_refused_for_the_same_reason():
    """F21: no legal command, one end, one result, one answer to everything."""
    table = table_of(VAULT, SEATS)
    table.play(None, Finish())
    assert table.to_act == ()
    refusals = set()
    for seat, command in [(seat, command) for seat in SEATS for command in (Walk(to=1), Draw(), Finish())] + [
        (None, Finish()),
        (None, Walk(to=1)),
    ]:
        assert seat is None or table.legal(seat) == ()
        with pytest.raises(GameOver) as error:
            table.play(seat, command)
        refusals.add(msgspec.json.encode(error.value.refusal))
        assert table.check(seat, command) == error.value.refusal
    assert len(refusals) == 1
    ends = [event for facts in table.journal.facts(0, table.length) for event in facts.events]
    assert [type(event).__name__ for event in ends].count("GameEnded") == 1


# ---------------------------------------------------------------- expectations and retries


def test_a_stale_expectation():
    """F25, S4: a typed refusal with both lengths; what was missed is in the feed."""
    table = table_of(VAULT, SEATS)
    table.play("ann", Walk(to=1), expect=2)
    for expected in (2, 4, 0, -1, "3", 10**9):
        with pytest.raises(VersionConflict) as error:
            table.play("bob", Walk(to=1), expect=expected)
        assert (error.value.expected, error.value.actual) == (expected, 3)
        assert error.value.refusal.facts == {"expected": expected, "actual": 3}
    for call in (lambda: table.undo("ann", expect=2), lambda: table.redo("ann", expect=2)):
        with pytest.raises(VersionConflict):
            call()
    table.play("bob", Walk(to=1), expect=3)
    assert table.length == 4


def test_the_same_command_twice_is_one():
    """F25, S1: at once, late, and after a restart; the first receipt, marked as repeated."""
    store = MemoryStore()
    table = table_of(VAULT, SEATS, store=store)
    first = table.play("ann", Draw(), command_id="c-1")
    assert not first.repeated
    table.play("bob", Walk(to=1), command_id="c-2")
    table.undo(None)
    for again in (table, open_table("t", store, ruleset=VAULT)):
        receipt = again.play("ann", Draw(), command_id="c-1", expect=0, at=99)
        assert receipt == msgspec.structs.replace(first, repeated=True)
        assert again.length == 5


def test_another_command_under_the_same_id():
    table = table_of(VAULT, SEATS)
    table.play("ann", Walk(to=1), command_id="c")
    for seat, command in (("ann", Walk(to=2)), ("bob", Walk(to=1)), ("ann", Draw()), (None, Finish())):
        with pytest.raises(CommandIdReused, match=r"'c' was recorded already, for another command \(batch 2"):
            table.play(seat, command, command_id="c")
    with pytest.raises(CommandIdReused):
        table.undo("ann", command_id="c")
    assert table.length == 3


def test_undo_and_redo_are_retried_like_any_command():
    table = table_of(VAULT, SEATS)
    table.play("ann", Walk(to=1))
    undone = table.undo("ann", command_id="u")
    assert table.undo("ann", command_id="u") == msgspec.structs.replace(undone, repeated=True)
    redone = table.redo("ann", command_id="r")
    assert table.redo("ann", command_id="r") == msgspec.structs.replace(redone, repeated=True)
    with pytest.raises(CommandIdReused):
        table.undo("ann", to=2, command_id="u")
    with pytest.raises(CommandIdReused):
        table.redo("ann", command_id="u")
    assert table.length == 5


def test_a_refused_command_does_not_use_up_its_id():
    table = table_of(VAULT, SEATS)
    with pytest.raises(IllegalCommand):
        table.play("ann", Walk(to=10), command_id="c")
    assert not table.play("ann", Walk(to=1), command_id="c").repeated


@pytest.mark.parametrize("command_id", ["", 7, b"c", "\ud800", "a\x00", "x" * 201, ("c",), ["c"], 1.0, True])
def test_a_command_id_that_is_none(command_id):
    table = table_of(VAULT, SEATS)
    for call in (
        lambda: table.play("ann", Walk(to=1), command_id=command_id),
        lambda: table.undo("ann", command_id=command_id),
        lambda: table.redo("ann", command_id=command_id),
    ):
        with pytest.raises(MalformedCommand, match="A command id has 1 to 200 printable characters"):
            call()
    assert table.length == 2


@pytest.mark.parametrize("to", ["2", 2.0, True, (2,), b"2", 2**70, -(2**70)])
def test_a_number_to_undo_from_that_is_none(to):
    table = table_of(VAULT, SEATS)
    table.play("ann", Walk(to=1))
    for seat in ("ann", None):
        with pytest.raises(MalformedCommand, match="no batch"):
            table.undo(seat, to=to)
    assert table.length == 3


# ---------------------------------------------------------------- simultaneous commands


class Bid(Command, frozen=True, tag="toy/bid"):
    n: int


class DidBid(Event, frozen=True, tag="toy/did-bid"):
    seat: str
    n: int


def bidding() -> Ruleset:
    rules = new_rules()

    class Bids(ludolog.State, frozen=True):
        bids: tuple[tuple[str, int], ...] = ()

    rules.state(Bids)
    rules.to_act(lambda position: [seat for seat in position.seats if seat not in dict(position[Bids].bids)])

    @rules.reducer
    def did_bid(bids: Bids, event: DidBid) -> Bids:
        return Bids(bids=tuple(sorted((*bids.bids, (event.seat, event.n)))))

    @rules.decider
    def bid(now: Now, command: Bid) -> Iterator[Event]:
        yield DidBid(seat=now.seat, n=command.n)
        if len(now[Bids].bids) == len(now.seats):
            yield now.end("all bid")

    return ruleset_of(rules)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (0, 2, 1)])
def test_all_act_at_once_in_any_order(order):
    """F24: each submission is taken once, the position is the same, and a second one is refused."""
    table = table_of(bidding(), SEATS)
    assert table.to_act == SEATS
    for place in order:
        seat = SEATS[place]
        table.play(seat, Bid(n=place), command_id=seat)
        assert table.play(seat, Bid(n=place), command_id=seat).repeated
        with pytest.raises((NotYourTurn, GameOver)):
            table.play(seat, Bid(n=9))
        assert seat not in table.to_act
    assert table.over
    (bids,) = [state for kind, state in table.position.slices.items() if kind.__name__ == "Bids"]
    assert bids.bids == (("ann", 0), ("bob", 1), ("cy", 2))


def test_all_act_at_once_from_one_length():
    """F24: with the same expected length, one is first and the others are told to look again."""
    table = table_of(bidding(), SEATS)
    table.play("bob", Bid(n=1), expect=2)
    for seat in ("ann", "cy"):
        with pytest.raises(VersionConflict):
            table.play(seat, Bid(n=1), expect=2)
        table.play(seat, Bid(n=1), expect=table.length)
    assert table.over
