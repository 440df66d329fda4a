"""The position: all state slices of a table, folded; and what a decider sees of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar, TypeVarTuple

import msgspec

from ludolog.chance import Chance
from ludolog.frame import Frame, GameEnded
from ludolog.manifest import Options
from ludolog.outcome import Outcome
from ludolog.slots import Slot, SlotTable
from ludolog_events import Seat, State

if TYPE_CHECKING:
    from ludolog.ruleset import Ruleset

__all__ = ["NOT_ASKED", "Now", "Position"]

S = TypeVar("S", bound=State)
O = TypeVar("O", bound=Options)  # noqa: E741 - one letter, like the others
T = TypeVar("T")
Args = TypeVarTuple("Args")

NOT_ASKED: Final = None
"""Stands in ``Position.acting`` until somebody asks; a value that copies and pickles keep."""


class Position(msgspec.Struct, eq=False):
    """The state of a table, or what one seat knows of it; never changed once you hold it.

    ``position[Race]`` is the slice of type ``Race``. Two positions are equal when all their slices are.

    ``viewer`` is the seat that sees it, ``None`` for a viewer without a seat; ``is_view`` tells a view, in which
    what was not told is ``None``, from the full position.
    """

    ruleset: Ruleset
    slices: dict[type[State], Any]
    viewer: Seat | None = None
    is_view: bool = False
    acting: tuple[Seat, ...] | None = NOT_ASKED
    """Seats that may act, once somebody has asked; use ``ruleset.to_act``."""

    def __getitem__(self, kind: type[S]) -> S:
        """Slice of type ``kind``; KeyError if the ruleset has none."""
        found: S = self.slices[kind]
        return found

    def part(self, kind: type[S], pick: Callable[[S, *Args], T], *args: *Args) -> T:
        """What ``pick`` takes from the slice of type ``kind``: for a :func:`derived` function that reads no more of it.

        ``pick`` must return an object that the slice holds, the same one as long as that doesn't change; and it must
        be a function of a module, not made anew for each call.
        """
        slices = self.slices
        if type(slices) is dict:
            return pick(slices[kind], *args)
        noted: Any = slices  # those of a derived function, which note what it reads
        found: T = noted.part((kind, pick, args))
        return found

    def __contains__(self, kind: type[State]) -> bool:
        """Whether the ruleset has a slice of this type."""
        return kind in self.slices

    def __eq__(self, other: object) -> bool:
        """Whether all slices are equal."""
        return isinstance(other, Position) and self.slices == other.slices

    def __ne__(self, other: object) -> bool:
        """Whether a slice differs; a struct doesn't derive it from ``==``."""
        return not self == other

    __hash__ = None  # type: ignore[assignment] # pyright: ignore[reportAssignmentType] - compare instead

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats in order, clockwise."""
        frame: Frame = self.slices[Frame]
        return frame.seats

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
        seats = self.seats
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
        return Position(self.ruleset, changed, self.viewer, self.is_view)

    def copy(self) -> Position:
        """A position with its own dict of (shared, immutable) slices."""
        return Position(self.ruleset, self.slices.copy(), self.viewer, self.is_view)

    def __copy__(self) -> Position:
        """The same: what is put into a copy is not put into the original."""
        return self.copy()

    def __str__(self) -> str:
        """The position as text, by the game's picture."""
        return self.ruleset.draw("text", self)

    def svg(self, **wishes: Any) -> str:  # noqa: ANN401 - the game's keywords
        """The position as an SVG picture; ``wishes`` are what the game's picture can be asked for."""
        return self.ruleset.draw("svg", self, **wishes)

    def _repr_svg_(self) -> str | None:
        """Picture for notebooks."""
        return self.ruleset.draw("svg", self) if "svg" in self.ruleset.pictures else None

    def __repr__(self) -> str:
        """What it is of, and who sees it."""
        who = f", seen by {self.viewer or 'a viewer'}" if self.is_view else ""
        return f"<Position of {self.ruleset.id}{who}>"


class Now(msgspec.Struct, eq=False):
    """What a decider or reaction sees: the position so far in this batch, who acts, and the table's chance.

    ``seat`` is the acting seat (``""`` for the host). ``at`` is the moment at which the table received the command,
    in microseconds; it is recorded with the command.
    """

    position: Position
    seat: Seat
    chance: Chance
    at: int = 0

    def __getitem__(self, kind: type[S]) -> S:
        """Slice of type ``kind``, as it is now."""
        found: S = self.position.slices[kind]
        return found

    def part(self, kind: type[S], pick: Callable[[S, *Args], T], *args: *Args) -> T:
        """What ``pick`` takes from the slice of type ``kind``, as it is now."""
        return self.position.part(kind, pick, *args)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats in order, clockwise."""
        frame: Frame = self.position.slices[Frame]
        return frame.seats

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
