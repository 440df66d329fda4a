"""What players and host may ask for."""

from __future__ import annotations

import functools

import msgspec

from ludolog import Command
from ludolog_plugins.insect_inc.forest import CARDS

__all__ = ["Claim", "CloseWindow", "Declare", "Reveal", "every_claim"]


class Reveal(Command, frozen=True, tag="insect-inc/reveal"):
    """Reveal the first insect card; the start player's command. All later reveals follow by themselves."""


class Claim(Command, frozen=True, tag="insect-inc/claim"):
    """Put a hand on one or two forest cards, numbered 0 to 47; in whatever order they are named, it is one claim."""

    cards: tuple[int, ...]

    def __post_init__(self) -> None:
        """Put the lower number first, so that one claim has one form."""
        msgspec.structs.force_setattr(self, "cards", tuple(sorted(self.cards)))


class Declare(Command, frozen=True, tag="insect-inc/declare"):
    """Say that you find none of the open insects."""


class CloseWindow(Command, frozen=True, tag="insect-inc/close-window"):
    """Close the claims window: its claims are judged, or an insect is revealed since everyone has declared.

    Given by the host, or by the table itself when it falls due.
    """


@functools.cache
def every_claim() -> tuple[Claim, ...]:
    """Every hand on one or two cards; made once, when somebody first asks."""
    alone = (Claim(cards=(card,)) for card in range(CARDS))
    both = (Claim(cards=(card, other)) for card in range(CARDS) for other in range(card + 1, CARDS))
    return (*alone, *both)
