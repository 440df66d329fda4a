"""How events and commands of the bug race read, for whoever was told just that much."""

from __future__ import annotations

from ludolog import Position
from ludolog_plugins.dark_horse_bugs.commands import GiveGoal, LayBadEncounter, LayCard, PickGoal, PlaceBug
from ludolog_plugins.dark_horse_bugs.data import rules, track_of
from ludolog_plugins.dark_horse_bugs.events import (
    BugMoved,
    BugPlaced,
    CardLaid,
    CardsSetAside,
    ExchangeBegun,
    GoalDeckFormed,
    GoalExchanged,
    GoalsDealt,
    GoalSeen,
    GoalsRevealed,
    HandDealt,
    PhaseBegun,
    StarterDrawn,
)
from ludolog_plugins.dark_horse_bugs.state import Goals, Known, Race

__all__ = ["listed", "printed"]


def printed(card: str) -> str:
    """A card's name as it would be printed: ``"bee±1"``."""
    return card.replace("+-", "±")


def listed(cards: Known) -> str:
    """Faces as far as they are known: ``"bee, ?"``."""
    return ", ".join("?" if card is None else printed(card) for card in cards)


def _dealt(seat: str, cards: Known, what: str) -> str:
    faces = f": {listed(cards)}" if any(cards) else ""
    return f"{seat} is dealt {len(cards)} {what} cards{faces}."


# ---------------------------------------------------------------- events


@rules.sentence
def _phase_begun(_position: Position, event: PhaseBegun) -> str:
    return f"Next: {event.phase.replace('-', ' ')}."


@rules.sentence
def _goals_dealt(_position: Position, event: GoalsDealt) -> str:
    return _dealt(event.seat, event.goals, "Goal")


@rules.sentence
def _goal_deck_formed(_position: Position, event: GoalDeckFormed) -> str:
    return f"The goal deck has {len(event.goals)} cards."


@rules.sentence
def _starter_drawn(_position: Position, event: StarterDrawn) -> str:
    return f"{event.seat} is the starting player."


@rules.sentence
def _bug_placed(position: Position, event: BugPlaced) -> str:
    if len(position[Race].line) == 1:
        return f"{event.seat} opens the line with the {event.bug}."
    return f"{event.seat} puts the {event.bug} at the {'front' if event.place == 1 else 'rear'} of the line."


@rules.sentence
def _hand_dealt(_position: Position, event: HandDealt) -> str:
    return _dealt(event.seat, event.cards, "Move")


@rules.sentence
def _cards_set_aside(_position: Position, event: CardsSetAside) -> str:
    return f"{len(event.cards)} Move cards are set aside."


@rules.sentence
def _card_laid(_position: Position, event: CardLaid) -> str:
    return f"{event.seat} lays {printed(event.card)}."


@rules.sentence
def _bug_moved(position: Position, event: BugMoved) -> str:
    return f"The {event.bug} goes to place {event.place}, {track_of(position).places[event.place - 1]}."


@rules.sentence
def _exchange_begun(_position: Position, event: ExchangeBegun) -> str:
    which = "" if event.picker == event.seat else f", and {event.picker} picks which"
    return f"{event.seat} has to exchange a Goal card{which}."


@rules.sentence
def _goal_seen(_position: Position, event: GoalSeen) -> str:
    return f"{event.seat} sees the top of the goal deck: {event.goal}."


@rules.sentence
def _goal_exchanged(_position: Position, event: GoalExchanged) -> str:
    gone = "a Goal card" if event.given is None else f"the Goal card {event.given}"
    where = "to the bottom of" if event.to == "bottom" else "on top of"
    return f"{event.seat} takes the top of the goal deck and puts {gone} {where} it."


@rules.sentence
def _goals_revealed(_position: Position, event: GoalsRevealed) -> str:
    return f"{event.seat} turns up {listed(event.goals)}."


# ---------------------------------------------------------------- commands


@rules.sentence
def _place_bug(_position: Position, command: PlaceBug) -> str:
    if not command.end:
        return f"Open the line with the {command.bug}."
    return f"Put the {command.bug} at the {command.end} of the line."


@rules.sentence
def _lay_card(_position: Position, command: LayCard) -> str:
    chosen = f", {command.step:+d}" if command.step else ""
    return f"Lay {printed(command.card)}{chosen}."


@rules.sentence
def _lay_bad_encounter(_position: Position, command: LayBadEncounter) -> str:
    return f"Lay Bad encounter!: {command.rival or 'you'} must exchange a Goal card."


@rules.sentence
def _give_goal(_position: Position, command: GiveGoal) -> str:
    return f"Give up the Goal card {command.goal}."


@rules.sentence
def _pick_goal(position: Position, command: PickGoal) -> str:
    return f"Pick Goal card {command.place} from the left of {position[Goals].giver}'s."
