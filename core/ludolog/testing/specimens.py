"""Games played at random, kept as their bytes: what forgers and readers of the kit's tests start from."""

from __future__ import annotations

import functools
from random import Random
from typing import Final, NamedTuple

from ludolog.catalogue import catalogue
from ludolog.errors import BadOptions
from ludolog.opening import table_from
from ludolog.position import Position
from ludolog.ruleset import Ruleset
from ludolog.store import MemoryStore, Stored
from ludolog.table import Table
from ludolog.testing.subject import SEATS, START
from ludolog_events import Receipt, Seat

__all__ = ["Specimen", "play_on", "specimen_of", "specimens"]

_SECOND: Final = 1_000_000
_TURNS: Final = 5000


class Specimen(NamedTuple):
    """A sound log and what is known of it: everything that a change could be seen by.

    ``origin`` is what its seed came from, ``verdicts`` are the three answers of its audit without a receipt;
    ``snapshots`` are by number of the batch.
    """

    ruleset: Ruleset
    table: str
    rows: tuple[Stored, ...]
    origin: str
    seed: bytes
    snapshots: tuple[tuple[int, bytes], ...]
    receipt: Receipt
    position: Position
    verdicts: tuple[str, ...]
    over: bool

    def store(self) -> MemoryStore:
        """A store that holds it."""
        store = MemoryStore()
        store.create(self.table, self.rows, seed=self.seed)
        for number, payload in self.snapshots:
            store.keep_snapshot(self.table, number, payload)
        return store

    def without_seed(self) -> Specimen:
        """The same as a store holds it that never had the seed, as after an import; of a game that goes on."""
        return self._replace(seed=b"", verdicts=(*self.verdicts[:2], "unknown"))


def play_on(table: Table, rng: Random, turns: int) -> None:
    """Play up to ``turns`` commands at random, with an undo and a redo by the host now and then."""
    at = START + table.length * _SECOND
    for _ in range(turns):
        acting = table.to_act
        if table.over or not acting:
            return
        seat: Seat = rng.choice(acting)
        at += _SECOND
        number = table.length
        table.play(seat, rng.choice(table.legal(seat)), at=at, command_id=f"c{number}" if number % 2 else None)
        if rng.random() < 1 / 8 and not table.over:
            table.undo(None, at=at)
            if rng.random() < 1 / 2:
                table.redo(None, at=at)


def specimen_of(table: Table, origin: str = "") -> Specimen:
    """What a table of a store in memory consists of."""
    store = table.journal.store
    snapshots: list[tuple[int, bytes]] = []
    found = store.snapshot(table.id)
    while found is not None:
        snapshots.append(found)
        found = store.snapshot(table.id, found[0] - 1)
    return Specimen(
        ruleset=table.ruleset,
        table=table.id,
        rows=tuple(store.read(table.id)),
        origin=origin,
        seed=store.seed(table.id) or b"",
        snapshots=tuple(snapshots),
        receipt=table.receipt,
        position=table.position,
        verdicts=tuple(answer.verdict for answer in table.audit().answers),
        over=table.over,
    )


@functools.cache
def specimens(game: str, seed: int = 0) -> tuple[Specimen, ...]:
    """Logs of one game: finished, going on, and another table of each kind.

    Raises:
        BadOptions: The game doesn't come to its end by commands of its seats alone.
    """
    ruleset = catalogue().ruleset(game)
    found = [
        _played(ruleset, f"{game}/{seed}/{name}", name, whole=whole) for name in ("t", "u") for whole in (True, False)
    ]
    return tuple(found)


def _played(ruleset: Ruleset, origin: str, name: str, *, whole: bool) -> Specimen:
    """A game played to its end, or some way."""
    count = min((count for count in ruleset.seat_counts if count > 1), default=1)
    for turns in (_TURNS,) if whole else (18, 9, 4):
        rng = Random(f"{origin}/{turns}")  # noqa: S311 - a sample, no secret
        table = table_from(ruleset, SEATS[:count], seed=f"{origin}/{whole}", id=name, at=START)
        play_on(table, rng, first := min(turns // 3, 6))
        table.keep_snapshot()
        play_on(table, rng, turns - first)
        table.keep_snapshot()
        if table.over == whole:
            return specimen_of(table, f"{origin}/{whole}")
    msg = f"Turns of its seats alone don't bring {ruleset.game.id} to its end, or at once; choose another game."
    raise BadOptions(msg)
