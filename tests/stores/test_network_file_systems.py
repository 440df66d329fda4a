"""A SQLite file that lies on a network file system: by policy a refusal, a warning or nothing."""

from __future__ import annotations

import warnings

import pytest

from ludolog.errors import BadOptions, StoreFailed
from ludolog.testing.stores import batch, check_log
from ludolog_plugins.stores import _mounts, _opening, sqlite
from ludolog_plugins.stores.sqlite import OnNetworkFileSystem, SqliteStore

MOUNTS = """\
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/root rw
30 22 0:26 / /proc rw,nosuid - proc proc rw
41 22 0:33 / /home rw,relatime shared:9 - nfs4 server:/home rw,vers=4.2
42 41 0:34 / /home/ann/my\\040games rw - ext4 /dev/sdb1 rw
43 22 0:35 / /mnt/share rw - cifs //server/share rw
44 22 0:36 / /mnt/twice rw - ext4 /dev/sdc1 rw
45 44 0:37 / /mnt/twice rw - fuse.sshfs server:/x rw
a line that is none
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/games.db", "ext4"),
        ("/home", "nfs4"),
        ("/home/ann/games.db", "nfs4"),
        ("/homes/games.db", "ext4"),
        ("/home/ann/my games/games.db", "ext4"),
        ("/mnt/share/a/b/games.db", "cifs"),
        ("/mnt/twice/games.db", "fuse.sshfs"),
    ],
)
def test_the_innermost_mount_counts(path, kind):
    assert _mounts.kind_in(MOUNTS, path) == kind


def test_without_a_table_of_mounts_nothing_is_said(tmp_path, monkeypatch):
    assert _mounts.kind_in("", "/games.db") == ""
    monkeypatch.setattr(_mounts, "MOUNTS", tmp_path / "nowhere")
    assert _mounts.file_system_of(str(tmp_path)) == ""


def test_the_table_of_this_machine_is_read(tmp_path):
    if not _mounts.MOUNTS.exists():
        pytest.skip("it is Linux that has one")
    assert _mounts.file_system_of(str(tmp_path))


@pytest.fixture
def on(monkeypatch):
    """Lets every file lie on some kind of file system."""
    return lambda kind: monkeypatch.setattr(_opening, "file_system_of", lambda path: kind)


@pytest.mark.parametrize("kind", ["nfs", "nfs4", "cifs", "smb3", "fuse.sshfs"])
def test_it_is_refused_before_anything_is_written(tmp_path, on, kind):
    on(kind)
    for options in ({}, {"network": "refuse"}):
        with pytest.raises(StoreFailed, match=rf"games\.db lies on a network file system \({kind}\), .* PostgreSQL\.$"):
            SqliteStore(tmp_path / "games.db", **options)
    assert list(tmp_path.iterdir()) == []


def test_it_is_warned_of_or_allowed(tmp_path, on):
    on("nfs4")
    path = tmp_path / "games.db"
    with pytest.warns(OnNetworkFileSystem, match=r"games\.db lies on a network file system") as caught:
        SqliteStore(path, network="warn").close()
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with SqliteStore(path, network="allow") as store:
            store.create("t", [batch(0)], seed=b"s" * 32)
        sqlite.open_spec(f"sqlite://{path}?network=allow").close()


@pytest.mark.parametrize("kind", ["ext4", "btrfs", "tmpfs", "overlay", "virtiofs", "9p", ""])
def test_a_local_one_is_fine(tmp_path, on, kind):
    on(kind)
    SqliteStore(tmp_path / "games.db").close()


def test_a_store_that_is_only_read_is_fine(tmp_path, on, monkeypatch):
    """Nobody can write what lies on a write-protected place, so there is nothing to keep apart."""
    with SqliteStore(tmp_path / "games.db") as store:
        store.create("t", [batch(0)], seed=b"s" * 32)
    on("nfs")
    monkeypatch.setattr(_opening.os, "access", lambda path, mode: False)
    with SqliteStore(tmp_path / "games.db") as store:
        assert len(check_log(store)) == 1


def test_a_policy_that_does_not_exist(tmp_path):
    with pytest.raises(BadOptions, match="network='maybe' isn't one of warn, refuse, allow"):
        SqliteStore(tmp_path / "games.db", network="maybe")
