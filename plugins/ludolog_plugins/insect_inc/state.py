"""The options, the slots, and the slices of the position: forest, insect cards, players, window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

import msgspec

from ludolog import Options, Position, Rules, Seat, Slot, State
from ludolog_plugins.insect_inc.data import FOREST, TARGETS
from ludolog_plugins.insect_inc.forest import ForestCard, Kind, Pairs, checked_forest

__all__ = [
    "ENDS",
    "FAILURES",
    "FOREST_CARDS",
    "NO_CARD",
    "NO_KIND",
    "TARGET_SIZES",
    "Attempt",
    "Declaration",
    "End",
    "Failure",
    "Forest",
    "Hand",
    "InsectOptions",
    "Insects",
    "Players",
    "Taken",
    "Window",
    "rules",
]

Milliseconds: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=600_000)]


class InsectOptions(Options, frozen=True):
    """Options of the game; ``rules.toml`` says what each means. ``claims_window`` is in milliseconds.

    ``forest`` names a TOML file with another list of forest cards, see :mod:`ludolog_plugins.insect_inc.forest`.
    """

    pairs: Pairs = "any"
    forest_labels: Literal["plain", "shuffled"] = "shuffled"
    claims_window: Milliseconds | Literal["until-closed", "first-claim"] = 400
    mixed_reveal: Literal["all-open", "newest"] = "all-open"
    pile_end: Literal["last-card-leaves", "reveal-due"] = "last-card-leaves"
    forest: str = ""


rules: Final = Rules("insect-inc", version=2, options=InsectOptions)

NO_CARD: Final = -1
"""Stands for the second card of a hand on one card only."""


class Hand(msgspec.Struct, frozen=True):
    """A claim as it was entered: whose hand, at which moment, and on which two cards, the lower number first.

    A hand on one card has ``NO_CARD`` as the second. To everyone else the cards are ``None`` until the window is
    closed (II-R29). ``moment`` is in microseconds, 0 where moments don't count.
    """

    seat: Seat
    moment: int
    cards: tuple[int | None, ...]


class Declaration(msgspec.Struct, frozen=True):
    """A player's word that it finds nothing, and the moment of it (0 where moments don't count)."""

    seat: Seat
    moment: int


class Taken(msgspec.Struct, frozen=True):
    """An insect card that a seat took."""

    seat: Seat
    kind: int


@rules.state
class Forest(State, frozen=True):
    """The cards of each kind, and for each of the 48 cards whether it is down."""

    kinds: tuple[Kind, ...] = ()
    down: tuple[bool, ...] = ()


@rules.state
class Insects(State, frozen=True):
    """The insect cards by their kinds: the pile from the top, those out of the game, those open in order of reveal.

    ``removed`` are those that left the game after a shared success. ``revealed`` counts reveals.
    """

    pile: tuple[int | None, ...] = ()
    unused: tuple[int | None, ...] = ()
    open: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()
    revealed: int = 0


@rules.state
class Players(State, frozen=True):
    """The start player, the insect cards taken, in order, and the seats that are out for a while."""

    start: Seat = ""
    taken: tuple[Taken, ...] = ()
    skipping: tuple[Seat, ...] = ()

    def kinds_of(self, seat: Seat) -> tuple[int, ...]:
        """Kinds that ``seat`` has taken, in order."""
        return tuple(taken.kind for taken in self.taken if taken.seat == seat)


@rules.state
class Window(State, frozen=True):
    """The claims window: the hands in it and the declarations since the last reveal, both by the seats' names.

    Kept by name, they say nothing of the order in which they arrived. ``since`` is the first moment that belongs to
    the window, ``latest`` the latest of any command that counts, the closing steps among them; both are 0 where moments
    don't count. ``judged`` are the hands of the window before; ``repeatable`` those judged at the moment ``since``,
    which would not be too late if they were delivered again.
    """

    hands: tuple[Hand, ...] = ()
    declared: tuple[Declaration, ...] = ()
    since: int = 0
    latest: int = 0
    judged: tuple[Hand, ...] = ()
    repeatable: tuple[Hand, ...] = ()

    def hand_of(self, seat: Seat) -> Hand | None:
        """The hand of ``seat`` in the window; ``None`` if it has none there."""
        return next((hand for hand in self.hands if hand.seat == seat), None)

    def has_declared(self, seat: Seat) -> bool:
        """Whether ``seat`` has declared since the last reveal."""
        return any(declaration.seat == seat for declaration in self.declared)


# ---------------------------------------------------------------- slots

FOREST_CARDS: Final[Slot[tuple[ForestCard, ...]]] = rules.slot(
    Slot("forest", "The forest cards before they are renumbered; one entry, checked at set-up."),
    {"cards": FOREST},
    cites="II-R2",
)


@rules.data("forest")
def own_forest(text: str) -> Rules:
    """Another list of forest cards in the place of the packaged one (II-R2).

    Raises:
        BadData: It is no such list, or lacks something that the rulebook states.
    """
    found = Rules(rules.id)
    found.replace(FOREST_CARDS, "cards", checked_forest(text), cites="II-06")
    return found


TARGET_SIZES: Final[Slot[int]] = rules.slot(
    Slot("targets", "How many insects end the game, by the number of players."), TARGETS, cites="II-49"
)


NO_KIND: Final = -1
"""Stands for the kind that two cards complete, where they complete none."""


class Attempt(NamedTuple):
    """A hand that is to be judged: the position before, the cards touched, and the kind that they complete."""

    position: Position
    cards: tuple[int, ...]
    completed: int
    is_open: bool


class Failure(NamedTuple):
    """A way to fail: whether an attempt does, and how to say so."""

    holds: Callable[[Attempt], bool]
    sentence: str


FAILURES: Final[Slot[Failure]] = rules.slot(
    Slot("failures", "Ways to fail, the first that holds is told; a hand on which none holds succeeds.")
)


class End(NamedTuple):
    """A way for the game to end."""

    holds: Callable[[Position, bool], bool]
    """``(position, reveal is due) -> bool``."""
    sentence: str
    clause: str


ENDS: Final[Slot[End]] = rules.slot(Slot("ends", "Ways for the game to end; the first that holds is told."))
