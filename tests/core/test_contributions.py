"""The seats' contributions to the dice: asked for, committed to, told, left out; what is refused."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import random
from collections.abc import Iterator

import msgspec
import pytest

from ludolog import (
    Chance,
    Event,
    Frame,
    LudologError,
    Now,
    Ruleset,
    Table,
    new_table,
)
from ludolog.chance import contribution_commitment, stream_key
from ludolog.contributing import new_contribution
from ludolog.errors import (
    BadOptions,
    InvalidType,
    MalformedCommand,
    NotYourTurn,
    UnknownSeat,
)
from ludolog.frame import (
    Begin,
    CloseCommitments,
    CloseContributions,
    Commit,
    CommitmentsClosed,
    Committed,
    Contribute,
    ContributionsAsked,
    ContributionsClosed,
    Decline,
    Declined,
    GameBegun,
    SeedRevealed,
    TableOpened,
)
from toys.bag import (
    NAMES,
    WORDS,
    Bag,
    Cheat,
    Roll,
    Shuffled,
    Shut,
    asked,
    bag,
    commit,
    facts,
    refused,
    reopened,
    settled,
    tell,
    the,
)
from toys.made import game_of, new_rules, table_of

# ---------------------------------------------------------------- the whole of it


@pytest.mark.parametrize("count", range(1, 9))
def test_from_one_to_eight_seats_and_a_host(count):
    """Every draw follows, with nothing but the standard library, from the seed and from what the log says was told."""
    table = asked(NAMES[:count])
    assert facts(table) == [table.opened, ContributionsAsked(promise=table.opened.commitment)]
    mixed = list(table.seats)
    random.Random(count).shuffle(mixed)
    for seat in mixed:
        assert seat in table.to_act
        commit(table, seat)
    for number, seat in enumerate(reversed(mixed), start=1):
        assert set(table.to_act) == set(mixed[: count - number + 1])
        tell(table, seat)
    end = the(table, ContributionsClosed)
    assert end == ContributionsClosed(contributions=tuple((seat, WORDS[seat]) for seat in table.seats), withheld=())
    assert the(table, CommitmentsClosed) == CommitmentsClosed(left_out=())
    assert type(facts(table)[facts(table).index(end) + 1]) is GameBegun
    assert table.length == 2 * count + 2
    for _ in range(5):
        table.play("ann", Roll())
    table.play(None, Shut())
    seed = bytes.fromhex(the(table, SeedRevealed).seed)
    parts = [b"ludolog/stream", *(part.encode() for pair in end.contributions for part in pair)]
    framed = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    key = hmac.new(seed, framed, hashlib.sha256).digest()
    drawn = [(batch.number, draw) for batch in table.journal.batches() for draw in [batch.draws] if draw]
    assert [number for number, _ in drawn] == list(range(2 * count + 1, 2 * count + 7))
    for number, draws in drawn:
        chance = Chance(key, number)
        assert [chance.below(int(draw.split(":")[0])) for draw in draws.split()] == [
            int(draw.split(":")[1]) for draw in draws.split()
        ]
    assert reopened(table).audit([table.receipt]).ok


def test_dice_hang_on_who_contributed_what_and_not_on_who_was_first():
    def rolls(commits=NAMES[:3], tells=NAMES[:3], words=WORDS, seed=7):
        table = asked(seed=seed)
        for seat in commits:
            commit(table, seat, words[seat])
        for seat in tells:
            tell(table, seat, words[seat])
        for _ in range(9):
            table.play("ann", Roll())
        return table.position[Bag]

    orders = list(itertools.permutations(NAMES[:3]))
    assert len({rolls(commits, tells) for commits in orders for tells in orders}) == 1
    swapped = {**WORDS, "ann": WORDS["bob"], "bob": WORDS["ann"]}
    other = {**WORDS, "cy": "something else"}
    assert len({rolls(), rolls(words=swapped), rolls(words=other), rolls(seed=8)}) == 4


def test_a_table_that_does_not_ask_begins_as_ever():
    """F28: and under the digest that it had before there was anything to ask, so that older tables are played on."""
    table, other = table_of(bag()), asked()
    assert [type(event) for event in facts(table)] == [TableOpened, GameBegun, Shuffled]
    assert table.opened.digest == other.opened.digest
    assert Ruleset(game_of(new_rules())).digest == "3c0181add71adce2cf7ecc31ceae0a33260316e4b519de9f64cac8118997b4f8"
    assert table.position[Frame].contributions == Frame().contributions
    assert msgspec.to_builtins(table.position[Frame]) == {"seats": ("ann", "bob"), "begun": True}
    for command in (Decline(), Commit(commitment="")):
        assert {refused(table, seat, command) for seat in table.seats} == {"already-begun"}
    assert refused(table, None, CloseCommitments()) == refused(table, None, CloseContributions()) == "already-begun"


def test_contributions_collected_elsewhere_give_the_same_dice():
    """One key, whether the log has the exchange or only what came of it."""
    given = {seat: WORDS[seat] for seat in NAMES[:3]}
    elsewhere, here = table_of(bag(), NAMES[:3], contributions=given), settled(asked())
    assert elsewhere.position[Frame].contributions.given == here.position[Frame].contributions.given
    assert stream_key(here.seed, here.position[Frame].contributions.given) == stream_key(
        elsewhere.seed, elsewhere.opened.contributions
    )


@pytest.mark.parametrize("wrong", ["ask", 7, ("ann",), ""])
def test_contributions_are_asked_or_given(wrong):
    if wrong == "":
        assert asked(contributions="").length == 2
        return
    with pytest.raises(BadOptions, match="Contributions are 'asked', or texts by seat"):
        asked(contributions=wrong)


def test_an_installed_game_is_asked_from_the_front_door():
    table = new_table("tic-tac-toe", ("ann", "bob"), contributions="asked")
    for seat in table.seats:
        table.play(seat, new_contribution(table.opened, seat).commit)
    assert table.view("ann").is_view
    assert table.legal("ann") == table.ruleset.legal(table.view("ann"), "ann") == (Decline(),)


# ---------------------------------------------------------------- seats that don't answer


def behaving(table: Table, ways: dict[str, str]) -> None:
    """Let each seat do as its way says; the host closes what isn't closed by then."""
    for seat, way in ways.items():
        if way in {"tells", "withholds", "declines late"}:
            commit(table, seat)
        elif way == "declines":
            table.play(seat, Decline())
    if table.check(None, CloseCommitments()) is None:
        table.play(None, CloseCommitments())
    for seat, way in ways.items():
        if way == "tells":
            tell(table, seat)
        elif way == "declines late":
            table.play(seat, Decline())
    if table.check(None, CloseContributions()) is None:
        table.play(None, CloseContributions())


WAYS = ("tells", "withholds", "declines late", "declines", "is silent")


@pytest.mark.parametrize("first", WAYS)
def test_whoever_does_not_answer_is_left_out_by_name(first):
    """F15, F36: seats that drop out in every way and every company never hold up the table, and the log names them."""
    for others in itertools.product(WAYS, repeat=2):
        ways = dict(zip(NAMES, (first, *others), strict=False))
        table = asked()
        behaving(table, ways)
        assert table.position[Frame].begun
        end = the(table, ContributionsClosed)
        assert [seat for seat, _ in end.contributions] == [seat for seat, way in ways.items() if way == "tells"]
        assert list(end.withheld) == [seat for seat, way in ways.items() if way in {"withholds", "declines late"}]
        assert list(the(table, CommitmentsClosed).left_out) == [
            seat for seat, way in ways.items() if way in {"declines", "is silent"}
        ]
        assert {event.seat for event in facts(table) if type(event) is Declined} == {
            seat for seat, way in ways.items() if way.startswith("declines")
        }
        assert table.position == reopened(table).position
        assert table.audit().ok
        key = stream_key(table.seed, end.contributions)
        number = table.length - 1
        assert table.position[Bag].order == Chance(key, number).shuffle(range(6))


def test_whoever_declines_is_waited_for_no_longer():
    """F15: with nobody left to answer the exchange goes on by itself, without the host."""
    table = asked()
    table.play("ann", Decline())
    assert table.to_act == ("bob", "cy")
    commit(table, "bob")
    commit(table, "cy")
    assert table.to_act == ("bob", "cy")
    table.play("bob", Decline())
    assert table.to_act == ("cy",)
    assert refused(table, "bob", Decline()) == refused(table, "bob", Contribute(contribution=WORDS["bob"]))
    table.play("cy", Decline())
    assert the(table, ContributionsClosed) == ContributionsClosed(contributions=(), withheld=("bob", "cy"))
    assert table.position[Frame].begun


def test_when_nobody_contributes_the_dice_are_the_hosts_alone():
    for table in (asked(), asked()):
        table.play(None, CloseCommitments())
        assert [type(event) for event in facts(table)[2:5]] == [CommitmentsClosed, ContributionsClosed, GameBegun]
        assert table.position[Bag].order == Chance(stream_key(table.seed), 2).shuffle(range(6))


def test_what_a_last_seat_that_knows_the_seed_may_choose_from():
    """Telling or not: two games for each seat in league with the host, and each that isn't told is named."""
    games, named = set(), []
    for tells in itertools.product((True, False), repeat=2):
        table = asked()
        for seat in NAMES[:3]:
            commit(table, seat)
        tell(table, "ann")
        for seat, does in zip(("bob", "cy"), tells, strict=True):
            if does:
                tell(table, seat)
        if not all(tells):
            table.play(None, CloseContributions())
        games.add(table.position[Bag].order)
        named.append(the(table, ContributionsClosed).withheld)
    assert len(games) == 4
    assert named == [(), ("cy",), ("bob",), ("bob", "cy")]


# ---------------------------------------------------------------- what is refused


def test_refusals_while_seats_commit():
    table = asked()
    commitment = contribution_commitment(table.opened.commitment, "ann", WORDS["ann"])
    for malformed in ("", "0" * 63, "0" * 65, "g" * 64, commitment.upper(), "é" * 64):
        assert refused(table, "ann", Commit(commitment=malformed)) == "malformed-commitment"
    table.play("ann", Commit(commitment=commitment))
    assert refused(table, "ann", Commit(commitment=commitment)) == "already-committed"
    assert refused(table, "ann", Commit(commitment="0" * 64)) == "already-committed"
    assert refused(table, "ann", Decline()) == "already-committed"
    for seat in table.seats:
        assert refused(table, seat, Contribute(contribution=WORDS[seat])) == "commitments-open"
    assert table.check("ann", Contribute(contribution="x")).facts == {"waiting": ("bob", "cy")}
    table.play("bob", Decline())
    assert refused(table, "bob", Decline()) == "already-declined"
    assert refused(table, "bob", Commit(commitment="0" * 64)) == "already-declined"
    assert refused(table, None, CloseContributions()) == "commitments-open"
    assert refused(table, "cy", CloseCommitments()) == refused(table, "cy", CloseContributions()) == "host-only"
    assert refused(table, "cy", Roll()) == refused(table, "ann", Roll()) == refused(table, None, Shut()) == "not-begun"


def test_refusals_while_seats_tell():
    table = asked(NAMES[:4])
    for seat in ("ann", "bob"):
        commit(table, seat)
    table.play("dot", Decline())
    table.play(None, CloseCommitments())
    assert table.to_act == ("ann", "bob")
    assert refused(table, "cy", Commit(commitment="0" * 64)) == "commitments-closed"
    assert refused(table, "ann", Commit(commitment="0" * 64)) == "commitments-closed"
    assert refused(table, None, CloseCommitments()) == "commitments-closed"
    assert (
        refused(table, "cy", Contribute(contribution=WORDS["cy"])) == refused(table, "cy", Decline()) == "not-committed"
    )
    assert refused(table, "dot", Contribute(contribution="x")) == refused(table, "dot", Decline()) == "already-declined"
    for malformed in ("", "x" * 201, "a\nb", "\u200b", "\x00"):
        assert refused(table, "ann", Contribute(contribution=malformed)) == "malformed-contribution"
    for other in (WORDS["bob"], WORDS["ann"] + " ", WORDS["ann"].upper(), "x" * 200):
        assert refused(table, "ann", Contribute(contribution=other)) == "contribution-differs"
    tell(table, "ann")
    assert refused(table, "ann", Contribute(contribution=WORDS["ann"])) == "already-contributed"
    assert refused(table, "ann", Decline()) == "already-contributed"
    assert refused(table, "bob", Roll()) == refused(table, None, Shut()) == "not-begun"
    tell(table, "bob")
    assert table.position[Frame].begun


def test_refusals_after_the_beginning_and_after_the_end():
    """F21: after the end there is one reason for all that is refused."""
    table = settled(asked())
    everything = (Decline(), Commit(commitment="0" * 64), Contribute(contribution=WORDS["ann"]))
    assert {refused(table, seat, command) for seat in table.seats for command in everything} == {"already-begun"}
    assert {refused(table, None, command) for command in (CloseCommitments(), CloseContributions())} == {
        "already-begun"
    }
    table.play(None, Shut())
    codes = {table.check(seat, command).code for seat in table.seats for command in (*everything, Roll())}
    assert codes == {"game-over"}


def test_nobody_and_nothing_else_can_contribute():
    table = asked()
    for command in (Decline(), Commit(commitment="0" * 64)):
        with pytest.raises(UnknownSeat):
            table.play("dot", command)
        with pytest.raises(NotYourTurn):
            table.play(None, command)
    for command in (Begin(), Contribute(contribution="\ud800"), Commit(commitment=7)):
        with pytest.raises(MalformedCommand):
            table.play("ann", command)
        with pytest.raises(MalformedCommand):
            table.play(None, command)
    assert table.length == 1


def test_only_the_library_itself_yields_what_is_contributed():
    """F41: rules that settle the dice on the way are stopped, and rules that wait for it are never compiled."""
    rules = new_rules()

    @rules.decider
    def cheat(now: Now, command: Cheat) -> Iterator[Event]:
        yield ContributionsClosed(contributions=(("ann", "loaded"),), withheld=())

    table = table_of(rules)
    with pytest.raises(LudologError, match="no event that rules of toy may yield"):
        table.play("ann", Cheat())

    waiting = new_rules()

    @waiting.reaction
    def draw(now: Now, event: Committed) -> Iterator[Event]:
        yield from ()

    with pytest.raises(InvalidType, match="The reaction draw of toy waits for Committed, which comes before the game"):
        table_of(waiting)
