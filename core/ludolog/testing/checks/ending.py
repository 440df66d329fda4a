"""Does every game end, stay ended, and stand up to an audit?"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from ludolog.errors import CommandError, GameOver
from ludolog.frame import GameEnded, SeedRevealed
from ludolog.outcome import Outcome
from ludolog.table import Table
from ludolog.testing.checks.legality import stock
from ludolog.testing.findings import Finding, Skipped
from ludolog.testing.subject import Sample, Subject
from ludolog_events import Command, Receipt

__all__ = ["audits_say_yes", "every_game_ends", "invariants_hold", "nobody_acts_after_the_end"]

_COMMANDS = 60


def every_game_ends(subject: Subject) -> None:
    """Every game ends within its bound; until then somebody may act, and whoever may act can do something."""
    for sample in subject.samples:
        for number, position in enumerate(sample.positions[1:], start=1):
            acting = subject.ruleset.to_act(position)
            strangers = [seat for seat in acting if seat not in subject.seats]
            if strangers or len(set(acting)) != len(acting):
                why = f"to_act gives {acting}, and the seats are {subject.seats}"
                raise Finding(why, batch=number, field="to_act")
            for seat in acting:
                if not sample.listed[number][seat]:
                    why = f"{seat} may act, and no command is legal for it"
                    raise Finding(why, batch=number, field="to_act", seat=seat)
        if sample.table.over:
            _check_end(subject, sample)


def _check_end(subject: Subject, sample: Sample) -> None:
    last = sample.table.length - 1
    ends = [(facts.number, event) for facts in sample.facts for event in facts.events if isinstance(event, GameEnded)]
    if len(ends) != 1 or ends[0][0] != last:
        why = f"the game has {len(ends)} ends, in batches {[number for number, _ in ends]} of {last}"
        raise Finding(why, batch=last, event="GameEnded")
    events = sample.facts[last].events
    if [type(event) for event in events[-2:]] != [GameEnded, SeedRevealed]:
        why = f"the last batch ends with {type(events[-1]).__name__}, not with the end and the seed"
        raise Finding(why, batch=last, event=type(events[-1]).__name__)
    _check_outcome(subject, ends[0][1].outcome, last)


def _check_outcome(subject: Subject, outcome: Outcome, last: int) -> None:
    ranked = [seat for level in outcome.ranking for seat in level]
    if sorted(ranked) != sorted(subject.seats):
        why = f"the ranking {outcome.ranking} does not hold every seat once"
        raise Finding(why, batch=last, event="GameEnded", field="outcome.ranking")
    scored = [sheet.seat for sheet in outcome.scores]
    if scored and sorted(scored) != sorted(subject.seats):
        why = f"the scores are of {scored}, not of every seat once"
        raise Finding(why, batch=last, event="GameEnded", field="outcome.scores")
    if not outcome.reason or not outcome.sentence.strip():
        why = "the outcome lacks its reason or its sentence"
        raise Finding(why, batch=last, event="GameEnded", field="outcome.reason")


def nobody_acts_after_the_end(subject: Subject) -> None:
    """After the end nobody may act, and every command, undo and redo is refused with the same reason."""
    listed = list(stock(subject).listed)
    for sample in _finished(subject):
        table = sample.table
        position, receipt = copy.copy(table.position), table.receipt
        if table.to_act or any(table.legal(seat) for seat in subject.seats):
            why = f"the game is over, and {table.to_act} may act"
            raise Finding(why, batch=table.length - 1, event="GameEnded", field="to_act")
        reasons: dict[str, str] = {}
        for name, ask in _asked_after_the_end(subject, table, listed):
            reasons.setdefault(_reason(table, name, ask), name)
        if len(reasons) > 1:
            told = "; ".join(f"{name}: {reason!r}" for reason, name in reasons.items())
            why = f"commands after the end are refused for different reasons: {told}"
            raise Finding(why, batch=table.length - 1, event="GameEnded")
        if table.receipt != receipt or table.position != position:
            why = "a command after the end changed the log or the position"
            raise Finding(why, batch=table.length - 1, event="GameEnded")


def _asked_after_the_end(
    subject: Subject, table: Table, listed: Iterable[Command]
) -> Iterator[tuple[str, Callable[[], Receipt]]]:
    for seat in subject.viewers:
        for command in subject.chance("after the end").shuffle(listed)[:_COMMANDS]:
            yield type(command).__name__, partial(table.play, seat, command)
        yield "Undo", partial(table.undo, seat)
        yield "Undo", partial(table.undo, seat, consent=subject.seats)
        yield "Redo", partial(table.redo, seat)


def _reason(table: Table, name: str, ask: Callable[[], Receipt]) -> str:
    try:
        ask()
    except GameOver as error:
        return str(error)
    except CommandError as error:
        why = f"after the end {name} is refused as {error.code!r}: {error}"
        raise Finding(why, batch=table.length - 1, event=name) from None
    why = f"{name} was accepted after the end"
    raise Finding(why, batch=table.length - 1, event=name)


def audits_say_yes(subject: Subject) -> None:
    """The audit of a finished game answers yes three times, with the receipt of every batch."""
    for sample in _finished(subject):
        table = sample.table
        receipts = [
            Receipt(table=table.id, length=number + 1, head=head.hex())
            for number, head in enumerate(table.journal.heads(0, table.length))
        ]
        report = table.audit(receipts)
        for answer in report.answers:
            if answer.verdict != "yes":
                raise Finding(str(answer), batch=answer.batch, event=sample.name_of(answer.batch or 0))


def _finished(subject: Subject) -> tuple[Sample, ...]:
    if not subject.finished:
        why = "no sample game came to its end"
        raise Skipped(why)
    return subject.finished


def invariants_hold(subject: Subject) -> None:
    """What the author says of every position is so after every batch."""
    for sample in subject.samples:
        for number, position in enumerate(sample.positions[1:], start=1):
            for invariant in subject.invariants:
                try:
                    invariant(position)
                except AssertionError as error:
                    name = getattr(invariant, "__name__", "an invariant")
                    events = sample.facts[number].events
                    last = " and ".join(dict.fromkeys(type(event).__name__ for event in events))
                    why = f"{name} does not hold: {error}"
                    raise Finding(why, batch=number, event=last) from error
