"""Two worlds that the Hunter can't tell apart: pairs of games that differ in the Monster's secret path alone.

Of each pair, the first game is played at random; the second has the same open commands and another path of the Monster
that fits all that was told. Everything that the Hunter's seat can obtain is compared, byte for byte: what it is told,
its view, its legal commands, every refusal, undo and redo, pictures and sentences, and the sizes of what is stored. So
is everything that a viewer without a seat can obtain. For some pairs the number of function calls is compared that
answering takes, which time follows.

Not compared: the hash in a receipt. It covers the secrets, blinded by the table's seed.

Run it from the folder ``tests``: ``python -m dark_is_the_night.two_worlds 10000``
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

import msgspec

from dark_is_the_night.games import OPTIONS, choose, ruleset
from dark_is_the_night.scenes import HUNTER, MONSTER
from ludolog import Command, Ruleset, Seat, Table, table_from
from ludolog.errors import CommandError
from ludolog_events import Event
from ludolog_plugins.dark_is_the_night import possible_spaces
from ludolog_plugins.dark_is_the_night.commands import (
    Approach,
    Attack,
    ChooseStart,
    EndTurn,
    Feint,
    Prowl,
    PutMutton,
    SetTrap,
    Shoot,
    Stab,
    TakePlace,
    Walk,
)
from ludolog_plugins.dark_is_the_night.data import DARK, DIRECTIONS, INNER
from ludolog_plugins.dark_is_the_night.deduction import count_worlds, path_at
from ludolog_plugins.dark_is_the_night.events import MonsterDrawn, PathRevealed
from ludolog_plugins.dark_is_the_night.state import Dark

START = 1_700_000_000_000_000
LONGEST = 60
MOMENTS = 2
SETTINGS = (*OPTIONS, {"turn_cap": 16}, {"countdown_length": 2}, {"countdown_unit": "round", "countdown_length": 1})

_NOWHERE = (0, 13, -1, "", "fire", "X")
PROBES: tuple[Command, ...] = (
    *(kind(to=to) for kind in (Walk, Prowl, Feint, Approach) for to in (*DARK, *INNER, *_NOWHERE)),
    *(kind(at=at) for kind in (Stab, SetTrap, PutMutton) for at in (*DARK, "S", *_NOWHERE)),
    *(kind(space=space) for kind in (ChooseStart, TakePlace) for space in (4, "N", *_NOWHERE)),
    *(Shoot(direction=way, regular=regular) for way in (*DIRECTIONS, "Up") for regular in (False, True)),
    Attack(),
    EndTurn(),
)
"""What the Hunter may try: everything of hers and of the Monster's, sense and nonsense."""


class Turn(NamedTuple):
    """A command, and whether the Monster was drawn to the mutton by it."""

    seat: Seat
    command: Command
    drawn: bool


class Pair(NamedTuple):
    """Two games, told alike so far; ``turns`` lists the commands of both."""

    rules: Ruleset
    turns: list[tuple[Turn, Turn]]
    number: int


class Figures:
    """What a campaign compared."""

    def __init__(self) -> None:
        self.pairs = self.ended = self.batches = self.apart = self.outputs = self.undone = self.measured = 0
        self.kinds: set[str] = set()

    def __str__(self) -> str:
        return (
            f"{self.pairs} pairs of games ({self.ended} played to their end), {self.batches} batches, in "
            f"{self.apart} of them the Monster on different spaces; {self.outputs} outputs compared, "
            f"{self.undone} of them of undo and redo, calls counted in {self.measured} pairs: no difference"
        )


# ---------------------------------------------------------------- making a pair


def pairs(count: int, seed: int) -> Iterator[Pair]:
    """So many pairs; games that fit one world only are passed over."""
    number = 0
    while count:
        random = Random(f"{seed}/{number}")
        number += 1
        rules = ruleset(random.choice(SETTINGS))
        table = _table(rules, number)
        turns = _played(table, random, random.randint(4, LONGEST))
        dark = table.position[Dark]
        worlds = count_worlds(dark.clues)
        if worlds < 2:
            continue
        other = dark.path
        while other == dark.path:
            other = path_at(dark.clues, random.randrange(worlds))
        count -= 1
        yield Pair(rules, list(zip(turns, _along(turns, other, rules), strict=True)), number)


def _table(rules: Ruleset, number: int) -> Table:
    return table_from(rules, (HUNTER, MONSTER), seed=number, id=f"pair-{number}", at=START)


def _played(table: Table, random: Random, length: int) -> list[Turn]:
    turns: list[Turn] = []
    while len(turns) < length and not table.over:
        seat = table.to_act[0]
        command = choose(random, table.legal(seat))
        before = table.length
        table.play(seat, command, at=START)
        (facts,) = table.journal.facts(before, before + 1)
        turns.append(Turn(seat, command, any(isinstance(event, MonsterDrawn) for event in facts.events)))
    return turns


def _along(turns: list[Turn], path: tuple[int, ...], rules: Ruleset) -> Iterator[Turn]:
    """The same commands with another path of the Monster."""
    settings = iter(path)
    halves = 1 if rules.given_options.get("feint_path") == "end-only" else 2
    for turn in turns:
        command = turn.command
        if isinstance(command, ChooseStart):
            command = ChooseStart(space=next(settings))
        elif isinstance(command, Prowl):
            command = Prowl(to=next(settings))
        elif isinstance(command, Approach):
            command = Approach(to=next(settings))
        elif isinstance(command, Feint):
            command = Feint(to=[next(settings) for _ in range(halves)][-1])
        elif turn.drawn:
            next(settings)
        yield Turn(turn.seat, command, turn.drawn)
    assert next(settings, None) is None


# ---------------------------------------------------------------- what a seat can obtain


def outputs_at_once(table: Table, viewer: Seat | None) -> Iterator[tuple[str, Any]]:
    """What is compared after every batch."""
    view = table.view(viewer)
    yield "view", msgspec.msgpack.encode([*view.slices.values()])
    yield "possible", possible_spaces(view)
    yield "to act", table.to_act
    yield "length", (table.length, repr(table), table.over)
    yield "legal", [repr(table.ruleset.legal(view, seat)) for seat in table.seats]


def outputs(table: Table, viewer: Seat | None) -> Iterator[tuple[str, Any]]:
    """All that a seat can ask for, but for trying commands."""
    view = table.view(viewer)
    rules = table.ruleset
    feed = table.feed(viewer)
    yield "feed", msgspec.msgpack.encode(feed)
    yield "sentences", [rules.tell(view, item.event) for item in feed if isinstance(item.event, Event)]
    yield "choices", [rules.tell(view, command) for command in rules.legal(view, HUNTER)]
    yield "text", [str(view), repr(view), rules.draw("text", view, possible=True)]
    yield "svg", [view.svg(), view.svg(possible=True)]
    yield "view before", msgspec.msgpack.encode([*table.view(viewer, at=table.length // 2).slices.values()])


def attempts(table: Table) -> Iterator[tuple[str, Any]]:
    """What the Hunter gets from trying."""
    yield "legal of the table", repr(table.legal(HUNTER))
    for probe in PROBES:
        yield f"check {probe}", repr(table.check(HUNTER, probe))
    for expect in (0, table.length):
        yield "conflict", _error(lambda expect=expect: table.play(HUNTER, Prowl(to=0), expect=expect, at=START))
    yield "malformed", _error(lambda: table.play(HUNTER, Walk(to=None), at=START))  # type: ignore[arg-type]


def undos(table: Table) -> Iterator[tuple[str, Any]]:
    """What comes of taking back, by either seat; everything taken back is restored."""
    for seat in (HUNTER, MONSTER):
        for to in (None, 2, table.length - 2):
            for consent in ((), (HUNTER, MONSTER)):
                said = _error(lambda: table.undo(seat, to=to, consent=consent, at=START))  # noqa: B023 - called at once
                # Why the Monster may not is for the Monster alone; that it did not is for all to see.
                yield f"undo of {seat} to {to} with {consent}", said if seat == HUNTER else bool(said)
                if not said:
                    yield "view after undo", repr(table.view(HUNTER))
                    yield "feed after undo", msgspec.msgpack.encode(table.feed(HUNTER))
                    table.redo(None, at=START)
        yield f"redo of {seat}", _error(lambda: table.redo(seat, at=START))  # noqa: B023 - called at once


def _error(act: Callable[[], object]) -> str:
    try:
        act()
    except CommandError as error:
        return f"{type(error).__name__}: {error} {error.refusal!r}"
    return ""


# ---------------------------------------------------------------- comparing


def compare(one: Iterator[tuple[str, Any]], other: Iterator[tuple[str, Any]], where: str) -> int:
    """How many outputs were compared.

    Raises:
        AssertionError: Two differ; it says which.
    """
    count = 0
    for (name, value), (other_name, other_value) in zip(one, other, strict=True):
        assert name == other_name, f"{where}: {name} here is {other_name} there"
        assert value == other_value, f"{where}: {name} differs:\n{value!r}\n{other_value!r}"
        count += 1
    return count


def check(pair: Pair, figures: Figures, *, measure: bool) -> None:
    """Play both games of a pair and compare them."""
    one, other = _table(pair.rules, pair.number), _table(pair.rules, pair.number)
    random = Random(pair.number)
    moments = {random.randrange(len(pair.turns)) for _ in range(MOMENTS)} | {len(pair.turns) - 1}
    for at, (turn, other_turn) in enumerate(pair.turns):
        where = f"pair {pair.number}, command {at}, {turn.command} and {other_turn.command}"
        one.play(turn.seat, turn.command, at=START)
        other.play(other_turn.seat, other_turn.command, at=START)
        if one.over:
            figures.outputs += compare(_after_the_end(one), _after_the_end(other), where)
            figures.ended += 1
            break
        for viewer in (HUNTER, None):
            figures.outputs += compare(outputs_at_once(one, viewer), outputs_at_once(other, viewer), where)
            if at in moments:
                figures.outputs += compare(outputs(one, viewer), outputs(other, viewer), where)
        assert one.view(None).slices == one.view(HUNTER).slices, f"{where}: a viewer sees something else"
        if at in moments:
            assert one.feed(None) == one.feed(HUNTER), f"{where}: a viewer is told something else"
            figures.outputs += compare(attempts(one), attempts(other), where)
            tried = compare(undos(one), undos(other), where)
            figures.outputs, figures.undone = figures.outputs + tried, figures.undone + tried
        figures.apart += one.position[Dark].dial != other.position[Dark].dial
    figures.outputs += compare(_sizes(one), _sizes(other), f"pair {pair.number}")
    figures.kinds |= {type(item.event).__name__ for item in one.feed(HUNTER)}
    figures.batches += len(pair.turns)
    figures.pairs += 1
    if measure:
        check_effort(pair)
        figures.measured += 1


def _after_the_end(table: Table) -> Iterator[tuple[str, Any]]:
    """All but the Monster's path, which lies open now."""
    for viewer in (HUNTER, None):
        yield "feed", [item for item in table.feed(viewer) if not isinstance(item.event, PathRevealed)]
    yield "outcome", repr(table.outcome)
    for probe in PROBES[::9]:
        yield "check", repr(table.check(HUNTER, probe))
    yield "undo", _error(lambda: table.undo(HUNTER))


def _sizes(table: Table) -> Iterator[tuple[str, Any]]:
    """How long each stored batch is."""
    yield "sizes", [len(stored.payload) for stored in table.journal.store.read(table.id)]


def check_effort(pair: Pair) -> None:
    """Compare how many calls it takes to play and to answer; the second time, since the first one fills caches."""
    for _ in range(2):
        effort = [_effort(pair.rules, [turns[world] for turns in pair.turns], pair.number) for world in (0, 1)]
    assert effort[0] == effort[1], f"pair {pair.number}: it takes {effort[0]} and {effort[1]} calls"


def _effort(rules: Ruleset, turns: list[Turn], number: int) -> list[int]:
    table = _table(rules, number)
    calls = 0
    counts: list[int] = []

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    for turn in turns:
        calls = 0
        before = sys.getprofile()
        sys.setprofile(count)
        try:
            table.play(turn.seat, turn.command, at=START)
            if not table.over:
                for probe in PROBES[::3]:
                    table.check(HUNTER, probe)
                table.legal(HUNTER)
                str(table.view(HUNTER))
                table.feed(HUNTER)
        finally:
            sys.setprofile(before)
        counts.append(calls)
    return counts


def campaign(count: int, seed: int = 0, *, measured: int = 25, every: int = 0) -> Figures:
    """Compare so many pairs; of one in ``measured`` the calls are counted.

    Raises:
        AssertionError: The Hunter can tell two worlds apart.
    """
    figures = Figures()
    for pair in pairs(count, seed):
        check(pair, figures, measure=figures.pairs % measured == 0)
        if every and figures.pairs % every == 0:
            print(figures.pairs, flush=True)
    return figures


if __name__ == "__main__":
    began = time.monotonic()
    done = campaign(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000, every=1000)
    print(f"{done} ({time.monotonic() - began:.0f} s)")
    print("Events told:", ", ".join(sorted(done.kinds)))
