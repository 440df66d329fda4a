"""S20: the k-th input or output fails, once or for good, on a full disk or a broken one."""

from __future__ import annotations

import os

import pytest

from ludolog.errors import CorruptLog, DuplicateCommand, LudologError, StoreFailed
from ludolog.testing.stores import batch, check_log
from ludolog_plugins.stores import _database
from ludolog_plugins.stores.sqlite import SqliteStore

apsw = pytest.importorskip("apsw")
faulty_disk = pytest.importorskip("ludolog.testing.faulty_disk")

# Where SQLite makes do without an input or output that failed, apsw has nobody to raise the error to.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

SEED = b"s" * 32
COMMANDS = 50
STRIDE = 1 if os.environ.get("LUDOLOG_NIGHTLY") else 25
CODES = {
    "full": apsw.SQLITE_FULL,
    "write": apsw.SQLITE_IOERR_WRITE,
    "sync": apsw.SQLITE_IOERR_FSYNC,
    "read": apsw.SQLITE_IOERR_READ,
}


class Player:
    """An app that plays a script, notes what it was told, and opens the store anew when it must."""

    def __init__(self, path, disk):
        self.path = path
        self.disk = disk
        self.acknowledged = 0
        self.errors = []

    def play(self):
        """True if all went well."""
        try:
            with SqliteStore(self.path, connect=self.disk.connect) as store:
                for number in range(COMMANDS):
                    if number == 0:
                        store.create("t", [batch(0, "c0")], seed=SEED)
                    else:
                        store.append("t", number, [batch(number, f"c{number}")])
                    self.acknowledged = number + 1
                    if number % 20 == 10:
                        store.keep_snapshot("t", number, b"position" * 1000)
                list(store.payloads("t"))
        except LudologError as error:
            self.errors.append(error)
            return False
        return True


@pytest.fixture
def play(tmp_path, monkeypatch):
    monkeypatch.setattr(_database, "CHECKPOINT_EVERY", 20)
    monkeypatch.setattr(_database, "faulty_when_shared", lambda version: True)
    folders = iter(range(10**6))

    def play(failure):
        folder = tmp_path / str(next(folders))
        folder.mkdir()
        player = Player(folder / "games.db", faulty_disk.Disk())
        player.disk.fail(failure)
        player.well = player.play()
        player.reached = player.disk.count
        player.disk.fail(None)
        return player

    return play


def verify(player):
    """Opened on a sound disk: all that was acknowledged is there, and the retry of the next settles it."""
    with SqliteStore(player.path, durability="normal") as store:
        if not store.tables():
            assert player.acknowledged == 0
            return
        length = len(check_log(store))
        assert player.acknowledged <= length <= player.acknowledged + 1
        if 0 < player.acknowledged < COMMANDS:
            retry = [batch(player.acknowledged, f"c{player.acknowledged}")]
            try:
                store.append("t", player.acknowledged, retry)
            except DuplicateCommand:
                assert length == player.acknowledged + 1
            assert len(check_log(store)) == player.acknowledged + 1


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "lasting"])
@pytest.mark.parametrize("code", CODES)
def test_the_kth_failure(play, code, lasting):
    """Only errors of ours come out, for every k until the script passes; afterwards the log is whole."""
    failed = 0
    k = 1 + list(CODES).index(code)  # not every kind of failure at the same places
    while True:
        player = play(faulty_disk.Failure(k, CODES[code], lasting))
        verify(player)
        failed += not player.well
        assert all(isinstance(error, StoreFailed | CorruptLog) for error in player.errors), player.errors
        if player.reached < k:
            break
        k += STRIDE
    assert player.well
    assert player.acknowledged == COMMANDS
    assert failed * STRIDE > 100


def test_nothing_is_tried_again_after_a_failed_sync(tmp_path):
    """S20: a sync that failed once may seem to succeed the second time; the store refuses until it is opened anew."""
    disk = faulty_disk.Disk()
    path = tmp_path / "games.db"
    store = SqliteStore(path, connect=disk.connect)
    store.create("t", [batch(0)], seed=SEED)
    disk.fail(faulty_disk.Failure(1, apsw.SQLITE_IOERR_FSYNC, lasting=True, kind="sync"))
    with pytest.raises(StoreFailed, match=r"games\.db could not be read or written"):
        store.append("t", 1, [batch(1, "c1")])
    disk.fail(None)
    before = len(disk.record)
    for call in (
        lambda: store.append("t", 1, [batch(1, "c1")]),
        lambda: store.head("t"),
        lambda: store.find("t", "c1"),
    ):
        with pytest.raises(StoreFailed, match="open it anew"):
            call()
    assert len(disk.record) == before
    store.close()
    with SqliteStore(path, connect=disk.connect) as again:
        log = check_log(again)
        assert len(log) in (1, 2)
        if len(log) == 1:
            again.append("t", 1, [batch(1, "c1")])
        assert again.find("t", "c1") == batch(1, "c1")


def test_a_full_disk_that_has_room_again(tmp_path):
    """Nothing is lost by it, reading goes on, and the same store goes on writing later."""
    disk = faulty_disk.Disk()
    with SqliteStore(tmp_path / "games.db", connect=disk.connect) as store:
        store.create("t", [batch(0)], seed=SEED)
        disk.fail(faulty_disk.Failure(1, apsw.SQLITE_FULL, lasting=True))
        for _ in range(3):
            with pytest.raises(StoreFailed, match=r"games\.db can't grow: the disk is full"):
                store.append("t", 1, [batch(1)])
        disk.fail(None)
        assert len(check_log(store)) == 1
        store.append("t", 1, [batch(1)])
        assert len(check_log(store)) == 2
