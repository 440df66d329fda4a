"""What the seats contributed to the dice, checked from a log alone: in time, as committed, in seat order."""

import runpy
from pathlib import Path

import pytest

from ludolog import Ruleset
from ludolog.bundles import export_bundle, verify_bundle
from ludolog.chance import contribution_commitment
from ludolog.contributing import new_contribution
from ludolog.errors import CorruptLog
from ludolog.frame import CloseContributions
from toys.made import table_of
from toys.mutants import rebuilt
from toys.vault import GAME, Finish, Roll

VAULT = Ruleset(GAME)
SEATS = ("ann", "bob", "cy")
SECOND = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "verifier.py"))
"""The verifier of one file, which must say the same."""


def refused(lines, why):
    with pytest.raises(CorruptLog, match=why):
        verify_bundle(lines)
    with pytest.raises(SECOND["UnsoundError"]):
        SECOND["verify"](iter(lines))


@pytest.fixture(scope="module")
def asked():
    """All commit, in another order than they sit; cy doesn't tell, and is left out."""
    table = table_of(VAULT, SEATS, seed="hush", contributions="asked")
    given = [new_contribution(table.opened, seat) for seat in ("cy", "bob", "ann")]
    for contribution in given:
        table.play(contribution.seat, contribution.commit, at=1)
    for contribution in given[1:]:
        table.play(contribution.seat, contribution.tell, at=2)
    table.play(None, CloseContributions(), at=3)
    table.play("ann", Roll(), at=4)
    table.play(None, Finish(), at=5)
    lines = list(export_bundle("t", table.journal.store))
    assert verify_bundle(lines, [table.receipt]).draws == 39 + 1
    return lines


def events_of(batches, kind):
    return [event for batch in batches for event in batch["events"] if event["type"] == f"ludolog/{kind}"]


def batches_with(batches, kind):
    return [batch for batch in batches if events_of([batch], kind)]


def another_text(batches):
    events_of(batches, "contributed")[0]["contribution"] = "plum"


def another_text_settled(batches):
    """The host, who knows the seed, would like other dice."""
    events_of(batches, "contributions-closed")[0]["contributions"][0][1] = "plum"


def another_seat(batches):
    events_of(batches, "contributed")[0]["seat"] = "cy"


def left_out(batches):
    del events_of(batches, "contributions-closed")[0]["contributions"][0]


def other_order(batches):
    events_of(batches, "contributions-closed")[0]["contributions"].reverse()


def told_first(batches):
    """A seat that sees another's contribution before it commits could choose its own by it."""
    told, committed = batches_with(batches, "contributed")[0], batches_with(batches, "committed")[-1]
    told["events"], committed["events"] = committed["events"], told["events"]


def committed_twice(batches):
    first, second = events_of(batches, "committed")[:2]
    second["seat"] = first["seat"]


def told_twice(batches):
    first, second = events_of(batches, "contributed")
    second |= first


def nobody(batches):
    events_of(batches, "committed")[0]["seat"] = "zoe"


def never_asked(batches):
    del batches[0]["events"][1]


def asked_twice(batches):
    batches[1]["events"].insert(0, dict(batches[0]["events"][1]))


def settled_twice(batches):
    batch = batches_with(batches, "contributions-closed")[0]
    batch["events"].append(dict(batch["events"][-1]))


def never_settled(batches):
    """Then the game was drawn from the seed alone, which is not what the seats were promised."""
    batches_with(batches, "contributions-closed")[0]["events"].pop()


def other_promise(batches):
    batches[0]["events"][1]["promise"] = "00" * 32


def of_another_table(batches):
    told = events_of(batches, "contributed")[0]
    for event in events_of(batches, "committed"):
        if event["seat"] == told["seat"]:
            event["commitment"] = contribution_commitment("00" * 32, told["seat"], told["contribution"])


FORGED = (
    *(another_text, another_text_settled, another_seat, left_out, other_order, told_first, committed_twice, told_twice),
    *(nobody, never_asked, asked_twice, settled_twice, never_settled, other_promise, of_another_table),
)


@pytest.mark.parametrize("forge", FORGED)
def test_no_contribution_can_be_made_up_afterwards(asked, forge):
    """Also by whoever makes the whole chain anew."""
    refused(rebuilt(asked, forge, blind_anew=True), r"contribution|the revealed seed gives")


def test_contributions_in_the_opening_stand_in_seat_order():
    table = table_of(VAULT, SEATS, contributions={"cy": "plum", "ann": "7"})
    table.play("ann", Roll())
    table.play(None, Finish())
    lines = list(export_bundle("t", table.journal.store))
    assert verify_bundle(lines).draws == 39 + 1

    def reverse(batches):
        batches[0]["events"][0]["contributions"].reverse()

    def stranger(batches):
        batches[0]["events"][0]["contributions"][0][0] = "zoe"

    def other(batches):
        batches[0]["events"][0]["contributions"][0][1] = "8"

    def asked_too(batches):
        opened = batches[0]["events"][0]
        batches[0]["events"].append({"type": "ludolog/contributions-asked", "promise": opened["commitment"]})

    for forge, why in (
        (reverse, "not in seat order"),
        (stranger, "not in seat order"),
        (other, "at batch 1 .* not what the revealed seed gives"),
        (asked_too, "at batch 0 .* contribution"),
    ):
        refused(rebuilt(lines, forge, blind_anew=True), why)
