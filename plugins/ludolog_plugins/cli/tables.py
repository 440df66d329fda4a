"""``new``, ``legal``, ``do``, ``undo`` and ``redo``: one step at a table, for people and programs."""

from __future__ import annotations

import re
from collections import Counter
from typing import Annotated, Literal

import msgspec
import typer

from ludolog import Command, Receipt, Refusal, Seat, Table, catalogue, table_from
from ludolog.errors import CommandError
from ludolog_plugins.cli.arguments import (
    STORE_FILE,
    As,
    AsJson,
    PlayingAs,
    StorePlace,
    TableId,
    acting_seat,
    short,
    store_at,
    table_at,
)
from ludolog_plugins.cli.console import grid, print_json, say
from ludolog_plugins.cli.telling import tell, tell_who_acts

__all__ = [
    "GivenOptions",
    "GivenSeed",
    "GivenVariants",
    "do",
    "legal",
    "new",
    "redo",
    "seed_of",
    "split_options",
    "undo",
]

GivenVariants = Annotated[
    list[str] | None, typer.Option("--variant", "-v", metavar="NAME", help="Switch a variant on.", show_default=False)
]
GivenOptions = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="Set an option of game or variant.", show_default=False),
]
GivenSeed = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="Where all chance comes from; by default nobody knows it.", show_default=False),
]


def split_options(given: list[str] | None) -> dict[str, str]:
    """Options by name.

    Raises:
        typer.BadParameter: One is not of the form ``NAME=VALUE``.
    """
    found: dict[str, str] = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        if not equals:
            msg = f"{text!r} should read NAME=VALUE."
            raise typer.BadParameter(msg)
        found[name.strip()] = value.strip()
    return found


def seed_of(text: str | None) -> int | str | None:
    """A seed as ``new_table`` takes it: ``7`` means the number, as it does in Python."""
    return int(text) if text is not None and re.fullmatch(r"-?[0-9]{1,30}", text) else text


def new(
    game: Annotated[str, typer.Argument(metavar="GAME", show_default=False)],
    seats: Annotated[list[str], typer.Argument(metavar="SEAT...", help="Clockwise.", show_default=False)],
    variant: GivenVariants = None,
    option: GivenOptions = None,
    seed: GivenSeed = None,
    table_id: Annotated[
        str | None,
        typer.Option(
            "--id", metavar="ID", help="Id of the table; by default a new one is made up.", show_default=False
        ),
    ] = None,
    store: StorePlace = STORE_FILE,
    *,
    ask_seats: Annotated[
        bool, typer.Option("--ask-seats", help="Ask each seat for a contribution to the dice before the game begins.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Open a new table."""
    ruleset = catalogue().ruleset(game, variant or (), split_options(option))
    ruleset.check_seats(seats)
    with store_at(store, create=True) as kept:
        contributions: Literal["asked"] | None = "asked" if ask_seats else None
        table = table_from(ruleset, seats, seed=seed_of(seed), contributions=contributions, store=kept, id=table_id)
        if as_json:
            print_json(table.receipt)
            return
        say(f"Table {table.id} of {table.ruleset.id} is open for {', '.join(table.seats)}.")
        tell_who_acts(table)
        say(f"Receipt {short(table.receipt)}", "dim")


def legal(table_id: TableId, seat: As = None, store: StorePlace = STORE_FILE, *, as_json: AsJson = False) -> None:
    """List the legal commands of a seat, numbered for 'do'; with --json, the commands themselves."""
    with table_at(store, table_id) as table:
        if table.over and seat is None:
            if as_json:
                print_json([])
            else:
                tell_who_acts(table)
            return
        name = acting_seat(table, seat)
        commands = table.legal(name)
        if as_json:
            print_json(commands)
            return
        if not commands:
            say(f"{name} may not act now.")
            tell_who_acts(table)
            return
        view = table.view(name)
        sentences = [table.ruleset.tell(view, command) for command in commands]
        alike = {sentence for sentence, count in Counter(sentences).items() if count > 1}
        rows = [
            # Told in the same words, commands differ in what only they themselves say.
            (str(number), sentence, msgspec.json.encode(command).decode() if sentence in alike else "")
            for number, (sentence, command) in enumerate(zip(sentences, commands, strict=True), 1)
        ]
        shown = 3 if alike else 2
        grid(["", name, "command"][:shown], [row[:shown] for row in rows], right=[""])


def do(
    table_id: TableId,
    command: Annotated[
        str, typer.Argument(metavar="COMMAND", help="A number from 'legal', or JSON.", show_default=False)
    ],
    seat: PlayingAs = None,
    command_id: Annotated[
        str | None, typer.Option(metavar="ID", help="Makes a retry harmless.", show_default=False)
    ] = None,
    expect: Annotated[
        int | None, typer.Option(metavar="N", help="Only if the log has N batches.", show_default=False)
    ] = None,
    store: StorePlace = STORE_FILE,
    *,
    host: Annotated[bool, typer.Option("--host", help="As the host.")] = False,
    as_json: AsJson = False,
) -> None:
    """Play a command for a seat."""
    with table_at(store, table_id) as table:
        who = None if host else acting_seat(table, seat)
        before = table.length
        try:
            chosen = _command(table, who, command)
            receipt = table.play(who, chosen, command_id=command_id, expect=expect)
        except CommandError as error:
            if not as_json:
                raise
            print_json({"refusal": error.refusal})
            raise typer.Exit(1) from None
        _say_done(table, who, receipt, before, as_json=as_json)


def _command(table: Table, seat: Seat | None, text: str) -> Command:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        return table.ruleset.read_command(text)
    commands = table.legal(seat) if seat is not None else ()
    number = int(text)
    if not 1 <= number <= len(commands):
        raise CommandError(Refusal(code="no-such-number", sentence=_why_no_number(table, seat, number, len(commands))))
    return commands[number - 1]


def _why_no_number(table: Table, seat: Seat | None, number: int, count: int) -> str:
    if seat is None:
        return f"The host's commands have no numbers, so there is no number {number}; give the command as JSON."
    if count:
        return f"{seat} has {count} legal command{'s' if count > 1 else ''} now, so there is no number {number}."
    if table.outcome is not None:
        return f"{seat} may not act any more. The game is over: {table.outcome.sentence}"
    return f"{seat} may not act now. To act: {', '.join(table.to_act) or 'nobody'}."


def _say_done(table: Table, seat: Seat | None, receipt: Receipt, before: int, *, as_json: bool) -> None:
    if as_json:
        print_json(receipt)
        return
    if receipt.repeated:
        say("This command was recorded before; nothing was written.")
    for found in tell(table, seat, before):
        for sentence in found.lines:
            say(sentence)
    tell_who_acts(table)
    say(f"Receipt {short(receipt)}", "dim")


def undo(
    table_id: TableId,
    seat: As = None,
    to: Annotated[
        int | None, typer.Option(metavar="N", help="Take back all from batch N on.", show_default=False)
    ] = None,
    consent: Annotated[
        list[str] | None, typer.Option(metavar="SEAT", help="A seat that agrees.", show_default=False)
    ] = None,
    store: StorePlace = STORE_FILE,
    *,
    host: Annotated[bool, typer.Option("--host", help="As the host, whom nobody can refuse.")] = False,
    as_json: AsJson = False,
) -> None:
    """Take back the last command: a seat's own while nobody learnt anything from it, else by consent of all."""
    with table_at(store, table_id) as table:
        who = _undoing_seat(table, seat, host=host, number=table.history.last())
        before = table.length
        receipt = table.undo(who, to=to, consent=consent or ())
        _say_done(table, who, receipt, before, as_json=as_json)


def redo(
    table_id: TableId,
    seat: As = None,
    store: StorePlace = STORE_FILE,
    *,
    host: Annotated[bool, typer.Option("--host", help="As the host.")] = False,
    as_json: AsJson = False,
) -> None:
    """Let what was taken back last count again."""
    with table_at(store, table_id) as table:
        number = table.history.redoable[-1].batches[-1] if table.history.redoable else -1
        who = _undoing_seat(table, seat, host=host, number=number)
        before = table.length
        receipt = table.redo(who)
        _say_done(table, who, receipt, before, as_json=as_json)


def _undoing_seat(table: Table, seat: Seat | None, *, host: bool, number: int) -> Seat | None:
    """The seat that was named, the host (``None``), or whoever played batch ``number``."""
    if host and seat is not None:
        msg = "--as and --host exclude each other."
        raise typer.BadParameter(msg)
    if host or seat is not None:
        return seat
    for batch in table.journal.batches(max(number, 0), number + 1):
        if batch.seat is not None:
            return batch.seat
    return table.seats[0]
