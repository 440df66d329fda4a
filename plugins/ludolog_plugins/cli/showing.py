"""``show``: a table as somebody sees it, and the list of all tables."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from ludolog import LudologError, Position, Store, Table
from ludolog.bundles import write_lines
from ludolog.opening import read_opening
from ludolog_plugins.cli.arguments import (
    STORE_FILE,
    As,
    AsHost,
    AsJson,
    StorePlace,
    audience_from,
    short,
    store_at,
    table_at,
)
from ludolog_plugins.cli.console import draw, grid, headline, print_json, say
from ludolog_plugins.cli.telling import picture, seen, tell_outcome, tell_who_acts, wishes_of

__all__ = ["show"]


def show(
    table_id: Annotated[
        str,
        typer.Argument(metavar="[TABLE]", help="Id, or how it begins; without it, all are listed.", show_default=False),
    ] = "",
    seat: As = None,
    at: Annotated[int | None, typer.Option(metavar="N", help="After N batches.", show_default=False)] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the picture as SVG; - prints it.", show_default=False)
    ] = None,
    wish: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="NAME", help="What the game's picture can show besides.", show_default=False),
    ] = None,
    store: StorePlace = STORE_FILE,
    *,
    host: AsHost = False,
    as_json: AsJson = False,
) -> None:
    """Show a table as a seat sees it, or as everyone does; without a table, list them."""
    if not table_id:
        with store_at(store) as kept:
            _list_tables(kept, as_json=as_json)
        return
    with table_at(store, table_id) as table:
        position = seen(table, audience_from(table, seat, host=host), at)
        if svg is not None:
            _draw_svg(position, svg, _checked_wishes(table, wish, "svg"))
        elif as_json:
            print_json(_table_data(table) | {"view": _slices(position)})
        else:
            headline(f"{table.id}: {table.ruleset.id}, {', '.join(table.seats)}")
            draw(picture(position, _checked_wishes(table, wish, "text")))
            if at is None:
                say("")
                tell_who_acts(table)
            if position.outcome is not None:
                tell_outcome(position.outcome)
            say(f"Receipt {short(table.receipt)}", "dim")


def _checked_wishes(table: Table, wishes: list[str] | None, kind: str) -> list[str]:
    if kind not in table.ruleset.pictures and kind == "svg":
        msg = f"{table.ruleset.game.id} has no picture as SVG."
        raise typer.BadParameter(msg)
    known = wishes_of(table.ruleset, kind)
    for wish in wishes or ():
        if wish not in known:
            msg = f"the picture can't be asked for {wish!r}; it can for {', '.join(known) or 'nothing'}."
            raise typer.BadParameter(msg)
    return wishes or []


def _draw_svg(position: Position, path: Path, wishes: list[str]) -> None:
    drawn = position.svg(**dict.fromkeys(wishes, True))
    if str(path) == "-":
        sys.stdout.write(drawn + "\n")
        return
    write_lines(path, [drawn.encode()])
    say(f"The picture is in {path}.")


def _list_tables(store: Store, *, as_json: bool) -> None:
    """Readable without the plugins that the tables were played with."""
    rows: list[dict[str, Any]] = []
    for name in store.tables():
        row: dict[str, Any] = {"table": name, "length": store.head(name).length}
        try:
            opened = read_opening(store, name)
            row |= {"rules": [part.id for part in opened.rules], "seats": opened.seats}
        except LudologError as error:
            row["error"] = str(error)
        rows.append(row)
    if as_json:
        print_json(rows)
        return
    if not rows:
        say("There is no table here yet.")
        return
    lines = [
        (
            row["table"],
            " + ".join(row.get("rules", ())) or row.get("error", ""),
            ", ".join(row.get("seats", ())),
            str(row["length"]),
        )
        for row in rows
    ]
    grid(["table", "rules", "seats", "batches"], lines, right=["batches"])


def _table_data(table: Table) -> dict[str, Any]:
    return {
        "table": table.id,
        "rules": table.opened.rules,
        "seats": table.seats,
        "to_act": table.to_act,
        "over": table.over,
        "outcome": table.outcome,
        "length": table.length,
        "head": table.receipt.head,
    }


def _slices(position: Position) -> dict[str, Any]:
    return {name: position.slices[kind] for kind, name in position.ruleset.state_types.items()}
