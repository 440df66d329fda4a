"""Audit: three answers, which of them finds what, what can't be answered, and who set what."""

import copy

import msgspec
import pytest

from ludolog import MemoryStore, Receipt, Ruleset, State, open_table
from ludolog.errors import CorruptLog, LudologError, UnknownField, UnknownTable
from ludolog.frame import Frame
from ludolog.verifying import verify_table
from ludolog_events import head_of
from toys.forging import chained, changed, payloads_of, store_of, swap_store
from toys.made import game_of, new_rules, table_of
from toys.vault import GAME, Draw, Finish, Notes, Roll, Vault, Walk

VAULT = Ruleset(GAME)
SEATS = ("ann", "bob", "cy")


def played(**more):
    table = table_of(VAULT, SEATS, **more)
    for number, command in enumerate((Walk(to=9), Roll(), Draw(), Walk(to=2), Roll())):
        table.play(SEATS[number % 3], command, at=number, command_id=f"c{number}")
    table.undo(None)
    return table


def verdicts(table, receipts=()):
    return tuple(answer.verdict for answer in table.audit(receipts).answers)


def test_a_sound_log_gets_three_times_yes():
    table = played()
    report = table.audit([table.receipt, Receipt(table="t", length=3, head=payload_head(table, 2))])
    assert report.ok
    assert [answer.question for answer in report.answers] == [
        "Is this the log?",
        "Does it give this position?",
        "Was it played by the rules?",
    ]
    assert "2 receipts" in str(report)
    assert str(table.audit([table.receipt])).count(" batches and 1 receipt\n") == 1
    assert str(report).count("\n") == 2


def payload_head(table, number):
    return head_of(payloads_of(table)[number]).hex()


def test_without_a_receipt_the_answer_says_what_it_can_not_see():
    first = played().audit().answers[0]
    assert first.verdict == "yes"
    assert "no receipt was given, so a cut tail can't be seen" in first.why


def test_without_the_seed_the_third_question_is_open():
    """And it is answered once the game is over, for then the seed stands in the log."""
    table = played()
    reader = open_table("t", store_of("t", payloads_of(table)), ruleset=VAULT)
    assert verdicts(reader) == ("yes", "yes", "unknown")
    assert "the seed has not been revealed" in reader.audit().answers[2].why
    assert not reader.audit().ok
    table.play(None, Finish())
    reader = open_table("t", store_of("t", payloads_of(table)), ruleset=VAULT)
    assert verdicts(reader) == ("yes", "yes", "yes")


def later(batches):
    """Another draw in batch 4, the log chained anew."""

    def other(events):
        return ({**events[0], "card": "card-99"}, *events[1:])

    return chained([*batches[:4], changed(batches[4], events=other), *batches[5:]])


def flipped(payload):
    return payload[:-1] + bytes([payload[-1] ^ 1])


FORGED = {
    # what was done: (forger, the verdicts of a reader without receipt, with one)
    "a byte of the last batch": (lambda b: [*b[:-1], flipped(b[-1])], "no", "no"),
    "a byte in the middle": (lambda b: [*b[:3], b[3][:40] + b"\x00" + b[3][41:], *b[4:]], "no", "no"),
    "the tail is cut": (lambda b: b[:-2], "yes", "no"),
    "the head is cut": (lambda b: b[1:], "no", "no"),
    "a batch of the middle is missing": (lambda b: [*b[:3], *b[4:]], "no", "no"),
    "two batches are swapped": (lambda b: [*b[:3], b[4], b[3], *b[5:]], "no", "no"),
    "a batch stands twice": (lambda b: [*b[:4], b[3], *b[4:]], "no", "no"),
    "bytes at the end of a batch": (lambda b: [*b[:-1], b[-1] + b"\xc0"], "no", "no"),
    "another card, not chained anew": (lambda b: [*b[:4], later(b)[4], *b[5:]], "no", "no"),
    "another card, chained anew": (later, "yes", "no"),
    "another time, chained anew": (lambda b: chained([*b[:3], changed(b[3], time=99), *b[4:]]), "yes", "no"),
    "another seat, chained anew": (lambda b: chained([*b[:3], changed(b[3], seat="cy"), *b[4:]]), "yes", "no"),
    "a batch left out, chained anew": (lambda b: chained([*b[:5], b[6]]), "yes", "no"),
    "other draws, chained anew": (lambda b: chained([*b[:3], changed(b[3], draws="6:0"), *b[4:]]), "yes", "no"),
    "other blinding, chained anew": (lambda b: chained([*b[:3], changed(b[3], blind=bytes(16)), *b[4:]]), "yes", "no"),
}


@pytest.mark.parametrize(("forge", "alone", "with_receipt"), FORGED.values(), ids=list(FORGED))
def test_what_the_first_question_finds(forge, alone, with_receipt):
    """S37: six kinds of forgery; chain and bytes find five, a receipt held elsewhere finds the last and a cut tail."""
    table = played()
    receipt = table.receipt
    forged = list(forge(payloads_of(table)))
    for receipts, expected in (((), alone), ((receipt,), with_receipt)):
        try:
            found = verify_table("t", store_of("t", forged), receipts)
        except CorruptLog:
            found = None
        assert ("no" if found is None else "yes") == expected
    try:
        reader = open_table("t", store_of("t", forged, table.seed), ruleset=VAULT)
    except LudologError:
        assert alone == "no"
        return
    assert verdicts(reader)[0] == alone
    assert verdicts(reader, [receipt])[0] == with_receipt


@pytest.mark.parametrize(
    "what",
    [
        "another card, chained anew",
        "another time, chained anew",
        "another seat, chained anew",
        "a batch left out, chained anew",
        "other draws, chained anew",
        "other blinding, chained anew",
    ],
)
def test_the_rules_find_what_the_chain_does_not(what):
    """S37: with the seed, a log chained anew is not what the rules give (a time that no rule reads apart)."""
    table = played()
    store = store_of("t", FORGED[what][0](payloads_of(table)), table.seed)
    answer = open_table("t", store, ruleset=VAULT).audit().answers[2]
    if "time" in what:
        assert answer.verdict == "yes"
        return
    assert answer.verdict == "no"
    assert answer.batch is not None


def test_a_batch_copied_from_another_game():
    table, other = played(), played(seed=8, id="u")
    forged = payloads_of(table)
    forged[3] = payloads_of(other)[3]
    with pytest.raises(CorruptLog, match=r"at batch 3 .* hashes differ"):
        verify_table("t", store_of("t", forged))
    forged = chained(forged)
    answers = open_table("t", store_of("t", forged, table.seed), ruleset=VAULT).audit().answers
    assert [answer.verdict for answer in answers] == ["yes", "yes", "no"]
    assert answers[2].batch == 3


def test_a_whole_log_under_another_name():
    with pytest.raises(CorruptLog, match="opening of table 't'"):
        open_table("u", store_of("u", payloads_of(played())), ruleset=VAULT)


def test_every_flipped_bit_is_found():
    """S17: one bit anywhere in the log; the first bad batch is named, and nothing else is raised."""
    payloads = payloads_of(played())
    for number, payload in enumerate(payloads):
        for at in range(0, len(payload), 3):
            forged = [*payloads]
            forged[number] = payload[:at] + bytes([payload[at] ^ (1 << at % 8)]) + payload[at + 1 :]
            with pytest.raises(CorruptLog) as error:
                verify_table(
                    "t", store_of("t", forged), [Receipt(table="t", length=8, head=head_of(payloads[-1]).hex())]
                )
            assert error.value.batch in {number, number + 1}


def test_the_wrong_seed_is_found():
    table = played()
    reader = open_table("t", store_of("t", payloads_of(table), bytes(32)), ruleset=VAULT)
    assert "not the one that was committed to" in reader.audit().answers[2].why


def test_a_table_whose_store_was_changed_under_it():
    """Nothing is trusted but the bytes: not even what the table itself remembers of them."""
    table = played()
    swap_store(table, later)
    answers = table.audit().answers
    assert [answer.verdict for answer in answers] == ["no", "no", "no"]
    assert "Vault.hands" in answers[1].why


def test_what_was_redone_is_read_from_the_store_too():
    table = table_of(VAULT, SEATS)
    table.play("ann", Draw())
    table.undo(None)
    table.redo(None)

    def forge(batches):
        def other(events):
            return ({**events[0], "card": "card-99"},)

        return chained([*batches[:2], changed(batches[2], events=other), *batches[3:]])

    swap_store(table, forge)
    assert verdicts(table) == ("no", "no", "no")


def test_batches_in_another_order_are_not_folded():
    """Opening verifies no hashes, but what stands in a wrong place is seen, and named."""
    batches = payloads_of(played())
    for forged in ([*batches[:3], batches[4], batches[3], *batches[5:]], [*batches[:3], *batches[4:]]):
        with pytest.raises(CorruptLog, match="batch 4 stands where batch 3 should"):
            open_table("t", store_of("t", forged), ruleset=VAULT)


def test_a_log_that_is_shorter_than_its_store_says():
    class Boasting(MemoryStore):
        def head(self, table):
            return super().head(table)._replace(length=12)

    store = Boasting()
    store._logs = store_of("t", payloads_of(played()))._logs
    with pytest.raises(CorruptLog, match=r"at batch 8 is damaged: it ends before this batch"):
        open_table("t", store, ruleset=VAULT)


def test_a_position_that_was_tampered_with():
    table = played()
    table._fold.position = table.position.having(msgspec.structs.replace(table.position[Vault], cell=7))
    answers = table.audit().answers
    assert [answer.verdict for answer in answers] == ["yes", "no", "yes"]
    assert answers[1].why.endswith("differs from the live position in Vault.cell")


def test_a_snapshot_that_says_something_else():
    table = played()
    sound = table._fold.position
    table._fold.position = sound.having(msgspec.structs.replace(sound[Vault], cell=7))
    table.keep_snapshot()
    table._fold.position = sound
    answer = table.audit().answers[1]
    assert (answer.verdict, answer.batch) == ("no", 7)
    assert "snapshot" in answer.why


def test_the_stores_own_columns_are_compared():
    table = played()
    log = table.journal.store._logs["t"]
    log.command_ids[3] = "other"
    assert table.audit().answers[0].why == "batch 3: the store's own columns differ from what the batch says"
    log.command_ids[3] = "c1"
    log.heads[3] = bytes(32)
    assert table.audit().answers[0].batch == 3


def test_one_event_has_one_encoding():
    """A default that is written out reads the same, and is not what the library writes."""
    table = table_of(VAULT, SEATS)
    table.play("ann", Walk(to=1))

    def written_out(batches):
        opened = changed(batches[0], events=lambda events: ({**events[0], "forked": []},))
        return chained([opened, *batches[1:]])

    answer = (
        open_table("t", store_of("t", written_out(payloads_of(table)), table.seed), ruleset=VAULT).audit().answers[0]
    )
    assert (answer.verdict, answer.batch) == ("no", 0)
    assert "write it in another way" in answer.why


@pytest.mark.parametrize(
    ("receipt", "why"),
    [
        (Receipt(table="u", length=3, head="00"), "for table 'u'"),
        (Receipt(table="t", length=99, head="00"), "the tail is missing"),
        (Receipt(table="t", length=3, head="00"), "not the one of a receipt"),
        (Receipt(table="t", length=0, head="00"), "is none"),
        (Receipt(table="t", length=-1, head="00"), "is none"),
    ],
)
def test_receipts_that_do_not_fit(receipt, why):
    answer = played().audit([receipt]).answers[0]
    assert answer.verdict == "no"
    assert why in answer.why


def test_a_later_check_reads_only_what_is_new():
    """S39: and falls back to the whole log when its receipt is stale."""
    table = played()

    class Counting(MemoryStore):
        def payloads(self, table, start=0, stop=None):
            for payload in super().payloads(table, start, stop):
                self.read += 1
                yield payload

    store = Counting()
    store._logs, store.read = table.journal.store._logs, 0
    first = verify_table("t", store)
    assert first == table.receipt
    table.play(table.to_act[0], Walk(to=0))
    store.read = 0
    assert verify_table("t", store, since=first) == table.receipt
    assert store.read == 2
    store.read = 0
    stale = Receipt(table="t", length=5, head="ab" * 32)
    assert verify_table("t", store, since=stale) == table.receipt
    assert store.read > table.length
    assert verify_table("t", store, since=Receipt(table="t", length=99, head="00")) == table.receipt
    assert verify_table("t", store, since=Receipt(table="u", length=1, head="00")) == table.receipt
    with pytest.raises(CorruptLog, match="at batch 4"):
        verify_table("t", store, [stale], since=table.receipt)


def test_a_later_check_finds_what_is_wrong_in_the_new_part():
    table = played()
    first = table.receipt
    table.play(table.to_act[0], Walk(to=0))
    forged = payloads_of(table)
    with pytest.raises(CorruptLog, match="at batch 8"):
        verify_table("t", store_of("t", [*forged[:-1], flipped(forged[-1])]), [table.receipt], since=first)
    with pytest.raises(UnknownTable):
        verify_table("nowhere", table.journal.store)


def test_a_newer_ruleset_may_give_the_same_events():
    """S28: the shadow replay of the audit says whether the rules at hand would have given this log."""
    table = played()
    newer = GAME.rules()

    def rules_with(version, roll=None):
        part = copy.copy(newer)
        part.version = version
        if roll is not None:
            part.deciders = {**part.deciders, Roll: part.deciders[Roll]._replace(function=roll)}
        return Ruleset(game_of(part, GAME.seats))

    same = open_table("t", table.journal.store, ruleset=rules_with(2)).audit().answers
    assert [answer.verdict for answer in same] == ["yes", "yes", "yes"]
    assert "not of their version" in same[2].why

    def unlucky(now, command):
        yield from newer.deciders[Walk].function(now, Walk(to=0))

    other = open_table("t", table.journal.store, ruleset=rules_with(2, unlucky)).audit().answers
    assert [answer.verdict for answer in other] == ["yes", "yes", "unknown"]
    assert "vault was version 1 and is 2 here" in other[2].why


def test_blame():
    """Which batch, event and clause set a field; what is undone set nothing."""
    table = played()
    found = table.blame(Vault, "cell")
    assert (found.table, found.batch, found.event, found.value) == ("t", 5, "Walked", 2)
    assert found.clauses == ("VA-3",)
    assert table.blame(Vault, "rolls").batch == 3
    assert table.blame(Vault, "rolls").clauses == ("VA-4",)
    assert table.blame(Vault, "deck").event == "Drew"
    assert table.blame(Frame, "seats").batch == 0
    with pytest.raises(UnknownField, match=r"Notes\.note still has the value"):
        table.blame(Notes, "note")
    with pytest.raises(UnknownField, match="no field 'sell' of Vault"):
        table.blame(Vault, "sell")

    class Other(State, frozen=True):
        x: int = 0

    with pytest.raises(UnknownField, match="no field 'x' of Other"):
        table.blame(Other, "x")


def test_blame_in_a_fork_goes_back_to_its_parent():
    table = played()
    fork = table.fork(6, id="f")
    assert fork.blame(Vault, "cell") == table.blame(Vault, "cell")
    fork.play(fork.to_act[0], Walk(to=8))
    assert (fork.blame(Vault, "cell").table, fork.blame(Vault, "cell").batch) == ("f", 1)
    assert fork.blame(Vault, "deck").table == "t"


def test_what_a_seat_knew_after_a_batch():
    table = played()
    for length in range(table.length + 1):
        for seat in (*SEATS, None):
            fold = table.ruleset.start()
            known = [
                event
                for facts in table.journal.facts(0, length)
                if facts.number != 6 or length < 8
                for event in facts.events
            ]
            assert table.view(seat, at=length).slices == table.ruleset.fold(fold, known, seat).slices


def test_a_fork_stands_on_its_parents_log():
    """What is changed below a fork changes its position, so its audit looks there."""
    table = played()
    fork = table.fork(6, id="f")
    assert fork.audit([fork.receipt]).ok
    log = table.journal.store._logs["t"]
    log.payloads[:] = later(log.payloads)
    answer = fork.audit().answers[0]
    assert answer.verdict == "no"
    assert "receipt" in answer.why


def test_the_tiniest_log():
    table = table_of(new_rules())
    assert table.audit([table.receipt]).ok
