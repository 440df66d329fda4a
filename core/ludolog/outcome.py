"""How a game ended: who ranks where, the scores line by line, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from ludolog_events import Seat

__all__ = ["Outcome", "ScoreLine", "SeatScore"]


class ScoreLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of a score sheet, with the clause that gives the points."""

    label: str
    points: int
    clause: str = ""


class SeatScore(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The score sheet of one seat."""

    seat: Seat
    lines: tuple[ScoreLine, ...]

    @property
    def total(self) -> int:
        """Sum of the lines."""
        return sum(line.points for line in self.lines)


class Outcome(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The result of a game.

    ``ranking`` lists the seats from first to last; seats in one group are level. ``reason`` is a stable name such as
    ``"hands-empty"``, ``sentence`` the same for people. A game without a winner has ``drawn`` set.
    """

    reason: str
    sentence: str
    ranking: tuple[tuple[Seat, ...], ...]
    scores: tuple[SeatScore, ...] = ()
    clause: str = ""
    drawn: bool = False

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Seats that won, alone or together; none if the game is drawn."""
        return () if self.drawn or not self.ranking else self.ranking[0]

    def score(self, seat: Seat) -> int:
        """Total of one seat; 0 in a game without scores."""
        return next((sheet.total for sheet in self.scores if sheet.seat == seat), 0)

    @staticmethod
    def by_score(lines: Mapping[Seat, Iterable[ScoreLine]], *, reason: str, sentence: str, clause: str = "") -> Outcome:
        """Outcome in which the highest total wins and seats with equal totals are level."""
        scores = tuple(SeatScore(seat=seat, lines=tuple(sheet)) for seat, sheet in lines.items())
        totals = sorted({sheet.total for sheet in scores}, reverse=True)
        ranking = tuple(tuple(sheet.seat for sheet in scores if sheet.total == total) for total in totals)
        return Outcome(reason=reason, sentence=sentence, ranking=ranking, scores=scores, clause=clause)
