"""The packaged tables of the game, read once: map, numbers, sites and cards."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files
from typing import Any, Final, cast

import msgspec

from ludolog_plugins.dark_horse_west.tables import Costs, Layout, Points, SpaceRow, Start, Zone
from ludolog_plugins.dark_horse_west.vocabulary import Card, Terms

__all__ = [
    "BASE_DECKS",
    "cards_of",
    "costs",
    "layout",
    "packaged",
    "points",
    "spaces",
    "start",
    "with_terms",
    "zones",
]

BASE_DECKS: Final = ("action", "event", "character-base")


@functools.cache
def packaged(name: str) -> dict[str, Any]:
    """The tables of a packaged file, ``"rules.toml"`` or ``"decks.toml"``."""
    text = files("ludolog_plugins.dark_horse_west").joinpath(name).read_text(encoding="utf-8")
    return tomllib.loads(text)


@functools.cache
def layout() -> Layout:
    """The map (DW-R01, DW-R02)."""
    return msgspec.convert(packaged("rules.toml")["map"], Layout)


@functools.cache
def zones() -> tuple[Zone, ...]:
    """The Safe Zones (DW-031)."""
    return msgspec.convert(packaged("rules.toml")["zone"], tuple[Zone, ...])


@functools.cache
def costs() -> Costs:
    """Prices (DW-R09 to DW-R13)."""
    return msgspec.convert(packaged("rules.toml")["costs"], Costs)


@functools.cache
def start() -> Start:
    """The start kit (DW-039)."""
    return msgspec.convert(packaged("rules.toml")["start"], Start)


@functools.cache
def points() -> Points:
    """Points (DW-R47, DW-R48, DW-R29)."""
    return msgspec.convert(packaged("rules.toml")["scoring"], Points)


@functools.cache
def spaces() -> dict[str, SpaceRow]:
    """The action sites by id, in the order of the rules (DW-066)."""
    rows = msgspec.convert(packaged("rules.toml")["space"], tuple[SpaceRow, ...])
    return {row.id: row for row in rows}


@functools.cache
def cards_of(deck: str) -> tuple[Card, ...]:
    """The cards of a packaged deck, in the order of their ids."""
    rows = [with_terms(row) for row in packaged("decks.toml")["card"] if row["deck"] == deck]
    return msgspec.convert(rows, tuple[Card, ...])


def with_terms(value: Any) -> Any:  # noqa: ANN401 - any part of a TOML table
    """A card as the table writes it, with the terms of each effect gathered."""
    if isinstance(value, list):
        return list(map(with_terms, cast("list[object]", value)))
    if not isinstance(value, dict):
        return value
    row: dict[str, Any] = {key: with_terms(item) for key, item in cast("dict[str, object]", value).items()}
    if "op" not in row:
        return row
    if "terms" in row:
        return row | {"terms": "terms"}  # what only this function may write fits nothing
    terms = {key: row.pop(key) for key in Terms.__struct_fields__ if key in row}
    return row | {"terms": terms} if terms else row
