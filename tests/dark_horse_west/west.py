"""What the tests of the western game share: random games on bare positions."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator

from ludolog import Chance, Command, Position, Ruleset, Seat, catalogue

NAMES = ("ann", "bob", "cem", "dot", "eve")


def west(*variants: str, **options: object) -> Ruleset:
    return catalogue().ruleset("dark-horse-west", variants, options)


def begun(ruleset: Ruleset, seats: int, seed: int = 1) -> Position:
    key = hashlib.sha256(f"west {seed}".encode()).digest()
    return ruleset.begin(ruleset.opening(NAMES[:seats]), Chance(key)).position


def walk(ruleset: Ruleset, seats: int, seed: int = 1) -> Iterator[tuple[Position, Seat, Command | None]]:
    """A random game: each position with who moves and what is played; the last one with None."""
    choices = random.Random(seed)
    key = hashlib.sha256(f"west {seed}".encode()).digest()
    position = ruleset.begin(ruleset.opening(NAMES[:seats]), Chance(key)).position
    number = 0
    while not position.over:
        number += 1
        seat = ruleset.to_act(position)[0]
        command = choices.choice(ruleset.legal(position, seat))
        yield position, seat, command
        position = ruleset.decide(position, seat, command, Chance(key, number)).position
    yield position, "", None


def played(ruleset: Ruleset, seats: int, seed: int = 1) -> Position:
    """The position at the end of a random game."""
    *_, (position, _, _) = walk(ruleset, seats, seed)
    return position
