"""A table as a stateful machine, in which hypothesis looks for the shortest way to break a promise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from ludolog.catalogue import catalogue
from ludolog.chance import Chance
from ludolog.errors import GameOver
from ludolog.ruleset import Ruleset
from ludolog.testing.checks.legality import check_refused, check_view
from ludolog.testing.comparing import not_part_of
from ludolog.testing.findings import Finding
from ludolog.testing.probing import Probes
from ludolog.testing.subject import START, Invariant, Settings, Subject
from ludolog.testing.walking import Walk
from ludolog_events import Command, Seat

if TYPE_CHECKING:
    from hypothesis.stateful import RuleBasedStateMachine

__all__ = ["state_machine"]

_PROBES: Final = 3


class Driven:
    """A table that is driven by numbers, of which each means something."""

    def __init__(self, subject: Subject, game: int) -> None:
        self.subject = subject
        self.walk = Walk(subject, game)
        self.probes = Probes(subject.ruleset, subject.seats)
        self.at = START

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.walk.table.over

    def play(self, who: int, what: int, pause: int) -> None:
        """Play what falls due, or one of the listed commands of a seat that may act."""
        table = self.walk.table
        self.at += pause
        due = table.due(self.at)
        acting = table.to_act
        if due is not None:
            self.walk.play(None, due, self.at)
        elif acting:
            seat = acting[who % len(acting)]
            listed = table.legal(seat)
            if not listed:
                why = f"{seat} may act, and no command is legal for it"
                raise Finding(why, batch=table.length - 1, field="to_act", seat=seat)
            self.walk.play(seat, listed[what % len(listed)], self.at)

    def probe(self, what: int) -> None:
        """Try commands that are not listed."""
        table = self.walk.table
        if table.due(self.at) is not None:
            return
        seat = table.seats[what % len(table.seats)]
        listed = table.legal(seat)
        self.probes.learn(listed)
        for command in self.probes.draw(Chance(what.to_bytes(8, "big")), listed, _PROBES):
            if command not in listed:
                check_refused(table, seat, command, self.at)

    def undo(self, who: int, back: int, *, agreed: bool) -> None:
        """Ask for an undo of the last batches that count."""
        counting = self.walk.counting
        to = counting[max(len(counting) - 1 - back, 0)] if back else None
        self.walk.undo(self._someone(who), to=to, consent=self.walk.table.seats if agreed else ())

    def redo(self, who: int) -> None:
        """Ask for a redo."""
        self.walk.redo(self._someone(who))

    def after_the_end(self, who: int, what: int) -> None:
        """Try anything after the end."""
        table, by = self.walk.table, self._someone(who)
        commands: list[Command | None] = [*self.probes.listed] or [None]
        command = commands[what % len(commands)]
        length = table.length
        try:
            if command is None or what % 3 == 0:
                table.undo(by)
            else:
                table.play(by, command, at=self.at)
        except GameOver:
            if table.length == length and not table.to_act:
                return
        why = f"after the end {command or 'an undo'} changed something"
        raise Finding(why, batch=length - 1, event="GameEnded", seat=by)

    def check(self) -> None:
        """Look at what everyone sees."""
        table = self.walk.table
        for viewer in self.subject.viewers:
            view = table.view(viewer)
            check_view(table.position, view, table.length - 1, self.at)
            for kind, state in view.slices.items():
                found = not_part_of(state, table.position.slices[kind], kind.__name__)
                if found is not None:
                    why = f"the view holds {found.one!r}, the position {found.other!r}"
                    raise Finding(why, batch=table.length - 1, field=found.path, seat=viewer)
        for invariant in self.subject.invariants:
            invariant(table.position)

    def _someone(self, who: int) -> Seat | None:
        everyone = self.subject.viewers
        return everyone[who % len(everyone)]


def state_machine(
    game: str | Ruleset,
    *,
    variants: Iterable[str] = (),
    options: Mapping[str, Any] | None = None,
    seats: Iterable[int] = (),
    invariants: Iterable[Invariant] = (),
) -> type[RuleBasedStateMachine]:
    """A machine whose rules are commands, undo, redo, and commands that must be refused; pytest runs its ``TestCase``.

    ::

        TestTicTacToe = state_machine("tic-tac-toe").TestCase

    After each step the position is the fold of what counts, views are part of it and list the same commands.

    Args:
        game: Id of an installed game, or a compiled ruleset.
        variants: Short or full ids of its variants.
        options: Options of game and variants, by name.
        seats: Numbers of seats; by default all with which it can be played.
        invariants: Functions that raise AssertionError for a position that can't be.

    Raises:
        LudologError: There is no such game, or the variants and options don't fit.
    """
    # hypothesis is needed by this alone, and pytest loads this package for every project of its environment.
    from hypothesis import strategies  # noqa: PLC0415
    from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule  # noqa: PLC0415

    ruleset = game if isinstance(game, Ruleset) else catalogue().ruleset(game, variants, options)
    settings = Settings(invariants=tuple(invariants))
    counts = tuple(seats) or ruleset.seat_counts
    pick = strategies.integers(0, 10_000)

    class Machine(RuleBasedStateMachine):
        """One table."""

        driven: Driven

        @initialize(count=strategies.sampled_from(counts), game=strategies.integers(0, 1000))
        def open(self, count: int, game: int) -> None:
            self.driven = Driven(Subject(ruleset, count, settings), game)

        @precondition(lambda self: not self.driven.over)
        @rule(who=pick, what=pick, pause=strategies.sampled_from((0, 1, 1_000_000, 60_000_000)))
        def play(self, who: int, what: int, pause: int) -> None:
            self.driven.play(who, what, pause)

        @precondition(lambda self: not self.driven.over)
        @rule(what=pick)
        def probe(self, what: int) -> None:
            self.driven.probe(what)

        @precondition(lambda self: not self.driven.over)
        @rule(who=pick, back=strategies.integers(0, 3), agreed=strategies.booleans())
        def undo(self, who: int, back: int, agreed: bool) -> None:  # noqa: FBT001 - drawn
            self.driven.undo(who, back, agreed=agreed)

        @precondition(lambda self: not self.driven.over and self.driven.walk.undone)
        @rule(who=pick)
        def redo(self, who: int) -> None:
            self.driven.redo(who)

        @precondition(lambda self: not self.driven.over and self.driven.walk.undone)
        @rule()
        def play_again(self) -> None:
            self.driven.walk.play_again()

        @rule()
        def open_again(self) -> None:
            self.driven.walk.check_whole()

        @precondition(lambda self: self.driven.over)
        @rule(who=pick, what=pick)
        def after_the_end(self, who: int, what: int) -> None:
            self.driven.after_the_end(who, what)

        @invariant()
        def everyone_sees_what_is_so(self) -> None:
            self.driven.check()

    Machine.__name__ = Machine.__qualname__ = f"MachineOf{ruleset.id.title().replace('-', '').replace('+', 'With')}"
    return Machine
