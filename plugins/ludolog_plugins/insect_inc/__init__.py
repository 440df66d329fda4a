"""insect inc.: everyone looks for the same insects at once, and whoever puts a hand on the right two cards first wins.

Source: the game's rulebook, "insect inc."; its clauses, and the rulings where it is silent, are in ``rules.toml``.

The shape of a game of simultaneous claims, file by file:

* ``forest``: which two cards complete which insect, and the check of every property that the rulebook states of them.
* ``state``: the forest, the insect cards, the players, and the window in which claims count as simultaneous.
* ``window``: when the window is over. Time is data: only the moments written down with the commands are looked at.
* ``judging``: what becomes of each claim, by the faces before the window was closed.
* ``rules``: commands become events.
* ``realtime``: who reacts when, for hosts that play against the clock; the clock itself stays with the host.
"""

from __future__ import annotations

from ludolog import Game, Rules, hookimpl

__all__ = ["load", "ludolog_game"]


def load() -> Rules:
    """The rules, all of them."""
    from ludolog_plugins.insect_inc import picture, rules, scoring, story, svg  # noqa: PLC0415 - see the manifest

    del picture, scoring, story, svg  # they declare themselves when they are imported
    return rules.rules


@hookimpl
def ludolog_game() -> Game:
    """Manifest."""
    return Game(
        id="insect-inc",
        title="insect inc.",
        summary="Find the insects hidden in the forest before the others do, everyone at once.",
        seats=(2, 3, 4, 5, 6),
        rules=load,
        clauses=("ludolog_plugins.insect_inc:rules.toml",),
        bot_options={"claims_window": "first-claim"},
    )
