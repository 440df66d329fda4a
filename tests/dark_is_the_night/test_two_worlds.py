"""The Hunter can't tell two worlds apart, and the check that says so finds leaks that are planted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dark_is_the_night.two_worlds import campaign
from ludolog import Event, Now, refuse
from ludolog_plugins.dark_is_the_night import refusals, rules
from ludolog_plugins.dark_is_the_night.commands import Space
from ludolog_plugins.dark_is_the_night.events import AllQuiet
from ludolog_plugins.dark_is_the_night.state import Dark


def test_nothing_that_a_seat_can_obtain_differs_between_two_worlds():
    """F8, F9, F12: neither events, views, lists, refusals, undo, pictures nor sizes tell what was not told."""
    figures = campaign(24, seed=1, measured=12)
    assert figures.apart > 80
    assert figures.ended > 5
    assert figures.outputs > 10_000
    assert figures.measured == 2
    assert {"AllQuiet", "BellRang", "DistanceTold", "FeintDeclared", "PathRevealed", "Retracted"} <= figures.kinds


@pytest.mark.nightly
def test_nothing_differs_in_ten_thousand_pairs():
    figures = campaign(10_000)
    print(figures)
    assert figures.pairs == 10_000


# ---------------------------------------------------------------- planted leaks


CHECK_STAB = refusals.check_stab
TOLD_ON_ENTERING = rules._told_on_entering


def talkative_refusal(now: Now, at: Space) -> int:
    if at == "S":
        refuse("not-dark", "S is not dark.", "DN-40", near=now[Dark].dial in (7, 8, 9))
    return CHECK_STAB(now, at)


def telling_silence(now: Now) -> Iterator[Event]:
    yield from TOLD_ON_ENTERING(now)
    if now[Dark].dial == 5:
        yield AllQuiet(spaces=())


def slow_refusal(now: Now, at: Space) -> int:
    for _ in range((now[Dark].dial or 0) * 10):
        len("time")
    return CHECK_STAB(now, at)


@pytest.mark.parametrize(
    ("place", "name", "leak", "found"),
    [
        (refusals, "check_stab", talkative_refusal, "check Stab"),
        (refusals, "check_stab", slow_refusal, "calls"),
        (rules, "_told_on_entering", telling_silence, "differs"),
    ],
)
def test_a_planted_leak_is_found(monkeypatch, place, name, leak, found):
    """F41: the check itself is checked."""
    monkeypatch.setattr(place, name, leak)
    with pytest.raises(AssertionError, match=found):
        campaign(200, seed=2, measured=1 if found == "calls" else 1000)
