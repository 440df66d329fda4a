"""The command line in a folder of its own, with the games made up for tests beside the installed ones."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points

import pytest
from typer.testing import CliRunner

from ludolog import Catalogue
from ludolog import catalogue as catalogue_module
from ludolog_plugins.cli.application import app

TOYS = [EntryPoint(name="high-card", value="toys.high_card", group="ludolog")]


@pytest.fixture
def catalogue_of(monkeypatch):
    """Let just these plugins be installed."""
    module = __import__("sys").modules[Catalogue.__module__]
    assert catalogue_module is module.catalogue

    def use(points):
        monkeypatch.setattr(module, "_installed", [Catalogue(points)])

    return use


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch, catalogue_of):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LUDOLOG_STORE", raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    catalogue_of([*entry_points(group="ludolog"), *TOYS])


@pytest.fixture
def run():
    """Run a command line; the outcome, after checking that no traceback was shown."""

    def invoke(line, *, given="", code=0):
        args = line.split() if isinstance(line, str) else line
        found = CliRunner().invoke(app, args, input=given, prog_name="ludolog")
        assert "Traceback" not in found.output
        assert found.exit_code == code, found.output
        if code not in {0, 1}:
            assert found.stderr.startswith("ludolog: ")
            assert found.stderr.count("\n") == 1
        return found

    return invoke
