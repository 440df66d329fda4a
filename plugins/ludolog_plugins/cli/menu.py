"""Choosing from a list: one key where that is enough, a number otherwise; page by page, or by a part of the text."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Final

from ludolog_plugins.cli.console import say
from ludolog_plugins.cli.keys import ENTER, ERASE, Keyboard

__all__ = ["LEAVE", "pick", "typed_line"]

LEAVE: Final = "q"
_FIND: Final = "/"
_ONE_KEY: Final = 9
"""Of at most so many items one digit picks; of more, a number and the enter key."""
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
    pages = _Pages(items, page)
    pages.show(letters)
    typed = ""
    while True:
        key = keys.key()
        if key == "":
            return LEAVE
        if pages.turned(key, keys):
            typed = ""
            pages.show(letters)
        elif key in letters:
            return key
        elif keys.at_once:
            typed = _edited(typed, key, len(items))
            if typed and (key == ENTER or len(items) <= _ONE_KEY):
                sys.stdout.write("\n")
                return int(typed) - 1
        elif key.isdecimal() and 1 <= int(key) <= len(items):
            return int(key) - 1
        else:
            say(f"{key!r} is none of these: 1 to {len(items)}, {', '.join(letters)}.")


class _Pages:
    """A numbered list, of which a part is shown."""

    def __init__(self, items: Sequence[str], page: int) -> None:
        self.items = items
        self.page = page
        self.found: Sequence[int] = range(len(items))
        self.shown = 0
        self.count = self._count()

    def _count(self) -> int:
        return max((len(self.found) + self.page - 1) // self.page, 1)

    def turned(self, key: str, keys: Keyboard) -> bool:
        """Whether the key turned a page, or asked for a part of the list; short lists need neither."""
        if len(self.items) <= self.page:
            return False
        if key in _NEXT | _BACK:
            self.shown = (self.shown + (1 if key in _NEXT else -1)) % self.count
            return True
        if key.startswith(_FIND):
            self._find(key[1:] if not keys.at_once else typed_line(keys, _FIND))
            return True
        return False

    def _find(self, text: str) -> None:
        """Show only what holds ``text``; everything, if nothing does."""
        wanted = text.casefold()
        self.found = [place for place, item in enumerate(self.items) if wanted in item.casefold()]
        if not self.found:
            say(f"Nothing here holds {text!r}.")
            self.found = range(len(self.items))
        self.shown, self.count = 0, self._count()

    def show(self, letters: Mapping[str, str]) -> None:
        width = len(str(len(self.items)))
        first = self.shown * self.page
        for place in self.found[first : first + self.page]:
            say(f" {place + 1:>{width}}  {self.items[place]}")
        more = [] if len(self.items) <= _ONE_KEY else ["number and [enter]"]
        if len(self.items) > self.page:
            more.append(f"page {self.shown + 1} of {self.count}: [n] next  [p] back  [/] find")
        say("  ".join([*more, *(f"[{key}] {text}" for key, text in letters.items())]), "dim")


def typed_line(keys: Keyboard, prompt: str = "") -> str:
    """A text, key by key, until it is confirmed; from anywhere but a terminal the next line."""
    if not keys.at_once:
        return keys.key()
    sys.stdout.write(prompt)
    text = ""
    while True:
        sys.stdout.flush()
        key = keys.key()
        if key in {ENTER, ""}:
            sys.stdout.write("\n")
            return text
        if key == ERASE:
            sys.stdout.write("\b \b" if text else "")
            text = text[:-1]
        elif key.isprintable():
            sys.stdout.write(key)
            text += key


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
