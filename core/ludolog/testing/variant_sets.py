"""Which variants are played together: all pairs, many sets, or one that is drawn."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

from ludolog.catalogue import catalogue
from ludolog.chance import Chance, seed_from
from ludolog.compose import full_id, order_variants, seat_counts
from ludolog.errors import CompositionError
from ludolog.ruleset import Ruleset

__all__ = ["all_pairs", "many_sets", "some_set"]

_DRAWN: Final = 50
_IN_VAIN: Final = 400


def all_pairs(game: str, seats: Sequence[int] = ()) -> Iterator[tuple[str, ...]]:
    """Every two installed variants of ``game`` that fit together and one of ``seats``, with all that they require."""
    ids = [variant.id for variant in catalogue().variants(game)]
    pairs = (_with_required(game, pair) for pair in itertools.combinations(ids, 2))
    return (chosen for chosen in dict.fromkeys(pairs) if _fits(game, chosen, seats))


def many_sets(game: str, count: int, seats: Sequence[int] = ()) -> Iterator[tuple[str, ...]]:
    """``count`` different random sets of installed variants that fit; fewer, if it finds no more.

    The same sets each time for the same variants.
    """
    chance = Chance(seed_from(f"{game}/sets"))
    found: set[tuple[str, ...]] = set()
    vain = 0
    while len(found) < count and vain < _IN_VAIN:
        chosen = some_set(game, (), chance, seats)
        vain = vain + 1 if chosen in found else 0
        if not vain:
            found.add(chosen)
            yield chosen


def some_set(game: str, needed: tuple[str, ...], chance: Chance, seats: Sequence[int] = ()) -> tuple[str, ...]:
    """A random set of installed variants that fits together and one of ``seats``, the needed ones in it."""
    others = [variant.id for variant in catalogue().variants(game) if variant.id not in needed]
    for _ in range(_DRAWN):
        chosen = tuple(sorted((*needed, *chance.draw(others, chance.below(len(others) + 1)))))
        if _fits(game, chosen, seats):
            return chosen
    return needed


def _with_required(game: str, chosen: Sequence[str]) -> tuple[str, ...]:
    found = list(chosen)
    for name in found:
        required = (full_id(game, other) for other in catalogue().variant(game, name).requires)
        found.extend(other for other in required if other not in found)
    return tuple(sorted(found))


def _fits(game: str, chosen: Sequence[str], seats: Sequence[int]) -> bool:
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
