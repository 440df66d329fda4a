"""The score sheet of the bug race."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from ludolog import Outcome, Position, ScoreLine, Seat, Slot
from ludolog_plugins.dark_horse_bugs.data import POINTS, rules
from ludolog_plugins.dark_horse_bugs.state import Goals, Race, of

__all__ = ["SCORE_LINES", "ScoreLines", "in_points", "ordinal", "outcome"]

ScoreLines = Callable[[Position, Seat], Iterator[ScoreLine]]
"""Lines on the score sheet of one seat: ``(position, seat) -> lines``."""

SCORE_LINES: Slot[ScoreLines] = rules.slot(Slot("score-lines", "What gives points at the end."))


def ordinal(rank: int) -> str:
    """``"1st"``, ``"2nd"``, ... for a rank of the race."""
    return f"{rank}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(rank, 'th') }"


def in_points(total: int) -> str:
    """``"1 point"``, ``"14 points"``, ``"-3 points"``."""
    return f"{total} point{'' if total == 1 else 's'}"


def goal_lines(position: Position, seat: Seat) -> Iterator[ScoreLine]:
    """Each Goal card counts what the rank of its bug is worth (DH-57, DH-58, DH-60, DH-61).

    Before the end, the bugs count as they stand; a bug that is not in the line yet counts nothing.
    """
    line = position[Race].line
    for goal in of(position[Goals].held, seat):
        if goal in line:
            rank = line.index(goal) + 1
            yield ScoreLine(label=f"{goal} {ordinal(rank)}", points=position.slot(POINTS)[rank], clause="DH-61")


rules.add(SCORE_LINES, "goals", goal_lines, cites="DH-60")


def outcome(position: Position, reason: str) -> Outcome:
    """The highest sum wins, and whoever ties for it shares the win (DH-08, DH-62, DH-R7)."""
    sheets = {
        seat: [line for lines in position.slot(SCORE_LINES).values() for line in lines(position, seat)]
        for seat in position.seats
    }
    found = Outcome.by_score(sheets, reason=reason, sentence="", clause="DH-55")
    winners = found.winners
    won = "wins" if len(winners) == 1 else "share the win"
    sentence = f"{' and '.join(winners)} {won} with {in_points(max(sheet.total for sheet in found.scores))}."
    return msgspec.structs.replace(found, sentence=sentence)
