"""The rules that a log was begun under: found among those installed, and compared with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ludolog.catalogue import Catalogue
from ludolog.errors import BadOptions, MissingPlugin, UnknownGame, UnknownVariant
from ludolog.frame import RulesRecord, TableOpened
from ludolog.rules import Rules
from ludolog.ruleset import Ruleset, rules_of
from ludolog_events import CorruptLog

__all__ = ["mismatch", "ruleset_of"]


def ruleset_of(source: Catalogue, opened: TableOpened) -> Ruleset:
    """The ruleset that an opening names, of the versions that are installed.

    An option that the installed version no longer has, or no longer with this value, is left to its default, so that
    the log can be read; :func:`mismatch` tells.

    Raises:
        MissingPlugin: The game or a variant isn't installed.
        CorruptLog: The options can't be read.
    """
    game, *variants = [record.id for record in opened.rules]
    given = {
        f"{record.id}:{name}": value for record in opened.rules for name, value in _options(opened, record).items()
    }
    try:
        parts = [rules_of(source.game(game)), *(rules_of(source.variant(game, name)) for name in variants)]
        options = {name: value for name, value in given.items() if _is_recorded(parts, name, value)}
        try:
            return source.ruleset(game, variants, options)
        except BadOptions:
            possible = [name for name in options if _is_possible(source, game, variants, {name: options[name]})]
            return source.ruleset(game, variants, {name: options[name] for name in possible})
    except (UnknownGame, UnknownVariant) as error:
        needed = ", ".join(f"{record.id} version {record.version}" for record in opened.rules)
        msg = f"Table {opened.table!r} was played with {needed}; {error}"
        raise MissingPlugin(msg) from None


def _is_recorded(parts: Sequence[Rules], name: str, value: object) -> bool:
    """Whether the library could have recorded it: an option that is known, and of an owner's data the text.

    What a log says must not name a file here that would be read.
    """
    owner, _, short = name.rpartition(":")
    takers = [part for part in parts if part.id == owner and short in part.options_type.__struct_fields__]
    is_text = not value or (isinstance(value, str) and "\n" in value)
    return bool(takers) and (is_text or short not in takers[0].data_functions)


def _is_possible(source: Catalogue, game: str, variants: list[str], option: dict[str, Any]) -> bool:
    try:
        source.ruleset(game, variants, option)
    except BadOptions:
        return False
    return True


def _options(opened: TableOpened, record: RulesRecord) -> dict[str, Any]:
    try:
        return msgspec.json.decode(record.options, type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        why = f"the options of {record.id} can't be read ({error})"
        raise CorruptLog(why, table=opened.table, batch=0) from None


def mismatch(ruleset: Ruleset, opened: TableOpened) -> str:
    """Why the table can't be played on under this ruleset; empty if it can."""
    if ruleset.digest == opened.digest and ruleset.records == opened.rules:
        return ""
    if [record.id for record in opened.rules] != [record.id for record in ruleset.records]:
        played = ", ".join(record.id for record in opened.rules)
        return f"Table {opened.table!r} was begun under {played}, not {ruleset.id}; it can be read, not played on."
    told: list[str] = []
    for then, now, rules in zip(opened.rules, ruleset.records, ruleset.rules[1:], strict=True):
        if then.version != now.version and then.version not in rules.compatible:
            told.append(f"{then.id} was version {then.version} and is {now.version} here")
        kept = _options(opened, now)
        lost = [name for name, value in _options(opened, then).items() if name not in kept or kept[name] != value]
        if lost:
            told.append(f"{then.id} has its options {', '.join(lost)} no longer as they were")
    if not told and all(then.version == now.version for then, now in zip(opened.rules, ruleset.records, strict=True)):
        told.append("their data or options changed without a new version")
    if not told:
        return ""
    return f"Table {opened.table!r} was begun under other rules ({', '.join(told)}); it can be read, not played on."
