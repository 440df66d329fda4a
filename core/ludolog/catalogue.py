"""Finding plugins: by entry point through pluggy, loading only what is asked for."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, cast

import msgspec
import pluggy

from ludolog import hookspecs
from ludolog.bots import BotPlugin
from ludolog.compose import full_id
from ludolog.errors import (
    BadOptions,
    DuplicatePlugin,
    MisspeltHook,
    PluginError,
    PluginFailed,
    UnknownBot,
    UnknownGame,
    UnknownVariant,
)
from ludolog.manifest import Game, Variant
from ludolog.ruleset import Ruleset
from ludolog.store import StorePlugin
from ludolog_events import shown

__all__ = ["GROUP", "Catalogue", "Problem", "catalogue"]

GROUP: Final = "ludolog"
"""Entry point group of the plugins."""

_KINDS: Final = {"stores": "ludolog_store", "bots": "ludolog_bot", "cli": "ludolog_cli"}
_HOOKS: Final = {name for name in vars(hookspecs) if name.startswith("ludolog_")}


_MANIFESTS: Final[Mapping[str, type]] = {
    "ludolog_game": Game,
    "ludolog_variant": Variant,
    "ludolog_store": StorePlugin,
    "ludolog_bot": BotPlugin,
}
_LISTS: Final = {"seats": int, "requires": str, "conflicts": str, "after": str, "clauses": str}

_KEPT: Final = 256
"""Compiled rulesets that are remembered."""


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """An installed plugin that can't be used, and why; the others go on working."""

    id: str
    error: PluginError


def _hook_of(name: str) -> str:
    """Which hook the plugin behind an entry point implements, by the form of its id."""
    first, slash, _ = name.partition("/")
    if not slash:
        return "ludolog_game"
    return _KINDS.get(first, "ludolog_variant")


def _check_manifest(name: str, manifest: Game | Variant) -> None:
    """A manifest must be the one asked for; a text in place of a tuple of texts would be read letter by letter."""
    if manifest.id != name:
        msg = f"Plugin {name!r} gives the manifest of {manifest.id!r}."
        raise PluginFailed(msg)
    for field, kind in _LISTS.items():
        value: object = getattr(manifest, field, ())
        if not isinstance(value, tuple) or not all(type(item) is kind for item in cast("tuple[object, ...]", value)):
            msg = f"The manifest of {name!r} has {value!r} for {field}; it must be a tuple of {kind.__name__}."
            raise PluginFailed(msg)


class Catalogue(Mapping[str, Game | Variant]):
    """Installed games and variants by id, sorted; a plugin is imported when it is first asked for.

    Args:
        points: Entry points; by default those installed in group ``ludolog``.
    """

    def __init__(self, points: Iterable[EntryPoint] | None = None) -> None:
        found: dict[str, list[EntryPoint]] = {}
        for point in entry_points(group=GROUP) if points is None else points:
            same = found.setdefault(point.name, [])
            if point.value not in [other.value for other in same]:
                same.append(point)
        self._points = dict(sorted(found.items()))
        self._manager = pluggy.PluginManager(GROUP)
        self._manager.add_hookspecs(hookspecs)
        self._loaded: dict[str, Any] = {}
        self._modules: dict[int, str] = {}
        self._rulesets: dict[tuple[object, ...], Ruleset] = {}

    # ------------------------------------------------------------ loading

    def ids(self, hook: str) -> tuple[str, ...]:
        """Ids of the installed plugins of one kind, without importing them."""
        return tuple(name for name in self._points if _hook_of(name) == hook)

    def load(self, name: str) -> Any:  # noqa: ANN401 - what the hook returns
        """What the plugin ``name`` returns from its hook.

        Raises:
            KeyError: No such plugin is installed.
            PluginError: It can't be imported, is installed twice, or misspells a hook.
        """
        if name not in self._loaded:
            self._loaded[name] = self._load(name, self._points[name])
        return self._loaded[name]

    def _load(self, name: str, points: list[EntryPoint]) -> object:
        if len(points) > 1:
            places = " and ".join(sorted(point.value for point in points))
            msg = f"Two installed plugins are named {name!r}: {places}. Uninstall one of them."
            raise DuplicatePlugin(msg)
        try:
            module = points[0].load()
        except (Exception, SystemExit) as error:
            msg = f"Plugin {name!r} ({points[0].value}) can't be imported: {type(error).__name__}: {error}."
            raise PluginFailed(msg) from error
        hook = _hook_of(name)
        self._check_hooks(name, hook, module)
        other = self._modules.setdefault(id(module), name)
        if other != name:
            msg = f"Plugins {other!r} and {name!r} are one module, {points[0].value}."
            raise DuplicatePlugin(msg)
        self._manager.register(module, name=name)
        try:
            return self._manifest(name, hook, module)
        except PluginError:
            self._manager.unregister(module)
            raise

    def _manifest(self, name: str, hook: str, module: object) -> object:
        others = [plugin for plugin in self._manager.get_plugins() if plugin is not module]
        try:
            found = self._manager.subset_hook_caller(hook, others)()
        except Exception as error:
            msg = f"Plugin {name!r} raised {type(error).__name__} in its hook {hook}: {error}."
            raise PluginFailed(msg) from error
        manifest = found[0] if found else None
        wanted = _MANIFESTS.get(hook, object)
        if manifest is None or not isinstance(manifest, wanted):
            msg = f"Plugin {name!r} gives {manifest!r} from its hook {hook}, which must give a {wanted.__name__}."
            raise PluginFailed(msg)
        if isinstance(manifest, Game | Variant):
            _check_manifest(name, manifest)
        return manifest

    def _check_hooks(self, name: str, hook: str, module: object) -> None:
        """Refuse a plugin whose hooks pluggy would silently ignore."""
        wanted: Callable[..., object] = getattr(hookspecs, hook)
        marked = {
            attribute: value
            for attribute, value in getattr(module, "__dict__", {}).items()
            if callable(value) and (hasattr(value, "ludolog_impl") or attribute.startswith("ludolog_"))
        }
        for attribute, value in marked.items():
            if attribute not in _HOOKS:
                msg = f"Plugin {name!r} implements {attribute!r}, which is no hook; did you mean {hook!r}?"
                raise MisspeltHook(msg)
            unknown = set(inspect.signature(value).parameters) - set(inspect.signature(wanted).parameters)
            if unknown:
                msg = f"Hook {attribute} of plugin {name!r} takes {', '.join(sorted(unknown))}, which it is not given."
                raise MisspeltHook(msg)
            if not hasattr(value, "ludolog_impl"):
                msg = f"Hook {attribute} of plugin {name!r} lacks the decorator @hookimpl."
                raise MisspeltHook(msg)
        if hook not in marked:
            msg = f"Plugin {name!r} doesn't implement {hook}, which its id asks for."
            raise MisspeltHook(msg)

    # ------------------------------------------------------------ games and variants

    def __contains__(self, name: object) -> bool:
        """Whether a game or variant is installed, by full id; it isn't imported for the answer."""
        return name in self._points and _hook_of(str(name)) in {"ludolog_game", "ludolog_variant"}

    def __getitem__(self, name: str) -> Game | Variant:
        """Manifest of a game or variant by full id; KeyError if it isn't installed."""
        if name not in self:
            raise KeyError(name)
        return cast("Game | Variant", self.load(name))

    def __iter__(self) -> Iterator[str]:
        """Ids of games and variants, sorted."""
        return (name for name in self._points if _hook_of(name) in {"ludolog_game", "ludolog_variant"})

    def __len__(self) -> int:
        """Number of games and variants."""
        return sum(1 for _ in self)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Installed plugins that can't be used; this imports all of them."""
        found: list[Problem] = []
        for name in self._points:
            try:
                self.load(name)
            except PluginError as error:
                found.append(Problem(id=name, error=error))
        return tuple(found)

    @property
    def games(self) -> tuple[Game, ...]:
        """Manifests of all games that can be loaded, by id."""
        return tuple(found for name in self.ids("ludolog_game") if isinstance(found := self._try(name), Game))

    def variants(self, game: str) -> tuple[Variant, ...]:
        """Manifests of all variants of ``game`` that can be loaded, by id."""
        names = [name for name in self.ids("ludolog_variant") if name.startswith(f"{game}/")]
        return tuple(found for name in names if isinstance(found := self._try(name), Variant))

    def _try(self, name: str) -> object:
        try:
            return self.load(name)
        except PluginError:
            return None

    def game(self, name: str) -> Game:
        """Manifest of a game.

        Raises:
            UnknownGame: It isn't installed.
        """
        if name not in self.ids("ludolog_game"):
            known = ", ".join(self.ids("ludolog_game")) or "none"
            msg = f"No installed plugin has the game {shown(name)}; the games here are {known}."
            raise UnknownGame(msg)
        return cast("Game", self.load(name))

    def variant(self, game: str, name: str) -> Variant:
        """Manifest of a variant by short or full id.

        Raises:
            UnknownVariant: It isn't installed, or is of another game.
        """
        try:
            full = full_id(game, str(name))
        except ValueError:  # a number that Python doesn't write
            full = ""
        names = [found for found in self.ids("ludolog_variant") if found.startswith(f"{game}/")]
        if full not in names:
            known = ", ".join(found.partition("/")[2] for found in names) or "none"
            msg = f"The game {game!r} has no variant {shown(name)}; its variants here are {known}."
            raise UnknownVariant(msg)
        return cast("Variant", self.load(full))

    def bot(self, name: str) -> BotPlugin:
        """Manifest of a bot by its name without ``bots/``.

        Raises:
            UnknownBot: It isn't installed.
        """
        if f"bots/{name}" not in self._points:
            known = ", ".join(found.partition("/")[2] for found in self.ids("ludolog_bot")) or "none"
            msg = f"No installed plugin has the bot {shown(name)}; the bots here are {known}."
            raise UnknownBot(msg)
        return cast("BotPlugin", self.load(f"bots/{name}"))

    def ruleset(self, game: str, variants: Iterable[str] = (), options: Mapping[str, Any] | None = None) -> Ruleset:
        """Compile a game and variants, given by id; the same choice gives the same ruleset.

        Raises:
            LudologError: Something is unknown or doesn't fit together.
        """
        if isinstance(variants, str):
            variants = (variants,)
        if not isinstance(variants, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
            msg = f"Variants are given as a tuple of their ids, not as {shown(variants)}."
            raise BadOptions(msg)
        manifest = self.game(game)
        chosen = [self.variant(game, name) for name in variants]
        if not isinstance(options, Mapping | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            msg = f"Options are names and values, not {shown(options)}."
            raise BadOptions(msg)
        given = dict(options or {})
        ids = tuple(sorted(variant.id for variant in chosen))
        try:
            key = (game, ids, repr(sorted(given.items(), key=lambda item: str(item[0]))))
        except ValueError:
            msg = f"Options can't have numbers that long: {', '.join(map(shown, given.values()))}."
            raise BadOptions(msg) from None
        if key in self._rulesets:
            return self._rulesets[key]
        ruleset = Ruleset(manifest, chosen, given)
        # What came from a file isn't kept under the file's name: the next time it may hold something else.
        if ruleset.given_options == given:
            self._rulesets[key] = ruleset
            # Logs bring options of their own; whoever opens many must not keep them all for ever.
            for old in list(self._rulesets)[:-_KEPT]:
                self._rulesets.pop(old, None)
        return ruleset


_installed: list[Catalogue] = []


def catalogue() -> Catalogue:
    """Installed games and variants, third-party ones included."""
    if not _installed:
        _installed.append(Catalogue())
    return _installed[0]
