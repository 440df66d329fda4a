"""Bundles as a forger leaves them: bytes and lines damaged, the header rewritten, the log forged and chained anew."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from ludolog.bundles import export_bundle, export_told
from ludolog.testing.damage import cut_head, cut_middle, cut_tail, deleted, doubled, flipped, inserted, swapped
from ludolog.testing.specimens import Specimen, specimens
from ludolog.testing.tampered_logs import LOG_FORGERIES, altered, fields_of

__all__ = ["BUNDLE_FORGERIES", "TOLD_FORGERIES", "BundleForgery", "Bundles", "bundles_of"]


class Bundles(NamedTuple):
    """Sound bundles of one log: of the whole, of what its first seat was told; and both of another table."""

    log: Specimen
    whole: tuple[bytes, ...]
    told: tuple[bytes, ...]
    other: Specimen
    other_whole: tuple[bytes, ...]
    other_told: tuple[bytes, ...]


BundleForgery: TypeAlias = Callable[[Random, Bundles], Sequence[bytes]]
"""(draws, sound bundles) -> the lines of what was made of them."""


@functools.cache
def bundles_of(game: str, seed: int, *, over: bool) -> Bundles:
    """Bundles of a log that is over, or goes on."""
    place = 0 if over else 1
    found = specimens(game, seed)
    log, other = found[place], found[place + 2]
    return Bundles(log, _whole(log), _told(log), other, _whole(other), _told(other))


def _whole(log: Specimen) -> tuple[bytes, ...]:
    return tuple(export_bundle(log.table, log.store(), secrets=True))


def _told(log: Specimen) -> tuple[bytes, ...]:
    return tuple(export_told(log.table, log.store(), log.position.seats[0], ruleset=log.ruleset))


Lines: TypeAlias = Callable[[Bundles], tuple[bytes, ...]]


def _bytes_of_all(damage: Callable[[Random, bytes], bytes], which: Lines) -> BundleForgery:
    return lambda rng, sound: damage(rng, b"".join(which(sound))).splitlines(keepends=True)


def _lines(move: Callable[[Random, list[bytes]], list[bytes]], which: Lines) -> BundleForgery:
    return lambda rng, sound: move(rng, list(which(sound)))


def _rewritten(line: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    plain = msgspec.json.decode(line, type=dict[str, Any])
    change(plain)
    return msgspec.json.encode(plain) + b"\n"


def _header(which: Lines) -> BundleForgery:
    """One value of the header is another."""
    return lambda rng, sound: [_rewritten(which(sound)[0], partial(altered, rng)), *which(sound)[1:]]


def _fields(which: Lines) -> BundleForgery:
    """One value of one line is another, written as the library writes it."""

    def forge(rng: Random, sound: Bundles) -> Sequence[bytes]:
        lines = list(which(sound))
        number = rng.randrange(1, len(lines))
        lines[number] = _rewritten(lines[number], partial(altered, rng))
        return lines

    return forge


def _header_of_another(which: Lines, other: Lines) -> BundleForgery:
    return lambda _rng, sound: [*other(sound)[:1], *which(sound)[1:]]


def _line_of_another(which: Lines, other: Lines) -> BundleForgery:
    def forge(rng: Random, sound: Bundles) -> Sequence[bytes]:
        lines = list(which(sound))
        number = rng.randrange(1, min(len(lines), len(other(sound))))
        lines[number] = other(sound)[number]
        return lines

    return forge


def _cut_with_header(which: Lines) -> BundleForgery:
    """The tail is cut, and the header says that there was never more."""

    def forge(rng: Random, sound: Bundles) -> Sequence[bytes]:
        lines = cut_tail(rng, list(which(sound)[1:]))
        end = {"length": len(lines), "head": msgspec.json.decode(lines[-1])["head"]}
        return [_rewritten(which(sound)[0], lambda plain: plain.update(receipts=[end], seed=None)), *lines]

    return forge


def _forged_log(name: str) -> BundleForgery:
    """The log is forged as in a store, and the header made to fit."""

    def forge(rng: Random, sound: Bundles) -> Sequence[bytes]:
        rows = LOG_FORGERIES[name](rng, sound.log, sound.other).rows
        batches = [fields_of(row.payload) for row in rows]
        opened, last = batches[0]["events"][0], batches[-1]["events"][-1:]
        fitted = {
            "plugins": opened.get("rules", []),
            "digest": opened.get("digest", ""),
            "receipts": [{"length": len(rows), "head": rows[-1].head.hex()}],
            "seed": last[0].get("seed") if last and last[0]["type"] == "ludolog/seed-revealed" else None,
        }
        header = _rewritten(sound.whole[0], lambda plain: plain.update(fitted))
        return [header, *(_line(batch, row.head) for batch, row in zip(batches, rows, strict=True))]

    return forge


def _line(batch: dict[str, Any], head: bytes) -> bytes:
    """A batch as its line, whatever its format says."""
    hashes = {"blind": batch["blind"].hex(), "previous": batch["previous"].hex(), "head": head.hex()}
    return msgspec.json.encode(batch | hashes) + b"\n"


def _common(which: Lines, other: Lines) -> dict[str, BundleForgery]:
    """What can be done to a bundle of either kind."""
    return {
        "bit flipped": _bytes_of_all(flipped, which),
        "bytes inserted": _bytes_of_all(inserted, which),
        "bytes deleted": _bytes_of_all(deleted, which),
        "head cut": _lines(cut_head, which),
        "middle cut": _lines(cut_middle, which),
        "tail cut": _lines(cut_tail, which),
        "lines swapped": _lines(swapped, which),
        "line doubled": _lines(doubled, which),
        "line of another table": _line_of_another(which, other),
        "header of another table": _header_of_another(which, other),
        "header changed": _header(which),
        "line changed": _fields(which),
        "tail cut, header fitted": _cut_with_header(which),
    }


def _of_log(sound: Bundles) -> tuple[bytes, ...]:
    return sound.whole


def _of_told(sound: Bundles) -> tuple[bytes, ...]:
    return sound.told


def _other_log(sound: Bundles) -> tuple[bytes, ...]:
    return sound.other_whole


def _other_told(sound: Bundles) -> tuple[bytes, ...]:
    return sound.other_told


_WHOLE_LOGS: Final = frozenset(("last batch rewritten", "played otherwise by the rules", "whole log swapped"))

BUNDLE_FORGERIES: Final[Mapping[str, BundleForgery]] = {
    **_common(_of_log, _other_log),
    **{name: _forged_log(name) for name in LOG_FORGERIES if "chain rebuilt" in name or name in _WHOLE_LOGS},
    "bundle of another table": lambda _rng, sound: sound.other_whole,
}
"""What can be done to the bundle of a log, by name."""

TOLD_FORGERIES: Final[Mapping[str, BundleForgery]] = {
    **_common(_of_told, _other_told),
    "bundle of another table": lambda _rng, sound: sound.other_told,
}
"""What can be done to the bundle of what a seat was told, by name."""
