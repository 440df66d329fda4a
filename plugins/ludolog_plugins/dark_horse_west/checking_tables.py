"""What is wrong with an owner's numbers, sites and map."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import Final

from ludolog_plugins.dark_horse_west.checking import (
    MOST_FACES,
    MOST_NEED,
    Fault,
    name_faults,
    outside,
    text_faults,
    unless,
)
from ludolog_plugins.dark_horse_west.state import Hex
from ludolog_plugins.dark_horse_west.tables import Costs, Layout, Points, SpaceRow, Start

__all__ = [
    "MOST_SEATS",
    "faults_of_costs",
    "faults_of_layout",
    "faults_of_points",
    "faults_of_space",
    "faults_of_start",
    "room_fault",
]

MOST_SEATS: Final = 5
"""With the variant ``five-player``."""

MOST_PRICE: Final = 50
MOST_POINTS: Final = 1000
TOP: Final = 11
"""Of the Influence track; who reaches it ends the game."""

NUMBERS: Final = {
    "links_per_purchase": (1, 4),
    "purchases_at_rail_baron": (0, 4),
    "purchases_with_town": (0, 4),
    "purchases_with_city": (0, 4),
    "cities": (1, 6),
    "towns": (1, 12),
    "start_towns": (0, 6),
    "rail": (0, 6),
    "influence": (0, TOP - 1),
}
"""Least and most of single numbers; others of these tables go from 0 to 50."""

LIMITS: Final = ("Limited", "Restricted", "Reserved", "Unlimited")
DICE: Final = ("one die", "single die or sum")
NEED: Final = re.compile(r"[0-9]{1,2}(\+|(, [0-9]{1,2})*( or [0-9]{1,2})?)")
STEPS: Final = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
MYSTERIES: Final = 6
WIDEST: Final = 6
"""Radius of the largest map."""


# ------------------------------------------------------------ numbers


def _bounded(field: str, n: int, least: int, most: int) -> Iterator[Fault]:
    if n < 0 <= least:
        yield field, "a number below 0 makes no sense here"
    else:
        yield from outside(field, n, least, most, field.rpartition(".")[2])


def faults_of_costs(costs: Costs) -> Iterator[Fault]:
    """What is wrong with prices."""
    for field in costs.__struct_fields__:
        value: object = getattr(costs, field)
        if isinstance(value, int):
            yield from _bounded(field, value, *NUMBERS[field])
    for field in ("town", "city", "rail_purchase", "rugged_link", "rugged_town"):
        price: dict[str, int] = getattr(costs, field)
        for what, n in price.items():
            yield from unless(field, what, ("food", "wood", "ore"), "resource")
            yield from _bounded(field, n, 0, MOST_PRICE)


def faults_of_start(start: Start) -> Iterator[Fault]:
    """What is wrong with the start kit."""
    for field in start.__struct_fields__:
        value: object = getattr(start, field)
        if isinstance(value, int):
            yield from _bounded(field, value, *NUMBERS.get(field, (0, MOST_PRICE)))
    if start.start_cities != 1:
        yield "start_cities", "everybody starts with 1 city"
    if start.start_towns > start.towns:
        yield "start_towns", f"there are {start.towns} towns, fewer than {start.start_towns}"


def faults_of_points(points: Points) -> Iterator[Fault]:
    """What is wrong with the points."""
    for field in points.__struct_fields__:
        value: object = getattr(points, field)
        if isinstance(value, int):
            yield from _bounded(field, value, -MOST_POINTS if field == "loan" else 0, MOST_POINTS)
    if points.city_two_towns <= points.city_one_town:
        yield "city_two_towns", "a city with two towns scores more than one with one: it counts as full by its points"


# ------------------------------------------------------------ sites


def faults_of_space(space: SpaceRow, printed: SpaceRow) -> Iterator[Fault]:
    """What is wrong with a site's row; ``printed`` is the packaged one."""
    yield from name_faults("name", space.name)
    yield from text_faults("effect", space.effect)
    yield from unless("limit", space.limit, LIMITS, "class of site")
    yield from unless("dice", space.dice, DICE, "use of dice")
    yield from _faults_of_need(space)
    if space.slots != printed.slots:
        yield "slots", f"the limit says how many may claim a site; leave {printed.slots}"
    if space.resolves != printed.resolves:
        yield "resolves", f"what this site does is done at {printed.resolves!r} only"


def _faults_of_need(space: SpaceRow) -> Iterator[Fault]:
    if space.need == "any die":
        return
    if not NEED.fullmatch(space.need):
        yield "need", f"{space.need[:40]!r} is no need; write 'any die', '13+', '4' or '1, 2 or 3'"
        return
    most = MOST_FACES if space.dice == "one die" else MOST_NEED
    for number in re.findall("[0-9]+", space.need):
        if not 0 < int(number) <= most:
            yield "need", f"no dice show {int(number)} here; a need is 1 to {most}"


# ------------------------------------------------------------ the map


def faults_of_layout(layout: Layout, printed: Layout) -> Iterator[Fault]:
    """What is wrong with a map; ``printed`` is the packaged one."""
    for field in ("shape", "orientation"):
        if getattr(layout, field) != getattr(printed, field):
            yield field, f"nothing reads another {field} than {getattr(printed, field)!r}"
    yield from outside("radius", layout.radius, 1, WIDEST, "a map")
    if sorted(layout.directions) != sorted(STEPS):
        yield "directions", f"the neighbours of 0,0 are {', '.join(f'{q},{r}' for q, r in STEPS)}, in any order"
    yield from _faults_of_hexes(layout)
    yield from _faults_of_tiles(layout)
    if len(layout.mystery) != MYSTERIES or len(set(layout.mystery)) != MYSTERIES:
        yield "mystery", f"there are {MYSTERIES} different places for hexes to be found"
    strange = next((hex_ for hex_ in layout.mystery if hex_ not in layout.non_resource), None)
    if strange is not None:
        yield "mystery", f"hex {strange} is none without resource"


def _faults_of_hexes(layout: Layout) -> Iterator[Fault]:
    places = (*layout.places, *layout.non_resource)
    kinds = ("safe", "hidden", "rugged", "non_resource")
    seen: set[Hex] = set()
    for kind in kinds:
        for hex_ in getattr(layout, kind):
            if hex_ in seen:
                yield kind, f"hex {hex_} is listed twice"
            seen.add(hex_)
            if max(abs(hex_[0]), abs(hex_[1]), abs(hex_[0] + hex_[1])) > layout.radius:
                yield kind, f"hex {hex_} lies farther from 0,0 than the radius {layout.radius}"
    if len(places) != layout.hexes:
        yield "hexes", f"{len(places)} hexes are listed, not {layout.hexes}"


def _faults_of_tiles(layout: Layout) -> Iterator[Fault]:
    counts = {name: getattr(layout.tiles, name) for name in layout.tiles.__struct_fields__}
    for name, n in counts.items():
        if n < 0:
            yield f"tiles.{name}", "a number below 0 makes no sense here"
    if sum(counts.values()) != len(layout.places):
        yield "tiles", f"{sum(counts.values())} tiles don't lie on {len(layout.places)} places"


# ------------------------------------------------------------ room for everybody's first city


def room_fault(layout: Layout, start: Start) -> str:
    """Why the last seat might find no hex for its first city, wherever the others start; ``""`` if it finds one."""
    bits = {hex_: 1 << number for number, hex_ in enumerate(layout.places)}
    beside = {
        (q, r): sum(bits.get((q + dq, r + dr), 0) for dq, dr in layout.directions) for q, r in layout.non_resource
    }
    without_mysteries = {hex_: near for hex_, near in beside.items() if hex_ not in layout.mystery}
    if any(_crowded(tuple(cities.values()), start.start_towns) for cities in (beside, without_mysteries)):
        towns = start.start_towns
        return f"{MOST_SEATS} seats might not all find a hex for a first city with {towns} towns beside it"
    return ""


_MOST_STEPS: Final = 1500
"""Positions looked at before a map counts as too narrow."""


def _crowded(hexes: tuple[int, ...], towns: int) -> bool:
    """Whether other seats may start so that none of the hexes is left; also if that would take too long to tell.

    ``hexes`` are those for first cities, each as the bits of the resource hexes beside it.
    """
    left = _MOST_STEPS

    def stuck(cities: tuple[int, ...], seats: int) -> bool:
        """``cities`` are the hexes still open, as the free resource hexes beside them."""
        nonlocal left
        left -= 1
        if not cities or left < 0:
            return True
        ways = tuple(_ways(cities, towns)) if seats else ()
        # No later seat closes more hexes than it touches, nor touches more than one could now.
        most = max((touched for touched, _ in ways), default=0)
        if len(cities) > most * seats:
            return False
        worst = sorted((rest for _, rest in ways if len(rest) <= most * (seats - 1)), key=len)
        return any(stuck(rest, seats - 1) for rest in worst)

    return stuck(tuple(near for near in hexes if near.bit_count() >= towns), MOST_SEATS - 1)


def _ways(cities: tuple[int, ...], towns: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The ways in which a seat may start: how many hexes that touches, its own with them, and what is open after it."""
    for number, near in enumerate(cities):
        others = cities[:number] + cities[number + 1 :]
        for chosen in combinations([1 << n for n in range(near.bit_length()) if near >> n & 1], towns):
            taken = sum(chosen)
            rest = tuple(free for other in others if (free := other & ~taken).bit_count() >= towns)
            yield 1 + sum(bool(other & taken) for other in others), rest
