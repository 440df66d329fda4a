"""Mystery Hexes: six hidden hexes to be found: two for towns, a Hideout, a Ghost Town, and two that move.

Source: clauses RR-006 to RR-009, RR-194 to RR-246 and RR-321 of ``rebels_and_rogues.toml``, completed by RR-R34 to
RR-R42, RR-R58, RR-R59, RR-R62 and RR-R71 to RR-R74. How laid hexes are found, used up and moved the game knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, Literal

from msgspec.structs import replace

from ludolog import Chance, Command, Event, Now, Options, Position, Refusal, Rules, Seat, State, Variant, hookimpl
from ludolog_plugins.dark_horse_west import slots
from ludolog_plugins.dark_horse_west.abilities import offer_refusal
from ludolog_plugins.dark_horse_west.agenda import do, proceed
from ludolog_plugins.dark_horse_west.board import hex_named, layout_of, name_of
from ludolog_plugins.dark_horse_west.building import pieces_left
from ludolog_plugins.dark_horse_west.claims import claims_of, used
from ludolog_plugins.dark_horse_west.events import HexProduced, TownBuilt
from ludolog_plugins.dark_horse_west.expansion import CLAUSES, hexes_of
from ludolog_plugins.dark_horse_west.goods import can_pay, gain, pay
from ludolog_plugins.dark_horse_west.laid_hexes import (
    LAID_HEXES,
    TURNED,
    HexesLaid,
    HexMoved,
    HexTurned,
    LaidHex,
    LaidHexes,
    TokensChanged,
    hex_of,
    kind_on,
    lying_on,
)
from ludolog_plugins.dark_horse_west.offers import cost, gained
from ludolog_plugins.dark_horse_west.reasons import insist, no
from ludolog_plugins.dark_horse_west.sites import need_from
from ludolog_plugins.dark_horse_west.slots import Ground, Need, Offer, Question, Spot
from ludolog_plugins.dark_horse_west.state import Board, Dice, Fronts, Hex, Task
from ludolog_plugins.dark_horse_west.vocabulary import Effect
from ludolog_plugins.dark_horse_west.windows import in_window
from ludolog_plugins.dark_horse_west.wording import amounts, hex_at, printed

__all__ = ["MysteryOptions", "MysteryTokens", "RemoveTribe", "ludolog_variant"]


class MysteryOptions(Options, frozen=True):
    """What a table may settle in its own way (RR-R58, RR-R59, RR-R62)."""

    silver_mines_product: Literal["ore", "food"] = "ore"
    ghost_town_colours: Literal["split", "open"] = "split"
    hex_claims: Literal["free", "claim"] = "free"


rules = Rules("dark-horse-west/mystery-hexes", version=2, options=MysteryOptions)

# ------------------------------------------------------------ tokens that leave their hexes


@rules.state
class MysteryTokens(State, frozen=True):
    """Resource hexes with a Tribe token, and characters with a Hideout token."""

    tribes: tuple[Hex, ...] = ()
    hideouts: tuple[str, ...] = ()


class TribePlaced(Event, frozen=True, tag="dark-horse-west/mystery-hexes/tribe-placed"):
    """A Tribe token closes a resource hex."""

    hex: Hex


class TribeTaken(Event, frozen=True, tag="dark-horse-west/mystery-hexes/tribe-taken"):
    """A Tribe token left a resource hex."""

    hex: Hex


class HideoutGiven(Event, frozen=True, tag="dark-horse-west/mystery-hexes/hideout-given"):
    """A character received a Hideout token."""

    card: str


@rules.reducer(cites="RR-227")
def _tribe_placed(tokens: MysteryTokens, event: TribePlaced) -> MysteryTokens:
    return replace(tokens, tribes=(*tokens.tribes, event.hex))


@rules.reducer(cites=("RR-229", "RR-246"))
def _tribe_taken(tokens: MysteryTokens, event: TribeTaken) -> MysteryTokens:
    return replace(tokens, tribes=tuple(hex_ for hex_ in tokens.tribes if hex_ != event.hex))


@rules.reducer(cites="RR-212")
def _hideout_given(tokens: MysteryTokens, event: HideoutGiven) -> MysteryTokens:
    return replace(tokens, hideouts=(*tokens.hideouts, event.card))


# ------------------------------------------------------------ the six hexes: (colour, title, effects) of each offer

RANCH, MINES, HIDEOUT, GHOST, NATIVE, BUFFALO = HEXES = tuple(hexes_of("mystery-hexes"))
ICON, LEAVES, TOWN, TURNS, TRIBE = (
    Effect(op=f"mystery-{what}") for what in ("icon", "leaves", "town", "turns", "tribe")
)
LOOK: Final = Effect(op="peek", who="opponent", agendas=1)
ABILITIES: Final[dict[str, tuple[tuple[str, str, tuple[Effect, ...]], ...]]] = {
    HIDEOUT: (
        ("white", "3 reputation and 1 Silver", (gained("reputation", 3), gained("silver"))),
        ("black", "Hideout token on a character", (ICON,)),
        ("black", "2 Black Hats and 2 Silver", (gained("black", 2), gained("silver", 2))),
    ),
    GHOST: (
        ("white", "1 Gold and 4 Wood", (LEAVES, gained("gold"), gained("wood", 4))),
        ("white", "town", (TOWN,)),
        ("black", "Outlaw Hideout", (TURNS,)),
    ),
    NATIVE: (
        ("white", "2 Food, 1 Silver and a Wild Die token", (gained("food", 2), gained("silver"), gained("wild"))),
        ("black", "Tribe token on a hex", (TRIBE,)),
        ("black", "2 Black Hats and a look at a hand", (gained("black", 2), LOOK)),
    ),
    BUFFALO: (
        ("white", "3 Food and 1 Silver", (gained("food", 3), gained("silver"))),
        ("black", "1 Black Hat and 2 Silver", (gained("black"), gained("silver", 2))),
    ),
}


def in_colour(position: Position, seat: Seat, colour: str) -> bool:
    """Who has hats uses the abilities of their colour, who has none those of any (RR-197, RR-198)."""
    hats = {what: position.slot(slots.THINGS)[what].count(position, seat) for what in ("white", "black")}
    return bool(hats[colour]) or not any(hats.values())


def offers_of(kind: str) -> Callable[[Position, Seat], tuple[Offer, ...]]:
    """The abilities of a hex that are open to a seat; none once a town stands on the Ghost Town (RR-R71)."""

    def offers(position: Position, seat: Seat) -> tuple[Offer, ...]:
        free = kind == GHOST and position.options(MysteryOptions).ghost_town_colours == "open"
        missing = {
            ICON: not gunfighters(position, seat),
            TOWN: not pieces_left(position, seat, "town"),
            TRIBE: not open_hexes(position),
        }
        towns = {town.hex for town in position[Board].towns}
        if kind == GHOST and any(on.hex in towns for on in position[LaidHexes].hexes if on.kind == GHOST):
            return ()
        return tuple(
            Offer(title=title, effects=effects)
            for colour, title, effects in ABILITIES.get(kind, ())
            if (free or in_colour(position, seat, colour))
            and not missing.get(effects[0])
            and offer_refusal(position, seat, (), effects) is None
        )

    return offers


def ground_of(kind: str, title: str) -> Callable[[Position, Ground], Ground]:
    """Ranch and Mines take a town of every player; the others leave the hex as it is (RR-199, RR-203, RR-R73)."""
    if kind not in {RANCH, MINES}:
        return lambda _position, below: replace(below, name=title)

    def ground(position: Position, _below: Ground) -> Ground:
        product = "food" if kind == RANCH else position.options(MysteryOptions).silver_mines_product
        return Ground(resource=product, towns=len(position.seats), name=title)

    return ground


for _kind, _row in hexes_of("mystery-hexes").items():
    _title = _kind.replace("-", " ").title()
    _dice = "one die" if _row.need == "any die" else "single die or sum"
    _hex = LaidHex(
        title=_title,
        cites="RR-197",
        need=need_from(_row.need, _dice, natural=False) if _kind in ABILITIES else None,
        offers=offers_of(_kind),
        at_once=_row.resolves == "at once",
        tokens=_row.tokens,
        mobile=_row.mobile,
        ground=ground_of(_kind, _title),
        serves=_row.city_scoring,
    )
    rules.add(LAID_HEXES, _kind, _hex, cites="RR-006")


def lay(now: Now) -> Iterator[Event]:
    """At random, face down, on their six places, before the first cities (RR-194, RR-R34)."""
    yield HexesLaid(hexes=layout_of(now).mystery, kinds=now.chance.shuffle(HEXES))


rules.add(slots.SETUP_STEPS, "mystery-hexes", lay, cites="RR-194", before="first-cities")


@rules.determinize
def determinize(view: Position, chance: Chance) -> Position:
    """Kinds not found yet lie face down in any order (RR-321)."""
    laid = view[LaidHexes]
    bag = iter(chance.shuffle(tuple(kind for kind in HEXES if kind not in laid.found)))
    return view.having(replace(laid, hexes=tuple(on if on.shown else replace(on, kind=next(bag)) for on in laid.hexes)))


# ------------------------------------------------------------ what abilities do


def gunfighters(position: Position, seat: Seat) -> tuple[str, ...]:
    """Own Black Hat characters with 1 or 2 printed Combat icons and no Hideout token (RR-212, RR-213, RR-R41)."""
    mine = next((cards for owner, cards in position[Fronts].cards if owner == seat), ())
    faces = {card: position.slot(slots.CARDS)[card] for card in mine if card not in position[MysteryTokens].hideouts}
    return tuple(card for card, face in faces.items() if face.colour == "black" and face.icons.combat in {1, 2})


def open_hexes(position: Position) -> tuple[Hex, ...]:
    """Resource hexes, face up or face down, without town and without Tribe token (RR-227)."""
    taken = (*position[MysteryTokens].tribes, *(town.hex for town in position[Board].towns))
    return tuple(hex_ for hex_ in layout_of(position).places if hex_ not in taken)


def ask(kind: str, seat: Seat) -> Event:
    """Where the token just taken goes (RR-R37, RR-R41)."""
    return do(Task(kind=kind, seat=seat))


OPERATIONS: Final[dict[Effect, tuple[Callable[[Task], Event], str]]] = {
    LEAVES: (lambda task: TokensChanged(hex=hex_of(task), tokens=0), "RR-216"),
    TOWN: (lambda task: TownBuilt(seat=task.seat, hex=hex_of(task)), "RR-217"),
    TURNS: (lambda task: HexTurned(hex=hex_of(task), kind=HIDEOUT, tokens=2), "RR-221"),
    TRIBE: (lambda task: ask(TRIBE.op, task.seat), "RR-227"),
    ICON: (lambda task: ask(ICON.op, task.seat), "RR-212"),
}


def operate(_now: Now, task: Task, effect: Effect) -> Iterator[Event]:
    """Carry out what a hex offers beside goods."""
    yield OPERATIONS[effect][0](task)


for _effect, (_, _cites) in OPERATIONS.items():
    rules.add(slots.OPS, _effect.op, operate, cites=_cites)
rules.add(
    slots.TASKS,
    TRIBE.op,
    Question(
        ask=lambda _position, task: f"Which resource hex does {task.seat} close?",
        options=lambda position, _task: tuple(map(name_of, open_hexes(position))),
        take=lambda _now, _task, option: iter((TribePlaced(hex=hex_named(option) or (0, 0)),)),
        cites="RR-227",
    ),
    cites="RR-227",
)
rules.add(
    slots.TASKS,
    ICON.op,
    Question(
        ask=lambda _position, task: f"Which character of {task.seat} receives the Hideout token?",
        options=lambda position, task: gunfighters(position, task.seat),
        take=lambda _now, _task, option: iter((HideoutGiven(card=option),)),
        cites="RR-212",
    ),
    cites="RR-212",
)
rules.add(
    slots.ICONS, "hideout", lambda position, card, n: n + (card in position[MysteryTokens].hideouts), cites="RR-R41"
)


@rules.reaction(cites=("RR-200", "RR-201", "RR-204", "RR-206"))
def silver_found(now: Now, event: HexProduced) -> Iterator[Event]:
    """Production of the Ranch or the Mines brings 1 Silver; Additional Effort is none (RR-200, RR-204)."""
    if kind_on(now, event.hex) in {RANCH, MINES}:
        yield from gain(now, event.seat, "silver", 1)


@rules.reaction(cites="RR-246")
def tribe_comes_home(now: Now, event: HexMoved) -> Iterator[Event]:
    """A Tribe token that lies where the Native American hex arrives returns to it (RR-246)."""
    on = lying_on(now, event.to)
    if on is not None and on.kind == NATIVE and event.to in now[MysteryTokens].tribes:
        yield TribeTaken(hex=event.to)
        yield TokensChanged(hex=event.to, tokens=on.tokens + 1)


# ------------------------------------------------------------ Tribe tokens are bought off


class RemoveTribe(Command, frozen=True, tag="dark-horse-west/mystery-hexes/remove-tribe"):
    """Pay 2 Silver to take a Tribe token off a resource hex and out of the game."""

    hex: Hex


PRICE: Final = (cost("silver", 2),)


@rules.decider(cites="RR-229")
def remove_tribe(now: Now, command: RemoveTribe) -> Iterator[Event]:
    """Anybody may, on the own placement turn (RR-229)."""
    insist(in_window(now.position, now.seat, "placement"))
    if command.hex not in now[MysteryTokens].tribes:
        insist(no("no-tribe", f"No Tribe token lies on {name_of(command.hex)}.", "RR-229", hex=command.hex))
    insist(can_pay(now.position, now.seat, PRICE))
    yield from pay(now, now.seat, PRICE)
    yield TribeTaken(hex=command.hex)
    yield from proceed(now)


@rules.legal
def legal(position: Position, seat: Seat) -> Iterator[Command]:
    """Every Tribe token that the seat may buy off now."""
    if in_window(position, seat, "placement") is None and can_pay(position, seat, PRICE) is None:
        yield from (RemoveTribe(hex=hex_) for hex_ in position[MysteryTokens].tribes)


rules.add(
    slots.SPOTS,
    "tribe",
    Spot(
        title="a Tribe token",
        places=lambda position, _seat: tuple(map(name_of, position[MysteryTokens].tribes)),
        need=lambda _position, _seat, _place: Need(least=4, single=True),
        refusal=lambda _position, _seat, _place: None,
        put=lambda _now, _seat, place: iter((TribeTaken(hex=hex_named(place) or (0, 0)),)),
        cites="RR-229",
    ),
    cites="RR-229",
)

# ------------------------------------------------------------ what they keep off


def block(position: Position, _seat: Seat, hex_: Hex, what: str) -> Refusal | None:
    """Tribe tokens close hexes, laid hexes bear no city, mobile ones nothing (RR-228, RR-245)."""
    on = lying_on(position, hex_)
    if hex_ in position[MysteryTokens].tribes and what in {"town", "link", "use"}:
        clause = "RR-R72" if what == "link" else "RR-228"
        return no("closed-hex", f"A Tribe token closes {name_of(hex_)}.", clause, hex=hex_)
    if on is None or what in {"link", "use", "dice"}:
        return None
    if on.kind in {NATIVE, BUFFALO} and on.shown:
        return no("mobile-hex", f"A mobile hex lies on {name_of(hex_)}.", "RR-245", hex=hex_)
    return no("mystery-hex", "No city may stand on a Mystery hex.", "RR-R34", hex=hex_) if "city" in what else None


def one_a_turn(position: Position, seat: Seat, hex_: Hex, what: str) -> Refusal | None:
    """A seat finds one hex a turn; by option its dice on a hex are the claim of the turn (RR-R35, RR-R62)."""
    on = lying_on(position, hex_)
    if what == "use" and on is not None and not on.shown and used(position, seat, TURNED):
        return no("one-mystery", f"{seat} has turned up a Mystery hex this turn.", "RR-R35", hex=hex_)
    if what == "dice" and hexes_claim(position) and (claims_of(position, seat) or dice_on_hexes(position, seat)):
        return no("one-claim", f"{seat} has made the claim of this turn.", "RR-R62", hex=hex_)
    return None


def hexes_claim(position: Position) -> bool:
    """Whether dice on a hex are the claim of the turn, which is an option (RR-R62)."""
    return position.options(MysteryOptions).hex_claims == "claim"


def dice_on_hexes(position: Position, seat: Seat) -> tuple[str, ...]:
    """Spots on hexes where the seat's dice lie."""
    return tuple(die.at for die in position[Dice].dice if die.seat == seat and die.at.startswith("hex:"))


def after_dice(position: Position, seat: Seat, site: str) -> Refusal | None:
    """By option dice on a hex are the claim of the turn (RR-R62)."""
    if not hexes_claim(position) or position.slot(slots.SITES)[site].resolves == "placement":
        return None
    there = dice_on_hexes(position, seat)
    return no("one-claim", f"{seat} has put dice on a hex this turn.", "RR-R62", at=there[0]) if there else None


rules.add(slots.BLOCKS, "mystery-hexes", block, cites="RR-245")
rules.add(slots.BLOCKS, "one-a-turn", one_a_turn, cites="RR-R35")
rules.add(slots.CLAIM_FILTERS, "mystery-hexes", after_dice, cites="RR-R62")
rules.add(
    slots.ALSO_CLAIMS,
    "mystery-hexes",
    lambda position, seat: hexes_claim(position) and bool(dice_on_hexes(position, seat)),
    cites="RR-R62",
)

# ------------------------------------------------------------ pictures and proof


def tokens_left(position: Position) -> str:
    """Six kinds, 6 Tribe and 4 Hideout tokens, and no Tribe token on a town (RR-006, RR-007, RR-009)."""
    laid, tokens = position[LaidHexes], position[MysteryTokens]
    hidden = [str(on.kind) for on in laid.hexes if not on.shown]
    if laid.hexes and not position.is_view and sorted((*laid.found, *hidden)) != sorted(HEXES):
        return f"The Mystery hexes are {hidden}, and {laid.found} are found."
    tribes = len(tokens.tribes) + sum(on.tokens for on in laid.hexes if on.shown and on.kind == NATIVE)
    hideouts = len(tokens.hideouts) + sum(on.tokens for on in laid.hexes if on.shown and on.kind == HIDEOUT)
    wrong = tribes > 6 or hideouts > 4 or any(town.hex in tokens.tribes for town in position[Board].towns)  # noqa: PLR2004
    return f"There are {tribes} Tribe and {hideouts} Hideout tokens: {tokens}." if wrong else ""


@rules.sentence
def _told_placed(position: Position, event: TribePlaced) -> str:
    return f"A Tribe token closes {hex_at(position, event.hex)}."


@rules.sentence
def _told_taken(position: Position, event: TribeTaken) -> str:
    return f"The Tribe token leaves {hex_at(position, event.hex)}."


@rules.sentence
def _told_hideout(position: Position, event: HideoutGiven) -> str:
    return f"{printed(position, event.card)} receives a Hideout token."


@rules.sentence
def _told_remove(position: Position, command: RemoveTribe) -> str:
    price = amounts(position, [(part.what, part.n) for part in PRICE])
    return f"Pay {price} to take the Tribe token off {hex_at(position, command.hex)}."


rules.add(slots.CONSERVED, "mystery-hexes", tokens_left, cites="RR-006")
rules.add(
    slots.MAP_MARKS,
    "tribes",
    lambda position: tuple((hex_, "Tribe token") for hex_ in position[MysteryTokens].tribes),
    cites="RR-228",
)


def load() -> Rules:
    """The rules."""
    return rules


@hookimpl
def ludolog_variant() -> Variant:
    """Manifest."""
    return Variant(
        id="dark-horse-west/mystery-hexes",
        title="Mystery Hexes",
        summary="Six hidden hexes: two special production sites, Hideout, Ghost Town and two moving hexes.",
        rules=load,
        requires=("reputation", "silver"),
        conflicts=("pork-barrel", "whistle-stop", "wild-wild-west"),
        clauses=(CLAUSES,),
    )
