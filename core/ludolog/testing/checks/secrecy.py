"""Do secrets stay with those who were told them?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ludolog.chance import Chance
from ludolog.errors import CommandError
from ludolog.position import Position
from ludolog.testing.checks.legality import stock
from ludolog.testing.comparing import state_leaves
from ludolog.testing.findings import Finding
from ludolog.testing.listening import listening
from ludolog.testing.marking import MarkedGame, MarkedStep, Planter
from ludolog.testing.marks import Mark, MarkedChance, loud, marks_of, plain
from ludolog.testing.probing import Probes
from ludolog.testing.replaying import Step, decided_again, rewired
from ludolog.testing.subject import Sample, Subject, some
from ludolog_events import Command, LudologError, Seat, to_json, told

__all__ = ["secrets_stay_secret"]

_LOOKED_AT: Final = 16
_LOOKING: Final = 3
_TRIED: Final = 12
_GAMES: Final = 2


def secrets_stay_secret(subject: Subject) -> None:
    """A mark in every secret field: none reaches who wasn't told it, a log line or an export before it is revealed."""
    probes = stock(subject)
    for at, sample in enumerate(subject.samples[:_GAMES]):
        Mark.forget_all()
        looked = set(some(range(1, len(sample.positions)), _LOOKED_AT))
        for marked in MarkedGame(subject, sample):
            if marked.step.number in looked:
                _check_views(subject, marked)
                _check_listed(subject, marked)
                _check_refusals(subject, marked, sample, probes)
        _check_written(subject, sample)
        _check_seed(subject, at, sample)


def _check_views(subject: Subject, marked: MarkedStep) -> None:
    number = marked.step.number
    event = type(marked.step.events[-1]).__name__
    looking = (*some(subject.seats, _LOOKING), None)
    for viewer, view in marked.views.items():
        for path, leaf in state_leaves(view):
            _check_known(marks_of(leaf), viewer, "the view", number, event, path)
        for kind in {"text": None, **subject.ruleset.pictures} if viewer in looking else ():
            drawn = _written(lambda view=view, kind=kind: view.ruleset.draw(kind, view))  # type: ignore[misc]
            _check_known(frozenset(Mark.written_in(drawn)), viewer, "the picture", number, event, f"picture {kind}")
        for fact in (told(fact, viewer) for fact in marked.step.events):
            if fact is not None:
                sentence = _written(lambda view=view, fact=fact: view.ruleset.tell(view, fact))  # type: ignore[misc]
                name = type(fact).__name__
                _check_known(frozenset(Mark.written_in(sentence)), viewer, "the sentence", number, name, name)


def _written(write: Callable[[], str]) -> str:
    """A text in which marked values have left their marks; empty where the rules can't write it so."""
    try:
        with loud():
            return write()
    except Exception:  # noqa: BLE001 - names were made out of marked values; whether it can be drawn is another check
        return ""


def _check_known(marks: frozenset[Mark], viewer: Seat | None, what: str, number: int, event: str, field: str) -> None:
    for mark in sorted(marks, key=lambda mark: mark.number):
        if not mark.fresh and not mark.known_to(viewer):
            whose = "a viewer without a seat" if viewer is None else viewer
            why = (
                f"{what} of {whose} holds the secret {mark}, told only to {', '.join(sorted(mark.knowers)) or 'nobody'}"
            )
            raise Finding(why, batch=number, event=event, field=field, seat=viewer)


def _check_listed(subject: Subject, marked: MarkedStep) -> None:
    after = Position(subject.ruleset, marked.step.after.slices)
    for seat in subject.seats:
        for command in subject.ruleset.legal(after, seat):
            name = type(command).__name__
            _check_known(marks_of(command), seat, "the list of commands", marked.step.number, name, "legal")


def _check_refusals(subject: Subject, marked: MarkedStep, sample: Sample, probes: Probes) -> None:
    number, after = marked.step.number, Position(subject.ruleset, marked.step.after.slices)
    chance = subject.chance(f"refusals {number}")
    for seat in subject.seats:
        own = [plain(command) for command in subject.ruleset.legal(after, seat)]
        for command in probes.draw(chance, own, _TRIED):
            for text, facts in _refused(after, seat, command, sample.moment(number)):
                name = type(command).__name__
                _check_known(marks_of(facts), seat, "the refusal", number, name, "facts")
                _check_known(frozenset(Mark.written_in(text)), seat, "the refusal", number, name, "sentence")


def _refused(position: Position, seat: Seat, command: Command, at: int) -> list[tuple[str, object]]:
    """Text and facts of the refusal of a command, with marks written into the text where the rules allow it."""
    with loud():
        try:
            position.ruleset.decide(position, seat, command, Chance(b""), at)
        except CommandError as error:
            return [(f"{error.refusal.sentence} {error.refusal.facts}", error.refusal.facts)]
        except LudologError:
            pass
    try:
        position.ruleset.decide(position, seat, command, Chance(b""), at)
    except CommandError as error:
        return [("", error.refusal.facts)]
    except LudologError:
        pass
    return []


def _check_written(subject: Subject, sample: Sample) -> None:
    """Decide every batch once more, loudly, and read what was logged and printed."""
    planter = Planter(subject.seats, (), dry=True)
    ruleset = rewired(subject.ruleset, deciding=planter)

    def decide(step: Step) -> str:
        decided_again(sample, step, ruleset, lambda chance: MarkedChance(chance, Mark))
        return ""

    for marked in MarkedGame(subject, sample):
        step = marked.step
        if step.number == 0:
            continue
        planter.batch = step.number
        with listening() as lines:
            _written(lambda step=step: decide(step))  # type: ignore[misc]
        for line in lines:
            for mark in (*Mark.written_in(line.text), *marks_of(line.values)):
                if not mark.open:
                    name = type(step.events[-1]).__name__ if step.events else step.name
                    why = f"a line that is logged or printed holds the secret {mark}: {line.text[:200]}"
                    raise Finding(why, batch=step.number, event=name, field=mark.source)


def _check_seed(subject: Subject, number: int, sample: Sample) -> None:
    """The seed is in no line, feed or export before it is revealed."""
    with listening() as lines:
        table = subject.open(number)
        for turn in sample.turns:
            table.play(turn.seat, turn.command, at=turn.at, settle=False)
    assert table.seed is not None  # noqa: S101 - a sample's store keeps its seed
    secret, written = table.seed, table.seed.hex()
    if any(written in line.text or repr(secret) in line.text for line in lines):
        why = "a line that is logged or printed holds the seed"
        raise Finding(why, field="seed")
    payloads = list(table.journal.store.payloads(table.id))
    for at, payload in enumerate(payloads[:-1] if table.over else payloads):
        if secret in payload or written.encode() in to_json(payload):
            why = "the log or its export holds the seed before it is revealed"
            raise Finding(why, batch=at, event=sample.name_of(at), field="seed")
