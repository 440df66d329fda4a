"""Bundles as files: export, verify and import, with whatever a stranger may have written."""

from __future__ import annotations

import json
import re
from importlib.metadata import entry_points

import msgspec
import pytest

import ludolog
from ludolog.bundles import LONGEST_LINE, export_bundle, import_bundle, read_lines, verify_bundle
from ludolog.errors import CorruptLog, NewerBundle, NotABundle, SeedMissing, StillSecret, TableExists
from ludolog_events import Batch, encode, head_of
from toys.bundling import batch_line, bundle_of, header_of, payloads_in, with_header


def play_out(store, table_id="rows", game="tic-tac-toe"):
    table = ludolog.new_table(game, ("ann", "bob"), seed=7, store=store, id=table_id, at=10**15)
    while table.to_act:
        table.play(table.to_act[0], table.legal(table.to_act[0])[0], at=10**15)
    return table


@pytest.fixture
def finished():
    store = ludolog.MemoryStore()
    return list(export_bundle(play_out(store).id, store))


@pytest.fixture
def file(run, tmp_path):
    store = ludolog.open_store("ludolog.db")
    play_out(store)
    store.close()
    run("export rows rows.ludolog")
    return tmp_path / "rows.ludolog"


# ------------------------------------------------------------ there and back


def test_a_log_goes_there_and_back(run, file):
    lines = file.read_text().splitlines()
    assert [json.loads(line)["number"] for line in lines[1:]] == list(range(len(lines) - 1))
    assert json.loads(lines[0])["plugins"] == [{"id": "tic-tac-toe", "version": 1, "options": "{}"}]
    assert run("export rows").stdout == file.read_text()
    told = run("verify rows.ludolog").stdout
    assert "The log of table rows is whole: 9 batches, game over, and its seed is the one committed to." in told
    assert "Nothing was drawn." in told
    run("import rows.ludolog --store other.db")
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
    receipt = re.search(r"Receipt (\S+)", run("verify rows.ludolog").stdout)[1]
    run(f"verify rows.ludolog --receipt {receipt}")
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-1]))
    assert "the tail is missing" in run("verify rows.ludolog", code=1).stdout
    file.write_bytes(b"".join(bundle_of(payloads_in(lines)[:-1])))
    assert "game not over" in run("verify rows.ludolog").stdout
    assert "the tail is missing" in run(f"verify rows.ludolog --receipt {receipt}", code=1).stdout


def test_a_log_is_verified_and_exported_without_its_plugins(run, file, catalogue_of):
    """S27: what one seat was told is verified, too; who is told what, only the plugin knows."""
    run("export rows ann.ludolog --as ann")
    catalogue_of(entry_points(group="ludolog", name="stores/sqlite"))
    run("verify rows.ludolog")
    run("verify ann.ludolog")
    assert run("export rows").stdout == file.read_text()
    assert re.search(r"rows +tic-tac-toe +ann, bob", run("show").stdout)
    for line in ("show rows", "export rows --as ann", "verify ann.ludolog --against rows.ludolog"):
        assert "was played with tic-tac-toe version 1" in run(line, code=3).stderr


def test_a_game_that_goes_on_is_exported_for_the_host_alone(run):
    """F4: no export before the end tells a secret by accident."""
    run("new high-card ann bob --id cards")
    refused = run("export cards", code=1).stderr
    assert "its log holds secrets" in refused
    assert all(f"({option}" in refused for option in ("--as SEAT", "--as-spectator", "--secrets"))
    run("export cards --secrets cards.ludolog")
    run("import cards.ludolog --store other.db")
    run("show cards --as ann --store other.db")
    for line in ("do cards 1 --as ann", "undo cards --host"):
        assert "seed of table 'cards' is not in this store" in run(f"{line} --store other.db", code=3).stderr
    assert "Was it played by the rules? unknown" in run("audit cards --store other.db", code=1).stdout


def test_what_a_seat_was_told_goes_out_at_any_time(run, tmp_path):
    """F4: and is held against the whole log when the game is over."""
    run("new high-card ann bob --id cards --seed 3")
    for name, who in (("ann", "--as ann"), ("all", "--as-spectator")):
        assert f"What {'ann' if name == 'ann' else 'everyone'} was told at table cards is in {name}.ludolog." in (
            run(f"export cards {name}.ludolog {who}").stdout
        )
    seed = ludolog.open_table("cards", "ludolog.db").seed.hex()
    assert seed not in (tmp_path / "ann.ludolog").read_text()
    assert run("export cards --as ann").stdout == (tmp_path / "ann.ludolog").read_text()
    assert "What ann was told at table cards is whole: 2 batches, game not over." in run("verify ann.ludolog").stdout
    told = json.loads(run("verify all.ludolog --json").stdout)["log"]
    assert (told["holds"], told["seat"], told["over"]) == ("told", None, False)
    while (table := ludolog.open_table("cards", "ludolog.db")).to_act:
        run(f"do cards 1 --as {table.to_act[0]}")
    run("export cards full.ludolog")
    assert "All " in (out := run("verify full.ludolog").stdout)
    assert "draws follow from the seed." in out
    assert (
        "It is just what the log in full.ludolog tells ann." in run("verify ann.ludolog --against full.ludolog").stdout
    )
    assert "tells everyone." in run("verify all.ludolog --against full.ludolog").stdout
    lied = (tmp_path / "ann.ludolog").read_text().replace('"seat":"bob"', '"seat":"ann"')
    (tmp_path / "ann.ludolog").write_text(lied)
    assert "told something else" in run("verify ann.ludolog --against full.ludolog", code=1).stdout
    for line in ("import all.ludolog", "verify full.ludolog --against all.ludolog", "verify all.ludolog --against no"):
        run(line, code=3)
    for wrong in ("--as ann --secrets", "--as ann --as-spectator", "--as zoe"):
        run(f"export cards x.ludolog {wrong}", code=2)
    assert not (tmp_path / "x.ludolog").exists()


def test_receipts_go_out_with_a_bundle(run, file):
    receipt = re.search(r"Receipt (\S+)", run("verify rows.ludolog").stdout)[1]
    heads = [json.loads(line)["head"] for line in file.read_text().splitlines()[1:]]
    run(f"export rows more.ludolog --receipt 3:{heads[2]} --receipt {receipt}")
    assert [mark["length"] for mark in json.loads(run("export rows").stdout.splitlines()[0])["receipts"]] == [9]
    assert "is whole" in run("verify more.ludolog").stdout
    assert "one of a receipt" in run(f"export rows x.ludolog --receipt 3:{heads[3]}", code=3).stderr


def test_a_fork_is_imported_after_its_parent():
    store, other = ludolog.MemoryStore(), ludolog.MemoryStore()
    table = ludolog.new_table("tic-tac-toe", ("ann", "bob"), store=store, id="first")
    fork = table.fork(id="second")
    lines = list(export_bundle(fork.id, store, secrets=True))
    assert verify_bundle(lines).forked_from == "first"
    with pytest.raises(ludolog.LudologError, match="is a fork of 'first', which has to be imported first"):
        import_bundle(lines, other)
    import_bundle(export_bundle("first", store, secrets=True), other)
    import_bundle(lines, other)
    with pytest.raises(SeedMissing):
        ludolog.open_table("second", other).play("ann", fork.legal("ann")[0])
    with pytest.raises(TableExists):
        import_bundle(lines, other)


def test_an_export_that_fails_leaves_the_old_file(run, file, tmp_path):
    before = file.read_bytes()
    run("new high-card ann bob --id cards")
    run("export cards rows.ludolog", code=1)
    assert file.read_bytes() == before
    assert "no/such: No such file or directory." in run("export rows no/such/folder", code=3).stderr
    assert sorted(path.name for path in tmp_path.iterdir() if "rows" in path.name) == ["rows.ludolog"]


@pytest.mark.parametrize("place", ["ludolog.db", "notes.txt"])
def test_an_export_takes_the_place_of_a_bundle_only(run, file, tmp_path, place):
    """The store with all its tables would be gone by one slip of the hand."""
    (tmp_path / "notes.txt").write_text("my notes")
    before = (tmp_path / place).read_bytes()
    assert f"{place}: it is there already, and no bundle" in run(f"export rows {place}", code=3).stderr
    assert (tmp_path / place).read_bytes() == before
    (tmp_path / "empty").touch()
    for again in ("empty", "empty", "rows.ludolog"):
        run(f"export rows {again}")
        assert (tmp_path / again).read_bytes() == file.read_bytes()


# ------------------------------------------------------------ what strangers write


def relinked(lines, number, change):
    """The bundle with one batch changed, and every hash from there on worked out anew, as an attacker would."""
    payloads = payloads_in(lines)
    previous = None
    for at, payload in enumerate(payloads):
        batch = msgspec.msgpack.decode(payload, type=Batch[dict, dict])
        if at == number:
            batch = change(batch)
        if previous is not None:
            batch = msgspec.structs.replace(batch, previous=previous)
        payloads[at] = encode(batch)
        previous = head_of(payloads[at])
    true = header_of(lines)
    mark = msgspec.structs.replace(true.receipts[0], head=previous.hex())
    return [with_header(lines, receipts=(mark,))[0], *map(batch_line, payloads)]


def test_the_lines_of_the_attacks_are_those_of_the_library(finished):
    assert bundle_of(payloads_in(finished)) == finished
    assert relinked(finished, 2, lambda batch: batch) == finished


def deep(depth):
    value = 0
    for _ in range(depth):
        value = [value]
    return value


def with_field(line, value):
    """The line of a batch whose command has one more field, given as JSON text."""
    return line.replace(b'"command":{', b'"command":{"more":' + value + b",", 1)


HOSTILE = {
    "an empty line": lambda lines: [lines[0], b"\n", *lines[1:]],
    "cut": lambda lines: [*lines[:2], lines[2][:40]],
    "tail gone": lambda lines: lines[:-1],
    "middle gone": lambda lines: [*lines[:3], *lines[4:]],
    "head gone": lambda lines: [lines[0], *lines[2:]],
    "swapped": lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]],
    "twice": lambda lines: [*lines[:3], lines[2], *lines[3:]],
    "a blank": lambda lines: [lines[0], lines[1].replace(b":", b": ", 1), *lines[2:]],
    "doubled key": lambda lines: [lines[0], lines[1].replace(b'"format":1,', b'"format":1,"format":1,'), *lines[2:]],
    "newer batch": lambda lines: [lines[0], lines[1].replace(b'"format":1,', b'"format":2,'), *lines[2:]],
    "deep": lambda lines: [lines[0], with_field(lines[1], b"[" * 100_000 + b"]" * 100_000), *lines[2:]],
    "65 bits": lambda lines: [lines[0], with_field(lines[1], b"18446744073709551616"), *lines[2:]],
    "huge number": lambda lines: [lines[0], with_field(lines[1], b"9" * 100_000), *lines[2:]],
    "beyond floats": lambda lines: [lines[0], with_field(lines[1], b"1e999"), *lines[2:]],
    "lone surrogate": lambda lines: [lines[0], with_field(lines[1], rb'"\ud800"'), *lines[2:]],
    "no utf-8": lambda lines: [lines[0], with_field(lines[1], b'"\xff"'), *lines[2:]],
    "odd hex": lambda lines: [lines[0], re.sub(rb'"head":"..', b'"head":"zz', lines[1]), *lines[2:]],
    "blank in the header": lambda lines: [lines[0].replace(b"null", b" null", 1), *lines[1:]],
    "deep header": lambda lines: [lines[0][:-2] + b',"x":' + b"[" * 100_000, *lines[1:]],
    "doubled key in the header": lambda lines: [lines[0].replace(b'"seat"', b'"seat":null,"seat"'), *lines[1:]],
    "no receipts": lambda lines: with_header(lines, receipts=()),
    "receipts doubled": lambda lines: with_header(lines, receipts=header_of(lines).receipts * 2),
    "other kind": lambda lines: with_header(lines, holds="told"),
    "unknown kind": lambda lines: with_header(lines, holds="dice"),
    "format 0": lambda lines: with_header(lines, format=0),
    "float": lambda lines: relinked(lines, 2, lambda batch: msgspec.structs.replace(batch, command={"x": 0.5})),
    "nested 70": lambda lines: relinked(
        lines, 2, lambda batch: msgspec.structs.replace(batch, command={"x": deep(70)})
    ),
    "other blind": lambda lines: relinked(lines, 2, lambda batch: msgspec.structs.replace(batch, blind=b"x" * 16)),
    "no opening": lambda lines: relinked(lines, 0, lambda batch: msgspec.structs.replace(batch, events=())),
    "other seed": lambda lines: relinked(
        lines,
        len(lines) - 2,
        lambda batch: msgspec.structs.replace(
            batch, events=(*batch.events[:-1], {"type": "ludolog/seed-revealed", "seed": "00" * 32})
        ),
    ),
    "no seed": lambda lines: relinked(
        lines,
        len(lines) - 2,
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
        verify_bundle(lines)
    store = ludolog.MemoryStore()
    with pytest.raises(CorruptLog):
        import_bundle(lines, store)
    assert store.tables() == ()
    (tmp_path / "rows.ludolog").write_bytes(b"".join(lines))
    assert "is damaged" in run("verify rows.ludolog", code=1).stdout


FOREIGN = {
    "nothing": (lambda lines: [], "it is empty"),
    "no json": (lambda lines: [b"hello\n"], "does not begin with the header"),
    "a number": (lambda lines: [b"7\n"], "does not begin with the header"),
    "an empty line": (lambda lines: [b"\n", *lines], "does not begin with the header"),
    "a picture": (lambda lines: [b"\x89PNG\r\n", b"\x1a\n"], "does not begin with the header"),
    "another's json": (lambda lines: [b'{"ludolog":"table","format":1}\n'], "does not begin with the header"),
    "deep": (lambda lines: [b"[" * 100_000], "does not begin with the header"),
    "a blank first": (lambda lines: [b" " + lines[0], *lines[1:]], "does not begin with the header"),
    "no header": (lambda lines: lines[1:], "does not begin with the header"),
    "newer": (lambda lines: with_header(lines, format=2), "newer version"),
    "newest": (lambda lines: [b'{"ludolog":"bundle","format":9,"zip":true}\n', b"PK"], "newer version"),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_file_that_is_something_else_is_told_from_a_damaged_one(run, tmp_path, finished, kind):
    forge, why = FOREIGN[kind]
    lines = forge(finished)
    with pytest.raises(NewerBundle if kind.startswith("new") else NotABundle, match=why):
        verify_bundle(lines)
    (tmp_path / "rows.ludolog").write_bytes(b"".join(lines))
    for command in ("verify", "import"):
        assert why in run(f"{command} rows.ludolog", code=3).stderr
    assert not (tmp_path / "ludolog.db").exists()


def test_a_damaged_file_is_not_imported(run, tmp_path, finished):
    (tmp_path / "rows.ludolog").write_bytes(b"".join(finished[:-1]))
    assert "is damaged" in run("import rows.ludolog", code=3).stderr
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
        export_bundle("x", ludolog.MemoryStore())
    store = ludolog.MemoryStore()
    table = ludolog.new_table("tic-tac-toe", ("ann", "bob"), store=store)
    with pytest.raises(StillSecret):
        export_bundle(table.id, store)
    assert "rows.json: No such file or directory" in run("verify rows.json", code=3).stderr
