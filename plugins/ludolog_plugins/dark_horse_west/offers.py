"""Offers: what a site sells. Most sites of the game and its variants are tables of offers and effects."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ludolog import Event, Now, Position, Refusal, Seat
from ludolog_plugins.dark_horse_west.abilities import offer_refusal
from ludolog_plugins.dark_horse_west.agenda import do
from ludolog_plugins.dark_horse_west.effects import effects_task
from ludolog_plugins.dark_horse_west.goods import gain, has, lose, pay
from ludolog_plugins.dark_horse_west.reasons import no
from ludolog_plugins.dark_horse_west.slots import TASKS, THINGS, Offer, Question, rules
from ludolog_plugins.dark_horse_west.state import Task
from ludolog_plugins.dark_horse_west.vocabulary import Cost, Effect

__all__ = ["cost", "effect_site", "exchanges", "gained", "offer_task", "offered"]


def gained(what: str, n: int = 1) -> Effect:
    """The effect of receiving ``n`` of ``what``."""
    return Effect(op="gain", what=what, n=n)


def cost(what: str, n: int = 1) -> Cost:
    """A price of ``n`` of ``what``."""
    return Cost(what=what, n=n)


def effect_site(*effects: Effect) -> Callable[[Now, Seat], Iterator[Event]]:
    """What a site gives that simply carries out effects."""

    def collect(_now: Now, seat: Seat) -> Iterator[Event]:
        yield do(effects_task(seat, effects))

    return collect


# ------------------------------------------------------------ a choice of offers


def offer_task(seat: Seat, offers: tuple[Offer, ...], source: str) -> Task:
    """Ask a seat which of ``offers`` it takes; its kind of site or card is ``source``.

    The offers travel with the task: their effects as a ``choose``, their costs as effects of the operation ``pay``.
    """
    options = tuple(
        (*(Effect(op="pay", what=part.what, n=part.n) for part in offer.cost), *offer.effects) for offer in offers
    )
    return Task(
        kind="offers",
        seat=seat,
        source=source,
        names=tuple(offer.title for offer in offers),
        effects=(Effect(op="choose", options=options),),
    )


def offered(*offers: Offer, source: str) -> Callable[[Now, Seat], Iterator[Event]]:
    """What a site gives that lets the seat take one of some offers, or none (DW-R60)."""

    def collect(_now: Now, seat: Seat) -> Iterator[Event]:
        yield do(offer_task(seat, offers, source))

    return collect


def _split(task: Task, number: int) -> tuple[tuple[Cost, ...], tuple[Effect, ...]]:
    option = task.effects[0].options[number]
    costs = tuple(Cost(what=effect.what, n=effect.n) for effect in option if effect.op == "pay")
    return costs, tuple(effect for effect in option if effect.op != "pay")


def _offer_options(position: Position, task: Task) -> tuple[str, ...]:
    open_ = tuple(
        name
        for number, name in enumerate(task.names)
        if offer_refusal(position, task.seat, *_split(task, number)) is None
    )
    return (*open_, "nothing") if open_ else ()


def _offer_taken(now: Now, task: Task, option: str) -> Iterator[Event]:
    """The price is paid in full, then the effects come (DW-064, DW-R60)."""
    if option == "nothing":
        return
    costs, effects = _split(task, task.names.index(option))
    yield do(effects_task(task.seat, effects, task.source))
    yield from pay(now, task.seat, costs)


def _why_no_offer(position: Position, task: Task, option: str) -> Refusal | None:
    if option not in task.names:
        return no("no-such-offer", f"Take one of: {', '.join(task.names)}, nothing.", "DW-R60", offers=task.names)
    return offer_refusal(position, task.seat, *_split(task, task.names.index(option)))


rules.add(
    TASKS,
    "offers",
    Question(
        ask=lambda _position, task: f"What does {task.seat} take?",
        options=_offer_options,
        take=_offer_taken,
        explain=_why_no_offer,
        cites="DW-R60",
    ),
    cites="DW-R60",
)

# ------------------------------------------------------------ exchanges with the Game Bank


def exchanges(seat: Seat, n: int, goods: tuple[str, ...]) -> Task:
    """Up to ``n`` exchanges of 1 of one kind for 1 of another (DW-R20, DW-005)."""
    return Task(kind="exchange", seat=seat, n=n, names=goods)


def _exchange_options(position: Position, task: Task) -> tuple[str, ...]:
    things = position.slot(THINGS)
    given = (what for what in task.names if things[what].count(position, task.seat))
    swaps = tuple(f"{what}>{other}" for what in given for other in task.names if other != what)
    return (*swaps, "stop") if swaps else ()


def _exchanged(now: Now, task: Task, option: str) -> Iterator[Event]:
    if option == "stop":
        return
    what, _, other = option.partition(">")
    if task.n > 1:
        yield do(exchanges(task.seat, task.n - 1, task.names))
    yield from lose(now, task.seat, what, 1)
    yield from gain(now, task.seat, other, 1)


def _why_no_exchange(position: Position, task: Task, option: str) -> Refusal:
    held = {what: has(position, task.seat, what) for what in task.names}
    sentence = f"{option!r} is no exchange of something that {task.seat} has for another kind."
    return no("no-such-exchange", sentence, "DW-R20", has=held)


rules.add(
    TASKS,
    "exchange",
    Question(
        ask=lambda _position, task: f"What does {task.seat} exchange ({task.n} left)?",
        options=_exchange_options,
        take=_exchanged,
        explain=_why_no_exchange,
        cites="DW-R20",
    ),
    cites="DW-R20",
)
