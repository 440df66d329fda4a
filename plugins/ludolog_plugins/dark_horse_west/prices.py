"""What building costs, and how it is paid when some of a price may be left off by choice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ludolog import Event, Now, Position, Refusal, Seat, derived
from ludolog_plugins.dark_horse_west.agenda import do
from ludolog_plugins.dark_horse_west.events import GoodsChanged
from ludolog_plugins.dark_horse_west.goods import RESOURCES, resources_of, spread
from ludolog_plugins.dark_horse_west.reasons import no
from ludolog_plugins.dark_horse_west.slots import COSTS, PRICES, TASKS, Price, Question, rules
from ludolog_plugins.dark_horse_west.state import Task

__all__ = ["affordable", "bill", "changed_price", "off_in_words", "payment", "price_of", "rail_parts", "unaffordable"]


@derived
def changed_price(position: Position, seat: Seat, item: str, price: Price) -> Price:
    """A price with all that changes it for the seat."""
    for change in position.slot(PRICES).values():
        price = change(position, seat, item, price)
    return price


def price_of(costs: dict[str, int]) -> Price:
    """A price from a table of costs."""
    return Price(food=costs.get("food", 0), wood=costs.get("wood", 0), ore=costs.get("ore", 0))


@derived
def rail_parts(position: Position, seat: Seat, paid: int, rugged: int) -> tuple[Price, ...]:
    """The parts of the price of ``paid`` links, ``rugged`` of which touch rugged ground (DW-R11, DW-R13)."""
    costs = position.slot(COSTS)["costs"]
    purchases = -(-paid // costs.links_per_purchase)
    purchase = changed_price(position, seat, "rail", price_of(costs.rail_purchase))
    surcharge = changed_price(position, seat, "rugged", price_of(costs.rugged_link))
    return (purchase,) * purchases + (surcharge,) * rugged


def _reduced(price: Price) -> tuple[tuple[int, int, int], ...]:
    """What a price may come down to: every way to leave ``off`` resources off; more, if ``off`` is negative."""
    whole: tuple[int, int, int] = (price.food, price.wood, price.ore)
    if not price.off:
        return (whole,)
    if price.off < 0:
        added = spread((-price.off, -price.off, -price.off), -price.off)
        return tuple(
            (whole[0] + way.count("food"), whole[1] + way.count("wood"), whole[2] + way.count("ore")) for way in added
        )
    off = min(price.off, sum(whole))
    ways: list[list[str]] = [way.split("+") for way in spread(whole, off)]
    return tuple(
        (whole[0] - way.count("food"), whole[1] - way.count("wood"), whole[2] - way.count("ore")) for way in ways
    )


def bill(position: Position, seat: Seat, parts: tuple[Price, ...]) -> tuple[tuple[int, int, int], ...]:
    """Every way in which the seat can pay all parts: Food, Wood and Ore."""
    have = resources_of(position, seat)
    totals = {(0, 0, 0)}
    for part in parts:
        totals = {
            (before[0] + more[0], before[1] + more[1], before[2] + more[2])
            for before, more in product(totals, _reduced(part))
        }
    return tuple(sorted(total for total in totals if all(n <= there for n, there in zip(total, have, strict=True))))


def affordable(position: Position, seat: Seat, parts: tuple[Price, ...]) -> bool:
    """Whether the seat can pay all parts."""
    if any(part.off for part in parts):
        return bool(bill(position, seat, parts))
    food, wood, ore = resources_of(position, seat)
    return (
        sum(part.food for part in parts) <= food
        and sum(part.wood for part in parts) <= wood
        and sum(part.ore for part in parts) <= ore
    )


def unaffordable(position: Position, seat: Seat, parts: tuple[Price, ...], clause: str) -> Refusal:
    """The refusal for a price that the seat can't pay."""
    food, wood, ore = resources_of(position, seat)
    need = tuple(sum(getattr(part, name) for part in parts) for name in RESOURCES)
    off = sum(part.off for part in parts)
    return no(
        "cannot-pay",
        f"That costs {need[0]} Food, {need[1]} Wood and {need[2]} Ore{off_in_words(off)}; "
        f"{seat} has {food}, {wood} and {ore}.",
        clause,
        needs=need,
        off=off,
        has=(food, wood, ore),
    )


def off_in_words(off: int) -> str:
    """What comes off a price by choice, or on top of it: ``", less 1 of any resource"``; empty for 0."""
    return f", {f'less {off}' if off > 0 else f'and {-off} more'} of any resource" if off else ""


# ------------------------------------------------------------ paying


def payment(seat: Seat, parts: tuple[Price, ...]) -> Event:
    """Put the payment of ``parts`` on the agenda; it answers itself where there is one way only."""
    flat = tuple(n for part in parts for n in (part.food, part.wood, part.ore, part.off))
    return do(Task(kind="pay-price", seat=seat, numbers=flat))


def _parts(task: Task) -> tuple[Price, ...]:
    flat = task.numbers
    return tuple(
        Price(food=flat[at], wood=flat[at + 1], ore=flat[at + 2], off=flat[at + 3]) for at in range(0, len(flat), 4)
    )


def _pay_options(position: Position, task: Task) -> tuple[str, ...]:
    totals = bill(position, task.seat, _parts(task))
    return tuple(
        "+".join(name for name, n in zip(RESOURCES, total, strict=True) for _ in range(n)) or "nothing"
        for total in totals
    )


def _paid(_now: Now, task: Task, option: str) -> Iterator[Event]:
    parts = option.split("+")
    changes = tuple((name, -parts.count(name)) for name in RESOURCES if name in parts)
    if changes:
        yield GoodsChanged(seat=task.seat, changes=changes)


rules.add(
    TASKS,
    "pay-price",
    Question(
        ask=lambda _position, task: f"What does {task.seat} pay?",
        options=_pay_options,
        take=_paid,
        cites="DW-112",
    ),
    cites="DW-112",
)
