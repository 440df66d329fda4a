"""The spread as text: open insects, players, and the 48 forest cards with their halves; it fits into 80 columns."""

from __future__ import annotations

import textwrap
from typing import Final

from ludolog import Position, Seat
from ludolog_plugins.insect_inc.scoring import target
from ludolog_plugins.insect_inc.state import NO_CARD, Forest, Insects, Players, Window, rules
from ludolog_plugins.insect_inc.story import cards_in_words, listed

__all__ = ["halves_by_card", "status_of", "text"]

_WIDTH: Final = 79
_COLUMNS: Final = 4
_NAME: Final = 12
_LEGEND: Final = (
    "[12]: card 12, up; ~12~: down. Behind a name: its insects. *: start player.",
    "Insect 7 takes two cards of one face: one with its left half (7, one with 7).",
)


@rules.picture("text")
def text(position: Position) -> str:
    """Open insects, players, the cards and what their signs mean: two cards put ``(7`` and ``7)`` together to insect 7.

    At most 79 columns wide and, but for very many open insects, 19 lines high.
    """
    if not position[Forest].kinds:
        return "The forest is not spread yet."
    return "\n".join([*_heads(position), *_players(position), *_cards(position), *_LEGEND])


def _heads(position: Position) -> list[str]:
    insects = position[Insects]
    opened = " ".join(map(str, insects.open)) or "none"
    removed = f"; removed: {' '.join(map(str, insects.removed))}" if insects.removed else ""
    line = f"Open insects: {opened}; pile: {len(insects.pile)}{removed}; {target(position)} insects end the game."
    lines = textwrap.wrap(line, _WIDTH, subsequent_indent="  ")
    if position.outcome is not None:
        over = f"The game is over: {position.outcome.sentence} {listed(position.outcome.winners)} won."
        lines += textwrap.wrap(over, _WIDTH, subsequent_indent="  ")
    return lines


# ---------------------------------------------------------------- players


def _players(position: Position) -> list[str]:
    """A line a player, or two to a line from four players on if all fit; then what they are doing."""
    width = max(len(_name(position, seat)) for seat in position.seats)
    entries = [_player(position, seat, width) for seat in position.seats]
    half = _WIDTH // 2
    if len(entries) > 3 and max(map(len, entries)) <= half:  # noqa: PLR2004 - few have a line each
        pairs = zip(entries[::2], [*entries[1::2], ""], strict=False)
        entries = [f"{one:{half}} {other}".rstrip() for one, other in pairs]
    return [*entries, *_doings(position)]


def _name(position: Position, seat: Seat) -> str:
    you = " (you)" if position.is_view and seat == position.viewer else ""
    return f"{_short(seat)}{you}"


def _short(seat: Seat) -> str:
    return seat if len(seat) <= _NAME else f"{seat[: _NAME - 1]}…"


def _player(position: Position, seat: Seat, width: int) -> str:
    players = position[Players]
    kinds = players.kinds_of(seat)
    start = "*" if seat == players.start else " "
    listed_kinds = f": {' '.join(map(str, kinds))}" if kinds else ""
    return f"{start} {_name(position, seat):{width}}  {len(kinds)}{listed_kinds}"


def _doings(position: Position) -> list[str]:
    """Who has claimed, who is out, and who finds nothing, in one line; it is empty if nobody does any of these."""
    hands = {hand.seat: hand.cards for hand in position[Window].hands}
    skipping = position[Players].skipping
    claimed = [f"{_short(seat)}{_cards_of(hands[seat])}" for seat in position.seats if seat in hands]
    out = [_short(seat) for seat in position.seats if seat in skipping]
    nothing = [
        _short(seat)
        for seat in position.seats
        if position[Window].has_declared(seat) and seat not in hands and seat not in skipping
    ]
    told = [
        f"{what}: {', '.join(names)}"
        for what, names in (("claimed", claimed), ("out for a while", out), ("find nothing", nothing))
        if names
    ]
    line = f"{'; '.join(told)}."
    return textwrap.wrap(f"{line[0].upper()}{line[1:]}", _WIDTH, subsequent_indent="  ") if told else [""]


def _cards_of(cards: tuple[int | None, ...]) -> str:
    return "" if None in cards else f" ({' '.join(str(card) for card in cards if card != NO_CARD)})"


def status_of(position: Position, seat: Seat) -> str:
    """What a player is doing; empty if nothing is known of it."""
    if seat in position[Players].skipping:
        return "out for a while"
    hand = position[Window].hand_of(seat)
    if hand is not None:
        return "has claimed" if None in hand.cards else f"hand on {cards_in_words(hand.cards)}"
    return "finds nothing" if position[Window].has_declared(seat) else ""


# ---------------------------------------------------------------- cards


def halves_by_card(position: Position) -> list[tuple[list[int], list[int]]]:
    """For each card the kinds whose left halves it shows, and those whose right halves."""
    forest = position[Forest]
    found: list[tuple[list[int], list[int]]] = [([], []) for _ in forest.down]
    for kind, halves in enumerate(forest.kinds):
        for card in halves.left:
            found[card][0].append(kind)
        for card in halves.right:
            found[card][1].append(kind)
    return found


def _cards(position: Position) -> list[str]:
    """Right halves stand left of a card's number and left halves right of it, as if cards were laid side by side."""
    down = position[Forest].down
    cells: list[str] = []
    for card, (left, right) in enumerate(halves_by_card(position)):
        number = f"~{card:02}~" if down[card] else f"[{card:02}]"
        ends = " ".join(f"{kind:2})" for kind in right)
        begins = " ".join(f"({kind:<2}" for kind in left)
        cells.append(f"{ends}{number}{begins}")
    width = max(map(len, cells))
    rows = -(-len(cells) // _COLUMNS)
    return ["  ".join(f"{cell:{width}}" for cell in cells[row::rows]).rstrip() for row in range(rows)]
