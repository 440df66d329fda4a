"""Delete a variant's file and its entry point: the game, and every variant that doesn't need it, goes on working."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import ludolog_plugins.dark_horse_west as package
from dark_horse_west.west import west
from ludolog import catalogue

ROOT = Path(__file__).parents[2]
GAME = "dark-horse-west"
TWELVE = (
    "barnstorming",
    "base-changes",
    "five-player",
    "golden-spike",
    "gunslinger",
    "improved-towns",
    "mystery-hexes",
    "reputation",
    "saloon",
    "silver",
    "solitaire",
    "stagecoach",
)

SCRIPT = """
import sys
from importlib.metadata import EntryPoint
import ludolog_plugins.dark_horse_west as package
from ludolog import Chance, LudologError, Variant
from ludolog.catalogue import Catalogue

folder, gone, moves, *names = sys.argv[1:]
assert package.__file__.startswith(folder), package.__file__
points = [EntryPoint("dark-horse-west", "ludolog_plugins.dark_horse_west", "ludolog")]
points += [
    EntryPoint(f"dark-horse-west/{name}", f"ludolog_plugins.dark_horse_west.{name.replace('-', '_')}", "ludolog")
    for name in names
]
known = Catalogue(points)
assert not known.problems, known.problems
try:
    __import__(f"ludolog_plugins.dark_horse_west.{gone.replace('-', '_')}")
    raise SystemExit("the variant is still there")
except ModuleNotFoundError:
    pass


def closure(name):
    wanted = [name]
    for found in wanted:
        wanted += [other for other in known.variant("dark-horse-west", found).requires if other not in wanted]
    return tuple(wanted)


def play(*variants):
    ruleset = known.ruleset("dark-horse-west", variants)
    seats = ("ann", "bob", "cem", "dot", "eve")[: ruleset.seat_counts[0]]
    position = ruleset.begin(ruleset.opening(seats), Chance(b"k" * 32)).position
    number = 0
    while number < int(moves) and not position.over:
        number += 1
        seat = ruleset.to_act(position)[0]
        command = Chance(b"m" * 32, number).choose(ruleset.legal(position, seat))
        position = ruleset.decide(position, seat, command, Chance(b"k" * 32, number)).position
    assert str(position)
    return number


play()
needing = []
for name in names:
    try:
        play(*closure(name))
    except LudologError as error:
        assert repr(f"{gone}") in str(error) or f"{gone}'" in str(error), error
        needing.append(name)
print(*needing)
"""


def needing(gone: str) -> set[str]:
    """Variants that require it, directly or through another."""
    requires = {name: set(catalogue().variant(GAME, name).requires) for name in TWELVE}
    found = {gone}
    while more := {name for name in TWELVE if requires[name] & found} - found:
        found |= more
    return found - {gone}


def test_the_twelve_are_the_variants_of_the_entry_points() -> None:
    lines = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["ludolog"]
    assert {name.partition("/")[2] for name in lines if name.startswith(f"{GAME}/")} == set(TWELVE)
    assert west().variants == ()


@pytest.mark.parametrize("moves", [30, pytest.param(10_000, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("gone", TWELVE)
def test_without_its_file_and_entry_point(gone: str, moves: int, tmp_path: Path) -> None:
    file = f"{gone.replace('-', '_')}.py"
    copy = tmp_path / "ludolog_plugins" / "dark_horse_west"
    shutil.copytree(Path(package.__file__).parent, copy, ignore=shutil.ignore_patterns(file))
    assert not (copy / file).exists()
    (tmp_path / "ludolog_plugins" / "__init__.py").touch()
    left = [name for name in TWELVE if name != gone]
    found = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path), gone, str(moves), *left],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        check=False,
    )
    assert found.returncode == 0, found.stderr
    assert set(found.stdout.split()) == needing(gone)
