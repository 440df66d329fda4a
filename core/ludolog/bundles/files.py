"""Bundles as files: read line by line, none of them endless; written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import BinaryIO

from ludolog.bundles.layout import LONGEST_LINE
from ludolog_events import CorruptLog

__all__ = ["read_lines", "write_lines"]


def read_lines(file: BinaryIO) -> Iterator[bytes]:
    """Lines of a file from outside, none of them longer than memory is for.

    Raises:
        CorruptLog: A line has more than ``LONGEST_LINE`` bytes.
    """
    for number in count():
        line = file.readline(LONGEST_LINE + 1)
        if not line:
            return
        if len(line) > LONGEST_LINE:
            why = f"a line has more than {LONGEST_LINE} bytes"
            raise CorruptLog(why, batch=number - 1 if number else None)
        yield line


def write_lines(path: Path, lines: Iterable[bytes]) -> None:
    """Write a file whole or not at all: under another name beside it, which takes its place when all is on the disk.

    A link stays one, to the file that is written. A device or a pipe can't be replaced: it gets the lines one by one.

    Raises:
        OSError: It can't be written; what was there before is still there. ``filename`` is ``path``'s, or its folder's.
    """
    if path.exists() and not path.is_file():
        try:
            with path.open("wb") as file:
                file.writelines(lines)
        except OSError as error:
            raise _of(error, path) from None
        return
    place = Path(os.path.realpath(path)) if path.is_symlink() else path
    folder = place.parent
    try:
        handle, name = tempfile.mkstemp(dir=folder, prefix=f".{path.name[:40]}.")
    except OSError as error:
        raise _of(error, folder) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(place)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise _of(error, path) from None
        raise


def _of(error: OSError, path: Path) -> OSError:
    """The same error for the place that was asked for, not for a name that nobody has heard of."""
    return OSError(error.errno, error.strerror or str(error), str(path))
