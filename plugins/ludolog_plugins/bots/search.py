"""The bot ``search``: Monte Carlo tree search over what the seats know.

Multiple-observer information-set search (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search",
IEEE Transactions on Computational Intelligence and AI in Games 4(2), 2012). Each playout draws a full position that
fits the view, and walks down one tree a seat: a seat's own tree branches by its commands and by what it is told of
the others' commands, so that nobody's choice in the search depends on what that seat doesn't know. A child is chosen
by its mean result and by how seldom it was tried of the times that it was possible (UCB with availability counts).
Below the tree everyone plays at random.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Iterator, Sequence

from ludolog import BotPlugin, Chance, Command, Position, Seat, hookimpl
from ludolog.errors import BadOptions
from ludolog_events import told

__all__ = ["SearchBot", "ludolog_bot", "shares"]


class _Node:
    """What one seat may have come to know, and how it fared from there."""

    __slots__ = ("children", "possible", "total", "visits")

    def __init__(self) -> None:
        self.children: dict[Hashable, _Node] = {}
        self.visits = 0
        self.total = 0.0
        self.possible = 0

    def child(self, key: Hashable) -> _Node:
        found = self.children.get(key)
        if found is None:
            found = self.children[key] = _Node()
        return found


class SearchBot:
    """Plays the command that was tried most in the search.

    Args:
        playouts: How many games are played in the mind for one command.
        seconds: If above 0, how long to think about one command instead of counting playouts.
        exploration: Weight of what was seldom tried, against what went well.
        horizon: Commands after which a playout is broken off and judged by how the seats stand.
        clock: Seconds that pass, for ``seconds``.

    Raises:
        BadOptions: A number is out of range.
    """

    def __init__(
        self,
        playouts: int = 400,
        seconds: float = 0,
        exploration: float = 0.7,
        horizon: int = 30,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if playouts < 1 or horizon < 1 or not 0 <= seconds <= 3600 or not 0 <= exploration <= 100:  # noqa: PLR2004 - far beyond sense
            msg = "A search bot needs playouts and horizon of 1 or more, and seconds and exploration not below 0."
            raise BadOptions(msg)
        self.playouts = playouts
        self.seconds = seconds
        self.exploration = exploration
        self.horizon = horizon
        self.clock = clock

    def choose(self, view: Position, legal: Sequence[Command], chance: Chance) -> Command:
        """The best of ``legal`` for ``view.viewer``, as far as the search can tell."""
        seat = view.viewer
        if len(legal) == 1 or seat is None:
            return chance.choose(legal)
        roots = {name: _Node() for name in view.seats}
        for _ in self._budget():
            _Playout(self, view, roots, chance).run(seat)
        tried = roots[seat].children
        nobody = _Node()
        return max(legal, key=lambda command: ((node := tried.get(command, nobody)).visits, node.total))

    def _budget(self) -> Iterator[None]:
        if not self.seconds:
            for _ in range(self.playouts):
                yield
            return
        until = self.clock() + self.seconds
        yield
        while self.clock() < until:
            yield


class _Playout:
    """One game played in the mind, from a position that fits the view."""

    def __init__(self, bot: SearchBot, view: Position, roots: dict[Seat, _Node], chance: Chance) -> None:
        self.bot = bot
        self.ruleset = view.ruleset
        self.chance = chance
        self.position = view.ruleset.determinize(view, chance)
        self.nodes = dict(roots)
        self.chosen: list[tuple[Seat, _Node]] = []

    def run(self, first: Seat) -> None:
        """Walk down the trees, play on at random, and note the result on the way that was taken."""
        seat: Seat | None = first
        left = self.bot.horizon
        in_tree = True
        while seat is not None and left:
            legal = self.ruleset.legal(self.position, seat)
            if not legal:
                break
            in_tree = self._in_tree(seat, legal) if in_tree else self._at_random(seat, legal)
            left -= 1
            seat = self._next()
        result = shares(self.position)
        for name, node in self.chosen:
            node.visits += 1
            node.total += result[name]

    def _next(self) -> Seat | None:
        while (due := self.ruleset.due(self.position, 0)) is not None:
            self.position = self.ruleset.decide(self.position, None, due, self.chance).position
        acting = self.ruleset.to_act(self.position)
        if len(acting) > 1:
            return self.chance.choose(acting)
        return acting[0] if acting else None

    def _at_random(self, seat: Seat, legal: Sequence[Command]) -> bool:
        command = self.chance.choose(legal)
        self.position = self.ruleset.decide(self.position, seat, command, self.chance).position
        return False

    def _in_tree(self, seat: Seat, legal: Sequence[Command]) -> bool:
        """Choose by the seat's tree; whether the next command is still in it."""
        node = self.nodes[seat]
        untried = [command for command in legal if command not in node.children]
        command = self.chance.choose(untried) if untried else self._best(node, legal)
        for possible in legal:
            if possible in node.children:
                node.children[possible].possible += 1
        chosen = node.child(command)
        if untried:
            chosen.possible += 1
        self.chosen.append((seat, chosen))
        decision = self.ruleset.decide(self.position, seat, command, self.chance)
        self.position = decision.position
        for name in self.nodes:
            if name == seat:
                self.nodes[name] = chosen
            else:
                facts = tuple(told(event, name) for event in decision.events)
                public = all(fact is event for fact, event in zip(facts, decision.events, strict=True))
                self.nodes[name] = self.nodes[name].child((seat, command if public else facts))
        return not untried

    def _best(self, node: _Node, legal: Sequence[Command]) -> Command:
        weight = self.bot.exploration

        def promise(command: Command) -> float:
            child = node.children[command]
            return child.total / child.visits + weight * math.sqrt(math.log(child.possible) / child.visits)

        return max(legal, key=promise)


_OF_RANK = 0.75
"""How much of a result is the rank; the rest is how far ahead the points are."""


def shares(position: Position) -> dict[Seat, float]:
    """How well each seat does in a full position, from 0 (last and far behind) to 1 (first and far ahead).

    Before the end nothing counts as won or lost: a lead moves a share by a quarter at most.
    """
    points = position.ruleset.value(position)
    outcome = position.outcome
    if outcome is None:
        return {seat: 0.25 + 0.5 * _margin(points, seat) for seat in points}
    rivals = max(len(position.seats) - 1, 1)
    result: dict[Seat, float] = {}
    worse = len(position.seats)
    for level in (position.seats,) if outcome.drawn else outcome.ranking:
        worse -= len(level)
        for seat in level:
            rank = (worse + (len(level) - 1) / 2) / rivals
            result[seat] = _OF_RANK * rank + (1 - _OF_RANK) * _margin(points, seat)
    return result


def _margin(points: dict[Seat, float], seat: Seat) -> float:
    """From 0 to 1, and 0.5 when level with the strongest rival; the same for points in ones and in thousands."""
    own = points[seat]
    rival = max((points[other] for other in points if other != seat), default=own)
    return 0.5 + 0.5 * (own - rival) / (abs(own) + abs(rival) + 1)


@hookimpl
def ludolog_bot() -> BotPlugin:
    """Manifest."""
    return BotPlugin(
        id="bots/search",
        title="Search",
        summary="Plays many games in the mind, each from a position that fits what it knows.",
        make=SearchBot,
        options={"playouts": 400, "seconds": 0.0, "exploration": 0.7, "horizon": 30},
    )
