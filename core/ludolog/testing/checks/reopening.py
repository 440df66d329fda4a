"""Do saving, loading, snapshots, forks and encodings change nothing?"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from ludolog.errors import CommandError
from ludolog.opening import open_table
from ludolog.store import MemoryStore
from ludolog.table import Table
from ludolog.testing.comparing import difference, position_difference
from ludolog.testing.findings import Finding
from ludolog.testing.replaying import replay
from ludolog.testing.subject import FIRST, Sample, Subject, some
from ludolog_events import Event, LudologError, check_canonical, encode, from_json, to_json

__all__ = ["reopening_changes_nothing", "values_survive_their_encoding"]

_REOPENED: Final = 24
_FORKED: Final = 8
_CONTINUED: Final = 3
_FORKS_PLAYED_ON: Final = 2
_PICKLED: Final = 3
_PLAYED_ON: Final = 120


def reopening_changes_nothing(subject: Subject) -> None:
    """At every prefix: a table opened again, from a snapshot, or forked, and a copied position, go on as before."""
    for sample in subject.samples:
        lengths = some(range(FIRST, len(sample.positions) + 1), _REOPENED)
        forked, pickled = some(lengths, _FORKED), some(lengths, _PICKLED)
        for length in lengths:
            _check_opened(sample, length, snapshot=False)
            _check_opened(sample, length, snapshot=True)
            _check_copies(sample, length, pickled=length in pickled)
            if length in forked:
                _check_fork(subject, sample, length)
        for length in some(lengths[:-1], _FORKS_PLAYED_ON):
            _play_fork_on(subject, sample, length)


def _store_of(sample: Sample, length: int) -> MemoryStore:
    """A store that holds the first ``length`` batches of a sample game and nothing else."""
    table = sample.table
    batches = list(table.journal.store.read(table.id, 0, length))
    store = MemoryStore()
    assert table.seed is not None  # noqa: S101 - a sample's store keeps its seed
    store.create(table.id, batches[:1], seed=table.seed)
    store.append(table.id, 1, batches[1:])
    return store


def _check_opened(sample: Sample, length: int, *, snapshot: bool) -> None:
    how = "opened again from a snapshot" if snapshot else "opened again"
    store = _store_of(sample, length)
    table = open_table(sample.table.id, store, ruleset=sample.table.ruleset)
    if snapshot:
        table.keep_snapshot()
        if table.loading.newest(length) is None:
            name = _unreadable(table)
            why = "the snapshot can't be read again, so a value of the position has another type than its field"
            raise Finding(why, batch=length - 1, field=name)
        table = open_table(sample.table.id, store, ruleset=sample.table.ruleset)
    _compare(sample, length, table, how)
    if not snapshot:
        _compare_views(sample, length, table, how)
    stored = list(sample.table.journal.store.payloads(table.id, length, length + _CONTINUED))
    for number, turn in enumerate(sample.turns[length - FIRST :][:_CONTINUED], start=length):
        name = type(turn.command).__name__
        try:
            table.play(turn.seat, turn.command, at=turn.at, settle=False)
        except CommandError as error:
            why = f"{how} after batch {length - 1}, the table refuses {turn.command}: {error}"
            raise Finding(why, batch=number, event=name, seat=turn.seat) from None
        (payload,) = table.journal.store.payloads(table.id, number, number + 1)
        if payload != stored[number - length]:
            events = table.journal.one(number).events
            was = sample.facts[number].events
            found = difference(events, was)
            why = f"{how} after batch {length - 1}, the table goes on in another way: {found}"
            raise Finding(why, batch=number, event=_event_at(events, found.path if found else ""), seat=turn.seat)


def _event_at(events: tuple[Event, ...], path: str) -> str:
    at = path.removeprefix("[").partition("]")[0]
    return type(events[int(at)]).__name__ if at.isdigit() and int(at) < len(events) else ""


def _unreadable(table: Table) -> str:
    """The slice that its own type doesn't read."""
    for kind, state in table.position.slices.items():
        try:
            if msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=kind) == state:
                continue
        except (msgspec.MsgspecError, TypeError):
            pass
        return kind.__name__
    return ""


def _compare(sample: Sample, length: int, table: Table, how: str) -> None:
    """Compare a table with what it was after ``length`` batches."""
    number = length - 1
    position = sample.positions[number]
    found = position_difference(table.position, position)
    if found is not None:
        msg = f"{how}, the table holds {found}"
        raise Finding(msg, batch=number, field=found.path)
    if table.to_act != table.ruleset.to_act(position):
        msg = f"{how}, {table.to_act} may act"
        raise Finding(msg, batch=number, field="to_act")
    for seat in table.seats:
        if table.legal(seat) != sample.listed[number][seat]:
            msg = f"{how}, other commands are legal"
            raise Finding(msg, batch=number, field="legal", seat=seat)


def _compare_views(sample: Sample, length: int, table: Table, how: str) -> None:
    """Compare what everyone knows and was told."""
    number = length - 1
    for viewer in sample.viewers:
        found = position_difference(table.view(viewer), sample.views[viewer][number])
        if found is not None:
            msg = f"{how}, the view holds {found}"
            raise Finding(msg, batch=number, field=found.path, seat=viewer)
        # A fork's feed goes on with the fork's own opening.
        feed = table.feed(viewer)[: -1 if table.parent is not None else None]
        feeds = difference(feed, sample.feeds[viewer][number])
        if feeds is not None:
            msg = f"{how}, the feed holds {feeds}"
            raise Finding(msg, batch=number, field=f"feed{feeds.path}", seat=viewer)


def _check_fork(subject: Subject, sample: Sample, length: int) -> None:
    origin = open_table(sample.table.id, _store_of(sample, len(sample.positions)), ruleset=subject.ruleset)
    fork = origin.fork(length, id="fork", seed=length)
    _compare(sample, length, fork, "forked")
    _compare_views(sample, length, fork, "forked")
    for number, turn in enumerate(sample.turns[length - FIRST :][:_CONTINUED], start=length):
        batch = sample.table.journal.batch(number)
        try:
            fork.play(turn.seat, turn.command, at=turn.at, settle=False)
        except CommandError as error:
            why = f"forked after batch {length - 1}, the table refuses {turn.command}: {error}"
            raise Finding(why, batch=number, event=type(turn.command).__name__, seat=turn.seat) from None
        again = fork.journal.batch(fork.length - 1)
        if batch.draws or again.draws or fork.over:
            return
        found = difference(again.events, batch.events)
        if found is not None:
            why = f"forked after batch {length - 1}, the table goes on in another way: {found}"
            raise Finding(why, batch=number, event=_event_at(again.events, found.path), seat=turn.seat)


def _play_fork_on(subject: Subject, sample: Sample, length: int) -> None:
    """A fork is a table like any other: it can be played on, and its audit says yes."""
    fork = open_table(sample.table.id, _store_of(sample, length), ruleset=subject.ruleset).fork(id="fork", seed=length)
    chance = subject.chance(f"fork {length}")
    at = sample.moment(length - 1)
    for _ in range(min(subject.settings.bound, _PLAYED_ON)):
        at = subject.next_moment(fork, chance, at)
        turn = next(subject.turns_at(fork, chance, at), None)
        if turn is None:
            break
        try:
            fork.play(turn[0], turn[1], at=at, settle=False)
        except LudologError as error:
            why = f"forked after batch {length - 1}, {turn[1]} is listed and gives {error}"
            raise Finding(why, batch=length, event=type(turn[1]).__name__, seat=turn[0]) from error
    report = fork.audit([fork.receipt])
    if not report.ok:
        msg = f"forked after batch {length - 1} and played on, {report}"
        raise Finding(msg, batch=length)


def _check_copies(sample: Sample, length: int, *, pickled: bool) -> None:
    position = sample.positions[length - 1]
    copies: list[tuple[str, Any]] = [("copied", copy.copy(position)), ("copied deeply", copy.deepcopy(position))]
    if pickled:
        try:
            copies.append(("pickled", pickle.loads(pickle.dumps(position))))  # noqa: S301 - its own bytes
        except (pickle.PicklingError, AttributeError, TypeError):
            # Rules made inside a function can't be named to pickle; those of an installed game can.
            if sample.table.ruleset.game.rules.__qualname__ == sample.table.ruleset.game.rules.__name__:
                raise
    for how, copied in copies:
        found = position_difference(copied, position)
        if found is not None:
            msg = f"{how}, the position holds {found}"
            raise Finding(msg, batch=length - 1, field=found.path)
        ruleset = copied.ruleset
        if any(ruleset.legal(copied, seat) != listed for seat, listed in sample.listed[length - 1].items()):
            msg = f"{how}, the position lists other commands"
            raise Finding(msg, batch=length - 1, field="legal")


def values_survive_their_encoding(subject: Subject) -> None:
    """Events, commands and slices are read from their bytes as they were, and have one encoding each."""
    for sample in subject.samples:
        table = sample.table
        for step, stored in zip(replay(sample), table.journal.store.read(table.id), strict=False):
            batch = table.journal.batch(step.number)
            for event, read in zip(step.events, batch.events, strict=False):
                _check_same(step.number, type(event).__name__, event, read)
                _check_round_trips(step.number, event)
            check_canonical(stored.payload, batch=step.number)
            if encode(batch) != stored.payload:
                why = "the batch is written in another way once it has been read"
                raise Finding(why, batch=step.number, event=step.name)
            if from_json(to_json(stored.payload)) != stored.payload:
                msg = "the batch's line of JSON gives other bytes"
                raise Finding(msg, batch=step.number, event=step.name)
            _check_command(subject, step.number, batch.command)
        for number, position in enumerate(sample.positions):
            for kind, state in position.slices.items():
                for name, again in _round_trips(state, kind):
                    found = difference(state, again, kind.__name__)
                    if found is not None:
                        why = f"after {name} the slice holds {found.other!r}, and it was {found.one!r}"
                        raise Finding(why, batch=number, field=found.path)


def _check_same(number: int, name: str, event: Event, read: Event) -> None:
    found = difference(event, read)
    if found is not None:
        why = f"the rules gave {found.one!r}, and {found.other!r} is read from the log"
        raise Finding(why, batch=number, event=name, field=f"{name}.{found.path}")


def _check_round_trips(number: int, event: Event) -> None:
    name = type(event).__name__
    for how, again in _round_trips(event, type(event)):
        found = difference(event, again)
        if found is not None:
            why = f"after {how} it holds {found.other!r}, and it was {found.one!r}"
            raise Finding(why, batch=number, event=name, field=f"{name}.{found.path}")


def _round_trips(value: msgspec.Struct, kind: type) -> Iterator[tuple[str, Any]]:
    for how, module in (("msgpack", msgspec.msgpack), ("JSON", msgspec.json)):
        try:
            again: object = module.decode(module.encode(value), type=kind)
        except (msgspec.MsgspecError, TypeError, ValueError, OverflowError) as error:
            again = error
        yield how, again


def _check_command(subject: Subject, number: int, command: msgspec.Struct) -> None:
    kind = type(command)
    if subject.ruleset.decider_of(kind) is None:  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
        return
    read = subject.ruleset.read_command(msgspec.json.encode(command))
    found = difference(command, read)
    if found is not None:
        why = f"the command was {found.one!r}, and reads as {found.other!r}"
        raise Finding(why, batch=number, event=kind.__name__, field=f"{kind.__name__}.{found.path}")
