"""Arguments of wrong types: an error of the library's tree that names what was given, and nothing passes unchecked."""

from enum import StrEnum
from typing import Literal

import pytest

import ludolog
from ludolog import Frame, MemoryStore, Receipt, Ruleset
from ludolog.bundles import export_bundle, export_told, import_bundle, verify_against, verify_bundle
from ludolog.errors import (
    BadOptions,
    BadPosition,
    CorruptLog,
    MalformedCommand,
    NotABundle,
    NotAStore,
    UnknownField,
    UnknownTable,
)
from ludolog.verifying import verify_table
from toys.made import catalogue_of, game_of, new_rules, table_of
from toys.vault import GAME, Draw

VAULT = Ruleset(GAME)
SEATS = ("ann", "bob", "cy")
HERE = catalogue_of(GAME)


@pytest.fixture(scope="module")
def table():
    found = table_of(VAULT, SEATS)
    found.play("ann", Draw())
    return found


def checks(table):
    """Everything that takes receipts, each as a function of them."""
    store, lines = table.journal.store, list(export_bundle(table.id, table.journal.store, secrets=True))
    told = list(export_told(table.id, store, "ann", source=HERE))

    def audit(receipts):
        answer = table.audit(receipts).answers[0]
        if answer.verdict != "yes":
            raise CorruptLog(answer.why)

    return {
        "audit": audit,
        "verify_table": lambda receipts: verify_table(table.id, store, receipts),
        "verify_bundle": lambda receipts: verify_bundle(lines, receipts),
        "import_bundle": lambda receipts: import_bundle(lines, MemoryStore(), receipts),
        "verify_against": lambda receipts: verify_against(told, lines, receipts, source=HERE),
        "export_bundle": lambda receipts: list(export_bundle(table.id, store, secrets=True, receipts=receipts)),
    }


@pytest.mark.parametrize(
    "name", ["audit", "verify_table", "verify_bundle", "import_bundle", "verify_against", "export_bundle"]
)
def test_receipts_that_can_be_read_once_are_all_compared(table, name):
    """They were looked at twice, and the second time there was nothing left that could disagree."""
    check = checks(table)[name]
    good = table.receipt
    bad = Receipt(table=table.id, length=good.length, head="0" * 64)
    check(iter([good]))
    with pytest.raises(CorruptLog):
        check(iter([bad]))
    with pytest.raises(CorruptLog):
        check(receipt for receipt in (good, bad))


@pytest.mark.parametrize(
    "name", ["audit", "verify_table", "verify_bundle", "import_bundle", "verify_against", "export_bundle"]
)
@pytest.mark.parametrize("wrong", [None, 3, "3:ab", [None], [{"length": 3}], Receipt(table="x", length=1, head="")])
def test_receipts_are_receipts(table, name, wrong):
    with pytest.raises(BadOptions, match="Receipts are given as a tuple of Receipt"):
        checks(table)[name](wrong)


@pytest.mark.parametrize("wrong", [0, True, 1.5, b"x", object(), MemoryStore])
def test_a_store_is_a_store(wrong):
    with pytest.raises(NotAStore, match="is no store; give a path, a URL, a store, or None"):
        ludolog.new_table(GAME.id, SEATS, store=wrong, source=HERE)
    for use in (ludolog.open_store, ludolog.tables, lambda store: ludolog.open_table("x", store)):
        with pytest.raises(NotAStore):
            use(wrong)


@pytest.mark.parametrize("wrong", [None, 3, True, object(), Frame])
def test_variants_are_several(wrong):
    with pytest.raises(BadOptions, match="Variants are given as a tuple of their ids"):
        ludolog.new_table(GAME.id, SEATS, wrong, source=HERE)


@pytest.mark.parametrize("wrong", [None, "", "1", 1.5, True, (), Draw()])
def test_a_feed_is_numbered(table, wrong):
    with pytest.raises(BadPosition):
        table.feed("ann", wrong)


@pytest.mark.parametrize("wrong", [None, 3, "ann", "bob", Draw()])
def test_those_who_agree_are_several(table, wrong):
    """A name by itself is a row of letters."""
    with pytest.raises(MalformedCommand, match="Those who agree are a tuple of seats"):
        table.undo("ann", consent=wrong)


@pytest.mark.parametrize("wrong", [None, 3, "Frame", [], {}, int, Draw()])
def test_blame_is_of_a_field(table, wrong):
    for kind, field in ((wrong, "seats"), (Frame, wrong)):
        with pytest.raises(UnknownField, match="has no field"):
            table.blame(kind, field)


@pytest.mark.parametrize("wrong", [None, 3, [], {}, ("x",), b"x"])
def test_a_table_is_named_by_a_text(table, wrong):
    with pytest.raises(UnknownTable, match="The store has no table"):
        ludolog.open_table(wrong, table.journal.store)


@pytest.mark.parametrize("wrong", [None, 3, {"type": "toy/draw"}, ["x"], Draw()])
def test_a_command_is_read_from_text(wrong):
    """What has gone through json.loads already is told so, not refused as a fault."""
    with pytest.raises(MalformedCommand, match="is read from JSON text, not from"):
        VAULT.read_command(wrong)


@pytest.mark.parametrize("form", [str, bytes, bytearray])
def test_a_bundle_is_read_by_lines(table, form):
    lines = list(export_bundle(table.id, table.journal.store, secrets=True))
    whole = [line.decode() for line in lines] if form is str else form(b"".join(lines))
    with pytest.raises(NotABundle, match="line by line, as bytes"):
        verify_bundle(whole)


def test_a_name_of_a_kind_of_its_own_is_a_name():
    class Name(str):
        __slots__ = ()

    class Named(StrEnum):
        FRIDAY = "friday"

    for name in (Name("friday"), Named.FRIDAY):
        assert type(table_of(VAULT, SEATS, id=name).id) is str
        assert table_of(VAULT, SEATS, id=name).id == "friday"


class Several(ludolog.Options, frozen=True):
    steps: tuple[int, ...] = (3, 6)
    pace: Literal["slow", "fast"] = "slow"


def several(**given):
    ruleset = Ruleset(game_of(new_rules(options=Several)), (), given)
    return ruleset.options[Several]


@pytest.mark.parametrize(("text", "steps"), [("3,6,9", (3, 6, 9)), (" 4 ", (4,)), ("", ()), ("1, 2,", (1, 2))])
def test_several_values_can_be_given_as_text(text, steps):
    """A command line has nothing but text."""
    assert several(steps=text).steps == steps == several(steps=list(steps)).steps


@pytest.mark.parametrize(
    ("name", "wrong", "why"),
    [
        ("steps", "3,x", "must be of another kind"),
        ("steps", "(3,6)", "must be of another kind"),
        ("steps", 3, "must be of another kind"),
        ("steps", "\ud800", "must be of another kind"),
        ("pace", "\ud800", "must be one of 'slow', 'fast'"),
    ],
)
def test_a_value_that_an_option_cannot_have(name, wrong, why):
    with pytest.raises(BadOptions, match=why):
        several(**{name: wrong})


def test_a_time_that_is_no_number_is_not_waited_for(table):
    assert table.subscribe("ann", len(table.feed("ann"))).get(float("nan")) is None
    assert len(list(table.subscribe("ann", timeout=float("nan")))) == len(table.feed("ann"))
