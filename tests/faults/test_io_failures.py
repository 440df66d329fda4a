"""S20: the k-th input or output fails, once or for good, on a full disk or a broken one."""

from __future__ import annotations

import os

import pytest

from ludolog.errors import StoreFailed
from ludolog.testing.stores import batch, check_log
from ludolog_plugins.stores import _database, _opening
from ludolog_plugins.stores.sqlite import SqliteStore
from ludolog_plugins.stores.trial import ON_TRIAL

apsw = pytest.importorskip("apsw")
failing = pytest.importorskip("ludolog.testing.failing")
faulty_disk = pytest.importorskip("ludolog.testing.faulty_disk")

# Where SQLite makes do without an input or output that failed, apsw has nobody to raise the error to.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

SEED = b"s" * 32
STRIDE = 1 if os.environ.get("LUDOLOG_NIGHTLY") else 25


@pytest.fixture(autouse=True)
def faulty(monkeypatch):
    """Checkpoints of the store's own, under every SQLite."""
    for module in (_database, _opening):
        monkeypatch.setattr(module, "faulty_when_shared", lambda version: True)


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "lasting"])
@pytest.mark.parametrize("kind", failing.KINDS)
def test_the_kth_failure(tmp_path, kind, lasting):
    """Only errors of ours come out, for every k until the script passes; afterwards the log is whole."""
    first = 1 + list(failing.KINDS).index(kind)  # not every kind of failure at the same places
    found = failing.fail_each(ON_TRIAL, tmp_path, kind, lasting=lasting, stride=STRIDE, first=first)
    assert found.faults == ()
    assert found.operations > 300
    assert found.failed * STRIDE > 100


class Leaky(SqliteStore):
    """Lets a foreign error out."""

    def append(self, table, expected, batches):
        try:
            super().append(table, expected, batches)
        except StoreFailed as error:
            raise OSError(str(error)) from None


def test_a_foreign_error_is_found_out(tmp_path):
    """F41: the check itself is run against a planted fault."""

    def leaky(path, *, durability="full", connect=None):
        options = {} if connect is None else {"connect": connect}
        return Leaky(path, durability=durability, **options)

    on_trial = ON_TRIAL._replace(open=leaky)
    found = failing.fail_each(on_trial, tmp_path, "write", lasting=True, stride=50)
    assert any("OSError" in fault for fault in found.faults)


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
