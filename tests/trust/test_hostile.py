"""Everything that reads, under input that was made to hurt: only our errors, bounded memory, no hang, no import."""

import importlib
import os
import sys
import time
from random import Random

import pytest

from ludolog.errors import MalformedCommand, Refusal
from ludolog.testing import hostile as kit
from ludolog.testing.hostile import Figures, hostile, try_readers
from ludolog.testing.hostile_inputs import PLANTED, json_value, msgpack_value
from ludolog.testing.hostile_readers import Reader

CASES = 1_000_000 if os.environ.get("LUDOLOG_NIGHTLY") else 1500
SEED = int(time.time()) if os.environ.get("LUDOLOG_NIGHTLY") else 6


@pytest.fixture(scope="module")
def figures():
    return hostile(CASES, seed=SEED)


def test_only_our_errors(figures):
    """S34: duplicate keys, padded integers, trailing bytes, nesting, lengths of 4 GB, wrong UTF-8, NUL, NaN, digits."""
    assert figures.faults == [], f"seed {SEED}"
    assert figures.cases == CASES


def test_time_and_memory_are_bounded(figures):
    """S34: the length that a header names is not what is allocated."""
    assert figures.slowest < 5, figures.slowest_reader
    assert figures.memory < 300


def test_every_reader_had_its_turn(figures):
    """And most of what it read was refused, or the input would not have been hostile."""
    assert len({*figures.accepted, *figures.refused}) >= 30
    assert sum(figures.refused.values()) > CASES / 2


@pytest.mark.parametrize("value", [msgpack_value, json_value])
def test_the_worst_is_among_it(value):
    made = [value(Random(number)) for number in range(600)]
    assert max(map(len, made)) >= 100_000
    assert len(set(made)) > 200


# ------------------------------------------------------------ the watch itself


def watched(read):
    figures = Figures()
    reader = Reader("planted", 1, lambda rng: rng.random(), read)
    try_readers([reader], range(1), 0, figures)
    return figures


def test_a_foreign_error_is_a_fault():
    """F41."""
    (fault,) = watched(lambda _: {}["x"]).faults
    assert "case 0 (planted): KeyError at test_hostile.py" in fault


def test_an_error_of_ours_is_none():
    def refuse(_):
        raise MalformedCommand(Refusal(code="x", sentence="y"))

    figures = watched(refuse)
    assert (figures.faults, figures.errors) == ([], {"malformed-command": 1})


def test_a_hang_is_a_fault(monkeypatch):
    """F41."""
    monkeypatch.setattr(kit, "SECONDS", 0.1)

    def hang(_):
        while True:
            pass

    assert "HungError" in watched(hang).faults[0]


def test_memory_without_end_is_a_fault(monkeypatch):
    """F41."""
    monkeypatch.setattr(kit, "MEMORY", 200 * 1024 * 1024)
    assert "MemoryError" in watched(lambda _: bytes(400 * 1024 * 1024)).faults[0]


def test_an_import_by_data_is_a_fault(tmp_path, monkeypatch):
    """F41."""
    (tmp_path / f"{PLANTED}.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, PLANTED, raising=False)
    assert watched(lambda _: importlib.import_module(PLANTED)).faults == [f"case 0 (planted): imports {PLANTED}"]
    assert watched(lambda _: importlib.import_module("json")).faults == []
