"""Scenes for rule tests: a position in the middle of a game, with plain numbers, and commands by name of the player.

The host closes windows (``until-closed``) unless a scene says otherwise. Players are A, B, C, ... clockwise.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludolog import Chance, Command, Event, Position, Ruleset, Seat, catalogue
from ludolog.errors import CommandError, NotYourTurn, Refusal
from ludolog_plugins.insect_inc.commands import Claim, CloseWindow, Declare, Reveal
from ludolog_plugins.insect_inc.data import FOREST
from ludolog_plugins.insect_inc.forest import CARDS, KINDS, kinds_of
from ludolog_plugins.insect_inc.state import Forest, Insects, Players, Taken, Window

SEATS = "ABCDEF"
PLAIN = {"forest_labels": "plain", "claims_window": "until-closed"}


def ruleset(**options: object) -> Ruleset:
    return catalogue().ruleset("insect-inc", (), {**PLAIN, **options})


def new_game(count: int = 3, seed: bytes = b"k" * 32, **options: object) -> Position:
    rules = ruleset(**options)
    return rules.begin(rules.opening(tuple(SEATS[:count])), Chance(seed, 1)).position


class Scene:
    """A game after the first reveal.

    Args:
        count: Number of players.
        start: The start player.
        open: Kinds that are open, the oldest first.
        pile: How many cards the pile has.
        following: Kinds next in the pile, in order.
        down: Forest cards that are down.
        out: Players who are out.
        taken: How many insects players have; which kinds is left open.
        options: Options that differ from ``PLAIN``.
    """

    def __init__(
        self,
        count: int = 3,
        *,
        start: Seat = "C",
        open: Sequence[int] = (10,),  # noqa: A002 - the rules' word
        pile: int = 20,
        following: Sequence[int] = (30,),
        down: Sequence[int] = (),
        out: Sequence[Seat] = (),
        taken: dict[Seat, int] | None = None,
        **options: object,
    ) -> None:
        rest = [kind for kind in range(KINDS) if kind not in {*open, *following}]
        deck = (*following, *rest)
        owned = [Taken(seat=seat, kind=rest.pop()) for seat, number in (taken or {}).items() for _ in range(number)]
        self.position = new_game(count, **options).having(
            Forest(kinds=kinds_of(FOREST), down=tuple(card in down for card in range(CARDS))),
            Insects(pile=deck[:pile], unused=deck[pile : pile + 24], open=tuple(open), revealed=len(open)),
            Players(start=start if count > 2 else "A", taken=tuple(owned), skipping=tuple(out)),
            Window(),
        )
        self.events: tuple[Event, ...] = ()

    # ------------------------------------------------------------ when

    def play(self, seat: Seat | None, command: Command, at: int = 0) -> Scene:
        """Decide a command as a table does: what has fallen due comes first, and what falls due by it right after.

        ``events`` are those of the command and of what came after it.
        """
        if seat is not None:
            self._settle(at)
        self.events = ()
        self._decide(seat, command, at)
        self._settle(at)
        return self

    def _settle(self, at: int) -> None:
        while (due := self.position.ruleset.due(self.position, at)) is not None:
            self._decide(None, due, at)

    def _decide(self, seat: Seat | None, command: Command, at: int) -> None:
        decision = self.position.ruleset.decide(self.position, seat, command, Chance(b"k" * 32), at)
        self.position, self.events = decision.position, (*self.events, *decision.events)

    def claim(self, seat: Seat, *cards: int, at: int = 0) -> Scene:
        return self.play(seat, Claim(cards=cards), at)

    def declare(self, seat: Seat, at: int = 0) -> Scene:
        return self.play(seat, Declare(), at)

    def close(self, at: int = 0) -> Scene:
        return self.play(None, CloseWindow(), at)

    def tick(self, at: int) -> Scene:
        due = self.position.ruleset.due(self.position, at)
        return self if due is None else self.play(None, due, at)

    def refused(self, seat: Seat | None, command: Command, at: int = 0) -> Refusal:
        """The refusal of a command, which must change nothing."""
        before = self.position
        try:
            self.play(seat, command, at)
        except CommandError as error:
            assert self.position == before
            return error.refusal
        message = f"{seat} was allowed {command}"
        raise AssertionError(message)

    def may_not_act(self, seat: Seat) -> bool:
        """Whether the player is not one who may act, and a claim of its is refused for that."""
        if seat in self.position.ruleset.to_act(self.position):
            return False
        try:
            self.play(seat, Claim(cards=(0,)))
        except NotYourTurn:
            return True
        return False

    # ------------------------------------------------------------ then

    @property
    def open(self) -> tuple[int, ...]:
        return self.position[Insects].open

    @property
    def pile(self) -> int:
        return len(self.position[Insects].pile)

    @property
    def down(self) -> set[int]:
        return {card for card, down in enumerate(self.position[Forest].down) if down}

    @property
    def out(self) -> set[Seat]:
        return set(self.position[Players].skipping)

    @property
    def start(self) -> Seat:
        return self.position[Players].start

    @property
    def window(self) -> Window:
        return self.position[Window]

    @property
    def winners(self) -> set[Seat]:
        assert self.position.outcome is not None
        return set(self.position.outcome.winners)

    @property
    def reason(self) -> str:
        return self.position.outcome.reason if self.position.outcome is not None else ""

    def kinds(self, seat: Seat) -> tuple[int, ...]:
        return self.position[Players].kinds_of(seat)

    def counts(self) -> dict[Seat, int]:
        return {seat: len(self.kinds(seat)) for seat in self.position.seats}

    def told(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]


REVEAL = Reveal()
DECLARE = Declare()
CLOSE = CloseWindow()
