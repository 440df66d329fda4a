"""A disk under SQLite that fails when told to, and whose power can go at any moment. Needs ``apsw``.

``Disk.connect`` offers apsw's SQLite as if it were ``sqlite3``, over files that are real and whose every write is
recorded. From the record, ``Disk.lose_power`` makes the files as they may be found afterwards::

    disk = Disk()
    store = SqliteStore(path, connect=disk.connect)
    ...
    disk.lose_power(at=100, into=folder, chance=random.Random(1))
"""

# ruff: noqa: N802 - SQLite's names for what a disk does, which apsw calls
# apsw's stubs name collections.abc.Buffer, which Python 3.11 lacks:
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import itertools
import os
import random
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, NamedTuple, TypeVar

import apsw

__all__ = ["Disk", "Failure", "Operation", "dying_in_writes"]

T = TypeVar("T")
Kind = Literal["make", "write", "truncate", "sync", "delete", "mark"]

_SECTOR = 512
_MAIN = 0x100  # SQLITE_OPEN_MAIN_DB
_names = itertools.count()


class Operation(NamedTuple):
    """What was done to a file, or a mark that a test has set."""

    kind: Kind
    file: str
    offset: int = 0
    data: bytes = b""
    note: object = None


class Failure(NamedTuple):
    """Which input or output fails, with SQLite's result code."""

    number: int
    """The how-manieth from now on, from 1."""
    code: int
    lasting: bool = False
    """Whether all later ones fail too."""
    kind: str | None = None
    """Count and fail only these: open, read, write, truncate, sync or delete."""


class Disk(apsw.VFS):
    """Real files under SQLite, recorded; fails when ``failure`` says so."""

    def __init__(self) -> None:
        self.name = f"ludolog-faulty-{next(_names)}"
        super().__init__(self.name, "")
        self.record: list[Operation] = []
        self.failure: Failure | None = None
        self.count = 0
        """Inputs and outputs since ``failure`` was set."""

    def connect(self, uri: str, busy_timeout: float) -> Any:  # noqa: ANN401 - stands in for sqlite3.Connection
        """Open a connection; it keeps the file to itself, since apsw has no shared memory for other connections."""
        return _Connection(self, uri, busy_timeout)

    def mark(self, note: object) -> None:
        """Note in the record what has been acknowledged."""
        self.record.append(Operation("mark", "", note=note))

    def fail(self, failure: Failure | None) -> None:
        """Let an input or output fail from now on; None: none."""
        self.failure = failure
        self.count = 0

    def lose_power(self, *, at: int, into: Path, chance: random.Random) -> None:
        """Write the files as a power cut after ``at`` operations may leave them.

        What was synced is there. Of what wasn't, each sector of each write may be there or not, as may the
        file's new length, a new file itself, and a file whose removal was the last that happened to it.
        """
        files = _replay(self.record[:at])
        likely = chance.choice((0.0, 0.1, 0.5, 0.9, 1.0))
        for name, file in files.items():
            content = file.after_power_loss(likely, chance)
            if content is not None:
                (into / name).write_bytes(content)

    def step(self, kind: str) -> None:
        """Count one input or output, and fail if it is its turn."""
        failure = self.failure
        if failure is None or failure.kind not in (None, kind):
            return
        self.count += 1
        if self.count == failure.number or (self.count > failure.number and failure.lasting):
            raise _error(failure.code)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        """Open a file."""
        path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        self.step("open")
        if not Path(path).exists():
            self.record.append(Operation("make", Path(path).name, note=bool(flags[0] & _MAIN)))
        return _File(self, name, flags, Path(path).name)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: FBT001 - apsw's signature
        """Remove a file."""
        self.step("delete")
        super().xDelete(filename, syncdir)
        self.record.append(Operation("delete", Path(filename).name))

    def excepthook(
        self,
        etype: type[BaseException] | None,  # noqa: ARG002 - apsw's signature
        evalue: BaseException | None,  # noqa: ARG002
        etraceback: TracebackType | None,  # noqa: ARG002
    ) -> bool:
        """Keep quiet about failures that SQLite leaves unreported; they were made on purpose."""
        return True


def dying_in_writes(turn: int, file: str) -> Callable[[str, float], Any]:
    """A ``connect`` whose process ends, as ``kill -9`` does, after the ``turn``-th write into this file."""

    class Dying(Disk):
        left = turn

        def step(self, kind: str) -> None:
            if kind in ("write", "sync") and self.record and self.record[-1].file == file:
                self.left -= 1
                if self.left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

    return Dying().connect


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int], file: str) -> None:  # noqa: ANN401
        self._disk = disk
        self._file = file
        super().__init__("", name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:
        self._disk.step("read")
        return super().xRead(amount, offset)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: ANN401
        self._disk.step("write")
        super().xWrite(data, offset)
        self._disk.record.append(Operation("write", self._file, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:
        self._disk.step("truncate")
        super().xTruncate(newsize)
        self._disk.record.append(Operation("truncate", self._file, newsize))

    def xSync(self, flags: int) -> None:
        self._disk.step("sync")
        super().xSync(flags)
        self._disk.record.append(Operation("sync", self._file))

    def excepthook(
        self,
        etype: type[BaseException] | None,  # noqa: ARG002 - apsw's signature
        evalue: BaseException | None,  # noqa: ARG002
        etraceback: TracebackType | None,  # noqa: ARG002
    ) -> bool:
        """Keep quiet about failures that SQLite leaves unreported; they were made on purpose."""
        return True


class _Contents:
    """A file as it surely is on the disk, and what may or may not have got there besides."""

    def __init__(self) -> None:
        self.synced = bytearray()
        self.pending: list[Operation] = []
        self.surely_made = False
        self.removed = False

    def after_power_loss(self, likely: float, chance: random.Random) -> bytes | None:
        """The file's content, None if it isn't there."""
        if (not self.surely_made or self.removed) and chance.random() >= likely:
            return None
        content = bytearray(self.synced)
        for operation in self.pending:
            _apply(content, operation, lambda: chance.random() < likely)
        return bytes(content)


def _apply(content: bytearray, operation: Operation, happened: Callable[[], bool]) -> None:
    """Do as much of an operation as has happened, sector by sector."""
    offset, data = operation.offset, operation.data
    if operation.kind == "truncate":
        if happened():
            content[offset:] = bytes(max(0, offset - len(content)))
        return
    while data:
        size = _SECTOR - offset % _SECTOR
        if happened():
            content.extend(bytes(max(0, offset - len(content))))
            content[offset : offset + len(data[:size])] = data[:size]
        offset, data = offset + size, data[size:]


def _replay(record: list[Operation]) -> dict[str, _Contents]:
    files: dict[str, _Contents] = {}
    for operation in record:
        if operation.kind == "make":
            files[operation.file] = _Contents()
        elif operation.kind == "delete":
            files[operation.file].removed = True
        elif operation.kind == "sync":
            file = files[operation.file]
            for pending in file.pending:
                _apply(file.synced, pending, lambda: True)
            file.pending.clear()
            # SQLite syncs the folder with the first sync of a journal or write-ahead log, and never for the main file.
            if not file.surely_made and "-" in operation.file:
                files = {name: other for name, other in files.items() if not other.removed}
                for other in files.values():
                    other.surely_made = True
        elif operation.kind != "mark":
            files[operation.file].pending.append(operation)
    return files


class _Cursor:
    """What a store reads of a cursor."""

    def __init__(self, cursor: Any, lastrowid: int) -> None:  # noqa: ANN401
        self._cursor = cursor
        self.lastrowid = lastrowid

    def fetchone(self) -> Any:  # noqa: ANN401
        return _translated(self._cursor.fetchone)

    def fetchall(self) -> Any:  # noqa: ANN401
        return _translated(self._cursor.fetchall)


class _Connection:
    """apsw's connection with the face of ``sqlite3``'s, errors included."""

    def __init__(self, disk: Disk, uri: str, busy_timeout: float) -> None:
        flags = apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        self._apsw: Any = _translated(lambda: apsw.Connection(uri, flags=flags, vfs=disk.name))
        self._apsw.set_busy_timeout(int(busy_timeout * 1000))
        try:
            self.execute("PRAGMA locking_mode = EXCLUSIVE").fetchone()
        except BaseException:
            self.close()
            raise

    @property
    def in_transaction(self) -> bool:
        return bool(self._apsw.in_transaction)

    def execute(self, sql: str, parameters: tuple[Any, ...] = (), /) -> Any:  # noqa: ANN401
        cursor = _translated(lambda: self._apsw.execute(sql, parameters))
        return _Cursor(cursor, self._apsw.last_insert_rowid())

    def executemany(self, sql: str, parameters: list[tuple[Any, ...]], /) -> Any:  # noqa: ANN401
        cursor = _translated(lambda: self._apsw.executemany(sql, parameters))
        return _Cursor(cursor, self._apsw.last_insert_rowid())

    def backup(self, target: sqlite3.Connection, /) -> None:
        raise NotImplementedError

    def close(self) -> None:
        _translated(lambda: self._apsw.close(force=True))


def _translated(work: Callable[[], T]) -> T:
    try:
        return work()
    except apsw.Error as error:
        result: int = getattr(error, "result", apsw.SQLITE_ERROR)
        kind = {
            apsw.SQLITE_CONSTRAINT: sqlite3.IntegrityError,
            apsw.SQLITE_CORRUPT: sqlite3.DatabaseError,
            apsw.SQLITE_NOTADB: sqlite3.DatabaseError,
        }.get(result, sqlite3.OperationalError)
        told = kind(str(error))
        told.sqlite_errorcode = getattr(error, "extendedresult", result)
        raise told from error


def _error(code: int) -> Exception:
    error = apsw.exception_for(code)
    error.extendedresult = code  # type: ignore[attr-defined]
    return error
