"""``export``, ``verify`` and ``import``: tables as bundles, one file each."""

from __future__ import annotations

import contextlib
import errno
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Annotated, BinaryIO, Final

import typer

from ludolog import Receipt, Store
from ludolog.bundles import (
    Summary,
    export_bundle,
    export_told,
    import_bundle,
    read_lines,
    verify_against,
    verify_bundle,
    write_lines,
)
from ludolog.errors import CorruptLog, NotABundle, StillSecret
from ludolog_plugins.cli.arguments import (
    STORE_FILE,
    AsJson,
    Receipts,
    StorePlace,
    TableId,
    find_id,
    receipts_from,
    store_at,
)
from ludolog_plugins.cli.console import print_json, say
from ludolog_plugins.cli.exits import REFUSED

__all__ = ["export", "import_", "verify"]

_BEGINS: Final = b'{"ludolog":"bundle",'

BundleFile = Annotated[Path, typer.Argument(metavar="FILE", help="As 'export' wrote it; - reads the input.")]


def export(
    table_id: TableId,
    out: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Where to; by default printed.", show_default=False)
    ] = None,
    store: StorePlace = STORE_FILE,
    receipt: Receipts = None,
    told_to: Annotated[
        str | None, typer.Option("--as", "-a", metavar="SEAT", help="What this seat was told.", show_default=False)
    ] = None,
    *,
    as_spectator: Annotated[bool, typer.Option("--as-spectator", help="What everyone was told.")] = False,
    secrets: Annotated[
        bool, typer.Option("--secrets", help="Also while the game goes on: for the host alone.")
    ] = False,
) -> None:
    """Write a table as a bundle: one file, for anyone to verify.

    The whole log can be exported when the game is over; what one seat was told, at any time.
    """
    if (told_to is not None) + as_spectator + secrets > 1:
        msg = "--as, --as-spectator and --secrets exclude each other."
        raise typer.BadParameter(msg)
    with store_at(store) as kept:
        name = find_id(kept, table_id)
        held = receipts_from(receipt, name)
        if told_to is not None or as_spectator:
            what = f"What {told_to or 'everyone'} was told at table {name}"
            lines = export_told(name, kept, told_to, receipts=held)
        else:
            what = f"The log of table {name}"
            lines = _log_of(name, kept, held, secrets=secrets)
        if out is None:
            for line in lines:
                sys.stdout.write(line.decode())
        else:
            _check_place(out)
            write_lines(out, lines)
            say(f"{what} is in {out}.")


def _log_of(name: str, store: Store, receipts: list[Receipt], *, secrets: bool) -> Iterator[bytes]:
    try:
        return export_bundle(name, store, secrets=secrets, receipts=receipts)
    except StillSecret:
        why = (
            f"The game of table {name!r} is not over, so its log holds secrets: export what one seat was told "
            "(--as SEAT), what everyone was told (--as-spectator), or all of it for the host alone (--secrets)."
        )
        raise StillSecret(why) from None


def _check_place(out: Path) -> None:
    """A bundle may take the place of a bundle: one slip of the hand, and it would be the store with all its tables."""
    if out.is_file():
        with out.open("rb") as file:
            begins = file.read(len(_BEGINS))
        if begins not in {b"", _BEGINS}:
            raise FileExistsError(errno.EEXIST, "it is there already, and no bundle, so it stays", str(out))


@contextlib.contextmanager
def _opened(path: Path) -> Generator[BinaryIO]:
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    with path.open("rb") as file:
        yield file


def verify(
    file: BundleFile,
    receipt: Receipts = None,
    against: Annotated[
        Path | None,
        typer.Option("--against", metavar="FILE", help="The bundle of the whole log, afterwards.", show_default=False),
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Check a bundle: form, hashes, receipts, and every draw once the seed is known. No plugin is needed.

    With --against, check as well that a seat was told just what the rules tell it of that log.
    """
    receipts = receipts_from(receipt, "")
    try:
        with _opened(file) as lines:
            if against is None:
                summary = verify_bundle(read_lines(lines), receipts)
            else:
                with _opened(against) as log:
                    summary, _ = verify_against(read_lines(lines), read_lines(log), receipts)
    except NotABundle:
        raise
    except CorruptLog as error:
        if as_json:
            print_json({"ok": False, "why": str(error), "batch": error.batch})
        else:
            say(str(error), "red")
        raise typer.Exit(REFUSED) from None
    if as_json:
        print_json({"ok": True, "log": summary})
    else:
        _say_summary(summary, "is whole")
        if against is not None:
            say(f"It is just what the log in {against} tells {summary.seat or 'everyone'}.", "green")


def _say_summary(summary: Summary, verdict: str) -> None:
    rules = " + ".join(f"{part.id} {part.version}" for part in summary.rules)
    state = "not over"
    if summary.over:
        state = "over, and its seed is the one committed to"
    what = "The log of" if summary.holds == "log" else f"What {summary.seat or 'everyone'} was told at"
    say(f"{what} table {summary.table} {verdict}: {summary.length} batches, game {state}.")
    if summary.over and summary.holds == "log":
        say(f"All {summary.draws} draws follow from the seed." if summary.draws else "Nothing was drawn.")
    say(f"{rules}; {', '.join(summary.seats)}")
    if summary.forked_from:
        say(f"It goes on from table {summary.forked_from}.")
    say(f"Receipt {summary.length}:{summary.head}", "dim")


def import_(
    file: BundleFile, receipt: Receipts = None, store: StorePlace = STORE_FILE, *, as_json: AsJson = False
) -> None:
    """Verify the bundle of a log and keep it as a table, to be looked at and audited."""
    receipts = receipts_from(receipt, "")
    with _opened(file) as found:
        lines = list(read_lines(found))
    # Checked before the store is opened, so that none is made for a file that is no log.
    verify_bundle(lines, receipts)
    with store_at(store, create=True) as kept:
        summary = import_bundle(lines, kept, receipts)
    if as_json:
        print_json(summary)
    else:
        _say_summary(summary, f"is in {store} now")
