"""The conformance kit, for every option that changes what is told."""

from __future__ import annotations

from ludolog import Position
from ludolog.testing import conformance
from ludolog_plugins.dark_is_the_night.data import DARK, INNER
from ludolog_plugins.dark_is_the_night.state import Camp, Dark, Night

GAME = "dark-is-the-night"

ANNOUNCED = tuple(
    f"{GAME}/{name}"
    for name in (
        "all-quiet",
        "bell-rang",
        "bolt-shot.hit",
        "distance-told",
        "feint-declared",
        "monster-attacked",
        "monster-seen",
        "monster-torn",
        "path-revealed",
        "side-told",
        "space-stabbed.hit",
    )
)
"""All by which something of the Monster's place becomes known; whatever else would tell of it is a leak."""


def the_board_is_whole(position: Position) -> None:
    night, camp, dark = position[Night], position[Camp], position[Dark]
    assert len(dark.path) == len(dark.clues)
    if not dark.path:
        assert (dark.dial, night.turn) == (0, 0)
        return
    assert dark.dial == dark.path[-1]
    assert set(dark.path) <= set(DARK)
    assert all(space in clue.spaces for space, clue in zip(dark.path, dark.clues, strict=True))
    assert (camp.space in INNER) == (night.turn > 0)
    assert (night.left >= 0) == (not camp.items and night.stage != "torn") or position.over


test_default = conformance(GAME, options={"turn_cap": 60}, games=2, reveals=ANNOUNCED, invariants=(the_board_is_whole,))
test_other_options = conformance(
    GAME,
    options={
        "first_seat": "monster",
        "near_bolt": "refused",
        "fire_shot": "hunter-chooses",
        "feint_path": "end-only",
        "light_on_monster": "later-steps-only",
        "countdown_unit": "round",
        "countdown_length": 2,
        "turn_cap": 40,
    },
    games=1,
    reveals=ANNOUNCED,
    invariants=(the_board_is_whole,),
)
