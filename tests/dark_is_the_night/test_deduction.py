"""What is deduced from told facts, against all worlds that fit, found by trying every secret choice."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from dark_is_the_night.games import NO_CHANCE, OPTIONS, opening, played, ruleset, worlds_of
from dark_is_the_night.scenes import HUNTER, MONSTER, Scene
from ludolog import Chance, Position
from ludolog_plugins.dark_is_the_night import possible_spaces
from ludolog_plugins.dark_is_the_night.commands import Feint, Prowl, PutMutton, SetTrap, Walk
from ludolog_plugins.dark_is_the_night.deduction import count_worlds, deduced_spaces, path_at
from ludolog_plugins.dark_is_the_night.state import Dark

LENGTH = 17


def hunters_view(position: Position) -> Position:
    """What the Hunter sees: the position without the dial."""
    dark = position[Dark]
    hidden = {name: getattr(dark, name) for name in dark.__struct_fields__}
    hidden |= {"dial": None, "path": (None,) * len(dark.path)}
    view = position.having(Dark(**hidden))
    return Position(view.ruleset, view.slices, viewer=HUNTER, is_view=True)


class Fixed(Chance):
    """Draws the number it is told to."""

    def __init__(self, number: int) -> None:
        super().__init__(b"")
        self.number = number
        self.bound = 0

    def below(self, bound: int) -> int:
        self.bound = bound
        return self.number


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "+".join(options.values()) or "default")
@pytest.mark.parametrize("seed", range(12))
def test_possible_spaces_and_worlds_are_those_found_by_trying_everything(seed, options):
    """The deduction holds the true space, is exact, and determinize draws each world that fits just once."""
    rules = ruleset(options)
    turns, positions = played(rules, Random(seed), LENGTH)
    for count in range(1, len(turns) + 1):
        worlds = worlds_of(rules, turns[:count])
        view = hunters_view(positions[count - 1])
        dark = positions[count - 1][Dark]
        found = possible_spaces(view)
        assert dark.dial in found
        assert list(found) == sorted({world[Dark].dial for world in worlds})
        paths = [world[Dark].path for world in worlds]
        assert len(set(paths)) == len(paths) == count_worlds(dark.clues)
        assert {path_at(dark.clues, number) for number in range(len(paths))} == set(paths)
        assert all(deduced_spaces(world) == found for world in worlds)
    drawn = [rules.determinize(view, Fixed(number)) for number in range(len(worlds))]
    assert sorted(world[Dark].path for world in drawn) == sorted(paths)
    by_path = {world[Dark].path: world for world in worlds}
    assert all(world == by_path[world[Dark].path] for world in drawn)
    assert not any(world.is_view for world in drawn)


def test_worlds_are_drawn_evenly_by_one_number():
    """F19: each world is as likely as any other, since one even number chooses among them."""
    rules = ruleset({})
    _, positions = played(rules, Random(3), 9)
    view = hunters_view(positions[-1])
    worlds = count_worlds(view[Dark].clues)
    chance = Fixed(0)
    rules.determinize(view, chance)
    assert chance.bound == worlds
    drawn = Chance(b"k" * 32)
    counts = Counter(rules.determinize(view, drawn)[Dark].path for _ in range(200 * worlds))
    assert len(counts) == worlds
    assert max(abs(count - 200) for count in counts.values()) < 100  # seven standard deviations


def test_a_space_is_as_likely_as_the_ways_that_lead_there():
    scene = Scene(hunter="N", monster=6, to_move="monster").monster(Feint(to=6))
    worlds = [path_at(scene.dark.clues, number) for number in range(count_worlds(scene.dark.clues))]
    assert Counter(path[-1] for path in worlds) == {4: 1, 5: 1, 6: 1, 7: 1, 8: 1}
    scene.hunter(Walk(to="NE"), SetTrap(at=1)).monster(Prowl(to=7))
    worlds = [path_at(scene.dark.clues, number) for number in range(count_worlds(scene.dark.clues))]
    assert Counter(path[-1] for path in worlds) == {3: 1, 4: 1, 5: 2, 6: 2, 7: 2, 8: 1, 9: 1}
    assert possible_spaces(scene.view) == (3, 4, 5, 6, 7, 8, 9)


def test_numbers_of_worlds_end():
    clues = Scene(hunter="N", monster=6).dark.clues
    assert [path_at(clues, number) for number in range(12)] == [(space,) for space in range(1, 13)]
    with pytest.raises(IndexError):
        path_at(clues, 12)
    assert count_worlds(()) == 1


def test_who_sees_it():
    scene = Scene(hunter="N", monster=9).hunter(Walk(to="NE"), PutMutton(at=6))
    assert possible_spaces(scene.view) == (4, 8)
    assert possible_spaces(scene.position) == (8,)
    assert deduced_spaces(scene.position) == (4, 8)
    assert possible_spaces(opening(ruleset({}))) == ()


def test_a_view_without_secrets_is_its_own_world():
    rules = ruleset({})
    begun = opening(rules)
    assert rules.determinize(begun, NO_CHANCE) == begun
    _, positions = played(rules, Random(1), 8)
    full = Position(rules, positions[-1].slices, viewer=MONSTER, is_view=True)
    assert rules.determinize(full, NO_CHANCE) == positions[-1]


def test_a_game_of_any_length_has_worlds_to_draw():
    """More worlds than 64 bits can count are drawn as evenly."""
    scene = Scene(hunter="N", monster=6)
    for turn in range(90):
        scene.hunter(Walk(to="NE" if turn % 2 == 0 else "N"))
        scene.play(HUNTER, scene.ruleset.legal(scene.position, HUNTER)[-1])
        scene.monster(Prowl(to=7 if turn % 2 == 0 else 6))
        scene.play(MONSTER, scene.ruleset.legal(scene.position, MONSTER)[-1])
    clues = scene.view[Dark].clues
    assert count_worlds(clues) == 12 * 2**90
    worlds = {scene.ruleset.determinize(scene.view, Chance(b"k" * 32, at))[Dark].path for at in range(20)}
    assert len(worlds) == 20
    assert {len(path) for path in worlds} == {91}
