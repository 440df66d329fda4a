"""What a table remembers of the bug race, and how each event changes it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ludolog import Chance, Position, Seat, State
from ludolog_plugins.dark_horse_bugs.data import BUGS, CARDS, BugOptions, rules
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

__all__ = ["Cards", "Goals", "Holding", "Known", "Race", "determinize", "goal_cards", "move_deck", "of"]

Known = tuple[str | None, ...]
"""Cards by name; ``None`` for one whose face was not told."""


class Holding(State, frozen=True):
    """Cards of one seat."""

    seat: Seat
    cards: Known = ()


def of(holdings: tuple[Holding, ...], seat: Seat) -> Known:
    """Cards of ``seat``; none if it has no holding yet."""
    return next((holding.cards for holding in holdings if holding.seat == seat), ())


def _with(holdings: tuple[Holding, ...], seat: Seat, cards: Known) -> tuple[Holding, ...]:
    """The holdings after ``seat`` got other cards."""
    return tuple(Holding(seat=seat, cards=cards) if holding.seat == seat else holding for holding in holdings)


# ---------------------------------------------------------------- the race


@rules.state
class Race(State, frozen=True):
    """What lies open on the table: the phase, the starting player, and the line of bugs from front to rear."""

    phase: str = ""
    starter: Seat = ""
    line: tuple[str, ...] = ()


@rules.reducer
def phase_begun(race: Race, event: PhaseBegun) -> Race:
    """The phases follow each other."""
    return replace(race, phase=event.phase)


@rules.reducer(cites=("DH-17", "DH-R34"))
def starter_drawn(race: Race, event: StarterDrawn) -> Race:
    """There is one starting player for the whole game (DH-17, DH-R34)."""
    return replace(race, starter=event.seat)


@rules.reducer(cites=("DH-20", "DH-24", "DH-43"))
def bug_put(race: Race, event: BugPlaced | BugMoved) -> Race:
    """A bug goes to its place, and whatever it passes closes up: each space keeps one bug (DH-20, DH-24, DH-43)."""
    others = tuple(bug for bug in race.line if bug != event.bug)
    ahead = event.place - 1
    return replace(race, line=(*others[:ahead], event.bug, *others[ahead:]))


# ---------------------------------------------------------------- Move cards


@rules.state
class Cards(State, frozen=True):
    """Hands (each known to its owner only), cards laid face up, and the cards set aside that nobody ever sees.

    ``turns`` counts the cards laid by all.
    """

    hands: tuple[Holding, ...] = ()
    laid: tuple[Holding, ...] = ()
    aside: Known = ()
    turns: int = 0


@rules.reducer(cites=("DH-25", "DH-R29"))
def hand_dealt(cards: Cards, event: HandDealt) -> Cards:
    """Hands are dealt face down (DH-25, DH-R29)."""
    return replace(
        cards,
        hands=(*cards.hands, Holding(seat=event.seat, cards=event.cards)),
        laid=(*cards.laid, Holding(seat=event.seat)),
    )


@rules.reducer(cites=("DH-27", "DH-R30"))
def cards_set_aside(cards: Cards, event: CardsSetAside) -> Cards:
    """What was not dealt takes no part in the game (DH-27, DH-R30)."""
    return replace(cards, aside=event.cards)


@rules.reducer(cites="DH-33")
def card_laid(cards: Cards, event: CardLaid) -> Cards:
    """A card goes from the hand, face up before its player (DH-33)."""
    return replace(
        cards,
        hands=_with(cards.hands, event.seat, event.hand),
        laid=_with(cards.laid, event.seat, (*of(cards.laid, event.seat), event.card)),
        turns=cards.turns + 1,
    )


# ---------------------------------------------------------------- Goal cards


@rules.state
class Goals(State, frozen=True):
    """Goal cards of each seat from left to right, the goal deck from top to bottom, and the exchange under way.

    Whoever gave a card to the deck knows where it lies: in that seat's view the deck is known there, and stays known
    when another seat takes it. ``giver`` has to exchange, ``picker`` picks; both are empty if there is no exchange.
    """

    held: tuple[Holding, ...] = ()
    deck: Known = ()
    giver: Seat = ""
    picker: Seat = ""


@rules.reducer(cites=("DH-11", "DH-12"))
def goals_dealt(goals: Goals, event: GoalsDealt) -> Goals:
    """Goal cards lie face down before their owner, who knows them (DH-11, DH-12)."""
    return replace(goals, held=(*goals.held, Holding(seat=event.seat, cards=event.goals)))


@rules.reducer(cites="DH-R26")
def goal_deck_formed(goals: Goals, event: GoalDeckFormed) -> Goals:
    """The Goal cards left over are the goal deck (DH-R26)."""
    return replace(goals, deck=event.goals)


@rules.reducer(cites=("DH-52", "DH-R31"))
def exchange_begun(goals: Goals, event: ExchangeBegun) -> Goals:
    """An exchange is open until its card is picked (DH-52, DH-R31)."""
    return replace(goals, giver=event.seat, picker=event.picker)


@rules.reducer(cites="DH-R35")
def goal_seen(goals: Goals, event: GoalSeen) -> Goals:
    """The card that comes in is known to its taker (DH-R35)."""
    return replace(goals, deck=(event.goal, *goals.deck[1:]))


@rules.reducer(cites=("DH-53", "DH-54", "DH-R6", "DH-R35"))
def goal_exchanged(goals: Goals, event: GoalExchanged) -> Goals:
    """The top card is taken, the one given goes to the bottom or on top (DH-53, DH-54, DH-R6, DH-R35)."""
    taken, *rest = goals.deck
    return replace(
        goals,
        held=_with(goals.held, event.seat, (*event.kept, taken)),
        deck=(*rest, event.given) if event.to == "bottom" else (event.given, *rest),
        giver="",
        picker="",
    )


@rules.reducer(cites="DH-59")
def goals_revealed(goals: Goals, event: GoalsRevealed) -> Goals:
    """Goal cards are turned up after the race (DH-59)."""
    return replace(goals, held=_with(goals.held, event.seat, event.goals))


# ---------------------------------------------------------------- what a view doesn't know


def move_deck(position: Position) -> tuple[str, ...]:
    """Names of all Move cards of this table's deck, copies included (DH-01, DH-R13)."""
    deck = position.options(BugOptions).move_deck
    return tuple(card.name for card in position.slot(CARDS).values() if deck in card.decks for _ in range(card.count))


def goal_cards(position: Position) -> tuple[str, ...]:
    """All Goal cards, by their bugs (DH-03, DH-R15)."""
    return tuple(str(bug) for bug, count in position.slot(BUGS).items() for _ in range(count))


def determinize(view: Position, chance: Chance) -> Position:
    """Deal what a view doesn't know at random: every deal that fits the view is as likely as the other."""
    cards, goals = view[Cards], view[Goals]
    hands, laid, aside = cards.hands, cards.laid, cards.aside
    moves = _unseen(move_deck(view), (*_faces(hands), *_faces(laid), *aside), chance)
    bugs = _unseen(goal_cards(view), (*_faces(goals.held), *goals.deck), chance)
    return view.having(
        replace(cards, hands=_dealt(hands, moves), aside=_filled(aside, moves)),
        replace(goals, held=_dealt(goals.held, bugs), deck=_filled(goals.deck, bugs)),
    )


def _faces(holdings: tuple[Holding, ...]) -> Known:
    return tuple(card for holding in holdings for card in holding.cards)


def _unseen(everything: tuple[str, ...], places: Known, chance: Chance) -> Iterator[str]:
    """The cards whose place is not known, in random order."""
    unseen = list(everything)
    for card in places:
        if card is not None:
            unseen.remove(card)
    return iter(chance.shuffle(unseen))


def _filled(cards: Known, unseen: Iterator[str]) -> Known:
    return tuple(next(unseen) if card is None else card for card in cards)


def _dealt(holdings: tuple[Holding, ...], unseen: Iterator[str]) -> tuple[Holding, ...]:
    return tuple(replace(holding, cards=_filled(holding.cards, unseen)) for holding in holdings)
