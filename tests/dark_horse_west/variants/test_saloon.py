"""Saloon: what the site gives, and what a Boot does."""

from __future__ import annotations

import pytest

from dark_horse_west.variants.scenes import (
    after,
    at,
    claimed,
    dice,
    fronted,
    goods,
    has,
    offered,
    refusal,
    scene,
)
from dark_horse_west.west import west
from ludolog import Position
from ludolog.errors import MissingRequirement, VariantConflict
from ludolog_plugins.dark_horse_west.claims import claims_of, used
from ludolog_plugins.dark_horse_west.commands import Choose, ClaimSite, Collect, Finish, UseToken
from ludolog_plugins.dark_horse_west.conserved import lost_or_doubled
from ludolog_plugins.dark_horse_west.data import cards_of
from ludolog_plugins.dark_horse_west.dice import unplaced
from ludolog_plugins.dark_horse_west.goods import next_roll
from ludolog_plugins.dark_horse_west.saloon import pushes
from ludolog_plugins.dark_horse_west.state import Dice, Die, Turn, Usage

MODULES = ("reputation", "silver", "saloon")
BOOT, POKER = "Boot and 2 Black Hats", "Wild Die token and Black Hat"


def collecting(**held: dict[str, int]) -> Position:
    """Ann collects from Saloon."""
    position = claimed(goods(dice(scene(*MODULES), ann=(3, 4)), **held), "ann", "saloon", 0)
    return after(at(position, "collection", "ann"), ("ann", Collect(site="saloon")))


@pytest.mark.rule("RR-153", "RR-R24", "RR-R25")
def test_saloon_stands_in_the_place_of_market_and_takes_any_die_without_limit() -> None:
    sites = west(*MODULES).slots["sites"]
    assert "market" not in sites
    assert sites["saloon"].limit == "Unlimited"
    position = at(claimed(dice(scene(*MODULES), ann=(3, 4), bob=(1,)), "bob", "saloon", 2), "placement", "ann")
    assert refusal(position, "ann", ClaimSite(site="saloon", dice=(0, 1))).code == "one-die-only"
    for number in (0, 1):
        assert claims_of(after(position, ("ann", ClaimSite(site="saloon", dice=(number,)))), "ann") == ("saloon",)


@pytest.mark.rule("RR-154")
def test_one_of_two_options_or_nothing() -> None:
    assert offered(collecting(ann={"silver": 1}), "ann") == (BOOT, POKER, "nothing")
    assert offered(collecting(), "ann") == (BOOT, "nothing")
    assert offered(collecting(ann={"jail": 1, "silver": 1}), "ann") == (POKER, "nothing")


@pytest.mark.rule("RR-155", "RR-157", "RR-R27")
def test_option_1(  # RR-E34
) -> None:
    position = after(collecting(ann={"white": 1}), ("ann", BOOT))
    assert [has(position, "ann", what) for what in ("white", "black", "boot", "jail")] == [0, 1, 1, 1]
    assert next_roll(position, "ann") == 1


@pytest.mark.rule("RR-157", "RR-R27")
def test_a_second_boot_is_not_received_and_the_rest_is() -> None:
    position = after(collecting(ann={"boot": 1}), ("ann", BOOT))
    assert [has(position, "ann", what) for what in ("black", "boot", "jail")] == [2, 1, 1]


@pytest.mark.rule("RR-156", "RR-R69")
def test_option_2(  # RR-E35
) -> None:
    position = after(collecting(ann={"silver": 2}), ("ann", POKER))
    assert [has(position, "ann", what) for what in ("silver", "wild", "black")] == [1, 1, 1]
    assert position[Turn].track == ("bob", "cem", "ann")
    assert position[Turn].order == ("ann", "bob", "cem")


@pytest.mark.rule("RR-R69")
def test_of_two_who_move_to_the_last_place_the_later_one_is_last() -> None:
    position = goods(dice(scene(*MODULES), ann=(3,), bob=(3,)), ann={"silver": 1}, bob={"silver": 1})
    position = claimed(claimed(position, "ann", "saloon", 0), "bob", "saloon", 1)
    position = at(position, "collection", "ann", "bob", "cem")
    for seat in ("ann", "bob"):
        position = after(position, (seat, Collect(site="saloon")), (seat, POKER), (seat, Finish()))
    assert position[Turn].track == ("cem", "ann", "bob")
    assert position.ruleset.to_act(position) == ("cem",)


@pytest.mark.rule("RR-155")
def test_who_may_not_take_black_hats_may_not_claim_it() -> None:
    captain = next(card for card in cards_of("character") if card.name == "The Captain")
    position = dice(fronted(scene(*MODULES, cards=(captain,)), ann=(captain.id,)), ann=(3,), bob=(3,))
    position = at(position, "placement", "ann", "bob")
    assert refusal(position, "ann", ClaimSite(site="saloon", dice=(0,))).code == "banned"
    assert ClaimSite(site="saloon", dice=(1,)) in position.ruleset.legal(after(position, ("ann", Finish())), "bob")


# ------------------------------------------------------------ the Boot


def pushing(boot: int = 1, **values: tuple[int, ...]) -> Position:
    """Bob has claimed Trader (needs 7) with his first two dice; it is Ann's placement turn, before Cem's."""
    rolled = {"ann": (3, 4), "bob": (5, 2, 1), **values}
    position = claimed(dice(scene(*MODULES), **rolled), "bob", "trader", 2, 3)
    return at(goods(position, ann={"boot": boot}), "placement", "ann", "cem")


@pytest.mark.rule("RR-158", "RR-159", "RR-160", "RR-R26")
def test_a_boot_pushes_a_claim_away(  # RR-E36, with the Trader of the game, which needs a 7
) -> None:
    position = pushing()
    assert pushes(position, "ann") == ("trader 0+1",)
    pushed = after(position, ("ann", UseToken(token="boot")))  # noqa: S106
    assert has(pushed, "ann", "boot") == 0
    assert claims_of(pushed, "ann") == ("trader",)
    assert unplaced(pushed, "ann") == ()
    assert claims_of(pushed, "bob") == ()
    assert unplaced(pushed, "bob") == (2, 3, 4)
    assert pushed.ruleset.to_act(pushed) == ("bob",)
    assert refusal(pushed, "bob", ClaimSite(site="trader", dice=(2, 3))).code == "site-full"
    moved = after(pushed, ("bob", ClaimSite(site="hired-hand", dice=(3,))), ("bob", Finish()))
    assert claims_of(moved, "bob") == ("hired-hand",)
    assert moved.ruleset.to_act(moved) == ("ann",)
    passed = after(pushed, ("bob", Finish()), ("ann", Finish()))
    assert claims_of(passed, "bob") == ()
    assert passed.ruleset.to_act(passed) == ("cem",)
    assert lost_or_doubled(passed) == ()


@pytest.mark.rule("RR-R26")
def test_the_user_must_hold_dice_that_meet_the_need_and_must_not_have_claimed() -> None:
    assert refusal(pushing(ann=(3, 3)), "ann", UseToken(token="boot")).clause == "RR-R26"  # noqa: S106
    claimed_before = claimed(pushing(ann=(3, 4, 6)), "ann", "builder", 2)
    assert pushes(claimed_before, "ann") == ()
    assert refusal(pushing(boot=0), "ann", UseToken(token="boot")).code == "no-token"  # noqa: S106


@pytest.mark.rule("RR-158", "RR-R26")
def test_only_opponents_on_limited_and_restricted_sites_are_pushed() -> None:
    position = dice(scene(*MODULES), ann=(6, 2), bob=(6, 3, 2))
    cases = (("builder", 2, False), ("saloon", 3, False), ("produce", 3, False), ("hired-hand", 4, True))
    for site, number, able in cases:
        there = at(goods(claimed(position, "bob", site, number), ann={"boot": 1}), "placement", "ann")
        assert bool(pushes(there, "ann")) is able
    own = at(goods(claimed(position, "ann", "hired-hand", 1), ann={"boot": 1}), "placement", "ann")
    assert pushes(own, "ann") == ()


@pytest.mark.rule("RR-158")
def test_a_boot_is_used_on_the_own_placement_turn_only_and_once() -> None:
    position = pushing()
    late = at(position, "collection", "ann")
    assert refusal(late, "ann", UseToken(token="boot")).code == "not-in-window"  # noqa: S106
    again = position.having(Usage(used=(("ann", "token:boot"),)))
    assert refusal(again, "ann", UseToken(token="boot")).code == "used-this-turn"  # noqa: S106


def changed(steps: tuple[tuple[str, int], ...], value: int, **more: bool) -> Position:
    """Bob claimed Scout (needs 9) with two dice, the second of which was changed on the way."""
    position = dice(scene(*MODULES), ann=(4, 5), bob=(3,))
    die = Die(seat="bob", kind="own", value=value, natural=False, steps=steps, **more)
    position = position.having(Dice(dice=(*position[Dice].dice, die)), Usage(used=(("bob", "token:wild"),)))
    return at(goods(claimed(position, "bob", "scout", 2, 3), ann={"boot": 1}), "placement", "ann")


@pytest.mark.rule("RR-159", "RR-R26")
@pytest.mark.parametrize(
    ("steps", "value", "left", "natural", "tokens"),
    [
        ((("token:wild", 2),), 6, (2, ()), True, 1),
        ((("dealer", 5),), 6, (6, (("dealer", 5),)), False, 0),
        ((("dealer", 2), ("token:wild", 3)), 6, (3, (("dealer", 2),)), False, 1),
        ((("token:wild", 2), ("dealer", 5)), 6, (3, (("dealer", 2),)), False, 1),
        ((("token:wild", 1), ("card:AC-08", 4)), 6, (3, (("card:AC-08", 1),)), False, 1),
        ((("token:wild", 2), ("card:AC-07", 3)), 6, (6, (("card:AC-07", 2),)), False, 1),
        ((("token:wild", 6), ("dealer", 5)), 6, (6, (("dealer", 6),)), False, 1),
    ],
)
def test_tokens_come_back_and_what_dealer_and_cards_changed_stays(steps, value, left, natural, tokens) -> None:
    position = after(changed(steps, value), ("ann", UseToken(token="boot")))  # noqa: S106
    die = position[Dice].dice[3]
    assert (die.value, die.steps) == left
    assert die.natural is natural
    assert has(position, "bob", "wild") == tokens
    assert used(position, "bob", "token:wild") is (tokens == 0)
    assert claims_of(position, "bob") == ()


@pytest.mark.rule("RR-160")
def test_the_one_pushed_off_may_use_the_returned_token_at_once() -> None:
    position = after(changed((("token:wild", 2),), 6), ("ann", UseToken(token="boot")))  # noqa: S106
    position = after(position, ("bob", UseToken(token="wild")), ("bob", "3=5"))  # noqa: S106
    position = after(position, ("bob", ClaimSite(site="rail-baron", dice=(3,))))
    assert claims_of(position, "bob") == ("rail-baron",)
    assert has(position, "bob", "wild") == 0


@pytest.mark.rule("RR-R26")
def test_a_fixed_die_stays_fixed() -> None:
    position = after(changed((("token:wild", 2),), 6, fixed=True), ("ann", UseToken(token="boot")))  # noqa: S106
    assert position[Dice].dice[3].fixed


@pytest.mark.rule("RR-158")
def test_of_several_claims_the_user_chooses_one() -> None:
    position = pushing(ann=(3, 4), cem=(3,))
    position = claimed(position, "cem", "politics", 5)
    position = after(position, ("ann", UseToken(token="boot")))  # noqa: S106
    assert offered(position, "ann") == ("trader 0+1", "politics 0")
    told = [position.ruleset.tell(position, Choose(option=option)) for option in offered(position, "ann")]
    assert told == ["Push bob off Trader with 3 and 4.", "Push cem off Politics with 3."]
    position = after(position, ("ann", "politics 0"))
    assert position.ruleset.to_act(position) == ("cem",)
    assert claims_of(position, "bob") == ("trader",)


@pytest.mark.rule("RR-010", "RR-R27")
def test_there_are_nine_boots_and_nobody_holds_two() -> None:
    position = scene(*MODULES)
    assert position.ruleset.slots["things"]["boot"].supply == 9
    assert lost_or_doubled(goods(position, ann={"boot": 2})) == ("The Boots are {'ann': 2, 'bob': 0, 'cem': 0}.",)


@pytest.mark.rule("RR-153")
def test_conflicting_modules(  # RR-E57, case B: both replace Market
) -> None:
    with pytest.raises(VariantConflict, match=r"barnstorming.*saloon"):
        west("reputation", "silver", "saloon", "barnstorming")
    for missing in ("reputation", "silver"):
        with pytest.raises(MissingRequirement, match=missing):
            west(*(name for name in MODULES if name != missing))
