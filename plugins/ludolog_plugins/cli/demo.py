"""``demo``: one whole bug race between bots, told move by move, kept in a file, undone, redone and audited."""

from __future__ import annotations

import os
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.text import Text

from ludolog import Position, Store, Table, new_table
from ludolog.errors import UndoRefused
from ludolog_plugins.bots.match import bot_chance, bot_from, play_turn
from ludolog_plugins.cli.arguments import program, short, store_at, stored_at
from ludolog_plugins.cli.console import console, draw, headline, say
from ludolog_plugins.cli.telling import tell, tell_outcome

__all__ = ["DEMO_FILE", "demo"]

DEMO_FILE: Final = "ludolog-demo.db"
_GAME: Final = "dark-horse-bugs"
_VARIANT: Final = "dilly-dally"
_SEATS: Final = ("ann", "bob", "cy")
_BOTS: Final = ("search:playouts=60", "greedy", "random")
_SEED: Final = 15
_UNDONE_AT: Final = 5
"""Batches after which somebody changes their mind: the third bug has just joined the line."""
_BUGS: Final = 7


def demo(
    store: Annotated[
        Path | None,
        typer.Option(
            "--store", "-s", metavar="PATH", help=f"By default {DEMO_FILE} in this folder.", show_default=False
        ),
    ] = None,
) -> None:
    """Watch three bots play a whole bug race with Dilly Dally; see undo, redo and audit, and keep the log."""
    place = str(store or _default_place())
    with store_at(place, create=True) as kept:
        table = new_table(_GAME, _SEATS, (_VARIANT,), seed=_SEED, store=kept, id=_free_id(kept))
        headline("Three bots race seven bugs, with Ant tokens on the one that starts last")
        say("ann searches, bob is greedy, cy plays anything.", "dim")
        say("Told is what everyone may know: hands and Goal cards stay hidden until the end.\n", "dim")
        for line in _story(table):
            console().print(line)
        say("")
        draw(str(table.view(None)))
        say("")
        if table.outcome is not None:
            tell_outcome(table.outcome)
        _check(table)
        _what_next(table, place)


def _default_place() -> Path:
    if os.access(Path.cwd(), os.W_OK):
        return Path(DEMO_FILE)
    return Path(tempfile.mkdtemp(prefix="ludolog-")) / DEMO_FILE


def _free_id(store: Store) -> str:
    taken = set(store.tables())
    number = 1
    while (name := "demo" if number == 1 else f"demo-{number}") in taken:
        number += 1
    return name


def _story(table: Table) -> Iterator[Text]:
    """Let the bots play, and tell each batch as soon as it is recorded."""
    bots = {seat: bot_from(spec) for seat, spec in zip(table.seats, _BOTS, strict=True)}
    chances = {seat: bot_chance("demo", seat) for seat in table.seats}
    yield from _news(table, 0)
    refused = False
    while table.to_act:
        seat = table.to_act[0]
        before = table.length
        play_turn(table, seat, bots[seat], chances[seat])
        yield from _news(table, before)
        if table.length == _UNDONE_AT:
            yield from _second_thoughts(table)
        elif not refused and len(_line(table.view(None))) == _BUGS:
            refused = True
            yield from _try_undo(table)


def _news(table: Table, start: int) -> Iterator[Text]:
    for found in tell(table, None, start):
        before = table.view(None, at=found.batch.number)
        yield Text(_paragraph(str(found.batch.number), " ".join(found.sentences)))
        if _line(found.view) != _line(before):
            yield track(found.view, before)


def _paragraph(number: str, text: str) -> str:
    width = min(console().width, 100)
    return textwrap.fill(text, width, initial_indent=f"{number:>3}  ", subsequent_indent=" " * 5)


def _line(view: Position) -> tuple[str, ...]:
    """The bugs from front to rear."""
    from ludolog_plugins.dark_horse_bugs.state import Race  # noqa: PLC0415 - without the game, only the demo is missing

    return view[Race].line


def track(view: Position, before: Position) -> Text:
    """The track in one line, finish first; bugs that went forward are marked ``<``, pushed back ones ``>``."""
    now, then = _line(view), _line(before)
    drawn = Text("     finish ", style="dim")
    for place, bug in enumerate(now):
        old = then.index(bug) if bug in then else None
        if old is None or old == place or len(now) != len(then):
            drawn.append(f" {bug} ", style="default" if bug in then else "bold green")
        else:
            drawn.append(f" <{bug} " if place < old else f" {bug}> ", style="bold green" if place < old else "yellow")
    return drawn.append(" start")


def _second_thoughts(table: Table) -> Iterator[Text]:
    """Nobody learnt anything from a bug that joined the line, so its seat may take it back."""
    for batch in table.journal.batches(table.length - 1, table.length):
        before = table.length
        table.undo(batch.seat)
        table.redo(batch.seat)
        yield from _news(table, before)


def _try_undo(table: Table) -> Iterator[Text]:
    """Hands were dealt after the last bug joined, so it has to stay where it is."""
    for batch in table.journal.batches(table.length - 1, table.length):
        try:
            table.undo(batch.seat)
        except UndoRefused as refusal:
            yield Text(_paragraph("", f"{batch.seat} would like to take that back, too. {refusal}"), style="yellow")


def _check(table: Table) -> None:
    headline("Audit")
    report = table.audit([table.receipt])
    for answer in report.answers:
        say(str(answer), "green" if answer.verdict == "yes" else "bold red")
    if not report.ok:
        raise typer.Exit(1)


def _what_next(table: Table, place: str) -> None:
    call, where = program(), stored_at(place)
    say("")
    headline("What next")
    say(f"The log of table {table.id} is in {place}: {table.length} batches, receipt {short(table.receipt)[:20]}...\n")
    for what, command in (
        ("go through it step by step", f"replay {table.id}{where}"),
        ("see what ann was told", f"log {table.id} --as ann{where}"),
        ("audit it yourself", f"audit {table.id}{where}"),
        ("share it, for anyone to verify", f"export {table.id} {table.id}.ludolog{where}"),
        ("let bots play a hundred games", f"simulate {_GAME} ann bob cy --variant {_VARIANT} -n 100"),
        ("read a rule", f"rules {_GAME} DH-33"),
        ("play against bots", f"play {_GAME} --variant {_VARIANT}"),
    ):
        say(f"  {call} {command}", "bold")
        say(f"      {what}")
