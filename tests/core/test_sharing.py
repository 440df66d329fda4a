"""Sharing a log as lines: the same bytes every time; a file that was cut, doubled, reordered or made up is refused."""

import io
import json

import pytest

from ludolog import MemoryStore, Receipt, Ruleset, open_table
from ludolog.errors import CorruptLog, SeedMissing, StillSecret, TableExists, UnknownTable
from ludolog.export import LONGEST_LINE, export_log, import_log, read_lines, verify_log
from ludolog.frame import SeedRevealed
from ludolog_events import to_json
from toys.forging import chained, changed, payloads_of
from toys.made import table_of
from toys.vault import GAME, Draw, Finish, Roll, Vault, Walk

VAULT = Ruleset(GAME)
SEATS = ("ann", "bob", "cy")


def played(*, finished=True):
    table = table_of(VAULT, SEATS, seed="hush")
    for number, command in enumerate((Walk(to=9), Roll(), Draw(), Walk(to=2))):
        table.play(SEATS[number % 3], command, command_id=f"c{number}", at=number)
    table.undo(None)
    if finished:
        table.play(None, Finish())
    return table


def lines_of(table, *, secrets=False):
    return list(export_log("t", table.journal.store, secrets=secrets))


def refused(lines, why, receipts=()):
    """Neither verified nor imported, and nothing is written."""
    lines = list(lines)
    store = MemoryStore()
    for call in (lambda: verify_log(lines, receipts), lambda: import_log(lines, store, receipts)):
        with pytest.raises(CorruptLog, match=why):
            call()
    assert store.tables() == ()


def test_a_log_goes_out_and_comes_back_byte_for_byte():
    table = played()
    lines = lines_of(table)
    assert lines == lines_of(table)
    store = MemoryStore()
    summary = import_log(lines, store, [table.receipt])
    assert summary == verify_log(lines)
    assert (summary.table, summary.length, summary.head, summary.over) == ("t", 8, table.receipt.head, True)
    assert (summary.rules, summary.seats) == (table.opened.rules, SEATS)
    again = open_table("t", store, ruleset=VAULT)
    assert payloads_of(again) == payloads_of(table)
    assert again.position == table.position
    assert again.audit([table.receipt]).ok
    assert lines_of(again) == lines
    assert store.find("t", "c2").number == 4


def test_a_game_that_is_not_over_is_exported_for_the_host_alone():
    table = played(finished=False)
    with pytest.raises(StillSecret, match="not over, so its log holds secrets"):
        lines_of(table)
    lines = lines_of(table, secrets=True)
    store = MemoryStore()
    assert not import_log(lines, store).over
    reader = open_table("t", store, ruleset=VAULT)
    assert reader.position == table.position
    assert reader.view("bob") == table.view("bob")
    for call in (
        lambda: reader.play("ann", Walk(to=1)),
        lambda: reader.undo(None),
        lambda: reader.redo(None),
        lambda: reader.check("ann", Walk(to=1)),
    ):
        with pytest.raises(SeedMissing, match="can be read, not played on"):
            call()
    assert [answer.verdict for answer in reader.audit().answers] == ["yes", "yes", "unknown"]


@pytest.mark.parametrize(
    ("forge", "why"),
    [
        (lambda lines: [], "it is empty"),
        (lambda lines: [*lines[:2], b"\n", *lines[2:]], "at batch 2"),
        (lambda lines: [*lines[:-1], lines[-1][:-9]], "at batch 7"),
        (lambda lines: lines[1:], "at batch 0"),
        (lambda lines: [*lines[:3], *lines[4:]], "at batch 3"),
        (lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]], "at batch 3"),
        (lambda lines: [*lines[:4], lines[3], *lines[4:]], "at batch 4"),
        (lambda lines: [*lines, lines[0]], "at batch 8"),
        (lambda lines: [*lines[:3], lines[3].replace(b'"seat":"bob"', b'"seat":"cy"'), *lines[4:]], "at batch 3"),
        (lambda lines: [lines[0].replace(b'"time":0', b'"time":0.0'), *lines[1:]], "at batch 0"),
        (lambda lines: [b"\xef\xbb\xbf" + lines[0], *lines[1:]], "at batch 0"),
        (lambda lines: [lines[0] * 2, *lines[1:]], "at batch 0"),
        (lambda lines: [b"[" * 100_000, *lines[1:]], "at batch 0"),
        (lambda lines: [json.dumps(json.loads(lines[0])).encode(), *lines[1:]], "canonical form"),
    ],
)
def test_a_file_that_was_damaged_names_the_batch(forge, why):
    """S34, S37."""
    refused(forge(lines_of(played())), why)


def test_a_cut_tail_is_found_by_a_receipt():
    """S37: without one, a log that ends early is a game that was broken off."""
    table = played()
    lines = lines_of(table)[:-2]
    assert verify_log(lines).length == 6
    refused(lines, "the tail is missing", [table.receipt])
    refused(lines_of(table), "receipt", [Receipt(table="t", length=3, head="00" * 32)])
    refused(lines_of(table), "for table 'u'", [Receipt(table="u", length=8, head=table.receipt.head)])


def as_lines(payloads):
    return [to_json(payload) for payload in payloads]


def test_a_revealed_seed_must_be_the_committed_one():
    """Also for a log that was chained anew."""
    table = played()

    def other_seed(events):
        return (*events[:-1], {**events[-1], "seed": "00" * 32})

    *head, last = payloads_of(table)
    refused(as_lines(chained([*head, changed(last, events=other_seed)])), "not the one that was committed to")
    refused(as_lines(chained([*head, changed(last, blind=bytes(16))])), "at batch 7 .* blinding bytes")
    assert isinstance(table.journal.one(7).events[-1], SeedRevealed)


def test_the_log_of_something_else():
    *_, last = payloads_of(played())
    refused(as_lines(chained([last])), "opening")


def test_a_table_that_is_there_already_stays_as_it_is():
    table = played()
    with pytest.raises(TableExists):
        import_log(lines_of(table), table.journal.store)
    assert table.audit([table.receipt]).ok


def test_a_fork_comes_after_its_parent():
    table = played()
    fork = table.fork(5, id="f")
    fork.play(fork.to_act[0], Draw())
    lines = list(export_log("f", table.journal.store, secrets=True))
    store = MemoryStore()
    with pytest.raises(UnknownTable, match="'f' is a fork of 't', which has to be imported first"):
        import_log(lines, store)
    import_log(lines_of(table), store)
    assert import_log(lines, store).forked_from == "t"
    again = open_table("f", store, ruleset=VAULT)
    assert again.position[Vault] == fork.position[Vault]


def test_lines_are_read_one_by_one_and_none_is_endless():
    lines = lines_of(played())
    assert list(read_lines(io.BytesIO(b"".join(lines)))) == lines
    assert list(read_lines(io.BytesIO(b""))) == []
    endless = io.BytesIO(lines[0] + b" " * (LONGEST_LINE + 1))
    reading = read_lines(endless)
    assert next(reading) == lines[0]
    with pytest.raises(CorruptLog, match=r"at batch 1 .* more than"):
        next(reading)


def test_an_unknown_table_is_not_exported():
    for secrets in (False, True):
        with pytest.raises(UnknownTable):
            list(export_log("nowhere", MemoryStore(), secrets=secrets))
