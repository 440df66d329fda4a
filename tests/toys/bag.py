"""A bag of six stones for 1 to 8 seats, drawn from in set-up; and its tables, whose seats are asked to contribute."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache

import msgspec
import pytest

from ludolog import (
    Command,
    Event,
    IllegalCommand,
    Now,
    Ruleset,
    State,
    Table,
    open_table,
)
from ludolog.chance import contribution_commitment
from ludolog.errors import (
    NotYourTurn,
)
from ludolog.frame import (
    Commit,
    Contribute,
)
from toys.made import game_of, new_rules, table_of

NAMES = ("ann", "bob", "cy", "dot", "eve", "fay", "gus", "hal")
WORDS = {seat: f"{seat}'s word {hashlib.sha256(seat.encode()).hexdigest()[:32]}" for seat in NAMES}


class Bag(State, frozen=True):
    order: tuple[int, ...] = ()
    rolls: tuple[int, ...] = ()


class Shuffled(Event, frozen=True, tag="toy/shuffled"):
    order: tuple[int, ...]


class Rolled(Event, frozen=True, tag="toy/rolled"):
    die: int


class Roll(Command, frozen=True, tag="toy/roll"):
    pass


class Cheat(Command, frozen=True, tag="toy/cheat"):
    """Of rules that try to settle the dice."""


class Shut(Command, frozen=True, tag="toy/shut"):
    """The host's; ends the game."""


@cache
def bag() -> Ruleset:
    """A game of 1 to 8 seats that draws in its set-up and whenever somebody rolls."""
    rules = new_rules()
    rules.state(Bag)

    @rules.reducer
    def shuffled(state: Bag, event: Shuffled) -> Bag:
        return msgspec.structs.replace(state, order=event.order)

    @rules.reducer
    def rolled(state: Bag, event: Rolled) -> Bag:
        return msgspec.structs.replace(state, rolls=(*state.rolls, event.die))

    @rules.setup
    def setup(now: Now) -> Iterator[Event]:
        yield Shuffled(order=now.chance.shuffle(range(6)))

    @rules.decider
    def roll(now: Now, command: Roll) -> Iterator[Event]:
        yield Rolled(die=now.chance.roll())

    @rules.decider(by_host=True)
    def shut(now: Now, command: Shut) -> Iterator[Event]:
        yield now.end("shut")

    rules.legal(lambda position, seat: (Roll(),))
    rules.picture("text")(lambda position: f"{position[Bag].order[0]} first")
    rules.picture("svg")(lambda position: f"<svg>{position[Bag].order[0]}</svg>")
    return Ruleset(game_of(rules, range(1, 9)))


def asked(seats: Sequence[str] = NAMES[:3], **more: object) -> Table:
    return table_of(bag(), seats, **{"contributions": "asked", **more})


def reopened(table: Table) -> Table:
    return open_table(table.id, table.journal.store, ruleset=bag())


def commit(table: Table, seat: str, word: str = "", **more: object):
    text = word or WORDS[seat]
    commitment = contribution_commitment(table.opened.commitment, seat, text)
    return table.play(seat, Commit(commitment=commitment), at=0, **more)


def tell(table: Table, seat: str, word: str = "", **more: object):
    return table.play(seat, Contribute(contribution=word or WORDS[seat]), at=0, **more)


def settled(table: Table) -> Table:
    """Let every seat commit, and tell."""
    for step in (commit, tell):
        for seat in table.seats:
            step(table, seat)
    return table


def facts(table: Table) -> list[Event]:
    return [event for batch in table.journal.batches() for event in batch.events]


def the(table: Table, kind: type[Event]):
    (found,) = [event for event in facts(table) if type(event) is kind]
    return found


def refused(table: Table, seat: str | None, command: Command) -> str:
    """The code with which a command is refused; check and play agree, and nothing changes."""
    before = list(table.journal.store.payloads(table.id))
    refusal = table.check(seat, command)
    assert refusal is not None
    with pytest.raises((IllegalCommand, NotYourTurn)) as error:
        table.play(seat, command)
    assert error.value.refusal == refusal
    assert refusal.sentence.endswith(".")
    assert list(table.journal.store.payloads(table.id)) == before
    return refusal.code


def stages(count: int = 3) -> Iterator[Table]:
    """A table after each command of the exchange, up to the beginning."""
    table = asked(NAMES[:count])
    yield table
    for step in (commit, tell):
        for seat in table.seats:
            step(table, seat)
            yield table
