"""Silver: a quarter of a Gold. Both are one purse, changed freely.

Source: clauses RR-016, RR-038 and RR-039 of ``rebels_and_rogues.toml``, completed by RR-R42, RR-R65 and RR-R66.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from ludolog import Event, Now, Position, Rules, Seat, Variant, hookimpl
from ludolog_plugins.dark_horse_west.goods import counter, has
from ludolog_plugins.dark_horse_west.slots import MEASURES, THINGS, Thing

__all__ = ["A_GOLD", "SILVER", "gold_in", "ludolog_variant"]

A_GOLD: Final = 4
"""Silver for one Gold (RR-038)."""

_GOLD_TOKENS: Final = 12
_SILVER_TOKENS: Final = 40
"""Tokens in the box (RR-016); limits only where supply is limited (RR-R42)."""

rules = Rules("dark-horse-west/silver", version=1)


def purse(n: int) -> str:
    """So much Silver as Gold and a rest (RR-R66): ``"2 Gold and 1 Silver"``."""
    gold, rest = divmod(n, A_GOLD)
    parts = [f"{gold} Gold"] if gold else []
    return " and ".join([*parts, f"{rest} Silver"] if rest or not gold else parts)


SILVER: Final = replace(counter("Silver", "silver", _SILVER_TOKENS + A_GOLD * _GOLD_TOKENS), told=purse)
"""The purse, counted in Silver (RR-R66). As it is one purse, nothing has to be changed before paying (RR-039)."""


def gold_in(position: Position, seat: Seat) -> int:
    """Full Gold in the purse of a seat; the rest of 0 to 3 Silver scores nothing (RR-R66)."""
    return has(position, seat, "silver") // A_GOLD


def gain_gold(now: Now, seat: Seat, n: int) -> Iterator[Event]:
    """Gold comes into the purse as four Silver each (RR-038)."""
    return SILVER.gain(now, seat, A_GOLD * n)


def lose_gold(now: Now, seat: Seat, n: int) -> Iterator[Event]:
    """Gold is paid with four Silver each (RR-039)."""
    return SILVER.lose(now, seat, A_GOLD * min(n, gold_in(now.position, seat)))


rules.add(THINGS, "silver", SILVER, cites="RR-016")
rules.replace(
    THINGS,
    "gold",
    Thing(title="Gold", gain=gain_gold, lose=lose_gold, count=gold_in, made_of=("silver", A_GOLD)),
    cites="RR-038",
)
rules.replace(MEASURES, "gold", gold_in, cites="RR-R66")


def load() -> Rules:
    """The rules."""
    return rules


@hookimpl
def ludolog_variant() -> Variant:
    """Manifest."""
    return Variant(
        id="dark-horse-west/silver",
        title="Silver",
        summary="A quarter of a Gold, freely changed both ways.",
        rules=load,
        clauses=("ludolog_plugins.dark_horse_west:rebels_and_rogues.toml",),
    )
