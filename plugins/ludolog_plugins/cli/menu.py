"""Choosing from a list: one key where that is enough, a number otherwise; page by page, or by a part of the text."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ludolog_plugins.cli.console import hung, say, wrapped
from ludolog_plugins.cli.keys import ENTER, ERASE, ESCAPE, Keyboard

__all__ = ["LEAVE", "pick", "typed_line"]

LEAVE: Final = "q"
_FIND: Final = "/"
_ONE_KEY: Final = 9
"""Of at most so many items one digit picks; of more, a number and the enter key."""
_LONGEST: Final = 9
"""Digits of a number that somebody types."""
_ALONE: Final = 2
"""Of more items than these, one comes to the last one that would stand on a page alone."""
_NEXT: Final = frozenset({"n", " ", "\x1b[6~", "\x1b[B", "\x1b[C"})
_BACK: Final = frozenset({"p", "\x1b[5~", "\x1b[A", "\x1b[D"})


def pick(
    items: Sequence[str],
    letters: Mapping[str, str],
    keys: Keyboard,
    *,
    page: int,
    first: int | None = None,
    width: int = 0,
) -> int | str:
    """Show ``items`` numbered and let somebody pick.

    Args:
        items: What can be picked.
        letters: Other keys, and what they do.
        keys: Where keys come from.
        page: Lines of the list shown at once.
        first: Those shown at first; by default as many.
        width: Columns of the screen, for items that are longer; 0: nobody counts them.

    Returns:
        The place of the item, from 0, or one of ``letters``; ``LEAVE`` when there are no more keys.
    """
    pages = _Pages(items, page, page if first is None else first, width)
    asking = _Asking(pages, letters, keys)
    pages.show(letters)
    while True:
        key = keys.key()
        if key == "":
            return LEAVE
        if pages.turned(key, keys):
            asking.typed = ""
            pages.show(letters)
        elif key in letters:
            return key
        else:
            place = asking.number(key)
            if place is not None:
                return place


class _Asking:
    """What is typed in answer to a list."""

    def __init__(self, pages: _Pages, letters: Mapping[str, str], keys: Keyboard) -> None:
        self.pages = pages
        self.keys = keys
        self.known = ", ".join([f"1 to {len(pages.items)}", *pages.letters, *letters])
        self.typed = ""
        self.told = False

    def number(self, key: str) -> int | None:
        """The place that was picked, once its number is complete; whoever types what can't be picked is told so."""
        if not self.keys.at_once or (key.isdecimal() and len(self.pages.items) <= _ONE_KEY):
            return self._place(key)
        if key == ENTER:
            return self._place(self.typed) if self.typed else None
        if key == ERASE:
            sys.stdout.write("\b \b" if self.typed else "")
            self.typed = self.typed[:-1]
        elif key.isdecimal() and key.isascii() and len(self.typed) < _LONGEST:
            sys.stdout.write(key)
            self.typed += key
            self.told = False
        elif key.isprintable():
            # Of a word typed key by key, the first key is enough.
            if not self.told:
                self._refuse(key)
            self.typed, self.told = "", True
        sys.stdout.flush()
        return None

    def _place(self, number: str) -> int | None:
        if number.isdecimal() and number.isascii() and 1 <= int(number) <= len(self.pages.items):
            if self.keys.at_once:
                sys.stdout.write("\n")
            return int(number) - 1
        self._refuse(number)
        self.typed, self.told = "", False
        return None

    def _refuse(self, text: str) -> None:
        sys.stdout.write("\n" if self.typed else "")
        say(f"{text!r} is none of these: {self.known}.", "yellow")


class _Pages:
    """A numbered list, of which a part is shown."""

    def __init__(self, items: Sequence[str], page: int, first: int, width: int) -> None:
        self.items = items
        digits = len(str(len(items)))
        self.rows = [hung(f" {place:>{digits}}  ", item, width) for place, item in enumerate(items, 1)]
        self.page = page
        self.first = first
        self.width = width
        self.text = ""
        self.shown = 0
        self.pages = self._split(range(len(items)))
        self.letters = ["n", "p", _FIND] if len(self.pages) > 1 else []

    def _split(self, found: Iterable[int]) -> list[list[int]]:
        """The places on each page: as many as have room, and about as much on each of the later ones."""
        pages: list[list[int]] = []
        left, page = list(found), self.page
        if self.first * 2 < page:
            pages.append(self._taken(left, self.first))
            if len(left) == 1 and len(pages[0]) > _ALONE:
                left.insert(0, pages[0].pop())
        else:
            page = self.first
        total = sum(len(self.rows[place]) for place in left)
        count = max(-(-total // page), 1)
        while left:
            pages.append(self._taken(left, min(-(-total // count), page)))
        return pages or [[]]

    def _taken(self, left: list[int], room: int) -> list[int]:
        """As many as fit are taken out of ``left``, one at least."""
        number = lines = 0
        for place in left:
            lines += len(self.rows[place])
            if number and lines > room:
                break
            number += 1
        taken, left[:] = left[:number], left[number:]
        return taken

    def turned(self, key: str, keys: Keyboard) -> bool:
        """Whether the key turned a page, or asked for a part of the list; short lists need neither."""
        if not self.letters:
            return False
        if key in _NEXT | _BACK:
            self.shown = (self.shown + (1 if key in _NEXT else -1)) % len(self.pages)
            return True
        if key == ESCAPE and self.text:
            self._find("")
            return True
        if key.startswith(_FIND):
            self._find(key[1:] if not keys.at_once else typed_line(keys, _FIND))
            return True
        return False

    def _find(self, text: str) -> None:
        """Show only what holds ``text``; everything, if nothing does."""
        wanted = text.casefold()
        found = [place for place, item in enumerate(self.items) if wanted in item.casefold()]
        if not found:
            say(f"Nothing here holds {text!r}.", "yellow")
            text, found = "", list(range(len(self.items)))
        # What was looked for is shown where there is room for most of it.
        self.first = self.page
        self.text, self.shown, self.pages = text, 0, self._split(found)

    def show(self, letters: Mapping[str, str]) -> None:
        for place in self.pages[self.shown]:
            say("\n".join(self.rows[place]))
        more = [] if len(self.items) <= _ONE_KEY else ["number and [enter]"]
        if self.text:
            found = sum(map(len, self.pages))
            more.append(f"{found} of {len(self.items)} with {self.text!r}: [esc] or an empty [/] shows all")
        if len(self.pages) > 1:
            more += [f"page {self.shown + 1} of {len(self.pages)}: [n] next", "[p] back"]
        if self.letters:
            more.append("[/] find")
        legend = [*more, *(f"[{key}] {text}" for key, text in letters.items())]
        say("\n".join(wrapped(legend, self.width)), "dim")


def typed_line(keys: Keyboard, prompt: str = "") -> str:
    """A text, key by key, until it is confirmed, or nothing if it is given up; else than from a terminal a line."""
    if not keys.at_once:
        return keys.key()
    sys.stdout.write(prompt)
    text = ""
    while True:
        sys.stdout.flush()
        key = keys.key()
        if key in {ENTER, ESCAPE, ""}:
            sys.stdout.write("\n")
            return "" if key == ESCAPE else text
        if key == ERASE:
            sys.stdout.write("\b \b" if text else "")
            text = text[:-1]
        elif key.isprintable():
            sys.stdout.write(key)
            text += key
