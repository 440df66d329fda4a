"""Reputation: White and Black Hats, which cancel each other, score, and can be had for influence.

Source: clauses RR-011, RR-012, RR-035 to RR-037 and RR-040 to RR-047 of ``rebels_and_rogues.toml``, completed by
RR-R07, RR-R22, RR-R23, RR-R42, RR-R56 and RR-R65.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, Literal

from ludolog import Command, Event, Now, Options, Position, Refusal, Rules, ScoreLine, Seat, Slot, Variant, hookimpl
from ludolog_plugins.dark_horse_west.abilities import offer_refusal
from ludolog_plugins.dark_horse_west.agenda import do, proceed, top
from ludolog_plugins.dark_horse_west.choices import READINGS
from ludolog_plugins.dark_horse_west.events import GoodsChanged
from ludolog_plugins.dark_horse_west.goods import counter, has, lose
from ludolog_plugins.dark_horse_west.offers import gained
from ludolog_plugins.dark_horse_west.reasons import insist, no
from ludolog_plugins.dark_horse_west.slots import CONSERVED, MEASURES, SCORE_LINES, TASKS, THINGS, Question, Thing
from ludolog_plugins.dark_horse_west.state import Task
from ludolog_plugins.dark_horse_west.wording import amount, thing

__all__ = ["CANCELS", "COLOURS", "ReputationOptions", "TradeInfluence", "hats", "ludolog_variant", "trade_refusal"]

COLOURS: Final = ("white", "black")
HATS: Final = {"white": 15 + 30, "black": 15 + 30}
"""Tokens of each colour, in two sizes that count alike (RR-011, RR-012, RR-R22)."""
FOR_INFLUENCE: Final = 4
A_POINT: Final = 4


class ReputationOptions(Options, frozen=True):
    """What a table may settle in its own way (RR-R07)."""

    plain_reputation: Literal["own-colour", "free"] = "own-colour"


rules = Rules("dark-horse-west/reputation", version=1, options=ReputationOptions)

CANCELS: Slot[bool] = rules.slot(
    Slot("hats-cancel", "Whether hats of opposite colours cancel, as entry 'hats'."), {"hats": True}, cites="RR-046"
)


class TradeInfluence(Command, frozen=True, tag="dark-horse-west/reputation/trade-influence"):
    """Give up 1 influence for 4 hats of a colour, ``"white"`` or ``"black"``."""

    colour: str


# ------------------------------------------------------------ hats


def hats(position: Position, seat: Seat) -> int:
    """All hats of a seat, whatever their colour."""
    return sum(has(position, seat, colour) for colour in COLOURS)


def hat(colour: str) -> Thing:
    """Hats of one colour; those received cancel with the opposite ones, one for one (RR-045, RR-046)."""
    plain = counter(f"{colour.title()} Hat", colour, HATS[colour])
    opposite = COLOURS[1 - COLOURS.index(colour)]

    def gain(now: Now, seat: Seat, n: int) -> Iterator[Event]:
        gone = min(n, has(now, seat, opposite)) if now.slot(CANCELS)["hats"] else 0
        if gone:
            yield GoodsChanged(seat=seat, changes=((opposite, -gone),))
        if n > gone:
            yield from plain.gain(now, seat, n - gone)

    return Thing(title=plain.title, gain=gain, lose=plain.lose, count=plain.count, supply=plain.supply)


def allowed(position: Position, seat: Seat, colours: tuple[str, ...] = COLOURS) -> tuple[str, ...]:
    """Colours that the seat is not forbidden (RR-R56)."""
    return tuple(colour for colour in colours if offer_refusal(position, seat, (), (gained(colour),)) is None)


def own_colours(position: Position, seat: Seat) -> tuple[str, ...]:
    """Colours of which a plain reward may be: the own one, or either for who has none or both (RR-R07)."""
    held = tuple(colour for colour in COLOURS if has(position, seat, colour))
    free = len(held) != 1 or position.options(ReputationOptions).plain_reputation == "free"
    return COLOURS if free else held


def asked(kind: str) -> Callable[[Now, Seat, int], Iterator[Event]]:
    """The seat is asked for a colour; a single possible one answers itself."""

    def ask(_now: Now, seat: Seat, n: int) -> Iterator[Event]:
        yield do(Task(kind=kind, seat=seat, n=n))

    return ask


def lose_any(now: Now, seat: Seat, n: int) -> Iterator[Event]:
    """Hats of any colour held are given up; with both colours the seat says which (RR-R53)."""
    held = tuple(colour for colour in COLOURS if has(now, seat, colour))
    if len(held) == 1:
        yield from lose(now, seat, held[0], n)
    elif held:
        yield do(*(Task(kind="give-hat", seat=seat, n=1) for _ in range(min(n, hats(now.position, seat)))))


def take(now: Now, task: Task, option: str) -> Iterator[Event]:
    """The hats of the chosen colour are received."""
    yield from now.slot(THINGS)[option].gain(now, task.seat, task.n)


def give(now: Now, task: Task, option: str) -> Iterator[Event]:
    """A hat of the chosen colour goes back."""
    yield from lose(now, task.seat, option, task.n)


def _which_colour(_position: Position, task: Task) -> str:
    return f"Of which colour {'is the hat' if task.n == 1 else f'are the {task.n} hats'} of {task.seat}?"


for _colour in COLOURS:
    rules.add(THINGS, _colour, hat(_colour), cites="RR-040")
rules.add(
    THINGS,
    "reputation",
    Thing(title="reputation", gain=asked("plain-hats"), lose=lose_any, count=hats),
    cites="RR-R07",
)
rules.add(
    THINGS,
    "any-reputation",
    Thing(title="any reputation", gain=asked("any-hats"), lose=lose_any, count=hats),
    cites="RR-R56",
)
rules.add(
    TASKS,
    "plain-hats",
    Question(
        ask=_which_colour,
        options=lambda position, task: allowed(position, task.seat, own_colours(position, task.seat)),
        take=take,
        cites="RR-R07",
    ),
    cites="RR-R07",
)
rules.add(
    TASKS,
    "any-hats",
    Question(
        ask=_which_colour,
        options=lambda position, task: allowed(position, task.seat),
        take=take,
        cites="RR-R56",
    ),
    cites="RR-R56",
)
rules.add(
    TASKS,
    "give-hat",
    Question(
        ask=lambda _position, task: f"Which hat does {task.seat} give up?",
        options=lambda position, task: tuple(colour for colour in COLOURS if has(position, task.seat, colour)),
        take=give,
        cites="RR-R53",
    ),
    cites="RR-R53",
)


def _hats_taken(position: Position, task: Task, option: str) -> str:
    return f"Take {amount(position, option, task.n)}."


rules.add(READINGS, "plain-hats", _hats_taken, cites="RR-R07")
rules.add(READINGS, "any-hats", _hats_taken, cites="RR-R56")
rules.add(
    READINGS,
    "give-hat",
    lambda position, task, option: f"Give up {amount(position, option, task.n)}.",
    cites="RR-R53",
)

# ------------------------------------------------------------ hats for influence, at any time


def trade_refusal(position: Position, seat: Seat, colour: str) -> Refusal | None:
    """Why influence can't be traded now: it is done at any decision of one's own (RR-R65)."""
    task = top(position)
    if task is None or task.seat != seat:
        who = task.seat if task is not None else ""
        return no("not-your-decision", f"Influence is traded at a decision of {seat}'s own.", "RR-R65", decides=who)
    if colour not in COLOURS:
        return no("no-such-colour", f"Hats are white or black, not {colour!r}.", "RR-040", colour=colour)
    if not has(position, seat, "influence"):
        return no("no-influence", f"{seat} has no influence to give up.", "RR-R23", has=0)
    return offer_refusal(position, seat, (), (gained(colour),))


@rules.decider(cites=("RR-044", "RR-R23", "RR-R56", "RR-R65"))
def trade_influence(now: Now, command: TradeInfluence) -> Iterator[Event]:
    """At any time 1 influence may be given up for 4 hats of a colour of choice (RR-044)."""
    insist(trade_refusal(now.position, now.seat, command.colour))
    yield from lose(now, now.seat, "influence", 1)
    yield from now.slot(THINGS)[command.colour].gain(now, now.seat, FOR_INFLUENCE)
    yield from proceed(now)


@rules.legal
def trades(position: Position, seat: Seat) -> Iterator[Command]:
    """Each colour that may be had."""
    return (TradeInfluence(colour=colour) for colour in COLOURS if trade_refusal(position, seat, colour) is None)


@rules.sentence
def _told_trade(position: Position, command: TradeInfluence) -> str:
    return f"Give up 1 influence for {FOR_INFLUENCE} {thing(position, command.colour, FOR_INFLUENCE)}."


# ------------------------------------------------------------ score and proof


def hat_line(position: Position, seat: Seat) -> tuple[ScoreLine, ...]:
    """1 point for every 4 hats; a remainder scores nothing (RR-042, RR-043)."""
    n = hats(position, seat)
    return (ScoreLine(label=f"{n} hats", points=n // A_POINT, clause="RR-042"),)


def one_colour(position: Position) -> str:
    """Nobody holds hats of both colours (RR-045), unless a scenario lets them (RR-047)."""
    both = [seat for seat in position.seats if all(has(position, seat, colour) for colour in COLOURS)]
    return f"{both[0]} holds hats of both colours." if both and position.slot(CANCELS)["hats"] else ""


rules.add(SCORE_LINES, "hats", hat_line, cites="RR-042")
rules.add(MEASURES, "white", lambda position, seat: has(position, seat, "white"), cites="RR-036")
rules.add(MEASURES, "black", lambda position, seat: has(position, seat, "black"), cites="RR-036")
rules.add(MEASURES, "hats", hats, cites="RR-042")
rules.add(CONSERVED, "hats", one_colour, cites="RR-045")


def load() -> Rules:
    """The rules."""
    return rules


@hookimpl
def ludolog_variant() -> Variant:
    """Manifest."""
    return Variant(
        id="dark-horse-west/reputation",
        title="Reputation",
        summary="White and Black Hats cancel each other; 4 of them are a point, or cost 1 influence.",
        rules=load,
        clauses=("ludolog_plugins.dark_horse_west:rebels_and_rogues.toml",),
    )
