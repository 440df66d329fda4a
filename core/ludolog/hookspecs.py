"""The hooks a plugin may implement; each is found by an entry point in group ``ludolog``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from ludolog.bots import BotPlugin
    from ludolog.manifest import Game, Variant
    from ludolog.store import StorePlugin

__all__ = ["hookimpl", "hookspec"]

hookspec = pluggy.HookspecMarker("ludolog")
hookimpl = pluggy.HookimplMarker("ludolog")


@hookspec
def ludolog_game() -> Game:  # type: ignore[empty-body]
    """Manifest of a game; entry point ``<game id>``."""


@hookspec
def ludolog_variant() -> Variant:  # type: ignore[empty-body]
    """Manifest of a variant; entry point ``<game id>/<variant>``."""


@hookspec
def ludolog_store() -> StorePlugin:  # type: ignore[empty-body]
    """A kind of store; entry point ``stores/<name>``."""


@hookspec
def ludolog_bot() -> BotPlugin:  # type: ignore[empty-body]
    """A kind of bot; entry point ``bots/<name>``."""


@hookspec
def ludolog_cli() -> Any:  # noqa: ANN401 - a typer application, which core doesn't know
    """Commands for the command line; entry point ``cli/<name>``."""
