"""What becomes of a claim: success with an open insect, or one of the ways to fail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ludolog import Position
from ludolog_plugins.insect_inc.state import (
    FAILURES,
    NO_CARD,
    Failure,
    Forest,
    Hand,
    InsectOptions,
    Insects,
    rules,
)

__all__ = ["Verdict", "catchable", "completed", "judge", "stuck", "touched"]

NO_KIND: Final = -1


class Verdict(NamedTuple):
    """What became of a hand: the kind that it completed, or the way in which it failed."""

    hand: Hand
    kind: int
    failure: str


def touched(hand: Hand) -> tuple[int, ...]:
    """Cards under a hand; all of them must be known."""
    return tuple(card for card in hand.cards if card is not None and card != NO_CARD)


def completed(position: Position, cards: tuple[int, ...]) -> Iterator[int]:
    """Kinds that two cards complete, whatever faces they show; those still open first, oldest first (II-R1, II-R30)."""
    pairs = position.options(InsectOptions).pairs
    kinds = position[Forest].kinds
    opened = position[Insects].open
    turned = cards[::-1]
    for kind in (*opened, *(kind for kind in range(len(kinds)) if kind not in opened)):
        if any(pair in (cards, turned) for pair in kinds[kind].pairs(pairs)):
            yield kind


def judge(position: Position, hand: Hand) -> Verdict:
    """Judge one hand by the faces that ``position`` shows, as if it were alone (II-42, II-R3, II-R5, II-R6)."""
    cards = touched(hand)
    for name, failure in position.slot(FAILURES).items():
        if failure.holds(position, cards):
            return Verdict(hand, NO_KIND, str(name))
    return Verdict(hand, next(completed(position, cards)), "")


# ---------------------------------------------------------------- ways to fail


def _completes_open(position: Position, cards: tuple[int, ...]) -> bool:
    return any(kind in position[Insects].open for kind in completed(position, cards))


def _one_card(_position: Position, cards: tuple[int, ...]) -> bool:
    """A hand on one card only (II-28)."""
    return len(cards) < 2  # noqa: PLR2004 - the rulebook's number


def _different_faces(position: Position, cards: tuple[int, ...]) -> bool:
    """The right cards, one up and one down (II-24, II-30, II-35)."""
    down = position[Forest].down
    return _completes_open(position, cards) and down[cards[0]] != down[cards[1]]


def _not_open(position: Position, cards: tuple[int, ...]) -> bool:
    """Cards that complete an insect, but none that is open (II-R6)."""
    return not _completes_open(position, cards) and next(completed(position, cards), NO_KIND) != NO_KIND


def _same_half(position: Position, cards: tuple[int, ...]) -> bool:
    """Two left or two right halves of an open insect (II-29, II-34)."""
    kinds = position[Forest].kinds
    return any(set(cards) in (set(kinds[kind].left), set(kinds[kind].right)) for kind in position[Insects].open)


def _other_pair(position: Position, cards: tuple[int, ...]) -> bool:
    """Both halves of an open insect, of different pairs (II-R1); possible with marked pairs only."""
    kinds = position[Forest].kinds
    return not _completes_open(position, cards) and any(
        kinds[kind].halves_on(cards[0]) and kinds[kind].halves_on(cards[1]) for kind in position[Insects].open
    )


def _wrong_insect(position: Position, cards: tuple[int, ...]) -> bool:
    """A touched card bears no half of the insect (II-27)."""
    return not _completes_open(position, cards)


for _name, _failure, _cites in (
    ("one-card", Failure(_one_card, "a hand on one card only"), "II-28"),
    ("different-faces", Failure(_different_faces, "one card is up and the other down"), "II-30"),
    ("not-open", Failure(_not_open, "the cards complete an insect that is not open"), "II-R6"),
    ("same-half", Failure(_same_half, "both cards show the same half"), "II-29"),
    ("other-pair", Failure(_other_pair, "the halves are of different pairs"), "II-R1"),
    ("wrong-insect", Failure(_wrong_insect, "a card bears no half of the insect"), "II-27"),
):
    rules.add(FAILURES, _name, _failure, cites=_cites)


# ---------------------------------------------------------------- what can still be caught


def catchable(position: Position, kind: int) -> Iterator[tuple[int, int]]:
    """Pairs of cards, left half first, with which ``kind`` can be captured now (II-24)."""
    down = position[Forest].down
    pairs = position[Forest].kinds[kind].pairs(position.options(InsectOptions).pairs)
    return ((left, right) for left, right in pairs if down[left] == down[right])


def stuck(position: Position) -> bool:
    """Whether a reveal is due since only different faces could complete the insects looked at (II-40, II-R10)."""
    opened = position[Insects].open
    looked_at = opened[-1:] if position.options(InsectOptions).mixed_reveal == "newest" else opened
    return not any(any(True for _ in catchable(position, kind)) for kind in looked_at)
