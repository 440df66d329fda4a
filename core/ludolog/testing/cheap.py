"""Checks that cost little more than the game itself, for games by the thousand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ludolog.chance import Chance
from ludolog.errors import CommandError
from ludolog.testing.checks import name_of, run
from ludolog.testing.checks.ending import audits_say_yes, every_game_ends, invariants_hold
from ludolog.testing.checks.folding import folding_gives_the_position, views_are_part_of_the_position
from ludolog.testing.checks.legality import (
    check_accepted,
    check_view,
    listed_commands_are_accepted,
    other_commands_are_refused,
    views_list_the_same_commands,
)
from ludolog.testing.comparing import not_part_of, position_difference
from ludolog.testing.findings import Finding
from ludolog.testing.probing import Probes
from ludolog.testing.replaying import view_of_nothing
from ludolog.testing.subject import Sample, Subject
from ludolog_events import Command, LudologError, Seat

__all__ = ["check_cheaply"]

_LOOKED_AT: Final = 5
_LISTED: Final = 6
_PROBED: Final = 6


def check_cheaply(subject: Subject, number: int) -> Sample:
    """Play game ``number`` at random, and check it as far as that is cheap, its lists at a few positions.

    Raises:
        Finding: It breaks a promise; the message names the check that the conformance kit makes of it.
    """
    try:
        sample = subject.play(number)
        alone = Subject(subject.ruleset, len(subject.seats), subject.settings, samples=(sample,))
        chance = subject.chance(f"cheap {number}")
        looked = sorted(chance.shuffle(range(1, len(sample.positions) - 1))[:_LOOKED_AT])
        if sample.trouble is not None:
            raise sample.trouble
        _check_lists(alone, sample, looked, chance)
        _check_folds(alone, sample, looked)
    except Finding as finding:
        finding.check, finding.game = finding.check or name_of(every_game_ends), str(subject)
        raise
    for check in (every_game_ends, invariants_hold, audits_say_yes):
        run(check, alone)
    return sample


def _check_lists(subject: Subject, sample: Sample, looked: list[int], chance: Chance) -> None:
    """A few of the listed commands are accepted, a few others refused."""
    probes = Probes(subject.ruleset, subject.seats)
    for at in looked:
        for listed in sample.listed[at].values():
            probes.learn(listed)
    for at in looked:
        for seat in subject.ruleset.to_act(sample.positions[at]) if not sample.is_due(at) else ():
            listed = sample.listed[at][seat]
            _check_accepted(subject, sample, at, seat, chance.shuffle(listed)[:_LISTED])
            for command in probes.draw(chance, listed, _PROBED):
                if command not in listed:
                    _check_refused(sample, at, seat, command)


def _check_accepted(subject: Subject, sample: Sample, at: int, seat: Seat, commands: Iterable[Command]) -> None:
    try:
        for command in commands:
            check_accepted(subject, sample, at, seat, command)
    except Finding as finding:
        finding.check = name_of(listed_commands_are_accepted)
        raise


def _check_refused(sample: Sample, at: int, seat: Seat, command: Command) -> None:
    position = sample.positions[at]
    ruleset = sample.table.ruleset
    try:
        ruleset.decide(position, seat, ruleset.checked(command), Chance(bytes(32), at), sample.moment(at))
    except CommandError:
        return
    except LudologError as error:
        why = f"{command} is not listed, and instead of refusing it, {error}"
    else:
        why = f"{command} is not listed, and accepted"
    check = name_of(other_commands_are_refused)
    raise Finding(why, batch=at, event=type(command).__name__, seat=seat, check=check)


def _check_folds(subject: Subject, sample: Sample, looked: list[int]) -> None:
    """The log gives the position, what a seat was told a part of it, and the view the same list."""
    position = subject.ruleset.start()
    for facts in sample.facts:
        position = subject.ruleset.fold(position, facts.events)
    found = position_difference(sample.positions[-1], position)
    last = len(sample.positions) - 1
    if found is not None:
        why = f"the live position holds {found.one!r}, the fold of the log {found.other!r}"
        raise Finding(why, batch=last, field=found.path, check=name_of(folding_gives_the_position))
    for viewer in sample.viewers:
        view = view_of_nothing(subject.ruleset, viewer)
        for number, events in sample.facts:
            view = subject.ruleset.fold(view, events, viewer)
            if number in looked:
                try:
                    check_view(sample.positions[number], view, number, sample.moment(number))
                except Finding as finding:
                    finding.check = name_of(views_list_the_same_commands)
                    raise
            if number in looked or number == last:
                for kind, state in view.slices.items():
                    other = not_part_of(state, sample.positions[number].slices[kind], kind.__name__)
                    if other is not None:
                        why = f"the view holds {other.one!r}, the position {other.other!r}"
                        check = name_of(views_are_part_of_the_position)
                        raise Finding(why, batch=number, field=other.path, seat=viewer, check=check)
