"""The turn: its phases, the two windows, and the end."""

from __future__ import annotations

from collections.abc import Iterator

from ludolog import Event, Now, Position, Refusal, Seat
from ludolog_plugins.dark_horse_west.abilities import dice_of_claim, fire
from ludolog_plugins.dark_horse_west.agenda import do, proceed, top
from ludolog_plugins.dark_horse_west.board import pieces_done
from ludolog_plugins.dark_horse_west.cards import trim_hand
from ludolog_plugins.dark_horse_west.claims import used
from ludolog_plugins.dark_horse_west.commands import Collect, Finish, UseToken
from ludolog_plugins.dark_horse_west.dice import roll_for
from ludolog_plugins.dark_horse_west.effects import effects_task
from ludolog_plugins.dark_horse_west.events import Collected, PhaseBegun, TaskDone, TurnBegun, UseNoted
from ludolog_plugins.dark_horse_west.goods import INFLUENCE_TOP
from ludolog_plugins.dark_horse_west.offers import gained
from ludolog_plugins.dark_horse_west.options import WestOptions
from ludolog_plugins.dark_horse_west.reasons import insist, no
from ludolog_plugins.dark_horse_west.slots import (
    ALSO_CLAIMS,
    END_TRIGGERS,
    PHASES,
    SITES,
    SPOTS,
    TASKS,
    TOKENS,
    EndTrigger,
    Step,
    Window,
    rules,
)
from ludolog_plugins.dark_horse_west.state import Claims, Dice, Goods, Task, Turn, amount
from ludolog_plugins.dark_horse_west.windows import in_window

__all__ = ["collect_refusal", "listed_collections", "listed_tokens", "token_refusal", "turns"]

# ------------------------------------------------------------ the turn and its phases


def turns(position: Position) -> int:
    """Turns begun so far (DW-051)."""
    return position[Turn].number


def _begin_turn(now: Now, _task: Task) -> Iterator[Event]:
    """A turn: Placement Phase, then Collection Phase (DW-051), and all that variants put between."""
    yield TurnBegun(number=now[Turn].number + 1)
    phases = (Task(kind="phase", source=str(key)) for key in now.slot(PHASES))
    yield do(*phases, Task(kind="turn-end"))


def _begin_phase(now: Now, task: Task) -> Iterator[Event]:
    yield PhaseBegun(phase=task.source)
    yield from now.slot(PHASES)[task.source](now)


def _end_turn(now: Now, _task: Task) -> Iterator[Event]:
    """Once an end trigger was met, points are counted after the running turn (DW-R46)."""
    if now[Turn].due:
        yield now.end(now[Turn].due)
    else:
        yield do(Task(kind="turn"))


rules.add(TASKS, "turn", Step(run=_begin_turn), cites="DW-051")
rules.add(TASKS, "phase", Step(run=_begin_phase), cites="DW-051")
rules.add(TASKS, "turn-end", Step(run=_end_turn), cites="DW-R46")


def _roll(now: Now) -> Iterator[Event]:
    """All roll at the beginning of the Placement Phase (DW-052, DW-R35)."""
    if now.options(WestOptions).roll_time == "together":
        for seat in now[Turn].order:
            yield from roll_for(now, seat)


def _place(now: Now) -> Iterator[Event]:
    """Players place dice in turn order (DW-053)."""
    tasks: list[Task] = []
    for seat in now[Turn].order:
        if now.options(WestOptions).roll_time == "own-turn":
            tasks.append(Task(kind="roll", seat=seat))
        tasks.append(Task(kind="placement", seat=seat))
    yield do(*tasks)


def _resolve_spots(now: Now) -> Iterator[Event]:
    """Dice lying on cards are resolved before any site, in turn order (DW-061)."""
    tasks: list[Task] = []
    for seat in now[Turn].order:
        spots: list[str] = []
        for die in now[Dice].dice:
            if die.seat == seat and die.at not in spots:
                entry = now.slot(SPOTS).get(die.at.partition(":")[0])
                if entry is not None and entry.resolve is not None:
                    spots.append(die.at)
        tasks.extend(Task(kind="resolve-spot", seat=seat, source=spot) for spot in spots)
    if tasks:
        yield do(*tasks)


def _resolve_spot(now: Now, task: Task) -> Iterator[Event]:
    key, _, place = task.source.partition(":")
    resolve = now.slot(SPOTS)[key].resolve
    if resolve is not None:
        yield from resolve(now, task.seat, place)


def _collect_phase(now: Now) -> Iterator[Event]:
    """Players collect one after the other in turn order (DW-060, DW-R54)."""
    yield do(*(Task(kind="collection-begin", seat=seat) for seat in now[Turn].order))


def _begin_collection(now: Now, task: Task) -> Iterator[Event]:
    """The own window opens; who made no claim receives a resource of choice (DW-R34, DW-R58)."""
    yield do(Task(kind="collection", seat=task.seat))
    gain = now.options(WestOptions).pass_gain
    claimed = any(claim.seat == task.seat for claim in now[Claims].claims)
    if gain and not claimed and not any(also(now.position, task.seat) for also in now.slot(ALSO_CLAIMS).values()):
        yield do(effects_task(task.seat, (gained("resource", gain),)))


rules.add(TASKS, "roll", Step(run=lambda now, task: roll_for(now, task.seat)), cites="DW-R35")
rules.add(TASKS, "resolve-spot", Step(run=_resolve_spot), cites="DW-061")
rules.add(TASKS, "collection-begin", Step(run=_begin_collection), cites="DW-R58")
rules.add(PHASES, "roll", _roll, cites="DW-052")
rules.add(PHASES, "placement", _place, cites="DW-053")
rules.add(PHASES, "spots", _resolve_spots, cites="DW-061")
rules.add(PHASES, "collection", _collect_phase, cites="DW-060")

# ------------------------------------------------------------ windows


def _nothing(_now: Now, _task: Task) -> Iterator[Event]:
    return iter(())


rules.add(TASKS, "placement", Window(cites="DW-R56", finish=_nothing), cites="DW-R56")
rules.add(
    TASKS, "collection", Window(cites="DW-R58", finish=lambda now, task: trim_hand(now, task.seat)), cites="DW-R58"
)


@rules.decider(cites=("DW-R56", "DW-R58", "DW-R60", "DW-R34"))
def finish(now: Now, _command: Finish) -> Iterator[Event]:
    """The seat ends its placement turn or its collection window (DW-R56, DW-R58)."""
    insist(in_window(now.position, now.seat, "placement", "collection"))
    task = top(now)
    if task is None:
        return
    window = now.slot(TASKS)[task.kind]
    yield TaskDone()
    if isinstance(window, Window):
        yield from window.finish(now, task)
    yield from proceed(now)


def collect_refusal(position: Position, seat: Seat, site: str) -> Refusal | None:
    """Why the seat can't collect from a site now."""
    claim = next((claim for claim in position[Claims].claims if (claim.seat, claim.site) == (seat, site)), None)
    if claim is None:
        return no("not-claimed", f"{seat} has not claimed {site!r} this turn.", "DW-060", site=site)
    if claim.collected:
        return no("collected-already", f"{seat} has collected from {site!r} this turn.", "DW-060", site=site)
    return None


@rules.decider(cites=("DW-060", "DW-R54", "DW-R58"))
def collect(now: Now, command: Collect) -> Iterator[Event]:
    """In the own collection window a seat collects from the site that it claimed (DW-060)."""
    insist(in_window(now.position, now.seat, "collection"))
    insist(collect_refusal(now.position, now.seat, command.site))
    yield Collected(seat=now.seat, site=command.site)
    yield do(Task(kind="after-collecting", seat=now.seat, source=command.site))
    yield from now.slot(SITES)[command.site].collect(now, now.seat)
    yield from proceed(now)


def _after_collecting(now: Now, task: Task) -> Iterator[Event]:
    """Cards that wait for a collection may be used now (DW-062)."""
    dice = dice_of_claim(now, task.seat, task.source)
    yield from fire(now, f"collect:{task.source}", task.seat, dice)


rules.add(TASKS, "after-collecting", Step(run=_after_collecting), cites="DW-062")


def listed_collections(position: Position, seat: Seat) -> Iterator[Collect]:
    """Every site from which the seat may collect now."""
    for claim in position[Claims].claims:
        if claim.seat == seat and not claim.collected:
            yield Collect(site=claim.site)


# ------------------------------------------------------------ tokens


def token_refusal(position: Position, seat: Seat, token: str) -> Refusal | None:
    """Why the seat can't spend a token now: it has none, spent one of the kind, or it is another time (DW-063)."""
    entry = position.slot(TOKENS).get(token)
    if entry is None:
        return no("no-such-token", f"There is no token {token!r} to spend by itself.", "DW-119", token=token)
    refusal = in_window(position, seat, entry.window)
    if refusal is not None:
        return refusal
    if used(position, seat, f"token:{token}"):
        return no("used-this-turn", f"{seat} has spent a {entry.title} this turn.", "DW-063", token=token)
    return entry.refusal(position, seat)


@rules.decider(cites=("DW-063", "DW-089", "DW-119"))
def use_token(now: Now, command: UseToken) -> Iterator[Event]:
    """A token is spent in the window it names, one of each kind a turn (DW-063)."""
    insist(token_refusal(now.position, now.seat, command.token))
    yield UseNoted(seat=now.seat, key=f"token:{command.token}")
    yield from now.slot(TOKENS)[command.token].use(now, now.seat)
    yield from proceed(now)


def listed_tokens(position: Position, seat: Seat, window: str) -> Iterator[UseToken]:
    """Every token that the seat may spend now, in this window of its own."""
    for key, token in position.slot(TOKENS).items():
        if token.window == window and token_refusal(position, seat, str(key)) is None:
            yield UseToken(token=str(key))


# ------------------------------------------------------------ end triggers


def _limit_met(position: Position) -> tuple[Seat, ...]:
    limit = position.options(WestOptions).turn_limit
    return position.seats if 0 < limit <= position[Turn].number else ()


rules.add(
    END_TRIGGERS,
    "all-built",
    EndTrigger(met=pieces_done, sentence="{who} built all own cities and towns.", cites="DW-120"),
    cites="DW-120",
)
rules.add(
    END_TRIGGERS,
    "influence",
    EndTrigger(
        met=lambda position: tuple(
            seat for seat, pairs in position[Goods].held if amount(pairs, "influence") >= INFLUENCE_TOP
        ),
        sentence="{who} reached the Game End token.",
        cites="DW-121",
    ),
    cites="DW-121",
)
rules.add(
    END_TRIGGERS,
    "turn-limit",
    EndTrigger(met=_limit_met, sentence="The turn limit is reached.", cites="DW-R53"),
    cites="DW-R53",
)
