"""The power goes at any moment: what was synced is there, of the rest any sectors may be. Needs ``apsw``.

For authors of stores over SQLite; ``python -m ludolog.testing faults --images 2000`` runs it on the one that comes with
the library.
"""

# ruff: noqa: S101 - these are the assertions of tests

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, cast

from ludolog.errors import LudologError
from ludolog.store import Store
from ludolog.testing._batches import SEED, batch, check_log
from ludolog.testing.faulty_disk import Disk
from ludolog.testing.on_trial import Durability, OnTrial

__all__ = ["Cuts", "cut_power"]

Lengths = Mapping[str, int]


class Cuts(NamedTuple):
    """How many images were opened, what they lacked, and what was wrong with them."""

    durability: Durability
    images: int
    lost: int
    """Batches that had been acknowledged and weren't there."""
    faults: tuple[str, ...]
    seconds: float

    def __str__(self) -> str:
        """One line."""
        found = f"{len(self.faults)} faults" if self.faults else "each opens, is whole, and is a moment of the past"
        return (
            f"{self.images} images after a power cut, durability {self.durability}: {found}; "
            f"{self.lost} acknowledged batches lost; {self.seconds:.0f} s"
        )


def cut_power(trial: OnTrial, folder: Path, images: int, *, durability: Durability, seed: int = 21) -> Cuts:
    """Play once, then make and open files as so many power cuts may have left them.

    Args:
        trial: the store.
        folder: an empty folder.
        images: how many.
        durability: ``"full"``: nothing acknowledged may be lost; ``"normal"``: what is left must be a moment of the
            past, of all tables together.
        seed: of the moments and of what got to the disk.
    """
    began = time.perf_counter()
    disk = Disk()
    (folder / "played").mkdir(parents=True)
    whole = _play(trial, folder / "played" / "games.db", disk, durability)
    nothing: Lengths = {}
    moments = [nothing, *_notes(disk)]
    chance = random.Random(seed)  # noqa: S311 - a sample
    lost, faults = 0, list[str]()
    for image in range(images):
        at = chance.randrange(len(disk.record) + 1)
        place = folder / f"image{image}"
        place.mkdir()
        disk.lose_power(at=at, into=place, chance=chance)
        acknowledged = next(_notes(disk, at), nothing)
        try:
            found = _look(trial, place / "games.db", whole)
            # Appends are in one order over all tables: what is left is a moment of that order, not a mixture.
            assert found in moments, f"{found} was never so"
            missing = sum(max(0, length - found.get(table, 0)) for table, length in acknowledged.items())
            assert durability == "normal" or not missing, f"{missing} acknowledged batches are lost"
            lost += missing
        except (AssertionError, LudologError, sqlite3.Error) as error:
            faults.append(f"image {image}, power gone after {at} operations: {error!r}")
        for file in place.iterdir():
            file.unlink()
        place.rmdir()
    return Cuts(durability, images, lost, tuple(faults), time.perf_counter() - began)


def _play(trial: OnTrial, path: Path, disk: Disk, durability: Durability) -> Lengths:
    """Several tables, single and many batches, snapshots, checkpoints, closing and opening again; marks each append."""
    lengths: dict[str, int] = {}

    def append(store: Store, table: str, count: int) -> None:
        start = lengths[table]
        store.append(table, start, [batch(number, f"c{number}", table=table) for number in range(start, start + count)])
        lengths[table] = start + count
        disk.mark(dict(lengths))

    for session in range(3):
        store = trial.open(path, durability=durability, connect=disk.connect)
        table = f"t{session}"
        store.create(table, [batch(0, table=table)], seed=SEED)
        lengths[table] = 1
        disk.mark(dict(lengths))
        for step in range(12):
            append(store, table, 1)
            append(store, "t0", 1 + step % 4)
            if step % 5 == 4:  # noqa: PLR2004 - now and then
                store.keep_snapshot("t0", lengths["t0"] - 1, b"position" * 700)
        store.close()
    return lengths


def _notes(disk: Disk, at: int | None = None) -> Iterator[Lengths]:
    """What had been acknowledged, the newest first, before so many operations."""
    for operation in reversed(disk.record[:at]):
        if operation.kind == "mark":
            yield cast("Lengths", operation.note)


def _look(trial: OnTrial, path: Path, whole: Lengths) -> Lengths:
    """The lengths of the logs in an image, each checked, and appended to."""
    store = trial.open(path, durability="normal")
    try:
        found = {table: check_log(store, table) for table in store.tables()}
        for table, log in found.items():
            assert len(log) <= whole[table]
            assert log == [batch(n, f"c{n}" if n else None, table=table) for n in range(len(log))]
            assert store.seed(table) == SEED
            store.append(table, len(log), [batch(len(log), "after the cut", table=table)])
    finally:
        store.close()
    connection = sqlite3.connect(path)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    finally:
        connection.close()
    return {table: len(log) for table, log in found.items()}
