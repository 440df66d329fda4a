"""Files of the SQLite store as a forger or a failing disk leaves them: bytes, pages, rows, and the write-ahead log."""

from __future__ import annotations

import contextlib
import functools
import sqlite3
import struct
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, TypeAlias

from ludolog.opening import open_store
from ludolog.testing.damage import cut_head, cut_middle, cut_tail, deleted, doubled, flipped, inserted, swapped
from ludolog.testing.specimens import Specimen, specimens

__all__ = ["DATABASE_FORGERIES", "WAL_FORGERIES", "FileForgery", "Files", "files_of"]

_WAL_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_FIRST: Final = 1 << 32
"""Ids of batches are ``key of the table * _FIRST + number`` in the SQLite store."""


class Files(NamedTuple):
    """A store's file and its write-ahead log (empty: there is none)."""

    database: bytes
    wal: bytes = b""

    def write(self, path: Path) -> None:
        """Lay both down at ``path``, as if they had always been there."""
        path.write_bytes(self.database)
        if self.wal:
            Path(f"{path}-wal").write_bytes(self.wal)


class Sound(NamedTuple):
    """A store with two tables: whole, as it was half-way, and the same in a write-ahead log."""

    whole: Files
    earlier: Files
    logged: Files
    logged_earlier: Files


FileForgery: TypeAlias = Callable[[Random, Sound, Path], Files]
"""(draws, sound files, a path that may be written to) -> what was made of them."""


@functools.cache
def files_of(game: str, seed: int) -> tuple[Specimen, Sound]:
    """A log that goes on, and a file that holds it with another table."""
    _, log, _, other = specimens(game, seed)
    half = len(log.rows) // 2
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sound.db"
        store = open_store(path)
        store.create(log.table, log.rows[:half], seed=log.seed)
        store.create(other.table, other.rows, seed=other.seed)
        store.close()
        earlier = Files(path.read_bytes())
        store = open_store(path)
        found: list[Files] = []
        for number, row in enumerate(log.rows[half:], half):
            store.append(log.table, number, (row,))
            if number == half + (len(log.rows) - half) // 2:
                found.append(Files(path.read_bytes(), Path(f"{path}-wal").read_bytes()))
        for number, payload in log.snapshots:
            store.keep_snapshot(log.table, number, payload)
        logged = Files(path.read_bytes(), Path(f"{path}-wal").read_bytes())
        store.close()
        return log, Sound(Files(path.read_bytes()), earlier, logged, found[0])


# ------------------------------------------------------------ the database file


def _bytes(damage: Callable[[Random, bytes], bytes]) -> FileForgery:
    return lambda rng, sound, _path: Files(damage(rng, sound.whole.database))


def _pages_of(database: bytes) -> list[bytes]:
    (size,) = struct.unpack(">H", database[16:18])
    return [database[at : at + size] for at in range(0, len(database), size)]


def _pages(move: Callable[[Random, list[bytes]], list[bytes]]) -> FileForgery:
    return lambda rng, sound, _path: Files(b"".join(move(rng, _pages_of(sound.whole.database))))


def _zeroed(rng: Random, pages: list[bytes]) -> list[bytes]:
    at = rng.randrange(len(pages))
    return [*pages[:at], bytes(len(pages[at])), *pages[at + 1 :]]


def _earlier_page(rng: Random, sound: Sound, _path: Path) -> Files:
    now, then = _pages_of(sound.whole.database), _pages_of(sound.earlier.database)
    at = rng.randrange(min(len(now), len(then)))
    return Files(b"".join([*now[:at], then[at], *now[at + 1 :]]))


def _by_sql(work: Callable[[Random, sqlite3.Connection], None]) -> FileForgery:
    """With the triggers out of the way, and back in their place when it is done."""

    def forge(rng: Random, sound: Sound, path: Path) -> Files:
        path.write_bytes(sound.whole.database)
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
            for name, _ in triggers:
                connection.execute(f"DROP TRIGGER {name}")
            work(rng, connection)
            for _, sql in triggers:
                connection.execute(sql)
        return Files(path.read_bytes())

    return forge


def _length(connection: sqlite3.Connection, key: int) -> int:
    found: tuple[int] = connection.execute(
        "SELECT count(*) FROM batches WHERE id >= ? AND id < ?", (key * _FIRST, (key + 1) * _FIRST)
    ).fetchone()
    return found[0]


def _deleted_rows(rng: Random, connection: sqlite3.Connection, part: str) -> None:
    length = _length(connection, 1)
    start = rng.randrange(1, length - 1) if part != "head" else 0
    stop = length if part == "tail" else rng.randrange(start + 1, length)
    connection.execute("DELETE FROM batches WHERE id >= ? AND id < ?", (_FIRST + start, _FIRST + stop))


def _changed_row(rng: Random, connection: sqlite3.Connection) -> None:
    place = _FIRST + rng.randrange(_length(connection, 1))
    (payload,) = connection.execute("SELECT payload FROM batches WHERE id = ?", (place,)).fetchone()
    connection.execute("UPDATE batches SET payload = ? WHERE id = ?", (flipped(rng, payload), place))


def _changed_column(rng: Random, connection: sqlite3.Connection) -> None:
    place = _FIRST + rng.randrange(_length(connection, 1))
    if rng.random() < 1 / 2:
        connection.execute("UPDATE batches SET head = ? WHERE id = ?", (rng.randbytes(32), place))
    else:
        connection.execute("UPDATE batches SET command_id = ? WHERE id = ?", (f"x{place}", place))


def _moved_row(rng: Random, connection: sqlite3.Connection) -> None:
    """A batch of the other table comes in the place of one of this table, which is deleted."""
    number = rng.randrange(min(_length(connection, 1), _length(connection, 2)))
    connection.execute("DELETE FROM batches WHERE id = ?", (_FIRST + number,))
    connection.execute("UPDATE batches SET id = ? WHERE id = ?", (_FIRST + number, 2 * _FIRST + number))


def _renamed_tables(_rng: Random, connection: sqlite3.Connection) -> None:
    (one, other) = [name for (name,) in connection.execute("SELECT name FROM tables ORDER BY key").fetchall()]
    for name, key in (("", 1), (one, 2), (other, 1)):
        connection.execute("UPDATE tables SET name = ? WHERE key = ?", (name, key))


def _swapped_seeds(_rng: Random, connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE seeds SET table_key = 3 - table_key + 100")
    connection.execute("UPDATE seeds SET table_key = table_key - 100")


def _removed_seed(_rng: Random, connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM seeds WHERE table_key = 1")


def _damaged_snapshot(rng: Random, connection: sqlite3.Connection) -> None:
    rows = connection.execute("SELECT id, payload FROM snapshots").fetchall()
    place, payload = rng.choice(rows)
    other = rng.choice((flipped(rng, payload), *(found for _, found in rows if found != payload)))
    connection.execute("UPDATE snapshots SET payload = ? WHERE id = ?", (other, place))


DATABASE_FORGERIES: Final[Mapping[str, FileForgery]] = {
    "bit flipped": _bytes(flipped),
    "bytes inserted": _bytes(inserted),
    "bytes deleted": _bytes(deleted),
    "head cut": _bytes(cut_head),
    "middle cut": _bytes(cut_middle),
    "tail cut": _bytes(cut_tail),
    "pages cut out": _pages(cut_middle),
    "pages cut off": _pages(cut_tail),
    "pages swapped": _pages(swapped),
    "page doubled": _pages(doubled),
    "page zeroed": _pages(_zeroed),
    "page of an earlier copy": _earlier_page,
    "earlier copy of the file": lambda _rng, sound, _path: sound.earlier,
    "row changed": _by_sql(_changed_row),
    "row's columns changed": _by_sql(_changed_column),
    "rows of the head deleted": _by_sql(lambda rng, connection: _deleted_rows(rng, connection, "head")),
    "rows of the middle deleted": _by_sql(lambda rng, connection: _deleted_rows(rng, connection, "middle")),
    "rows of the tail deleted": _by_sql(lambda rng, connection: _deleted_rows(rng, connection, "tail")),
    "row moved to another table": _by_sql(_moved_row),
    "tables renamed": _by_sql(_renamed_tables),
    "seeds swapped": _by_sql(_swapped_seeds),
    "seed removed": _by_sql(_removed_seed),
    "snapshot changed or swapped": _by_sql(_damaged_snapshot),
}
"""What can be done to a database file, by name."""


# ------------------------------------------------------------ the write-ahead log


def _wal(damage: Callable[[Random, bytes], bytes]) -> FileForgery:
    return lambda rng, sound, _path: sound.logged._replace(wal=damage(rng, sound.logged.wal))


def _frames(move: Callable[[Random, list[bytes]], list[bytes]]) -> FileForgery:
    def forge(rng: Random, sound: Sound, _path: Path) -> Files:
        wal = sound.logged.wal
        (page_size,) = struct.unpack(">I", wal[8:12])
        size = _FRAME_HEADER + page_size
        frames = [wal[at : at + size] for at in range(_WAL_HEADER, len(wal), size)]
        return sound.logged._replace(wal=wal[:_WAL_HEADER] + b"".join(move(rng, frames)))

    return forge


def _under_another_file(_rng: Random, sound: Sound, _path: Path) -> Files:
    """The write-ahead log beside the file as it is without it, brought back already."""
    return sound.whole._replace(wal=sound.logged.wal)


WAL_FORGERIES: Final[Mapping[str, FileForgery]] = {
    "bit flipped": _wal(flipped),
    "bytes inserted": _wal(inserted),
    "bytes deleted": _wal(deleted),
    "head cut": _wal(cut_head),
    "middle cut": _wal(cut_middle),
    "tail cut": _wal(cut_tail),
    "frames swapped": _frames(swapped),
    "frame doubled": _frames(doubled),
    "frames cut out": _frames(cut_middle),
    "removed": lambda _rng, sound, _path: Files(sound.logged.database),
    "of an earlier moment": lambda _rng, sound, _path: sound.logged_earlier,
    "beside a later file": _under_another_file,
}
"""What can be done to a write-ahead log, by name."""
