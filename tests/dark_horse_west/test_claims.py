"""Dice, needs and claims of sites: the placement turn."""

from __future__ import annotations

import pytest

from dark_horse_west.scenes import ANN, BOB, CEM, DOT, Scene, scene, spend
from dark_horse_west.west import west
from ludolog_plugins.dark_horse_west.commands import Choose, ClaimSite, Finish, PutDice
from ludolog_plugins.dark_horse_west.events import DiceRolled, DieChanged, TurnBegun
from ludolog_plugins.dark_horse_west.slots import DIE_KINDS, SITES
from ludolog_plugins.dark_horse_west.state import Claim, Claims, Dice, Die, Turn

ALL_SITES = (
    *("Turn Order", "Dealer", "Produce Resources", "Pioneer", "Hired Hand", "Politics", "Work Crew", "Rail Baron"),
    *("Builder", "Trader", "Engineer", "Scout", "Mayor", "Sheriff", "Broker", "Tycoon", "Market"),
)
BY_NUMBER = (
    *("pioneer", "hired-hand", "politics", "work-crew", "rail-baron", "builder"),
    *("trader", "engineer", "scout", "mayor", "sheriff", "broker"),
)
ANY_DIE = {"dealer", "produce", "market"}


def rolled_next(given: Scene) -> dict[str, list[int]]:
    """Play passes until the next turn begins, and tell who rolled how many dice."""
    turn = given.position[Turn].number
    while given.position[Turn].number == turn:
        if given.options:
            given.choose(given.options[-1])
        else:
            given.finish()
    return {event.seat: [die.value for die in event.dice] for event in given.told if isinstance(event, DiceRolled)}


@pytest.mark.rule("DW-066", "DW-067", "DW-085", "DW-R14", "DW-055")
def test_seventeen_sites_and_their_numbers():
    sites = west().slots[SITES.name]
    assert tuple(site.name for site in sites.values()) == ALL_SITES
    assert {key: site.need.values for key, site in sites.items() if len(site.need.values) == 1} == {
        key: (number,) for number, key in enumerate(BY_NUMBER, 1)
    }
    assert sites["tycoon"].need.least == 13
    assert {key for key, site in sites.items() if site.need.single and not site.need.values} == ANY_DIE


@pytest.mark.rule("DW-007", "DW-008", "DW-R14", "DW-077", "DW-080", "DW-083", "DW-079")
def test_e01_single_dice_or_their_sum():
    given = scene(dice={ANN: (2, 4)})
    assert {"hired-hand", "work-crew", "builder"} <= given.sites
    assert given.sites - ANY_DIE == {"hired-hand", "work-crew", "builder", "turn-order"}
    assert ClaimSite(site="hired-hand", dice=(0,)) in given.legal
    assert ClaimSite(site="work-crew", dice=(1,)) in given.legal
    assert ClaimSite(site="builder", dice=(0, 1)) in given.legal
    refusal = given.refused(ClaimSite(site="politics", dice=(0, 1)))
    assert (refusal.code, refusal.clause, refusal.facts["total"]) == ("wrong-dice", "DW-R14", 6)


@pytest.mark.parametrize(
    ("site", "values"),
    [
        ("pioneer", (1,)),
        ("politics", (3,)),
        ("rail-baron", (5,)),
        ("trader", (3, 4)),
        ("engineer", (2, 6)),
        ("scout", (4, 5)),
        ("mayor", (4, 6)),
        ("sheriff", (5, 6)),
        ("broker", (6, 6)),
    ],
)
@pytest.mark.rule("DW-076", "DW-079", "DW-081", "DW-084", "DW-085", "DW-086", "DW-091", "DW-093", "DW-097", "DW-098")
def test_what_each_numbered_site_takes(site, values):
    given = scene(dice={ANN: values})
    assert ClaimSite(site=site, dice=tuple(range(len(values)))) in given.legal
    given = scene(dice={ANN: (*values[:-1], values[-1] - 1 or 6)})
    assert given.refused(ClaimSite(site=site, dice=tuple(range(len(values))))).code == "wrong-dice"


@pytest.mark.rule("DW-R15", "DW-068", "DW-069")
def test_turn_order_takes_one_die_of_one_two_or_three():
    assert ClaimSite(site="turn-order", dice=(0,)) in scene(dice={ANN: (3, 4)}).legal
    given = scene(dice={ANN: (4, 5)})
    assert given.refused(ClaimSite(site="turn-order", dice=(0,))).code == "wrong-dice"
    given = scene(dice={ANN: (1, 2)})
    assert given.refused(ClaimSite(site="turn-order", dice=(0, 1))).code == "one-die-only"


@pytest.mark.rule("DW-R30")
def test_tycoon_takes_thirteen_or_more_or_by_option_any_die():
    assert scene(dice={ANN: (5, 4, 4)}).sites >= {"tycoon"}
    assert "tycoon" not in scene(dice={ANN: (6, 6)}).sites
    given = scene(dice={ANN: (1, 6)}, options={"tycoon_need": "any die"})
    assert ClaimSite(site="tycoon", dice=(0,)) in given.legal


@pytest.mark.rule("DW-009", "DW-053", "DW-054", "DW-R56", "DW-072")
def test_one_claim_a_turn_and_dice_left_may_go_on_spots():
    given = scene(dice={ANN: (3, 4, 5), BOB: (1, 1)})
    given.claim("politics", 0)
    assert given.actor == ANN
    refusal = given.refused(ClaimSite(site="work-crew", dice=(1,)))
    assert (refusal.code, refusal.clause, refusal.facts) == ("one-claim", "DW-009", {"claimed": "politics"})
    given.put("effort:food", 1)
    assert given.position[Dice].dice[1].at == "effort:food"
    given.finish()
    assert given.actor == BOB
    assert given.waits_for == "placement"


@pytest.mark.rule("DW-R56", "DW-009")
def test_dice_may_go_on_effort_spots_before_the_claim():
    given = scene(dice={ANN: (2, 5)}).put("effort:ore", 1).claim("produce", 0)
    assert [claim.site for claim in given.position[Claims].claims] == ["produce"]


@pytest.mark.rule("DW-052", "DW-053", "DW-054", "DW-007")
def test_dice_that_cannot_be_used():
    given = scene(dice={ANN: (2, 4), BOB: (3, 3)})
    assert given.refused(ClaimSite(site="politics", dice=(2,))).code == "no-such-die"
    assert given.refused(ClaimSite(site="politics", dice=(9,))).facts == {"die": 9}
    assert given.refused(ClaimSite(site="politics", dice=(-1,))).clause == "DW-052"
    assert given.refused(ClaimSite(site="work-crew", dice=(0, 0))).code == "no-such-dice"
    assert given.refused(ClaimSite(site="work-crew", dice=())).clause == "DW-007"
    given.put("effort:food", 1)
    refusal = given.refused(ClaimSite(site="work-crew", dice=(1,)))
    assert (refusal.code, refusal.clause, refusal.facts) == ("die-used", "DW-054", {"die": 1, "at": "effort:food"})
    assert given.refused(ClaimSite(site="moon", dice=(0,))).clause == "DW-066"
    assert given.refused(PutDice(spot="effort:gold", dice=(0,))).clause == "DW-072"
    assert given.refused(PutDice(spot="effort:food", dice=(0, 1))).code == "die-used"


@pytest.mark.rule("DW-053")
def test_who_is_not_in_turn_waits():
    given = scene(dice={ANN: (2, 4), BOB: (3, 3)})
    refusal = given.refused(ClaimSite(site="politics", dice=(2,)), BOB)
    assert (refusal.code, refusal.clause, refusal.facts) == ("not-your-turn", "DW-053", {"to_act": (ANN,)})


@pytest.mark.rule("DW-R32", "DW-R33", "DW-065")
def test_e16_limited_and_reserved():
    claims = (Claim(seat=ANN, site="politics", dice=(0,)), Claim(seat=BOB, site="work-crew", dice=(2,)))
    given = scene(seat=CEM, dice={ANN: (3, 1), BOB: (4, 1), CEM: (3, 4)}, claims=claims)
    refusal = given.refused(ClaimSite(site="politics", dice=(4,)))
    assert (refusal.code, refusal.clause, refusal.facts) == ("site-full", "DW-R32", {"site": "politics", "by": ANN})
    assert ClaimSite(site="work-crew", dice=(5,)) in given.legal


@pytest.mark.rule("DW-R33", "DW-065")
def test_the_class_of_each_site():
    limits = {key: site.limit for key, site in west().slots[SITES.name].items()}
    assert {key for key, limit in limits.items() if limit == "Unlimited"} == {
        "turn-order",
        "dealer",
        "produce",
        "market",
    }
    assert {key for key, limit in limits.items() if limit == "Reserved"} == {"work-crew", "builder"}
    assert {key for key, limit in limits.items() if limit == "Restricted"} == {"hired-hand", "mayor", "sheriff"}
    assert sum(limit == "Limited" for limit in limits.values()) == 8


@pytest.mark.rule("DW-R32", "DW-065")
def test_unlimited_sites_take_everybody_and_a_held_role_keeps_its_holder_off():
    claims = (Claim(seat=ANN, site="market", dice=(0,)),)
    assert "market" in scene(seat=BOB, dice={ANN: (1,), BOB: (2,)}, claims=claims).sites
    given = scene(dice={ANN: (5, 6)}, roles={"sheriff": ANN})
    refusal = given.refused(ClaimSite(site="sheriff", dice=(0, 1)))
    assert (refusal.code, refusal.clause) == ("role-held", "DW-R32")


# ------------------------------------------------------------ natural rolls and changed dice


@pytest.mark.rule("DW-056", "DW-097", "DW-R28", "DW-R57", "DW-R24", "DW-089")
def test_e10_natural_rolls():
    given = scene(dice={ANN: (5, 5), BOB: (5, 6)}, goods={ANN: {"wild": 1}})
    given.play(spend("wild")).choose("0=6")
    assert given.has(ANN, "wild") == 0
    refusal = given.refused(ClaimSite(site="sheriff", dice=(0, 1)))
    assert (refusal.code, refusal.clause, refusal.facts["changed"]) == ("not-natural", "DW-R28", (6,))
    given.finish()
    assert ClaimSite(site="sheriff", dice=(2, 3)) in given.legal


@pytest.mark.rule("DW-R28", "DW-056")
def test_which_sites_need_a_natural_roll():
    assert {key for key, site in west().slots[SITES.name].items() if site.need.natural} == {
        "hired-hand",
        "mayor",
        "sheriff",
    }


@pytest.mark.rule("DW-R24", "DW-089", "DW-119", "DW-063", "DW-R72")
def test_a_wild_die_token_sets_an_unplaced_die_to_any_face_once_a_turn():
    given = scene(dice={ANN: (2, 4)}, goods={ANN: {"wild": 2}})
    given.play(spend("wild"))
    assert set(given.options) == {f"0={n}" for n in (1, 3, 4, 5, 6)} | {f"1={n}" for n in (1, 2, 3, 5, 6)}
    assert given.not_an_option("0=7").clause == "DW-R24"
    assert given.not_an_option("0=2").code == "no-such-change"
    given.choose("1=6")
    assert [die.value for die in given.position[Dice].dice] == [2, 6]
    refusal = given.refused(spend("wild"))
    assert (refusal.code, refusal.clause) == ("used-this-turn", "DW-063")
    given = scene(dice={ANN: (2,)}, claims=(Claim(seat=ANN, site="hired-hand", dice=(0,)),), goods={ANN: {"wild": 1}})
    assert given.refused(spend("wild")).code == "no-die"
    assert scene(dice={ANN: (2,)}).refused(spend("wild")).code == "no-token"
    assert scene(dice={ANN: (2,)}).refused(spend("stock")).code == "no-such-token"


@pytest.mark.rule("DW-R16", "DW-070", "DW-009")
def test_e20_dealer_and_a_claim():
    given = scene(dice={ANN: (5, 3), BOB: (6, 6)})
    given.claim("dealer", 1)
    assert given.options == ("0=4", "0=6")
    given.choose("0=6").claim("builder", 0).finish()
    given.claim("dealer", 2)
    # A single answer gives itself: only the 5 is possible, never the 1.
    assert [die.value for die in given.position[Dice].dice] == [6, 3, 6, 5]
    assert DieChanged(die=3, value=5, source="dealer") in given.told
    refusal = given.refused(ClaimSite(site="dealer", dice=(3,)))
    assert (refusal.code, refusal.clause) == ("used-this-turn", "DW-R16")


@pytest.mark.rule("DW-R16")
def test_the_dealer_is_not_the_claim_and_changes_by_one():
    given = scene(dice={ANN: (3, 1, 4)}).claim("dealer", 1)
    assert set(given.options) == {"0=2", "0=4", "2=3", "2=5"}
    assert given.not_an_option("0=5").clause == "DW-R16"
    assert given.not_an_option("1=2").code == "no-such-change"
    assert given.choose("0=4").position[Claims].claims == ()


# ------------------------------------------------------------ the Deputy die


@pytest.mark.rule("DW-057", "DW-R69", "DW-016", "DW-096")
def test_e11_the_deputy_die():
    deputy = Die(seat=ANN, kind="deputy", value=4, alone=True)
    given = scene(dice={ANN: (2, 2, deputy)}, roles={"sheriff": ANN})
    assert ClaimSite(site="work-crew", dice=(2,)) in given.legal
    assert ClaimSite(site="work-crew", dice=(0, 1)) in given.legal
    refusal = given.refused(ClaimSite(site="builder", dice=(0, 2)))
    assert (refusal.code, refusal.clause) == ("die-alone", "DW-057")
    given.claim("work-crew", 2)
    assert given.refused(ClaimSite(site="hired-hand", dice=(0,))).code == "one-claim"


@pytest.mark.rule("DW-R27", "DW-R69", "DW-016", "DW-057")
def test_by_option_the_deputy_die_makes_a_second_claim():
    deputy = Die(seat=ANN, kind="deputy", value=4, alone=True)
    given = scene(dice={ANN: (3, 2, deputy)}, roles={"sheriff": ANN}, options={"deputy_die": "second-claim"})
    given.claim("work-crew", 2).claim("politics", 0)
    assert [claim.extra for claim in given.position[Claims].claims] == ["deputy", ""]
    assert given.refused(ClaimSite(site="hired-hand", dice=(1,))).code == "one-claim"


@pytest.mark.rule("DW-R27", "DW-096", "DW-016", "DW-R38")
def test_the_sheriff_rolls_the_deputy_die_besides_three_own_dice():
    given = scene(window="collection", seat=CEM, roles={"sheriff": BOB}, goods={BOB: {"bonus-die": 2}})
    rolled_next(given)
    kinds = [die.kind for die in given.position[Dice].dice if die.seat == BOB]
    assert kinds == ["own", "own", "own", "deputy"]
    assert [die.alone for die in given.position[Dice].dice if die.seat == BOB] == [False, False, False, True]
    assert west().slots[DIE_KINDS.name]["deputy"].alone


# ------------------------------------------------------------ rolling


@pytest.mark.rule("DW-006", "DW-014", "DW-015", "DW-058", "DW-059", "DW-R37", "DW-R38", "DW-052", "DW-R35")
def test_e03_number_of_dice_in_a_roll():
    marks = {ANN: {"bonus-die": 1, "jail": 1}, BOB: {"jail": 2}, CEM: {"bonus-die": 2}}
    given = scene(4, window="collection", seat=DOT, goods=marks, options={"pass_gain": 0})
    rolled = rolled_next(given)
    assert {seat: len(dice) for seat, dice in rolled.items()} == {ANN: 2, BOB: 1, CEM: 3, DOT: 2}
    assert all(1 <= value <= 6 for dice in rolled.values() for value in dice)
    assert all(given.has(seat, "jail", "bonus-die") == (0, 0) for seat in given.position.seats)


@pytest.mark.rule("DW-R37")
def test_by_option_jail_may_take_all_dice():
    given = scene(2, window="collection", seat=BOB, goods={ANN: {"jail": 3}}, options={"jail_floor": 0, "pass_gain": 0})
    assert rolled_next(given)[ANN] == []


@pytest.mark.rule("DW-R38", "DW-059")
def test_more_bonus_dice_than_one_still_give_three_dice():
    given = scene(2, window="collection", seat=BOB, goods={BOB: {"bonus-die": 3}}, options={"pass_gain": 0})
    assert len(rolled_next(given)[BOB]) == 3


@pytest.mark.rule("DW-R35", "DW-052", "DW-051")
def test_all_roll_together_or_by_option_each_on_the_own_turn():
    given = scene(2, window="collection", seat=BOB, options={"pass_gain": 0})
    assert set(rolled_next(given)) == {ANN, BOB}
    assert [event.number for event in given.told if isinstance(event, TurnBegun)] == [6]
    given = scene(2, window="collection", seat=BOB, options={"pass_gain": 0, "roll_time": "own-turn"})
    assert set(rolled_next(given)) == {ANN}
    given.finish()
    assert [event.seat for event in given.told if isinstance(event, DiceRolled)] == [BOB]


@pytest.mark.rule("DW-R57", "DW-056")
def test_a_die_rolled_again_is_changed():
    given = scene(dice={ANN: (5, 6)}, hands={ANN: ("AC-09",)})
    given.card("AC-09").choose("0+1")
    assert [die.natural for die in given.position[Dice].dice] == [False, False]


@pytest.mark.rule("DW-051", "DW-053", "DW-060", "DW-R54")
def test_a_turn_is_placement_then_collection_in_turn_order():
    given = scene(dice={ANN: (1,), BOB: (1,), CEM: (1,)})
    seen = []
    for _ in range(6):
        while given.options:
            given.choose(given.options[0])
        seen.append((given.waits_for, given.actor))
        given.finish()
    assert seen == [(window, seat) for window in ("placement", "collection") for seat in (ANN, BOB, CEM)]


@pytest.mark.rule("DW-R56", "DW-R58")
def test_what_belongs_to_another_window_is_refused():
    given = scene(window="collection", dice={ANN: (3, 4)}, goods={ANN: {"wild": 1}})
    refusal = given.refused(ClaimSite(site="politics", dice=(0,)))
    assert (refusal.code, refusal.clause, refusal.facts["now"]) == ("not-in-window", "DW-R56", "collection")
    assert given.refused(spend("wild")).code == "not-in-window"
    assert given.refused(Choose(option="food")).code == "nothing-asked"
    asked = scene(dice={ANN: (3, 4, 5)}).claim("dealer", 0)
    assert asked.refused(Finish()).code == "answer-first"
    assert asked.refused(ClaimSite(site="work-crew", dice=(1,))).clause == "DW-R16"
