"""What happened at a table, in sentences for one audience."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ludolog import Event, Outcome, Position, Ruleset, Seat, Table
from ludolog.folding import HOST
from ludolog.frame import Frame, Redone, Undone
from ludolog.story import turned_back
from ludolog_events import Batch, Command, told
from ludolog_plugins.cli.arguments import program, stored_at
from ludolog_plugins.cli.console import grid, say
from ludolog_plugins.cli.scores import score_rows

__all__ = [
    "Told",
    "picture",
    "say_how_to_go_on",
    "say_how_to_look_back",
    "seen",
    "tell",
    "tell_outcome",
    "tell_who_acts",
    "wishes_of",
]


class Told(NamedTuple):
    """What an audience was told of one batch; ``view`` is what it saw afterwards.

    ``lines`` are the sentences, or what can be said of the command where they are none; empty only for whom nothing
    happened.
    """

    batch: Batch[Command, Event]
    facts: tuple[Event, ...]
    sentences: tuple[str, ...]
    view: Position
    lines: tuple[str, ...]


def seen(table: Table, who: Seat | None, at: int | None = None) -> Position:
    """The table as ``who`` saw it after ``at`` batches (by default now); ``HOST`` sees everything."""
    length = table.length if at is None else at
    return table.at(length) if who == HOST else table.view(who, at=length)


def wishes_of(ruleset: Ruleset, kind: str = "text") -> tuple[str, ...]:
    """What the game's picture can be asked to show besides: the names of its yes-or-no keywords."""
    function = ruleset.pictures.get(kind)
    if function is None:
        return ()
    parameters = inspect.signature(function).parameters.values()
    return tuple(found.name for found in parameters if found.kind is found.KEYWORD_ONLY and found.default is False)


def picture(position: Position, wishes: Iterable[str] = ()) -> str:
    """The position as text; before set-up there is nothing to see."""
    if not position[Frame].begun:
        return "The game has not begun."
    return position.ruleset.draw("text", position, **dict.fromkeys(wishes, True))


def tell(table: Table, who: Seat | None, start: int = 0, stop: int | None = None) -> Iterator[Told]:
    """The batches from ``start`` to ``stop`` (excluded; by default all), as ``who`` was told them."""
    view = seen(table, who, start)
    for batch in table.journal.batches(start, table.length if stop is None else stop):
        before = view
        facts: list[Event] = []
        sentences: list[str] = []
        for event in batch.events:
            if isinstance(event, Undone | Redone):
                # The position is not one step from the last then, so it is looked up.
                view = seen(table, who, batch.number + 1)
                sentence = _turned_back(table, who, event)
            else:
                fact = event if who == HOST else told(event, who)
                if fact is None:
                    continue
                view = table.ruleset.fold(view, (fact,))
                facts.append(fact)
                sentence = table.ruleset.tell(view, fact)
            if sentence:
                sentences.append(sentence)
        lines = sentences or _of_the_command(before, who, batch, told_of=bool(facts))
        yield Told(batch, tuple(facts), tuple(sentences), view, tuple(lines))


def _of_the_command(before: Position, who: Seat | None, batch: Batch[Command, Event], *, told_of: bool) -> list[str]:
    """A command in words for whom it is no secret; for others who were told of it, that there was one."""
    if who == HOST or (who is not None and who == batch.seat):
        sentence = before.ruleset.tell(before, batch.command)
        return [f"{batch.seat or 'The host'}: {sentence}"] if sentence else []
    return [f"{batch.seat or 'The host'} has acted."] if told_of else []


def _turned_back(table: Table, who: Seat | None, event: Undone | Redone) -> str:
    """An undo or redo in words; empty for whom it changes nothing, who must not even learn of it."""
    touched = sum(
        any(who == HOST or told(fact, who) is not None for fact in batch.events)
        for number in event.batches
        for batch in table.journal.batches(number, number + 1)
    )
    if not touched and who != event.by:
        return ""
    return turned_back(event.by, touched, restored=isinstance(event, Redone))


def tell_who_acts(table: Table) -> None:
    """Print who may act, or how the game ended."""
    if table.outcome is not None:
        say(f"The game is over: {table.outcome.sentence}")
    elif table.to_act:
        say(f"To act: {', '.join(table.to_act)}.")


def say_how_to_go_on(table: Table, me: Seat, place: str) -> None:
    """Print the command that goes on with a game that was left, in the store at ``place``."""
    say(f"\nGo on later: {program()} play {table.id} --as {me}{stored_at(place)}")


def say_how_to_look_back(table: Table, me: Seat, place: str) -> None:
    """Print the commands that check a game that is over, and show it again."""
    where = stored_at(place)
    say(f"\nCheck it: {program()} audit {table.id}{where}")
    say(f"See it again: {program()} replay {table.id} --as {me}{where}")


def tell_outcome(outcome: Outcome) -> None:
    """Print how a game ended, with the score sheets line by line."""
    clause = f" ({outcome.clause})" if outcome.clause else ""
    say(f"{outcome.sentence}{clause}", "bold")
    for place, level in enumerate(outcome.ranking, 1):
        say(f"  {'drawn' if outcome.drawn else f'{place}.'} {' and '.join(level)}")
    rows = score_rows(outcome.scores)
    if not rows:
        return
    seats = [sheet.seat for sheet in outcome.scores]
    rows.append(["Total", *(str(sheet.total) for sheet in outcome.scores), ""])
    grid(["", *seats, "clause"], rows, right=seats)
