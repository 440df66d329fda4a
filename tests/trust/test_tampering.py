"""Mutants of logs, files and bundles: none passes where a receipt is held; what passes without is documented."""

import os
import time
from pathlib import Path

import pytest

from ludolog.errors import CorruptLog
from ludolog.testing import tampering
from ludolog.testing.specimens import specimens
from ludolog.testing.tampered_logs import chained, changed, row_of
from ludolog.testing.tampering import NOT_PROVABLE, TARGETS, tamper, verifier_in
from ludolog.verifying import verify_table

VERIFIER = Path(__file__).parents[2] / "docs" / "verifier.py"
MUTANTS = 200_000 if os.environ.get("LUDOLOG_NIGHTLY") else 400
SEED = int(time.time()) if os.environ.get("LUDOLOG_NIGHTLY") else 6


@pytest.fixture(scope="module")
def ledger():
    return tamper(MUTANTS, seed=SEED, second=verifier_in(str(VERIFIER)))


def test_no_mutant_passes_where_a_receipt_is_held(ledger):
    """S17, S37: nor is there any error but the library's, nor a position that the log doesn't give.

    The verifier of bundles that is a file of its own says of each the same as the library.
    """
    assert ledger.faults == [], f"seed {SEED}"
    assert ledger.total.undetected == 0
    assert ledger.total.mutants == MUTANTS


@pytest.mark.parametrize("target", TARGETS)
def test_what_passes_without_a_receipt_is_what_is_documented(ledger, target):
    """S37: a chain that somebody rebuilt and a tail that was cut are found with a receipt only, and the docs say so."""
    passed = set(ledger.passed[target])
    assert passed <= NOT_PROVABLE[target]
    for name in NOT_PROVABLE[target] - passed:  # few mutants of this kind pass; look for one
        tries = (tamper(16, seed=SEED, first=first, only=(target, name)) for first in range(0, 480, 16))
        assert any(name in found.passed[target] for found in tries), name


def test_a_mutant_without_effect_is_no_mutant_that_was_found(ledger):
    """S17, S25: a free page, a damaged snapshot: the log and its position are the same."""
    entry = ledger.entries["log", "snapshot damaged"]
    assert entry.without_effect == entry.mutants > 0
    assert ledger.entries["database file", "bit flipped"].without_effect > 0
    assert ledger.entries["log", "bit flipped"].without_effect == 0


def test_a_mutant_is_made_again_from_its_number():
    whole, one = tamper(40, seed=3), tamper(1, seed=3, first=37)
    ((way, entry),) = one.entries.items()
    assert whole.entries[way] == entry


def test_an_error_from_elsewhere_is_found_out(monkeypatch):
    """F41: an error that is none of the library's is told with the mutant's number."""

    def verify(_table, _store, _receipts):
        raise KeyError

    monkeypatch.setattr(tampering, "verify_table", verify)
    assert tamper(1).faults == ["mutant 0 (log: bit flipped): uncaught KeyError: "]


def test_receipts_that_are_passed_over_are_found_out(monkeypatch):
    """F41: who compares no receipt lets cut tails through, and the ledger says so."""
    sound = tampering._finder
    monkeypatch.setattr(
        tampering, "_finder", lambda log, store, _receipts, *, installed: sound(log, store, (), installed=installed)
    )
    ledger = tamper(12)
    assert ledger.total.undetected > 0
    assert any("(log: tail cut): undetected although" in fault for fault in ledger.faults)


def test_what_is_new_under_an_old_name_is_found_out(monkeypatch):
    """F41: a forgery that passes and isn't documented is a fault."""
    monkeypatch.setattr(tampering, "NOT_PROVABLE", {target: frozenset() for target in TARGETS})
    assert any("not documented" in fault for fault in tamper(12).faults)


def test_a_receipt_says_nothing_of_what_comes_after_it():
    """Somebody who can write the store can append; the rules say whether it was played."""
    _, log, *_ = specimens("dark-horse-bugs")
    number = len(log.rows)
    more = changed(log.rows[-1].payload, number=number, previous=log.rows[-1].head, command_id=None)
    store = log.store()
    store.append(log.table, number, (row_of(more)._replace(number=number),))
    assert verify_table(log.table, store, (log.receipt,)).length == number + 1
    assert tampering._finder(log, store, (log.receipt,), installed=False) in {"open", "audit, question 3"}
    with pytest.raises(CorruptLog, match="tail is missing"):
        verify_table(log.table, log.store(), (verify_table(log.table, store),))


def test_only_the_host_opens_and_begins():
    """A chain rebuilt so that a seat did it is not what the rules give."""
    for number in (0, 1):
        _, log, *_ = specimens("dark-horse-bugs")
        rows = list(log.rows)
        rows[number] = row_of(changed(rows[number].payload, seat="ann"))
        store = log._replace(
            rows=tuple(row._replace(number=at) for at, row in enumerate(chained(rows, number)))
        ).store()
        assert tampering._finder(log, store, (), installed=False) == "audit, question 3"


def test_verifiers_that_disagree_are_found_out():
    """F41: the two verifiers of bundles are really compared."""
    ledger = tamper(8, only=("bundle of a game that is over", "bit flipped"), second=lambda _lines, _receipts: True)
    assert sum("second verifier finds it whole" in fault for fault in ledger.faults) == 8
