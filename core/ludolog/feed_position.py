"""Positions in a feed whose batches are simply numbered, as text."""

from __future__ import annotations

import re
from typing import Final, NamedTuple, Self

from ludolog.errors import BadPosition

__all__ = ["FeedPosition"]

_FORM: Final = re.compile(r"([1-9][0-9]{0,17})-([0-9a-f]{16})", re.ASCII)
_CHECKED: Final = 8


class FeedPosition(NamedTuple):
    """A batch's place in the feed, and the first bytes of its hash, so that no other feed takes it for its own.

    A store that numbers its batches needs no more. It compares ``check`` with the hash of the batch that it has at
    that number: another store, and one that was set back to an older copy, has another batch there or none.
    """

    number: int
    """From 1; below 10 to the power of 18."""
    check: str
    """Hexadecimal."""

    @classmethod
    def of(cls, number: int, head: bytes) -> Self:
        """The position after a batch."""
        return cls(number, head[:_CHECKED].ljust(_CHECKED, b"\0").hex())

    @classmethod
    def parse(cls, text: object) -> Self | None:
        """Read what ``str`` wrote; ``None`` for the beginning, ``""``.

        Raises:
            BadPosition: it is no position.
        """
        if text == "":
            return None
        found = _FORM.fullmatch(text) if isinstance(text, str) else None
        if found is None:
            raise BadPosition(text, "it isn't one")
        return cls(int(found[1]), found[2])

    def __str__(self) -> str:
        """The position as text."""
        return f"{self.number}-{self.check}"
