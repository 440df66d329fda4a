"""Dark is the Night: a Hunter by her fire, and a Monster that nobody sees moving in the dark around it.

Game by Zach Abbott, Arwen Boyer and Josh Estill. The rules here are our own words for it; ``rules.toml`` holds them
clause by clause (``DN-01`` and so on), with the board, the rulings and the options.

The shape of a game of hidden movement, file by file:

* ``events``: what is told to whom. Where the Monster goes is told to its own seat alone (``Private``); what it has to
  announce is an event of its own, told to all, and so is silence (``AllQuiet``).
* ``state``: what is hidden (the dial) beside what everyone can deduce (the clues), which only told facts change.
* ``deduction``: the spaces and the worlds that fit the clues; bots draw from them.
* ``rules``: commands become events. A refusal, and the number of told events, never depend on the dial but by an
  announcement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludolog import Game, hookimpl

if TYPE_CHECKING:
    from ludolog import Position, Rules

__all__ = ["load", "ludolog_game", "possible_spaces"]


def load() -> Rules:
    """The rules."""
    from ludolog_plugins.dark_is_the_night.rules import rules  # noqa: PLC0415 - the manifest loads without them

    return rules


def possible_spaces(view: Position) -> tuple[int, ...]:
    """Dark spaces that the Monster may be on, as far as whoever sees ``view`` was told; in ascending order.

    Empty before the Monster has chosen its start. In the Monster's own view, and in a full position, it is the one
    space it is on; :func:`.deduction.deduced_spaces` gives what the Hunter can deduce from any of them.
    """
    from ludolog_plugins.dark_is_the_night import deduction  # noqa: PLC0415 - the manifest loads without the rules

    return deduction.possible_spaces(view)


@hookimpl
def ludolog_game() -> Game:
    """Manifest."""
    return Game(
        id="dark-is-the-night",
        title="Dark is the Night",
        summary="A Hunter by her fire, and a Monster that moves unseen in the dark around it.",
        seats=(2,),
        rules=load,
        clauses=("ludolog_plugins.dark_is_the_night:rules.toml",),
        bot_options={"turn_cap": 200},
    )
