"""Bad input: one error of the library's tree each, with a sentence, and nothing is written."""

from __future__ import annotations

import pytest

import ludolog
from dark_horse_bugs.situations import GAME, NAMES, new_table, played, race, ruleset, turn
from ludolog.errors import (
    BadOptions,
    BadSeats,
    CommandIdReused,
    LudologError,
    MalformedCommand,
    NotYourTurn,
    UnknownSeat,
    UnknownVariant,
    VersionConflict,
)
from ludolog_plugins.dark_horse_bugs.commands import GiveGoal, LayBadEncounter, LayCard, PickGoal, PlaceBug


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        '{"type":"dark-horse-bugs/place-bug"}',
        '{"type":"dark-horse-bugs/place-bug","bug":7}',
        '{"type":"dark-horse-bugs/place-bug","bug":null}',
        '{"type":"dark-horse-bugs/place-bug","bug":"bee","place":1}',
        '{"type":"dark-horse-bugs/place-bug","bug":["bee"]}',
        '{"type":"dark-horse-bugs/lay-card","card":"wasp+1","step":"1"}',
        '{"type":"dark-horse-bugs/lay-card","card":"wasp+1","step":1.5}',
        '{"type":"dark-horse-bugs/lay-card","card":"wasp+1","step":true}',
        '{"type":"dark-horse-bugs/lay-bad-encounter"}',
        '{"type":"dark-horse-bugs/lay-bad-encounter","use":"both"}',
        '{"type":"dark-horse-bugs/card-laid","seat":"A","card":"wasp+1","hand":[]}',
        '{"type":"dark-horse-bugs/dilly-dally/take-token"}',
        '{"type":"tic-tac-toe/place","cell":4}',
        '{"type":"dark-horse-bugs/lay-card","card":"\\ud800"}',
    ],
)
def test_what_is_no_command_is_refused_by_a_sentence(text):
    with pytest.raises(MalformedCommand) as raised:
        ruleset().read_command(text)
    assert raised.value.refusal.code == "malformed-command"
    assert raised.value.refusal.sentence.endswith(".")


@pytest.mark.parametrize(
    "command",
    [
        PlaceBug(bug=3),
        PlaceBug(bug=None),
        LayCard(card="wasp+1", step="1"),
        LayCard(card=("wasp+1",)),
        LayBadEncounter(use="neither"),
        GiveGoal(goal=b"bee"),
        PickGoal(place="1"),
        "lay wasp+1",
        None,
    ],
    ids=repr,
)
def test_a_field_of_the_wrong_type_is_refused_and_nothing_is_written(command):
    table = new_table()
    seat = table.to_act[0]
    with pytest.raises(MalformedCommand):
        table.play(seat, command)
    assert table.check(seat, command).code == "malformed-command"
    assert table.length == 2


def test_nobody_plays_for_another():
    """F32: a command counts for the seat that sends it, and for no other."""
    table = new_table()
    seat = turn(table.position)
    for other in table.seats:
        if other != seat:
            with pytest.raises(NotYourTurn):
                table.play(other, PlaceBug(bug="bee"))
    for stranger in ("Z", "", "a"):
        with pytest.raises(UnknownSeat):
            table.play(stranger, PlaceBug(bug="bee"))
    with pytest.raises(LudologError):
        table.play(None, PlaceBug(bug="bee"))
    assert table.length == 2


@pytest.mark.rule("DH-R37")
@pytest.mark.parametrize("seats", [(), ("A",), tuple("ABCDEFG"), ("A", "A"), ("A", ""), ("A", " "), "AB"])
def test_seats_that_cannot_play(seats):
    with pytest.raises(BadSeats):
        ludolog.new_table(GAME, seats)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"track": "round"}, "'published', 'as-written'"),
        ({"track": 1}, "'published', 'as-written'"),
        ({"tracks": "published"}, "track"),
        ({"token_pass": "final"}, "move_deck"),
        ({"variant": "dilly-dally"}, "move_deck"),
    ],
)
def test_options_that_do_not_exist(options, words):
    with pytest.raises(BadOptions, match=words):
        ludolog.new_table(GAME, NAMES[:2], options=options)


def test_a_variant_of_another_game():
    with pytest.raises(UnknownVariant):
        ludolog.new_table(GAME, NAMES[:2], variants=("misere",))


def test_a_retry_is_harmless_and_a_stale_command_is_refused():
    """F25: the same command id twice has one effect; a stale length is told."""
    table = new_table()
    seat = turn(table.position)
    first = table.play(seat, PlaceBug(bug="bee"), command_id="one", expect=2)
    again = table.play(seat, PlaceBug(bug="bee"), command_id="one", expect=2)
    assert (again.repeated, again.length, again.head) == (True, first.length, first.head)
    with pytest.raises(CommandIdReused):
        table.play(seat, PlaceBug(bug="fly"), command_id="one")
    with pytest.raises(VersionConflict):
        table.play(turn(table.position), PlaceBug(bug="fly", end="rear"), expect=2)
    assert table.length == 3


@pytest.mark.parametrize("text", ["x" * 100_000, "\0", "fly+1\n", "Ω", "wasp+1 "])
def test_strange_names_are_refused_like_any_other(text):
    given = race()
    for command, code in (
        (LayCard(card=text), "not-in-hand"),
        (LayBadEncounter(use="rival", rival=text), "not-in-hand"),
        (PlaceBug(bug=text), "not-now"),
    ):
        with pytest.raises(LudologError) as raised:
            given.ruleset.decide(given, "A", command, ludolog.Chance(b"k"))
        assert raised.value.refusal.code == code


@pytest.mark.parametrize("step", [2**63 - 1, -(2**63), 10**6])
def test_huge_steps_are_refused(step):
    table = played(until=9)
    seat = turn(table.position)
    for command in table.legal(seat):
        if isinstance(command, LayCard):
            assert table.check(seat, LayCard(card=command.card, step=step)).code == "no-such-step"


def test_a_refusal_tells_why_by_which_clause_and_what_blocks():
    table = played(until=4)
    seat = turn(table.position)
    refused = table.check(seat, PlaceBug(bug="spider", end="rear"))
    assert str(refused) == "No bug of this race is called 'spider'. (DH-04)"
    assert table.check(seat, table.legal(seat)[0]) is None
