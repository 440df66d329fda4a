"""What a campaign plays, and how each of its games is drawn: seats, variants, options, all from the game's number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from ludolog.catalogue import catalogue
from ludolog.chance import Chance, seed_from
from ludolog.compose import full_id
from ludolog.errors import BadSeats
from ludolog.manifest import Options
from ludolog.ruleset import Ruleset
from ludolog.testing.variant_sets import all_pairs, many_sets, some_set

__all__ = ["Drawn", "Plan", "draw", "listing", "option_values", "ruleset_of"]


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a campaign plays."""

    game: str
    """Id of the game."""
    seats: tuple[int, ...] = ()
    """Numbers of seats; empty for all that are possible."""
    variants: tuple[str, ...] = ()
    """Variants that are switched on, by short or full id."""
    any_variants: bool = False
    """Draw any set of variants that fits for each game, with ``variants`` among them."""
    options: dict[str, Any] = {}
    """Options that are fixed."""
    all_options: bool = False
    """Draw the others for each game."""
    games: int = 1000
    """How many games."""
    bound: int = 5000
    """Most commands of one game."""
    first: int = 0
    """Number of the first game; everything about a game is drawn from its number."""
    part: tuple[int, int] = (1, 1)
    """Which part of the games, of how many: ``(2, 3)`` plays the second of every three."""
    invariants: tuple[str, ...] = ()
    """Functions of a position that raise AssertionError, as ``"module:function"``."""
    bots: str = ""
    """Who plays: a bot with its options, such as ``"hasty"``; by default commands are drawn."""
    pairs: bool = False
    """Play ``games`` games with each pair of variants that fits, and what they require, at each number of seats."""
    sets: int = 0
    """Play ``games`` games with each of so many random sets of variants that fit, at each number of seats."""
    count: str = ""
    """A function that counts something in the last position of a game, such as turns, as ``"module:function"``."""
    unwanted: tuple[str, ...] = ()
    """Reasons to end that count as failures."""
    listed: tuple[tuple[tuple[str, ...], int], ...] = ()
    """Variants and seats of each game, in turns; :func:`campaign` lists those of pairs and sets."""


class Drawn(msgspec.Struct, frozen=True):
    """One game of a campaign: everything that it takes to play it again."""

    number: int
    seats: int
    variants: tuple[str, ...]
    options: dict[str, Any]

    def __str__(self) -> str:
        """In words."""
        options = ", ".join(f"{name}={value}" for name, value in self.options.items())
        return (
            f"game {self.number}, {self.seats} seats, variants {', '.join(self.variants) or 'none'}, "
            f"options {options or 'as they are'}"
        )


def listing(plan: Plan) -> Plan:
    """The plan with all its pairs and sets listed, at each number of seats that suits them."""
    if not (plan.pairs or plan.sets):
        return plan
    pairs = all_pairs(plan.game, plan.seats) if plan.pairs else ()
    chosen = dict.fromkeys((*pairs, *many_sets(plan.game, plan.sets, plan.seats)))
    listed = tuple(
        (variants, count)
        for variants in chosen
        for count in _compiled(plan.game, variants, {}).seat_counts
        if not plan.seats or count in plan.seats
    )
    return msgspec.structs.replace(plan, listed=listed, games=len(listed) * plan.games)


def draw(plan: Plan, number: int) -> Drawn:
    """Everything about game ``number`` of a plan."""
    chance = Chance(seed_from(f"{plan.game}/campaign/{number}"))
    variants = tuple(full_id(plan.game, name) for name in plan.variants)
    seats = plan.seats
    if plan.listed:
        variants, count = plan.listed[number % len(plan.listed)]
        seats = (count,)
    elif plan.any_variants:
        variants = some_set(plan.game, variants, chance, plan.seats)
    game = catalogue().game(plan.game)
    options = {**game.bot_options, **plan.options}
    if plan.all_options:
        fixed = {name.rpartition(":")[2] for name in options}
        for part in (game.rules(), *(catalogue().variant(plan.game, name).rules() for name in variants)):
            for name, values in option_values(part.options_type).items():
                if name not in fixed:
                    options[f"{part.id}:{name}"] = chance.choose(values)
    ruleset = _compiled(plan.game, variants, options)
    counts = [count for count in seats or ruleset.seat_counts if count in ruleset.seat_counts]
    if not counts:
        possible = ", ".join(map(str, ruleset.seat_counts))
        msg = f"{ruleset.id} is played by {possible} seats, not by {', '.join(map(str, seats))}."
        raise BadSeats(msg)
    return Drawn(number, chance.choose(counts), variants, options)


def option_values(kind: type[Options]) -> dict[str, tuple[Any, ...]]:
    """Values to draw for each option: all of a choice; of a number its default, its least and one more."""
    hints = get_type_hints(kind, include_extras=True)
    default = kind()
    found: dict[str, tuple[Any, ...]] = {}
    for name in kind.__struct_fields__:
        values = tuple(dict.fromkeys(_values(hints[name], getattr(default, name))))
        found[name] = tuple(value for value in values if _fits(value, hints[name]))
    return found


def _values(hint: Any, default: Any) -> tuple[Any, ...]:  # noqa: ANN401 - any annotation
    if get_origin(hint) is Literal:
        return get_args(hint)
    if get_origin(hint) is Annotated:
        bounds = [extra.ge for extra in get_args(hint)[1:] if isinstance(extra, msgspec.Meta) and extra.ge is not None]
        return (*_values(get_args(hint)[0], default), *map(int, bounds))
    if type(default) is bool:
        return (False, True)
    return (default, default + 1) if type(default) is int else (default,)


def _fits(value: object, hint: Any) -> bool:  # noqa: ANN401 - any annotation
    try:
        msgspec.convert(value, hint)
    except msgspec.ValidationError:
        return False
    return True


def ruleset_of(drawn: Drawn, plan: Plan) -> Ruleset:
    """The ruleset of a game."""
    return _compiled(plan.game, drawn.variants, drawn.options)


def _compiled(game: str, variants: tuple[str, ...], options: Mapping[str, Any]) -> Ruleset:
    """A ruleset, not kept by the catalogue: a campaign compiles thousands."""
    manifests = [catalogue().variant(game, name) for name in variants]
    return Ruleset(catalogue().game(game), manifests, options)
