"""How each event changes the position. Nothing here knows slots, options or chance; nothing here refuses."""

from __future__ import annotations

from msgspec.structs import replace

from ludolog import Seat
from ludolog_plugins.dark_horse_west import events as happened
from ludolog_plugins.dark_horse_west.slots import rules
from ludolog_plugins.dark_horse_west.state import (
    Agenda,
    Board,
    Cards,
    Claim,
    Claims,
    Closing,
    Dice,
    Die,
    Fronts,
    Goods,
    HandCard,
    Link,
    Piece,
    Pile,
    Roles,
    Tiles,
    Turn,
    Usage,
    amount,
    purse,
    with_pair,
)

__all__: list[str] = []

for _kind in (Agenda, Board, Cards, Claims, Dice, Fronts, Goods, Roles, Tiles, Turn, Usage):
    rules.state(_kind)

rules.events(happened.AbilityUsed, happened.Produced, happened.HandSeen)

# ------------------------------------------------------------ agenda and turn


@rules.reducer
def _tasks_added(agenda: Agenda, event: happened.TasksAdded) -> Agenda:
    return Agenda(stack=(*agenda.stack, *event.tasks))


@rules.reducer
def _task_done(agenda: Agenda, _event: happened.TaskDone) -> Agenda:
    return Agenda(stack=agenda.stack[:-1])


@rules.reducer
def _task_dropped(agenda: Agenda, event: happened.TaskDropped) -> Agenda:
    return Agenda(stack=(*agenda.stack[: event.at], *agenda.stack[event.at + 1 :]))


@rules.reducer(cites="DW-R54")
def _turn_begun(turn: Turn, event: happened.TurnBegun) -> Turn:
    return replace(turn, number=event.number, order=turn.track)


@rules.reducer
def _phase_begun(turn: Turn, event: happened.PhaseBegun) -> Turn:
    return replace(turn, phase=event.phase)


@rules.reducer(cites="DW-R46")
def _end_neared(turn: Turn, event: happened.EndNeared) -> Turn:
    return replace(turn, due=event.trigger)


@rules.reducer
def _order_changed(turn: Turn, event: happened.OrderChanged) -> Turn:
    return replace(turn, track=event.track)


@rules.reducer
def _marker_moved(turn: Turn, event: happened.MarkerMoved) -> Turn:
    return replace(turn, marker=event.steps)


# ------------------------------------------------------------ set-up


@rules.reducer
def _track_ready(turn: Turn, event: happened.PiecesReady) -> Turn:
    return replace(turn, track=event.track, order=event.track)


@rules.reducer
def _goods_ready(_goods: Goods, event: happened.PiecesReady) -> Goods:
    return Goods(held=tuple((seat, ()) for seat in event.track))


@rules.reducer
def _hands_ready(cards: Cards, event: happened.PiecesReady) -> Cards:
    return replace(cards, hands=tuple((seat, ()) for seat in event.track))


@rules.reducer
def _fronts_ready(_fronts: Fronts, event: happened.PiecesReady) -> Fronts:
    return Fronts(cards=tuple((seat, ()) for seat in event.track))


@rules.reducer
def _tiles_dealt(_tiles: Tiles, event: happened.TilesDealt) -> Tiles:
    hidden: tuple[str | None, ...] = event.hidden or ()
    tiles = (*event.shown, *hidden)
    shown = (True,) * len(event.shown) + (False,) * len(hidden)
    return Tiles(tiles=tiles, shown=shown)


# ------------------------------------------------------------ map


@rules.reducer(cites="DW-033")
def _tile_revealed(tiles: Tiles, event: happened.TileRevealed) -> Tiles:
    at = event.place
    return replace(
        tiles,
        tiles=(*tiles.tiles[:at], event.resource, *tiles.tiles[at + 1 :]),
        shown=(*tiles.shown[:at], True, *tiles.shown[at + 1 :]),
    )


@rules.reducer(cites="DW-R25")
def _tile_seen(tiles: Tiles, event: happened.TileSeen) -> Tiles:
    at = event.place
    blank: tuple[str | None, ...] = ("",) * len(tiles.tiles)
    before = next((seen for seat, seen in tiles.looked if seat == event.seat), blank)
    now = (*before[:at], event.resource, *before[at + 1 :])
    return replace(tiles, looked=(*(pair for pair in tiles.looked if pair[0] != event.seat), (event.seat, now)))


@rules.reducer(cites="DW-R25")
def _tiles_exchanged(tiles: Tiles, event: happened.TilesExchanged) -> Tiles:
    def swapped(known: tuple[str | None, ...]) -> tuple[str | None, ...]:
        a, b = event.places
        found = list(known)
        found[a], found[b] = found[b], found[a]
        return tuple(found)

    looked = tuple((seat, swapped(seen)) for seat, seen in tiles.looked)
    return replace(tiles, tiles=swapped(tiles.tiles), looked=looked)


@rules.reducer
def _city_built(board: Board, event: happened.CityBuilt) -> Board:
    return replace(board, cities=(*board.cities, Piece(event.seat, event.hex)))


@rules.reducer
def _town_built(board: Board, event: happened.TownBuilt) -> Board:
    return replace(board, towns=(*board.towns, Piece(event.seat, event.hex)))


@rules.reducer(cites="DW-R08")
def _link_built(board: Board, event: happened.LinkBuilt) -> Board:
    return replace(board, links=(*board.links, Link(event.seat, event.a, event.b)))


# ------------------------------------------------------------ goods and roles


def _changed(goods: Goods, seat: Seat, changes: tuple[tuple[str, int], ...]) -> Goods:
    held: list[tuple[Seat, tuple[tuple[str, int], ...]]] = []
    for owner, pairs in goods.held:
        mine = pairs
        if owner == seat:
            for name, n in changes:
                mine = with_pair(mine, name, amount(mine, name) + n)
        held.append((owner, mine))
    return Goods(held=tuple(held))


@rules.reducer
def _goods_changed(goods: Goods, event: happened.GoodsChanged) -> Goods:
    return _changed(goods, event.seat, event.changes)


@rules.reducer(cites="DW-107")
def _hex_produced(goods: Goods, event: happened.HexProduced) -> Goods:
    return _changed(goods, event.seat, ((event.resource, event.n),))


@rules.reducer(cites="DW-R37")
def _marks_cleared(goods: Goods, event: happened.DiceRolled) -> Goods:
    mine = purse(goods, event.seat)
    return _changed(goods, event.seat, tuple((name, -amount(mine, name)) for name in ("bonus-die", "jail")))


@rules.reducer(cites="DW-R52")
def _role_taken(roles: Roles, event: happened.RoleTaken) -> Roles:
    others = tuple(pair for pair in roles.held if pair[0] != event.role)
    return Roles(held=(*others, (event.role, event.seat)) if event.seat else others)


# ------------------------------------------------------------ dice and claims


@rules.reducer
def _dice_rolled(dice: Dice, event: happened.DiceRolled | happened.DiceAdded) -> Dice:
    return Dice(dice=(*dice.dice, *event.dice))


@rules.reducer
def _dice_gathered(_dice: Dice, _event: happened.TurnBegun) -> Dice:
    return Dice()


@rules.reducer(cites="DW-R57")
def _die_changed(dice: Dice, event: happened.DieChanged) -> Dice:
    old = dice.dice[event.die]
    kept = old.steps if event.steps < 0 else old.steps[: event.steps]
    steps = (*kept, (event.source, old.value)) if event.source else kept
    new = replace(
        old, value=event.value, natural=event.natural, alone=event.alone or old.alone, fixed=event.fixed, steps=steps
    )
    return Dice(dice=(*dice.dice[: event.die], new, *dice.dice[event.die + 1 :]))


def _lying(dice: Dice, numbers: tuple[int, ...], at: str) -> Dice:
    found: list[Die] = [replace(die, at=at) if number in numbers else die for number, die in enumerate(dice.dice)]
    return Dice(dice=tuple(found))


@rules.reducer
def _dice_placed(dice: Dice, event: happened.DicePlaced) -> Dice:
    return _lying(dice, event.dice, event.at)


@rules.reducer
def _dice_taken_back(dice: Dice, event: happened.DiceTakenBack) -> Dice:
    return _lying(dice, event.dice, "")


@rules.reducer
def _claiming_dice(dice: Dice, event: happened.Claimed) -> Dice:
    return _lying(dice, event.dice, f"site:{event.site}")


@rules.reducer
def _withdrawn_dice(dice: Dice, event: happened.ClaimWithdrawn) -> Dice:
    at = f"site:{event.site}"
    return _lying(dice, tuple(n for n, die in enumerate(dice.dice) if die.seat == event.seat and die.at == at), "")


@rules.reducer
def _claimed(claims: Claims, event: happened.Claimed) -> Claims:
    claim = Claim(seat=event.seat, site=event.site, dice=event.dice, extra=event.extra)
    return replace(claims, claims=(*claims.claims, claim))


@rules.reducer
def _withdrawn(claims: Claims, event: happened.ClaimWithdrawn) -> Claims:
    kept = tuple(claim for claim in claims.claims if (claim.seat, claim.site) != (event.seat, event.site))
    return replace(claims, claims=kept)


@rules.reducer
def _collected(claims: Claims, event: happened.Collected) -> Claims:
    mine = (event.seat, event.site)
    found = tuple(
        replace(claim, collected=True) if (claim.seat, claim.site) == mine else claim for claim in claims.claims
    )
    return replace(claims, claims=found)


@rules.reducer
def _site_closed(claims: Claims, event: happened.SiteClosed) -> Claims:
    return replace(claims, closed=(*claims.closed, Closing(event.site, event.turn, event.but)))


@rules.reducer
def _claims_cleared(claims: Claims, event: happened.TurnBegun) -> Claims:
    return Claims(closed=tuple(closing for closing in claims.closed if closing.turn >= event.number))


@rules.reducer
def _use_noted(usage: Usage, event: happened.UseNoted) -> Usage:
    return Usage(used=(*usage.used, (event.seat, event.key)))


@rules.reducer
def _use_taken_back(usage: Usage, event: happened.UseTakenBack) -> Usage:
    return Usage(used=tuple(pair for pair in usage.used if pair != (event.seat, event.key)))


@rules.reducer
def _uses_cleared(_usage: Usage, _event: happened.TurnBegun) -> Usage:
    return Usage()


# ------------------------------------------------------------ cards


def _pile(cards: Cards, deck: str) -> Pile:
    return next((pile for pile in cards.piles if pile.deck == deck), Pile(deck=deck))


def _with_pile(cards: Cards, new: Pile) -> Cards:
    if all(pile.deck != new.deck for pile in cards.piles):
        return replace(cards, piles=(*cards.piles, new))
    return replace(cards, piles=tuple(new if pile.deck == new.deck else pile for pile in cards.piles))


def _hand(cards: Cards, seat: Seat) -> tuple[HandCard, ...]:
    return next((hand for owner, hand in cards.hands if owner == seat), ())


def _with_hand(cards: Cards, seat: Seat, hand: tuple[HandCard, ...]) -> Cards:
    return replace(cards, hands=tuple((owner, hand if owner == seat else old) for owner, old in cards.hands))


def _without(hand: tuple[HandCard, ...], places: tuple[int, ...]) -> tuple[HandCard, ...]:
    return tuple(card for place, card in enumerate(hand) if place not in places)


@rules.reducer(cites="DW-115")
def _deck_ready(cards: Cards, event: happened.DeckReady) -> Cards:
    return _with_pile(cards, Pile(deck=event.deck, pile=event.cards or ()))


@rules.reducer(cites="DW-036")
def _card_fronted(fronts: Fronts, event: happened.CardsDealt | happened.CardFronted) -> Fronts:
    return Fronts(
        cards=tuple((owner, (*old, event.card) if owner == event.seat else old) for owner, old in fronts.cards)
    )


@rules.reducer(cites="DW-036")
def _card_played_out(cards: Cards, event: happened.CardsDealt | happened.CardFronted) -> Cards:
    return replace(cards, playing=tuple(card for card in cards.playing if card != event.card))


@rules.reducer(cites="DW-113")
def _cards_drawn(cards: Cards, event: happened.CardsDrawn) -> Cards:
    drawn = event.cards or ()
    pile = _pile(cards, event.deck)
    cards = _with_pile(cards, replace(pile, pile=pile.pile[len(drawn) :]))
    held = tuple(HandCard(event.deck, card) for card in drawn)
    return _with_hand(cards, event.seat, (*_hand(cards, event.seat), *held))


@rules.reducer(cites="DW-114")
def _cards_discarded(cards: Cards, event: happened.CardsDiscarded) -> Cards:
    pile = _pile(cards, event.deck)
    cards = _with_pile(cards, replace(pile, discards=(*pile.discards, *event.cards)))
    return _with_hand(cards, event.seat, _without(_hand(cards, event.seat), event.places))


@rules.reducer
def _cards_returned(cards: Cards, event: happened.CardsReturned) -> Cards:
    hand = _hand(cards, event.seat)
    back = tuple(hand[place].card for place in event.places)
    pile = _pile(cards, event.deck)
    cards = _with_pile(cards, replace(pile, pile=(*back, *pile.pile)))
    return _with_hand(cards, event.seat, _without(hand, event.places))


@rules.reducer
def _card_played(cards: Cards, event: happened.CardPlayed) -> Cards:
    cards = _with_hand(cards, event.seat, _without(_hand(cards, event.seat), (event.place,)))
    return replace(cards, playing=(*cards.playing, event.card))


@rules.reducer(cites="DW-114")
def _played_discarded(cards: Cards, event: happened.PlayedDiscarded) -> Cards:
    pile = _pile(cards, event.deck)
    cards = _with_pile(cards, replace(pile, discards=(*pile.discards, event.card)))
    return replace(cards, playing=tuple(card for card in cards.playing if card != event.card))


@rules.reducer(cites="DW-R40")
def _event_drawn(cards: Cards, event: happened.EventDrawn) -> Cards:
    pile = _pile(cards, event.deck)
    return _with_pile(cards, replace(pile, pile=pile.pile[1:], discards=(*pile.discards, event.card)))
