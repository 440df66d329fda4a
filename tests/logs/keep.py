"""Keep the log of a game for ever, and the position that it gives.

::

    python tests/logs/keep.py dark-horse-bugs-1 dark-horse-bugs ann bob cy --option track=as-written

plays a game at random and writes ``dark-horse-bugs-1.ludolog`` and ``dark-horse-bugs-1.position.json``; a log that is
there already is never written again. By custom the name ends with the version of the rules.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import msgspec

import ludolog
from ludolog import Chance, Position
from ludolog.bundles import export_bundle

FOLDER = Path(__file__).parent


def slices_of(position: Position) -> bytes:
    """All state slices as JSON, by their names."""
    named = {name: position.slices[kind] for kind, name in position.ruleset.state_types.items()}
    return msgspec.json.format(msgspec.json.encode(named, order="sorted"), indent=1) + b"\n"


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("name")
    reader.add_argument("game")
    reader.add_argument("seats", nargs="+")
    reader.add_argument("--variant", action="append", default=[])
    reader.add_argument("--option", action="append", default=[])
    asked = reader.parse_args()
    options = dict(text.split("=", 1) for text in asked.option)
    table = ludolog.new_table(asked.game, asked.seats, asked.variant, options, seed=asked.name, id=asked.name, at=0)
    chance = Chance(asked.name.encode())
    while not table.over:
        seat = chance.choose(table.to_act)
        table.play(seat, chance.choose(table.legal(seat)), at=table.length)
    with (FOLDER / f"{asked.name}.ludolog").open("xb") as log:
        log.writelines(export_bundle(table.id, table.journal.store))
    (FOLDER / f"{asked.name}.position.json").write_bytes(slices_of(table.position))


if __name__ == "__main__":
    main()
