"""An owner's numbers and decks, from a TOML text in the form of ``rules.toml`` and ``decks.toml``.

What a text may hold, all of it optional:

* ``[costs]``, ``[start]``, ``[scoring]``, ``[map]``: the keys that differ.
* ``[[space]]``: sites by ``id``, each with the keys that differ (``name``, ``need``, ``dice``, ``natural``, ``limit``).
* ``[[card]]``: cards. A deck of which one card is given consists of the given cards.

Everything is checked before a table is opened; errors name line and field. What is accepted can be played by any number
of seats up to five, with any variants.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeVar, cast

from ludolog import Rules
from ludolog.own_data import bad_data, convert_data, parse_data
from ludolog_plugins.dark_horse_west import data
from ludolog_plugins.dark_horse_west.checking import Fault, faults_of_card
from ludolog_plugins.dark_horse_west.checking_tables import (
    MOST_SEATS,
    faults_of_costs,
    faults_of_layout,
    faults_of_points,
    faults_of_space,
    faults_of_start,
    room_fault,
)
from ludolog_plugins.dark_horse_west.data import BASE_DECKS, cards_of, packaged, spaces, with_terms
from ludolog_plugins.dark_horse_west.sites import site_of
from ludolog_plugins.dark_horse_west.slots import CARDS, COSTS, LAYOUT, POINTS, SITES, START, rules
from ludolog_plugins.dark_horse_west.tables import Costs, Layout, Points, SpaceRow, Start, Table
from ludolog_plugins.dark_horse_west.vocabulary import Card

__all__ = ["read_own"]

T = TypeVar("T", bound=Table)

CITES: Final = "DW-R42"
OWN_MODULES: Final = frozenset({"base", "base-characters"})
"""Modules that need no variant."""

TABLES: Final = ("costs", "start", "scoring", "map", "space", "card")


@rules.data("data")
def read_own(text: str) -> Rules:
    """What an owner's data puts in the place of the packaged numbers and cards (DW-R01, DW-R42).

    Raises:
        BadData: Something in it can't be used.
    """
    tables = parse_data(text)
    for name in tables:
        if name not in TABLES:
            raise bad_data(text, name, f"there is no table {name!r}; there are {', '.join(TABLES)}")
    found = Rules(rules.id)
    _numbers(text, tables, found)
    _sites(text, tables, found)
    _decks(text, tables, found)
    return found


def _numbers(text: str, tables: dict[str, Any], found: Rules) -> None:
    layout, start = data.layout(), data.start()
    if "costs" in tables:
        found.replace(COSTS, "costs", _table(text, tables, "costs", Costs, faults_of_costs), cites=CITES)
    if "start" in tables:
        start = _table(text, tables, "start", Start, faults_of_start)
        found.replace(START, "start", start, cites=CITES)
    if "scoring" in tables:
        found.replace(POINTS, "points", _table(text, tables, "scoring", Points, faults_of_points), cites=CITES)
    if "map" in tables:
        layout = _table(text, tables, "map", Layout, lambda given: faults_of_layout(given, data.layout()))
        found.replace(LAYOUT, "map", layout, cites=CITES)
    if "map" in tables or "start" in tables:
        at = "start.start_towns" if "start_towns" in tables.get("start", {}) else "map"
        if why := room_fault(layout, start):
            raise bad_data(text, at, why)


def _table(text: str, tables: dict[str, Any], name: str, kind: type[T], faults_of: Callable[[T], Iterable[Fault]]) -> T:
    given = tables[name]
    if not isinstance(given, dict):
        raise bad_data(text, name, f"{name} must be a table")
    merged = packaged("rules.toml")[name] | {"confidence": "stated"} | given
    found = convert_data(text, merged, kind, name)
    _raise_first(text, name, faults_of(found))
    return found


def _rows(text: str, tables: dict[str, Any], name: str) -> Iterator[tuple[str, dict[str, object]]]:
    """Entries of an array of tables, each with its place."""
    given = tables.get(name, [])
    if not isinstance(given, list):
        raise bad_data(text, name, f"write [[{name}]], once for each")
    for number, row in enumerate(cast("list[object]", given)):
        fields = cast("dict[str, object]", row) if isinstance(row, dict) else {}
        if not isinstance(fields.get("id"), str):
            raise bad_data(text, f"{name}[{number}].id", f"each {name} needs an id")
        yield f"{name}[{number}]", fields


def _sites(text: str, tables: dict[str, Any], found: Rules) -> None:
    known: dict[object, dict[str, object]] = {row["id"]: row for row in packaged("rules.toml")["space"]}
    seen: set[object] = set()
    for at, row in _rows(text, tables, "space"):
        if row["id"] not in known:
            raise bad_data(text, f"{at}.id", f"there is no site {row['id']!r}; there are {', '.join(map(str, known))}")
        if row["id"] in seen:
            raise bad_data(text, f"{at}.id", f"site {row['id']} is listed twice")
        seen.add(row["id"])
        space = convert_data(text, known[row["id"]] | {"confidence": "stated"} | row, SpaceRow, at)
        _raise_first(text, at, faults_of_space(space, spaces()[space.id]))
        found.replace(SITES, space.id, site_of(space), cites=CITES)


def _decks(text: str, tables: dict[str, Any], found: Rules) -> None:
    cards: dict[str, Card] = {}
    places: dict[str, str] = {}
    for at, row in _rows(text, tables, "card"):
        card = convert_data(text, with_terms(row), Card, at)
        if card.deck not in BASE_DECKS:
            raise bad_data(text, f"{at}.deck", f"card {card.id}: there is no deck {card.deck!r} in the base game")
        if card.id in cards:
            raise bad_data(text, f"{at}.id", f"card {card.id} is listed twice")
        _raise_first(text, at, faults_of_card(card, tuple(spaces())), f"card {card.id}: ")
        cards[card.id], places[card.id] = card, at
    for card, field, why in _faults_among(cards):
        raise bad_data(text, f"{places[card.id]}.{field}", f"card {card.id}: {why}")
    for deck in dict.fromkeys(card.deck for card in cards.values()):
        for old in cards_of(deck):
            if old.id not in cards:
                found.remove(CARDS, old.id, cites=CITES)
    for card in cards.values():
        found.replace(CARDS, card.id, card, cites=CITES)


def _faults_among(cards: dict[str, Card]) -> Iterator[tuple[Card, str, str]]:
    """Cards that don't fit beside the others, the packaged ones included: each with a field and why."""
    packed = {row["id"]: row["deck"] for row in packaged("decks.toml")["card"]}
    known = {*cards, *packed}
    for card in cards.values():
        if packed.get(card.id, card.deck) != card.deck:
            yield card, "id", f"that is the id of a card of the {packed[card.id]} deck"
        if card.replaces and (card.replaces == card.id or card.replaces not in known):
            yield card, "replaces", f"there is no other card {card.replaces!r}"
    characters = [card for card in cards.values() if card.deck == "character-base"]
    replaced = {card.replaces for card in characters}
    always = sum(set(card.requires) <= OWN_MODULES and card.id not in replaced for card in characters)
    if characters and always < MOST_SEATS:
        why = f"{always} characters that are always in play are not enough for {MOST_SEATS} seats"
        yield characters[0], "deck", why


def _raise_first(text: str, at: str, faults: Iterable[Fault], whose: str = "") -> None:
    for field, why in faults:
        raise bad_data(text, f"{at}.{field}", whose + why)
