"""Five players: a fifth set of pieces.

Source: clauses RR-250, RR-258 and RR-294 of ``rebels_and_rogues.toml``, completed by RR-R51.
"""

from __future__ import annotations

from ludolog import Rules, Variant, hookimpl
from ludolog_plugins.dark_horse_west.slots import COLOURS

__all__ = ["ludolog_variant"]

rules = Rules("dark-horse-west/five-player", version=1)
rules.add(COLOURS, 4, "purple", cites="RR-R51")


def load() -> Rules:
    """The rules."""
    return rules


@hookimpl
def ludolog_variant() -> Variant:
    """Manifest."""
    return Variant(
        id="dark-horse-west/five-player",
        title="Five Player Expansion",
        summary="A fifth set of pieces.",
        rules=load,
        conflicts=("gunslinger", "solitaire", "wild-wild-west"),
        seats=(2, 3, 4, 5),
        clauses=("ludolog_plugins.dark_horse_west:rebels_and_rogues.toml",),
    )
