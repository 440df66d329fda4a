"""The numbers of the game as tables: map, prices, start kit, points; each with its confidence."""

from __future__ import annotations

import msgspec

from ludolog_plugins.dark_horse_west.state import Hex

__all__ = ["Costs", "Layout", "Points", "SpaceRow", "Start", "TileCounts", "Zone"]


class Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all tables share."""


class TileCounts(Table, frozen=True):
    """How many resource tiles there are of each kind."""

    food: int
    wood: int
    ore: int


class Layout(Table, frozen=True, eq=False):  # one object a map: what follows from it is cached by identity
    """The map. ``safe`` places start face up, ``hidden`` and ``rugged`` ones face down; all others bear no resource."""

    shape: str
    radius: int
    orientation: str
    hexes: int
    directions: tuple[Hex, ...]
    safe: tuple[Hex, ...]
    hidden: tuple[Hex, ...]
    rugged: tuple[Hex, ...]
    mystery: tuple[Hex, ...]
    non_resource: tuple[Hex, ...]
    tiles: TileCounts
    confidence: str

    @property
    def places(self) -> tuple[Hex, ...]:
        """Places of tiles, in the order in which the position lists them."""
        return (*self.safe, *self.hidden, *self.rugged)

    @property
    def all(self) -> tuple[Hex, ...]:
        """Every hex of the map."""
        return tuple(sorted((*self.places, *self.non_resource)))


class Zone(Table, frozen=True):
    """A Safe Zone."""

    id: str
    hexes: tuple[Hex, ...]
    face_up: tuple[Hex, ...]


class Costs(Table, frozen=True):
    """Prices in resources; surcharges for rugged hexes; how many links one purchase and one claim give."""

    town: dict[str, int]
    city: dict[str, int]
    rail_purchase: dict[str, int]
    links_per_purchase: int
    purchases_at_rail_baron: int
    purchases_with_town: int
    purchases_with_city: int
    rugged_link: dict[str, int]
    rugged_town: dict[str, int]
    confidence: str


class Start(Table, frozen=True):
    """What every seat starts with."""

    food: int
    wood: int
    ore: int
    rail: int
    wild: int
    cities: int
    towns: int
    start_cities: int
    start_towns: int
    influence: int
    confidence: str


class Points(Table, frozen=True):
    """Points at the end."""

    town: int
    city_one_town: int
    city_two_towns: int
    linked_city_pair: int
    gold: int
    influence: int
    stock: int
    loan: int
    confidence: str


class SpaceRow(Table, frozen=True):
    """One action site as the rules file lists it."""

    id: str
    name: str
    need: str
    dice: str
    natural: bool
    limit: str
    slots: int
    resolves: str
    effect: str
    confidence: str
