"""Bundles as a forger would write them: any batches under a header that fits them, or one that doesn't."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from ludolog.bundles import Header, Mark
from ludolog.bundles.layout import line_of
from ludolog.frame import SeedRevealed
from ludolog.opening import opening_in
from ludolog_events import Batch, from_json, head_of, read_raw

__all__ = ["batch_line", "bundle_of", "header_for", "header_of", "payloads_in", "with_header"]


def batch_line(payload: bytes) -> bytes:
    """The line of a batch, also of one that the library would refuse to write."""
    batch = msgspec.to_builtins(msgspec.msgpack.decode(payload, type=Batch[dict, dict]), builtin_types=(bytes,))
    told = dict(zip(Batch.__struct_fields__, batch, strict=True))
    told |= {"blind": told["blind"].hex(), "previous": told["previous"].hex(), "head": head_of(payload).hex()}
    return msgspec.json.encode(told) + b"\n"


def header_for(payloads: Sequence[bytes]) -> Header:
    """The header that a log of these batches would have."""
    opened = opening_in(payloads[0])
    try:
        seed = msgspec.msgpack.decode(read_raw(payloads[-1]).events[-1], type=SeedRevealed).seed
    except (msgspec.DecodeError, IndexError):
        seed = None
    mark = Mark(length=len(payloads), head=head_of(payloads[-1]).hex())
    return Header(
        holds="log",
        seat=None,
        table=opened.table,
        plugins=opened.rules,
        digest=opened.digest,
        receipts=(mark,),
        seed=seed,
    )


def bundle_of(payloads: Sequence[bytes], **changes: Any) -> list[bytes]:
    """A bundle of these batches, whose header is made to fit."""
    header = msgspec.structs.replace(header_for(payloads), **changes)
    return [line_of(header), *map(batch_line, payloads)]


def payloads_in(lines: Iterable[bytes]) -> list[bytes]:
    """The batches of a bundle of a log."""
    return [from_json(line) for line in list(lines)[1:]]


def header_of(lines: Sequence[bytes]) -> Header:
    """The header of a bundle."""
    return msgspec.json.decode(lines[0], type=Header)


def with_header(lines: Sequence[bytes], **changes: Any) -> list[bytes]:
    """The bundle with another header."""
    return [line_of(msgspec.structs.replace(header_of(lines), **changes)), *lines[1:]]
