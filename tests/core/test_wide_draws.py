"""Numbers below a bound of more than 64 bits are drawn from several words, by rejection like all others."""

from __future__ import annotations

import pytest

from ludolog import Chance


class Scripted(Chance):
    """Gives the words it is told to give."""

    def __init__(self, *words: int) -> None:
        super().__init__(b"")
        self.script = list(words)

    def _word(self) -> int:
        self.drawn += 1
        return self.script.pop(0)


def test_a_wide_number_is_made_of_its_words_the_first_one_highest():
    assert Scripted(3, 7).below(2**100) == (3 * 2**64 + 7) % 2**100


def test_what_would_make_some_numbers_likelier_is_drawn_again():
    """F19: no outcome is likelier than another, whatever the bound."""
    bound = 2**127 + 1
    most = (2**128 // bound) * bound
    first_rejected, last_kept = divmod(most, 2**64), divmod(most - 1, 2**64)
    chance = Scripted(*first_rejected, *last_kept)
    assert chance.below(bound) == bound - 1
    assert chance.drawn == 4


@pytest.mark.parametrize("bound", [2**64 + 1, 2**64 * 3, 12 * 2**1000])
def test_wide_numbers_stay_below_their_bound_and_reach_its_upper_half(bound):
    chance = Chance(b"k" * 32)
    drawn = [chance.below(bound) for _ in range(64)]
    assert all(0 <= number < bound for number in drawn)
    assert any(number >= bound // 2 for number in drawn)
    assert len(set(drawn)) == 64


@pytest.mark.parametrize("bound", [0, -1, -(2**70)])
def test_there_is_no_number_below_nothing(bound):
    with pytest.raises(ValueError, match="can't be drawn"):
        Chance(b"k" * 32).below(bound)
