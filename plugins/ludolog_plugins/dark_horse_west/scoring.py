"""Points at the end, line by line, each with its clause; measures of cards; ties."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Final

from ludolog import Outcome, Position, ScoreLine, Seat, SeatScore, derived
from ludolog_plugins.dark_horse_west.abilities import abilities_of
from ludolog_plugins.dark_horse_west.board import ground, layout_of, linked_hexes, neighbours
from ludolog_plugins.dark_horse_west.cards import hand_of
from ludolog_plugins.dark_horse_west.goods import has
from ludolog_plugins.dark_horse_west.options import WestOptions
from ludolog_plugins.dark_horse_west.slots import (
    END_TRIGGERS,
    MEASURES,
    POINTS,
    RESULTS,
    SCORE_LINES,
    TOWN_SERVES,
    EndTrigger,
    rules,
)
from ludolog_plugins.dark_horse_west.state import Board, Hex, Roles, Turn

__all__ = ["city_points", "ending", "linked_pairs", "score_sheet"]

FULL: Final = 2
"""Towns that serve a city in full (DW-R47)."""


@derived
def _cities(position: Position, seat: Seat) -> tuple[Hex, ...]:
    return tuple(city.hex for city in position[Board].cities if city.seat == seat)


@derived
def _towns(position: Position, seat: Seat) -> tuple[Hex, ...]:
    return tuple(town.hex for town in position[Board].towns if town.seat == seat)


@derived
def _serves(position: Position, seat: Seat) -> tuple[tuple[int, ...], ...]:
    """For each town that may serve: the numbers of the own cities to which it is linked (DW-R47)."""
    cities = _cities(position, seat)
    layout = layout_of(position)
    joined = [linked_hexes(position, seat, (city,)) for city in cities]
    return tuple(
        tuple(n for n, city in enumerate(cities) if town in joined[n] or town in neighbours(layout, city))
        for town in _towns(position, seat)
        if all(may(position, town) for may in position.slot(TOWN_SERVES).values())
    )


@derived
def city_points(position: Position, seat: Seat) -> tuple[int, ...]:
    """Points of each own city; each town serves one, so that the total is highest (DW-126, DW-R47)."""
    points = position.slot(POINTS)["points"]
    value = (0, points.city_one_town, points.city_two_towns)
    count = len(_cities(position, seat))
    states: set[tuple[int, ...]] = {(0,) * count}
    for cities in _serves(position, seat):
        states |= {
            tuple(min(FULL, served + (n == at)) for n, served in enumerate(state)) for state in states for at in cities
        }
    best = max(states, key=lambda state: (sum(value[served] for served in state), state))
    return tuple(value[served] for served in best)


@derived
def linked_pairs(position: Position, seat: Seat) -> int:
    """Pairs of own cities joined by own links (DW-R47)."""
    cities = _cities(position, seat)
    return sum(b in linked_hexes(position, seat, (a,)) for a, b in combinations(cities, 2))


# ------------------------------------------------------------ measures


def _towns_on(resource: str) -> Callable[[Position, Seat], int]:
    return lambda position, seat: sum(ground(position, town).resource == resource for town in _towns(position, seat))


def _counted(thing: str) -> Callable[[Position, Seat], int]:
    return lambda position, seat: has(position, seat, thing)


_MEASURES: Final[dict[str, Callable[[Position, Seat], int]]] = {
    "towns": lambda position, seat: len(_towns(position, seat)),
    "cities": lambda position, seat: len(_cities(position, seat)),
    "links": lambda position, seat: sum(link.seat == seat for link in position[Board].links),
    "towns-food": _towns_on("food"),
    "towns-wood": _towns_on("wood"),
    "towns-ore": _towns_on("ore"),
    "linked-pairs": linked_pairs,
    "full-cities": lambda position, seat: city_points(position, seat).count(
        position.slot(POINTS)["points"].city_two_towns
    ),
    "influence": _counted("influence"),
    "gold": _counted("gold"),
    "stocks": _counted("stock"),
    "engineers": _counted("engineer"),
    "wilds": _counted("wild"),
    "hand": lambda position, seat: len(hand_of(position, seat)),
    "place": lambda position, seat: position[Turn].track.index(seat) + 1,
    "roles": lambda position, seat: sum(holder == seat for _, holder in position[Roles].held),
}
for _name, _measure in _MEASURES.items():
    rules.add(MEASURES, _name, _measure, cites="DW-R42")

# ------------------------------------------------------------ lines


def _line(label: str, points: int, clause: str) -> tuple[ScoreLine, ...]:
    return (ScoreLine(label=label, points=points, clause=clause),)


@derived
def _town_line(position: Position, seat: Seat) -> tuple[ScoreLine, ...]:
    n = len(_towns(position, seat))
    return _line(f"{n} towns", n * position.slot(POINTS)["points"].town, "DW-R47")


@derived
def _city_line(position: Position, seat: Seat) -> tuple[ScoreLine, ...]:
    points = city_points(position, seat)
    return _line(f"{len(points)} cities", sum(points), "DW-126")


@derived
def _pair_line(position: Position, seat: Seat) -> tuple[ScoreLine, ...]:
    n = linked_pairs(position, seat)
    return _line(f"{n} pairs of joined cities", n * position.slot(POINTS)["points"].linked_city_pair, "DW-122")


def _gold_line(position: Position, seat: Seat) -> tuple[ScoreLine, ...]:
    n = position.slot(MEASURES)["gold"](position, seat)
    each = position.slot(POINTS)["points"].gold * position.options(WestOptions).gold_points
    return _line(f"{n} Gold", n * each, "DW-124")


def _influence_line(position: Position, seat: Seat) -> tuple[ScoreLine, ...]:
    n = has(position, seat, "influence")
    return _line(f"{n} influence", n * position.slot(POINTS)["points"].influence, "DW-123")


def _stock_line(position: Position, seat: Seat) -> tuple[ScoreLine, ...]:
    n = has(position, seat, "stock")
    return _line(f"{n} Stocks", n * position.slot(POINTS)["points"].stock, "DW-R29")


def _loan_line(position: Position, seat: Seat) -> tuple[ScoreLine, ...]:
    n = has(position, seat, "loan")
    return _line(f"{n} unpaid Loans", n * position.slot(POINTS)["points"].loan, "DW-R29")


@derived
def _card_lines(position: Position, seat: Seat) -> tuple[ScoreLine, ...]:
    """Op ``score`` of cards in play: for reaching a goal, or for each so many."""
    found: list[ScoreLine] = []
    for card, _, ability in abilities_of(position, seat):
        for effect in ability.effects if ability.timing == "end" else ():
            terms = effect.terms
            measure = position.slot(MEASURES).get(terms.measure)
            n = measure(position, seat) if measure is not None else 0
            if terms.per:
                points = min(terms.cap, n // terms.per * terms.points)
            else:
                points = terms.points if terms.min <= n and (terms.max < 0 or n <= terms.max) else 0
            found.extend(_line(f"{card}: {ability.text}", points, "DW-R42"))
    return tuple(found)


_OWN: Final[tuple[tuple[str, Callable[[Position, Seat], tuple[ScoreLine, ...]], str], ...]] = (
    ("towns", _town_line, "DW-R47"),
    ("cities", _city_line, "DW-126"),
    ("pairs", _pair_line, "DW-122"),
    ("gold", _gold_line, "DW-124"),
    ("influence", _influence_line, "DW-123"),
    ("stocks", _stock_line, "DW-R29"),
    ("loans", _loan_line, "DW-R29"),
    ("cards", _card_lines, "DW-R42"),
)
_PLACES: Final = {key: place for place, (key, _, _) in enumerate(_OWN)}
for _key, _lines, _cites in _OWN:
    rules.add(SCORE_LINES, _key, _lines, cites=_cites)


def score_sheet(position: Position, seat: Seat) -> tuple[ScoreLine, ...]:
    """All lines of a seat's score sheet, as if points were counted now: the game's, then those of variants by name.

    So the sheet is the same in whatever order the variants come.
    """
    return tuple(line for lines in _in_order(position) for line in lines(position, seat))


@derived
def _in_order(position: Position) -> tuple[Callable[[Position, Seat], tuple[ScoreLine, ...]], ...]:
    entries = position.slot(SCORE_LINES)
    order = sorted(map(str, entries), key=lambda key: (_PLACES.get(key, len(_PLACES)), key))
    return tuple(entries[key] for key in order)


# ------------------------------------------------------------ outcome


def ending(position: Position, trigger: EndTrigger) -> str:
    """What ends the game, in words."""
    return trigger.sentence.format(who=" and ".join(trigger.met(position)) or "Somebody")


def _rank(position: Position, sheet: SeatScore) -> tuple[int, ...]:
    """Most points; then influence, then Gold (DW-003, DW-R49); by option, then the place in turn order."""
    if position.options(WestOptions).tie_break == "turn-order":
        return (sheet.total, -position[Turn].track.index(sheet.seat))
    gold = position.slot(MEASURES)["gold"](position, sheet.seat)
    return (sheet.total, has(position, sheet.seat, "influence"), gold)


@rules.scoring
def outcome(position: Position, reason: str) -> Outcome:
    """The most points win (DW-003)."""
    scores = tuple(SeatScore(seat=seat, lines=score_sheet(position, seat)) for seat in position.seats)
    ranks = {sheet.seat: _rank(position, sheet) for sheet in scores}
    ranking = tuple(
        tuple(seat for seat in position.seats if ranks[seat] == rank)
        for rank in sorted(set(ranks.values()), reverse=True)
    )
    trigger = position.slot(END_TRIGGERS)[reason]
    winners = " and ".join(ranking[0])
    best = max(sheet.total for sheet in scores)
    found = Outcome(
        reason=reason,
        sentence=f"{ending(position, trigger)} {winners} won with {best} points.",
        ranking=ranking,
        scores=scores,
        clause=trigger.cites,
    )
    for change in position.slot(RESULTS).values():
        found = change(position, found)
    return found
