"""Set-up, step by step: order, tiles, decks, kits, characters, first cities and towns, free rails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ludolog import Event, Now, Position, Refusal, Seat
from ludolog_plugins.dark_horse_west import data
from ludolog_plugins.dark_horse_west.agenda import do, proceed
from ludolog_plugins.dark_horse_west.board import (
    blocked,
    first_city_gap,
    gap_refusal,
    hex_named,
    layout_of,
    name_of,
    neighbours,
    ordered,
    place_of,
)
from ludolog_plugins.dark_horse_west.building import city_refusal, town_refusal, turn_up
from ludolog_plugins.dark_horse_west.cards import cards_in_play
from ludolog_plugins.dark_horse_west.effects import effects_task
from ludolog_plugins.dark_horse_west.events import (
    CardsDealt,
    CityBuilt,
    DeckReady,
    LinkBuilt,
    PiecesReady,
    TilesDealt,
    TownBuilt,
)
from ludolog_plugins.dark_horse_west.goods import start_kit
from ludolog_plugins.dark_horse_west.network import free_links
from ludolog_plugins.dark_horse_west.options import WestOptions
from ludolog_plugins.dark_horse_west.rails import link_refusal, links_named, parse_link
from ludolog_plugins.dark_horse_west.reasons import no
from ludolog_plugins.dark_horse_west.slots import (
    CARDS,
    COLOURS,
    COSTS,
    DECKS,
    LAYOUT,
    POINTS,
    SETUP_STEPS,
    START,
    TASKS,
    Question,
    Step,
    rules,
)
from ludolog_plugins.dark_horse_west.state import Board, Hex, Task, Tiles, Turn

__all__ = ["first_city_refusal"]

rules.add(LAYOUT, "map", data.layout(), cites="DW-R01")
rules.add(COSTS, "costs", data.costs(), cites="DW-112")
rules.add(START, "start", data.start(), cites="DW-039")
rules.add(POINTS, "points", data.points(), cites="DW-R47")
for _number, _colour in enumerate(("red", "blue", "green", "yellow")):
    rules.add(COLOURS, _number, _colour, cites="DW-015")


@rules.setup
def begin(now: Now) -> Iterator[Event]:
    """Set-up runs step by step; after it the first turn begins."""
    steps = (Task(kind="setup-step", source=str(key)) for key in now.slot(SETUP_STEPS))
    yield do(*steps, Task(kind="turn"))
    yield from _order(now)
    yield from proceed(now)


def _run_step(now: Now, task: Task) -> Iterator[Event]:
    yield from now.slot(SETUP_STEPS)[task.source](now)


rules.add(TASKS, "setup-step", Step(run=_run_step), cites="DW-038")


def _order(now: Now) -> Iterator[Event]:
    """Everybody's pieces are ready, and the first turn order is drawn (DW-041, DW-R63)."""
    given = now.options(WestOptions).start_order == "given"
    yield PiecesReady(track=now.seats if given else now.chance.shuffle(now.seats))


def _tiles(now: Now) -> Iterator[Event]:
    """The tiles are dealt at random; those in the Safe Zones lie face up (DW-040, DW-033)."""
    layout = layout_of(now)
    counts = layout.tiles
    bag = ("food",) * counts.food + ("wood",) * counts.wood + ("ore",) * counts.ore
    dealt = now.chance.shuffle(bag)[: len(layout.places)]
    safe = len(layout.safe)
    yield TilesDealt(shown=dealt[:safe], hidden=dealt[safe:])


def _decks(now: Now) -> Iterator[Event]:
    """The decks are shuffled (DW-R41)."""
    for key, deck in now.slot(DECKS).items():
        if deck.shuffled:
            yield DeckReady(deck=str(key), cards=now.chance.shuffle(cards_in_play(now, str(key))))


def _kits(now: Now) -> Iterator[Event]:
    for seat in now[Turn].order:
        yield from start_kit(now, seat)


def _characters(now: Now) -> Iterator[Event]:
    """Each player takes one player character, at random, and its start bonus (DW-036, DW-101)."""
    if not now.options(WestOptions).characters:
        return
    decks = [str(key) for key in now.slot(DECKS) if str(key).startswith("character")]
    there = tuple(card for deck in decks for card in cards_in_play(now, deck))
    dealt = now.chance.draw(there, len(now.seats))
    for seat, card in zip(now[Turn].order, dealt, strict=True):
        yield CardsDealt(seat=seat, card=card)
    tasks = tuple(
        effects_task(seat, ability.effects, card)
        for seat, card in zip(now[Turn].order, dealt, strict=True)
        for ability in now.slot(CARDS)[card].ability
        if ability.timing == "start"
    )
    yield do(*tasks)


# ------------------------------------------------------------ first cities and towns


def _first_cities(now: Now) -> Iterator[Event]:
    """In reverse turn order each places the first city and two towns (DW-043)."""
    kit = now.slot(START)["start"]
    tasks: list[Task] = []
    for seat in reversed(now[Turn].order):
        tasks.append(Task(kind="first-city", seat=seat))
        tasks.extend(Task(kind="first-town", seat=seat, n=left) for left in range(kit.start_towns, 0, -1))
    yield do(*tasks)


def _town_sites(position: Position, seat: Seat, city: Hex) -> tuple[Hex, ...]:
    """Free resource hexes beside a city, for a start town (DW-R05)."""
    return tuple(hex_ for hex_ in neighbours(layout_of(position), city) if town_refusal(position, seat, hex_) is None)


def _face_up(position: Position, hex_: Hex) -> bool:
    place = place_of(position, hex_)
    return place >= 0 and position[Tiles].shown[place]


def first_city_refusal(position: Position, seat: Seat, hex_: Hex, gap: int, *, face_up: bool = True) -> Refusal | None:
    """Why a first city can't stand on a hex (DW-044, DW-045, DW-R05); with ``face_up`` by the option's demand too."""
    refusal = city_refusal(position, seat, hex_) or blocked(position, seat, hex_, "first-city")
    if refusal is not None:
        return refusal
    kit = position.slot(START)["start"]
    sites = _town_sites(position, seat, hex_)
    if len(sites) < kit.start_towns:
        sentence = (
            f"{name_of(hex_)} has {len(sites)} free resource hexes beside it; a first city needs {kit.start_towns}."
        )
        return no("no-town-sites", sentence, "DW-R05", hex=hex_, sites=sites)
    demanded = face_up and position.options(WestOptions).start_towns == "one-face-up"
    if demanded and not any(_face_up(position, site) for site in sites):
        return no("no-face-up-tile", f"No tile beside {name_of(hex_)} lies face up.", "DW-R05", hex=hex_)
    return gap_refusal(position, hex_, gap, "DW-R55") if gap else None


class _Room(NamedTuple):
    """Where a first city may stand, and with which demands: those that no hex meets are dropped."""

    gap: int
    face_up: bool
    hexes: tuple[Hex, ...]


def _room(position: Position, seat: Seat) -> _Room:
    """First a face-up tile is no longer demanded, then the gap shrinks, where no hex allows more (DW-R05, DW-R55)."""
    hexes: tuple[Hex, ...] = ()
    face_up = False
    for face_up in (True, False):
        hexes = tuple(
            hex_
            for hex_ in layout_of(position).all
            if first_city_refusal(position, seat, hex_, 0, face_up=face_up) is None
        )
        if hexes:
            break
    for gap in range(first_city_gap(position), 0, -1):
        apart = tuple(hex_ for hex_ in hexes if gap_refusal(position, hex_, gap, "DW-R55") is None)
        if apart:
            return _Room(gap, face_up, apart)
    return _Room(0, face_up, hexes)


def _city_options(position: Position, task: Task) -> tuple[str, ...]:
    return tuple(f"city {name_of(hex_)}" for hex_ in _room(position, task.seat).hexes)


def _city_placed(_now: Now, task: Task, option: str) -> Iterator[Event]:
    hex_ = hex_named(option.removeprefix("city "))
    if hex_ is not None:
        yield CityBuilt(seat=task.seat, hex=hex_)


def _why_no_city(position: Position, task: Task, option: str) -> Refusal | None:
    hex_ = hex_named(option.removeprefix("city "))
    if hex_ is None or not option.startswith("city "):
        return no("no-such-hex", f"Say where, such as 'city 3,-3'; not {option!r}.", "DW-043")
    room = _room(position, task.seat)
    return first_city_refusal(position, task.seat, hex_, room.gap, face_up=room.face_up)


def _first_city_of(position: Position, seat: Seat) -> Hex:
    return next(city.hex for city in position[Board].cities if city.seat == seat)


def _town_options(position: Position, task: Task) -> tuple[str, ...]:
    sites = _town_sites(position, task.seat, _first_city_of(position, task.seat))
    first_up = position.options(WestOptions).start_towns == "one-face-up" and task.n > 1
    chosen = tuple(site for site in sites if _face_up(position, site)) if first_up else sites
    return tuple(f"town {name_of(hex_)}" for hex_ in chosen or sites)


def _town_placed(now: Now, task: Task, option: str) -> Iterator[Event]:
    hex_ = hex_named(option.removeprefix("town "))
    if hex_ is not None:
        yield from turn_up(now, hex_)
        yield TownBuilt(seat=task.seat, hex=hex_)


def _why_no_town(position: Position, task: Task, option: str) -> Refusal | None:
    hex_ = hex_named(option.removeprefix("town "))
    if hex_ is None or not option.startswith("town "):
        return no("no-such-hex", f"Say where, such as 'town 3,-4'; not {option!r}.", "DW-043")
    city = _first_city_of(position, task.seat)
    refusal = town_refusal(position, task.seat, hex_)
    if refusal is None:
        sentence = f"A start town stands beside the own first city on {name_of(city)}."
        refusal = no("not-beside-city", sentence, "DW-R05", hex=hex_, city=city)
    return refusal


rules.add(
    TASKS,
    "first-city",
    Question(
        ask=lambda _position, task: f"Where does {task.seat} place the first city?",
        options=_city_options,
        take=_city_placed,
        explain=_why_no_city,
        cites="DW-043",
    ),
    cites="DW-043",
)
rules.add(
    TASKS,
    "first-town",
    Question(
        ask=lambda _position, task: f"Where does {task.seat} place a start town?",
        options=_town_options,
        take=_town_placed,
        explain=_why_no_town,
        cites="DW-R05",
    ),
    cites="DW-R05",
)

# ------------------------------------------------------------ the free rail


def _free_rails(now: Now) -> Iterator[Event]:
    """Then each in turn order lays the free rail from the own first city (DW-046, DW-R68)."""
    rails = now.slot(START)["start"].rail
    yield do(*(Task(kind="first-rail", seat=seat) for seat in now[Turn].order for _ in range(rails)))


def _rail_options(position: Position, task: Task) -> tuple[str, ...]:
    city = _first_city_of(position, task.seat)
    return links_named(tuple(sorted(ordered(a, b) for a, b in free_links(position, task.seat, (city,)))))


def _rail_laid(_now: Now, task: Task, option: str) -> Iterator[Event]:
    link = parse_link(option)
    if link is not None:
        yield LinkBuilt(seat=task.seat, a=link[0], b=link[1])


def _why_no_rail(position: Position, task: Task, option: str) -> Refusal | None:
    city = _first_city_of(position, task.seat)
    sentence = f"The free rail starts at the own first city on {name_of(city)}."
    return link_refusal(position, task, option) or no("not-from-city", sentence, "DW-046", city=city)


rules.add(
    TASKS,
    "first-rail",
    Question(
        ask=lambda _position, task: f"Where does {task.seat} lay the free rail?",
        options=_rail_options,
        take=_rail_laid,
        explain=_why_no_rail,
        cites="DW-046",
    ),
    cites="DW-046",
)

rules.add(SETUP_STEPS, "tiles", _tiles, cites="DW-040")
rules.add(SETUP_STEPS, "decks", _decks, cites="DW-R41")
rules.add(SETUP_STEPS, "kits", _kits, cites="DW-039")
rules.add(SETUP_STEPS, "characters", _characters, cites="DW-036")
rules.add(SETUP_STEPS, "first-cities", _first_cities, cites="DW-043")
rules.add(SETUP_STEPS, "free-rails", _free_rails, cites="DW-046")
