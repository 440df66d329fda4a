"""What several variants read of the expansion Rebels & Rogues: its tables of sites and hexes, and what they share."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any, Final

import msgspec

from ludolog import Event, Now, Seat
from ludolog_plugins.dark_horse_west.goods import counter
from ludolog_plugins.dark_horse_west.sites import need_from
from ludolog_plugins.dark_horse_west.slots import Site

__all__ = ["CLAUSES", "VOTE", "HexRow", "SpaceRow", "hexes_of", "site_from", "space"]

CLAUSES: Final = "ludolog_plugins.dark_horse_west:rebels_and_rogues.toml"
"""The rules data of the expansion, as manifests name it."""

VOTE: Final = counter("Vote", "vote")
"""Votes (RR-015, RR-R46): shared by the variants that give or take them."""


class Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all rows of the tables share."""

    id: str
    module: str
    need: str
    resolves: str
    confidence: str


class SpaceRow(Row, frozen=True):
    """A site of the expansion; ``options`` says in words what collecting gives."""

    dice: str
    natural: bool
    limit: str
    slots: int
    robbery: bool
    options: tuple[str, ...]
    replaces: str = ""


class HexRow(Row, frozen=True):
    """A hex of the expansion; ``white`` and ``black`` say in words what reputation of that colour may use."""

    mobile: bool
    tokens: int
    white: tuple[str, ...]
    black: tuple[str, ...]
    city_scoring: bool


@functools.cache
def _table(name: str) -> tuple[Any, ...]:
    package, _, file = CLAUSES.partition(":")
    return tuple(tomllib.loads(files(package).joinpath(file).read_text(encoding="utf-8"))[name])


@functools.cache
def space(name: str) -> SpaceRow:
    """The site with this id (RR-R24, RR-R25)."""
    return msgspec.convert(next(row for row in _table("space") if row["id"] == name), SpaceRow)


@functools.cache
def hexes_of(module: str) -> dict[str, HexRow]:
    """The hexes of a module by id."""
    rows = msgspec.convert([row for row in _table("hex") if row["module"] == module], tuple[HexRow, ...])
    return {row.id: row for row in rows}


def site_from(
    row: SpaceRow, collect: Callable[[Now, Seat], Iterator[Event]], *, cites: str, gives: tuple[str, ...] = ()
) -> Site:
    """A site from its row of the table."""
    return Site(
        name=row.id.replace("-", " ").title(),
        need=need_from(row.need, row.dice, natural=row.natural),
        limit=row.limit,
        collect=collect,
        cites=cites,
        effect=" Or: ".join(row.options),
        resolves=row.resolves,
        gives=gives,
        robbery=row.robbery,
    )
