"""What is wrong with cards: the packaged ones and an owner's are held to the same vocabulary.

A card is refused too if it says something that nobody would read: it would be played otherwise than it is written.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from ludolog_plugins.dark_horse_west.data import BASE_DECKS, packaged
from ludolog_plugins.dark_horse_west.vocabulary import Ability, Card, Condition, Cost, Effect, Icons

__all__ = ["Fault", "faults_of_card", "name_faults", "outside", "text_faults", "unless"]

Fault = tuple[str, str]
"""A field, such as ``"ability[0].timing"``, and why it can't be."""

ID: Final = re.compile(r"[A-Za-z0-9-]{1,40}")
"""Answers join ids by signs and blanks."""

TIMINGS: Final = {
    "action": ("placement", "collect"),
    "event": ("event",),
    "character-base": ("start", "placement", "collect", "trigger", "passive", "end"),
}
"""When cards of the base game are used; dice are put on cards of the expansion only."""

PAID_AT: Final = ("placement", "collect", "trigger", "card-die")
"""Timings at which somebody pays the price of an ability."""

CHOSEN: Final = ("resource", "reputation", "any-reputation")
"""Things of which each has to be chosen, so that every way to choose them is an answer."""

MOST_CHOSEN: Final = 12
MOST_THINGS: Final = 50
MOST_PLACES: Final = 10
MOST_POINTS: Final = 100
MOST_FACES: Final = 6
MOST_NEED: Final = 3 * MOST_FACES
"""What three dice show at most."""

NUMBERS: Final = {
    "gain": (1, MOST_THINGS),
    "lose": (1, MOST_THINGS),
    "steal": (1, MOST_THINGS),
    "draw": (1, 8),
    "rail": (1, 12),
    "jail": (1, 3),
    "heal": (1, 12),
    "gunfight": (1, 12),
    "price": (-3, 3),
    "extra-draw": (1, 4),
}
"""Least and most ``n`` of an operation."""

MOST_LISTED: Final = 12
"""Abilities of a card, prices and effects of an ability, options of a choice."""

DEEPEST: Final = 3
"""Choices within choices."""

AIMED: Final = ("steal", "peek")
"""Operations between two players."""

NO_OWNER: Final = "an Event belongs to nobody"


@functools.cache
def _listed(table: str) -> tuple[str, ...]:
    return tuple(row["id"] for row in packaged("decks.toml")[table])


@functools.cache
def _values(name: str) -> tuple[str, ...]:
    return next(tuple(row["values"]) for row in packaged("decks.toml")["vocabulary"] if row["id"] == name)


@functools.cache
def _modes() -> dict[str, str]:
    return {row["id"]: row["mode"] for row in packaged("decks.toml")["effect_op"]}


@functools.cache
def _read_by(op: str) -> frozenset[str]:
    """Fields that an operation reads."""
    fields = next(row["fields"] for row in packaged("decks.toml")["effect_op"] if row["id"] == op)
    return frozenset(re.findall(r"[a-z]+", fields))


@functools.cache
def _words(op: str, sites: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...], str], ...]:
    """Words that an operation reads: field, what it may say, and what that is called."""
    what = ("what", _values("what"), "thing")
    words = {
        "gain": (what,),
        "lose": (what,),
        "steal": (what,),
        "produce": (("what", ("food", "wood", "ore", "choice"), "thing"),),
        "ban": (("what", ("jail", "black", "white"), "thing"), ("mode", ("collect", "own"), "mode")),
        "draw": (("deck", ("any", "action", "progress", "rebels-and-rogues"), "deck"),),
        "order": (("to", ("first", "last", "up", "down"), "place in turn order"),),
        "die": (("mode", ("set", "shift", "reroll"), "mode"),),
        "close": (("space", (*sites, "choice"), "site"),),
        "need": (("space", sites, "site"),),
        "price": (("item", ("town", "city", "rail", "rugged"), "item"),),
        "gunfight": (("scope", ("self", "all-own"), "scope"),),
        "score": (("measure", _listed("measure"), "measure"),),
    }
    return words.get(op, ())


@functools.cache
def _known(table: str) -> tuple[str, ...]:
    """Ids of modules or roles: those of the game and, as they are seldom asked for, those of the expansion last."""
    return tuple(row["id"] for file in ("rules.toml", "rebels_and_rogues.toml") for row in packaged(file)[table])


def unless(field: str, value: str, known: Iterable[str], name: str) -> Iterator[Fault]:
    """The fault of a value that is none of the known ones."""
    there = tuple(known)
    if value not in there:
        yield field, f"unknown {name} {value!r}; there are {', '.join(there)}"


def outside(field: str, n: int, least: int, most: int, whose: str) -> Iterator[Fault]:
    """The fault of a number that is too small or too large."""
    if n < least:
        yield field, f"{whose} needs a number of {least} or more, not {n}"
    elif n > most:
        yield field, f"{whose} can't have a number of more than {most}, such as {n}"


def name_faults(field: str, name: str) -> Iterator[Fault]:
    """Why a name can't be shown in one line."""
    if not name.strip() or not name.isprintable() or len(name) > 60:  # noqa: PLR2004 - what a panel has room for
        yield field, f"a name has 1 to 60 letters in one line, unlike {name[:60]!r}"


def text_faults(field: str, text: str) -> Iterator[Fault]:
    """Why words can't be shown: they have signs that steer a terminal."""
    if not text.replace("\n", "").isprintable():
        yield field, f"there are signs in it that can't be printed: {text[:60]!r}"


# ------------------------------------------------------------ cards


def faults_of_card(card: Card, sites: tuple[str, ...]) -> Iterator[Fault]:
    """What is wrong with a card; ``sites`` are the names that it may use."""
    if not ID.fullmatch(card.id):
        yield "id", f"an id has 1 to 40 letters, digits and hyphens, unlike {card.id[:60]!r}"
    yield from name_faults("name", card.name)
    for module in card.requires:
        yield from unless("requires", module, _known("module"), "module")
    if card.deck in BASE_DECKS:
        yield from _faults_of_base(card)
    most = 1 if card.deck == "action" else MOST_LISTED
    if not 0 < len(card.ability) <= most:
        why = "a card needs an ability" if not card.ability else f"a card of the {card.deck} deck has at most {most}"
        yield "ability", why
    timings = TIMINGS.get(card.deck, _listed("timing"))
    for number, ability in enumerate(card.ability):
        at = f"ability[{number}]"
        yield from unless(f"{at}.timing", ability.timing, _listed("timing"), "timing")
        if ability.timing not in timings:
            why = f"a card of the {card.deck} deck is used at {' or '.join(timings)}, not {ability.timing!r}"
            yield f"{at}.timing", why
        yield from _faults_of_ability(ability, at, sites)


def _faults_of_base(card: Card) -> Iterator[Fault]:
    """What only cards of the expansion's own decks have."""
    said = {"type": card.type, "colour": card.colour, "icons": card.icons != Icons(), "reputation": card.reputation}
    for field, value in said.items():
        if value:
            yield field, f"a card of the {card.deck} deck has no {field}"
    for number, ability in enumerate(card.ability):
        if ability.place:
            yield f"ability[{number}].place", f"an ability of the {card.deck} deck has no place"


# ------------------------------------------------------------ abilities


def _faults_of_ability(ability: Ability, at: str, sites: tuple[str, ...]) -> Iterator[Fault]:
    if not ability.effects:
        yield f"{at}.effects", "an ability needs an effect"
    for field, listed in (("effects", ability.effects), ("cost", ability.cost)):
        if len(listed) > MOST_LISTED:
            yield f"{at}.{field}", f"there are {len(listed)}, more than {MOST_LISTED}"
    yield from text_faults(f"{at}.text", ability.text)
    if ability.module:
        yield from unless(f"{at}.module", ability.module, _known("module"), "module")
    if ability.place:
        yield from unless(f"{at}.place", ability.place, _values("place"), "place")
    if ability.cost and ability.timing not in PAID_AT:
        yield f"{at}.cost", f"nobody pays at {ability.timing!r}"
    for number, cost in enumerate(ability.cost):
        yield from _faults_of_cost(cost, f"{at}.cost[{number}]", ability)
    if ability.timing == "card-die" and [cost.what for cost in ability.cost].count("die") != 1:
        yield f"{at}.cost", "at 'card-die' the price has one die"
    yield from _faults_of_triggers(ability, at, sites)
    for number, effect in enumerate(ability.effects):
        yield from _faults_of_effect(effect, f"{at}.effects[{number}]", ability, sites, 0)


def _faults_of_cost(cost: Cost, at: str, ability: Ability) -> Iterator[Fault]:
    yield from unless(f"{at}.what", cost.what, _values("cost"), "price")
    most = {"die": 1}.get(cost.what, MOST_CHOSEN if cost.what in CHOSEN else MOST_THINGS)
    yield from outside(f"{at}.n", cost.n, 1, most, f"a price of {cost.what}")
    if cost.what != "die":
        if cost.min:
            yield f"{at}.min", f"only a die shows a number, not {cost.what}"
    elif ability.timing != "card-die":
        yield f"{at}.what", f"nobody puts a die on a card at {ability.timing!r}"
    else:
        yield from outside(f"{at}.min", cost.min, 0, MOST_FACES, "a die")


def _faults_of_triggers(ability: Ability, at: str, sites: tuple[str, ...]) -> Iterator[Fault]:
    triggered = ability.timing == "trigger"
    kinds = {name.partition(":")[0]: name.partition(":")[2] for name in _listed("trigger")}
    for trigger in ability.trigger:
        kind, _, what = trigger.partition(":")
        yield from unless(f"{at}.trigger", kind, kinds, "trigger")
        named = sites if kinds.get(kind) == "<space>" else tuple(kinds.get(kind, "").split("|"))
        yield from unless(f"{at}.trigger", what, named, f"name in a {kind} trigger")
    if triggered and not ability.trigger:
        yield f"{at}.trigger", "it says nothing that sets it off"
    if ability.trigger and not triggered:
        yield f"{at}.trigger", f"nothing sets off what is used at {ability.timing!r}"
    if ability.condition != Condition():
        yield from outside(f"{at}.condition.die_min", ability.condition.die_min, 1, MOST_FACES, "a die")
        if not triggered or not all("collect:" in trigger for trigger in ability.trigger):
            yield f"{at}.condition", "only a site that was collected from was claimed with dice"


# ------------------------------------------------------------ effects


def _faults_of_effect(effect: Effect, at: str, ability: Ability, sites: tuple[str, ...], depth: int) -> Iterator[Fault]:
    modes = _modes()
    yield from unless(f"{at}.op", effect.op, modes, "effect")
    if effect.op not in modes:
        return
    kind = {"passive": "passive", "end": "end"}.get(ability.timing, "active")
    if modes[effect.op] != kind:
        yield f"{at}.op", f"the effect {effect.op!r} is {modes[effect.op]} and can't be used at {ability.timing!r}"
    yield from _faults_of_words(effect, at, sites)
    for field in _said(effect):
        if field not in _read_by(effect.op):
            yield f"{at}.{field}", f"the effect {effect.op!r} doesn't read {field!r}"
    yield from _faults_of_moment(effect, at, ability)
    yield from _faults_of_who(effect, at, ability)
    yield from _faults_of_number(effect, at)
    if len(effect.options) > MOST_LISTED or depth > DEEPEST:
        yield f"{at}.options", f"there are more than {MOST_LISTED} options, or they lie more than {DEEPEST} deep"
        return
    for option, effects in enumerate(effect.options):
        if not 0 < len(effects) <= MOST_LISTED:
            yield f"{at}.options", f"an option has 1 to {MOST_LISTED} effects, not {len(effects)}"
        for number, inner in enumerate(effects):
            yield from _faults_of_effect(inner, f"{at}.options[{option}][{number}]", ability, sites, depth + 1)


def _said(effect: Effect) -> Iterator[str]:
    """Fields of an effect that say something, by the names that a table gives them."""
    for whole in (effect, effect.terms):
        for field in msgspec.structs.fields(whole):
            if field.name not in {"op", "terms"} and getattr(whole, field.name) != field.default:
                yield field.encode_name


def _faults_of_moment(effect: Effect, at: str, ability: Ability) -> Iterator[Fault]:
    """Before the first city nothing can be built or produced, and only on a placement turn are there dice to change."""
    at_start = effect.op in {"rail", "produce"} and ability.timing == "start"
    if at_start or (effect.op == "die" and ability.timing not in {"placement", "trigger"}):
        yield f"{at}.op", f"the effect {effect.op!r} would do nothing at {ability.timing!r}"
    if ability.timing == "event" and (effect.op in AIMED or "who" not in _read_by(effect.op)):
        yield f"{at}.op", f"the effect {effect.op!r} is carried out by the owner, and {NO_OWNER}"


def _faults_of_who(effect: Effect, at: str, ability: Ability) -> Iterator[Fault]:
    """Whom an operation can touch."""
    if "who" not in _read_by(effect.op):
        return
    able: tuple[str, ...] = ("owner", "opponent", "each-opponent", "all")
    if effect.op == "close":
        able = ("others", "all")
    elif effect.op in AIMED:
        able = ("opponent", "each-opponent")
    others = all(trigger.startswith("opponent-") for trigger in ability.trigger)
    if ability.timing == "trigger" and effect.op != "close" and ("owner" in able or others):
        able = (*able, "trigger")
    if ability.timing == "event":
        able = ("all",)
    if effect.who not in able:
        whose = f"; {NO_OWNER}" if ability.timing == "event" else ""
        yield f"{at}.who", f"the effect {effect.op!r} touches {' or '.join(able)} here, not {effect.who!r}{whose}"


def _faults_of_number(effect: Effect, at: str) -> Iterator[Fault]:
    """How large the numbers of an operation may be."""
    whose = f"the effect {effect.op!r}"
    if effect.op in NUMBERS:
        least, most = NUMBERS[effect.op]
        yield from outside(f"{at}.n", effect.n, least, MOST_CHOSEN if effect.what in CHOSEN else most, whose)
    match effect.op:
        case "price" if not effect.n:
            yield f"{at}.n", "a price changed by 0 is the same"
        case "draw":
            yield from outside(f"{at}.keep", effect.keep, 1, max(1, effect.n), whose)
        case "peek":
            yield from outside(f"{at}.agendas", effect.agendas, 0, MOST_LISTED, whose)
        case "order" if effect.to in {"up", "down"}:
            yield from outside(f"{at}.n", effect.n, 1, MOST_PLACES, whose)
        case "order" if effect.n:
            yield f"{at}.n", f"there is one place {effect.to!r}"
        case "die":
            yield from outside(f"{at}.n", effect.n, 1, 1 if effect.mode == "set" else MOST_FACES, whose)
        case "score":
            yield from _faults_of_score(effect, at)
        case "need":
            yield from _faults_of_need(effect, at)
        case _:
            pass


def _faults_of_score(effect: Effect, at: str) -> Iterator[Fault]:
    terms = effect.terms
    yield from outside(f"{at}.points", abs(terms.points), 1, MOST_POINTS, "a score")
    if bool(terms.per) == (terms.min != 0 or terms.max != -1):
        yield f"{at}.measure", "a score says either per, or min, max or both"
    elif terms.per:
        yield from outside(f"{at}.per", terms.per, 1, MOST_POINTS, "a score")
        yield from outside(f"{at}.cap", terms.cap, 1, MOST_POINTS, "a score for each")
    else:
        yield from outside(f"{at}.min", terms.min, 0, MOST_POINTS, "a score")
        if terms.cap:
            yield f"{at}.cap", "only a score for each has a cap"
        if terms.max != -1:
            yield from outside(f"{at}.max", terms.max, max(0, terms.min), MOST_POINTS, "a score")


def _faults_of_need(effect: Effect, at: str) -> Iterator[Fault]:
    terms = effect.terms
    if sum(map(bool, (terms.min, terms.exact, terms.any))) != 1:
        yield f"{at}.space", "a need says one of min, exact and any"
    yield from outside(f"{at}.min", terms.min, 0, MOST_NEED, "a need")
    yield from outside(f"{at}.exact", terms.exact, 0, MOST_NEED, "a need")


def _faults_of_words(effect: Effect, at: str, sites: tuple[str, ...]) -> Iterator[Fault]:
    """The words of an operation."""
    for field, known, name in _words(effect.op, sites):
        whole = effect if hasattr(effect, field) else effect.terms
        yield from unless(f"{at}.{field}", getattr(whole, field), known, name)
    if effect.op == "choose" and not effect.options:
        yield f"{at}.options", "there is nothing to choose from"
    if effect.op == "ban" and (effect.what, effect.mode) == ("jail", "own"):
        yield f"{at}.mode", "nobody owns the Jail"
    if effect.op == "role":
        yield from unless(f"{at}.role", effect.role, _known("role"), "role")
    if effect.otherwise:
        yield from unless(f"{at}.else", effect.otherwise, _known("role"), "role")
