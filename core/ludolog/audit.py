"""Audit: is this the log, does it give this position, was it played by the rules?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

import msgspec

from ludolog.chance import Blinder, Streams, commitment_of
from ludolog.decoding import decode_events, written_alike
from ludolog.errors import LudologError, UnknownField
from ludolog.folding import HOST, Facts, Fold
from ludolog.frame import Begin, ContributionsAsked, Frame, Open, Redo, SeedRevealed, TableOpened, Undo
from ludolog.history import History
from ludolog.journal import Journal
from ludolog.loading import Loading
from ludolog.position import Position
from ludolog.undoing import Past, protected_batches, redone, undone
from ludolog.verifying import receipts_in, verify_table
from ludolog.viewing import Views
from ludolog_events import Batch, Command, CorruptLog, Event, Receipt, Seat, State, head_of, read_raw, shown

if TYPE_CHECKING:
    from ludolog.reading import Reading

__all__ = ["Answer", "AuditReport", "Blame", "Verdict", "audit", "blame"]

Verdict: TypeAlias = Literal["yes", "no", "unknown"]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to one question, and why; ``batch`` is the first batch that is wrong."""

    question: str
    verdict: Verdict
    why: str
    batch: int | None = None

    def __str__(self) -> str:
        """One line."""
        return f"{self.question} {self.verdict}: {self.why}"


class AuditReport(msgspec.Struct, frozen=True, kw_only=True):
    """Answers to the three questions; ``ok`` when each is yes."""

    table: str
    answers: tuple[Answer, ...]

    @property
    def ok(self) -> bool:
        """Whether every answer is yes."""
        return all(answer.verdict == "yes" for answer in self.answers)

    def __str__(self) -> str:
        """A line for each answer."""
        return "\n".join(map(str, self.answers))


class Blame(msgspec.Struct, frozen=True, kw_only=True):
    """What last set a field: the batch of which log, its event, and the clauses cited by reducer and decider."""

    table: str
    batch: int
    event: str
    clauses: tuple[str, ...]
    value: Any


class _Wrong(Exception):
    """A batch is not what it should be."""

    def __init__(self, batch: int | None, why: str) -> None:
        self.batch = batch
        self.why = why
        super().__init__(why)


def audit(table: Reading, receipts: Sequence[Receipt] = ()) -> AuditReport:
    """Answer the three questions about ``table``; nothing is trusted but the bytes, the rules and the receipts."""
    receipts = receipts_in(receipts)
    questions: tuple[tuple[str, Callable[[], str]], ...] = (
        ("Is this the log?", lambda: _is_the_log(table, receipts)),
        ("Does it give this position?", lambda: _gives_position(table)),
        ("Was it played by the rules?", lambda: _by_the_rules(table)),
    )
    return AuditReport(table=table.id, answers=tuple(_answer(question, ask) for question, ask in questions))


def _answer(question: str, ask: Callable[[], str]) -> Answer:
    try:
        return Answer(question=question, verdict="yes", why=ask())
    except _Unknown as reason:
        return Answer(question=question, verdict="unknown", why=str(reason))
    except _Wrong as wrong:
        where = f"batch {wrong.batch}: " if wrong.batch is not None else ""
        return Answer(question=question, verdict="no", why=f"{where}{wrong.why}", batch=wrong.batch)
    except CorruptLog as error:
        return Answer(question=question, verdict="no", why=str(error), batch=error.batch)
    except LudologError as error:
        return Answer(question=question, verdict="no", why=str(error))


class _Unknown(Exception):
    """A question can't be answered."""


def _is_the_log(table: Reading, receipts: Sequence[Receipt]) -> str:
    journal = table.journal
    now = verify_table(table.id, journal.store, receipts)
    for found in journal.store.read(table.id, 0, now.length):
        if found.head != head_of(found.payload) or found.command_id != read_raw(found.payload).command_id:
            raise _Wrong(found.number, "the store's own columns differ from what the batch says")
        if not written_alike(table.ruleset, found.payload):
            raise _Wrong(found.number, "its types read it, and write it in another way")
    verify_table(table.id, journal.store, [table.receipt], since=now)
    for found in journal.store.read(table.id, 0, 1):
        opened = decode_events(table.ruleset, found.payload, 0).events
        if opened[:1] != (table.opened,) or table.opened.table != table.id:
            raise _Wrong(0, "the log opens another table")
    if table.parent is not None:
        fork = table.opened.forked[0]
        verify_table(fork.table, journal.store, [Receipt(table=fork.table, length=fork.length, head=fork.head)])
    if not receipts:
        told = "; no receipt was given, so a cut tail can't be seen"
    else:
        told = f" and {len(receipts)} receipt{'s' if len(receipts) > 1 else ''}"
    return f"chain and canonical bytes of {now.length} batches{told}"


def _gives_position(table: Reading) -> str:
    journal = _from_the_store(table)
    fold = Fold(table.start(), journal.facts, HOST)
    snapshots = _snapshots(table, table.loading)
    checked = 0
    for facts in journal.facts(0, table.length):
        fold.advance(facts)
        if facts.number in snapshots:
            checked += 1
            if snapshots[facts.number] != fold.position:
                raise _Wrong(facts.number, "the snapshot kept after it differs from the fold of the log")
    if fold.position != table.position:
        differing = _difference(fold.position, table.position)
        raise _Wrong(None, f"the fold of the log differs from the live position in {differing}")
    for seat in (*table.seats, None):
        _gives_view(table, seat)
    return f"the fold of {table.length} batches equals the live position and {checked} snapshots"


def _gives_view(table: Reading, seat: Seat | None) -> None:
    """What snapshots say that ``seat`` knew must be what it was told."""
    start = partial(table.start, seat)
    snapshots = _snapshots(table, Loading(table.journal, start, seat))
    if not snapshots:
        return
    journal = _from_the_store(table)
    fold = Fold(start(), journal.facts, seat)
    for facts in journal.facts(0, max(snapshots) + 1):
        fold.advance(facts)
        if snapshots.get(facts.number, fold.position) != fold.position:
            whose = seat or "a viewer without a seat"
            raise _Wrong(facts.number, f"in the snapshot kept after it {whose} knows something else than was told")


def _from_the_store(table: Reading) -> Journal:
    """The table's log with nothing remembered of it."""
    journal = table.journal
    return Journal(journal.store, journal.table, journal.ruleset, journal.length, journal.head)


def _snapshots(table: Reading, loading: Loading) -> dict[int, Position]:
    found: dict[int, Position] = {}
    limit = table.length
    while (fold := loading.newest(limit)) is not None:
        found[fold.length - 1] = fold.position
        limit = fold.length - 1
    return found


def _difference(one: Position, other: Position) -> str:
    return ", ".join(
        f"{kind.__name__}.{name}"
        for kind, state in one.slices.items()
        for name in kind.__struct_fields__
        if getattr(state, name) != getattr(other.slices[kind], name)
    )


def _by_the_rules(table: Reading) -> str:
    seed = table.seed or _revealed(table)
    if seed is None:
        msg = "the seed has not been revealed, so nothing can be decided again"
        raise _Unknown(msg)
    if commitment_of(seed, table.id) != table.opened.commitment:
        raise _Wrong(None, "the seed is not the one that was committed to in the opening")
    replay = _Replay(table, seed)
    try:
        for batch in replay.journal.batches(0, table.length):
            replay.check(batch)
    except (LudologError, _Wrong) as error:
        if not table.mismatch:
            raise
        msg = f"{table.mismatch} Decided by the rules here, it is not the same: {error}"
        raise _Unknown(msg) from None
    also = f", although not of their version: {table.mismatch}" if table.mismatch else ""
    return f"deciding {table.length} commands again gives the same events{also}"


def _revealed(table: Reading) -> bytes | None:
    for facts in _from_the_store(table).facts(table.length - 1, table.length):
        for event in facts.events:
            if isinstance(event, SeedRevealed):
                try:
                    return bytes.fromhex(event.seed)
                except ValueError:
                    raise _Wrong(facts.number, "the seed that it reveals is no seed") from None
    return None


class _Replay:
    """Decides a log again, batch by batch."""

    def __init__(self, table: Reading, seed: bytes) -> None:
        self.table = table
        self.seed = seed
        self.streams = Streams(seed)
        self.blinder = Blinder(seed, table.id)
        self.journal = _from_the_store(table)
        self.fold = Fold(table.start(), self.journal.facts, HOST)
        self.views = Views(self.journal, table.start)

    def check(self, batch: Batch[Command, Event]) -> None:
        number = batch.number
        if batch.blind != self.blinder.blind(number):
            raise _Wrong(number, "its blinding bytes don't come from the seed")
        try:
            events, draws = self._decided(batch)
        except LudologError as error:
            raise _Wrong(number, f"the rules refuse its command: {error}") from None
        if draws != batch.draws:
            raise _Wrong(
                number, f"it says that {batch.draws or 'nothing'} was drawn, and the seed gives {draws or 'nothing'}"
            )
        if events != batch.events:
            differing = [
                type(had).__name__ for had, should in zip(batch.events, events, strict=False) if had != should
            ] or ["their number"]
            raise _Wrong(number, f"the rules give other events; the first difference is in {differing[0]}")
        self.fold.advance(Facts(number, batch.events))

    def _decided(self, batch: Batch[Command, Event]) -> tuple[tuple[Event, ...], str]:
        table, ruleset = self.table, self.table.ruleset
        command = batch.command
        if isinstance(command, Open | Begin) and batch.seat is not None:
            raise _Wrong(batch.number, f"seat {batch.seat!r} does what only the host does")
        if isinstance(command, Open):
            if batch.number != 0:
                raise _Wrong(batch.number, "a table is opened in the middle of a log")
            return _opening(table.opened, asked=len(batch.events) > 1), ""
        frame = self.fold.position[Frame]
        chance = self.streams.at(self.fold.history.place, frame.contributions.given)
        if isinstance(command, Begin):
            # Where seats are asked to contribute, they come between; else nothing does.
            due = batch.number == 1 if not frame.contributions.phase else frame.contributions.phase == "closed"
            if frame.begun or not due:
                raise _Wrong(batch.number, "the game begins in the middle of a log")
            begun = ruleset.begin(self.fold.position, chance, batch.time)
            return begun.recorded(self.seed), begun.draws
        if isinstance(command, Undo | Redo):
            return self._taken_back(batch, command), ""
        decision = ruleset.decide(self.fold.position, batch.seat, command, chance, batch.time)
        return decision.recorded(self.seed), decision.draws

    def _taken_back(self, batch: Batch[Command, Event], command: Undo | Redo) -> tuple[Event, ...]:
        """Undo and redo are decided from where the table stood when this batch began."""
        position, history, journal = self.fold.position, self.fold.history, self.journal
        protected = protected_batches(self.table.opened, position, journal, history.length)
        past = Past(position, history, journal, self.views, protected)
        if isinstance(command, Undo):
            return (undone(past, batch.seat, command),)
        return (redone(past, batch.seat),)


def _opening(opened: TableOpened, *, asked: bool) -> tuple[Event, ...]:
    """The events that open a table; its host may ask the seats to contribute, unless it knows already what they do."""
    if asked and not opened.forked and not opened.contributions:
        return (opened, ContributionsAsked(promise=opened.commitment))
    return (opened,)


def blame(table: Reading, kind: type[State], field: str) -> Blame:
    """Which counting batch last set ``field`` of slice ``kind``, in this log or in the one that it was forked from.

    Raises:
        UnknownField: There is no such field, or it was never set.
    """
    if not _has_field(table, kind, field):
        msg = f"{table.ruleset.id} has no field {shown(field)} of {getattr(kind, '__name__', shown(kind))}."
        raise UnknownField(msg)
    found = _last_set(table, kind, field, table.history)
    if found is None:
        msg = f"{kind.__name__}.{field} still has the value that it began with."
        raise UnknownField(msg)
    return found


def _has_field(table: Reading, kind: object, field: object) -> bool:
    known: list[object] = list(table.ruleset.state_types)
    return kind in known and field in cast("type[State]", kind).__struct_fields__


def _last_set(table: Reading, kind: type[State], field: str, history: History) -> Blame | None:
    ruleset, position = table.ruleset, table.start()
    found: Blame | None = None
    for batch in table.journal.batches(0, history.length):
        for event in batch.events if history.counts(batch.number) else ():
            before = getattr(position.slices[kind], field)
            position = ruleset.fold(position, (event,))
            value = getattr(position.slices[kind], field)
            if value != before:
                reducers = [found for found in ruleset.reducers_of(type(event)) if found.state is kind]
                cites = [cite for reducer in reducers for cite in reducer.cites]
                decider = ruleset.decider_of(type(batch.command))
                clauses = tuple(dict.fromkeys((*cites, *(decider.cites if decider is not None else ()))))
                name = type(event).__name__
                found = Blame(table=table.id, batch=batch.number, event=name, clauses=clauses, value=value)
    if found is None and table.parent is not None:
        length = table.opened.forked[0].length
        return _last_set(table.parent, kind, field, table.parent.loading.fold(length).history)
    return found
