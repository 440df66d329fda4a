"""Golden Spike: joined rails win a spike and cost the own one."""

from __future__ import annotations

import pytest

from dark_horse_west.variants.scenes import after, asked, goods, links, pieces, points, scene
from dark_horse_west.west import NAMES, west
from ludolog import Chance
from ludolog_plugins.dark_horse_west.conserved import lost_or_doubled
from ludolog_plugins.dark_horse_west.golden_spike import SpikeDiscarded, Spikes, SpikeTaken
from ludolog_plugins.dark_horse_west.slots import MEASURES, PANEL_LINES
from ludolog_plugins.dark_horse_west.state import Task

FREE_LINK = Task(kind="free-links", seat="ann", n=1)


def railways(**options: object):
    """Ann's rails end at (0,-1), Bob's at (0,1) and Cem's at (1,0): each one link away from the middle."""
    position = scene("golden-spike", **options)
    return links(position, ann=((0, -2), (0, -1)), bob=((0, 0), (0, 1)), cem=((2, -1), (1, 0)))


def joined(position, link: str):
    decision = position.ruleset.decide(
        position, "ann", next(c for c in position.ruleset.legal(position, "ann") if c.option == link), Chance(b"k" * 32)
    )
    spikes = tuple(event for event in decision.events if isinstance(event, SpikeTaken | SpikeDiscarded))
    return spikes, decision.position


@pytest.mark.rule("RR-017")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everybody_begins_with_the_own_spike(seats: int) -> None:
    position = scene("golden-spike", seats=seats)
    lines = position.slot(PANEL_LINES)["spikes"]
    assert [lines(position, seat) for seat in position.seats] == [
        f"holds the Golden Spike of {seat}" for seat in NAMES[:seats]
    ]
    assert sum(points(position, seat, "RR-187") for seat in position.seats) == 0


@pytest.mark.rule("RR-185", "RR-186", "RR-187", "RR-R32")
def test_joining_rails(  # RR-E43
) -> None:
    spikes, position = joined(asked(railways(), FREE_LINK), "link 0,-1 0,0")
    assert spikes == (SpikeTaken(seat="ann", of="bob"), SpikeDiscarded(seat="ann"))
    assert position[Spikes] == Spikes(won=(("ann", "bob"),), gone=("ann",))
    assert points(position, "ann", "RR-187") == 2
    assert position.slot(MEASURES)["spikes"](position, "ann") == 1
    assert points(position, "bob", "RR-187") == 0
    assert position.slot(PANEL_LINES)["spikes"](position, "bob") == ""
    assert lost_or_doubled(position) == ()


@pytest.mark.rule("RR-R32")
def test_rails_that_do_not_meet_win_nothing_and_own_rails_are_no_opponents() -> None:
    spikes, position = joined(asked(railways(), FREE_LINK), "link -1,-1 0,-2")
    assert spikes == ()
    assert position[Spikes] == Spikes()


@pytest.mark.rule("RR-185", "RR-R32")
def test_a_build_that_meets_two_opponents_wins_both_spikes() -> None:
    position = links(railways(), cem=((1, 0), (0, 0)))
    spikes, position = joined(asked(position, FREE_LINK), "link 0,-1 0,0")
    assert spikes == (SpikeTaken(seat="ann", of="bob"), SpikeTaken(seat="ann", of="cem"), SpikeDiscarded(seat="ann"))
    assert points(position, "ann", "RR-187") == 4


@pytest.mark.rule("RR-186", "RR-R32")
@pytest.mark.parametrize(("option", "gone"), [("always", ("bob", "ann")), ("when-received", ("bob",))])
def test_an_opponent_without_a_spike_gives_none_and_the_own_one_goes_all_the_same(option: str, gone: object) -> None:
    position = railways(spike_discard=option).having(Spikes(gone=("bob",)))
    _, position = joined(asked(position, FREE_LINK), "link 0,-1 0,0")
    assert position[Spikes] == Spikes(won=(), gone=gone)


@pytest.mark.rule("RR-186")
def test_the_own_spike_is_discarded_only_once_and_a_won_one_stays() -> None:
    position = asked(railways(), Task(kind="free-links", seat="ann", n=2))
    position = after(position, ("ann", "link 0,-1 0,0"), ("ann", "link -1,0 0,0"))
    assert position[Spikes] == Spikes(won=(("ann", "bob"),), gone=("ann",))
    won_from_ann = railways().having(Spikes(won=(("cem", "ann"),)))
    spikes, position = joined(asked(won_from_ann, FREE_LINK), "link 0,-1 0,0")
    assert spikes == (SpikeTaken(seat="ann", of="bob"),)
    assert points(position, "cem", "RR-187") == 2


@pytest.mark.rule("RR-185")
def test_links_bought_at_builder_join_rails_too() -> None:
    position = goods(pieces(railways(), "city", ann=((0, -3),)), ann={"food": 1, "wood": 3, "ore": 3})
    position = after(asked(position, Task(kind="builder", seat="ann", n=1)), ("ann", "town -1,0"))
    position = after(position, ("ann", "link 0,-1 0,0"))
    assert position[Spikes].won == (("ann", "bob"),)


def test_a_doubled_spike_is_found() -> None:
    broken = scene("golden-spike").having(Spikes(won=(("ann", "bob"),), gone=("bob",)))
    assert lost_or_doubled(broken) == ("The spikes of ['bob', 'bob'] are doubled.",)
    assert "golden-spike" in west("golden-spike").id
