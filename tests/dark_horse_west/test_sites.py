"""What collecting at each site gives, and the collection window."""

from __future__ import annotations

import pytest

from dark_horse_west.scenes import ANN, BOB, CEM, Scene, scene, spend
from dark_horse_west.west import west
from ludolog import Position
from ludolog_plugins.dark_horse_west.commands import Choose, ClaimSite, Collect, Finish, PlayCard, UseAbility, UseToken
from ludolog_plugins.dark_horse_west.events import (
    CardsDrawn,
    Collected,
    HexProduced,
    OrderChanged,
    Produced,
    TaskDone,
    TileSeen,
)
from ludolog_plugins.dark_horse_west.slots import ROLES, THINGS, TOKENS
from ludolog_plugins.dark_horse_west.state import Cards, Claim, Roles, Tiles, Turn

# Neighbours of (3,-3): Wood and Ore may lie there.
CITY = (3, -3)
WOOD = {(3, -4): "wood", (4, -3): "wood", (2, -3): "ore", (2, 1): "food"}


def collecting(site: str, *, seats: int = 3, options: dict[str, object] | None = None, **more: object) -> Scene:
    """Ann claimed ``site`` and collects."""
    claim = Claim(seat=ANN, site=site, dice=(0,))
    found = scene(
        seats,
        window="collection",
        claims=(claim,),
        dice={ANN: (1,), **more.pop("dice", {})},
        options=options,
        **more,  # type: ignore[arg-type]
    )
    return found.collect(site)


# ------------------------------------------------------------ order, production


@pytest.mark.rule("DW-R54", "DW-R15", "DW-068", "DW-060", "DW-R36", "DW-019")
def test_e15_turn_order_changes_later():
    claim = Claim(seat=CEM, site="turn-order", dice=(0,))
    given = scene(window="collection", dice={CEM: (1,)}, claims=(claim,), options={"pass_gain": 0})
    given.finish().finish()
    assert given.actor == CEM
    given.collect("turn-order")
    assert given.options == ("1", "2", "3")
    given.choose("1")
    assert given.position[Turn].order == (ANN, BOB, CEM)
    assert given.position[Turn].track == (CEM, ANN, BOB)
    given.finish()
    assert given.position[Turn].order == (CEM, ANN, BOB)
    assert given.actor == CEM


@pytest.mark.rule("DW-R54")
def test_moves_on_the_track_are_made_one_after_the_other():
    claims = (Claim(seat=ANN, site="turn-order", dice=(0,)), Claim(seat=BOB, site="turn-order", dice=(1,)))
    given = scene(window="collection", dice={ANN: (1,), BOB: (2,)}, claims=claims)
    given.collect("turn-order").choose("3").finish()
    assert given.position[Turn].track == (BOB, CEM, ANN)
    given.collect("turn-order").choose("3")
    assert given.position[Turn].track == (CEM, ANN, BOB)


@pytest.mark.rule("DW-R17", "DW-071", "DW-072", "DW-073", "DW-107", "DW-R62")
def test_e07_producing_one_resource():
    towns = {ANN: ((3, -4), (4, -3))}
    given = scene(dice={ANN: (5, 5)}, cities={ANN: (CITY,)}, towns=towns, tiles=WOOD, seats=2)
    given.claim("produce", 0).put("effort:wood", 1).finish().finish().collect("produce")
    assert given.options == ("food", "wood", "ore")
    given.choose("wood")
    assert given.resources(ANN) == (0, 3, 0)
    assert [event.n for event in given.told if isinstance(event, HexProduced)] == [1, 1]
    given = collecting("produce", cities={ANN: (CITY,)}, towns=towns, tiles=WOOD).choose("ore")
    assert given.resources(ANN) == (0, 0, 1)
    # The minimum is no production of a hex.
    assert not any(isinstance(event, HexProduced | Produced) for event in given.told)


@pytest.mark.rule("DW-R18", "DW-080", "DW-107", "DW-R62")
def test_e08_work_crew():
    towns = {ANN: ((3, -4), (4, -3), (2, -3))}
    given = collecting("work-crew", cities={ANN: (CITY,)}, towns=towns, tiles=WOOD)
    assert given.resources(ANN) == (0, 2, 1)
    assert sum(isinstance(event, HexProduced) for event in given.told) == 3
    given.choose("food")
    assert given.resources(ANN) == (1, 2, 1)
    given = collecting("work-crew", cities={ANN: (CITY,)}, towns=towns, tiles=WOOD, options={"work_crew_bonus": 0})
    assert (given.resources(ANN), given.waits_for) == ((0, 2, 1), "collection")


# ------------------------------------------------------------ cards and tiles


@pytest.mark.rule("DW-074", "DW-075", "DW-113")
def test_pioneer_draws_two_cards_and_keeps_one():
    given = collecting("pioneer")
    assert given.hand(ANN) == ("AC-01", "AC-02")
    assert given.options == ("AC-01", "AC-02")
    given.choose("AC-02")
    assert given.hand(ANN) == ("AC-02",)
    assert given.position[Cards].piles[0].discards == ("AC-01",)


@pytest.mark.rule("DW-R25", "DW-090", "DW-033", "DW-035")
def test_scout_looks_at_two_tiles_may_exchange_them_and_draws_two_cards():
    given = collecting("scout", tiles={(2, -3): "wood", (1, -1): "food"})
    assert "3,-4" not in given.options  # face up
    assert {"2,-3", "1,-1", "stop"} <= set(given.options)
    given.choose("2,-3")
    assert "2,-3" not in given.options
    assert [event.resource for event in given.told if isinstance(event, TileSeen)] == ["wood"]
    given.choose("1,-1")
    assert given.options == ("exchange", "leave")
    given.choose("exchange")
    tiles, places = given.position[Tiles], west().slots["layout"]["map"].places
    assert tiles.tiles[places.index((2, -3))] == "food"
    assert tiles.tiles[places.index((1, -1))] == "wood"
    assert not tiles.shown[places.index((2, -3))]
    assert given.hand(ANN) == ("AC-01", "AC-02")
    assert given.waits_for == "collection"


@pytest.mark.rule("DW-R25", "DW-033")
def test_only_the_scout_is_told_what_was_seen():
    given = scene(window="collection", claims=(Claim(seat=ANN, site="scout", dice=(0,)),), dice={ANN: (1,)})
    views = {seat: Position(given.ruleset, dict(given.position.slices), seat, is_view=True) for seat in (ANN, BOB)}
    given.collect("scout").choose("2,-3")
    told = {seat: given.ruleset.fold(view, given.told, seat) for seat, view in views.items()}
    place = west().slots["layout"]["map"].places.index((2, -3))
    assert dict(told[ANN][Tiles].looked)[ANN][place] in {"food", "wood", "ore"}
    assert dict(told[BOB][Tiles].looked)[ANN][place] is None


@pytest.mark.rule("DW-R25", "DW-R60")
def test_a_scout_may_stop_looking():
    given = collecting("scout").choose("stop")
    assert not any(isinstance(event, TileSeen) for event in given.told)
    assert sum(len(event.cards) for event in given.told if isinstance(event, CardsDrawn)) == 2


# ------------------------------------------------------------ help, tokens, roles


@pytest.mark.rule("DW-077", "DW-078", "DW-059", "DW-006")
def test_hired_hand_gives_a_bonus_die():
    assert collecting("hired-hand").has(ANN, "bonus-die") == 1


@pytest.mark.rule("DW-R22", "DW-086", "DW-087")
def test_engineer_gives_an_engineer_and_a_wild_die_token():
    assert collecting("engineer").has(ANN, "engineer", "wild") == (1, 1)


@pytest.mark.rule("DW-R26", "DW-092", "DW-027", "DW-R52")
def test_mayor_moves_first_and_receives_influence_and_the_role():
    given = collecting("mayor", order=(BOB, ANN, CEM), roles={"mayor": CEM})
    assert given.position[Turn].track == (ANN, BOB, CEM)
    assert given.has(ANN, "influence") == 1
    assert dict(given.position[Roles].held) == {"mayor": ANN}


@pytest.mark.rule("DW-R27", "DW-094", "DW-R52", "DW-027")
def test_sheriff_gives_its_role_and_one_seat_may_hold_both():
    given = collecting("sheriff", roles={"mayor": ANN})
    assert dict(given.position[Roles].held) == {"mayor": ANN, "sheriff": ANN}
    assert set(west().slots[ROLES.name]) == {"mayor", "sheriff"}


@pytest.mark.rule("DW-R30")
def test_tycoon_gives_gold_and_influence():
    assert collecting("tycoon").has(ANN, "gold", "influence") == (2, 1)


# ------------------------------------------------------------ money and trade


@pytest.mark.rule("DW-R19", "DW-R26", "DW-079")
def test_e09_buying_influence():
    claims = (Claim(seat=ANN, site="politics", dice=(0,)), Claim(seat=BOB, site="politics", dice=(1,)))
    goods = {ANN: {"food": 5}, BOB: {"food": 1, "ore": 1}}
    given = scene(window="collection", dice={ANN: (3,), BOB: (3,)}, claims=claims, goods=goods, roles={"mayor": BOB})
    given.collect("politics").choose("buy", "buy")
    assert given.has(ANN, "influence", "food") == (2, 1)
    given.finish().collect("politics").choose("buy")
    assert given.options == ("food", "ore")
    given.choose("food", "buy")
    assert given.has(BOB, "influence", "food", "ore") == (2, 0, 0)


@pytest.mark.rule("DW-R19", "DW-R60", "DW-064")
def test_politics_stops_when_asked_or_when_nothing_can_be_paid():
    given = collecting("politics", goods={ANN: {"food": 2}}).choose("stop")
    assert given.has(ANN, "influence", "food") == (0, 2)
    given = collecting("politics", goods={ANN: {"food": 1}})
    assert given.waits_for == "collection"
    given = collecting("politics", goods={ANN: {"food": 9}}, options={"politics_max": 1}).choose("buy")
    assert (given.has(ANN, "influence"), given.waits_for) == (1, "collection")
    given = collecting("politics", goods={ANN: {"food": 9}})
    refusal = given.not_an_option("twice")
    assert (refusal.code, refusal.clause, refusal.facts) == ("no-such-purchase", "DW-R19", {"price": 2})


@pytest.mark.rule("DW-R61", "DW-112")
def test_any_resource_may_mix_kinds_by_choice_of_the_payer():
    given = collecting("politics", goods={ANN: {"food": 1, "wood": 2}}).choose("buy")
    assert given.options == ("food+wood", "wood+wood")
    refusal = given.not_an_option("food+food")
    assert (refusal.code, refusal.clause) == ("wrong-resources", "DW-R61")
    assert (refusal.facts["food"], refusal.facts["wood"], refusal.facts["ore"]) == (1, 2, 0)


@pytest.mark.rule("DW-R20", "DW-084", "DW-119", "DW-005")
def test_trader_exchanges_twice_and_gives_a_token_for_two_more():
    given = collecting("trader", goods={ANN: {"food": 2}}).choose("food>ore")
    assert "ore>wood" in given.options
    given.choose("food>wood")
    assert given.resources(ANN) == (0, 1, 1)
    assert given.has(ANN, "trader") == 1
    refusal = given.refused(spend("trader"))
    assert (refusal.code, refusal.clause, refusal.facts) == ("token-too-new", "DW-R20", {"has": 1})
    given = collecting("trader", goods={ANN: {"food": 2, "trader": 1}}).choose("stop")
    given.play(spend("trader")).choose("food>ore", "stop")
    assert (given.has(ANN, "trader"), given.resources(ANN)) == (1, (1, 0, 1))
    given = collecting("trader", goods={ANN: {"food": 2}})
    assert given.not_an_option("wood>food").clause == "DW-R20"


@pytest.mark.rule("DW-R44", "DW-R45", "DW-R29", "DW-R31")
def test_nobody_pays_for_what_the_bank_has_no_more_of():
    limited = {"limited_supply": True}
    held = {ANN: {"food": 4}, BOB: {"stock": 6, "loan": 4}}
    assert collecting("broker", goods=held, options=limited).waits_for == "collection"  # nothing can be taken
    assert "take a Loan" in collecting("broker", goods={**held, BOB: {"stock": 6, "loan": 3}}, options=limited).options
    assert collecting("broker", goods=held).options == ("buy a Stock", "take a Loan", "nothing")
    rich = {ANN: {"gold": 1, "food": 13}, BOB: {"wood": 60}}
    given = collecting("market", goods=rich, options=limited)
    refusal = given.not_an_option("sell Gold")
    assert (refusal.code, refusal.clause, refusal.facts["left"]) == ("none-left", "DW-R45", 0)


@pytest.mark.rule("DW-R16")
def test_nobody_puts_the_only_die_on_dealer():
    given = scene(dice={ANN: (4,)})
    refusal = given.refused(ClaimSite(site="dealer", dice=(0,)))
    assert (refusal.code, refusal.clause) == ("no-other-die", "DW-R16")
    assert "dealer" in scene(dice={ANN: (4, 4)}).sites


@pytest.mark.rule("DW-R29", "DW-098", "DW-119")
def test_broker_sells_stocks_and_lends_and_takes_back():
    given = collecting("broker", goods={ANN: {"food": 2, "wood": 2}})
    assert given.options == ("buy a Stock", "take a Loan", "nothing")
    given.choose("buy a Stock", "food+food", "buy a Stock")
    assert given.has(ANN, "stock", "food", "wood") == (2, 0, 0)
    assert given.waits_for == "collection"
    given = collecting("broker").choose("take a Loan")
    assert given.has(ANN, "loan", "gold") == (1, 2)
    given = collecting("broker", goods={ANN: {"loan": 1, "gold": 2}})
    assert given.options == ("repay the Loan", "nothing")
    given.choose("repay the Loan")
    assert given.has(ANN, "loan", "gold") == (0, 0)
    given = collecting("broker", goods={ANN: {"loan": 1, "gold": 1, "food": 2}})
    refusal = given.not_an_option("repay the Loan")
    assert (refusal.code, refusal.clause) == ("cannot-pay", "DW-064")
    assert (refusal.facts["needs"], refusal.facts["has"]) == (2, 1)
    assert given.not_an_option("buy the town").code == "no-such-offer"


@pytest.mark.rule("DW-R31", "DW-R70", "DW-018")
def test_market_changes_resources_and_gold_and_takes_loans_back():
    given = collecting("market", goods={ANN: {"food": 3, "gold": 1}})
    assert given.options == ("buy Gold", "sell Gold", "nothing")
    given.choose("buy Gold")
    assert given.has(ANN, "food", "gold") == (0, 2)
    given = collecting("market", goods={ANN: {"gold": 1}}).choose("sell Gold", "food+wood+ore")
    assert (given.resources(ANN), given.has(ANN, "gold")) == ((1, 1, 1), 0)
    given = collecting("market", goods={ANN: {"gold": 2, "loan": 1}}).choose("nothing", "repay the Loan")
    assert given.has(ANN, "gold", "loan") == (0, 0)
    given = collecting("market", goods={ANN: {"food": 2}}, options={"market_rate": 2}).choose("buy Gold")
    assert given.has(ANN, "food", "gold") == (0, 1)


@pytest.mark.rule("DW-R70", "DW-005")
def test_nothing_is_changed_or_given_away_at_other_times():
    given = scene(window="collection", goods={ANN: {"gold": 3, "food": 3}})
    kinds = {type(command) for command in given.legal}
    # Windows hold no command that names another seat's goods; exchanges are with the Bank, at sites and by tokens.
    assert kinds <= {Finish, PlayCard, UseAbility, UseToken, Collect, Choose}
    assert {command for command in given.legal if isinstance(command, UseToken)} == set()


# ------------------------------------------------------------ the collection window


@pytest.mark.rule("DW-R34", "DW-R58")
def test_e18_passing():
    given = scene(dice={ANN: (1,)}, seats=2).finish().finish()
    assert given.waits_for == "take-resources"
    given.choose("wood")
    assert given.resources(ANN) == (0, 1, 0)
    # Who passed has a window, too.
    assert (given.waits_for, given.actor) == ("collection", ANN)
    given = scene(dice={ANN: (1,)}, seats=2, options={"pass_gain": 0}).finish().finish()
    assert given.waits_for == "collection"


@pytest.mark.rule("DW-R58", "DW-062", "DW-060")
def test_cards_and_tokens_work_before_and_after_collecting():
    claim = Claim(seat=ANN, site="hired-hand", dice=(0,))
    goods = {ANN: {"trader": 1, "food": 1}}
    given = scene(window="collection", dice={ANN: (2,)}, claims=(claim,), goods=goods, hands={ANN: ("AC-01",)})
    before = set(given.legal)
    assert {Collect(site="hired-hand"), spend("trader"), PlayCard(card="AC-01"), Finish()} == before
    given.collect("hired-hand")
    assert set(given.legal) == before - {Collect(site="hired-hand")}
    refusal = given.refused(Collect(site="hired-hand"))
    assert (refusal.code, refusal.clause) == ("collected-already", "DW-060")
    refusal = given.refused(Collect(site="politics"))
    assert (refusal.code, refusal.facts) == ("not-claimed", {"site": "politics"})


@pytest.mark.rule("DW-R60", "DW-064")
def test_a_claimed_site_may_be_declined():
    claim = Claim(seat=ANN, site="mayor", dice=(0,))
    given = scene(window="collection", dice={ANN: (4, 6)}, claims=(claim,)).finish()
    assert given.actor == BOB
    assert given.has(ANN, "influence") == 0
    assert not any(isinstance(event, Collected | OrderChanged) for event in given.told)
    assert any(isinstance(event, TaskDone) for event in given.told)


@pytest.mark.rule("DW-063", "DW-119")
def test_one_token_of_each_kind_a_turn():
    given = scene(window="collection", goods={ANN: {"trader": 2, "food": 3}}).play(spend("trader"))
    given.choose("food>ore", "stop")
    refusal = given.refused(spend("trader"))
    assert (refusal.code, refusal.clause, refusal.facts) == ("used-this-turn", "DW-063", {"token": "trader"})


@pytest.mark.rule("DW-061")
def test_dice_on_cards_come_before_any_site():
    phases = list(west().slots["phases"])
    assert phases.index("placement") < phases.index("spots") < phases.index("collection")


@pytest.mark.rule("DW-022", "DW-119", "DW-R44", "DW-017")
def test_kinds_of_tokens_and_their_numbers():
    things = west().slots[THINGS.name]
    assert {name: things[name].supply for name in ("wild", "engineer", "stock", "loan", "trader")} == {
        "wild": 12,
        "engineer": 8,
        "stock": 6,
        "loan": 4,
        "trader": 4,
    }
    assert things["food"].supply == things["wood"].supply == things["ore"].supply == 73
    assert things["gold"].supply == 12
    assert set(west().slots[TOKENS.name]) == {"wild", "trader"}


@pytest.mark.rule("DW-R44", "DW-R45", "DW-017", "DW-018", "DW-028")
def test_the_bank_never_runs_out_unless_supply_is_limited():
    rich = {BOB: {"gold": 11, "wild": 12, "wood": 72}}
    towns = {ANN: ((3, -4), (4, -3))}
    plain = collecting("tycoon", goods=rich)
    assert plain.has(ANN, "gold") == 2
    limited = {"limited_supply": True}
    assert collecting("tycoon", goods=rich, options=limited).has(ANN, "gold") == 1
    assert collecting("engineer", goods=rich, options=limited).has(ANN, "engineer", "wild") == (1, 0)
    more = {"cities": {ANN: (CITY,)}, "towns": towns, "tiles": WOOD, "goods": rich}
    # One resource is left: the first town takes it, then there is none for the second, nor for the choice.
    given = collecting("work-crew", options=limited, **more)
    assert sum(given.resources(ANN)) == 1
    assert given.waits_for == "collection"
    assert collecting("produce", **more).choose("wood").resources(ANN) == (0, 2, 0)


@pytest.mark.rule("DW-R39", "DW-113")
def test_by_option_a_hand_has_a_limit():
    hand = ("AC-01", "AC-02", "AC-03", "AC-04", "AC-05", "AC-06")
    assert scene(window="collection", hands={ANN: hand}).finish().actor == BOB
    given = scene(window="collection", hands={ANN: hand}, options={"hand_limit": 5, "pass_gain": 0}).finish()
    assert given.options == hand
    given.choose("AC-03")
    assert (given.hand(ANN), given.actor) == (hand[:2] + hand[3:], BOB)


@pytest.mark.rule("DW-082")
def test_who_uses_rail_baron_can_be_taxed_by_a_reaction():
    """Nothing in the base taxes; what does, reacts to the claim's collection, which everybody is told."""
    given = collecting("rail-baron", goods={ANN: {"wood": 1, "ore": 1}})
    assert Collected(seat=ANN, site="rail-baron") in given.told
    assert ClaimSite not in {type(command) for command in given.legal}
