"""The two windows in which a seat acts by commands of its own: its placement turn and its collection."""

from __future__ import annotations

from ludolog import Position, Refusal, Seat
from ludolog_plugins.dark_horse_west.agenda import open_window, top
from ludolog_plugins.dark_horse_west.reasons import no
from ludolog_plugins.dark_horse_west.slots import TASKS, Question

__all__ = ["CLAUSE_OF", "in_window"]

CLAUSE_OF = {"placement": "DW-R56", "collection": "DW-R58"}


def in_window(position: Position, seat: Seat, *kinds: str) -> Refusal | None:
    """Why the seat can't act as in its window of one of these kinds: it is asked something, or the time is another."""
    if open_window(position, seat) in kinds:
        return None
    task = top(position)
    clause = CLAUSE_OF.get(kinds[0], "DW-R56")
    rule = position.slot(TASKS)[task.kind] if task is not None else None
    if task is not None and isinstance(rule, Question):
        sentence = f"First answer: {rule.ask(position, task)}"
        return no("answer-first", sentence, rule.cites, question=task.kind)
    sentence = f"That is done in the own {' or '.join(kinds)} window."
    return no("not-in-window", sentence, clause, window=kinds, now=task.kind if task is not None else "")
