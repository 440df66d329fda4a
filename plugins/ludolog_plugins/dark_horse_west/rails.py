"""Rails alone: at Rail Baron for resources, and free links given by cards and set-up."""

from __future__ import annotations

from collections.abc import Iterator

from ludolog import Event, Now, Position, Refusal
from ludolog_plugins.dark_horse_west.agenda import do
from ludolog_plugins.dark_horse_west.board import blocked, hex_named, layout_of, name_of, neighbours, network, ordered
from ludolog_plugins.dark_horse_west.builder import ENGINEER_LINKS, spend_engineer
from ludolog_plugins.dark_horse_west.building import rails_left
from ludolog_plugins.dark_horse_west.claims import used
from ludolog_plugins.dark_horse_west.events import LinkBuilt
from ludolog_plugins.dark_horse_west.goods import has
from ludolog_plugins.dark_horse_west.network import new_links, rugged_link
from ludolog_plugins.dark_horse_west.prices import affordable, payment, rail_parts, unaffordable
from ludolog_plugins.dark_horse_west.reasons import no
from ludolog_plugins.dark_horse_west.slots import COSTS, TASKS, Price, Question, rules
from ludolog_plugins.dark_horse_west.state import Board, Hex, Task

__all__ = ["link_parts", "link_refusal", "links_named", "parse_link"]


def parse_link(option: str) -> tuple[Hex, Hex] | None:
    """The link that ``"link 3,-4 2,-3"`` tells, the smaller hex first; None if it tells none."""
    words = option.split(" ")
    if len(words) != 3 or words[0] != "link":  # noqa: PLR2004 - a word and two hexes
        return None
    a, b = hex_named(words[1]), hex_named(words[2])
    return ordered(a, b) if a is not None and b is not None else None


def links_named(links: tuple[tuple[Hex, Hex], ...]) -> tuple[str, ...]:
    """Links as options: ``"link 2,-3 3,-4"``."""
    return tuple(f"link {name_of(a)} {name_of(b)}" for a, b in links)


def link_refusal(position: Position, task: Task, option: str) -> Refusal | None:
    """Why a link can't be laid, its price apart (DW-R07, DW-R08)."""
    link = parse_link(option)
    if link is None:
        return no("no-such-link", f"Say which link to lay, such as 'link 2,-3 3,-4'; not {option!r}.", "DW-R07")
    a, b = link
    if b not in neighbours(layout_of(position), a):
        return no("not-neighbours", f"{name_of(a)} and {name_of(b)} are no neighbours.", "DW-R07", a=a, b=b)
    if not rails_left(position):
        return no("no-rail-left", "The stock of rails is empty.", "DW-R08", rails_left=0)
    for other in position[Board].links:
        if (other.a, other.b) == link:
            return no("link-taken", f"{other.seat} has a rail there.", "DW-R07", by=other.seat)
    mine = network(position, task.seat)
    if a not in mine and b not in mine:
        return no("joins-nothing", "That link shares no hex with an own city, town or link.", "DW-R07", a=a, b=b)
    ends = [end for end in link if end not in mine] or list(link)
    return next((found for end in ends if (found := blocked(position, task.seat, end, "link")) is not None), None)


# ------------------------------------------------------------ free links


def _free_options(position: Position, task: Task) -> tuple[str, ...]:
    if not rails_left(position):
        return ()
    links = links_named(new_links(position, task.seat))
    return (*links, "stop") if links else ()


def _free_taken(_now: Now, task: Task, option: str) -> Iterator[Event]:
    link = parse_link(option)
    if link is None:
        return
    if task.n > 1:
        yield do(Task(kind="free-links", seat=task.seat, n=task.n - 1))
    yield LinkBuilt(seat=task.seat, a=link[0], b=link[1])


rules.add(
    TASKS,
    "free-links",
    Question(
        ask=lambda _position, task: f"Which free link does {task.seat} lay ({task.n} left)?",
        options=_free_options,
        take=_free_taken,
        explain=link_refusal,
        cites="DW-R07",
    ),
    cites="DW-R07",
)

# ------------------------------------------------------------ Rail Baron: numbers = (laid, free left, paid)


def link_parts(position: Position, task: Task, a: Hex, b: Hex) -> tuple[Price, ...]:
    """The price of the next link: a purchase covers two, the surcharge comes with each (DW-R11, DW-R13)."""
    _, free, paid = task.numbers
    if free:
        return ()
    new_purchase = paid % position.slot(COSTS)["costs"].links_per_purchase == 0
    return rail_parts(position, task.seat, int(new_purchase), int(rugged_link(position, a, b)))


def _most(position: Position) -> int:
    costs = position.slot(COSTS)["costs"]
    return costs.purchases_at_rail_baron * costs.links_per_purchase


def _left(position: Position, task: Task) -> int:
    return min(_most(position) - task.numbers[0], rails_left(position))


def _baron_options(position: Position, task: Task) -> tuple[str, ...]:
    laid, free, _ = task.numbers
    if laid >= _most(position) or not rails_left(position):
        return ()
    links = tuple(
        (a, b)
        for a, b in new_links(position, task.seat)
        if affordable(position, task.seat, link_parts(position, task, a, b))
    )
    token = has(position, task.seat, "engineer") and not used(position, task.seat, "token:engineer") and not free
    engineer = ("engineer links",) if token and new_links(position, task.seat) else ()
    return (*links_named(links), *engineer, "stop")


def _baron_taken(now: Now, task: Task, option: str) -> Iterator[Event]:
    laid, free, paid = task.numbers
    if option == "engineer links":
        yield from spend_engineer(task.seat)
        yield do(Task(kind="rail-baron", seat=task.seat, numbers=(laid, ENGINEER_LINKS, paid)))
        return
    link = parse_link(option)
    if link is None:
        return
    parts = link_parts(now.position, task, *link)
    after = (laid + 1, max(0, free - 1), paid + (not free))
    yield do(Task(kind="rail-baron", seat=task.seat, numbers=after))
    yield LinkBuilt(seat=task.seat, a=link[0], b=link[1])
    if parts:
        yield payment(task.seat, parts)


def _explain_baron(position: Position, task: Task, option: str) -> Refusal | None:
    if option == "engineer links":
        held = has(position, task.seat, "engineer")
        return no("no-engineer", "No Engineer token can be spent on these links.", "DW-R23", held=held)
    link = parse_link(option)
    refusal = link_refusal(position, task, option)
    if refusal is not None or link is None:
        return refusal
    return unaffordable(position, task.seat, link_parts(position, task, *link), "DW-R11")


rules.add(
    TASKS,
    "rail-baron",
    Question(
        ask=lambda position, task: f"Which link does {task.seat} lay (at most {_left(position, task)} more)?",
        options=_baron_options,
        take=_baron_taken,
        explain=_explain_baron,
        cites="DW-R11",
    ),
    cites="DW-R11",
)
