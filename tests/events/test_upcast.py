"""Upcasters: old stored events become today's, by version, whatever the order of registration."""

import itertools

import pytest

from ludolog_events import InvalidType, upcast

STEPS = {
    "toy/rose": lambda event: [{**event, "type": "toy/rose@2", "by": event.pop("up")} | {"up": None}],
    "toy/rose@2": lambda event: [{"type": "toy/rose@3", "by": event["by"], "why": ""}],
}
KNOWN = {"toy/rose@3": object, "toy/fell": object}


def test_a_chain_is_followed_to_its_end_in_any_order_of_registration():
    """S26: order is by version, since each step names the tag it starts from."""
    for order in itertools.permutations(STEPS.items()):
        assert upcast({"type": "toy/rose", "up": 4}, KNOWN, dict(order)) == (
            {"type": "toy/rose@3", "by": 4, "why": ""},
        )
        assert upcast({"type": "toy/rose@2", "by": 4}, KNOWN, dict(order)) == (
            {"type": "toy/rose@3", "by": 4, "why": ""},
        )


def test_what_is_of_today_stays_as_it_is():
    event = {"type": "toy/rose@3", "by": 4, "why": ""}
    assert upcast(event, KNOWN, STEPS) == (event,)


def test_an_event_can_be_split_and_dropped():
    """S26: parts keep their order, and each goes on to its own end."""
    splitting = {
        "toy/moved": lambda event: [
            {"type": "toy/rose@2", "by": 1},
            {"type": "toy/gone"},
            {"type": "toy/fell"},
            {"type": "toy/rose@3", "by": 2, "why": "x"},
        ],
        "toy/gone": lambda event: [],
        **STEPS,
    }
    assert [found["type"] for found in upcast({"type": "toy/moved"}, KNOWN, splitting)] == [
        "toy/rose@3",
        "toy/fell",
        "toy/rose@3",
    ]
    assert upcast({"type": "toy/gone"}, KNOWN, splitting) == ()


def test_the_stored_event_is_not_changed():
    event = {"type": "toy/rose", "up": 4}
    upcast(event, KNOWN, STEPS)
    assert event == {"type": "toy/rose", "up": 4}


def test_a_missing_link_is_named():
    """S26."""
    with pytest.raises(InvalidType, match="'toy/rose' leads to 'toy/rose@2', which is neither a type of today nor"):
        upcast({"type": "toy/rose", "up": 4}, KNOWN, {"toy/rose": STEPS["toy/rose"]})


@pytest.mark.parametrize("event", [{"type": "toy/unheard-of"}, {"type": None}, {"type": ["toy/rose"]}, {}])
def test_what_nobody_knows_is_refused(event):
    with pytest.raises(InvalidType, match="neither a type of today"):
        upcast(event, KNOWN, STEPS)


def test_a_circle_comes_to_an_end():
    circle = {
        "toy/a": lambda event: [{"type": "toy/b"}],
        "toy/b": lambda event: [{"type": "toy/a"}],
    }
    with pytest.raises(InvalidType, match="do not come to an end"):
        upcast({"type": "toy/a"}, KNOWN, circle)
    with pytest.raises(InvalidType, match="do not come to an end"):
        upcast({"type": "toy/a"}, KNOWN, {"toy/a": lambda event: [{"type": "toy/a"}, {"type": "toy/a"}]})


@pytest.mark.parametrize("wrong", [lambda event: event["missing"], lambda event: None, lambda event: 1 // 0])
def test_an_upcaster_that_fails_is_named(wrong):
    with pytest.raises(InvalidType, match="upcaster of 'toy/rose' raised"):
        upcast({"type": "toy/rose"}, KNOWN, {"toy/rose": wrong})


def test_what_is_no_event_is_refused():
    for given in (["toy/fell"], [7], "toy/fell"):
        with pytest.raises(InvalidType, match="upcaster of 'toy/rose'"):
            upcast({"type": "toy/rose"}, KNOWN, {"toy/rose": lambda event, given=given: given})
