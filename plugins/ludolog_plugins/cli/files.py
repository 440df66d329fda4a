"""``export``, ``verify`` and ``import``: logs as files of JSON lines."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from ludolog.errors import CorruptLog
from ludolog.export import LogSummary, export_log, import_log, read_lines, verify_log
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

__all__ = ["export", "import_", "verify", "write_file"]

LogFile = Annotated[Path, typer.Argument(metavar="FILE", help="As 'export' wrote it; - reads the input.")]


def write_file(path: Path, parts: Iterable[bytes]) -> None:
    """Write a file whole or not at all.

    Raises:
        OSError: It can't be written; what was there before is still there.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(parts)
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def export(
    table_id: TableId,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to; by default printed.", show_default=False)
    ] = None,
    store: StorePlace = STORE_FILE,
    *,
    secrets: Annotated[
        bool, typer.Option("--secrets", help="Also while the game goes on: for the host alone.")
    ] = False,
) -> None:
    """Write a table's log as JSON lines, one batch a line, for anyone to verify."""
    with store_at(store) as kept:
        name = find_id(kept, table_id)
        lines = export_log(name, kept, secrets=secrets)
        if out is None:
            for line in lines:
                sys.stdout.write(line.decode())
        else:
            write_file(out, lines)
            say(f"The log of table {name} is in {out}.")


@contextlib.contextmanager
def _opened(path: Path) -> Generator[BinaryIO]:
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    with path.open("rb") as file:
        yield file


def verify(file: LogFile, receipt: Receipts = None, *, as_json: AsJson = False) -> None:
    """Check a file of JSON lines: form, hashes, receipts, seed. No plugin is needed."""
    with _opened(file) as lines:
        try:
            summary = verify_log(read_lines(lines), receipts_from(receipt, ""))
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


def _say_summary(summary: LogSummary, verdict: str) -> None:
    rules = " + ".join(f"{part.id} {part.version}" for part in summary.rules)
    state = "over, and its seed is the one committed to" if summary.over else "not over"
    say(f"The log of table {summary.table} {verdict}: {summary.length} batches, game {state}.")
    say(f"{rules}; {', '.join(summary.seats)}")
    if summary.forked_from:
        say(f"It goes on from table {summary.forked_from}.")
    say(f"Receipt {summary.length}:{summary.head}", "dim")


def import_(
    file: LogFile, receipt: Receipts = None, store: StorePlace = STORE_FILE, *, as_json: AsJson = False
) -> None:
    """Verify a file of JSON lines and keep it as a table, to be looked at and audited."""
    receipts = receipts_from(receipt, "")
    with _opened(file) as found:
        lines = list(read_lines(found))
    # Checked before the store is opened, so that none is made for a file that is no log.
    verify_log(lines, receipts)
    with store_at(store, create=True) as kept:
        summary = import_log(lines, kept, receipts)
    if as_json:
        print_json(summary)
    else:
        _say_summary(summary, f"is in {store} now")
