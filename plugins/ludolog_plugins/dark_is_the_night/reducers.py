"""How each event changes the position.

Every reducer uses what all are told, and moves the dial's value about without looking at it; so the clues are the
same in every view, and a view needs no other fold than the position.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from ludolog import Event
from ludolog_plugins.dark_is_the_night.data import APART, DARK, FACED, SIDES
from ludolog_plugins.dark_is_the_night.deduction import spread
from ludolog_plugins.dark_is_the_night.events import (
    AllQuiet,
    BellRang,
    BoltShot,
    CountdownStarted,
    DistanceTold,
    FeintDeclared,
    HunterPlaced,
    HunterWalked,
    MonsterAttacked,
    MonsterDrawn,
    MonsterFeinted,
    MonsterMoved,
    MonsterSeen,
    MonsterTorn,
    MuttonPut,
    PathRevealed,
    SidesTaken,
    SideTold,
    SpaceStabbed,
    StartChosen,
    TokensDealt,
    TrapSet,
    TurnEnded,
)
from ludolog_plugins.dark_is_the_night.state import Camp, Clue, Dark, Deed, How, Night, Part, rules

__all__: list[str] = []

# ---------------------------------------------------------------- whose turn it is

_DEEDS: Final[dict[type[Event], Deed]] = {
    HunterWalked: "move",
    MonsterMoved: "move",
    SpaceStabbed: "attack",
    MonsterAttacked: "attack",
    BoltShot: "token",
    TrapSet: "token",
    MuttonPut: "token",
    FeintDeclared: "feint",
}


@rules.reducer(cites="DN-09")
def _sides(night: Night, event: SidesTaken) -> Night:
    return replace(night, hunter=event.hunter, monster=event.monster)


@rules.reducer(cites=("DN-12", "DN-15"))
def _hidden(night: Night, _event: StartChosen) -> Night:
    return replace(night, stage="place")


@rules.reducer(cites="DN-21")
def _first_turn(night: Night, _event: HunterPlaced) -> Night:
    return replace(night, stage="move", turn=1)


@rules.reducer(cites="DN-24")
def _moved(night: Night, event: HunterWalked | MonsterMoved) -> Night:
    return replace(night, stage="action", deed=_DEEDS[type(event)])


@rules.reducer(cites="DN-24")
def _acted(
    night: Night, event: SpaceStabbed | MonsterAttacked | BoltShot | TrapSet | MuttonPut | FeintDeclared
) -> Night:
    return replace(night, deed=_DEEDS[type(event)])


@rules.reducer(cites="DN-R34")
def _waiting(night: Night, _event: MonsterTorn) -> Night:
    return replace(night, stage="torn")


@rules.reducer(cites=("DN-21", "DN-84"))
def _next_turn(night: Night, _event: TurnEnded) -> Night:
    return replace(night, turn=night.turn + 1, stage="move", left=night.left - (night.left > 0))


@rules.reducer(cites="DN-83")
def _countdown(night: Night, event: CountdownStarted) -> Night:
    return replace(night, left=event.turns)


# ---------------------------------------------------------------- the camp


@rules.reducer(cites="DN-11")
def _items(camp: Camp, event: TokensDealt) -> Camp:
    return replace(camp, items=event.hunter)


@rules.reducer(cites="DN-17")
def _placed(camp: Camp, event: HunterPlaced) -> Camp:
    return replace(camp, space=event.space)


@rules.reducer(cites="DN-05")
def _walked(camp: Camp, event: HunterWalked) -> Camp:
    return replace(camp, space=event.to)


_TOKENS: Final[dict[type[Event], str]] = {BoltShot: "bolt", TrapSet: "bell-trap", MuttonPut: "mutton"}


@rules.reducer(cites=("DN-31", "DN-44", "DN-R28"))
def _used(camp: Camp, event: BoltShot | TrapSet | MuttonPut) -> Camp:
    items = list(camp.items)
    items.remove(_TOKENS[type(event)])
    return replace(camp, items=tuple(items))


# ---------------------------------------------------------------- the dark


def _dialled(dark: Dark, how: How, about: int, to: int | None) -> Dark:
    """The dial set anew, in secret; all that is known is where it may lead."""
    spaces = spread(how, about, dark.clues[-1].spaces)
    return replace(dark, dial=to, path=(*dark.path, to), clues=(*dark.clues, Clue(how=how, about=about, spaces=spaces)))


def _narrowed(dark: Dark, only: tuple[int, ...]) -> Dark:
    """The last clue, once the Monster is known to be on one of these spaces."""
    last = dark.clues[-1]
    spaces = tuple(space for space in last.spaces if space in only)
    return replace(dark, clues=(*dark.clues[:-1], Clue(how=last.how, about=last.about, spaces=spaces)))


def _rest(spaces: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(space for space in DARK if space not in spaces)


@rules.reducer(cites="DN-10")
def _monsters_tokens(dark: Dark, event: TokensDealt) -> Dark:
    return replace(dark, tokens=event.monster)


@rules.reducer(cites=("DN-13", "DN-14"))
def _started(dark: Dark, event: StartChosen) -> Dark:
    return replace(dark, dial=event.space, path=(event.space,), clues=(Clue(how="start", about=0, spaces=DARK),))


@rules.reducer(cites="DN-72")
def _went(dark: Dark, event: MonsterMoved) -> Dark:
    return _dialled(dark, "move", 0, event.to)


@rules.reducer(cites=("DN-59", "DN-60"))
def _drawn(dark: Dark, event: MonsterDrawn) -> Dark:
    return _dialled(dark, "drawn", dark.mutton, event.to)


_PARTS: Final[dict[Part, How]] = {"whole": "feint-whole", "first": "feint-first", "second": "feint-second"}


@rules.reducer(cites=("DN-77", "DN-78"))
def _feinted(dark: Dark, event: MonsterFeinted) -> Dark:
    last = dark.clues[-1]
    # A feint begins on the space just told; its second half goes on from the same beginning.
    origin = last.about if event.part == "second" else last.spaces[0]
    return _dialled(dark, _PARTS[event.part], origin, event.to)


@rules.reducer(cites=("DN-55", "DN-76", "DN-R15", "DN-R34"))
def _told(dark: Dark, event: BellRang | MonsterSeen | FeintDeclared | MonsterTorn) -> Dark:
    space = event.space
    return _narrowed(replace(dark, dial=space, path=(*dark.path[:-1], space)), (space,))


@rules.reducer(cites="DN-57")
def _broken(dark: Dark, _event: BellRang) -> Dark:
    return replace(dark, trap=0)


@rules.reducer(cites="DN-74")
def _handed_in(dark: Dark, _event: FeintDeclared) -> Dark:
    return replace(dark, tokens=tuple(held for held in dark.tokens if held != "feint"))


@rules.reducer(cites="DN-18")
def _side(dark: Dark, event: SideTold) -> Dark:
    return _narrowed(dark, SIDES[event.side])


@rules.reducer(cites=("DN-52", "DN-55"))
def _quiet(dark: Dark, event: AllQuiet) -> Dark:
    return _narrowed(dark, _rest(event.spaces))


@rules.reducer(cites=("DN-61", "DN-65"))
def _distance(dark: Dark, event: DistanceTold) -> Dark:
    near = tuple(space for space in DARK if APART[space, event.mutton] == event.distance)
    return replace(_narrowed(dark, near), mutton=0)


@rules.reducer(cites="DN-R6")
def _stabbed(dark: Dark, event: SpaceStabbed) -> Dark:
    return _narrowed(dark, (event.space,) if event.hit else _rest((event.space,)))


@rules.reducer(cites=("DN-51", "DN-R6"))
def _shot(dark: Dark, event: BoltShot) -> Dark:
    if event.flaming:
        return replace(dark, lit=tuple(sorted({*dark.lit, event.space})))
    return _narrowed(dark, (event.space,) if event.hit else _rest((event.space,)))


@rules.reducer(cites="DN-R7")
def _attacked(dark: Dark, event: MonsterAttacked) -> Dark:
    return _narrowed(dark, tuple(space for space in DARK if FACED[space] == event.space))


@rules.reducer(cites="DN-53")
def _trap(dark: Dark, event: TrapSet) -> Dark:
    return replace(dark, trap=event.space)


@rules.reducer(cites="DN-58")
def _mutton(dark: Dark, event: MuttonPut) -> Dark:
    return replace(dark, mutton=event.space)


@rules.reducer(cites="DN-R31")
def _revealed(dark: Dark, event: PathRevealed) -> Dark:
    return replace(dark, dial=event.path[-1], path=event.path)
