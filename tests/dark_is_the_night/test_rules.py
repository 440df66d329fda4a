"""Rules beyond the examples: sides, both ways a feint can go, what is told in which order, options, refusals."""

from __future__ import annotations

import pytest

import ludolog
from dark_is_the_night.scenes import HUNTER, MONSTER, Scene
from ludolog import Command
from ludolog.errors import BadOptions, BadSeats
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
from ludolog_plugins.dark_is_the_night.data import (
    CELLS,
    DARK,
    DIRECTIONS,
    FACED,
    INNER,
    NEIGHBOURS,
    RAYS,
    SIDES,
    STABBED,
    WALKS,
)
from ludolog_plugins.dark_is_the_night.events import (
    AllQuiet,
    BellRang,
    BoltShot,
    CountdownStarted,
    DistanceTold,
    FeintDeclared,
    MonsterDrawn,
    MonsterFeinted,
    MonsterSeen,
    MuttonPut,
)
from ludolog_plugins.dark_is_the_night.state import Dark, Night

# ---------------------------------------------------------------- sides


@pytest.mark.rule("DN-09")
@pytest.mark.parametrize(("first", "hunter"), [("hunter", "cy"), ("monster", "dee")])
def test_sides_are_settled_by_order_or_by_an_option(first, hunter):
    table = ludolog.new_table("dark-is-the-night", seats=("cy", "dee"), options={"first_seat": first}, seed=1)
    night = table.position[Night]
    assert night.hunter == hunter
    assert {night.hunter, night.monster} == {"cy", "dee"}
    assert table.to_act == (night.monster,)


@pytest.mark.rule("DN-03")
@pytest.mark.parametrize("seats", [("ann",), ("ann", "bob", "cy")])
def test_two_play(seats):
    with pytest.raises(BadSeats):
        ludolog.new_table("dark-is-the-night", seats=seats)


# ---------------------------------------------------------------- the board


@pytest.mark.rule("DN-R1", "DN-R2", "DN-R32", "DN-33")
def test_both_rings_are_closed_and_neighbours_share_an_edge():
    for ring, near in ((DARK, NEIGHBOURS), (INNER, WALKS)):
        for at, space in enumerate(ring):
            assert set(near[space]) == {ring[at - 1], ring[(at + 1) % len(ring)]}
    for space in INNER:
        for other in WALKS[space]:
            assert sum(abs(a - b) for a, b in zip(CELLS[space], CELLS[other], strict=True)) == 1
    assert SIDES == {"North": (1, 2, 3), "East": (4, 5, 6), "South": (7, 8, 9), "West": (10, 11, 12)}


@pytest.mark.rule("DN-40", "DN-41", "DN-69", "DN-70")
def test_what_faces_what_is_the_same_from_both_sides():
    assert {(dark, FACED[dark]) for dark in DARK} == {(dark, space) for space in INNER for dark in STABBED[space]}
    for dark, space in FACED.items():
        assert sum(abs(a - b) for a, b in zip(CELLS[dark], CELLS[space], strict=True)) == 1


@pytest.mark.rule("DN-43", "DN-46", "DN-48", "DN-49", "DN-R3", "DN-R5")
def test_bolts_land_where_a_straight_line_meets_the_dark():
    steps = {"North": (-1, 0), "East": (0, 1), "South": (1, 0), "West": (0, -1)}
    at = {cell: space for space, cell in CELLS.items()}
    assert len(RAYS) == len(INNER) * len(DIRECTIONS)
    for (start, direction), ray in RAYS.items():
        (row, col), (down, right) = CELLS[start], steps[direction]
        passed = [(row + down * far, col + right * far) for far in range(1, 5)]
        landing = next(far for far, cell in enumerate(passed, 1) if at.get(cell) in DARK)
        assert (ray.lands_on, ray.distance) == (at[passed[landing - 1]], landing)
        assert ray.through_fire == ((2, 2) in passed[: landing - 1])


# ---------------------------------------------------------------- feints


@pytest.mark.rule("DN-R11", "DN-R12", "DN-81")
def test_a_trap_on_the_way_tells_the_same_whether_the_monster_goes_on_or_not():
    tells = []
    for end in (7, 8):
        scene = Scene(hunter="N", monster=6, to_move="monster", trap=7).monster(Feint(to=end))
        tells.append(scene.tell)
        assert scene.dark.dial == end
        assert scene.dark.trap == 0
        assert possible_spaces(scene.view) == (7, 8)
        assert scene.announcements() == [FeintDeclared(space=6), BellRang(space=7)]
    assert tells[0] == tells[1]


@pytest.mark.rule("DN-R11", "DN-R15")
def test_a_lit_space_on_the_way_is_told_in_passing_and_a_lit_end_for_good():
    passing = Scene(hunter="N", monster=6, to_move="monster", lit=(7,)).monster(Feint(to=8))
    assert passing.announcements() == [FeintDeclared(space=6), MonsterSeen(space=7)]
    assert possible_spaces(passing.view) == (8,)
    ending = Scene(hunter="N", monster=6, to_move="monster", lit=(7,)).monster(Feint(to=7))
    assert ending.announcements() == [FeintDeclared(space=6), MonsterSeen(space=7), MonsterSeen(space=7)]
    assert possible_spaces(ending.view) == (7,)


@pytest.mark.rule("DN-R11")
def test_where_only_the_end_of_a_feint_counts():
    end_only = {"feint_path": "end-only"}
    scene = Scene(hunter="N", monster=6, to_move="monster", trap=7, **end_only).monster(Feint(to=8))
    assert scene.announcements() == [FeintDeclared(space=6)]
    assert scene.dark.trap == 7
    assert possible_spaces(scene.view) == (4, 5, 6, 8)
    assert [event.part for event in scene.of(MonsterFeinted)] == ["whole"]
    scene = Scene(hunter="N", monster=6, to_move="monster", trap=7, **end_only).monster(Feint(to=7))
    assert scene.announcements() == [FeintDeclared(space=6), BellRang(space=7)]
    scene = Scene(hunter="N", monster=6, to_move="monster", lit=(7,), **end_only).monster(Feint(to=8))
    assert scene.announcements() == [FeintDeclared(space=6)]
    assert possible_spaces(scene.view) == (4, 5, 6, 8)


@pytest.mark.rule("DN-R12", "DN-R15")
@pytest.mark.parametrize("path", ["each-step", "end-only"])
def test_a_monster_that_stays_in_the_light_is_seen_and_one_that_leaves_is_not(path):
    stays = Scene(hunter="N", monster=6, to_move="monster", lit=(6,), feint_path=path).monster(Feint(to=6))
    assert stays.announcements()[-1] == MonsterSeen(space=6)
    assert possible_spaces(stays.view) == (6,)
    leaves = Scene(hunter="N", monster=6, to_move="monster", lit=(6,), feint_path=path).monster(Feint(to=4))
    assert leaves.announcements() == [FeintDeclared(space=6)]
    assert possible_spaces(leaves.view) == (4, 5, 7, 8)


@pytest.mark.rule("DN-R24", "DN-84")
def test_a_feint_is_a_turn_of_the_limit():
    scene = Scene(hunter="N", monster=6, to_move="monster", items=(), left=1).monster(Feint(to=6))
    assert scene.outcome.reason == "sunrise"


# ---------------------------------------------------------------- mutton, trap and light together


@pytest.mark.rule("DN-R10", "DN-R20", "DN-R29", "DN-39")
def test_one_step_tells_the_trap_then_the_light_then_the_distance():
    scene = Scene(hunter="N", monster=9, trap=8, lit=(8,)).hunter(Walk(to="NE"), PutMutton(at=8))
    told = [type(event) for event in scene.tell]
    assert told[1:6] == [MuttonPut, MonsterDrawn, BellRang, MonsterSeen, DistanceTold]
    assert scene.of(DistanceTold) == [DistanceTold(mutton=8, distance=0)]
    assert scene.dark.trap == 0


@pytest.mark.rule("DN-R10", "DN-55", "DN-52")
@pytest.mark.parametrize(("watch", "told"), [({"trap": 8}, BellRang), ({"lit": (8,)}, MonsterSeen)])
def test_every_kind_of_step_is_told(watch, told):
    moved = Scene(hunter="N", monster=9, to_move="monster", **watch).monster(Prowl(to=8))
    drawn = Scene(hunter="N", monster=9, **watch).hunter(Walk(to="NE"), PutMutton(at=7))
    feinted = Scene(hunter="N", monster=9, to_move="monster", **watch).monster(Feint(to=8))
    torn = Scene(hunter="N", monster=9, **watch).hunter(Walk(to="NE"), PutMutton(at=3)).monster(Approach(to=8))
    for scene in (moved, drawn, feinted, torn):
        assert scene.of(told)[0] == told(space=8)


@pytest.mark.rule("DN-R18", "DN-64")
def test_staying_on_the_mutton_is_told_like_stepping_onto_it():
    """F12: what the Hunter can't tell apart is encoded alike, the number of events included."""
    stayed = Scene(hunter="N", monster=4).hunter(Walk(to="NE"), PutMutton(at=4))
    stepped = Scene(hunter="N", monster=5).hunter(Walk(to="NE"), PutMutton(at=4))
    assert stayed.dark.dial == stepped.dark.dial == 4
    assert stayed.tell == stepped.tell
    assert stayed.view == stepped.view


@pytest.mark.rule("DN-56", "DN-55")
def test_silence_is_a_fact():
    scene = Scene(hunter="NE", monster=10).hunter(Walk(to="E"), SetTrap(at=9))
    assert scene.of(AllQuiet) == [AllQuiet(spaces=(9,))]
    assert possible_spaces(scene.view) == tuple(space for space in DARK if space != 9)
    scene.monster(Prowl(to=11))
    assert scene.of(AllQuiet)[1:] == [AllQuiet(spaces=(9,))]
    assert possible_spaces(scene.view) == tuple(space for space in DARK if space != 9)


# ---------------------------------------------------------------- options


@pytest.mark.rule("DN-R5", "DN-45")
def test_a_shot_through_the_fire_may_be_declared_regular_by_option():
    scene = Scene(hunter="NE", monster=8, fire_shot="hunter-chooses").hunter(Walk(to="N"))
    assert scene.refused(HUNTER, Shoot(direction="East", regular=True)) == "DN-48"
    assert Shoot(direction="South") in scene.ruleset.legal(scene.position, HUNTER)
    scene.hunter(Shoot(direction="South", regular=True))
    assert scene.of(BoltShot) == [BoltShot(direction="South", space=8, flaming=False, hit=True)]
    assert scene.outcome.winners == (HUNTER,)
    scene = Scene(hunter="NE", monster=8).hunter(Walk(to="N"))
    assert scene.refused(HUNTER, Shoot(direction="South", regular=True)) == "DN-R5"


@pytest.mark.rule("DN-R14", "DN-R15")
def test_light_on_the_monster_is_told_from_the_next_time_on_by_option():
    later = {"light_on_monster": "later-steps-only"}
    scene = Scene(hunter="SW", monster=5, **later).hunter(Walk(to="W"), Shoot(direction="East"))
    assert scene.tell[-1:] != [AllQuiet(spaces=(5,))]
    scene.monster(Feint(to=5))
    assert scene.announcements()[0] == FeintDeclared(space=5)
    assert scene.announcements()[-1] == MonsterSeen(space=5)


@pytest.mark.rule("DN-R23", "DN-84")
@pytest.mark.parametrize(("unit", "turns"), [("turn", 3), ("round", 6)])
def test_the_length_of_the_limit_is_a_setting(unit, turns):
    scene = Scene(items=("mutton",), countdown_length=3, countdown_unit=unit).hunter(Walk(to="NE"), PutMutton(at=6))
    assert scene.of(CountdownStarted) == [CountdownStarted(turns=turns)]


@pytest.mark.rule("DN-R23", "DN-66", "DN-83")
def test_the_limit_starts_when_the_turn_of_the_last_item_is_over():
    scene = Scene(hunter="N", monster=1, items=("mutton",)).hunter(Walk(to="NE"), PutMutton(at=7))
    assert scene.night.left == -1
    scene.monster(Approach(to=2))
    assert scene.night.left == 5


@pytest.mark.rule("DN-R23", "DN-R26")
@pytest.mark.parametrize(
    "wrong",
    [
        {"countdown_length": 0},
        {"turn_cap": -1},
        {"near_bolt": "sometimes"},
        {"no_such": 1},
        {"countdown_length": "five"},
        {"first_seat": ""},
    ],
)
def test_options_that_make_no_sense_are_refused(wrong):
    with pytest.raises(BadOptions):
        ludolog.catalogue().ruleset("dark-is-the-night", (), wrong)


@pytest.mark.rule("DN-R26")
def test_games_between_bots_are_capped():
    assert ludolog.catalogue().game("dark-is-the-night").bot_options == {"turn_cap": 200}


# ---------------------------------------------------------------- what is refused

HUNTERS: tuple[tuple[Command, str], ...] = (
    (TakePlace(space="N"), "DN-15"),
    (Walk(to="N"), "DN-05"),
    (Stab(at=2), "DN-34"),
    (Shoot(direction="North"), "DN-11"),
    (SetTrap(at=2), "DN-11"),
    (PutMutton(at=2), "DN-11"),
)
MONSTERS: tuple[tuple[Command, str], ...] = (
    (ChooseStart(space=1), "DN-12"),
    (Prowl(to=1), "DN-06"),
    (Attack(), "DN-70"),
    (Feint(to=1), "DN-10"),
    (Approach(to=1), "DN-60"),
)


@pytest.mark.rule("DN-05", "DN-06", "DN-10", "DN-11", "DN-34", "DN-70")
@pytest.mark.parametrize("moved", [False, True])
def test_each_side_does_only_its_own(moved):
    for command, clause in MONSTERS:
        assert Scene(moved=moved).refused(HUNTER, command) == clause
    for command, clause in HUNTERS:
        assert Scene(moved=moved, to_move="monster").refused(MONSTER, command) == clause


@pytest.mark.rule("DN-12", "DN-15")
def test_before_the_starts_are_chosen_nothing_else_happens():
    table = ludolog.new_table("dark-is-the-night", seats=(HUNTER, MONSTER), seed=1)
    for command in (Prowl(to=1), Attack(), Feint(to=1), EndTurn(), Approach(to=1)):
        assert table.check(MONSTER, command) is not None
        assert table.check(MONSTER, command).clause in {"DN-12", "DN-60"}
    for space in (0, 13, "N", "one"):
        assert table.check(MONSTER, ChooseStart(space=space)).clause == "DN-13"
    table.play(MONSTER, ChooseStart(space=1))
    for command in (Walk(to="N"), Stab(at=2), Shoot(direction="North"), SetTrap(at=1), PutMutton(at=1), EndTurn()):
        assert table.check(HUNTER, command).clause == "DN-15"
    for space in (2, "fire", "n", ""):
        assert table.check(HUNTER, TakePlace(space=space)).clause == "DN-16"
    table.play(HUNTER, TakePlace(space="N"))
    assert table.check(HUNTER, TakePlace(space="N")).clause == "DN-15"


@pytest.mark.rule("DN-24", "DN-25", "DN-27")
def test_one_move_in_a_turn_and_not_none():
    scene = Scene(hunter="N")
    assert scene.refused(HUNTER, EndTurn()) == "DN-25"
    assert {scene.refused(HUNTER, command) for command in (Stab(at=2), SetTrap(at=2))} == {"DN-24"}
    scene.hunter(Walk(to="NE"))
    assert scene.refused(HUNTER, Walk(to="N")) == "DN-27"
    scene = Scene(to_move="monster", monster=6).monster(Prowl(to=7))
    assert scene.refused(MONSTER, Prowl(to=8)) == "DN-27"
    assert scene.refused(MONSTER, Approach(to=8)) == "DN-60"


@pytest.mark.rule("DN-R3", "DN-R21", "DN-40", "DN-53", "DN-58")
def test_what_names_no_space_or_direction_is_refused_with_its_clause():
    scene = Scene(hunter="NE", monster=5).hunter(Walk(to="N"))
    wrong = (0, 13, -1, "N", "fire", "", "5")
    assert {scene.refused(HUNTER, Stab(at=at)) for at in wrong} == {"DN-40"}
    assert {scene.refused(HUNTER, SetTrap(at=at)) for at in wrong} == {"DN-R21"}
    assert {scene.refused(HUNTER, PutMutton(at=at)) for at in wrong} == {"DN-R21"}
    for direction in ("NorthEast", "north", "", "Up"):
        assert scene.refused(HUNTER, Shoot(direction=direction)) == "DN-R3"
    prowl = Scene(to_move="monster")
    assert {prowl.refused(MONSTER, Feint(to=at)) for at in wrong} == {"DN-71"}


@pytest.mark.rule("DN-21")
def test_out_of_turn():
    scene = Scene(hunter="N", monster=9)
    assert scene.refused(MONSTER, Prowl(to=8)) == "DN-21"
    assert scene.refused(MONSTER, Attack()) == "DN-21"
    assert scene.refused(MONSTER, EndTurn()) == "DN-21"
    scene.hunter(Walk(to="NE"), EndTurn())
    assert scene.refused(HUNTER, Walk(to="N")) == "DN-21"
    assert scene.refused(HUNTER, Stab(at=3)) == "DN-21"  # she has passed, so no action was spent


def test_a_refused_command_of_the_monster_says_what_blocks_it():
    refusal = Scene(monster=3, to_move="monster").refusal(MONSTER, Prowl(to=7))
    assert refusal.code == "not-next"
    assert refusal.facts == {"here": 3, "to": 7, "near": (2, 4)}


# ---------------------------------------------------------------- undo


@pytest.mark.rule("DN-14", "DN-72")
def test_a_quiet_move_may_be_taken_back_until_silence_tells_something():
    """F6: an undo is free only as long as nobody learnt anything, from silence either."""
    table = ludolog.new_table("dark-is-the-night", seats=(HUNTER, MONSTER), seed=1)
    table.play(MONSTER, ChooseStart(space=9))
    table.undo(MONSTER)
    table.play(MONSTER, ChooseStart(space=3))
    table.play(HUNTER, TakePlace(space="N"))
    with pytest.raises(ludolog.errors.UndoRefused, match="came to know"):
        table.undo(HUNTER)
    table.play(HUNTER, Walk(to="NE"))
    table.undo(HUNTER)
    table.play(HUNTER, Walk(to="NE"))
    table.play(MONSTER, Prowl(to=2))
    table.undo(MONSTER)
    table.play(MONSTER, Prowl(to=4))
    assert table.view(HUNTER)[Dark].dial is None
    table.play(HUNTER, Walk(to="N"))
    table.play(HUNTER, SetTrap(at=9))
    with pytest.raises(ludolog.errors.UndoRefused, match="came to know"):
        table.undo(HUNTER)
    table.play(MONSTER, Prowl(to=5))
    with pytest.raises(ludolog.errors.UndoRefused, match="another seat came to know"):
        table.undo(MONSTER)


def test_the_monster_is_told_everything_and_a_viewer_what_the_hunter_is():
    table = ludolog.new_table("dark-is-the-night", seats=(HUNTER, MONSTER), seed=1)
    script = (
        (MONSTER, ChooseStart(space=9)),
        (HUNTER, TakePlace(space="N")),
        (HUNTER, Walk(to="NE")),
        (MONSTER, Prowl(to=10)),
        (HUNTER, Walk(to="E")),
        (HUNTER, PutMutton(at=4)),
        (MONSTER, Approach(to=9)),
        (MONSTER, Feint(to=7)),
        (HUNTER, Walk(to="NE")),
        (HUNTER, Stab(at=3)),
    )
    for seat, command in script:
        table.play(seat, command)
        assert table.view(MONSTER).slices == table.position.slices
        assert table.view(None).slices == table.view(HUNTER).slices
    assert table.feed(None) == table.feed(HUNTER)
    assert table.feed(HUNTER) != table.feed(MONSTER)
    assert len(table.feed(HUNTER)) == len(table.feed(MONSTER))
