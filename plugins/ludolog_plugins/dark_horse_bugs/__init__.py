"""Dark Horse, the bug race: cards push seven bugs along a track, and secret Goal cards tell which of them to push.

Source: the game's rulebook, "Dark Horse"; its clauses, and the rulings where it is silent, are in ``rules.toml``.
"""

from __future__ import annotations

from ludolog import Game, Rules, hookimpl

__all__ = ["ludolog_game"]


def load() -> Rules:
    """The rules."""
    from ludolog_plugins.dark_horse_bugs.rules import rules  # noqa: PLC0415 - the manifest is read without the rules

    return rules


@hookimpl
def ludolog_game() -> Game:
    """Manifest."""
    return Game(
        id="dark-horse-bugs",
        title="Dark Horse: the bug race",
        summary="Push seven bugs along a track with cards, and nobody knows which of them are yours.",
        seats=(2, 3, 4, 5, 6),
        rules=load,
        clauses=("ludolog_plugins.dark_horse_bugs:rules.toml",),
    )
