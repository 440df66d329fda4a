"""A table: one play of a ruleset by named seats, from its log alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from msgspec.structs import replace

from ludolog import _log
from ludolog.chance import Blinder, Streams
from ludolog.deciding import Decision
from ludolog.errors import (
    CommandError,
    CommandIdReused,
    DuplicateCommand,
    LudologError,
    MalformedCommand,
    Refusal,
    RulesetMismatch,
    RulesFault,
    SeedMissing,
    VersionConflict,
)
from ludolog.folding import Facts, Fold
from ludolog.frame import Begin, Frame, Redo, TableOpened, Undo
from ludolog.journal import Journal
from ludolog.position import Position
from ludolog.reading import Reading
from ludolog.undoing import Past, protected_batches, redone, undone
from ludolog_events import FORMAT, Batch, Command, Event, Receipt, Seat, shown

__all__ = ["SNAPSHOT_EVERY", "Table", "moment_of"]

SNAPSHOT_EVERY: Final = 1000
"""A snapshot is kept after so many batches."""

_ATTEMPTS: Final = 16
"""How often a command is decided again when other writers come first."""

_MAX_TIME: Final = 2**62

_LONGEST_ID: Final = 200


class Table(Reading):
    """One play; made by ``new_table`` and ``open_table``.

    ``position`` is the fold of the log, ``receipt`` proves its present state. Safe to use from several threads.
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
        super().__init__(journal, opened, fold, seed=seed, parent=parent, mismatch=mismatch)
        self._streams = Streams(seed or b"")
        self._blinder = Blinder(seed or b"", opened.table)

    def play(
        self,
        seat: Seat | None,
        command: Command,
        *,
        command_id: str | None = None,
        expect: int | None = None,
        at: int | None = None,
        settle: bool = True,
    ) -> Receipt:
        """Play ``command`` for ``seat`` (``None``: a command of the host).

        Args:
            seat: Who plays.
            command: What; one of :meth:`legal`, or any other that the rules may accept.
            command_id: Makes a retry harmless: the same command under the same id gives the first receipt again.
            expect: Length that the log must have.
            at: When the table received it, in microseconds since 1970; by default now.
            settle: Whether what falls due by it at its own moment is recorded, too, see :meth:`Rules.due`. The receipt
                is that of the command all the same.

        Raises:
            CommandError: It was refused; nothing was written.
            StoreError: The store failed.
        """
        self._check_seat(seat)
        checked = self.ruleset.checked(command)
        received = moment_of(at)

        def decide(moment: int) -> Receipt:
            if seat is not None or checked != self.ruleset.due(self.position, moment):
                self._play_due(moment)
                if expect is not None and expect != self.length:
                    raise VersionConflict(self.id, expect, self.length)
            return self._decide(seat, checked, command_id, moment)

        receipt = self._write(decide, seat, checked, command_id, expect, received)
        if settle and not receipt.repeated and self.ruleset.rules[1].due_function is not None:
            self._settle(received)
        return receipt

    def _settle(self, moment: int) -> None:
        """Record what a command made due; if that fails, the command stands, and whatever comes next records it."""
        try:
            self.tick(at=moment)
        except LudologError as error:
            _log.warning("what is due not recorded", table=self.id, error=type(error).__name__)

    def tick(self, *, at: int | None = None) -> Receipt:
        """Let time pass: what has fallen due by ``at`` is recorded, see :meth:`Rules.due`; by default now.

        Playing a command does so, too; a host whose game waits for time to pass ticks while no command comes.

        Raises:
            StoreError: The store failed.
        """
        moment = moment_of(at)
        with self._lock:
            self._get_ready()
            for attempt in range(_ATTEMPTS):
                try:
                    self._play_due(moment)
                    break
                except VersionConflict:
                    self.refresh()
                    if attempt == _ATTEMPTS - 1:
                        raise
            return self.receipt

    def due(self, at: int | None = None) -> Command | None:
        """The command of the host that has fallen due by ``at`` (by default now) and is not recorded yet."""
        return self.ruleset.due(self.position, moment_of(at))

    def _play_due(self, moment: int) -> None:
        """Record what has fallen due, as commands of the host."""
        for _ in range(_ATTEMPTS):
            command = self.ruleset.due(self.position, moment)
            if command is None:
                return
            self._decide(None, command, None, moment)
        msg = f"In {self.ruleset.id} something is due without end."
        raise RulesFault(msg)

    def _decide(self, seat: Seat | None, command: Command, command_id: str | None, moment: int) -> Receipt:
        position, place = self.position, self.history.place
        frame: Frame = position.slices[Frame]
        chance = self._streams.at(place, frame.contributions.given)
        decision = self.ruleset.decide(position, seat, command, chance, moment)
        events = decision.recorded(self.seed)
        begun = None if frame.begun else self._begun(decision.position, place + 1, moment)
        return self._append(seat, command, command_id, moment, events, decision.draws, decision.position, begun)

    def _begun(self, position: Position, place: int, moment: int) -> Decision | None:
        """The beginning, if the dice have just been settled by what the seats contributed."""
        asked = position[Frame].contributions
        if asked.phase != "closed":
            return None
        return self.ruleset.begin(position, self._streams.at(place, asked.given), moment)

    def check(self, seat: Seat | None, command: Command, *, at: int | None = None) -> Refusal | None:
        """The refusal that :meth:`play` would raise; ``None`` if it would accept the command.

        Raises:
            UnknownSeat: Nobody has this name.
        """
        self._check_seat(seat)
        try:
            checked = self.ruleset.checked(command)
            with self._lock:
                self._get_ready()
                try:
                    self._foresee(seat, checked, moment_of(at))
                except CommandError:
                    if not self._fell_behind():
                        raise
                    self._foresee(seat, checked, moment_of(at))
        except CommandError as error:
            return error.refusal
        return None

    def _fell_behind(self) -> bool:
        """Whether other writers have appended; if so, it is taken in, and what was refused is to be decided again."""
        length = self.length
        return self.refresh() != length

    def _foresee(self, seat: Seat | None, command: Command, moment: int) -> None:
        """Raise what refuses a command after what has fallen due, and record nothing."""
        position, place = self.position, self.history.place
        for _ in range(_ATTEMPTS):
            due = self.ruleset.due(position, moment)
            if due is None or (seat is None and due == command):
                break
            chance = self._streams.at(place, position[Frame].contributions.given)
            position = self.ruleset.decide(position, None, due, chance, moment).position
            place += 1
        # What is listed is accepted. Deciding it would take a time that tells what it would lead to.
        # Where moments count, what is listed may come too late all the same.
        timed = self.ruleset.rules[1].due_function is not None
        if seat is None or timed or command not in self.ruleset.legal(position, seat):
            chance = self._streams.at(place, position[Frame].contributions.given)
            self.ruleset.decide(position, seat, command, chance, moment)

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
        if isinstance(consent, str) or not isinstance(consent, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
            sentence = f"Those who agree are a tuple of seats, not {shown(consent)}."
            raise MalformedCommand(Refusal(code="malformed-consent", sentence=sentence))
        consent = tuple(consent)
        for name in (seat, *consent):
            self._check_seat(name)
        if to is not None and (type(to) is not int or abs(to) > _MAX_TIME):
            sentence = f"Batches are numbered from 0, so there is no batch {shown(to)} to take back from."
            raise MalformedCommand(Refusal(code="malformed-number", sentence=sentence))
        asked = Undo(to=-1 if to is None else to, consent=tuple(sorted(set(consent))))

        def decide(moment: int) -> Receipt:
            return self._append(seat, asked, command_id, moment, (undone(self.past, seat, asked),))

        return self._write(decide, seat, asked, command_id, expect, at)

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
        self._check_seat(seat)
        asked = Redo()

        def decide(moment: int) -> Receipt:
            return self._append(seat, asked, command_id, moment, (redone(self.past, seat),))

        return self._write(decide, seat, asked, command_id, expect, at)

    @property
    def past(self) -> Past:
        """What undo and redo are decided from."""
        protected = protected_batches(self.opened, self.position, self.journal, self.length)
        return Past(self.position, self.history, self.journal, self.views, protected)

    def _write(
        self,
        decide: Callable[[int], Receipt],
        seat: Seat | None,
        command: Command,
        command_id: str | None,
        expect: int | None,
        at: int | None,
    ) -> Receipt:
        """Decide and append; when another writer came first, catch up and decide again."""
        moment = moment_of(at)
        _check_command_id(command_id)
        with self._lock:
            repeated = self._repeated(seat, command, command_id)
            if repeated is not None:
                return repeated
            self._get_ready()
            for attempt in range(_ATTEMPTS):
                if expect is not None and expect != self.length and expect != self.refresh():
                    raise VersionConflict(self.id, expect, self.length)
                try:
                    return decide(moment)
                except VersionConflict:
                    self.refresh()
                    if attempt == _ATTEMPTS - 1:
                        raise
                except DuplicateCommand:
                    self.refresh()
                    repeated = self._repeated(seat, command, command_id)
                    if repeated is None:
                        raise
                    return repeated
                except CommandError:
                    if not self._fell_behind():
                        raise
        raise AssertionError  # pragma: no cover - the loop returns or raises

    def _append(
        self,
        seat: Seat | None,
        command: Command,
        command_id: str | None,
        at: int,
        events: tuple[Event, ...],
        draws: str = "",
        position: Position | None = None,
        begun: Decision | None = None,
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
            draws=draws,
            blind=self._blinder.blind(number),
            previous=self.journal.head,
        )
        batches = [batch]
        if begun is not None:
            recorded, blind = begun.recorded(self.seed), self._blinder.blind(number + 1)
            more = {"number": number + 1, "events": recorded, "draws": begun.draws, "blind": blind}
            batches.append(replace(batch, seat=None, command_id=None, command=Begin(), **more))
        self.journal.append(*batches)
        self._fold.advance(Facts(number, events), position)
        if begun is not None:
            self._fold.advance(Facts(number + 1, batches[1].events), begun.position)
        _log.debug("batch appended", table=self.opened.table, batch=number, seat=seat)
        if self.journal.length % SNAPSHOT_EVERY == 0:
            self.loading.keep(self._fold, self.views.asked)
        if begun is None:
            return self.receipt
        # As for a retry by command id: the receipt for this command, which the beginning follows.
        return Receipt(table=self.opened.table, length=number + 1, head=self.journal.heads(number, number + 1)[0].hex())

    def _repeated(self, seat: Seat | None, command: Command, command_id: str | None) -> Receipt | None:
        """The first receipt, if this command id was recorded already."""
        if command_id is None:
            return None
        stored = self.journal.store.find(self.id, command_id)
        if stored is None:
            return None
        batch = self.journal.batch(stored.number)
        if batch.seat == seat and batch.command == command:
            return Receipt(table=self.id, length=stored.number + 1, head=stored.head.hex(), repeated=True)
        sentence = f"Command id {command_id!r} was recorded already, for another command (batch {stored.number})."
        raise CommandIdReused(Refusal(code="command-id-reused", sentence=sentence))

    def refresh(self) -> int:
        """Take in what other writers have appended; the log's length."""
        with self._lock:
            # After an interrupt the fold may be a batch behind what is known of the log, or before it.
            start = min(self._fold.length, self.length)
            for facts, head in self.journal.news(start, self.journal.store.head(self.id).length):
                if facts.number >= self._fold.length:
                    self._fold.advance(facts)
                if facts.number >= self.length:
                    self.journal.took(facts, head)
            return self.length

    def _get_ready(self) -> None:
        """Before anything is decided: may it be, and is the position that of the log?"""
        self._check_rules()
        if self._fold.length != self.length:
            self.refresh()

    def _check_rules(self) -> None:
        if self.mismatch:
            raise RulesetMismatch(self.mismatch)
        if self.seed is None and not self.over:
            msg = f"The seed of table {self.id!r} is not in this store, so it can be read, not played on."
            raise SeedMissing(msg)


def _check_command_id(command_id: object) -> None:
    if command_id is None:
        return
    if not isinstance(command_id, str) or not 0 < len(command_id) <= _LONGEST_ID or not command_id.isprintable():
        sentence = f"A command id has 1 to {_LONGEST_ID} printable characters, and is not {shown(command_id)}."
        raise MalformedCommand(Refusal(code="malformed-command-id", sentence=sentence))


def moment_of(at: Any) -> int:  # noqa: ANN401 - checked here
    """The time to record, in microseconds since 1970; by default the system's.

    Raises:
        MalformedCommand: It is no such time.
    """
    if at is None:
        return time.time_ns() // 1000
    if type(at) is not int or not -_MAX_TIME <= at <= _MAX_TIME:
        sentence = f"A time is a whole number of microseconds, not {shown(at)}."
        raise MalformedCommand(Refusal(code="malformed-time", sentence=sentence))
    return at
