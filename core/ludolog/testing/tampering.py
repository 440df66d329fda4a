"""Tampering: mutants of stored logs, database files, write-ahead logs and bundles, and who finds them.

Each mutant is judged twice: by somebody who has nothing but what is stored, and by somebody who holds the receipt of
the whole log. With the receipt none may pass. Without one some can't be told from an honest log, and
``NOT_PROVABLE`` names them: a mutant that passes and isn't named there is a fault, and so is a name under which none
ever passes.

::

    python -m ludolog.testing tamper --mutants 20000
"""

from __future__ import annotations

import runpy
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, TypeAlias

from ludolog.bundles import verify_against, verify_bundle
from ludolog.errors import NotFound
from ludolog.opening import open_store, open_table
from ludolog.store import Store, Stored
from ludolog.testing.specimens import Specimen, specimens
from ludolog.testing.tampered_bundles import BUNDLE_FORGERIES, TOLD_FORGERIES, BundleForgery, Bundles, bundles_of
from ludolog.testing.tampered_files import DATABASE_FORGERIES, WAL_FORGERIES, FileForgery, files_of
from ludolog.testing.tampered_logs import LOG_FORGERIES, NEED_SEED, SAME_EFFECT, Forgery, fields_of
from ludolog.verifying import verify_table
from ludolog_events import LudologError, Receipt

__all__ = ["NOT_PROVABLE", "TARGETS", "Ledger", "tamper", "verifier_in"]

LOG: Final = "log"
BARE: Final = "log without its seed"
DATABASE: Final = "database file"
WAL: Final = "write-ahead log"
OVER: Final = "bundle of a game that is over"
GOING: Final = "bundle of a game that goes on"
TOLD: Final = "bundle of what a seat was told"
TARGETS: Final = (LOG, BARE, DATABASE, WAL, OVER, GOING, TOLD)

_LOGS: Final = 8
"""How many sets of logs the mutants are made of."""

CUT: Final = "tail cut"
"""What becomes of a log of which a whole beginning is left, whatever was done to it."""

_FITTED: Final = "tail cut, header fitted"
_SWAPPED: Final = frozenset({"whole log swapped", "played otherwise by the rules"})
_REMARKS: Final = frozenset({f"{what} changed, chain rebuilt" for what in ("opening", "time", "command id")})
_FACTS: Final = frozenset(
    {f"{what} changed, chain rebuilt" for what in ("event", "command", "type", "seat", "draws")}
    | {"last batch rewritten", "batch of another table, chain rebuilt", SAME_EFFECT}
)
_ORDER: Final = frozenset(
    f"{what}, chain rebuilt" for what in ("blinding changed", "batch left out", "batches swapped", "batch doubled")
)

NOT_PROVABLE: Final[Mapping[str, frozenset[str]]] = {
    LOG: _REMARKS | _SWAPPED | {CUT, SAME_EFFECT},
    BARE: _REMARKS | _FACTS | _ORDER | {CUT, "whole log swapped"},
    DATABASE: frozenset({CUT}),
    WAL: frozenset({CUT}),
    OVER: _REMARKS | _FACTS | _SWAPPED | {_FITTED},
    GOING: _REMARKS | _FACTS | _ORDER | _SWAPPED | {_FITTED},
    TOLD: frozenset(
        {"bit flipped", "bytes inserted", "bytes deleted", "line changed", "line of another table", _FITTED}
    ),
}
"""By what was tampered with: what can't be told from an honest log by somebody who holds no receipt.

Who has the rules and the seed finds every fact that the rules don't give. Without the seed, which is secret until the
end, or without the rules, as when only a bundle is verified, there is the chain alone; and whoever can write it can
build it anew. A revealed seed still pins each batch to its number, and its draws to the seed. What a seat was told is
no part of the chain: it is held against the whole log.
"""


Verifier: TypeAlias = Callable[[Sequence[bytes], Sequence[Receipt]], bool]
"""(lines of a bundle, receipts) -> whether it is whole."""


def verifier_in(path: str) -> Verifier:
    """The verifier that is a file of its own: its ``verify`` raises its ``UnsoundError``.

    Raises:
        OSError: There is no such file.
    """
    names = runpy.run_path(path)
    verify, unsound = names["verify"], names["UnsoundError"]

    def is_whole(lines: Sequence[bytes], receipts: Sequence[Receipt]) -> bool:
        try:
            verify(iter(lines), [f"{receipt.length}:{receipt.head}" for receipt in receipts])
        except unsound:
            return False
        return True

    return is_whole


class Entry(NamedTuple):
    """What was found of one way to tamper."""

    mutants: int = 0
    without_effect: int = 0
    found_alone: int = 0
    not_provable: int = 0
    """By nobody who holds no receipt."""
    found_held: int = 0
    undetected: int = 0
    """In spite of a receipt: there must be none."""


class Ledger:
    """What became of all mutants; ``faults`` tells what must not be, with the number that makes it again."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, str], Entry] = {}
        self.finders: Counter[str] = Counter()
        self.passed: dict[str, set[str]] = {target: set() for target in TARGETS}
        """By target, what mutants turned out to be that nobody could tell without a receipt."""
        self.faults: list[str] = []

    @property
    def total(self) -> Entry:
        """The sums of all entries."""
        return Entry(*map(sum, zip(*self.entries.values(), strict=True))) if self.entries else Entry()

    def note(self, target: str, name: str, entry: Entry) -> None:
        """Count one mutant."""
        before = self.entries.get((target, name), Entry())
        self.entries[target, name] = Entry(*map(sum, zip(before, entry, strict=True)))

    def __str__(self) -> str:
        """A line for each way to tamper, and one of sums."""
        head = ("", "mutants", "no effect", "found alone", "not provable", "found with receipt", "undetected")
        lines = [f"{head[0]:62}" + "".join(f"{word:>{len(word) + 2}}" for word in head[1:])]
        for (target, name), entry in [*self.entries.items(), (("all", ""), self.total)]:
            title = f"{target}: {name}" if name else target
            lines.append(
                f"{title:62}"
                + "".join(f"{count:>{len(word) + 2}}" for word, count in zip(head[1:], entry, strict=True))
            )
        by = ", ".join(f"{finder} {count}" for finder, count in sorted(self.finders.items()))
        lines.append(f"found without a receipt by: {by}")
        return "\n".join(lines)


def tamper(
    mutants: int,
    *,
    seed: int = 0,
    first: int = 0,
    game: str = "dark-horse-bugs",
    only: tuple[str, str] | None = None,
    second: Verifier | None = None,
) -> Ledger:
    """Make mutants, evenly of every kind, and judge them.

    Args:
        mutants: How many.
        seed: From which they are drawn.
        first: Number of the first; the same number, seed and game give the same mutant.
        game: Id of the installed game whose logs they are made of.
        only: One target and one way to tamper with it, instead of all.
        second: Another verifier of the bundles of logs, which must agree about each of them.

    Raises:
        UnknownGame: It isn't installed. BadOptions: It doesn't come to its end by turns alone.
    """
    specimens(game, _LOGS * seed)
    ledger = Ledger()
    ways = [*_ways()] if only is None else [only]
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, first + mutants):
            target, name = ways[number % len(ways)]
            rng = Random(f"{seed}/{number}")  # noqa: S311 - a draw of mutants, no secret
            path = Path(folder) / f"{number}.db"
            try:
                source = (game, _LOGS * seed + rng.randrange(_LOGS))
                if target in {OVER, GOING, TOLD}:
                    faults = _bundle(ledger, (target, name), rng, source, second)
                else:
                    faults = _one(ledger, (target, name), rng, source, path)
            except Exception as error:  # noqa: BLE001 - this is what must not happen, whatever it is
                faults = f"uncaught {type(error).__name__}: {error}"
            if faults:
                ledger.faults.append(f"mutant {number} ({target}: {name}): {faults}")
            for left in Path(folder).iterdir():
                left.unlink()
    return ledger


def _ways() -> Iterator[tuple[str, str]]:
    for name in LOG_FORGERIES:
        yield LOG, name
        if name not in NEED_SEED:
            yield BARE, name
    for name in DATABASE_FORGERIES:
        yield DATABASE, name
    for name in WAL_FORGERIES:
        yield WAL, name
    for name in BUNDLE_FORGERIES:
        yield OVER, name
        yield GOING, name
    for name in TOLD_FORGERIES:
        yield TOLD, name


def _one(ledger: Ledger, way: tuple[str, str], rng: Random, source: tuple[str, int], path: Path) -> str:
    """Make and judge one mutant; what must not be."""
    target, name = way
    if target in {LOG, BARE}:
        log, store = _forged_log(LOG_FORGERIES[name], rng, source, bare=target == BARE)
        return _judge(ledger, way, log, store, rng)
    forge = (DATABASE_FORGERIES if target == DATABASE else WAL_FORGERIES)[name]
    log, opened = _forged_file(forge, rng, source, path)
    if opened is None:
        ledger.finders["opening the store"] += 1
        ledger.note(target, name, Entry(1, 0, 1, 0, 1, 0))
        return ""
    try:
        return _judge(ledger, way, log, opened, rng)
    finally:
        opened.close()


def _forged_log(forge: Forgery, rng: Random, source: tuple[str, int], *, bare: bool) -> tuple[Specimen, Store]:
    over, going, other_over, other_going = specimens(*source)
    log, other = (going, other_going) if bare or rng.random() < 1 / 2 else (over, other_over)
    if bare:
        log, other = log.without_seed(), other.without_seed()
    return log, forge(rng, log, other).store()


def _forged_file(forge: FileForgery, rng: Random, source: tuple[str, int], path: Path) -> tuple[Specimen, Store | None]:
    log, sound = files_of(*source)
    files = forge(rng, sound, path)
    files.write(path)
    try:
        return log, open_store(path, create=False)
    except LudologError:
        return log, None


def _judge(ledger: Ledger, way: tuple[str, str], log: Specimen, store: Store, rng: Random) -> str:
    """Let both look at it, and count what they find; what must not be."""
    target, name = way
    rows = _rows(store, log.table)
    alone = _finder(log, store, (), installed=rows is not None and rows[:1] != log.rows[:1] and rng.random() < 1 / 5)
    held = _finder(log, store, (log.receipt,), installed=False)
    if alone:
        ledger.finders[alone] += 1
    elif rows == log.rows:
        same = open_table(log.table, store, ruleset=log.ruleset).position == log.position
        ledger.note(target, name, Entry(1, same, 0, 0, 0, not same))
        return "" if same else "the log is the same, and the position is not"
    ledger.note(target, name, Entry(1, 0, bool(alone), not alone, bool(held), not held))
    if not held:
        return "undetected although a receipt is held"
    if not alone:
        became = _became(way, log.rows, rows or ())
        ledger.passed[target].add(became)
        if became not in NOT_PROVABLE[target]:
            return "passes without a receipt, and is not documented to"
    return ""


def _became(way: tuple[str, str], before: Sequence[Stored], after: Sequence[Stored]) -> str:
    """What a mutant turned out to be: a bit that flips can cut the tail off, a command can be written in two ways."""
    if after == before[: len(after)]:
        return CUT
    if way == (LOG, "command changed, chain rebuilt") and _events(before) == _events(after):
        return SAME_EFFECT
    return way[1]


def _events(rows: Sequence[Stored]) -> list[object]:
    return [fields_of(row.payload)["events"] for row in rows]


def _rows(store: Store, table: str) -> tuple[Stored, ...] | None:
    try:
        return tuple(store.read(table))
    except LudologError:
        return None


def _finder(log: Specimen, store: Store, receipts: Sequence[Receipt], *, installed: bool) -> str:
    """What tells that something is wrong; empty if nothing does.

    Opening is tried on what verifying has refused, too: it must come to an end with an error of the library's.
    """
    found = ""
    try:
        verify_table(log.table, store, receipts)
    except NotFound:
        found = "looking it up"
    except LudologError:
        found = "verify"
    try:
        # Rules that are looked up by what the opening says take their time to be compiled.
        table = open_table(log.table, store, ruleset=None if installed else log.ruleset)
        report = table.audit(receipts)
    except LudologError:
        return found or "open"
    for number, (answer, sound) in enumerate(zip(report.answers, log.verdicts, strict=True), 1):
        if answer.verdict == "no" or (answer.verdict == "unknown" and sound == "yes"):
            found = found or f"audit, question {number}"
    return found


# ------------------------------------------------------------ bundles


def _bundle(ledger: Ledger, way: tuple[str, str], rng: Random, source: tuple[str, int], second: Verifier | None) -> str:
    """Make and judge one mutant of a bundle; what must not be."""
    target, name = way
    sound = bundles_of(*source, over=target == OVER or (target == TOLD and rng.random() < 1 / 2))
    forge: BundleForgery = (TOLD_FORGERIES if target == TOLD else BUNDLE_FORGERIES)[name]
    lines = tuple(forge(rng, sound))
    if lines == (sound.told if target == TOLD else sound.whole):
        ledger.note(target, name, Entry(1, 1, 0, 0, 0, 0))
        return ""
    alone = _bundle_finder(lines, sound, target, ())
    held = _bundle_finder(lines, sound, target, (sound.log.receipt,))
    ledger.note(target, name, Entry(1, 0, bool(alone), not alone, bool(held), not held))
    if alone:
        ledger.finders[alone] += 1
    else:
        ledger.passed[target].add(name)
    if not held:
        return "undetected although a receipt is held"
    if not alone and name not in NOT_PROVABLE[target]:
        return "passes without a receipt, and is not documented to"
    return _disagreement(lines, sound, second) if second is not None and target != TOLD else ""


def _bundle_finder(lines: Sequence[bytes], sound: Bundles, target: str, receipts: Sequence[Receipt]) -> str:
    """What tells that something is wrong with a bundle; empty if nothing does.

    What a seat was told is held against the log, too, by whoever holds more than it.
    """
    try:
        found = verify_bundle(lines, receipts)
        if receipts and target == TOLD:
            verify_against(lines, sound.whole, receipts, ruleset=sound.log.ruleset)
    except LudologError:
        return "verifying a bundle"
    return "" if found.table == sound.log.table else "its table's name"


def _disagreement(lines: Sequence[bytes], sound: Bundles, second: Verifier) -> str:
    """What another verifier says otherwise."""
    for receipts in ((), (sound.log.receipt,)):
        try:
            verify_bundle(lines, receipts)
            whole = True
        except LudologError:
            whole = False
        if second(lines, receipts) != whole:
            return f"the second verifier finds it {'damaged' if whole else 'whole'}"
    return ""
