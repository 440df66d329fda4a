"""Logs of older rules: read and folded for ever, played on only when the newer version says that it may be."""

import itertools
from pathlib import Path

import pytest

from ludolog import Catalogue, Event, MemoryStore, Rules, Ruleset, State, open_table
from ludolog.bundles import export_bundle, import_bundle
from ludolog.errors import InvalidType, MissingPlugin, OwnedTwice, RulesetMismatch
from ludolog.verifying import verify_table
from ludolog_events import CorruptLog
from toys import rise, rise_1
from toys.made import catalogue_of, game_of, new_rules, ruleset_of, table_of, variant_of
from toys.vault import GAME, Draw, Walk

LOG = Path(__file__).parents[1] / "logs" / "rise-1.ludolog"


def old_store() -> MemoryStore:
    """The log that version 1 wrote, as it lies in ``tests/logs``."""
    store = MemoryStore()
    import_bundle(LOG.read_bytes().splitlines(keepends=True), store)
    return store


def write_old_log() -> None:
    """How the file was made, once: ``python -c "from test_versions import *; write_old_log()"``."""
    table = table_of(Ruleset(rise_1.GAME, (), {"loud": True}), id="old-rise", seed="a long time ago")
    for number in range(6):
        table.play(table.to_act[0], rise_1.Swap() if number == 3 else rise_1.Climb(), at=number * 1_000_000)
    table.undo(None, at=7_000_000)
    table.play(table.to_act[0], rise_1.Swap(), at=8_000_000)
    LOG.write_bytes(b"".join(export_bundle("old-rise", table.journal.store, secrets=True)))


def test_the_old_log_folds_to_what_it_was():
    """F28, S26: renamed, added, split and dropped; golden, and the same through the rules of then."""
    then = open_table("old-rise", old_store(), source=catalogue_of(rise_1.GAME))
    now = open_table("old-rise", old_store(), source=catalogue_of(rise.game()))
    assert now.position[rise.Heights].heights == then.position[rise_1.Heights].heights == (6, 4)
    assert now.position[rise.Heights].turn == then.position[rise_1.Heights].turn == 6
    assert now.position[rise.Heights].reasons == (rise.WHY,) * 4
    for length in range(2, now.length + 1):
        assert now.at(length)[rise.Heights].heights == (then.at(length)[rise_1.Heights].heights or (0, 0))
    assert now.view("ann") == now.view(None)
    assert [type(item.event).__name__ for item in now.feed("ann")].count("Traded") == 2


def test_upcasters_are_ordered_by_version_not_by_registration():
    """S26."""
    heights = set()
    for order in itertools.permutations(rise.UPCASTERS.items()):
        rules = rise.new_rules(skip=tuple(rise.UPCASTERS))
        for tag, upcaster in order:
            rules.upcast(tag)(upcaster)
        table = open_table("old-rise", old_store(), ruleset=Ruleset(game_of(rules)))
        heights.add(table.position[rise.Heights])
    assert len(heights) == 1


def test_an_old_log_is_verified_and_exported_as_it_is():
    """The stored bytes stay what they were, whatever the types of today."""
    store = old_store()
    receipt = verify_table("old-rise", store)
    table = open_table("old-rise", store, source=catalogue_of(rise.game()))
    answers = table.audit([receipt]).answers
    assert [answer.verdict for answer in answers] == ["yes", "yes", "unknown"]
    assert b"".join(export_bundle("old-rise", store, secrets=True)) == LOG.read_bytes()


@pytest.mark.parametrize(
    ("skip", "told"),
    [
        (("rise/rose@2",), "'rise/rose' leads to 'rise/rose@2', which is neither"),
        (("rise/rose",), None),
        (("rise/shouted",), None),
    ],
)
def test_a_missing_link_is_an_error_when_the_log_is_loaded(skip, told):
    """S26: a broken chain is the rules' fault, a type that nothing knows a missing plugin."""
    source = catalogue_of(rise.game(skip=skip))
    if told:
        with pytest.raises(InvalidType) as broken:
            open_table("old-rise", old_store(), source=source)
        assert told in str(broken.value)
        return
    with pytest.raises(MissingPlugin) as missing:
        open_table("old-rise", old_store(), source=source)
    assert str(missing.value) == f"Batch 2 holds {skip[0]!r}, which no plugin here declares (rise version 3)."


def test_an_upcaster_that_gives_what_today_does_not_declare():
    rules = rise.new_rules(skip=("rise/shouted",))
    rules.upcast("rise/shouted")(lambda event: [{"type": "rise/rose@3", "by": "two", "why": ""}])
    with pytest.raises(InvalidType, match="upcaster of 'rise/shouted' gives something that rise doesn't declare"):
        open_table("old-rise", old_store(), ruleset=Ruleset(game_of(rules)))


def test_upcasters_that_can_not_be():
    rules = rise.new_rules()
    with pytest.raises(OwnedTwice, match="rise can't upcast 'vault/drew', which belongs to vault"):
        rules.upcast("vault/drew")(lambda event: [])
    with pytest.raises(OwnedTwice, match="'rise/rose' has two upcasters"):
        rules.upcast("rise/rose")(lambda event: [])
    rules.upcast("rise/traded")(lambda event: [])
    with pytest.raises(InvalidType, match="upcasts 'rise/traded', and declares it"):
        Ruleset(game_of(rules))


# ---------------------------------------------------------------- playing on


def played(**more):
    store = MemoryStore()
    table = table_of(vault_at(1), ("ann", "bob"), store=store, **more)
    table.play("ann", Walk(to=1))
    table.play("bob", Draw())
    return store


def vault_at(version: int, compatible: tuple[int, ...] = (), change=lambda rules: None) -> Ruleset:
    import copy  # noqa: PLC0415

    rules = copy.copy(GAME.rules())
    rules.version, rules.compatible = version, compatible
    rules.changes = list(rules.changes)
    rules.slots = list(rules.slots)
    change(rules)
    return Ruleset(game_of(rules, GAME.seats))


def refusals(table):
    return (
        lambda: table.play("ann", Walk(to=2)),
        lambda: table.check("ann", Walk(to=2)),
        lambda: table.undo("bob"),
        lambda: table.undo(None),
        lambda: table.redo(None),
    )


def test_a_table_of_other_rules_is_read_and_not_played_on():
    """S28, strict: everything that reads works, everything that writes is refused with what differs."""
    store = played()
    then = open_table("t", store, ruleset=vault_at(1))
    for version in (2, 0):
        table = open_table("t", store, ruleset=vault_at(version))
        assert table.position == then.position
        assert table.view("bob") == then.view("bob")
        assert table.feed("ann") == then.feed("ann")
        assert table.legal("ann") == then.legal("ann")
        assert table.at(3) == then.at(3)
        for refused in refusals(table):
            with pytest.raises(RulesetMismatch, match=f"vault was version 1 and is {version} here"):
                refused()
        assert table.length == 4


def test_a_version_that_declares_itself_compatible_plays_on():
    """S28, compatible: and the log of both is folded by both."""
    store = played()
    table = open_table("t", store, ruleset=vault_at(3, compatible=(1, 2)))
    table.play("ann", Walk(to=2))
    table.undo("ann")
    assert open_table("t", store, ruleset=vault_at(1)).position == table.position
    with pytest.raises(RulesetMismatch):
        open_table("t", store, ruleset=vault_at(3, compatible=(2,))).play("ann", Walk(to=2))


def test_data_that_changed_without_a_new_version_are_other_rules():
    store = played()
    from ludolog import Slot  # noqa: PLC0415

    changed = vault_at(1, change=lambda rules: rules.slot(Slot("costs"), {"mine": 3}))
    table = open_table("t", store, ruleset=changed)
    with pytest.raises(RulesetMismatch, match="their data or options changed without a new version"):
        table.play("ann", Walk(to=2))


def test_an_option_that_is_gone_does_not_make_a_log_unreadable():
    """The old rise had a `loud` option; the table is read, and other rules refuse to play it on."""
    table = open_table("old-rise", old_store(), source=catalogue_of(rise.game(compatible=(1,))))
    assert table.position.options(rise.RiseOptions).step == 1
    with pytest.raises(RulesetMismatch, match="options"):
        table.play(table.to_act[0], rise.Climb())


def test_playing_on_an_old_log_writes_todays_events():
    store = MemoryStore()
    table = table_of(Ruleset(rise_1.GAME), store=store)
    for _ in range(4):
        table.play(table.to_act[0], rise_1.Climb())
    heights = table.position[rise_1.Heights].heights
    table = open_table("t", store, source=catalogue_of(rise.game(compatible=(1,))))
    with pytest.raises(RulesetMismatch):
        table.play(table.to_act[0], rise.Climb())
    assert table.position[rise.Heights].heights == heights


# ---------------------------------------------------------------- what is not installed


TOY = new_rules()
BOLD = Rules("toy/bold", version=4)


@BOLD.state
class Boldness(State, frozen=True):
    n: int = 0


class Dared(Event, frozen=True, tag="toy/bold/dared"):
    pass


@BOLD.reducer
def dared(boldness: Boldness, event: Dared) -> Boldness:
    return Boldness(n=boldness.n + 1)


@BOLD.setup
def setup(now):
    yield Dared()


def test_a_missing_plugin_is_named_with_its_version():
    """S27: the table can't be opened, and its log can still be listed, verified and exported."""
    store = MemoryStore()
    table = table_of(ruleset_of(TOY, variant_of(BOLD)), store=store)
    for source in (catalogue_of(game_of(TOY)), Catalogue([])):
        with pytest.raises(MissingPlugin) as error:
            open_table("t", store, source=source)
        assert "played with toy version 1, toy/bold version 4" in str(error.value)
    assert store.tables() == ("t",)
    assert verify_table("t", store, [table.receipt]) == table.receipt
    lines = list(export_bundle("t", store, secrets=True))
    assert import_bundle(lines, MemoryStore()).rules == table.opened.rules


def test_a_log_with_an_event_of_nobody_names_it_and_its_batch():
    """S27: the first event that the rules here don't know."""
    store = MemoryStore()
    table_of(ruleset_of(TOY, variant_of(BOLD)), store=store)
    with pytest.raises(MissingPlugin) as error:
        open_table("t", store, ruleset=ruleset_of(TOY))
    assert str(error.value) == "Batch 1 holds 'toy/bold/dared', which no plugin here declares (toy version 1)."


def test_a_table_under_a_ruleset_with_other_variants_is_not_played_on():
    store = MemoryStore()
    table_of(ruleset_of(TOY), store=store)
    table = open_table("t", store, ruleset=ruleset_of(TOY, variant_of(BOLD)))
    with pytest.raises(RulesetMismatch, match=r"was begun under toy, not toy\+bold"):
        table.undo(None)


def test_a_reducer_that_fails_on_an_old_event_is_named():
    """S29: rules, event and batch; and nothing of the event's fields."""
    store = MemoryStore()
    table_of(ruleset_of(TOY, variant_of(BOLD)), store=store)
    failing = Rules("toy/bold", version=4)
    failing.state(Boldness)

    @failing.reducer
    def dared(boldness: Boldness, event: Dared) -> Boldness:
        raise KeyError("card-13")  # noqa: EM101

    with pytest.raises(CorruptLog) as error:
        open_table("t", store, ruleset=ruleset_of(TOY, variant_of(failing)))
    assert "at batch 1" in str(error.value)
    assert "the rules of toy/bold can't fold its event toy/bold/dared (KeyError)" in str(error.value)
    assert "card-13" not in str(error.value)


class Opened(Event, frozen=True, tag="toy/opened"):
    n: int
    later: int = 0


def test_a_field_that_is_added_with_a_default_needs_no_upcaster():
    class Before(Event, frozen=True, tag="toy/opened"):
        n: int

    def rules_with(kind: type[Event]) -> Rules:
        rules = new_rules()
        rules.events(kind)
        rules.setup(lambda now: iter((kind(n=3),)))
        return rules

    store = MemoryStore()
    table_of(rules_with(Before), store=store)
    table = open_table("t", store, ruleset=ruleset_of(rules_with(Opened)))
    assert table.journal.one(1).events[-1] == Opened(n=3, later=0)
    assert table.audit().answers[0].verdict == "yes"
