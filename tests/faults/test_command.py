"""The command that prints the figures of all faults."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytest.importorskip("apsw")


def run(*arguments):
    command = [sys.executable, "-m", "ludolog.testing", "faults", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_figures_are_printed():
    done = run("--kills", "0", "--images", "6", "--every-io", "--stride", "500", "--game", "tic-tac-toe")
    assert (done.returncode, done.stderr) == (0, "")
    full, normal, *failures = done.stdout.splitlines()
    assert full.startswith("3 images after a power cut, durability full: each opens, is whole")
    assert normal.startswith("3 images after a power cut, durability normal: ")
    assert len(failures) == 8
    assert all("scripts of 50 commands" in line and "only our errors" in line for line in failures)


def test_a_store_that_breaks_its_promise_is_told(tmp_path):
    """F41"""
    (tmp_path / "planted.py").write_text(
        "from ludolog_plugins.stores.trial import ON_TRIAL\n"
        "def unsynced(path, *, durability='full', connect=None):\n"
        "    store = ON_TRIAL.open(path, durability=durability, connect=connect)\n"
        "    store._database.run(lambda connection: connection.execute('PRAGMA synchronous = OFF'))\n"
        "    return store\n"
        "PLANTED = ON_TRIAL._replace(open=unsynced)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "ludolog.testing", "faults", "--kills=0", "--images=40", "--store=planted:PLANTED"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 1
    assert "acknowledged batches are lost" in done.stdout


def test_what_is_missing_is_said_in_a_sentence(tmp_path):
    """Neither apsw nor the store that shall be tried has to be there."""
    (tmp_path / "apsw.py").write_text("raise ModuleNotFoundError('No module named apsw', name='apsw')")
    for store, said in (("nowhere:IT", "nowhere"), ("ludolog_plugins.stores.trial:ON_TRIAL", "ludolog[testing]")):
        done = subprocess.run(
            [sys.executable, "-m", "ludolog.testing", "faults", "--kills=0", "--images=2", f"--store={store}"],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
        )
        assert done.returncode == 2
        assert said in done.stderr
        assert "Traceback" not in done.stderr
