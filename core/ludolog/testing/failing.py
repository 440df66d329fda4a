"""The k-th input or output fails, for every k until a script of 50 commands passes. Needs ``apsw``.

For authors of stores over SQLite; ``python -m ludolog.testing faults --every-io`` runs it on the one that comes with
the library.
"""

# ruff: noqa: S101 - these are the assertions of tests

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Final, NamedTuple

import apsw

from ludolog.errors import CorruptLog, DuplicateCommand, LudologError, StoreFailed
from ludolog.store import Store
from ludolog.testing._batches import SEED, batch, check_log
from ludolog.testing.faulty_disk import Disk, Failure
from ludolog.testing.on_trial import OnTrial

__all__ = ["COMMANDS", "KINDS", "Failures", "fail_each"]

COMMANDS: Final = 50
KINDS: Final = {
    "full": apsw.SQLITE_FULL,
    "write": apsw.SQLITE_IOERR_WRITE,
    "sync": apsw.SQLITE_IOERR_FSYNC,
    "read": apsw.SQLITE_IOERR_READ,
}
"""Ways to fail: a full disk, and errors of writing, syncing and reading."""


class Failures(NamedTuple):
    """How many scripts were played with one input or output that failed, and what was wrong afterwards."""

    kind: str
    lasting: bool
    scripts: int
    failed: int
    """Those that ended with an error of the library's tree."""
    operations: int
    """Inputs and outputs of the script that passed."""
    faults: tuple[str, ...]
    seconds: float

    def __str__(self) -> str:
        """One line."""
        found = f"{len(self.faults)} faults" if self.faults else "only our errors, nothing acknowledged lost"
        how = "and all that follow" if self.lasting else "once"
        return (
            f"{self.scripts} scripts of {COMMANDS} commands, {self.operations} inputs and outputs, error {self.kind!r} "
            f"{how}: {found}; {self.failed} scripts ended with an error; {self.seconds:.0f} s"
        )


class _Player:
    """An app that plays a script, and notes what it was told."""

    def __init__(self, trial: OnTrial, path: Path) -> None:
        self.trial = trial
        self.path = path
        self.disk = Disk()
        self.acknowledged = 0
        self.error: Exception | None = None

    def play(self) -> None:
        try:
            store = self.trial.open(self.path, connect=self.disk.connect)
            try:
                self._commands(store)
            finally:
                store.close()
        except Exception as error:  # noqa: BLE001 - looked at below
            self.error = error

    def _commands(self, store: Store) -> None:
        for number in range(COMMANDS):
            if number == 0:
                store.create("t", [batch(0, "c0")], seed=SEED)
            else:
                store.append("t", number, [batch(number, f"c{number}")])
            self.acknowledged = number + 1
            if number % 20 == 10:  # noqa: PLR2004 - now and then
                store.keep_snapshot("t", number, b"position" * 1000)
        list(store.payloads("t"))

    def verify(self) -> None:
        """Opened on a sound disk: all that was acknowledged is there, and the retry of the next settles it."""
        assert self.error is None or isinstance(self.error, StoreFailed | CorruptLog), repr(self.error)
        store = self.trial.open(self.path, durability="normal")
        try:
            if store.tables():
                self._settle(store)
            else:
                assert self.acknowledged == 0
        finally:
            store.close()

    def _settle(self, store: Store) -> None:
        length = len(check_log(store))
        assert self.acknowledged <= length <= self.acknowledged + 1
        if 0 < self.acknowledged < COMMANDS:
            retry = [batch(self.acknowledged, f"c{self.acknowledged}")]
            try:
                store.append("t", self.acknowledged, retry)
            except DuplicateCommand:
                assert length == self.acknowledged + 1
            assert len(check_log(store)) == self.acknowledged + 1


def fail_each(trial: OnTrial, folder: Path, kind: str, *, lasting: bool, stride: int = 1, first: int = 1) -> Failures:
    """Play the script once for each k, with the k-th input or output failing, until none is left to fail.

    Args:
        trial: the store.
        folder: an empty folder.
        kind: one of ``KINDS``.
        lasting: let all that follow fail, too.
        stride: leave out all k but each so-manieth.
        first: the first k.
    """
    began = time.perf_counter()
    faults: list[str] = []
    scripts, failed, k = 0, 0, first
    while True:
        place = folder / str(k)
        place.mkdir(parents=True)
        player = _Player(trial, place / "games.db")
        player.disk.fail(Failure(k, KINDS[kind], lasting))
        player.play()
        reached = player.disk.count
        player.disk.fail(None)
        scripts += 1
        failed += player.error is not None
        try:
            player.verify()
            assert reached >= k or player.acknowledged == COMMANDS
        except (AssertionError, LudologError) as error:
            faults.append(f"input or output {k}: {error!r}")
        shutil.rmtree(place)
        if reached < k:
            return Failures(kind, lasting, scripts, failed, reached, tuple(faults), time.perf_counter() - began)
        k += stride
