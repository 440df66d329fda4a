"""One game and the chosen variants, compiled: plain dicts that decide, fold, list and draw."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

import msgspec

from ludolog import _log
from ludolog.chance import Chance
from ludolog.compose import order_variants, read_options, requirements, seat_counts, variants_that_seat
from ludolog.contributing import picture_before, waited_for
from ludolog.deciding import Decision, answer, begin, decide
from ludolog.derived import Memo
from ludolog.errors import (
    BadSeats,
    InvalidType,
    LudologError,
    MalformedCommand,
    OwnedTwice,
    PluginFailed,
    Refusal,
    RulesFault,
)
from ludolog.frame import Decline, Frame, RulesRecord, frame_rules
from ludolog.manifest import Game, Variant
from ludolog.merged import Merged, digest_of
from ludolog.outcome import Outcome
from ludolog.own_data import with_own, with_texts
from ludolog.position import Position
from ludolog.rules import Decider, Reducer, Rules
from ludolog.slots import Change, SlotTable, fill_slots
from ludolog.standing import lacks_nothing, standing
from ludolog.story import plain_sentence
from ludolog_events import Batch, Command, Event, Message, Seat, shown, told

__all__ = ["Decision", "Ruleset", "rules_of"]


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
        parts = (frame_rules, rules_of(game), *map(rules_of, self.variants))
        self.given_options = with_texts(parts, options or {})
        self.rules: tuple[Rules, ...] = parts
        self.seat_counts = seat_counts(game, self.variants)
        self.options = read_options(parts[1:], self.given_options)
        self.merged = Merged(parts)
        self._legal = tuple(part.legal_function for part in parts if part.legal_function is not None)
        self._to_act = cast("Callable[[Position], Iterable[Seat]]", parts[1].to_act_function)
        self.state_types = self.merged.state_types
        self.event_types = self.merged.event_types
        self.command_types = self.merged.command_types
        self.upcasters = self.merged.upcasters
        self.pictures = self.merged.pictures
        requires = {variant.id: requirements(variant, self.variants) for variant in self.variants}
        self.slots: dict[str, SlotTable[Any]] = fill_slots(
            [(part.id, requires.get(part.id, frozenset()), tuple(part.slots), self._changes(part)) for part in parts]
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
        self.digest = digest_of(self.records, self.merged, self.slots)
        self._decode()
        self._start = {kind: kind() for kind in self.state_types}
        self.memos: dict[Callable[..., Any], Memo] = {}
        """What functions of positions remember, see :func:`ludolog.derived.derived`; it never changes a result."""

    def _changes(self, part: Rules) -> tuple[Change, ...]:
        """What a part puts into slots; an owner's data has the last word in its own entries."""
        changes = tuple(part.changes)
        for option, read in part.data_functions.items():
            text: str = getattr(self.options[part.options_type], option)
            if text:
                changes = with_own(changes, read(text).changes)
        return changes

    def __repr__(self) -> str:
        """Its id."""
        return f"<Ruleset {self.id}>"

    @property
    def id(self) -> str:
        """The game's id, with the variants after a plus sign each."""
        return "+".join((self.game.id, *(variant.id.partition("/")[2] for variant in self.variants)))

    def __reduce__(self) -> tuple[object, ...]:
        """A ruleset is pickled as its recipe: by ids where its plugins are installed, else by its manifests."""
        from ludolog.catalogue import catalogue  # noqa: PLC0415 - the catalogue needs rulesets

        installed = catalogue()
        manifests: tuple[Game | Variant, ...] = (self.game, *self.variants)
        if all(installed.get(manifest.id) is manifest for manifest in manifests):
            ids = tuple(variant.id for variant in self.variants)
            return (_installed, (self.game.id, ids, self.given_options))
        return (Ruleset, (self.game, self.variants, self.given_options))

    def __copy__(self) -> Ruleset:
        """A ruleset never changes, so it is its own copy."""
        return self

    def __deepcopy__(self, _memo: object) -> Ruleset:
        """A ruleset never changes, so it is its own copy."""
        return self

    def _decode(self) -> None:
        self._stored = self.merged.stored_types()
        command, event = self._stored
        events: Any = Batch[msgspec.Raw, event]  # type: ignore[valid-type] # pyright: ignore[reportInvalidTypeArguments]
        self.command_decoder: msgspec.msgpack.Decoder[Command] = msgspec.msgpack.Decoder(command)
        self.one_event_decoder: msgspec.msgpack.Decoder[Event] = msgspec.msgpack.Decoder(event)
        self.json_decoder: msgspec.json.Decoder[Command] = msgspec.json.Decoder(command)
        self.event_decoder: msgspec.msgpack.Decoder[Batch[msgspec.Raw, Event]] = msgspec.msgpack.Decoder(events)

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
        if isinstance(seats, str) or not isinstance(seats, Sequence):  # pyright: ignore[reportUnnecessaryIsInstance]
            msg = f"Seats must be a tuple of names, not {shown(seats)}."
            raise BadSeats(msg)
        for name in cast("Sequence[object]", seats):
            if not isinstance(name, str) or not name.strip() or len(name) > 64 or not name.isprintable():  # noqa: PLR2004
                msg = f"A seat can't be named {shown(name)}: a name has 1 to 64 printable characters."
                raise BadSeats(msg)
        if len(set(seats)) != len(seats):
            doubled = next(name for name in seats if list(seats).count(name) > 1)
            msg = f"Two seats are named {doubled!r}."
            raise BadSeats(msg)
        if len(seats) not in self.seat_counts:
            counts = ", ".join(map(str, self.seat_counts))
            noun = "seat" if self.seat_counts == (1,) else "seats"
            msg = f"{self.id} is played by {counts} {noun}, not by {len(seats)}{self._seated_by(len(seats))}."
            raise BadSeats(msg)

    def _seated_by(self, count: int) -> str:
        """Which installed variants would let so many seats play, in words; empty if none does."""
        from ludolog.catalogue import catalogue  # noqa: PLC0415 - the catalogue needs rulesets

        installed = catalogue()
        if all(game is not self.game for game in installed.games):
            return ""
        found = variants_that_seat(self.game, self.variants, installed.variants(self.game.id), count)
        named = [f"the variant{'s' if len(ids) > 1 else ''} {' and '.join(ids)}" for ids in found]
        return f"; with {' or '.join(named)} it can be" if named else ""

    def fold(self, position: Position, events: Iterable[Event], seat: Seat | None = "") -> Position:
        """The position after ``events``; as ``seat`` is told them unless ``seat`` is ``""``."""
        slices = position.slices.copy()
        reducers = self.merged.reducers
        for event in events:
            fact: Event | None = event if seat == "" else told(event, seat)
            if fact is not None:
                for state, reduce, _, _ in reducers[type(fact)]:
                    slices[state] = reduce(slices[state], fact)
        return Position(self, slices, position.viewer, position.is_view)

    # ------------------------------------------------------------ deciding

    def to_act(self, position: Position) -> tuple[Seat, ...]:
        """Seats that may act now, in seat order; none after the end.

        Before the beginning they are those that have still to say what they contribute to the dice, if they are asked.
        """
        acting = position.acting
        if acting is None:
            frame: Frame = position.slices[Frame]
            asked = self._to_act if frame.begun else waited_for
            acting = () if frame.outcomes else answer(self, "The to_act function", lambda: tuple(asked(position)))
            position.acting = acting
        return acting

    def legal(self, position: Position, seat: Seat) -> tuple[Command, ...]:
        """All legal commands of ``seat``; none if it may not act. Works on the seat's view as on the position.

        Before the beginning, texts that only the seat knows are legal too, and can't be listed: what is, is to decline.
        """
        if seat not in self.to_act(position):
            return ()
        if not position.slices[Frame].begun:
            return (Decline(),)
        if len(self._legal) == 1:
            only = self._legal[0]
            return answer(self, "A legal function", lambda: tuple(only(position, seat)))
        functions = self._legal
        return answer(
            self,
            "A legal function",
            lambda: tuple(command for function in functions for command in function(position, seat)),
        )

    def due(self, position: Position, at: int) -> Command | None:
        """The command of the host that has fallen due by the moment ``at``; ``None`` if there is none."""
        function = self.rules[1].due_function
        if function is None or position.over or not position.slices[Frame].begun:
            return None
        return answer(self, "The due function", lambda: function(position, at))

    def begin(self, position: Position, chance: Chance, at: int = 0) -> Decision:
        """Set the game up: every set-up function in order, the game's first.

        Raises:
            RulesFault: The rules raised something.
        """
        return begin(self, position, chance, at)

    def decide(self, position: Position, seat: Seat | None, command: Command, chance: Chance, at: int = 0) -> Decision:
        """Decide ``command`` of ``seat`` (``None``: the host).

        Raises:
            CommandError: It is refused; the position is as it was.
            RulesFault: The rules raised something else than a refusal.
        """
        return decide(self, position, seat, command, chance, at)

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

    def value(self, position: Position) -> dict[Seat, float]:
        """How the seats stand in a full position, see :func:`ludolog.standing.standing`."""
        return standing(position)

    def tell(self, position: Position, message: Message) -> str:
        """An event or a command in a sentence, for whoever sees ``position`` and was told just ``message``.

        An event is told with the view just after it, a command with the view before. With any other view the sentence
        may be false: it names what lies there now. :meth:`Table.story` tells a feed with the right views.

        Where the game can't say it of this position, the sentence is made of the names of type and fields.
        """
        function = self.merged.sentences.get(type(message))
        if function is not None:
            try:
                return answer(self, f"The sentence for {type(message).__name__}", lambda: function(position, message))
            except LudologError as error:
                # It is only words, and the kit finds a game that can't say them.
                _log.warning("told by names", why=str(error) if isinstance(error, RulesFault) else type(error).__name__)
        return plain_sentence(message)

    def draw(self, kind: str, position: Position, **wishes: Any) -> str:  # noqa: ANN401 - the game's keywords
        """Picture of a position: ``"text"`` or ``"svg"``; ``wishes`` are what the game's picture can be asked for.

        Raises:
            InvalidType: The game has no such picture.
        """
        function = self.pictures.get(kind)
        frame: Frame = position.slices[Frame]
        if frame.contributions.phase and not frame.begun and (function is not None or kind == "text"):
            return picture_before(kind, position)
        if function is None:
            if kind == "text":
                return "\n".join(str(state) for state in position.slices.values())
            msg = f"{self.game.id} has no picture of kind {kind!r}."
            raise InvalidType(msg)
        return answer(self, f"The {kind} picture", lambda: function(position, **wishes))

    def read_command(self, text: str | bytes) -> Command:
        """A command from JSON text such as ``{"type": "tic-tac-toe/place", "cell": 4}``.

        Raises:
            MalformedCommand: It is none of this ruleset's, or a field is unknown or of the wrong type.
        """
        if not isinstance(text, str | bytes):  # pyright: ignore[reportUnnecessaryIsInstance]
            sentence = f"A command is read from JSON text, not from {shown(text)}."
            raise _malformed(sentence)
        try:
            command = self.json_decoder.decode(text)
        except (msgspec.DecodeError, RecursionError, UnicodeError, ValueError) as error:
            sentence = f"This is no command of {self.id}: {error}."
            raise _malformed(sentence) from None
        return self.checked(command)

    def checked(self, command: object) -> Command:
        """A command as its declared type reads it.

        Raises:
            MalformedCommand: It is none of this ruleset's, or a field has the wrong type.
        """
        if type(command) not in self.merged.deciders:
            sentence = f"{type(command).__name__} is no command of {self.id}."
            raise _malformed(sentence)
        try:
            return self.command_decoder.decode(msgspec.msgpack.encode(command))
        except (msgspec.MsgspecError, TypeError, ValueError, RecursionError, OverflowError) as error:
            sentence = f"{type(command).__name__} is malformed: {error}."
            raise _malformed(sentence) from None

    def read_plain_command(self, plain: object) -> Command:
        """A command from plain data; msgspec.ValidationError if it is none of this ruleset's."""
        found: Command = msgspec.convert(plain, self._stored[0])
        return found

    def read_plain_event(self, plain: object) -> Event:
        """An event from plain data; msgspec.ValidationError if it is none of this ruleset's."""
        found: Event = msgspec.convert(plain, self._stored[1])
        return found

    def reducers_of(self, event: type[Event]) -> tuple[Reducer, ...]:
        """Reducers of an event type."""
        return self.merged.reducers.get(event, ())

    def decider_of(self, command: type[Command]) -> Decider | None:
        """Decider of a command type; ``None`` for the library's own."""
        decider = self.merged.deciders.get(command)
        return None if decider is None or decider.rules == frame_rules.id else decider


def _malformed(sentence: str) -> MalformedCommand:
    return MalformedCommand(Refusal(code="malformed-command", sentence=sentence))


def rules_of(manifest: Game | Variant) -> Rules:
    """The rules behind a manifest.

    Raises:
        PluginFailed: They can't be loaded. OwnedTwice: They are those of another manifest.
    """
    try:
        rules = manifest.rules()
    except LudologError:
        raise
    except Exception as error:
        msg = f"The rules of {manifest.id!r} can't be loaded: {type(error).__name__}: {error}."
        raise PluginFailed(msg) from error
    if rules.id != manifest.id:
        msg = f"The manifest of {manifest.id!r} leads to the rules of {rules.id!r}."
        raise OwnedTwice(msg)
    return rules


def _installed(game: str, variants: tuple[str, ...], options: dict[str, Any]) -> Ruleset:
    """A ruleset of installed plugins, by their ids."""
    from ludolog.catalogue import catalogue  # noqa: PLC0415 - the catalogue needs rulesets

    return catalogue().ruleset(game, variants, options)
