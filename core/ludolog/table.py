"""A table: one play of a ruleset by named seats, from its log alone."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec
from ludolog_events import FORMAT, Batch, Command, Event, Receipt, Seat, State, told

from ludolog import _log, snapshot
from ludolog.barrier import what_was_learnt
from ludolog.chance import Chance, blind_of, stream_key
from ludolog.errors import (
    CommandError,
    CommandIdReused,
    CorruptLog,
    DuplicateCommand,
    GameOver,
    LudologError,
    MalformedCommand,
    Refusal,
    RulesetMismatch,
    UndoRefused,
    UnknownSeat,
    VersionConflict,
)
from ludolog.folding import HOST, Facts, Fold
from ludolog.frame import Redo, Redone, SeedRevealed, TableOpened, Undo, Undone
from ludolog.history import History
from ludolog.journal import Journal
from ludolog.outcome import Outcome
from ludolog.position import Position
from ludolog.ruleset import Ruleset

if TYPE_CHECKING:
    from ludolog.audit import AuditReport, Blame

__all__ = ["FeedItem", "Retracted", "SNAPSHOT_EVERY", "Table"]

SNAPSHOT_EVERY: Final = 1000
"""A snapshot is kept after so many batches."""

_ATTEMPTS: Final = 16
"""How often a command is decided again when other writers come first."""

_MAX_TIME: Final = 2**62


class Retracted(msgspec.Struct, frozen=True, kw_only=True, tag="ludolog/retracted", tag_field="type"):
    """What a seat is told of an undo: the numbers in its own feed that no longer count.

    ``by`` is empty for the host. ``restored`` lists numbers that count again after a redo.
    """

    by: Seat
    numbers: tuple[int, ...] = ()
    restored: tuple[int, ...] = ()


class FeedItem(msgspec.Struct, frozen=True, kw_only=True):
    """One thing a seat was told, numbered from 1 for that seat alone."""

    number: int
    event: Event | Retracted


class Table:
    """One play; made by ``new_table`` and ``open_table``.

    ``position`` is the fold of the log, ``receipt`` proves its present state. Safe to use from several threads.
    """

    def __init__(
        self,
        journal: Journal,
        opened: TableOpened,
        fold: Fold,
        *,
        seed: bytes | None,
        parent: Table | None = None,
        mismatch: str = "",
        clock: Callable[[], int] = lambda: time.time_ns() // 1000,
    ) -> None:
        self.journal = journal
        self.opened = opened
        self.parent = parent
        self.mismatch = mismatch
        self._fold = fold
        self._seed = seed
        self._key = stream_key(seed) if seed is not None else b""
        self._clock = clock
        self._lock = threading.RLock()
        self._views: dict[Seat | None, Fold] = {}
        self._protected = 1 if parent is not None else 2

    # ------------------------------------------------------------ reading

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
        return Receipt(table=self.id, length=self.length, head=self.journal.head.hex())

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
        if seat is not None:
            self._check_seat(seat)
        with self._lock:
            if at is not None and at != self.length:
                self._check_length(at)
                return self._folded(seat, at).position
            fold = self._views.get(seat)
            if fold is None:
                fold = self._views[seat] = self._new_fold(seat)
            fold.catch_up(self.length)
            return fold.position

    def at(self, length: int) -> Position:
        """The full position as it was after ``length`` batches.

        Raises:
            MalformedCommand: The log is not so long.
        """
        with self._lock:
            self._check_length(length)
            return self.position if length == self.length else self._folded(HOST, length).position

    def feed(self, seat: Seat | None, after: int = 0) -> tuple[FeedItem, ...]:
        """What ``seat`` was told, numbered for it, from number ``after + 1`` on.

        An undo that concerns the seat is an item of its own; nothing is taken out of a feed.
        """
        if seat is not None:
            self._check_seat(seat)
        items = list(self.parent.feed_until(seat, self.opened.forked[0].length)) if self.parent is not None else []
        items.extend(self._told(seat, len(items), 0, self.length))
        return tuple(items[max(after, 0) :])

    def feed_until(self, seat: Seat | None, length: int) -> tuple[FeedItem, ...]:
        """What ``seat`` had been told after ``length`` batches."""
        items = list(self.parent.feed_until(seat, self.opened.forked[0].length)) if self.parent is not None else []
        return (*items, *self._told(seat, len(items), 0, length))

    def _told(self, seat: Seat | None, number: int, start: int, stop: int) -> Iterator[FeedItem]:
        numbers: dict[int, tuple[int, ...]] = {}
        for facts in self.journal.facts(start, stop):
            first = number
            for event in facts.events:
                if isinstance(event, Undone | Redone):
                    touched = tuple(at for batch in event.batches for at in numbers.get(batch, ()))
                    if not touched and seat != event.by:
                        continue
                    undone = isinstance(event, Undone)
                    fact: Event | Retracted | None = Retracted(
                        by=event.by, numbers=touched if undone else (), restored=() if undone else touched
                    )
                else:
                    fact = told(event, seat)
                if fact is not None:
                    number += 1
                    yield FeedItem(number=number, event=fact)
            numbers[facts.number] = tuple(range(first + 1, number + 1))

    # ------------------------------------------------------------ playing

    def play(
        self,
        seat: Seat | None,
        command: Command,
        *,
        command_id: str | None = None,
        expect: int | None = None,
        at: int | None = None,
    ) -> Receipt:
        """Play ``command`` for ``seat`` (``None``: a command of the host).

        Args:
            seat: Who plays.
            command: What; one of :meth:`legal`, or any other that the rules may accept.
            command_id: Makes a retry harmless: the same command under the same id gives the first receipt again.
            expect: Length that the log must have.
            at: When the table received it, in microseconds since 1970; by default now.

        Raises:
            CommandError: It was refused; nothing was written.
            StoreError: The store failed.
        """
        if seat is not None:
            self._check_seat(seat)
        checked, _ = self.ruleset.checked(command)
        with self._lock:
            repeated = self._repeated(seat, checked, command_id)
            if repeated is not None:
                return repeated
            return self._again(
                lambda moment: self._decide(seat, checked, command_id, moment), command_id, seat, checked, expect, at
            )

    def check(self, seat: Seat | None, command: Command, *, at: int | None = None) -> Refusal | None:
        """The refusal that :meth:`play` would raise; ``None`` if it would accept the command.

        Raises:
            UnknownSeat: Nobody has this name.
        """
        if seat is not None:
            self._check_seat(seat)
        try:
            checked, _ = self.ruleset.checked(command)
            with self._lock:
                self._check_rules()
                chance = Chance(self._key, self.history.place)
                self.ruleset.decide(self.position, seat, checked, chance, self._moment(at))
        except CommandError as error:
            return error.refusal
        return None

    def _decide(self, seat: Seat | None, command: Command, command_id: str | None, at: int) -> Receipt:
        chance = Chance(self._key, self.history.place)
        decision = self.ruleset.decide(self.position, seat, command, chance, at)
        events = decision.events
        if decision.position.over and self._seed is not None:
            events = (*events, SeedRevealed(seed=self._seed.hex()))
        return self._append(seat, command, command_id, at, events, decision.drawn, decision.position)

    def _again(
        self,
        once: Callable[[int], Receipt],
        command_id: str | None,
        seat: Seat | None,
        command: Command,
        expect: int | None,
        at: int | None,
    ) -> Receipt:
        """Decide and append; when another writer came first, catch up and decide again."""
        self._check_rules()
        moment = self._moment(at)
        for attempt in range(_ATTEMPTS):
            if expect is not None and expect != self.length:
                self.refresh()
                if expect != self.length:
                    raise VersionConflict(self.id, expect, self.length)
            try:
                return once(moment)
            except VersionConflict:
                self.refresh()
                if attempt == _ATTEMPTS - 1:
                    raise
            except DuplicateCommand:
                self.refresh()
                repeated = self._repeated(seat, command, command_id)
                if repeated is not None:
                    return repeated
                raise
        raise AssertionError  # pragma: no cover - the loop returns or raises

    def _append(
        self,
        seat: Seat | None,
        command: Command,
        command_id: str | None,
        at: int,
        events: tuple[Event, ...],
        drawn: int,
        position: Position | None,
    ) -> Receipt:
        number = self.journal.length
        batch: Batch[Command, Event] = Batch(
            format=FORMAT,
            number=number,
            time=at,
            seat=seat,
            command_id=command_id,
            command=command,
            events=events,
            drawn=drawn,
            blind=blind_of(self._seed or b"", self.id, number),
            previous=self.journal.head,
        )
        self.journal.append(batch)
        self._fold.advance(Facts(number, events), position)
        _log.debug("batch appended", table=self.id, batch=number, seat=seat)
        if self.length % SNAPSHOT_EVERY == 0:
            self.keep_snapshot()
        return self.receipt

    def _repeated(self, seat: Seat | None, command: Command, command_id: str | None) -> Receipt | None:
        """The first receipt, if this command id was recorded already."""
        if command_id is None:
            return None
        stored = self.journal.store.find(self.id, command_id)
        if stored is None:
            return None
        for batch in self.journal.batches(stored.number, stored.number + 1):
            if batch.seat == seat and batch.command == command:
                return Receipt(table=self.id, length=stored.number + 1, head=stored.head.hex(), repeated=True)
        sentence = f"Command id {command_id!r} was recorded already, for another command (batch {stored.number})."
        raise CommandIdReused(Refusal(code="command-id-reused", sentence=sentence))

    # ------------------------------------------------------------ undo and redo

    def undo(
        self,
        seat: Seat | None,
        *,
        to: int | None = None,
        consent: Sequence[Seat] = (),
        command_id: str | None = None,
        expect: int | None = None,
        at: int | None = None,
    ) -> Receipt:
        """Take back the last batch that counts, or all that count from number ``to`` on.

        A seat may take back its own last command as long as nobody learnt anything from it. Beyond that it takes
        the consent of every seat, or the host (``seat=None``); the log says which.

        Raises:
            UndoRefused: There is nothing to take back, or it may not be taken back by this seat alone.
            GameOver: The seed has been revealed; nothing can be taken back any more.
        """
        for name in (seat, *consent):
            if name is not None:
                self._check_seat(name)
        with self._lock:
            asked = Undo(to=-1 if to is None else to, consent=tuple(sorted(set(consent))))
            repeated = self._repeated(seat, asked, command_id)
            if repeated is not None:
                return repeated

            def once(moment: int) -> Receipt:
                event = self.undo_event(seat, asked)
                return self._append(seat, asked, command_id, moment, (event,), 0, None)

            return self._again(once, command_id, seat, asked, expect, at)

    def undo_event(self, seat: Seat | None, asked: Undo) -> Undone:
        """The event of an undo, if it may be; used for deciding and for auditing.

        Raises:
            CommandError: It may not.
        """
        self._refuse_when_over()
        history = self.history
        first = history.last() if asked.to == -1 else asked.to
        batches = history.since(first) if first >= self._protected else ()
        if not batches:
            raise _undo_refused("nothing-to-undo", "There is nothing to take back.")
        agreed = {seat, *asked.consent} >= set(self.seats)
        if seat is not None and not agreed:
            self._check_barrier(seat, batches)
        return Undone(batches=batches, by=seat or "", consent=asked.consent)

    def _check_barrier(self, seat: Seat, batches: tuple[int, ...]) -> None:
        for number in reversed(batches):
            for batch in self.journal.batches(number, number + 1):
                if batch.seat != seat:
                    sentence = f"The last command is not {seat}'s, so taking it back needs everyone's consent."
                    raise _undo_refused("not-your-command", sentence)
                learnt = what_was_learnt(batch, {name: self.view_counting(name, number) for name in self.seats})
                if learnt:
                    sentence = f"It can't be taken back freely, since {learnt}; it needs everyone's consent."
                    raise _undo_refused("behind-barrier", sentence)

    def view_counting(self, seat: Seat, number: int) -> Position:
        """View of ``seat`` after the batches before ``number`` that count now."""
        fold = self._views.get(seat)
        if fold is not None and fold.length == self.length and number in fold.earlier:
            return fold.earlier[number]
        fold = self._new_fold(seat)
        position = fold.position
        for facts in self.journal.facts(fold.length, number):
            if self.history.counts(facts.number):
                position = self.ruleset.fold(position, facts.events, seat)
        return position

    def redo(
        self,
        seat: Seat | None,
        *,
        command_id: str | None = None,
        expect: int | None = None,
        at: int | None = None,
    ) -> Receipt:
        """Let the batches of the last undo count again; possible until something else is played.

        Raises:
            UndoRefused: There is nothing to redo, or another seat took it back.
        """
        if seat is not None:
            self._check_seat(seat)
        with self._lock:
            asked = Redo()
            repeated = self._repeated(seat, asked, command_id)
            if repeated is not None:
                return repeated

            def once(moment: int) -> Receipt:
                event = self.redo_event(seat)
                return self._append(seat, asked, command_id, moment, (event,), 0, None)

            return self._again(once, command_id, seat, asked, expect, at)

    def redo_event(self, seat: Seat | None) -> Redone:
        """The event of a redo, if it may be; used for deciding and for auditing.

        Raises:
            CommandError: It may not.
        """
        self._refuse_when_over()
        if not self.history.redoable:
            raise _undo_refused("nothing-to-redo", "There is nothing to redo.")
        batches = self.history.redoable[-1]
        if seat is not None:
            for batch in self.journal.batches(batches[0], batches[-1] + 1):
                if batch.number in batches and batch.seat != seat:
                    raise _undo_refused("not-your-command", f"What was taken back is not {seat}'s alone.")
        return Redone(batches=batches, by=seat or "")

    def _refuse_when_over(self) -> None:
        if self.outcome is not None:
            sentence = f"The game is over: {self.outcome.sentence}"
            raise GameOver(
                Refusal(
                    code="game-over",
                    sentence=sentence,
                    clause=self.outcome.clause or None,
                    facts={"reason": self.outcome.reason},
                )
            )

    # ------------------------------------------------------------ other writers, time travel, audit

    def refresh(self) -> int:
        """Take in what other writers have appended; the log's length."""
        with self._lock:
            length, head = self.journal.store.head(self.id)
            for facts in self.journal.facts(self._fold.length, length):
                self._fold.advance(facts)
                self.journal.took(facts, head)
            self.journal.head = head
            return self.length

    def fork(self, length: int | None = None, *, id: str | None = None, seed: Any = None) -> Table:  # noqa: A002, ANN401
        """A new table that goes on from this one's log after ``length`` batches, in the same store.

        Its dice are its own, so that a fork never foretells the dice of its parent.
        """
        from ludolog.opening import fork_table  # noqa: PLC0415 - opening needs tables

        return fork_table(self, self.length if length is None else length, table_id=id, seed=seed)

    def audit(self, receipts: Sequence[Receipt] = ()) -> AuditReport:
        """Answer whether this is the log, whether it gives this position, and whether it was played by the rules."""
        from ludolog.audit import audit  # noqa: PLC0415 - auditing needs tables

        return audit(self, receipts)

    def blame(self, kind: type[State], field: str) -> Blame:
        """Which batch, event and clause last set a field of the position."""
        from ludolog.audit import blame  # noqa: PLC0415 - auditing needs tables

        return blame(self, kind, field)

    def keep_snapshot(self) -> None:
        """Keep a snapshot of the position as it is now; best effort."""
        data = snapshot.dump(self.position, self.history, self.journal.head)
        self.journal.store.keep_snapshot(self.id, self.length - 1, data)

    def load(self, length: int) -> None:
        """Fold the stored log up to ``length``, from the newest usable snapshot on.

        Raises:
            CorruptLog: The log can't be folded.
        """
        try:
            fold = self.checkpointed(length) or Fold(
                self._start(HOST), self.journal.facts, HOST, checkpoint=self.checkpoint
            )
            fold.catch_up(length)
        except LudologError:
            raise
        except Exception as error:
            why = f"it can't be folded ({type(error).__name__}: {error})"
            raise CorruptLog(why, table=self.id) from error
        self._fold = fold

    def until(self, fold: Fold) -> Table:
        """This table as it was where ``fold`` stands; for auditing what was decided then."""
        head = self.journal.heads(fold.length - 1, fold.length)[0]
        journal = Journal(self.journal.store, self.id, self.ruleset, fold.length, head)
        return Table(journal, self.opened, fold, seed=None, parent=self.parent)

    @property
    def known_seed(self) -> bytes | None:
        """The table's seed, if the store still has it; the host's secret until the game has ended."""
        return self._seed

    def _new_fold(self, seat: Seat | None) -> Fold:
        start = self._start(seat)
        return Fold(start, self.journal.facts, seat)

    def _start(self, seat: Seat | None) -> Position:
        """Where a fold of this table's log begins: at nothing, or where it leaves its parent."""
        if self.parent is not None:
            length = self.opened.forked[0].length
            return self.parent.at(length) if seat == HOST else self.parent.view(seat, at=length)
        empty = self.ruleset.start()
        return empty if seat == HOST else Position(self.ruleset, empty.slices, viewer=seat, is_view=True)

    def _folded(self, seat: Seat | None, length: int) -> Fold:
        fold = self.checkpointed(length) if seat == HOST else None
        fold = fold or self._new_fold(seat)
        fold.catch_up(length)
        return fold

    def checkpointed(self, limit: int) -> Fold | None:
        """A fold begun from the newest usable snapshot of at most ``limit`` batches."""
        at_most = limit - 1
        while (found := self.journal.store.snapshot(self.id, at_most)) is not None:
            number, data = found
            loaded = snapshot.load(self.ruleset, data)
            if loaded is not None and loaded[1].length == number + 1:
                position, history, head = loaded
                if self.journal.heads(number, number + 1) == [head]:
                    return Fold(position, self.journal.facts, HOST, history=history, checkpoint=self.checkpoint)
            _log.warning("snapshot passed over", table=self.id, batch=number)
            at_most = number - 1
        return None

    def checkpoint(self, limit: int, history: History) -> tuple[Position, int] | None:
        """The newest snapshot of at most ``limit`` batches that counted the same batches as ``history`` does."""
        while limit > 0:
            fold = self.checkpointed(limit)
            if fold is None:
                return None
            if fold.history.same_until(history):
                return fold.position, fold.length
            limit = fold.length - 1
        return None

    # ------------------------------------------------------------ checks

    def _check_seat(self, seat: Seat) -> None:
        if seat not in self.opened.seats:
            msg = f"Nobody named {seat!r} sits at this table; the seats are {', '.join(self.seats)}."
            raise UnknownSeat(msg)

    def _check_rules(self) -> None:
        if self.mismatch:
            raise RulesetMismatch(self.mismatch)

    def _check_length(self, length: int) -> None:
        if not isinstance(length, int) or not 0 <= length <= self.length:  # pyright: ignore[reportUnnecessaryIsInstance]
            sentence = (
                f"The log of table {self.id!r} has {self.length} batches, so there is no position after {length!r}."
            )
            raise MalformedCommand(Refusal(code="no-such-length", sentence=sentence))

    def _moment(self, at: int | None) -> int:
        if at is None:
            return self._clock()
        if type(at) is not int or not -_MAX_TIME <= at <= _MAX_TIME:
            sentence = f"A time is a whole number of microseconds, not {at!r}."
            raise MalformedCommand(Refusal(code="malformed-time", sentence=sentence))
        return at


def _undo_refused(code: str, sentence: str) -> UndoRefused:
    return UndoRefused(Refusal(code=code, sentence=sentence))
