"""Many games with random reaction times and delivery orders; run it as ``python tests/insect_inc/campaign.py``.

``--games`` says how many at each number of seats, from the seed ``--first`` on; ``--jobs`` in how many processes. It
tells what was counted and every game that failed; then its exit status is 1.

Every game is played at a table: the commands of each window arrive in the order of their moments, some of them twice,
late or with a clock gone wrong. The same commands are then delivered in other orders, from the position in which the
window began, and must lead to the same position and hash. When the game is over, it is audited.
"""

from __future__ import annotations

import argparse
import functools
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from ludolog import Chance, Position, Ruleset, Seat, Table, catalogue, table_from
from ludolog.errors import CommandError
from ludolog.testing.simultaneous import Delivery, hash_of
from ludolog_plugins.insect_inc.commands import Claim, CloseWindow, Declare, Reveal
from ludolog_plugins.insect_inc.judging import catchable
from ludolog_plugins.insect_inc.state import Forest, Insects, Window
from ludolog_plugins.insect_inc.window import UNTIMED, claimants, deadline, window_length

T = 1_700_000_000_000_000
SEATS = ("ann", "bob", "cy", "dee", "eve", "fay")
CHOICES = {
    "pairs": ("any", "any", "marked"),
    "forest_labels": ("shuffled", "shuffled", "plain"),
    "claims_window": (100, 400, 400, 1500, "until-closed"),
    "mixed_reveal": ("all-open", "newest"),
    "pile_end": ("last-card-leaves", "reveal-due"),
}
PACES = (700_000, 2_500_000, 6_000_000)
"""Microseconds within which everybody acts: from all at once to one after the other."""

PIECE = 100
"""Games that a process plays before it says what came of them."""

REFUSED_AS = {"already-claimed", "already-declared", "already-judged", "moment-too-early", "skipping", "too-late"}


class Tally(NamedTuple):
    """What a campaign counts, and the games that failed."""

    ends: Counter[str]
    counts: Counter[str]
    failures: list[str]

    def __str__(self) -> str:
        """In one line: the ends first."""
        counted = (*sorted(self.ends.items()), *sorted(self.counts.items()))
        return ", ".join(f"{name} {number}" for name, number in counted)


@functools.cache
def ruleset_with(given: tuple[tuple[str, object], ...]) -> Ruleset:
    """The game with these options."""
    return catalogue().ruleset("insect-inc", (), dict(given))


class Play:
    """One game of the campaign.

    Args:
        count: Number of seats.
        seed: Of the game and of all that is random about it.
        orders: How many other orders of delivery are tried for each window.
        tally: Where it is counted.
    """

    def __init__(self, count: int, seed: int, orders: int, tally: Tally) -> None:
        self.rng = random.Random(f"{count} {seed}")
        self.ruleset = ruleset_with(tuple((name, self.rng.choice(values)) for name, values in CHOICES.items()))
        self.table: Table = table_from(self.ruleset, SEATS[:count], seed=seed, id=f"{count}-{seed}", at=T)
        self.skill = self.rng.random()
        self.pace = self.rng.choice(PACES)
        self.orders = orders
        self.tally = tally
        self.now = T

    def run(self) -> None:
        """Play to the end, and audit.

        Raises:
            AssertionError: Something is not as it must be.
        """
        table = self.table
        table.play(table.to_act[0], Reveal(), at=self.now)
        while not table.over:
            self._window()
        outcome = table.outcome
        assert outcome is not None
        assert outcome.winners
        assert set(outcome.winners) == {
            seat for seat in table.seats if outcome.score(seat) == max(map(outcome.score, table.seats))
        }
        report = table.audit([table.receipt])
        assert report.ok, str(report)
        self.tally.ends[outcome.reason] += 1
        self.tally.counts["games"] += 1

    def _window(self) -> None:
        before = self.table.position
        deliveries: list[Delivery] = []
        for delivery in self._deliveries(before):
            if self.table.due(delivery.at) is not None:
                break
            deliveries.append(delivery)
            self.table.play(*delivery[:2], at=delivery.at)
            if self.rng.random() < 0.1:
                self._noise([delivery], always=True)
                self._stale()
        tick = self._close()
        expected = self.table.position
        hashed = hash_of(expected)
        self.tally.counts["windows"] += 1
        self.tally.counts["windows of several commands"] += len(deliveries) > 1
        for _ in range(self.orders if len(deliveries) > 1 else 0):
            found = self._delivered(before, self._reordered(before, deliveries), tick)
            assert found == expected, f"{self.table.id}: {deliveries}"
            assert hash_of(found) == hashed
            self.tally.counts["orders"] += 1
        self._noise(deliveries)

    # ------------------------------------------------------------ what the players do

    def _deliveries(self, position: Position) -> list[Delivery]:
        """What the players do until the next reveal, in the order of the moments."""
        rng, length = self.rng, window_length(position)
        timed = length != UNTIMED
        start = max(self.now, position[Window].since)
        found: list[Delivery] = []
        for seat in claimants(position):
            moment = start + rng.randrange(1, self.pace)
            if rng.random() < 0.25 and not position[Window].has_declared(seat):
                found.append(Delivery(seat, Declare(), moment))
                if not timed or rng.random() < 0.7:
                    continue
                moment += rng.randrange(1, 2 * length)
            found.append(Delivery(seat, Claim(cards=self._cards(position)), moment))
        return sorted(found, key=lambda delivery: delivery.at)

    def _cards(self, position: Position) -> tuple[int, ...]:
        """Cards that a player puts its hand on: often the right ones, as far as it is skilled."""
        rng = self.rng
        pairs = [pair for kind in position[Insects].open for pair in catchable(position, kind)]
        if pairs and rng.random() < self.skill:
            return rng.choice(pairs)
        up = [card for card, down in enumerate(position[Forest].down) if not down] or [0, 1]
        if rng.random() < 0.15:
            return (rng.choice(up),)
        if len(up) > 1 and rng.random() < 0.7:
            return tuple(rng.sample(up, 2))
        return tuple(rng.sample(range(48), 2))

    def _close(self) -> int | None:
        """Let the window's time pass, or the host close it; the moment of it, ``None`` where none was needed."""
        table = self.table
        if table.over:
            return None
        window = table.position[Window]
        last = deadline(table.position)
        self.now = max(self.now, window.latest) + 1
        if last is not None:
            self.now = last + 1 + self.rng.choice((0, 0, 7, 30_000))
            table.tick(at=self.now)
            return self.now
        if window.hands:
            table.play(None, CloseWindow(), at=self.now)
            return self.now
        return None

    # ------------------------------------------------------------ other orders of the same

    def _reordered(self, position: Position, deliveries: list[Delivery]) -> list[Delivery]:
        """The same deliveries, each on its way for a while; those of one seat arrive in their order."""
        length = window_length(position)
        way = 10_000_000 if length == UNTIMED else length
        arrivals: dict[Seat, int] = {}
        found: list[tuple[int, int, Delivery]] = []
        for number, delivery in enumerate(deliveries):
            seat = delivery.seat or ""
            arrivals[seat] = max(arrivals.get(seat, 0), delivery.at + self.rng.randrange(way + 1))
            found.append((arrivals[seat], number, delivery))
        return [delivery for _, _, delivery in sorted(found, key=lambda item: item[:2])]

    def _delivered(self, position: Position, deliveries: list[Delivery], tick: int | None) -> Position:
        ruleset, chance = self.ruleset, Chance(bytes(32))
        for seat, command, at in deliveries:
            position = ruleset.decide(position, seat, command, chance, at).position
            while (due := ruleset.due(position, at)) is not None:
                position = ruleset.decide(position, None, due, chance, at).position
        if tick is not None:
            due = ruleset.due(position, tick) or CloseWindow()
            position = ruleset.decide(position, None, due, chance, tick).position
        return position

    # ------------------------------------------------------------ what must be refused

    def _noise(self, deliveries: list[Delivery], *, always: bool = False) -> None:
        """The same commands once more, some of them too late; and a clock that steps back by an hour.

        Without moments only a command id tells that a command is the same one again.
        """
        if self.table.over or window_length(self.table.position) == UNTIMED:
            return
        for delivery in deliveries:
            if always or self.rng.random() < 0.2:
                self._refused(delivery)
        if self.rng.random() < 0.1:
            seat = self.rng.choice(self.table.seats)
            self._refused(Delivery(seat, Claim(cards=(1, 2)), self.now - 3600 * 10**6))

    def _stale(self) -> None:
        """A claim whose moment lies further before the latest of the log than a window is long."""
        position = self.table.position
        length = window_length(position)
        if length != UNTIMED and not position.over:
            moment = position[Window].latest - length - self.rng.randrange(1, 1000)
            self._refused(Delivery(self.rng.choice(self.table.seats), Claim(cards=(1, 2)), moment))

    def _refused(self, delivery: Delivery) -> None:
        before, receipt = self.table.position, self.table.receipt
        code = "accepted"
        try:
            self.table.play(*delivery[:2], at=delivery.at)
        except CommandError as error:
            code = error.refusal.code
        assert code in REFUSED_AS, f"{self.table.id}: {delivery}: {code}"
        self.tally.counts[f"refused: {code}"] += 1
        assert self.table.position == before
        assert self.table.receipt == receipt


def campaign(count: int, games: int, orders: int, *, first: int = 0) -> Tally:
    """Play ``games`` games of ``count`` seats, with seeds from ``first`` on; the first that fails ends it."""
    tally = Tally(Counter(), Counter(), [])
    for seed in range(first, first + games):
        Play(count, seed, orders, tally).run()
    return tally


def piece(count: int, seeds: range, orders: int) -> Tally:
    """Play some games of a campaign; those that fail are named."""
    tally = Tally(Counter(), Counter(), [])
    for seed in seeds:
        try:
            Play(count, seed, orders, tally).run()
        except Exception as error:  # noqa: BLE001 - whatever goes wrong is what a campaign is for
            tally.failures.append(f"{count} seats, seed {seed}: {type(error).__name__}: {error}")
    return tally


def pieces(pool: ProcessPoolExecutor | None, count: int, seeds: range, orders: int) -> Iterator[Tally]:
    """What comes of a campaign, piece by piece."""
    parts = [seeds[at : at + PIECE] for at in range(0, len(seeds), PIECE)]
    play = functools.partial(piece, count, orders=orders)
    return map(play, parts) if pool is None else pool.map(play, parts)


def main() -> int:
    """Command line; the number of processes is told with the seconds, which are those on the clock."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000, help="games at every number of seats")
    parser.add_argument("--orders", type=int, default=3, help="other delivery orders of every window")
    parser.add_argument("--first", type=int, default=0, help="seed of the first game")
    parser.add_argument("--seats", type=int, nargs="*", default=[2, 3, 4, 5, 6])
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    given = parser.parse_args()
    pool = ProcessPoolExecutor(given.jobs) if given.jobs > 1 else None
    failed = 0
    for count in given.seats:
        began = time.perf_counter()
        whole = Tally(Counter(), Counter(), [])
        for found in pieces(pool, count, range(given.first, given.first + given.games), given.orders):
            whole.ends.update(found.ends)
            whole.counts.update(found.counts)
            whole.failures.extend(found.failures)
        seconds = time.perf_counter() - began
        print(f"{count} seats, {seconds:.0f} s, {given.jobs} processes: {whole}", *whole.failures, sep="\n", flush=True)
        failed += len(whole.failures)
    if pool is not None:
        pool.shutdown()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
