"""What the seats may ask for, and which of it is legal."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from ludolog import Command, Position, Seat
from ludolog_plugins.dark_is_the_night.data import (
    APART,
    DARK,
    DIRECTIONS,
    INNER,
    NEIGHBOURS,
    RAYS,
    STABBED,
    TOWARD,
    WALKS,
)
from ludolog_plugins.dark_is_the_night.state import Camp, Dark, Night, NightOptions, rules

__all__ = [
    "Approach",
    "Attack",
    "ChooseStart",
    "EndTurn",
    "Feint",
    "Prowl",
    "PutMutton",
    "SetTrap",
    "Shoot",
    "Space",
    "Stab",
    "TakePlace",
    "Walk",
]

Space: TypeAlias = int | str
"""A dark space by its number, or an inner one by its name; which of them a command takes is for the rules to say."""


class ChooseStart(Command, frozen=True, tag="dark-is-the-night/choose-start"):
    """The Monster: start on this dark space, in secret."""

    space: Space


class TakePlace(Command, frozen=True, tag="dark-is-the-night/take-place"):
    """The Hunter: start on this inner space."""

    space: Space


class Walk(Command, frozen=True, tag="dark-is-the-night/walk"):
    """The Hunter: move to a neighbouring inner space."""

    to: Space


class Stab(Command, frozen=True, tag="dark-is-the-night/stab"):
    """The Hunter: stab with the sword at a dark space next to yours."""

    at: Space


class Shoot(Command, frozen=True, tag="dark-is-the-night/shoot"):
    """The Hunter: shoot a bolt North, East, South or West; through the fire it flames.

    ``regular`` declares a shot through the fire regular, where the option ``fire_shot`` leaves that to the Hunter.
    """

    direction: str
    regular: bool = False


class SetTrap(Command, frozen=True, tag="dark-is-the-night/set-trap"):
    """The Hunter: put the bell trap on any dark space."""

    at: Space


class PutMutton(Command, frozen=True, tag="dark-is-the-night/put-mutton"):
    """The Hunter: put the mutton on any dark space."""

    at: Space


class Prowl(Command, frozen=True, tag="dark-is-the-night/prowl"):
    """The Monster: move to a neighbouring dark space, in secret."""

    to: Space


class Attack(Command, frozen=True, tag="dark-is-the-night/attack"):
    """The Monster: attack the inner space next to yours."""


class Feint(Command, frozen=True, tag="dark-is-the-night/feint"):
    """The Monster: tell your space, then end up to two spaces away or stay, in secret; this is the whole turn."""

    to: Space


class Approach(Command, frozen=True, tag="dark-is-the-night/approach"):
    """The Monster: take this way toward the mutton, in secret, where both are equally long."""

    to: Space


class EndTurn(Command, frozen=True, tag="dark-is-the-night/end-turn"):
    """End your turn without an action."""


_STARTS = tuple(ChooseStart(space=space) for space in DARK)
_PLACES = tuple(TakePlace(space=space) for space in INNER)
_WALKS = {space: tuple(Walk(to=near) for near in WALKS[space]) for space in INNER}
_TRAPS = tuple(SetTrap(at=space) for space in DARK)
_MUTTONS = tuple(PutMutton(at=space) for space in DARK)
_PROWLS = {space: tuple(Prowl(to=near) for near in NEIGHBOURS[space]) for space in DARK}
_FEINTS = {space: tuple(Feint(to=end) for end in DARK if APART[space, end] <= 2) for space in DARK}  # noqa: PLR2004
_APPROACHES = {
    (space, mutton): tuple(Approach(to=near) for near in TOWARD[space, mutton]) for space in DARK for mutton in DARK
}
_MONSTERS_ACTIONS = (Attack(), EndTurn())


@rules.legal
def legal(position: Position, _seat: Seat) -> tuple[Command, ...]:
    """All that may be done now; none of the Monster's movements in a view that isn't told where it is."""
    night = position[Night]
    if night.stage == "hide":
        return _STARTS
    if night.stage == "place":
        return _PLACES
    if night.stage == "torn" or night.turn % 2 == 0:
        return _monsters(night, position[Dark])
    camp = position[Camp]
    if night.stage == "move":
        return _WALKS[camp.space]
    options = position.options(NightOptions)
    return _hunters_actions(camp, options.near_bolt == "allowed", options.fire_shot == "hunter-chooses")


@lru_cache(maxsize=1024)
def _hunters_actions(camp: Camp, near: bool, chooses: bool) -> tuple[Command, ...]:  # noqa: FBT001 - two options
    found: list[Command] = [Stab(at=space) for space in STABBED[camp.space]]
    if "bolt" in camp.items:
        rays = [RAYS[camp.space, direction] for direction in DIRECTIONS]
        found += [Shoot(direction=ray.direction) for ray in rays if near or ray.distance > 1]
        found += [Shoot(direction=ray.direction, regular=True) for ray in rays if ray.through_fire and chooses]
    if "bell-trap" in camp.items:
        found += _TRAPS
    if "mutton" in camp.items:
        found += _MUTTONS
    return (*found, EndTurn())


def _monsters(night: Night, dark: Dark) -> tuple[Command, ...]:
    if night.stage == "action":
        return _MONSTERS_ACTIONS
    if dark.dial is None:
        return ()
    if night.stage == "torn":
        return _APPROACHES[dark.dial, dark.mutton]
    if night.turn > 2 and "feint" in dark.tokens:  # noqa: PLR2004 - its first turn is the second of the game (DN-30)
        return _PROWLS[dark.dial] + _FEINTS[dark.dial]
    return _PROWLS[dark.dial]
