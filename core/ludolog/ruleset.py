"""One game and the chosen variants, compiled: plain dicts that decide, fold, list and draw."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias, Union, cast

import msgspec

from ludolog.chance import Chance
from ludolog.compose import order_variants, read_options, seat_counts
from ludolog.errors import (
    BadSeats,
    GameOver,
    IllegalCommand,
    InvalidType,
    LudologError,
    MalformedCommand,
    NotYourTurn,
    OwnedTwice,
    Refusal,
    RulesFault,
    UnknownSeat,
)
from ludolog.frame import Frame, GameBegun, GameEnded, RulesRecord, frame_rules
from ludolog.manifest import Game, Variant
from ludolog.outcome import Outcome
from ludolog.position import NOT_ASKED, Now, Position
from ludolog.rules import Decider, Reaction, Reducer, Rules
from ludolog.slots import SlotTable, fill_slots
from ludolog.standing import lacks_nothing, standing
from ludolog.story import plain_sentence
from ludolog_events import Batch, Command, Event, Message, Seat, State, Upcaster, told

__all__ = ["Decision", "Ruleset", "refuse_when_over"]

MAX_EVENTS: Final = 10_000
"""Most events of one batch; reactions that call each other without end are stopped there."""

_NONE: Final[tuple[Reaction, ...]] = ()

Change: TypeAlias = tuple[type[State], Callable[[Any, Any], Any]]


class Decision(msgspec.Struct, frozen=True):
    """What a command led to: its events, the position after them, and what was drawn from chance (as in a batch)."""

    events: tuple[Event, ...]
    position: Position
    draws: str


class Ruleset:
    """One game and the chosen variants.

    Args:
        game: Manifest of the game.
        variants: Manifests of the variants, in any order.
        options: Option names and values, for game and variants together.

    Raises:
        CompositionError: The variants don't fit together.
        BadOptions: An option is unknown or has an impossible value.
    """

    def __init__(self, game: Game, variants: Sequence[Variant] = (), options: Mapping[str, Any] | None = None) -> None:
        self.game = game
        self.variants = order_variants(game, variants)
        self.given_options = dict(options or {})
        parts: tuple[Rules, ...] = (frame_rules, game.rules(), *(variant.rules() for variant in self.variants))
        manifests: tuple[Game | Variant, ...] = (game, *self.variants)
        for part, manifest in zip(parts[1:], manifests, strict=True):
            if part.id != manifest.id:
                msg = f"The manifest of {manifest.id!r} leads to the rules of {part.id!r}."
                raise OwnedTwice(msg)
        self.rules: tuple[Rules, ...] = parts
        self.seat_counts = seat_counts(game, self.variants)
        self.options = read_options(parts[1:], self.given_options)
        self._collect()
        requires = {variant.id: _requirements(variant, self.variants) for variant in self.variants}
        self.slots: dict[str, SlotTable[Any]] = fill_slots(
            [(part.id, requires.get(part.id, frozenset()), tuple(part.slots), tuple(part.changes)) for part in parts]
        )
        self.records = tuple(
            RulesRecord(
                id=part.id,
                version=part.version,
                options=msgspec.json.encode(
                    msgspec.to_builtins(self.options[part.options_type]), order="sorted"
                ).decode(),
            )
            for part in parts[1:]
        )
        self.digest = self._digest()
        self._start = {kind: kind() for kind in self.state_types}

    def __repr__(self) -> str:
        """Its id."""
        return f"<Ruleset {self.id}>"

    @property
    def id(self) -> str:
        """The game's id, with the variants after a plus sign each."""
        return "+".join((self.game.id, *(variant.id.partition("/")[2] for variant in self.variants)))

    def __reduce__(self) -> tuple[object, ...]:
        """A ruleset is pickled as its recipe."""
        return (Ruleset, (self.game, self.variants, self.given_options))

    def __copy__(self) -> Ruleset:
        """A ruleset never changes, so it is its own copy."""
        return self

    def __deepcopy__(self, _memo: object) -> Ruleset:
        """A ruleset never changes, so it is its own copy."""
        return self

    # ------------------------------------------------------------ compiling

    def _collect(self) -> None:
        self.state_types: dict[type[State], str] = {}
        self.event_types: dict[str, type[Event]] = {}
        self.command_types: dict[str, type[Command]] = {}
        self.upcasters: dict[str, Upcaster] = {}
        self.pictures: dict[str, Callable[..., str]] = {}
        self._sentences: dict[type[Message], Callable[[Position, Message], str]] = {}
        self._changes: dict[type[Event], tuple[Change, ...]] = {}
        self._reducers: dict[type[Event], tuple[Reducer, ...]] = {}
        self._deciders: dict[type[Command], Decider] = {}
        self._reactions: dict[type[Event], tuple[Reaction, ...]] = {}
        for part in self.rules:
            for kind in part.states:
                if kind in self.state_types:
                    msg = f"State {kind.__name__} is declared by {self.state_types[kind]} and by {part.id}."
                    raise OwnedTwice(msg)
                if f"{part.id}/{kind.__name__}" in self.state_types.values():
                    msg = f"{part.id} declares two states named {kind.__name__}."
                    raise InvalidType(msg)
                self.state_types[kind] = f"{part.id}/{kind.__name__}"
            self.event_types |= part.event_types
            self.command_types |= part.command_types
            self.upcasters |= part.upcasters
            self.pictures |= part.pictures
            self._sentences |= part.sentences
            self._deciders |= part.deciders
            for event, reducers in part.reducers.items():
                self._reducers[event] = tuple(reducers)
                self._changes[event] = tuple((reducer.state, reducer.function) for reducer in reducers)
            for event, reaction in part.reactions:
                self._reactions[event] = (*self._reactions.get(event, ()), reaction)
        for event in self.event_types.values():
            self._changes.setdefault(event, ())
        self._known_events = frozenset(self.event_types.values())
        for event in self._reactions:
            if event not in self._known_events:
                msg = f"A reaction waits for {event.__name__}, which no rules of this ruleset declare."
                raise InvalidType(msg)
        self._legal = tuple(part.legal_function for part in self.rules if part.legal_function is not None)
        found = self.rules[1].to_act_function
        if found is None or self.rules[1].scoring_function is None:
            msg = f"Game {self.game.id} must declare to_act and scoring."
            raise InvalidType(msg)
        self._to_act = found
        commands: Any = _union(self.command_types.values())
        events: Any = _union(self.event_types.values())
        batch: Any = Batch
        self.command_decoder: msgspec.msgpack.Decoder[Command] = msgspec.msgpack.Decoder(commands)
        self.json_decoder: msgspec.json.Decoder[Command] = msgspec.json.Decoder(commands)
        self.batch_type: type[Batch[Command, Event]] = batch[commands, events]
        self.batch_decoder: msgspec.msgpack.Decoder[Batch[Command, Event]] = msgspec.msgpack.Decoder(self.batch_type)
        self.event_decoder: msgspec.msgpack.Decoder[Batch[msgspec.Raw, Event]] = msgspec.msgpack.Decoder(
            batch[msgspec.Raw, events]
        )

    def _digest(self) -> str:
        """SHA-256 over everything that shapes how commands are decided, as far as it is data."""
        content = {
            "rules": [[record.id, record.version, record.options] for record in self.records],
            "events": {tag: list(kind.__struct_fields__) for tag, kind in sorted(self.event_types.items())},
            "commands": {tag: list(kind.__struct_fields__) for tag, kind in sorted(self.command_types.items())},
            "states": {name: list(kind.__struct_fields__) for kind, name in self.state_types.items()},
            "slots": {
                name: [[key, [str(source) for source in table.sources[key]], _plain(table[key])] for key in table]
                for name, table in sorted(self.slots.items())
            },
        }
        return hashlib.sha256(msgspec.json.encode(content, order="deterministic")).hexdigest()

    # ------------------------------------------------------------ folding

    def start(self) -> Position:
        """The position before the first event."""
        return Position(self, dict(self._start))

    def opening(self, seats: Sequence[Seat]) -> Position:
        """The position of these seats before set-up, for simulations without a table.

        Raises:
            BadSeats: Their names or their number can't be played with.
        """
        self.check_seats(seats)
        position = self.start()
        position.slices[Frame] = Frame(seats=tuple(seats))
        return position

    def check_seats(self, seats: Sequence[Seat]) -> None:
        """Check names and number of seats.

        Raises:
            BadSeats: A name is empty, too long, doubled or unprintable, or the number doesn't suit.
        """
        if isinstance(seats, str):
            msg = f"Seats must be a tuple of names, not the text {seats!r}."
            raise BadSeats(msg)
        for name in cast("Sequence[object]", seats):
            if not isinstance(name, str) or not name.strip() or len(name) > 64 or not name.isprintable():  # noqa: PLR2004
                msg = f"A seat can't be named {name!r}: a name has 1 to 64 printable characters."
                raise BadSeats(msg)
        if len(set(seats)) != len(seats):
            doubled = next(name for name in seats if list(seats).count(name) > 1)
            msg = f"Two seats are named {doubled!r}."
            raise BadSeats(msg)
        if len(seats) not in self.seat_counts:
            counts = ", ".join(map(str, self.seat_counts))
            msg = f"{self.id} is played by {counts} seats, not by {len(seats)}."
            raise BadSeats(msg)

    def fold(self, position: Position, events: Iterable[Event], seat: Seat | None = "") -> Position:
        """The position after ``events``; as ``seat`` is told them unless ``seat`` is ``""``."""
        work = position.copy()
        slices = work.slices
        changes = self._changes
        for event in events:
            fact: Event | None = event if seat == "" else told(event, seat)
            if fact is not None:
                for kind, function in changes[type(fact)]:
                    slices[kind] = function(slices[kind], fact)
        return work

    # ------------------------------------------------------------ deciding

    def to_act(self, position: Position) -> tuple[Seat, ...]:
        """Seats that may act now, in seat order; none before the beginning and after the end."""
        acting = position.acting
        if acting is NOT_ASKED:
            frame: Frame = position.slices[Frame]
            acting = () if frame.outcomes or not frame.begun else tuple(self._to_act(position))
            position.acting = acting
        return acting

    def legal(self, position: Position, seat: Seat) -> tuple[Command, ...]:
        """All legal commands of ``seat``; none if it may not act. Works on the seat's view as on the position."""
        if seat not in self.to_act(position):
            return ()
        if len(self._legal) == 1:
            return tuple(self._legal[0](position, seat))
        return tuple(command for function in self._legal for command in function(position, seat))

    def due(self, position: Position, at: int) -> Command | None:
        """The command of the host that has fallen due by the moment ``at``; ``None`` if there is none."""
        function = self.rules[1].due_function
        if function is None or position.over:
            return None
        return function(position, at)

    def begin(self, position: Position, chance: Chance, at: int = 0) -> Decision:
        """Set the game up: every set-up function in order, the game's first."""
        work = position.copy()
        now = Now(work, "", chance, at)
        events: list[Event] = []
        self._add(events, now, GameBegun())
        for part in self.rules:
            if part.setup_function is not None:
                self._run(events, now, part.setup_function(now), part)
        work.acting = NOT_ASKED  # a decider may have asked halfway
        return Decision(tuple(events), work, chance.draws)

    def decide(self, position: Position, seat: Seat | None, command: Command, chance: Chance, at: int = 0) -> Decision:
        """Decide ``command`` of ``seat`` (``None``: the host).

        Raises:
            CommandError: It is refused; the position is as it was.
            RulesFault: The rules raised something else than a refusal.
        """
        decider = self._deciders.get(type(command))
        if decider is None:
            raise MalformedCommand(_malformed(f"{type(command).__name__} is no command of {self.id}."))
        refuse_when_over(position)
        if decider.by_host:
            if seat is not None:
                raise NotYourTurn(Refusal(code="host-only", sentence="Only the table's host gives this command."))
        elif seat is None or seat not in self.to_act(position):
            waiting = self._why_waiting(position, seat, command, self.to_act(position))
            if waiting is not None:
                raise NotYourTurn(waiting)
        if self.rules[1].due_function is not None and self.due(position, at) not in (None, command):
            raise IllegalCommand(Refusal(code="something-due", sentence="Something has fallen due before this."))
        work = Position(self, position.slices.copy(), position.viewer, position.is_view)
        now = Now(work, seat or "", chance, at)
        events: list[Event] = []
        self._run(events, now, decider.function(now, command), decider)
        if work.slices[Frame].outcomes and type(events[-1]) is not GameEnded:
            msg = f"{type(events[-1]).__name__} comes after the end of the game; the batch was dropped."
            raise RulesFault(msg)
        work.acting = NOT_ASKED  # a decider may have asked halfway
        return Decision(tuple(events), work, chance.draws)

    def _why_waiting(
        self, position: Position, seat: Seat | None, command: Command, acting: tuple[Seat, ...]
    ) -> Refusal | None:
        seats = position.slices[Frame].seats
        if seat is None or seat not in seats:
            msg = f"Nobody named {seat!r} sits at this table; the seats are {', '.join(seats)}."
            raise UnknownSeat(msg)
        function = self.rules[1].waiting_function
        if function is not None and acting:
            return function(position, seat, command)
        return Refusal(
            code="not-your-turn",
            sentence=f"It is the turn of {' and '.join(acting)}, not of {seat}." if acting else "Nobody may act now.",
            facts={"to_act": acting},
        )

    def _run(self, events: list[Event], now: Now, deciding: Iterable[Event], what: object) -> None:
        try:
            for event in deciding:
                self._add(events, now, event)
        except LudologError:
            raise
        except Exception as error:
            tell = f" after {type(events[-1]).__name__}" if events else ""
            msg = f"{type(error).__name__} in {_where(what)}{tell}: {error}. Nothing was recorded."
            raise RulesFault(msg) from error

    def _add(self, events: list[Event], now: Now, event: Event) -> None:
        """Fold one event at once, then what follows from it."""
        slices = now.position.slices
        kind = type(event)
        changes = self._changes.get(kind)
        if changes is None:
            msg = f"{kind.__name__} is no event of {self.id}; the batch was dropped."
            raise RulesFault(msg)
        events.append(event)
        if len(events) > MAX_EVENTS:
            msg = f"A batch has more than {MAX_EVENTS} events; the last is {kind.__name__}."
            raise RulesFault(msg)
        for state, function in changes:
            try:
                slices[state] = function(slices[state], event)
            except Exception as error:
                msg = f"{type(error).__name__} in the reducer of {kind.__name__}: {error}. Nothing was recorded."
                raise RulesFault(msg) from error
        for reaction in self._reactions.get(kind, _NONE):
            self._run(events, now, reaction.function(now, event), reaction)

    # ------------------------------------------------------------ reading

    def score(self, position: Position, reason: str) -> Outcome:
        """Outcome of a game that ends for ``reason``."""
        function = self.rules[1].scoring_function
        assert function is not None  # noqa: S101 - checked when compiled
        return function(position, reason)

    def determinize(self, view: Position, chance: Chance) -> Position:
        """Draw a full position that fits ``view``, by game and variants in order.

        Raises:
            InvalidType: The game doesn't say how, and the view lacks something.
        """
        position = view
        if self.rules[1].determinize_function is None and not all(map(lacks_nothing, view.slices.values())):
            msg = f"{self.game.id} doesn't say how to determinize a view."
            raise InvalidType(msg)
        for part in self.rules:
            if part.determinize_function is not None:
                position = part.determinize_function(position, chance)
        return Position(self, position.slices)

    def value(self, position: Position) -> dict[Seat, int]:
        """How the seats stand in a full position, see :func:`ludolog.standing.standing`."""
        return standing(position)

    def tell(self, position: Position, message: Message) -> str:
        """An event or a command in a sentence, for whoever sees ``position`` and was told just ``message``."""
        function = self._sentences.get(type(message))
        return plain_sentence(message) if function is None else function(position, message)

    def draw(self, kind: str, position: Position, **wishes: Any) -> str:  # noqa: ANN401 - the game's keywords
        """Picture of a position: ``"text"`` or ``"svg"``; ``wishes`` are what the game's picture can be asked for.

        Raises:
            InvalidType: The game has no such picture.
        """
        function = self.pictures.get(kind)
        if function is None:
            if kind == "text":
                return "\n".join(str(state) for state in position.slices.values())
            msg = f"{self.game.id} has no picture of kind {kind!r}."
            raise InvalidType(msg)
        return function(position, **wishes)

    def read_command(self, text: str | bytes) -> Command:
        """A command from JSON text such as ``{"type": "tic-tac-toe/place", "cell": 4}``.

        Raises:
            MalformedCommand: It is none of this ruleset's, or a field is unknown or of the wrong type.
        """
        try:
            return self.json_decoder.decode(text)
        except (msgspec.DecodeError, RecursionError, UnicodeError, ValueError) as error:
            raise MalformedCommand(_malformed(f"This is no command of {self.id}: {error}.")) from None

    def checked(self, command: object) -> Command:
        """A command as its declared type reads it.

        Raises:
            MalformedCommand: It is none of this ruleset's, or a field has the wrong type.
        """
        if type(command) not in self._deciders:
            raise MalformedCommand(_malformed(f"{type(command).__name__} is no command of {self.id}."))
        try:
            return self.command_decoder.decode(msgspec.msgpack.encode(command))
        except (msgspec.MsgspecError, TypeError, ValueError, RecursionError, OverflowError) as error:
            sentence = f"{type(command).__name__} is malformed: {error}."
            raise MalformedCommand(_malformed(sentence)) from None

    def reducers_of(self, event: type[Event]) -> tuple[Reducer, ...]:
        """Reducers of an event type."""
        return self._reducers.get(event, ())

    def decider_of(self, command: type[Command]) -> Decider | None:
        """Decider of a command type; ``None`` for the library's own."""
        return self._deciders.get(command)


def refuse_when_over(position: Position) -> None:
    """Refuse whatever is asked after the end, always for the same reason.

    Raises:
        GameOver: The game has ended.
    """
    frame: Frame = position.slices[Frame]
    if frame.outcomes:
        outcome = frame.outcomes[0]
        raise GameOver(
            Refusal(
                code="game-over",
                sentence=f"The game is over: {outcome.sentence}",
                clause=outcome.clause or None,
                facts={"reason": outcome.reason},
            )
        )


def _where(what: object) -> str:
    """Which part of which rules was running, in words."""
    if isinstance(what, Decider | Reaction):
        return f"{what.function.__name__} of {what.function.__module__}"
    return f"the set-up of {what}"


def _malformed(sentence: str) -> Refusal:
    return Refusal(code="malformed-command", sentence=sentence)


def _requirements(variant: Variant, variants: Sequence[Variant]) -> frozenset[str]:
    """Ids that ``variant`` requires, directly or through another."""
    by_id = {found.id: found for found in variants}
    found: set[str] = set()
    pending = [variant]
    while pending:
        for other in pending.pop().requires:
            full = other if "/" in other else f"{variant.game}/{other}"
            if full in by_id and full not in found:
                found.add(full)
                pending.append(by_id[full])
    return frozenset(found)


def _union(kinds: Iterable[type[Message]]) -> Any:  # noqa: ANN401 - a type, made at run time
    return Union[tuple(kinds)]  # noqa: UP007


def _plain(value: object) -> object:
    """Data of a slot's entry as far as it can be written down; functions count by their name."""
    try:
        return msgspec.to_builtins(value, enc_hook=_named)
    except (TypeError, ValueError, RecursionError):
        return _named(value)


def _named(value: object) -> str:
    return getattr(value, "__qualname__", type(value).__qualname__)
