"""What a seat can build, with the new links on the way, and how it is done: the place first, then link by link."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Final, NamedTuple

from ludolog import Event, Now, Position, Refusal, Seat
from ludolog_plugins.dark_horse_west.agenda import do
from ludolog_plugins.dark_horse_west.board import (
    access,
    all_hexes,
    distance,
    ground,
    grounds,
    hex_named,
    layout_of,
    name_of,
    network,
    ordered,
    reached,
)
from ludolog_plugins.dark_horse_west.building import rails_left
from ludolog_plugins.dark_horse_west.claims import used
from ludolog_plugins.dark_horse_west.events import GoodsChanged, LinkBuilt, UseNoted
from ludolog_plugins.dark_horse_west.goods import has
from ludolog_plugins.dark_horse_west.network import Way, free_links, rugged_link, ways_to
from ludolog_plugins.dark_horse_west.prices import (
    affordable,
    changed_price,
    payment,
    price_of,
    rail_parts,
    unaffordable,
)
from ludolog_plugins.dark_horse_west.reasons import no
from ludolog_plugins.dark_horse_west.slots import BUILDS, COSTS, TASKS, Build, Price, Question, Step, rules
from ludolog_plugins.dark_horse_west.state import Hex, Task

__all__ = ["ENGINEER_LINKS", "build_options", "build_refusal", "quote", "spend_engineer"]

ENGINEER_LINKS: Final = 2


class _Plan(NamedTuple):
    """A build under way: what, with how many links so far, how many of those touch rugged ground."""

    build: Build
    hex: Hex
    engineer: str
    links: int = 0
    rugged: int = 0

    def parts(self, position: Position, seat: Seat, links: int, rugged: int) -> tuple[Price, ...]:
        """All parts of the price with ``links`` links, of which ``rugged`` touch rugged ground.

        Those that an Engineer token pays for are the dearest ones, surcharge included (DW-R23).
        """
        free = ENGINEER_LINKS if self.engineer == "links" else 0
        piece = self.build.price(position, seat, self.hex)
        if self.engineer == "town" and ground(position, self.hex).rugged:
            costs = position.slot(COSTS)["costs"]
            piece = changed_price(position, seat, "town", price_of(costs.town))
        return (piece, *rail_parts(position, seat, max(0, links - free), max(0, rugged - free)))


def _at_hand(position: Position, seat: Seat, build: Build) -> Container[Hex]:
    """The hexes that are reached without new links (DW-R65)."""
    if build.reach == "any":
        return grounds(position)
    return access(position, seat) if build.reach == "access" else reached(position, seat)


def _most_links(position: Position, build: Build) -> int:
    most = build.purchases(position) * position.slot(COSTS)["costs"].links_per_purchase
    return min(most, rails_left(position))


def build_refusal(position: Position, seat: Seat, key: str, hex_: Hex, engineer: str = "") -> Refusal | None:
    """Why the seat can't build ``key`` on a hex now, links included (DW-R12)."""
    build = position.slot(BUILDS)[key]
    ways = _ways(position, seat, build)
    return build.refusal(position, seat, hex_) or _reach_refusal(position, seat, _Plan(build, hex_, engineer), ways)


def _ways(position: Position, seat: Seat, build: Build) -> Mapping[Hex, tuple[Way, ...]]:
    most = _most_links(position, build)
    return ways_to(position, seat, network(position, seat), most, None) if most else {}


def _ways_there(
    position: Position, plan: _Plan, at_hand: Container[Hex], all_ways: Mapping[Hex, tuple[Way, ...]]
) -> tuple[Way, ...]:
    """Ways to the hex; none if it is out of reach, or the Engineer token has nothing to do there (DW-R65, DW-R23)."""
    if plan.engineer == "town" and not (plan.build.surcharge and ground(position, plan.hex).rugged):
        return ()
    if plan.hex in at_hand:
        return () if plan.engineer == "links" else (Way(0, 0),)
    return all_ways.get(plan.hex, ())


def _payable(position: Position, seat: Seat, plan: _Plan, ways: tuple[Way, ...]) -> bool:
    return any(affordable(position, seat, plan.parts(position, seat, way.links, way.rugged)) for way in ways)


def _reach_refusal(
    position: Position, seat: Seat, plan: _Plan, all_ways: Mapping[Hex, tuple[Way, ...]]
) -> Refusal | None:
    """Why the hex can't be reached and paid for (DW-R65, DW-R12, DW-R23)."""
    hex_, build = plan.hex, plan.build
    at_hand = _at_hand(position, seat, build)
    ways = _ways_there(position, plan, at_hand, all_ways)
    if _payable(position, seat, plan, ways):
        return None
    if ways:
        return unaffordable(position, seat, plan.parts(position, seat, ways[0].links, ways[0].rugged), build.cites)
    if plan.engineer == "town" and not (build.surcharge and ground(position, hex_).rugged):
        sentence = f"{build.title} on {name_of(hex_)} has no rugged surcharge to waive."
        return no("not-rugged", sentence, "DW-R23", hex=hex_)
    if hex_ in at_hand:
        return no("no-links", f"{name_of(hex_)} needs no new link.", "DW-R23", hex=hex_)
    most = _most_links(position, build)
    sentence = f"{name_of(hex_)} is out of reach: {seat} has no access and at most {most} new links."
    return no("no-access", sentence, "DW-R65", hex=hex_, links=most, rails_left=rails_left(position))


def build_options(position: Position, seat: Seat, engineer: str = "") -> tuple[str, ...]:
    """Everything that the seat can build: ``"town 3,-4"``."""
    return tuple(_possible(position, seat, engineer))


def _possible(position: Position, seat: Seat, engineer: str) -> Iterator[str]:
    for key, build in position.slot(BUILDS).items():
        at_hand, ways = _at_hand(position, seat, build), _ways(position, seat, build)
        for hex_ in build.hexes(position, seat):
            if hex_ not in at_hand and hex_ not in ways:
                continue
            plan = _Plan(build, hex_, engineer)
            there = _ways_there(position, plan, at_hand, ways)
            if there and build.refusal(position, seat, hex_) is None and _payable(position, seat, plan, there):
                yield f"{key} {name_of(hex_)}"


def quote(position: Position, task: Task, option: str) -> tuple[int, tuple[Price, ...]]:
    """With how few new links an option of the question ``builder`` can be paid, and all parts of its price then."""
    key, _, where = option.partition(" ")
    build, hex_ = position.slot(BUILDS)[key], hex_named(where) or (0, 0)
    engineer = task.names[0] if task.names else ""
    plan = _Plan(build, hex_, engineer)
    ways = _ways_there(position, plan, _at_hand(position, task.seat, build), _ways(position, task.seat, build))
    priced = [(way.links, plan.parts(position, task.seat, way.links, way.rugged)) for way in ways]
    return next((found for found in priced if affordable(position, task.seat, found[1])), (0, ()))


def _engineer_ways(position: Position, task: Task) -> tuple[str, ...]:
    """An Engineer token is spent while building, one a turn (DW-088, DW-R23)."""
    if task.names or not has(position, task.seat, "engineer") or used(position, task.seat, "token:engineer"):
        return ()
    return tuple(f"engineer {way}" for way in ("links", "town") if any(_possible(position, task.seat, way)))


def _builder_options(position: Position, task: Task) -> tuple[str, ...]:
    engineer = task.names[0] if task.names else ""
    return (*build_options(position, task.seat, engineer), *_engineer_ways(position, task), "stop")


def _builder_taken(now: Now, task: Task, option: str) -> Iterator[Event]:
    """One town or city; the hex first, then the links that are missing, one by one (DW-R66, DW-R12)."""
    if option == "stop":
        return
    what, _, where = option.partition(" ")
    if what == "engineer":
        yield from spend_engineer(task.seat)
        yield do(Task(kind="builder", seat=task.seat, n=task.n, names=(where,)))
        return
    target = hex_named(where)
    if target is None:
        return
    if task.n > 1:
        yield do(Task(kind="builder", seat=task.seat, n=task.n - 1))
    engineer = task.names[0] if task.names else ""
    yield from _next_link(now, task.seat, what, engineer, (target,), (0, 0))


def spend_engineer(seat: Seat) -> Iterator[Event]:
    """An Engineer token is spent; it is the one of this turn (DW-063)."""
    yield UseNoted(seat=seat, key="token:engineer")
    yield GoodsChanged(seat=seat, changes=(("engineer", -1),))


def _next_link(
    now: Now, seat: Seat, key: str, engineer: str, hexes: tuple[Hex, ...], numbers: tuple[int, int]
) -> Iterator[Event]:
    """Ask for the next missing link; with none missing, pay and build."""
    build = now.slot(BUILDS)[key]
    target = hexes[0]
    done = numbers[0] > 0 and hexes[-1] == target
    plan = Task(kind="lay-link", seat=seat, names=(key, engineer), hexes=hexes, numbers=numbers)
    if not done and target not in _at_hand(now.position, seat, build):
        yield do(plan)
        return
    links, rugged = numbers
    parts = _Plan(build, target, engineer).parts(now.position, seat, links, rugged)
    yield do(Task(kind="put-piece", seat=seat, names=(key,), hexes=(target,)))
    yield payment(seat, parts)


def _put_piece(now: Now, task: Task) -> Iterator[Event]:
    yield from now.slot(BUILDS)[task.names[0]].place(now, task.seat, task.hexes[0])


def _lay_options(position: Position, task: Task) -> tuple[str, ...]:
    """Links from which the hex can still be reached, within the number and the means that are left (DW-R12)."""
    key, engineer = task.names
    target = task.hexes[0]
    laid, rugged = task.numbers
    build = position.slot(BUILDS)[key]
    plan = _Plan(build, target, engineer)
    left = min(
        build.purchases(position) * position.slot(COSTS)["costs"].links_per_purchase - laid, rails_left(position)
    )
    start = network(position, task.seat) if laid == 0 else frozenset(task.hexes[-1:])
    found: list[str] = []
    for a, b in free_links(position, task.seat, start):
        if distance(b, target) > left - 1 or (laid == 0 and b in start):
            continue
        now_rugged = rugged + rugged_link(position, a, b)
        ways = (
            [(laid + 1, now_rugged)]
            if b == target
            else [
                (laid + 1 + way.links, now_rugged + way.rugged)
                for way in ways_to(position, task.seat, (b,), left - 1, ordered(a, b)).get(target, ())
            ]
        )
        if any(affordable(position, task.seat, plan.parts(position, task.seat, *way)) for way in ways):
            found.append(f"link {name_of(a)} {name_of(b)}")
    return tuple(found)


def _laid(now: Now, task: Task, option: str) -> Iterator[Event]:
    _, from_, to = option.split(" ")
    a, b = hex_named(from_), hex_named(to)
    if a is None or b is None:
        return
    key, engineer = task.names
    laid, rugged = task.numbers
    surcharge = int(rugged_link(now.position, a, b))
    first, second = ordered(a, b)
    yield LinkBuilt(seat=task.seat, a=first, b=second)
    yield from _next_link(now, task.seat, key, engineer, (*task.hexes, b), (laid + 1, rugged + surcharge))


def _explain_build(position: Position, task: Task, option: str) -> Refusal | None:
    """Why something can't be built."""
    what, _, where = option.partition(" ")
    hex_ = hex_named(where)
    if what == "engineer":
        held = has(position, task.seat, "engineer")
        return no("no-engineer", "No Engineer token can be spent on this build.", "DW-R23", held=held)
    if what not in position.slot(BUILDS) or hex_ is None or hex_ not in all_hexes(layout_of(position)):
        known = tuple(map(str, position.slot(BUILDS)))
        return no(
            "no-such-build",
            f"Say what to build and where, such as 'town 3,-4'; not {option!r}.",
            "DW-083",
            builds=known,
        )
    return build_refusal(position, task.seat, what, hex_, task.names[0] if task.names else "")


rules.add(
    TASKS,
    "builder",
    Question(
        ask=lambda _position, task: f"What does {task.seat} build, and where?",
        options=_builder_options,
        take=_builder_taken,
        explain=_explain_build,
        cites="DW-083",
    ),
    cites="DW-083",
)
rules.add(
    TASKS,
    "lay-link",
    Question(
        ask=lambda _position, task: f"Over which link does {task.seat} go on to {name_of(task.hexes[0])}?",
        options=_lay_options,
        take=_laid,
        cites="DW-R12",
    ),
    cites="DW-R12",
)
rules.add(TASKS, "put-piece", Step(run=_put_piece), cites="DW-083")
