"""Arguments and options that several commands share, and the tables that they name."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import msgspec
import typer

from ludolog import Receipt, Seat, Store, Table, open_store, open_table
from ludolog.errors import UnknownTable
from ludolog.folding import HOST

__all__ = [
    "STORE_FILE",
    "As",
    "AsHost",
    "AsJson",
    "PlayingAs",
    "Receipts",
    "StorePlace",
    "TableId",
    "acting_seat",
    "audience_from",
    "find_id",
    "program",
    "receipts_from",
    "short",
    "store_at",
    "stored_at",
    "table_at",
]

_STORE_VARIABLE: Final = "LUDOLOG_STORE"
STORE_FILE: Final = "ludolog.db"
"""Where tables are kept unless something else is said, in the current folder."""

StorePlace: TypeAlias = Annotated[
    str, typer.Option("--store", "-s", envvar=_STORE_VARIABLE, metavar="PATH|URL", help="Where tables are kept.")
]
TableId: TypeAlias = Annotated[
    str, typer.Argument(metavar="TABLE", help="Id of a table, or how it begins.", show_default=False)
]
As: TypeAlias = Annotated[
    str | None, typer.Option("--as", "-a", metavar="SEAT", help="Which seat asks.", show_default=False)
]
PlayingAs: TypeAlias = Annotated[
    str | None, typer.Option("--as", "-a", metavar="SEAT", help="Which seat plays.", show_default=False)
]
AsHost: TypeAlias = Annotated[bool, typer.Option("--host", help="As the host, secrets included.")]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="JSON, for programs.")]
Receipts: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--receipt", "-r", metavar="LENGTH:HEAD", help="A receipt that you hold.", show_default=False),
]


def program() -> str:
    """How the reader can call this program: by name if the shell would find it, else by its path."""
    name = Path(sys.argv[0])
    if name.stem != "ludolog" or not name.exists():
        return "ludolog"
    found = shutil.which(name.name)
    if found is not None and Path(found).samefile(name):
        return name.stem
    here = Path.cwd()
    path = name.absolute()
    return shlex.quote(str(path.relative_to(here) if path.is_relative_to(here) else path))


def stored_at(place: str) -> str:
    """What a command needs besides to find the store, with a space before it; nothing if it finds it anyway."""
    # What the environment says stays there: it may hold a password.
    known = place in {STORE_FILE, os.environ.get(_STORE_VARIABLE)}
    return "" if known else f" --store {shlex.quote(place)}"


@contextmanager
def store_at(place: str, *, create: bool = False) -> Generator[Store]:
    """The store at a path or URL; closed at the end."""
    store = open_store(place, create=create)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def table_at(place: str, name: str) -> Generator[Table]:
    """A table by its id or how that begins; the store is closed at the end.

    Raises:
        UnknownTable: No table's id begins so, or several do.
    """
    with store_at(place) as store:
        yield open_table(find_id(store, name), store)


def find_id(store: Store, name: str) -> str:
    """The full id of a table.

    Raises:
        UnknownTable: No table's id begins so, or several do.
    """
    every = store.tables()
    if name in every:
        return name
    found = [other for other in every if other.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        msg = f"Several tables here begin with {name!r}: {', '.join(found[:5])}{', ...' if len(found) > 5 else ''}."  # noqa: PLR2004 - enough to see
    else:
        msg = f"There is no table {name!r} here; 'ludolog show' lists the tables."
    raise UnknownTable(msg)


def acting_seat(table: Table, seat: Seat | None) -> Seat:
    """The seat that was named, or the only one that may act.

    Raises:
        typer.BadParameter: Nobody was named, and not just one seat may act.
    """
    if seat is not None:
        return seat
    acting = table.to_act
    if len(acting) == 1:
        return acting[0]
    who = f"{', '.join(acting)} may all act now" if acting else "nobody may act now"
    msg = f"say which seat with --as: {who}."
    raise typer.BadParameter(msg)


def audience_from(table: Table, seat: Seat | None, *, host: bool) -> Seat | None:
    """Whose eyes to look with: a seat's, everyone's (``None``) or the host's.

    Raises:
        typer.BadParameter: Both a seat and the host were named.
        UnknownSeat: Nobody has this name.
    """
    if host and seat is not None:
        msg = "--as and --host exclude each other."
        raise typer.BadParameter(msg)
    if seat is not None:
        table.view(seat)
    return HOST if host else seat


def receipts_from(texts: Sequence[str] | None, table: str) -> list[Receipt]:
    """Receipts of ``table`` from texts such as ``12:9f86d081...``, or from their JSON.

    Raises:
        typer.BadParameter: A text is no receipt.
    """
    return [_receipt(text.strip(), table) for text in texts or ()]


def _receipt(text: str, table: str) -> Receipt:
    try:
        if text.startswith("{"):
            return msgspec.json.decode(text, type=Receipt)
        length, _, head = text.partition(":")
        if len(bytes.fromhex(head)) == 32:  # noqa: PLR2004 - a SHA-256
            return Receipt(table=table, length=int(length), head=head.lower())
    except (msgspec.MsgspecError, ValueError, RecursionError):
        pass
    msg = f"{text!r} is no receipt; it reads LENGTH:HEAD, with 64 hex digits."
    raise typer.BadParameter(msg)


def short(receipt: Receipt) -> str:
    """A receipt as one word."""
    return f"{receipt.length}:{receipt.head}"
