"""The spread as text: open insects, players, and the 48 forest cards with their halves."""

from __future__ import annotations

from ludolog import Position, Seat
from ludolog_plugins.insect_inc.scoring import target
from ludolog_plugins.insect_inc.state import Forest, Insects, Players, Window, rules
from ludolog_plugins.insect_inc.story import cards_in_words, listed

__all__ = ["halves_by_card", "status_of", "text"]

_COLUMNS = 4


@rules.picture("text")
def text(position: Position) -> str:
    """Open insects, a line a player, and the cards: ``(7`` is a left half of kind 7 and ``7)`` a right one.

    Cards that are down stand between tildes, ``~12~``.
    """
    if not position[Forest].kinds:
        return "The forest is not spread yet."
    return "\n".join([*_heads(position), "", *_players(position), "", *_cards(position)])


def _heads(position: Position) -> list[str]:
    insects = position[Insects]
    opened = " ".join(map(str, insects.open)) or "none"
    removed = f"   removed: {' '.join(map(str, insects.removed))}" if insects.removed else ""
    lines = [f"open insects: {opened}   pile: {len(insects.pile)}{removed}   {target(position)} insects end the game"]
    if position.outcome is not None:
        lines.append(f"The game is over: {position.outcome.sentence} {listed(position.outcome.winners)} won.")
    return lines


def _players(position: Position) -> list[str]:
    players = position[Players]
    width = max(map(len, position.seats))
    return [
        f"{'*' if seat == players.start else ' '} {seat:{width}}  {len(kinds):2} "
        f"insect{'s' if len(kinds) != 1 else ''}{' ' if kinds else ''}{' '.join(map(str, kinds))}"
        f"{status_of(position, seat)}"
        for seat in position.seats
        for kinds in [players.kinds_of(seat)]
    ]


def status_of(position: Position, seat: Seat) -> str:
    """What a player is doing, after a comma; empty if nothing is known of it."""
    if seat in position[Players].skipping:
        return ", out for a while"
    hand = position[Window].hand_of(seat)
    if hand is not None:
        return ", has claimed" if None in hand.cards else f", has a hand on {cards_in_words(hand.cards)}"
    return ", finds nothing" if position[Window].has_declared(seat) else ""


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
    down = position[Forest].down
    cells: list[str] = []
    for card, (left, right) in enumerate(halves_by_card(position)):
        halves = " ".join([f"{kind:2})" for kind in right] + [f"({kind:<2}" for kind in left])
        cells.append(f"~{card:02}~ {halves}" if down[card] else f" {card:02}  {halves}")
    width = max(map(len, cells))
    return [
        "  ".join(f"{cell:{width}}" for cell in cells[at : at + _COLUMNS]).rstrip()
        for at in range(0, len(cells), _COLUMNS)
    ]
