"""Commands to probe the rules with: listed ones, listed elsewhere, and mutated ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, cast

import msgspec

from ludolog.chance import Chance
from ludolog.errors import MalformedCommand
from ludolog.ruleset import Ruleset
from ludolog_events import Command, Seat

__all__ = ["Probes"]

_NUMBERS: Final = (0, 1, -1, 2, 7, 100, 2**40)
_TEXTS: Final = ("", "nobody", "?")


class Probes:
    """A stock of commands: all that were ever listed for anybody, and values to mutate them with.

    Args:
        ruleset: Whose commands they are.
        seats: Names of the seats, which commands may name too.
    """

    def __init__(self, ruleset: Ruleset, seats: Iterable[Seat]) -> None:
        self.ruleset = ruleset
        self.listed: dict[Command, None] = {}
        self._values: dict[type, dict[Any, None]] = {
            int: dict.fromkeys(_NUMBERS),
            str: dict.fromkeys((*_TEXTS, *seats)),
            tuple: {(): None},
        }

    def learn(self, commands: Iterable[Command]) -> None:
        """Take listed commands into the stock."""
        for command in commands:
            if command not in self.listed:
                self.listed[command] = None
                for name in command.__struct_fields__:
                    self._note(getattr(command, name))

    def _note(self, value: Any) -> None:  # noqa: ANN401 - a field's value
        self._values.setdefault(_kind(value), {})[value] = None
        for inner in _inside(value):
            self._note(inner)

    def draw(self, chance: Chance, near: Iterable[Command], count: int) -> list[Command]:
        """``count`` different well-formed commands, fewer if there are none: from the stock, and mutated.

        Args:
            chance: What they are drawn with.
            near: Commands that are listed now, to mutate besides those of the stock.
            count: How many.
        """
        stock = list(dict.fromkeys((*self.listed, *near)))
        found: dict[Command, None] = {}
        for kind in self.ruleset.command_types.values():
            if self.ruleset.decider_of(kind) is not None and not kind.__struct_fields__:
                found[kind()] = None
        if not stock:
            return list(found)
        nearest = list(near) or stock
        for attempt in range(3 * count):
            if len(found) >= count:
                break
            base = chance.choose(nearest if attempt % 2 else stock)
            probe = base if attempt % 3 == 0 else self._mutated(base, chance)
            if self._well_formed(probe):
                found[probe] = None
        return list(found)

    def _well_formed(self, command: Command) -> bool:
        try:
            return self.ruleset.checked(command) == command
        except MalformedCommand:
            return False

    def _mutated(self, command: Command, chance: Chance) -> Command:
        fields = command.__struct_fields__
        if not fields:
            return command
        name = chance.choose(fields)
        return msgspec.structs.replace(command, **{name: self._other(getattr(command, name), chance)})

    def _other(self, value: Any, chance: Chance) -> Any:  # noqa: ANN401 - a field's value
        """A value of the same type that may be another."""
        if type(value) is bool:
            return not value
        known, near = list(self._values.get(_kind(value), ())), list(self._near(value, chance))
        choices = known if not near or (known and chance.below(2)) else near
        return chance.choose(choices) if choices else value

    def _near(self, value: Any, chance: Chance) -> Iterator[Any]:  # noqa: ANN401 - a field's value
        if type(value) is int:
            yield from (value - 1, value + 1, -value)
        elif type(value) is str:
            yield from (value.upper(), f"{value}s")
        elif type(value) is tuple:
            yield from self._near_tuple(cast("tuple[object, ...]", value), chance)
        elif isinstance(value, msgspec.Struct) and value.__struct_fields__:
            name = chance.choose(value.__struct_fields__)
            yield msgspec.structs.replace(value, **{name: self._other(getattr(value, name), chance)})

    def _near_tuple(self, value: tuple[object, ...], chance: Chance) -> Iterator[tuple[object, ...]]:
        yield value[1:]
        yield value[::-1]
        if value:
            at = chance.below(len(value))
            yield (*value[:at], *value[at + 1 :])
            yield (*value, value[at])
            yield (*value[:at], self._other(value[at], chance), *value[at + 1 :])


def _kind(value: object) -> type:
    return type(value)


def _inside(value: Any) -> Iterator[Any]:  # noqa: ANN401 - a field's value
    if type(value) is tuple:
        yield from value
    elif isinstance(value, msgspec.Struct):
        yield from (getattr(value, name) for name in value.__struct_fields__)
