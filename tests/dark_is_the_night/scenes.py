"""Set-up for rule tests: a position in the middle of a game, played on, with what each side is told of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

import ludolog
from ludolog import Chance, Command, Event, Position, Refusal
from ludolog.errors import CommandError
from ludolog_events import told
from ludolog_plugins.dark_is_the_night import events
from ludolog_plugins.dark_is_the_night.data import DARK, HUNTERS_TOKENS
from ludolog_plugins.dark_is_the_night.state import Camp, Clue, Dark, Night

HUNTER, MONSTER = "ann", "bob"
ANNOUNCEMENTS = (events.BellRang, events.DistanceTold, events.FeintDeclared, events.MonsterSeen, events.MonsterTorn)


class Scene:
    """A game after both first turns, the Monster being anywhere as far as the Hunter knows.

    ``tell`` lists what the Hunter was told by the commands played here.
    """

    def __init__(
        self,
        hunter: str = "N",
        monster: int = 9,
        *,
        to_move: str = "hunter",
        moved: bool = False,
        items: tuple[str, ...] = HUNTERS_TOKENS,
        lit: tuple[int, ...] = (),
        trap: int = 0,
        feint: bool = True,
        turn: int = 0,
        left: int = -1,
        **options: Any,
    ) -> None:
        self.ruleset = ludolog.catalogue().ruleset("dark-is-the-night", (), options)
        opened = self.ruleset.begin(self.ruleset.opening((HUNTER, MONSTER)), Chance(b"")).position
        public = Dark(
            dial=None,
            path=(None,),
            clues=(Clue(how="start", about=0, spaces=DARK),),
            lit=lit,
            trap=trap,
            tokens=("feint",) if feint else (),
        )
        night = Night(
            hunter=HUNTER,
            monster=MONSTER,
            turn=turn or (5 if to_move == "hunter" else 6),
            stage="action" if moved else "move",
            deed="move" if moved else "",
            left=left,
        )
        shared = opened.having(night, Camp(space=hunter, items=items), public)
        self.view = Position(self.ruleset, shared.slices, viewer=HUNTER, is_view=True)
        self.position = shared.having(replace(public, dial=monster, path=(monster,)))
        self.tell: list[Event] = []

    @property
    def dark(self) -> Dark:
        return self.position[Dark]

    @property
    def night(self) -> Night:
        return self.position[Night]

    @property
    def items(self) -> tuple[str, ...]:
        return self.position[Camp].items

    @property
    def outcome(self) -> ludolog.Outcome | None:
        return self.position.outcome

    def of(self, kind: type[Event]) -> list[Any]:
        """What the Hunter was told of this kind."""
        return [event for event in self.tell if isinstance(event, kind)]

    def announcements(self) -> list[Event]:
        """What the Monster had to tell."""
        return [event for event in self.tell if isinstance(event, ANNOUNCEMENTS)]

    def play(self, seat: str, *commands: Command) -> tuple[Event, ...]:
        """Play commands of one seat; the events of the last. What is listed is accepted, what isn't is refused."""
        found: tuple[Event, ...] = ()
        for command in commands:
            listed = command in self.ruleset.legal(self.position, seat)
            decision = self.ruleset.decide(self.position, seat, command, Chance(b""))
            assert listed, f"{command} is accepted and not listed"
            found = decision.events
            self.tell += [fact for event in found if (fact := told(event, HUNTER)) is not None]
            self.view = self.ruleset.fold(self.view, found, HUNTER)
            self.position = decision.position
        return found

    def hunter(self, *commands: Command) -> Scene:
        self.play(HUNTER, *commands)
        return self

    def monster(self, *commands: Command) -> Scene:
        self.play(MONSTER, *commands)
        return self

    def refusal(self, seat: str, command: Command) -> Refusal:
        """Why a command is refused; it isn't listed either."""
        assert command not in self.ruleset.legal(self.position, seat)
        with pytest.raises(CommandError) as caught:
            self.ruleset.decide(self.position, seat, command, Chance(b""))
        return caught.value.refusal

    def refused(self, seat: str, command: Command) -> str | None:
        """The clause by which a command is refused."""
        refusal = self.refusal(seat, command)
        assert refusal.sentence.endswith(".")
        return refusal.clause

    def accepted(self, seat: str, make: Callable[[Any], Command], values: tuple[Any, ...]) -> tuple[Any, ...]:
        """The values that a command is accepted with; legal and the decider agree on each."""
        found = []
        for value in values:
            command = make(value)
            listed = command in self.ruleset.legal(self.position, seat)
            try:
                self.ruleset.decide(self.position, seat, command, Chance(b""))
            except CommandError:
                assert not listed
            else:
                assert listed
                found.append(value)
        return tuple(found)
