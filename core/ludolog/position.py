"""The position: all state slices of a table, folded; and what a decider sees of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from ludolog_events import Seat, State

from ludolog.chance import Chance
from ludolog.frame import Frame, GameEnded
from ludolog.outcome import Outcome
from ludolog.rules import Options
from ludolog.slots import Slot, SlotTable

if TYPE_CHECKING:
    from ludolog.ruleset import Ruleset

__all__ = ["Now", "Position"]

S = TypeVar("S", bound=State)
O = TypeVar("O", bound=Options)  # noqa: E741 - one letter, like the others
T = TypeVar("T")


class Position:
    """The state of a table, or what one seat knows of it; never changed once you hold it.

    ``position[Race]`` is the slice of type ``Race``. Two positions are equal when all their slices are.

    ``viewer`` is the seat that sees it, ``None`` for a viewer without a seat; ``is_view`` tells a view, in which
    what was not told is ``None``, from the full position.
    """

    __slots__ = ("is_view", "ruleset", "slices", "viewer")

    def __init__(
        self,
        ruleset: Ruleset,
        slices: dict[type[State], Any],
        *,
        viewer: Seat | None = None,
        is_view: bool = False,
    ) -> None:
        self.ruleset = ruleset
        self.slices = slices
        self.viewer = viewer
        self.is_view = is_view

    def __getitem__(self, kind: type[S]) -> S:
        """Slice of type ``kind``; KeyError if the ruleset has none."""
        return self.slices[kind]

    def __contains__(self, kind: object) -> bool:
        """Whether the ruleset has a slice of this type."""
        return kind in self.slices

    def __eq__(self, other: object) -> bool:
        """Whether all slices are equal."""
        return isinstance(other, Position) and self.slices == other.slices

    __hash__ = None  # pyright: ignore[reportAssignmentType] - slices may be large; compare instead

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats in order, clockwise."""
        return self.slices[Frame].seats

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.slices[Frame].outcomes)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; ``None`` while it goes on."""
        outcomes = self.slices[Frame].outcomes
        return outcomes[0] if outcomes else None

    def after(self, seat: Seat, steps: int = 1) -> Seat:
        """The seat ``steps`` places clockwise of ``seat``."""
        seats = self.slices[Frame].seats
        return seats[(seats.index(seat) + steps) % len(seats)]

    def slot(self, slot: Slot[T]) -> SlotTable[T]:
        """What game and variants put into ``slot``."""
        return self.ruleset.slots[slot.name]

    def options(self, kind: type[O]) -> O:
        """Options of the rules that declare ``kind``."""
        return self.ruleset.options[kind]  # type: ignore[return-value]

    def having(self, *slices: State) -> Position:
        """The same position with other slices; for :meth:`Rules.determinize` and for tests."""
        changed = {**self.slices, **{type(new): new for new in slices}}
        return Position(self.ruleset, changed, viewer=self.viewer, is_view=self.is_view)

    def copy(self) -> Position:
        """A position with its own dict of (shared, immutable) slices."""
        return Position(self.ruleset, self.slices.copy(), viewer=self.viewer, is_view=self.is_view)

    def __str__(self) -> str:
        """The position as text, by the game's picture."""
        return self.ruleset.draw("text", self)

    def svg(self) -> str:
        """The position as an SVG picture."""
        return self.ruleset.draw("svg", self)

    def _repr_svg_(self) -> str | None:
        """Picture for notebooks."""
        return self.ruleset.draw("svg", self) if "svg" in self.ruleset.pictures else None

    def __repr__(self) -> str:
        """What it is of, and who sees it."""
        who = f", seen by {self.viewer or 'a viewer'}" if self.is_view else ""
        return f"<Position of {self.ruleset.id}{who}>"


class Now:
    """What a decider or reaction sees: the position so far in this batch, who acts, and the table's chance.

    ``seat`` is the acting seat (``""`` for the host). ``at`` is the moment at which the table received the command,
    in microseconds; it is recorded with the command.
    """

    __slots__ = ("at", "chance", "position", "seat")

    def __init__(self, position: Position, seat: Seat, chance: Chance, at: int = 0) -> None:
        self.position = position
        self.seat = seat
        self.chance = chance
        self.at = at

    def __getitem__(self, kind: type[S]) -> S:
        """Slice of type ``kind``, as it is now."""
        return self.position.slices[kind]

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats in order, clockwise."""
        return self.position.slices[Frame].seats

    def slot(self, slot: Slot[T]) -> SlotTable[T]:
        """What game and variants put into ``slot``."""
        return self.position.ruleset.slots[slot.name]

    def options(self, kind: type[O]) -> O:
        """Options of the rules that declare ``kind``."""
        return self.position.ruleset.options[kind]  # type: ignore[return-value]

    def end(self, reason: str) -> GameEnded:
        """The event that ends the game, with the outcome by the game's scoring; yield it last."""
        return GameEnded(outcome=self.position.ruleset.score(self.position, reason))

    def rest(self, seat: Seat) -> tuple[Seat, ...]:
        """All other seats, clockwise from the one after ``seat``."""
        seats = self.seats
        at = seats.index(seat)
        return seats[at + 1 :] + seats[:at]
