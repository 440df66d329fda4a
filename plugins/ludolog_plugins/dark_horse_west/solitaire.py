"""Solitaire: one player against the Gunslinger, in twenty turns, for a rank of one's own.

Source: clauses DW-001 and DW-128 of ``rules.toml``, completed by DW-R51.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec.structs import replace

from ludolog import Options, Outcome, Position, Rules, Seat, Variant, hookimpl
from ludolog_plugins.dark_horse_west.slots import END_TRIGGERS, RESULTS, EndTrigger
from ludolog_plugins.dark_horse_west.state import Turn

__all__ = ["RANKS", "SolitaireOptions", "ludolog_variant", "rank_of"]

RANKS: Final = ((26, "Legend"), (22, "Baron"), (19, "Rancher"), (15, "Settler"))
"""Fewest points of each rank, the best first (DW-R51)."""

LOWEST: Final = "Greenhorn"


class SolitaireOptions(Options, frozen=True):
    """What a table may settle in its own way (DW-R51)."""

    solo_turns: Literal[15, 20] = 20


rules = Rules("dark-horse-west/solitaire", version=1, options=SolitaireOptions)


def turns_over(position: Position) -> tuple[Seat, ...]:
    """The seat, once the last of its turns has begun, which is played to its end (DW-R51)."""
    return position.seats if position[Turn].number >= position.options(SolitaireOptions).solo_turns else ()


def rank_of(points: int) -> str:
    """The rank that so many points earn (DW-R51)."""
    return next((rank for least, rank in RANKS if points >= least), LOWEST)


def ranked(_position: Position, outcome: Outcome) -> Outcome:
    """There is nobody to beat: points give a rank (DW-R51)."""
    (sheet,) = outcome.scores
    sentence = f"{sheet.seat} ends as a {rank_of(sheet.total)} with {sheet.total} points."
    return replace(outcome, sentence=sentence)


rules.add(
    END_TRIGGERS,
    "solo-turns",
    EndTrigger(met=turns_over, sentence="The last turn of the solitaire game is over.", cites="DW-R51"),
    cites="DW-R51",
)
rules.add(RESULTS, "rank", ranked, cites="DW-R51")


def load() -> Rules:
    """The rules."""
    return rules


@hookimpl
def ludolog_variant() -> Variant:
    """Manifest (DW-128)."""
    return Variant(
        id="dark-horse-west/solitaire",
        title="Solitaire",
        summary="One player against the Gunslinger, twenty turns, and a rank at the end.",
        rules=load,
        requires=("gunslinger",),
        conflicts=("five-player",),
        seats=(1,),
    )
