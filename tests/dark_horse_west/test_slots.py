"""A variant made up for the tests bends the game in many places at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from dark_horse_west.west import walk
from ludolog import Event, Now, Position, Refusal, Rules, Ruleset, Seat, Variant, catalogue
from ludolog_plugins.dark_horse_west import slots
from ludolog_plugins.dark_horse_west.agenda import do
from ludolog_plugins.dark_horse_west.board import access, layout_of, name_of
from ludolog_plugins.dark_horse_west.conserved import lost_or_doubled
from ludolog_plugins.dark_horse_west.events import DiceAdded, GoodsChanged, HexProduced, LinkBuilt
from ludolog_plugins.dark_horse_west.goods import counter, gain, has
from ludolog_plugins.dark_horse_west.offers import cost, gained, offered
from ludolog_plugins.dark_horse_west.reasons import no
from ludolog_plugins.dark_horse_west.slots import EndTrigger, Ground, Need, Offer, Question, Site, Spot
from ludolog_plugins.dark_horse_west.state import Board, Dice, Die, Hex, Task, Turn
from ludolog_plugins.dark_horse_west.vocabulary import Effect

toy = Rules("dark-horse-west/toy")
toy.add(slots.COLOURS, 4, "purple", cites="T-1")
toy.add(slots.THINGS, "silver", counter("Silver", "silver"), cites="T-2")
toy.remove(slots.SITES, "market", cites="T-3")
HATS = Offer(title="hats", cost=(cost("jail"),), effects=(gained("silver", 3),))
LAST = Offer(title="last", cost=(cost("silver"),), effects=(Effect(op="order", to="last"), gained("wild")))
toy.add(
    slots.SITES,
    "saloon",
    Site(
        name="Saloon", need=Need(single=True), limit="Unlimited", collect=offered(HATS, LAST, source="saloon"), cites=""
    ),
    cites="T-3",
)


def _neutral_dice(now: Now) -> Iterator[Event]:
    yield DiceAdded(dice=tuple(Die(seat="", kind="own", value=now.chance.roll()) for _ in range(2)))


def _blocked(position: Position, _seat: Seat, site: str) -> Refusal | None:
    shown = [die.value for die in position[Dice].dice if not die.seat]
    need = position.slot(slots.SITES)[site].need
    return no("blocked", "Blocked.", "T-4") if set(need.values) & {*shown, sum(shown)} else None


toy.add(slots.PHASES, "neutral", _neutral_dice, cites="T-4", before="placement")
toy.add(slots.CLAIM_FILTERS, "neutral", _blocked, cites="T-4")
toy.add(
    slots.END_TRIGGERS,
    "short",
    EndTrigger(
        met=lambda position: position.seats * (position[Turn].number >= 12), sentence="Twelve turns.", cites="T-5"
    ),
    cites="T-5",
)


def _ranch(position: Position, hex_: Hex, below: Ground) -> Ground:
    return Ground(name="ranch", towns=9, resource="food") if hex_ in layout_of(position).mystery else below


toy.add(slots.GROUNDS, "ranch", _ranch, cites="T-6")
toy.add(
    slots.SPOTS,
    "field",
    Spot(
        title="a hex",
        places=lambda position, seat: (
            tuple(map(name_of, layout_of(position).mystery)) if access(position, seat) else ()
        ),
        need=lambda *_: Need(least=5),
        refusal=lambda *_: None,
        put=lambda *_: iter(()),
        resolve=lambda now, seat, _place: gain(now, seat, "silver", 3),
        cites="T-7",
    ),
    cites="T-7",
)


def _ask_all(now: Now) -> Iterator[Event]:
    yield do(*(Task(kind="toy", seat=seat) for seat in now.seats))


def _answered(_now: Now, task: Task, option: str) -> Iterator[Event]:
    yield GoodsChanged(seat=task.seat, changes=(("silver", int(option)),))


toy.add(slots.SETUP_STEPS, "toy", _ask_all, cites="T-8", before="first-cities")
toy.add(
    slots.TASKS,
    "toy",
    Question(ask=lambda *_: "One or two?", options=lambda *_: ("1", "2"), take=_answered, cites="T-8"),
    cites="T-8",
)
toy.adjust(slots.POINTS, "points", lambda points: replace(points, influence=2), cites="T-9")


@toy.reaction
def _linked(now: Now, event: LinkBuilt) -> Iterator[Event]:
    if now[Turn].number:
        yield GoodsChanged(seat=event.seat, changes=(("silver", 1),))


@toy.reaction
def _produced(_now: Now, event: HexProduced) -> Iterator[Event]:
    yield GoodsChanged(seat=event.seat, changes=(("silver", 1),))


def bent() -> Ruleset:
    variant = Variant(id="dark-horse-west/toy", title="Toy", summary="A toy.", rules=lambda: toy, seats=(1, 2, 3, 4, 5))
    return Ruleset(catalogue().game("dark-horse-west"), (variant,))


@pytest.mark.parametrize("seats", [1, 3, 5])
def test_a_game_bent_in_many_places_ends_and_loses_nothing(seats: int) -> None:
    silver = 0
    for position, _, _ in walk(bent(), seats, seed=seats):
        assert lost_or_doubled(position) == ()
        silver = max(silver, *(has(position, seat, "silver") for seat in position.seats))
    assert position.outcome is not None
    assert position.outcome.reason == "short"
    assert position[Board].cities
    assert silver > 2
