"""Hexes laid over the map: hidden until somebody uses them, with tokens that are used up, some of them moving on.

The game itself lays none. A variant names its kinds in ``LAID_HEXES`` and lays them in a set-up step of its own by
:class:`HexesLaid`; what they are, cost and give is said there. Dice are put on them as on any other spot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from ludolog import Event, Now, Position, Refusal, Seat, Secret, Slot, State
from ludolog_plugins.dark_horse_west.agenda import do
from ludolog_plugins.dark_horse_west.board import access, blocked, ground, hex_named, layout_of, name_of, occupied
from ludolog_plugins.dark_horse_west.building import pieces_left
from ludolog_plugins.dark_horse_west.choices import READINGS
from ludolog_plugins.dark_horse_west.claims import meets
from ludolog_plugins.dark_horse_west.effects import effects_task
from ludolog_plugins.dark_horse_west.events import DiceTakenBack, UseNoted
from ludolog_plugins.dark_horse_west.prices import affordable, changed_price, payment, price_of, unaffordable
from ludolog_plugins.dark_horse_west.reasons import no
from ludolog_plugins.dark_horse_west.slots import (
    BUILDS,
    CONSERVED,
    COSTS,
    GROUNDS,
    MAP_MARKS,
    SPOTS,
    TASKS,
    TOWN_SERVES,
    Build,
    Entry,
    Ground,
    Need,
    Offer,
    Price,
    Question,
    Spot,
    Step,
    rules,
)
from ludolog_plugins.dark_horse_west.state import Board, Dice, Hex, Task
from ludolog_plugins.dark_horse_west.wording import hex_at, joined

__all__ = [
    "LAID_HEXES",
    "TURNED",
    "HexMoved",
    "HexTurned",
    "HexesLaid",
    "LaidHex",
    "LaidHexes",
    "Lying",
    "TokensChanged",
    "hex_of",
    "kind_on",
    "lying_on",
    "turn_up",
]

TURNED: Final = "laid-hex:turned"
"""Noted for the seat that turned a hex up this turn."""


class LaidHex(Entry, frozen=True, kw_only=True):
    """A kind of hex.

    ``need`` says which dice it takes (``None``: none), ``offers`` what a seat may choose for a use, each time one.
    It acts ``at_once``, or at the start of the Collection Phase for one seat a turn. With ``tokens``, every use takes
    one, and with the last it leaves the game. A ``mobile`` one moves on after each use. ``ground`` changes what the
    hex below is (position, ground below), and ``serves`` tells whether towns on it serve cities.
    """

    title: str
    cites: str
    need: Need | None = None
    offers: Callable[[Position, Seat], tuple[Offer, ...]] = lambda _position, _seat: ()
    at_once: bool = False
    tokens: int = 0
    mobile: bool = False
    ground: Callable[[Position, Ground], Ground] = lambda _position, below: below
    serves: bool = True


LAID_HEXES: Slot[LaidHex] = rules.slot(Slot("laid-hexes", "Kinds of hexes that are laid over the map."))

# ------------------------------------------------------------ state and events


class Lying(msgspec.Struct, frozen=True):
    """A hex laid over the map: its kind (``None``: not told), where it lies, whether face up, and its tokens."""

    kind: str | None
    hex: Hex
    shown: bool = False
    tokens: int = 0


@rules.state
class LaidHexes(State, frozen=True):
    """The hexes laid over the map, and the kinds that were turned up so far."""

    hexes: tuple[Lying, ...] = ()
    found: tuple[str, ...] = ()


class HexesLaid(Event, frozen=True, tag="dark-horse-west/hexes-laid"):
    """Hexes were laid face down."""

    hexes: tuple[Hex, ...]
    kinds: Secret[tuple[str | None, ...]]


class HexTurned(Event, frozen=True, tag="dark-horse-west/hex-turned"):
    """A laid hex was turned up, or became another; it has so many tokens."""

    hex: Hex
    kind: str
    tokens: int


class TokensChanged(Event, frozen=True, tag="dark-horse-west/tokens-changed"):
    """A laid hex has so many tokens now; with none it left the game."""

    hex: Hex
    tokens: int


class HexMoved(Event, frozen=True, tag="dark-horse-west/hex-moved"):
    """A laid hex moved after these rolls, or stayed."""

    hex: Hex
    to: Hex
    rolls: tuple[int, ...]


def _changed(laid: LaidHexes, hex_: Hex, change: Callable[[Lying], Lying]) -> LaidHexes:
    return replace(laid, hexes=tuple(change(on) if on.hex == hex_ else on for on in laid.hexes))


@rules.reducer
def _laid(laid: LaidHexes, event: HexesLaid) -> LaidHexes:
    return replace(laid, hexes=(*laid.hexes, *map(Lying, event.kinds or (), event.hexes)))


@rules.reducer
def _turned(laid: LaidHexes, event: HexTurned) -> LaidHexes:
    if any(on.hex == event.hex and not on.shown for on in laid.hexes):
        laid = replace(laid, found=(*laid.found, event.kind))
    return _changed(laid, event.hex, lambda on: Lying(event.kind, on.hex, shown=True, tokens=event.tokens))


@rules.reducer
def _used(laid: LaidHexes, event: TokensChanged) -> LaidHexes:
    left = _changed(laid, event.hex, lambda on: replace(on, tokens=event.tokens))
    return replace(left, hexes=tuple(on for on in left.hexes if on.hex != event.hex or event.tokens))


@rules.reducer
def _moved(laid: LaidHexes, event: HexMoved) -> LaidHexes:
    return _changed(laid, event.hex, lambda on: replace(on, hex=event.to))


# ------------------------------------------------------------ what lies where


def lying_on(position: Position | Now, hex_: Hex | None) -> Lying | None:
    """What was laid over a hex."""
    return next((on for on in position[LaidHexes].hexes if on.hex == hex_), None)


def kind_on(position: Position | Now, hex_: Hex) -> str:
    """Kind of the hex that lies there face up; ``""`` if there is none."""
    on = lying_on(position, hex_)
    return str(on.kind) if on is not None and on.shown else ""


def hex_of(task: Task) -> Hex:
    """The hex to which the offers or effects of a task belong."""
    return hex_named(task.source.partition(":")[2]) or (0, 0)


def turn_up(now: Now, seat: Seat, hex_: Hex) -> Iterator[Event]:
    """The first use turns a hex up, with its tokens."""
    on = lying_on(now, hex_)
    if on is not None and on.kind is not None:
        yield UseNoted(seat=seat, key=TURNED)
        yield HexTurned(hex=on.hex, kind=on.kind, tokens=now.slot(LAID_HEXES)[on.kind].tokens)


# ------------------------------------------------------------ dice on them


def _places(position: Position, _seat: Seat) -> tuple[str, ...]:
    return tuple(name_of(on.hex) for on in position[LaidHexes].hexes)


def _need(position: Position, _seat: Seat, place: str) -> Need:
    """Any dice find out what lies there; face up it says which it needs."""
    kind = kind_on(position, hex_named(place) or (0, 0))
    return (position.slot(LAID_HEXES)[kind].need if kind else None) or Need()


def _dice_on(position: Position | Now, place: str) -> tuple[int, ...]:
    return tuple(n for n, die in enumerate(position[Dice].dice) if die.at == f"hex:{place}")


def _refusal(position: Position, seat: Seat, place: str) -> Refusal | None:
    """Why the seat can't put dice there: no access, or nothing that it could use (DW-R65)."""
    hex_ = hex_named(place) or (0, 0)
    if hex_ not in access(position, seat):
        return no("no-access", f"{seat} has no access to {place}.", "DW-R65", hex=hex_)
    refusal = blocked(position, seat, hex_, "use") or blocked(position, seat, hex_, "dice")
    kind = kind_on(position, hex_)
    if refusal is not None or not kind:
        return refusal
    entry = position.slot(LAID_HEXES)[kind]
    if entry.need is None:
        return no("no-dice", f"The {entry.title} takes no dice.", entry.cites, kind=kind)
    if not entry.at_once and _dice_on(position, place):
        return no("used-this-turn", f"The {entry.title} takes dice of one player a turn.", entry.cites, kind=kind)
    if not entry.offers(position, seat):
        return no("nothing-open", f"The {entry.title} offers {seat} nothing now.", entry.cites, kind=kind)
    return None


def _put(now: Now, seat: Seat, place: str) -> Iterator[Event]:
    """A hidden hex is turned up; what can't be used then gives the dice back; some hexes act at once."""
    on = lying_on(now, hex_named(place))
    if on is None:
        return
    if not on.shown:
        yield from turn_up(now, seat, on.hex)
        mine = _dice_on(now, place)
        entry = now.slot(LAID_HEXES)[kind_on(now, on.hex)]
        if entry.need is None or not meets(now.position, (entry.need,), mine) or not entry.offers(now.position, seat):
            yield DiceTakenBack(dice=mine)
            return
    if now.slot(LAID_HEXES)[kind_on(now, on.hex)].at_once:
        yield from _use(now, seat, on.hex)


def _resolve(now: Now, seat: Seat, place: str) -> Iterator[Event]:
    """The others act at the start of the Collection Phase (DW-061)."""
    on = lying_on(now, hex_named(place))
    if on is not None and on.kind is not None and not now.slot(LAID_HEXES)[on.kind].at_once:
        yield from _use(now, seat, on.hex)


def _use(now: Now, seat: Seat, hex_: Hex) -> Iterator[Event]:
    """A token is taken, then the seat may choose an offer, then a mobile hex moves on."""
    on = lying_on(now, hex_)
    if on is None:
        return
    entry = now.slot(LAID_HEXES)[kind_on(now, hex_)]
    if entry.tokens:
        yield TokensChanged(hex=hex_, tokens=on.tokens - 1)
    if entry.mobile and lying_on(now, hex_) is not None:
        yield do(Task(kind="hex-moves", hexes=(hex_,)))
    yield do(Task(kind="hex-offers", seat=seat, source=f"hex:{name_of(hex_)}", names=(str(on.kind),)))


def _open_offers(position: Position, task: Task) -> dict[str, Offer]:
    """What the hex offers the seat by title, as things stand now: its hats may change before it chooses (RR-197)."""
    return {offer.title: offer for offer in position.slot(LAID_HEXES)[task.names[0]].offers(position, task.seat)}


def _offer_options(position: Position, task: Task) -> tuple[str, ...]:
    titles = tuple(_open_offers(position, task))
    return (*titles, "nothing") if titles else ()


def _offer_taken(now: Now, task: Task, option: str) -> Iterator[Event]:
    offer = _open_offers(now.position, task).get(option)
    if offer is not None:
        yield do(effects_task(task.seat, offer.effects, task.source))


def _told_offer(_position: Position, _task: Task, option: str) -> str:
    return "Take nothing." if option == "nothing" else f"{option[0].upper()}{option[1:]}."


def _move(now: Now, task: Task) -> Iterator[Event]:
    """One step in the direction of a roll; after an illegal one, of a second roll, or none."""
    (q, r), layout = task.hexes[0], layout_of(now)
    rolls: list[int] = []
    for _ in range(2):
        rolls.append(now.chance.roll())
        dq, dr = layout.directions[rolls[-1] - 1]
        to = (q + dq, r + dr)
        if to in layout.all and not occupied(now.position, to) and lying_on(now, to) is None:
            yield HexMoved(hex=(q, r), to=to, rolls=tuple(rolls))
            return
    yield HexMoved(hex=(q, r), to=(q, r), rolls=tuple(rolls))


rules.add(
    TASKS,
    "hex-offers",
    Question(
        ask=lambda _position, task: f"What does {task.seat} take?",
        options=_offer_options,
        take=_offer_taken,
        cites="DW-R60",
    ),
    cites="DW-R60",
)
rules.add(READINGS, "hex-offers", _told_offer, cites="DW-R60")
rules.add(TASKS, "hex-moves", Step(run=_move), cites="DW-R01")
rules.add(
    SPOTS,
    "hex",
    Spot(title="", places=_places, need=_need, refusal=_refusal, put=_put, resolve=_resolve, cites="DW-R56"),
    cites="DW-R56",
)

# ------------------------------------------------------------ a town on a hidden one


def _town_price(position: Position, seat: Seat) -> Price:
    return changed_price(position, seat, "town", price_of(position.slot(COSTS)["costs"].town))


def _no_town(position: Position, seat: Seat, hex_: Hex) -> Refusal | None:
    """Why a hidden hex can't be turned up as the site of a town: no town, no means for one, or no use of the hex."""
    if not pieces_left(position, seat, "town"):
        return no("no-town-left", f"{seat} has placed all own towns.", "DW-011", seat=seat)
    parts = (_town_price(position, seat),)
    if not affordable(position, seat, parts):
        return unaffordable(position, seat, parts, "DW-R09")
    on = lying_on(position, hex_)
    if on is None or on.shown:
        return no("no-hidden-hex", f"No hidden hex lies on {name_of(hex_)}.", "DW-105", hex=hex_)
    return blocked(position, seat, hex_, "use")


def _turn_for_town(now: Now, seat: Seat, hex_: Hex) -> Iterator[Event]:
    """If it takes towns one is paid and built there; otherwise the town must go elsewhere."""
    yield from turn_up(now, seat, hex_)
    if ground(now.position, hex_).towns:
        yield do(Task(kind="put-piece", seat=seat, names=("town",), hexes=(hex_,)))
        yield payment(seat, (_town_price(now.position, seat),))
    else:
        yield do(Task(kind="builder", seat=seat, n=1))


rules.add(
    BUILDS,
    "hidden",
    Build(
        title="a town",
        hexes=lambda position, _seat: tuple(on.hex for on in position[LaidHexes].hexes if not on.shown),
        refusal=_no_town,
        price=lambda _position, _seat, _hex: Price(),
        place=_turn_for_town,
        reach="access",
        purchases=lambda _position: 0,
        cites="DW-R04",
    ),
    cites="DW-083",
)

# ------------------------------------------------------------ the map, pictures, proof


def _layer(position: Position, hex_: Hex, below: Ground) -> Ground:
    if not position[LaidHexes].hexes:
        return below
    on = lying_on(position, hex_)
    if on is None:
        return below
    kind = kind_on(position, hex_)
    return position.slot(LAID_HEXES)[kind].ground(position, below) if kind else replace(below, name="hidden hex")


def _serves(position: Position, hex_: Hex) -> bool:
    kind = kind_on(position, hex_)
    return not kind or position.slot(LAID_HEXES)[kind].serves


def _marks(position: Position) -> tuple[tuple[Hex, str], ...]:
    found: list[tuple[Hex, str]] = []
    for on in position[LaidHexes].hexes:
        kind = kind_on(position, on.hex)
        title = position.slot(LAID_HEXES)[kind].title if kind else "hidden hex"
        found.append((on.hex, f"{title} ({on.tokens})" if on.tokens else title))
    return tuple(found)


def _each_apart(position: Position) -> str:
    """No two lie on one hex, none on a city, no mobile one on a town; none has more tokens than it began with."""
    laid = position[LaidHexes].hexes
    hexes = [on.hex for on in laid]
    if len(set(hexes)) < len(hexes) or any(city.hex in hexes for city in position[Board].cities):
        return f"Hexes are laid on {hexes}: two on one, or one on a city."
    kinds = position.slot(LAID_HEXES)
    known = [(on, kinds[on.kind]) for on in laid if on.shown and on.kind]
    if any(kind.mobile and occupied(position, on.hex) for on, kind in known):
        return f"A mobile hex lies on a town: {hexes}."
    wrong = [on for on, kind in known if not 0 <= on.tokens <= kind.tokens]
    return f"There are too many tokens: {wrong}." if wrong else ""


# ------------------------------------------------------------ in words


@rules.sentence
def _told_laid(_position: Position, event: HexesLaid) -> str:
    return f"{len(event.hexes)} hexes are laid face down on the map."


@rules.sentence
def _told_turned(position: Position, event: HexTurned) -> str:
    tokens = f", with {event.tokens} tokens" if event.tokens else ""
    return f"The hex laid on {name_of(event.hex)} is the {position.slot(LAID_HEXES)[event.kind].title}{tokens}."


@rules.sentence
def _told_tokens(position: Position, event: TokensChanged) -> str:
    if not event.tokens:
        return f"The hex laid on {name_of(event.hex)} leaves the game."
    left = "1 of its tokens is" if event.tokens == 1 else f"{event.tokens} of its tokens are"
    return f"{left} left on {hex_at(position, event.hex)}."


@rules.sentence
def _told_moved(position: Position, event: HexMoved) -> str:
    went = "stays" if event.hex == event.to else f"moves from {name_of(event.hex)}"
    return f"After a roll of {joined(map(str, event.rolls))} the laid hex {went}: {hex_at(position, event.to)}."


rules.add(GROUNDS, "laid-hexes", _layer, cites="DW-R01")
rules.add(TOWN_SERVES, "laid-hexes", _serves, cites="DW-R47")
rules.add(MAP_MARKS, "laid-hexes", _marks, cites="DW-R01")
rules.add(CONSERVED, "laid-hexes", _each_apart, cites="DW-R03")
