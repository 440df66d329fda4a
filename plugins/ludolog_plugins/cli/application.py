"""The application: all commands by name, those of third-party plugins included."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated, Final

import typer

from ludolog import catalogue
from ludolog.errors import PluginError
from ludolog_plugins.cli import demo, files, games, history, play, showing, simulate, tables
from ludolog_plugins.cli.exits import Group

__all__ = ["app", "build"]

_PANELS: Final[dict[str, dict[str, Callable[..., None]]]] = {
    "Games": {"games": games.games, "rules": games.rules},
    "Playing": {
        "play": play.play,
        "new": tables.new,
        "show": showing.show,
        "legal": tables.legal,
        "do": tables.do,
        "undo": tables.undo,
        "redo": tables.redo,
    },
    "Looking back": {"log": history.log, "replay": history.replay, "audit": history.audit},
    "Sharing": {"export": files.export, "verify": files.verify, "import": files.import_},
    "Trying out": {"simulate": simulate.simulate, "demo": demo.demo},
}


def _version(wanted: bool) -> None:  # noqa: FBT001 - how the parser calls it
    if wanted:
        from importlib.metadata import version  # noqa: PLC0415 - only then

        sys.stdout.write(f"ludolog {version('ludolog')}\n")
        raise typer.Exit


def _root(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Which it is."),
    ] = False,
) -> None:
    """Play tabletop games as event logs: legal moves, hidden information, undo, audit, replay."""


def build() -> typer.Typer:
    """The application with all its commands."""
    built = typer.Typer(
        cls=Group,
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        epilog="Exit codes: 0 done, 1 refused or not as it should be, 2 wrong command line, 3 store, log or file, "
        "4 plugin at fault, 130 interrupted.",
    )
    built.callback()(_root)
    for panel, commands in _PANELS.items():
        for name, function in commands.items():
            built.command(name, rich_help_panel=panel)(function)
    installed = catalogue()
    for point in installed.ids("ludolog_cli"):
        try:
            built.add_typer(installed.load(point), name=point.partition("/")[2], rich_help_panel="Plugins")
        except PluginError as error:
            sys.stderr.write(f"ludolog: {error}\n")
    return built


app = build()
