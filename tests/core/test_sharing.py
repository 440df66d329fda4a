"""Sharing a log as lines: the same bytes every time; a file that was cut, doubled, reordered or made up is refused."""

import io

import pytest

from ludolog import MemoryStore, Receipt, Ruleset, open_table
from ludolog.bundles import LONGEST_LINE, export_bundle, import_bundle, read_lines, verify_bundle
from ludolog.errors import CorruptLog, SeedMissing, StillSecret, TableExists, UnknownTable
from ludolog.frame import SeedRevealed
from ludolog_events import read_raw
from toys.bundling import bundle_of, with_header
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
    return list(export_bundle("t", table.journal.store, secrets=secrets))


def refused(lines, why, receipts=()):
    """Neither verified nor imported, and nothing is written."""
    lines = list(lines)
    store = MemoryStore()
    for call in (lambda: verify_bundle(lines, receipts), lambda: import_bundle(lines, store, receipts)):
        with pytest.raises(CorruptLog, match=why):
            call()
    assert store.tables() == ()


def test_a_log_goes_out_and_comes_back_byte_for_byte():
    table = played()
    lines = lines_of(table)
    assert lines == lines_of(table)
    store = MemoryStore()
    summary = import_bundle(lines, store, [table.receipt])
    assert summary == verify_bundle(lines)
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
    assert not import_bundle(lines, store).over
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
        (lambda batches: [*batches[:2], b"\n", *batches[2:]], "at batch 2"),
        (lambda batches: [*batches[:2], b" " + batches[2], *batches[3:]], "at batch 2"),
        (lambda batches: [*batches[:2], batches[2][:-1] + b"\r\n", *batches[3:]], "at batch 2"),
        (lambda batches: [*batches[:-1], batches[-1][:-9]], "at batch 7"),
        (lambda batches: [*batches[:-1], batches[-1][:-1]], "at batch 7"),
        (lambda batches: batches[1:], "at batch 0"),
        (lambda batches: [*batches[:3], *batches[4:]], "at batch 3"),
        (lambda batches: [*batches[:3], batches[4], batches[3], *batches[5:]], "at batch 3"),
        (lambda batches: [*batches[:4], batches[3], *batches[4:]], "at batch 4"),
        (lambda batches: [*batches, batches[0]], "goes on after its seed"),
        (lambda batches: [*batches[:3], batches[3].replace(b'"seat":"bob"', b'"seat":"cy"'), *batches[4:]], "batch 3"),
        (lambda batches: [batches[0].replace(b'"time":0', b'"time":0.0'), *batches[1:]], "at batch 0"),
        (lambda batches: [batches[0].replace(b'"time":0', b'"time":"1970-01-01T00:00:00"'), *batches[1:]], "batch 0"),
        (lambda batches: [b"\xef\xbb\xbf" + batches[0], *batches[1:]], "at batch 0"),
        (lambda batches: [batches[0] * 2, *batches[1:]], "at batch 0"),
        (lambda batches: [b"[" * 100_000, *batches[1:]], "at batch 0"),
        (lambda batches: batches[:-1], "the tail is missing"),
        (lambda batches: [], "the tail is missing"),
    ],
)
def test_a_file_that_was_damaged_names_the_batch(forge, why):
    """S33, S34, S37."""
    header, *batches = lines_of(played())
    refused([header, *forge(batches)], why)


def test_a_cut_tail_is_found_by_a_receipt():
    """S37: without one, a log that ends early under a header made to fit is a game that was broken off."""
    table = played()
    lines = bundle_of(payloads_of(table)[:-2])
    assert (verify_bundle(lines).length, verify_bundle(lines).over) == (6, False)
    refused(lines, "the tail is missing", [table.receipt])
    refused(lines_of(table), "receipt", [Receipt(table="t", length=3, head="00" * 32)])
    refused(lines_of(table), "for table 'u'", [Receipt(table="u", length=8, head=table.receipt.head)])
    refused(lines_of(table), "a receipt for 0 batches is none", [Receipt(table="t", length=0, head="00" * 32)])


def test_a_revealed_seed_must_be_the_committed_one():
    """Also for a log that was chained anew."""
    table = played()

    def other_seed(events):
        return (*events[:-1], {**events[-1], "seed": "00" * 32})

    *head, last = payloads_of(table)
    refused(bundle_of(chained([*head, changed(last, events=other_seed)])), "not the one that was committed to")
    refused(bundle_of(chained([*head, changed(last, blind=bytes(16))])), "at batch 7 .* blinding bytes")
    refused(with_header(lines_of(table), seed="00" * 32), "not the one that was committed to")
    refused(with_header(lines_of(table), seed=None), "another seed than the one that was revealed")
    refused(with_header(lines_of(table), seed="AB" * 32), "no seed")
    unfinished = payloads_of(played(finished=False))
    refused(bundle_of(unfinished, seed=table.seed.hex()), "another seed than the one that was revealed")
    assert isinstance(table.journal.one(7).events[-1], SeedRevealed)


def test_every_draw_must_follow_from_the_seed():
    table = played()
    payloads = payloads_of(table)
    assert verify_bundle(lines_of(table)).draws == 39 + 1
    true = read_raw(payloads[3]).draws
    others = [f"6:{number}" for number in range(6) if f"6:{number}" != true]
    for number, draws in [(0, true), (6, true), *[(3, draws) for draws in (*others, f"{true} 6:0 6:0 6:0 6:0")]]:
        forged = [*payloads[:number], changed(payloads[number], draws=draws), *payloads[number + 1 :]]
        refused(bundle_of(chained(forged)), f"at batch {number}")
    for draws in ("6", "6:", "six:3", "06:3", "6:03", "6:3 ", " 6:3", "6:3  6:3", "+6:3", "6:-3", "0:0", "6:3,6:3"):
        forged = [*payloads[:3], changed(payloads[3], draws=draws), *payloads[4:]]
        refused(bundle_of(chained(forged)), "at batch 3")
    huge = [*payloads[:3], changed(payloads[3], draws="9" * 5000 + ":0"), *payloads[4:]]
    refused(bundle_of(chained(huge)), "at batch 3")


def test_an_undo_chooses_the_stream():
    """What was drawn after an undo comes from the stream of its place, so the place is followed through the log."""
    table = table_of(VAULT, SEATS, seed="hush")
    table.play("ann", Roll())
    table.undo(None)
    table.play("ann", Roll())
    table.play("bob", Roll())
    table.play(None, Finish())
    payloads = payloads_of(table)
    assert verify_bundle(lines_of(table)).draws == 39 + 3
    assert [read_raw(payloads[number]).draws for number in (2, 4)] == [read_raw(payloads[2]).draws] * 2
    for undone in ([], [1], [2, 3], [4], [-1], [2**40]):
        forged = changed(payloads[3], events=({"type": "ludolog/undone", "batches": undone, "by": ""},))
        refused(bundle_of(chained([*payloads[:3], forged, *payloads[4:]])), "takes back")
    forged = changed(payloads[3], events=({"type": "ludolog/redone", "batches": [2], "by": ""},))
    refused(bundle_of(chained([*payloads[:3], forged, *payloads[4:]])), "restores")


def test_the_log_of_something_else():
    first, *rest = payloads_of(played())
    opened = bundle_of([first])
    refused([opened[0], *bundle_of(chained([first, *rest]))[2:]], "at batch 0")
    assert verify_bundle(opened).length == 1
    lines = lines_of(played())
    refused(with_header(lines, table="u"), "does not agree with the opening of table 't'")
    refused(with_header(lines, digest="00" * 32), "does not agree with the opening")
    refused(with_header(lines, plugins=()), "does not agree with the opening")
    refused(with_header(lines, seat="ann"), "says what can't be")
    refused(bundle_of(chained([first, changed(rest[0], seat="zoe"), *rest[1:]])), "nobody named 'zoe'")
    refused(bundle_of(chained([first, first, *rest])), "at batch 1 .* opens or ends the game where it can't")
    refused(bundle_of(chained([changed(first, events=lambda events: events * 2), *rest])), "does not open a table")
    for kept in (slice(None, -1), slice(0)):
        ended = changed(rest[-1], events=lambda events, kept=kept: events[kept] + events[-1:] * (kept.stop == 0))
        refused(bundle_of(chained([first, *rest[:-1], ended]), seed=None), "where it can't")


def test_a_table_that_is_there_already_stays_as_it_is():
    table = played()
    with pytest.raises(TableExists):
        import_bundle(lines_of(table), table.journal.store)
    assert table.audit([table.receipt]).ok


def test_a_fork_comes_after_its_parent():
    table = played()
    fork = table.fork(5, id="f")
    fork.play(fork.to_act[0], Draw())
    lines = list(export_bundle("f", table.journal.store, secrets=True))
    store = MemoryStore()
    with pytest.raises(UnknownTable, match="'f' is a fork of 't', which has to be imported first"):
        import_bundle(lines, store)
    import_bundle(lines_of(table), store)
    assert import_bundle(lines, store).forked_from == "t"
    again = open_table("f", store, ruleset=VAULT)
    assert again.position[Vault] == fork.position[Vault]


def test_lines_are_read_one_by_one_and_none_is_endless():
    lines = lines_of(played())
    assert list(read_lines(io.BytesIO(b"".join(lines)))) == lines
    assert list(read_lines(io.BytesIO(b""))) == []
    endless = io.BytesIO(lines[0] + b" " * (LONGEST_LINE + 1))
    reading = read_lines(endless)
    assert next(reading) == lines[0]
    with pytest.raises(CorruptLog, match=r"at batch 0 .* more than"):
        next(reading)


def test_an_unknown_table_is_not_exported():
    for secrets in (False, True):
        with pytest.raises(UnknownTable):
            list(export_bundle("nowhere", MemoryStore(), secrets=secrets))
