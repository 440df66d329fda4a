"""Do the variants make the same ruleset whatever the order they are named, loaded or sorted in?"""

from __future__ import annotations

import itertools
from typing import Any, Final

import msgspec

from ludolog.compose import full_id
from ludolog.errors import CompositionError
from ludolog.manifest import Variant
from ludolog.ruleset import Ruleset
from ludolog.slots import SlotTable
from ludolog.testing.comparing import difference
from ludolog.testing.findings import Finding
from ludolog.testing.replaying import replay
from ludolog.testing.subject import Sample, Subject
from ludolog.testing.surroundings import print_of
from ludolog_events import LudologError

__all__ = ["variants_have_one_order"]

_ORDERS: Final = 24
_GAMES: Final = 2


def variants_have_one_order(subject: Subject) -> None:
    """Named in any order the variants make one ruleset; sorted in any order that they allow, they play the same."""
    ruleset = subject.ruleset
    _check_compiled_again(ruleset)
    for order in itertools.islice(itertools.permutations(ruleset.variants), _ORDERS):
        other = Ruleset(ruleset.game, order, ruleset.given_options)
        if other.digest != ruleset.digest:
            named = ", ".join(variant.id for variant in order)
            why = f"named in the order {named}, the variants make another ruleset"
            raise Finding(why, field=_differing_slot(ruleset, other))
    for first, second in itertools.combinations(ruleset.variants, 2):
        swapped = _swapped(ruleset, first, second)
        if swapped is not None:
            _check_swapped(subject, swapped, first, second)


def _check_compiled_again(ruleset: Ruleset) -> None:
    """Compiling changes nothing: neither the slots of this ruleset nor those of the next."""
    before = {name: _entries(table) for name, table in ruleset.slots.items()}
    again = Ruleset(ruleset.game, ruleset.variants, ruleset.given_options)
    for name, table in ruleset.slots.items():
        if _entries(table) != before[name]:
            why = f"compiling the rules once more changed an entry of slot {name!r} in place"
            raise Finding(why, field=name)
    if again.digest != ruleset.digest:
        why = "compiled once more, the same variants make another ruleset"
        raise Finding(why, field=_differing_slot(ruleset, again))


def _entries(table: SlotTable[Any]) -> list[object]:
    return [print_of(value) for value in table.values()]


def _differing_slot(one: Ruleset, other: Ruleset) -> str:
    for name, table in one.slots.items():
        there = other.slots[name]
        for key in table:
            if key not in there or repr(there[key]) != repr(table[key]):
                return f"slot {name!r}, entry {key!r}"
    return ""


def _swapped(ruleset: Ruleset, first: Variant, second: Variant) -> Ruleset | None:
    """The ruleset with the second variant before the first; ``None`` if they say themselves which comes first."""
    changed = tuple(
        msgspec.structs.replace(variant, after=(*variant.after, second.id)) if variant is first else variant
        for variant in ruleset.variants
    )
    if any(full_id(ruleset.game.id, other) == first.id for other in (*second.after, *second.requires)):
        return None
    try:
        return Ruleset(ruleset.game, changed, ruleset.given_options)
    except CompositionError:
        return None


def _check_swapped(subject: Subject, swapped: Ruleset, first: Variant, second: Variant) -> None:
    both = f"{first.id} and {second.id}"
    hint = f"the order of {both} matters, and neither says that it comes `after` the other"
    for name, table in subject.ruleset.slots.items():
        there = swapped.slots[name]
        for key, value in table.items():
            if not callable(value) and (key not in there or there[key] != value):
                sources = "; ".join(map(str, table.sources[key]))
                why = f"{hint}: it is {value!r} or {there.get(key)!r} ({sources})"
                raise Finding(why, field=f"slot {name!r}, entry {key!r}")
    for sample in subject.samples[:_GAMES]:
        _check_plays_the_same(subject, sample, swapped, hint)


def _check_plays_the_same(subject: Subject, sample: Sample, swapped: Ruleset, hint: str) -> None:
    number = 0
    try:
        for step in replay(sample, swapped):
            number = min(step.number + 1, len(sample.facts) - 1)
            was = [event for event in sample.facts[step.number].events if type(event).__name__ != "SeedRevealed"]
            if step.number == 0:
                continue
            found = difference(step.events, tuple(was))
            if found is not None:
                msg = f"{hint}: a batch holds {found}"
                raise Finding(msg, batch=step.number, event=_named(step.events, found.path))
            for seat in subject.seats:
                here = set(subject.ruleset.legal(sample.positions[step.number], seat))
                if here != set(swapped.legal(step.after, seat)):
                    msg = f"{hint}: other commands are legal"
                    raise Finding(msg, batch=step.number, field="legal", seat=seat)
    except LudologError as error:
        msg = f"{hint}: {error}"
        raise Finding(msg, batch=number, event=sample.name_of(number)) from error


def _named(events: tuple[object, ...], path: str) -> str:
    at = path.removeprefix("[").partition("]")[0]
    return type(events[int(at)]).__name__ if at.isdigit() and int(at) < len(events) else ""
