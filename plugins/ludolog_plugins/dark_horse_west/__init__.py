"""Dark Horse: dice on action sites, resources, and towns, cities and rails on a map of the West, for 2 to 4.

Source: the published contents list and the clauses and rulings of ``rules.toml`` and ``decks.toml``; every number
carries its confidence there. One seat plays with the variant ``solitaire``, five with ``five-player``.
"""

from __future__ import annotations

from ludolog import Game, Rules, hookimpl
from ludolog_plugins.dark_horse_west.rules import rules

__all__ = ["ludolog_game"]


def load() -> Rules:
    """The rules.

    They are loaded with the package: the game's modules fill its slots as they are imported, and whoever imports one of
    them first, a variant or a test, must not change the order of the entries.
    """
    return rules


@hookimpl
def ludolog_game() -> Game:
    """Manifest (DW-001)."""
    return Game(
        id="dark-horse-west",
        title="Dark Horse",
        summary="Dice claim sites; resources become towns, cities and rails; influence races to eleven.",
        seats=(2, 3, 4),
        rules=load,
        clauses=("ludolog_plugins.dark_horse_west:rules.toml",),
    )
