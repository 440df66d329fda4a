"""The score sheets of all seats side by side, each kind of line once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from ludolog import ScoreLine, SeatScore

__all__ = ["score_rows"]

_COUNTED: Final = re.compile(r"([0-9]+) (.+)", re.DOTALL)


class _Kind(NamedTuple):
    """What lines of several seats have in common; ``label`` is without a count, in the singular."""

    label: str
    clause: str


def score_rows(sheets: Sequence[SeatScore]) -> list[list[str]]:
    """Label, points of each seat, and clause of every line.

    Labels that differ only in the count they begin with are one row: of ``"3 towns"`` and ``"1 town"`` it becomes
    ``"towns (3, 1)"``.
    """
    kinds = list(dict.fromkeys(_kind(line) for sheet in sheets for line in sheet.lines))
    return [row for kind in kinds for row in _rows([[x for x in sheet.lines if _kind(x) == kind] for sheet in sheets])]


def _kind(line: ScoreLine) -> _Kind:
    counted = _COUNTED.fullmatch(line.label)
    if counted is None:
        return _Kind(line.label, line.clause)
    singular = " ".join(re.sub(r"(?<=..)s$", "", re.sub(r"ies$", "y", word)) for word in counted[2].split())
    return _Kind(f"# {singular}", line.clause)


def _rows(found: Sequence[Sequence[ScoreLine]]) -> list[list[str]]:
    """The rows of one kind, from the lines of each seat: one, unless a seat has several lines with other counts."""
    every = [line for lines in found for line in lines]
    labels = list(dict.fromkeys(line.label for line in every))
    if len(labels) > 1 and all(len({line.label for line in lines}) <= 1 for lines in found):
        return [[_common(found, labels), *(_sum(lines) for lines in found), every[0].clause]]
    return [
        [label, *(_sum([line for line in lines if line.label == label]) for lines in found), every[0].clause]
        for label in labels
    ]


def _common(found: Sequence[Sequence[ScoreLine]], labels: Sequence[str]) -> str:
    """Several labels as one, with the count of each seat."""
    thing = next((label for label in labels if not label.startswith("1 ")), labels[0]).partition(" ")[2]
    counts = [lines[0].label.partition(" ")[0] if lines else "-" for lines in found]
    return f"{thing} ({', '.join(counts)})"


def _sum(lines: Sequence[ScoreLine]) -> str:
    return str(sum(line.points for line in lines))
