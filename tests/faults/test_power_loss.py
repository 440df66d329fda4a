"""S21: the power goes at any moment; what was synced is there, of the rest any sectors may be."""

from __future__ import annotations

import os
import random

import pytest

from ludolog.testing.stores import batch
from ludolog_plugins.stores import _database, _opening
from ludolog_plugins.stores.sqlite import SqliteStore
from ludolog_plugins.stores.trial import ON_TRIAL

power = pytest.importorskip("ludolog.testing.power")
faulty_disk = pytest.importorskip("ludolog.testing.faulty_disk")

SEED = b"s" * 32
NIGHTLY = bool(os.environ.get("LUDOLOG_NIGHTLY"))
IMAGES = 10_000 if NIGHTLY else 100
SAMPLE = random.SystemRandom().randrange(2**32) if NIGHTLY else 21
"""Other cuts each night."""


@pytest.fixture(autouse=True)
def faulty(monkeypatch):
    """Checkpoints of the store's own, under every SQLite."""
    for module in (_database, _opening):
        monkeypatch.setattr(module, "faulty_when_shared", lambda version: True)


@pytest.mark.parametrize("durability", ["full", "normal"])
def test_after_a_power_cut(tmp_path, durability):
    """FULL loses nothing that was acknowledged; NORMAL leaves a prefix; neither damages the file."""
    cuts = power.cut_power(ON_TRIAL, tmp_path / "cuts", IMAGES, durability=durability, seed=SAMPLE)
    assert cuts.faults == (), f"sample {SAMPLE}"
    assert cuts.images == IMAGES
    assert (cuts.lost == 0) is (durability == "full")


def without_sync(path, *, durability="full", connect=None):
    store = ON_TRIAL.open(path, durability=durability, connect=connect)
    if connect is not None:
        store._database.run(lambda connection: connection.execute("PRAGMA synchronous = OFF"))
    return store


def test_a_store_that_does_not_sync_is_found_out(tmp_path):
    """F41: without any sync, the same images lose what was acknowledged; so the test above can fail."""
    cuts = power.cut_power(ON_TRIAL._replace(open=without_sync), tmp_path / "cuts", 30, durability="full")
    assert any("are lost" in fault for fault in cuts.faults)


def test_the_disk_is_as_bad_as_it_says(tmp_path):
    """F41: what was never synced may be gone altogether."""
    disk = faulty_disk.Disk()
    path = tmp_path / "games.db"
    with SqliteStore(path, connect=disk.connect) as store:
        store._database.run(lambda connection: connection.execute("PRAGMA synchronous = OFF"))
        store.create("t", [batch(0)], seed=SEED)
        for number in range(1, 30):
            store.append("t", number, [batch(number)])
        (tmp_path / "image").mkdir()
        disk.lose_power(at=len(disk.record), into=tmp_path / "image", chance=random.Random(4))
    with SqliteStore(tmp_path / "image" / "games.db") as store:
        assert store.tables() == ()
