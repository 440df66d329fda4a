"""An owner's numbers and decks, from a TOML text in the form of ``rules.toml`` and ``decks.toml``.

What a text may hold, all of it optional:

* ``[costs]``, ``[start]``, ``[scoring]``, ``[map]``: the keys that differ.
* ``[[space]]``: sites by ``id``, each with the keys that differ (``name``, ``need``, ``dice``, ``natural``, ``limit``).
* ``[[card]]``: cards. A deck of which one card is given consists of the given cards.

Everything is checked before a table is opened; errors name line and field.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeVar, cast

from ludolog import Rules
from ludolog.own_data import bad_data, convert_data, parse_data
from ludolog_plugins.dark_horse_west.checking import faults_of_card, faults_of_layout, faults_of_space
from ludolog_plugins.dark_horse_west.data import BASE_DECKS, cards_of, packaged, spaces, with_terms
from ludolog_plugins.dark_horse_west.sites import site_of
from ludolog_plugins.dark_horse_west.slots import CARDS, COSTS, LAYOUT, POINTS, SITES, START, rules
from ludolog_plugins.dark_horse_west.tables import Costs, Layout, Points, SpaceRow, Start, Table
from ludolog_plugins.dark_horse_west.vocabulary import Card

__all__ = ["read_own"]

T = TypeVar("T", bound=Table)

CITES: Final = "DW-R42"
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
    if "costs" in tables:
        found.replace(COSTS, "costs", _table(text, tables, "costs", Costs), cites=CITES)
    if "start" in tables:
        found.replace(START, "start", _table(text, tables, "start", Start), cites=CITES)
    if "scoring" in tables:
        found.replace(POINTS, "points", _table(text, tables, "scoring", Points), cites=CITES)
    if "map" in tables:
        layout = _table(text, tables, "map", Layout)
        for field, why in faults_of_layout(layout):
            raise bad_data(text, f"map.{field}", why)
        found.replace(LAYOUT, "map", layout, cites=CITES)


def _table(text: str, tables: dict[str, Any], name: str, kind: type[T]) -> T:
    given = tables[name]
    if not isinstance(given, dict):
        raise bad_data(text, name, f"{name} must be a table")
    merged = packaged("rules.toml")[name] | {"confidence": "stated"} | given
    found = convert_data(text, merged, kind, name)
    for field in found.__struct_fields__:
        value: object = getattr(found, field)
        numbers = tuple(cast("dict[str, object]", value).values()) if isinstance(value, dict) else (value,)
        if field != "loan" and any(isinstance(n, int) and n < 0 for n in numbers):
            raise bad_data(text, f"{name}.{field}", "a number below 0 makes no sense here")
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
    for at, row in _rows(text, tables, "space"):
        if row["id"] not in known:
            raise bad_data(text, f"{at}.id", f"there is no site {row['id']!r}; there are {', '.join(map(str, known))}")
        space = convert_data(text, known[row["id"]] | {"confidence": "stated"} | row, SpaceRow, at)
        _raise_first(text, at, faults_of_space(space))
        found.replace(SITES, space.id, site_of(space), cites=CITES)


def _decks(text: str, tables: dict[str, Any], found: Rules) -> None:
    cards: dict[str, Card] = {}
    for at, row in _rows(text, tables, "card"):
        card = convert_data(text, with_terms(row), Card, at)
        if card.deck not in BASE_DECKS:
            raise bad_data(text, f"{at}.deck", f"card {card.id}: there is no deck {card.deck!r} in the base game")
        if card.id in cards:
            raise bad_data(text, f"{at}.id", f"card {card.id} is listed twice")
        _raise_first(text, at, faults_of_card(card, tuple(spaces())), f"card {card.id}: ")
        cards[card.id] = card
    for deck in dict.fromkeys(card.deck for card in cards.values()):
        for old in cards_of(deck):
            if old.id not in cards:
                found.remove(CARDS, old.id, cites=CITES)
    for card in cards.values():
        found.replace(CARDS, card.id, card, cites=CITES)


def _raise_first(text: str, at: str, faults: Iterator[tuple[str, str]], whose: str = "") -> None:
    for field, why in faults:
        raise bad_data(text, f"{at}.{field}", whose + why)
