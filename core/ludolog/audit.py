"""Audit: is this the log, does it give this position, was it played by the rules?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from ludolog.chance import Blinder, Chance, commitment_of, stream_key
from ludolog.decoding import decode_batch
from ludolog.errors import LudologError
from ludolog.folding import HOST, Facts, Fold
from ludolog.frame import Begin, Open, Redo, SeedRevealed, TableOpened, Undo
from ludolog.position import Position
from ludolog.undoing import redone, undone
from ludolog.viewing import Views
from ludolog_events import (
    GENESIS,
    Batch,
    Command,
    CorruptLog,
    Event,
    Receipt,
    State,
    check_canonical,
    check_chain,
    encode,
)

if TYPE_CHECKING:
    from ludolog.table import Table

__all__ = ["Answer", "AuditReport", "Blame", "Verdict", "audit", "blame", "verify_payloads"]

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
    """What last set a field: batch, event, and the clauses cited by the reducer and by the command's decider."""

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


def verify_payloads(payloads: Sequence[bytes] | Any, receipts: Sequence[Receipt] = ()) -> list[bytes]:  # noqa: ANN401
    """Check chain, canonical bytes and receipts of a log, without any plugin; the hash of each batch.

    Raises:
        CorruptLog: Something is wrong; it names the batch.
    """
    heads: list[bytes] = []
    previous = GENESIS
    for number, payload in enumerate(payloads):
        check_canonical(payload, batch=number)
        previous = check_chain(payload, number, previous)
        heads.append(previous)
    for receipt in receipts:
        if receipt.length > len(heads):
            why = f"a receipt was given for {receipt.length} batches, and there are {len(heads)}: the tail is missing"
            raise CorruptLog(why)
        if receipt.length < 1 or heads[receipt.length - 1].hex() != receipt.head:
            why = "its hash is not the one of a receipt given then"
            raise CorruptLog(why, batch=max(receipt.length - 1, 0))
    return heads


def audit(table: Table, receipts: Sequence[Receipt] = ()) -> AuditReport:
    """Answer the three questions about ``table``; nothing is trusted but the bytes, the rules and the receipts."""
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


def _is_the_log(table: Table, receipts: Sequence[Receipt]) -> str:
    for receipt in receipts:
        if receipt.table != table.id:
            raise _Wrong(None, f"a receipt is for table {receipt.table!r}, not for {table.id!r}")
    stored = list(table.journal.store.read(table.id))
    heads = verify_payloads([found.payload for found in stored], receipts)
    for found, head in zip(stored, heads, strict=True):
        batch = decode_batch(table.ruleset, found.payload, found.number)
        if found.head != head or found.command_id != batch.command_id:
            raise _Wrong(found.number, "the store's own columns differ from what the batch says")
        if not table.ruleset.upcasters and encode(batch) != found.payload:
            raise _Wrong(found.number, "its types read it, and write it in another way")
    if len(heads) < table.length or heads[table.length - 1] != table.journal.head:
        raise _Wrong(None, "the stored log is not the one that this table was folded from")
    opened = decode_batch(table.ruleset, stored[0].payload, 0).events
    if not opened or not isinstance(opened[0], TableOpened) or opened[0].table != table.id:
        raise _Wrong(0, "the log opens another table")
    with_receipts = (
        f" and {len(receipts)} receipts" if receipts else "; no receipt was given, so a cut tail can't be seen"
    )
    return f"chain and canonical bytes of {len(heads)} batches{with_receipts}"


def _gives_position(table: Table) -> str:
    fold = Fold(table.start(), table.journal.facts, HOST)
    snapshots = _snapshots(table)
    checked = 0
    for facts in table.journal.facts(0, table.length):
        fold.advance(facts)
        if facts.number in snapshots:
            checked += 1
            if snapshots[facts.number] != fold.position:
                raise _Wrong(facts.number, "the snapshot kept after it differs from the fold of the log")
    if fold.position != table.position:
        raise _Wrong(
            None, f"the fold of the log differs from the live position in {_difference(fold.position, table.position)}"
        )
    return f"the fold of {table.length} batches equals the live position and {checked} snapshots"


def _snapshots(table: Table) -> dict[int, Position]:
    found: dict[int, Position] = {}
    limit = table.length
    while (fold := table.loading.newest(limit)) is not None:
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


def _by_the_rules(table: Table) -> str:
    seed = table.seed or _revealed(table)
    if seed is None:
        msg = "the seed has not been revealed, so nothing can be decided again"
        raise _Unknown(msg)
    if commitment_of(seed, table.id) != table.opened.commitment:
        raise _Wrong(None, "the seed is not the one that was committed to in the opening")
    if table.mismatch:
        raise _Unknown(table.mismatch)
    replay = _Replay(table, seed)
    for batch in table.journal.batches(0, table.length):
        replay.check(batch)
    return f"deciding {table.length} commands again gives the same events"


def _revealed(table: Table) -> bytes | None:
    for facts in table.journal.facts(table.length - 1, table.length):
        for event in facts.events:
            if isinstance(event, SeedRevealed):
                return bytes.fromhex(event.seed)
    return None


class _Replay:
    """Decides a log again, batch by batch."""

    def __init__(self, table: Table, seed: bytes) -> None:
        self.table = table
        self.seed = seed
        self.key = stream_key(seed)
        self.blinder = Blinder(seed, table.id)
        self.fold = Fold(table.start(), table.journal.facts, HOST)
        self.views = Views(table.journal, table.start)

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
        if isinstance(command, Open):
            if batch.number != 0:
                raise _Wrong(batch.number, "a table is opened in the middle of a log")
            return (table.opened,), ""
        chance = Chance(self.key, self.fold.history.place, recorded=True)
        if isinstance(command, Begin):
            if batch.number != 1:
                raise _Wrong(batch.number, "the game begins in the middle of a log")
            begun = ruleset.begin(self.fold.position, chance, batch.time)
            return begun.recorded(self.seed), begun.draws
        if isinstance(command, Undo | Redo):
            return self._taken_back(batch, command), ""
        decision = ruleset.decide(self.fold.position, batch.seat, command, chance, batch.time)
        return decision.recorded(self.seed), decision.draws

    def _taken_back(self, batch: Batch[Command, Event], command: Undo | Redo) -> tuple[Event, ...]:
        """Undo and redo are decided from where the table stood when this batch began."""
        past = self.table.past._replace(position=self.fold.position, history=self.fold.history, views=self.views)
        if isinstance(command, Undo):
            return (undone(past, batch.seat, command),)
        return (redone(past, batch.seat),)


def blame(table: Table, kind: type[State], field: str) -> Blame:
    """Which counting batch last set ``field`` of slice ``kind``.

    Raises:
        CorruptLog: The field was never set, or doesn't exist.
    """
    if field not in kind.__struct_fields__:
        why = f"{kind.__name__} has no field {field!r}"
        raise CorruptLog(why, table=table.id)
    ruleset = table.ruleset
    position = table.start()
    found: Blame | None = None
    for batch in table.journal.batches(0, table.length):
        if not table.history.counts(batch.number):
            continue
        for event in batch.events:
            before = getattr(position.slices[kind], field)
            position = ruleset.fold(position, (event,))
            value = getattr(position.slices[kind], field)
            if value != before:
                decider = ruleset.decider_of(type(batch.command))
                cites = [
                    cite
                    for reducer in ruleset.reducers_of(type(event))
                    if reducer.state is kind
                    for cite in reducer.cites
                ]
                cites += decider.cites if decider is not None else ()
                found = Blame(
                    batch=batch.number, event=type(event).__name__, clauses=tuple(dict.fromkeys(cites)), value=value
                )
    if found is None:
        why = f"{kind.__name__}.{field} still has the value it began with"
        raise CorruptLog(why, table=table.id)
    return found
