"""Check a game without trusting who sent it: ``python verifier.py game.ludolog [--receipt LENGTH:HEAD]``.

Nothing but Python 3.11 is needed, neither Ludolog nor the game's plugin. Checked is, in the order of this file:

1. Each line is the only way to write what it says, and gives the bytes that were hashed when the game was played.
2. The seed is the one promised before the first draw; what seats contributed is what they had committed to before
   anybody told; and every number drawn follows from them.
3. Each batch follows the one before; the log agrees with the receipts in its header, and with those that you hold:
   only these show a tail that was cut off, or a log that was written anew.

Whether *events* follow from commands and draws is for an audit with the game's rules; what one seat was told, for
``ludolog verify``. Exit code: 0 all holds, 1 something doesn't, 2 there is nothing to check.
"""

import argparse
import contextlib
import hashlib
import hmac
import itertools
import json
import re
import struct
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn

if sys.version_info < (3, 11):  # noqa: UP036 - whoever checks a game may have another one
    print("Python 3.11 or newer is needed.")
    sys.exit(2)

FORMAT = 1  # of bundles and of batches
MAX_BATCH, MAX_LINE, MAX_DEPTH, MAX_DIGITS = 4 * 1024 * 1024, 16 * 1024 * 1024, 64, 4300
MAGIC = re.compile(rb'{"ludolog":"bundle","format":([0-9]{1,9})[,}]("holds":"told")?')
DRAWS = re.compile("(?:[1-9][0-9]*:(?:0|[1-9][0-9]*)(?: (?=[1-9])|$))*")
HASH, HEX, RECEIPT = map(re.compile, ("[0-9a-f]{64}", "(?:[0-9a-f]{2})*", "([0-9]{1,18}):([0-9a-f]{64})"))
PACKED: Any = {str: (0xA0, 32, 0xD9, "BHI"), bytes: (0, 0, 0xC4, "BHI"), list: (0x90, 16, 0xDC, "HI")}  # MessagePack

# Shapes: a type, [each], (one, after, another), or {name: shape} in this order; "name?" is left out when empty.
PLUGIN: Any = {"id": str, "version": int, "options": str}
HEADER: Any = {"ludolog": str, "format": int, "holds": str, "seat": str | None, "table": str, "plugins": [PLUGIN]}
HEADER |= {"digest": str, "receipts": [{"length": int, "head": str}], "seed": str | None}
BATCH: Any = {"format": int, "number": int, "time": int, "seat": str | None, "command_id": str | None, "command": dict}
BATCH |= {"events": [dict], "draws": str, "blind": str, "previous": str, "head": str}
OPENED: Any = {"type": str, "table": str, "rules": [PLUGIN], "digest": str, "seats": [str], "commitment": str}
OPENED |= {"contributions?": [(str, str)], "forked?": [{"table": str, "length": int, "head": str}]}
EVENTS: Any = {
    "ludolog/table-opened": OPENED,
    "ludolog/contributions-asked": {"type": str, "promise": str},
    "ludolog/committed": {"type": str, "seat": str, "commitment": str},
    "ludolog/contributed": {"type": str, "seat": str, "contribution": str},
    "ludolog/contributions-closed": {"type": str, "contributions": [(str, str)], "withheld": [str]},
    "ludolog/undone": {"type": str, "batches": [int], "by": str, "consent?": [str]},
    "ludolog/redone": {"type": str, "batches": [int], "by": str},
    "ludolog/seed-revealed": {"type": str, "seed": str},
}
CONTRIBUTING = re.compile("ludolog/contributions-asked( [^ ]+/committed)*( [^ ]+/contributed)*( [^ ]+-closed)?")
END = ["ludolog/game-ended", "ludolog/seed-revealed"]


class UnsoundError(Exception):
    """The bundle does not hold (exit code 1), or there is none (2)."""


def wrong(why: str, code: int = 1) -> NoReturn:
    """Give up on the bundle."""
    raise UnsoundError(code, why)


# 1. One way to write a line, and its bytes
def parse(line: bytes, shape: dict[str, Any]) -> Any:  # noqa: ANN401 - of that shape
    """Read a line that is the only way to write what it says: no blanks, no floats, no doubled names."""
    try:
        value = json.loads(line.decode(), parse_float=int, parse_constant=int)  # neither is a whole number
        same = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" == line
    except (ValueError, RecursionError):
        same, value = False, None
    return value if same and fits(value, shape) else wrong("the line is not the canonical form of what it should say")


def fits(value: Any, shape: Any) -> bool:  # noqa: ANN401 - of any shape
    """Whether a value has a shape."""
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(item, shape[0]) for item in value)
    if isinstance(shape, tuple):
        return isinstance(value, list) and len(value) == len(shape) and all(map(fits, value, shape))
    if isinstance(shape, dict):
        found = value if isinstance(value, dict) else {}
        names = {name.strip("?"): name for name in shape if name[-1] != "?" or found.get(name[:-1])}
        return list(found) == list(names) and all(fits(found[name], shape[names[name]]) for name in names)
    return isinstance(value, shape) and not isinstance(value, bool)


def pack(value: Any, depth: int = 0) -> bytes:  # noqa: ANN401 - what JSON holds, and bytes
    """MessagePack, each value in the shortest way: the bytes that were hashed."""
    if depth > MAX_DEPTH:
        wrong("it is nested too deep")
    if isinstance(value, bool | None):
        return {None: b"\xc0", False: b"\xc2", True: b"\xc3"}[value]
    if isinstance(value, int):
        return struct.pack(">b", value) if value in range(-32, 128) else shortest(value, 0xCC, "BHIQbhiq")
    kind, few, code, forms = PACKED.get(type(value), (0x80, 16, 0xDE, "HI"))
    raw = value.encode() if isinstance(value, str) else value
    items = itertools.chain(*raw.items()) if isinstance(raw, dict) else raw
    inside = raw if isinstance(raw, bytes) else b"".join(pack(item, depth + 1) for item in items)
    return (bytes([kind | len(raw)]) if len(raw) < few else shortest(len(raw), code, forms)) + inside


def shortest(value: int, code: int, forms: str) -> bytes:
    """A number in the first form that can hold it, after the code of that form."""
    for form in forms:
        with contextlib.suppress(struct.error):
            return struct.pack(f">B{form}", code + forms.index(form), value)
    return wrong("something is too large to be stored")


# 2. The dice
def framed(*parts: str | bytes) -> bytes:
    """Parts joined so that no two lists of parts give the same bytes."""
    raw = (part if isinstance(part, bytes) else part.encode() for part in parts)
    return b"".join(struct.pack(">I", len(part)) + part for part in raw)


def promise(*parts: str | bytes) -> str:
    """SHA-256 (hex) of what is promised now and told later."""
    return hashlib.sha256(framed(*parts)).hexdigest()


def words(key: bytes, place: int) -> Iterator[bytes]:
    """Words of 8 bytes for the batch before which ``place`` batches count."""
    for block in itertools.count():
        yield from struct.unpack("8s8s8s8s", hmac.digest(key, struct.pack(">QQ", place, block), "sha256"))


def below(bound: int, stream: Iterator[bytes]) -> int:
    """A number below ``bound``, by rejection, so that none is likelier than another."""
    size = max(1, ((bound - 1).bit_length() + 63) // 64)
    number = limit = (1 << 64 * size) // bound * bound
    while number >= limit:
        number = int.from_bytes(b"".join(itertools.islice(stream, size)))
    return number % bound


class Dice:
    """Where the draws come from: the seed, and what each seat told after all had committed to it."""

    def __init__(self, opened: dict[str, Any], seed: str | None) -> None:
        self.table, self.seats, self.promised = opened["table"], opened["seats"], opened["commitment"]
        self.drawn, self.seed = 0, None if seed is None else bytes.fromhex(seed)
        self.given: list[list[str]] = opened.get("contributions", [])
        self.steps: list[dict[str, Any]] = [opened] if self.given else []  # then nobody may be asked any more
        kept = self.seed is None or promise("ludolog/commitment", self.table, self.seed) == self.promised
        if not kept or self.given != self.in_seat_order(self.given):
            wrong("the seed is not the promised one, or contributions in the opening are not in seat order")

    def in_seat_order(self, given: list[list[str]]) -> list[list[str]]:
        """What seats gave, each once."""
        return [[seat, dict(given)[seat]] for seat in self.seats if seat in dict(given)]

    def contribute(self, event: dict[str, Any]) -> None:
        """Check what a seat commits to or tells after all that came before, and what is settled in the end."""
        self.steps.append(event)
        timely = CONTRIBUTING.fullmatch(" ".join(step["type"] for step in self.steps))
        committed = [[step["seat"], step["commitment"]] for step in self.steps if {"seat", "commitment"} <= step.keys()]
        told = [[step["seat"], step["contribution"]] for step in self.steps if "contribution" in step]
        made = [[seat, promise("ludolog/contribution", self.promised, seat, text)] for seat, text in told]
        known = all(sorted(self.in_seat_order(pairs)) == sorted(pairs) for pairs in (committed, told))
        kept = all(pair in committed for pair in made) and self.steps[0].get("promise") == self.promised
        self.given = event.get("contributions", [])
        settled = "contributions" not in event or self.given == self.in_seat_order(told)
        if not (timely and known and kept and settled):
            wrong("a contribution is not what its seat had committed to, or not in time")

    def check(self, batch: dict[str, Any], place: int) -> None:
        """Draw again what a batch says was drawn; the bytes that blind its hash come from the seed, too."""
        draws, number = batch["draws"], batch["number"]
        if not DRAWS.fullmatch(draws) or (draws and number == 0):
            wrong("what it says was drawn is no list of draws")
        if self.seed is None:
            return
        name = f"{self.table}/{number}".encode()
        blind = hashlib.blake2b(name, key=self.seed, digest_size=16, person=b"ludolog/blind").hexdigest()
        stream = words(hmac.digest(self.seed, framed("ludolog/stream", *itertools.chain(*self.given)), "sha256"), place)
        bounds = [bound for bound in re.findall("([0-9]+):", draws) if len(bound) <= MAX_DIGITS]
        if " ".join(f"{bound}:{below(int(bound), stream)}" for bound in bounds) != draws or blind != batch["blind"]:
            wrong("what it says was drawn, or what blinds its hash, is not what the seed gives")
        self.drawn += len(bounds)


# 3. The chain, and receipts
class Log:
    """What has been read of a log so far."""

    def __init__(self, line: bytes, receipts: Iterable[str] = ()) -> None:
        magic = MAGIC.match(line)
        if magic is None or int(magic[1]) > FORMAT or magic[2]:
            wrong("This is no bundle of a log, or one of a newer format.", 2)
        self.header = header = parse(line, HEADER)
        marks = [(mark["length"], mark["head"]) for mark in header["receipts"]]
        self.length, self.head, self.last = 0, "0" * 64, max([0, *dict(marks)])
        sound = (header["format"], header["holds"], header["seat"]) == (FORMAT, "log", None) and marks
        if not sound or marks != sorted(dict(marks).items()) or not HASH.fullmatch(header["seed"] or "0" * 64):
            wrong("the header says what can't be")
        self.receipts: dict[int, set[str]] = {}
        held = [RECEIPT.fullmatch(text) or wrong(f"{text!r} is no receipt.", 2) for text in receipts]
        for length, head in (*marks, *(found.groups() for found in held)):
            self.receipts.setdefault(int(length), set()).add(head)
        self.over, self.protected = False, sys.maxsize
        self.counting: list[int] = []
        self.taken_back: list[list[int]] = []

    def take(self, line: bytes) -> None:
        """Check the next batch: its bytes and hash, and what its events mean for the log."""
        batch = parse(line, BATCH)
        if (batch["format"], batch["number"], batch["previous"]) != (FORMAT, self.length, self.head) or self.over:
            wrong("it is not the batch that comes next")
        blind = bytes.fromhex(batch["blind"]) if HEX.fullmatch(batch["blind"]) else wrong("it is not blinded")
        payload = pack([*list(batch.values())[:-3], blind, bytes.fromhex(self.head)])
        self.length, self.head = self.length + 1, hashlib.sha256(payload).hexdigest()
        if len(line) > MAX_LINE or len(payload) > MAX_BATCH or batch["head"] != self.head:
            wrong("it does not have the hash that it names")
        if self.receipts.pop(self.length, {self.head}) != {self.head}:
            wrong("its hash is not the one of a receipt")
        tags = [event["type"] if fits(event.get("type"), str) else wrong("it has no type") for event in batch["events"]]
        self.note(batch, tags, [event for event in batch["events"] if event["type"] in EVENTS])

    def note(self, batch: dict[str, Any], tags: list[str], own: list[dict[str, Any]]) -> None:
        """Check the library's own events in a batch, and where they stand."""
        if not all(fits(event, EVENTS[event["type"]]) for event in own):
            wrong("an event is not what its type says")
        opening = [["ludolog/table-opened"], ["ludolog/table-opened", "ludolog/contributions-asked"]]
        if ("ludolog/table-opened" in tags) != (self.length == 1) or (self.length == 1 and tags not in opening):
            wrong("it opens the table where it can't")
        if self.length == 1:
            opened, header = own[0], self.header
            named = (header["table"], header["plugins"], header["digest"])
            if (opened["table"], opened["rules"], opened["digest"]) != named or not opened["rules"]:
                wrong("the header does not agree with the opening of the table")
            self.dice = Dice(opened, header["seed"])
            self.protected = 1 if "forked" in opened else self.protected
        if batch["seat"] not in {None, *self.dice.seats}:
            wrong("nobody of this name sits at the table")
        self.dice.check(batch, len(self.counting))
        for event in own:
            if event["type"].startswith("ludolog/co"):
                self.dice.contribute(event)
        ends, undo = [tag for tag in tags if tag in END], [event for event in own if "batches" in event]
        if ends and (ends != END or tags[-2:] != END or own[-1]["seed"] != self.header["seed"]):
            wrong("it ends the game where it can't, or reveals another seed than the header")
        if undo and (len(tags) > 1 or batch["draws"]):
            wrong("an undo does something else besides")
        self.over = bool(ends)
        self.follow(*((undo[0]["type"], undo[0]["batches"]) if undo else ("", [batch["number"]])))
        self.protected = self.length if "ludolog/game-begun" in tags else self.protected

    def follow(self, tag: str, batches: list[int]) -> None:
        """A batch counts; an undo takes back the last that count, a redo restores what was taken back last."""
        last = self.counting[-len(batches) :] if tag.endswith("undone") else (self.taken_back or [[]])[-1]
        if tag and (not batches or batches != last or batches[0] < self.protected):
            wrong("it takes back or restores what it can't")
        if tag.endswith("undone"):
            del self.counting[-len(batches) :]
            self.taken_back.append(batches)
        else:
            self.counting += batches
            self.taken_back = self.taken_back[:-1] if tag else []


def verify(lines: Iterator[bytes], receipts: Iterable[str] = ()) -> Log:
    """Check a bundle, line by line, and that nothing is missing; UnsoundError says what is wrong with it."""
    log = Log(next(lines, b""), receipts)
    for line in lines:
        log.take(line)
    if log.receipts or log.length != log.last:
        wrong(f"it has {log.length} batches, and there are receipts for {sorted({log.last, *log.receipts})}")
    return log if log.over or log.header["seed"] is None else wrong("its header has a seed that was not revealed")


def main() -> int:
    """Print the verdict; the exit code."""
    reader = argparse.ArgumentParser(description="Check a bundle that holds the log of a game.")
    reader.add_argument("file", type=Path)
    reader.add_argument("--receipt", action="append", default=[], metavar="LENGTH:HEAD")
    asked = reader.parse_args()
    try:
        with asked.file.open("rb") as file:
            log = verify(iter(lambda: file.readline(MAX_LINE + 1), b""), asked.receipt)
    except (UnsoundError, OSError) as error:
        code, why = error.args if isinstance(error, UnsoundError) else (2, error)
        print(why if code > 1 else f"It does not hold: {why}.")
        return int(code)
    drawn = f"All {log.dice.drawn} draws follow from the promised seed." if log.dice.drawn else "Nothing was drawn."
    more = drawn if log.over else "The game is not over."
    print(f"The log of table {log.header['table']!r} is whole: {log.length} batches, head {log.head}. {more}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
