"""Misère: whoever completes a line loses."""

from __future__ import annotations

from ludolog import Rules, Variant, hookimpl
from tic_tac_toe import LINE_WINS

rules = Rules("tic-tac-toe/misere")
rules.replace(LINE_WINS, "line", False, cites="TTT-M1")  # noqa: FBT003 - the slot's entry is a yes or no


def load() -> Rules:
    """The rules."""
    return rules


@hookimpl
def ludolog_variant() -> Variant:
    """Manifest."""
    return Variant(id="tic-tac-toe/misere", title="Misère", summary="Whoever completes a line loses.", rules=load)
