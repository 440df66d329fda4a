"""How the operations of the vocabulary are carried out: one function an operation, none for a card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from ludolog import Event, Now, Position, Refusal, Seat
from ludolog_plugins.dark_horse_west.agenda import do
from ludolog_plugins.dark_horse_west.dice import role_of
from ludolog_plugins.dark_horse_west.events import HandSeen, OrderChanged, RoleTaken, SiteClosed
from ludolog_plugins.dark_horse_west.goods import RESOURCES, gain, lose, resources_of
from ludolog_plugins.dark_horse_west.production import produce
from ludolog_plugins.dark_horse_west.reasons import no
from ludolog_plugins.dark_horse_west.slots import CARDS, OPS, SHIELDS, SITES, TASKS, THINGS, Question, Step, rules
from ludolog_plugins.dark_horse_west.state import Cards, Task, Turn
from ludolog_plugins.dark_horse_west.vocabulary import Effect

__all__ = ["effects_task", "moved", "shielded", "whom"]

AT_ONCE: Final = frozenset({"close"})
"""Operations carried out once; their ``who`` says for whom they hold, not whom they touch."""


def effects_task(seat: Seat, effects: tuple[Effect, ...], source: str = "", target: Seat = "") -> Task:
    """Carry out ``effects`` for ``seat``, in order; ``target`` is whom the effects for the trigger touch."""
    return Task(kind="effects", seat=seat, effects=effects, source=source, target=target)


def shielded(position: Position, seat: Seat, source: str) -> bool:
    """Whether the card ``source`` can't be aimed at the seat (DW-095, DW-117)."""
    card = position.slot(CARDS).get(source)
    return card is not None and card.mark and any(shield(position, seat) for shield in position.slot(SHIELDS).values())


def _opponents(position: Position, task: Task) -> tuple[Seat, ...]:
    """Opponents at whom the card can be aimed, in turn order."""
    others = (seat for seat in position[Turn].order if seat != task.seat)
    return tuple(seat for seat in others if not shielded(position, seat, task.source))


def whom(now: Now, task: Task, effect: Effect) -> tuple[Seat, ...]:
    """The seats an effect touches, in turn order (DW-R64)."""
    if effect.who == "all":
        return now[Turn].order
    if effect.who in {"each-opponent", "opponent"}:
        return _opponents(now.position, task)
    if effect.who == "trigger":
        return (task.target,) if not shielded(now.position, task.target, task.source) else ()
    return (task.seat,)


def _carry_out(now: Now, task: Task) -> Iterator[Event]:
    """The first effect, then the others; one that touches several seats goes from seat to seat."""
    if not task.effects:
        return
    effect, rest = task.effects[0], task.effects[1:]
    if rest:
        yield do(replace(task, effects=rest))
    operation = now.slot(OPS).get(effect.op)
    if operation is None:
        return
    if effect.who == "opponent":
        if _opponents(now.position, task):
            yield do(replace(task, kind="choose-opponent", effects=(effect,)))
    elif effect.who in {"all", "each-opponent"} and effect.op not in AT_ONCE:
        aimed = replace(effect, who="trigger")
        touched = (replace(task, effects=(aimed,), target=seat) for seat in whom(now, task, effect))
        yield do(*touched)
    else:
        yield from operation(now, task, effect)


def _aim(_now: Now, task: Task, option: str) -> Iterator[Event]:
    aimed = tuple(replace(effect, who="trigger") for effect in task.effects)
    yield do(replace(task, kind="effects", effects=aimed, target=option))


def _why_not_at(position: Position, task: Task, option: str) -> Refusal:
    if option in position.seats and shielded(position, option, task.source):
        return no("shielded", f"That card can't be aimed at {option}.", "DW-095", seat=option)
    able = _opponents(position, task)
    return no("no-opponent", f"Choose one opponent: {', '.join(able)}.", "DW-R42", opponents=able)


rules.add(TASKS, "effects", Step(run=_carry_out), cites="DW-R42")
rules.add(
    TASKS,
    "choose-opponent",
    Question(
        ask=lambda _position, task: f"At whom does {task.seat} aim it?",
        options=_opponents,
        take=_aim,
        explain=_why_not_at,
        cites="DW-R42",
    ),
    cites="DW-R42",
)

# ------------------------------------------------------------ goods


def _gain(now: Now, task: Task, effect: Effect) -> Iterator[Event]:
    for seat in whom(now, task, effect):
        yield from gain(now, seat, effect.what, effect.n)


def _lose(now: Now, task: Task, effect: Effect) -> Iterator[Event]:
    for seat in whom(now, task, effect):
        yield from lose(now, seat, effect.what, effect.n)


def _steal(now: Now, task: Task, effect: Effect) -> Iterator[Event]:
    """The touched seat gives, and chooses the kinds of resources; there may be less than ``n``."""
    for seat in whom(now, task, effect):
        if effect.what == "resource":
            n = min(effect.n, sum(resources_of(now, seat)))
            if n:
                yield do(Task(kind="give-resources", seat=seat, target=task.seat, n=n))
            continue
        thing = now.slot(THINGS).get(effect.what)
        n = min(effect.n, thing.count(now.position, seat)) if thing is not None else 0
        yield from lose(now, seat, effect.what, n)
        yield from gain(now, task.seat, effect.what, n)


def _choose(_now: Now, task: Task, effect: Effect) -> Iterator[Event]:
    yield do(replace(task, kind="choose-effects", effects=(effect,)))


def _chosen(_now: Now, task: Task, option: str) -> Iterator[Event]:
    yield do(replace(task, kind="effects", effects=task.effects[0].options[int(option) - 1]))


rules.add(OPS, "gain", _gain, cites="DW-R42")
rules.add(OPS, "lose", _lose, cites="DW-R42")
rules.add(OPS, "steal", _steal, cites="DW-R42")
rules.add(OPS, "choose", _choose, cites="DW-R42")
rules.add(
    TASKS,
    "choose-effects",
    Question(
        ask=lambda _position, task: f"Which of {len(task.effects[0].options)} effects does {task.seat} carry out?",
        options=lambda _position, task: tuple(str(n + 1) for n in range(len(task.effects[0].options))),
        take=_chosen,
        cites="DW-R42",
    ),
    cites="DW-R42",
)

# ------------------------------------------------------------ order, dice, rails, production, jail


def moved(track: tuple[Seat, ...], seat: Seat, to: int) -> tuple[Seat, ...]:
    """The track with a seat's disc moved to place ``to`` (from 0); the others keep their order (DW-R15)."""
    others = tuple(other for other in track if other != seat)
    return (*others[:to], seat, *others[to:])


def _order(now: Now, task: Task, effect: Effect) -> Iterator[Event]:
    """The next turn's order changes; the running one keeps its own (DW-R54)."""
    for seat in whom(now, task, effect):
        track = now[Turn].track
        last = len(track) - 1
        at = track.index(seat)
        to = {"first": 0, "last": last, "up": max(0, at - effect.n), "down": min(last, at + effect.n)}[effect.to]
        yield OrderChanged(track=moved(track, seat, to))


def _die(_now: Now, task: Task, effect: Effect) -> Iterator[Event]:
    kind = {"set": "set-die", "shift": "shift-die", "reroll": "reroll-dice"}[effect.mode]
    yield do(Task(kind=kind, seat=task.seat, source=f"card:{task.source}", n=effect.n))


def _rail(_now: Now, task: Task, effect: Effect) -> Iterator[Event]:
    yield do(Task(kind="free-links", seat=task.seat, n=effect.n))


def _produce(now: Now, task: Task, effect: Effect) -> Iterator[Event]:
    if effect.what == "choice":
        yield do(Task(kind="choose-production", seat=task.seat))
    else:
        yield from produce(now, task.seat, (effect.what,))


def _jail(now: Now, task: Task, effect: Effect) -> Iterator[Event]:
    """Fewer dice in the next roll, which never has less than one for that (DW-R37)."""
    jail = now.slot(THINGS)["jail"]
    for seat in whom(now, task, effect):
        yield from jail.gain(now, seat, effect.n)


rules.add(OPS, "order", _order, cites="DW-R54")
rules.add(OPS, "die", _die, cites="DW-R57")
rules.add(OPS, "rail", _rail, cites="DW-R07")
rules.add(OPS, "produce", _produce, cites="DW-R62")
rules.add(OPS, "jail", _jail, cites="DW-R37")
rules.add(
    TASKS,
    "choose-production",
    Question(
        ask=lambda _position, task: f"Which resource do {task.seat}'s towns produce?",
        options=lambda _position, _task: RESOURCES,
        take=lambda now, task, option: produce(now, task.seat, (option,)),
        cites="DW-R62",
    ),
    cites="DW-R62",
)

# ------------------------------------------------------------ looking, closing, roles


def _peek(now: Now, task: Task, effect: Effect) -> Iterator[Event]:
    """The owner alone sees the hand."""
    for seat in whom(now, task, effect):
        hand = next((cards for owner, cards in now[Cards].hands if owner == seat), ())
        yield HandSeen(seat=task.seat, of=seat, cards=tuple(card.card for card in hand))


def _close(now: Now, task: Task, effect: Effect) -> Iterator[Event]:
    """A site that can't be claimed next turn, by others or by all."""
    but = task.seat if effect.who == "others" else ""
    if effect.space == "choice":
        yield do(Task(kind="choose-closing", seat=task.seat, target=but))
    else:
        yield SiteClosed(site=effect.space, turn=now[Turn].number + 1, but=but)


def _closing_options(position: Position, _task: Task) -> tuple[str, ...]:
    return tuple(str(key) for key, site in position.slot(SITES).items() if site.limit in {"Limited", "Restricted"})


def _closed(now: Now, task: Task, option: str) -> Iterator[Event]:
    yield SiteClosed(site=option, turn=now[Turn].number + 1, but=task.target)


def _role(now: Now, task: Task, effect: Effect) -> Iterator[Event]:
    """The role whose site is in play, or the other one; nothing if both are missing."""
    for role in (effect.role, effect.otherwise):
        if any(site.role == role for site in now.slot(SITES).values()) and role:
            if role_of(now, role) != task.seat:
                yield RoleTaken(role=role, seat=task.seat)
            return


rules.add(OPS, "peek", _peek, cites="DW-R42")
rules.add(OPS, "close", _close, cites="DW-R42")
rules.add(OPS, "role", _role, cites="DW-R52")
rules.add(
    TASKS,
    "choose-closing",
    Question(
        ask=lambda _position, task: f"Which Limited or Restricted site does {task.seat} close for the next turn?",
        options=_closing_options,
        take=_closed,
        cites="DW-R42",
    ),
    cites="DW-R42",
)
