"""Bundles changed at random, as accidents and forgers change them: bytes, lines, fields, and chains made anew."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec

from ludolog.chance import Blinder
from ludolog_events import head_of

__all__ = ["DAMAGED", "REBUILT", "Mutant", "Mutator", "mutants_of", "rebuilt"]


class Mutant(NamedTuple):
    """What came of a sound bundle; ``damaged`` if it can't hold, with or without a receipt."""

    kind: str
    damaged: bool
    lines: list[bytes]


Lines: TypeAlias = list[bytes]
Batch: TypeAlias = dict[str, Any]
Mutator: TypeAlias = Callable[[Lines, Lines, random.Random], Lines]
"""(bundle, another bundle, chance) -> changed bundle"""

NASTY = (
    *(0.5, -0.0, 1e300, 2**63, -(2**63), 2**64 - 1, 255, 256, 65536, 2**32, -33, -129, True, None),
    *("", "é\x00\x7f\u2028🎲", '"\\/\b\f\n\r\t\x1f', "x" * 32, "x" * 300, [], {}, {"": [1, {}]}, [None] * 17),
    *({str(number): number for number in range(20)}, [[[[]]]]),
)


def _deep(depth: int) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = [value]
    return value


# ---------------------------------------------------------------- damage


def flip(lines: Lines, _other: Lines, chance: random.Random) -> Lines:
    raw = bytearray(b"".join(lines))
    raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
    return bytes(raw).splitlines(keepends=True)


def insert(lines: Lines, _other: Lines, chance: random.Random) -> Lines:
    raw, at = b"".join(lines), chance.randrange(sum(map(len, lines)))
    return (raw[:at] + bytes([chance.choice(b' \n\r0a{}[]",:\xff\x00')]) + raw[at:]).splitlines(keepends=True)


def delete(lines: Lines, _other: Lines, chance: random.Random) -> Lines:
    raw, at = b"".join(lines), chance.randrange(sum(map(len, lines)))
    return (raw[:at] + raw[at + chance.randrange(1, 9) :]).splitlines(keepends=True)


def cut_tail(lines: Lines, _other: Lines, chance: random.Random) -> Lines:
    raw = b"".join(lines)
    return raw[: chance.randrange(len(raw))].splitlines(keepends=True)


def cut_head(lines: Lines, _other: Lines, chance: random.Random) -> Lines:
    return [lines[0], *lines[chance.randrange(2, len(lines)) :]]


def drop_line(lines: Lines, _other: Lines, chance: random.Random) -> Lines:
    at = chance.randrange(len(lines))
    return lines[:at] + lines[at + 1 :]


def double_line(lines: Lines, _other: Lines, chance: random.Random) -> Lines:
    at, to = chance.randrange(len(lines)), chance.randrange(len(lines) + 1)
    return [*lines[:to], lines[at], *lines[to:]]


def swap_lines(lines: Lines, _other: Lines, chance: random.Random) -> Lines:
    one, two = sorted(chance.sample(range(len(lines)), 2))
    swapped = list(lines)
    swapped[one], swapped[two] = swapped[two], swapped[one]
    return swapped


def foreign_line(lines: Lines, other: Lines, chance: random.Random) -> Lines:
    """A batch, or the header, of another table."""
    at = chance.randrange(min(len(lines), len(other)))
    return [*lines[:at], other[at], *lines[at + 1 :]]


def joined(lines: Lines, other: Lines, chance: random.Random) -> Lines:
    """One table's tail after another's head."""
    at = chance.randrange(1, min(len(lines), len(other)))
    return lines[:at] + other[at:]


def change_header(lines: Lines, _other: Lines, chance: random.Random) -> Lines:
    header = msgspec.json.decode(lines[0])
    name = chance.choice(list(header))
    value = header[name]
    header[name] = chance.choice((None, 0, 1, 2, True, "", "ann", "log", "dice", "00" * 32, [], value, [value], "t"))
    if isinstance(value, list) and chance.random() < 0.5:
        header[name] = chance.choice((value * 2, value[:-1], [{**part, "more": 1} for part in value]))
    return [_line(header), *lines[1:]]


def change_field(lines: Lines, _other: Lines, chance: random.Random) -> Lines:
    """A field of a batch, with the hash left as it was."""
    at = chance.randrange(1, len(lines))
    batch = msgspec.json.decode(lines[at])
    _change_somewhere(batch, chance)
    return [*lines[:at], _line(batch), *lines[at + 1 :]]


def other_spelling(lines: Lines, _other: Lines, chance: random.Random) -> Lines:
    """The same meaning, written in another way."""
    at = chance.randrange(len(lines))
    line, cut = lines[at], chance.choice((b",", b":", b"{", b"[", b"1", b'"'))
    spelt = line.replace(cut, {b'"': b'"\\u0000', b"1": b"1.0"}.get(cut, cut + b" "), 1)
    spelt = chance.choice((spelt, line.rstrip() + b"\r\n", b" " + line, line.rstrip() + b" \n", line.rstrip()))
    return [*lines[:at], spelt, *lines[at + 1 :]]


# ---------------------------------------------------------------- chains made anew


def rebuilt(lines: Lines, forge: Callable[[list[Batch]], Any], *, blind_anew: bool = False) -> Lines:
    """The bundle after ``forge`` has changed its batches, with every number, hash and the header made to fit.

    Whoever knows the seed, as everybody does after the end, can make the blinding bytes fit as well.
    """
    header, *batches = [msgspec.json.decode(line) for line in lines]
    forge(batches)
    if blind_anew and header["seed"]:
        blinder = Blinder(bytes.fromhex(header["seed"]), header["table"])
        for number, batch in enumerate(batches):
            batch["blind"] = blinder.blind(number).hex()
    previous = "00" * 32
    for number, batch in enumerate(batches):
        batch |= {"number": number, "previous": previous}
        blind = bytes.fromhex(batch["blind"])
        fields = [batch[name] for name in list(batch)[:-3]]
        batch["head"] = previous = head_of(msgspec.msgpack.encode([*fields, blind, bytes.fromhex(previous)])).hex()
    header["receipts"] = [{"length": len(batches), "head": previous}]
    last = batches[-1]["events"][-1] if batches and batches[-1]["events"] else {}
    header["seed"] = last.get("seed") if last.get("type") == "ludolog/seed-revealed" else None
    opened = batches[0]["events"][0] if batches and batches[0]["events"] else {}
    header |= {"table": opened.get("table", ""), "plugins": opened.get("rules", []), "digest": opened.get("digest", "")}
    return [_line(header), *map(_line, batches)]


def _rebuilding(forge: Callable[[list[Batch], random.Random], Any]) -> Mutator:
    def mutate(lines: Lines, _other: Lines, chance: random.Random) -> Lines:
        return rebuilt(lines, lambda batches: forge(batches, chance), blind_anew=chance.random() < 0.5)

    mutate.__name__ = forge.__name__
    return mutate


def drop_batch(batches: list[Batch], chance: random.Random) -> None:
    del batches[chance.randrange(len(batches))]


def drop_tail(batches: list[Batch], chance: random.Random) -> None:
    del batches[chance.randrange(1, len(batches)) :]


def double_batch(batches: list[Batch], chance: random.Random) -> None:
    batches.insert(chance.randrange(len(batches) + 1), copy.deepcopy(chance.choice(batches)))


def swap_batches(batches: list[Batch], chance: random.Random) -> None:
    one, two = chance.sample(range(len(batches)), 2)
    batches[one], batches[two] = batches[two], batches[one]


def change_somewhere(batches: list[Batch], chance: random.Random) -> None:
    _change_somewhere(chance.choice(batches), chance)


def change_own_event(batches: list[Batch], chance: random.Random) -> None:
    """Something in one of the library's own events."""
    own = [event for batch in batches for event in batch["events"] if str(event["type"]).startswith("ludolog/")]
    _change_somewhere(chance.choice(own), chance)


def change_draws(batches: list[Batch], chance: random.Random) -> None:
    drawn = [batch for batch in batches if batch["draws"]] or batches
    batch = chance.choice(drawn)
    draws = batch["draws"].split(" ")
    at = chance.randrange(len(draws))
    bound = draws[at].partition(":")[0] or "6"
    forms = ("6:0", "1:0", f"{bound}:0", f"{bound}:1", "", "0:0", "6", "06:1", "6:01", "six:1", "6:-1", f"{2**70}:5")
    draws[at] = chance.choice((*forms, f"{'9' * 5000}:1"))
    batch["draws"] = " ".join(draws)


def change_type(batches: list[Batch], chance: random.Random) -> None:
    event = chance.choice([event for batch in batches for event in batch["events"]])
    tags = (*OWN, f"{event['type']}@2", "other/thing", "", 7, None, ["ludolog/undone"])
    event["type"] = chance.choice(tags)
    if chance.random() < 0.1:
        del event["type"]


def change_version(batches: list[Batch], chance: random.Random) -> None:
    chance.choice((batches[0], chance.choice(batches)))["format"] = chance.choice((0, 2, 2**40, -1, True, "1"))


def change_time_or_seat(batches: list[Batch], chance: random.Random) -> None:
    batch = chance.choice(batches)
    batch[chance.choice(("time", "seat", "command_id"))] = chance.choice((0, 7, 1.5, "zoe", "ann", None, "2026-01-01"))


def change_blind(batches: list[Batch], chance: random.Random) -> None:
    chance.choice(batches)["blind"] = chance.choice(("00" * 16, "", "ab", "00" * 20))


def change_seed(batches: list[Batch], chance: random.Random) -> None:
    for event in batches[-1]["events"]:
        if event["type"] == "ludolog/seed-revealed":
            event["seed"] = chance.choice(
                ("00" * 32, event["seed"].upper(), event["seed"][2:], "", event["seed"] + "00")
            )


def add_own_event(batches: list[Batch], chance: random.Random) -> None:
    events = chance.choice(batches)["events"]
    events.insert(chance.randrange(len(events) + 1), _own_event(batches, chance))


def add_own_batch(batches: list[Batch], chance: random.Random) -> None:
    batch = {**copy.deepcopy(chance.choice(batches)), "draws": "", "events": [_own_event(batches, chance)]}
    batches.insert(chance.randrange(1, len(batches) + 1), batch)


def add_contributions(batches: list[Batch], chance: random.Random) -> None:
    opened = batches[0]["events"][0]
    pairs = [[seat, chance.choice(("plum", ""))] for seat in opened["seats"]]
    chance.shuffle(pairs)
    opened.pop("forked", None)
    opened["contributions"] = pairs[: chance.randrange(len(pairs) + 1)]


OWN = (
    *("ludolog/undone", "ludolog/redone", "ludolog/game-begun", "ludolog/game-ended", "ludolog/seed-revealed"),
    *("ludolog/table-opened", "ludolog/committed", "ludolog/contributed", "ludolog/contributions-asked"),
    *("ludolog/contributions-closed", "ludolog/commitments-closed", "ludolog/declined", "ludolog/retracted"),
)


def _own_event(batches: list[Batch], chance: random.Random) -> dict[str, Any]:
    opened = batches[0]["events"][0]
    seat = chance.choice(opened.get("seats") or ["ann"])
    numbers = sorted(chance.sample(range(len(batches)), min(len(batches), chance.randrange(4))))
    return {
        "ludolog/undone": {"type": "ludolog/undone", "batches": numbers or [len(batches) - 1], "by": seat},
        "ludolog/redone": {"type": "ludolog/redone", "batches": numbers, "by": ""},
        "ludolog/seed-revealed": {"type": "ludolog/seed-revealed", "seed": "00" * 32},
        "ludolog/table-opened": copy.deepcopy(opened),
        "ludolog/committed": {"type": "ludolog/committed", "seat": seat, "commitment": "00" * 32},
        "ludolog/contributed": {"type": "ludolog/contributed", "seat": seat, "contribution": "plum"},
        "ludolog/contributions-asked": {
            "type": "ludolog/contributions-asked",
            "promise": chance.choice((opened.get("commitment", ""), "00")),
        },
        "ludolog/contributions-closed": {
            "type": "ludolog/contributions-closed",
            "contributions": chance.choice(([], [[seat, "plum"]])),
            "withheld": [],
        },
    }.get(tag := chance.choice(OWN), {"type": tag})


def _change_somewhere(value: dict[str, Any], chance: random.Random) -> None:
    """Put something else in a random place of a nested value."""
    place: Any = value
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        inner = [key for key in keys if isinstance(place[key], dict | list) and place[key]]
        if inner and chance.random() < 0.75:
            place = place[chance.choice(inner)]
            continue
        what = chance.random()
        new: Any = chance.choice((*NASTY, _deep(chance.choice((58, 62, 63, 64, 70)))))
        if isinstance(place, list):
            place.insert(chance.randrange(len(place) + 1), new) if what < 0.5 or not place else place.pop()
        elif what < 0.2:
            place[f"more-{chance.randrange(9)}"] = new
        elif what < 0.3:
            moved = chance.choice(keys)
            place[moved] = place.pop(moved)
        elif what < 0.4 and place is not value:
            del place[chance.choice(keys)]
        else:
            place[chance.choice(keys)] = new
        return


def _line(value: object) -> bytes:
    return msgspec.json.encode(value) + b"\n"


DAMAGED: Sequence[Mutator] = (
    *(flip, insert, delete, cut_tail, cut_head, drop_line, double_line, swap_lines, foreign_line, joined),
    *(change_header, change_field, other_spelling),
)
"""What never holds, with or without a receipt."""

REBUILT: Sequence[Mutator] = tuple(
    _rebuilding(forge)
    for forge in (
        *(drop_batch, drop_tail, double_batch, swap_batches, change_somewhere, change_own_event, change_draws),
        *(change_type, change_version, change_time_or_seat, change_blind, change_seed, add_own_event, add_own_batch),
        *(add_contributions,),
    )
)
"""What may hold without a receipt, and never with one."""


def mutants_of(lines: Sequence[bytes], other: Sequence[bytes], chance: random.Random, each: int) -> Iterator[Mutant]:
    """So many of each kind, fewer where there is nothing to be changed, or no line can say what came of it."""
    for mutate in (*DAMAGED, *REBUILT):
        for _ in range(each):
            try:
                mutant = mutate(list(lines), list(other), chance)
            except (AttributeError, IndexError, KeyError, TypeError, ValueError, OverflowError):
                continue
            if mutant != list(lines):
                yield Mutant(mutate.__name__, mutate in DAMAGED, mutant)
