"""Gunslinger: a neutral figure rolls two dice each turn and keeps everybody off the sites they name.

Source: clauses DW-050 and DW-127 of ``rules.toml``, completed by DW-R50.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ludolog import Event, Now, Position, Refusal, Rules, Seat, Variant, hookimpl
from ludolog_plugins.dark_horse_west.events import DiceAdded
from ludolog_plugins.dark_horse_west.reasons import no
from ludolog_plugins.dark_horse_west.slots import CLAIM_FILTERS, DIE_KINDS, PHASES, SITES, DieKind
from ludolog_plugins.dark_horse_west.state import Dice, Die
from ludolog_plugins.dark_horse_west.story import dice_added

__all__ = ["NOBODY", "blocked_numbers", "ludolog_variant"]

NOBODY: Final = ""
"""The Gunslinger has no seat: he owns nothing and scores nothing (DW-R50)."""

KIND: Final = "gunslinger"
COUNT: Final = 2
BLOCKS: Final = ("Limited", "Restricted")
"""Kinds of sites that he blocks; Reserved and Unlimited ones stay open (DW-R50)."""

rules = Rules("dark-horse-west/gunslinger", version=1)


def ride(now: Now) -> Iterator[Event]:
    """He rolls two dice after the players rolled: the thirteenth die and one of an unused colour (DW-R50)."""
    sides = now.slot(DIE_KINDS)[KIND].sides
    rolled = tuple(now.chance.roll(sides) for _ in range(COUNT))
    yield DiceAdded(dice=tuple(Die(seat=NOBODY, kind=KIND, value=value, at=KIND, fixed=True) for value in rolled))


def blocked_numbers(position: Position) -> tuple[int, ...]:
    """The numbers that are blocked this turn: each of his dice, and their sum."""
    values = [die.value for die in position[Dice].dice if die.kind == KIND]
    return tuple(dict.fromkeys((*values, sum(values)))) if values else ()


def out_of_reach(position: Position, _seat: Seat, site: str) -> Refusal | None:
    """Nobody claims a Limited or Restricted site whose number he rolled (DW-R50)."""
    entry = position.slot(SITES)[site]
    met = [value for value in entry.need.values if value in blocked_numbers(position)]
    if entry.limit not in BLOCKS or not met:
        return None
    sentence = f"The Gunslinger rolled {met[0]} and keeps everybody off {entry.name} this turn."
    return no("gunslinger", sentence, "DW-R50", site=site, blocked=blocked_numbers(position))


rules.add(DIE_KINDS, KIND, DieKind(title="die of the Gunslinger", alone=True), cites="DW-R50")
rules.add(PHASES, KIND, ride, cites="DW-R50", before="placement")
rules.add(CLAIM_FILTERS, KIND, out_of_reach, cites="DW-R50")


@rules.sentence
def _rolled(position: Position, event: DiceAdded) -> str:
    if any(die.kind != KIND for die in event.dice):
        return dice_added(position, event)
    return f"The Gunslinger rolls {' and '.join(str(die.value) for die in event.dice)}."


def load() -> Rules:
    """The rules."""
    return rules


@hookimpl
def ludolog_variant() -> Variant:
    """Manifest (DW-127)."""
    return Variant(
        id="dark-horse-west/gunslinger",
        title="Gunslinger",
        summary="A neutral figure blocks numbered sites each turn; for two players.",
        rules=load,
        conflicts=("five-player",),
        seats=(2,),
    )
