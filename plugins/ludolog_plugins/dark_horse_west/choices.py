"""How the commands of the western game read in a menu: dice by their pips, answers by what they answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ludolog import Position, Slot
from ludolog_plugins.dark_horse_west.agenda import top
from ludolog_plugins.dark_horse_west.board import ground, hex_named, layout_of, name_of, neighbours
from ludolog_plugins.dark_horse_west.builder import quote
from ludolog_plugins.dark_horse_west.commands import (
    Choose,
    ClaimSite,
    Collect,
    Finish,
    PlayCard,
    PutDice,
    UseAbility,
    UseToken,
)
from ludolog_plugins.dark_horse_west.goods import RESOURCES
from ludolog_plugins.dark_horse_west.prices import off_in_words
from ludolog_plugins.dark_horse_west.rails import link_parts, parse_link
from ludolog_plugins.dark_horse_west.slots import BUILDS, SITES, TASKS, TOKENS, Price, Question, rules
from ludolog_plugins.dark_horse_west.state import Dice, Hex, Task
from ludolog_plugins.dark_horse_west.story import says
from ludolog_plugins.dark_horse_west.turn import listed_collections
from ludolog_plugins.dark_horse_west.vocabulary import Effect
from ludolog_plugins.dark_horse_west.wording import (
    amounts,
    deck,
    die,
    hex_at,
    joined,
    named,
    pips,
    printed,
    site,
    spot,
    text_of,
    thing,
)

__all__ = ["READINGS"]


@rules.sentence
def _claim_site(position: Position, command: ClaimSite) -> str:
    return f"Put {pips(position, command.dice)} on {site(position, command.site)}."


@rules.sentence
def _put_dice(position: Position, command: PutDice) -> str:
    return f"Put {pips(position, command.dice)} on {spot(position, command.spot)}."


@rules.sentence
def _use_token(position: Position, command: UseToken) -> str:
    token = position.slot(TOKENS).get(command.token)
    return f"Spend a {token.title if token is not None else command.token}."


@rules.sentence
def _play_card(position: Position, command: PlayCard) -> str:
    return f"Play {printed(position, command.card)}{says(position, command.card)}."


@rules.sentence
def _use_ability(position: Position, command: UseAbility) -> str:
    return f"Use {printed(position, command.card)}{says(position, command.card, command.ability)}."


@rules.sentence
def _collect(position: Position, command: Collect) -> str:
    entry = position.slot(SITES).get(command.site)
    effect = f": {entry.effect.rstrip('.')}" if entry is not None and entry.effect else ""
    return f"Collect at {site(position, command.site)}{effect}."


@rules.sentence
def _finish(position: Position, _command: Finish) -> str:
    task = top(position)
    if task is not None and task.kind == "placement":
        return "Place no more dice this turn."
    left = [] if task is None else [claim.site for claim in listed_collections(position, task.seat)]
    return f"Collect no more{f', not even at {joined(site(position, key) for key in left)}' if left else ''}."


# ---------------------------------------------------------------- answers


@rules.sentence
def _choose(position: Position, command: Choose) -> str:
    """An answer as the question it belongs to makes it read."""
    task, option = top(position), command.option
    if option == "stop":
        return "Stop here."
    if option in _ENGINEER:
        return _ENGINEER[option]
    if task is not None and task.kind in position.slot(READINGS):
        return position.slot(READINGS)[task.kind](position, task, option)
    link = parse_link(option)
    if link is not None:
        return f"{_rail(position, link)}."
    kind, _, where = option.partition(" ")
    hex_ = hex_named(where)
    if hex_ is not None:
        return f"{_build(position, kind, hex_)}."
    return _answer(position, task, option) if task is not None else f"Answer {option}."


def _answer(position: Position, task: Task, option: str) -> str:
    rule = position.slot(TASKS).get(task.kind)
    asked = f"{rule.ask(position, task)} " if isinstance(rule, Question) else ""
    chosen = _by_name(position, option)
    return f"{asked}{chosen[0].upper()}{chosen[1:]}."


_ENGINEER: Final = {
    "engineer links": "Spend an Engineer token on free links.",
    "engineer town": "Spend an Engineer token on the rugged surcharge of a town.",
}


def _by_name(position: Position, option: str) -> str:
    return named(position, option.replace("+", " and "))


def _build(position: Position, kind: str, hex_: Hex) -> str:
    what = position.slot(BUILDS).get(kind)
    title = what.title if what is not None else kind
    title = title if title.lower().startswith(("a ", "an ", "the ")) else f"a {title}"
    return f"Build {title[0].lower()}{title[1:]} on {hex_at(position, hex_)}"


def _counted(position: Position, option: str) -> str:
    """Resources joined by plus signs, counted: ``"2 Food and 1 Ore"``."""
    parts = option.split("+")
    if parts == ["nothing"]:
        return "nothing"
    return amounts(position, [(what, parts.count(what)) for what in dict.fromkeys(parts)])


def _rail(position: Position, link: tuple[Hex, Hex]) -> str:
    return f"Lay a rail between {hex_at(position, link[0])} and {hex_at(position, link[1])}"


def _priced(position: Position, parts: tuple[Price, ...]) -> str:
    """A price in words, ready to follow what is bought."""
    total = {name: sum(getattr(part, name) for part in parts) for name in RESOURCES}
    off = off_in_words(sum(part.off for part in parts))
    return f", for {amounts(position, [(name, n) for name, n in total.items() if n])}{off}" if parts else ""


def _rail_for(position: Position, task: Task, option: str) -> str:
    link = parse_link(option)
    return f"{_rail(position, link)}{_priced(position, link_parts(position, task, *link))}." if link is not None else ""


def _build_for(position: Position, task: Task, option: str) -> str:
    kind, _, where = option.partition(" ")
    links, parts = quote(position, task, option)
    more = f" with {links} new rail{'' if links == 1 else 's'}" if links else ""
    return f"{_build(position, kind, hex_named(where) or (0, 0))}{more}{_priced(position, parts)}."


def _first_city(position: Position, _task: Task, option: str) -> str:
    """A place for a first city by the tiles beside it, on two of which the first towns will stand."""
    hex_ = hex_named(option.removeprefix("city ")) or (0, 0)
    beside = [hex_at(position, near) for near in neighbours(layout_of(position), hex_) if ground(position, near).towns]
    return f"{_build(position, 'city', hex_)}, beside {joined(beside)}."


def _turn_die(position: Position, _task: Task, option: str) -> str:
    number, _, value = option.partition("=")
    return f"Turn the {die(position, position[Dice].dice[int(number)])} to {value}."


def _roll_again(position: Position, _task: Task, option: str) -> str:
    return f"Roll {pips(position, map(int, option.split('+')))} again."


def _give(position: Position, task: Task, option: str) -> str:
    return f"Give {task.target or 'the Bank'} {_counted(position, option)}."


def _exchange(position: Position, _task: Task, option: str) -> str:
    what, _, other = option.partition(">")
    return f"Exchange 1 {thing(position, what)} for 1 {thing(position, other)}."


def _offer(position: Position, task: Task, option: str) -> str:
    """An offer by its title and by what is paid and received."""
    if option == "nothing":
        return "Take nothing."
    chosen = task.effects[0].options[task.names.index(option)]
    return f"{option[0].upper()}{option[1:]}: {joined(_effect(position, effect) for effect in chosen)}."


def _aim(position: Position, task: Task, option: str) -> str:
    return f"Aim {printed(position, task.source) if task.source else 'it'} at {option}."


def _keep(position: Position, _task: Task, option: str) -> str:
    kept, _, way = option.partition(" ")
    rest = ", and put the rest on top of its deck" if way else ""
    return f"Keep {joined(text_of(position, card) for card in kept.split('+'))}{rest}."


def _look(position: Position, _task: Task, option: str) -> str:
    return f"Look at the tile on {_by_name(position, option)}."


def _exchange_tiles(_position: Position, task: Task, option: str) -> str:
    tiles = joined(map(name_of, task.hexes))
    return f"Exchange the tiles on {tiles}." if option == "exchange" else f"Leave the tiles on {tiles} where they are."


def _trigger(position: Position, task: Task, option: str) -> str:
    name = printed(position, task.source)
    return f"Use {name}{says(position, task.source, task.n)}." if option == "use" else f"Leave {name} unused."


def _one_of_effects(position: Position, task: Task, option: str) -> str:
    chosen = task.effects[0].options[int(option) - 1]
    done = joined(_effect(position, effect) for effect in chosen)
    return f"{done[0].upper()}{done[1:]}."


def _effect(position: Position, effect: Effect) -> str:
    verbs = {"gain": "receive", "lose": "give", "pay": "pay", "steal": "take from an opponent"}
    if effect.op in verbs:
        return f"{verbs[effect.op]} {amounts(position, [(effect.what, effect.n)])}"
    return " ".join(filter(None, (effect.op, str(effect.n or ""), effect.what)))


_READINGS: Final[Mapping[str | int, Callable[[Position, Task, str], str]]] = {
    "rail-baron": _rail_for,
    "builder": _build_for,
    "first-city": _first_city,
    "set-die": _turn_die,
    "shift-die": _turn_die,
    "reroll-dice": _roll_again,
    "take-resources": lambda position, _task, option: f"Take {_counted(position, option)}.",
    "give-resources": _give,
    "pay-price": lambda position, _task, option: f"Pay {_counted(position, option)}.",
    "exchange": _exchange,
    "offers": _offer,
    "choose-place": lambda _position, _task, option: f"Move to place {option} in turn order.",
    "produce-one": lambda position, _task, option: f"Let the towns produce {thing(position, option)}.",
    "choose-production": lambda position, _task, option: f"Let the towns produce {thing(position, option)}.",
    "choose-opponent": _aim,
    "choose-effects": _one_of_effects,
    "choose-closing": lambda position, _task, option: f"Close {site(position, option)} for the next turn.",
    "choose-deck": lambda position, _task, option: f"Draw from the {deck(position, option)}.",
    "keep-cards": _keep,
    "discard-card": lambda position, _task, option: f"Discard {text_of(position, option)}.",
    "look-at-tile": _look,
    "exchange-tiles": _exchange_tiles,
    "buy-influence": lambda _position, _task, _option: "Buy 1 influence.",
    "trigger": _trigger,
}
READINGS: Slot[Callable[[Position, Task, str], str]] = rules.slot(
    Slot("readings", "How an answer reads, by the kind of task that it answers; others are read with their question."),
    _READINGS,
)
