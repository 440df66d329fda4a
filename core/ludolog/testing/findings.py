"""What a check finds: where a game breaks a promise, or why the check could not be made."""

from __future__ import annotations

__all__ = ["Finding", "Skipped"]


class Finding(AssertionError):
    """A promise that is broken.

    Args:
        why: What is wrong, as one sentence without its place.
        batch: Number of the batch after which it shows.
        event: Name of the event, or of the command, that it comes from.
        field: Path of the field, such as ``"Hands.cards[1][0]"``.
        seat: Whom it concerns.
        check: The check that it breaks; by default the one that is running.
    """

    def __init__(
        self,
        why: str,
        *,
        batch: int | None = None,
        event: str = "",
        field: str = "",
        seat: str | None = None,
        check: str = "",
    ) -> None:
        self.why = why
        self.batch = batch
        self.event = event
        self.field = field
        self.seat = seat
        self.check = check
        self.game = ""
        super().__init__(why)

    def __str__(self) -> str:
        """Check and game, then the place, then what is wrong."""
        place = [
            f"batch {self.batch}" if self.batch is not None else "",
            self.event,
            f"field {self.field}" if self.field else "",
            f"seat {self.seat}" if self.seat else "",
        ]
        head = f"{self.check} ({self.game})" if self.game else self.check
        return ": ".join(part for part in (head, ", ".join(filter(None, place)), self.why) if part)


class Skipped(Exception):
    """A check can't be made here, and why."""
