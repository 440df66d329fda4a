"""Copies, deep copies, pickles and bytes of positions and views are the same thing, at every prefix of a game."""

import copy
import pickle
import random

import msgspec
import pytest

from ludolog import Chance, Ruleset
from ludolog.snapshot import dump, load
from toys import walk
from toys.high_card import ludolog_game
from toys.made import table_of
from toys.vault import GAME, Draw, Notes, Vault, Walk

VAULT = Ruleset(GAME)
SEATS = ("ann", "bob", "cy")

COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda position: pickle.loads(pickle.dumps(position)),  # noqa: S301 - our own
    "method": lambda position: position.copy(),
}


def alike(one, other):
    """Everything that can be asked of a position."""
    chance = [Chance(b"k" * 32) for _ in range(2)]
    ruleset = one.ruleset
    acting = ruleset.to_act(one)
    legal = {seat: ruleset.legal(one, seat) for seat in one.seats}
    assert one == other
    assert (one.viewer, one.is_view, one.over, one.outcome) == (other.viewer, other.is_view, other.over, other.outcome)
    assert other.ruleset.to_act(other) == acting
    assert {seat: other.ruleset.legal(other, seat) for seat in other.seats} == legal
    assert str(one) == str(other)
    if acting and not one.is_view:
        command = legal[acting[0]][0]
        after = [
            found.ruleset.decide(found, acting[0], command, drawn)
            for found, drawn in zip((one, other), chance, strict=True)
        ]
        assert after[0].events == after[1].events
        assert after[0].position == after[1].position


@pytest.mark.parametrize("how", list(COPIES))
@pytest.mark.parametrize("asked", [False, True])
def test_a_copy_is_the_same_position(how, asked):
    """F18: at every prefix, whether anybody has asked who may act or not; none of them is a fresh game."""
    table = table_of(VAULT, SEATS)
    chance = random.Random(4)
    for step in range(12):
        for position in (table.position, *(table.view(seat) for seat in (*SEATS, None))):
            if asked:
                position.ruleset.to_act(position)
            alike(position, COPIES[how](position))
        seat = table.to_act[0]
        table.play(seat, chance.choice(table.legal(seat)))
        if step == 7:
            table.undo(None)


@pytest.mark.parametrize("how", list(COPIES))
def test_a_copy_goes_its_own_way(how):
    table = table_of(VAULT, SEATS)
    position = table.position
    other = COPIES[how](position)
    before = copy.deepcopy(position)
    other.slices[Vault] = Vault()
    assert position == before
    assert position != other
    assert position.having(Notes(marks=3))[Notes].marks == 3
    assert position == before


def test_positions_are_compared_by_their_slices():
    one, other = table_of(VAULT, SEATS), table_of(VAULT, SEATS, id="u")
    assert one.position == other.position
    one.play("ann", Walk(to=1))
    assert one.position != other.position
    assert one.position != "position"
    with pytest.raises(TypeError):
        hash(one.position)


def test_a_ruleset_is_its_own_copy_and_is_pickled_as_its_recipe():
    for ruleset in (VAULT, Ruleset(ludolog_game(), (), {"hand": 2}), walk.ruleset()):
        assert copy.copy(ruleset) is ruleset
        assert copy.deepcopy(ruleset) is ruleset
    again = pickle.loads(pickle.dumps(VAULT))  # noqa: S301 - our own
    assert again.digest == VAULT.digest
    assert again.id == "vault"


def test_deep_copies_share_their_ruleset():
    """A search copies positions by the thousand."""
    position = table_of(VAULT, SEATS).position
    assert copy.deepcopy(position).ruleset is position.ruleset
    assert copy.deepcopy([position, position])[0].ruleset is position.ruleset


def test_bytes_of_a_position_hold_all_of_it():
    """F18: a snapshot's bytes, at every prefix; pending choices and whose turn it is included."""
    table = table_of(Ruleset(ludolog_game()), SEATS)
    chance = random.Random(1)
    while not table.over:
        position, history, _ = load(table.ruleset, dump(table.position, table.history, b""))
        alike(table.position, position)
        assert history.place == table.history.place
        seat = chance.choice(table.to_act)
        table.play(seat, chance.choice(table.legal(seat)))


def test_slices_and_events_can_not_be_changed():
    """F23: whoever holds one holds a value."""
    table = table_of(VAULT, SEATS)
    table.play("ann", Draw())
    for value in (table.position[Vault], table.journal.one(2).events[0], Walk(to=1)):
        name = value.__struct_fields__[0]
        with pytest.raises(AttributeError):
            setattr(value, name, None)
    assert isinstance(table.position[Vault].hands, tuple)
    assert msgspec.structs.replace(table.position[Vault], cell=4) != table.position[Vault]


def test_deciding_and_folding_leave_their_position_as_it_was():
    """F23: the position that a command is decided on, a refused one's and a folded one's stay as they were."""
    table = table_of(VAULT, SEATS)
    position, before = table.position, copy.deepcopy(table.position)
    decision = VAULT.decide(position, "ann", Draw(), Chance(b"k" * 32))
    VAULT.fold(position, decision.events)
    table.check("ann", Walk(to=99))
    table.play("ann", Draw())
    assert position == before
    assert decision.position != before
