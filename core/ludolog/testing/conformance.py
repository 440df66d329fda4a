"""The one line that gives a game all checks, each as a test of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ludolog.catalogue import catalogue
from ludolog.position import Position
from ludolog.ruleset import Ruleset
from ludolog.testing.checks import CHECKS, ONCE, Check, name_of, run
from ludolog.testing.checks.ending import invariants_hold
from ludolog.testing.findings import Skipped
from ludolog.testing.simultaneous import simultaneous_commands_come_in_any_order
from ludolog.testing.subject import Invariant, Settings, Subject
from ludolog_events import Command

__all__ = ["conformance"]


def conformance(  # noqa: PLR0913 - by keyword, and few authors need more than two
    game: str | Ruleset,
    *,
    variants: Iterable[str] = (),
    options: Mapping[str, Any] | None = None,
    seats: Iterable[int] = (),
    games: int = 3,
    bound: int = 1000,
    reveals: Iterable[str] = (),
    invariants: Iterable[Invariant] = (),
    host: Callable[[Position], Iterable[Command]] | None = None,
    simultaneous: int = 0,
) -> Callable[..., None]:
    """A test function for pytest to collect: one test for every check and every number of seats.

    ::

        test_misere = conformance("tic-tac-toe", variants=("misere",))

    Args:
        game: Id of an installed game, or a compiled ruleset.
        variants: Short or full ids of its variants.
        options: Options of game and variants, by name.
        seats: Numbers of seats; by default all with which it can be played.
        games: How many sample games are played for each number of seats.
        bound: Most commands of one game.
        reveals: What makes known to all what only some knew, on purpose: tags of events, such as
            ``"dark-horse-bugs/goals-revealed"``, or of their fields, such as ``"dark-horse-bugs/card-played.card"``.
            Everything else that does so is a leak.
        invariants: Functions that raise AssertionError for a position that can't be, beside those that the rules
            declare with :meth:`Rules.invariant`.
        host: Commands that the host may give in a position, where the game needs any.
        simultaneous: Within how many microseconds commands count as simultaneous, so that the order in which they
            arrive must not matter; 0 for games in which it may.

    Raises:
        LudologError: There is no such game, or the variants and options don't fit.
    """
    import pytest  # noqa: PLC0415 - a campaign and a process that plays games again start without it

    ruleset = game if isinstance(game, Ruleset) else catalogue().ruleset(game, variants, options)
    settings = Settings(
        games=games,
        bound=bound,
        reveals=tuple(reveals),
        invariants=tuple(invariants),
        host=host,
        simultaneous=simultaneous,
    )
    subjects = tuple(Subject(ruleset, count, settings) for count in tuple(seats) or ruleset.seat_counts)
    unasked = {
        *(() if all(subject.invariants for subject in subjects) else (invariants_hold,)),
        *(() if settings.simultaneous else (simultaneous_commands_come_in_any_order,)),
    }
    for subject in subjects:
        subject.group = subjects
    cases = [
        pytest.param(check, subject, id=f"{'all' if check in ONCE else len(subject.seats)}-seats-{name_of(check)}")
        for subject in subjects
        for check in CHECKS
        if (check not in ONCE or subject is subjects[0]) and check not in unasked
    ]

    @pytest.mark.parametrize(("check", "subject"), cases)
    def test(check: Check, subject: Subject) -> None:
        try:
            run(check, subject)
        except Skipped as reason:
            pytest.skip(f"{name_of(check)} ({subject}): {reason}")

    test.__doc__ = f"{ruleset.id} keeps all promises."
    return test
