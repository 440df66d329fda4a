"""Damage done to bytes and to sequences of them: flipped, inserted, deleted, cut, swapped, doubled."""

from __future__ import annotations

from random import Random
from typing import TypeVar

from ludolog.store import Stored

__all__ = ["cut_head", "cut_middle", "cut_tail", "deleted", "doubled", "flipped", "inserted", "swapped"]

S = TypeVar("S", bytes, "list[Stored]", "list[bytes]")


def flipped(rng: Random, data: bytes) -> bytes:
    """One bit is another."""
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


def inserted(rng: Random, data: bytes) -> bytes:
    """One to eight bytes more, somewhere."""
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.randbytes(rng.randint(1, 8)) + data[at:]


def deleted(rng: Random, data: bytes) -> bytes:
    """One to eight bytes less, somewhere."""
    at = rng.randrange(len(data))
    return data[:at] + data[at + rng.randint(1, 8) :]


def cut_head(rng: Random, items: S) -> S:
    """The first of them are missing."""
    return items[rng.randrange(1, len(items)) :]


def cut_tail(rng: Random, items: S) -> S:
    """The last of them are missing."""
    return items[: rng.randrange(1, len(items))]


def cut_middle(rng: Random, items: S) -> S:
    """Some of them are missing, neither the first nor the last."""
    start = rng.randrange(1, len(items) - 1)
    return items[:start] + items[rng.randrange(start + 1, len(items)) :]


def swapped(rng: Random, items: S) -> S:
    """Two of them stand in each other's place."""
    one, other = sorted(rng.sample(range(len(items)), 2))
    return items[:one] + items[other : other + 1] + items[one + 1 : other] + items[one : one + 1] + items[other + 1 :]


def doubled(rng: Random, items: S) -> S:
    """One of them stands twice, the second time not at the end."""
    one, before = rng.randrange(len(items)), rng.randrange(1, len(items))
    return items[:before] + items[one : one + 1] + items[before:]
