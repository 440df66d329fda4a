"""The conformance kit on the base game.

Random players hardly build anything, so a whole game lasts a hundred turns. Here they play with numbers of their own,
so that one town or one influence more ends the game. Whole games are for the campaign, see the game's page.
"""

from __future__ import annotations

from ludolog.testing import conformance

REVEALS = (
    "dark-horse-west/tile-revealed.resource",  # a town turns its tile up
    "dark-horse-west/card-played.card",
    "dark-horse-west/cards-discarded.cards",
    "dark-horse-west/event-drawn.card",
)

SHORT = {"data": "[start]\ncities = 1\ntowns = 3\nfood = 9\nwood = 9\nore = 9\ninfluence = 10\n"}

test_two_to_four = conformance("dark-horse-west", options=SHORT, games=1, bound=4000, reveals=REVEALS)
