"""The claims window: when it is over, and which moments still count.

A log has no clock (II-R15). Each command carries the moment at which the table received it, and these moments alone
say what was simultaneous. Closing the window is a recorded step, the command :class:`CloseWindow`; who gives it is an
option, ``claims_window``:

* Milliseconds: the window lasts from the earliest moment of its hands until so much later. The step falls *due* when
  anything arrives whose moment lies past that, be it a player's command or a host's tick. The table then records it
  before it looks at what arrived, as a command of its own; so a player's command that arrives past the window closes
  it first, is then decided by the position after that, and if it is refused there, the closing step stands.
  When everyone who may claim has claimed, no time has to pass: the step is due at once, and the table records it right
  after the last of these claims.
* ``first-claim``: every claim takes the step within its own batch. No moment is looked at.
* ``until-closed``: the host gives it. No moment is looked at.

Within a window any order of arrival leads to the same position: hands and declarations are kept by seat, and the
window's end depends on the smallest and largest moments alone. A moment is refused as too early only if the command was
on its way for longer than a window; and whatever belongs to a window is too late once anything past it has arrived.
Where one seat gives several commands within a window, they must arrive in their order.
"""

from __future__ import annotations

from typing import Final

from ludolog import Command, Now, Position, Seat
from ludolog_plugins.insect_inc.commands import CloseWindow
from ludolog_plugins.insect_inc.state import InsectOptions, Players, Window, rules

__all__ = [
    "UNTIMED",
    "all_declared",
    "all_submitted",
    "claimants",
    "deadline",
    "due",
    "is_full",
    "moment_of",
    "next_since",
    "window_length",
]

UNTIMED: Final = -1
"""Length of a window in which moments don't count."""

_CLOSE: Final = CloseWindow()


def window_length(position: Position) -> int:
    """How many microseconds a window lasts; ``UNTIMED`` where moments don't count."""
    length = position.options(InsectOptions).claims_window
    return UNTIMED if isinstance(length, str) else length * 1000


def moment_of(now: Now) -> int:
    """Moment of the command being decided; 0 where moments don't count, so that they change nothing."""
    return 0 if window_length(now.position) == UNTIMED else now.at


def claimants(position: Position) -> tuple[Seat, ...]:
    """Players who may claim now: those who are not out and have no hand in the window (II-26, II-R15)."""
    held = {*position[Players].skipping, *(hand.seat for hand in position[Window].hands)}
    return tuple(seat for seat in position.seats if seat not in held)


def all_declared(position: Position) -> bool:
    """Whether every player who is not out has declared since the last reveal (II-R9)."""
    said = {declaration.seat for declaration in position[Window].declared}
    skipping = position[Players].skipping
    return all(seat in said for seat in position.seats if seat not in skipping)


def all_submitted(position: Position) -> bool:
    """Whether every player who is not out has a hand in the window or has declared: then a round is complete."""
    window = position[Window]
    return all(window.has_declared(seat) for seat in claimants(position)) and bool(window.hands or window.declared)


def deadline(position: Position) -> int | None:
    """Last moment that belongs to the present window; ``None`` while nothing has begun it, or moments don't count.

    The window ends some time after the first claim, and some time after the last declaration if everyone has declared.
    Whatever arrives can only bring the end nearer, so that no command of the window is ever taken for one past it.
    """
    window = position[Window]
    length = window_length(position)
    if length == UNTIMED or not (window.hands or window.declared):
        return None
    ends: list[int] = []
    if window.hands:
        ends.append(min(hand.moment for hand in window.hands) + length)
    if window.declared and all_declared(position):
        ends.append(max(declaration.moment for declaration in window.declared) + length)
    return min(ends, default=None)


def next_since(position: Position) -> int:
    """First moment that doesn't belong to the present window, once it is closed; 0 where moments don't count."""
    window = position[Window]
    last = deadline(position)
    if last is None:
        return 0
    if is_full(position):
        return max(hand.moment for hand in window.hands)
    return last + 1


def is_full(position: Position) -> bool:
    """Whether everyone who may claim has claimed, so that no time has to pass (II-R26)."""
    return bool(position[Window].hands) and not claimants(position)


@rules.due
def due(position: Position, at: int) -> Command | None:
    """The closing step, once the window has passed or is full (II-R15, II-R26, II-R28)."""
    last = deadline(position)
    return _CLOSE if last is not None and (at > last or is_full(position)) else None
