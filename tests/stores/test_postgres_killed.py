"""A PostgreSQL server that is killed while writers append: what became of each append can be told, and is one batch."""

from __future__ import annotations

import itertools
import os
import tempfile
import time
from pathlib import Path

import pytest

from ludolog import Receipt, open_table
from ludolog.errors import DuplicateCommand, StoreBusy, StoreError, StoreFailed, VersionConflict
from ludolog.opening import table_from
from ludolog.testing.faults import Child
from ludolog.testing.stores import batch, check_log
from ludolog_plugins.stores.postgres import PostgresStore
from stores.postgres_server import PostgresServer, schema_of
from toys.walk import STEPS, ruleset

SEED = b"s" * 32
NIGHTLY = 10 if os.environ.get("LUDOLOG_NIGHTLY") else 1


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server of our own, to be killed."""
    with tempfile.TemporaryDirectory(prefix="ludolog-pg-") as folder:
        server = PostgresServer(Path(folder))
        server.start()
        yield server
        server.stop(3)


def play_until_told(table, command_id, step, report):
    """Play one step, again and again under the same id, until there is a receipt."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            receipt = table.play("ann", step, command_id=command_id)
        except StoreError:
            time.sleep(0.02)
        else:
            report(f"{command_id} {receipt.length} {receipt.head}")
            return
    why = "the server never came back"
    raise AssertionError(why)


def settle(store, table, command_id, report):
    """Append one batch, whatever happens to the server; told once it is known to be stored."""
    deadline = time.monotonic() + 60
    unknown = False
    while time.monotonic() < deadline:
        try:
            earlier = store.find(table, command_id) if unknown else None
            if earlier is None:
                length = store.head(table).length
                store.append(table, length, [batch(length, command_id, table=table)])
        except (VersionConflict, StoreBusy):
            continue
        except DuplicateCommand:  # It came to be stored between the question and the second try.
            earlier = store.find(table, command_id) if unknown else None
            assert earlier is not None
        except StoreFailed as error:
            unknown = unknown or "unknown" in str(error)
            time.sleep(0.02)
            continue
        report(f"{command_id} {'settled' if unknown else 'stored'}")
        time.sleep(0.01)
        return
    why = "the server never came back"
    raise AssertionError(why)


def test_a_server_is_killed_three_times_under_load(server, tmp_path):
    """S1, S3: what became of an append is settled by its command id; nothing is lost or doubled, audits are clean."""
    name = schema_of(tmp_path)
    appends, steps = 60 * NIGHTLY, 40 * NIGHTLY

    def write(report):
        with PostgresStore(server.url, schema=name, busy_timeout=2) as mine:
            for n in range(appends):
                settle(mine, "t", f"{report.name}-{n}", report)

    def play(report):
        with PostgresStore(server.url, schema=name, busy_timeout=2) as mine:
            table = open_table("walk", store=mine, ruleset=ruleset())
            for n in range(steps):
                play_until_told(table, f"step-{n}", STEPS[n % 3], report)

    with PostgresStore(server.url, schema=name) as store:
        store.create("t", [batch(0)], seed=SEED)
        first = table_from(ruleset(), ("ann",), store=store, seed=1, id="walk").length
    writers = [Child(write, name=f"w{n}") for n in range(3)] + [Child(play, name="player")]
    ways = itertools.cycle((server.kill, lambda: server.stop(3), server.kill_session))
    reports = {writer.name: [] for writer in writers}
    for way in itertools.islice(ways, 3 * NIGHTLY):
        for writer in writers:
            reports[writer.name] += [writer.line() for _ in range(5)]
        way()
        server.start()
    for writer in writers:
        rest = writer.finish()
        assert rest, "the server was killed when the writer had ended"
        reports[writer.name] += rest

    with PostgresStore(server.url, schema=name) as store:
        ids = [stored.command_id for stored in check_log(store)[1:]]
        assert sorted(ids) == sorted(f"w{w}-{n}" for w in range(3) for n in range(appends))
        for n in range(3):  # What a writer did in turn stands in turn.
            assert [i for i in ids if i.startswith(f"w{n}-")] == [line.split()[0] for line in reports[f"w{n}"]]
        assert {appended.stored for appended in store.feed("", 10**6) if appended.table == "t"} == set(store.read("t"))
        told = [line.split() for line in reports["player"]]
        assert [name for name, _, _ in told] == [f"step-{n}" for n in range(steps)]
        table = open_table("walk", store=store, ruleset=ruleset())
        assert table.length == first + steps
        assert table.audit(
            receipts=[Receipt(table="walk", length=int(length), head=head) for _, length, head in told]
        ).ok
