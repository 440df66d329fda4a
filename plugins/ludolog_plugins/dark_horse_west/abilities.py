"""Abilities of cards in play: which a seat has, when they trigger, and what the passive ones change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ludolog import Event, Now, Position, Refusal, Seat, derived
from ludolog_plugins.dark_horse_west.agenda import do, proceed
from ludolog_plugins.dark_horse_west.claims import used
from ludolog_plugins.dark_horse_west.commands import UseAbility
from ludolog_plugins.dark_horse_west.dice import role_of
from ludolog_plugins.dark_horse_west.effects import effects_task
from ludolog_plugins.dark_horse_west.events import (
    AbilityUsed,
    CityBuilt,
    Produced,
    TileRevealed,
    TownBuilt,
    UseNoted,
)
from ludolog_plugins.dark_horse_west.goods import can_pay, pay
from ludolog_plugins.dark_horse_west.options import WestOptions
from ludolog_plugins.dark_horse_west.reasons import insist, no
from ludolog_plugins.dark_horse_west.slots import (
    CARDS,
    CLAIM_FILTERS,
    ICONS,
    IN_PLAY,
    NEEDS,
    OFFER_FILTERS,
    PRICES,
    SHIELDS,
    SITE_NAMES,
    SITES,
    TASKS,
    Need,
    Price,
    Question,
    rules,
)
from ludolog_plugins.dark_horse_west.state import Claims, Dice, Fronts, Task, Turn
from ludolog_plugins.dark_horse_west.vocabulary import Ability, Cost, Effect
from ludolog_plugins.dark_horse_west.windows import in_window

__all__ = [
    "abilities_of",
    "combat_icons",
    "extra_draw",
    "fire",
    "listed_abilities",
    "modules",
    "offer_refusal",
    "passives",
    "site_named",
]


def modules(position: Position | Now) -> frozenset[str]:
    """Modules in play, by the names that cards use: the game's own and the variants switched on."""
    return _modules(position.position if isinstance(position, Now) else position)


@derived
def _modules(position: Position) -> frozenset[str]:
    own = {"base", "base-characters"} if position.options(WestOptions).characters else {"base"}
    return frozenset(own | {variant.id.rpartition("/")[2] for variant in position.ruleset.variants})


@derived
def abilities_of(position: Position, seat: Seat) -> tuple[tuple[str, int, Ability], ...]:
    """Abilities that the seat has now: (card, number, ability); those of modules not in play don't exist."""
    there = modules(position)
    return tuple(
        (card, number, ability)
        for cards in position.slot(IN_PLAY).values()
        for card in cards(position, seat)
        for number, ability in enumerate(position.slot(CARDS)[card].ability)
        if not ability.module or ability.module in there
    )


def _fronts(position: Position, seat: Seat) -> tuple[str, ...]:
    return next((cards for owner, cards in position[Fronts].cards if owner == seat), ())


rules.add(IN_PLAY, "fronts", _fronts, cites="DW-102")


def passives(position: Position, seat: Seat, op: str) -> tuple[tuple[str, Effect], ...]:
    """Passive effects of one operation that the seat has: (card, effect)."""
    return _passives(position, seat).get(op, ())


@derived
def _passives(position: Position, seat: Seat) -> Mapping[str, tuple[tuple[str, Effect], ...]]:
    found: dict[str, tuple[tuple[str, Effect], ...]] = {}
    for card, _, ability in abilities_of(position, seat):
        if ability.timing == "passive":
            for effect in ability.effects:
                found[effect.op] = (*found.get(effect.op, ()), (card, effect))
    return found


def combat_icons(position: Position, card: str) -> int:
    """Combat icons that count for a card that fights: the printed ones and what variants add to them."""
    n = position.slot(CARDS)[card].icons.combat
    for change in position.slot(ICONS).values():
        n = change(position, card, n)
    return n


# ------------------------------------------------------------ passive operations


def site_named(position: Position, name: str, site: str) -> bool:
    """Whether a card that names the site ``name`` speaks of ``site``."""
    return name == site or site in position.slot(SITE_NAMES).get(name, ())


def _needs(position: Position, seat: Seat, site: str, needs: tuple[Need, ...]) -> tuple[Need, ...]:
    """Op ``need``: besides its normal need the owner may claim the site otherwise."""
    natural = needs[0].natural
    for _, effect in passives(position, seat, "need"):
        if site_named(position, effect.space, site):
            terms = effect.terms
            values = (terms.exact,) if terms.exact else ()
            needs = (
                *needs,
                Need(values=values, least=terms.min, single=terms.any, natural=natural and not terms.modifiers),
            )
    return needs


def _prices(position: Position, seat: Seat, item: str, price: Price) -> Price:
    """Op ``price``: some resources less, or more, by choice of the payer."""
    off = sum(-effect.n for _, effect in passives(position, seat, "price") if effect.terms.item == item)
    return Price(food=price.food, wood=price.wood, ore=price.ore, off=price.off + off) if off else price


def _shield(position: Position, seat: Seat) -> bool:
    """Op ``shield``: marked cards can't be aimed at the owner."""
    return bool(passives(position, seat, "shield"))


def extra_draw(position: Position, seat: Seat) -> int:
    """Op ``extra-draw``: how many cards more the owner draws at Pioneer (and Stagecoach)."""
    return sum(effect.n for _, effect in passives(position, seat, "extra-draw"))


def _named(effects: tuple[Effect, ...]) -> Iterator[Effect]:
    for effect in effects:
        yield effect
        for option in effect.options:
            yield from _named(option)


def _banned(position: Position, seat: Seat, cost: tuple[Cost, ...], effects: tuple[Effect, ...]) -> Refusal | None:
    """Op ``ban`` in mode ``collect``: nothing that gives what is banned or can put the owner in Jail (DW-104)."""
    bans = {effect.what: card for card, effect in passives(position, seat, "ban") if effect.mode == "collect"}
    if not bans:
        return None
    given = {effect.what for effect in _named(effects) if effect.op == "gain" and effect.who == "owner"}
    if any(part.what == "jail" for part in cost):
        given.add("jail")
    if any(effect.op == "jail" and effect.who in {"owner", "all"} for effect in _named(effects)):
        given.add("jail")
    for what, card in bans.items():
        if what in given:
            name = position.slot(CARDS)[card].name
            return no("banned", f"{name} may not take what brings {what}.", "DW-104", card=card, what=what)
    return None


def _forced(position: Position, seat: Seat, site: str) -> Refusal | None:
    """Nobody claims a site that forces on the seat what it may not take (DW-104)."""
    given = position.slot(SITES)[site].gives
    effects = tuple(Effect(op="jail" if what == "jail" else "gain", what=what) for what in given)
    return _banned(position, seat, (), effects) if effects else None


rules.add(CLAIM_FILTERS, "banned", _forced, cites="DW-104")
rules.add(NEEDS, "cards", _needs, cites="DW-102")
rules.add(PRICES, "cards", _prices, cites="DW-102")
rules.add(SHIELDS, "cards", _shield, cites="DW-117")
rules.add(SHIELDS, "sheriff", lambda position, seat: role_of(position, "sheriff") == seat, cites="DW-095")
rules.add(OFFER_FILTERS, "cards", _banned, cites="DW-104")


def offer_refusal(
    position: Position, seat: Seat, cost: tuple[Cost, ...], effects: tuple[Effect, ...]
) -> Refusal | None:
    """Why the seat can't take something with this cost and these effects: it may not, or can't pay."""
    for check in position.slot(OFFER_FILTERS).values():
        refusal = check(position, seat, cost, effects)
        if refusal is not None:
            return refusal
    return can_pay(position, seat, cost)


# ------------------------------------------------------------ abilities used in a window


def _key(card: str, number: int) -> str:
    return f"ability:{card}/{number}"


def announce(now: Now, seat: Seat, card: str, number: int, target: Seat = "") -> Iterator[Event]:
    """Use an ability: it is paid first, then whoever may answer does, then its effects come (DW-062, DW-064)."""
    ability = now.slot(CARDS)[card].ability[number]
    yield UseNoted(seat=seat, key=_key(card, number))
    yield do(effects_task(seat, ability.effects, card, target))
    yield AbilityUsed(seat=seat, source=card, ability=number)
    yield from pay(now, seat, ability.cost)


TIMINGS: Final = {"placement": "placement", "collection": "collect"}
"""How abilities call the windows in which they may be used."""


def ability_refusal(position: Position, seat: Seat, card: str, number: int, window: str) -> Refusal | None:
    """Why the seat can't use an ability in a window (DW-062)."""
    timing = TIMINGS[window]
    found = next((ability for known, n, ability in abilities_of(position, seat) if (known, n) == (card, number)), None)
    if found is None:
        return no("no-such-ability", f"{seat} has no ability {number} of card {card!r}.", "DW-102", card=card)
    if found.timing != timing:
        return no(
            "wrong-moment", f"That ability works at another moment ({found.timing}).", "DW-062", timing=found.timing
        )
    if used(position, seat, _key(card, number)):
        return no("used-this-turn", f"{seat} has used that ability this turn.", "DW-062", card=card, ability=number)
    return offer_refusal(position, seat, found.cost, found.effects)


@rules.decider(cites=("DW-062", "DW-064", "DW-102"))
def use_ability(now: Now, command: UseAbility) -> Iterator[Event]:
    """In the own window a seat uses an ability of a card before it, each once a turn (DW-062)."""
    window = _window(now.position, now.seat)
    insist(ability_refusal(now.position, now.seat, command.card, command.ability, window))
    yield from announce(now, now.seat, command.card, command.ability)
    yield from proceed(now)


def _window(position: Position, seat: Seat) -> str:
    if in_window(position, seat, "placement") is None:
        return "placement"
    insist(in_window(position, seat, "collection", "placement"))
    return "collection"


def listed_abilities(position: Position, seat: Seat, window: str) -> Iterator[UseAbility]:
    """Every ability that the seat may use in this window."""
    timing = TIMINGS[window]
    for card, number, ability in abilities_of(position, seat):
        if ability.timing == timing and ability_refusal(position, seat, card, number, window) is None:
            yield UseAbility(card=card, ability=number)


# ------------------------------------------------------------ triggers


def fire(now: Now, name: str, seat: Seat, dice: tuple[int, ...] = ()) -> Iterator[Event]:
    """Something happened to ``seat``: cards that wait for it may be used, its own first, then in turn order."""
    waiting: list[Task] = []
    kind, _, what = name.partition(":")
    order = now[Turn].order
    for owner in (seat, *(other for other in order if other != seat)):
        for card, number, ability in abilities_of(now.position, owner):
            if ability.timing != "trigger" or used(now, owner, _key(card, number)):
                continue
            expected = kind if owner == seat else f"opponent-{kind}"
            if any(_fits(now.position, trigger, expected, what) for trigger in ability.trigger) and (
                not ability.condition.die_min or any(value >= ability.condition.die_min for value in dice)
            ):
                waiting.append(Task(kind="trigger", seat=owner, source=card, n=number, target=seat))
    if waiting:
        yield do(*waiting)


def _fits(position: Position, trigger: str, kind: str, what: str) -> bool:
    first, _, named = trigger.partition(":")
    if first != kind:
        return False
    return site_named(position, named, what) if kind.endswith("collect") else named == what


def _trigger_options(position: Position, task: Task) -> tuple[str, ...]:
    ability = position.slot(CARDS)[task.source].ability[task.n]
    if used(position, task.seat, _key(task.source, task.n)):
        return ()
    if offer_refusal(position, task.seat, ability.cost, ability.effects) is not None:
        return ()
    return ("use", "skip")


def _triggered(now: Now, task: Task, option: str) -> Iterator[Event]:
    if option == "use":
        yield from announce(now, task.seat, task.source, task.n, task.target)


rules.add(
    TASKS,
    "trigger",
    Question(
        ask=lambda position, task: (
            f"Does {task.seat} use {position.slot(CARDS)[task.source].name} "
            f"({position.slot(CARDS)[task.source].ability[task.n].text.rstrip('.')})?"
        ),
        options=_trigger_options,
        take=_triggered,
        cites="DW-062",
    ),
    cites="DW-062",
)


@rules.reaction(cites="DW-107")
def when_produced(now: Now, event: Produced) -> Iterator[Event]:
    """Cards that wait for production of a resource."""
    yield from fire(now, f"produce:{event.resource}", event.seat)


@rules.reaction(cites="DW-102")
def when_town_built(now: Now, event: TownBuilt) -> Iterator[Event]:
    """Cards that wait for a town, once play has begun."""
    if now[Turn].number:
        yield from fire(now, "build:town", event.seat)


@rules.reaction(cites="DW-102")
def when_city_built(now: Now, event: CityBuilt) -> Iterator[Event]:
    """Cards that wait for a city, once play has begun."""
    if now[Turn].number:
        yield from fire(now, "build:city", event.seat)


@rules.reaction(cites="DW-102")
def when_revealed(now: Now, _event: TileRevealed) -> Iterator[Event]:
    """Cards that wait for a tile turned up after set-up by their owner, who is acting."""
    if now[Turn].number and now.seat:
        yield from fire(now, "reveal", now.seat)


def dice_of_claim(now: Now, seat: Seat, site: str) -> tuple[int, ...]:
    """Values of the dice with which the seat claimed a site."""
    claim = next((claim for claim in now[Claims].claims if (claim.seat, claim.site) == (seat, site)), None)
    return tuple(now[Dice].dice[number].value for number in claim.dice) if claim is not None else ()
