"""``log``, ``replay`` and ``audit``: what happened at a table, and whether it was right."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Any, Final

import typer

from ludolog import Event, Seat, Table
from ludolog.folding import HOST
from ludolog_events import tag_of
from ludolog_plugins.cli.arguments import (
    STORE_FILE,
    As,
    AsHost,
    AsJson,
    Receipts,
    StorePlace,
    TableId,
    audience_from,
    receipts_from,
    table_at,
)
from ludolog_plugins.cli.console import draw, grid, headline, print_json, say
from ludolog_plugins.cli.exits import REFUSED
from ludolog_plugins.cli.keys import Keyboard, keyboard
from ludolog_plugins.cli.telling import Told, picture, seen, tell

__all__ = ["audit", "log", "replay"]

_COLOURS: Final = {"yes": "green", "no": "bold red", "unknown": "yellow"}


def log(
    table_id: TableId,
    seat: As = None,
    by: Annotated[
        str | None, typer.Option("--seat", metavar="SEAT", help="Only commands of this seat.", show_default=False)
    ] = None,
    kind: Annotated[
        str, typer.Option("--type", metavar="TEXT", help="Only events whose type holds this.", show_default=False)
    ] = "",
    store: StorePlace = STORE_FILE,
    *,
    host: AsHost = False,
    as_json: AsJson = False,
) -> None:
    """List the batches, with what everyone, a seat or the host was told of each."""
    with table_at(store, table_id) as table:
        who = audience_from(table, seat, host=host)
        if by is not None:
            audience_from(table, by, host=False)
        chosen = [found for found in tell(table, who) if _wanted(found, who, by, kind)]
        if as_json:
            print_json([_as_data(table, found, who, kind) for found in chosen])
            return
        told = [found for found in chosen if found.lines or who == HOST]
        if not told:
            say("Nothing that was told here fits.")
        for day, batches in itertools.groupby(told, lambda found: _moment(found.batch.time)[0]):
            headline(f"{day} (UTC)")
            _list_batches(table, who, list(batches))


def _list_batches(table: Table, who: Seat | None, batches: list[Told]) -> None:
    rows = [
        (
            str(found.batch.number) + ("" if _counts(table, found) else " undone"),
            _moment(found.batch.time)[1],
            found.batch.seat or "",
            _command_name(found, who),
            "\n".join(found.lines),
        )
        for found in batches
    ]
    columns = ["batch", "time", "seat", "command", "what happened"]
    shown = [place for place, name in enumerate(columns) if name != "command" or any(row[place] for row in rows)]
    grid([columns[place] for place in shown], [[row[place] for place in shown] for row in rows])


def _wanted(found: Told, who: Seat | None, by: Seat | None, kind: str) -> bool:
    # To a seat or a viewer, a batch of which it was told nothing never happened.
    if who != HOST and not found.lines and not found.facts:
        return False
    if by is not None and found.batch.seat != by:
        return False
    return not kind or any(kind in tag_of(type(event)) for event in _events(found))


def _events(found: Told) -> tuple[Event, ...]:
    """What was told, undo and redo included."""
    if found.facts or not found.sentences:
        return found.facts
    return found.batch.events


def _counts(table: Table, found: Told) -> bool:
    return found.batch.number not in table.history.dead


def _command_name(found: Told, who: Seat | None) -> str:
    """The command's name, for whom it is no secret."""
    mine = who is not None and who == found.batch.seat
    return tag_of(type(found.batch.command)).rpartition("/")[2] if mine or who == HOST else ""


def _as_data(table: Table, found: Told, who: Seat | None, kind: str) -> dict[str, Any]:
    batch = found.batch
    told: dict[str, Any] = {
        "number": batch.number,
        "time": batch.time,
        "seat": batch.seat,
        "counts": _counts(table, found),
        "events": [event for event in _events(found) if kind in tag_of(type(event))],
        "sentences": found.lines,
    }
    if who == HOST or (who is not None and who == batch.seat):
        told["command"] = batch.command
    return told


def _moment(microseconds: int) -> tuple[str, str]:
    """Day and time of day. Times come from outside, so one may lie beyond what a calendar holds."""
    try:
        moment = datetime.fromtimestamp(microseconds / 1_000_000, tz=UTC)
    except (ValueError, OverflowError, OSError):
        return "Microseconds since 1970", str(microseconds)
    return f"{moment:%Y-%m-%d}", f"{moment:%H:%M:%S}"


def replay(
    table_id: TableId,
    at: Annotated[
        int | None, typer.Option(metavar="N", help="Only the position after N batches.", show_default=False)
    ] = None,
    seat: As = None,
    store: StorePlace = STORE_FILE,
    *,
    host: AsHost = False,
    as_json: AsJson = False,
) -> None:
    """Go through a game step by step; in a terminal a key at a time, else all at once."""
    with table_at(store, table_id) as table:
        who = audience_from(table, seat, host=host)
        if at is not None:
            position = seen(table, who, at)
            if as_json:
                print_json({"at": at, "length": table.length, "picture": picture(position)})
                return
            headline(f"after {at} of {table.length} batches")
            draw(picture(position))
            return
        steps = (found for found in tell(table, who) if found.sentences or (as_json and found.facts))
        if as_json:
            for found in steps:
                print_json(_as_data(table, found, who, "") | {"picture": picture(found.view)})
            return
        _step_through(table, steps, keyboard())


def _step_through(table: Table, steps: Iterator[Told], keys: Keyboard) -> None:
    if keys.at_once:
        say("Any key goes on, b goes back, q leaves.", "dim")
    shown: list[Told] = []
    place = 0
    while True:
        while place >= len(shown):
            following = next(steps, None)
            if following is None:
                return
            shown.append(following)
        _show_step(table, shown[place])
        key = keys.key() if keys.at_once else " "
        if key in {"q", ""}:
            return
        place = max(place - 1, 0) if key == "b" else place + 1


def _show_step(table: Table, found: Told) -> None:
    headline(f"batch {found.batch.number}{'' if _counts(table, found) else ' (undone later)'}")
    for sentence in found.sentences:
        say(sentence)
    draw(picture(found.view))


def audit(
    table_id: TableId, receipt: Receipts = None, store: StorePlace = STORE_FILE, *, as_json: AsJson = False
) -> None:
    """Answer whether this is the log, whether it gives this position, and whether it was played by the rules."""
    with table_at(store, table_id) as table:
        report = table.audit(receipts_from(receipt, table.id))
        if as_json:
            print_json({"ok": report.ok, "table": report.table, "answers": report.answers})
        else:
            for answer in report.answers:
                say(f"{answer.question} {answer.verdict}", _COLOURS[answer.verdict])
                say(f"    {answer.why}")
            say(f"Receipt {table.receipt.length}:{table.receipt.head}", "dim")
        if not report.ok:
            raise typer.Exit(REFUSED)
