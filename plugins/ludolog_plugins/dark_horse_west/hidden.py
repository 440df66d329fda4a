"""Drawing a full position that fits a view: face-down tiles, hands and decks."""

from __future__ import annotations

from msgspec.structs import replace

from ludolog import Chance, Position
from ludolog_plugins.dark_horse_west.board import layout_of
from ludolog_plugins.dark_horse_west.cards import cards_in_play
from ludolog_plugins.dark_horse_west.slots import rules
from ludolog_plugins.dark_horse_west.state import Cards, Fronts, HandCard, Pile, Tiles

__all__ = ["determinize"]


def _tiles(view: Position, chance: Chance) -> Tiles:
    """Tiles that the viewer has not seen are drawn from those that are left."""
    there = view[Tiles]
    counts = layout_of(view).tiles
    left = {"food": counts.food, "wood": counts.wood, "ore": counts.ore}
    blank: tuple[str | None, ...] = ("",) * len(there.tiles)
    seen = next((tiles for seat, tiles in there.looked if seat == view.viewer), blank)
    known = tuple(tile if tile is not None else (saw or None) for tile, saw in zip(there.tiles, seen, strict=True))
    for tile in known:
        if tile is not None:
            left[tile] -= 1
    bag = iter(chance.shuffle([kind for kind, n in left.items() for _ in range(n)]))
    tiles = tuple(tile if tile is not None else next(bag) for tile in known)
    looked = tuple(
        (seat, tuple(tiles[place] if saw is None else saw for place, saw in enumerate(saw_of)))
        for seat, saw_of in there.looked
    )
    return replace(there, tiles=tiles, looked=looked)


def _cards(view: Position, chance: Chance) -> Cards:
    """Unknown cards of each deck are dealt to where its unknown cards lie."""
    cards = view[Cards]
    hands = {seat: list(hand) for seat, hand in cards.hands}
    piles: list[Pile] = []
    for pile in cards.piles:
        every = cards_in_play(view, pile.deck)
        known = {card for card in (*pile.pile, *pile.discards, *cards.playing, *cards.gone) if card is not None}
        known |= {card for _, front in view[Fronts].cards for card in front}
        known |= {held.card for hand in hands.values() for held in hand if held.card is not None}
        bag = iter(chance.shuffle([card for card in every if card not in known]))
        for hand in hands.values():
            for place, held in enumerate(hand):
                if held.deck == pile.deck and held.card is None:
                    hand[place] = HandCard(pile.deck, next(bag))
        drawn = tuple(card if card is not None else next(bag) for card in pile.pile)
        piles.append(replace(pile, pile=drawn))
    return replace(cards, piles=tuple(piles), hands=tuple((seat, tuple(hands[seat])) for seat, _ in cards.hands))


@rules.determinize
def determinize(view: Position, chance: Chance) -> Position:
    """A position that the viewer could be in, as far as it was told."""
    return view.having(_tiles(view, chance), _cards(view, chance))
