"""Golden playthroughs: games for each way to end, told command by command, reviewed as a difference.

``LUDOLOG_REWRITE=1 pytest tests/insect_inc/test_whole_games.py`` writes them anew.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import ludolog
from ludolog import Chance, Seat, Table
from ludolog.frame import Begin, Open, SeedRevealed, TableOpened
from ludolog_events import told
from ludolog_plugins.bots.insect import InsectBot
from ludolog_plugins.insect_inc.commands import Claim, CloseWindow, Declare, Reveal
from ludolog_plugins.insect_inc.realtime import RealTime
from ludolog_plugins.insect_inc.state import Forest, Insects

FOLDER = Path(__file__).parent / "golden"
START = 1_700_000_000_000_000
SEATS = ("ann", "bob", "cy", "dee", "eve", "fay")


class Recipe(NamedTuple):
    """How a game is played: by how many seats, with which seed, options and bots; no bots: in blind rounds."""

    seats: int
    seed: int
    options: dict[str, object]
    bots: dict[str, int] | None


GAMES: dict[str, Recipe] = {
    "target": Recipe(3, 47, {}, {"errors": 15, "reaction": 4000, "spread": 2500}),
    "target-shared": Recipe(
        5, 295, {"claims_window": 1000}, {"errors": 0, "reaction": 900, "spread": 800, "misses": 70}
    ),
    "pile-empty": Recipe(2, 1, {}, {"errors": 30, "misses": 40, "reaction": 1000, "spread": 900}),
    "pile-empty-reveal-due": Recipe(
        4,
        1,
        {"pile_end": "reveal-due", "mixed_reveal": "newest", "pairs": "marked"},
        {"errors": 35, "reaction": 900, "spread": 400, "misses": 30},
    ),
    "forest-down": Recipe(4, 0, {"claims_window": "until-closed", "forest_labels": "plain"}, None),
}


def played(name: str) -> Table:
    """One of the games."""
    recipe = GAMES[name]
    seats = SEATS[: recipe.seats]
    table = ludolog.new_table(
        "insect-inc", seats=seats, options=recipe.options, seed=recipe.seed, id=f"golden-{name}", at=START
    )
    if recipe.bots is None:
        return _in_blind_rounds(table)
    bots = {seat: InsectBot(**recipe.bots) for seat in seats}
    chances = {seat: Chance(f"golden {recipe.seed} {seat}".encode()) for seat in seats}
    game = RealTime(table, bots, chances, began=START)
    while (moment := game.next_moment) is not None:
        game.advance(moment)
    return table


def _in_blind_rounds(table: Table) -> Table:
    """Everyone submits in turn, hands on two cards that are up as long as there are any; then the host closes."""
    at = START
    table.play(table.to_act[0], Reveal(), at=at)
    while not table.over:
        up = [card for card, down in enumerate(table.position[Forest].down) if not down]
        for seat in table.to_act:
            at += 20_000_000
            cards, up = tuple(up[:2]), up[2:]
            table.play(seat, Claim(cards=cards) if cards else Declare(), at=at)
        table.play(None, CloseWindow(), at=at)
    return table


def compare(name: str, text: str) -> None:
    """Fail if ``text`` is not the golden text; write it if that is asked for."""
    path = FOLDER / f"{name}.txt"
    if os.environ.get("LUDOLOG_REWRITE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def story(table: Table, viewer: Seat | None = "") -> str:
    """The log in sentences, with a picture after each eighth reveal; ``viewer``: who listens (``""``: the host)."""
    return "\n".join(_told(table, viewer)) + "\n"


def _told(table: Table, viewer: Seat | None) -> Iterator[str]:
    rules = table.ruleset
    position = table.at(0) if viewer == "" else table.view(viewer, at=0)
    for batch in table.journal.batches(0, table.length):
        revealed = position[Insects].revealed
        if not isinstance(batch.command, Open | Begin):
            known = viewer in ("", batch.seat) or not isinstance(batch.command, Claim)
            told_as = f": {rules.tell(position, batch.command)}" if known else ""
            yield f"{batch.number:>3} {(batch.time - START) / 1e6:8.3f} s  {batch.seat or 'the table'}{told_as}"
        for event in batch.events:
            position = rules.fold(position, (event,), viewer)
            fact = event if viewer == "" else told(event, viewer)
            if fact is not None and not isinstance(fact, TableOpened | SeedRevealed):
                yield f"        {rules.tell(position, fact)}"
        if (position[Insects].revealed // 8 > revealed // 8) or position.over:
            yield from ("", textwrap.indent(rules.draw("text", position), "    | ", lambda _line: True), "")
