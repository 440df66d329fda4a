"""Rules that misbehave: the command is refused before anything is appended, and the error names rules and event."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from ludolog import Command, Event, Now, Private, Rules, Seat, State, refuse
from ludolog.deciding import MAX_EVENTS
from ludolog.errors import IllegalCommand, InvalidType, LudologError, OwnedTwice, PluginFailed, RulesFault
from ludolog.frame import GameBegun, SeedRevealed, Undone
from toys.made import closed, new_rules, ruleset_of, table_of, variant_of


class Count(State, frozen=True):
    n: int = 0
    names: tuple[str, ...] = ()


class Rose(Event, frozen=True, tag="toy/rose"):
    by: int
    name: str = ""


class Hid(Event, frozen=True, tag="toy/hid"):
    seat: Seat
    card: Private[str]


class Foreign(Event, frozen=True, tag="other/foreign"):
    pass


class Do(Command, frozen=True, tag="toy/do"):
    what: int = 0


def rose(count: Count, event: Rose) -> Count:
    return msgspec.structs.replace(count, n=count.n + event.by, names=(*count.names, event.name))


def rules_with(decide: Callable[[Now, Do], Any], **more: Any) -> Rules:
    rules = new_rules(**more)
    rules.state(Count)
    rules.reducer(rose)
    rules.events(Hid)

    def deciding(now: Now, command: Do) -> Any:
        return decide(now, command)

    rules.decider(deciding)
    return rules


def fails(rules: Rules, *told: str, error: type[LudologError] = RulesFault) -> LudologError:
    """Playing raises ``error``, says all of ``told``, and leaves log and position as they were; so does asking."""
    table = table_of(rules)
    before = table.receipt, table.position
    with pytest.raises(error) as found:
        table.play("ann", Do())
    for words in told:
        assert words in str(found.value)
    assert (table.receipt, table.position) == before
    assert table.audit([before[0]]).ok
    return found.value


def half(now: Now, command: Do) -> Iterator[Event]:
    yield Rose(by=1)
    yield Rose(by=now[Count].n)
    raise KeyError("card-13")  # noqa: EM101


def test_a_decider_that_raises_halfway():
    error = fails(rules_with(half), "decider deciding of toy", "KeyError", "after Rose", "nothing was recorded")
    assert isinstance(error.__cause__, KeyError)


def test_what_it_raised_is_told_to_its_author_alone():
    """S31, F4: the text of an exception may hold a hidden card; the message that an app passes on doesn't."""
    assert "card-13" not in str(fails(rules_with(half)))


def test_a_decider_that_is_no_generator_and_raises():
    fails(rules_with(lambda now, command: 1 // 0), "decider deciding of toy", "ZeroDivisionError")


def test_a_decider_that_returns_nothing():
    fails(rules_with(lambda now, command: None), "decider deciding of toy", "TypeError")


def test_a_decider_that_refuses_halfway_drops_the_batch_whole():
    def deciding(now: Now, command: Do) -> Iterator[Event]:
        yield Rose(by=1)
        refuse("too-high", "That is too high.", "T-1", n=now[Count].n)

    error = fails(rules_with(deciding), "That is too high. (T-1)", error=IllegalCommand)
    assert error.refusal.facts == {"n": 1}


def test_a_reducer_that_raises():
    """S31: the poison event never enters the log."""
    rules = rules_with(lambda now, command: [Rose(by=1), Hid(seat="ann", card="x")])

    @rules.reducer
    def hid(count: Count, event: Hid) -> Count:
        raise ValueError(event.card)

    error = fails(rules, "reducer hid of toy", "ValueError", "given Hid")
    assert isinstance(error.__cause__, ValueError)


def test_a_reducer_that_refuses():
    rules = rules_with(lambda now, command: [Hid(seat="ann", card="x")])

    @rules.reducer
    def hid(count: Count, event: Hid) -> Count:
        refuse("no", "A reducer never refuses.")

    fails(rules, "reducer hid of toy", "IllegalCommand", "given Hid")


def test_a_reducer_that_forgets_to_return():
    rules = rules_with(lambda now, command: [Hid(seat="ann", card="x")])

    @rules.reducer
    def hid(count: Count, event: Hid) -> Count:
        rose(count, Rose(by=1))

    fails(rules, "reducer hid of toy", "given Hid, returns NoneType")


def test_a_reaction_that_raises():
    """S29: the error names the variant, not the game that it reacts to."""
    variant = Rules("toy/loud")

    @variant.reaction
    def shout(now: Now, event: Rose) -> Iterator[Event]:
        raise RuntimeError
        yield

    table = table_of(ruleset_of(rules_with(lambda now, command: [Rose(by=1)]), variant_of(variant)))
    where = r"reaction shout of toy/loud raised RuntimeError at test_misbehaving_rules\.py:\d+, after Rose"
    with pytest.raises(RulesFault, match=where):
        table.play("ann", Do())
    assert table.length == 2


def test_reactions_without_end():
    rules = rules_with(lambda now, command: [Rose(by=1)])

    @rules.reaction
    def again(now: Now, event: Rose) -> Iterator[Event]:
        yield Rose(by=1)

    fails(rules, "reaction again of toy", "after Rose")


def test_a_decider_without_end():
    def deciding(now: Now, command: Do) -> Iterator[Event]:
        while True:
            yield Rose(by=1)

    fails(rules_with(deciding), "decider deciding of toy", f"Rose after {MAX_EVENTS} others")


def test_events_after_the_end():
    """F21: one end event, and nothing after it."""

    def deciding(now: Now, command: Do) -> Iterator[Event]:
        yield now.end("closed")
        yield Rose(by=1)

    fails(rules_with(deciding), "decider deciding of toy yields Rose after the end")


def test_two_ends():
    def deciding(now: Now, command: Do) -> Iterator[Event]:
        yield now.end("closed")
        yield now.end("closed again")

    fails(rules_with(deciding), "yields GameEnded after the end")


def test_a_reaction_after_the_end():
    rules = rules_with(lambda now, command: [Rose(by=1), now.end("closed")])

    @rules.reaction
    def end_too(now: Now, event: Rose) -> Iterator[Event]:
        yield now.end("closed")

    fails(rules, "decider deciding of toy yields GameEnded after the end")


def test_scoring_that_raises():
    rules = rules_with(lambda now, command: (now.end("closed") for _ in range(1)))
    rules.scoring(lambda position, reason: 1 // 0)
    fails(rules, "decider deciding of toy", "ZeroDivisionError")


@pytest.mark.parametrize(
    "event", [Foreign(), None, [Rose(by=1)], SeedRevealed(seed="00"), Undone(batches=(1,), by=""), GameBegun()]
)
def test_an_event_that_the_rules_may_not_yield(event):
    """The library's own events keep the table; a game that could yield them could undo the set-up."""
    name = type(event).__name__
    fails(rules_with(lambda now, command: [Rose(by=1), event]), "decider deciding of toy", name, "no event that rules")


@pytest.mark.parametrize(
    ("event", "where"),
    [
        (Rose(by="one"), "Rose"),
        (Rose(by=1.0), "Rose"),
        (Rose(by=True), "Rose"),
        (Rose(by=None), "Rose"),
        (Rose(by=2**64), "Rose"),
        (Rose(by=-(2**63) - 1), "Rose"),
        (Rose(by=0, name="\ud800"), "Rose"),
        (Rose(by=0, name=b"x"), "Rose"),
        (Rose(by=0, name=["x"]), "Rose"),
        (Rose(by=0, name=object()), "Rose"),
        (Hid(seat="ann", card=("x",)), "Hid"),
        (Hid(seat=("ann",), card="x"), "Hid"),
    ],
)
def test_an_event_whose_field_is_not_what_it_declares(event, where):
    """F31: what can't be read back by value is refused before it is stored, and the message names the event."""
    rules = new_rules()
    rules.events(Rose, Hid)

    @rules.decider
    def deciding(now: Now, command: Do) -> Iterator[Event]:
        yield event

    fails(rules, "toy", where)


def test_a_list_in_place_of_a_tuple():
    """It would be stored as a tuple, so the live position and the fold of the log would differ."""

    class Listed(Event, frozen=True, tag="toy/listed"):
        items: tuple[int, ...]

    rules = rules_with(lambda now, command: [Listed(items=[1, 2])])
    rules.events(Listed)
    fails(rules, "toy", "Listed")


def test_a_set_up_that_misbehaves_stores_nothing():
    from ludolog import MemoryStore  # noqa: PLC0415

    def raising(now: Now) -> Iterator[Event]:
        yield Rose(by=1)
        raise KeyError

    def wrong(now: Now) -> Iterator[Event]:
        yield Rose(by="one")

    def endless(now: Now) -> Iterator[Event]:
        yield now.end("at once")
        yield Rose(by=1)

    for setup, told in ((raising, "setup raising of toy"), (wrong, "Rose"), (endless, "Rose after the end")):
        rules = rules_with(lambda now, command: [])
        rules.setup(setup)
        store = MemoryStore()
        with pytest.raises(RulesFault, match=told):
            table_of(rules, store=store)
        assert store.tables() == ()


def test_a_game_that_ends_in_its_set_up_reveals_its_seed():
    """F15: nobody has anything to do, so the game is over and audited, not waiting for ever."""
    rules = rules_with(lambda now, command: [])
    rules.setup(lambda now: iter((now.end("nothing to do"),)))
    table = table_of(rules)
    assert table.over
    assert table.to_act == ()
    assert table.audit().ok
    assert isinstance(table.feed(None)[-1].event, SeedRevealed)


@pytest.mark.parametrize("name", ["to_act", "legal", "waiting", "due", "text", "svg"])
def test_what_is_asked_of_a_position_fails_within_the_tree(name):
    """F4: an app that catches the library's errors catches these, and none tells the card that was looked for."""

    def failing(*_: object) -> None:
        raise KeyError("card-13")  # noqa: EM101

    rules = new_rules()
    rules.state(Count)
    rules.reducer(rose)
    rules.decider(half)
    rules.to_act(failing if name == "to_act" else lambda position: position.seats[:1])
    if name in {"legal", "waiting", "due"}:
        getattr(rules, name)(failing)
    elif name in {"text", "svg"}:
        rules.picture(name)(failing)

    asks = {
        "to_act": lambda table: table.to_act,
        "legal": lambda table: table.legal("ann"),
        "waiting": lambda table: table.check("bob", Do()),
        "due": lambda table: table.due(),
        "text": lambda table: str(table.view("ann")),
        "svg": lambda table: table.view("ann").svg(),
    }
    table = table_of(ruleset_of(rules), ("ann", "bob"))
    with pytest.raises(RulesFault, match=r"of toy raised KeyError at test_misbehaving_rules.py:\d+\.") as found:
        asks[name](table)
    assert "card-13" not in str(found.value)
    assert isinstance(found.value.__cause__, KeyError)


def test_who_may_act_is_asked_of_the_position_at_hand():
    """F15: a decider that asks halfway, and then changes who may act, is answered anew each time."""
    rules = new_rules()
    rules.state(Count)
    rules.reducer(rose)
    rules.to_act(lambda position: position.seats[position[Count].n : position[Count].n + 1])
    asked = []

    @rules.decider
    def deciding(now: Now, command: Do) -> Iterator[Event]:
        for _ in range(2):
            yield Rose(by=1)
            asked.append(now.position.ruleset.to_act(now.position))

    table = table_of(rules, ("ann", "bob", "cy"))
    table.play("ann", Do())
    assert asked == [("bob",), ("cy",)]
    assert table.to_act == ("cy",)


def test_rules_that_can_not_be_loaded():
    from ludolog import Ruleset  # noqa: PLC0415
    from toys.made import game_of  # noqa: PLC0415

    def failing() -> Rules:
        raise ImportError

    game = msgspec.structs.replace(game_of(new_rules()), rules=failing)
    with pytest.raises(PluginFailed, match="rules of 'toy' can't be loaded: ImportError"):
        Ruleset(game)
    other = msgspec.structs.replace(game_of(new_rules()), rules=lambda: Rules("other"))
    with pytest.raises(OwnedTwice, match="'toy' leads to the rules of 'other'"):
        Ruleset(other)


def test_a_game_must_say_who_acts_and_who_wins():
    with pytest.raises(InvalidType, match="must declare to_act and scoring"):
        ruleset_of(Rules("toy"))


@pytest.mark.parametrize("name", ["to_act", "waiting", "scoring", "value", "due"])
def test_what_is_the_games_alone_is_refused_in_a_variant(name):
    """It would be ignored without a word."""
    variant = Rules("toy/bold")
    getattr(variant, name)(closed)
    with pytest.raises(InvalidType, match=f"toy/bold declares {name}"):
        ruleset_of(new_rules(), variant_of(variant))


def test_a_reaction_to_an_event_that_nobody_declares():
    variant = Rules("toy/bold")

    @variant.reaction
    def wait(now: Now, event: Foreign) -> Iterator[Event]:
        yield event

    with pytest.raises(InvalidType, match=r"reaction wait of toy/bold waits for Foreign"):
        ruleset_of(new_rules(), variant_of(variant))
