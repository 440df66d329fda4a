"""The sampler has no bias: proved by trying every word of a narrow stream, with the code that takes words of 64 bits.

A number below a bound is taken in attempts, each of one or more words. For narrow words all attempts can be listed:
those that are kept give each number equally often, and those that aren't leave no trace, so that the next attempt is as
good as the first. Nothing in the sampler depends on the size of a word but through ``Chance.bits``.
"""

from __future__ import annotations

import itertools
import math
import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterable

import pytest

from ludolog import Chance
from ludolog.testing.__main__ import main
from ludolog.testing.fair_dice import TRIALS, figures, probability

NIGHTLY = bool(os.environ.get("LUDOLOG_NIGHTLY"))


class Exhausted(Exception):
    """More words were asked for than there are."""


class Narrow(Chance):
    """Gives the words that it is told to give, of few bits."""

    bits = 8

    def __init__(self, words: Iterable[int]) -> None:
        super().__init__(b"", recorded=True)
        self.script = iter(words)

    def _word(self) -> int:
        for word in self.script:
            self.drawn += 1
            return word
        raise Exhausted


def narrow(size: int, base: type[Chance] = Narrow) -> type[Chance]:
    """A stream with words of ``size`` bits."""
    return type(f"Narrow{size}", (base,), {"bits": size})


def attempts(stream: type[Chance], bound: int, words: int) -> Counter[int | None]:
    """What becomes of every attempt of so many words: the number, or None where it is not kept."""
    counted: Counter[int | None] = Counter()
    for script in itertools.product(range(1 << stream.bits), repeat=words):
        chance = stream(script)
        try:
            counted[chance.below(bound)] += 1
        except Exhausted:
            counted[None] += 1
        assert chance.drawn == words
    return counted


def check_even(counted: Counter[int | None], bound: int) -> None:
    """Every number comes equally often, and fewer than half of the attempts are in vain."""
    every = counted.total()
    vain = counted.pop(None, 0)
    assert counted == dict.fromkeys(range(bound), every // bound)
    assert vain == every % bound < every / 2


def test_it_is_the_same_code_that_takes_words_of_64_bits():
    assert Chance.bits == 64
    for name in ("below", "roll", "dice", "choose", "weighted", "shuffle", "draw"):
        assert name not in vars(Narrow)
        assert getattr(Narrow, name) is getattr(Chance, name)
    assert vars(narrow(3)).keys() & vars(Chance).keys() <= {"bits", "__module__", "__doc__"}


@pytest.mark.parametrize("size", range(1, 9))
def test_every_word_for_every_bound_of_one_word(size):
    for bound in range(1, (1 << size) + 1):
        check_even(attempts(narrow(size), bound, 1), bound)


@pytest.mark.parametrize("size", [1, 2, 3, 4, *([5] if NIGHTLY else [])])
def test_every_pair_of_words_for_every_bound_of_two_words(size):
    for bound in range((1 << size) + 1, (1 << 2 * size) + 1):
        check_even(attempts(narrow(size), bound, 2), bound)


@pytest.mark.parametrize("bound", [257, 65_536, *([258, 511, 512, 1000, 32_769, 40_000, 65_535] if NIGHTLY else [])])
def test_every_pair_of_words_of_eight_bits(bound):
    """Two words make one number each way; the rest is as for one word."""
    check_even(attempts(Narrow, bound, 2), bound)


@pytest.mark.parametrize("size", [1, 2, *([3] if NIGHTLY else [])])
def test_every_triple_of_words_for_every_bound_of_three_words(size):
    for bound in range((1 << 2 * size) + 1, (1 << 3 * size) + 1):
        check_even(attempts(narrow(size), bound, 3), bound)


@pytest.mark.parametrize("size", range(1, 9 if NIGHTLY else 8))
def test_what_is_not_kept_leaves_no_trace(size):
    """Every pair whose first word is not kept gives what its second word gives alone; so it goes on without end."""
    stream = narrow(size)
    words = range(1 << size)
    for bound in range(1, (1 << size) + 1):
        alone = [stream((word,)) for word in words]
        results: list[int | None] = []
        for chance in alone:
            try:
                results.append(chance.below(bound))
            except Exhausted:
                results.append(None)
        for first in (word for word in words if results[word] is None):
            for second in (word for word in words if results[word] is not None):
                chance = stream((first, second))
                assert chance.below(bound) == results[second]
                assert chance.drawn == 2


def modulo(chance: Chance, bound: int) -> int:
    """As it is often done, and wrong: the small numbers come too often."""
    return chance._word() % bound


def one_too_many(chance: Chance, bound: int) -> int:
    """Keeps one word too many."""
    while (word := chance._word()) > (1 << chance.bits) - (1 << chance.bits) % bound:
        pass
    return word % bound


@pytest.mark.parametrize("wrong", [modulo, one_too_many])
def test_the_proof_finds_a_bias(wrong):
    """F41."""
    biased = type("Biased", (Narrow,), {"bits": 6, "below": wrong})
    for bound in range(1, 64):
        if 64 % bound:
            with pytest.raises(AssertionError):
                check_even(attempts(biased, bound, 1), bound)


# ---------------------------------------------------------------- shuffles, draws and choices, from words


def from_every_word(once: Callable[[Chance], Hashable], size: int) -> Counter[Hashable]:
    """How often each result comes when each draw takes each of the words that it keeps once.

    A script with a word that is not kept is left out: its attempt begins anew, as if the word had not been there.
    """
    counted: Counter[Hashable] = Counter()
    scripts: list[tuple[int, ...]] = [()]
    stream = narrow(size)
    while scripts:
        script = scripts.pop()
        chance = stream(script)
        try:
            counted[once(chance)] += 1
        except Exhausted:
            if len(chance.draws.split()) == len(script):
                scripts.extend((*script, word) for word in range(1 << size))
    return counted


@pytest.mark.parametrize(("count", "size"), [(0, 1), (1, 1), (2, 1), (2, 3), (3, 2), (4, 2), (4, 3)])
def test_every_word_of_a_shuffle(count, size):
    """Each permutation comes equally often."""
    counted = from_every_word(lambda chance: chance.shuffle(range(count)), size)
    ways = math.prod((1 << size) // bound for bound in range(2, count + 1))
    assert counted == dict.fromkeys(itertools.permutations(range(count)), ways)


def test_every_word_of_draws_choices_and_weights():
    assert from_every_word(lambda chance: chance.draw("abcd", 2), 3) == dict.fromkeys(
        itertools.permutations("abcd", 2), (8 // 4) * (8 // 3)
    )
    assert from_every_word(lambda chance: chance.choose("abcde"), 3) == dict.fromkeys("abcde", 1)
    assert from_every_word(lambda chance: chance.weighted({"a": 1, "never": 0, "b": 2}), 3) == {"a": 2, "b": 4}
    assert from_every_word(lambda chance: chance.dice(2, 3), 3) == dict.fromkeys(
        itertools.product((1, 2, 3), repeat=2), 4
    )


class Listed(Chance):
    """Gives the numbers that it is told to give, whatever the bound, and notes the bounds."""

    def __init__(self, numbers: Iterable[int]) -> None:
        super().__init__(b"")
        self.numbers = iter(numbers)
        self.asked: list[int] = []

    def below(self, bound: int) -> int:
        self.asked.append(bound)
        return next(self.numbers)


def from_every_draw(once: Callable[[Chance], Hashable], bounds: tuple[int, ...]) -> Counter[Hashable]:
    """How often each result comes when each sequence of numbers below ``bounds`` is drawn once."""
    counted: Counter[Hashable] = Counter()
    for numbers in itertools.product(*map(range, bounds)):
        chance = Listed(numbers)
        counted[once(chance)] += 1
        assert tuple(chance.asked) == bounds
    return counted


@pytest.mark.parametrize("count", range(9 if NIGHTLY else 8))
def test_each_permutation_comes_once_from_all_draws(count):
    counted = from_every_draw(lambda chance: chance.shuffle(range(count)), tuple(range(count, 1, -1)))
    assert counted == dict.fromkeys(itertools.permutations(range(count)), 1)


@pytest.mark.parametrize(("of", "count"), [(of, count) for of in range(6) for count in range(of + 1)])
def test_each_draw_in_order_comes_once_from_all_draws(of, count):
    counted = from_every_draw(lambda chance: chance.draw(range(of), count), tuple(range(of, of - count, -1)))
    assert counted == dict.fromkeys(itertools.permutations(range(of), count), 1)


def sattolo(chance: Chance, items: Iterable[int]) -> tuple[int, ...]:
    """A shuffle with a well-known slip: no card stays where it was."""
    deck = list(items)
    for last in range(len(deck) - 1, 0, -1):
        at = chance.below(last)
        deck[last], deck[at] = deck[at], deck[last]
    return tuple(deck)


def naive(chance: Chance, items: Iterable[int]) -> tuple[int, ...]:
    """Another: each card changes places with any card."""
    deck = list(items)
    for place in range(len(deck)):
        at = chance.below(len(deck))
        deck[place], deck[at] = deck[at], deck[place]
    return tuple(deck)


@pytest.mark.parametrize(("wrong", "bounds"), [(sattolo, (3, 2, 1)), (naive, (4, 4, 4, 4))])
def test_the_proof_finds_a_wrong_shuffle(wrong, bounds):
    """F41."""
    counted = from_every_draw(lambda chance: wrong(chance, range(4)), bounds)
    assert counted.keys() != set(itertools.permutations(range(4))) or len(set(counted.values())) > 1


# ---------------------------------------------------------------- chi-square


DRAWS = 1_000_000 if NIGHTLY else 20_000


def test_dice_shuffles_and_choices_come_as_even_as_fair_ones():
    """With fixed seeds, so that it says the same every time; ``python -m ludolog.testing chance`` draws a million."""
    found = list(figures(DRAWS))
    assert [figure.name for figure in found] == [trial.name for trial in TRIALS]
    assert all(figure.ok for figure in found), "\n".join(map(str, found))
    assert all(figure.results == max(DRAWS // trial.draws, 1) for figure, trial in zip(found, TRIALS, strict=True))
    assert list(figures(500)) == list(figures(500)) != list(figures(500, seed=2))


@pytest.mark.parametrize(
    ("method", "wrong", "unfair"),
    [
        ("below", lambda chance, bound: chance._word() % 16 % bound, {"a die", "one of seven", "a number below 1,000"}),
        ("shuffle", sattolo, {"five shuffled"}),
        ("shuffle", naive, {"five shuffled"}),
        ("roll", lambda chance, sides=6: max(Chance.roll(chance, sides), 1 + Chance.roll(chance, 4) // 4), {"a die"}),
        ("roll", lambda chance, sides=6: chance.below(sides) or 1, {"a die", "the first die of each batch"}),
        (
            "below",
            lambda chance, bound: chance.__dict__.setdefault("n", itertools.count()).__next__() % bound,
            {"a die"},
        ),
    ],
    ids=["few bits", "none stays", "each with any", "loaded", "zero", "too even"],
)
def test_the_measurement_finds_a_bias(method, wrong, unfair):
    """F41."""
    biased = type("Biased", (Chance,), {method: wrong})
    found = {figure.name for figure in figures(12_000, source=biased) if not figure.ok}
    assert unfair <= found


@pytest.mark.parametrize(
    ("square", "freedom", "expected"),
    [
        (0.0, 3, 1.0),
        (3.841458820694124, 1, 0.05),
        (0.5, 1, 0.47950012218695337),
        (1.0, 5, 0.9625657732472964),
        (18.307038053275146, 10, 0.05),
        (124.34211340400407, 100, 0.05),
        (70.06489492539978, 100, 0.99),
        (math.inf, 7, 0.0),
    ],
)
def test_the_probability_of_a_chi_square(square, freedom, expected):
    """Values of printed tables of the distribution, and its limits."""
    assert probability(square, freedom) == pytest.approx(expected, rel=1e-9)


def test_the_command_prints_the_figures(capsys):
    assert main(["chance", "--draws", "2000"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert len(told) == len(TRIALS) + 1
    assert told[0].split()[:3] == ["a", "die", "2,000"]
    assert told[-1] == "All as fair dice have it."
