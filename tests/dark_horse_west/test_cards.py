"""Every card of the base decks: 21 Action cards, 6 Events, 7 characters; drawing, playing and windows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import pytest

from dark_horse_west.scenes import ANN, BOB, CEM, Scene, scene
from dark_horse_west.west import begun, west
from ludolog import Position
from ludolog_events import told
from ludolog_plugins.dark_horse_west.abilities import offer_refusal
from ludolog_plugins.dark_horse_west.cards import cards_in_play
from ludolog_plugins.dark_horse_west.commands import ClaimSite, PlayCard, UseAbility
from ludolog_plugins.dark_horse_west.data import BASE_DECKS, cards_of
from ludolog_plugins.dark_horse_west.events import (
    DeckReady,
    EventDrawn,
    HandSeen,
    MarkerMoved,
    PlayedDiscarded,
    SiteClosed,
)
from ludolog_plugins.dark_horse_west.offers import cost
from ludolog_plugins.dark_horse_west.options import WestOptions
from ludolog_plugins.dark_horse_west.slots import DECKS, OPS
from ludolog_plugins.dark_horse_west.state import (
    Agenda,
    Board,
    Cards,
    Claim,
    Claims,
    Closing,
    Dice,
    Fronts,
    Pile,
    Task,
    Turn,
)
from ludolog_plugins.dark_horse_west.vocabulary import Effect

CITY = (3, -3)
WOODEN = {"towns": {ANN: ((3, -4), (4, -3))}, "tiles": {(3, -4): "wood", (4, -3): "wood"}}


class Case(NamedTuple):
    """A card, what lies there before, the answers it asks for, and what Ann and Bob have then."""

    card: str
    answers: Sequence[str] = ()
    ann: Mapping[str, int] = {}
    bob: Mapping[str, int] = {}
    before: Mapping[str, object] = {}
    check: Callable[[Scene], object] = lambda _given: True


def links(given: Scene) -> int:
    return len(given.position[Board].links)


COLLECT = (
    Case("AC-01", ann={"food": 3}),
    Case("AC-02", ann={"wood": 3}),
    Case("AC-03", ann={"ore": 3}),
    Case("AC-04", ann={"food": 1, "wood": 1, "ore": 1}),
    Case("AC-05", ("link 2,-2 3,-3", "link 1,-2 2,-2"), check=lambda given: links(given) == 2),
    Case("AC-06", ("link 2,-2 3,-3", "ore"), {"ore": 1}, check=lambda given: links(given) == 1),
    Case("AC-10", ("food",), {"bonus-die": 1, "food": 1}),
    Case("AC-11", ann={"influence": 1, "food": 0}, before={"goods": {ANN: {"food": 1}}}),
    Case("AC-12", ann={"influence": 2, "gold": 0}, before={"goods": {ANN: {"gold": 1}}}),
    Case(
        "AC-13",
        ("wood",),
        {"wood": 1},
        before={"order": (BOB, ANN, CEM)},
        check=lambda given: given.position[Turn].track == (ANN, BOB, CEM),
    ),
    Case("AC-14", (BOB, "ore"), {"ore": 1}, check=lambda given: given.position[Turn].track == (ANN, CEM, BOB)),
    Case("AC-15", (BOB,), {"food": 2}, {"food": 1}, {"goods": {BOB: {"food": 3}}}),
    Case("AC-16", (BOB, "food+wood"), {"food": 1, "wood": 1}, {"food": 1}, {"goods": {BOB: {"food": 2, "wood": 1}}}),
    Case("AC-17", (BOB,), bob={"jail": 1}),
    Case(
        "AC-18",
        ("politics",),
        check=lambda given: given.position[Claims].closed == (Closing("politics", 6, ANN),),
    ),
    Case("AC-19", ("food+food",), {"gold": 1, "food": 0, "wood": 1}, before={"goods": {ANN: {"food": 2, "wood": 1}}}),
    Case("AC-20", ("wood",), {"wood": 2}, before={"cities": {ANN: (CITY,)}, **WOODEN}),
    Case("AC-21", ("1",), {"engineer": 1, "wild": 0}),
    Case("AC-21", ("2",), {"engineer": 0, "wild": 1}),
)


@pytest.mark.parametrize("case", COLLECT, ids=lambda case: "-".join((case.card, *case.answers[:1])))
@pytest.mark.rule("DW-R42", "DW-113", "DW-114", "DW-116", "DW-023", "DW-R41")
def test_each_action_card_of_the_collection_window(case):
    before = {"cities": {ANN: (CITY,)}, **case.before}
    given = scene(window="collection", hands={ANN: (case.card,)}, **before)
    refusal = scene(window="placement", hands={ANN: (case.card,)}, **before).refused(PlayCard(card=case.card))
    assert (refusal.code, refusal.clause) == ("wrong-moment", "DW-116")
    given.card(case.card).choose(*case.answers)
    for seat, wanted in ((ANN, case.ann), (BOB, case.bob)):
        assert {what: given.has(seat, what) for what in wanted} == wanted
    assert case.check(given)
    assert given.hand(ANN) == ()
    assert given.position[Cards].piles[0].discards == (case.card,)
    assert given.waits_for == "collection"


@pytest.mark.parametrize(
    ("card", "answer", "values"),
    [("AC-07", "0=6", (6, 4)), ("AC-08", "1=6", (2, 6)), ("AC-08", "0=1", (1, 4))],
)
@pytest.mark.rule("DW-R42", "DW-116", "DW-R57")
def test_the_action_cards_that_change_a_die(card, answer, values):
    given = scene(dice={ANN: (2, 4)}, hands={ANN: (card,)}).card(card)
    assert given.not_an_option("1=0").code == "no-such-change"
    given.choose(answer)
    assert tuple(die.value for die in given.position[Dice].dice) == values
    assert not given.position[Dice].dice[int(answer[0])].natural


@pytest.mark.rule("DW-R42", "DW-R57", "DW-116")
def test_second_throw_rolls_up_to_three_dice_again():
    given = scene(dice={ANN: (2, 4, 5, 6)}, hands={ANN: ("AC-09",)}).card("AC-09")
    assert max(option.count("+") for option in given.options) == 2
    given.choose("0+3")
    dice = given.position[Dice].dice
    assert [die.natural for die in dice] == [False, True, True, False]
    assert [die.steps[0] for die in dice if die.steps] == [("card:AC-09", 2), ("card:AC-09", 6)]


@pytest.mark.rule("DW-R42", "DW-R25")
def test_private_contract_closes_a_site_to_all_others():
    given = scene(2, window="collection", seat=BOB, hands={BOB: ("AC-18",)}, options={"pass_gain": 0})
    given.card("AC-18")
    assert "work-crew" not in given.options  # Reserved
    given.choose("politics").finish()
    assert given.position[Turn].number == 6
    assert given.actor == ANN
    dice = tuple(die.__class__(seat=die.seat, kind="own", value=3) for die in given.position[Dice].dice)
    given.position = given.position.having(Dice(dice=dice))
    refusal = given.refused(ClaimSite(site="politics", dice=(0,)))
    assert (refusal.code, refusal.clause, refusal.facts) == ("site-closed", "DW-R42", {"site": "politics"})
    given.finish()
    assert "politics" in given.sites


# ------------------------------------------------------------ shields, windows, limits


@pytest.mark.rule("DW-095", "DW-117", "DW-R27", "DW-094")
@pytest.mark.parametrize("card", ["AC-14", "AC-15", "AC-16", "AC-17"])
def test_marked_cards_are_not_aimed_at_the_sheriff(card):
    goods = {BOB: {"food": 2}, CEM: {"food": 2}}
    given = scene(3, window="collection", roles={"sheriff": CEM}, hands={ANN: (card,)}, goods=goods)
    # Bob alone is left, so the card is aimed at him.
    given.card(card)
    assert given.has(CEM, "food", "jail") == (2, 0)
    assert given.waits_for != "choose-opponent"
    given = scene(4, window="collection", roles={"sheriff": CEM}, hands={ANN: (card,)}).card(card)
    refusal = given.not_an_option(CEM)
    assert (refusal.code, refusal.clause, refusal.facts) == ("shielded", "DW-095", {"seat": CEM})
    assert given.not_an_option(ANN).code == "no-opponent"


@pytest.mark.rule("DW-117")
def test_which_cards_bear_the_mark():
    assert {card.id for card in cards_of("action") if card.mark} == {"AC-14", "AC-15", "AC-16", "AC-17"}


@pytest.mark.rule("DW-063", "DW-R59", "DW-114")
def test_one_action_card_a_turn():
    given = scene(window="collection", hands={ANN: ("AC-01", "AC-02")}).card("AC-01")
    refusal = given.refused(PlayCard(card="AC-02"))
    assert (refusal.code, refusal.clause, refusal.facts) == ("one-card", "DW-063", {"deck": "action"})
    assert any(isinstance(event, PlayedDiscarded) for event in given.told)


@pytest.mark.rule("DW-113", "DW-116", "DW-064", "DW-R60")
def test_why_a_card_cannot_be_played():
    given = scene(window="collection", hands={ANN: ("AC-07", "AC-12"), BOB: ("AC-01",)})
    refusal = given.refused(PlayCard(card="AC-01"))
    assert (refusal.code, refusal.clause, refusal.facts) == ("not-in-hand", "DW-113", {"card": "AC-01"})
    assert given.refused(PlayCard(card="AC-99")).code == "not-in-hand"
    assert given.refused(PlayCard(card="AC-07")).clause == "DW-116"
    refusal = given.refused(PlayCard(card="AC-12"))
    assert (refusal.code, refusal.clause, refusal.facts) == (
        "cannot-pay",
        "DW-064",
        {"what": "gold", "needs": 1, "has": 0},
    )


@pytest.mark.rule("DW-115", "DW-074")
def test_a_used_up_deck_is_made_of_its_shuffled_discards():
    given = scene(window="collection", claims=(Claim(seat=ANN, site="pioneer", dice=(0,)),), dice={ANN: (1,)})
    cards = given.position[Cards]
    action = next(pile for pile in cards.piles if pile.deck == "action").pile
    piles = (Pile("action", action[:1], action[1:]), *cards.piles[1:])
    given.position = given.position.having(Cards(piles=piles, hands=cards.hands))
    given.collect("pioneer")
    ready = [event for event in given.told if isinstance(event, DeckReady)]
    assert [sorted(event.cards) for event in ready] == [sorted(action[1:])]
    assert len(given.hand(ANN)) == 2


@pytest.mark.rule("DW-113", "DW-R39")
def test_hands_are_hidden():
    given = scene(2, window="collection", claims=(Claim(seat=ANN, site="pioneer", dice=(0,)),), dice={ANN: (1,)})
    view = Position(given.ruleset, dict(given.position.slices), BOB, is_view=True)
    given.collect("pioneer")
    known = given.ruleset.fold(view, given.told, BOB)
    assert dict(known[Cards].hands)[ANN] != dict(given.position[Cards].hands)[ANN]
    assert [card.card for card in dict(known[Cards].hands)[ANN]] == [None, None]


@pytest.mark.rule("DW-113")
def test_a_look_at_a_hand_is_told_to_the_looker_alone():
    """No base card looks at a hand; the operation is there for those that do."""
    given = scene(2, window="collection", hands={BOB: ("AC-03",)})
    look = Task(kind="effects", seat=ANN, effects=(Effect(op="peek", who="each-opponent"),))
    stack = given.position[Agenda].stack
    given.position = given.position.having(Agenda(stack=(*stack[:-1], look, stack[-1])))
    given.finish()
    seen = next(event for event in given.told if isinstance(event, HandSeen))
    assert (seen.seat, seen.of, seen.cards) == (ANN, BOB, ("AC-03",))
    assert told(seen, BOB).cards == (None,)


# ------------------------------------------------------------ Events


def with_event(card: str, **more: object) -> Scene:
    """Ann buys the influence that reaches the marker, with ``card`` on top of the Events."""
    goods = {ANN: {"influence": 2, "food": 2}, **more.pop("goods", {})}  # type: ignore[dict-item]
    claim = Claim(seat=ANN, site="politics", dice=(0,))
    given = scene(
        window="collection",
        claims=(claim,),
        dice={ANN: (3,)},
        goods=goods,
        options={"event_steps": (3, 6, 9)},
        **more,  # type: ignore[arg-type]
    )
    cards = given.position[Cards]
    others = tuple(found for found in cards_in_play(given.position, "event") if found != card)
    piles = (*(pile for pile in cards.piles if pile.deck != "event"), Pile("event", (card, *others)))
    given.position = given.position.having(Cards(piles=piles, hands=cards.hands))
    given.collect("politics").choose("buy")
    assert [event.card for event in given.told if isinstance(event, EventDrawn)] == [card]
    assert given.position[Turn].marker == 1
    return given


HELD = {BOB: {"food": 3, "wood": 1, "ore": 2}, CEM: {"wood": 5}}


@pytest.mark.parametrize(
    ("card", "bob", "cem"),
    [("EV-01", (1, 1, 2), (0, 5, 0)), ("EV-02", (3, 0, 2), (0, 3, 0)), ("EV-03", (3, 1, 0), (0, 5, 0))],
)
@pytest.mark.rule("DW-R64", "DW-R42", "DW-024", "DW-R41", "DW-R40")
def test_events_that_take_resources_take_what_is_there(card, bob, cem):
    given = with_event(card, goods=HELD)
    assert (given.resources(BOB), given.resources(CEM)) == (bob, cem)
    assert next(pile for pile in given.position[Cards].piles if pile.deck == "event").discards == (card,)


@pytest.mark.rule("DW-R64", "DW-R42")
def test_blizzard_closes_work_crew_for_a_turn():
    given = with_event("EV-04")
    assert given.position[Claims].closed == (Closing("work-crew", 6, ""),)


@pytest.mark.rule("DW-R37", "DW-R42", "DW-058")
def test_crime_wave_jails_a_die_of_everybody():
    given = with_event("EV-05")
    assert [given.has(seat, "jail") for seat in (ANN, BOB, CEM)] == [1, 1, 1]


@pytest.mark.rule("DW-R64", "DW-R61")
def test_county_fair_asks_everybody_in_turn_order():
    given = with_event("EV-06", order=(ANN, CEM, BOB))
    asked = []
    while given.waits_for == "take-resources":
        asked.append(given.actor)
        given.choose("ore")
    assert asked == [ANN, CEM, BOB]
    assert [given.has(seat, "ore") for seat in (ANN, BOB, CEM)] == [1, 1, 1]


@pytest.mark.rule("DW-R40", "DW-049", "DW-026")
def test_e13_crossing_the_event_marker():
    given = with_event("EV-01", goods={ANN: {"influence": 2, "wood": 4}})
    assert given.has(ANN, "influence") == 3
    given.choose("buy")
    assert given.has(ANN, "influence") == 4
    assert not any(isinstance(event, EventDrawn) for event in given.told)
    steps = given.position.options(WestOptions).event_steps
    assert steps[given.position[Turn].marker] == 6


@pytest.mark.rule("DW-R40", "DW-049")
@pytest.mark.parametrize(("steps", "marker"), [((3, 6, 9), 2), ((), 0)])
def test_who_passes_two_markers_sets_off_two_events(steps, marker):
    given = scene(
        window="collection",
        hands={ANN: ("AC-12",)},
        goods={ANN: {"influence": 5, "gold": 1}},
        options={"event_steps": steps},
    ).card("AC-12")
    assert given.position[Turn].marker == marker


@pytest.mark.rule("DW-R40")
def test_the_second_of_two_events_is_drawn_after_the_first_was_carried_out():
    given = scene(
        window="collection",
        hands={ANN: ("AC-12",)},
        goods={ANN: {"gold": 1}},
        options={"event_steps": (1, 2)},
    )
    cards = given.position[Cards]
    piles = (*(pile for pile in cards.piles if pile.deck != "event"), Pile("event", ("EV-04", "EV-05")))
    given.position = given.position.having(Cards(piles=piles, hands=cards.hands))
    given.card("AC-12")
    told = [event for event in given.told if isinstance(event, EventDrawn | SiteClosed | MarkerMoved)]
    assert [type(event) for event in told] == [MarkerMoved, EventDrawn, SiteClosed, MarkerMoved, EventDrawn]
    assert [event.card for event in told if isinstance(event, EventDrawn)] == ["EV-04", "EV-05"]
    assert given.has(BOB, "jail") == 1


@pytest.mark.rule("DW-R64", "DW-115")
def test_events_are_shuffled_again_when_used_up():
    given = scene(
        window="collection",
        hands={ANN: ("AC-12",)},
        goods={ANN: {"influence": 1, "gold": 1}},
        options={"event_steps": (3,)},
    )
    cards = given.position[Cards]
    events = tuple(cards_in_play(given.position, "event"))
    given.position = given.position.having(Cards(piles=(cards.piles[0], Pile("event", (), events)), hands=cards.hands))
    given.card("AC-12")
    assert sorted(next(event for event in given.told if isinstance(event, DeckReady)).cards) == sorted(events)
    assert sum(isinstance(event, EventDrawn) for event in given.told) == 1


# ------------------------------------------------------------ characters


def playing(card: str, **more: object) -> Scene:
    """Ann has the character."""
    options = {"characters": True, **more.pop("options", {})}  # type: ignore[dict-item]
    return scene(fronts={ANN: (card,)}, options=options, **{"window": "collection", **more})  # type: ignore[arg-type]


def collected(card: str, site: str, **more: object) -> Scene:
    return playing(card, claims=(Claim(seat=ANN, site=site, dice=(0,)),), dice={ANN: (1,)}, **more).collect(site)


@pytest.mark.rule("DW-025", "DW-103", "DW-R43", "DW-102", "DW-101")
def test_the_seven_base_characters():
    cards = cards_of("character-base")
    assert [card.name for card in cards] == [
        *("Banker", "Cowboy", "Preacher", "Tracker", "Homesteader", "Prospector", "Railroader"),
    ]
    for card in cards:
        assert [ability.timing for ability in card.ability].count("start") == 1
        assert len(card.ability) >= 3


@pytest.mark.parametrize(
    ("card", "start"),
    [
        ("CB-01", {"gold": 1}),
        ("CB-02", {"food": 2, "wild": 2}),
        ("CB-03", {"influence": 1}),
        ("CB-04", {"wild": 2}),
        ("CB-05", {"food": 2, "wood": 2}),
        ("CB-06", {"ore": 3}),
        ("CB-07", {"engineer": 1}),
    ],
)
@pytest.mark.rule("DW-101", "DW-036", "DW-039")
def test_start_bonuses_come_on_top_of_the_kit(card, start):
    for seed in range(60):
        position = begun(west(), 4, seed)
        seat = next((seat for seat, front in position[Fronts].cards if card in front), None)
        if seat is not None:
            given = Scene(position)
            assert {what: given.has(seat, what) for what in start} == start
            return
    pytest.fail(f"{card} was never dealt")


@pytest.mark.rule("DW-102", "DW-R43", "DW-062")
def test_banker():
    given = collected("CB-01", "market", goods={ANN: {"gold": 1}})
    given.choose("nothing")
    assert given.waits_for == "trigger"
    given.choose("use", "food")
    assert given.has(ANN, "food", "gold") == (1, 1)
    given.play(UseAbility(card="CB-01", ability=2)).choose("food+food+wood+ore")
    assert (given.resources(ANN), given.has(ANN, "gold")) == ((3, 1, 1), 0)
    refusal = given.refused(UseAbility(card="CB-01", ability=2))
    assert (refusal.code, refusal.clause) == ("used-this-turn", "DW-062")
    assert given.refused(UseAbility(card="CB-01", ability=0)).code == "wrong-moment"
    assert given.refused(UseAbility(card="CB-02", ability=2)).code == "no-such-ability"
    assert given.refused(UseAbility(card="CB-01", ability=7)).facts == {"card": "CB-01"}


@pytest.mark.rule("DW-102", "DW-107", "DW-R62")
def test_cowboy():
    pastures = {"towns": {ANN: ((3, -4),)}, "tiles": {(3, -4): "food"}}
    given = collected("CB-02", "produce", **pastures).choose("food")
    assert given.waits_for == "trigger"
    assert given.choose("use").has(ANN, "food") == 2
    # The minimum is no production, so nothing waits for it.
    assert collected("CB-02", "produce").choose("food").waits_for == "collection"
    given = playing("CB-02", window="placement", dice={ANN: (3, 3)}, goods={ANN: {"food": 1}})
    given.play(UseAbility(card="CB-02", ability=2)).choose("0=4")
    assert (given.has(ANN, "food"), given.position[Dice].dice[0].value) == (0, 4)
    poor = playing("CB-02", window="placement", dice={ANN: (3, 3)})
    assert poor.refused(UseAbility(card="CB-02", ability=2)).clause == "DW-064"


@pytest.mark.rule("DW-104", "DW-102", "DW-R43")
def test_preacher():
    given = collected("CB-03", "politics", goods={ANN: {"food": 2}}).choose("buy")
    assert given.waits_for == "trigger"
    assert given.choose("use", "ore").has(ANN, "ore") == 1
    # What can put the player in Jail is forbidden, as a price and as an effect; others may do it.
    refusal = offer_refusal(given.position, ANN, (cost("jail"),), ())
    assert refusal is not None
    assert (refusal.code, refusal.clause) == ("banned", "DW-104")
    assert offer_refusal(given.position, ANN, (), (Effect(op="jail", n=1),)) is not None
    assert offer_refusal(given.position, ANN, (), (Effect(op="jail", who="opponent", n=1),)) is None
    assert offer_refusal(given.position, BOB, (cost("jail"),), ()) is None


@pytest.mark.rule("DW-102", "DW-R43")
def test_tracker():
    links_ = {ANN: ((CITY, (2, -2)), ((2, -2), (2, -3)))}
    rich = {ANN: {"food": 1, "wood": 1, "ore": 1}}
    given = collected("CB-04", "builder", cities={ANN: (CITY,)}, links=links_, goods=rich).choose("town 2,-3")
    assert given.waits_for == "trigger"
    assert given.choose("use", "wood").resources(ANN) == (0, 1, 0)
    given = collected("CB-04", "scout").choose("stop")
    assert given.waits_for == "trigger"
    assert given.choose("skip").resources(ANN) == (0, 0, 0)


@pytest.mark.rule("DW-102", "DW-112", "DW-R43")
def test_homesteader():
    given = collected("CB-05", "builder", cities={ANN: (CITY,)}, goods={ANN: {"food": 1, "wood": 1, "ore": 1}})
    given.choose("town 3,-4")
    assert set(given.options) == {"food+wood", "food+ore", "wood+ore"}
    given.choose("wood+ore")
    assert given.waits_for == "trigger"
    assert given.choose("use").resources(ANN) == (2, 0, 0)


@pytest.mark.rule("DW-102", "DW-107", "DW-R43")
def test_prospector():
    mines = {"towns": {ANN: ((3, -4),)}, "tiles": {(3, -4): "ore"}}
    given = collected("CB-06", "work-crew", goods={ANN: {"ore": 1}}, **mines).choose("use", "food")
    assert given.resources(ANN) == (1, 0, 3)
    given.play(UseAbility(card="CB-06", ability=2))
    assert given.has(ANN, "ore", "gold") == (1, 1)


@pytest.mark.rule("DW-102", "DW-R11", "DW-R43")
def test_railroader():
    given = collected("CB-07", "rail-baron", cities={ANN: (CITY,)}, goods={ANN: {"wood": 1, "ore": 1}})
    given.choose("link 2,-2 3,-3")
    assert given.options == ("ore", "wood")
    given.choose("ore", "link 1,-2 2,-2", "stop", "use", "link 0,-2 1,-2")
    assert (given.resources(ANN), links(given)) == ((0, 1, 0), 3)


@pytest.mark.rule("DW-037", "DW-R43")
def test_characters_may_be_left_out():
    position = begun(west(characters=False), 3)
    assert all(front == () for _, front in position[Fronts].cards)


# ------------------------------------------------------------ the decks


@pytest.mark.rule("DW-023", "DW-024", "DW-025", "DW-R41", "DW-R43")
def test_the_decks():
    assert {deck: len(cards_of(deck)) for deck in BASE_DECKS} == {"action": 21, "event": 6, "character-base": 7}
    assert set(west().slots[DECKS.name]) == set(BASE_DECKS)
    every = [card.id for deck in BASE_DECKS for card in cards_of(deck)]
    assert len(set(every)) == 34


@pytest.mark.rule("DW-R42")
def test_each_card_uses_operations_that_there_are():
    known = set(west().slots[OPS.name]) | {"price", "ban", "need", "shield", "extra-draw", "score"}
    for deck in BASE_DECKS:
        for card in cards_of(deck):
            assert {effect.op for ability in card.ability for effect in ability.effects} <= known
