"""What one seat was told, as a bundle: nothing of another's, at any time, and held against the whole log afterwards."""

import os
import random
import re
import tracemalloc

import msgspec
import pytest

import ludolog
from ludolog import MemoryStore, Receipt, Ruleset
from ludolog.bundles import (
    Told,
    export_bundle,
    export_told,
    import_bundle,
    verify_against,
    verify_bundle,
)
from ludolog.bundles.layout import line_of
from ludolog.errors import CorruptLog, MissingPlugin, NotABundle, UnknownSeat, UnknownTable
from ludolog_events import audience_of, audiences, is_told, read_raw
from toys.bundling import bundle_of, header_of, with_header
from toys.forging import chained, changed, payloads_of, store_of
from toys.made import catalogue_of, table_of
from toys.mutants import mutants_of
from toys.vault import GAME, Draw, Finish, LayDown, Mark, Note, Roll, Vault, Walk, Whisper

VAULT = Ruleset(GAME)
SEATS = ("ann", "bob", "cy")


def played(*, finished=True):
    """Hands, a face-down card, a note for two, a whisper, a mark that nobody hears of, and an undo of the whisper."""
    table = table_of(VAULT, SEATS, seed="hush")
    hand = table.position[Vault].hands[1]
    commands = (Draw(), LayDown(card=hand[0]), Note(watchers=("ann", "cy"), note="nine"))
    commands += (Whisper(to="cy", what="psst"), Mark(what="secretly"), Roll())
    for number, command in enumerate(commands):
        table.play(SEATS[number % 3], command, at=number)
    table.undo(None, to=5)
    table.redo(None)
    if finished:
        table.play(None, Finish())
    return table


def log_of(table, **more):
    return list(export_bundle(table.id, table.journal.store, secrets=True, **more))


def told_of(table, seat, **more):
    return list(export_told(table.id, table.journal.store, seat, ruleset=table.ruleset, **more))


def refused(lines, why, log=None):
    check = (lambda: verify_bundle(lines)) if log is None else (lambda: verify_against(lines, log, ruleset=VAULT))
    with pytest.raises(CorruptLog, match=why):
        check()


@pytest.mark.parametrize("seat", [*SEATS, None])
@pytest.mark.parametrize("finished", [True, False])
def test_a_bundle_tells_just_what_the_feed_told(seat, finished):
    table = played(finished=finished)
    lines = told_of(table, seat)
    assert lines == told_of(table, seat)
    summary = verify_bundle(lines, [table.receipt])
    assert (summary.holds, summary.seat, summary.table, summary.length) == ("told", seat, "t", table.length)
    assert (summary.over, summary.seats) == (finished, SEATS)
    told = [event for line in lines[1:] for event in msgspec.json.decode(line)["told"]]
    assert told == [msgspec.json.decode(msgspec.json.encode(item.event)) for item in table.feed(seat)]
    heads = [msgspec.json.decode(line)["head"] for line in lines[1:]]
    assert heads == [head.hex() for head in table.journal.heads(0, table.length)]
    one, other = verify_against(lines, log_of(table), [table.receipt], ruleset=VAULT)
    assert (one, other.holds) == (summary, "log")


def test_nothing_is_told_of_what_nobody_else_heard():
    """F4, F8: neither a hidden batch nor an undo of it; its number and hash are there, as receipts tell them anyway."""
    table = table_of(VAULT, SEATS)
    table.play("ann", Mark(what="secretly"), at=1)
    bob = [msgspec.json.decode(line) for line in told_of(table, "bob")[1:]]
    assert [len(line["told"]) for line in bob] == [1, 5, 1]
    table.undo("ann", consent=SEATS)
    assert msgspec.json.decode(told_of(table, "bob")[-1])["told"] == [
        {"type": "ludolog/retracted", "by": "ann", "numbers": [7], "restored": []}
    ]
    assert b"secretly" not in b"".join(told_of(table, "bob") + told_of(table, None))
    assert b"secretly" in b"".join(log_of(table))


def test_seed_blinding_bytes_and_draws_are_in_no_bundle_of_a_seat():
    """F4: nor the commands, their ids and times, which a seat isn't told."""
    table = played(finished=False)
    text = b"".join(told_of(table, "ann"))
    assert table.seed.hex().encode() not in text
    for payload in payloads_of(table):
        raw = read_raw(payload)
        assert raw.blind.hex().encode() not in text
        assert not raw.draws or raw.draws.encode() not in text
    assert header_of(told_of(table, "ann")).seed is None
    over = played()
    assert header_of(told_of(over, "ann")).seed == over.seed.hex()


def test_who_is_told_nothing_by_name_of_the_table():
    table = played()
    with pytest.raises(UnknownSeat, match="Nobody named 'zoe' sits at table 't'"):
        told_of(table, "zoe")
    with pytest.raises(UnknownTable):
        list(export_told("nowhere", table.journal.store, "ann", ruleset=VAULT))
    with pytest.raises(MissingPlugin, match="vault version 1"):
        list(export_told("t", table.journal.store, "ann", source=catalogue_of()))
    assert list(export_told("t", table.journal.store, "ann", source=catalogue_of(GAME))) == told_of(table, "ann")


def test_a_fork_is_told_from_its_own_opening():
    parent = played()
    fork = parent.fork(6, id="f")
    fork.play(fork.to_act[0], Draw())
    fork.undo(None)
    lines = list(export_told("f", parent.journal.store, "ann", ruleset=VAULT))
    summary, _ = verify_against(lines, list(export_bundle("f", parent.journal.store, secrets=True)), ruleset=VAULT)
    assert (summary.forked_from, summary.length) == ("t", 3)
    assert msgspec.json.decode(lines[-1])["told"][0]["numbers"] == [2]


# ---------------------------------------------------------------- every game


GAMES = {
    "tic-tac-toe": (("ann", "bob"), (), None),
    "dark-horse-bugs": (SEATS, ("dilly-dally",), None),
    "insect-inc": (("ann", "bob"), (), None),
    "dark-is-the-night": (("ann", "bob"), (), None),
    "dark-horse-west": (("ann", "bob"), ("mystery-hexes", "reputation", "silver"), 150),
}


def random_game(game):
    seats, variants, until = GAMES[game]
    table = ludolog.new_table(game, seats, variants, seed=11, id="g", at=0)
    chance = random.Random(11)
    while not table.over and table.length != until:
        seat = chance.choice(table.to_act)
        table.play(seat, chance.choice(table.legal(seat)), at=table.length)
    return table


def others_of(table):
    """For each hidden field, the values that it had: what stands in for one is a value that could be there."""
    found = {}
    for batch in table.journal.batches():
        for event in batch.events:
            for name in event.__struct_fields__:
                found.setdefault((type(event), name), set()).add(getattr(event, name))
    return {field: sorted(values, key=repr) for field, values in found.items()}


def planted(event, seat, values, mark):
    """The event with something else in whatever ``seat`` isn't told: a mark if it is text, else another value."""
    whole = audience_of(type(event))
    unheard = whole is not None and (seat is None or seat not in whole.seats(event))
    hidden = [name for name in audiences(type(event)) if not is_told(event, name, seat)]
    named = {found.field for found in (whole, *audiences(type(event)).values()) if found is not None}
    changes = {}
    for name in event.__struct_fields__ if unheard else hidden:
        if name in named:
            continue  # it says who is told
        value = getattr(event, name)
        new = next((other for other in values[type(event), name] if other != value and same_size(other, value)), value)
        if type(value) is str:
            new = mark(value)
        elif isinstance(value, tuple) and value and all(type(item) is str for item in value):
            new = tuple(map(mark, value))
        changes[name] = new
    return msgspec.structs.replace(event, **changes)


def same_size(one, other):
    return not isinstance(one, tuple) or not isinstance(other, tuple) or len(one) == len(other)


def fits(table, event):
    """Whether the rules' own types can hold it: some fields hold only names from a list."""
    try:
        return table.ruleset.one_event_decoder.decode(msgspec.msgpack.encode(event)) == event
    except msgspec.ValidationError:
        return False


@pytest.mark.parametrize("game", GAMES)
def test_what_a_seat_is_not_told_changes_nothing_in_its_bundle_but_hashes(game):
    """F4, F8, F9: every hidden field of every event of a game gets a mark or another value, for each seat in turn."""
    table = random_game(game)
    values = others_of(table)
    planted_marks = 0
    for seat in (*table.seats, None):
        payloads = []
        for batch in table.journal.batches():
            events = []
            for event in batch.events:
                mark = planted(event, seat, values, lambda value: f"foreign-{value}")
                other = mark if fits(table, mark) else planted(event, seat, values, lambda value: value)
                planted_marks += mark != event
                events.append(other)
            payloads.append(changed(read_payload(table, batch.number), events=tuple(map(plain, events))))
        store = store_of("g", chained(payloads))
        true, twin = (
            list(export_told("g", found, seat, ruleset=table.ruleset)) for found in (table.journal.store, store)
        )
        assert b"foreign-" not in b"".join(twin)
        assert list(map(without_hashes, true)) == list(map(without_hashes, twin))
        verify_bundle(true)
    assert planted_marks > 0 or game == "tic-tac-toe"


def read_payload(table, number):
    return next(iter(table.journal.store.payloads("g", number, number + 1)))


def plain(event):
    return msgspec.msgpack.decode(msgspec.msgpack.encode(event))


def without_hashes(line):
    return re.sub(rb'"head":"[0-9a-f]{64}"', b"", line)


@pytest.mark.parametrize("game", GAMES)
def test_each_seat_can_hold_its_bundle_against_the_log(game):
    table = random_game(game)
    log = log_of(table)
    for seat in (*table.seats, None):
        lines = list(export_told("g", table.journal.store, seat))
        assert verify_against(lines, log)[0].seat == seat


# ---------------------------------------------------------------- what is not as it should be


def edited(lines, number, change):
    """The bundle with what one batch told changed, in the canonical form."""
    told = msgspec.json.decode(lines[number + 1], type=Told)
    return [*lines[: number + 1], line_of(change(told)), *lines[number + 2 :]]


def tell(*events):
    return lambda told: msgspec.structs.replace(told, told=events)


DAMAGE = {
    "cut": (lambda lines: lines[:-1], "the tail is missing"),
    "head gone": (lambda lines: [lines[0], *lines[2:]], "at batch 0"),
    "middle gone": (lambda lines: [*lines[:4], *lines[5:]], "at batch 3"),
    "swapped": (lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]], "at batch 2"),
    "twice": (lambda lines: [*lines[:4], *lines[3:]], "at batch 3"),
    "a blank": (lambda lines: [*lines[:3], lines[3].replace(b",", b", ", 1), *lines[4:]], "at batch 2"),
    "no line feed": (lambda lines: [*lines[:-1], lines[-1].rstrip()], "canonical"),
    "a float": (lambda lines: edited(lines, 2, tell({"type": "vault/walked", "to": 0.5})), "canonical"),
    "a huge number": (
        lambda lines: [*lines[:3], lines[3].replace(b'"place":0', b'"place":' + b"9" * 99), *lines[4:]],
        "at batch 2",
    ),
    "deep": (lambda lines: [*lines[:3], lines[3][:-4] + b"[" * 99_999, *lines[4:]], "canonical"),
    "no type": (lambda lines: edited(lines, 2, tell({"to": 1})), "nothing that a seat is told"),
    "a type that is no text": (lambda lines: edited(lines, 2, tell({"type": 7})), "nothing that a seat is told"),
    "an undo untold": (
        lambda lines: edited(lines, 2, tell({"type": "ludolog/undone", "batches": [1], "by": ""})),
        "nothing that a seat is told",
    ),
    "what was not told taken back": (
        lambda lines: edited(lines, 2, tell({"type": "ludolog/retracted", "by": "", "numbers": [99], "restored": []})),
        "what was not told",
    ),
    "a malformed retraction": (
        lambda lines: edited(lines, 2, tell({"type": "ludolog/retracted", "by": 3, "numbers": [], "restored": []})),
        "can't be read",
    ),
    "no opening": (lambda lines: edited(lines, 0, tell()), "does not open a table"),
    "another opening": (lambda lines: edited(lines, 0, tell({"type": "ludolog/table-opened"})), "can't be read"),
    "opened again": (lambda lines: edited(lines, 2, tell({"type": "ludolog/table-opened"})), "where it can't"),
    "no hash": (lambda lines: edited(lines, 2, lambda told: msgspec.structs.replace(told, head="x")), "at batch 2"),
    "another end": (
        lambda lines: edited(lines, len(lines) - 2, lambda told: msgspec.structs.replace(told, head="0" * 64)),
        "not the one of a receipt",
    ),
    "another seat": (lambda lines: with_header(lines, seat="zoe"), "nobody named 'zoe'"),
    "another table": (lambda lines: with_header(lines, table="u"), "does not agree with the opening"),
    "another seed": (lambda lines: with_header(lines, seed="00" * 32), "not the one that was committed to"),
    "no seed": (lambda lines: with_header(lines, seed=None), "another seed than the one that was revealed"),
    "said to be a log": (lambda lines: with_header(lines, holds="log", seat=None), "at batch 0"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_bundle_of_a_seat_is_refused(kind):
    """S34, S37."""
    forge, why = DAMAGE[kind]
    refused(forge(told_of(played(), "ann")), why)


def test_no_mutant_of_what_a_seat_was_told_is_held_against_the_log():
    """S34, S37: alone it is refused with an error of ours or well-formed; held against the log nothing passes."""
    table = played()
    log, lines, other = log_of(table), told_of(table, "ann"), told_of(table, "bob")
    chance = random.Random(5)
    well_formed = found = 0
    for mutant in mutants_of(lines, other, chance, 200 if "LUDOLOG_NIGHTLY" in os.environ else 15):
        if not mutant.damaged:
            continue  # chains made anew are for logs
        found += 1
        try:
            verify_bundle(mutant.lines)
            well_formed += 1
        except CorruptLog:
            pass
        with pytest.raises(CorruptLog):
            verify_against(mutant.lines, log, ruleset=VAULT)
    assert 0 < well_formed < found / 4


def test_receipts_hold_for_what_a_seat_was_told():
    table = played()
    receipt = Receipt(table="t", length=3, head=table.journal.heads(2, 3)[0].hex())
    lines = told_of(table, "bob", receipts=[receipt])
    assert [mark.length for mark in header_of(lines).receipts] == [3, table.length]
    verify_bundle(lines, [receipt, table.receipt])
    for wrong, why in (
        (Receipt(table="t", length=3, head="00" * 32), "is not the one of a receipt"),
        (Receipt(table="t", length=99, head="00" * 32), "the tail is missing"),
        (Receipt(table="u", length=3, head=receipt.head), "for table 'u'"),
    ):
        with pytest.raises(CorruptLog, match=why):
            verify_bundle(lines, [wrong])
        with pytest.raises(CorruptLog, match=r"none of this log|one of a receipt|for table 'u'"):
            told_of(table, "bob", receipts=[wrong])
        with pytest.raises(CorruptLog, match=r"none of this log|one of a receipt|for table 'u'"):
            log_of(table, receipts=[wrong])
    assert verify_bundle(log_of(table, receipts=[receipt])).length == table.length


def test_only_the_log_shows_that_a_seat_was_told_something_else():
    """A host that tells a seat what didn't happen gives it a bundle that is whole, and that the log belies."""
    table = played()
    log, lines = log_of(table), told_of(table, "ann")
    lied = [*lines[:3], lines[3].replace(b'"card":"', b'"card":"x'), *lines[4:]]
    verify_bundle(lied)
    refused(lied, "at batch 2 .* told something else than the log tells it", log)
    hidden = edited(lines, 8, tell())
    verify_bundle(hidden)
    refused(hidden, "at batch 8 .* told something else", log)
    more = told_of(table, "bob")
    refused(with_header(more, seat="cy"), "told something else", log)


def test_both_bundles_must_be_of_one_table_and_of_their_kinds():
    table = played()
    log, lines = log_of(table), told_of(table, "ann")
    other = table_of(VAULT, SEATS, seed="hush", id="u")
    refused(lines, "one is of table 't', the other of 'u'", log_of(other))
    refused(lines, "the hashes differ", log_of(table_of(VAULT, SEATS, seed="other")))
    for one, two in ((log, log), (lines, lines), (log, lines)):
        with pytest.raises(NotABundle, match="held against a whole log"):
            verify_against(one, two, ruleset=VAULT)
    refused(lines, "told of batch 9, and the log has 9 batches", bundle_of(payloads_of(table)[:9]))
    refused(lines, "at batch 4", [*log[:5], *log[6:]])
    refused(lines[:-1], "the tail is missing", log)
    refused(lines, "the tail is missing", log[:-1])


def test_an_earlier_bundle_is_held_against_the_whole_log():
    table = played(finished=False)
    lines = told_of(table, "cy")
    early = table.receipt
    table.play(None, Finish())
    seat, whole = verify_against(lines, log_of(table), [early, table.receipt], ruleset=VAULT)
    assert (seat.length, whole.length, seat.over, whole.over) == (early.length, early.length + 1, False, True)
    with pytest.raises(CorruptLog, match="the tail is missing"):
        verify_bundle(lines, [table.receipt])


def test_what_a_seat_was_told_is_no_log_to_import():
    store = MemoryStore()
    with pytest.raises(NotABundle, match="what was told of a log, not the log itself"):
        import_bundle(told_of(played(), "ann"), store)
    assert store.tables() == ()


def test_a_damaged_store_is_not_exported():
    """Told at once, not only when the bundle is verified."""
    table = played()
    payloads = payloads_of(table)
    for forged in ([*payloads[:3], *payloads[4:]], [*payloads[:3], changed(payloads[3], time=9), *payloads[4:]]):
        store = store_of("t", forged)
        for export in (
            lambda store=store: list(export_bundle("t", store)),
            lambda store=store: list(export_told("t", store, "ann", ruleset=VAULT)),
        ):
            with pytest.raises(CorruptLog, match=r"at batch [34]"):
                export()


def test_command_ids_are_not_doubled_by_an_import():
    payloads = payloads_of(played())
    forged = chained([*payloads[:2], *(changed(payload, command_id="c") for payload in payloads[2:])])
    store = MemoryStore()
    with pytest.raises(CorruptLog, match="command id of an earlier batch, 'c'"):
        import_bundle(bundle_of(forged), store)
    assert store.tables() == ()


def test_memory_does_not_grow_with_the_log():
    """S39: a bundle is checked and written while it is read, batch by batch."""
    table = table_of(VAULT, SEATS)
    for number in range(1500):
        table.play(table.to_act[0], Walk(to=number % 9), at=number)
    table.play(None, Finish())
    store = table.journal.store

    def peak(export):
        tracemalloc.start()
        try:
            verify_bundle(export())
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    size = sum(len(payload) for payload in store.payloads("t"))
    assert size > 150_000
    for export in (lambda: export_bundle("t", store), lambda: export_told("t", store, "ann", ruleset=VAULT)):
        peak(export)
        assert peak(export) < size / 3
