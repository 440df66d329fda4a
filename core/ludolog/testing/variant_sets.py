"""Which variants are played together: all pairs, many sets, or one that is drawn."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from ludolog.catalogue import catalogue
from ludolog.chance import Chance, seed_from
from ludolog.compose import full_id, order_variants, seat_counts
from ludolog.errors import CompositionError
from ludolog.ruleset import Ruleset

__all__ = ["all_pairs", "many_sets", "some_set"]

_DRAWN: Final = 50
_IN_VAIN: Final = 400
_ONE_BY_ONE: Final = 14
"""Most variants whose sets are all tried when chance finds no more."""


def all_pairs(game: str, seats: Sequence[int] = ()) -> Iterator[tuple[str, ...]]:
    """Every two installed variants of ``game`` that fit together and one of ``seats``, with all that they require."""
    ids = [variant.id for variant in catalogue().variants(game)]
    pairs = (_with_required(game, pair) for pair in itertools.combinations(ids, 2))
    return (chosen for chosen in dict.fromkeys(pairs) if _fits(game, seats, chosen))


def many_sets(game: str, count: int, seats: Sequence[int] = ()) -> Iterator[tuple[str, ...]]:
    """``count`` different random sets of installed variants that fit; fewer, if there are no more.

    The same sets each time for the same variants. The last few of a kind are hardly ever drawn; they are looked for one
    by one, as long as there are not too many variants for that.
    """
    chance = Chance(seed_from(f"{game}/sets"))
    fits = functools.cache(functools.partial(_fits, game, seats))
    found: set[tuple[str, ...]] = set()
    vain = 0
    while len(found) < count and vain < _IN_VAIN:
        chosen = _drawn(game, (), chance, fits)
        vain = vain + 1 if chosen in found else 0
        if not vain:
            found.add(chosen)
            yield chosen
    names = sorted(variant.id for variant in catalogue().variants(game))
    every = (some for size in range(len(names) + 1) for some in itertools.combinations(names, size))
    left = (some for some in every if some not in found and fits(some))
    yield from itertools.islice(left if len(names) <= _ONE_BY_ONE else (), count - len(found))


def some_set(game: str, needed: tuple[str, ...], chance: Chance, seats: Sequence[int] = ()) -> tuple[str, ...]:
    """A random set of installed variants that fits together and one of ``seats``, the needed ones in it."""
    return _drawn(game, needed, chance, functools.partial(_fits, game, seats))


def _drawn(
    game: str, needed: tuple[str, ...], chance: Chance, fits: Callable[[tuple[str, ...]], bool]
) -> tuple[str, ...]:
    others = [variant.id for variant in catalogue().variants(game) if variant.id not in needed]
    for _ in range(_DRAWN):
        chosen = tuple(sorted((*needed, *chance.draw(others, chance.below(len(others) + 1)))))
        if fits(chosen):
            return chosen
    return needed


def _with_required(game: str, chosen: Sequence[str]) -> tuple[str, ...]:
    found = list(chosen)
    for name in found:
        required = (full_id(game, other) for other in catalogue().variant(game, name).requires)
        found.extend(other for other in required if other not in found)
    return tuple(sorted(found))


def _fits(game: str, seats: Sequence[int], chosen: Sequence[str]) -> bool:
    manifest = catalogue().game(game)
    manifests = [catalogue().variant(game, name) for name in chosen]
    try:
        counts = seat_counts(manifest, order_variants(manifest, manifests))
        if seats and not set(seats) & set(counts):
            return False
        Ruleset(manifest, manifests)
    except CompositionError:
        return False
    return True
