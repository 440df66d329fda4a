"""What a function of a position remembers: true as long as the slices that it read are there, and no longer."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest

from ludolog import Position, Ruleset, State, derived
from ludolog.derived import MOST
from ludolog.frame import Frame
from toys.vault import GAME, Vault


class Calls:
    """Counts how often a function really ran."""

    def __init__(self) -> None:
        self.n = 0


def position_of() -> Position:
    return Ruleset(GAME).opening(("ann", "bob", "cy"))


def with_seats(position: Position, *seats: str) -> Position:
    return position.having(Frame(seats=seats))


def counted_seats() -> tuple[Callable[[Position], int], Calls]:
    calls = Calls()

    @derived
    def seats_of(position: Position) -> int:
        calls.n += 1
        return len(position.seats)

    return seats_of, calls


def test_what_was_read_is_remembered_and_what_was_not_may_change():
    seats_of, calls = counted_seats()
    position = position_of()
    assert [seats_of(position), seats_of(position.copy()), seats_of(position.having(Vault()))] == [3, 3, 3]
    assert calls.n == 1


def test_another_slice_gives_another_result_even_if_it_comes_back():
    seats_of, calls = counted_seats()
    three = position_of()
    two = with_seats(three, "ann", "bob")
    assert [seats_of(three), seats_of(two), seats_of(three), seats_of(two)] == [3, 2, 3, 2]
    assert calls.n == 2


def test_equal_slices_are_not_the_same():
    """Comparing them could look at what a viewer doesn't know."""
    seats_of, calls = counted_seats()
    position = position_of()
    seats_of(position)
    seats_of(position.having(copy.copy(position[Frame])))
    assert calls.n == 2


def test_arguments_viewers_and_rulesets_are_kept_apart():
    @derived
    def told(position: Position, word: str) -> tuple[object, ...]:
        return (word, position.viewer, position.is_view, id(position.ruleset))

    position = position_of()
    view = Position(position.ruleset, position.slices, "ann", is_view=True)
    other = position_of()
    for _ in range(2):
        assert told(position, "a") == ("a", None, False, id(position.ruleset))
        assert told(position, "b") == ("b", None, False, id(position.ruleset))
        assert told(view, "a") == ("a", "ann", True, id(position.ruleset))
        assert told(other, "a")[3] == id(other.ruleset)


def test_what_an_inner_function_reads_counts_for_the_outer_one_too():
    seats_of, calls = counted_seats()

    @derived
    def doubled(position: Position) -> int:
        return 2 * seats_of(position)

    position = position_of()
    seats_of(position)
    assert doubled(position) == 6
    assert calls.n == 1
    assert doubled(with_seats(position, "ann")) == 2
    assert doubled(position) == 6


def test_reading_more_at_another_time_forgets_what_was_kept_too_lightly():
    @derived
    def sometimes(position: Position) -> object:
        return position[Vault] if len(position.seats) == 2 else None

    three = position_of()
    two = with_seats(three, "ann", "bob")
    one, other = Vault(), Vault()
    assert sometimes(three) is None
    assert sometimes(two.having(one)) is one
    assert sometimes(two.having(other)) is other
    assert sometimes(three.having(one)) is None


def seat_at(frame: Frame, place: int) -> str:
    return frame.seats[place]


def test_of_a_part_only_that_part_counts():
    calls = Calls()

    @derived
    def named(position: Position, place: int) -> str:
        calls.n += 1
        return position.part(Frame, seat_at, place).upper()

    @derived
    def all_named(position: Position) -> str:
        return named(position, 0) + named(position, 1)

    three = position_of()
    first, *_ = three.seats
    assert [named(three, 0), named(with_seats(three, first, "dot"), 0)] == ["ANN", "ANN"]
    assert calls.n == 1
    assert [all_named(three), all_named(with_seats(three, first, "dot"))] == ["ANNBOB", "ANNDOT"]
    assert calls.n == 3


def test_who_reads_a_part_and_the_whole_hangs_on_the_whole():
    @derived
    def told(position: Position) -> tuple[str, int]:
        return position.part(Frame, seat_at, 0), len(position.seats)

    three = position_of()
    assert [told(three), told(with_seats(three, three.seats[0]))] == [("ann", 3), ("ann", 1)]


def test_other_arguments_may_read_other_slices():
    @derived
    def either(position: Position, what: str) -> object:
        return position[Vault] if what == "vault" else len(position.seats)

    position = position_of()
    one, other = Vault(), Vault()
    assert [either(position.having(one), "vault"), either(position, "seats")] == [one, 3]
    assert either(position.having(other), "vault") is other
    assert either(with_seats(position, "ann"), "seats") == 1


WAYS: list[Callable[[Position], object]] = [
    lambda position: position.having(Vault()).seats,
    lambda position: position.copy().seats,
    lambda position: position == position.copy() and position.seats,
    lambda position: tuple(state for kind, state in position.slices.items() if kind is Frame),
    lambda position: position.slices.get(Frame),
    lambda position: {**position.slices}[Frame],
    lambda position: position.ruleset.fold(position, ()).seats,
    lambda position: position.ruleset.to_act(position) or position.seats,
    lambda position: position.after("ann"),
]


@pytest.mark.parametrize("read", WAYS)
def test_slices_are_noted_by_whatever_way_they_are_read(read: Callable[[Position], object]):
    remembered = derived(read)
    three = position_of()
    other = with_seats(three, "ann", "bob")
    assert remembered(three) == read(three)
    assert remembered(other) == read(other)


def test_a_slice_that_no_rules_declare_is_as_missing_as_ever():
    class Unknown(State, frozen=True):
        pass

    @derived
    def has(position: Position) -> bool:
        return Unknown in position

    @derived
    def of(position: Position) -> State:
        return position[Unknown]

    with pytest.raises(KeyError):
        of(position_of())
    assert has(position_of()) is False


def test_what_a_function_raises_is_not_remembered():
    calls = Calls()

    @derived
    def fails(position: Position) -> int:
        calls.n += 1
        if calls.n == 1:
            raise ZeroDivisionError
        return len(position.seats)

    position = position_of()
    with pytest.raises(ZeroDivisionError):
        fails(position)
    assert fails(position) == 3


def test_no_result_is_a_result():
    calls = Calls()

    @derived
    def nothing(position: Position) -> None:
        calls.n += len(position.seats) // 3

    position = position_of()
    nothing(position)
    nothing(position)
    assert calls.n == 1


def test_it_does_not_grow_without_end():
    @derived
    def number(_position: Position, n: int) -> int:
        return n

    position = position_of()
    for n in range(3 * MOST):
        assert number(position, n) == n
        assert sum(len(r.kept) for m in position.ruleset.memos.values() for r in m.by_args.values()) <= MOST


def test_neither_pickles_nor_copies_carry_it():
    seats_of, _ = counted_seats()
    position = position_of()
    seats_of(position)
    again = pickle.loads(pickle.dumps(position))  # noqa: S301 - written a moment ago
    assert again == position
    assert not again.ruleset.memos


def test_it_keeps_name_and_docstring():
    @derived
    def named(position: Position) -> int:
        """Of a position."""
        return len(position.seats)

    assert (named.__name__, named.__doc__) == ("named", "Of a position.")
