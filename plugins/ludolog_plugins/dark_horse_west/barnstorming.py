"""Barnstorming: hats and Silver for a bonus die and a Wild Die token, or a Vote and Silver for influence.

Source: clauses RR-149 to RR-152 of ``rebels_and_rogues.toml``, completed by RR-R24, RR-R25 and RR-R46. Votes come from
other variants; without one that gives them the second option is never paid.
"""

from __future__ import annotations

from typing import Final

from ludolog import Rules, Variant, hookimpl
from ludolog_plugins.dark_horse_west.expansion import CLAUSES, VOTE, site_from, space
from ludolog_plugins.dark_horse_west.offers import cost, gained, offered
from ludolog_plugins.dark_horse_west.slots import SITES, THINGS, Offer

__all__ = ["ludolog_variant"]

rules = Rules("dark-horse-west/barnstorming", version=1)

SHOW: Final = Offer(
    title="bonus die and Wild Die token",
    cost=(cost("silver"), cost("reputation", 2)),
    effects=(gained("bonus-die"), gained("wild")),
)
"""For 1 Silver and any 2 hats (RR-151)."""
SPEECH: Final = Offer(title="influence", cost=(cost("silver"), cost("vote")), effects=(gained("influence"),))
"""For 1 Silver and 1 Vote (RR-152)."""

rules.share(THINGS, "vote", VOTE, cites="RR-152")
rules.remove(SITES, "market", cites="RR-149")
rules.add(
    SITES,
    "barnstorming",
    site_from(space("barnstorming"), offered(SHOW, SPEECH, source="barnstorming"), cites="RR-150"),
    cites="RR-149",
)


def load() -> Rules:
    """The rules."""
    return rules


@hookimpl
def ludolog_variant() -> Variant:
    """Manifest."""
    return Variant(
        id="dark-horse-west/barnstorming",
        title="Barnstorming",
        summary="Reputation and Silver for a Wild Die token and a bonus die, or a Vote and Silver for influence.",
        rules=load,
        requires=("reputation", "silver"),
        conflicts=("high-noon", "saloon"),
        clauses=(CLAUSES,),
    )
