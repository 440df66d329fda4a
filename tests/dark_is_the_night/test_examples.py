"""Every example of the rules data: given a scene, when commands, then what is told and what has changed."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.resources import files

import pytest

import ludolog
from dark_is_the_night.scenes import HUNTER, MONSTER, Scene
from ludolog_plugins.dark_is_the_night import possible_spaces
from ludolog_plugins.dark_is_the_night.commands import (
    Approach,
    Attack,
    ChooseStart,
    EndTurn,
    Feint,
    Prowl,
    PutMutton,
    SetTrap,
    Shoot,
    Stab,
    TakePlace,
    Walk,
)
from ludolog_plugins.dark_is_the_night.data import DARK, INNER
from ludolog_plugins.dark_is_the_night.events import (
    BellRang,
    BoltShot,
    CountdownStarted,
    DistanceTold,
    FeintDeclared,
    MonsterAttacked,
    MonsterMoved,
    MonsterSeen,
    MonsterTorn,
    PathRevealed,
    SideTold,
    SpaceStabbed,
)
from ludolog_plugins.dark_is_the_night.state import Camp, Dark, Night

MUTTON_ONLY = ("mutton",)


def new_table(**options: object) -> ludolog.Table:
    return ludolog.new_table("dark-is-the-night", seats=(HUNTER, MONSTER), options=options, seed=1)


def leaves(value: object) -> Iterator[object]:
    if hasattr(value, "__struct_fields__"):
        for name in value.__struct_fields__:
            yield from leaves(getattr(value, name))
    elif isinstance(value, tuple):
        for item in value:
            yield from leaves(item)
    else:
        yield value


@pytest.mark.rule("DN-18", "DN-19", "DN-20", "DN-R1")
def test_e01_the_side_is_told_and_not_the_space():
    table = new_table()
    table.play(MONSTER, ChooseStart(space=9))
    before = len(table.feed(HUNTER))
    table.play(HUNTER, TakePlace(space="N"))
    told = [item.event for item in table.feed(HUNTER)[before:]]
    assert [event.side for event in told if isinstance(event, SideTold)] == ["South"]
    assert 9 not in [leaf for event in told for leaf in leaves(event)]
    view = table.view(HUNTER)
    assert view[Dark].dial is None
    assert view[Dark].path == (None,)
    assert possible_spaces(view) == (7, 8, 9)


@pytest.mark.rule("DN-18", "DN-R1")
@pytest.mark.parametrize(
    ("start", "side"),
    [(1, "North"), (3, "North"), (4, "East"), (6, "East"), (7, "South"), (10, "West"), (12, "West")],
)
def test_e02_which_side_each_start_lies_on(start, side):
    table = new_table()
    table.play(MONSTER, ChooseStart(space=start))
    table.play(HUNTER, TakePlace(space="N"))
    assert [item.event.side for item in table.feed(HUNTER) if isinstance(item.event, SideTold)] == [side]


@pytest.mark.rule("DN-12", "DN-13", "DN-15", "DN-16", "DN-17", "DN-21")
def test_e03_the_monster_chooses_first_and_the_hunter_has_the_first_turn():
    table = new_table()
    assert table.check(HUNTER, TakePlace(space="NE")).clause == "DN-12"
    assert table.legal(MONSTER) == tuple(ChooseStart(space=space) for space in DARK)
    table.play(MONSTER, ChooseStart(space=5))
    assert table.legal(HUNTER) == tuple(TakePlace(space=space) for space in INNER)
    table.play(HUNTER, TakePlace(space="NE"))
    assert [item.event.side for item in table.feed(None) if isinstance(item.event, SideTold)] == ["East"]
    assert table.view(None)[Camp].space == "NE"
    assert table.to_act == (HUNTER,)
    assert table.check(MONSTER, Prowl(to=4)).clause == "DN-21"


@pytest.mark.rule("DN-05", "DN-25", "DN-27", "DN-28", "DN-35", "DN-37", "DN-38", "DN-R32")
def test_e04_where_the_hunter_may_go():
    scene = Scene(hunter="N")
    assert scene.accepted(HUNTER, lambda to: Walk(to=to), (*INNER, "fire", *DARK)) == ("NW", "NE")
    why = {to: scene.refused(HUNTER, Walk(to=to)) for to in ("N", "E", "W", "S", "SE", "SW", "fire", 2, "2", "X")}
    assert why == {
        "N": "DN-25",
        "E": "DN-38",
        "W": "DN-38",
        "S": "DN-37",
        "SE": "DN-28",
        "SW": "DN-28",
        "fire": "DN-37",
        2: "DN-35",
        "2": "DN-R32",
        "X": "DN-R32",
    }


@pytest.mark.rule("DN-06", "DN-25", "DN-27", "DN-71", "DN-73", "DN-R2")
@pytest.mark.parametrize(("monster", "near"), [(3, (2, 4)), (12, (1, 11)), (10, (9, 11))])
def test_e05_where_the_monster_may_go(monster, near):
    scene = Scene(monster=monster, to_move="monster")
    assert scene.accepted(MONSTER, lambda to: Prowl(to=to), (*DARK, 0, 13, -1, *INNER)) == near
    assert scene.refused(MONSTER, Prowl(to=monster)) == "DN-25"
    assert {scene.refused(MONSTER, Prowl(to=to)) for to in (0, 13, -1, "NE", "corner")} == {"DN-71"}
    far = next(space for space in DARK if space not in (*near, monster))
    assert scene.refused(MONSTER, Prowl(to=far)) == "DN-28"
    assert scene.refused(MONSTER, EndTurn()) == "DN-25"


@pytest.mark.rule("DN-24", "DN-29", "DN-30")
def test_e06_no_action_in_the_hunters_first_turn():
    table = new_table()
    table.play(MONSTER, ChooseStart(space=2))
    table.play(HUNTER, TakePlace(space="NE"))
    assert table.check(HUNTER, Stab(at=3)).clause == "DN-29"
    assert table.check(HUNTER, PutMutton(at=3)).clause == "DN-30"
    table.play(HUNTER, Walk(to="N"))
    assert table.check(HUNTER, Stab(at=2)).clause == "DN-29"
    assert table.check(HUNTER, PutMutton(at=2)).clause == "DN-30"
    assert len(table.position[Camp].items) == 4
    assert table.to_act == (MONSTER,)


@pytest.mark.rule("DN-29", "DN-30", "DN-R13")
def test_e07_no_action_in_the_monsters_first_turn():
    table = new_table()
    table.play(MONSTER, ChooseStart(space=5))
    table.play(HUNTER, TakePlace(space="N"))
    table.play(HUNTER, Walk(to="NE"))
    assert table.check(MONSTER, Feint(to=4)).clause == "DN-30"
    assert table.check(MONSTER, Attack()).clause == "DN-29"
    table.play(MONSTER, Prowl(to=4))
    assert table.check(MONSTER, Attack()).clause == "DN-29"
    assert table.check(MONSTER, Feint(to=4)).clause == "DN-30"
    assert table.position[Dark].dial == 4
    assert table.position[Dark].tokens == ("feint",)
    assert table.to_act == (HUNTER,)


@pytest.mark.rule("DN-23", "DN-34", "DN-40")
def test_e08_a_stab_that_hits():
    scene = Scene(hunter="NE", monster=2).hunter(Walk(to="N"), Stab(at=2))
    assert scene.of(SpaceStabbed) == [SpaceStabbed(space=2, hit=True)]
    assert scene.outcome.winners == (HUNTER,)
    assert scene.outcome.reason == "sword"
    assert scene.ruleset.to_act(scene.position) == ()


@pytest.mark.rule("DN-33", "DN-41", "DN-R6")
def test_e09_a_stab_that_misses_tells_no_more():
    scene = Scene(hunter="N", monster=12).hunter(Walk(to="NW"))
    assert scene.accepted(HUNTER, lambda at: Stab(at=at), DARK) == (1, 12)
    assert {scene.refused(HUNTER, Stab(at=at)) for at in (2, 11)} == {"DN-41"}
    scene.hunter(Stab(at=1))
    assert scene.of(SpaceStabbed) == [SpaceStabbed(space=1, hit=False)]
    assert scene.announcements() == []
    assert possible_spaces(scene.view) == tuple(range(2, 13))
    assert scene.outcome is None
    assert Scene(hunter="N", monster=12).hunter(Walk(to="NW"), Stab(at=12)).outcome.winners == (HUNTER,)


@pytest.mark.rule("DN-36", "DN-42")
def test_e10_one_action_in_a_turn():
    scene = Scene(hunter="NE", monster=2).hunter(Walk(to="E"), SetTrap(at=8))
    assert scene.refused(HUNTER, Stab(at=5)) == "DN-42"
    assert scene.refused(HUNTER, Shoot(direction="East")) == "DN-36"
    assert scene.items == ("bolt", "bolt", "mutton")


@pytest.mark.rule("DN-43", "DN-46", "DN-47", "DN-R3")
def test_e11_a_bolt_that_hits():
    scene = Scene(hunter="N", monster=12).hunter(Walk(to="NE"), Shoot(direction="West"))
    assert scene.of(BoltShot) == [BoltShot(direction="West", space=12, flaming=False, hit=True)]
    assert scene.outcome.winners == (HUNTER,)
    assert scene.outcome.reason == "bolt"


@pytest.mark.rule("DN-43", "DN-44", "DN-46", "DN-R5", "DN-R6")
def test_e12_a_bolt_that_misses():
    scene = Scene(hunter="E", monster=6).hunter(Walk(to="SE"), Shoot(direction="North"))
    assert scene.of(BoltShot) == [BoltShot(direction="North", space=3, flaming=False, hit=False)]
    assert scene.announcements() == []
    assert scene.dark.lit == ()
    assert scene.items == ("bolt", "bell-trap", "mutton")


@pytest.mark.rule("DN-46", "DN-47", "DN-R4")
def test_e13_a_bolt_at_the_space_next_to_the_hunter():
    scene = Scene(hunter="SE", monster=8, items=("bolt",)).hunter(Walk(to="S"), Shoot(direction="South"))
    assert scene.outcome.winners == (HUNTER,)
    scene = Scene(hunter="SE", monster=8, items=("bolt",), near_bolt="refused").hunter(Walk(to="S"))
    assert scene.refused(HUNTER, Shoot(direction="South")) == "DN-R4"
    assert scene.items == ("bolt",)
    assert scene.accepted(HUNTER, lambda to: Shoot(direction=to), ("North", "East", "West")) == (
        "North",
        "East",
        "West",
    )


@pytest.mark.rule("DN-48", "DN-49", "DN-50", "DN-51", "DN-R5")
def test_e14_a_shot_through_the_fire_lights_its_space():
    scene = Scene(hunter="NE", monster=9).hunter(Walk(to="N"), Shoot(direction="South"))
    assert scene.of(BoltShot) == [BoltShot(direction="South", space=8, flaming=True, hit=False)]
    assert scene.announcements() == []
    assert scene.dark.lit == (8,)
    assert scene.items == ("bolt", "bell-trap", "mutton")
    assert scene.outcome is None


@pytest.mark.rule("DN-50", "DN-51", "DN-R14", "DN-R15")
def test_e15_a_flaming_bolt_on_the_monster():
    scene = Scene(hunter="SW", monster=5, items=("bolt",)).hunter(Walk(to="W"), Shoot(direction="East"))
    assert scene.announcements() == [MonsterSeen(space=5)]
    assert scene.view[Dark].dial == 5
    assert scene.dark.lit == (5,)
    assert scene.outcome is None
    scene = Scene(hunter="SW", monster=5, items=("bolt",), light_on_monster="later-steps-only")
    scene.hunter(Walk(to="W"), Shoot(direction="East"))
    assert scene.announcements() == []
    assert possible_spaces(scene.view) == DARK


@pytest.mark.rule("DN-51", "DN-52", "DN-R15", "DN-R16")
def test_e16_each_step_into_the_light_is_told():
    scene = Scene(hunter="N", monster=4, to_move="monster", lit=(5,))
    told = []
    for to in (5, 6, 5):
        scene.tell.clear()
        scene.monster(Prowl(to=to), EndTurn())
        told.append([event.space for event in scene.of(MonsterSeen)])
        scene.hunter(Walk(to="NE" if scene.position[Camp].space == "N" else "N"), EndTurn())
    assert told == [[5], [], [5]]
    assert scene.dark.lit == (5,)


@pytest.mark.rule("DN-53", "DN-56", "DN-57", "DN-R8")
def test_e17_a_trap_put_on_the_monster_goes_off():
    scene = Scene(hunter="NE", monster=10).hunter(Walk(to="E"), SetTrap(at=10))
    assert scene.announcements() == [BellRang(space=10)]
    assert possible_spaces(scene.view) == (10,)
    assert (scene.view[Dark].dial, scene.view[Dark].path) == (10, (10,))
    assert scene.dark.trap == 0
    assert "bell-trap" not in scene.items


@pytest.mark.rule("DN-54", "DN-55", "DN-57", "DN-R8", "DN-R9")
def test_e18_the_trap_goes_off_when_the_monster_steps_there():
    scene = Scene(hunter="N", monster=8, to_move="monster", trap=6)
    told = []
    for to in (7, 6, 7, 6):
        scene.tell.clear()
        scene.monster(Prowl(to=to), EndTurn())
        told.append([event.space for event in scene.announcements()])
        if to == 6 and not told[0] and len(told) == 2:
            assert possible_spaces(scene.view) == (6,)
            assert scene.dark.trap == 0
        scene.hunter(Walk(to="NE" if scene.position[Camp].space == "N" else "N"), EndTurn())
    assert told == [[], [6], [], []]


@pytest.mark.rule("DN-59", "DN-61", "DN-62", "DN-63", "DN-68")
def test_e19_the_mutton_draws_the_monster_and_the_distance_is_told():
    scene = Scene(hunter="N", monster=9).hunter(Walk(to="NE"), PutMutton(at=6))
    assert scene.dark.dial == 8
    assert scene.announcements() == [DistanceTold(mutton=6, distance=2)]
    assert possible_spaces(scene.view) == (4, 8)


@pytest.mark.rule("DN-58", "DN-59", "DN-61", "DN-R2", "DN-R17", "DN-R18")
def test_e20_the_shorter_way_round():
    scene = Scene(hunter="N", monster=11).hunter(Walk(to="NE"), PutMutton(at=2))
    assert scene.dark.dial == 12
    assert scene.announcements() == [DistanceTold(mutton=2, distance=2)]


@pytest.mark.rule("DN-60", "DN-66", "DN-R17", "DN-R34")
@pytest.mark.parametrize("way", [2, 12])
def test_e21_where_both_ways_are_equally_long_the_monster_picks(way):
    scene = Scene(hunter="N", monster=1).hunter(Walk(to="NE"), PutMutton(at=7))
    assert scene.night.turn == 5
    assert scene.ruleset.to_act(scene.position) == (MONSTER,)
    assert scene.refused(HUNTER, EndTurn()) == "DN-R34"
    assert scene.refused(MONSTER, Prowl(to=way)) == "DN-R34"
    assert scene.accepted(MONSTER, lambda to: Approach(to=to), (*DARK, "N")) == (2, 12)
    scene.monster(Approach(to=way))
    assert scene.dark.dial == way
    assert scene.announcements() == [MonsterTorn(space=1), DistanceTold(mutton=7, distance=5)]
    assert possible_spaces(scene.view) == (2, 12)
    assert scene.night.turn == 6


@pytest.mark.rule("DN-64", "DN-65", "DN-R18")
def test_e22_mutton_on_the_monster_draws_no_step():
    scene = Scene(hunter="N", monster=4).hunter(Walk(to="NE"), PutMutton(at=4))
    assert scene.dark.dial == 4
    assert scene.announcements() == [DistanceTold(mutton=4, distance=0)]
    assert scene.dark.mutton == 0
    assert "mutton" not in scene.items


@pytest.mark.rule("DN-65", "DN-66", "DN-67", "DN-R18", "DN-R19")
def test_e23_the_move_after_the_mutton_is_an_ordinary_one():
    scene = Scene(hunter="N", monster=4).hunter(Walk(to="NW"), PutMutton(at=3))
    assert scene.dark.dial == 3
    assert scene.announcements() == [DistanceTold(mutton=3, distance=0)]
    assert scene.dark.mutton == 0
    scene.tell.clear()
    scene.monster(Prowl(to=2))
    assert scene.tell == [MonsterMoved(seat=MONSTER, to=None)]


@pytest.mark.rule("DN-36", "DN-39", "DN-R16", "DN-R21")
def test_e24_a_trap_on_a_lit_space():
    scene = Scene(hunter="NE", monster=2, lit=(8,), items=("bell-trap", "mutton")).hunter(Walk(to="N"))
    assert scene.refused(HUNTER, SetTrap(at="S")) == "DN-R21"
    scene.hunter(SetTrap(at=8))
    assert scene.announcements() == []
    assert (scene.dark.lit, scene.dark.trap) == ((8,), 8)
    assert scene.refused(HUNTER, PutMutton(at=8)) == "DN-36"
    scene.monster(Prowl(to=1), EndTurn()).hunter(Walk(to="NE"), PutMutton(at=8))
    assert scene.announcements() == [DistanceTold(mutton=8, distance=4)]


@pytest.mark.rule("DN-23", "DN-69", "DN-70")
@pytest.mark.parametrize(("start", "to"), [(5, 4), (2, 3)])
def test_e25_an_attack_that_hits(start, to):
    scene = Scene(hunter="NE", monster=start, to_move="monster").monster(Prowl(to=to), Attack())
    assert scene.of(MonsterAttacked) == [MonsterAttacked(space="NE", hit=True)]
    assert scene.outcome.winners == (MONSTER,)
    assert scene.outcome.reason == "attack"


@pytest.mark.rule("DN-26", "DN-70", "DN-R7", "DN-R30")
def test_e26_an_attack_that_misses():
    scene = Scene(hunter="N", monster=6, to_move="monster").monster(Prowl(to=5), Attack())
    assert scene.of(MonsterAttacked) == [MonsterAttacked(space="E", hit=False)]
    assert scene.view[Dark].dial is None
    assert possible_spaces(scene.view) == (5,)  # what the attack itself gives away
    assert scene.outcome is None


@pytest.mark.rule("DN-74", "DN-75", "DN-76", "DN-77", "DN-78", "DN-80", "DN-81", "DN-82")
@pytest.mark.parametrize("end", [4, 5, 6, 7, 8])
def test_e27_a_feint_ends_on_one_of_five_spaces(end):
    scene = Scene(hunter="N", monster=6, to_move="monster")
    assert scene.accepted(MONSTER, lambda to: Feint(to=to), (*DARK, 0, "N")) == (4, 5, 6, 7, 8)
    assert scene.refused(MONSTER, Feint(to=9)) == "DN-77"
    scene.monster(Feint(to=end))
    assert scene.tell[0] == FeintDeclared(space=6)
    assert end == 6 or end not in [leaf for event in scene.tell for leaf in leaves(event)]
    assert scene.dark.dial == end
    assert possible_spaces(scene.view) == (4, 5, 6, 7, 8)
    assert scene.dark.tokens == ()
    assert scene.ruleset.to_act(scene.position) == (HUNTER,)
    scene.hunter(Walk(to="NE"), EndTurn())
    assert scene.refused(MONSTER, Feint(to=end)) == "DN-74"


@pytest.mark.rule("DN-77", "DN-80", "DN-R2")
def test_e28_a_feint_goes_round_the_corner():
    scene = Scene(hunter="N", monster=12, to_move="monster")
    assert scene.accepted(MONSTER, lambda to: Feint(to=to), DARK) == (1, 2, 10, 11, 12)
    scene.monster(Feint(to=2))
    assert scene.announcements() == [FeintDeclared(space=12)]
    assert possible_spaces(scene.view) == (1, 2, 10, 11, 12)


@pytest.mark.rule("DN-75", "DN-79", "DN-R13")
def test_e29_a_feint_is_the_whole_turn():
    scene = Scene(hunter="NE", monster=5, to_move="monster").monster(Feint(to=4))
    assert scene.refused(MONSTER, Attack()) == "DN-79"
    assert scene.night.turn == 7
    scene = Scene(hunter="NE", monster=5, to_move="monster").monster(Prowl(to=4))
    assert scene.refused(MONSTER, Feint(to=4)) == "DN-75"
    assert scene.monster(Attack()).outcome.winners == (MONSTER,)


def pass_turns(scene: Scene, count: int) -> Scene:
    """Turns without an action and without a hit."""
    for _ in range(count):
        if scene.night.turn % 2:
            here = scene.position[Camp].space
            scene.hunter(Walk(to=INNER[INNER.index(here) - 1]), EndTurn())
        else:
            scene.monster(Prowl(to=scene.dark.dial % 12 + 1), EndTurn())
    return scene


@pytest.mark.rule("DN-83", "DN-84", "DN-85", "DN-R23", "DN-R24", "DN-R25")
def test_e30_five_turns_after_the_last_item_the_sun_rises():
    scene = Scene(hunter="N", monster=9, items=MUTTON_ONLY).hunter(Walk(to="NE"), PutMutton(at=6))
    assert scene.of(CountdownStarted) == [CountdownStarted(turns=5)]
    assert pass_turns(scene, 4).outcome is None
    assert scene.night.left == 1
    pass_turns(scene, 1)
    assert scene.outcome.drawn
    assert scene.outcome.winners == ()
    assert scene.outcome.reason == "sunrise"


@pytest.mark.rule("DN-84", "DN-R23")
def test_e31_the_limit_counted_in_rounds():
    scene = Scene(hunter="N", monster=9, items=MUTTON_ONLY, countdown_unit="round")
    scene.hunter(Walk(to="NE"), PutMutton(at=6))
    assert pass_turns(scene, 9).outcome is None
    assert scene.night.turn % 2 == 1
    assert pass_turns(scene, 1).outcome.reason == "sunrise"


@pytest.mark.rule("DN-04", "DN-84", "DN-R22", "DN-R23")
def test_e32_a_hit_in_the_last_turn_wins():
    scene = Scene(hunter="S", monster=7, to_move="monster", items=(), left=1).monster(Prowl(to=8), Attack())
    assert scene.outcome.winners == (MONSTER,)
    for left in (4, 2):
        scene = Scene(hunter="SE", monster=8, items=(), left=left).hunter(Walk(to="S"), Stab(at=8))
        assert scene.outcome.winners == (HUNTER,)


@pytest.mark.rule("DN-47", "DN-83", "DN-R27")
def test_e33_a_hit_with_the_last_item_starts_no_limit():
    scene = Scene(hunter="N", monster=4, items=("bolt",)).hunter(Walk(to="NW"), Shoot(direction="East"))
    assert scene.outcome.winners == (HUNTER,)
    assert scene.of(CountdownStarted) == []
    assert scene.night.left == -1


@pytest.mark.rule("DN-08", "DN-14", "DN-72", "DN-R30", "DN-R31")
def test_e34_nobody_but_the_monster_sees_where_it_goes_until_the_game_is_over():
    table = new_table()
    table.play(MONSTER, ChooseStart(space=9))
    table.play(HUNTER, TakePlace(space="N"))
    table.play(HUNTER, Walk(to="NE"))
    table.play(MONSTER, Prowl(to=10))
    for viewer in (HUNTER, None):
        moved = [item.event for item in table.feed(viewer) if isinstance(item.event, MonsterMoved)]
        assert moved == [MonsterMoved(seat=MONSTER, to=None)]
        assert table.view(viewer)[Dark].dial is None
        assert not {9, 10} & {leaf for item in table.feed(viewer) for leaf in leaves(item.event)}
    assert table.view(MONSTER)[Dark].dial == 10
    table.play(HUNTER, Walk(to="N"))
    table.play(HUNTER, EndTurn())
    table.play(MONSTER, Prowl(to=11))
    table.play(MONSTER, EndTurn())
    table.play(HUNTER, Walk(to="NW"))
    table.play(HUNTER, EndTurn())
    table.play(MONSTER, Prowl(to=12))
    table.play(MONSTER, Attack())
    assert table.outcome.winners == (MONSTER,)
    for viewer in (HUNTER, None, MONSTER):
        assert table.view(viewer)[Dark].path == (9, 10, 11, 12)
        assert [item.event.path for item in table.feed(viewer) if isinstance(item.event, PathRevealed)] == [
            (9, 10, 11, 12)
        ]


@pytest.mark.rule("DN-31", "DN-32", "DN-44", "DN-45")
def test_e35_two_bolts_and_no_third():
    scene = Scene(hunter="NE", monster=6).hunter(Walk(to="N"), Shoot(direction="South"))
    pass_turns(scene, 1).hunter(Walk(to="NW"), Shoot(direction="North"))
    pass_turns(scene, 1).hunter(Walk(to="N"))
    assert [event.flaming for event in scene.of(BoltShot)] == [True, False]
    assert scene.refused(HUNTER, Shoot(direction="North")) == "DN-44"
    assert scene.items == ("bell-trap", "mutton")
    assert scene.night.left == -1
    assert len(scene.accepted(HUNTER, lambda at: SetTrap(at=at), DARK)) == 12
    assert len(scene.accepted(HUNTER, lambda at: PutMutton(at=at), DARK)) == 12
    scene.hunter(SetTrap(at=12))
    pass_turns(scene, 1).hunter(Walk(to="NW"))
    assert scene.refused(HUNTER, SetTrap(at=3)) == "DN-31"
    assert scene.refused(HUNTER, SetTrap(at=12)) == "DN-31"


@pytest.mark.rule("DN-69", "DN-70", "DN-R1")
def test_e36_what_each_dark_space_faces():
    attacked = []
    for space in DARK:
        scene = Scene(hunter="E" if space < 4 else "N", monster=space % 12 + 1, to_move="monster")
        scene.monster(Prowl(to=space), Attack())
        attacked += [event.space for event in scene.of(MonsterAttacked)]
    assert attacked == ["NW", "N", "NE", "NE", "E", "SE", "SE", "S", "SW", "SW", "W", "NW"]


@pytest.mark.rule("DN-01", "DN-02", "DN-03", "DN-07", "DN-10", "DN-11", "DN-R25", "DN-R33")
def test_e37_what_each_side_begins_with():
    table = new_table()
    position = table.position
    assert position[Camp].items == ("bolt", "bolt", "bell-trap", "mutton")
    assert position[Dark].tokens == ("feint",)
    assert (position[Dark].lit, position[Dark].trap, position[Dark].mutton) == ((), 0, 0)
    assert (position[Night].hunter, position[Night].monster) == (HUNTER, MONSTER)
    assert [command.space for command in table.legal(MONSTER)] == list(range(1, 13))
    assert table.ruleset.seat_counts == (2,)


@pytest.mark.rule("DN-55", "DN-57", "DN-76", "DN-77", "DN-R10")
def test_e38_a_feint_into_the_trap():
    scene = Scene(hunter="N", monster=10, to_move="monster", trap=9).monster(Feint(to=9))
    assert scene.announcements() == [FeintDeclared(space=10), BellRang(space=9)]
    assert scene.dark.trap == 0
    assert scene.dark.tokens == ()


@pytest.mark.rule("DN-78", "DN-81", "DN-R12")
def test_e39_a_feint_that_stays_is_told_like_any_other():
    told = []
    for end in (4, 5, 6, 7, 8):
        scene = Scene(hunter="N", monster=6, to_move="monster").monster(Feint(to=end))
        assert possible_spaces(scene.view) == (4, 5, 6, 7, 8)
        told.append(scene.tell)
    assert told[0][0] == FeintDeclared(space=6)
    assert all(tell == told[0] for tell in told)


@pytest.mark.rule("DN-54", "DN-83", "DN-R25", "DN-R28")
def test_e40_a_trap_that_lies_counts_as_used_and_goes_off_in_the_limit():
    scene = Scene(hunter="NE", monster=9, items=MUTTON_ONLY, trap=2).hunter(Walk(to="N"), PutMutton(at=12))
    assert scene.dark.dial == 10
    assert scene.of(CountdownStarted) == [CountdownStarted(turns=5)]
    assert scene.dark.trap == 2
    scene = Scene(hunter="NE", monster=3, to_move="monster", items=(), trap=2, left=3).monster(Prowl(to=2))
    assert scene.announcements() == [BellRang(space=2)]


@pytest.mark.rule("DN-83", "DN-R26")
def test_e41_no_cap_unless_one_is_set():
    scene = Scene(hunter="N", monster=9, items=MUTTON_ONLY, turn=200, to_move="monster")
    assert pass_turns(scene, 1).outcome is None
    assert scene.night.turn == 201
    scene = Scene(hunter="N", monster=9, items=MUTTON_ONLY, turn=199, turn_cap=200)
    assert pass_turns(scene, 1).outcome is None
    pass_turns(scene, 1)
    assert scene.outcome.drawn
    assert scene.outcome.reason == "cap"


@pytest.mark.rule("DN-22", "DN-24", "DN-26", "DN-31")
def test_e42_the_move_first_and_no_action_if_she_likes():
    scene = Scene(hunter="W", monster=2)
    assert scene.refused(HUNTER, PutMutton(at=3)) == "DN-24"
    scene.hunter(Walk(to="SW"), EndTurn())
    assert len(scene.items) == 4
    assert scene.ruleset.to_act(scene.position) == (MONSTER,)
    assert scene.refused(MONSTER, Attack()) == "DN-24"


def test_every_example_of_the_rules_data_is_a_test_of_its_clauses():
    data = tomllib.loads(files("ludolog_plugins.dark_is_the_night").joinpath("rules.toml").read_text("utf-8"))
    tests = {name.split("_")[1]: value for name, value in globals().items() if name.startswith("test_e")}
    for example in data["example"]:
        test = tests[f"e{example['id'][-2:]}"]
        cited = {clause for mark in test.pytestmark if mark.name == "rule" for clause in mark.args}
        assert cited >= set(example["clauses"]), example["id"]
    assert len(data["example"]) == 42
