"""Which kind of file system a file lies on, as far as the system tells."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

__all__ = ["NETWORK", "file_system_of", "kind_in"]

MOUNTS: Final = Path("/proc/self/mountinfo")

# Not 9p: it is also how sandboxes and virtual machines show a disk that is theirs alone.
NETWORK: Final = frozenset(
    (
        *("acfs", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "fuse.ceph", "fuse.davfs", "fuse.gcsfuse"),
        *("fuse.glusterfs", "fuse.juicefs", "fuse.rclone", "fuse.s3fs", "fuse.sshfs", "gfs2", "glusterfs", "gpfs"),
        *("lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs", "smb3", "smbfs"),
    )
)
"""Several machines may use a file on these at once, and the index of a write-ahead log is in one machine's memory."""


def file_system_of(path: str) -> str:
    """The kind of file system that a file lies on, or would; empty where that can't be told (it can on Linux)."""
    try:
        return kind_in(MOUNTS.read_text(errors="surrogateescape"), os.path.realpath(path))
    except OSError:
        return ""


def kind_in(mounts: str, path: str) -> str:
    """The kind of the innermost mount above a path, from lines as in ``/proc/self/mountinfo`` (see proc(5))."""
    kind, longest = "", -1
    for line in mounts.splitlines():
        fields, _, about = line.partition(" - ")
        columns = fields.split(" ")
        if len(columns) < 5 or not about:  # noqa: PLR2004 - the fifth is the place
            continue
        place = columns[4]
        for octal, plain in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
            place = place.replace(octal, plain)
        inside = path == place or path.startswith(place.rstrip("/") + "/")
        if inside and len(place) >= longest:  # of two mounts at one place, the later one is seen
            kind, longest = about.split(" ")[0], len(place)
    return kind
