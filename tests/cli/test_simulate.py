"""Many games between bots, and the demonstration."""

from __future__ import annotations

import json
import re

import pytest

import ludolog
from ludolog_plugins.cli.simulate import histogram


def told(run, line):
    return json.loads(run(f"simulate {line} --json").stdout)


def test_the_same_seed_gives_the_same_results_whoever_works(run):
    """F19"""
    one = told(run, "tic-tac-toe -n 40 --seed x")
    assert one == told(run, "tic-tac-toe -n 40 --seed x --jobs 2")
    assert one != told(run, "tic-tac-toe -n 40 --seed y")


def test_results_add_up(run):
    found = told(run, "high-card a b c -n 30 --bots greedy,random -o hand=3")
    assert [row["bot"] for row in found["seats"]] == ["greedy", "random", "greedy"]
    shared = found["shared"]
    assert sum(row["won"] for row in found["seats"]) + found["drawn"] + shared + found["unfinished"] == 30
    assert found["reasons"] == {"hands-empty": 30}
    assert found["moves"] == {"least": 9, "median": 9, "mean": 9.0, "most": 9}
    assert found["options"] == {"hand": "3"}


def test_games_that_do_not_end_are_counted(run):
    found = told(run, "high-card -n 3 --longest 2")
    assert (found["unfinished"], found["reasons"]) == (3, {})
    assert "Broken off: 3." in run("simulate high-card -n 3 --longest 2").stdout


def test_options_for_games_with_bots_are_used_unless_others_are_given(run):
    """A cap on the turns, where the game names one."""
    assert told(run, "dark-is-the-night -n 1")["options"] == {"turn_cap": "200"}
    assert told(run, "dark-is-the-night -n 1 -o turn_cap=30")["options"] == {"turn_cap": "30"}


def test_people_see_tables_and_bars(run):
    out = run("simulate tic-tac-toe -n 50").stdout
    assert "50 games of tic-tac-toe ---" in out
    assert re.search(r"ann +random +\d+ +\d+\.\d", out)
    assert re.search(r"Ends: (full \d+, )?line \d+\.", out)
    assert re.search(r"^ +9  █+ \d+$", out, re.MULTILINE)


@pytest.mark.parametrize(
    ("values", "lines"),
    [
        ([4], ["            4  " + "█" * 40 + " 1"]),
        ([1, 1, 3], ["            1  " + "█" * 40 + " 2", "            2   0", "            3  " + "█" * 20 + " 1"]),
    ],
)
def test_bars_are_as_long_as_what_they_count(values, lines):
    assert histogram(values) == lines


def test_wide_spreads_are_put_into_spans():
    lines = histogram(range(100))
    assert lines[0].split()[0] == "0-8"
    assert sum(int(line.split()[-1]) for line in lines) == 100
    assert len(lines) <= 12


# ------------------------------------------------------------ demo


def test_the_demo_tells_a_whole_game_and_its_advice_works(run, tmp_path):
    out = run("demo").stdout
    assert "took back the last command." in out
    assert "restored the last command." in out
    assert "would like to take that back, too. It can't be taken back freely, since" in out
    assert "black base" in out
    assert "The game is over: " in out
    assert out.count("? yes: ") == 3
    assert "The log of table demo is in ludolog-demo.db" in out
    advice = re.findall(r"^  ludolog (.+)$", out, re.MULTILINE)
    assert [line.split()[0] for line in advice] == ["replay", "log", "audit", "export", "simulate", "rules", "play"]
    for line in advice:
        run(line.replace("-n 100", "-n 2"))
    run("verify demo.ludolog")
    assert ludolog.open_table("demo", tmp_path / "ludolog-demo.db").over


def test_the_demo_can_be_run_again_and_tells_the_same(run, monkeypatch):
    monkeypatch.setattr("ludolog_plugins.cli.demo._BOTS", ("greedy", "random", "random"))
    first, second = run("demo").stdout, run("demo").stdout
    assert "table demo-2 is in" in second
    story = [re.sub(r"demo(-2)?|[0-9a-f]{15,}", "", out[: out.index("What next")]) for out in (first, second)]
    assert story[0].split("Audit")[0].split() == story[1].split("Audit")[0].split()


def test_the_demo_says_what_is_wrong_with_its_file(run, tmp_path):
    (tmp_path / "ludolog-demo.db").write_text("not a store " * 100)
    assert "ludolog-demo.db" in run("demo", code=3).stderr
