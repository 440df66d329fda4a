"""The rules: how a command becomes events.

What is told of a command, and how many events follow, depends on where the Monster is only where the rules make it
announce something; a refusal depends on it only in the Monster's own commands.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, cast

from msgspec.structs import replace

from ludolog import Chance, Event, Now, Position, Seat, Slot
from ludolog_plugins.dark_is_the_night import commands, events, picture, reducers, refusals, story
from ludolog_plugins.dark_is_the_night.data import (
    APART,
    FACED,
    HUNTERS_TOKENS,
    MONSTERS_TOKENS,
    RAYS,
    SIDE_OF,
    TOWARD,
)
from ludolog_plugins.dark_is_the_night.deduction import draw_path
from ludolog_plugins.dark_is_the_night.scoring import TURN_ENDS
from ludolog_plugins.dark_is_the_night.state import Camp, Dark, Night, NightOptions, Part, rules

# The pictures, reducers and sentences are imported for what they declare.
__all__ = ["TOKENS", "picture", "reducers", "rules", "story"]

TOKENS: Final[Slot[tuple[str, ...]]] = rules.slot(Slot("tokens", "The tokens that each side begins with."))
rules.add(TOKENS, "hunter", HUNTERS_TOKENS, cites="DN-11")
rules.add(TOKENS, "monster", MONSTERS_TOKENS, cites="DN-10")


# ---------------------------------------------------------------- the opening


@rules.setup
def setup(now: Now) -> Iterator[Event]:
    """The seats take sides, and each side gets its tokens (DN-09, DN-10, DN-11)."""
    first, second = now.seats
    if now.options(NightOptions).first_seat == "monster":
        first, second = second, first
    yield events.SidesTaken(hunter=first, monster=second)
    tokens = now.slot(TOKENS)
    yield events.TokensDealt(hunter=tokens["hunter"], monster=tokens["monster"])


@rules.to_act
def to_act(position: Position) -> tuple[Seat, ...]:
    """The Monster chooses its start, then the Hunter; then they take turns, the Hunter first (DN-12, DN-15, DN-21)."""
    night = position[Night]
    if night.stage in ("hide", "torn"):
        return (night.monster,)
    if night.stage == "place":
        return (night.hunter,)
    return (night.hunter if night.turn % 2 else night.monster,)


@rules.decider(cites=("DN-12", "DN-13", "DN-14"))
def choose_start(now: Now, command: commands.ChooseStart) -> Iterator[Event]:
    """The Monster chooses any dark space, in secret (DN-12, DN-13)."""
    refusals.check_stage(now, "monster", "hide", "DN-12")
    yield events.StartChosen(seat=now.seat, space=refusals.check_dark(command.space, "DN-13"))


@rules.decider(cites=("DN-15", "DN-16", "DN-18", "DN-19"))
def take_place(now: Now, command: commands.TakePlace) -> Iterator[Event]:
    """The Hunter takes any inner space; then the Monster tells its side (DN-15, DN-16, DN-18)."""
    refusals.check_stage(now, "hunter", "place", "DN-15")
    yield events.HunterPlaced(space=refusals.check_inner(command.space, "DN-16"))
    yield events.SideTold(side=SIDE_OF[_dial(now)])


# ---------------------------------------------------------------- moves


@rules.decider(cites=("DN-05", "DN-25", "DN-27", "DN-28", "DN-35", "DN-37", "DN-38"))
def walk(now: Now, command: commands.Walk) -> Iterator[Event]:
    """The Hunter moves to a neighbouring inner space (DN-05, DN-27)."""
    refusals.check_stage(now, "hunter", "move", "DN-05")
    yield events.HunterWalked(to=refusals.check_walk(now, command.to))
    yield from _end_first_turn(now)


@rules.decider(cites=("DN-06", "DN-25", "DN-27", "DN-71", "DN-72"))
def prowl(now: Now, command: commands.Prowl) -> Iterator[Event]:
    """The Monster moves to a neighbouring dark space, in secret, and tells what that space makes it tell (DN-06)."""
    refusals.check_stage(now, "monster", "move", "DN-06")
    yield events.MonsterMoved(seat=now.seat, to=refusals.check_prowl(_dial(now), command.to))
    yield from _told_on_entering(now)
    yield from _end_first_turn(now)


@rules.decider(cites=("DN-74", "DN-75", "DN-76", "DN-77", "DN-78", "DN-79", "DN-R11", "DN-R13"))
def feint(now: Now, command: commands.Feint) -> Iterator[Event]:
    """The Monster tells its space, then goes up to two spaces either way or stays; that is its turn (DN-74, DN-77)."""
    refusals.check_feint(now)
    here = _dial(now)
    to = refusals.check_feint_end(here, command.to)
    yield events.FeintDeclared(space=here)
    for part, space in _parts_of_feint(here, to, now.options(NightOptions).feint_path):
        yield events.MonsterFeinted(seat=now.seat, part=part, to=space)
        yield from _told_on_entering(now)
    yield from _end_turn(now)


def _parts_of_feint(here: int, to: int, path: str) -> tuple[tuple[Part, int], ...]:
    """One movement, or two halves: a feint of one step makes it in the first, and stays in the second (DN-R11)."""
    if path == "end-only":
        return (("whole", to),)
    return (("first", TOWARD[here, to][0]), ("second", to))


def _told_on_entering(now: Now) -> Iterator[Event]:
    """The bell, then the light, tell of a Monster on their space; else all is quiet (DN-52, DN-55, DN-R10, DN-R29).

    The light tells of a Monster that stays, too: after a feint, and on the mutton's space (DN-R15).
    """
    dark = now[Dark]
    here = _dial(now)
    if here == dark.trap:
        yield events.BellRang(space=here)
    if here in dark.lit:
        yield events.MonsterSeen(space=here)
    if dark.watched and here not in dark.watched:
        yield events.AllQuiet(spaces=dark.watched)


# ---------------------------------------------------------------- the Hunter's actions


@rules.decider(cites=("DN-34", "DN-40", "DN-41", "DN-42", "DN-R6", "DN-R22"))
def stab(now: Now, command: commands.Stab) -> Iterator[Event]:
    """The Hunter stabs at a dark space next to hers; a Monster there is hit (DN-40)."""
    refusals.check_action(now, "hunter", "DN-34")
    space = refusals.check_stab(now, command.at)
    hit = _dial(now) == space
    yield events.SpaceStabbed(space=space, hit=hit)
    yield from _end(now, "sword") if hit else _end_turn(now)


@rules.decider(cites=("DN-43", "DN-44", "DN-46", "DN-47", "DN-48", "DN-49", "DN-50", "DN-51", "DN-R5", "DN-R14"))
def shoot(now: Now, command: commands.Shoot) -> Iterator[Event]:
    """The Hunter shoots a bolt: through the fire it lights its space, else it hits a Monster there (DN-43 to DN-51)."""
    refusals.check_action(now, "hunter", "DN-11", token=True)
    refusals.check_token(now, "bolt", "DN-44")
    refusals.check_shot(now, command)
    ray = RAYS[now[Camp].space, command.direction]
    space = ray.lands_on
    flaming = ray.through_fire and not command.regular
    hit = not flaming and _dial(now) == space
    yield events.BoltShot(direction=ray.direction, space=space, flaming=flaming, hit=hit)
    if flaming and now.options(NightOptions).light_on_monster == "told":
        on_it = _dial(now) == space
        yield events.MonsterSeen(space=space) if on_it else events.AllQuiet(spaces=(space,))
    yield from _end(now, "bolt") if hit else _end_turn(now)


@rules.decider(cites=("DN-53", "DN-54", "DN-56", "DN-57", "DN-R8", "DN-R21"))
def set_trap(now: Now, command: commands.SetTrap) -> Iterator[Event]:
    """The Hunter puts the bell trap on any dark space; it goes off at once under the Monster (DN-53, DN-56)."""
    refusals.check_action(now, "hunter", "DN-11", token=True)
    refusals.check_token(now, "bell-trap", "DN-31")
    space = refusals.check_dark(command.at, "DN-R21")
    yield events.TrapSet(space=space)
    yield events.BellRang(space=space) if _dial(now) == space else events.AllQuiet(spaces=(space,))
    yield from _end_turn(now)


@rules.decider(cites=("DN-58", "DN-59", "DN-60", "DN-66", "DN-R17", "DN-R34"))
def put_mutton(now: Now, command: commands.PutMutton) -> Iterator[Event]:
    """The Hunter puts the mutton on any dark space, which draws the Monster one step (DN-58, DN-59)."""
    refusals.check_action(now, "hunter", "DN-11", token=True)
    refusals.check_token(now, "mutton", "DN-31")
    space = refusals.check_dark(command.at, "DN-R21")
    yield events.MuttonPut(space=space)
    way, *other_way = TOWARD[_dial(now), space]
    if other_way:
        yield events.MonsterTorn(space=_dial(now))
    else:
        yield from _drawn(now, way)


@rules.decider(cites=("DN-60", "DN-66", "DN-R17", "DN-R34"))
def approach(now: Now, command: commands.Approach) -> Iterator[Event]:
    """The Monster picks the way to the mutton if both are equally long, in secret (DN-60)."""
    refusals.check_stage(now, "monster", "torn", "DN-60")
    yield from _drawn(now, refusals.check_approach(now, command.to))


def _drawn(now: Now, to: int) -> Iterator[Event]:
    """The step toward the mutton, what it tells, and the distance; the Hunter's turn is over (DN-59, DN-61, DN-66)."""
    mutton = now[Dark].mutton
    yield events.MonsterDrawn(seat=now[Night].monster, to=to)
    yield from _told_on_entering(now)
    yield events.DistanceTold(mutton=mutton, distance=APART[to, mutton])
    yield from _end_turn(now)


# ---------------------------------------------------------------- the Monster's attack, and doing nothing


@rules.decider(cites=("DN-69", "DN-70", "DN-R7"))
def attack(now: Now, _command: commands.Attack) -> Iterator[Event]:
    """The Monster attacks the inner space next to its own; a Hunter there is hit (DN-70)."""
    refusals.check_action(now, "monster", "DN-70")
    space = FACED[_dial(now)]
    hit = now[Camp].space == space
    yield events.MonsterAttacked(space=space, hit=hit)
    yield from _end(now, "attack") if hit else _end_turn(now)


@rules.decider(cites=("DN-25", "DN-26"))
def end_turn(now: Now, _command: commands.EndTurn) -> Iterator[Event]:
    """The action can be left out, the move can't (DN-25, DN-26)."""
    refusals.check_end_turn(now)
    yield from _end_turn(now)


# ---------------------------------------------------------------- the end of a turn and of the game


def _end_first_turn(now: Now) -> Iterator[Event]:
    """A side's first turn is over with its move (DN-29, DN-30)."""
    if now[Night].turn in refusals.FIRST_TURNS:
        yield from _end_turn(now)


def _end_turn(now: Now) -> Iterator[Event]:
    """The other side is next; with the Hunter's last item gone five more turns are left (DN-21, DN-83, DN-84)."""
    yield events.TurnEnded()
    if not now[Camp].items and now[Night].left < 0:
        options = now.options(NightOptions)
        sides = 2 if options.countdown_unit == "round" else 1
        yield events.CountdownStarted(turns=options.countdown_length * sides)
    reason = next(filter(None, (ends(now) for ends in now.slot(TURN_ENDS).values())), "")
    if reason:
        yield from _end(now, reason)


def _end(now: Now, reason: str) -> Iterator[Event]:
    """The Monster's path is laid open, and the game is over (DN-23, DN-R31)."""
    yield events.PathRevealed(path=_path(now))
    yield now.end(reason)


def _dial(now: Now) -> int:
    """The Monster's space; rules decide on full positions, where it is always told."""
    return cast("int", now[Dark].dial)


def _path(now: Now) -> tuple[int, ...]:
    return cast("tuple[int, ...]", now[Dark].path)


# ---------------------------------------------------------------- worlds


@rules.determinize
def determinize(view: Position, chance: Chance) -> Position:
    """One of the worlds that fit what the view's seat was told, each as likely as any other; see ``deduction``."""
    dark = view[Dark]
    if None not in dark.path:
        return view
    path = draw_path(dark.clues, chance)
    return view.having(replace(dark, dial=path[-1], path=path))
