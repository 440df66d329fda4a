"""Why a command is refused: each check raises with a sentence and its clause, from what the seat may know."""

from __future__ import annotations

from typing import Final, Literal, NoReturn, TypeAlias

from ludolog import Command, Now, Position, Refusal, Seat, refuse
from ludolog_plugins.dark_is_the_night.commands import Attack, Feint, PutMutton, SetTrap, Shoot, Space, Stab
from ludolog_plugins.dark_is_the_night.data import (
    APART,
    CELLS,
    DARK,
    DIRECTIONS,
    INNER,
    NEIGHBOURS,
    RAYS,
    STABBED,
    TOWARD,
    WALKS,
)
from ludolog_plugins.dark_is_the_night.state import Camp, Dark, Night, NightOptions, Stage, rules

__all__ = [
    "FIRST_TURNS",
    "check_action",
    "check_approach",
    "check_dark",
    "check_end_turn",
    "check_feint",
    "check_feint_end",
    "check_inner",
    "check_prowl",
    "check_shot",
    "check_side",
    "check_stab",
    "check_stage",
    "check_token",
    "check_walk",
]

Side: TypeAlias = Literal["hunter", "monster"]

FIRST_TURNS: Final = (1, 2)
"""The Hunter's first turn, and the Monster's."""

_FIRE: Final = (2, 2)

_WAITED_FOR: Final[dict[Stage, tuple[str, str, str]]] = {
    "hide": ("start-first", "First the Monster chooses the dark space it starts on.", "DN-12"),
    "place": ("place-first", "First the Hunter takes the inner space she starts on.", "DN-15"),
    "move": ("move-first", "A turn begins with a move, which can't be left out.", "DN-24"),
    "action": ("moved-already", "A turn has one move, and it has been made.", "DN-27"),
    "torn": ("way-first", "First the Monster chooses its way to the mutton.", "DN-R34"),
}


def check_side(now: Now, side: Side, clause: str) -> None:
    """Refuse what is the other side's to do by ``clause``."""
    night = now[Night]
    if now.seat != (night.hunter if side == "hunter" else night.monster):
        refuse("other-side", f"Only the {side.title()} may do that.", clause)


def check_stage(now: Now, side: Side, stage: Stage, clause: str) -> None:
    """Refuse what is the other side's to do by ``clause``, or what isn't waited for now."""
    check_side(now, side, clause)
    night = now[Night]
    if night.stage == stage:
        return
    if stage in ("hide", "place") and night.turn:
        refuse("started-already", "Both starting spaces are chosen.", clause)
    if stage == "torn":
        refuse("no-choice", "No mutton lies where both ways to it are equally long.", clause)
    refuse(*_WAITED_FOR[night.stage])


def check_action(now: Now, side: Side, clause: str, *, token: bool = False) -> None:
    """Refuse an action before the move, and any on a side's first turn (DN-24, DN-29, DN-30)."""
    check_side(now, side, clause)
    _check_first_turn(now[Night].turn, token=token)
    check_stage(now, side, "action", clause)


def _check_first_turn(turn: int, *, token: bool) -> None:
    if turn in FIRST_TURNS:
        refuse(*_first_turn(token=token))


def _first_turn(*, token: bool) -> tuple[str, str, str]:
    if token:
        return "first-turn", "On its first turn a side uses no token.", "DN-30"
    return "first-turn", "On its first turn a side doesn't attack.", "DN-29"


# ---------------------------------------------------------------- spaces


def check_dark(space: Space, clause: str) -> int:
    """The space, if it is a dark one."""
    if not isinstance(space, int) or space not in DARK:
        refuse("not-dark", f"The dark spaces are 1 to {len(DARK)}, and {space!r} is none of them.", clause, space=space)
    return space


def check_inner(space: Space, clause: str) -> str:
    """The space, if it is an inner one."""
    if not isinstance(space, str) or space not in INNER:
        refuse("not-inner", f"The inner spaces are {', '.join(INNER)}, not {space!r}.", clause, space=space)
    return space


def check_walk(now: Now, to: Space) -> str:
    """The space, if the Hunter may move there."""
    here = now[Camp].space
    if to not in WALKS[here]:
        _refuse_walk(here, to)
    return str(to)


def _refuse_walk(here: str, to: Space) -> NoReturn:
    facts = {"here": here, "to": to, "near": WALKS[here]}
    if to in DARK:
        refuse("into-the-dark", "The Hunter can't move into the dark.", "DN-35", **facts)
    if to == "fire":
        refuse("through-the-fire", "The Hunter can't enter the fire.", "DN-37", **facts)
    if to not in INNER:
        refuse("no-such-space", f"The inner spaces are {', '.join(INNER)}, not {to!r}.", "DN-R32", **facts)
    if to == here:
        refuse("no-move", "The move can't be left out.", "DN-25", **facts)
    (row, col), (other_row, other_col) = CELLS[here], CELLS[to]
    if ((row + other_row) / 2, (col + other_col) / 2) == _FIRE:
        refuse("through-the-fire", "The Hunter can't cross the fire.", "DN-37", **facts)
    if abs(row - other_row) == 1 and abs(col - other_col) == 1:
        refuse("diagonal", "The Hunter can't move diagonally.", "DN-38", **facts)
    refuse("not-next", f"A move goes to one neighbouring space, and {to} is farther from {here}.", "DN-28", **facts)


def check_prowl(here: int, to: Space) -> int:
    """The space, if the Monster may move there."""
    space = check_dark(to, "DN-71")
    if space == here:
        refuse("no-move", "The move can't be left out.", "DN-25", here=here)
    if space not in NEIGHBOURS[here]:
        sentence = f"A move goes to one neighbouring space, and {space} is farther from {here}."
        refuse("not-next", sentence, "DN-28", here=here, to=space, near=NEIGHBOURS[here])
    return space


def check_stab(now: Now, at: Space) -> int:
    """The space, if the Hunter may stab at it."""
    space = check_dark(at, "DN-40")
    here = now[Camp].space
    if space not in STABBED[here]:
        near = " and ".join(map(str, STABBED[here]))
        refuse("out-of-reach", f"From {here} the sword reaches {near}.", "DN-41", here=here, near=STABBED[here])
    return space


def check_approach(now: Now, to: Space) -> int:
    """The space, if it is one step toward the mutton."""
    space = check_dark(to, "DN-71")
    dark = now[Dark]
    ways = TOWARD[dark.clues[-1].spaces[0], dark.mutton]
    if space not in ways:
        sentence = f"The steps toward the mutton are {' and '.join(map(str, ways))}, not {space}."
        refuse("no-way", sentence, "DN-60", to=space, ways=ways)
    return space


# ---------------------------------------------------------------- tokens


def check_token(now: Now, token: str, clause: str) -> None:
    """Refuse a token that the Hunter has used already."""
    if token not in now[Camp].items:
        refuse("token-used", f"No {token} is left.", clause, token=token)


def check_shot(now: Now, command: Shoot) -> None:
    """Refuse a shot that has no line, or not of this kind (DN-48, DN-R3, DN-R4, DN-R5)."""
    if command.direction not in DIRECTIONS:
        sentence = f"A bolt flies {', '.join(DIRECTIONS)}, not {command.direction!r}."
        refuse("no-line", sentence, "DN-R3", direction=command.direction)
    ray = RAYS[now[Camp].space, command.direction]
    options = now.options(NightOptions)
    if ray.distance == 1 and options.near_bolt == "refused":
        refuse("too-near", "The space next to the Hunter can't be shot at.", "DN-R4", space=ray.lands_on)
    if command.regular and not ray.through_fire:
        refuse("regular-anyway", "Only a shot through the fire needs to be declared regular.", "DN-48")
    if command.regular and options.fire_shot == "flaming":
        refuse("always-flaming", "A shot through the fire is always flaming.", "DN-R5")


def check_feint(now: Now) -> None:
    """Refuse a feint on the first turn, after the move, or without the token (DN-30, DN-74, DN-75)."""
    check_side(now, "monster", "DN-10")
    night = now[Night]
    _check_first_turn(night.turn, token=True)
    if night.stage == "action":
        refuse("moved-already", "A feint takes the whole turn, and the move has been made.", "DN-75")
    check_stage(now, "monster", "move", "DN-10")
    if "feint" not in now[Dark].tokens:
        refuse("token-used", "The feint has been used.", "DN-74", token="feint")  # noqa: S106 - a token of the game


def check_feint_end(here: int, to: Space) -> int:
    """The space, if a feint may end there."""
    space = check_dark(to, "DN-71")
    if APART[here, space] > 2:  # noqa: PLR2004 - the rulebook's number
        refuse("too-far", f"A feint ends at most two spaces away, and {space} is farther from {here}.", "DN-77")
    return space


def check_end_turn(now: Now) -> None:
    """Refuse to leave the move out (DN-25)."""
    night = now[Night]
    if night.stage == "move":
        refuse("move-first", "The move can't be left out.", "DN-25")
    if night.stage != "action":
        refuse(*_WAITED_FOR[night.stage])


# ---------------------------------------------------------------- not the seat's turn


@rules.waiting
def waiting(position: Position, seat: Seat, command: Command) -> Refusal:
    """Why the seat has to wait: its turn is over by its own deed, or it is the other's turn (DN-15, DN-21, DN-36)."""
    night = position[Night]
    if night.stage in ("hide", "place", "torn"):
        reason = _WAITED_FOR[night.stage]
    else:
        acting = night.monster if seat == night.hunter else night.hunter
        reason = _turn_over(night, command) or ("not-your-turn", f"It is the turn of {acting}.", "DN-21")
    code, sentence, clause = reason
    return Refusal(code=code, sentence=sentence, clause=clause, facts={"turn": night.turn})


def _turn_over(night: Night, command: Command) -> tuple[str, str, str] | None:
    """Why no action is possible in the turn that has just ended, if that is what the command asks for."""
    attack = isinstance(command, Stab | Attack)
    if night.stage != "move" or not (attack or isinstance(command, Shoot | SetTrap | PutMutton | Feint)):
        return None
    if night.turn - 1 in FIRST_TURNS:
        return _first_turn(token=not attack)
    if night.deed == "feint":
        return "turn-over", "No action follows a feint.", "DN-79"
    if night.deed in ("attack", "token"):
        return "action-spent", "A turn has one action, and it has been taken.", "DN-42" if attack else "DN-36"
    return None
