"""Games and variants made on the spot, and tables of toys: what tests of the engine need again and again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, NamedTuple

from ludolog import Catalogue, Game, Outcome, Position, Rules, Ruleset, Table, Variant, hookimpl, table_from

__all__ = [
    "Point",
    "catalogue_of",
    "closed",
    "game_of",
    "new_rules",
    "point_of",
    "ruleset_of",
    "table_of",
    "variant_of",
]


def new_rules(name: str = "toy", **more: Any) -> Rules:
    """Rules of a game in which everyone may always act and nothing is scored."""
    rules = Rules(name, **more)
    if "/" not in name:
        rules.to_act(lambda position: position.seats)
        rules.scoring(closed)
    return rules


def closed(position: Position, reason: str) -> Outcome:
    return Outcome(reason=reason, sentence="Closed.", ranking=(position.seats,), drawn=True)


def game_of(rules: Rules, seats: Sequence[int] = (1, 2, 3, 4)) -> Game:
    return Game(id=rules.id, title="", summary="", seats=tuple(seats), rules=lambda: rules)


def variant_of(rules: Rules, **more: Any) -> Variant:
    return Variant(id=rules.id, title="", summary="", rules=lambda: rules, **more)


def ruleset_of(rules: Rules, *variants: Variant, **options: Any) -> Ruleset:
    return Ruleset(game_of(rules), variants, options)


def table_of(rules: Rules | Ruleset, seats: Sequence[str] = ("ann", "bob"), **more: Any) -> Table:
    """A table with seed 7 and id ``t``, unless told otherwise."""
    ruleset = rules if isinstance(rules, Ruleset) else ruleset_of(rules)
    return table_from(ruleset, seats, **{"seed": 7, "id": "t", "at": 0, **more})


class Point(NamedTuple):
    """Stands for an installed entry point."""

    name: str
    value: str
    loads: Callable[[], object]

    def load(self) -> object:
        return self.loads()


def point_of(manifest: Game | Variant) -> Point:
    """An entry point that leads to a module made on the spot."""

    def ludolog_game() -> Game | Variant:
        return manifest

    module = ModuleType(f"made.{manifest.id}")
    hook = "ludolog_game" if isinstance(manifest, Game) else "ludolog_variant"
    setattr(module, hook, hookimpl(ludolog_game))
    return Point(manifest.id, module.__name__, lambda: module)


def catalogue_of(*manifests: Game | Variant) -> Catalogue:
    """A catalogue of these manifests, as if each were a plugin installed under its id."""
    return Catalogue(map(point_of, manifests))
