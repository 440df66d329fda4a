"""How events read, for whoever was told just that much."""

from __future__ import annotations

from ludolog import Position
from ludolog_plugins.dark_is_the_night import commands, events
from ludolog_plugins.dark_is_the_night.data import FACED, RAYS
from ludolog_plugins.dark_is_the_night.state import Camp, Dark, Night, rules

__all__: list[str] = []


def _where(space: int | str | None, words: str) -> str:
    """A place, if the reader was told it."""
    return "" if space is None else f" {words} {space}"


@rules.sentence
def _sides(_position: Position, event: events.SidesTaken) -> str:
    return f"{event.hunter} is the Hunter, {event.monster} the Monster."


@rules.sentence
def _tokens(_position: Position, event: events.TokensDealt) -> str:
    return f"The Hunter has {', '.join(event.hunter)}; the Monster has {', '.join(event.monster)}."


@rules.sentence
def _start(_position: Position, event: events.StartChosen) -> str:
    return f"The Monster has chosen its start{_where(event.space, 'on')}."


@rules.sentence
def _placed(_position: Position, event: events.HunterPlaced) -> str:
    return f"The Hunter starts on {event.space}."


@rules.sentence
def _side(_position: Position, event: events.SideTold) -> str:
    return f"The Monster tells: {event.side}."


@rules.sentence
def _walked(_position: Position, event: events.HunterWalked) -> str:
    return f"The Hunter moves to {event.to}."


@rules.sentence
def _stabbed(_position: Position, event: events.SpaceStabbed) -> str:
    return f"The Hunter stabs at {event.space}: {'a hit' if event.hit else 'a miss'}."


@rules.sentence
def _shot(_position: Position, event: events.BoltShot) -> str:
    if event.flaming:
        return f"A flaming bolt flies {event.direction} through the fire, and lights {event.space}."
    return f"A bolt flies {event.direction} to {event.space}: {'a hit' if event.hit else 'a miss'}."


@rules.sentence
def _trap(_position: Position, event: events.TrapSet) -> str:
    return f"The Hunter puts the bell trap on {event.space}."


@rules.sentence
def _mutton(_position: Position, event: events.MuttonPut) -> str:
    return f"The Hunter puts the mutton on {event.space}."


@rules.sentence
def _moved(_position: Position, event: events.MonsterMoved) -> str:
    return f"The Monster moves{_where(event.to, 'to')}."


@rules.sentence
def _drawn(_position: Position, event: events.MonsterDrawn) -> str:
    return f"The mutton draws the Monster{_where(event.to, 'to')}."


@rules.sentence
def _declared(_position: Position, event: events.FeintDeclared) -> str:
    return f"The Monster feints, and tells that it is on {event.space}."


@rules.sentence
def _feinted(_position: Position, event: events.MonsterFeinted) -> str:
    part = "" if event.part == "whole" else f", {event.part} half"
    return f"The feint's movement{part}{_where(event.to, 'to')}."


@rules.sentence
def _attacked(_position: Position, event: events.MonsterAttacked) -> str:
    return f"The Monster attacks {event.space}: {'a hit' if event.hit else 'a miss'}."


@rules.sentence
def _rang(_position: Position, event: events.BellRang) -> str:
    return f"The bell rings on {event.space}."


@rules.sentence
def _seen(_position: Position, event: events.MonsterSeen) -> str:
    return f"The Monster is in the light, on {event.space}."


@rules.sentence
def _quiet(_position: Position, event: events.AllQuiet) -> str:
    return f"All is quiet on {' and '.join(map(str, event.spaces))}."


@rules.sentence
def _torn(_position: Position, event: events.MonsterTorn) -> str:
    return f"Both ways to the mutton are equally long for the Monster, which must be on {event.space}."


@rules.sentence
def _distance(_position: Position, event: events.DistanceTold) -> str:
    if event.distance:
        return f"The Monster tells that it is {event.distance} from the mutton on {event.mutton}."
    return f"The Monster tells that it is on the mutton, on {event.mutton}."


@rules.sentence
def _ended(position: Position, _event: events.TurnEnded) -> str:
    night = position[Night]
    return f"Turn {night.turn - 1} is over."


@rules.sentence
def _countdown(_position: Position, event: events.CountdownStarted) -> str:
    return f"The last item is used; the sun rises after {event.turns} more turns."


@rules.sentence
def _revealed(_position: Position, event: events.PathRevealed) -> str:
    return f"The Monster's path was {' '.join(map(str, event.path))}."


# ---------------------------------------------------------------- commands


@rules.sentence
def _to_start(_position: Position, command: commands.ChooseStart | commands.TakePlace) -> str:
    return f"Start on {command.space}."


@rules.sentence
def _to_go(_position: Position, command: commands.Walk | commands.Prowl) -> str:
    return f"Move to {command.to}."


@rules.sentence
def _to_stab(_position: Position, command: commands.Stab) -> str:
    return f"Stab at {command.at}."


@rules.sentence
def _to_shoot(position: Position, command: commands.Shoot) -> str:
    ray = RAYS.get((position[Camp].space, command.direction))
    if ray is None:
        return f"Shoot {command.direction}."
    flaming = ray.through_fire and not command.regular
    return f"Shoot {command.direction}, {'a flaming bolt at' if flaming else 'at'} {ray.lands_on}."


@rules.sentence
def _to_set_trap(_position: Position, command: commands.SetTrap) -> str:
    return f"Put the bell trap on {command.at}."


@rules.sentence
def _to_put_mutton(_position: Position, command: commands.PutMutton) -> str:
    return f"Put the mutton on {command.at}."


@rules.sentence
def _to_feint(_position: Position, command: commands.Feint) -> str:
    return f"Feint, and end on {command.to}."


@rules.sentence
def _to_approach(_position: Position, command: commands.Approach) -> str:
    return f"Go to the mutton by way of {command.to}."


@rules.sentence
def _to_attack(position: Position, _command: commands.Attack) -> str:
    dial = position[Dark].dial
    return f"Attack{_where(FACED.get(dial) if dial else None, 'on')}."


@rules.sentence
def _to_end_turn(_position: Position, _command: commands.EndTurn) -> str:
    return "End the turn."
