"""A campaign: thousands of random games under the cheap checks, in several processes.

Each game is drawn anew: how many seats, which variants and options where they are left open, and every command. What
fails is made small: fewer variants, fewer options that differ from their defaults, as long as it still fails.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import functools
import gc
import importlib
import itertools
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from ludolog.catalogue import catalogue
from ludolog.errors import BadOptions, CompositionError
from ludolog.position import Position
from ludolog.testing.bot_games import BotSubject
from ludolog.testing.cheap import check_cheaply
from ludolog.testing.drawing import Drawn, Plan, draw, listing, ruleset_of
from ludolog.testing.findings import Finding
from ludolog.testing.subject import Sample, Settings, Subject

__all__ = ["Failure", "Figures", "Plan", "Widest", "campaign", "play", "shrink"]

_CHUNK: Final = 20
_TRIES: Final = 4
_TOLD: Final = 5


class Failure(msgspec.Struct, frozen=True):
    """A game that breaks a promise, and what was left of it when it was made small."""

    drawn: Drawn
    check: str
    why: str


class Widest(NamedTuple):
    """The most commands that were ever legal for a seat, of what types mostly, and in which game after which batch."""

    commands: int
    kind: str
    batch: int
    drawn: Drawn

    def __str__(self) -> str:
        """In words."""
        return f"at most {self.commands} commands legal, mostly {self.kind}, after batch {self.batch} of {self.drawn}"


class Figures(NamedTuple):
    """What came of a campaign: games that ended, by reason; batches and events; choices that were played; failures.

    Also how many commands each game took, what was counted at its end, both in rising order, and the most commands
    that were ever legal at once for a seat.
    """

    ends: Counter[str]
    batches: int
    events: int
    choices: frozenset[tuple[tuple[str, ...], str]]
    failures: tuple[Failure, ...]
    lengths: tuple[int, ...] = ()
    counts: tuple[int, ...] = ()
    widest: Widest | None = None

    def plus(self, other: Figures) -> Figures:
        """Both together."""
        return Figures(
            self.ends + other.ends,
            self.batches + other.batches,
            self.events + other.events,
            self.choices | other.choices,
            (*self.failures, *other.failures),
            tuple(sorted((*self.lengths, *other.lengths))),
            tuple(sorted((*self.counts, *other.counts))),
            max(self.widest, other.widest, key=lambda found: found.commands if found is not None else -1),
        )


NOTHING: Final = Figures(Counter(), 0, 0, frozenset(), ())


def campaign(plan: Plan, *, jobs: int = 1) -> tuple[Figures, str]:
    """Play all games of a plan; the figures, and one line that tells them.

    Failures are made small; of those that break the same promise in the same place, the first is kept.

    Raises:
        LudologError: The game or a variant isn't there, or what is fixed doesn't fit together.
    """
    begun = time.monotonic()
    plan = listing(plan)
    ruleset_of(draw(plan, plan.first), plan)
    numbers = range(plan.first, plan.first + plan.games)[plan.part[0] - 1 :: plan.part[1]]
    chunks = [numbers[at : at + _CHUNK] for at in range(0, len(numbers), _CHUNK)]
    total = NOTHING
    if jobs == 1:
        parts: Iterator[Figures] = map(functools.partial(_play_some, plan), chunks)
        total = functools.reduce(Figures.plus, parts, NOTHING)
    else:
        with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
            total = functools.reduce(Figures.plus, pool.map(functools.partial(_play_some, plan), chunks), NOTHING)
    firsts = {(failure.check, failure.why.partition(":")[0]): failure for failure in reversed(total.failures)}
    small = tuple(shrink(plan, failure) for failure in itertools.islice(reversed(firsts.values()), _TOLD))
    seconds = time.monotonic() - begun
    return total._replace(failures=small), _line(plan, len(numbers), total, seconds)


def _line(plan: Plan, games: int, total: Figures, seconds: float) -> str:
    variants = len({variants for variants, _ in total.choices})
    options = len({options for _, options in total.choices})
    ends = ", ".join(f"{reason} {count}" for reason, count in total.ends.most_common())
    return (
        f"{games} games of {plan.game} ({variants} sets of variants, {options} choices of options): "
        f"{total.ends.total()} ended ({ends or 'none'}), {len(total.failures)} failed; "
        f"{total.batches} batches and {total.events} events in {seconds:.0f} s, {games / seconds:.1f} games a s"
        f"{_spread('commands', total.lengths)}{_spread(plan.count.partition(':')[2], total.counts)}"
        f"{f'; {total.widest}' if total.widest is not None else ''}"
    )


def _spread(what: str, rising: tuple[int, ...]) -> str:
    return f"; {rising[0]} to {rising[-1]} {what}, median {rising[len(rising) // 2]}" if rising else ""


def _play_some(plan: Plan, numbers: range) -> Figures:
    total = NOTHING
    for number in numbers:
        drawn = draw(plan, number)
        choice = frozenset({(drawn.variants, repr(sorted(drawn.options.items())))})
        try:
            with _nothing_collected():
                sample = play(plan, drawn)
        except Finding as finding:
            failure = Failure(drawn, finding.check, str(finding))
            total = total.plus(Figures(Counter(), 0, 0, choice, (failure,)))
            continue
        outcome = sample.table.outcome
        ends = Counter([outcome.reason]) if outcome is not None else Counter[str]()
        events = sum(len(facts.events) for facts in sample.facts)
        counted = (_named(plan.count)(sample.positions[-1]),) if plan.count else ()
        lengths, widest = (len(sample.turns),), _widest(sample, drawn)
        total = total.plus(Figures(ends, sample.table.length, events, choice, (), lengths, counted, widest))
    return total


@contextlib.contextmanager
def _nothing_collected() -> Generator[None, None, None]:
    """Without looking for garbage: a game keeps all its positions until it is checked, and there are no cycles."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _widest(sample: Sample, drawn: Drawn) -> Widest:
    """Where the most commands were listed."""
    lists = ((number, listed) for number, seats in enumerate(sample.listed) for listed in seats.values())
    number, listed = max(lists, key=lambda found: len(found[1]))
    kinds = Counter(type(command).__name__ for command in listed)
    return Widest(len(listed), kinds.most_common(1)[0][0] if kinds else "none", number, drawn)


def play(plan: Plan, drawn: Drawn) -> Sample:
    """Play one game, under the cheap checks.

    Raises:
        Finding: It breaks a promise.
    """
    invariants = tuple(map(_named, plan.invariants))
    settings = Settings(games=1, bound=plan.bound, invariants=invariants)
    ruleset = ruleset_of(drawn, plan)
    if plan.bots:
        subject: Subject = BotSubject(ruleset, drawn.seats, settings, plan.bots)
    else:
        subject = Subject(ruleset, drawn.seats, settings)
    sample = check_cheaply(subject, drawn.number)
    outcome = sample.table.outcome
    if outcome is not None and outcome.reason in plan.unwanted:
        finding = Finding(f"the game ends by {outcome.reason}", batch=sample.table.length - 1, check="wanted-ends")
        finding.game = str(subject)
        raise finding
    return sample


def _named(spec: str) -> Callable[[Position], Any]:
    """A function of a position, named as ``"module:function"``."""
    module, _, name = spec.partition(":")
    found: Callable[[Position], Any] = getattr(importlib.import_module(module), name)
    return found


# ---------------------------------------------------------------- making a failure small


def shrink(plan: Plan, failure: Failure, *, patience: float = 120) -> Failure:
    """The same failure with as few variants and other than default options as possible.

    Args:
        plan: The campaign.
        failure: What to make small.
        patience: Seconds after which the smallest that was found so far has to do.
    """
    end = time.monotonic() + patience
    smaller = True
    while smaller and time.monotonic() < end:
        smaller = False
        for drawn in _smaller(failure.drawn, {**catalogue().game(plan.game).bot_options, **plan.options}):
            found = _still_fails(plan, drawn, failure.check)
            if found is not None:
                failure, smaller = found, True
                break
            if time.monotonic() > end:
                break
    return failure


def _smaller(drawn: Drawn, fixed: Mapping[str, Any]) -> Iterator[Drawn]:
    """Smaller choices, the smallest first: without half of the variants or options, then without one of them."""
    free = [name for name in drawn.options if name not in fixed]
    for some in _parts(drawn.variants):
        options = {name: value for name, value in drawn.options.items() if name.rpartition(":")[0] not in {*some}}
        variants = tuple(name for name in drawn.variants if name not in some)
        yield msgspec.structs.replace(drawn, variants=variants, options=options)
    for some in _parts(free):
        options = {name: value for name, value in drawn.options.items() if name not in some}
        yield msgspec.structs.replace(drawn, options=options)


def _parts(names: Sequence[str]) -> Iterator[Sequence[str]]:
    """All of the names, then halves, quarters and so on, then each alone."""
    size = len(names)
    while size:
        for start in range(0, len(names), size):
            yield names[start : start + size]
        if size == 1:
            return
        size = (size + 1) // 2


def _still_fails(plan: Plan, drawn: Drawn, check: str) -> Failure | None:
    """Whether a smaller choice breaks the same promise, in this game or in one of a few others."""
    for number in range(drawn.number, drawn.number + _TRIES):
        again = msgspec.structs.replace(drawn, number=number)
        try:
            if drawn.seats not in ruleset_of(again, plan).seat_counts:
                return None
            play(plan, again)
        except (CompositionError, BadOptions):
            return None
        except Finding as finding:
            if finding.check == check:
                return Failure(again, check, str(finding))
    return None
