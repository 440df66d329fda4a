"""Is the list of legal commands what the deciders accept, no more and no less, and the same from a seat's view?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from ludolog.chance import Chance
from ludolog.errors import CommandError, MalformedCommand
from ludolog.position import Position
from ludolog.table import Table
from ludolog.testing.comparing import difference, position_difference
from ludolog.testing.findings import Finding, Skipped
from ludolog.testing.probing import Probes
from ludolog.testing.subject import Sample, Subject, some
from ludolog_events import Command, LudologError, Seat

__all__ = [
    "check_accepted",
    "check_refused",
    "check_view",
    "listed_commands_are_accepted",
    "malformed_commands_are_refused",
    "other_commands_are_refused",
    "views_list_the_same_commands",
]

_LISTED: Final = 150
_PROBED: Final = 40
_WAITING: Final = 3
_MALFORMED: Final = 40
_LATER: Final = 60_000_000


def listed_commands_are_accepted(subject: Subject) -> None:
    """Every command that is listed for a seat is accepted from it, and listed once."""
    for sample in subject.samples:
        for number, position in some(enumerate(sample.positions), _LISTED):
            for seat in () if sample.is_due(number) else subject.seats:
                listed = subject.ruleset.legal(position, seat)
                chance = subject.chance(f"listed {number} {seat}")
                tried = listed if len(listed) <= subject.settings.probes else chance.shuffle(listed)
                for command in tried[: subject.settings.probes]:
                    check_accepted(subject, sample, number, seat, command)
                if len(set(listed)) != len(listed):
                    doubled = next(command for command in listed if listed.count(command) > 1)
                    why = f"{doubled} is listed twice"
                    raise Finding(why, batch=number, event=type(doubled).__name__, seat=seat)


def check_accepted(subject: Subject, sample: Sample, number: int, seat: Seat, command: Command) -> None:
    """Check that a command which is listed after batch ``number`` is accepted."""
    name = type(command).__name__
    position, at = sample.positions[number], sample.moment(number)
    try:
        checked = subject.ruleset.checked(command)
        decision = subject.ruleset.decide(position, seat, checked, Chance(bytes(32), number), at)
    except CommandError as refused:
        why = f"{command} is listed, and refused: {refused}"
        raise Finding(why, batch=number, event=name, seat=seat) from None
    except LudologError as error:
        why = f"{command} is listed, and {error}"
        raise Finding(why, batch=number, event=name, seat=seat) from error
    found = difference(checked, command)
    if found is not None:
        why = f"{command} is listed with {found.other!r}, and reads as {found.one!r}"
        raise Finding(why, batch=number, event=name, field=f"{name}.{found.path}", seat=seat)
    if not decision.events:
        why = f"{command} is accepted, and nothing happens: the batch has no event"
        raise Finding(why, batch=number, event=name, seat=seat)


def other_commands_are_refused(subject: Subject) -> None:
    """Mutated commands, and commands listed at other times or for others, are refused; nothing changes by them."""
    probes = stock(subject)
    for number, sample in enumerate(subject.samples):
        table = subject.open(number)
        probed = set(some(range(1, len(sample.positions)), _PROBED))
        for length, turn in enumerate((None, *sample.turns), start=1):
            if turn is not None:
                table.play(turn.seat, turn.command, at=turn.at, settle=False)
            if length in probed and not sample.is_due(length):
                at = sample.moment(length)
                for seat, probe in probes_at(subject, probes, table.position, f"{number} {length}"):
                    check_refused(table, seat, probe, at)


def stock(subject: Subject) -> Probes:
    """Probing commands from everything that was listed in the sample games."""
    probes = Probes(subject.ruleset, subject.seats)
    for sample in subject.samples:
        for position in some(sample.positions, _LISTED):
            for seat in subject.seats:
                probes.learn(subject.ruleset.legal(position, seat))
            if subject.settings.host is not None:
                probes.learn(subject.settings.host(position))
    return probes


def probes_at(subject: Subject, probes: Probes, position: Position, name: str) -> Iterator[tuple[Seat, Command]]:
    """Probing commands, fewer for seats that may not act; those that are listed for a seat are left out."""
    chance = subject.chance(f"probes {name}")
    acting = subject.ruleset.to_act(position)
    for seat in subject.seats:
        listed = set(subject.ruleset.legal(position, seat))
        count = subject.settings.probes if seat in acting else _WAITING
        for command in probes.draw(chance, sorted(listed, key=str), count):
            if command not in listed:
                yield seat, command


def check_refused(table: Table, seat: Seat, command: Command, at: int) -> None:
    """Check that a command which is not listed is refused, and that nothing changes by it."""
    name = type(command).__name__
    length, receipt, position = table.length, table.receipt, table.position
    copied = position.copy()
    if seat not in table.to_act and table.check(seat, command, at=at) is None:
        # It may come out of turn, as the game's `waiting` says; what is listed is asked of those alone who may act.
        return
    try:
        table.play(seat, command, at=at)
    except CommandError as error:
        refusal = error.refusal
        _check_refusal(table, seat, command, error)
        again = table.check(seat, command, at=at)
        if again != refusal:
            why = f"{command} is refused by play with {str(refusal)!r}, by check with {str(again)!r}"
            raise Finding(why, batch=length, event=name, seat=seat) from None
    except LudologError as error:
        why = f"{command} is not listed, and instead of refusing it, {error}"
        raise Finding(why, batch=length, event=name, seat=seat) from error
    else:
        why = f"{command} is not listed, and accepted"
        raise Finding(why, batch=length, event=name, seat=seat)
    found = position_difference(copied, table.position)
    if found is not None or table.position is not position:
        why = f"refusing {command} changed the position: {found}"
        raise Finding(why, batch=length, event=name, field=found.path if found else "", seat=seat)
    if table.receipt != receipt or table.journal.store.head(table.id).length != length:
        why = f"refusing {command} changed the log"
        raise Finding(why, batch=length, event=name, seat=seat)


def _check_refusal(table: Table, seat: Seat, command: Command, error: CommandError) -> None:
    """A refusal has a code, a sentence, and facts that can be sent."""
    refusal = error.refusal
    name = type(command).__name__
    if not refusal.code or not refusal.sentence.strip():
        why = f"{command} is refused without a {'sentence' if refusal.code else 'code'}"
        raise Finding(why, batch=table.length, event=name, seat=seat) from None
    try:
        msgspec.json.encode(refusal)
    except (TypeError, ValueError) as unfit:
        why = f"the facts of the refusal of {command} can't be sent: {unfit}"
        raise Finding(why, batch=table.length, event=name, field="facts", seat=seat) from None


def malformed_commands_are_refused(subject: Subject) -> None:
    """A command with a field too many, one too few or of another kind is malformed, and nothing is written."""
    table = subject.open(0)
    length = table.length
    listed = list(stock(subject).listed)
    if not listed:
        why = "no command was ever listed"
        raise Skipped(why)
    seen: set[type] = set()
    chance = subject.chance("malformed")
    for command in chance.shuffle(listed)[:_MALFORMED]:
        for text, what in _malformed(command, full=type(command) not in seen):
            try:
                read = subject.ruleset.read_command(text)
            except MalformedCommand:
                continue
            why = f"{text.decode()} has {what}, and reads as {read}"
            raise Finding(why, event=type(command).__name__)
        seen.add(type(command))
    for seat in subject.seats:
        try:
            table.play(seat, _Foreign())
        except MalformedCommand:
            continue
        why = "a command of another game is not refused as malformed"
        raise Finding(why, event="_Foreign", seat=seat)
    if table.length != length:
        why = "malformed commands were written to the log"
        raise Finding(why, batch=length)


class _Foreign(Command, frozen=True, tag="no-such-game/foreign"):
    """A command of another game."""


def _malformed(command: Command, *, full: bool) -> Iterator[tuple[bytes, str]]:
    """Texts that are no command, made from one that is, and what is wrong with each."""
    fields: dict[str, Any] = msgspec.to_builtins(command)
    tag = fields["type"]
    yield _text({**fields, "surplus": 1}), "an unknown field"
    for name in command.__struct_fields__:
        if type(getattr(command, name)) in {int, str, bool}:
            yield _text({**fields, name: 1.5}), f"a number with a fraction as {name!r}"
            yield _text({**fields, name: None, "surplus": None}), "an unknown field"
            yield _text({**fields, name: [None]}), f"a list as {name!r}"
    if full:
        yield _text({**fields, "type": f"{tag}-other"}), "an unknown type"
        yield _text({name: value for name, value in fields.items() if name != "type"}), "no type"
        yield _text([tag]), "no fields"
        yield _text(fields)[:-1], "no end"


def _text(value: object) -> bytes:
    return msgspec.json.encode(value)


def views_list_the_same_commands(subject: Subject) -> None:
    """From its view, a seat gets the same legal commands in the same order, and everyone sees who may act."""
    for sample in subject.samples:
        for views in sample.views.values():
            for number, view in enumerate(views):
                check_view(sample.positions[number], view, number, sample.moment(number))


def check_view(position: Position, view: Position, number: int, at: int) -> None:
    """Check that a view after batch ``number``, made at the moment ``at``, gives the same lists as the position."""
    ruleset, viewer = position.ruleset, view.viewer
    for moment in (at, at + _LATER):
        due, seen = _asked(ruleset.due, position, moment), _asked(ruleset.due, view, moment)
        if due != seen:
            why = f"by the position {due} falls due, by the view {seen}"
            raise Finding(why, batch=number, field="due", seat=viewer)
    acting, seen = _asked(ruleset.to_act, position), _asked(ruleset.to_act, view)
    if acting != seen:
        why = f"by the position {acting} may act, by the view {seen}"
        raise Finding(why, batch=number, field="to_act", seat=viewer)
    if viewer is None:
        return
    legal = _asked(ruleset.legal, position, viewer)
    listed = _asked(ruleset.legal, view, viewer)
    if legal == listed:
        return
    if isinstance(listed, Exception) or isinstance(legal, Exception):
        why = f"the list of the view gives {listed!r}, that of the position {legal!r}"
        raise Finding(why, batch=number, field="legal", seat=viewer)
    for command in (*legal, *listed):
        if (command in legal) != (command in listed):
            why = f"{command} is listed by the {'position, not by the view' if command in legal else 'view alone'}"
            raise Finding(why, batch=number, event=type(command).__name__, field="legal", seat=viewer)
    why = "the view lists the same commands in another order"
    raise Finding(why, batch=number, field="legal", seat=viewer)


def _asked(function: Any, *given: Any) -> Any:  # noqa: ANN401 - any function of the rules
    try:
        return function(*given)
    except Exception as error:  # noqa: BLE001 - whatever the rules raise is the finding
        return error
