"""``play``: a person against bots in the terminal."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, Final

import typer

from ludolog import Bot, Chance, Command, Ruleset, Seat, Store, Table, catalogue, open_table, table_from
from ludolog.clauses import Clause
from ludolog.errors import CommandError, UndoRefused, UnknownGame, UnknownTable
from ludolog_plugins.bots.match import bot_chance, bot_from, play_turn
from ludolog_plugins.cli.arguments import STORE_FILE, StorePlace, find_id, store_at
from ludolog_plugins.cli.console import console, headline, say
from ludolog_plugins.cli.keys import Keyboard, keyboard
from ludolog_plugins.cli.looking_up import find_rules, show_rules
from ludolog_plugins.cli.menu import LEAVE, pick, typed_line
from ludolog_plugins.cli.realtime import live_session, plays_live
from ludolog_plugins.cli.scene import Scene
from ludolog_plugins.cli.tables import GivenOptions, GivenSeed, GivenVariants, seed_of, split_options
from ludolog_plugins.cli.telling import picture, say_how_to_go_on, say_how_to_look_back, tell, tell_outcome, wishes_of

__all__ = ["NAMES", "bots_for", "play"]

NAMES: Final = ("ann", "bob", "cy", "dee", "eve", "fay", "gus", "hal")
"""Seats that nobody named."""

_HELP: Final = "?"
_LETTERS: Final = {"u": "undo", "r": "redo", "l": "look again", _HELP: "rules", LEAVE: "leave"}
_PATIENCE: Final = 60
"""Seconds to wait for something to fall due when nobody may act."""


def play(
    game: Annotated[
        str, typer.Argument(metavar="GAME|TABLE", help="A game to begin, or a table to go on with.", show_default=False)
    ],
    seats: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SEAT]...", help="Names, clockwise; by default as few as it takes.", show_default=False
        ),
    ] = None,
    me: Annotated[
        str | None,
        typer.Option("--as", "-a", metavar="SEAT", help="Your seat; by default the first.", show_default=False),
    ] = None,
    bots: Annotated[
        str,
        typer.Option(
            metavar="BOT,...",
            help="Who plays the other seats, in turn: name[:option=value]...; by default what suits the game.",
            show_default=False,
        ),
    ] = "",
    variant: GivenVariants = None,
    option: GivenOptions = None,
    seed: GivenSeed = None,
    store: StorePlace = STORE_FILE,
) -> None:
    """Play a game against bots in this terminal; leave whenever you like, and go on later."""
    new = (
        _chosen(game, variant or (), split_options(option), seats) if game in catalogue().ids("ludolog_game") else None
    )
    with _kept(store, game, create=new is not None) as kept:
        table = table_from(*new, seed=seed_of(seed), store=kept) if new is not None else _going_on(kept, game)
        person = me or table.seats[0]
        table.view(person)
        rivals = [seat for seat in table.seats if seat != person]
        session = live_session(table, person, bots, store) or _Session(
            table, person, bots_for(bots or "greedy", rivals), keyboard(), store
        )
        try:
            session.run()
        except KeyboardInterrupt:
            session.say_how_to_go_on()
            raise


def _chosen(
    game: str, variants: Sequence[str], options: Mapping[str, str], seats: Sequence[Seat] | None
) -> tuple[Ruleset, tuple[Seat, ...]]:
    """What is to be played by whom: by default the fewest seats that it takes, but company for you."""
    with_bots = {} if plays_live(game) else catalogue().game(game).bot_options
    ruleset = catalogue().ruleset(game, variants, {**with_bots, **options})
    counts = ruleset.seat_counts
    names = tuple(seats or NAMES[: next((count for count in counts if count > 1), counts[0])])
    ruleset.check_seats(names)
    return ruleset, names


def _kept(place: str, name: str, *, create: bool) -> AbstractContextManager[Store]:
    """The store; without one there is no table to go on with either, and nothing is made for a name misspelt."""
    if not create and "://" not in place and not Path(place).exists():
        raise UnknownGame(_neither(name))
    return store_at(place, create=create)


def _going_on(store: Store, name: str) -> Table:
    try:
        return open_table(find_id(store, name), store)
    except UnknownTable:
        raise UnknownGame(_neither(name)) from None


def _neither(name: str) -> str:
    games = ", ".join(catalogue().ids("ludolog_game"))
    return f"{name!r} is neither an installed game ({games}) nor a table here; 'ludolog show' lists the tables."


def bots_for(specs: str, seats: Sequence[Seat]) -> dict[Seat, Bot]:
    """A bot for each seat, from names divided by commas and used in turn."""
    names = [name.strip() for name in specs.split(",")]
    return {seat: bot_from(names[place % len(names)]) for place, seat in enumerate(seats)}


class _Session:
    """One sitting of a person at a table; it looks at nothing but what the person's seat was told."""

    def __init__(self, table: Table, me: Seat, bots: Mapping[Seat, Bot], keys: Keyboard, place: str) -> None:
        self.table = table
        self.me = me
        self.bots = bots
        self.keys = keys
        self.place = place
        self.told = table.length
        self.wishes = wishes_of(table.ruleset)
        self.letters = {**_LETTERS, **({"w": f"{', '.join(self.wishes)} on or off"} if self.wishes else {})}
        self.granted: tuple[str, ...] = ()
        self.scene = Scene(keys)
        self.refused = ""
        # The bots' own chance is fresh each time: nothing about the table's is to be read from it.
        self.chances: dict[Seat, Chance] = {seat: bot_chance(secrets.token_bytes(32), seat) for seat in bots}

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        table = self.table
        headline(f"{table.ruleset.game.title}: you are {self.me}, table {table.id}")
        if self.me in table.to_act or table.over:
            self._look()
        while not table.over:
            if self.me in table.to_act:
                if not self._my_move():
                    self.say_how_to_go_on()
                    return
            elif not self._bots_move() and not self._wait():
                say("Nobody may act, and the game is not over.")
                return
            if table.over:
                self.scene.ask()
            if self.me in table.to_act or table.over:
                self._look()
            # After the picture, so that what happened stands next to the question even where the screen is low.
            self._tell_news()
        if table.outcome is not None:
            tell_outcome(table.outcome)
        say_how_to_look_back(table, self.me, self.place)

    def say_how_to_go_on(self) -> None:
        """Everything is kept already."""
        say_how_to_go_on(self.table, self.me, self.place)

    def _look(self) -> None:
        self.scene.look(picture(self.table.view(self.me), self.granted))

    def _tell_news(self) -> None:
        for found in tell(self.table, self.me, self.told):
            for sentence in found.sentences:
                self.scene.tell(sentence, mark="* ")
        self.told = self.table.length
        if self.refused:
            self.scene.tell(self.refused, style="yellow")
            self.refused = ""

    def _bots_move(self) -> bool:
        """Let the bots act until it is the person's turn; whether any could."""
        moved = False
        with console().status("The others are thinking ..."):
            while (acting := self.table.to_act) and self.me not in acting:
                play_turn(self.table, acting[0], self.bots[acting[0]], self.chances[acting[0]])
                moved = True
        return moved

    def _wait(self) -> bool:
        """Where all wait for time to pass, let it pass; whether anything came of it."""
        before = self.table.length
        for _ in range(_PATIENCE * 10):
            self.table.tick()
            if self.table.length > before:
                return True
            time.sleep(0.1)
        return False

    def _my_move(self) -> bool:
        """Let the person choose; whether to go on."""
        table = self.table
        view = table.view(self.me)
        # Of two dice that show the same, either will do: what reads alike is listed once.
        readings: dict[str, Command] = {}
        for command in table.ruleset.legal(view, self.me):
            readings.setdefault(table.ruleset.tell(view, command), command)
        items, commands = list(readings), list(readings.values())
        say(f"Your move, {self.me}:", "bold")
        scene = self.scene
        chosen = pick(items, self.letters, self.keys, page=scene.page, first=scene.room, width=scene.width)
        if chosen == LEAVE:
            return False
        try:
            if isinstance(chosen, int):
                table.play(self.me, commands[chosen])
            elif chosen == "u":
                self._undo()
            elif chosen == _HELP:
                self._explain()
            elif chosen == "l":
                self.scene.ask()
            elif chosen == "w":
                self.scene.ask()
                self.granted = () if self.granted else self.wishes
            elif chosen == "r":
                table.redo(self.me)
        except CommandError as error:
            self.refused = str(error)
        return True

    def _explain(self) -> None:
        """Show the clauses that a word stands in, or one by its id, until the person has read enough."""
        game = self.table.ruleset.game
        say(f"{game.summary} A word shows the rules it stands in, an id such as a refusal names shows that rule.")
        left: Sequence[Clause] = ()
        while True:
            say(f"Which word or id? ([enter] {f'shows {len(left)} more' if left else 'goes back'})", "bold")
            word = typed_line(self.keys).strip()
            if not word and not left:
                return
            left = show_rules(find_rules(self.table.ruleset, word) if word else left, word, game)
            if not self.keys.at_once:
                return

    def _undo(self) -> None:
        """Take the person's last command back, and what the bots did since if they agree; bots always do."""
        table = self.table
        mine = [
            batch.number
            for batch in table.journal.batches(0, table.length)
            if batch.seat == self.me and table.history.counts(batch.number)
        ]
        if not mine:
            table.undo(self.me)
            return
        try:
            table.undo(self.me, to=mine[-1])
        except UndoRefused as refused:
            say(f"{refused} Do you ask the others? They agree. (y/n)", "yellow")
            if self.keys.key().lower() == "y":
                table.undo(self.me, to=mine[-1], consent=table.seats)
