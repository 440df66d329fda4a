"""What can happen, and who is told."""

from __future__ import annotations

from ludolog import Event, Private, Seat
from ludolog_plugins.dark_is_the_night.data import Direction
from ludolog_plugins.dark_is_the_night.state import Part

__all__ = [
    "AllQuiet",
    "BellRang",
    "BoltShot",
    "CountdownStarted",
    "DistanceTold",
    "FeintDeclared",
    "HunterPlaced",
    "HunterWalked",
    "MonsterAttacked",
    "MonsterDrawn",
    "MonsterFeinted",
    "MonsterMoved",
    "MonsterSeen",
    "MonsterTorn",
    "MuttonPut",
    "PathRevealed",
    "SideTold",
    "SidesTaken",
    "SpaceStabbed",
    "StartChosen",
    "TokensDealt",
    "TrapSet",
    "TurnEnded",
]

# ---------------------------------------------------------------- the opening


class SidesTaken(Event, frozen=True, tag="dark-is-the-night/sides-taken"):
    """The seats took their sides (DN-09)."""

    hunter: Seat
    monster: Seat


class TokensDealt(Event, frozen=True, tag="dark-is-the-night/tokens-dealt"):
    """Each side got its tokens (DN-10, DN-11)."""

    hunter: tuple[str, ...]
    monster: tuple[str, ...]


class StartChosen(Event, frozen=True, tag="dark-is-the-night/start-chosen"):
    """The Monster set its dial to the space it starts on, in secret (DN-12, DN-14)."""

    seat: Seat
    space: Private[int]


class HunterPlaced(Event, frozen=True, tag="dark-is-the-night/hunter-placed"):
    """The Hunter's figure was put on the space she starts on (DN-17)."""

    space: str


# ---------------------------------------------------------------- the Hunter's deeds


class HunterWalked(Event, frozen=True, tag="dark-is-the-night/hunter-walked"):
    """The Hunter moved to an inner space."""

    to: str


class SpaceStabbed(Event, frozen=True, tag="dark-is-the-night/space-stabbed"):
    """The Hunter stabbed at a dark space, and hit the Monster or not (DN-R6)."""

    space: int
    hit: bool


class BoltShot(Event, frozen=True, tag="dark-is-the-night/bolt-shot"):
    """A bolt flew and landed on a dark space; a flaming one lights it and never hits (DN-50, DN-51, DN-R6)."""

    direction: Direction
    space: int
    flaming: bool
    hit: bool


class TrapSet(Event, frozen=True, tag="dark-is-the-night/trap-set"):
    """The bell trap was put on a dark space."""

    space: int


class MuttonPut(Event, frozen=True, tag="dark-is-the-night/mutton-put"):
    """The mutton was put on a dark space."""

    space: int


# ---------------------------------------------------------------- the Monster's deeds


class MonsterMoved(Event, frozen=True, tag="dark-is-the-night/monster-moved"):
    """The Monster made its ordinary move; where to is told to its seat alone (DN-72, DN-R30)."""

    seat: Seat
    to: Private[int]


class MonsterDrawn(Event, frozen=True, tag="dark-is-the-night/monster-drawn"):
    """The Monster was drawn toward the mutton (DN-59, DN-60).

    It comes about on the mutton's own space as well, where the Monster stays: whether it stepped is not told (DN-R18).
    """

    seat: Seat
    to: Private[int]


class FeintDeclared(Event, frozen=True, tag="dark-is-the-night/feint-declared"):
    """The Monster handed in its feint token and told the space it was on (DN-74, DN-76)."""

    space: int


class MonsterFeinted(Event, frozen=True, tag="dark-is-the-night/monster-feinted"):
    """The Monster made its feint's movement, or one half of it, which may be to stay (DN-77, DN-78, DN-81).

    There are always two halves where each step is told, so that nobody can count the steps (DN-R11, DN-R12).
    """

    seat: Seat
    part: Part
    to: Private[int]


class MonsterAttacked(Event, frozen=True, tag="dark-is-the-night/monster-attacked"):
    """The Monster attacked the inner space next to its own, and hit the Hunter or not (DN-R7)."""

    space: str
    hit: bool


# ---------------------------------------------------------------- what the Monster tells


class SideTold(Event, frozen=True, tag="dark-is-the-night/side-told"):
    """The Monster told on which side its space lies (DN-18)."""

    side: Direction


class BellRang(Event, frozen=True, tag="dark-is-the-night/bell-rang"):
    """The trap went off, under the Monster, and is out of the game (DN-55, DN-56, DN-57, DN-R9)."""

    space: int


class MonsterSeen(Event, frozen=True, tag="dark-is-the-night/monster-seen"):
    """The Monster is on a lit space (DN-52, DN-R15)."""

    space: int


class AllQuiet(Event, frozen=True, tag="dark-is-the-night/all-quiet"):
    """Nothing was told, though a Monster on one of these spaces would have had to: silence is a fact, too."""

    spaces: tuple[int, ...]


class MonsterTorn(Event, frozen=True, tag="dark-is-the-night/monster-torn"):
    """Both ways to the mutton are equally long, as all can tell by waiting: the Monster has to choose (DN-R34)."""

    space: int


class DistanceTold(Event, frozen=True, tag="dark-is-the-night/distance-told"):
    """The Monster told its distance from the mutton, 0 for being on it; the mutton is gone (DN-61, DN-65, DN-R18)."""

    mutton: int
    distance: int


# ---------------------------------------------------------------- turns and the end


class TurnEnded(Event, frozen=True, tag="dark-is-the-night/turn-ended"):
    """The turn ended; the other side is next (DN-21)."""


class CountdownStarted(Event, frozen=True, tag="dark-is-the-night/countdown-started"):
    """The Hunter's last item is used: so many turns are left until sunrise (DN-83)."""

    turns: int


class PathRevealed(Event, frozen=True, tag="dark-is-the-night/path-revealed"):
    """The game is over, and the Monster's whole path lies open: all settings of its dial (DN-R31)."""

    path: tuple[int, ...]
