"""What becomes of a claim: success with an open insect, or one of the ways to fail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ludolog import Position
from ludolog_plugins.insect_inc.forest import Kind
from ludolog_plugins.insect_inc.state import (
    FAILURES,
    NO_CARD,
    NO_KIND,
    Attempt,
    Failure,
    Forest,
    Hand,
    InsectOptions,
    Insects,
    rules,
)

__all__ = ["Verdict", "catchable", "judge", "stuck", "touched"]


class Verdict(NamedTuple):
    """What became of a hand: the kind that it completed, or the way in which it failed."""

    hand: Hand
    kind: int
    failure: str


def touched(hand: Hand) -> tuple[int, ...]:
    """Cards under a hand; all of them must be known."""
    return tuple(card for card in hand.cards if card is not None and card != NO_CARD)


def judge(position: Position, hand: Hand) -> Verdict:
    """Judge one hand by the faces that ``position`` shows, as if it were alone (II-42, II-R3, II-R5, II-R6)."""
    attempt = _attempt(position, touched(hand))
    for name, failure in position.slot(FAILURES).items():
        if failure.holds(attempt):
            return Verdict(hand, NO_KIND, str(name))
    return Verdict(hand, attempt.completed, "")


def _attempt(position: Position, cards: tuple[int, ...]) -> Attempt:
    """What a hand on ``cards`` comes to, before it is judged; of several open insects the oldest (II-R6, II-R30)."""
    forest, opened = position[Forest], position[Insects].open
    if len(cards) < 2:  # noqa: PLR2004 - the rulebook's number
        return Attempt(position, cards, NO_KIND, is_open=False)
    pairs = position.options(InsectOptions).pairs
    for is_open, kinds in ((True, opened), (False, range(len(forest.kinds)))):
        for kind in kinds:
            if forest.kinds[kind].completed_by(cards, pairs):
                return Attempt(position, cards, kind, is_open=is_open)
    return Attempt(position, cards, NO_KIND, is_open=False)


# ---------------------------------------------------------------- ways to fail


def _one_card(attempt: Attempt) -> bool:
    """A hand on one card only (II-28)."""
    return len(attempt.cards) < 2  # noqa: PLR2004 - the rulebook's number


def _different_faces(attempt: Attempt) -> bool:
    """The right cards, one up and one down (II-24, II-30, II-35)."""
    down = attempt.position[Forest].down
    return attempt.is_open and down[attempt.cards[0]] != down[attempt.cards[1]]


def _not_open(attempt: Attempt) -> bool:
    """Cards that complete an insect, but none that is open (II-R6)."""
    return attempt.completed != NO_KIND and not attempt.is_open


def _same_half(attempt: Attempt) -> bool:
    """Two left or two right halves of an open insect (II-29, II-34)."""
    cards = {*attempt.cards}
    return not attempt.is_open and any(cards in ({*kind.left}, {*kind.right}) for kind in _open_kinds(attempt))


def _other_pair(attempt: Attempt) -> bool:
    """Both halves of an open insect, of different pairs (II-R1); possible with marked pairs only."""
    return not attempt.is_open and any(kind.completed_by(attempt.cards, "any") for kind in _open_kinds(attempt))


def _wrong_insect(attempt: Attempt) -> bool:
    """A touched card bears no half of the insect (II-27)."""
    return not attempt.is_open


def _open_kinds(attempt: Attempt) -> list[Kind]:
    kinds = attempt.position[Forest].kinds
    return [kinds[kind] for kind in attempt.position[Insects].open]


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
