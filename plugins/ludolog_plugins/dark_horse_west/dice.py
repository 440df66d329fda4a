"""Dice: rolling them, what may change them, and the questions that do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Final

from ludolog import Event, Now, Position, Refusal, Seat
from ludolog_plugins.dark_horse_west.agenda import do
from ludolog_plugins.dark_horse_west.events import DiceRolled, DieChanged
from ludolog_plugins.dark_horse_west.goods import next_roll
from ludolog_plugins.dark_horse_west.reasons import no
from ludolog_plugins.dark_horse_west.slots import (
    DICE_TO_ROLL,
    DIE_CHANGES,
    DIE_KINDS,
    TASKS,
    DieKind,
    Question,
    rules,
)
from ludolog_plugins.dark_horse_west.state import Dice, Die, Roles, Task

__all__ = ["changeable", "dice_refusal", "role_of", "roll_for", "unplaced"]

SET: Final = "set-die"
SHIFT: Final = "shift-die"
REROLL: Final = "reroll-dice"


def role_of(position: Position | Now, role: str) -> Seat:
    """Who holds a role; ``""`` if nobody does (DW-R52)."""
    return next((seat for name, seat in position[Roles].held if name == role), "")


def unplaced(position: Position | Now, seat: Seat) -> tuple[int, ...]:
    """Numbers of the seat's dice that lie nowhere yet (DW-054)."""
    return tuple(n for n, die in enumerate(position[Dice].dice) if die.seat == seat and not die.at)


def dice_refusal(position: Position, seat: Seat, numbers: tuple[int, ...]) -> Refusal | None:
    """Why these aren't dice that the seat may put somewhere: not rolled, not its own, used, doubled (DW-054)."""
    dice = position[Dice].dice
    if not numbers or list(numbers) != sorted(set(numbers)):
        return no(
            "no-such-dice", "Name at least one die, by its number; several rising, each once.", "DW-007", dice=numbers
        )
    for number in numbers:
        if not 0 <= number < len(dice) or dice[number].seat != seat:
            return no("no-such-die", f"Die {number} was not rolled by {seat} this turn.", "DW-052", die=number)
        if dice[number].at:
            return no("die-used", f"Die {number} lies on {dice[number].at}.", "DW-054", die=number, at=dice[number].at)
    return None


def roll_for(now: Now, seat: Seat) -> Iterator[Event]:
    """The seat rolls: two dice, and what bonus, Jail and roles change about that (DW-006, DW-R37, DW-R38)."""
    kinds = ("own",) * next_roll(now, seat)
    for change in now.slot(DICE_TO_ROLL).values():
        kinds = change(now.position, seat, kinds)
    known = now.slot(DIE_KINDS)
    dice = tuple(
        Die(seat=seat, kind=kind, value=now.chance.roll(known[kind].sides), alone=known[kind].alone) for kind in kinds
    )
    yield DiceRolled(seat=seat, dice=dice)


rules.add(DIE_KINDS, "own", DieKind(title="die"), cites="DW-014")
rules.add(DIE_KINDS, "deputy", DieKind(title="Deputy die", alone=True), cites="DW-057")
rules.add(
    DICE_TO_ROLL,
    "deputy",
    lambda position, seat, kinds: (*kinds, "deputy") if role_of(position, "sheriff") == seat else kinds,
    cites="DW-R27",
)
rules.add(
    DIE_CHANGES,
    "fixed",
    lambda _position, die, _source: (
        no("die-fixed", "Nothing may change that die any more.", "DW-R57") if die.fixed else None
    ),
    cites="DW-R57",
)

# ------------------------------------------------------------ changing dice


def changeable(position: Position, seat: Seat, source: str) -> tuple[int, ...]:
    """The seat's unplaced dice that ``source`` may change."""
    dice = position[Dice].dice
    filters = position.slot(DIE_CHANGES).values()
    return tuple(
        n for n in unplaced(position, seat) if all(check(position, dice[n], source) is None for check in filters)
    )


def _faces(
    position: Position, task: Task, lowest: Callable[[int], int], highest: Callable[[int], int]
) -> tuple[str, ...]:
    dice = position[Dice].dice
    known = position.slot(DIE_KINDS)
    return tuple(
        f"{number}={value}"
        for number in changeable(position, task.seat, task.source)
        for value in range(
            max(1, lowest(dice[number].value)), min(known[dice[number].kind].sides, highest(dice[number].value)) + 1
        )
        if value != dice[number].value
    )


def _set_options(position: Position, task: Task) -> tuple[str, ...]:
    """Any face that the die has (DW-R24)."""
    return _faces(position, task, lambda _value: 1, lambda _value: 99)


def _shift_options(position: Position, task: Task) -> tuple[str, ...]:
    """Up or down by up to ``n``, never between 1 and 6 (DW-R16)."""
    return _faces(position, task, lambda value: value - task.n, lambda value: value + task.n)


def _change(_now: Now, task: Task, option: str) -> Iterator[Event]:
    number, _, value = option.partition("=")
    yield DieChanged(die=int(number), value=int(value), source=task.source)
    if task.effects:
        yield do(Task(kind="effects", seat=task.seat, effects=task.effects, source=task.source))


def _reroll_options(position: Position, task: Task) -> tuple[str, ...]:
    mine = changeable(position, task.seat, task.source)
    most = min(task.n, len(mine))
    return tuple("+".join(map(str, chosen)) for count in range(1, most + 1) for chosen in combinations(mine, count))


def _reroll(now: Now, task: Task, option: str) -> Iterator[Event]:
    """Dice that are rolled again count as changed (DW-R57)."""
    known = now.slot(DIE_KINDS)
    for number in map(int, option.split("+")):
        sides = known[now[Dice].dice[number].kind].sides
        yield DieChanged(die=number, value=now.chance.roll(sides), source=task.source)


def _why_no_change(position: Position, task: Task, option: str) -> Refusal:
    mine = {str(n): position[Dice].dice[n].value for n in changeable(position, task.seat, task.source)}
    sentence = f"{option!r} is no change that {task.source} can make; dice that can be changed: {mine}."
    return no("no-such-change", sentence, "DW-R16" if task.kind == SHIFT else "DW-R24", dice=mine)


rules.add(
    TASKS,
    SET,
    Question(
        ask=lambda _position, task: f"Which die does {task.seat} turn, and to which face?",
        options=_set_options,
        take=_change,
        explain=_why_no_change,
        cites="DW-R24",
    ),
    cites="DW-R24",
)
rules.add(
    TASKS,
    SHIFT,
    Question(
        ask=lambda _position, task: f"Which die does {task.seat} change by up to {task.n}?",
        options=_shift_options,
        take=_change,
        explain=_why_no_change,
        cites="DW-R16",
    ),
    cites="DW-R16",
)
rules.add(
    TASKS,
    REROLL,
    Question(
        ask=lambda _position, task: f"Which dice does {task.seat} roll again, up to {task.n}?",
        options=_reroll_options,
        take=_reroll,
        explain=_why_no_change,
        cites="DW-R57",
    ),
    cites="DW-R57",
)
