"""What a seat may ask for. Pending questions of every kind are answered by one command, :class:`Choose`."""

from __future__ import annotations

from ludolog import Command

__all__ = ["Choose", "ClaimSite", "Collect", "Finish", "PlayCard", "PutDice", "UseAbility", "UseToken"]


class Choose(Command, frozen=True, tag="dark-horse-west/choose"):
    """Answer the pending question by one of its options, such as ``"food+ore"``, ``"town 3,-4"`` or ``"stop"``."""

    option: str


class ClaimSite(Command, frozen=True, tag="dark-horse-west/claim-site"):
    """Put dice, by their numbers, on a site."""

    site: str
    dice: tuple[int, ...]


class PutDice(Command, frozen=True, tag="dark-horse-west/put-dice"):
    """Put dice on a spot that is no site, such as ``"effort:food"``, a card or a hex."""

    spot: str
    dice: tuple[int, ...]


class UseToken(Command, frozen=True, tag="dark-horse-west/use-token"):
    """Spend a token of yours."""

    token: str


class PlayCard(Command, frozen=True, tag="dark-horse-west/play-card"):
    """Play a card from your hand."""

    card: str


class UseAbility(Command, frozen=True, tag="dark-horse-west/use-ability"):
    """Use an ability, by its number from 0, of a card that lies before you."""

    card: str
    ability: int


class Collect(Command, frozen=True, tag="dark-horse-west/collect"):
    """Collect from a site that you claimed."""

    site: str


class Finish(Command, frozen=True, tag="dark-horse-west/finish"):
    """End your placement turn or your collection window; what you did not collect is declined."""
