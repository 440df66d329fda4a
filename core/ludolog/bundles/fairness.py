"""What makes the dice of a log fair: the committed seed, what the seats contributed, and every draw from both."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias

from ludolog.chance import Blinder, Streams, commitment_of, contribution_commitment
from ludolog.frame import Committed, Contributed, ContributionsAsked, ContributionsClosed, TableOpened
from ludolog_events import Batch, CorruptLog, Event, Seat

__all__ = ["Fairness"]

Given: TypeAlias = tuple[tuple[Seat, str], ...]

_DRAWS: Final = re.compile(r"(?:[1-9][0-9]*:(?:0|[1-9][0-9]*)(?: (?=[1-9])|$))*", re.ASCII)


class Fairness:
    """Checks a table's batches in order; ``draws`` counts the draws that were found to follow from the seed.

    Args:
        opened: The opening, with the commitment to the seed.
        seed: The revealed seed (32 bytes); ``None`` while it is secret, and then only contributions can be checked.

    Raises:
        CorruptLog: It is not the seed that the table was committed to, or contributions are not in seat order.
    """

    def __init__(self, opened: TableOpened, seed: bytes | None) -> None:
        self._opened = opened
        self._given = opened.contributions
        self._contributing = _Contributing(opened)
        self._streams = None if seed is None else Streams(seed)
        self._blinder = Blinder(seed or b"", opened.table)
        self.draws = 0
        why = ""
        if seed is not None and commitment_of(seed, opened.table) != opened.commitment:
            why = "the revealed seed is not the one that was committed to in the opening"
        elif self._given != _in_seat_order(self._given, opened.seats):
            why = "its opening has contributions that are not in seat order"
        if why:
            raise CorruptLog(why, table=opened.table)

    def check(self, raw: Batch[Any, Any], place: int, events: Sequence[Event]) -> None:
        """Check the next batch: its blinding bytes, what was drawn for it, and what was contributed.

        Args:
            raw: The batch.
            place: How many batches before it count.
            events: Those of its events that are the library's own.

        Raises:
            CorruptLog: Something is not as the seed and the seats have it.
        """
        why = ""
        if _DRAWS.fullmatch(raw.draws) is None or (raw.draws and raw.number == 0):
            why = "what it says was drawn is no list of draws"
        elif self._streams is not None and raw.blind != self._blinder.blind(raw.number):
            why = "its blinding bytes don't come from the revealed seed"
        elif not self._follow(raw.draws, place):
            why = "what it says was drawn is not what the revealed seed gives"
        elif not all(self._contributing.takes(event) for event in events):
            why = "a contribution is not what its seat had committed to, or not in time"
        if why:
            raise CorruptLog(why, table=self._opened.table, batch=raw.number)
        if self._contributing.settled is not None:
            self._given = self._contributing.settled

    def _follow(self, draws: str, place: int) -> bool:
        """Whether the stream of this place gives these draws."""
        if not draws or self._streams is None:
            return True
        chance = self._streams.at(place, self._given)
        try:
            for draw in draws.split(" "):
                chance.below(int(draw.partition(":")[0]))
                self.draws += 1
        except ValueError:  # a bound of thousands of digits
            return False
        return chance.draws == draws


class _Contributing:
    """Follows what the seats commit to and tell, until it is ``settled``."""

    def __init__(self, opened: TableOpened) -> None:
        self.settled: Given | None = None
        self._opened = opened
        self._asked = False
        self._commitments: dict[Seat, str] = {}
        self._told: dict[Seat, str] = {}

    def takes(self, event: Event) -> bool:
        """Whether the event may come now; whatever has nothing to do with contributions may."""
        handlers: dict[type[Event], Callable[[Any], bool]] = {
            ContributionsAsked: self._ask,
            Committed: self._commit,
            Contributed: self._contribute,
            ContributionsClosed: self._close,
        }
        handler = handlers.get(type(event))
        return handler is None or (self.settled is None and not self._opened.contributions and handler(event))

    def _ask(self, event: ContributionsAsked) -> bool:
        first, self._asked = not self._asked, True
        return first and event.promise == self._opened.commitment

    def _commit(self, event: Committed) -> bool:
        """Before anybody has told a contribution."""
        fits = self._asked and not self._told and event.seat not in self._commitments
        self._commitments[event.seat] = event.commitment
        return fits and event.seat in self._opened.seats

    def _contribute(self, event: Contributed) -> bool:
        fits = event.seat not in self._told
        self._told[event.seat] = event.contribution
        commitment = contribution_commitment(self._opened.commitment, event.seat, event.contribution)
        return fits and self._commitments.get(event.seat) == commitment

    def _close(self, event: ContributionsClosed) -> bool:
        self.settled = event.contributions
        return self._asked and event.contributions == _in_seat_order(self._told.items(), self._opened.seats)


def _in_seat_order(given: Iterable[tuple[Seat, str]], seats: Sequence[Seat]) -> Given:
    texts = dict(given)
    return tuple((seat, texts[seat]) for seat in seats if seat in texts)
