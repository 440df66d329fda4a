"""The root of the error tree, and the errors of stored bytes."""

from __future__ import annotations

from typing import ClassVar

__all__ = ["CorruptLog", "InvalidType", "LudologError", "shown"]

_LONGEST = 150
_MOST_BITS = 512


def shown(value: object) -> str:
    """What a message says of a value from outside, which may be anything: its ``repr``, no longer than two lines.

    An integer of thousands of digits has none that Python would write.
    """
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return f"a number of {value.bit_length()} bits"
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - whatever it is, it has no text
        return f"a {type(value).__name__}"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


class LudologError(Exception):
    """Every error that the library raises on purpose; ``code`` is stable, the message is one sentence."""

    code: ClassVar[str] = "ludolog"


class CorruptLog(LudologError):
    """Stored or received bytes are not what a log may hold; ``batch`` is the number of the batch, if known."""

    code = "corrupt-log"

    def __init__(self, why: str, *, table: str | None = None, batch: int | None = None) -> None:
        self.why = why
        self.table = table
        self.batch = batch
        where = "".join([f" of table {table!r}" if table else "", f" at batch {batch}" if batch is not None else ""])
        super().__init__(f"The log{where} is damaged: {why}.")


class InvalidType(LudologError):
    """An event, command or state type breaks the rules of its kind; refused when it is registered."""

    code = "invalid-type"
