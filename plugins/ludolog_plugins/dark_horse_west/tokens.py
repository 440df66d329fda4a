"""Tokens that are spent by themselves: Wild Die tokens while placing, Trader tokens while collecting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ludolog import Event, Now, Position, Refusal, Seat
from ludolog_plugins.dark_horse_west.agenda import do
from ludolog_plugins.dark_horse_west.claims import used
from ludolog_plugins.dark_horse_west.dice import changeable
from ludolog_plugins.dark_horse_west.events import GoodsChanged
from ludolog_plugins.dark_horse_west.goods import RESOURCES, has
from ludolog_plugins.dark_horse_west.offers import exchanges
from ludolog_plugins.dark_horse_west.reasons import no
from ludolog_plugins.dark_horse_west.slots import TOKENS, Token, rules
from ludolog_plugins.dark_horse_west.state import Task

__all__ = ["FRESH_TRADER"]

FRESH_TRADER: Final = "received:trader"
"""Noted as used in the turn in which a Trader token is received, which is for a later window (DW-R20)."""


def _trader_token(_now: Now, seat: Seat) -> Iterator[Event]:
    yield GoodsChanged(seat=seat, changes=(("trader", -1),))
    yield do(exchanges(seat, 2, RESOURCES))


def _wild_token(_now: Now, seat: Seat) -> Iterator[Event]:
    """One own unplaced die is set to any face (DW-R24)."""
    yield GoodsChanged(seat=seat, changes=(("wild", -1),))
    yield do(Task(kind="set-die", seat=seat, source="token:wild"))


def _has_token(name: str, clause: str) -> Callable[[Position, Seat], Refusal | None]:
    def refusal(position: Position, seat: Seat) -> Refusal | None:
        if has(position, seat, name):
            return None
        return no("no-token", f"{seat} has no such token.", clause, token=name)

    return refusal


def _wild_refusal(position: Position, seat: Seat) -> Refusal | None:
    if not changeable(position, seat, "token:wild"):
        return no("no-die", f"{seat} has no unplaced die to change.", "DW-R24")
    return _has_token("wild", "DW-089")(position, seat)


def _trader_refusal(position: Position, seat: Seat) -> Refusal | None:
    """A Trader token is spent in a later window than the one in which it was received (DW-R20)."""
    refusal = _has_token("trader", "DW-119")(position, seat)
    if refusal is None and used(position, seat, FRESH_TRADER) and has(position, seat, "trader") == 1:
        sentence = f"{seat} received the Trader token in this window; it is for a later one."
        return no("token-too-new", sentence, "DW-R20", has=1)
    return refusal


rules.add(
    TOKENS,
    "wild",
    Token(title="Wild Die token", window="placement", refusal=_wild_refusal, use=_wild_token, cites="DW-R24"),
    cites="DW-089",
)
rules.add(
    TOKENS,
    "trader",
    Token(
        title="Trader token",
        window="collection",
        refusal=_trader_refusal,
        use=_trader_token,
        cites="DW-R20",
    ),
    cites="DW-119",
)
