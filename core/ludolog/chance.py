"""The only source of randomness: a stream that can be derived again from the table's seed.

Words of 64 bits come from HMAC-SHA-256 in counter mode (RFC 2104, FIPS 180-4). A number below ``n`` is taken by
rejection, so no outcome is likelier than another; shuffles are Fisher and Yates's, written out here, so that the
results are the same on every version of Python.

The stream's key comes from the seed and the seats' contributions, each hashed with its seat in seat order. A batch
draws from the stream of its place in the *effective* history: playing the same command again after an undo draws the
same outcome. How contributions are collected is in :mod:`ludolog.contributing`.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Final, TypeVar

from ludolog.errors import BadOptions
from ludolog_events import shown

__all__ = [
    "Blinder",
    "Chance",
    "Streams",
    "commitment_of",
    "contribution_commitment",
    "fork_seed",
    "seed_from",
    "stream_key",
]

T = TypeVar("T")

_MOST_BITS: Final = 4096
_WORDS_A_BLOCK: Final = 4


def _framed(*parts: bytes) -> bytes:
    """Join parts so that no two lists of parts give the same bytes."""
    return b"".join([len(part).to_bytes(4, "big") + part for part in parts])


def commitment_of(seed: bytes, table: str) -> str:
    """SHA-256 commitment (64 hex digits) to a table's seed, published before the first draw."""
    return hashlib.sha256(_framed(b"ludolog/commitment", table.encode(), seed)).hexdigest()


def contribution_commitment(promise: str, seat: str, contribution: str) -> str:
    """SHA-256 commitment (64 hex digits) of a seat to its contribution, given before it tells the contribution.

    Args:
        promise: The table's commitment to its seed, see :func:`commitment_of`. It is bound to the table's id, so this
            is of no use at any other table, nor at a table of the same id with another seed.
        seat: Whose contribution it is; as another seat's it doesn't match.
        contribution: The text. Whoever can guess it learns it from its commitment, so most of it must be random.
    """
    parts = (b"ludolog/contribution", promise.encode(), seat.encode(), contribution.encode())
    return hashlib.sha256(_framed(*parts)).hexdigest()


def seed_from(seed: int | str | bytes | None) -> bytes:
    """32 bytes of seed: fresh ones for ``None``, else derived from what is given.

    A table whose seed can be guessed (a small number, say) can be foreseen; give ``None`` when that matters.

    Raises:
        BadOptions: It is something else than a whole number, a text or bytes.
    """
    if seed is None:
        return secrets.token_bytes(32)
    if type(seed) not in {int, str, bytes} or (isinstance(seed, int) and seed.bit_length() > _MOST_BITS):
        msg = f"A seed is a whole number, a text or bytes, not {shown(seed)}."
        raise BadOptions(msg)
    raw = seed if isinstance(seed, bytes) else str(seed).encode(errors="surrogatepass")
    return hashlib.sha256(_framed(b"ludolog/seed", type(seed).__name__.encode(), raw)).digest()


def fork_seed(seed: bytes, parent: bytes, length: int) -> bytes:
    """Seed of a fork that leaves a table with the seed ``parent`` after ``length`` batches.

    Were it the given seed itself, and the same as the parent's, the fork would foretell the parent's dice.
    """
    return hashlib.sha256(_framed(b"ludolog/fork", parent, b"%d" % length, seed)).digest()


def stream_key(seed: bytes, contributions: Iterable[tuple[str, str]] = ()) -> bytes:
    """Key of a table's chance stream: 32 bytes from the seed and ``(seat, contribution)`` in seat order."""
    parts = [part.encode() for pair in contributions for part in pair]
    return hmac.digest(seed, _framed(b"ludolog/stream", *parts), "sha256")


class Streams:
    """Gives the chance of each batch of a table; remembers the key, which changes once at most.

    Args:
        seed: The table's; empty if it isn't known, and then nothing can be drawn that others could draw again.
    """

    __slots__ = ("_given", "_key", "_seed")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._given: tuple[tuple[str, str], ...] = ()
        self._key = stream_key(seed)

    def at(self, place: int, given: tuple[tuple[str, str], ...]) -> Chance:
        """Chance of the batch after ``place`` effective ones, with what was contributed before it; recorded."""
        if given is not self._given:
            self._given = given
            self._key = stream_key(self._seed, given)
        return Chance(self._key, place, recorded=True)


class Blinder:
    """Gives 16 bytes for each batch of a table, by keyed BLAKE2b (RFC 7693), to blind the batch's hash."""

    __slots__ = ("_keyed",)

    def __init__(self, seed: bytes, table: str) -> None:
        self._keyed = hashlib.blake2b(table.encode(), key=seed, digest_size=16, person=b"ludolog/blind")

    def blind(self, number: int) -> bytes:
        """The bytes for batch ``number``."""
        keyed = self._keyed.copy()
        keyed.update(b"/%d" % number)
        return keyed.digest()


class Chance:
    """Draws for one batch; ``drawn`` counts the words taken so far.

    Args:
        key: 32 bytes, see :func:`stream_key`.
        place: Number of effective batches before this one.
        recorded: Keep what is drawn for ``draws``; a table does, a simulation has no use for it.
    """

    __slots__ = ("_key", "_numbers", "_place", "_words", "drawn")

    bits: ClassVar[int] = 64
    """Size of a word. Nothing below depends on it, so what is proved by trying all words of few bits holds for 64."""

    def __init__(self, key: bytes, place: int = 0, *, recorded: bool = False) -> None:
        self._key = key
        self._place = place
        self._words: list[int] = []
        self.drawn = 0
        self._numbers: list[tuple[int, int]] | None = [] if recorded else None

    @property
    def draws(self) -> str:
        """What was drawn, if it is recorded: ``"<bound>:<number>"`` for each draw, with blanks between."""
        return " ".join([f"{bound}:{number}" for bound, number in self._numbers]) if self._numbers else ""

    def _word(self) -> int:
        """Next word of 64 bits."""
        offset = self.drawn % _WORDS_A_BLOCK
        if offset == 0:
            message = self._place.to_bytes(8, "big") + (self.drawn // _WORDS_A_BLOCK).to_bytes(8, "big")
            block = hmac.digest(self._key, message, "sha256")
            self._words = [int.from_bytes(block[at : at + 8], "big") for at in range(0, 32, 8)]
        self.drawn += 1
        return self._words[offset]

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound - 1``, each as likely as the other.

        Raises:
            ValueError: ``bound`` is not at least 1.
        """
        if bound < 1:
            msg = f"a number below {bound} can't be drawn"
            raise ValueError(msg)
        bits = self.bits
        words = -(-(bound - 1).bit_length() // bits) or 1
        span = 1 << bits * words
        limit = span - span % bound
        while True:
            number = self._word()
            for _ in range(words - 1):
                number = number << bits | self._word()
            if number < limit:
                number %= bound
                if self._numbers is not None:
                    self._numbers.append((bound, number))
                return number

    def roll(self, sides: int = 6) -> int:
        """A die: a number from 1 to ``sides``."""
        return self.below(sides) + 1

    def dice(self, count: int, sides: int = 6) -> tuple[int, ...]:
        """``count`` dice, in the order rolled."""
        return tuple(self.roll(sides) for _ in range(count))

    def choose(self, items: Sequence[T]) -> T:
        """One of ``items``; ValueError if there are none."""
        return items[self.below(len(items))]

    def weighted(self, weights: Mapping[T, int]) -> T:
        """A key of ``weights``, likely by its weight (integers, not negative), in the mapping's order."""
        if any(weight < 0 for weight in weights.values()):
            msg = "a weight can't be negative"
            raise ValueError(msg)
        at = self.below(sum(weights.values()))
        for item, weight in weights.items():
            if at < weight:
                return item
            at -= weight
        raise AssertionError  # pragma: no cover - the weights add up

    def shuffle(self, items: Iterable[T]) -> tuple[T, ...]:
        """``items`` in random order; they must have an order to begin with."""
        deck = _ordered(items)
        for last in range(len(deck) - 1, 0, -1):
            at = self.below(last + 1)
            deck[last], deck[at] = deck[at], deck[last]
        return tuple(deck)

    def draw(self, items: Iterable[T], count: int) -> tuple[T, ...]:
        """``count`` different ones of ``items``, in the order drawn; ValueError if there are fewer."""
        deck = _ordered(items)
        if not 0 <= count <= len(deck):
            msg = f"{count} of {len(deck)} can't be drawn"
            raise ValueError(msg)
        for at in range(count):
            other = at + self.below(len(deck) - at)
            deck[at], deck[other] = deck[other], deck[at]
        return tuple(deck[:count])


def _ordered(items: Iterable[T]) -> list[T]:
    """A set's order changes from run to run, so what is drawn from it could not be drawn again."""
    if isinstance(items, set | frozenset):
        msg = "a set has no order to draw from; sort it first"
        raise TypeError(msg)
    return list(items)
