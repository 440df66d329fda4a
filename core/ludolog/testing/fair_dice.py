"""Is chance fair? Chi-square over dice, shuffles and choices, drawn by the library's own code from its own streams.

That the sampler has no bias is proved, not measured: the tests try every word of a narrow stream. What is measured here
is the stream itself, and that all of it together does what it should.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from ludolog.chance import Chance, seed_from, stream_key

__all__ = ["EXTREME", "Figure", "figures", "probability"]

EXTREME: Final = 1e-6
"""Results likelier than this to come from fair dice are no reason for alarm, nor are they too good to be true."""

_CLOSE: Final = 1e-15
"""Where a sum or a fraction changes no more."""

Expected: TypeAlias = Mapping[Any, int]
Source: TypeAlias = Callable[[bytes, int], Chance]


@dataclass(frozen=True)
class Trial:
    """Something drawn again and again.

    ``weights`` lists all results, each with its weight; ``draws`` is how many draws one of them takes. ``once`` gives
    the next result; a new stream is begun for each if ``places``.
    """

    name: str
    weights: Expected
    draws: int
    once: Callable[[Chance], Hashable]
    places: bool = False


class Figure(NamedTuple):
    """What was measured: ``square`` is Pearson's chi-square, ``chance`` how likely a greater one is with fair dice."""

    name: str
    results: int
    cells: int
    square: float
    chance: float

    @property
    def ok(self) -> bool:
        """Whether fair dice may well give this: neither too uneven nor too even."""
        return EXTREME < self.chance < 1 - EXTREME

    def __str__(self) -> str:
        """One line."""
        verdict = "" if self.ok else "  NOT FAIR"
        square = f"chi-square {self.square:7.1f} of {self.cells - 1} degrees"
        return f"{self.name:34} {self.results:>9,} results  {square:35} p {self.chance:.4f}{verdict}"


def _even(results: Iterable[Hashable]) -> Expected:
    return dict.fromkeys(results, 1)


_CARDS: Final = range(52)
_WEIGHTS: Final = {"rare": 1, "seldom": 9, "never": 0, "often": 30, "mostly": 60}
_WIDE: Final = 3 << 62
"""A bound for which every fourth word is rejected."""


def _first_of_a_deck(chance: Chance) -> int:
    return chance.shuffle(_CARDS).index(0)


def _last_of_a_deck(chance: Chance) -> int:
    return chance.shuffle(_CARDS).index(51)


TRIALS: Final[tuple[Trial, ...]] = (
    Trial("a die", _even(range(1, 7)), 1, lambda chance: chance.roll()),
    Trial("a die of twenty", _even(range(1, 21)), 1, lambda chance: chance.roll(20)),
    Trial("two dice, in order", _even(itertools.product(range(1, 7), repeat=2)), 2, lambda chance: chance.dice(2)),
    Trial("a number below 1,000", _even(range(1000)), 1, lambda chance: chance.below(1000)),
    Trial("a number below 3 * 2**62, by 48ths", _even(range(48)), 1, lambda chance: chance.below(_WIDE) >> 58),
    Trial("one of seven", _even("abcdefg"), 1, lambda chance: chance.choose("abcdefg")),
    Trial("one of four, by weight", _WEIGHTS, 1, lambda chance: chance.weighted(_WEIGHTS)),
    Trial("three of seven, in order", _even(itertools.permutations(range(7), 3)), 3, lambda c: c.draw(range(7), 3)),
    Trial("five shuffled", _even(itertools.permutations(range(5))), 4, lambda chance: chance.shuffle(range(5))),
    Trial("where the first of 52 cards goes", _even(_CARDS), 51, _first_of_a_deck),
    Trial("where the last of 52 cards goes", _even(_CARDS), 51, _last_of_a_deck),
    Trial("the first die of each batch", _even(range(1, 7)), 1, lambda chance: chance.roll(), places=True),
)


def figures(draws: int = 1_000_000, seed: int | str = 1, source: Source = Chance) -> Iterator[Figure]:
    """Try each thing with ``draws`` draws, from streams of seats that contributed the name of the thing.

    Args:
        draws: How many.
        seed: From which everything is derived, so that the same is measured again.
        source: Gives the chance for a key and a place; a biased one, to see that it is found.
    """
    for trial in TRIALS:
        key = stream_key(seed_from(seed), ((trial.name, "fair?"),))
        yield _measured(trial, _counted(trial, key, max(draws // trial.draws, 1), source))


def _counted(trial: Trial, key: bytes, times: int, source: Source) -> Counter[Hashable]:
    once = trial.once
    if trial.places:
        return Counter(once(source(key, place)) for place in range(times))
    chance = source(key, 0)
    return Counter(once(chance) for _ in range(times))


def _measured(trial: Trial, counted: Counter[Hashable]) -> Figure:
    results, whole = counted.total(), sum(trial.weights.values())
    possible = {result: weight for result, weight in trial.weights.items() if weight}
    expected = {result: results * weight / whole for result, weight in possible.items()}
    square = sum((counted[result] - share) ** 2 / share for result, share in expected.items())
    if not counted.keys() <= possible.keys():
        square = math.inf  # something that can't be
    return Figure(trial.name, results, len(possible), square, probability(square, len(possible) - 1))


def probability(square: float, freedom: int) -> float:
    """How likely a chi-square of at least ``square`` is, with ``freedom`` degrees of freedom.

    The regularised upper incomplete gamma function of half of both; by its series below the middle, above it by
    Lentz's continued fraction.
    """
    shape, at = freedom / 2, square / 2
    if at <= 0:
        return 1.0
    if math.isinf(at):
        return 0.0
    scale = math.exp(shape * math.log(at) - at - math.lgamma(shape))
    if at < shape + 1:
        term = total = 1 / shape
        for step in itertools.count(1):
            term *= at / (shape + step)
            total += term
            if term < total * _CLOSE:
                return 1 - total * scale
    tiny = 1e-300
    below = at + 1 - shape
    ratio, inverse = 1 / tiny, 1 / below
    total = inverse
    for step in itertools.count(1):
        factor = step * (shape - step)
        below += 2
        inverse = 1 / (factor * inverse + below or tiny)
        ratio = below + factor / ratio or tiny
        total *= inverse * ratio
        if abs(inverse * ratio - 1) < _CLOSE:
            return total * scale
    raise AssertionError  # pragma: no cover - both loops come to an end
