"""The rules of the bug race, phase by phase."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ludolog import Command, Event, IllegalCommand, Now, Position, Refusal, Seat, Slot, refuse
from ludolog_plugins.dark_horse_bugs.commands import GiveGoal, LayBadEncounter, LayCard, PickGoal, PlaceBug
from ludolog_plugins.dark_horse_bugs.data import BUGS, CARDS, BugOptions, Card, deal_of, rules, track_of
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
    StarterDrawn,
)
from ludolog_plugins.dark_horse_bugs.phases import PHASES, Phase, Task, advance, expect
from ludolog_plugins.dark_horse_bugs.picture import svg, text
from ludolog_plugins.dark_horse_bugs.scoring import outcome
from ludolog_plugins.dark_horse_bugs.state import Cards, Goals, Known, Race, determinize, goal_cards, move_deck, of

__all__ = ["EFFECTS", "Effect", "rules"]


# ---------------------------------------------------------------- set-up: goals, line, cards


def deal_goals(now: Now) -> Iterator[Event]:
    """Everyone gets two Goal cards, three with two players; the rest is the goal deck (DH-09, DH-10)."""
    count = deal_of(now.position).goals
    pile = now.chance.shuffle(goal_cards(now.position))
    for seat in now.seats:
        yield GoalsDealt(seat=seat, goals=pile[:count])
        pile = pile[count:]
    yield GoalDeckFormed(goals=pile)


def draw_starter(now: Now) -> Iterator[Event]:
    """The starting player is drawn at random (DH-17)."""
    yield StarterDrawn(seat=now.chance.choose(now.seats))


def line_up_task(position: Position) -> Task:
    """From the starting player on clockwise, until all bugs are in the line (DH-18, DH-19, DH-22)."""
    race = position[Race]
    placed = len(race.line)
    if placed == len(position.slot(BUGS)):
        return Task()
    clause = "DH-19" if placed else "DH-18"
    return Task((position.after(race.starter, placed),), "place a bug", (PlaceBug,), clause)


def line_up_legal(position: Position, _seat: Seat) -> Iterator[Command]:
    """Any bug not yet in the line, at either end of it (DH-18, DH-20)."""
    line = position[Race].line
    ends = ("front", "rear") if line else ("",)
    return (PlaceBug(bug=str(bug), end=end) for bug in position.slot(BUGS) if bug not in line for end in ends)


@rules.decider(cites=("DH-18", "DH-19", "DH-20", "DH-21", "DH-R24", "DH-R25"))
def place_bug(now: Now, command: PlaceBug) -> Iterator[Event]:
    """A bug joins the line at its front or rear end, never between two others (DH-20, DH-21)."""
    expect(now, command)
    line, bug, end = now[Race].line, command.bug, command.end
    if bug not in now.slot(BUGS):
        refuse("no-such-bug", f"No bug of this race is called {bug!r}.", "DH-04", bugs=tuple(now.slot(BUGS)))
    if bug in line:
        refuse("bug-in-line", f"The {bug} is in the line already.", "DH-R25", line=line)
    if not line and end:
        refuse("no-end-yet", "The first bug opens the line, so it goes to no end of it.", "DH-R25")
    if line and end not in ("front", "rear"):
        refuse("not-at-an-end", f"A bug joins the line at its front or rear, not at {end!r}.", "DH-21", line=line)
    yield BugPlaced(seat=now.seat, bug=bug, place=len(line) + 1 if end == "rear" else 1)
    yield from advance(now)


def deal_cards(now: Now) -> Iterator[Event]:
    """All Move cards are shuffled, equal hands are dealt, the rest is set aside (DH-25, DH-26, DH-27)."""
    count = deal_of(now.position).hand
    pile = now.chance.shuffle(move_deck(now.position))
    for seat in now.seats:
        yield HandDealt(seat=seat, cards=pile[:count])
        pile = pile[count:]
    yield CardsSetAside(cards=pile)


rules.add(PHASES, "goals", Phase(begin=deal_goals), cites="DH-09")
rules.add(PHASES, "line-up", Phase(draw_starter, line_up_task, line_up_legal), cites="DH-17")
rules.add(PHASES, "cards", Phase(begin=deal_cards), cites="DH-25")


# ---------------------------------------------------------------- the race: laying cards

Effect = Callable[[Now, Card, int], Iterator[Event]]
"""What a laid card does: ``(now, card, step) -> events``."""

EFFECTS: Slot[Effect] = rules.slot(Slot("effects", "What a laid card does, by its kind."))

BAD_ENCOUNTER: Final = "bad-encounter"


def race_task(position: Position) -> Task:
    """Clockwise from the starting player, until no hand holds a card (DH-32, DH-45, DH-46)."""
    goals, cards, starter = position[Goals], position[Cards], position[Race].starter
    if goals.giver:
        return exchange_task(goals, position.after(starter, cards.turns - 1))
    if not any(hand.cards for hand in cards.hands):
        return Task()
    clause = "DH-45" if cards.turns else "DH-32"
    return Task((position.after(starter, cards.turns),), "lay a card", (LayCard, LayBadEncounter), clause)


def race_legal(position: Position, seat: Seat) -> Iterator[Command]:
    """Every card of the hand in every way it may be laid (DH-33, DH-41, DH-47)."""
    if position[Goals].giver:
        yield from exchange_legal(position, seat)
        return
    for name in dict.fromkeys(of(position[Cards].hands, seat)):
        card = position.slot(CARDS)[str(name)]
        if card.kind == BAD_ENCOUNTER:
            yield LayBadEncounter(use="own")
            yield from (LayBadEncounter(use="rival", rival=rival) for rival in position.seats if rival != seat)
        else:
            yield from (
                LayCard(card=card.name, step=step) for step in card.choices if why_not(position, card, step) is None
            )


@rules.decider(cites=("DH-33", "DH-34", "DH-42", "DH-47", "DH-48"))
def lay_card(now: Now, command: LayCard) -> Iterator[Event]:
    """One card from the hand is laid and does at once what it says (DH-33, DH-34, DH-48)."""
    expect(now, command)
    laid = lay(now, command.card)
    card = now.slot(CARDS)[command.card]
    reason = why_not(now.position, card, command.step)
    if reason:
        raise IllegalCommand(reason)
    yield laid
    yield from now.slot(EFFECTS)[card.kind](now, card, command.step)
    yield from advance(now)


def lay(now: Now, card: str) -> CardLaid:
    """A card goes from the hand to the table, if the hand holds it (DH-33)."""
    hand = of(now[Cards].hands, now.seat)
    if card not in hand:
        refuse("not-in-hand", f"{now.seat} holds no card {card!r}.", "DH-33", card=card)
    at = hand.index(card)
    return CardLaid(seat=now.seat, card=card, hand=hand[:at] + hand[at + 1 :])


def why_not(position: Position, card: Card, step: int) -> Refusal | None:
    """Why a card may not be laid with this step (DH-R9, DH-R11, DH-R21); ``None`` if it may."""
    if card.kind == BAD_ENCOUNTER:
        sentence = "Bad encounter! is laid for an exchange of one's own or of a rival: say which."
        return Refusal(code="which-use", sentence=sentence, clause="DH-52")
    if step not in card.choices:
        clause = "DH-R21" if len(card.steps) == 1 else "DH-40" if len(card.places) > 1 else "DH-41"
        sentence = f"{card.name} leaves no choice of the step."
        if len(card.steps) > 1:
            sentence = f"{card.name} goes {' or '.join(f'{choice:+d}' for choice in card.steps)}, not {step:+d}."
        return Refusal(code="no-such-step", sentence=sentence, clause=clause, facts={"steps": card.steps})
    bugs = pointed_at(position, card) if step else ()
    stuck = [bug for bug in bugs if destination(position, bug, step) == place_of(position, bug)]
    one_bug = len(card.places) <= 1
    if stuck and (one_bug or position.options(BugOptions).two_place_at_end == "both-must-move"):
        sentence = f"The {' and the '.join(stuck)} can't go {'forward' if step > 0 else 'backward'}."
        facts = {"line": position[Race].line}
        return Refusal(code="cannot-move", sentence=sentence, clause="DH-R9" if one_bug else "DH-R11", facts=facts)
    return None


def pointed_at(position: Position, card: Card) -> tuple[str, ...]:
    """The bug that a card shows, or the bugs that stand on its places now (DH-35, DH-44, DH-R22)."""
    line = position[Race].line
    return (card.bug,) if card.bug else tuple(line[place - 1] for place in card.places)


def place_of(position: Position, bug: str) -> int:
    """The space on which a bug stands, 1 at the finish (DH-16)."""
    return position[Race].line.index(bug) + 1


def destination(position: Position, bug: str, step: int) -> int:
    """Where a bug gets to; a move that does not fit ends at the end of the track, or is none at all (DH-R8)."""
    place = place_of(position, bug)
    last = len(position[Race].line)
    fits = 1 <= place - step <= last
    return min(max(place - step, 1), last) if fits or position.options(BugOptions).overlong_move == "stop" else place


def move(now: Now, card: Card, step: int) -> Iterator[Event]:
    """Each bug pointed at moves, the one farther along in the direction of travel first (DH-36 to DH-44, DH-R10)."""
    step = step or card.steps[0]
    for bug in sorted(pointed_at(now.position, card), key=now[Race].line.index, reverse=step < 0):
        place = destination(now.position, bug, step)
        if place != place_of(now.position, bug):
            yield BugMoved(bug=bug, place=place)


def run_for_your_life(now: Now, _card: Card, _step: int) -> Iterator[Event]:
    """The bug on cherry goes straight to stone, and the line closes up (DH-49, DH-51, DH-R19, DH-R23)."""
    track = track_of(now.position)
    yield BugMoved(bug=now[Race].line[track.run_from - 1], place=track.run_to)


rules.add(EFFECTS, "bug", move, cites="DH-36")
rules.add(EFFECTS, "one-place", move, cites="DH-44")
rules.add(EFFECTS, "two-place", move, cites="DH-39")
rules.add(EFFECTS, "run-for-your-life", run_for_your_life, cites="DH-49")
rules.add(PHASES, "race", Phase(task=race_task, legal=race_legal), cites="DH-32")


# ---------------------------------------------------------------- the race: exchanging goals


def exchange_task(goals: Goals, turn: Seat) -> Task:
    """Nothing else happens until the card that goes has been picked (DH-34, DH-R4, DH-R31)."""
    clause = "DH-34" if goals.giver == turn else "DH-R31"
    if goals.picker == goals.giver:
        return Task((goals.picker,), "give up a Goal card", (GiveGoal,), clause)
    return Task((goals.picker,), f"pick a Goal card of {goals.giver}", (PickGoal,), clause)


def exchange_legal(position: Position, seat: Seat) -> Iterator[Command]:
    """Any Goal card of one's own, or any place among those of a rival (DH-53, DH-54, DH-R4)."""
    goals = position[Goals]
    held = of(goals.held, goals.giver)
    if goals.giver == seat:
        return (GiveGoal(goal=str(goal)) for goal in dict.fromkeys(held))
    return (PickGoal(place=place) for place in range(1, len(held) + 1))


@rules.decider(cites=("DH-47", "DH-48", "DH-52", "DH-53", "DH-54", "DH-R4", "DH-R27"))
def lay_bad_encounter(now: Now, command: LayBadEncounter) -> Iterator[Event]:
    """Its player exchanges a Goal card, or has a rival exchange one: exactly one of the two (DH-52, DH-R27)."""
    expect(now, command)
    laid = lay(now, BAD_ENCOUNTER)
    rival = command.rival
    if command.use == "own" and rival:
        refuse("one-use", "An exchange of one's own names no rival.", "DH-52", rival=rival)
    if command.use == "rival" and (rival == now.seat or rival not in now.seats):
        clause = "DH-54" if rival and rival != now.seat else "DH-R27"
        sentence = f"Bad encounter! names another player, not {repr(rival) if rival else 'nobody'}."
        refuse("no-rival", sentence, clause, rivals=now.rest(now.seat))
    yield laid
    options = now.options(BugOptions)
    giver = rival or now.seat
    yield ExchangeBegun(seat=giver, picker=giver if options.rival_goal_choice == "owner" else now.seat)
    if options.goal_exchange_order == "draw-first":
        yield GoalSeen(seat=giver, goal=now[Goals].deck[0])


@rules.decider(cites=("DH-53", "DH-54", "DH-R5"))
def give_goal(now: Now, command: GiveGoal) -> Iterator[Event]:
    """One of the cards held goes, never the one that comes in (DH-53, DH-54, DH-R5)."""
    expect(now, command)
    held = of(now[Goals].held, now.seat)
    if command.goal not in held:
        clause = "DH-R5" if now.options(BugOptions).goal_exchange_order == "draw-first" else "DH-53"
        refuse("not-your-goal", f"{now.seat} holds no Goal card {command.goal!r} to give.", clause, goal=command.goal)
    yield from exchange(now, held, held.index(command.goal))


@rules.decider(cites="DH-R4")
def pick_goal(now: Now, command: PickGoal) -> Iterator[Event]:
    """The card goes that lies at the place named, unseen (DH-R4)."""
    expect(now, command)
    held = of(now[Goals].held, now[Goals].giver)
    if not 1 <= command.place <= len(held):
        refuse("no-such-place", f"There are Goal cards at places 1 to {len(held)}.", "DH-R4", place=command.place)
    yield from exchange(now, held, command.place - 1)


def exchange(now: Now, held: Known, at: int) -> Iterator[Event]:
    """The top card of the goal deck comes in for the card at ``at`` (DH-53, DH-54, DH-R5, DH-R6)."""
    giver, options = now[Goals].giver, now.options(BugOptions)
    if options.goal_exchange_order == "give-first":
        yield GoalSeen(seat=giver, goal=now[Goals].deck[0])
    yield GoalExchanged(seat=giver, given=held[at], kept=held[:at] + held[at + 1 :], to=options.exchanged_goal)
    yield from advance(now)


# ---------------------------------------------------------------- the end


def reckon(now: Now) -> Iterator[Event]:
    """After the last card all Goal cards are turned up, and the order of the bugs counts (DH-55, DH-56, DH-59)."""
    for holding in now[Goals].held:
        yield GoalsRevealed(seat=holding.seat, goals=tuple(filter(None, holding.cards)))
    yield now.end("hands-empty")


rules.add(PHASES, "reckoning", Phase(begin=reckon), cites="DH-55")


# ---------------------------------------------------------------- what else the library asks of a game

rules.scoring(outcome)
rules.determinize(determinize)
rules.picture("text")(text)
rules.picture("svg")(svg)
