"""Decks and hands: the packaged cards, drawing, keeping, discarding and playing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ludolog import Event, Now, Position, Refusal, Seat, derived
from ludolog.errors import BadData
from ludolog_plugins.dark_horse_west.abilities import modules, offer_refusal
from ludolog_plugins.dark_horse_west.agenda import do, proceed
from ludolog_plugins.dark_horse_west.checking import faults_of_card
from ludolog_plugins.dark_horse_west.claims import used
from ludolog_plugins.dark_horse_west.commands import PlayCard
from ludolog_plugins.dark_horse_west.data import BASE_DECKS, cards_of, spaces
from ludolog_plugins.dark_horse_west.effects import effects_task
from ludolog_plugins.dark_horse_west.events import (
    AbilityUsed,
    CardPlayed,
    CardsDiscarded,
    CardsDrawn,
    CardsReturned,
    DeckReady,
    PlayedDiscarded,
    UseNoted,
)
from ludolog_plugins.dark_horse_west.goods import pay
from ludolog_plugins.dark_horse_west.options import WestOptions
from ludolog_plugins.dark_horse_west.reasons import insist, no
from ludolog_plugins.dark_horse_west.slots import (
    CARD_PLAYS,
    CARDS,
    DECKS,
    OPS,
    REST_OF_DRAW,
    TASKS,
    CardPlay,
    Deck,
    Question,
    Step,
    rules,
)
from ludolog_plugins.dark_horse_west.state import Cards, HandCard, Pile, Task
from ludolog_plugins.dark_horse_west.vocabulary import Card, Effect
from ludolog_plugins.dark_horse_west.windows import in_window

__all__ = ["cards_in_play", "hand_of", "listed_cards", "pile_of", "trim_hand"]

for _deck in BASE_DECKS:
    for _card in cards_of(_deck):
        for _field, _why in faults_of_card(_card, tuple(spaces())):
            raise BadData(_why, field=f"card {_card.id}, {_field}")
        rules.add(CARDS, _card.id, _card, cites="DW-R43" if _deck == "character-base" else "DW-R42")
rules.add(DECKS, "action", Deck(title="Action cards", drawable=True), cites="DW-R41")
rules.add(DECKS, "event", Deck(title="Event cards"), cites="DW-R41")
rules.add(DECKS, "character-base", Deck(title="player characters", shuffled=False), cites="DW-R43")


def cards_in_play(position: Position | Now, deck: str) -> tuple[str, ...]:
    """Ids of the cards of a deck.

    Those are left out that need modules not in play, that others replace, or that would replace what isn't there.
    """
    return _cards_in_play(position.position if isinstance(position, Now) else position, deck)


@derived
def _cards_in_play(position: Position, deck: str) -> tuple[str, ...]:
    there, known = modules(position), position.slot(CARDS)
    all_cards = [
        card for card in known.values() if set(card.requires) <= there and (not card.replaces or card.replaces in known)
    ]
    replaced = {card.replaces for card in all_cards if card.replaces}
    return tuple(card.id for card in all_cards if card.deck == deck and card.id not in replaced)


def hand_of(position: Position | Now, seat: Seat) -> tuple[HandCard, ...]:
    """The seat's hand; what the viewer wasn't told is None."""
    return next((hand for owner, hand in position[Cards].hands if owner == seat), ())


def pile_of(position: Position | Now, deck: str) -> Pile:
    """A deck's pile and discards."""
    return next((pile for pile in position[Cards].piles if pile.deck == deck), Pile(deck=deck))


# ------------------------------------------------------------ drawing


def draw_cards(now: Now, seat: Seat, deck: str, n: int) -> Iterator[Event]:
    """Draw up to ``n`` cards; a used up deck is made of its shuffled discards (DW-115)."""
    left = n
    while left:
        pile = pile_of(now, deck)
        if not pile.pile and pile.discards:
            yield DeckReady(deck=deck, cards=now.chance.shuffle(pile.discards))
            pile = pile_of(now, deck)
        drawn = pile.pile[:left]
        if not drawn:
            return
        yield CardsDrawn(seat=seat, deck=deck, cards=drawn)
        left -= len(drawn)


def _decks_to_draw(position: Position, _task: Task) -> tuple[str, ...]:
    """Decks that still have cards and may be chosen (DW-R25)."""
    return tuple(
        str(key)
        for key, deck in position.slot(DECKS).items()
        if deck.drawable and (pile_of(position, str(key)).pile or pile_of(position, str(key)).discards)
    )


def _draw(now: Now, task: Task, effect: Effect) -> Iterator[Event]:
    """Op ``draw``: from one deck, chosen before drawing if any will do."""
    asked = Task(kind="choose-deck", seat=task.seat, n=effect.n, numbers=(effect.keep,))
    if effect.deck == "any":
        yield do(asked)
    elif effect.deck in now.slot(DECKS):
        yield from _drawn(now, asked, effect.deck)


def _drawn(now: Now, task: Task, deck: str) -> Iterator[Event]:
    before = len(hand_of(now, task.seat))
    yield from draw_cards(now, task.seat, deck, task.n)
    drawn = len(hand_of(now, task.seat)) - before
    keep = task.numbers[0]
    if drawn > keep:
        yield do(Task(kind="keep-cards", seat=task.seat, n=drawn, numbers=(keep,), names=(deck,)))


rules.add(OPS, "draw", _draw, cites="DW-074")
rules.add(
    TASKS,
    "choose-deck",
    Question(
        ask=lambda _position, task: f"From which deck does {task.seat} draw?",
        options=_decks_to_draw,
        take=_drawn,
        cites="DW-R25",
    ),
    cites="DW-R25",
)

# ------------------------------------------------------------ keeping some of what was drawn


def _keep_options(position: Position, task: Task) -> tuple[str, ...]:
    hand = hand_of(position, task.seat)[-task.n :]
    kept = ("+".join(str(card.card) for card in chosen) for chosen in combinations(hand, task.numbers[0]))
    ways = ("", " top") if any(may(position, task.seat) for may in position.slot(REST_OF_DRAW).values()) else ("",)
    return tuple(f"{cards}{way}" for cards in kept for way in ways)


def _keep(now: Now, task: Task, option: str) -> Iterator[Event]:
    """What is not kept goes to the discards, or face down onto the deck where that is allowed (DW-075)."""
    named, _, way = option.partition(" ")
    kept = named.split("+")
    hand = hand_of(now, task.seat)
    first = len(hand) - task.n
    rest = tuple(place for place in range(first, len(hand)) if hand[place].card not in kept)
    deck = task.names[0]
    if way == "top":
        yield CardsReturned(seat=task.seat, deck=deck, places=rest)
    else:
        cards = tuple(card for place in rest if (card := hand[place].card) is not None)
        yield CardsDiscarded(seat=task.seat, deck=deck, places=rest, cards=cards)


rules.add(
    TASKS,
    "keep-cards",
    Question(
        ask=lambda _position, task: f"Of the {task.n} cards drawn {task.seat} keeps {task.numbers[0]}: which?",
        options=_keep_options,
        take=_keep,
        cites="DW-075",
    ),
    cites="DW-075",
)

# ------------------------------------------------------------ the hand limit, if there is one


def trim_hand(now: Now, seat: Seat) -> Iterator[Event]:
    """By option a hand has a limit at the end of the own collection window (DW-R39)."""
    limit = now.options(WestOptions).hand_limit
    if limit and len(hand_of(now, seat)) > limit:
        yield do(Task(kind="discard-card", seat=seat, n=limit))


def _discard(now: Now, task: Task, option: str) -> Iterator[Event]:
    hand = hand_of(now, task.seat)
    place = next(n for n, card in enumerate(hand) if card.card == option)
    yield CardsDiscarded(seat=task.seat, deck=hand[place].deck, places=(place,), cards=(option,))
    yield from trim_hand(now, task.seat)


rules.add(
    TASKS,
    "discard-card",
    Question(
        ask=lambda _position, task: f"Which card does {task.seat} discard, down to {task.n}?",
        options=lambda position, task: tuple(str(card.card) for card in hand_of(position, task.seat)),
        take=_discard,
        cites="DW-R39",
    ),
    cites="DW-R39",
)

# ------------------------------------------------------------ playing


def card_refusal(position: Position, seat: Seat, card: str) -> Refusal | None:
    """Why the seat can't play a card now: not in its hand, or its deck's rules say no (DW-113, DW-R59)."""
    held = next((held for held in hand_of(position, seat) if held.card == card), None)
    if held is None:
        return no("not-in-hand", f"{seat} does not hold card {card!r}.", "DW-113", card=card)
    play = position.slot(CARD_PLAYS).get(held.deck)
    if play is None:
        return no("not-playable", f"Cards of the {held.deck} deck are not played.", "DW-116", deck=held.deck)
    if used(position, seat, f"card:{held.deck}"):
        return no("one-card", f"{seat} has played a card of that kind this turn.", "DW-063", deck=held.deck)
    return play.refusal(position, seat, position.slot(CARDS)[card])


@rules.decider(cites=("DW-063", "DW-113", "DW-116", "DW-R59"))
def play_card(now: Now, command: PlayCard) -> Iterator[Event]:
    """A card is played at the moment its timing names, one of each kind a turn (DW-116, DW-063)."""
    insist(in_window(now.position, now.seat, "placement", "collection"))
    insist(card_refusal(now.position, now.seat, command.card))
    hand = hand_of(now, now.seat)
    place = next(n for n, card in enumerate(hand) if card.card == command.card)
    yield UseNoted(seat=now.seat, key=f"card:{hand[place].deck}")
    yield CardPlayed(seat=now.seat, place=place, card=command.card)
    yield from now.slot(CARD_PLAYS)[hand[place].deck].play(now, now.seat, now.slot(CARDS)[command.card])
    yield from proceed(now)


def _action_refusal(position: Position, seat: Seat, card: Card) -> Refusal | None:
    """An Action card is played at its timing, and its price is paid (DW-116)."""
    ability = card.ability[0]
    window = {"placement": "placement", "collect": "collection"}.get(ability.timing, "")
    if not window or in_window(position, seat, window) is not None:
        return no(
            "wrong-moment", f"{card.name} is played at another moment ({ability.timing}).", "DW-116", card=card.id
        )
    return offer_refusal(position, seat, ability.cost, ability.effects)


def _play_action(now: Now, seat: Seat, card: Card) -> Iterator[Event]:
    """The effects come, then the card goes to the discards (DW-114)."""
    yield do(effects_task(seat, card.ability[0].effects, card.id), Task(kind="discard-played", source=card.id))
    yield AbilityUsed(seat=seat, source=card.id, ability=0)
    yield from pay(now, seat, card.ability[0].cost)


def _discard_played(now: Now, task: Task) -> Iterator[Event]:
    yield PlayedDiscarded(card=task.source, deck=now.slot(CARDS)[task.source].deck)


rules.add(TASKS, "discard-played", Step(run=_discard_played), cites="DW-114")
rules.add(CARD_PLAYS, "action", CardPlay(refusal=_action_refusal, play=_play_action, cites="DW-116"), cites="DW-116")


def listed_cards(position: Position, seat: Seat) -> Iterator[PlayCard]:
    """Every card that the seat may play now."""
    for held in hand_of(position, seat):
        if held.card is not None and card_refusal(position, seat, held.card) is None:
            yield PlayCard(card=held.card)
