"""The fifth player."""

from __future__ import annotations

import pytest

from dark_horse_west.west import NAMES, begun, walk, west
from ludolog.errors import BadSeats
from ludolog_plugins.dark_horse_west.building import pieces_left
from ludolog_plugins.dark_horse_west.conserved import lost_or_doubled
from ludolog_plugins.dark_horse_west.slots import COLOURS, START


@pytest.mark.rule("RR-250", "RR-258", "RR-294", "RR-R51")
def test_five_can_play_with_a_fifth_set_of_pieces():
    position = begun(west("five-player"), 5)
    assert position.seats == NAMES
    assert len(set(position.slot(COLOURS).values())) == 5
    kit = position.slot(START)["start"]
    assert pieces_left(position, "eve", "town") == kit.towns
    with pytest.raises(BadSeats):
        west().check_seats(NAMES)


@pytest.mark.rule("RR-R51")
def test_all_other_numbers_stay():
    with_fifth, base = begun(west("five-player"), 4), begun(west(), 4)
    assert with_fifth.slot(START)["start"] == base.slot(START)["start"]
    for number, (position, _, _) in enumerate(walk(west("five-player"), 5)):
        assert lost_or_doubled(position) == ()
        if number > 300:
            return
