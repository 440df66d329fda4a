"""Forest cards: which two of them complete which insect, and whether they are as the rulebook says.

A list of forest cards is data: a TOML text with one ``[[forest]]`` entry a card::

    [[forest]]
    card = 0
    left = [0, 44]       # the kinds whose left halves it shows
    right = [47, 42]     # the kinds whose right halves it shows

The packaged one is the construction of II-R2. The real one is given as the option ``forest``, the name of a file, or
put into the slot ``forest`` by a variant. Whatever is loaded is checked before the game begins.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from ludolog.own_data import bad_data, convert_data, parse_data

__all__ = [
    "CARDS",
    "KINDS",
    "Fault",
    "ForestCard",
    "Kind",
    "Pairs",
    "checked_forest",
    "faults_of",
    "kinds_of",
    "read_forest",
]

CARDS: Final = 48
KINDS: Final = 48

Pairs: TypeAlias = Literal["any", "marked"]
"""Which left half fits which right half: any of the same kind, or that of its own pair only (II-R1)."""


class ForestCard(msgspec.Struct, frozen=True):
    """The halves that one card shows on both sides (II-10), by kind.

    On each side the half listed first counts as of pair A and the second as of pair B, for games with marked pairs.
    """

    left: tuple[int, ...]
    right: tuple[int, ...]


class Kind(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The cards that show the halves of one kind: pair A first, then pair B."""

    left: tuple[int, int]
    right: tuple[int, int]

    def pairs(self, pairs: Pairs) -> tuple[tuple[int, int], ...]:
        """Pairs of cards, left half first, that complete the kind (II-R1)."""
        (left, other_left), (right, other_right) = self.left, self.right
        if pairs == "marked":
            return ((left, right), (other_left, other_right))
        return ((left, right), (left, other_right), (other_left, right), (other_left, other_right))

    def completed_by(self, cards: tuple[int, ...], pairs: Pairs) -> bool:
        """Whether two cards complete the kind (II-21, II-R1)."""
        card, other = cards
        left, right = self.left, self.right
        if (card in left and other in right) or (other in left and card in right):
            return pairs == "any" or bool({(card, other), (other, card)} & {*self.pairs(pairs)})
        return False


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    card: int
    left: tuple[int, ...]
    right: tuple[int, ...]


def read_forest(text: str) -> tuple[ForestCard, ...]:
    """Forest cards from a TOML text with a ``[[forest]]`` entry a card; other tables of the text are passed over.

    Raises:
        BadData: The text is no TOML, an entry is malformed, or the cards aren't numbered from 0 on.
    """
    listed = convert_data(text, parse_data(text).get("forest", []), list[object], "forest")
    rows = [convert_data(text, row, _Entry, f"forest[{at}]") for at, row in enumerate(listed)]
    by_number: dict[int, _Entry] = {}
    for at, row in enumerate(rows):
        if not 0 <= row.card < len(rows) or row.card in by_number:
            why = f"the {len(rows)} forest cards must be numbered from 0 to {len(rows) - 1}, each once"
            raise bad_data(text, f"forest[{at}].card", why)
        by_number[row.card] = row
    return tuple(ForestCard(by_number[card].left, by_number[card].right) for card in range(len(rows)))


def checked_forest(text: str) -> tuple[ForestCard, ...]:
    """Forest cards from a TOML text, with every property that the rulebook states.

    Raises:
        BadData: See :func:`read_forest`; or they lack a property, of which line and field are told.
    """
    cards = read_forest(text)
    faults = faults_of(cards)
    if faults:
        fault, *others = faults
        numbers = [row["card"] for row in parse_data(text).get("forest", [])]
        place = f"forest[{numbers.index(fault.card)}]" if fault.card in numbers else "forest"
        more = f"; faults besides this one: {len(others)}" if others else ""
        sentence = fault.sentence.removesuffix(".")
        raise bad_data(text, f"{place}.{fault.side}".rstrip("."), f"{sentence} ({fault.clause}){more}")
    return cards


class Fault(NamedTuple):
    """A property that a list of forest cards lacks, and the clause that asks for it.

    ``card`` is the number of a card where it is missing, -1 if it is missing everywhere; ``side`` is ``"left"`` or
    ``"right"`` if it is missing among these halves of the card, else empty.
    """

    clause: str
    sentence: str
    card: int = -1
    side: str = ""


@functools.lru_cache(maxsize=8)
def faults_of(cards: tuple[ForestCard, ...], pairs: Pairs = "any") -> tuple[Fault, ...]:
    """What is wrong with a list of forest cards by everything that the rulebook states of them; nothing: it is good.

    Args:
        cards: The cards; their numbers are their places.
        pairs: Whether the halves' marks must make pairs, too.
    """
    checks = (*_CHECKS, _marked_pairs) if pairs == "marked" else _CHECKS
    return tuple(fault for check in checks for fault in check(cards))


def _enough_cards(cards: Sequence[ForestCard]) -> Iterator[Fault]:
    if len(cards) != CARDS:
        yield Fault("II-02", f"There must be {CARDS} forest cards, not {len(cards)}.", len(cards) - 1)


def _four_halves(cards: Sequence[ForestCard]) -> Iterator[Fault]:
    for number, card in enumerate(cards):
        halves = (*card.left, *card.right)
        if len(halves) != 4 or len(set(halves)) != 4:  # noqa: PLR2004 - the rulebook's number
            sentence = f"Card {number} must show halves of four different kinds, not of {list(halves)}."
            yield Fault("II-06", sentence, number)


def _known_kinds(cards: Sequence[ForestCard]) -> Iterator[Fault]:
    for number, card in enumerate(cards):
        for side, halves in (("left", card.left), ("right", card.right)):
            unknown = sorted({kind for kind in halves if not 0 <= kind < KINDS})
            if unknown:
                shown = ", ".join(map(str, unknown))
                yield Fault("II-01", f"Card {number} shows {shown}; the kinds are 0 to {KINDS - 1}.", number, side)


def _completed(cards: Sequence[ForestCard]) -> Iterator[Fault]:
    for kind in range(KINDS):
        left, right = _cards_with(cards, kind)
        if not any(one != other for one in left for other in right):
            one = next(iter((*left, *right)), -1)
            yield Fault("II-07", f"Kind {kind} can't be put together from the forest cards.", one)


def _two_cards_each(cards: Sequence[ForestCard]) -> Iterator[Fault]:
    for number, card in enumerate(cards):
        alone = sorted(set(card.left) & set(card.right))
        if alone:
            sentence = f"Card {number} alone completes kind {alone[0]}; it must take two cards."
            yield Fault("II-08", sentence, number)


def _two_pairs(cards: Sequence[ForestCard]) -> Iterator[Fault]:
    """Kinds with halves too many come first: where one is too much can be said, where one is missing can't."""
    found: list[tuple[bool, Fault]] = []
    for kind in range(KINDS):
        left, right = _cards_with(cards, kind)
        if len(left) != 2 or len(right) != 2 or len({*left, *right}) != 4:  # noqa: PLR2004 - two pairs, four cards
            sentence = (
                f"Kind {kind} must have 2 left and 2 right halves on four cards, not left ones on {list(left)} "
                f"and right ones on {list(right)}."
            )
            side, shown = max(("left", left), ("right", right), key=lambda halves: len(halves[1]))
            fewest = len(shown) <= 2  # noqa: PLR2004 - as many as there must be
            found.append((fewest, Fault("II-09", sentence, next(reversed(shown), -1), side if shown else "")))
    yield from (fault for _, fault in sorted(found, key=lambda item: item[0]))


def _marked_pairs(cards: Sequence[ForestCard]) -> Iterator[Fault]:
    for kind in range(KINDS):
        marks = Counter(
            ("left" if side == 0 else "right", halves.index(kind))
            for card in cards
            for side, halves in enumerate((card.left, card.right))
            if kind in halves
        )
        if set(marks) != {(side, pair) for side in ("left", "right") for pair in (0, 1)} or set(marks.values()) != {1}:
            sentence = f"The halves of kind {kind} are not marked as two pairs, one left and one right each."
            yield Fault("II-R1", sentence, next(iter(_cards_with(cards, kind)[0]), -1))


_CHECKS: Final[tuple[Callable[[Sequence[ForestCard]], Iterator[Fault]], ...]] = (
    _enough_cards,
    _known_kinds,
    _four_halves,
    _completed,
    _two_cards_each,
    _two_pairs,
)


@functools.lru_cache(maxsize=8)
def kinds_of(cards: tuple[ForestCard, ...]) -> tuple[Kind, ...]:
    """For each kind the cards that show its halves, of a list without faults.

    Where the marks don't make pairs, the pairs go by the cards' numbers; that matters only with marked pairs.
    """
    found: list[Kind] = []
    for kind in range(KINDS):
        left, right = _cards_with(cards, kind)
        by_mark = sorted(left, key=lambda card: cards[card].left.index(kind))
        right_by_mark = sorted(right, key=lambda card: cards[card].right.index(kind))
        found.append(Kind((by_mark[0], by_mark[1]), (right_by_mark[0], right_by_mark[1])))
    return tuple(found)


def _cards_with(cards: Sequence[ForestCard], kind: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Cards that show left halves of ``kind``, and right halves; a card that shows two of them stands twice."""
    left = tuple(number for number, card in enumerate(cards) for half in card.left if half == kind)
    right = tuple(number for number, card in enumerate(cards) for half in card.right if half == kind)
    return left, right
