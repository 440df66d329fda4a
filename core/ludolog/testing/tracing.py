"""Every rule has its test, and every citation names a rule.

A test names the clauses that it proves by ``@pytest.mark.rule("DH-12")``, with the ids written out. Rules cite clauses
in ``cites=``, in refusals and in their docstrings; each of those must be in the game's rules data.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from ludolog.catalogue import Catalogue, catalogue
from ludolog.clauses import Clause, clauses, ids_in
from ludolog.manifest import Game, Variant
from ludolog.rules import Decider, Reaction, Reducer, Rules
from ludolog.testing.surroundings import functions_in, modules_around

__all__ = ["Mention", "marks_in", "mentions_of", "strangers", "traced", "untraced"]

MARK = "rule"
"""The mark's name: ``@pytest.mark.rule("DH-12")``."""


class Mention(NamedTuple):
    """A clause that is named somewhere, and where: a file and its line, or a function of some rules."""

    id: str
    where: str


def untraced(
    game: str | Game, tests: str | Path | Iterable[str | Path], *, source: Catalogue | None = None
) -> tuple[str, ...]:
    """What is not traced in a game, a sentence each; empty if everything is.

    ::

        def test_every_rule_has_its_test():
            assert untraced("dark-horse-bugs", tests=Path(__file__).parent) == ()

    Args:
        game: Id or manifest of the game; its variants count with it.
        tests: Folders that hold its tests.
        source: Where the game and its variants are looked up; by default among those installed.

    Raises:
        BadClause: The rules data is malformed.
    """
    folders = [tests] if isinstance(tests, str | Path) else list(tests)
    marks = [mark for folder in folders for mark in marks_in(Path(folder))]
    return traced(game, marks, source=source)


def traced(game: str | Game, marks: Iterable[Mention], *, source: Catalogue | None = None) -> tuple[str, ...]:
    """The same for marks that were collected already, by pytest itself for instance."""
    installed = catalogue() if source is None else source
    manifest = installed.game(game) if isinstance(game, str) else game
    every = clauses(manifest, source=installed)
    if not every:
        return ()
    specs = dict.fromkeys(found.source for found in every)
    known = {name for spec in specs for name in ids_in(spec)}
    families = {name.partition("-")[0] for name in known}
    marked = list(marks)
    proved = {mark.id for mark in marked}
    mentions = [*marked, *mentions_of(manifest, families, source=installed)]
    due = _due(manifest, every, installed)
    untested = [found for found in every if found.testable and found.id in due and found.id not in proved]
    return (
        *(f"no test is marked {found.id!r}: {found.text}" for found in untested),
        *(
            f"{mention.where} names {mention.id!r}, which {manifest.id} doesn't have"
            for mention in dict.fromkeys(mentions)
            if mention.id not in known and mention.id.partition("-")[0] in families
        ),
    )


def _due(game: Game, every: Iterable[Clause], source: Catalogue) -> frozenset[str]:
    """Ids that must be traced: a file may hold the rules of modules of which no variant is installed yet.

    A clause is due if the game itself names its file, or if its module is an installed variant; a ruling is, if all
    clauses that it completes are.
    """
    modules = {"", *(variant.id.partition("/")[2] for variant in source.variants(game.id))}
    found = list(every)
    due = {
        clause.id
        for clause in found
        if not clause.is_ruling and (clause.source in game.clauses or clause.module in modules)
    }
    return frozenset(
        due | {ruling.id for ruling in found if ruling.is_ruling and (not ruling.clauses or due >= set(ruling.clauses))}
    )


def strangers(marks: Iterable[Mention], *, source: Catalogue | None = None) -> tuple[str, ...]:
    """Marks that name nothing in the rules data of any installed game, a sentence each."""
    installed = catalogue() if source is None else source
    games: list[tuple[Game | Variant, ...]] = [(game, *installed.variants(game.id)) for game in installed.games]
    specs = {spec for manifests in games for found in manifests for spec in found.clauses}
    known = {name for spec in specs for name in ids_in(spec)}
    return tuple(
        f"{mark.where} names {mark.id!r}, which no installed game has" for mark in marks if mark.id not in known
    )


# ---------------------------------------------------------------- tests


def marks_in(folder: Path) -> Iterator[Mention]:
    """Ids that tests below ``folder`` are marked with; a test that is always skipped proves nothing."""
    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"), str(path))
        skipped = {
            id(inner)
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and _is_skipped(node)
            for inner in ast.walk(node)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and id(node) not in skipped and _is_mark(node.func, MARK):
                for given in node.args:
                    if isinstance(given, ast.Constant) and isinstance(given.value, str):
                        yield Mention(given.value, f"{path.name}:{given.lineno}")


def _is_skipped(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    return any(
        _is_mark(found.func if isinstance(found, ast.Call) else found, name)
        for found in node.decorator_list
        for name in ("skip", "xfail")
    )


def _is_mark(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == name and ast.unparse(node.value).endswith("mark")


# ---------------------------------------------------------------- rules


def mentions_of(game: Game, families: Iterable[str], *, source: Catalogue | None = None) -> Iterator[Mention]:
    """Clauses that the rules of a game and its variants cite, and ids of these families anywhere in their source."""
    installed = catalogue() if source is None else source
    manifests: tuple[Game | Variant, ...] = (game, *installed.variants(game.id))
    modules: dict[str, ModuleType] = {}
    for manifest in manifests:
        part = manifest.rules()
        yield from _cited(part)
        modules |= {module.__name__: module for module in modules_around((manifest.rules, *functions_in(part)))}
    written = re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, families)))})-[A-Z]*[0-9]+\b")
    for module in modules.values():
        yield from _written_in(module, written)


def _cited(part: Rules) -> Iterator[Mention]:
    functions: list[Reducer | Decider | Reaction] = [
        *(found for reducers in part.reducers.values() for found in reducers),
        *part.deciders.values(),
        *(found for _, found in part.reactions),
    ]
    for found in functions:
        name = getattr(found.function, "__name__", "a function")
        yield from (Mention(cite, f"{name} of {part.id}") for cite in found.cites)
    for change in part.changes:
        if change.cites:
            yield from (Mention(cite, f"slot {change.slot.name!r} of {part.id}") for cite in _split(change.cites))


def _split(cites: str) -> list[str]:
    return [cite for cite in re.split(r"[,;\s]+", cites) if cite]


def _written_in(module: ModuleType, written: re.Pattern[str]) -> Iterator[Mention]:
    try:
        lines = inspect.getsource(module).splitlines()
    except (OSError, TypeError):
        return
    path = Path(sys.modules[module.__name__].__file__ or module.__name__)
    for number, line in enumerate(lines, start=1):
        yield from (Mention(name, f"{path.parent.name}/{path.name}:{number}") for name in written.findall(line))
