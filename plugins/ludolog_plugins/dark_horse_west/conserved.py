"""What never changes: every piece, token, tile and card is somewhere, once, in every position."""

from __future__ import annotations

from collections import Counter

from ludolog import Position, derived
from ludolog_plugins.dark_horse_west.board import ground, layout_of, neighbours
from ludolog_plugins.dark_horse_west.building import RAILS
from ludolog_plugins.dark_horse_west.cards import cards_in_play
from ludolog_plugins.dark_horse_west.goods import INFLUENCE_TOP
from ludolog_plugins.dark_horse_west.slots import CONSERVED, DECKS, START, rules
from ludolog_plugins.dark_horse_west.state import Board, Cards, Claims, Dice, Fronts, Goods, Roles, Tiles, Turn

__all__ = ["lost_or_doubled", "nothing_lost"]


def lost_or_doubled(position: Position) -> tuple[str, ...]:
    """What is lost, doubled or out of bounds, in sentences; nothing in a sound position."""
    return tuple(found for check in position.slot(CONSERVED).values() if (found := check(position)))


@rules.invariant
def nothing_lost(position: Position) -> None:
    """The invariant of the conformance kit.

    Raises:
        AssertionError: Something is lost, doubled or out of bounds.
    """
    found = lost_or_doubled(position)
    if found:
        raise AssertionError(" ".join(found))


@derived
def _pieces(position: Position) -> str:
    kit = position.slot(START)["start"]
    board = position[Board]
    for seat in position.seats:
        cities = sum(piece.seat == seat for piece in board.cities)
        towns = sum(piece.seat == seat for piece in board.towns)
        if cities > kit.cities or towns > kit.towns:
            return f"{seat} has {cities} cities and {towns} towns on the map."
    for hex_, n in Counter(town.hex for town in board.towns).items():
        if n > max(1, ground(position, hex_).towns):
            return f"{n} towns stand on {hex_}."
    for hex_, n in Counter(city.hex for city in board.cities).items():
        if n > 1 or any(town.hex == hex_ for town in board.towns):
            return f"The city on {hex_} shares its hex."
    return ""


@derived
def _links(position: Position) -> str:
    links = position[Board].links
    if len(links) > RAILS:
        return f"{len(links)} rails lie on the map."
    if len({(link.a, link.b) for link in links}) != len(links):
        return "Two rails lie on one link."
    layout = layout_of(position)
    wrong = [link for link in links if not link.a < link.b or link.b not in neighbours(layout, link.a)]
    return f"{wrong[0]} joins no neighbours." if wrong else ""


@derived
def _tiles(position: Position) -> str:
    tiles = position[Tiles].tiles
    if not tiles or position.is_view:
        return ""
    counts = layout_of(position).tiles
    there = Counter(tiles)
    expected = {"food": counts.food, "wood": counts.wood, "ore": counts.ore}
    return "" if there == Counter(expected) else f"The tiles are {dict(there)}, not {expected}."


@derived
def _cards(position: Position) -> str:
    cards = position[Cards]
    if position.is_view or not cards.piles:
        return ""
    for key, deck in position.slot(DECKS).items():
        if not deck.shuffled or all(pile.deck != key for pile in cards.piles):
            continue
        there: Counter[str | None] = Counter()
        for pile in cards.piles:
            if pile.deck == key:
                there.update((*pile.pile, *pile.discards))
        there.update(held.card for _, hand in cards.hands for held in hand if held.deck == key)
        every = set(cards_in_play(position, str(key)))
        there.update(card for card in (*cards.playing, *cards.gone) if card in every)
        there.update(card for _, front in position[Fronts].cards for card in front if card in every)
        if there != Counter(every):
            return f"The cards of {key} are {dict(there)}."
    return ""


@derived
def _counts(position: Position) -> str:
    for seat, pairs in position[Goods].held:
        for name, n in pairs:
            if n < 0 or (name == "influence" and n > INFLUENCE_TOP) or (name == "loan" and n > 1):
                return f"{seat} has {n} of {name}."
    return ""


@derived
def _dice(position: Position) -> str:
    dice = position[Dice].dice
    for claim in position[Claims].claims:
        if any(dice[n].seat != claim.seat or dice[n].at != f"site:{claim.site}" for n in claim.dice):
            return f"The dice of {claim} lie elsewhere."
    for seat in position.seats:
        own = sum(die.seat == seat and die.kind == "own" for die in dice)
        if own > 3:  # noqa: PLR2004 - three dice a colour (DW-015)
            return f"{seat} has {own} dice."
    return ""


@derived
def _order(position: Position) -> str:
    turn = position[Turn]
    seats = sorted(position.seats)
    if turn.track and (sorted(turn.track) != seats or sorted(turn.order) != seats):
        return f"The turn order is {turn.track}, then {turn.order}."
    roles = [role for role, _ in position[Roles].held]
    return f"A role is held twice: {roles}." if len(set(roles)) != len(roles) else ""


rules.add(CONSERVED, "pieces", _pieces, cites="DW-010")
rules.add(CONSERVED, "links", _links, cites="DW-012")
rules.add(CONSERVED, "tiles", _tiles, cites="DW-021")
rules.add(CONSERVED, "cards", _cards, cites="DW-023")
rules.add(CONSERVED, "counts", _counts, cites="DW-R67")
rules.add(CONSERVED, "dice", _dice, cites="DW-015")
rules.add(CONSERVED, "order", _order, cites="DW-R36")
