"""What can be deduced from told facts: where the Monster may be, and which worlds fit.

A **world** is the Monster's whole hidden history: every setting of its dial, from its start on. It fits a view if it
gives, with the same open commands, exactly the events that the view's seat was told. :func:`draw_path` draws one of
the worlds that fit, each as likely as any other. How many secret choices the Monster had each time is known to all
(12 starts, 2 ways of a move, 5 ends of a feint), so this is also what a reasoner comes to who takes each of them for
equally likely: a space is as likely as the number of ways that lead there.

A clue keeps the spaces possible by the settings before it and all that was told until the next one. So the worlds
that fit are the paths through the clues' spaces, and the spaces of the last clue are those of all such worlds. What was
taken back by an undo is no fact any more: the clues are those of the history that counts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

from ludolog_plugins.dark_is_the_night.data import APART, DARK, NEIGHBOURS, TOWARD
from ludolog_plugins.dark_is_the_night.state import Clue, Dark, How

if TYPE_CHECKING:
    from ludolog import Chance, Position

__all__ = ["STEPS", "count_worlds", "deduced_spaces", "draw_path", "path_at", "possible_spaces", "spread"]


def possible_spaces(view: Position) -> tuple[int, ...]:
    """Spaces the Monster may be on, as far as whoever sees ``view`` knows: one, if it was told."""
    dial = view[Dark].dial
    if dial is None:
        return deduced_spaces(view)
    return (dial,) if dial else ()


def deduced_spaces(position: Position) -> tuple[int, ...]:
    """Spaces the Monster may be on by what everyone was told, whoever asks: what the Hunter knows at best."""
    clues = position[Dark].clues
    return clues[-1].spaces if clues else ()


# ---------------------------------------------------------------- one setting of the dial to the next


def _start(_space: int, _about: int) -> tuple[int, ...]:
    return DARK


def _move(space: int, _about: int) -> tuple[int, ...]:
    return NEIGHBOURS[space]


def _drawn(space: int, mutton: int) -> tuple[int, ...]:
    return TOWARD[space, mutton]


def _feint(space: int, origin: int) -> tuple[int, ...]:
    return tuple(end for end in DARK if APART[end, origin] <= 2) if space == origin else ()  # noqa: PLR2004 - DN-77


def _feint_first(space: int, origin: int) -> tuple[int, ...]:
    return (space, *NEIGHBOURS[space]) if space == origin else ()


def _feint_second(space: int, origin: int) -> tuple[int, ...]:
    if space == origin:
        return (space,)
    return (space, *(end for end in NEIGHBOURS[space] if end != origin))


STEPS: Final[dict[How, Callable[[int, int], tuple[int, ...]]]] = {
    "start": _start,
    "move": _move,
    "drawn": _drawn,
    "feint-whole": _feint,
    "feint-first": _feint_first,
    "feint-second": _feint_second,
}
"""Where the dial may be set next: from a space, by ``Clue.about``."""


@lru_cache(maxsize=4096)
def spread(how: How, about: int, spaces: tuple[int, ...]) -> tuple[int, ...]:
    """All spaces that the next setting may have, from one of ``spaces``; ascending."""
    step = STEPS[how]
    return tuple(sorted({after for space in spaces for after in step(space, about)}))


# ---------------------------------------------------------------- worlds

Layer: TypeAlias = dict[int, tuple[int, tuple[tuple[int, int], ...]]]
"""By space: how many paths lead there, and which of them come from which space before."""


@lru_cache(maxsize=64)
def _layers(clues: tuple[Clue, ...]) -> tuple[Layer, ...]:
    """One layer a clue; bots draw many worlds from one view."""
    layers: list[Layer] = []
    before = {0: 1}
    for clue in clues:
        step = STEPS[clue.how]
        coming: dict[int, list[tuple[int, int]]] = {space: [] for space in clue.spaces}
        for old, ways in before.items():
            for space in step(old, clue.about):
                if space in coming:
                    coming[space].append((old, ways))
        layers.append({space: (sum(ways for _, ways in found), tuple(found)) for space, found in coming.items()})
        before = {space: ways for space, (ways, _) in layers[-1].items()}
    return tuple(layers)


def count_worlds(clues: tuple[Clue, ...]) -> int:
    """How many worlds fit the clues."""
    return sum(ways for ways, _ in _layers(clues)[-1].values()) if clues else 1


def path_at(clues: tuple[Clue, ...], index: int) -> tuple[int, ...]:
    """World number ``index`` of those that fit, from 0 to ``count_worlds(clues) - 1``; each number another."""
    layers = _layers(clues)
    coming = tuple((space, ways) for space, (ways, _) in layers[-1].items())
    path: list[int] = []
    for layer in reversed(layers):
        for space, ways in coming:
            if index < ways:
                path.append(space)
                break
            index -= ways
        else:
            msg = "there are not so many worlds"
            raise IndexError(msg)
        coming = layer[path[-1]][1]
    return tuple(reversed(path))


def draw_path(clues: tuple[Clue, ...], chance: Chance) -> tuple[int, ...]:
    """One of the worlds that fit the clues, each as likely as any other: all settings of the dial."""
    return path_at(clues, chance.below(count_worlds(clues)))
