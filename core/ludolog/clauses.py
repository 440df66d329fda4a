"""The rules data of games: numbered clauses, and the rulings that settle what a rulebook leaves open.

A game's manifest names its files as ``"package:file.toml"``. In each, ``[[clause]]`` entries hold ``id``, ``section``,
``kind`` and ``text``; ``[[ruling]]`` entries hold ``id``, ``text``, ``reason`` and ``confidence``. Other tables of the
file are the game's own data and are not read here.
"""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar, cast

import msgspec

from ludolog.catalogue import Catalogue, catalogue
from ludolog.errors import BadClause, UnknownClause
from ludolog.manifest import Game
from ludolog.own_data import tables_in

__all__ = ["RULING", "Clause", "Confidence", "clause", "clauses", "ids_in", "read_clauses"]

RULING: Final = "ruling"
"""``kind`` of a ruling; the kinds of clauses are the file's own."""

Confidence: TypeAlias = Literal["stated", "inferred", "house", ""]
"""Whether the rulebook states it, it follows from what is stated, or it was decided here; empty: not said."""

Id: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[A-Z]{2,}(-[A-Z]*[0-9]+)+$")]
Text: TypeAlias = Annotated[str, msgspec.Meta(min_length=1)]
F = TypeVar("F", bound=msgspec.Struct)


class Clause(msgspec.Struct, frozen=True, kw_only=True):
    """One numbered rule of a game: a clause, or a ruling where ``kind`` is ``"ruling"``.

    ``testable`` is false for what no program can show, such as how long a game takes. ``options`` names the options
    by which a ruling can be played the other way, told in ``alternative``; ``clauses`` the clauses that it settles.
    ``source`` is the file it stands in.
    """

    id: str
    kind: str
    text: str
    section: str = ""
    module: str = ""
    title: str = ""
    testable: bool = True
    confidence: Confidence = ""
    reason: str = ""
    alternative: str = ""
    options: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    source: str = ""

    @property
    def is_ruling(self) -> bool:
        """Whether it settles something that the rulebook leaves open."""
        return self.kind == RULING

    def __str__(self) -> str:
        """Its id and text."""
        return f"{self.id}: {self.text}"


class _ClauseEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: Id
    kind: Text
    text: Text
    section: str = ""
    module: str = ""
    title: str = ""
    testable: bool = True
    confidence: Confidence = ""


class _RulingEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: Id
    text: Text
    reason: Text
    confidence: Confidence
    title: str = ""
    section: str = ""
    module: str = ""
    testable: bool = True
    alternative: str = ""
    options: str | tuple[Text, ...] = ()
    clauses: tuple[str, ...] = ()


def clauses(game: str | Game, *, source: Catalogue | None = None) -> tuple[Clause, ...]:
    """Clauses and rulings of a game and its variants, in the order of their files; none if it has no rules data.

    Args:
        game: Id or manifest of the game.
        source: Where the game and its variants are looked up; by default among those installed.

    Raises:
        UnknownGame: No installed plugin has it.
        BadClause: A file is missing or malformed, an id stands twice, or a ruling names a clause that isn't there.
    """
    installed = catalogue() if source is None else source
    manifest = installed.game(game) if isinstance(game, str) else game
    specs = [*manifest.clauses, *(spec for variant in installed.variants(manifest.id) for spec in variant.clauses)]
    found = [entry for spec in dict.fromkeys(specs) for entry in read_clauses(spec)]
    _check_unique(found)
    known = {entry.id for entry in found}
    for entry in found:
        for other in entry.clauses:
            if other not in known:
                msg = f"{entry.source}: {RULING} {entry.id}, field 'clauses': there is no {other!r}."
                raise BadClause(msg)
    return tuple(found)


def clause(game: str | Game, name: str, *, source: Catalogue | None = None) -> Clause:
    """One clause or ruling of a game by its id, in any case.

    Raises:
        UnknownClause: The rules data has none of this id.
    """
    every = clauses(game, source=source)
    for found in every:
        if found.id.casefold() == name.casefold():
            return found
    title = game if isinstance(game, str) else game.id
    known = f"they go from {every[0].id} to {every[-1].id}" if every else "there is no rules data"
    msg = f"{title} has no clause {name!r}; {known}."
    raise UnknownClause(msg)


@functools.cache
def read_clauses(spec: str) -> tuple[Clause, ...]:
    """Clauses and rulings of one file, named as ``"package:file.toml"``.

    Raises:
        BadClause: The file is missing or malformed; the message names it, the entry and the field.
    """
    data = _read(spec)
    found = [
        *(_clause(spec, entry) for entry in _entries(spec, data, "clause", _ClauseEntry)),
        *(_ruling(spec, entry) for entry in _entries(spec, data, "ruling", _RulingEntry)),
    ]
    _check_unique(found)
    return tuple(found)


def ids_in(spec: str) -> frozenset[str]:
    """Ids of everything that a file numbers: clauses, rulings, and entries of other tables such as examples.

    Raises:
        BadClause: The file is missing or no TOML.
    """
    tables = [cast("list[object]", table) for table in _read(spec).values() if isinstance(table, list)]
    entries = [cast("dict[str, Any]", entry) for table in tables for entry in table if isinstance(entry, dict)]
    return frozenset(str(entry["id"]) for entry in entries if "id" in entry)


def _read(spec: str) -> dict[str, Any]:
    package, colon, name = spec.partition(":")
    if not colon or not package or not name:
        msg = f"{spec!r} names no rules data; it should look like 'package:file.toml'."
        raise BadClause(msg)
    try:
        return tables_in(importlib.resources.files(package).joinpath(name).read_text("utf-8"))
    except (ImportError, TypeError) as error:
        msg = f"{spec}: there is no package {package!r} ({error})."
        raise BadClause(msg) from None
    except OSError as error:
        msg = f"{spec}: the file can't be read ({error.strerror or error})."
        raise BadClause(msg) from None
    except (ValueError, RecursionError) as error:  # of TOML, of UTF-8, of an integer with too many digits
        msg = f"{spec}: the file is no TOML ({error})."
        raise BadClause(msg) from None


def _entries(spec: str, data: dict[str, Any], table: str, kind: type[F]) -> list[F]:
    listed = data.get(table, [])
    if not isinstance(listed, list):
        msg = f"{spec}: {table!r} must be a list of tables, [[{table}]]."
        raise BadClause(msg)
    items: list[Any] = listed  # pyright: ignore[reportUnknownVariableType] - read from a file
    found: list[F] = []
    for number, entry in enumerate(items, start=1):
        fields = cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}
        name = fields.get("id", f"number {number}")
        try:
            found.append(msgspec.convert(entry, kind))
        except (msgspec.ValidationError, RecursionError) as error:
            msg = f"{spec}: {table} {name}: {str(error).replace('$.', '')}."
            raise BadClause(msg) from None
    return found


def _clause(spec: str, entry: _ClauseEntry) -> Clause:
    if entry.kind == RULING:
        msg = f"{spec}: clause {entry.id}, field 'kind': {RULING!r} is kept for [[{RULING}]] entries."
        raise BadClause(msg)
    return Clause(**msgspec.structs.asdict(entry), source=spec)


def _ruling(spec: str, entry: _RulingEntry) -> Clause:
    values = msgspec.structs.asdict(entry)
    values["options"] = (entry.options,) if isinstance(entry.options, str) else entry.options
    if not entry.confidence:
        msg = f"{spec}: {RULING} {entry.id}, field 'confidence': it must be 'stated', 'inferred' or 'house'."
        raise BadClause(msg)
    return Clause(**values, kind=RULING, source=spec)


def _check_unique(found: Iterable[Clause]) -> None:
    first: dict[str, Clause] = {}
    for entry in found:
        other = first.setdefault(entry.id, entry)
        if other is not entry:
            where = other.source if other.source == entry.source else f"{other.source} and {entry.source}"
            msg = f"{where}: field 'id': {entry.id!r} stands twice."
            raise BadClause(msg)
