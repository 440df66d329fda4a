"""Counts and forest cards, from ``rules.toml``."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

import msgspec

from ludolog_plugins.insect_inc.forest import ForestCard, read_forest

__all__ = ["FOREST", "PILE", "TARGETS"]


class _Setup(msgspec.Struct):
    pile: int


class _Data(msgspec.Struct):
    setup: _Setup
    targets: dict[int, int]


_TEXT: Final = files("ludolog_plugins.insect_inc").joinpath("rules.toml").read_text("utf-8")
_DATA: Final = msgspec.toml.decode(_TEXT, type=_Data, strict=False)

PILE: Final = _DATA.setup.pile
"""How many insect cards are the draw pile; the others leave the game (II-13, II-14)."""

TARGETS: Final[dict[str | int, int]] = dict[str | int, int](_DATA.targets.items())
"""How many insects end the game, by the number of players (II-49 to II-51)."""

FOREST: Final[tuple[ForestCard, ...]] = read_forest(_TEXT)
"""The forest cards as constructed (II-R2)."""
