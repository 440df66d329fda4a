"""Stagecoach: cards as at Pioneer, which it replaces, or 2 Silver.

Source: clauses RR-130 to RR-133 of ``rebels_and_rogues.toml``, completed by RR-R24, RR-R25, RR-R63 and RR-R87. Of its
two sides the one with the Robbery icon lies up; without rules for robbing sites the icon says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ludolog import Event, Now, Rules, Seat, Variant, hookimpl
from ludolog_plugins.dark_horse_west.abilities import extra_draw
from ludolog_plugins.dark_horse_west.agenda import do
from ludolog_plugins.dark_horse_west.expansion import CLAUSES, site_from, space
from ludolog_plugins.dark_horse_west.offers import gained, offer_task
from ludolog_plugins.dark_horse_west.slots import SITES, Offer
from ludolog_plugins.dark_horse_west.vocabulary import Effect

__all__ = ["ludolog_variant"]

rules = Rules("dark-horse-west/stagecoach", version=1)

SILVER: Final = Offer(title="2 Silver", effects=(gained("silver", 2),))


def cards_or_silver(now: Now, seat: Seat) -> Iterator[Event]:
    """Draw two cards from one deck and keep one, or take 2 Silver (RR-131, RR-132, RR-R87)."""
    draw = Effect(op="draw", deck="any", n=2 + extra_draw(now.position, seat), keep=1)
    yield do(offer_task(seat, (Offer(title="cards", effects=(draw,)), SILVER), "stagecoach"))


rules.remove(SITES, "pioneer", cites="RR-130")
rules.add(SITES, "stagecoach", site_from(space("stagecoach"), cards_or_silver, cites="RR-131"), cites="RR-130")


def load() -> Rules:
    """The rules."""
    return rules


@hookimpl
def ludolog_variant() -> Variant:
    """Manifest."""
    return Variant(
        id="dark-horse-west/stagecoach",
        title="Stagecoach",
        summary="Draw two cards as on Pioneer or take 2 Silver.",
        rules=load,
        requires=("silver", "base-changes"),
        clauses=(CLAUSES,),
    )
