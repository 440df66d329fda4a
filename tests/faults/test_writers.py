"""S4, S12: many processes append at once; none is lost, doubled or skipped, and every conflict is typed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time

import pytest

from ludolog.errors import StoreBusy
from ludolog.testing.writers import write_at_once
from ludolog_plugins.stores.sqlite import SqliteStore
from stores.postgres_server import store_in

NIGHTLY = bool(os.environ.get("LUDOLOG_NIGHTLY"))
APPENDS = 5000 if NIGHTLY else 25

# A line for each store and way to use it: opens the store that lives in a folder.
STORES = {
    "sqlite full": lambda folder: SqliteStore(folder / "s.db", shared="allow", busy_timeout=60),
    "sqlite normal": lambda folder: SqliteStore(folder / "s.db", shared="allow", busy_timeout=60, durability="normal"),
    "postgres full": lambda folder: store_in(folder, busy_timeout=60),
    "postgres normal": lambda folder: store_in(folder, busy_timeout=60, durability="normal"),
}


@pytest.fixture(params=STORES)
def opener(request, tmp_path):
    return lambda: STORES[request.param](tmp_path)


@pytest.mark.parametrize("tables", [1, 32])
def test_eight_processes(opener, tables):
    figures = write_at_once(opener, processes=8, appends=APPENDS, tables=tables)
    assert figures.faults == ()
    assert figures.repeats == 8 * len(range(0, APPENDS, 10))
    assert (figures.processes, figures.appends, figures.tables) == (8, APPENDS, tables)


def test_a_busy_store_says_so(tmp_path):
    """S13: without a time-out the error is StoreBusy, and trying again settles it."""

    def opener():
        while True:
            try:
                return SqliteStore(tmp_path / "s.db", shared="allow", busy_timeout=0)
            except StoreBusy:
                time.sleep(0.001)

    figures = write_at_once(opener, processes=4, appends=40)
    assert figures.faults == ()
    assert figures.busy > 0


# ---------------------------------------------------------------- the harness finds what is wrong


class Losing(SqliteStore):
    """Acknowledges an append that it doesn't write."""

    def append(self, table, expected, batches):
        if batches[0].command_id != "1-3":
            super().append(table, expected, batches)


class Doubling(SqliteStore):
    """Writes what is sent again a second time."""

    def append(self, table, expected, batches):
        length = self.head(table).length
        if length > expected and batches[0].command_id == "0-0":
            super().append(table, length, [batches[0]._replace(number=length, command_id=None)])
        else:
            super().append(table, expected, batches)


class Silent(SqliteStore):
    """Takes no notice of command ids."""

    def append(self, table, expected, batches):
        super().append(table, expected, [batch._replace(command_id=None) for batch in batches])


class Foreign(SqliteStore):
    """Raises what is no error of ours."""

    def append(self, table, expected, batches):
        raise KeyError(table)


@pytest.mark.parametrize(
    ("store", "told"),
    [
        (Losing, "1-3 was acknowledged as batch"),
        (Doubling, "8 were sent, and 9 acknowledged|0-0 was acknowledged|isn't what was sent"),
        (Silent, "isn't what was sent"),
    ],
)
def test_a_store_that_breaks_a_promise_is_found_out(tmp_path, store, told):
    """F41: the check itself is run against planted faults."""
    figures = write_at_once(lambda: store(tmp_path / "s.db", shared="allow"), processes=2, appends=4)
    assert any(re.search(told, fault) for fault in figures.faults), figures.faults
    assert "faults" in str(figures)


def test_a_foreign_error_is_found_out(tmp_path):
    """F41"""
    with pytest.raises(AssertionError, match="KeyError"):
        write_at_once(lambda: Foreign(tmp_path / "s.db", shared="allow"), processes=2, appends=4)


# ---------------------------------------------------------------- the command


def test_the_command_prints_the_figures(tmp_path):
    command = [sys.executable, "-m", "ludolog.testing", "writers", "--processes", "2", "--appends", "5"]
    spec = f"sqlite://{tmp_path / 's.db'}?shared=allow&durability=normal"
    done = subprocess.run([*command, "--tables", "3", "--store", spec], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("2 processes x 5 appends to 3 tables: none lost, doubled or skipped; ")
    with SqliteStore(tmp_path / "s.db") as store:
        assert sum(store.head(table).length for table in store.tables()) == 3 + 2 * 5
    done = subprocess.run([*command, "--store", "nowhere://"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "No installed plugin has a store for 'nowhere'.\n"
