"""Golden playthroughs: one game for each way to end, told move by move, reviewed as a difference.

``LUDOLOG_REWRITE=1 pytest tests/dark_is_the_night/test_whole_games.py`` writes them anew.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator
from pathlib import Path

import ludolog
from dark_is_the_night.scenes import HUNTER, MONSTER
from ludolog import Command, Seat, Table
from ludolog.frame import Begin, Open, SeedRevealed, TableOpened
from ludolog_events import told
from ludolog_plugins.dark_is_the_night.commands import (
    Approach,
    Attack,
    ChooseStart,
    EndTurn,
    Feint,
    Prowl,
    PutMutton,
    SetTrap,
    Shoot,
    Stab,
    TakePlace,
    Walk,
)
from ludolog_plugins.dark_is_the_night.state import Night

FOLDER = Path(__file__).parent / "golden"
START = 1_700_000_000_000_000

GAMES: dict[str, tuple[dict[str, object], tuple[Command, ...]]] = {
    # The flame and the trap close the ring in the south-east; the mutton tells the rest.
    "sword": (
        {},
        (
            *(ChooseStart(space=9), TakePlace(space="NE"), Walk(to="N"), Prowl(to=10)),
            *(Walk(to="NE"), SetTrap(at=6), Prowl(to=9), EndTurn()),
            *(Walk(to="N"), Shoot(direction="South"), Prowl(to=10), EndTurn()),
            *(Walk(to="NW"), PutMutton(at=8), Prowl(to=10), EndTurn()),
            *(Walk(to="W"), EndTurn(), Prowl(to=9), Attack()),
            *(Walk(to="SW"), Stab(at=9)),
        ),
    ),
    "bolt": (
        {},
        (
            *(ChooseStart(space=2), TakePlace(space="SE"), Walk(to="S"), Prowl(to=3)),
            *(Walk(to="SW"), SetTrap(at=4), Prowl(to=4), EndTurn()),
            *(Walk(to="W"), Shoot(direction="East"), Feint(to=5)),
            *(Walk(to="NW"), EndTurn(), Prowl(to=4), EndTurn()),
            *(Walk(to="N"), Shoot(direction="East")),
        ),
    ),
    # Both ways to the mutton are equally long.
    "attack": (
        {},
        (
            *(ChooseStart(space=12), TakePlace(space="E"), Walk(to="NE"), Prowl(to=1)),
            *(Walk(to="N"), PutMutton(at=7), Approach(to=2), Prowl(to=3), EndTurn()),
            *(Walk(to="NE"), Stab(at=4), Prowl(to=4), Attack()),
        ),
    ),
    # Everything is used up; a feint sets off the trap on its way.
    "sunrise": (
        {},
        (
            *(ChooseStart(space=5), TakePlace(space="W"), Walk(to="NW"), Prowl(to=6)),
            *(Walk(to="W"), Shoot(direction="East"), Prowl(to=7), EndTurn()),
            *(Walk(to="SW"), SetTrap(at=8), Feint(to=9)),
            *(Walk(to="S"), Shoot(direction="West"), Prowl(to=10), Attack()),
            *(Walk(to="SE"), PutMutton(at=10), Prowl(to=11), EndTurn()),
            *(Walk(to="E"), EndTurn(), Prowl(to=12), EndTurn()),
            *(Walk(to="NE"), Stab(at=3), Prowl(to=1), EndTurn()),
        ),
    ),
    "cap": (
        {"turn_cap": 6},
        (
            *(ChooseStart(space=5), TakePlace(space="W"), Walk(to="NW"), Prowl(to=6)),
            *(Walk(to="W"), EndTurn(), Prowl(to=7), EndTurn()),
            *(Walk(to="SW"), EndTurn(), Prowl(to=6), EndTurn()),
        ),
    ),
}


def played(name: str) -> Table:
    """One of the games."""
    options, commands = GAMES[name]
    table = ludolog.new_table(
        "dark-is-the-night", seats=(HUNTER, MONSTER), options=options, seed=7, id=f"golden-{name}", at=START
    )
    for number, command in enumerate(commands, 1):
        table.play(table.to_act[0], command, at=START + number * 1_000_000)
    return table


def compare(name: str, text: str) -> None:
    """Fail if ``text`` is not the golden text; write it if that is asked for."""
    path = FOLDER / f"{name}.txt"
    if os.environ.get("LUDOLOG_REWRITE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def story(table: Table, viewer: Seat | None = "") -> str:
    """The log in sentences, with a picture before each turn; ``viewer``: who listens (``""``: the host)."""
    return "\n".join(_told(table, viewer)) + "\n"


def _told(table: Table, viewer: Seat | None) -> Iterator[str]:
    rules = table.ruleset
    position = table.at(0) if viewer == "" else table.view(viewer, at=0)
    for batch in table.journal.batches(0, table.length):
        turn = position[Night].turn
        if not isinstance(batch.command, Open | Begin):
            known = viewer in ("", batch.seat)
            yield f"{batch.number:>3} {batch.seat}{': ' + rules.tell(position, batch.command) if known else ''}"
        for event in batch.events:
            position = rules.fold(position, (event,), viewer)
            fact = event if viewer == "" else told(event, viewer)
            if fact is not None and not isinstance(fact, TableOpened | SeedRevealed):
                yield f"      {rules.tell(position, fact)}"
        if position[Night].turn != turn or position.over:
            picture = rules.draw("text", position, possible=not position.over)
            yield from ("", textwrap.indent(picture, "    | ", lambda _line: True), "")
