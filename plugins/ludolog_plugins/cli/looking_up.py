"""Rules looked up while playing: those of the game and of the variants in play."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ludolog import Game, Ruleset, catalogue
from ludolog.clauses import Clause, clauses
from ludolog_plugins.cli.console import pairs, say

__all__ = ["find_rules", "in_play", "show_rules"]

_AT_ONCE: Final = 6


def in_play(ruleset: Ruleset) -> tuple[Clause, ...]:
    """Clauses of the game without those of variants that are not in play, those of variants that are, and rulings.

    A file of a variant may number the clauses of others, too; they are told apart by their modules.
    """
    game, every = ruleset.game, clauses(ruleset.game.id)
    here = {variant.id.partition("/")[2] for variant in ruleset.variants}
    elsewhere = {variant.id.partition("/")[2] for variant in catalogue().variants(game.id)} - here
    kept = {
        entry.id
        for entry in every
        if not entry.is_ruling
        and (entry.module not in elsewhere if entry.source in game.clauses else entry.module in {"", *here})
    }
    return tuple(entry for entry in every if entry.id in kept or (entry.is_ruling and kept & {*entry.clauses}))


def find_rules(ruleset: Ruleset, word: str) -> tuple[Clause, ...]:
    """The clause of an id, else those in play that hold a word, else those that hold it as a part of one."""
    wanted, entries = word.casefold(), in_play(ruleset)
    named = tuple(entry for entry in clauses(ruleset.game.id) if entry.id.casefold() == wanted)
    found = named or tuple(entry for entry in entries if wanted in _words(entry))
    return found or tuple(entry for entry in entries if wanted in entry.text.casefold())


def _words(entry: Clause) -> list[str]:
    return re.findall(r"[\w'-]+", entry.text.casefold())


def show_rules(found: Sequence[Clause], word: str, game: Game) -> Sequence[Clause]:
    """Show as many as are read at once; the others are left."""
    pairs((entry.id, entry.text) for entry in found[:_AT_ONCE])
    if not found:
        say(f"No rule of {game.title} holds {word!r}.")
    return found[_AT_ONCE:]
