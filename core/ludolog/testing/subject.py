"""What is tested: a ruleset, played by a number of seats in sample games."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, TypeVar, get_type_hints

import msgspec

from ludolog.chance import Chance, seed_from
from ludolog.errors import CommandError
from ludolog.folding import Facts
from ludolog.opening import table_from
from ludolog.position import Position
from ludolog.ruleset import Ruleset
from ludolog.table import Table
from ludolog.testing.findings import Finding
from ludolog.viewing import FeedItem
from ludolog_events import Command, Event, LudologError, Seat, told

__all__ = ["FIRST", "SEATS", "START", "Invariant", "Sample", "Settings", "Subject", "Turn", "some"]

T = TypeVar("T")

Invariant = Callable[[Position], None]
"""Raises AssertionError when a position is not as the rules have it."""

SEATS: Final = ("ann", "bob", "cy", "dee", "eve", "fay", "gus", "hal", "ivy", "jo", "kit", "lou")
"""Names of the seats in sample games, clockwise."""

START: Final = 1_700_000_000_000_000
"""When sample games begin, in microseconds since 1970."""

FIRST: Final = 2
"""Number of the batch with the first turn."""

_PAUSES: Final = (0, 1, 250_000, 1_000_000, 7_000_000, 45_000_000)
"""Microseconds from one command to the next."""

_LONG_PAUSES: Final = tuple(10**exponent for exponent in range(6, 14))
"""Microseconds to wait, up to four months, where nobody may act until something falls due."""


class Settings(NamedTuple):
    """How a ruleset is tested; for the fields see :func:`ludolog.testing.conformance`."""

    games: int = 3
    bound: int = 1000
    probes: int = 24
    walk: int = 500
    reveals: tuple[str, ...] = ()
    invariants: tuple[Invariant, ...] = ()
    host: Callable[[Position], Iterable[Command]] | None = None
    simultaneous: int = 0


class Turn(NamedTuple):
    """A command of a sample game: who gave it (``None``: the host), what, and when it was received."""

    seat: Seat | None
    command: Command
    at: int


class Sample:
    """A game played at random.

    ``positions[n]`` is the position after batch ``n``; batch 0 opens the table, 1 sets the game up, 2 is the first
    turn. ``listed[n]`` is what was legal then, by seat, when the game was played. ``trouble`` is what stopped the
    game, or a listed command that was refused on the way.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.turns: list[Turn] = []
        self.positions = [table.ruleset.fold(table.ruleset.start(), (table.opened,))]
        self.listed: list[dict[Seat, tuple[Command, ...]]] = [{}]
        self.trouble: Finding | None = None

    def note(self) -> None:
        """Note what the table shows now, after one more batch."""
        position = self.table.position
        self.positions.append(position)
        self.listed.append({seat: self.table.ruleset.legal(position, seat) for seat in self.table.seats})

    def note_trouble(self, finding: Finding) -> None:
        """Note the first thing that goes wrong, in the batch that is being made."""
        finding.batch = self.table.length
        finding.check = finding.check or "every-game-ends"
        self.trouble = self.trouble or finding

    @property
    def viewers(self) -> tuple[Seat | None, ...]:
        """All seats, and a viewer without a seat."""
        return (*self.table.seats, None)

    @functools.cached_property
    def facts(self) -> tuple[Facts, ...]:
        """The events of every batch, as they are read from the log."""
        stored = self.table.journal.batches(0, self.table.length)
        return tuple(Facts(batch.number, batch.events) for batch in stored)

    @functools.cached_property
    def views(self) -> dict[Seat | None, tuple[Position, ...]]:
        """For every viewer, what it knew after each batch."""
        ruleset = self.table.ruleset
        found: dict[Seat | None, tuple[Position, ...]] = {}
        for viewer in self.viewers:
            view = Position(ruleset, ruleset.start().slices, viewer, is_view=True)
            views: list[Position] = []
            for facts in self.facts:
                view = ruleset.fold(view, facts.events, viewer)
                views.append(view)
            found[viewer] = tuple(views)
        return found

    @functools.cached_property
    def feeds(self) -> dict[Seat | None, tuple[tuple[FeedItem, ...], ...]]:
        """For every viewer, what it had been told after each batch."""
        found: dict[Seat | None, tuple[tuple[FeedItem, ...], ...]] = {}
        for viewer in self.viewers:
            whole = self.table.feed(viewer)
            counts = itertools.accumulate(
                sum(told(event, viewer) is not None for event in facts.events) for facts in self.facts
            )
            found[viewer] = tuple(whole[:count] for count in counts)
        return found

    def name_of(self, number: int) -> str:
        """Name of the command of a batch; empty for those that open the table."""
        return type(self.turns[number - FIRST].command).__name__ if number >= FIRST else ""

    def moment(self, number: int) -> int:
        """When batch ``number`` was recorded, in microseconds."""
        return self.turns[number - FIRST].at if number >= FIRST else START

    def is_due(self, number: int) -> bool:
        """Whether after batch ``number``, at its own moment, something is due before anybody's command."""
        return self.table.ruleset.due(self.positions[number], self.moment(number)) is not None


class Subject:
    """A ruleset and a number of seats under test.

    Args:
        ruleset: What is tested.
        count: With how many seats.
        settings: How.
        samples: Sample games; by default they are played when they are first asked for.
    """

    def __init__(
        self, ruleset: Ruleset, count: int, settings: Settings, samples: tuple[Sample, ...] | None = None
    ) -> None:
        self.ruleset = ruleset
        self.seats = SEATS[:count]
        self.settings = settings
        self.group: tuple[Subject, ...] = (self,)
        """The same ruleset with all numbers of seats that are tested with it."""
        self._samples = samples
        self._listed: tuple[Position, dict[Seat, tuple[Command, ...]]] | None = None

    def __str__(self) -> str:
        """Ruleset and number of seats."""
        return f"{self.ruleset.id}, {len(self.seats)} seats"

    @property
    def viewers(self) -> tuple[Seat | None, ...]:
        """All seats, and a viewer without a seat."""
        return (*self.seats, None)

    @property
    def invariants(self) -> tuple[Invariant, ...]:
        """What is to hold in every position: what the test asks for, and what the rules declare themselves."""
        declared = (invariant for part in self.ruleset.rules for invariant in part.invariants)
        return tuple(dict.fromkeys((*self.settings.invariants, *declared)))

    def chance(self, name: str) -> Chance:
        """A stream for the kit's own choices; the same name gives the same choices."""
        return Chance(seed_from(f"{self.ruleset.id}/{len(self.seats)}/{name}"))

    def open(self, number: int) -> Table:
        """A fresh table of sample game ``number``."""
        try:
            return table_from(self.ruleset, self.seats, seed=number, id=f"sample-{number}", at=START)
        except LudologError as error:
            why = f"the game can't be set up: {error}"
            raise Finding(why, batch=FIRST - 1) from error

    @property
    def samples(self) -> tuple[Sample, ...]:
        """The sample games."""
        if self._samples is None:
            self._samples = tuple(self.play(number) for number in range(self.settings.games))
        return self._samples

    @property
    def finished(self) -> tuple[Sample, ...]:
        """The sample games that came to their end."""
        return tuple(sample for sample in self.samples if sample.table.over)

    def choices(self, position: Position, chance: Chance) -> Iterator[tuple[Seat | None, Command]]:
        """Commands that may be given now, in random order; one kind of command is as likely first as another."""
        hosted = tuple(self.settings.host(position)) if self.settings.host is not None and not position.over else ()
        who: list[Seat | None] = [*self.ruleset.to_act(position), *((None,) if hosted else ())]
        for seat in chance.shuffle(who):
            commands = list(hosted if seat is None else self.listed(position, seat))
            while commands:
                kinds = list(dict.fromkeys(map(type, commands)))
                kind = chance.choose(kinds)
                command = chance.choose([found for found in commands if type(found) is kind])
                commands.remove(command)
                yield seat, command

    def listed(self, position: Position, seat: Seat) -> tuple[Command, ...]:
        """What is legal for ``seat``; of the position that a sample game is in, as it was noted."""
        if self._listed is not None and self._listed[0] is position:
            return self._listed[1][seat]
        return self.ruleset.legal(position, seat)

    def turns_at(self, table: Table, chance: Chance, at: int) -> Iterator[tuple[Seat | None, Command]]:
        """What falls due by ``at``, alone; else the commands that may be given, in random order."""
        due = table.due(at)
        return self.choices(table.position, chance) if due is None else iter(((None, due),))

    def play(self, number: int, watch: Callable[[Sample], None] = lambda _sample: None) -> Sample:
        """Play game ``number`` at random; ``watch`` is called after every batch."""
        chance = self.chance(f"game {number}")
        sample = Sample(self.open(number))
        table, at = sample.table, START
        try:
            sample.note()
            while not table.over:
                watch(sample)
                self._listed = (table.position, sample.listed[-1])
                at = self.next_moment(table, chance, at)
                turn = self._turn(sample, chance, at)
                if turn is None:
                    break
                sample.turns.append(turn)
                sample.note()
                if len(sample.turns) >= self.settings.bound and not table.over:
                    why = f"the game has not ended after {self.settings.bound} commands, the bound that is stated"
                    sample.note_trouble(Finding(why, event=type(turn.command).__name__))
                    break
        except Finding:
            raise
        except Exception as error:  # noqa: BLE001 - whatever the rules raise is the finding
            why = f"listing what may be done next raises {type(error).__name__}: {error}"
            sample.note_trouble(Finding(why, field="legal"))
        return sample

    def next_moment(self, table: Table, chance: Chance, at: int) -> int:
        """When the next command comes: soon, or late enough for something to fall due where nobody may act."""
        soon = at + chance.choose(_PAUSES)
        if any(True for _ in self.choices(table.position, chance)) or table.due(soon) is not None:
            return soon
        return next((at + pause for pause in _LONG_PAUSES if table.due(at + pause) is not None), soon)

    def _turn(self, sample: Sample, chance: Chance, at: int) -> Turn | None:
        """Play one command, and note what goes wrong; ``None`` if nobody can go on."""
        table = sample.table
        for seat, command in self.turns_at(table, chance, at):
            try:
                table.play(seat, command, at=at, settle=False)
            except CommandError as refused:
                why = f"{command} is listed, and refused: {refused}"
                name = type(command).__name__
                sample.note_trouble(Finding(why, event=name, seat=seat, check="listed-commands-are-accepted"))
            except LudologError as error:
                sample.note_trouble(self._fault(table, seat, command, at, error))
                return None
            else:
                return Turn(seat, command, at)
        why = f"the game has not ended, and nobody can go on; to act: {', '.join(table.to_act) or 'nobody'}"
        sample.note_trouble(Finding(why, field="to_act"))
        return None

    def _fault(self, table: Table, seat: Seat | None, command: Command, at: int, error: LudologError) -> Finding:
        """Name the event whose value can't be stored, if that is why a command failed."""
        try:
            events = self.ruleset.decide(table.position, seat, command, Chance(bytes(32)), at).events
        except LudologError:
            events = ()
        for event in events:
            name, field = type(event).__name__, _misfit(event)
            if field:
                return Finding(str(error), event=name, field=f"{name}.{field}", check="values-survive-their-encoding")
        return Finding(str(error), event=type(command).__name__, seat=seat)


def _misfit(event: Event) -> str:
    """The field that the event's own type doesn't read as it was given; empty if it reads all of them."""
    hints = get_type_hints(type(event), include_extras=True)
    for name in event.__struct_fields__:
        value = getattr(event, name)
        try:
            if msgspec.msgpack.decode(msgspec.msgpack.encode(value), type=hints[name]) != value:
                return name
        except (msgspec.MsgspecError, TypeError, ValueError, OverflowError):
            return name
    return ""


def some(items: Iterable[T], most: int) -> list[T]:
    """At most ``most`` of ``items``, evenly spread, the first and the last among them."""
    every = list(items)
    if len(every) <= most:
        return every
    last = len(every) - 1
    return [every[round(at * last / (most - 1))] for at in range(most)]
