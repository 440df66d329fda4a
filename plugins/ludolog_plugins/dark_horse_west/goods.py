"""Everything countable: how it is gained, lost and paid, and the resources chosen on the way."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement
from typing import Final

from ludolog import Event, Now, Position, Refusal, Seat
from ludolog_plugins.dark_horse_west.agenda import do
from ludolog_plugins.dark_horse_west.events import DeckReady, EventDrawn, GoodsChanged, MarkerMoved
from ludolog_plugins.dark_horse_west.options import WestOptions
from ludolog_plugins.dark_horse_west.reasons import no
from ludolog_plugins.dark_horse_west.slots import (
    CARDS,
    OFFER_FILTERS,
    START,
    TASKS,
    THINGS,
    Question,
    Step,
    Thing,
    rules,
)
from ludolog_plugins.dark_horse_west.state import Cards, Goods, Task, Turn, amount, purse
from ludolog_plugins.dark_horse_west.vocabulary import Cost, Effect

__all__ = [
    "INFLUENCE_TOP",
    "RESOURCES",
    "RESOURCE_TOKENS",
    "can_pay",
    "counter",
    "gain",
    "granted",
    "has",
    "lose",
    "next_roll",
    "pay",
    "resources_of",
    "spread",
    "supplied",
]

RESOURCES: Final = ("food", "wood", "ore")
INFLUENCE_TOP: Final = 11
OWN_DICE: Final = 2
MOST_DICE: Final = 3
RESOURCE_TOKENS: Final = 73
"""Resource tokens of all three kinds together (DW-017)."""


def has(position: Position | Now, seat: Seat, what: str) -> int:
    """How many of ``what`` lie before ``seat``."""
    return amount(position.part(Goods, purse, seat), what)


def resources_of(position: Position | Now, seat: Seat) -> tuple[int, int, int]:
    """Food, Wood and Ore of a seat."""
    pairs = position.part(Goods, purse, seat)
    return amount(pairs, "food"), amount(pairs, "wood"), amount(pairs, "ore")


def _left(position: Position | Now, names: tuple[str, ...], supply: int) -> int:
    """How many of some things the Game Bank still has, if supply is limited (DW-R44, DW-R45)."""
    out = sum(amount(pairs, name) for _, pairs in position[Goods].held for name in names)
    return max(0, supply - out)


def granted(now: Now, names: tuple[str, ...], supply: int, n: int) -> int:
    """How many of ``n`` the Game Bank can give: all, or by option no more than ``supply`` allows (DW-R44, DW-R45)."""
    limited = supply and now.options(WestOptions).limited_supply
    return min(n, _left(now, names, supply)) if limited else n


def supplied(position: Position | Now, what: str) -> bool:
    """Whether the Game Bank has any of a thing left (DW-R44, DW-R45)."""
    thing = position.slot(THINGS).get(what)
    if thing is None or not thing.supply or not position.options(WestOptions).limited_supply:
        return True
    return _left(position, thing.pool, thing.supply) > 0


def _nothing_left(
    position: Position, _seat: Seat, _cost: tuple[Cost, ...], effects: tuple[Effect, ...]
) -> Refusal | None:
    """Nobody pays for what the Game Bank has no more of (DW-R44, DW-R45); part of an offer is worth taking (DW-R64)."""
    if not position.options(WestOptions).limited_supply or any(effect.op != "gain" for effect in effects):
        return None
    gone = [effect.what for effect in effects if not supplied(position, effect.what)]
    if not effects or len(gone) < len(effects):
        return None
    title = position.slot(THINGS)[gone[0]].title
    return no("none-left", f"The Game Bank has no {title} left.", "DW-R45", what=gone[0], left=0)


rules.add(OFFER_FILTERS, "supply", _nothing_left, cites="DW-R45")

# ------------------------------------------------------------ gaining and losing


def gain(now: Now, seat: Seat, what: str, n: int) -> Iterator[Event]:
    """The seat receives ``n`` of ``what``; nothing, if no rules in play know it."""
    thing = now.slot(THINGS).get(what)
    if thing is not None and n > 0:
        yield from thing.gain(now, seat, n)


def lose(now: Now, seat: Seat, what: str, n: int) -> Iterator[Event]:
    """The seat gives ``n`` of ``what`` to the Game Bank, or all it has (DW-R64)."""
    thing = now.slot(THINGS).get(what)
    if thing is not None and n > 0:
        yield from thing.lose(now, seat, n)


def counter(title: str, name: str, supply: int = 0, pool: tuple[str, ...] = ()) -> Thing:
    """A thing that is only counted. With limited supply there are ``supply`` of it, shared with those in ``pool``."""

    def gained(now: Now, seat: Seat, n: int) -> Iterator[Event]:
        given = granted(now, pool or (name,), supply, n)
        if given:
            yield GoodsChanged(seat=seat, changes=((name, given),))

    def lost(now: Now, seat: Seat, n: int) -> Iterator[Event]:
        taken = min(n, has(now, seat, name))
        if taken:
            yield GoodsChanged(seat=seat, changes=((name, -taken),))

    return Thing(
        title=title,
        gain=gained,
        lose=lost,
        count=lambda position, seat: has(position, seat, name),
        supply=supply,
        pool=pool or (name,),
    )


def _gain_any(now: Now, seat: Seat, n: int) -> Iterator[Event]:
    """Resources are chosen by whoever receives them (DW-R61)."""
    given = granted(now, RESOURCES, now.slot(THINGS)["food"].supply, n)
    if given:
        yield do(Task(kind="take-resources", seat=seat, n=given))


def _lose_any(now: Now, seat: Seat, n: int) -> Iterator[Event]:
    """Resources are chosen by whoever gives them (DW-R61)."""
    given = min(n, sum(resources_of(now, seat)))
    if given:
        yield do(Task(kind="give-resources", seat=seat, n=given))


def _gain_influence(now: Now, seat: Seat, n: int) -> Iterator[Event]:
    """Influence never rises above the top of the track (DW-R67)."""
    risen = min(n, INFLUENCE_TOP - has(now, seat, "influence"))
    if risen > 0:
        yield GoodsChanged(seat=seat, changes=(("influence", risen),))


def next_roll(position: Position | Now, seat: Seat) -> int:
    """Dice of the seat's next roll, by its marks: at least the floor, at most three (DW-R37, DW-R38)."""
    marked = OWN_DICE + has(position, seat, "bonus-die") - has(position, seat, "jail")
    return min(MOST_DICE, max(position.options(WestOptions).jail_floor, marked))


def _spare_dice(position: Position, seat: Seat) -> int:
    """How many dice could go to Jail as a price: the next roll keeps at least the floor (DW-R37)."""
    marked = OWN_DICE + has(position, seat, "bonus-die") - has(position, seat, "jail")
    return max(0, marked - position.options(WestOptions).jail_floor)


def _to_jail(_now: Now, seat: Seat, n: int) -> Iterator[Event]:
    yield GoodsChanged(seat=seat, changes=(("jail", n),))


for _name, _title, _supply, _pool in (
    ("food", "Food", RESOURCE_TOKENS, RESOURCES),
    ("wood", "Wood", RESOURCE_TOKENS, RESOURCES),
    ("ore", "Ore", RESOURCE_TOKENS, RESOURCES),
    ("gold", "Gold", 12, ()),
    ("wild", "Wild Die token", 12, ()),
    ("engineer", "Engineer token", 8, ()),
    ("stock", "Stock", 6, ()),
    ("loan", "Loan", 4, ()),
    ("trader", "Trader token", 4, ()),
    ("bonus-die", "bonus die", 0, ()),
):
    rules.add(THINGS, _name, counter(_title, _name, _supply, _pool), cites="DW-R45")
rules.add(
    THINGS,
    "resource",
    Thing(
        title="any resource",
        gain=_gain_any,
        lose=_lose_any,
        count=lambda position, seat: sum(resources_of(position, seat)),
        supply=RESOURCE_TOKENS,
        pool=RESOURCES,
    ),
    cites="DW-R61",
)
rules.add(
    THINGS,
    "influence",
    Thing(
        title="influence",
        gain=_gain_influence,
        lose=counter("influence", "influence").lose,
        count=lambda position, seat: has(position, seat, "influence"),
    ),
    cites="DW-R67",
)
rules.add(
    THINGS,
    "jail",
    Thing(title="die in Jail", gain=_to_jail, lose=_to_jail, count=_spare_dice),
    cites="DW-R37",
)

# ------------------------------------------------------------ paying


def can_pay(position: Position, seat: Seat, costs: tuple[Cost, ...]) -> Refusal | None:
    """Why the seat can't pay everything in ``costs`` (DW-064, DW-R60). Dice are paid when they are put down."""
    need: dict[str, int] = {}
    for cost in costs:
        if cost.what != "die":
            need[cost.what] = need.get(cost.what, 0) + cost.n
    for what, n in tuple(need.items()):
        thing = position.slot(THINGS).get(what)
        if thing is not None and thing.made_of is not None:
            base, each = thing.made_of
            need[base] = need.get(base, 0) + each * n
    if "resource" in need:
        need["resource"] += sum(need.get(name, 0) for name in RESOURCES)
    for what, n in need.items():
        thing = position.slot(THINGS).get(what)
        there = thing.count(position, seat) if thing is not None else 0
        if there < n:
            title = thing.title if thing is not None else what
            return no(
                "cannot-pay", f"That takes {n} of {title}; {seat} has {there}.", "DW-064", what=what, needs=n, has=there
            )
    return None


def pay(now: Now, seat: Seat, costs: tuple[Cost, ...]) -> Iterator[Event]:
    """Pay ``costs``; resources of any kind are asked for last, before anything already on the agenda."""
    for cost in sorted(costs, key=lambda cost: cost.what == "resource"):
        if cost.what != "die":
            yield from lose(now, seat, cost.what, cost.n)


# ------------------------------------------------------------ resources of choice


@functools.cache
def spread(counts: tuple[int, int, int], n: int) -> tuple[str, ...]:
    """Every way to take ``n`` resources out of Food, Wood and Ore: ``"food+food"``, ``"food+ore"``, ..."""
    ways = combinations_with_replacement(range(3), n)
    return tuple(
        "+".join(RESOURCES[kind] for kind in way)
        for way in ways
        if all(way.count(kind) <= counts[kind] for kind in range(3))
    )


def _counted(option: str, sign: int) -> tuple[tuple[str, int], ...]:
    parts = option.split("+")
    return tuple((name, sign * parts.count(name)) for name in RESOURCES if name in parts)


def _take(_now: Now, task: Task, option: str) -> Iterator[Event]:
    yield GoodsChanged(seat=task.seat, changes=_counted(option, 1))


def _give(_now: Now, task: Task, option: str) -> Iterator[Event]:
    yield GoodsChanged(seat=task.seat, changes=_counted(option, -1))
    if task.target:
        yield GoodsChanged(seat=task.target, changes=_counted(option, 1))


def _resources(n: int) -> str:
    return "resource" if n == 1 else f"{n} resources"


def _wrong_resources(verb: str) -> Callable[[Position, Task, str], Refusal | None]:
    def explain(position: Position, task: Task, option: str) -> Refusal:
        food, wood, ore = resources_of(position, task.seat)
        return no(
            "wrong-resources",
            f"{task.seat} must {verb} {task.n} of food, wood and ore, joined by a plus sign; not {option!r}.",
            "DW-R61",
            n=task.n,
            food=food,
            wood=wood,
            ore=ore,
        )

    return explain


rules.add(
    TASKS,
    "take-resources",
    Question(
        ask=lambda _position, task: f"Which {_resources(task.n)} does {task.seat} take?",
        options=lambda _position, task: spread((task.n, task.n, task.n), task.n),
        take=_take,
        explain=_wrong_resources("take"),
        cites="DW-R61",
    ),
    cites="DW-R61",
)
rules.add(
    TASKS,
    "give-resources",
    Question(
        ask=lambda _position, task: f"Which {_resources(task.n)} does {task.seat} give {task.target or 'the Bank'}?",
        options=lambda position, task: (
            spread(resources_of(position, task.seat), min(task.n, sum(resources_of(position, task.seat))))
            if sum(resources_of(position, task.seat))
            else ()
        ),
        take=_give,
        explain=_wrong_resources("give"),
        cites="DW-R61",
    ),
    cites="DW-R61",
)

# ------------------------------------------------------------ the Event marker


@rules.reaction(cites="DW-R40")
def event_marker(now: Now, event: GoodsChanged) -> Iterator[Event]:
    """The first disc to reach the Event marker sets off an Event, and the marker moves on (DW-R40); not in set-up."""
    if not now[Turn].number or not any(name == "influence" and n > 0 for name, n in event.changes):
        return
    yield from _check_marker(now, event.seat)


def _reached(now: Now, seat: Seat) -> bool:
    steps = now.options(WestOptions).event_steps
    return now[Turn].marker < len(steps) and has(now, seat, "influence") >= steps[now[Turn].marker]


def _check_marker(now: Now, seat: Seat) -> Iterator[Event]:
    """Where the marker's next step is reached too, its Event is drawn after this one was carried out (DW-R40)."""
    if _reached(now, seat):
        yield MarkerMoved(steps=now[Turn].marker + 1)
        if _reached(now, seat):
            yield do(Task(kind="event-marker", seat=seat))
        yield from _draw_event(now)


def _draw_event(now: Now) -> Iterator[Event]:
    """One Event is drawn and carried out at once; used up Events are shuffled again (DW-R40, DW-R64)."""
    pile = next((pile for pile in now[Cards].piles if pile.deck == "event"), None)
    if pile is None:
        return
    if not pile.pile:
        yield DeckReady(deck="event", cards=now.chance.shuffle(pile.discards))
        pile = next(found for found in now[Cards].piles if found.deck == "event")
    drawn = pile.pile[0] if pile.pile else None
    if drawn is None:
        return
    yield EventDrawn(deck="event", card=drawn)
    order = now[Turn].order
    effects = tuple(effect for ability in now.slot(CARDS)[drawn].ability for effect in ability.effects)
    yield do(Task(kind="effects", seat=order[0], effects=effects, source=drawn))


rules.add(TASKS, "event-marker", Step(run=lambda now, task: _check_marker(now, task.seat)), cites="DW-R40")


def start_kit(now: Now, seat: Seat) -> Iterator[Event]:
    """Each seat receives the start kit (DW-039)."""
    kit = now.slot(START)["start"]
    changes = (
        ("food", kit.food),
        ("wood", kit.wood),
        ("ore", kit.ore),
        ("wild", kit.wild),
        ("influence", kit.influence),
    )
    yield GoodsChanged(seat=seat, changes=changes)
