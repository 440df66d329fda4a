"""The example scripts run, and do what they say."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("script", sorted(path.name for path in EXAMPLES.glob("*.py")))
def test_an_example_runs(script, capsys):
    runpy.run_path(str(EXAMPLES / script), run_name="__main__")
    assert capsys.readouterr().out


def test_the_small_app_audits_its_game(capsys):
    runpy.run_path(str(EXAMPLES / "against_bots.py"), run_name="__main__")
    assert capsys.readouterr().out.count("? yes: ") == 3
