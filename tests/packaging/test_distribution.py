"""What is built holds what the source tree holds, and what is installed is found by its entry points."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib import import_module
from importlib.metadata import entry_points, requires, version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = {"ludolog": "core", "ludolog_events": "events", "ludolog_plugins": "plugins"}
RULES_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*(/[a-z0-9]+(-[a-z0-9]+)*)?")
OF_LUDOLOG = [point for point in entry_points(group="ludolog") if point.dist.name == "ludolog"]

in_the_source_tree = pytest.mark.skipif(
    "LUDOLOG_TEST_WHEEL" in os.environ, reason="the sources are out of reach when the wheel is tested"
)


def package_files() -> dict[str, str]:
    """Files of the three packages: path inside the wheel -> path inside the source archive."""
    found: dict[str, str] = {}
    for package, folder in SOURCES.items():
        for path in (ROOT / folder / package).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                found[path.relative_to(ROOT / folder).as_posix()] = path.relative_to(ROOT).as_posix()
    return found


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--sdist", "--outdir", folder, ROOT],
        check=True,
        capture_output=True,
    )
    return folder


@in_the_source_tree
def test_wheel_holds_every_file_of_the_packages_and_nothing_else(built):
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    expected = set(package_files())
    assert {f"{package}/py.typed" for package in SOURCES} <= expected
    assert names == expected


@in_the_source_tree
def test_wheel_holds_the_data_byte_for_byte(built):
    data = {inside: source for inside, source in package_files().items() if inside.endswith(".toml")}
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        for inside, source in data.items():
            assert wheel.read(inside) == (ROOT / source).read_bytes(), inside
            tomllib.loads(wheel.read(inside).decode())
    assert data, "no package holds a TOML file: the rule clauses are package data"


@in_the_source_tree
def test_source_archive_holds_the_packages_and_their_tests(built):
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    here = Path(__file__).relative_to(ROOT).as_posix()
    assert {*package_files().values(), here, "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"} <= names
    assert not [name for name in names if "__pycache__" in name or name.startswith((".venv", "build"))]


@pytest.mark.parametrize("package", sorted(SOURCES))
def test_packages_come_from_where_they_are_tested(package):
    file = Path(import_module(package).__file__)
    place = sys.prefix if "LUDOLOG_TEST_WHEEL" in os.environ else ROOT / SOURCES[package]
    assert file.is_relative_to(place), f"{package} was imported from {file}, not from {place}"
    assert (file.parent / "py.typed").is_file()


def test_entry_points_have_the_ids_of_rules():
    names = [point.name for point in OF_LUDOLOG]
    assert [name for name in names if not RULES_ID.fullmatch(name)] == []
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("point", OF_LUDOLOG, ids=lambda point: point.name)
def test_an_entry_point_names_a_module_that_is_there(point):
    assert point.load() is not None


def test_the_library_needs_only_its_five_packages():
    needed = {re.split(r"[\s<>=!~;\[]", line)[0] for line in requires("ludolog") if "extra ==" not in line}
    assert needed == {"msgspec", "pluggy", "rich", "structlog", "typer"}


def test_the_version_is_a_release():
    assert re.fullmatch(r"\d+\.\d+\.\d+", version("ludolog"))
