"""Refusals, built before they are raised so that listing the legal commands and deciding them ask the same question."""

from __future__ import annotations

from typing import Any

from ludolog import IllegalCommand, Refusal

__all__ = ["insist", "no"]


def no(code: str, sentence: str, clause: str, **facts: Any) -> Refusal:  # noqa: ANN401 - any plain fact
    """Why not: a stable code, a sentence, the clause and the facts that block."""
    return Refusal(code=code, sentence=sentence, clause=clause, facts=facts)


def insist(refusal: Refusal | None) -> None:
    """Go on only if there is no reason against it.

    Raises:
        IllegalCommand: There is one.
    """
    if refusal is not None:
        raise IllegalCommand(refusal)
