"""Logs as a forger leaves them: batches damaged, moved, left out, rewritten and chained anew.

Each forgery takes a sound log and another of the same game, and gives what a store would hold afterwards. It leaves
its traces where a forger of its kind would: who only damages bytes leaves the store's own columns as they were, who
rebuilds the chain makes them fit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from ludolog.frame import Redo, Undo
from ludolog.opening import open_table, table_from
from ludolog.store import MemoryStore, Stored
from ludolog.testing.damage import cut_head, cut_middle, cut_tail, deleted, doubled, flipped, inserted, swapped
from ludolog.testing.specimens import Specimen, play_on
from ludolog_events import GENESIS, Batch, head_of

__all__ = [
    "LOG_FORGERIES",
    "NEED_SEED",
    "SAME_EFFECT",
    "Forged",
    "Forgery",
    "altered",
    "chained",
    "changed",
    "fields_of",
    "row_of",
]


class Forged(NamedTuple):
    """What a store holds after a forgery."""

    table: str
    rows: Sequence[Stored]
    seed: bytes
    snapshots: Sequence[tuple[int, bytes]]

    def store(self) -> MemoryStore:
        """A store that holds it, its batches numbered by where they stand."""
        store = MemoryStore()
        seen: set[str] = set()
        rows: list[Stored] = []
        for number, row in enumerate(self.rows):
            # No store keeps two batches under one command id.
            command_id = None if row.command_id in seen else row.command_id
            rows.append(row._replace(number=number, command_id=command_id))
            if command_id is not None:
                seen.add(command_id)
        store.create(self.table, rows, seed=self.seed)
        for number, payload in self.snapshots:
            store.keep_snapshot(self.table, number, payload)
        return store


Forgery: TypeAlias = Callable[[Random, Specimen, Specimen], Forged]
"""(draws, a log, another log of the same game) -> what was made of the first."""


# ------------------------------------------------------------ batches


def fields_of(payload: bytes) -> dict[str, Any]:
    """The fields of a batch as plain data, whatever its format says."""
    return dict(zip(Batch.__struct_fields__, msgspec.msgpack.decode(payload), strict=True))


def changed(payload: bytes, **fields: Any) -> bytes:  # noqa: ANN401 - plain values of any kind
    """A batch with other values in some fields."""
    return msgspec.msgpack.encode([*(fields_of(payload) | fields).values()])


def row_of(payload: bytes) -> Stored:
    """A batch with the columns that fit it."""
    return Stored(0, payload, head_of(payload), fields_of(payload)["command_id"])


def chained(rows: Sequence[Stored], start: int = 0) -> list[Stored]:
    """The batches from ``start`` on numbered and chained as if nothing had happened, with columns that fit."""
    done = list(rows[:start])
    previous = done[-1].head if done else GENESIS
    for number, row in enumerate(rows[start:], start):
        done.append(row_of(changed(row.payload, number=number, previous=previous)))
        previous = done[-1].head
    return done


Leaf: TypeAlias = tuple[Any, Any]
"""The dict or list that holds a value, and its key there."""


def leaves_of(plain: Any) -> list[Leaf]:  # noqa: ANN401 - plain values of any kind
    """Places of all values in plain data, except the types of events and commands."""
    keys: list[Any] = [*plain] if hasattr(plain, "keys") else [*range(len(plain))]
    found: list[Leaf] = []
    for key in keys:
        value: Any = plain[key]
        if isinstance(value, dict | list) and value:
            found += leaves_of(value)
        elif key != "type":
            found.append((plain, key))
    return found


def other_than(rng: Random, value: object) -> object:
    """A value of the same kind that is another."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1, 2, 10))
    if isinstance(value, str):
        return value[1:] if value and rng.random() < 1 / 2 else f"{value}x"
    return 1 if value is None else [1]


def altered(rng: Random, plain: Any) -> bool:  # noqa: ANN401 - plain values of any kind
    """Change one value of plain data in place; False if it holds none."""
    places = leaves_of(plain)
    if not places:
        return False
    where, key = rng.choice(places)
    where[key] = other_than(rng, where[key])
    return True


# ------------------------------------------------------------ forgeries


def _kept(log: Specimen, rows: Sequence[Stored]) -> Forged:
    return Forged(log.table, rows, log.seed, log.snapshots)


def _bytes_of_one(damage: Callable[[Random, bytes], bytes]) -> Forgery:
    def forge(rng: Random, log: Specimen, _other: Specimen) -> Forged:
        rows = list(log.rows)
        number = rng.randrange(len(rows))
        rows[number] = rows[number]._replace(payload=damage(rng, rows[number].payload))
        return _kept(log, rows)

    return forge


def _batches(move: Callable[[Random, list[Stored]], list[Stored]], *, rebuilt: bool = False) -> Forgery:
    def forge(rng: Random, log: Specimen, _other: Specimen) -> Forged:
        rows = move(rng, list(log.rows))
        return _kept(log, chained(rows) if rebuilt else rows)

    return forge


def _left_out(rng: Random, rows: list[Stored]) -> list[Stored]:
    number = rng.randrange(2, len(rows) - 1)
    return rows[:number] + rows[number + 1 :]


def _doubled_turn(rng: Random, rows: list[Stored]) -> list[Stored]:
    """Under no command id: a log holds each of them once."""
    number = rng.randrange(2, len(rows))
    again = row_of(changed(rows[number].payload, command_id=None))
    before = rng.randrange(2, len(rows))
    return [*rows[:before], again, *rows[before:]]


def _swapped_turns(rng: Random, rows: list[Stored]) -> list[Stored]:
    return rows[:2] + swapped(rng, rows[2:])


def _from_another(*, rebuilt: bool) -> Forgery:
    def forge(rng: Random, log: Specimen, other: Specimen) -> Forged:
        rows = list(log.rows)
        number = rng.randrange(1, min(len(rows), len(other.rows)))
        rows[number] = other.rows[number]
        return _kept(log, chained(rows) if rebuilt else rows)

    return forge


def _rebuilt(change: Callable[[Random, bytes, Specimen], bytes], *, first: int = 1, last_only: bool = False) -> Forgery:
    """One batch is rewritten, and all that follow it are chained anew."""

    def forge(rng: Random, log: Specimen, _other: Specimen) -> Forged:
        rows = list(log.rows)
        last = len(rows) - 1
        for number in (last,) if last_only else (0,) if not first else rng.sample(range(first, len(rows)), last):
            payload = change(rng, rows[number].payload, log)
            if payload != rows[number].payload:
                rows[number] = row_of(payload)
                return _kept(log, chained(rows, number))
        return _kept(log, rows)

    return forge


def _event(rng: Random, payload: bytes, _log: Specimen) -> bytes:
    events = fields_of(payload)["events"]
    return changed(payload, events=events) if altered(rng, events) else payload


def _command(rng: Random, payload: bytes, _log: Specimen) -> bytes:
    command = fields_of(payload)["command"]
    return changed(payload, command=command) if altered(rng, command) else payload


def _same_command(_rng: Random, payload: bytes, _log: Specimen) -> bytes:
    """An undo that names what it takes back, where it had asked for the last batch, or the other way round."""
    fields = fields_of(payload)
    if fields["command"]["type"] != "ludolog/undo":
        return payload
    first = fields["events"][0]["batches"][0]
    return changed(payload, command=fields["command"] | {"to": first if fields["command"]["to"] == -1 else -1})


def _type(rng: Random, payload: bytes, log: Specimen) -> bytes:
    fields = fields_of(payload)
    one = rng.choice([fields["command"], *fields["events"]])
    kinds = log.ruleset.command_types if one is fields["command"] else log.ruleset.event_types
    one["type"] = rng.choice([*sorted(kinds), f"{one['type']}@2", "nobody/did"])
    return changed(payload, **fields)


def _version(rng: Random, payload: bytes, _log: Specimen) -> bytes:
    return changed(payload, format=rng.choice((0, 2, 99)))


def _opening(rng: Random, payload: bytes, log: Specimen) -> bytes:
    """Everything that the opening says, its rules' versions and options included."""
    return _event(rng, payload, log)


def _time(rng: Random, payload: bytes, _log: Specimen) -> bytes:
    return changed(payload, time=fields_of(payload)["time"] + rng.choice((-1, 1, 86_400_000_000)))


def _command_id(rng: Random, payload: bytes, _log: Specimen) -> bytes:
    return changed(payload, command_id=rng.choice((None, f"x{rng.randrange(1000)}")))


def _seat(rng: Random, payload: bytes, log: Specimen) -> bytes:
    return changed(payload, seat=rng.choice([None, *log.position.seats]))


def _draws(rng: Random, payload: bytes, _log: Specimen) -> bytes:
    drawn: str = fields_of(payload)["draws"]
    return changed(payload, draws=rng.choice(("", "6:3", f"{drawn} 6:3".strip())))


def _blind(rng: Random, payload: bytes, _log: Specimen) -> bytes:
    return changed(payload, blind=rng.randbytes(16))


def _columns(rng: Random, log: Specimen, _other: Specimen) -> Forged:
    rows = list(log.rows)
    number = rng.randrange(len(rows))
    row = rows[number]
    rows[number] = (
        row._replace(head=rng.randbytes(32)) if rng.random() < 1 / 2 else row._replace(command_id=f"x{number}")
    )
    return _kept(log, rows)


def _played_otherwise(rng: Random, log: Specimen, _other: Specimen) -> Forged:
    """By someone who has the seed and lets the rules decide: nothing is wrong with it but that it did not happen."""
    table = table_from(log.ruleset, log.position.seats, seed=log.origin, id=log.table, at=_moment(log.rows[0]))
    told = open_table(log.table, log.store(), ruleset=log.ruleset)
    for batch in told.journal.batches(2, rng.randrange(2, len(log.rows) - 1)):
        seat, command, command_id, at = batch.seat, batch.command, batch.command_id, batch.time
        if isinstance(command, Undo):
            table.undo(seat, command_id=command_id, at=at)
        elif isinstance(command, Redo):
            table.redo(seat, command_id=command_id, at=at)
        else:
            table.play(seat, command, command_id=command_id, at=at)
    play_on(table, rng, len(log.rows) - table.length)
    return Forged(log.table, tuple(table.journal.store.read(log.table)), log.seed, ())


def _moment(row: Stored) -> int:
    return int(fields_of(row.payload)["time"])


def _another_log(rng: Random, log: Specimen, _other: Specimen) -> Forged:
    """Another sound log of the same name, with its own seed."""
    table = table_from(log.ruleset, log.position.seats, seed=rng.randbytes(32), id=log.table, at=_moment(log.rows[0]))
    play_on(table, rng, len(log.rows) - 2)
    store = table.journal.store
    return Forged(log.table, tuple(store.read(log.table)), store.seed(log.table) or b"", ())


def _another_table(_rng: Random, log: Specimen, other: Specimen) -> Forged:
    return Forged(log.table, other.rows, other.seed, other.snapshots)


def _seed_swapped(rng: Random, log: Specimen, other: Specimen) -> Forged:
    return _kept(log, log.rows)._replace(seed=rng.choice((other.seed, flipped(rng, log.seed), log.seed[1:])))


def _seed_removed(_rng: Random, log: Specimen, _other: Specimen) -> Forged:
    return _kept(log, log.rows)._replace(seed=b"")


def _snapshots(change: Callable[[Random, bytes, Specimen, Specimen], bytes]) -> Forgery:
    def forge(rng: Random, log: Specimen, other: Specimen) -> Forged:
        snapshots = list(log.snapshots)
        number, payload = snapshots.pop(rng.randrange(len(snapshots)))
        return _kept(log, log.rows)._replace(snapshots=[(number, change(rng, payload, log, other)), *snapshots])

    return forge


def _damaged_snapshot(rng: Random, payload: bytes, _log: Specimen, _other: Specimen) -> bytes:
    return rng.choice((flipped, inserted, deleted))(rng, payload)


def _other_snapshot(rng: Random, _payload: bytes, log: Specimen, other: Specimen) -> bytes:
    return rng.choice((*other.snapshots, *log.snapshots))[1]


def _forged_snapshot(rng: Random, payload: bytes, _log: Specimen, _other: Specimen) -> bytes:
    """Anything that it says may be another, and its checksum fits."""
    plain = msgspec.msgpack.decode(payload[32:])
    altered(rng, plain["slices"] if rng.random() < 3 / 4 else plain)
    forged = msgspec.msgpack.encode(plain)
    return hashlib.sha256(forged).digest() + forged


SAME_EFFECT: Final = "command of the same effect, chain rebuilt"

LOG_FORGERIES: Final[Mapping[str, Forgery]] = {
    "bit flipped": _bytes_of_one(flipped),
    "bytes inserted": _bytes_of_one(inserted),
    "bytes deleted": _bytes_of_one(deleted),
    "head cut": _batches(cut_head),
    "middle cut": _batches(cut_middle),
    "tail cut": _batches(cut_tail),
    "batches swapped": _batches(swapped),
    "batch doubled": _batches(doubled),
    "batch of another table": _from_another(rebuilt=False),
    "log of another table": _another_table,
    "store's columns changed": _columns,
    "last batch rewritten": _rebuilt(_event, last_only=True),
    "event changed, chain rebuilt": _rebuilt(_event),
    "command changed, chain rebuilt": _rebuilt(_command),
    SAME_EFFECT: _rebuilt(_same_command),
    "type changed, chain rebuilt": _rebuilt(_type),
    "version changed, chain rebuilt": _rebuilt(_version),
    "opening changed, chain rebuilt": _rebuilt(_opening, first=0),
    "time changed, chain rebuilt": _rebuilt(_time),
    "command id changed, chain rebuilt": _rebuilt(_command_id),
    "seat changed, chain rebuilt": _rebuilt(_seat),
    "draws changed, chain rebuilt": _rebuilt(_draws),
    "blinding changed, chain rebuilt": _rebuilt(_blind),
    "batch left out, chain rebuilt": _batches(_left_out, rebuilt=True),
    "batches swapped, chain rebuilt": _batches(_swapped_turns, rebuilt=True),
    "batch doubled, chain rebuilt": _batches(_doubled_turn, rebuilt=True),
    "batch of another table, chain rebuilt": _from_another(rebuilt=True),
    "played otherwise by the rules": _played_otherwise,
    "whole log swapped": _another_log,
    "seed swapped": _seed_swapped,
    "seed removed": _seed_removed,
    "snapshot damaged": _snapshots(_damaged_snapshot),
    "snapshot of another moment or table": _snapshots(_other_snapshot),
    "snapshot forged": _snapshots(_forged_snapshot),
}
"""What can be done to a stored log, by name."""

NEED_SEED: Final = frozenset(("played otherwise by the rules", "seed swapped", "seed removed"))
"""What only somebody can do who has the seed, or where there is one."""
