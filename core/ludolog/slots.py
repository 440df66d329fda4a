"""Slots: the named places where a game can be bent, and what game and variants put there."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar, overload

import msgspec

from ludolog.errors import CompositionError, OwnedTwice, ReplacedTwice, UnknownEntry, UnknownSlot

__all__ = ["Change", "Entry", "Key", "Slot", "SlotTable", "Source", "fill_slots"]

T = TypeVar("T")
D = TypeVar("D")

Key: TypeAlias = str | int
"""Name of an entry in its slot."""

Verb: TypeAlias = Literal["adds", "shares", "replaces", "removes", "adjusts"]

_NEW: Final = frozenset({"adds", "shares"})
"""Verbs that bring an entry."""


class Slot(Generic[T]):
    """A named, ordered table of entries of one kind: sites, cards, costs, phases, score lines, ...

    A game declares it with :meth:`Rules.slot`; game and variants fill it; deciders read it as a mapping.
    """

    __slots__ = ("name", "text")

    def __init__(self, name: str, text: str = "") -> None:
        self.name = name
        self.text = text

    def __repr__(self) -> str:
        """The slot's name."""
        return f"Slot({self.name!r})"


class Source(msgspec.Struct, frozen=True):
    """Who did what to an entry, and by which rule clause."""

    rules: str
    verb: Verb
    cites: str

    def __str__(self) -> str:
        """Such as ``dark-horse-bugs adds it (DH-14)``."""
        return f"{self.rules} {self.verb} it ({self.cites or 'no citation'})"


class Change(msgspec.Struct, frozen=True):
    """One contribution of some rules to a slot."""

    slot: Slot[Any]
    key: Key
    verb: Verb
    value: Any
    cites: str
    before: Key | None = None


class Entry(msgspec.Struct, frozen=True):
    """An entry of a compiled slot, with its history."""

    value: Any
    sources: tuple[Source, ...]


class SlotTable(Mapping[Key, T]):
    """The entries of one slot in one ruleset, in order; ``sources`` tells where each comes from."""

    __slots__ = ("_values", "slot", "sources")

    def __init__(self, slot: Slot[T], entries: Mapping[Key, Entry]) -> None:
        self.slot = slot
        self._values: dict[Key, T] = {key: entry.value for key, entry in entries.items()}
        self.sources: dict[Key, tuple[Source, ...]] = {key: entry.sources for key, entry in entries.items()}

    def __getitem__(self, key: Key) -> T:
        """Value of an entry; KeyError if there is none."""
        return self._values[key]

    def __iter__(self) -> Iterator[Key]:
        """Keys, in order."""
        return iter(self._values)

    def __len__(self) -> int:
        """Number of entries."""
        return len(self._values)

    # A mapping would derive the rest from those above, an entry at a time; rules read slots in their inner loops.

    def __contains__(self, key: object) -> bool:
        """Whether there is such an entry."""
        return key in self._values

    @overload
    def get(self, key: Key, /) -> T | None: ...
    @overload
    def get(self, key: Key, default: T | D, /) -> T | D: ...
    def get(self, key: Key, default: T | D | None = None, /) -> T | D | None:
        """Value of an entry, or ``default``."""
        return self._values.get(key, default)

    def keys(self) -> KeysView[Key]:
        """Keys, in order."""
        return self._values.keys()

    def values(self) -> ValuesView[T]:
        """Values, in order."""
        return self._values.values()

    def items(self) -> ItemsView[Key, T]:
        """Keys with their values, in order."""
        return self._values.items()


class _Filling:
    """One slot while a ruleset is compiled."""

    def __init__(self, slot: Slot[Any]) -> None:
        self.slot = slot
        self.entries: dict[Key, Entry] = {}
        self.taken: dict[Key, Source] = {}

    def apply(self, rules: str, change: Change, requires: frozenset[str]) -> None:
        source = Source(rules, change.verb, change.cites)
        entry = self.entries.get(change.key)
        if entry is not None and self._is_shared(change, entry):
            self.entries[change.key] = Entry(entry.value, (*entry.sources, source))
            return
        if change.verb != "adjusts":
            self._take(change.key, source, requires)
        if change.verb in _NEW:
            self._insert(change, source)
            return
        if entry is None:
            raise UnknownEntry(self._says(change.key, source, "but it has no such entry", self.taken.get(change.key)))
        if change.verb == "removes":
            del self.entries[change.key]
            return
        value = change.value if change.verb == "replaces" else self._adjusted(change, source, entry)
        self.entries[change.key] = Entry(value, (*entry.sources, source))

    def _is_shared(self, change: Change, entry: Entry) -> bool:
        """Whether this very value is there already, from others who share it."""
        return (
            change.verb == "shares"
            and entry.value is change.value
            and all(source.verb == "shares" for source in entry.sources)
        )

    def _take(self, key: Key, source: Source, requires: frozenset[str]) -> None:
        """Refuse a second say in one entry, unless its author asked to come on top of the first."""
        held = self.taken.get(key)
        entry = self.entries.get(key)
        claims = [] if held is None or (held.verb in _NEW and source.verb not in _NEW) else [held]
        claims += [found for found in (entry.sources if entry else ()) if found.verb == "adjusts"]
        for claim in claims:
            own = claim.rules == source.rules and claim.verb in {"removes", "adjusts"}
            if not own and claim.rules not in requires:
                raise ReplacedTwice(self._says(key, source, "and that can't both hold", claim))
        self.taken[key] = source

    def _adjusted(self, change: Change, source: Source, entry: Entry) -> object:
        try:
            return change.value(entry.value)
        except Exception as error:
            why = f"and raised {type(error).__name__}: {error}"
            raise CompositionError(self._says(change.key, source, why, entry.sources[-1])) from error

    def _insert(self, change: Change, source: Source) -> None:
        if change.before is None:
            self.entries[change.key] = Entry(change.value, (source,))
            return
        if change.before not in self.entries:
            why = f"before {change.before!r}, which is no entry"
            raise UnknownEntry(self._says(change.key, source, why, self.taken.get(change.before), change.before))
        old = self.entries
        self.entries = {}
        for key, entry in old.items():
            if key == change.before:
                self.entries[change.key] = Entry(change.value, (source,))
            self.entries[key] = entry

    def _says(self, key: Key, source: Source, why: str, other: Source | None, other_key: Key | None = None) -> str:
        """A sentence that names slot, entry, and both rules with their citations."""
        of = f" ({other_key!r}: {other})" if other_key is not None and other is not None else ""
        also = f"; {other}" if other is not None and other_key is None else of
        return f"Slot {self.slot.name!r}, entry {key!r}: {source}{also}, {why}."


Declared: TypeAlias = tuple[str, frozenset[str], tuple[Slot[Any], ...], tuple[Change, ...]]
"""Rules id, ids that it requires, slots it declares, changes it makes."""


def fill_slots(contributions: list[Declared]) -> dict[str, SlotTable[Any]]:
    """Compile all slots, rules in order.

    Raises:
        CompositionError: A slot is declared twice or unknown, or two rules claim the same entry.
    """
    fillings: dict[str, _Filling] = {}
    owners: dict[str, str] = {}
    for rules, _, slots, _ in contributions:
        for slot in slots:
            if slot.name in fillings:
                msg = f"Slot {slot.name!r} is declared by {owners[slot.name]} and by {rules}."
                raise OwnedTwice(msg)
            fillings[slot.name] = _Filling(slot)
            owners[slot.name] = rules
    for rules, requires, _, changes in contributions:
        for change in changes:
            filling = fillings.get(change.slot.name)
            if filling is None:
                source = Source(rules, change.verb, change.cites)
                msg = f"Slot {change.slot.name!r}, entry {change.key!r}: {source}, but no rules here declare the slot."
                raise UnknownSlot(msg)
            filling.apply(rules, change, requires)
    return {name: SlotTable(filling.slot, filling.entries) for name, filling in fillings.items()}
