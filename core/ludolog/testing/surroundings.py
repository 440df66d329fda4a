"""What rules could change besides what they return: globals of their modules, defaults, closures, classes."""

from __future__ import annotations

import enum
import random
import sys
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias, cast

import msgspec

from ludolog.ruleset import Ruleset

__all__ = ["Surroundings", "modules_of", "print_of"]

Print: TypeAlias = object
"""Something that is equal as long as a value was not changed."""

_PLAIN: Final = (str, int, float, bool, bytes, complex, type(None))
_SKIPPED: Final = (types.ModuleType, types.BuiltinFunctionType, property, staticmethod, classmethod)


def functions_of(ruleset: Ruleset) -> Iterator[Any]:
    """Every function of the game and its variants that the ruleset calls, loaders of the rules included."""
    yield ruleset.game.rules
    yield from (variant.rules for variant in ruleset.variants)
    for part in ruleset.rules[1:]:
        yield from (
            part.legal_function,
            part.to_act_function,
            part.waiting_function,
            part.setup_function,
            part.scoring_function,
            part.determinize_function,
            part.value_function,
            part.due_function,
        )
        yield from (*part.pictures.values(), *part.sentences.values())
        yield from (reducer.function for reducers in part.reducers.values() for reducer in reducers)
        yield from (decider.function for decider in part.deciders.values())
        yield from (reaction.function for _, reaction in part.reactions)
        yield from (change.value for change in part.changes if callable(change.value))
    for table in ruleset.slots.values():
        yield from (value for value in table.values() if callable(value))


def modules_of(ruleset: Ruleset) -> tuple[types.ModuleType, ...]:
    """Loaded modules that the rules stand in: those of their functions, and the other modules of their packages."""
    names = {str(getattr(function, "__module__", "")) for function in functions_of(ruleset) if function is not None} - {
        "",
        "builtins",
        "functools",
        "operator",
    }
    names = {name for name in names if not name.startswith("ludolog.")}
    packages = {name for name in names if hasattr(sys.modules.get(name), "__path__")}
    packages |= {parent for name in names if (parent := name.rpartition(".")[0]) in packages}
    inside = {
        name for name in sys.modules if name in names or any(name.startswith(f"{package}.") for package in packages)
    }
    return tuple(module for name in sorted(inside) if (module := sys.modules.get(name)) is not None)


class Surroundings:
    """Watches everything around the functions of a ruleset; ``changed`` names the first thing that is not as before."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._modules = modules_of(ruleset)
        self._own = frozenset(module.__name__ for module in self._modules)
        self._functions = tuple(function for function in functions_of(ruleset) if function is not None)
        self._frozen: dict[int, object] = {}
        self._before = self._printed()

    def changed(self) -> str:
        """What has changed since this was asked last, such as ``"poker.rules.SEEN"``; empty if nothing has."""
        now = self._printed()
        before, self._before = self._before, now
        if now == before:
            return ""
        return next((name for name in (*before, *now) if before.get(name) != now.get(name)), "")

    def _printed(self) -> dict[str, Print]:
        printer = _Printer(self._own, self._frozen)
        found: dict[str, Print] = {"the global random generator": random.getstate()}
        for module in self._modules:
            for name, value in vars(module).items():
                if not name.startswith("__"):
                    found[f"{module.__name__}.{name}"] = printer.print_of(value)
        for function in self._functions:
            if isinstance(function, types.FunctionType):
                found[f"{function.__module__}.{function.__qualname__}"] = printer.print_of(function)
        numpy = sys.modules.get("numpy.random")
        if numpy is not None:
            found["numpy's global random state"] = str(numpy.get_state())
        return found


def print_of(value: object) -> Print:
    """Something that stays equal while ``value`` and what hangs from it stay as they are."""
    return _Printer(frozenset(), {}).print_of(value)


class _Printer:
    """Makes prints; whatever hangs from several things is looked into once.

    Functions and classes count with their defaults, closures and attributes if they stand in a module of ``own``;
    caches of :mod:`functools` don't count, since they hold what a function would give again. ``frozen`` keeps what
    can't change inside, so that no other object gets its id.
    """

    def __init__(self, own: frozenset[str], frozen: dict[int, object]) -> None:
        self._own = own
        self._frozen = frozen
        self._seen: set[int] = set()

    def print_of(self, value: Any) -> Print:  # noqa: ANN401 - any value
        same: int = id(value)
        if isinstance(value, _PLAIN):
            return (type(value).__name__, value)
        if same in self._frozen or same in self._seen:
            return same
        if isinstance(value, _SKIPPED) or hasattr(value, "cache_info"):
            return same
        if _is_frozen(value):
            self._frozen[same] = value
            return same
        self._seen.add(same)
        return (same, self._inside(value))

    def _inside(self, value: Any) -> Print:  # noqa: ANN401 - any value
        """What hangs from a value."""
        go = self.print_of
        if isinstance(value, Mapping):
            pairs = cast("Mapping[object, object]", value).items()
            return tuple((go(key), go(item)) for key, item in pairs)
        if isinstance(value, tuple | list | set | frozenset):
            return tuple(go(item) for item in cast("Iterable[object]", value))
        if isinstance(value, types.FunctionType):
            return self._of_function(value) if value.__module__ in self._own else None
        if isinstance(value, type):
            listed = vars(value).items() if value.__module__ in self._own else ()
            return tuple((name, self._of_attribute(item)) for name, item in listed)
        return self._of_parts(value)

    def _of_function(self, value: types.FunctionType) -> Print:
        go = self.print_of
        cells = tuple(go(cell.cell_contents) for cell in value.__closure__ or () if _filled(cell))
        return (go(value.__defaults__), go(value.__kwdefaults__), go(vars(value)), cells)

    def _of_attribute(self, item: object) -> Print:
        """An attribute of a class: what may be changed in it, not the machinery of Python."""
        changeable = (*_PLAIN, dict, list, set, tuple, frozenset, types.FunctionType)
        return self.print_of(item) if isinstance(item, changeable) else id(item)

    def _of_parts(self, value: Any) -> Print:  # noqa: ANN401 - any value
        if isinstance(value, msgspec.Struct):
            return tuple(self.print_of(getattr(value, name)) for name in value.__struct_fields__)
        if isinstance(value, random.Random):
            return value.getstate()
        attributes = getattr(value, "__dict__", None)
        if isinstance(attributes, dict):
            return self.print_of(attributes)
        slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
        if slots:
            return tuple(self.print_of(getattr(value, name, None)) for name in slots)
        return repr(value)


def _is_frozen(value: object) -> bool:
    """Whether nothing can change inside a value."""
    if isinstance(value, tuple | frozenset):
        return all(map(_is_frozen, cast("Iterable[object]", value)))
    if isinstance(value, msgspec.Struct):
        config = value.__struct_config__
        return config.frozen and all(_is_frozen(getattr(value, name)) for name in value.__struct_fields__)
    return isinstance(value, (*_PLAIN, enum.Enum))


def _filled(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False
