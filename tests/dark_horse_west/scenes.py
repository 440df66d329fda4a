"""Positions set up for the rule tests: given these pieces, goods and dice, when that command, then this."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from msgspec.structs import replace

from dark_horse_west.west import NAMES, begun, west
from ludolog import Chance, Command, Event, Position, Refusal, Ruleset, Seat
from ludolog.errors import CommandError
from ludolog_plugins.dark_horse_west.agenda import top
from ludolog_plugins.dark_horse_west.board import layout_of, ordered
from ludolog_plugins.dark_horse_west.cards import cards_in_play
from ludolog_plugins.dark_horse_west.commands import Choose, ClaimSite, Collect, Finish, PlayCard, PutDice, UseToken
from ludolog_plugins.dark_horse_west.goods import has
from ludolog_plugins.dark_horse_west.scoring import score_sheet
from ludolog_plugins.dark_horse_west.state import (
    Agenda,
    Board,
    Cards,
    Claim,
    Claims,
    Dice,
    Die,
    Fronts,
    Goods,
    HandCard,
    Hex,
    Link,
    Piece,
    Pile,
    Roles,
    Task,
    Tiles,
    Turn,
    Usage,
)

__all__ = ["Scene", "scene", "spend"]

ANN, BOB, CEM, DOT = NAMES[:4]

Pieces = Mapping[Seat, Sequence[Hex]]

PLAIN: dict[str, object] = {"characters": False, "event_steps": ()}
"""Options that leave out what only a test about it needs."""


def spend(kind: str) -> UseToken:
    return UseToken(token=kind)


@dataclass
class Scene:
    """A position that goes on by commands; ``told`` gathers the events of the last one."""

    position: Position
    told: tuple[Event, ...] = ()
    number: int = field(default=0)

    @property
    def ruleset(self) -> Ruleset:
        return self.position.ruleset

    @property
    def actor(self) -> Seat:
        return self.ruleset.to_act(self.position)[0]

    def play(self, command: Command, seat: Seat = "", *, key: int = 0) -> Scene:
        """``seat`` (by default whoever acts) plays; ``key`` chooses the dice and shuffles."""
        self.number += 1
        chance = Chance(bytes([key]) * 32, self.number)
        decision = self.ruleset.decide(self.position, seat or self.actor, command, chance)
        self.position, self.told = decision.position, decision.events
        return self

    def choose(self, *options: str) -> Scene:
        for option in options:
            self.play(Choose(option=option))
        return self

    def claim(self, site: str, *dice: int) -> Scene:
        return self.play(ClaimSite(site=site, dice=dice))

    def put(self, spot: str, *dice: int) -> Scene:
        return self.play(PutDice(spot=spot, dice=dice))

    def collect(self, site: str) -> Scene:
        return self.play(Collect(site=site))

    def card(self, card: str) -> Scene:
        return self.play(PlayCard(card=card))

    def finish(self) -> Scene:
        return self.play(Finish())

    def refused(self, command: Command, seat: Seat = "") -> Refusal:
        """Why the command is refused; it must not be listed either."""
        seat = seat or self.actor
        assert command not in self.ruleset.legal(self.position, seat)
        with pytest.raises(CommandError) as refused:
            self.ruleset.decide(self.position, seat, command, Chance(bytes(32)))
        return refused.value.refusal

    def not_an_option(self, option: str) -> Refusal:
        return self.refused(Choose(option=option))

    @property
    def legal(self) -> tuple[Command, ...]:
        return self.ruleset.legal(self.position, self.actor)

    @property
    def options(self) -> tuple[str, ...]:
        """Answers to the pending question."""
        return tuple(command.option for command in self.legal if isinstance(command, Choose))

    @property
    def sites(self) -> set[str]:
        """Sites that can be claimed now."""
        return {command.site for command in self.legal if isinstance(command, ClaimSite)}

    @property
    def waits_for(self) -> str:
        task = top(self.position)
        return task.kind if task is not None else ""

    def has(self, seat: Seat, *what: str) -> tuple[int, ...] | int:
        found = tuple(has(self.position, seat, name) for name in what)
        return found[0] if len(found) == 1 else found

    def resources(self, seat: Seat) -> tuple[int, int, int]:
        return tuple(has(self.position, seat, name) for name in ("food", "wood", "ore"))  # type: ignore[return-value]

    def hand(self, seat: Seat) -> tuple[str | None, ...]:
        return next(tuple(card.card for card in hand) for owner, hand in self.position[Cards].hands if owner == seat)

    def points(self, seat: Seat) -> int:
        return sum(line.points for line in score_sheet(self.position, seat))


def _tiles(position: Position, tiles: Mapping[Hex, str], shown: Sequence[Hex]) -> Tiles:
    """The bag with the wished tiles on the wished places."""
    places = layout_of(position).places
    counts = layout_of(position).tiles
    bag = ["food"] * counts.food + ["wood"] * counts.wood + ["ore"] * counts.ore
    for kind in tiles.values():
        bag.remove(kind)
    dealt = tuple(tiles[hex_] if hex_ in tiles else bag.pop() for hex_ in places)
    safe = len(layout_of(position).safe)
    return Tiles(tiles=dealt, shown=tuple(place < safe or hex_ in shown for place, hex_ in enumerate(places)))


def _agenda(order: Sequence[Seat], window: str, seat: Seat) -> Agenda:
    later = order[order.index(seat) + 1 :]
    todo: list[Task] = [Task(kind=window, seat=seat)]
    if window == "placement":
        todo += [Task(kind="placement", seat=other) for other in later]
        todo += [Task(kind="phase", source="spots"), Task(kind="phase", source="collection")]
    else:
        todo += [Task(kind="collection-begin", seat=other) for other in later]
    return Agenda(stack=(Task(kind="turn-end"), *todo[::-1]))


def _cards(position: Position, hands: Mapping[Seat, Sequence[str]]) -> Cards:
    held = {card for hand in hands.values() for card in hand}
    piles = tuple(
        Pile(deck=deck, pile=tuple(card for card in cards_in_play(position, deck) if card not in held))
        for deck in ("action", "event")
    )
    return Cards(
        piles=piles,
        hands=tuple((seat, tuple(HandCard("action", card) for card in hands.get(seat, ()))) for seat in position.seats),
    )


@functools.cache
def _begun(seats: int, variants: tuple[str, ...], options: tuple[tuple[str, object], ...]) -> Position:
    return begun(west(*variants, **dict(options)), seats)


def scene(
    seats: int = 3,
    *,
    window: str = "placement",
    seat: Seat = ANN,
    order: Sequence[Seat] = (),
    turn: int = 5,
    cities: Pieces | None = None,
    towns: Pieces | None = None,
    links: Mapping[Seat, Sequence[tuple[Hex, Hex]]] | None = None,
    tiles: Mapping[Hex, str] | None = None,
    shown: Sequence[Hex] = (),
    goods: Mapping[Seat, Mapping[str, int]] | None = None,
    dice: Mapping[Seat, Sequence[int | Die]] | None = None,
    claims: Sequence[Claim] = (),
    roles: Mapping[str, Seat] | None = None,
    hands: Mapping[Seat, Sequence[str]] | None = None,
    fronts: Mapping[Seat, Sequence[str]] | None = None,
    used: Sequence[tuple[Seat, str]] = (),
    marker: int = 0,
    variants: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
) -> Scene:
    """A position in ``seat``'s ``window``; everything that isn't said is empty, without characters and Events."""
    start = _begun(seats, tuple(variants), tuple({**PLAIN, **(options or {})}.items()))
    names = tuple(order) or start.seats
    rolled = tuple(
        die if isinstance(die, Die) else Die(seat=owner, kind="own", value=die)
        for owner, values in (dice or {}).items()
        for die in values
    )
    for claim in claims:
        rolled = tuple(
            replace(die, at=f"site:{claim.site}") if number in claim.dice else die for number, die in enumerate(rolled)
        )
    board = Board(
        cities=tuple(Piece(owner, hex_) for owner, hexes in (cities or {}).items() for hex_ in hexes),
        towns=tuple(Piece(owner, hex_) for owner, hexes in (towns or {}).items() for hex_ in hexes),
        links=tuple(Link(owner, *ordered(a, b)) for owner, pairs in (links or {}).items() for a, b in pairs),
    )
    return Scene(
        start.having(
            board,
            _tiles(start, tiles or {}, (*shown, *(hex_ for hexes in (towns or {}).values() for hex_ in hexes))),
            Fronts(cards=tuple((owner, tuple((fronts or {}).get(owner, ()))) for owner in start.seats)),
            Goods(held=tuple((owner, tuple((goods or {}).get(owner, {}).items())) for owner in names)),
            Dice(dice=rolled),
            Claims(claims=tuple(claims)),
            Roles(held=tuple((roles or {}).items())),
            _cards(start, hands or {}),
            Usage(used=tuple(used)),
            Turn(number=turn, phase=window, track=names, order=names, marker=marker),
            _agenda(names, window, seat),
        )
    )
