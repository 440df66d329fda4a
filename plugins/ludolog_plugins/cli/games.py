"""``games`` and ``rules``: what can be played here, and by which rules."""

from __future__ import annotations

import itertools
import textwrap
import types
import typing
from collections.abc import Sequence
from typing import Annotated, Any, Final, cast

import msgspec
import typer

from ludolog import Catalogue, Game, Options, Variant, catalogue
from ludolog.clauses import Clause, clause, clauses
from ludolog_plugins.cli.arguments import AsJson, program
from ludolog_plugins.cli.console import grid, headline, pairs, print_json, say

__all__ = ["games", "options_of", "rules"]

_WORDS: Final[dict[Any, str]] = {
    bool: "true, false",
    float: "a number",
    int: "a number",
    str: "text",
    types.NoneType: "none",
}
_BRIEF: Final = 60
"""Letters of a ruling without a title."""


def games(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="One game, with its options.", show_default=False)] = "",
    *,
    as_json: AsJson = False,
) -> None:
    """List the installed games, or show one with its variants and options."""
    installed = catalogue()
    chosen = (installed.game(game),) if game else installed.games
    if as_json:
        print_json([_as_data(installed, found, options=bool(game)) for found in chosen])
        return
    if game:
        _show_game(installed, chosen[0])
        return
    if not chosen:
        say("No game is installed here.")
    rows: list[Sequence[str]] = []
    for found in chosen:
        rows.append((found.id, found.title, _counts(found.seats), found.summary))
        rows += [
            (f"  + {variant.id.partition('/')[2]}", variant.title, _counts(variant.seats), variant.summary)
            for variant in installed.variants(found.id)
        ]
    grid(["game", "title", "seats", ""], rows)
    for problem in installed.problems:
        say(f"Can't be used: {problem.error}", "red")


def _counts(seats: Sequence[int]) -> str:
    """Numbers of seats, shortened where they follow each other: ``2-6``."""
    if len(seats) > 2 and list(seats) == list(range(seats[0], seats[-1] + 1)):  # noqa: PLR2004 - a range worth the dash
        return f"{seats[0]}-{seats[-1]}"
    return ", ".join(map(str, seats))


def _as_data(installed: Catalogue, game: Game, *, options: bool) -> dict[str, Any]:
    told: dict[str, Any] = {"id": game.id, "title": game.title, "summary": game.summary, "seats": game.seats}
    told["variants"] = [
        {
            "id": found.id,
            "title": found.title,
            "summary": found.summary,
            "seats": found.seats,
            "needs": [_short(name) for name in found.requires],
            "not_with": _excluded(installed, found),
        }
        for found in installed.variants(game.id)
    ]
    if options:
        rulings = _rulings(game)
        told["options"] = [
            {
                "name": name,
                "default": default,
                "values": values,
                "of": manifest.id,
                "rulings": [ruling.id for ruling in rulings.get(name, ())],
            }
            for manifest in _parts(installed, game)
            for name, default, values in options_of(manifest)
        ]
    return told


def _rulings(game: Game) -> dict[str, list[Clause]]:
    """By the name of an option, what it lets a table settle in another way."""
    found: dict[str, list[Clause]] = {}
    for entry in clauses(game):
        for option in entry.options:
            found.setdefault(option, []).append(entry)
    return found


def _parts(installed: Catalogue, game: Game) -> list[Game | Variant]:
    return [game, *installed.variants(game.id)]


def _show_game(installed: Catalogue, game: Game) -> None:
    headline(f"{game.title} ({game.id})")
    say(f"{game.summary}\nSeats: {_counts(game.seats)}")
    variants = [
        (_short(found.id), found.title, f"{found.summary}{_bounds(installed, found)}")
        for found in installed.variants(game.id)
    ]
    if variants:
        say("")
        grid(["variant", "title", ""], variants)
    _show_options(installed, game)
    if clauses(game):
        say(f"\nIts rules: {program()} rules {game.id}")


def _show_options(installed: Catalogue, game: Game) -> None:
    """The options, each with the rulings by which it is there; those of variants below the name of theirs."""
    rulings = _rulings(game)
    rows: list[Sequence[str]] = []
    for manifest in _parts(installed, game):
        own = options_of(manifest)
        if own and manifest is not game:
            rows.append((f"+ {_short(manifest.id)}", "", "", ""))
        rows += [(name, _in_words(default), values, _brief(rulings.get(name, ()))) for name, default, values in own]
    if not rows:
        return
    say("")
    grid(["option", "by default", "values", "what it settles"], rows, whole=["option"])
    for entries in itertools.islice(rulings.values(), 1):
        say(f"\nA ruling with its reason: {program()} rules {game.id} {entries[0].id}")


def _brief(rulings: Sequence[Clause]) -> str:
    """Id and title of each; of those without a title, one with how it begins, and the ids of the others."""
    lines = [f"{ruling.id} {ruling.title}" for ruling in rulings if ruling.title]
    plain = [ruling for ruling in rulings if not ruling.title]
    if plain:
        lines.append(f"{plain[0].id} {textwrap.shorten(plain[0].text, _BRIEF, placeholder=' ...')}")
    if plain[1:]:
        lines.append(f"also {', '.join(ruling.id for ruling in plain[1:])}")
    return "\n".join(lines)


def _short(name: str) -> str:
    return name.rpartition("/")[2]


def _excluded(installed: Catalogue, variant: Variant) -> list[str]:
    """Installed variants that can't be played with ``variant``, whichever of the two says so."""
    own = {_short(name) for name in variant.conflicts}
    return [
        _short(other.id)
        for other in installed.variants(variant.game)
        if _short(other.id) in own or _short(variant.id) in map(_short, other.conflicts)
    ]


def _bounds(installed: Catalogue, variant: Variant) -> str:
    """The seats, needs and conflicts of a variant, if it has its own, in a line below its summary."""
    excluded = _excluded(installed, variant)
    parts = [f"seats: {_counts(variant.seats)}"] if variant.seats else []
    parts += [f"needs {' and '.join(map(_short, variant.requires))}"] if variant.requires else []
    parts += [f"not with {' or '.join(excluded)}"] if excluded else []
    return f"\n({'; '.join(parts)})" if parts else ""


def _in_words(default: Any) -> str:  # noqa: ANN401 - a value of any option
    """A value as the command line takes it."""
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, tuple):
        return ",".join(map(str, cast("tuple[object, ...]", default)))
    return str(default)


def options_of(manifest: Game | Variant) -> list[tuple[str, Any, str]]:
    """Name, default and possible values of each option."""
    kind: type[Options] = manifest.rules().options_type
    hints = typing.get_type_hints(kind)
    defaults: dict[str, Any] = msgspec.to_builtins(kind())
    files = manifest.rules().data_functions
    return [
        (name, defaults[name], "a file" if name in files else _values(hints[name])) for name in kind.__struct_fields__
    ]


def _values(hint: Any) -> str:  # noqa: ANN401 - any annotation
    kind, inside = typing.get_origin(hint), typing.get_args(hint)
    if kind is typing.Literal:
        return ", ".join(map(str, inside))
    if kind in {typing.Union, types.UnionType}:
        return ", ".join(map(_values, inside))
    if kind is tuple:
        each = {_values(one) for one in inside if one is not ...}
        return "numbers with commas" if each == {"a number"} else "several, with commas"
    return _WORDS[hint] if hint in _WORDS else getattr(hint, "__name__", str(hint))


def rules(
    game: Annotated[str, typer.Argument(metavar="GAME", show_default=False)],
    name: Annotated[
        str, typer.Argument(metavar="[CLAUSE]", help="Id of a clause or ruling, such as DH-33.", show_default=False)
    ] = "",
    *,
    as_json: AsJson = False,
) -> None:
    """List the clauses and rulings of a game, or show one of them."""
    found = [clause(game, name)] if name else list(clauses(game))
    if as_json:
        print_json(found)
    elif name:
        _show_clause(game, found[0])
    elif found:
        _list_clauses(found)
    else:
        say(f"{game} has no rules data.")


def _list_clauses(found: Sequence[Clause]) -> None:
    for heading, entries in itertools.groupby(found, lambda entry: "Rulings" if entry.is_ruling else entry.section):
        headline(heading)
        pairs((entry.id, f"{entry.text}{_reason(entry)}") for entry in entries)
        say("")


def _reason(entry: Clause) -> str:
    return f"\n{entry.confidence}: {entry.reason}" if entry.is_ruling else ""


def _show_clause(game: str, entry: Clause) -> None:
    headline(f"{entry.id}, {entry.kind} of {game}{f', {entry.section}' if entry.section else ''}")
    say(entry.text)
    for label, text in (
        ("Why", entry.reason),
        ("Confidence", entry.confidence),
        ("The other way", entry.alternative),
        ("Option", ", ".join(entry.options)),
        ("Settles", ", ".join(entry.clauses)),
    ):
        if text:
            say(f"{label}: {text}")
    if not entry.is_ruling:
        for ruling in clauses(game):
            if entry.id in ruling.clauses:
                say(f"Ruling {ruling.id}: {ruling.text}")
