"""The 17 action sites: their numbers from the table, and what collecting at each gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ludolog import Event, Now, Position, Refusal, Seat
from ludolog_plugins.dark_horse_west.abilities import extra_draw
from ludolog_plugins.dark_horse_west.agenda import do
from ludolog_plugins.dark_horse_west.board import hex_named, layout_of, name_of, place_of
from ludolog_plugins.dark_horse_west.data import spaces
from ludolog_plugins.dark_horse_west.dice import changeable, role_of, unplaced
from ludolog_plugins.dark_horse_west.effects import effects_task, moved
from ludolog_plugins.dark_horse_west.events import (
    OrderChanged,
    RoleTaken,
    TileSeen,
    TilesExchanged,
    UseNoted,
)
from ludolog_plugins.dark_horse_west.goods import INFLUENCE_TOP, RESOURCES, gain, has, resources_of, supplied
from ludolog_plugins.dark_horse_west.offers import cost, effect_site, exchanges, gained, offer_task
from ludolog_plugins.dark_horse_west.options import WestOptions
from ludolog_plugins.dark_horse_west.production import produce, yields_of
from ludolog_plugins.dark_horse_west.reasons import no
from ludolog_plugins.dark_horse_west.slots import (
    CLAIM_FILTERS,
    OPS,
    ROLES,
    SITES,
    SPOTS,
    TASKS,
    Need,
    Offer,
    Question,
    Role,
    Site,
    Spot,
    rules,
)
from ludolog_plugins.dark_horse_west.state import Dice, Hex, Task, Tiles, Turn
from ludolog_plugins.dark_horse_west.tables import SpaceRow
from ludolog_plugins.dark_horse_west.tokens import FRESH_TRADER
from ludolog_plugins.dark_horse_west.vocabulary import Effect

__all__ = ["draw_site", "need_from", "site_of", "take_role"]


def need_from(text: str, dice: str, *, natural: bool) -> Need:
    """A need as the table writes it: ``"1, 2 or 3"``, ``"any die"``, ``"13+"``, ``"4"``."""
    single = dice == "one die"
    if text == "any die":
        return Need(single=True, natural=natural)
    if text.endswith("+"):
        return Need(least=int(text[:-1]), single=single, natural=natural)
    values = tuple(int(word) for word in text.replace(" or ", ", ").split(", "))
    return Need(values=values, single=single, natural=natural)


# ------------------------------------------------------------ Turn Order and Dealer


def _turn_order(_now: Now, seat: Seat) -> Iterator[Event]:
    yield do(Task(kind="choose-place", seat=seat))


def _place_chosen(now: Now, task: Task, option: str) -> Iterator[Event]:
    """The disc moves to any place, for the next turn (DW-R15, DW-R54)."""
    yield OrderChanged(track=moved(now[Turn].track, task.seat, int(option) - 1))


rules.add(
    TASKS,
    "choose-place",
    Question(
        ask=lambda _position, task: f"To which place in turn order does {task.seat} move?",
        options=lambda position, _task: tuple(str(n + 1) for n in range(len(position[Turn].track))),
        take=_place_chosen,
        cites="DW-R15",
    ),
    cites="DW-R15",
)


def _dealer(_now: Now, seat: Seat) -> Iterator[Event]:
    """One other own unplaced die is raised or lowered by 1 (DW-R16)."""
    yield do(Task(kind="shift-die", seat=seat, n=1, source="dealer"))


def _no_other_die(position: Position, seat: Seat, site: str) -> Refusal | None:
    """Nobody puts the only die on Dealer, which changes another (DW-R16)."""
    if site != "dealer" or (len(unplaced(position, seat)) > 1 and changeable(position, seat, site)):
        return None
    return no("no-other-die", f"{seat} has no other unplaced die to change.", "DW-R16", site=site)


rules.add(CLAIM_FILTERS, "dealer", _no_other_die, cites="DW-R16")


# ------------------------------------------------------------ Produce Resources and Work Crew


def _produce_site(_now: Now, seat: Seat) -> Iterator[Event]:
    yield do(Task(kind="produce-one", seat=seat))


def _produced(now: Now, task: Task, option: str) -> Iterator[Event]:
    """1 for each own town on it, at least 1; 1 more for each die of Additional Effort (DW-R17, DW-073)."""
    from_towns = sum(n for _, n in yields_of(now, task.seat)[option])
    effort = sum(die.seat == task.seat and die.at == f"effort:{option}" for die in now[Dice].dice)
    yield from produce(now, task.seat, (option,))
    yield from gain(now, task.seat, option, effort + (from_towns == 0))


rules.add(
    TASKS,
    "produce-one",
    Question(
        ask=lambda _position, task: f"Which resource do {task.seat}'s towns produce?",
        options=lambda _position, _task: RESOURCES,
        take=_produced,
        cites="DW-R17",
    ),
    cites="DW-R17",
)
rules.add(
    SPOTS,
    "effort",
    Spot(
        title="Additional Effort",
        places=lambda _position, _seat: RESOURCES,
        need=lambda _position, _seat, _place: Need(single=True),
        refusal=lambda _position, _seat, _place: None,
        put=lambda _now, _seat, _place: iter(()),
        cites="DW-072",
    ),
    cites="DW-072",
)


def _work_crew(now: Now, seat: Seat) -> Iterator[Event]:
    """Every own town produces 1; then 1 resource of choice (DW-R18)."""
    bonus = now.options(WestOptions).work_crew_bonus
    if bonus:
        yield do(effects_task(seat, (gained("resource", bonus),)))
    yield from produce(now, seat, RESOURCES)


# ------------------------------------------------------------ cards


def draw_site(*effects: Effect) -> Callable[[Now, Seat], Iterator[Event]]:
    """Draw as at Pioneer: what draws cards more there counts (DW-074, DW-075)."""

    def collect(now: Now, seat: Seat) -> Iterator[Event]:
        more = extra_draw(now.position, seat)
        drawn = Effect(op="draw", deck="any", n=2 + more, keep=1)
        yield do(effects_task(seat, (drawn, *effects)))

    return collect


def _scout(_now: Now, seat: Seat) -> Iterator[Event]:
    """Look at up to 2 face-down tiles and exchange them if wanted; draw 2 cards and keep both (DW-R25)."""
    draw = effects_task(seat, (Effect(op="draw", deck="any", n=2, keep=2),))
    yield do(Task(kind="look-at-tile", seat=seat, n=2), draw)


def _face_down(position: Position, seen: tuple[Hex, ...]) -> tuple[Hex, ...]:
    places = layout_of(position).places
    shown = position[Tiles].shown
    return tuple(hex_ for place, hex_ in enumerate(places) if not shown[place] and hex_ not in seen)


def _look_options(position: Position, task: Task) -> tuple[str, ...]:
    hidden = tuple(name_of(hex_) for hex_ in _face_down(position, task.hexes))
    return (*hidden, "stop") if hidden else ()


def _looked(now: Now, task: Task, option: str) -> Iterator[Event]:
    hex_ = hex_named(option)
    if hex_ is None:
        return
    place = place_of(now, hex_)
    yield TileSeen(seat=task.seat, place=place, resource=now[Tiles].tiles[place])
    seen = (*task.hexes, hex_)
    kind = "look-at-tile" if len(seen) < task.n else "exchange-tiles"
    yield do(Task(kind=kind, seat=task.seat, n=task.n, hexes=seen))


def _tiles_exchanged(now: Now, task: Task, option: str) -> Iterator[Event]:
    if option == "exchange":
        a, b = (place_of(now, hex_) for hex_ in task.hexes)
        yield TilesExchanged(places=(a, b))


rules.add(
    TASKS,
    "look-at-tile",
    Question(
        ask=lambda _position, task: f"At which face-down tile does {task.seat} look?",
        options=_look_options,
        take=_looked,
        cites="DW-R25",
    ),
    cites="DW-R25",
)
rules.add(
    TASKS,
    "exchange-tiles",
    Question(
        ask=lambda _position, task: f"Does {task.seat} exchange the tiles on {' and '.join(map(name_of, task.hexes))}?",
        options=lambda _position, _task: ("exchange", "leave"),
        take=_tiles_exchanged,
        cites="DW-R25",
    ),
    cites="DW-R25",
)

# ------------------------------------------------------------ Politics


def _politics(now: Now, seat: Seat) -> Iterator[Event]:
    yield do(Task(kind="buy-influence", seat=seat, n=now.options(WestOptions).politics_max))


def _influence_price(position: Position, seat: Seat) -> int:
    """Any 2 resources; 1 for the Mayor (DW-R19)."""
    return 2 - (role_of(position, "mayor") == seat)


def _politics_options(position: Position, task: Task) -> tuple[str, ...]:
    rich = sum(resources_of(position, task.seat)) >= _influence_price(position, task.seat)
    room = has(position, task.seat, "influence") < INFLUENCE_TOP
    return ("buy", "stop") if rich and room and task.n else ()


def _bought(now: Now, task: Task, option: str) -> Iterator[Event]:
    if option == "buy":
        yield do(
            Task(kind="give-resources", seat=task.seat, n=_influence_price(now.position, task.seat)),
            effects_task(task.seat, (gained("influence"),)),
            Task(kind="buy-influence", seat=task.seat, n=task.n - 1),
        )


def _why_no_influence(position: Position, task: Task, option: str) -> Refusal:
    price = _influence_price(position, task.seat)
    sentence = f"{task.seat} may buy 1 influence for {price} resources, or stop; not {option!r}."
    return no("no-such-purchase", sentence, "DW-R19", price=price)


rules.add(
    TASKS,
    "buy-influence",
    Question(
        ask=lambda position, task: f"Pay {_influence_price(position, task.seat)} resources for 1 influence?",
        options=_politics_options,
        take=_bought,
        explain=_why_no_influence,
        cites="DW-R19",
    ),
    cites="DW-R19",
)

# ------------------------------------------------------------ rails and building


def _rail_baron(_now: Now, seat: Seat) -> Iterator[Event]:
    yield do(Task(kind="rail-baron", seat=seat, numbers=(0, 0, 0)))


def _builder(now: Now, seat: Seat) -> Iterator[Event]:
    yield do(Task(kind="builder", seat=seat, n=now.options(WestOptions).builder_max))


# ------------------------------------------------------------ trade and money


def _trader(_now: Now, seat: Seat) -> Iterator[Event]:
    """Up to 2 exchanges, then 1 Trader token, for a later window (DW-R20)."""
    yield UseNoted(seat=seat, key=FRESH_TRADER)
    yield do(exchanges(seat, 2, RESOURCES), effects_task(seat, (gained("trader"),)))


BUY_STOCK: Final = Offer(title="buy a Stock", cost=(cost("resource", 2),), effects=(gained("stock"),))
REPAY: Final = Offer(title="repay the Loan", cost=(cost("gold", 2), cost("loan")), effects=())
TAKE_LOAN: Final = Offer(title="take a Loan", effects=(gained("loan"), gained("gold", 2)))


def _broker(now: Now, seat: Seat) -> Iterator[Event]:
    """Up to 2 Stocks; or a Loan; or the own Loan repaid (DW-R29)."""
    loan = () if has(now, seat, "loan") or not supplied(now, "loan") else (TAKE_LOAN,)
    second = Effect(op="second-stock")
    first = Offer(title=BUY_STOCK.title, cost=BUY_STOCK.cost, effects=(*BUY_STOCK.effects, second))
    stock = (first,) if supplied(now, "stock") else ()
    yield do(offer_task(seat, (*stock, *loan, REPAY), "broker"))


def _second_stock(_now: Now, task: Task, _effect: Effect) -> Iterator[Event]:
    yield do(offer_task(task.seat, (BUY_STOCK,), "broker"))


rules.add(OPS, "second-stock", _second_stock, cites="DW-R29")


def _market(now: Now, seat: Seat) -> Iterator[Event]:
    """Resources for Gold or Gold for resources; and the own Loan may be repaid (DW-R31)."""
    rate = now.options(WestOptions).market_rate
    buy = Offer(title="buy Gold", cost=(cost("resource", rate),), effects=(gained("gold"),))
    sell = Offer(title="sell Gold", cost=(cost("gold"),), effects=(gained("resource", rate),))
    yield do(offer_task(seat, (buy, sell), "market"), offer_task(seat, (REPAY,), "market"))


# ------------------------------------------------------------ roles


def take_role(now: Now, seat: Seat, role: str) -> Iterator[Event]:
    """The seat holds the role until another collects at its site (DW-R26, DW-R27)."""
    if role_of(now, role) != seat:
        yield RoleTaken(role=role, seat=seat)


def _mayor(now: Now, seat: Seat) -> Iterator[Event]:
    """First place in turn order, 1 influence and the Mayor role (DW-R26)."""
    yield OrderChanged(track=moved(now[Turn].track, seat, 0))
    yield from take_role(now, seat, "mayor")
    yield from gain(now, seat, "influence", 1)


def _sheriff(now: Now, seat: Seat) -> Iterator[Event]:
    """The Sheriff role (DW-R27)."""
    yield from take_role(now, seat, "sheriff")


rules.add(ROLES, "mayor", Role(title="Mayor", site="mayor"), cites="DW-R26")
rules.add(ROLES, "sheriff", Role(title="Sheriff", site="sheriff"), cites="DW-R27")

# ------------------------------------------------------------ the table of sites

_COLLECT: Final[dict[str, tuple[Callable[[Now, Seat], Iterator[Event]], str]]] = {
    "turn-order": (_turn_order, "DW-R15"),
    "dealer": (_dealer, "DW-R16"),
    "produce": (_produce_site, "DW-R17"),
    "pioneer": (draw_site(), "DW-074"),
    "hired-hand": (effect_site(gained("bonus-die")), "DW-078"),
    "politics": (_politics, "DW-R19"),
    "work-crew": (_work_crew, "DW-R18"),
    "rail-baron": (_rail_baron, "DW-R11"),
    "builder": (_builder, "DW-R66"),
    "trader": (_trader, "DW-R20"),
    "engineer": (effect_site(gained("engineer"), gained("wild")), "DW-R22"),
    "scout": (_scout, "DW-R25"),
    "mayor": (_mayor, "DW-R26"),
    "sheriff": (_sheriff, "DW-R27"),
    "broker": (_broker, "DW-R29"),
    "tycoon": (effect_site(gained("gold", 2), gained("influence")), "DW-R30"),
    "market": (_market, "DW-R31"),
}


def site_of(row: SpaceRow) -> Site:
    """A site from its row of the table."""
    collect, cites = _COLLECT[row.id]
    return Site(
        name=row.name,
        need=need_from(row.need, row.dice, natural=row.natural),
        limit=row.limit,
        collect=collect,
        cites=cites,
        effect=row.effect,
        resolves=row.resolves,
        role=row.id if row.id in {"mayor", "sheriff"} else "",
    )


for _key, _row in spaces().items():
    rules.add(SITES, _key, site_of(_row), cites="DW-R33")
