"""Choosing from a list: one key where that is enough, a number otherwise, page by page."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Final

from ludolog_plugins.cli.console import say
from ludolog_plugins.cli.keys import ENTER, ERASE, Keyboard

__all__ = ["LEAVE", "pick"]

LEAVE: Final = "q"
_NEXT: Final = frozenset({"n", " ", "\x1b[6~", "\x1b[B", "\x1b[C"})
_BACK: Final = frozenset({"p", "\x1b[5~", "\x1b[A", "\x1b[D"})


def pick(items: Sequence[str], letters: Mapping[str, str], keys: Keyboard, *, page: int) -> int | str:
    """Show ``items`` numbered and let somebody pick.

    Args:
        items: What can be picked.
        letters: Other keys, and what they do.
        keys: Where keys come from.
        page: Items shown at once.

    Returns:
        The place of the item, from 0, or one of ``letters``; ``LEAVE`` when there are no more keys.
    """
    pages = max((len(items) + page - 1) // page, 1)
    shown = 0
    _show(items, letters, shown, page)
    typed = ""
    while True:
        key = keys.key()
        if key == "":
            return LEAVE
        if pages > 1 and key in _NEXT | _BACK:
            shown = (shown + (1 if key in _NEXT else -1)) % pages
            typed = ""
            _show(items, letters, shown, page)
        elif key in letters:
            return key
        elif keys.at_once:
            typed = _edited(typed, key, len(items))
            if typed and (key == ENTER or int(typed) * 10 > len(items)):
                sys.stdout.write("\n")
                return int(typed) - 1
        elif key.isdecimal() and 1 <= int(key) <= len(items):
            return int(key) - 1
        else:
            say(f"{key!r} is none of these: 1 to {len(items)}, {', '.join(letters)}.")


def _edited(typed: str, key: str, count: int) -> str:
    """The number typed so far, echoed, after one more key; it never grows beyond ``count``."""
    if key == ERASE and typed:
        sys.stdout.write("\b \b")
        typed = typed[:-1]
    elif key.isdecimal() and key.isascii() and 1 <= int(typed + key) <= count:
        sys.stdout.write(key)
        typed += key
    sys.stdout.flush()
    return typed


def _show(items: Sequence[str], letters: Mapping[str, str], shown: int, page: int) -> None:
    width = len(str(len(items)))
    first = shown * page
    for number, item in enumerate(items[first : first + page], first + 1):
        say(f" {number:>{width}}  {item}")
    pages = (len(items) + page - 1) // page
    more = [f"page {shown + 1} of {pages}: [n] next, [p] back"] if pages > 1 else []
    say("  ".join([*more, *(f"[{key}] {text}" for key, text in letters.items())]), "dim")
