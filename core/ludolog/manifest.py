"""What an app sees of a game or a variant before its rules are loaded: manifests and options."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from ludolog.rules import Rules

__all__ = ["Game", "Options", "Variant"]


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of a game or variant; every field has a default. Derive from it."""


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """Manifest of a game, readable without loading its rules.

    ``seats`` lists the possible numbers of seats. ``rules`` loads the rules. ``clauses`` names the rules data as
    ``"package:file.toml"``. ``bot_options`` are options for games with bots, unless the caller gives others:
    a cap on their turns, for instance, or no clock.
    """

    id: str
    title: str
    summary: str
    seats: tuple[int, ...]
    rules: Callable[[], Rules]
    clauses: tuple[str, ...] = ()
    bot_options: dict[str, Any] = {}


class Variant(msgspec.Struct, frozen=True, kw_only=True):
    """Manifest of a variant of a game.

    ``requires``, ``conflicts`` and ``after`` name other variants of the game, by short or full id. ``seats``, if not
    empty, lists the numbers of seats with which it can be played, in place of those of the game and of the variants
    that it requires.
    """

    id: str
    title: str
    summary: str
    rules: Callable[[], Rules]
    requires: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    clauses: tuple[str, ...] = ()

    @property
    def game(self) -> str:
        """Id of its game."""
        return self.id.partition("/")[0]
