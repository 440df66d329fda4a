"""The options of the western game, by the names that its rulings give them."""

from __future__ import annotations

from typing import Final, Literal

from ludolog import Options

__all__ = ["WestOptions"]

_TRACK_END: Final = 11


class WestOptions(Options, frozen=True):
    """How a table plays where the rulings leave a choice; the defaults are the rulings.

    ``data`` names a TOML file with an owner's numbers and cards, see :mod:`ludolog_plugins.dark_horse_west.own_data`.
    """

    characters: bool = True
    start_towns: Literal["adjacent", "one-face-up"] = "adjacent"
    later_city_gap: Literal[1, 2] = 1
    rails_at_builder: bool = True
    work_crew_bonus: Literal[0, 1] = 1
    politics_max: Literal[1, 2] = 2
    deputy_die: Literal["extra-die", "second-claim"] = "extra-die"
    tycoon_need: Literal["13+", "any die"] = "13+"
    market_rate: Literal[2, 3] = 3
    pass_gain: Literal[0, 1] = 1
    roll_time: Literal["together", "own-turn"] = "together"
    jail_floor: Literal[0, 1] = 1
    hand_limit: Literal[0, 5] = 0
    event_steps: tuple[int, ...] = (3, 6, 9)
    limited_supply: bool = False
    gold_points: Literal[0, 1] = 1
    tie_break: Literal["influence-gold", "turn-order"] = "influence-gold"
    turn_limit: Literal[0, 100] = 100
    first_city_gap: Literal[1, 2] = 2
    start_order: Literal["random", "given"] = "random"
    builder_max: Literal[1, 2] = 1
    data: str = ""

    def __post_init__(self) -> None:
        """The Event marker goes forward: its steps lie on the Influence track before its end, each after the last."""
        steps = self.event_steps
        if list(steps) != sorted(set(steps)) or not all(0 < step < _TRACK_END for step in steps):
            msg = f"event_steps are places 1 to {_TRACK_END - 1} of the Influence track, each once and in order"
            raise ValueError(msg)
