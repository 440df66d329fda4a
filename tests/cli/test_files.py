"""Logs as files: export, verify and import, with whatever a stranger may have written."""

from __future__ import annotations

import json
import re
from importlib.metadata import entry_points

import msgspec
import pytest

import ludolog
from ludolog.errors import CorruptLog, SeedMissing, StillSecret, TableExists
from ludolog.export import LONGEST_LINE, export_log, import_log, read_lines, verify_log
from ludolog_events import Batch, encode, from_json, head_of


def play_out(store, table_id="rows", game="tic-tac-toe"):
    table = ludolog.new_table(game, ("ann", "bob"), seed=7, store=store, id=table_id, at=10**15)
    while table.to_act:
        table.play(table.to_act[0], table.legal(table.to_act[0])[0], at=10**15)
    return table


@pytest.fixture
def finished():
    store = ludolog.MemoryStore()
    return list(export_log(play_out(store).id, store))


@pytest.fixture
def file(run, tmp_path):
    store = ludolog.open_store("ludolog.db")
    play_out(store)
    store.close()
    run("export rows --out rows.jsonl")
    return tmp_path / "rows.jsonl"


# ------------------------------------------------------------ there and back


def test_a_log_goes_there_and_back(run, file):
    lines = file.read_text().splitlines()
    assert [json.loads(line)["number"] for line in lines] == list(range(len(lines)))
    assert run("export rows").stdout == file.read_text()
    assert "is whole: 9 batches, game over, and its seed is the one committed to." in run("verify rows.jsonl").stdout
    run("import rows.jsonl --store other.db")
    assert run("audit rows --store other.db").stdout.count(" yes\n") == 3
    assert run("export rows --store other.db").stdout == file.read_text()


def test_verify_reads_the_input_and_answers_in_json(run, file):
    told = json.loads(run("verify - --json", given=file.read_text()).stdout)
    assert told["ok"]
    assert (told["log"]["table"], told["log"]["length"], told["log"]["over"]) == ("rows", 9, True)
    told = json.loads(run("verify - --json", given=file.read_text().replace("rows", "cows"), code=1).stdout)
    assert not told["ok"]
    assert told["batch"] == 0


def test_a_receipt_shows_a_cut_tail(run, file):
    """S37"""
    receipt = re.search(r"Receipt (\S+)", run("verify rows.jsonl").stdout)[1]
    run(f"verify rows.jsonl --receipt {receipt}")
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:-1]))
    assert "game not over" in run("verify rows.jsonl").stdout
    assert "the tail is missing" in run(f"verify rows.jsonl --receipt {receipt}", code=1).stdout


def test_a_log_is_verified_and_exported_without_its_plugins(run, file, catalogue_of):
    """S27"""
    catalogue_of(entry_points(group="ludolog", name="stores/sqlite"))
    run("verify rows.jsonl")
    assert run("export rows").stdout == file.read_text()
    assert re.search(r"rows +tic-tac-toe +ann, bob", run("show").stdout)
    assert "was played with tic-tac-toe version 1" in run("show rows", code=3).stderr


def test_a_game_that_goes_on_is_exported_for_the_host_alone(run):
    """F4: no export before the end tells a secret by accident."""
    run("new high-card ann bob --id cards")
    assert "its log holds secrets" in run("export cards", code=1).stderr
    run("export cards --secrets --out cards.jsonl")
    run("import cards.jsonl --store other.db")
    run("show cards --as ann --store other.db")
    for line in ("do cards 1 --as ann", "undo cards --host"):
        assert "seed of table 'cards' is not in this store" in run(f"{line} --store other.db", code=3).stderr
    assert "Was it played by the rules? unknown" in run("audit cards --store other.db", code=1).stdout


def test_a_fork_is_imported_after_its_parent():
    store, other = ludolog.MemoryStore(), ludolog.MemoryStore()
    table = ludolog.new_table("tic-tac-toe", ("ann", "bob"), store=store, id="first")
    fork = table.fork(id="second")
    lines = list(export_log(fork.id, store, secrets=True))
    assert verify_log(lines).forked_from == "first"
    with pytest.raises(ludolog.LudologError, match="is a fork of 'first', which has to be imported first"):
        import_log(lines, other)
    import_log(export_log("first", store, secrets=True), other)
    import_log(lines, other)
    with pytest.raises(SeedMissing):
        ludolog.open_table("second", other).play("ann", fork.legal("ann")[0])
    with pytest.raises(TableExists):
        import_log(lines, other)


def test_an_export_that_fails_leaves_the_old_file(run, file, tmp_path):
    before = file.read_bytes()
    run("new high-card ann bob --id cards")
    run("export cards --out rows.jsonl", code=1)
    assert file.read_bytes() == before
    assert "No such file or directory" in run("export rows --out no/such/folder", code=3).stderr
    assert sorted(path.name for path in tmp_path.iterdir() if "rows" in path.name) == ["rows.jsonl"]


# ------------------------------------------------------------ what strangers write


def relinked(lines, number, change):
    """The log with one batch changed, and every hash from there on worked out anew, as an attacker would."""
    payloads = [from_json(line) for line in lines]
    previous = None
    for at, payload in enumerate(payloads):
        batch = msgspec.msgpack.decode(payload, type=Batch[dict, dict])
        if at == number:
            batch = change(batch)
        if previous is not None:
            batch = msgspec.structs.replace(batch, previous=previous)
        payloads[at] = encode(batch)
        previous = head_of(payloads[at])
    return [as_line(payload) for payload in payloads]


def as_line(payload):
    """A line as the library writes it, of bytes that it would refuse to write."""
    batch = msgspec.to_builtins(msgspec.msgpack.decode(payload, type=Batch[dict, dict]), builtin_types=(bytes,))
    told = dict(zip(Batch.__struct_fields__, batch, strict=True))
    told |= {"blind": told["blind"].hex(), "previous": told["previous"].hex(), "head": head_of(payload).hex()}
    return msgspec.json.encode(told) + b"\n"


def test_the_lines_of_the_attacks_are_those_of_the_library(finished):
    assert [as_line(from_json(line)) for line in finished] == finished


def deep(depth):
    value = 0
    for _ in range(depth):
        value = [value]
    return value


def with_field(line, value):
    """The line of a batch whose command has one more field, given as JSON text."""
    return line.replace(b'"command":{', b'"command":{"more":' + value + b",", 1)


HOSTILE = {
    "nothing": lambda lines: [],
    "no json": lambda lines: [b"hello\n"],
    "a number": lambda lines: [b"7\n"],
    "an empty line": lambda lines: [lines[0], b"\n", *lines[1:]],
    "cut": lambda lines: [*lines[:2], lines[2][:40]],
    "middle gone": lambda lines: [*lines[:3], *lines[4:]],
    "head gone": lambda lines: lines[1:],
    "swapped": lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]],
    "twice": lambda lines: [*lines[:3], lines[2], *lines[3:]],
    "a blank": lambda lines: [lines[0].replace(b":", b": ", 1), *lines[1:]],
    "doubled key": lambda lines: [lines[0].replace(b'"format":1,', b'"format":1,"format":1,'), *lines[1:]],
    "newer format": lambda lines: [lines[0].replace(b'"format":1,', b'"format":2,'), *lines[1:]],
    "deep": lambda lines: [with_field(lines[0], b"[" * 100_000 + b"]" * 100_000), *lines[1:]],
    "65 bits": lambda lines: [with_field(lines[0], b"18446744073709551616"), *lines[1:]],
    "huge number": lambda lines: [with_field(lines[0], b"9" * 100_000), *lines[1:]],
    "beyond floats": lambda lines: [with_field(lines[0], b"1e999"), *lines[1:]],
    "lone surrogate": lambda lines: [with_field(lines[0], rb'"\ud800"'), *lines[1:]],
    "no utf-8": lambda lines: [with_field(lines[0], b'"\xff"'), *lines[1:]],
    "odd hex": lambda lines: [re.sub(rb'"head":"..', b'"head":"zz', lines[0]), *lines[1:]],
    "float": lambda lines: relinked(lines, 2, lambda batch: msgspec.structs.replace(batch, command={"x": 0.5})),
    "nested 70": lambda lines: relinked(
        lines, 2, lambda batch: msgspec.structs.replace(batch, command={"x": deep(70)})
    ),
    "other blind": lambda lines: relinked(lines, 2, lambda batch: msgspec.structs.replace(batch, blind=b"x" * 16)),
    "no opening": lambda lines: relinked(lines, 0, lambda batch: msgspec.structs.replace(batch, events=())),
    "other seed": lambda lines: relinked(
        lines,
        len(lines) - 1,
        lambda batch: msgspec.structs.replace(
            batch, events=(*batch.events[:-1], {"type": "ludolog/seed-revealed", "seed": "00" * 32})
        ),
    ),
    "no seed": lambda lines: relinked(
        lines,
        len(lines) - 1,
        lambda batch: msgspec.structs.replace(
            batch, events=(*batch.events[:-1], {"type": "ludolog/seed-revealed", "seed": "zz"})
        ),
    ),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_file_gives_one_error_and_nothing_is_written(run, tmp_path, finished, kind):
    """S34, S37"""
    lines = HOSTILE[kind](finished)
    with pytest.raises(CorruptLog):
        verify_log(lines)
    store = ludolog.MemoryStore()
    with pytest.raises(CorruptLog):
        import_log(lines, store)
    assert store.tables() == ()
    (tmp_path / "rows.jsonl").write_bytes(b"".join(lines))
    assert "is damaged" in run("verify rows.jsonl", code=1).stdout


def test_a_damaged_file_is_not_imported(run, tmp_path, finished):
    (tmp_path / "rows.jsonl").write_bytes(b"".join(finished[1:]))
    assert "is damaged" in run("import rows.jsonl", code=3).stderr
    assert not (tmp_path / "ludolog.db").exists()


def test_a_line_too_long_for_memory_is_not_read():
    class Endless:
        def readline(self, limit):
            assert limit == LONGEST_LINE + 1
            return memoryview(bytes(limit))

    with pytest.raises(CorruptLog, match="a line has more than"):
        list(read_lines(Endless()))


def test_an_export_needs_a_table_that_is_there(run, file):
    assert "There is no table 'x'" in run("export x", code=2).stderr
    with pytest.raises(ludolog.errors.UnknownTable):
        export_log("x", ludolog.MemoryStore())
    store = ludolog.MemoryStore()
    table = ludolog.new_table("tic-tac-toe", ("ann", "bob"), store=store)
    with pytest.raises(StillSecret):
        export_log(table.id, store)
    assert "rows.json: No such file or directory" in run("verify rows.json", code=3).stderr
