"""The verifier of one file: as long as it may be, on its own, and of one mind with the library about every mutant."""

from __future__ import annotations

import ast
import functools
import importlib.util
import os
import random
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import ludolog
from dark_horse_bugs.situations import ANTS, BASIC, DILLY_DALLY
from dark_horse_bugs.situations import played as bug_race
from dark_horse_west.golden import GAMES as WESTERN
from dark_horse_west.golden import played as western
from ludolog import MemoryStore, Receipt, Ruleset
from ludolog.bundles import export_bundle, export_told, verify_bundle
from ludolog.contributing import new_contribution
from ludolog.errors import CorruptLog, NotABundle
from ludolog.frame import CloseContributions
from toys.bundling import header_of
from toys.made import table_of
from toys.mutants import mutants_of, rebuilt
from toys.vault import GAME, Draw, Finish, Roll, Walk

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "verifier.py"
LOGS = sorted((ROOT / "tests" / "logs").glob("*.ludolog"))
NIGHTLY = "LUDOLOG_NIGHTLY" in os.environ


def load():
    spec = importlib.util.spec_from_file_location("verifier", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


verifier = load()

# ---------------------------------------------------------------- verdicts


def of_the_verifier(lines, receipts=()):
    """0 it holds, 1 it doesn't, 2 it is no bundle; anything else that is raised is a fault of the verifier."""
    try:
        log = verifier.verify(iter(lines), [f"{receipt.length}:{receipt.head}" for receipt in receipts])
    except verifier.UnsoundError as error:
        return error.args[0], 0
    return 0, log.dice.drawn


def of_the_library(lines, receipts=()):
    try:
        return 0, verify_bundle(lines, receipts).draws
    except NotABundle:
        return 2, 0
    except CorruptLog:
        return 1, 0


def receipt_of(lines):
    header = header_of(lines)
    return Receipt(table=header.table, length=header.receipts[-1].length, head=header.receipts[-1].head)


# ---------------------------------------------------------------- sound bundles


def lines_of(table):
    return list(export_bundle(table.id, table.journal.store, secrets=True))


def random_game(game, seats, seed, *, until=None, **more):
    table = ludolog.new_table(game, seats, seed=seed, id=f"{game}-{seed}", at=0, **more)
    chance = random.Random(seed)
    while not table.over and table.length != until:
        seat = chance.choice(table.to_act)
        table.play(seat, chance.choice(table.legal(seat)), at=table.length)
    return table


def vault_with_undo():
    """Undo, redo, undo of several, and what was drawn in between."""
    table = table_of(Ruleset(GAME), ("ann", "bob", "cy"), seed="hush")
    for command in (Roll(), Draw(), Walk(to=9), Roll()):
        table.play(table.to_act[0], command, at=table.length)
    table.undo(None)
    table.undo(None, to=3)
    table.redo(None)
    table.redo(None)
    table.undo(None, to=4)
    for command in (Roll(), Walk(to=1), Roll()):
        table.play(table.to_act[0], command, at=table.length, command_id=f"id-{table.length}")
    table.play(None, Finish())
    return table


def vault_with_contributions(*, late=True):
    """Every seat contributes; one that doesn't tell is left out."""
    table = table_of(Ruleset(GAME), ("ann", "bob", "cy"), seed="hush", contributions="asked")
    contributions = [new_contribution(table.opened, seat) for seat in ("cy", "ann", "bob")]
    for contribution in contributions:
        table.play(contribution.seat, contribution.commit)
    for contribution in contributions[: 2 if late else 3]:
        table.play(contribution.seat, contribution.tell)
    if late:
        table.play(None, CloseContributions())
    table.play("ann", Roll())
    table.play(None, Finish())
    return table


def contributed_at_once():
    table = table_of(Ruleset(GAME), ("ann", "bob"), contributions={"bob": "plum", "ann": "7"})
    table.play("ann", Roll())
    table.play(None, Finish())
    return table


def fork_of_a_vault():
    """With dice of its own."""
    fork = vault_with_undo().fork(5, id="fork", seed=3)
    fork.play(fork.to_act[0], Roll())
    fork.play(fork.to_act[0], Walk(to=3))
    fork.undo(None)
    fork.play(fork.to_act[0], Roll())
    fork.play(None, Finish())
    return fork


SOUND = {
    "tic-tac-toe": lambda: random_game("tic-tac-toe", ("ann", "bob"), 3),
    "bugs": lambda: random_game("dark-horse-bugs", ("ann", "bob", "cy"), 1, variants=("dilly-dally",)),
    "insect": lambda: random_game("insect-inc", ("ann", "bob"), 2),
    "night": lambda: random_game("dark-is-the-night", ("ann", "bob"), 5),
    "west": lambda: random_game("dark-horse-west", ("ann", "bob"), 4, until=None if NIGHTLY else 30),
    "contributed": contributed_at_once,
    "undo": vault_with_undo,
    "contributions": vault_with_contributions,
    "fork": fork_of_a_vault,
}


@functools.cache
def sound(name):
    """The lines of a sound bundle; the shortest kept log where a random game would be long."""
    if name == "insect" and not NIGHTLY:
        kept = [path.read_bytes().splitlines(keepends=True) for path in LOGS if path.stem.startswith("insect-inc")]
        return tuple(min(kept, key=len))
    return tuple(lines_of(SOUND[name]()))


def test_it_is_one_short_file_that_needs_nothing_else():
    """Whoever checks a game with it should be able to read it, and need not trust anybody's library."""
    text = FILE.read_text("utf-8")
    assert len(text.splitlines()) <= 300
    assert max(map(len, text.splitlines())) <= 120
    imported = {
        name.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_both_find_every_kept_log_sound(path):
    lines = path.read_bytes().splitlines(keepends=True)
    assert of_the_verifier(lines, [receipt_of(lines)]) == of_the_library(lines, [receipt_of(lines)])
    assert of_the_verifier(lines)[0] == 0


@pytest.mark.parametrize("name", SOUND)
def test_both_derive_the_same_draws(name):
    """Also after undo and redo, with contributions, and in a fork."""
    lines = sound(name)
    code, draws = of_the_library(lines)
    assert (code, draws) == of_the_verifier(lines)
    assert code == 0
    assert draws > 0 or name in {"tic-tac-toe", "night", "west"}


def test_both_find_the_golden_games_sound():
    tables = [western(name) for name in (WESTERN if NIGHTLY else ["turn-limit"])]
    others = {name: values[1] for name, values in (BASIC | ANTS).items()}
    tables += [bug_race(3, seed=12), bug_race(2, DILLY_DALLY, seed=3, **others), bug_race(5, DILLY_DALLY, seed=4)]
    for table in tables:
        lines = lines_of(table)
        assert of_the_verifier(lines, [table.receipt]) == (0, verify_bundle(lines, [table.receipt]).draws)


def test_both_read_any_text_and_number_alike():
    """The one form of JSON, and the bytes that are hashed, for values on every border."""
    texts = [
        "",
        "é\x00\x7f\u2028🎲",
        "".join(map(chr, range(0x20))),
        '"\\/',
        *("x" * size for size in (31, 32, 255, 256)),
    ]
    numbers = [2**power + more for power in range(64) for more in (-1, 0, 1)]
    numbers += [2**64 - 1, *(-(2**power) - more for power in range(63) for more in (-1, 0, 1)), -(2**63)]
    values = [*texts, "x" * 65536, *numbers, [0] * 15, [0] * 16, [0] * 65536, {str(n): n for n in range(16)}]
    lines = sound("undo")

    def forge(batches):
        batches[3]["command"] |= {"value": values}

    forged = rebuilt(list(lines), forge)
    assert of_the_verifier(forged) == of_the_library(forged) == of_the_verifier(lines)
    assert msgspec.json.decode(forged[4])["command"]["value"][1] == texts[1]


@pytest.mark.parametrize("name", SOUND)
def test_both_judge_every_mutant_alike(name):
    """S34, S37: with a receipt of the whole log, nothing of it can be changed; without one, it can be written anew.

    After a receipt the log of a game that goes on may go on.
    """
    lines = sound(name)
    other = sound("undo" if name != "undo" else "fork")
    receipts = [receipt_of(lines)]
    held = 0
    for mutant in mutants_of(lines, other, random.Random(None if NIGHTLY else name), 100 if NIGHTLY else 3):
        verdict = of_the_library(mutant.lines)
        told = f"{name} {mutant.kind}\n{b''.join(mutant.lines)[:3000]!r}"
        assert verdict == of_the_verifier(mutant.lines) or verdict[0] == of_the_verifier(mutant.lines)[0] > 0, told
        with_receipt = {of_the_library(mutant.lines, receipts)[0], of_the_verifier(mutant.lines, receipts)[0]}
        goes_on = tuple(mutant.lines[1 : len(lines)]) == lines[1:]
        assert with_receipt in ({1}, {2}, *([{0}] if goes_on and name == "west" else [])), told
        assert verdict[0] or not mutant.damaged, told
        held += verdict[0] == 0
    assert held > 0


def test_receipts_are_read_alike():
    lines = list(sound("bugs"))
    heads = [msgspec.json.decode(line)["head"] for line in lines[1:]]
    table = header_of(lines).table
    for length, head in ((1, heads[0]), (5, heads[4]), (5, heads[3]), (0, heads[0]), (len(heads) + 1, heads[-1])):
        receipts = [Receipt(table=table, length=length, head=head)]
        assert of_the_verifier(lines, receipts) == of_the_library(lines, receipts)
    assert of_the_verifier(lines, [*receipts, Receipt(table=table, length=1, head=heads[0])])[0] == 1


def run(*args):
    return subprocess.run([sys.executable, "-I", "-S", FILE, *args], capture_output=True, text=True, check=False)


def test_it_prints_a_verdict_and_exits_with_it(tmp_path):
    """On its own: without this project, and without anything installed."""
    path = tmp_path / "bugs.ludolog"
    lines = list(sound("bugs"))
    path.write_bytes(b"".join(lines))
    held = receipt_of(lines)
    found = run(path, "--receipt", f"{held.length}:{held.head}")
    assert (found.returncode, found.stderr) == (0, "")
    assert f"is whole: {held.length} batches" in found.stdout
    assert "All 47 draws follow from the promised seed." in found.stdout
    path.write_bytes(b"".join(sound("tic-tac-toe")))
    assert run(path).stdout.endswith(". Nothing was drawn.\n")
    path.write_bytes(b"".join(lines[:-1]))
    assert run(path).returncode == 1
    assert run(path).stdout.startswith("It does not hold: ")
    for foreign in (b"", b"hello\n", lines[0].replace(b'"format":1', b'"format":2')):
        path.write_bytes(foreign)
        assert run(path).returncode == 2
    store = MemoryStore()
    ludolog.new_table("tic-tac-toe", ("ann", "bob"), store=store, id="t")
    path.write_bytes(b"".join(export_told("t", store, "ann")))
    assert (run(path).returncode, run(path).stdout[:20]) == (2, "This is no bundle of")
    assert run(tmp_path / "nowhere").returncode == 2
    assert run(path, "--receipt", "7").returncode == 2
