"""Texts, logs and forks from outside that were made to hurt: refused at once, with an error of the library's."""

import os
import sys
import time

import msgspec
import pytest

import ludolog
from ludolog import Catalogue, MemoryStore, Stored, catalogue, open_table
from ludolog.clauses import read_clauses
from ludolog.errors import BadClause, BadData, BadOptions, CorruptLog, LudologError
from ludolog.opening import MAX_FORKS
from ludolog.own_data import LONGEST_TEXT, line_of
from ludolog.testing.specimens import specimens
from ludolog.testing.tampered_logs import changed, fields_of, row_of
from ludolog_events import shown

WEST = "dark-horse-west"


def given(text):
    return catalogue().ruleset(WEST, options={"data": text})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"a = {'9' * 5000}\n", "no TOML"),
        (f"a = 0x{'f' * 5000}\n", "more than 64 bits"),
        (f"a = {'[' * 100_000}\n", "no TOML"),
        (f"{'.'.join('a' * 20_000)} = 1\n", "more than 200 dots"),
        (f"# {'x' * LONGEST_TEXT}\n", "more than"),
        ("a = '\ud800'\n", "no TOML|there is no table"),
        ("a = '\0'\n", "no TOML"),
    ],
    ids=["digits", "hexadecimal digits", "nesting", "dots", "length", "surrogate", "NUL"],
)
def test_data_of_an_owner_that_is_too_much(text, why):
    """S34: and it takes no time to say so."""
    began = time.process_time()
    with pytest.raises(BadData, match=why):
        given(text)
    assert time.process_time() - began < 2


def test_telling_the_line_takes_time_by_the_line():
    """A line of blanks after a bracket was once looked at in every way that it can be divided."""
    began = time.process_time()
    assert line_of("[" + " " * 100_000 + "\na = 1\n", "a") == 2
    assert line_of("x = '''\n" + "[" + " " * 100_000 + "\n'''\n[ card ]\n", "card") == 4
    assert time.process_time() - began < 1


def test_an_option_names_a_file_that_has_an_end(tmp_path):
    endless, pipe, big = "/dev/zero", tmp_path / "pipe", tmp_path / "big.toml"
    os.mkfifo(pipe)
    big.write_text("#" * (LONGEST_TEXT + 1))
    for path in (endless, pipe, big, tmp_path, tmp_path / "none", "a\0b"):
        with pytest.raises(BadOptions, match="can't be read"):
            given(str(path))


@pytest.mark.parametrize("number", ["9" * 5000, f"0x{'f' * 5000}"])
def test_clauses_with_too_many_digits(tmp_path, monkeypatch, number):
    """An integer that long can be read in hexadecimal, and not be told in a message."""
    (tmp_path / "some_clauses").mkdir()
    (tmp_path / "some_clauses" / "__init__.py").write_text("")
    (tmp_path / "some_clauses" / "rules.toml").write_text(f"[[clause]]\nid = {number}")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(BadClause, match="no TOML"):
        read_clauses.__wrapped__("some_clauses:rules.toml")


# ------------------------------------------------------------ what a log says of its rules


def opened_with(options):
    """The log of a table whose opening was recorded with these options."""
    table = ludolog.new_table(WEST, seats=("ann", "bob"), seed=1, id="t")
    rows = list(table.journal.store.read("t"))
    events = fields_of(rows[0].payload)["events"]
    events[0]["rules"][0]["options"] = msgspec.json.encode(options).decode()
    store = MemoryStore()
    store.create("t", [row_of(changed(rows[0].payload, events=events)), rows[1]], seed=b"")
    return store


def test_a_log_names_no_file_here(tmp_path, monkeypatch):
    """An owner's data is recorded as its text. A log that has a name in its place would have that file read."""
    secret = tmp_path / "secret.toml"
    secret.write_text("[costs]\n")
    read = []
    monkeypatch.setattr("ludolog.own_data._text_in", lambda path: read.append(path) or "")
    for name in (str(secret), "/dev/zero", "secret"):
        table = open_table("t", opened_with({"data": name}))
        assert table.mismatch
    assert read == []


def test_a_log_with_ten_thousand_options():
    """Each that isn't known here is left out without asking the rules of it."""
    began = time.process_time()
    table = open_table("t", opened_with({f"option{number}": number for number in range(10_000)}))
    assert "no longer as they were" in table.mismatch
    assert time.process_time() - began < 5


def test_rulesets_of_many_logs_are_not_all_kept(monkeypatch):
    monkeypatch.setattr(sys.modules["ludolog.catalogue"], "_KEPT", 2)
    source = Catalogue()
    for number in range(4):
        assert source.ruleset("tic-tac-toe", options={}) is source.ruleset("tic-tac-toe", options={})
        source.ruleset("insect-inc", options={"claims_window": number + 1})
    assert len(source._rulesets) == 2


# ------------------------------------------------------------ forks


def test_a_table_is_forked_so_often_and_no_further():
    table = ludolog.new_table("dark-horse-bugs", seats=("ann", "bob"), seed=1, id="f0")
    for number in range(MAX_FORKS):
        table = table.fork(id=f"f{number + 1}")
    with pytest.raises(BadOptions, match="a fork of a fork 50 times already"):
        table.fork()
    again = open_table(table.id, table.journal.store)
    assert again.position == table.position
    assert again.audit().answers[0].verdict == "yes"


def forked_in_a_circle(names):
    """Tables each of which says that it was forked from the next one."""
    _, log, *_ = specimens("dark-horse-bugs")
    store = MemoryStore()
    for name, parent in zip(names, (*names[1:], names[0]), strict=True):
        opened = fields_of(log.rows[0].payload)["events"][0]
        opened |= {"table": name, "forked": [{"table": parent, "length": 2, "head": log.rows[1].head.hex()}]}
        rows = [row_of(changed(log.rows[0].payload, events=[opened])), log.rows[1]]
        store.create(name, [Stored(number, *row[1:]) for number, row in enumerate(rows)], seed=b"")
    return store


@pytest.mark.parametrize("names", ["a", "ab", "abcd"])
def test_forks_in_a_circle(names):
    with pytest.raises(CorruptLog, match="forked from itself"):
        open_table("a", forked_in_a_circle(tuple(names)))


# ------------------------------------------------------------ the revealed seed


def test_a_log_that_reveals_no_seed():
    """Its audit says so; it was an error of Python's once."""
    over, *_ = specimens("dark-horse-bugs")
    events = fields_of(over.rows[-1].payload)["events"]
    events[-1]["seed"] = "xyz"
    rows = (*over.rows[:-1], row_of(changed(over.rows[-1].payload, events=events))._replace(number=len(over.rows) - 1))
    answer = open_table("t", over._replace(rows=rows, seed=b"").store(), ruleset=over.ruleset).audit().answers[2]
    assert (answer.verdict, answer.batch) == ("no", len(rows) - 1)
    assert "is no seed" in answer.why


# ------------------------------------------------------------ numbers too long to be told

HUGE = 10**5000


class Unspeakable:
    def __repr__(self):
        raise KeyError


@pytest.mark.parametrize("value", [HUGE, [HUGE], Unspeakable(), "x" * 10_000], ids=["number", "list", "object", "text"])
def test_a_message_says_something_of_any_value(value):
    assert 0 < len(shown(value)) < 250


@pytest.mark.parametrize(
    "call",
    [
        lambda table: ludolog.new_table("dark-horse-bugs", ("a", "b"), seed=HUGE),
        lambda table: ludolog.new_table("dark-horse-bugs", ("a", "b"), at=HUGE),
        lambda table: ludolog.new_table("dark-horse-bugs", ("a", "b"), id=HUGE),
        lambda table: ludolog.new_table("dark-horse-bugs", (HUGE, "b")),
        lambda table: ludolog.new_table("dark-horse-bugs", ("a", "b"), variants=(HUGE,)),
        lambda table: ludolog.new_table("dark-horse-bugs", ("a", "b"), contributions={"a": HUGE}),
        lambda table: ludolog.new_table("dark-horse-bugs", ("a", "b"), contributions={HUGE: "x"}),
        lambda table: ludolog.new_table("insect-inc", ("a", "b"), options={"claims_window": HUGE}),
        lambda table: ludolog.new_table(HUGE, ("a", "b")),
        lambda table: open_table(HUGE, table.journal.store),
        lambda table: table.undo(None, to=HUGE),
        lambda table: table.at(HUGE),
        lambda table: table.view(HUGE),
        lambda table: table.view(None, at=HUGE),
        lambda table: table.fork(HUGE),
        lambda table: table.play("a", table.legal("a")[0], expect=HUGE),
        lambda table: table.play("a", table.legal("a")[0], at=HUGE),
        lambda table: table.play("a", table.legal("a")[0], command_id=HUGE),
    ],
)
def test_numbers_that_python_can_not_write(call):
    """S34: Python refuses to write an integer of more than 4,300 digits, and so to tell it in a message."""
    table = ludolog.new_table("dark-horse-bugs", ("a", "b"), seed=1)
    with pytest.raises(LudologError):
        call(table)
