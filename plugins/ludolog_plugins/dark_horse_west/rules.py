"""The rules of the western game, put together: who acts, what may be done, how questions are answered.

The parts, in the order to read them: ``slots`` (where variants bend the game), ``state``, ``events``, ``commands``,
``reducers``; ``agenda``; ``board``, ``network``, ``prices``, ``building``, ``builder``, ``rails``; ``goods``,
``production``; ``dice``, ``claims``, ``windows``, ``sites``, ``tokens``, ``offers``; ``effects``, ``abilities``,
``cards``; ``turn``, ``setup``; ``laid_hexes``; ``scoring``, ``prospects``, ``picture``, ``svg``, ``wording``,
``story``, ``choices``, ``hidden``, ``conserved``; ``own_data``, ``checking``, ``checking_tables``.
"""

from __future__ import annotations

from collections.abc import Iterator

from ludolog import Command, Event, Now, Position, Refusal, Seat, refuse
from ludolog_plugins.dark_horse_west import (
    builder,
    building,
    choices,
    conserved,
    hidden,
    laid_hexes,
    own_data,
    picture,
    prospects,
    rails,
    reducers,
    scoring,
    setup,
    sites,
    story,
    svg,
)
from ludolog_plugins.dark_horse_west.abilities import listed_abilities
from ludolog_plugins.dark_horse_west.agenda import answer, asked, open_window, proceed, question, top
from ludolog_plugins.dark_horse_west.cards import listed_cards
from ludolog_plugins.dark_horse_west.claims import listed_claims, listed_spots
from ludolog_plugins.dark_horse_west.commands import Choose, Finish
from ludolog_plugins.dark_horse_west.reasons import insist, no
from ludolog_plugins.dark_horse_west.slots import TASKS, Question, rules
from ludolog_plugins.dark_horse_west.turn import listed_collections, listed_tokens

__all__ = ["rules"]

PARTS = (
    builder,
    building,
    choices,
    conserved,
    hidden,
    laid_hexes,
    own_data,
    picture,
    prospects,
    rails,
    reducers,
    scoring,
    setup,
    sites,
    story,
    svg,
)
"""Importing a part declares its share of the rules."""

FINISH = Finish()


@rules.to_act
def to_act(position: Position) -> tuple[Seat, ...]:
    """The seat whose answer or window stands next on the agenda (DW-053, DW-060)."""
    task = top(position)
    return (task.seat,) if task is not None and task.seat else ()


@rules.waiting
def waiting(position: Position, seat: Seat, _command: Command) -> Refusal:
    """What everybody waits for."""
    task = top(position)
    if task is None:
        return no("nobody-acts", "Nobody may act now.", "DW-053")
    rule = position.slot(TASKS)[task.kind]
    if isinstance(rule, Question):
        return no("not-your-turn", f"{seat} has to wait: {rule.ask(position, task)}", rule.cites, to_act=(task.seat,))
    return no("not-your-turn", f"It is {task.seat}'s {task.kind} window, not {seat}'s.", "DW-053", to_act=(task.seat,))


@rules.decider(cites="DW-R61")
def choose(now: Now, command: Choose) -> Iterator[Event]:
    """The pending question is answered by one of its options."""
    found = question(now.position, now.seat)
    if found is None:
        refuse(
            "nothing-asked",
            f"Nothing is asked of {now.seat} now.",
            "DW-R56",
            window=open_window(now.position, now.seat),
        )
    task, rule = found
    options = asked(now.position)
    if command.option not in options:
        insist(rule.explain(now.position, task, command.option) if rule.explain is not None else None)
        refuse(
            "no-such-option",
            f"{rule.ask(now.position, task)} {command.option!r} is none of the options.",
            rule.cites,
            option=command.option,
            options=options[:40],
        )
    yield from answer(now, task, rule, command.option)
    yield from proceed(now)


@rules.legal
def legal(position: Position, seat: Seat) -> Iterator[Command]:
    """Every command of the game that the seat may give now."""
    found = question(position, seat)
    if found is not None:
        yield from (Choose(option=option) for option in asked(position))
        return
    window = open_window(position, seat)
    if window == "placement":
        yield from listed_claims(position, seat)
        yield from listed_spots(position, seat)
    elif window == "collection":
        yield from listed_collections(position, seat)
    if window:
        yield from listed_tokens(position, seat, window)
        yield from listed_cards(position, seat)
        yield from listed_abilities(position, seat, window)
        yield FINISH
