"""Mystery Hexes: finding them, what each gives, and how two of them move."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dark_horse_west.variants.scenes import (
    after,
    asked,
    at,
    claimed,
    decided,
    dice,
    fronted,
    goods,
    has,
    hidden,
    in_hand,
    links,
    offered,
    pieces,
    refusal,
    rolling,
    scene,
)
from dark_horse_west.west import NAMES, begun, west
from ludolog import Chance, Event, Position
from ludolog.errors import MissingRequirement
from ludolog_plugins.dark_horse_west.abilities import combat_icons
from ludolog_plugins.dark_horse_west.board import access, ground
from ludolog_plugins.dark_horse_west.building import pieces_left
from ludolog_plugins.dark_horse_west.claims import claims_of
from ludolog_plugins.dark_horse_west.commands import ClaimSite, Collect, Finish, PutDice
from ludolog_plugins.dark_horse_west.conserved import lost_or_doubled
from ludolog_plugins.dark_horse_west.data import cards_of
from ludolog_plugins.dark_horse_west.dice import unplaced
from ludolog_plugins.dark_horse_west.events import HandSeen, HexProduced
from ludolog_plugins.dark_horse_west.laid_hexes import HexMoved, LaidHexes, Lying
from ludolog_plugins.dark_horse_west.mystery_hexes import (
    BUFFALO,
    GHOST,
    HEXES,
    HIDEOUT,
    MINES,
    NATIVE,
    RANCH,
    MysteryTokens,
    RemoveTribe,
)
from ludolog_plugins.dark_horse_west.reputation import TradeInfluence
from ludolog_plugins.dark_horse_west.scoring import city_points
from ludolog_plugins.dark_horse_west.slots import MAP_MARKS, MEASURES
from ludolog_plugins.dark_horse_west.state import Agenda, Board, Dice, Piece, Task, Tiles

MODULES = ("reputation", "silver", "mystery-hexes")
PLACES = ((1, -2), (2, -1), (1, 1), (-1, 2), (-2, 1), (-1, -1))
HERE = (1, -2)
"""Where the hex of a test lies; Ann's city stands beside it, on (1,-3)."""
NAME = "1,-2"
TOKENS = {HIDEOUT: 2, NATIVE: 6, BUFFALO: 8}
REPUTATION, ICON, HATS = "3 reputation and 1 Silver", "Hideout token on a character", "2 Black Hats and 2 Silver"
MONEY, TOWN, BECOMES = "1 Gold and 4 Wood", "town", "Outlaw Hideout"
FOOD, TRIBE, LOOK = "2 Food, 1 Silver and a Wild Die token", "Tribe token on a hex", "2 Black Hats and a look at a hand"
HUNT, SELL = "3 Food and 1 Silver", "1 Black Hat and 2 Silver"
RICH = {"food": 3, "wood": 3, "ore": 3}


def found(kind: str, *others: str, shown: bool = True, tokens: int | None = None, **more: object) -> Position:
    """A Mystery hex lies beside Ann's city and at the end of Bob's rails; others follow on the further places."""
    position = pieces(scene(*MODULES, **more), "city", ann=((1, -3),))
    position = links(position, bob=((0, 0), (0, -1), HERE), cem=((2, -2), (1, -2)))
    lying = [
        Lying(which, hex_, shown=shown, tokens=(TOKENS.get(which, 0) if tokens is None else tokens) if shown else 0)
        for which, hex_ in zip((kind, *others), PLACES, strict=False)
    ]
    known = (kind, *others) if shown else ()
    missing = tuple(name for name in HEXES if name not in (kind, *others))
    return position.having(LaidHexes(hexes=tuple(lying), found=(*known, *missing)))


def lies(position: Position, kind: str) -> Lying | None:
    return next((on for on in position[LaidHexes].hexes if on.kind == kind), None)


def put(*numbers: int) -> PutDice:
    return PutDice(spot=f"hex:{NAME}", dice=numbers)


def placing(position: Position, *seats: str, **values: tuple[int, ...]) -> Position:
    """Seats have rolled and are to place, one after the other; then the Collection Phase begins."""
    order = position.seats
    phases = tuple(Task(kind="phase", source=name) for name in ("collection", "spots"))
    position = position.having(Agenda(stack=(Task(kind="turn-end"), *phases)))
    return at(dice(position, **(values or {"ann": (6, 5)})), "placement", *(seats or order[:1]))


# ------------------------------------------------------------ laid, hidden, found


@pytest.mark.rule("RR-006", "RR-194", "RR-R34", "RR-R92")
def test_six_hexes_are_laid_at_random_before_the_first_cities() -> None:
    orders = set()
    for seed in range(4):
        position = begun(west(*MODULES), 3, seed)
        laid = position[LaidHexes].hexes
        assert tuple(on.hex for on in laid) == PLACES
        assert sorted(str(on.kind) for on in laid) == sorted(HEXES)
        assert not any(on.shown or on.tokens for on in laid)
        assert position[Board].cities == ()
        assert set(position[Tiles].tiles) == {"food", "wood", "ore"}
        cities = {option.removeprefix("city ") for option in offered(position, position.ruleset.to_act(position)[0])}
        assert cities
        assert not cities & {f"{q},{r}" for q, r in PLACES}
        orders.add(tuple(on.kind for on in laid))
    assert len(orders) > 1
    assert refusal(position, position.ruleset.to_act(position)[0], "city 1,-2").clause == "RR-R34"


@pytest.mark.rule("RR-321")
def test_nobody_can_tell_face_down_hexes_apart() -> None:
    ruleset = west(*MODULES)
    start = ruleset.opening(NAMES[:2])
    decision = ruleset.begin(start, Chance(b"k" * 32))
    kinds = {on.kind for on in decision.position[LaidHexes].hexes}
    for seat in (*NAMES[:2], None):
        view = ruleset.fold(Position(ruleset, dict(start.slices), viewer=seat, is_view=True), decision.events, seat)
        assert {on.kind for on in view[LaidHexes].hexes} == {None}
        assert {mark for _, mark in view.slot(MAP_MARKS)["laid-hexes"](view)} == {"hidden hex"}
        filled = ruleset.determinize(view, Chance(b"d" * 32))
        assert {on.kind for on in filled[LaidHexes].hexes} == kinds
        assert lost_or_doubled(filled) == ()


@pytest.mark.rule("RR-195")
def test_a_hex_is_used_with_access_by_rail_or_own_city() -> None:
    position = found(BUFFALO)
    for seat in ("ann", "bob", "cem"):
        assert HERE in access(position, seat)
        assert put(0) in position.ruleset.legal(placing(position, seat, **{seat: (1,)}), seat)
    apart = placing(found(BUFFALO, seats=4), "dot", dot=(1,))
    assert refusal(apart, "dot", put(0)).code == "no-access"


@pytest.mark.rule("RR-208", "RR-223", "RR-232", "RR-007", "RR-008", "RR-009", "RR-R35")
@pytest.mark.parametrize("kind", [HIDEOUT, NATIVE, BUFFALO])
def test_the_first_use_turns_a_hex_up_with_its_tokens(kind: str) -> None:
    position = after(placing(found(kind, shown=False)), ("ann", put(0)))
    on = lies(position, kind)
    assert on is not None
    assert on.shown
    assert on.tokens == TOKENS[kind] - (kind != HIDEOUT)
    assert unplaced(position, "ann") == (1,)
    assert lost_or_doubled(position) == ()


@pytest.mark.rule("RR-R35")
def test_dice_that_cannot_be_used_come_back_and_the_hex_stays_face_up() -> None:
    for kind, numbers in ((HIDEOUT, (1,)), (NATIVE, (2,)), (RANCH, (0,)), (GHOST, (0, 1))):
        position = placing(found(kind, "buffalo-herd", shown=False), ann=(6, 4, 3) if kind != GHOST else (1, 2))
        position = after(links(position, ann=((1, -3), (2, -3), (2, -2), (2, -1))), ("ann", put(*numbers)))
        on = lies(position, kind)
        assert on is not None
        assert on.shown
        assert set(numbers) <= set(unplaced(position, "ann"))
        second = refusal(position, "ann", PutDice(spot="hex:2,-1", dice=(0,)))
        assert (second.code, second.clause) == ("one-mystery", "RR-R35")


@pytest.mark.rule("RR-R35", "RR-197")
def test_dice_come_back_too_when_no_ability_is_open() -> None:
    elsewhere = pieces(found(GHOST, shown=False), "town", ann=((3, -4), (4, -3), (2, -3), (3, 1), (4, -1), (1, -1)))
    white = goods(elsewhere, ann={"white": 1})
    position = after(placing(white), ("ann", put(0)))
    assert unplaced(position, "ann") == (1,)  # money is open to White
    closed = west(*MODULES).slots["laid-hexes"][BUFFALO].offers
    assert [offer.title for offer in closed(white, "ann")] == [HUNT]


@pytest.mark.rule("RR-R35", "RR-199", "RR-203")
def test_at_builder_a_hidden_hex_may_be_turned_up_as_the_site_of_a_town() -> None:
    builder = Task(kind="builder", seat="ann", n=1)
    for kind in (RANCH, MINES):
        position = asked(goods(found(kind, shown=False), ann={"food": 1, "wood": 1, "ore": 1}), builder)
        built = after(position, ("ann", f"hidden {NAME}"))
        assert [town.hex for town in built[Board].towns] == [HERE]
        assert [has(built, "ann", what) for what in ("food", "wood", "ore")] == [0, 0, 0]
    position = asked(goods(found(HIDEOUT, "buffalo-herd", shown=False), ann=RICH), builder)
    position = links(position, ann=((1, -3), (2, -3), (2, -2), (2, -1)))
    assert f"hidden {NAME}" in offered(position, "ann")
    turned = after(position, ("ann", f"hidden {NAME}"))
    assert turned[Board].towns == ()
    assert has(turned, "ann", "food") == 3
    assert refusal(turned, "ann", "hidden 2,-1").clause == "RR-R35"
    elsewhere = after(turned, ("ann", "town 2,-3"))
    assert [town.hex for town in elsewhere[Board].towns] == [(2, -3)]
    poor = asked(found(RANCH, shown=False), builder)
    assert refusal(poor, "ann", f"hidden {NAME}").code == "cannot-pay"
    assert refusal(asked(goods(found(RANCH), ann=RICH), builder), "ann", f"hidden {NAME}").code == "no-hidden-hex"


@pytest.mark.rule("RR-197", "RR-198", "RR-R59")
def test_colours_on_mystery_hexes(  # RR-E47
) -> None:
    position = goods(found(BUFFALO), ann={"black": 1}, bob={"white": 2})
    for seat, open_ in (("ann", (SELL,)), ("bob", (HUNT,)), ("cem", (HUNT, SELL))):
        asked_now = after(placing(position, seat, **{seat: (1,)}), (seat, put(0)))
        assert offered(asked_now, seat) == (*open_, "nothing")


@pytest.mark.rule("RR-R62")
@pytest.mark.parametrize("option", ["free", "claim"])
def test_dice_on_hexes_and_the_claim_of_the_turn(option: str) -> None:
    position = placing(found(HIDEOUT, hex_claims=option))
    claim = ClaimSite(site="rail-baron", dice=(1,))
    first = after(position, ("ann", put(0)))
    second = after(position, ("ann", claim))
    if option == "free":
        assert claims_of(after(first, ("ann", claim)), "ann") == ("rail-baron",)
        assert unplaced(after(second, ("ann", put(0))), "ann") == ()
    else:
        assert refusal(first, "ann", claim).clause == "RR-R62"
        assert refusal(second, "ann", put(0)).clause == "RR-R62"
    three = after(placing(found(HIDEOUT, hex_claims=option), ann=(6, 5, 4)), ("ann", put(0)))
    assert ClaimSite(site="dealer", dice=(1,)) in position.ruleset.legal(three, "ann")


@pytest.mark.rule("RR-R62", "RR-R35", "DW-R34")
@pytest.mark.parametrize("option", ["free", "claim"])
def test_by_option_dice_on_a_hex_are_the_claim_in_all_that_follows_from_it(option: str) -> None:
    """No second hex, and no resource for a seat without a claim; but Builder, the claim itself, may turn one up."""
    position = links(found(HIDEOUT, BUFFALO, hex_claims=option), ann=((1, -3), (2, -3), (2, -2), (2, -1)))
    other = PutDice(spot="hex:2,-1", dice=(1,))
    first = after(placing(position, ann=(6, 5)), ("ann", put(0)))
    assert (other in first.ruleset.legal(first, "ann")) is (option == "free")
    collecting = after(first, ("ann", Finish()), ("ann", "nothing"))
    assert bool(offered(collecting, "ann")) is (option == "free")
    hidden_one = links(found(RANCH, shown=False, hex_claims=option), ann=((1, -3), HERE))
    claimed_builder = claimed(goods(hidden_one, ann=RICH), "ann", "builder")
    assert f"hidden {NAME}" in offered(asked(claimed_builder, Task(kind="builder", seat="ann", n=1)), "ann")


@pytest.mark.rule("RR-197", "RR-044")
def test_hats_that_change_before_the_choice_change_what_may_be_chosen() -> None:
    """Who takes White Hats while a Buffalo Herd asks may no longer sell as Black."""
    position = goods(found(BUFFALO), ann={"influence": 1})
    question = after(placing(position, ann=(1,)), ("ann", put(0)))
    assert offered(question, "ann") == (HUNT, SELL, "nothing")
    white = after(question, ("ann", TradeInfluence(colour="white")))
    assert offered(white, "ann") == (HUNT, "nothing")
    assert refusal(white, "ann", SELL).clause == "DW-R60"


# ------------------------------------------------------------ Cattle Ranch and Silver Mines


@pytest.mark.rule("RR-199", "RR-203")
@pytest.mark.parametrize("kind", [RANCH, MINES])
def test_any_number_of_players_build_a_town_each(kind: str) -> None:
    position = found(kind)
    for seat in ("ann", "bob", "cem"):
        position = goods(position, **{seat: {"food": 1, "wood": 1, "ore": 1}})
        position = after(asked(position, Task(kind="builder", seat=seat, n=1)), (seat, f"town {NAME}"))
    assert [town.seat for town in position[Board].towns] == ["ann", "bob", "cem"]
    assert lost_or_doubled(position) == ()
    again = asked(goods(position, ann=RICH), Task(kind="builder", seat="ann", n=1))
    assert refusal(again, "ann", f"town {NAME}").code == "hex-taken"
    far = asked(goods(found(kind, seats=4), dot=RICH), Task(kind="builder", seat="dot", n=1))
    assert refusal(far, "dot", f"town {NAME}").code == "no-access"


@pytest.mark.rule("RR-200", "RR-201", "RR-204", "RR-206", "RR-R58")
@pytest.mark.parametrize(
    ("kind", "options", "resource"),
    [(RANCH, {}, "food"), (MINES, {}, "ore"), (MINES, {"silver_mines_product": "food"}, "food")],
)
def test_silver_from_the_cattle_ranch(  # RR-E44, and the same of the Silver Mines
    kind: str, options: dict[str, object], resource: str
) -> None:
    position = pieces(found(kind, **options), "town", ann=(HERE,))
    position = claimed(dice(position, ann=(6, 5)), "ann", "produce", 0)
    position = at(at(position, "collection", "ann"), "placement", "ann")
    position = after(position, ("ann", PutDice(spot=f"effort:{resource}", dice=(1,))), ("ann", Finish()))
    events, position = decided(after(position, ("ann", Collect(site="produce"))), "ann", resource)
    assert [event.n for event in events if isinstance(event, HexProduced)] == [1]
    assert has(position, "ann", resource) == 2
    assert has(position, "ann", "silver") == 1
    assert position.slot(MEASURES)[f"towns-{resource}"](position, "ann") == 1


@pytest.mark.rule("RR-202", "RR-207", "RR-219")
@pytest.mark.parametrize(("kind", "points"), [(RANCH, 0), (MINES, 0), (GHOST, 2)])
def test_towns_on_ranch_and_mines_serve_no_city_and_one_on_the_ghost_town_does(kind: str, points: int) -> None:
    position = pieces(found(kind), "town", ann=(HERE,))
    assert city_points(position, "ann") == (points,)


@pytest.mark.rule("RR-199")
def test_ranch_and_mines_take_no_dice() -> None:
    assert refusal(placing(found(RANCH)), "ann", put(0)).code == "no-dice"


# ------------------------------------------------------------ Outlaw Hideout


def started(position: Position, *numbers: int) -> Position:
    """Ann put dice on the hex, everybody placed, and the Collection Phase starts."""
    return after(placing(position), ("ann", put(*numbers or (0,))), ("ann", Finish()))


@pytest.mark.rule("RR-209", "RR-210", "RR-211")
def test_the_hideout_takes_a_six_or_more_and_acts_when_the_collection_phase_starts() -> None:
    placed = after(placing(goods(found(HIDEOUT), ann={"white": 1})), ("ann", put(0)))
    assert lies(placed, HIDEOUT) == Lying(HIDEOUT, HERE, shown=True, tokens=2)
    assert refusal(placing(found(HIDEOUT)), "ann", put(1)).code == "wrong-dice"
    assert put(0, 1) in placed.ruleset.legal(placing(found(HIDEOUT), ann=(3, 3)), "ann")
    position = after(placed, ("ann", Finish()))
    assert lies(position, HIDEOUT) == Lying(HIDEOUT, HERE, shown=True, tokens=1)
    position = after(position, ("ann", REPUTATION))
    assert [has(position, "ann", what) for what in ("white", "silver")] == [4, 1]


@pytest.mark.rule("RR-211", "RR-R59")
def test_three_reputation_without_a_colour_are_a_choice_of_the_receiver() -> None:
    position = after(started(found(HIDEOUT)), ("ann", REPUTATION))
    if offered(position, "ann"):
        position = after(position, ("ann", offered(position, "ann")[0]))
    assert has(position, "ann", "white") + has(position, "ann", "black") == 3


@pytest.mark.rule("RR-214", "RR-R59")
def test_two_black_hats_and_two_silver() -> None:
    position = after(started(goods(found(HIDEOUT), ann={"black": 1})), ("ann", HATS))
    assert [has(position, "ann", what) for what in ("black", "silver")] == [3, 2]


@pytest.mark.rule("RR-196")
def test_a_hex_whose_last_token_is_taken_leaves_the_game_and_its_action_still_comes() -> None:
    position = started(goods(found(HIDEOUT, tokens=1), ann={"black": 1}))
    assert lies(position, HIDEOUT) is None
    assert has(after(position, ("ann", HATS)), "ann", "silver") == 2
    assert ground(position, HERE).city


@pytest.mark.rule("RR-R36", "RR-209")
def test_the_hideout_takes_dice_of_one_player_a_turn() -> None:
    position = placing(found(HIDEOUT), "ann", "bob", ann=(6,), bob=(6,))
    position = after(position, ("ann", put(0)), ("ann", Finish()))
    assert refusal(position, "bob", put(1)).code == "used-this-turn"


def armed() -> Position:
    """Ann has a Black Hat character with 2 and one with 3 printed Combat icons, and a White Hat one."""
    deck = {card.id: card for card in cards_of("rebels-and-rogues")}
    two, three = (
        next(card for card in deck.values() if card.colour == "black" and card.icons.combat == n) for n in (2, 3)
    )
    white = next(card for card in deck.values() if card.colour == "white" and card.icons.combat == 2)
    position = goods(found(HIDEOUT, cards=(two, three, white)), ann={"black": 2})
    return fronted(position, ann=(two.id, three.id, white.id))


@pytest.mark.rule("RR-212", "RR-213", "RR-R41")
def test_a_hideout_token_makes_a_gunfighter_stronger(  # RR-E45
) -> None:
    position = armed()
    two, three, _ = position.ruleset.slots["in-play"]["fronts"](position, "ann")
    chosen = started(position)
    assert offered(chosen, "ann") == (ICON, HATS, "nothing")
    given = after(chosen, ("ann", ICON))
    assert lies(given, HIDEOUT) == Lying(HIDEOUT, HERE, shown=True, tokens=1)
    assert given[MysteryTokens].hideouts == (two,)
    assert (combat_icons(given, two), combat_icons(given, three)) == (3, 3)
    assert lost_or_doubled(given) == ()
    again = started(position.having(MysteryTokens(hideouts=(two,))))
    assert offered(again, "ann") == (HATS, "nothing")


# ------------------------------------------------------------ Ghost Town


@pytest.mark.rule("RR-215", "RR-216")
def test_ghost_town_for_money(  # RR-E46
) -> None:
    position = started(goods(found(GHOST), ann={"white": 1}))
    position = after(position, ("ann", MONEY))
    things = position.ruleset.slots["things"]
    assert [things[what].count(position, "ann") for what in ("gold", "wood")] == [1, 4]
    assert lies(position, GHOST) is None
    assert ground(position, HERE).name == ""
    assert refusal(placing(found(GHOST)), "ann", put(1)).code == "wrong-dice"


def production(position: Position) -> tuple[Event, ...]:
    """Ann uses Work Crew."""
    crew = claimed(dice(position.having(Dice(), Agenda()), ann=(4,)), "ann", "work-crew", 0)
    events, _ = decided(at(crew, "collection", "ann"), "ann", Collect(site="work-crew"))
    return events


@pytest.mark.rule("RR-217", "RR-218", "RR-222", "RR-R71")
def test_a_free_town_on_the_ghost_town_stays_produces_nothing_and_ends_its_offers() -> None:
    position = started(goods(found(GHOST), ann={"white": 1}))
    before = pieces_left(position, "ann", "town")
    position = after(position, ("ann", TOWN))
    assert [town.hex for town in position[Board].towns] == [HERE]
    assert pieces_left(position, "ann", "town") == before - 1
    assert [has(position, "ann", what) for what in ("food", "wood", "ore")] == [0, 0, 0]
    assert lies(position, GHOST) is not None
    assert ground(position, HERE).resource == ""
    for seat in ("ann", "bob"):
        later = placing(position.having(Dice()), seat, **{seat: (6,)})
        assert refusal(later, seat, put(0)).code == "nothing-open"
    assert not [event for event in production(position) if isinstance(event, HexProduced)]
    full = pieces(position, "town", ann=((3, -4), (4, -3), (2, -3), (3, 1), (4, -1)))
    assert lost_or_doubled(position) == ()
    assert TOWN not in [offer.title for offer in full.ruleset.slots["laid-hexes"][GHOST].offers(full, "ann")]


@pytest.mark.rule("RR-221", "RR-222", "RR-R59", "RR-009")
def test_the_ghost_town_becomes_an_outlaw_hideout() -> None:
    position = started(goods(found(GHOST), ann={"black": 1}))
    assert offered(position, "ann") == (BECOMES, "nothing")
    position = after(position, ("ann", BECOMES))
    assert position[LaidHexes].hexes == (Lying(HIDEOUT, HERE, shown=True, tokens=2),)
    assert lost_or_doubled(position) == ()
    later = started(position.having(Dice(), Agenda()))
    assert offered(later, "ann") == (HATS, "nothing")
    assert later[LaidHexes].hexes == (Lying(HIDEOUT, HERE, shown=True, tokens=1),)


@pytest.mark.rule("RR-R59")
@pytest.mark.parametrize(("option", "titles"), [("split", [BECOMES]), ("open", [MONEY, TOWN, BECOMES])])
def test_by_option_all_ghost_town_actions_are_open_to_all(option: str, titles: list[str]) -> None:
    position = goods(found(GHOST, ghost_town_colours=option), ann={"black": 1})
    assert [offer.title for offer in position.ruleset.slots["laid-hexes"][GHOST].offers(position, "ann")] == titles


# ------------------------------------------------------------ Native American hex


@pytest.mark.rule("RR-224", "RR-225", "RR-226", "RR-R36")
def test_a_five_or_more_takes_a_tribe_token_and_gives_an_ability_at_once() -> None:
    position = placing(goods(found(NATIVE), ann={"white": 1}), ann=(5, 6, 4))
    assert refusal(position, "ann", put(2)).code == "wrong-dice"
    position = after(position, ("ann", put(0)))
    assert lies(position, NATIVE) == Lying(NATIVE, HERE, shown=True, tokens=5)
    position = after(position, ("ann", FOOD), chance=rolling(1, 4))
    assert [has(position, "ann", what) for what in ("wild", "silver", "food")] == [1, 1, 2]
    moved = lies(position, NATIVE)
    assert moved == Lying(NATIVE, (1, -1), shown=True, tokens=5)
    again = links(position, ann=((1, -3), (0, -2), (1, -2), (1, -1)))
    used = after(again, ("ann", PutDice(spot="hex:1,-1", dice=(1,))))
    assert lies(used, NATIVE) == Lying(NATIVE, (1, -1), shown=True, tokens=4)


def native(**more: object) -> Position:
    """Ann, of Black reputation, has just put a 5 on the Native American hex."""
    position = found(NATIVE, tiles={(3, 1): "wood", (4, -1): "ore"}, **more)
    position = goods(position, ann={"black": 1}, bob={"silver": 2})
    return after(placing(position, "ann", "bob", ann=(5,), bob=(4, 3)), ("ann", put(0)))


@pytest.mark.rule("RR-224", "RR-227", "RR-228", "RR-229", "RR-R37", "RR-R72")
def test_a_tribe_token_closes_a_hex(  # RR-E48
) -> None:
    position = after(native(), ("ann", TRIBE))
    position = after(position, ("ann", "3,1"), chance=rolling(1, 4))
    assert position[MysteryTokens].tribes == ((3, 1),)
    on = lies(position, NATIVE)
    assert on is not None
    assert on.tokens == 5
    builder = Task(kind="builder", seat="bob", n=1)
    reached = links(goods(position, bob={**RICH, "silver": 2}), bob=((2, 0), (2, 1), (3, 1)))
    assert refusal(asked(reached, builder), "bob", "town 3,1").clause == "RR-228"
    freed = after(position, ("ann", Finish()), ("bob", RemoveTribe(hex=(3, 1))))
    assert has(freed, "bob", "silver") == 0
    assert freed[MysteryTokens].tribes == ()
    assert lies(freed, NATIVE) == on
    open_again = links(goods(freed, bob=RICH), bob=((2, 0), (2, 1), (3, 1)))
    assert "town 3,1" in offered(asked(open_again, builder), "bob")


@pytest.mark.rule("RR-229")
def test_a_die_of_four_or_more_removes_a_tribe_token_as_well() -> None:
    position = found(BUFFALO).having(MysteryTokens(tribes=((3, 1),)))
    position = placing(goods(position, ann={"silver": 1}), ann=(4, 3, 1))
    spot = "tribe:3,1"
    assert refusal(position, "ann", PutDice(spot=spot, dice=(1,))).code == "wrong-dice"
    assert refusal(position, "ann", PutDice(spot=spot, dice=(1, 2))).code == "one-die-only"
    assert refusal(position, "ann", RemoveTribe(hex=(3, 1))).code == "cannot-pay"
    freed = after(position, ("ann", PutDice(spot=spot, dice=(0,))))
    assert freed[MysteryTokens].tribes == ()
    rich = goods(position, ann={"silver": 2})
    assert refusal(rich, "ann", RemoveTribe(hex=(4, -1))).code == "no-tribe"
    late = at(rich, "collection", "ann")
    assert refusal(late, "ann", RemoveTribe(hex=(3, 1))).code == "not-in-window"


@pytest.mark.rule("RR-R72", "RR-228")
def test_no_link_is_built_into_a_closed_hex_and_links_there_still_join() -> None:
    position = pieces(found(BUFFALO), "city", bob=((3, 0),)).having(MysteryTokens(tribes=((3, 1),)))
    free = asked(position, Task(kind="free-links", seat="bob", n=1))
    assert refusal(free, "bob", "link 3,0 3,1").clause == "RR-R72"
    standing = links(position, bob=((3, 0), (3, 1)))
    assert "link 2,1 3,1" in offered(asked(standing, Task(kind="free-links", seat="bob", n=1)), "bob")


@pytest.mark.rule("RR-227")
def test_tribe_tokens_go_onto_resource_hexes_without_a_town_face_up_or_face_down() -> None:
    position = hidden(pieces(found(NATIVE), "town", bob=((3, -4),)), (1, -1))
    position = position.having(MysteryTokens(tribes=((4, -1),)))
    position = after(placing(goods(position, ann={"black": 1})), ("ann", put(0)), ("ann", TRIBE))
    hexes = offered(position, "ann")
    assert len(hexes) == 18
    assert {"1,-1", "4,-3"} < set(hexes)
    assert not {"3,-4", "4,-1", NAME} & set(hexes)


@pytest.mark.rule("RR-R37", "RR-196")
def test_the_last_tribe_token_is_placed_and_the_hex_leaves_without_moving() -> None:
    position = placing(goods(found(NATIVE, tokens=1), ann={"black": 1}))
    position = after(position, ("ann", put(0)), ("ann", TRIBE))
    events, position = decided(position, "ann", "3,1")
    assert lies(position, NATIVE) is None
    assert position[MysteryTokens].tribes == ((3, 1),)
    assert not [event for event in events if isinstance(event, HexMoved)]


@pytest.mark.rule("RR-230", "RR-R74")
def test_black_hats_and_a_look_at_one_opponents_hand_which_nobody_else_sees() -> None:
    position = in_hand(native(), bob=("AC-01", "AC-02"), cem=("AC-03",))
    position = after(position, ("ann", LOOK))
    assert offered(position, "ann") == ("bob", "cem")
    events, position = decided(position, "ann", "bob", rolling(1, 4))
    seen = next(event for event in events if isinstance(event, HandSeen))
    assert (seen.seat, seen.of, seen.cards) == ("ann", "bob", ("AC-01", "AC-02"))
    assert has(position, "ann", "black") == 3
    view = position.ruleset.fold(position, events, "cem")
    assert view[LaidHexes] == position[LaidHexes]


# ------------------------------------------------------------ Buffalo Herd, and how mobile hexes move


@pytest.mark.rule("RR-233", "RR-234", "RR-235", "RR-236", "RR-R36")
def test_any_die_takes_a_buffalo_token_and_gives_food_or_silver() -> None:
    position = after(placing(found(BUFFALO), ann=(1, 2)), ("ann", put(0)))
    assert lies(position, BUFFALO) == Lying(BUFFALO, HERE, shown=True, tokens=7)
    fed = after(position, ("ann", HUNT), chance=rolling(3))
    assert [has(fed, "ann", what) for what in ("food", "silver")] == [3, 1]
    sold = after(position, ("ann", SELL), chance=rolling(3))
    assert [has(sold, "ann", what) for what in ("silver", "black")] == [2, 1]
    assert lies(sold, BUFFALO) == Lying(BUFFALO, (2, -2), shown=True, tokens=7)
    once_more = links(sold, ann=((1, -3), (2, -3), (2, -2)))
    once_more = after(once_more, ("ann", PutDice(spot="hex:2,-2", dice=(1,))))
    assert lies(once_more, BUFFALO) == Lying(BUFFALO, (2, -2), shown=True, tokens=6)
    assert refusal(placing(found(BUFFALO), ann=(1, 2)), "ann", put(0, 1)).code == "one-die-only"


def herd(*towns: tuple[int, int], others: tuple[str, ...] = ()) -> Position:
    """The Buffalo Herd lies on (2,-1) and is to move; towns stand around."""
    position = pieces(scene(*MODULES), "town", bob=towns)
    lying = tuple(Lying(kind, hex_, shown=True) for kind, hex_ in zip(others, ((2, 0),), strict=False))
    laid = LaidHexes(hexes=(Lying(BUFFALO, (2, -1), shown=True, tokens=5), *lying))
    position = position.having(laid)
    first = Task(kind="choose-place", seat="ann")
    return position.having(Agenda(stack=(Task(kind="turn-end"), Task(kind="hex-moves", hexes=((2, -1),)), first)))


def moved(position: Position, *rolls: int) -> HexMoved:
    events, position = decided(position, "ann", "1", rolling(*rolls))
    found_move = next(event for event in events if isinstance(event, HexMoved))
    lying = {on.hex for on in position[LaidHexes].hexes}
    assert found_move.to in lying
    return found_move


@pytest.mark.rule("RR-238", "RR-239", "RR-240", "RR-241", "RR-242", "RR-R38", "RR-R40")
def test_a_mobile_hex_moves_or_stays(  # RR-E08
) -> None:
    position = herd((1, 0), (1, -1))
    assert moved(position, 4) == HexMoved(hex=(2, -1), to=(2, 0), rolls=(4,))
    assert moved(position, 5, 6) == HexMoved(hex=(2, -1), to=(2, -1), rolls=(5, 6))
    assert moved(position, 5, 4) == HexMoved(hex=(2, -1), to=(2, 0), rolls=(5, 4))


@pytest.mark.rule("RR-237", "RR-239", "RR-R40")
@pytest.mark.parametrize(
    ("roll", "to"), [(1, (2, -2)), (2, (3, -2)), (3, (3, -1)), (4, (2, 0)), (5, (1, 0)), (6, (1, -1))]
)
def test_directions_run_clockwise_from_the_top(roll: int, to: tuple[int, int]) -> None:
    assert moved(herd(), roll).to == to


@pytest.mark.rule("RR-240", "RR-R39")
def test_cities_other_mystery_hexes_and_the_edge_stop_it() -> None:
    city = pieces(herd(), "city", cem=((2, -2),))
    assert moved(city, 1, 1).to == (2, -1)
    assert moved(herd(others=(GHOST,)), 4, 4).to == (2, -1)
    at_the_edge = herd().having(LaidHexes(hexes=(Lying(BUFFALO, (4, -4), shown=True, tokens=5),)))
    stack = tuple(replace(task, hexes=((4, -4),)) if task.hexes else task for task in at_the_edge[Agenda].stack)
    assert moved(at_the_edge.having(Agenda(stack=stack)), 1, 2).to == (4, -4)


@pytest.mark.rule("RR-244", "RR-245", "RR-R73")
def test_a_mobile_hex_blocks_building(  # RR-E49
) -> None:
    assert moved(herd(), 5).to == (1, 0)  # an unoccupied resource hex
    position = links(pieces(scene(*MODULES), "city", ann=((2, -2),)), ann=((2, -2), (2, -1), (1, 0)))
    position = goods(position, ann={"food": 4, "wood": 4, "ore": 4})
    builder = Task(kind="builder", seat="ann", n=1)
    assert "town 1,0" in offered(asked(position, builder), "ann")
    blocked = position.having(LaidHexes(hexes=(Lying(BUFFALO, (1, 0), shown=True, tokens=5),)))
    assert refusal(asked(blocked, builder), "ann", "town 1,0").clause == "RR-245"
    assert blocked[Board] == position[Board]
    assert (1, 0) in access(blocked, "ann")
    assert ground(blocked, (1, 0)).resource == ground(position, (1, 0)).resource
    assert ground(blocked, (1, 0)).rugged
    on_a_city_site = links(position, ann=((2, -1), (2, 0))).having(
        LaidHexes(hexes=(Lying(NATIVE, (2, 0), shown=True, tokens=5),))
    )
    assert refusal(asked(on_a_city_site, builder), "ann", "city 2,0").clause == "RR-245"
    rails = asked(blocked, Task(kind="free-links", seat="ann", n=1))
    assert "link 1,0 1,1" in offered(rails, "ann")


@pytest.mark.rule("RR-246")
def test_a_tribe_token_where_the_native_american_hex_arrives_returns_to_it() -> None:
    position = native(tokens=5).having(MysteryTokens(tribes=((1, -1),)))
    position = after(position, ("ann", TRIBE))
    position = after(position, ("ann", "3,1"), chance=rolling(4))
    assert lies(position, NATIVE) == Lying(NATIVE, (1, -1), shown=True, tokens=5)
    assert position[MysteryTokens].tribes == ((3, 1),)
    assert lost_or_doubled(position) == ()
    herd_there = herd().having(MysteryTokens(tribes=((1, 0),)))
    _, herd_there = decided(herd_there, "ann", "1", rolling(5))
    assert herd_there[MysteryTokens].tribes == ((1, 0),)
    on_it = placing(links(herd_there, ann=((2, -1), (1, 0))), ann=(3,))
    assert refusal(on_it, "ann", PutDice(spot="hex:1,0", dice=(0,))).clause == "RR-228"


@pytest.mark.rule("RR-231", "RR-236")
@pytest.mark.parametrize(("kind", "offer"), [(NATIVE, FOOD), (BUFFALO, HUNT)])
def test_a_mobile_hex_must_move_after_each_use_with_its_tokens(kind: str, offer: str) -> None:
    position = after(placing(found(kind), ann=(5,)), ("ann", put(0)))
    events, position = decided(position, "ann", offer, rolling(6))
    assert [event.to for event in events if isinstance(event, HexMoved)] == [(0, -2)]
    assert lies(position, kind) == Lying(kind, (0, -2), shown=True, tokens=TOKENS[kind] - 1)
    events, _ = decided(after(placing(found(kind), ann=(5,)), ("ann", put(0))), "ann", "nothing", rolling(6))
    assert [event.to for event in events if isinstance(event, HexMoved)] == [(0, -2)]


# ------------------------------------------------------------ proof, together with others


@pytest.mark.rule("RR-220", "RR-R70")
@pytest.mark.parametrize("kind", [RANCH, MINES, GHOST])
def test_no_improved_town_on_a_mystery_hex(kind: str) -> None:
    position = pieces(scene(*MODULES, "improved-towns"), "city", ann=((1, -3),))
    position = pieces(position, "town", ann=(HERE,)).having(LaidHexes(hexes=(Lying(kind, HERE, shown=True),)))
    position = asked(goods(position, ann=RICH), Task(kind="builder", seat="ann", n=1))
    assert not [option for option in offered(position, "ann") if option.startswith("improved")]
    for resource in ("food", "wood", "ore"):
        assert refusal(position, "ann", f"improved-{resource} {NAME}").clause == "RR-R70"


@pytest.mark.rule("RR-006", "RR-007", "RR-008", "RR-009")
@pytest.mark.parametrize(
    "wrong",
    [
        LaidHexes(hexes=(Lying(BUFFALO, HERE, shown=True, tokens=9),), found=HEXES),
        LaidHexes(hexes=(Lying(BUFFALO, HERE, shown=True), Lying(GHOST, HERE, shown=True)), found=HEXES),
        LaidHexes(hexes=(Lying(BUFFALO, (1, -3), shown=True),), found=HEXES),
        LaidHexes(hexes=(Lying(BUFFALO, HERE, shown=True),)),
        Board(towns=(Piece("ann", HERE),)),
        MysteryTokens(tribes=((3, 1),)),
        MysteryTokens(hideouts=("a", "b", "c", "d", "e")),
    ],
)
def test_the_proof_finds_what_cannot_be(wrong: object) -> None:
    assert lost_or_doubled(found(NATIVE)) == ()
    assert lost_or_doubled(found(NATIVE).having(wrong))


def test_it_is_not_played_without_what_it_requires() -> None:
    for missing in ("reputation", "silver"):
        with pytest.raises(MissingRequirement, match=missing):
            west(*(name for name in MODULES if name != missing))
