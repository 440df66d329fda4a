"""What happens, and who is told: everyone is told everything but the pile, and the hands in an open window."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ludolog import Event, Private, Seat, Secret
from ludolog_plugins.insect_inc.forest import Kind
from ludolog_plugins.insect_inc.state import Hand

__all__ = [
    "Cause",
    "ClaimEntered",
    "ClaimFailed",
    "ForestSpread",
    "ForestTurned",
    "HiddenShown",
    "InsectRemoved",
    "InsectRevealed",
    "InsectTaken",
    "PileLaid",
    "SkipEnded",
    "StartPlayerSet",
    "VainSearchDeclared",
    "WindowClosed",
]

Cause: TypeAlias = Literal["start", "batch", "declared", "faces"]
"""Why an insect is revealed: to begin, after a batch of claims, since all declared, for lack of equal faces."""


class ForestSpread(Event, frozen=True, tag="insect-inc/forest-spread"):
    """The forest cards were spread, all up; for each kind the cards that show its halves (II-16, II-R21)."""

    kinds: tuple[Kind, ...]
    cards: int


class PileLaid(Event, frozen=True, tag="insect-inc/pile-laid"):
    """The insect cards were shuffled: the pile from the top, and those that leave the game unseen (II-12 to II-15)."""

    pile: Secret[tuple[int | None, ...]]
    unused: Secret[tuple[int | None, ...]]


class StartPlayerSet(Event, frozen=True, tag="insect-inc/start-player-set"):
    """``seat`` is the start player from now on."""

    seat: Seat


class InsectRevealed(Event, frozen=True, tag="insect-inc/insect-revealed"):
    """The top insect card of the pile lies open; a window opens, of which ``since`` is the first moment."""

    kind: int
    cause: Cause
    since: int = 0


class ClaimEntered(Event, frozen=True, tag="insect-inc/claim-entered"):
    """``seat`` put a hand on cards, the lower number first, ``NO_CARD`` for none; which, it alone knows (II-R29)."""

    seat: Seat
    cards: Private[tuple[int | None, ...]]
    moment: int = 0


class VainSearchDeclared(Event, frozen=True, tag="insect-inc/vain-search-declared"):
    """``seat`` said that it finds nothing."""

    seat: Seat
    moment: int = 0


class WindowClosed(Event, frozen=True, tag="insect-inc/window-closed"):
    """The window was closed, and its hands are shown to everyone."""

    hands: tuple[Hand, ...]
    moment: int = 0


class InsectTaken(Event, frozen=True, tag="insect-inc/insect-taken"):
    """``seat`` took an open insect card."""

    seat: Seat
    kind: int


class InsectRemoved(Event, frozen=True, tag="insect-inc/insect-removed"):
    """An open insect card left the game, since several players succeeded with it at once."""

    kind: int
    seats: tuple[Seat, ...]


class ClaimFailed(Event, frozen=True, tag="insect-inc/claim-failed"):
    """The claim of ``seat`` failed, and it is out for a while; ``failure`` is an entry of the slot ``failures``."""

    seat: Seat
    failure: str


class ForestTurned(Event, frozen=True, tag="insect-inc/forest-turned"):
    """Forest cards were turned down, for good."""

    cards: tuple[int, ...]


class SkipEnded(Event, frozen=True, tag="insect-inc/skip-ended"):
    """Players may claim again."""

    seats: tuple[Seat, ...]


class HiddenShown(Event, frozen=True, tag="insect-inc/hidden-shown"):
    """The game is over, and what was left of the pile and out of the game is shown (II-R21)."""

    pile: tuple[int, ...]
    unused: tuple[int, ...]
