"""Opening a SQLite file as a store: what it must be, how it is set up, and one connection a process."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
import warnings
import weakref
from pathlib import Path
from threading import Lock

from ludolog.errors import CorruptLog, LudologError, NotAStore, StoreFailed, StoreReadOnly, UsedAfterFork

from ._database import Database, Settings, let_go, translate
from ._format import Connection, check_format, make_format
from ._mounts import NETWORK, file_system_of
from ._presence import Presence, faulty_when_shared

__all__ = ["OnNetworkFileSystem", "SharedUnderFaultySQLite", "open_database"]

_OLDEST = (3, 37, 0)  # the first with STRICT tables
_LOOKS = 3
"""How often a file is looked at again that seems to be no store, or a damaged one."""
_A_MOMENT = 0.02  # seconds

_open: weakref.WeakValueDictionary[tuple[int, int, Settings], Database] = weakref.WeakValueDictionary()
_opening = Lock()
# Files whose connection a forked child could not close; see ``Database.after_fork_in_child``.
_inherited: set[tuple[int, int]] = set()


class OnNetworkFileSystem(RuntimeWarning):
    """A file lies where other machines may use it, too; SQLite sees only the users on this one."""


class SharedUnderFaultySQLite(RuntimeWarning):
    """Several connections use one file, and the linked SQLite can damage it then, if only very rarely."""


def open_database(path: str, settings: Settings, *, create: bool) -> Database:
    """The connection to a file, made anew unless this process has one with the same settings."""
    began = time.monotonic()
    if sqlite3.sqlite_version_info < _OLDEST:
        why = f"The SQLite store needs SQLite 3.37 or newer, and this Python has {sqlite3.sqlite_version}."
        raise StoreFailed(why)
    try:
        with _opening:
            real = os.path.realpath(path)
            exists = _is_file(path, real, create=create)
            if exists and _key(real, settings)[:2] in _inherited:
                why = f"{path} can't be opened here: this process was forked while a thread was using it."
                raise UsedAfterFork(why)
            database = _open.get(_key(real, settings)) if exists else None
            if database is None or not database.join():
                database = _open_anew(path, real, settings, exists=exists, create=create)
                _open[_key(real, settings)] = database
            return database
    except LudologError:
        raise
    except (sqlite3.Error, OSError, ValueError) as error:
        raise translate(error, path, time.monotonic() - began) from error


def _key(real: str, settings: Settings) -> tuple[int, int, Settings]:
    """By the file, not its name: it may have been replaced by another of the same name."""
    found = Path(real).stat()
    return found.st_dev, found.st_ino, settings


def _is_file(path: str, real: str, *, create: bool) -> bool:
    """Whether there is a file to open; False if one may be made."""
    try:
        mode = Path(real).stat().st_mode
    except FileNotFoundError:
        folder = Path(real).parent
        if not folder.is_dir():
            why = f"{path} can't be opened: its folder doesn't exist."
            raise NotAStore(why) from None
        if not create:
            why = f"{path} doesn't exist."
            raise NotAStore(why) from None
        if not os.access(folder, os.W_OK):
            why = f"{path} can't be made: its folder is write-protected."
            raise StoreReadOnly(why) from None
        return False
    except NotADirectoryError:
        why = f"{path} can't be opened: a part of the path is a file, not a folder."
        raise NotAStore(why) from None
    if not stat.S_ISREG(mode):
        why = f"{path} is a folder, not a store." if stat.S_ISDIR(mode) else f"{path} is no ordinary file."
        raise NotAStore(why)
    return True


def _open_anew(path: str, real: str, settings: Settings, *, exists: bool, create: bool) -> Database:
    if exists:
        _examine(path, real, settings)
    if exists and not (os.access(real, os.W_OK) and os.access(Path(real).parent, os.W_OK)):
        return Database(path, settings, _read_only(path, real, settings), None)
    _require_local(path, real, settings)
    connection = settings.connect(f"{Path(real).as_uri()}?mode={'rwc' if create else 'rw'}", settings.busy_timeout)
    presence: Presence | None = None
    try:
        _harden(connection)
        if create:
            make_format(connection, path)
        else:
            _require_format(connection, path)
        presence = Presence(real)
        _set_up(connection, path, settings, alone=presence.alone)
        return Database(path, settings, connection, presence)
    except BaseException:
        let_go(connection, presence)
        raise


def _require_local(path: str, real: str, settings: Settings) -> None:
    """Refuse or warn of a file system where a write-ahead log isn't safe, before anything is written."""
    if settings.network == "allow" or (kind := file_system_of(real)) not in NETWORK:
        return
    why = (
        f"{path} lies on a network file system ({kind}), where SQLite can't keep the users on several machines apart, "
        "and a sync may not reach a disk; use a local disk, or PostgreSQL."
    )
    if settings.network == "refuse":
        raise StoreFailed(why)
    warnings.warn(why, OnNetworkFileSystem, stacklevel=5)


def _examine(path: str, real: str, settings: Settings) -> None:
    """Refuse what isn't a store before anything is written, the files beside it included.

    ``immutable`` looks at the main file alone. Where a crash left a journal, the file by itself may be neither
    whole nor current; then the real opening decides, after SQLite's recovery.
    """
    for last in (False,) * _LOOKS + (True,):
        try:
            _examine_once(path, real, settings)
        except (sqlite3.DatabaseError, CorruptLog, NotAStore) as error:
            suffixes = ("-journal",) if isinstance(error, NotAStore) else ("-journal", "-wal")
            if any(Path(real + suffix).exists() for suffix in suffixes):
                return
            if last:
                raise
            # Another process may have been making the store, and have put its journal away since.
            time.sleep(_A_MOMENT)
        else:
            return


def _examine_once(path: str, real: str, settings: Settings) -> None:
    size = Path(real).stat().st_size
    if size == 0:
        return
    connection = settings.connect(f"{Path(real).as_uri()}?mode=ro&immutable=1", settings.busy_timeout)
    try:
        check_format(connection, path)
        _require_whole_pages(connection, path, size)
    finally:
        connection.close()


def _read_only(path: str, real: str, settings: Settings) -> Connection:
    """A connection that only reads; without a write-ahead log beside the file, SQLite needs nothing else there."""
    still = "" if Path(f"{real}-wal").exists() else "&immutable=1"
    connection = settings.connect(f"{Path(real).as_uri()}?mode=ro{still}", settings.busy_timeout)
    try:
        _harden(connection)
        _require_format(connection, path)
    except BaseException:
        let_go(connection, None)
        raise
    return connection


def _require_whole_pages(connection: Connection, path: str, size: int) -> None:
    """SQLite itself takes a last page that is cut off for one that ends in zeros."""
    if size % connection.execute("PRAGMA page_size").fetchone()[0]:
        why = f"{path} is cut off in the middle of a page"
        raise CorruptLog(why)


def _require_format(connection: Connection, path: str) -> None:
    if not check_format(connection, path):
        why = f"{path} is empty."
        raise NotAStore(why)


def _harden(connection: Connection) -> None:
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")


def _set_up(connection: Connection, path: str, settings: Settings, *, alone: bool) -> None:
    faulty = faulty_when_shared(sqlite3.sqlite_version_info)
    if faulty and not alone and settings.shared != "allow":
        why = (
            f"{path} is in use by another connection, and SQLite {sqlite3.sqlite_version} can, very rarely, damage a "
            "file that is shared; use a Python with SQLite 3.51.3 or newer, or one process."
        )
        if settings.shared == "refuse":
            raise StoreFailed(why)
        warnings.warn(why, SharedUnderFaultySQLite, stacklevel=5)
    _use_write_ahead_log(connection, path, settings.busy_timeout)
    full = settings.durability == "full"
    connection.execute(f"PRAGMA synchronous = {'FULL' if full else 'NORMAL'}")
    connection.execute(f"PRAGMA fullfsync = {'ON' if full else 'OFF'}")
    # 0 where ``Database.tidy`` does it instead.
    connection.execute(f"PRAGMA wal_autocheckpoint = {0 if faulty else settings.checkpoint_every}")
    if alone:
        # After a failed sync the system may show in the write-ahead log what the disk never got. Written into the
        # database file and synced anew, it can be built on.
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()


def _use_write_ahead_log(connection: Connection, path: str, busy_timeout: float) -> None:
    """Switch it on; SQLite doesn't wait by itself here while another process opens the same new file."""
    began = time.monotonic()
    while True:
        try:
            mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        except sqlite3.OperationalError as error:
            waited = time.monotonic() - began
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or waited > busy_timeout:
                raise
            time.sleep(0.005)
            continue
        if mode != "wal":
            why = f"{path} can't have a write-ahead log: its file system has no shared memory for it, or failed."
            raise StoreFailed(why)
        return


# What was open when the fork began, from one hook to the next.
_forking: list[Database] = []


def _before_fork() -> None:
    _opening.acquire()
    _forking[:] = _open.values()
    for database in _forking:
        database.before_fork()


def _after_fork_in_parent() -> None:
    for database in _forking:
        database.after_fork_in_parent()
    _forking.clear()
    _opening.release()


def _after_fork_in_child() -> None:
    for (device, inode, _), database in list(_open.items()):
        if not database.after_fork_in_child():
            _inherited.add((device, inode))
    _forking.clear()
    _opening.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork_in_parent, after_in_child=_after_fork_in_child)
