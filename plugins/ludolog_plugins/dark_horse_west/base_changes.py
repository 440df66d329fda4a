"""Changes of the base game that come with the expansion: Marshal's shield, Stagecoach as Pioneer, Preacher, Tracker.

Source: clauses RR-001, RR-024, RR-025 and RR-309 to RR-312 of ``rebels_and_rogues.toml``, completed by RR-R21. The
Preacher's new ability is data of the card, marked with this module.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from ludolog import Position, Rules, Seat, Variant, hookimpl
from ludolog_plugins.dark_horse_west.data import cards_of
from ludolog_plugins.dark_horse_west.dice import role_of
from ludolog_plugins.dark_horse_west.slots import CARDS, SHIELDS, SITE_NAMES

__all__ = ["TRACKER", "ludolog_variant"]

TRACKER: Final = "CX-06"
"""The revised Tracker; its card says which one it replaces (RR-312)."""

rules = Rules("dark-horse-west/base-changes", version=1)


def marshal_shielded(position: Position, seat: Seat) -> bool:
    """The mark that protects the Sheriff protects the Marshal too (RR-309, RR-R21)."""
    return role_of(position, "marshal") == seat


for _card in cards_of("character"):
    if _card.id == TRACKER:
        rules.add(CARDS, TRACKER, replace(_card, deck="character-base"), cites="RR-312")
rules.add(SITE_NAMES, "pioneer", ("stagecoach",), cites="RR-310")
rules.add(SHIELDS, "marshal", marshal_shielded, cites="RR-309")


def load() -> Rules:
    """The rules."""
    return rules


@hookimpl
def ludolog_variant() -> Variant:
    """Manifest (RR-001)."""
    return Variant(
        id="dark-horse-west/base-changes",
        title="Base game changes",
        summary="Sheriff's mark covers the Marshal, Pioneer covers Stagecoach, new Preacher, revised Tracker.",
        rules=load,
        clauses=("ludolog_plugins.dark_horse_west:rebels_and_rogues.toml",),
    )
