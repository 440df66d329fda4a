"""Reads one whole log in one way, and prints how much memory the process needed at most, in kilobytes."""

from __future__ import annotations

import resource
import sys
from collections import deque
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1])]

from ludolog.folding import HOST, Fold  # noqa: E402 - found by the path above
from ludolog.journal import Journal  # noqa: E402
from ludolog.verifying import verify_table  # noqa: E402
from ludolog_plugins.stores.sqlite import SqliteStore  # noqa: E402
from toys.walk import ruleset  # noqa: E402


def read(path: str, table: str, how: str) -> None:
    """Read it."""
    store, rules = SqliteStore(path), ruleset()
    journal = Journal(store, table, rules, *store.head(table))
    if how == "payloads":
        deque(store.payloads(table), maxlen=0)
    elif how == "batches":
        deque(journal.batches(), maxlen=0)
    elif how == "fold":
        Fold(rules.start(), journal.facts, HOST).catch_up(journal.length)
    else:
        verify_table(table, store)
    store.close()


def most() -> int:
    """Since this program was loaded; ``getrusage`` also counts what the process was before, a copy of its parent."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM")))
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used // 1024 if sys.platform == "darwin" else used


read(*sys.argv[1:])
print(most())
