"""Do worlds that differ only in what a seat was not told look alike to it?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ludolog.barrier import what_was_learnt
from ludolog.chance import Chance
from ludolog.errors import CommandError, InvalidType
from ludolog.position import Position
from ludolog.testing.checks.legality import stock
from ludolog.testing.comparing import not_part_of, position_difference, state_leaves
from ludolog.testing.findings import Finding, Skipped
from ludolog.testing.marking import hides_something
from ludolog.testing.probing import Probes
from ludolog.testing.subject import Sample, Subject, some
from ludolog.testing.worlds import Pair, World, determinized, other_histories
from ludolog_events import Batch, Command, Event, LudologError, Seat

__all__ = ["determinized_positions_fit", "hidden_worlds_look_alike"]

_GAMES: Final = 2
_SHOWN: Final = 14
_DRAWN: Final = 4
_TRIED: Final = 10
_LOOKING: Final = 3
_FITTED: Final = 24


def hidden_worlds_look_alike(subject: Subject) -> None:
    """In two worlds that differ only in what a seat was not told, it is shown the same, byte for byte."""
    if not hides_something(subject.ruleset):
        return
    probes = stock(subject)
    pairs = 0
    for viewer in (*some(subject.seats, _LOOKING), None):
        for sample in subject.samples[:_GAMES]:
            for pair in _pairs(subject, sample, viewer):
                pairs += 1
                _compare(subject, sample, pair, viewer, probes)
    if not pairs:
        why = "events hide something, and no other history was found in which it differs and a viewer is told the same"
        raise Skipped(why)


def _pairs(subject: Subject, sample: Sample, viewer: Seat | None) -> Iterator[Pair]:
    shown = some(range(len(sample.positions)), _SHOWN)
    yield from other_histories(subject, sample, viewer, shown)
    if viewer is not None and subject.ruleset.rules[1].determinize_function is not None:
        for number in some(range(1, len(sample.positions)), _DRAWN):
            yield from determinized(subject, sample, viewer, number)


def determinized_positions_fit(subject: Subject) -> None:
    """A position drawn by ``determinize`` fits the view, and nothing in it is left open."""
    if not hides_something(subject.ruleset):
        return
    if subject.ruleset.rules[1].determinize_function is None:
        why = "the game has no determinize, so no position was drawn to fit a view"
        raise Skipped(why)
    for sample in subject.samples:
        for number in some(range(1, len(sample.positions)), _FITTED):
            for viewer in subject.seats:
                _check_fits(subject, sample, number, viewer)


def _check_fits(subject: Subject, sample: Sample, number: int, viewer: Seat) -> None:
    view = sample.views[viewer][number]
    try:
        drawn = subject.ruleset.determinize(view.copy(), subject.chance(f"determinize {viewer} {number}"))
    except InvalidType:
        raise
    except Exception as error:
        why = f"determinize raises {type(error).__name__}: {error}"
        raise Finding(why, batch=number, event=sample.name_of(number), seat=viewer) from error
    for kind, state in view.slices.items():
        found = not_part_of(state, drawn.slices[kind], kind.__name__)
        if found is not None:
            why = f"the view holds {found.one!r}, and determinize gives {found.other!r}"
            raise Finding(why, batch=number, event=sample.name_of(number), field=found.path, seat=viewer)
    for path, leaf in state_leaves(drawn):
        if leaf is None:
            why = "determinize leaves it unknown"
            raise Finding(why, batch=number, event=sample.name_of(number), field=path, seat=viewer)


def _compare(subject: Subject, sample: Sample, pair: Pair, viewer: Seat | None, probes: Probes) -> None:
    """Compare all that a viewer is shown in two worlds."""
    chance = subject.chance(f"shown {pair.number}")
    tried = probes.draw(chance, (), _TRIED) if viewer is not None else []
    at = sample.moment(pair.number)
    shown = zip(_shown(pair.here, viewer, tried, at), _shown(pair.there, viewer, tried, at), strict=True)
    for (what, event, here), (_, _, there) in shown:
        if here != there:
            hidden = position_difference(pair.here.position, pair.there.position)
            act = pair.here.act
            name = event or (type(act.events[-1]).__name__ if act is not None and act.events else "")
            why = (
                f"it is {here} in one world and {there} in another, which differ only in what was not told"
                f"{f', such as {hidden.path}' if hidden is not None else ''}"
            )
            raise Finding(why, batch=pair.number, event=name, field=what, seat=viewer)


def _shown(world: World, viewer: Seat | None, tried: list[Command], at: int) -> Iterator[tuple[str, str, str]]:
    """What a viewer can see: what it is, the command it belongs to, and the text of it."""
    position, ruleset = world.position, world.position.ruleset
    yield "to_act", "", repr(ruleset.to_act(position))
    for kind, drawn in world.drawn.items():
        yield f"picture {kind}", "", drawn
    if viewer is None:
        return
    yield "legal", "", repr(ruleset.legal(position, viewer))
    for command in tried:
        yield f"refusal of {command}", type(command).__name__, _answer(position, viewer, command, at)
    if world.act is not None and len(world.before) == len(position.seats) + 1:
        yield "undo", "Undo", _undo(world, viewer)


def _answer(position: Position, seat: Seat, command: Command, at: int) -> str:
    try:
        position.ruleset.decide(position, seat, command, Chance(bytes(32)), at)
    except CommandError as error:
        return f"{error.code}: {error.refusal!r}"
    except LudologError as error:
        return f"{error.code}: {error}"
    return "accepted"


def _undo(world: World, viewer: Seat) -> str:
    """Why the seat may not take the last batch back."""
    act = world.act
    assert act is not None  # noqa: S101 - asked only after a batch
    if act.seat != viewer:
        return "not its own"
    batch: Batch[Command, Event] = Batch(
        format=1,
        number=0,
        time=act.at,
        seat=act.seat,
        command_id=None,
        command=act.command,
        events=act.events,
        draws=act.draws,
        blind=b"",
        previous=b"",
    )
    return what_was_learnt(batch, world.before)
