"""Positions of the bug race to begin a test with, and ways to go on from them."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

import ludolog
from ludolog import Chance, Command, Event, Position, Refusal, Ruleset, Seat, Table
from ludolog.errors import CommandError
from ludolog_plugins.dark_horse_bugs.commands import LayCard
from ludolog_plugins.dark_horse_bugs.state import Cards, Goals, Holding, Race, goal_cards, move_deck, of

GAME = "dark-horse-bugs"
DILLY_DALLY = ("dilly-dally",)
LINE = ("ladybug", "snail", "fly", "caterpillar", "wasp", "bee", "grasshopper")
DECK = ("bee", "wasp", "snail", "fly", "bee", "ladybug")
FILLER = ("grasshopper-1", "grasshopper-1")
BASIC = {
    "track": ("published", "as-written"),
    "move_deck": ("house", "bugs-only"),
    "overlong_move": ("stop", "no-move"),
    "two_place_at_end": ("partial", "both-must-move"),
    "rival_goal_choice": ("owner", "card-player"),
    "goal_exchange_order": ("give-first", "draw-first"),
    "exchanged_goal": ("bottom", "top"),
}
ANTS = {"token_pass": ("reopens", "final"), "token_timing": ("before-play", "own-turn")}
NAMES = ("A", "B", "C", "D", "E", "F")


def line(text: str) -> tuple[str, ...]:
    """``"bee, fly"`` -> ``("bee", "fly")``."""
    return tuple(text.split(", "))


def ruleset(variants: Sequence[str] = (), **options: str) -> Ruleset:
    return ludolog.catalogue().ruleset(GAME, variants, options)


@functools.cache
def begun(seats: int = 3, variants: tuple[str, ...] = (), *, key: bytes = b"k" * 32, **options: str) -> Position:
    """Just after set-up began: goals are dealt, the starting player is to open the line."""
    rules = ruleset(variants, **options)
    return rules.begin(rules.opening(NAMES[:seats]), Chance(key)).position


def race(
    seats: int = 3,
    *,
    bugs: Sequence[str] = LINE,
    hands: Mapping[Seat, Sequence[str]] | None = None,
    goals: Mapping[Seat, Sequence[str]] | None = None,
    deck: Sequence[str] = DECK,
    starter: Seat = "A",
    variants: tuple[str, ...] = (),
    **options: str,
) -> Position:
    """In the race, with the starting player to lay the first card."""
    names = NAMES[:seats]
    return begun(seats, variants, **options).having(
        Race(phase="race", starter=starter, line=tuple(bugs)),
        Cards(
            hands=tuple(Holding(seat=seat, cards=tuple((hands or {}).get(seat, FILLER))) for seat in names),
            laid=tuple(Holding(seat=seat) for seat in names),
        ),
        Goals(
            held=tuple(Holding(seat=seat, cards=tuple((goals or {}).get(seat, ("bee", "bee")))) for seat in names),
            deck=tuple(deck),
        ),
    )


def lined_up(position: Position, bugs: Sequence[str], starter: Seat = "A") -> Position:
    """The same with these bugs in the line, still to be completed."""
    return position.having(Race(phase="line-up", starter=starter, line=tuple(bugs)))


def decided(position: Position, seat: Seat, command: Command) -> tuple[Event, ...]:
    return position.ruleset.decide(position, seat, command, Chance(b"k" * 32)).events


def after(position: Position, seat: Seat, command: Command) -> Position:
    """What follows when ``seat`` plays ``command``; it must be listed as legal."""
    assert command in position.ruleset.legal(position, seat)
    return position.ruleset.decide(position, seat, command, Chance(b"k" * 32)).position


def laid(position: Position, card: str, step: int = 0, seat: Seat = "A") -> Position:
    return after(position, seat, LayCard(card=card, step=step))


def refusal(position: Position, seat: Seat, command: Command) -> Refusal:
    """Why ``seat`` may not play ``command``; it must not be listed, and the position stays what it was."""
    before = dict(position.slices)
    assert command not in position.ruleset.legal(position, seat)
    with pytest.raises(CommandError) as raised:
        decided(position, seat, command)
    assert position.slices == before
    return raised.value.refusal


def turn(position: Position) -> Seat:
    """The one seat that may act."""
    (seat,) = position.ruleset.to_act(position)
    return seat


def bugs_of(position: Position) -> tuple[str, ...]:
    return position[Race].line


def hand(position: Position, seat: Seat) -> tuple[str | None, ...]:
    return of(position[Cards].hands, seat)


def held(position: Position, seat: Seat) -> tuple[str | None, ...]:
    return of(position[Goals].held, seat)


def seen(position: Position, seat: Seat | None) -> Position:
    """A view of a position that was made up: what ``seat`` does not hold is not told."""

    def hidden(holdings: tuple[Holding, ...]) -> tuple[Holding, ...]:
        return tuple(
            holding if holding.seat == seat else Holding(seat=holding.seat, cards=(None,) * len(holding.cards))
            for holding in holdings
        )

    cards, goals = position[Cards], position[Goals]
    made = position.having(
        msgspec.structs.replace(cards, hands=hidden(cards.hands), aside=(None,) * len(cards.aside)),
        msgspec.structs.replace(goals, held=hidden(goals.held), deck=(None,) * len(goals.deck)),
    )
    return Position(made.ruleset, made.slices, seat, is_view=True)


def scores(position: Position) -> dict[Seat, int]:
    """Totals if the game ended now."""
    outcome = position.ruleset.score(position, "hands-empty")
    return {sheet.seat: sheet.total for sheet in outcome.scores}


def new_table(seats: int = 3, variants: Sequence[str] = (), seed: Any = 7, **options: str) -> Table:
    return ludolog.new_table(GAME, NAMES[:seats], variants, options, seed=seed, id="race", at=0)


def step(table: Table, chance: Chance) -> None:
    """One command, any legal one."""
    seat = table.to_act[0]
    table.play(seat, chance.choose(table.legal(seat)), at=table.length)


def played(
    seats: int = 3, variants: Sequence[str] = (), seed: int = 7, *, until: int | None = None, **options: str
) -> Table:
    """A table played at random, to the end or until it has ``until`` batches."""
    table = new_table(seats, variants, seed, **options)
    chance = Chance(b"moves", seed)
    while not table.over and (until is None or table.length < until):
        step(table, chance)
    return table


def check_parts(position: Position) -> None:
    """No card and no bug gets lost or doubled."""
    race, cards, goals = position[Race], position[Cards], position[Goals]
    assert len(set(race.line)) == len(race.line)
    if race.phase in {"offer", "race"}:
        assert sorted(race.line) == sorted(LINE)
        dealt = [card for holding in (*cards.hands, *cards.laid) for card in holding.cards]
        assert sorted((*dealt, *cards.aside)) == sorted(move_deck(position))
    held = [card for holding in goals.held for card in holding.cards]
    assert sorted((*held, *goals.deck)) == sorted(goal_cards(position))
