"""How the events of the western game read, for whoever was told just that much; its commands are in ``choices``.

An event that only keeps the books (what is still to be done, what was used up) has an empty sentence: what it
comes from or leads to is told by others.
"""

from __future__ import annotations

from typing import Final

from ludolog import Position
from ludolog_plugins.dark_horse_west import events as happened
from ludolog_plugins.dark_horse_west.scoring import ending
from ludolog_plugins.dark_horse_west.slots import CARDS, END_TRIGGERS, ROLES, SITES, rules
from ludolog_plugins.dark_horse_west.state import Dice, Turn
from ludolog_plugins.dark_horse_west.wording import (
    amounts,
    cards,
    deck,
    die,
    hex_at,
    hex_on,
    joined,
    pips,
    printed,
    site,
    spot,
    thing,
)

__all__ = ["dice_added", "says"]

_PHASES: Final = {"placement": "Now dice are placed.", "collection": "Now sites pay out."}
"""What to say when a phase begins; the others announce themselves by what happens in them."""


@rules.sentence
def _kept_for_the_rules(
    _position: Position,
    _event: happened.TasksAdded
    | happened.TaskDone
    | happened.TaskDropped
    | happened.UseNoted
    | happened.UseTakenBack
    | happened.Produced,
) -> str:
    return ""


# ---------------------------------------------------------------- turns


@rules.sentence
def _turn_begun(position: Position, event: happened.TurnBegun) -> str:
    return f"Turn {event.number} begins, in the order {joined(position[Turn].order)}."


@rules.sentence
def _phase_begun(_position: Position, event: happened.PhaseBegun) -> str:
    return _PHASES.get(event.phase, "")


@rules.sentence
def _end_neared(position: Position, event: happened.EndNeared) -> str:
    trigger = position.slot(END_TRIGGERS).get(event.trigger)
    why = ending(position, trigger).rstrip(".") if trigger is not None else event.trigger
    return f"{why}, so this turn is the last."


@rules.sentence
def _order_changed(_position: Position, event: happened.OrderChanged) -> str:
    return f"The order of the next turn is {joined(event.track)}."


@rules.sentence
def _marker_moved(_position: Position, event: happened.MarkerMoved) -> str:
    times = "once" if event.steps == 1 else f"{event.steps} times"
    return f"The Event marker is reached and moves on; that has happened {times} now."


@rules.sentence
def _pieces_ready(_position: Position, event: happened.PiecesReady) -> str:
    return f"Everybody takes their pieces; the order of turns is {joined(event.track)}."


# ---------------------------------------------------------------- the map


@rules.sentence
def _tiles_dealt(_position: Position, event: happened.TilesDealt) -> str:
    return f"{len(event.shown)} tiles are dealt face up and {len(event.hidden or ())} face down."


@rules.sentence
def _tile_revealed(position: Position, event: happened.TileRevealed) -> str:
    return f"The tile on {hex_on(position, event.place)} is turned up: {thing(position, event.resource)}."


@rules.sentence
def _tile_seen(position: Position, event: happened.TileSeen) -> str:
    found = "" if event.resource is None else f": {thing(position, event.resource)}"
    return f"{event.seat} looks at the face-down tile on {hex_on(position, event.place)}{found}."


@rules.sentence
def _tiles_exchanged(position: Position, event: happened.TilesExchanged) -> str:
    first, second = (hex_on(position, place) for place in event.places)
    return f"The face-down tiles on {first} and {second} change places."


@rules.sentence
def _city_built(position: Position, event: happened.CityBuilt) -> str:
    return f"{event.seat} builds a city on {hex_at(position, event.hex)}."


@rules.sentence
def _town_built(position: Position, event: happened.TownBuilt) -> str:
    return f"{event.seat} builds a town on {hex_at(position, event.hex)}."


@rules.sentence
def _link_built(position: Position, event: happened.LinkBuilt) -> str:
    return f"{event.seat} lays a rail between {hex_at(position, event.a)} and {hex_at(position, event.b)}."


# ---------------------------------------------------------------- goods and roles


@rules.sentence
def _goods_changed(position: Position, event: happened.GoodsChanged) -> str:
    more = [(what, n) for what, n in event.changes if n > 0]
    less = [(what, -n) for what, n in event.changes if n < 0]
    parts = [f"receives {amounts(position, more)}"] if more else []
    if less:
        parts.append(f"gives {amounts(position, less)}")
    return f"{event.seat} {' and '.join(parts)}." if parts else ""


@rules.sentence
def _hex_produced(position: Position, event: happened.HexProduced) -> str:
    return f"{hex_at(position, event.hex)} produces {amounts(position, [(event.resource, event.n)])} for {event.seat}."


@rules.sentence
def _role_taken(position: Position, event: happened.RoleTaken) -> str:
    role = position.slot(ROLES).get(event.role)
    title = role.title if role is not None else event.role
    return f"{event.seat} becomes {title}." if event.seat else f"Nobody is {title} any more."


# ---------------------------------------------------------------- dice and claims


def _owner(position: Position, numbers: tuple[int, ...]) -> str:
    dice = position[Dice].dice
    return next((dice[number].seat for number in numbers if dice[number].seat), "")


@rules.sentence
def _dice_rolled(position: Position, event: happened.DiceRolled) -> str:
    return f"{event.seat} rolls {joined(die(position, shown) for shown in event.dice)}."


@rules.sentence
def dice_added(position: Position, event: happened.DiceAdded) -> str:
    """Further dice, in words; rules that add dice of their own may say it better and leave the others to this."""
    return f"Further dice are rolled: {joined(die(position, shown) for shown in event.dice)}."


@rules.sentence
def _die_changed(position: Position, event: happened.DieChanged) -> str:
    shown = position[Dice].dice[event.die]
    whose = f"{shown.seat} turns" if shown.seat else "Somebody turns"
    if not event.source or not shown.steps:
        return f"A die of {shown.seat or 'nobody'} shows {die(position, shown)} again."
    return f"{whose} a die from {shown.steps[-1][1]} to {die(position, shown)}{_because(position, event.source)}."


def _because(position: Position, source: str) -> str:
    kind, _, name = source.partition(":")
    if kind == "token":
        return f", by a {thing(position, name)}"
    if kind == "card" or source in position.slot(CARDS):
        return f", by {printed(position, name or source)}"
    return f", at {site(position, source)}" if source in position.slot(SITES) else ""


@rules.sentence
def _dice_placed(position: Position, event: happened.DicePlaced) -> str:
    who = _owner(position, event.dice) or "Somebody"
    if event.at == "aside":
        return f"{who} lays {pips(position, event.dice)} aside."
    return f"{who} puts {pips(position, event.dice)} on {spot(position, event.at)}."


@rules.sentence
def _dice_taken_back(position: Position, event: happened.DiceTakenBack) -> str:
    return f"{_owner(position, event.dice) or 'Somebody'} takes {pips(position, event.dice)} back."


@rules.sentence
def _claimed(position: Position, event: happened.Claimed) -> str:
    return f"{event.seat} puts {pips(position, event.dice)} on {site(position, event.site)}."


@rules.sentence
def _claim_withdrawn(position: Position, event: happened.ClaimWithdrawn) -> str:
    return f"{event.seat} no longer claims {site(position, event.site)}."


@rules.sentence
def _collected(position: Position, event: happened.Collected) -> str:
    return f"{event.seat} collects at {site(position, event.site)}."


@rules.sentence
def _site_closed(position: Position, event: happened.SiteClosed) -> str:
    who = f"Only {event.but} may" if event.but else "Nobody may"
    return f"{who} claim {site(position, event.site)} in turn {event.turn}."


# ---------------------------------------------------------------- cards


@rules.sentence
def _deck_ready(position: Position, event: happened.DeckReady) -> str:
    return f"The {len(event.cards or ())} {deck(position, event.deck)} are shuffled."


@rules.sentence
def _cards_dealt(position: Position, event: happened.CardsDealt) -> str:
    return f"{event.seat} receives {printed(position, event.card)}."


@rules.sentence
def _cards_drawn(position: Position, event: happened.CardsDrawn) -> str:
    return f"{event.seat} draws {cards(position, event.cards or ())} from the {deck(position, event.deck)}."


@rules.sentence
def _cards_discarded(position: Position, event: happened.CardsDiscarded) -> str:
    return f"{event.seat} discards {cards(position, event.cards)}."


@rules.sentence
def _cards_returned(position: Position, event: happened.CardsReturned) -> str:
    back = cards(position, (None,) * len(event.places))
    return f"{event.seat} puts {back} back on top of the {deck(position, event.deck)}."


@rules.sentence
def _card_played(position: Position, event: happened.CardPlayed) -> str:
    return f"{event.seat} plays {printed(position, event.card)}."


@rules.sentence
def _played_discarded(position: Position, event: happened.PlayedDiscarded) -> str:
    return f"{printed(position, event.card)} goes to the discards."


@rules.sentence
def _card_fronted(position: Position, event: happened.CardFronted) -> str:
    return f"{printed(position, event.card)} stays before {event.seat}."


def says(position: Position, card: str, ability: int = 0) -> str:
    """What an ability does, as its table tells it, ready to follow a colon; empty if it tells nothing."""
    entry = position.slot(CARDS).get(card)
    text = entry.ability[ability].text if entry is not None and ability < len(entry.ability) else ""
    return f": {text.rstrip('.')}" if text else ""


@rules.sentence
def _event_drawn(position: Position, event: happened.EventDrawn) -> str:
    return f"The Event {printed(position, event.card)} is drawn{says(position, event.card)}."


@rules.sentence
def _hand_seen(position: Position, event: happened.HandSeen) -> str:
    return f"{event.seat} looks at the hand of {event.of}: {cards(position, event.cards or ())}."


@rules.sentence
def _ability_used(position: Position, event: happened.AbilityUsed) -> str:
    name = printed(position, event.source)
    return f"{event.seat} uses {name}{says(position, event.source, event.ability)}."
