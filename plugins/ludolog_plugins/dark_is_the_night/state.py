"""The options, and the three slices of the position: whose turn it is, the camp, and the dark around it."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from ludolog import Options, Rules, Seat, State

__all__ = ["Camp", "Clue", "Dark", "Deed", "How", "Night", "NightOptions", "Part", "Stage", "rules"]


class NightOptions(Options, frozen=True):
    """Options of the game; ``rules.toml`` says what each means.

    ``first_seat`` is the side that the seat named first takes (DN-09). A ``turn_cap`` of 0 is none.
    """

    first_seat: Literal["hunter", "monster"] = "hunter"
    near_bolt: Literal["allowed", "refused"] = "allowed"
    fire_shot: Literal["flaming", "hunter-chooses"] = "flaming"
    feint_path: Literal["each-step", "end-only"] = "each-step"
    light_on_monster: Literal["told", "later-steps-only"] = "told"
    countdown_unit: Literal["turn", "round"] = "turn"
    countdown_length: Annotated[int, msgspec.Meta(ge=1)] = 5
    turn_cap: Annotated[int, msgspec.Meta(ge=0)] = 0


rules: Final = Rules("dark-is-the-night", options=NightOptions)

Stage: TypeAlias = Literal["hide", "place", "move", "action", "torn"]
"""What is waited for: the Monster's start, the Hunter's start, a move, an action, the Monster's way to the mutton."""

Deed: TypeAlias = Literal["", "move", "attack", "token", "feint"]

Part: TypeAlias = Literal["whole", "first", "second"]
"""A feint is one movement, or two halves where each step is told."""

How: TypeAlias = Literal["start", "move", "drawn", "feint-whole", "feint-first", "feint-second"]
"""How the dial came to be set; ``deduction.STEPS`` says where each leads."""


@rules.state
class Night(State, frozen=True):
    """Who is who, and whose turn it is.

    ``turn`` counts the turns of both sides from 1, odd ones are the Hunter's; it is 0 before. ``deed`` is the last
    thing done in the turn, or in the one that has just ended. ``left`` is how many turns are left until sunrise, -1
    as long as no limit has started.
    """

    hunter: Seat = ""
    monster: Seat = ""
    turn: int = 0
    stage: Stage = "hide"
    deed: Deed = ""
    left: int = -1


@rules.state
class Camp(State, frozen=True):
    """The Hunter's space (``""`` before she has chosen) and the items that she still has."""

    space: str = ""
    items: tuple[str, ...] = ()


class Clue(msgspec.Struct, frozen=True):
    """What everyone knows of one setting of the Monster's dial.

    ``how`` it came about, ``about`` which space (the mutton's, or the one where a feint began; 0 for none), and the
    ``spaces`` that are possible by all that had been told when it was set anew, in ascending order.
    """

    how: How
    about: int
    spaces: tuple[int, ...]


@rules.state
class Dark(State, frozen=True):
    """What lies beyond the light of the fire.

    ``dial`` is the Monster's space (0 before it has chosen), ``path`` all settings of the dial in order; both are
    ``None`` in a view where they were not told. ``clues`` go with ``path`` one to one, and come from told facts alone.
    ``trap`` and ``mutton`` are the spaces they lie on, 0 for none.
    """

    dial: int | None = 0
    path: tuple[int | None, ...] = ()
    clues: tuple[Clue, ...] = ()
    lit: tuple[int, ...] = ()
    trap: int = 0
    mutton: int = 0
    tokens: tuple[str, ...] = ()

    @property
    def watched(self) -> tuple[int, ...]:
        """Spaces that tell of a Monster that steps there: lit ones, and the trap's."""
        return tuple(sorted({*self.lit, self.trap} - {0}))
