"""Composition: one game and the chosen variants, in one order, checked for everything that doesn't fit."""

from __future__ import annotations

import graphlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

import msgspec

from ludolog.errors import (
    BadOptions,
    CompositionError,
    MissingRequirement,
    OrderCycle,
    OwnedTwice,
    UnknownVariant,
    VariantConflict,
)
from ludolog.manifest import Game, Options, Variant
from ludolog.rules import Rules
from ludolog_events import shown

__all__ = ["full_id", "order_variants", "read_options", "requirements", "seat_counts", "variants_that_seat"]


def full_id(game: str, variant: str) -> str:
    """Full id of a variant given by short or full id."""
    return variant if "/" in variant else f"{game}/{variant}"


def order_variants(game: Game, variants: Iterable[Variant]) -> tuple[Variant, ...]:
    """The variants in their one order: a topological sort by ``requires`` and ``after``, ties by id.

    Raises:
        CompositionError: One is missing, given twice, of another game, excluded by another, or they go in a circle.
    """
    chosen: dict[str, Variant] = {}
    for variant in variants:
        if variant.game != game.id:
            msg = f"Variant {variant.id!r} belongs to game {variant.game!r}, not to {game.id!r}."
            raise UnknownVariant(msg)
        if variant.id in chosen:
            msg = f"Variant {variant.id!r} is switched on twice."
            raise CompositionError(msg)
        chosen[variant.id] = variant
    for variant in sorted(chosen.values(), key=lambda found: found.id):
        _check_neighbours(game, variant, chosen)
    before = {
        variant.id: sorted(
            full
            for full in (full_id(game.id, other) for other in (*variant.requires, *variant.after))
            if full in chosen
        )
        for variant in sorted(chosen.values(), key=lambda found: found.id)
    }
    sorter = graphlib.TopologicalSorter(before)
    try:
        sorter.prepare()
    except graphlib.CycleError as error:
        circle = " after ".join(error.args[1])
        msg = f"The variants of {game.id} ask to come after each other in a circle: {circle}."
        raise OrderCycle(msg) from None
    order: list[Variant] = []
    ready: list[str] = []
    while sorter.is_active():
        ready = sorted([*ready, *sorter.get_ready()])
        first = ready.pop(0)
        order.append(chosen[first])
        sorter.done(first)
    return tuple(order)


def _check_neighbours(game: Game, variant: Variant, chosen: Mapping[str, Variant]) -> None:
    for other in variant.requires:
        if full_id(game.id, other) not in chosen:
            msg = f"Variant {variant.id!r} requires {full_id(game.id, other)!r}, which is not switched on."
            raise MissingRequirement(msg)
    for other in variant.conflicts:
        full = full_id(game.id, other)
        if full in chosen:
            msg = f"Variants {variant.id!r} and {full!r} exclude each other ({variant.id} says so)."
            raise VariantConflict(msg)


def requirements(variant: Variant, variants: Sequence[Variant]) -> frozenset[str]:
    """Ids that ``variant`` requires, directly or through another."""
    by_id = {found.id: found for found in variants}
    found: set[str] = set()
    pending = [variant]
    while pending:
        for other in pending.pop().requires:
            full = full_id(variant.game, other)
            if full in by_id and full not in found:
                found.add(full)
                pending.append(by_id[full])
    return frozenset(found)


def seat_counts(game: Game, variants: Sequence[Variant]) -> tuple[int, ...]:
    """Numbers of seats with which this choice can be played.

    Those of a variant stand in place of the game's, and of those of the variants that it requires.

    Raises:
        VariantConflict: There is none.
    """
    counts = set(game.seats)
    choosing = [variant for variant in variants if variant.seats]
    built_upon = {found for variant in choosing for found in requirements(variant, variants)}
    narrowing = [variant for variant in choosing if variant.id not in built_upon]
    if narrowing:
        counts = {count for count in narrowing[0].seats if all(count in variant.seats for variant in narrowing)}
    if not counts:
        told = ", ".join(f"{variant.id!r} takes {list(variant.seats)}" for variant in narrowing)
        msg = f"No number of seats suits these variants together: {told}."
        raise VariantConflict(msg)
    return tuple(sorted(counts))


def variants_that_seat(
    game: Game, chosen: Sequence[Variant], others: Iterable[Variant], count: int
) -> tuple[tuple[str, ...], ...]:
    """Short ids of the variants among ``others`` that would let so many seats play, each with what it requires."""
    every = [*others]
    found: list[tuple[str, ...]] = []
    for variant in every:
        needed = {variant.id, *requirements(variant, every)}
        added = [other for other in every if other.id in needed and other not in chosen]
        if count not in variant.seats or variant in chosen:
            continue
        try:
            together = order_variants(game, [*chosen, *added])
            if count in seat_counts(game, together):
                found.append(tuple(other.id.partition("/")[2] for other in together if other in added))
        except CompositionError:
            continue
    return tuple(found)


_UNFIT: Final = (msgspec.ValidationError, RecursionError, UnicodeError)


def read_options(rules: Sequence[Rules], given: Mapping[str, Any]) -> dict[type[Options], Options]:
    """Options of each of ``rules``, by type, from one flat mapping.

    A name that two of the rules know must be given as ``"<rules id>:<name>"``.

    Raises:
        BadOptions: A name is unknown or ambiguous, or a value isn't possible.
    """
    values: dict[str, dict[str, Any]] = {part.id: {} for part in rules}
    for name, value in given.items():
        owner, _, short = str(name).rpartition(":")
        takers = [
            part
            for part in rules
            if short in part.options_type.__struct_fields__
            and (not owner or part.id in (owner, f"{rules[0].id}/{owner}"))
        ]
        if not takers:
            known = sorted({field for part in rules for field in part.options_type.__struct_fields__})
            msg = f"There is no option {shown(name)}; the options here are {', '.join(known) or 'none'}."
            raise BadOptions(msg)
        if len(takers) > 1:
            choices = " or ".join(f"{part.id}:{short}" for part in takers)
            msg = f"Option {name!r} is ambiguous; say {choices}."
            raise BadOptions(msg)
        values[takers[0].id][short] = value
    found: dict[type[Options], Options] = {}
    for part in rules:
        kind = part.options_type
        if kind in found and kind is not Options:
            msg = f"Options {kind.__name__} are declared by two rules, {part.id} among them."
            raise OwnedTwice(msg)
        found[kind] = _convert(part.id, kind, values[part.id])
    return found


def _convert(owner: str, kind: type[Options], values: dict[str, Any]) -> Options:
    hints = get_type_hints(kind)
    for name, value in values.items():
        if isinstance(value, str) and get_origin(hints[name]) is tuple:
            # From a command line everything comes as text: "3,6,9".
            values[name] = tuple(part.strip() for part in value.split(",") if part.strip())
    try:
        return msgspec.convert(values, kind, strict=False)
    except _UNFIT as error:
        for name, value in values.items():
            try:
                msgspec.convert(value, hints[name], strict=False)
            except _UNFIT as narrow:
                allowed = get_args(hints[name]) if get_origin(hints[name]) is Literal else ()
                which = f"one of {', '.join(map(repr, allowed))}" if allowed else f"of another kind ({narrow})"
                msg = f"Option {name!r} of {owner} can't be {shown(value)}; it must be {which}."
                raise BadOptions(msg) from None
        msg = f"The options of {owner} don't fit: {error}."
        raise BadOptions(msg) from None
