"""Random games of Dark is the Night, and all worlds that fit what the Hunter was told of one."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import ludolog
from dark_is_the_night.scenes import HUNTER, MONSTER
from ludolog import Chance, Command, Event, Position, Ruleset, Seat
from ludolog.errors import CommandError
from ludolog_events import told
from ludolog_plugins.dark_is_the_night.commands import Approach, Attack, ChooseStart, EndTurn, Feint, Prowl, Stab

OPTIONS: tuple[dict[str, str], ...] = (
    {},
    {"feint_path": "end-only"},
    {"light_on_monster": "later-steps-only"},
    {"fire_shot": "hunter-chooses", "feint_path": "end-only", "light_on_monster": "later-steps-only"},
)
NO_CHANCE = Chance(b"")


class Turn(NamedTuple):
    """A command, whose it was, and what the Hunter was told of it."""

    seat: Seat
    command: Command
    told: tuple[Event, ...]


def ruleset(options: dict[str, str]) -> Ruleset:
    return ludolog.catalogue().ruleset("dark-is-the-night", (), options)


def opening(rules: Ruleset) -> Position:
    return rules.begin(rules.opening((HUNTER, MONSTER)), NO_CHANCE).position


def what_hunter_is_told(events: tuple[Event, ...]) -> tuple[Event, ...]:
    return tuple(fact for event in events if (fact := told(event, HUNTER)) is not None)


def choose(random: Random, commands: tuple[Command, ...]) -> Command:
    """A command; each kind is as likely as the other, but what ends the game early or tells nothing is rarer."""
    kinds = sorted({type(command) for command in commands}, key=lambda kind: kind.__name__)
    weights = [1 if kind in (Stab, Attack, EndTurn, Feint) else 3 for kind in kinds]
    kind = random.choices(kinds, weights)[0]
    return random.choice([command for command in commands if type(command) is kind])


def played(rules: Ruleset, random: Random, length: int) -> tuple[list[Turn], list[Position]]:
    """A game of at most ``length`` commands, which does not end; and the position after each."""
    position = opening(rules)
    turns: list[Turn] = []
    positions: list[Position] = []
    while len(turns) < length:
        seat = rules.to_act(position)[0]
        command = choose(random, rules.legal(position, seat))
        decision = rules.decide(position, seat, command, NO_CHANCE)
        if decision.position.over:
            break
        position = decision.position
        turns.append(Turn(seat, command, what_hunter_is_told(decision.events)))
        positions.append(position)
    return turns, positions


def worlds_of(rules: Ruleset, turns: list[Turn]) -> list[Position]:
    """Every position that the Monster's secret choices can have led to, with all that the Hunter was told the same.

    Found by trying: nothing here knows how the game deduces.
    """
    worlds = [opening(rules)]
    for turn in turns:
        worlds = [after for world in worlds for after in _ways_on(rules, world, turn)]
    return worlds


def _ways_on(rules: Ruleset, world: Position, turn: Turn) -> Iterator[Position]:
    secret = isinstance(turn.command, ChooseStart | Prowl | Feint | Approach)
    for command in rules.legal(world, turn.seat) if secret else (turn.command,):
        try:
            decision = rules.decide(world, turn.seat, command, NO_CHANCE)
        except CommandError:
            continue
        if what_hunter_is_told(decision.events) == turn.told:
            yield decision.position


def told_commands(turns: list[Turn], path: tuple[int, ...], options: dict[str, str]) -> list[Command]:
    """The same game with another path of the Monster."""
    settings = iter(path)
    halves = 1 if options.get("feint_path") == "end-only" else 2
    commands: list[Command] = []
    for turn in turns:
        command = turn.command
        match command:
            case ChooseStart():
                command = ChooseStart(space=next(settings))
            case Prowl():
                command = Prowl(to=next(settings))
            case Approach():
                command = Approach(to=next(settings))
            case Feint():
                command = Feint(to=[next(settings) for _ in range(halves)][-1])
            case _ if any(type(event).__name__ == "MonsterDrawn" for event in turn.told):
                next(settings)
        commands.append(command)
    return commands
