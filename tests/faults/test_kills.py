"""S1, F26: kill -9 at each named point and at random moments; the retry by command id settles what became of it."""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from ludolog.testing import killing
from ludolog.testing.on_trial import Point
from ludolog_plugins.stores import _database, _opening, trial
from ludolog_plugins.stores.sqlite import SqliteStore
from ludolog_plugins.stores.trial import ON_TRIAL

NIGHTLY = bool(os.environ.get("LUDOLOG_NIGHTLY"))
KILLS = 10_000 if NIGHTLY else 60
STRIDE = 1 if NIGHTLY else 12
GAME = "tic-tac-toe"
SAMPLE = random.SystemRandom().randrange(2**32) if NIGHTLY else 1
"""Other moments each night."""


@pytest.fixture(autouse=True)
def faulty(monkeypatch):
    """Checkpoints of the store's own, under every SQLite."""
    for module in (_database, _opening):
        monkeypatch.setattr(module, "faulty_when_shared", lambda version: True)


def places(killed):
    """Where there were kills, after none of which something was wrong."""
    found = list(killed)
    assert [fault for _, _, fault in found if fault] == [], f"sample {SAMPLE}"
    return Counter(place for place, _, _ in found)


def test_killed_at_named_points(tmp_path):
    on_trial = ON_TRIAL._replace(points={**ON_TRIAL.points, **trial.CHECKPOINTS})
    found = places(killing.at_named_points(on_trial, tmp_path))
    assert found == {name: 1 if point.once else 3 for name, point in on_trial.points.items()}


def test_killed_in_the_middle_of_a_checkpoint(tmp_path):
    """At writes into the database file, in turn."""
    pytest.importorskip("apsw")
    turns = 29 if NIGHTLY else 10
    assert places(killing.in_checkpoints(ON_TRIAL, tmp_path, turns)) == {"in a checkpoint": turns}


def test_killed_in_exports_imports_and_backups(tmp_path):
    """Nothing is half done under its name, and doing it again works."""
    found = places(killing.in_every_step(ON_TRIAL, tmp_path, GAME, STRIDE))
    assert set(found) == {"in an export", "in an import", "in a backup"}
    assert min(found.values()) * STRIDE > 20


def test_killed_at_random_moments(tmp_path):
    """The same file is killed again and again, also while it recovers from the kill before."""
    found = list(killing.at_random_moments(ON_TRIAL, tmp_path / "random", KILLS, random.Random(SAMPLE)))
    assert places(found) == {"at a random moment": KILLS}
    assert sum(acknowledged for _, acknowledged, _ in found) > KILLS / 2


# ---------------------------------------------------------------- the harness finds what is wrong


class Lazy(SqliteStore):
    """Acknowledges appends before it writes them, ten at a time."""

    def append(self, table, expected, batches):
        waiting = self.__dict__.setdefault("waiting", [])
        waiting.extend(batches)
        if len(waiting) >= 10:
            super().append(table, waiting[0].number, waiting)
            waiting.clear()

    def keep_snapshot(self, table, number, payload):
        """None."""


def lazy(path, *, durability="full", connect=None):
    options = {} if connect is None else {"connect": connect}
    return Lazy(path, durability=durability, shared="allow", **options)


def test_a_store_that_acknowledges_too_early_is_found_out(tmp_path):
    """F41: the check itself is run against a planted fault."""
    on_trial = ON_TRIAL._replace(open=lazy)
    found = list(killing.at_random_moments(on_trial, tmp_path / "random", 10, random.Random(1)))
    assert any("AssertionError" in fault for _, _, fault in found)


def test_a_file_that_is_written_in_place_is_found_out(tmp_path, monkeypatch):
    """F41: so is an export whose file can be half there."""

    def in_place(path, lines):
        with path.open("wb", buffering=0) as file:
            file.writelines(lines)

    monkeypatch.setattr(killing, "write_lines", in_place)
    found = list(killing.in_every_step(ON_TRIAL._replace(backup=None), tmp_path, GAME, 5))
    assert any("in an export, step" in fault for _, _, fault in found)
    assert not any("in an import" in fault for _, _, fault in found)


def test_a_point_that_is_never_passed_is_told(tmp_path):
    """F41: nor does a misspelt statement count as a kill."""
    on_trial = ON_TRIAL._replace(points={"nowhere": Point("after", "SELECT nothing", once=True)})
    assert [fault for _, _, fault in killing.at_named_points(on_trial, tmp_path)] == ["nowhere: never passed"]
