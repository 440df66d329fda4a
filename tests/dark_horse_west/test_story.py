from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from dark_horse_west.west import NAMES, west
from ludolog import Chance, Command, Event, Position, Ruleset, Seat, catalogue
from ludolog.frame import frame_rules
from ludolog.story import plain_sentence
from ludolog_events import told
from ludolog_plugins.dark_horse_west import choices, commands, events, gunslinger, story
from ludolog_plugins.dark_horse_west.commands import ClaimSite, PlayCard
from ludolog_plugins.dark_horse_west.data import cards_of
from ludolog_plugins.dark_horse_west.events import (
    CardsDrawn,
    DiceAdded,
    GoodsChanged,
    HandSeen,
    Produced,
    TaskDone,
    TaskDropped,
    TasksAdded,
    TileSeen,
    UseNoted,
    UseTakenBack,
)
from ludolog_plugins.dark_horse_west.gunslinger import NOBODY
from ludolog_plugins.dark_horse_west.laid_hexes import HexesLaid, HexMoved, HexTurned, TokensChanged
from ludolog_plugins.dark_horse_west.slots import rules
from ludolog_plugins.dark_horse_west.state import Dice, Die

KEY = b"k" * 32
BOOKKEEPING = (TasksAdded, TaskDone, TaskDropped, UseNoted, UseTakenBack, Produced)
DUMPED = re.compile(r"\((?!holder of |[A-Z])|\bkind |\bseat |\bnone\b|\bNone\b|hidden\b(?! hex)|[a-z]+-[a-z]+:|'")


def game(ruleset: Ruleset, seats: int, seed: int, turns: int) -> Iterator[tuple[dict[Seat | None, Position], object]]:
    """Each event or legal command of a random game, with the views of everybody just after or before it."""
    names = NAMES[:seats]
    start = ruleset.opening(names)
    readers: tuple[Seat | None, ...] = (*names, None)
    views = {seat: Position(ruleset, dict(start.slices), viewer=seat, is_view=True) for seat in readers}
    choice = random.Random(seed)
    decision = ruleset.begin(start, Chance(KEY))
    for number in range(1, turns):
        for event in decision.events:
            for reader in readers:
                fact = told(event, reader)
                if fact is not None:
                    views[reader] = ruleset.fold(views[reader], (fact,))
                    yield {reader: views[reader]}, fact
        position = decision.position
        if position.over:
            return
        seat = ruleset.to_act(position)[0]
        legal = ruleset.legal(position, seat)
        for command in legal:
            yield {seat: views[seat]}, command
        decision = ruleset.decide(position, seat, choice.choice(legal), Chance(KEY, number))


def is_bookkeeping(message: object) -> bool:
    phase = isinstance(message, events.PhaseBegun) and message.phase in {"roll", "spots"}
    return phase or isinstance(message, BOOKKEEPING)


EXPANSION = ("base-changes", "silver", "reputation", "stagecoach", "golden-spike", "improved-towns", "mystery-hexes")


@pytest.mark.parametrize(
    ("seats", "variants"), [(2, ()), (4, ()), (2, EXPANSION), (3, ("saloon", "silver", "reputation"))]
)
def test_everything_told_of_a_random_game_is_a_sentence_or_bookkeeping(seats: int, variants: tuple[str, ...]) -> None:
    ruleset = west(*variants)
    kinds: set[str] = set()
    for views, message in game(ruleset, seats, seed=seats, turns=350):
        for view in views.values():
            assert isinstance(message, Event | Command)
            sentence = ruleset.tell(view, message)
            if type(message) in frame_rules.event_types.values():
                continue
            kinds.add(type(message).__name__)
            if is_bookkeeping(message):
                assert sentence == ""
                continue
            assert re.fullmatch(r"\S.*\.", sentence), (message, sentence)
            assert not DUMPED.search(sentence), (message, sentence)
            assert sentence != plain_sentence(message)
    assert {"Choose", "ClaimSite", "PutDice", "Collect", "Finish", "UseToken"} <= kinds
    assert {"GoodsChanged", "DiceRolled", "Claimed", "TownBuilt", "LinkBuilt"} <= kinds


def test_every_event_and_every_command_of_the_game_has_its_own_sentence() -> None:
    """No type is left to the sentence made of its fields."""
    declared = {*(getattr(events, name) for name in events.__all__), *(getattr(commands, n) for n in commands.__all__)}
    assert declared <= set(rules.sentences)
    assert {function.__module__ for function in (rules.sentences[kind] for kind in declared)} == {
        story.__name__,
        choices.__name__,
    }


@pytest.mark.parametrize("variant", [variant.id for variant in catalogue().variants("dark-horse-west")])
def test_every_event_and_every_command_of_a_variant_has_its_own_sentence(variant: str) -> None:
    """Nor of the hexes that the game itself only offers to variants."""
    own = catalogue().variant("dark-horse-west", variant).rules()
    declared = {*own.event_types.values(), *own.command_types.values()}
    assert declared <= set(own.sentences)
    assert {HexesLaid, HexTurned, HexMoved, TokensChanged} <= set(rules.sentences)


@pytest.mark.rule("DW-R15")
def test_dice_are_told_by_their_pips_and_cards_by_their_names() -> None:
    ruleset = west()
    position = Position(ruleset, dict(ruleset.opening(NAMES[:2]).slices)).having(
        Dice(dice=(Die(seat="ann", kind="own", value=3), Die(seat="ann", kind="deputy", value=5)))
    )
    assert ruleset.tell(position, ClaimSite(site="trader", dice=(0, 1))) == "Put 3 and 5 on the Deputy die on Trader."
    assert ruleset.tell(position, events.Claimed(seat="ann", site="trader", dice=(0,))) == "ann puts 3 on Trader."
    changed = position.having(Dice(dice=(*position[Dice].dice, Die(seat="ann", kind="own", value=4, natural=False))))
    assert ruleset.tell(changed, ClaimSite(site="trader", dice=(0, 2))) == "Put 3 and a changed 4 on Trader."
    card = cards_of("action")[0]
    assert ruleset.tell(position, PlayCard(card=card.id)) == f"Play {card.name}: {card.ability[0].text}"


def test_a_reader_who_may_not_know_is_told_just_the_number() -> None:
    position = west().opening(NAMES[:2])
    ruleset = position.ruleset
    hidden = CardsDrawn(seat="ann", deck="action", cards=(None, None))
    assert ruleset.tell(position, hidden) == "ann draws 2 cards from the Action cards."
    unseen = told(TileSeen(seat="ann", place=0, resource="wood"), "bob")
    assert unseen is not None
    assert "Wood" not in ruleset.tell(position, unseen)
    peeked = told(HandSeen(seat="ann", of="bob", cards=("x", "y")), "cem")
    assert peeked is not None
    assert ruleset.tell(position, peeked) == "ann looks at the hand of bob: 2 cards."


def test_goods_are_told_with_what_was_gained_before_what_was_given() -> None:
    position = west().opening(NAMES[:2])
    changed = GoodsChanged(seat="ann", changes=(("wild", 2), ("gold", -1), ("ore", 0)))
    assert position.ruleset.tell(position, changed) == "ann receives 2 Wild Die tokens and gives 1 Gold."


@pytest.mark.rule("DW-R50")
def test_the_gunslinger_says_his_own_dice_and_leaves_others_to_the_game() -> None:
    """Both rules say how further dice read; the variant hands those that are not its own back to the game."""
    plain, riding = west(), west("gunslinger")
    own = DiceAdded(dice=(Die(seat="ann", kind="own", value=4),))
    his = DiceAdded(dice=tuple(Die(seat=NOBODY, kind="gunslinger", value=value) for value in (2, 5)))
    assert plain.tell(plain.opening(NAMES[:2]), own) == "Further dice are rolled: 4."
    assert riding.tell(riding.opening(NAMES[:2]), own) == "Further dice are rolled: 4."
    assert riding.tell(riding.opening(NAMES[:2]), his) == "The Gunslinger rolls 2 and 5."
    assert gunslinger.rules.sentences[DiceAdded] is not rules.sentences[DiceAdded]
