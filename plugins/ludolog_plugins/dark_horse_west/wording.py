"""The nouns of the western game in words: dice by their pips, cards, sites, hexes and things by their names."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ludolog import Position
from ludolog_plugins.dark_horse_west.board import ground, hex_named, layout_of, name_of
from ludolog_plugins.dark_horse_west.slots import CARDS, DECKS, DIE_KINDS, SITES, SPOTS, THINGS
from ludolog_plugins.dark_horse_west.state import Dice, Die, Hex

__all__ = [
    "amount",
    "amounts",
    "cards",
    "deck",
    "die",
    "hex_at",
    "hex_on",
    "joined",
    "named",
    "pips",
    "plural",
    "printed",
    "site",
    "spot",
    "text_of",
    "thing",
]


def joined(words: Iterable[str]) -> str:
    """Words in a row: ``"3, 4 and 6"``."""
    *first, last = tuple(words) or ("nothing",)
    return f"{', '.join(first)} and {last}" if first else last


def die(position: Position, shown: Die) -> str:
    """A die by its pips, and by its kind where it is not one of the ordinary ones: ``"4 on the Deputy die"``."""
    if shown.kind == "own":
        return str(shown.value)
    kind = position.slot(DIE_KINDS).get(shown.kind)
    return f"{shown.value} on the {kind.title if kind is not None else shown.kind}"


def pips(position: Position, numbers: Iterable[int]) -> str:
    """Dice by their pips instead of their numbers: ``"3 and a changed 4"``; some sites take natural rolls alone."""
    dice = position[Dice].dice
    shown = [dice[number] for number in numbers if 0 <= number < len(dice)]
    return joined(f"{'' if found.natural else 'a changed '}{die(position, found)}" for found in shown)


def site(position: Position, key: str) -> str:
    """An action site by its name."""
    entry = position.slot(SITES).get(key)
    return entry.name if entry is not None else key


def spot(position: Position, name: str) -> str:
    """Where dice lie: a site, or a spot such as ``"Additional Effort, Food"``."""
    key, _, place = name.partition(":")
    if key == "site":
        return site(position, place)
    entry = position.slot(SPOTS).get(key)
    return ", ".join(filter(None, (entry.title if entry is not None else key, named(position, place))))


def printed(position: Position, card: str | None) -> str:
    """A card by its name; ``"a hidden card"`` for whom it is one."""
    if card is None:
        return "a hidden card"
    entry = position.slot(CARDS).get(card)
    return entry.name if entry is not None else card


def text_of(position: Position, card: str) -> str:
    """A card by its name and what it still does: ``"Cowboy (When own towns produce Food receive 1 Food more)"``."""
    entry = position.slot(CARDS).get(card)
    abilities = entry.ability if entry is not None else ()
    texts = [ability.text.rstrip(".") for ability in abilities if ability.text and ability.timing != "start"]
    return f"{printed(position, card)} ({'; '.join(texts)})" if texts else printed(position, card)


def cards(position: Position, faces: tuple[str | None, ...]) -> str:
    """Cards by name, or how many there are for whom they are hidden."""
    if any(face is None for face in faces):
        return "1 card" if len(faces) == 1 else f"{len(faces)} cards"
    return joined(printed(position, face) for face in faces)


def deck(position: Position, key: str) -> str:
    """A deck by what lies in it: ``"Action cards"``."""
    entry = position.slot(DECKS).get(key)
    return entry.title if entry is not None else f"{key} cards"


def thing(position: Position, what: str, n: int = 1) -> str:
    """Something countable by its name, in the number that fits ``n``."""
    entry = position.slot(THINGS).get(what)
    return plural(entry.title if entry is not None else what, n)


def plural(title: str, n: int) -> str:
    """A title of the game in the number that fits ``n``: ``"Wild Die tokens"``."""
    if n == 1:
        return title
    return re.sub(r"(token|Stock|Loan|Hat|Boot|Vote)\b", r"\1s", re.sub(r"\bdie\b", "dice", title))


def amount(position: Position, what: str, n: int) -> str:
    """Something countable with its number: ``"1 Wild Die token"``."""
    entry = position.slot(THINGS).get(what)
    return entry.told(n) if entry is not None and entry.told is not None else f"{n} {thing(position, what, n)}"


def amounts(position: Position, changes: Iterable[tuple[str, int]]) -> str:
    """Things with their numbers: ``"2 Food and 1 Wild Die token"``."""
    return joined(amount(position, what, n) for what, n in changes)


def hex_at(position: Position, hex_: Hex) -> str:
    """A hex by its coordinates, with what is known of it: ``"rugged Wood hex 3,-4"``, ``"face-down hex 1,1"``."""
    there = ground(position, hex_)
    face_down = "face-down" if there.towns else ""
    what = there.name or (thing(position, there.resource) if there.resource else face_down)
    if not what:
        return name_of(hex_)
    words = what if what.lower().endswith("hex") else f"{what} hex"
    return f"{'rugged ' if there.rugged else ''}{words} {name_of(hex_)}"


def hex_on(position: Position, place: int) -> str:
    """The hex on which a tile's place lies, by its coordinates."""
    places = layout_of(position).places
    return name_of(places[place]) if 0 <= place < len(places) else str(place)


def named(position: Position, word: str) -> str:
    """A word of an option or spot by whatever it names: a thing, card, site or hex; else as it is."""
    if word in position.slot(THINGS):
        return thing(position, word)
    if word in position.slot(CARDS):
        return printed(position, word)
    if word in position.slot(SITES):
        return site(position, word)
    hex_ = hex_named(word)
    return word if hex_ is None else hex_at(position, hex_)
