"""Golden playthroughs: a whole game told move by move, reviewed as a difference.

``LUDOLOG_REWRITE=1 pytest tests/dark_horse_bugs`` writes them anew.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator
from pathlib import Path

from ludolog import Seat, Table
from ludolog.frame import Begin, Open, SeedRevealed, TableOpened
from ludolog_events import told
from ludolog_plugins.dark_horse_bugs.state import Race

FOLDER = Path(__file__).parent / "golden"


def compare(name: str, text: str) -> None:
    """Fail if ``text`` is not the golden text; write it if that is asked for."""
    path = FOLDER / f"{name}.txt"
    if os.environ.get("LUDOLOG_REWRITE"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def story(table: Table, viewer: Seat | None = "") -> str:
    """The log in sentences, with a picture where a phase begins; ``viewer``: who listens (``""``: the host).

    Commands are told to the host and to the seats that give them.
    """
    return "\n".join(_told(table, viewer)) + "\n"


def _told(table: Table, viewer: Seat | None) -> Iterator[str]:
    position = table.at(0) if viewer == "" else table.view(viewer, at=0)
    for batch in table.journal.batches(0, table.length):
        before = position
        if viewer in {"", batch.seat} and not isinstance(batch.command, Open | Begin):
            yield f"{batch.number:>3} {batch.seat}: {table.ruleset.tell(before, batch.command)}"
        for event in batch.events:
            position = table.ruleset.fold(position, (event,), viewer)
            fact = event if viewer == "" else told(event, viewer)
            if fact is not None and not isinstance(fact, TableOpened | SeedRevealed):
                yield textwrap.fill(f"    {table.ruleset.tell(position, fact)}", 110, subsequent_indent=" " * 8)
        if before[Race].phase != position[Race].phase:
            yield from ("", textwrap.indent(str(position), "  | ", lambda _line: True), "")
