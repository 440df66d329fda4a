"""A table as it can be read: position, views, feeds, earlier positions, forks, audit."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from ludolog.errors import BadPosition, MalformedCommand, Refusal, UnknownSeat
from ludolog.folding import HOST, Fold
from ludolog.frame import TableOpened
from ludolog.history import History
from ludolog.journal import Journal
from ludolog.loading import Loading
from ludolog.outcome import Outcome
from ludolog.position import Position
from ludolog.ruleset import Ruleset
from ludolog.subscribing import Subscription
from ludolog.telling import Telling
from ludolog.viewing import FeedItem, Views
from ludolog_events import Command, Receipt, Seat, State, shown

if TYPE_CHECKING:
    from ludolog.audit import AuditReport, Blame
    from ludolog.table import Table

__all__ = ["Reading"]

_NUMBERED: Final = "things told to a seat are numbered from 1, and 0 is the beginning"


class Reading:
    """What can be read of one play; nothing here changes its log.

    ``opened`` is the log's first event, ``parent`` the table that this one was forked from. ``mismatch`` says why it
    can't be played on under the rules at hand; it is empty if it can.
    """

    def __init__(
        self,
        journal: Journal,
        opened: TableOpened,
        fold: Fold | None = None,
        *,
        seed: bytes | None,
        parent: Reading | None = None,
        mismatch: str = "",
    ) -> None:
        self.journal = journal
        self.opened = opened
        self.parent = parent
        self.mismatch = mismatch
        self.seed = seed
        """The secret seed, if the store still has it; the host's alone until the game has ended."""
        self._lock = threading.RLock()
        self.views = Views(journal, self.start, snapshots=True)
        self.loading = Loading(journal, self.start)
        self._fold = fold or self.loading.fold(journal.length)
        self._fold.checkpoint = self.loading.checkpoint

    @property
    def id(self) -> str:
        """The table's id."""
        return self.opened.table

    @property
    def ruleset(self) -> Ruleset:
        """What is played."""
        return self.journal.ruleset

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats in order, clockwise."""
        return self.opened.seats

    @property
    def length(self) -> int:
        """Number of batches in the log."""
        return self.journal.length

    @property
    def receipt(self) -> Receipt:
        """Receipt for the log as it is now."""
        length, head = self.journal.end
        return Receipt(table=self.opened.table, length=length, head=head.hex())

    @property
    def history(self) -> History:
        """Which batches count."""
        return self._fold.history

    @property
    def position(self) -> Position:
        """The full position, secrets included; for the host."""
        return self._fold.position

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.position.over

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; ``None`` while it goes on."""
        return self.position.outcome

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Seats that may act now."""
        return self.ruleset.to_act(self.position)

    def __repr__(self) -> str:
        """Id, game and length."""
        return f"<Table {self.id} of {self.ruleset.id}, {self.length} batches>"

    def legal(self, seat: Seat) -> tuple[Command, ...]:
        """All legal commands of ``seat``; none if it may not act now.

        Raises:
            UnknownSeat: Nobody has this name.
        """
        self._check_seat(seat)
        return self.ruleset.legal(self.position, seat)

    def view(self, seat: Seat | None, *, at: int | None = None) -> Position:
        """What ``seat`` knows (``None``: a viewer without a seat), folded from what it was told.

        Args:
            seat: The seat.
            at: After how many batches; by default now.

        Raises:
            UnknownSeat: Nobody has this name.
        """
        self._check_seat(seat)
        with self._lock:
            if at is None or at == self.length:
                return self.views.now(seat)
            self._check_length(at)
            return self.views.at(seat, at)

    def at(self, length: int) -> Position:
        """The full position as it was after ``length`` batches.

        Raises:
            MalformedCommand: The log is not so long.
        """
        with self._lock:
            self._check_length(length)
            return self.position if length == self.length else self.loading.fold(length).position

    def feed(self, seat: Seat | None, after: int = 0) -> tuple[FeedItem, ...]:
        """What ``seat`` was told, numbered for it, from number ``after + 1`` on.

        An undo that concerns the seat is an item of its own; nothing is taken out of a feed.

        Raises:
            UnknownSeat: Nobody has this name.
            BadPosition: ``after`` is no number.
        """
        self._check_told(seat, after)
        with self._lock:
            return self.feed_until(seat, self.length, after)

    def _check_told(self, seat: Seat | None, after: int) -> None:
        self._check_seat(seat)
        if type(after) is not int:
            raise BadPosition(after, _NUMBERED)

    def story(self, seat: Seat | None, after: int = 0) -> tuple[tuple[FeedItem, str], ...]:
        """What :meth:`feed` gives, each with its sentence; empty for bookkeeping, of which people need not hear.

        Every sentence is told with what the seat knew at that moment, see :meth:`Ruleset.tell`.

        Raises:
            UnknownSeat: Nobody has this name.
            BadPosition: ``after`` is no number.
        """
        self._check_told(seat, after)
        with self._lock:
            return self.story_until(seat, self.length, after)

    def subscribe(
        self, seat: Seat | None, after: int = 0, *, timeout: float | None = None
    ) -> Subscription[int, FeedItem]:
        """Follow what :meth:`feed` tells ``seat`` from number ``after + 1`` on, whoever appends it, in any process.

        It reads the store and never keeps this table from being played.

        Args:
            seat: Who listens (``None``: a viewer without a seat).
            after: Number of the last thing that the listener knows; 0: none.
            timeout: How many seconds iterating waits for the next thing; by default for ever.

        Raises:
            UnknownSeat: Nobody has this name.
            BadPosition: The seat was not told so much yet.
        """
        self._check_seat(seat)
        return self._telling.subscribe(seat, after, timeout)

    @cached_property
    def _telling(self) -> Telling:
        return Telling(self)

    def feed_until(self, seat: Seat | None, length: int, after: int = 0) -> tuple[FeedItem, ...]:
        """What ``seat`` had been told after ``length`` batches, from number ``after + 1`` on."""
        # The lock is held by whoever asks this table; a fork of it asks from elsewhere.
        with self._lock:
            items: tuple[FeedItem, ...] = ()
            before = 0
            if self.parent is not None:
                fork = self.opened.forked[0].length
                items = self.parent.feed_until(seat, fork, after)
                before = self.parent.told(seat, fork)
            return (*items, *self.views.feed(seat, before, length, after))

    def story_until(self, seat: Seat | None, length: int, after: int = 0) -> tuple[tuple[FeedItem, str], ...]:
        """What :meth:`feed_until` gives, each with its sentence."""
        with self._lock:
            items: tuple[tuple[FeedItem, str], ...] = ()
            before = 0
            if self.parent is not None:
                fork = self.opened.forked[0].length
                items = self.parent.story_until(seat, fork, after)
                before = self.parent.told(seat, fork)
            return (*items, *self.views.story(seat, before, length, after))

    def told(self, seat: Seat | None, length: int) -> int:
        """How many things ``seat`` had been told after ``length`` batches."""
        with self._lock:
            before = self.parent.told(seat, self.opened.forked[0].length) if self.parent is not None else 0
            return before + self.views.told(seat, length)

    # ------------------------------------------------------------ time travel and audit

    def fork(
        self,
        length: int | None = None,
        *,
        id: str | None = None,  # noqa: A002 - the field's name everywhere
        seed: int | str | bytes | None = None,
    ) -> Table:
        """A new table that goes on from this one's log after ``length`` batches, in the same store.

        Its dice are its own, so that a fork never foretells the dice of its parent.
        """
        from ludolog.opening import fork_table  # noqa: PLC0415 - opening needs tables

        with self._lock:
            return fork_table(self, self.length if length is None else length, table_id=id, seed=seed)

    def audit(self, receipts: Sequence[Receipt] = ()) -> AuditReport:
        """Answer whether this is the log, whether it gives this position, and whether it was played by the rules."""
        from ludolog.audit import audit  # noqa: PLC0415 - auditing needs tables

        with self._lock:
            return audit(self, receipts)

    def blame(self, kind: type[State], field: str) -> Blame:
        """Which batch, event and clause last set a field of the position.

        Raises:
            UnknownField: There is no such field, or it was never set.
        """
        from ludolog.audit import blame  # noqa: PLC0415 - auditing needs tables

        with self._lock:
            return blame(self, kind, field)

    def keep_snapshot(self) -> None:
        """Keep a snapshot of the position as it is now; best effort."""
        with self._lock:
            self.loading.keep(self._fold, self.views.asked)

    def start(self, seat: Seat | None = HOST) -> Position:
        """Where this table's log begins, for one audience: at nothing, or where it leaves its parent."""
        if self.parent is not None:
            length = self.opened.forked[0].length
            return self.parent.at(length) if seat == HOST else self.parent.view(seat, at=length)
        empty = self.ruleset.start()
        return empty if seat == HOST else Position(self.ruleset, empty.slices, seat, is_view=True)

    # ------------------------------------------------------------ checks

    def _check_seat(self, seat: Seat | None) -> None:
        if seat is not None and seat not in self.opened.seats:
            msg = f"Nobody named {shown(seat)} sits at this table; the seats are {', '.join(self.seats)}."
            raise UnknownSeat(msg)

    def _check_length(self, length: object) -> None:
        if not isinstance(length, int) or not 0 <= length <= self.length:
            sentence = f"Table {self.id!r} has {self.length} batches, so there is no position after {shown(length)}."
            raise MalformedCommand(Refusal(code="no-such-length", sentence=sentence))
