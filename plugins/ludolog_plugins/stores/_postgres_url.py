"""The URL of a PostgreSQL store: which of its options are the store's own."""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qsl, quote

from ludolog.errors import BadOptions

__all__ = ["OWN", "SCHEMES", "parted", "split_url"]

SCHEMES: Final = ("postgresql", "postgres")

OWN: Final = ("schema", "durability", "busy_timeout", "connections")
"""Options of the store itself."""


def split_url(url: str) -> tuple[str, dict[str, str]]:
    """A URL without the store's own options, which is libpq's (with ``sslmode`` and the like); and those.

    Raises:
        BadOptions: one of them is given twice.
    """
    place, query = parted(url)
    own: dict[str, str] = {}
    others: list[str] = []
    for name, value in parse_qsl(query.replace("+", "%2B"), keep_blank_values=True):  # To libpq, + is no space.
        if name not in OWN:
            others.append(f"{quote(name, safe='')}={quote(value, safe='')}")
        elif name in own:
            why = f"The URL of the PostgreSQL store gives {name} twice."
            raise BadOptions(why)
        else:
            own[name] = value
    return "?".join([place, "&".join(others)] if others else [place]), own


def parted(url: str) -> tuple[str, str]:
    """The URL parted at the question mark that begins its options; the password may have one, too."""
    start = url.find("://") + 3
    at = url.find("@", start)
    slash = url.find("/", start)
    if at >= 0 and (slash < 0 or at < slash):
        start = at
    place, _, query = url[start:].partition("?")
    return url[:start] + place, query
