from __future__ import annotations

from ludolog.testing import conformance
from ludolog_plugins.dark_horse_west.conserved import nothing_lost

REVEALS = (
    "dark-horse-west/tile-revealed.resource",  # a town turns its tile up
    "dark-horse-west/card-played.card",
    "dark-horse-west/cards-discarded.cards",
    "dark-horse-west/event-drawn.card",
)

test_two_to_four = conformance("dark-horse-west", games=1, bound=4000, invariants=(nothing_lost,), reveals=REVEALS)
