"""What is wrong with cards, sites and maps: the packaged ones and an owner's are held to the same vocabulary."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Final

from ludolog_plugins.dark_horse_west.data import need_faults, packaged
from ludolog_plugins.dark_horse_west.tables import Layout, SpaceRow
from ludolog_plugins.dark_horse_west.vocabulary import Ability, Card, Effect

__all__ = ["Fault", "faults_of_card", "faults_of_layout", "faults_of_space"]

Fault = tuple[str, str]
"""A field, such as ``"ability[0].timing"``, and why it can't be."""

LIMITS: Final = ("Limited", "Restricted", "Reserved", "Unlimited")
EXTRA_WHAT: Final = {"produce": ("food", "wood", "ore", "choice"), "ban": ("jail", "black", "white")}
MODES: Final = {"die": ("set", "shift", "reroll"), "ban": ("collect", "own"), "order": ("",)}
PLACES: Final = ("first", "last", "up", "down")
ITEMS: Final = ("town", "city", "rail", "rugged")
PASSIVE: Final = "passive"


@functools.cache
def _listed(table: str) -> tuple[str, ...]:
    return tuple(row["id"] for row in packaged("decks.toml")[table])


@functools.cache
def _values(name: str) -> tuple[str, ...]:
    return next(tuple(row["values"]) for row in packaged("decks.toml")["vocabulary"] if row["id"] == name)


def _unless(field: str, value: str, known: tuple[str, ...], name: str) -> Iterator[Fault]:
    if value not in known:
        yield field, f"unknown {name} {value!r}; there are {', '.join(known)}"


def faults_of_card(card: Card, sites: tuple[str, ...]) -> Iterator[Fault]:
    """What is wrong with a card; ``sites`` are the names that it may use."""
    if not card.ability:
        yield "ability", "a card needs an ability"
    for number, ability in enumerate(card.ability):
        at = f"ability[{number}]"
        yield from _unless(f"{at}.timing", ability.timing, _listed("timing"), "timing")
        yield from _faults_of_ability(ability, at, sites)
    first = card.ability[0].timing if card.ability else ""
    wanted = {"action": ("placement", "collect"), "event": ("event",)}.get(card.deck, (first,))
    if first not in wanted:
        yield "ability[0].timing", f"a card of the {card.deck} deck is used at {' or '.join(wanted)}, not {first!r}"


def _faults_of_ability(ability: Ability, at: str, sites: tuple[str, ...]) -> Iterator[Fault]:
    if not ability.effects:
        yield f"{at}.effects", "an ability needs an effect"
    for number, cost in enumerate(ability.cost):
        yield from _unless(f"{at}.cost[{number}].what", cost.what, _values("cost"), "price")
        if cost.n < 1:
            yield f"{at}.cost[{number}].n", f"a price of {cost.n} makes no sense"
    kinds = {name.partition(":")[0]: name.partition(":")[2] for name in _listed("trigger")}
    for trigger in ability.trigger:
        kind, _, what = trigger.partition(":")
        yield from _unless(f"{at}.trigger", kind, tuple(kinds), "trigger")
        named = sites if kinds.get(kind) == "<space>" else tuple(kinds.get(kind, "").split("|"))
        yield from _unless(f"{at}.trigger", what, named, f"name in a {kind} trigger")
    for number, effect in enumerate(ability.effects):
        yield from _faults_of_effect(effect, f"{at}.effects[{number}]", ability.timing, sites)


def _faults_of_effect(effect: Effect, at: str, timing: str, sites: tuple[str, ...]) -> Iterator[Fault]:
    modes = {row["id"]: row["mode"] for row in packaged("decks.toml")["effect_op"]}
    yield from _unless(f"{at}.op", effect.op, tuple(modes), "effect")
    if effect.op not in modes:
        return
    kind = {"passive": "passive", "end": "end"}.get(timing, "active")
    if modes[effect.op] != kind:
        yield f"{at}.op", f"the effect {effect.op!r} is {modes[effect.op]} and can't be used at {timing!r}"
    yield from _unless(f"{at}.who", effect.who, (*_listed("who"), "others"), "seat")
    if effect.op in {"gain", "lose", "steal", "produce", "ban"}:
        yield from _unless(f"{at}.what", effect.what, EXTRA_WHAT.get(effect.op, _values("what")), "thing")
    if effect.op in {"gain", "lose", "steal", "draw", "rail", "jail"} and effect.n < 1:
        yield f"{at}.n", f"the effect {effect.op!r} needs a number of 1 or more, not {effect.n}"
    yield from _faults_of_words(effect, at, sites)
    for option, effects in enumerate(effect.options):
        for number, inner in enumerate(effects):
            yield from _faults_of_effect(inner, f"{at}.options[{option}][{number}]", timing, sites)


def _faults_of_words(effect: Effect, at: str, sites: tuple[str, ...]) -> Iterator[Fault]:
    """The words that single operations read."""
    match effect.op:
        case "choose" if not effect.options:
            yield f"{at}.options", "there is nothing to choose from"
        case "order":
            yield from _unless(f"{at}.to", effect.to, PLACES, "place in turn order")
        case "die" | "ban":
            yield from _unless(f"{at}.mode", effect.mode, MODES[effect.op], "mode")
        case "close":
            yield from _unless(f"{at}.space", effect.space, (*sites, "choice"), "site")
        case "need":
            yield from _unless(f"{at}.space", effect.space, sites, "site")
        case "price":
            yield from _unless(f"{at}.item", effect.terms.item, ITEMS, "item")
        case "score":
            yield from _unless(f"{at}.measure", effect.terms.measure, _listed("measure"), "measure")
        case _:
            pass


def faults_of_space(space: SpaceRow) -> Iterator[Fault]:
    """What is wrong with a site's row."""
    yield from _unless("limit", space.limit, LIMITS, "class of site")
    yield from _unless("dice", space.dice, ("one die", "single die or sum"), "use of dice")
    if why := need_faults(space.need):
        yield "need", why


def faults_of_layout(layout: Layout) -> Iterator[Fault]:
    """What is wrong with a map."""
    places = (*layout.places, *layout.non_resource)
    doubled = next((hex_ for hex_ in places if places.count(hex_) > 1), None)
    if doubled is not None:
        kinds = ("safe", "hidden", "rugged", "non_resource")
        field = next(kind for kind in kinds[::-1] if doubled in getattr(layout, kind))
        yield field, f"hex {doubled} is listed twice"
    if len(places) != layout.hexes:
        yield "hexes", f"{len(places)} hexes are listed, not {layout.hexes}"
    tiles = layout.tiles.food + layout.tiles.wood + layout.tiles.ore
    if tiles != len(layout.places):
        yield "tiles", f"{tiles} tiles don't lie on {len(layout.places)} places"
    strange = next((hex_ for hex_ in layout.mystery if hex_ not in layout.non_resource), None)
    if strange is not None:
        yield "mystery", f"hex {strange} is none without resource"
