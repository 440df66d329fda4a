"""Pages that are generated when the docs are built: one page of rules for each installed game, from its clause data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from ludolog.catalogue import catalogue
from ludolog.clauses import Clause, clauses


def _page(game: Any) -> str:  # noqa: ANN401 - a manifest
    return "\n".join(_lines(game.title, game.id, game.summary, clauses(game)))


def _lines(title: str, name: str, summary: str, rules: tuple[Clause, ...]) -> Iterator[str]:
    yield from (f"# {title}", "", f"`{name}`. {summary}", "")
    yield "Generated from the rules data that the game carries, which `ludolog rules` shows as well."
    section = ""
    for clause in (found for found in rules if not found.is_ruling):
        heading = " / ".join(part for part in (clause.module, clause.section) if part)
        if heading != section:
            section = heading
            yield from ("", f"## {section}", "")
        yield f"- **{clause.id}** ({clause.kind}) {clause.text}"
    rulings = [found for found in rules if found.is_ruling]
    if rulings:
        yield from ("", "## Rulings", "", "What the rulebook leaves open, and how it is settled.", "")
    for ruling in rulings:
        yield f"- **{ruling.id}** ({ruling.confidence}) {ruling.text} *Why:* {ruling.reason}"
        if ruling.alternative:
            option = f" (option {', '.join(f'`{name}`' for name in ruling.options)})" if ruling.options else ""
            yield f"  *Otherwise{option}:* {ruling.alternative}"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the generated pages into the navigation."""
    pages = [{game.title: f"rules/{game.id}.md"} for game in catalogue().games if game.clauses]
    assert config.nav is not None  # noqa: S101 - mkdocs.yml has one
    for section in config.nav:
        if isinstance(section, dict) and "Rules of the games" in section:
            section["Rules of the games"] = pages
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Generate the pages."""
    for game in catalogue().games:
        if game.clauses:
            files.append(File.generated(config, f"rules/{game.id}.md", content=_page(game)))
    return files
