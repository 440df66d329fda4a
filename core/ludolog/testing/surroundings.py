"""What rules could change besides what they return: globals of their modules, defaults, closures, classes."""

from __future__ import annotations

import collections
import enum
import random
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias, cast

import msgspec

from ludolog.rules import Rules
from ludolog.ruleset import Ruleset

__all__ = ["Surroundings", "functions_in", "modules_around", "modules_of", "print_of"]

Print: TypeAlias = object
"""Something that is equal as long as a value was not changed."""

_PLAIN: Final = (str, int, float, bool, bytes, complex, type(None))
_SKIPPED: Final = (types.BuiltinFunctionType, property, staticmethod, classmethod)


def functions_of(ruleset: Ruleset) -> Iterator[Any]:
    """Every function of the game and its variants that the ruleset calls, loaders of the rules included."""
    yield ruleset.game.rules
    yield from (variant.rules for variant in ruleset.variants)
    for part in ruleset.rules[1:]:
        yield from functions_in(part)
    for table in ruleset.slots.values():
        yield from (value for value in table.values() if callable(value))


def functions_in(part: Rules) -> Iterator[Any]:
    """Every function that some rules declare."""
    alone = (
        part.legal_function,
        part.to_act_function,
        part.waiting_function,
        part.setup_function,
        part.scoring_function,
        part.determinize_function,
        part.value_function,
        part.due_function,
    )
    yield from (function for function in alone if function is not None)
    yield from (*part.pictures.values(), *part.sentences.values())
    yield from (reducer.function for reducers in part.reducers.values() for reducer in reducers)
    yield from (decider.function for decider in part.deciders.values())
    yield from (reaction.function for _, reaction in part.reactions)
    yield from (change.value for change in part.changes if callable(change.value))


def modules_of(ruleset: Ruleset) -> tuple[types.ModuleType, ...]:
    """Loaded modules that the rules stand in: those of their functions, and the other modules of their packages."""
    return modules_around(functions_of(ruleset))


def modules_around(functions: Iterable[Any]) -> tuple[types.ModuleType, ...]:
    """Loaded modules that functions stand in, and the other modules of their packages; the library's own left out."""
    names = {str(getattr(function, "__module__", "")) for function in functions}
    names = {name for name in names - {"", "builtins", "functools", "operator"} if not name.startswith("ludolog.")}
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
        self._functions = tuple(functions_of(ruleset))
        self._before = self._look_around()

    def changed(self) -> str:
        """What has changed since this was asked last, such as ``"poker.rules.SEEN"``; empty if nothing has."""
        before = self._before
        for holder, was in before:
            if holder.contents() != was:
                self._before = self._look_around()
                return holder.changed_since(was)
        return ""

    def _look_around(self) -> list[tuple[_Holder, list[tuple[str, Print]]]]:
        finder = _Finder(frozenset(module.__name__ for module in self._modules))
        finder.add("the global random generator", cast("Any", random.random).__self__)
        for module in self._modules:
            finder.add(module.__name__, module)
        for function in self._functions:
            finder.add(f"{function.__module__}.{getattr(function, '__qualname__', function)}", function)
        return [(holder, holder.contents()) for holder in finder.found]


def print_of(value: object) -> Print:
    """Something that stays equal while ``value`` and what hangs from it stay as they are."""
    finder = _Finder(frozenset())
    finder.add("", value)
    return (_mark(value), tuple(holder.contents() for holder in finder.found))


class _Holder:
    """Something that can hold another thing tomorrow; ``name`` tells where it was found."""

    def __init__(self, name: str, value: Any, inside: Callable[[Any], list[tuple[str, Any]]]) -> None:  # noqa: ANN401
        self.name = name
        self.value = value
        self.inside = inside

    def contents(self) -> list[tuple[str, Print]]:
        """What it holds now, one level deep."""
        return [(name, _mark(item)) for name, item in self.inside(self.value)]

    def changed_since(self, was: list[tuple[str, Print]]) -> str:
        """Name of what holds something else now."""
        if not isinstance(self.value, types.ModuleType):
            return self.name
        before, now = dict(was), dict(self.contents())
        return next(
            (f"{self.name}.{name}" for name in {**before, **now} if before.get(name) != now.get(name)), self.name
        )


def _mark(item: object) -> Print:
    return (type(item), item) if isinstance(item, _PLAIN) else id(item)


class _Finder:
    """Finds everything that can change, from some names on, each once.

    Functions and classes are looked into if they stand in a module of ``own``. Caches of :mod:`functools` are not,
    since they hold what a function would give again.
    """

    def __init__(self, own: frozenset[str]) -> None:
        self.found: list[_Holder] = []
        self._own = own
        self._seen: dict[int, object] = {}

    def add(self, name: str, value: Any) -> None:  # noqa: ANN401 - any value
        """Look into ``value``, and into what hangs from it."""
        pending = [(name, value)]
        while pending:
            name, value = pending.pop()
            if id(value) in self._seen or isinstance(value, _SKIPPED) or hasattr(value, "cache_info"):
                continue
            self._seen[id(value)] = value  # kept, so that nothing else gets its id
            inside = self._looking_into(value)
            if inside is None:
                continue
            if not _is_fixed(value):
                self.found.append(_Holder(name, value, inside))
            pending.extend(
                (f"{name}.{below}" if isinstance(value, types.ModuleType) else name, item)
                for below, item in inside(value)
            )

    def _looking_into(self, value: Any) -> Callable[[Any], list[tuple[str, Any]]] | None:  # noqa: ANN401 - any value
        """How to list what a value holds; ``None`` for what holds nothing, or is not looked into."""
        for kinds, inside in _INSIDE:
            if isinstance(value, kinds):
                return inside if self._may_look_into(value) else None
        return None if isinstance(value, (*_PLAIN, enum.Enum)) else _of_instance

    def _may_look_into(self, value: object) -> bool:
        if isinstance(value, types.ModuleType):
            return value.__name__ in self._own
        return not isinstance(value, types.FunctionType | type) or value.__module__ in self._own


def _is_fixed(value: object) -> bool:
    """Whether a value holds the same things for ever; those may change."""
    return isinstance(value, tuple | frozenset) or (
        isinstance(value, msgspec.Struct) and value.__struct_config__.frozen
    )


def _of_module(value: types.ModuleType) -> list[tuple[str, Any]]:
    return [(name, item) for name, item in vars(value).items() if not name.startswith("__")]


def _of_mapping(value: Mapping[object, object]) -> list[tuple[str, Any]]:
    return [("", item) for pair in list(value.items()) for item in pair]


def _of_items(value: Iterable[object]) -> list[tuple[str, Any]]:
    return [("", item) for item in value]


def _of_function(value: types.FunctionType) -> list[tuple[str, Any]]:
    cells = [cell.cell_contents for cell in value.__closure__ or () if _filled(cell)]
    return [("", item) for item in (value.__defaults__, value.__kwdefaults__, vars(value), *cells)]


def _of_class(value: type) -> list[tuple[str, Any]]:
    """Attributes of a class: what may be changed in it, not the machinery of Python."""
    changeable = (*_PLAIN, dict, list, set, tuple, frozenset, types.FunctionType)
    return [(name, item) for name, item in vars(value).items() if isinstance(item, changeable)]


def _of_struct(value: msgspec.Struct) -> list[tuple[str, Any]]:
    return [(name, getattr(value, name)) for name in value.__struct_fields__]


def _of_generator(value: random.Random) -> list[tuple[str, Any]]:
    return [("", repr(value.getstate()))]


def _of_instance(value: Any) -> list[tuple[str, Any]]:  # noqa: ANN401 - any object
    attributes = getattr(value, "__dict__", None)
    if isinstance(attributes, dict):
        return [("", attributes)]
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    return [(name, getattr(value, name, None)) for name in slots] or [("", repr(value))]


_INSIDE: Final[tuple[tuple[Any, Callable[[Any], list[tuple[str, Any]]]], ...]] = (
    (types.ModuleType, _of_module),
    (Mapping, _of_mapping),
    ((tuple, list, set, frozenset, collections.deque), _of_items),
    (types.FunctionType, _of_function),
    (type, _of_class),
    (msgspec.Struct, _of_struct),
    (random.Random, _of_generator),
)
"""How to list what hangs from a value of some kinds, with the names that it has there."""


def _filled(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False
