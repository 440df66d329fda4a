"""What a game or a variant contributes: state, events, reducers, deciders, reactions, and entries of slots."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias, TypeVar, Union, overload

from ludolog.errors import IllegalCommand, OwnedTwice, Refusal
from ludolog.manifest import Options
from ludolog.slots import Change, Key, Slot
from ludolog_events import (
    Command,
    Event,
    InvalidType,
    Message,
    Seat,
    State,
    Upcaster,
    audiences,
    check_plain,
    owner_of,
    tag_of,
)

if TYPE_CHECKING:
    from ludolog.chance import Chance
    from ludolog.outcome import Outcome
    from ludolog.position import Now, Position

__all__ = ["Decider", "Reaction", "Reducer", "Rules", "refuse"]

T = TypeVar("T")
S = TypeVar("S", bound=State)
F = TypeVar("F", bound=Callable[..., Any])


def refuse(code: str, sentence: str, clause: str | None = None, **facts: Any) -> NoReturn:  # noqa: ANN401 - any plain fact
    """Refuse the command being decided.

    Args:
        code: Stable name of the reason, such as ``"not-in-hand"``.
        sentence: The reason in words, for people; it must say nothing that the seat may not know.
        clause: Id of the rule clause, such as ``"DH-33"``.
        facts: What blocks the command: numbers, names, tuples.

    Raises:
        IllegalCommand: Always.
    """
    raise IllegalCommand(Refusal(code=code, sentence=sentence, clause=clause, facts=facts))


class Reducer(NamedTuple):
    """How one event type changes one slice."""

    state: type[State]
    function: Callable[[Any, Any], Any]
    cites: tuple[str, ...]
    rules: str


class Decider(NamedTuple):
    """How one command type is decided."""

    function: Callable[[Any, Any], Iterator[Event]]
    by_host: bool
    cites: tuple[str, ...]
    rules: str


class Reaction(NamedTuple):
    """What follows from one event type."""

    function: Callable[[Any, Any], Iterator[Event]]
    cites: tuple[str, ...]
    rules: str


Cites: TypeAlias = str | tuple[str, ...]


class Rules:
    """The rules of one game or variant, collected by decorators.

    Args:
        id: ``"dark-horse-bugs"`` for a game, ``"dark-horse-bugs/dilly-dally"`` for a variant.
        version: Raised when the same commands would give other events.
        options: Struct of the options that these rules read.
        compatible: Older versions whose tables may be played on under this one.
    """

    def __init__(
        self,
        id: str,  # noqa: A002 - the field's name everywhere
        *,
        version: int = 1,
        options: type[Options] = Options,
        compatible: tuple[int, ...] = (),
    ) -> None:
        check_plain(options)
        self.id = id
        self.version = version
        self.options_type = options
        self.compatible = compatible
        self.states: list[type[State]] = []
        self.event_types: dict[str, type[Event]] = {}
        self.command_types: dict[str, type[Command]] = {}
        self.reducers: dict[type[Event], list[Reducer]] = {}
        self.deciders: dict[type[Command], Decider] = {}
        self.reactions: list[tuple[type[Event], Reaction]] = []
        self.slots: list[Slot[Any]] = []
        self.changes: list[Change] = []
        self.upcasters: dict[str, Upcaster] = {}
        self.legal_function: Callable[[Position, Seat], Iterable[Command]] | None = None
        self.to_act_function: Callable[[Position], Iterable[Seat]] | None = None
        self.waiting_function: Callable[[Position, Seat, Command], Refusal | None] | None = None
        self.due_function: Callable[[Position, int], Command | None] | None = None
        self.setup_function: Callable[[Now], Iterator[Event]] | None = None
        self.scoring_function: Callable[[Position, str], Outcome] | None = None
        self.determinize_function: Callable[[Position, Chance], Position] | None = None
        self.value_function: Callable[[Position], Mapping[Seat, float]] | None = None
        self.invariants: list[Callable[[Position], None]] = []
        self.data_functions: dict[str, Callable[[str], Rules]] = {}
        self.pictures: dict[str, Callable[..., str]] = {}
        self.sentences: dict[type[Message], Callable[[Any, Any], str]] = {}

    def __repr__(self) -> str:
        """Id and version."""
        return f"Rules({self.id!r}, version={self.version})"

    # ------------------------------------------------------------ state and facts

    def state(self, kind: type[S]) -> type[S]:
        """Declare a slice of the position; it starts as ``kind()``. Usable as a decorator."""
        try:
            kind()
        except TypeError as error:
            msg = f"State {kind.__name__} of {self.id} must have a default for every field ({error})."
            raise InvalidType(msg) from None
        check_plain(kind)
        self.states.append(kind)
        return kind

    def events(self, *kinds: type[Event]) -> None:
        """Declare event types. Those that a reducer takes declare themselves.

        Raises:
            InvalidType: A type lacks a tag, holds something else than plain values, or hides a field that can't be
                ``None``.
            OwnedTwice: A tag belongs to other rules.
        """
        for kind in kinds:
            tag = tag_of(kind)
            check_plain(kind, hides=True)
            audiences(kind)
            self._own(tag, kind, self.event_types)
            self.event_types[tag] = kind

    @overload
    def reducer(self, function: F) -> F: ...
    @overload
    def reducer(self, *, cites: Cites = ...) -> Callable[[F], F]: ...
    def reducer(self, function: F | None = None, *, cites: Cites = ()) -> F | Callable[[F], F]:
        """Declare how an event changes a slice: ``(slice, event) -> slice``, pure and total.

        Both types are read from the annotations; a union of event types takes each of them.
        """

        def register(function: F) -> F:
            state, kinds = _annotated(function)
            if state not in self.states:
                msg = f"Reducer {function.__name__} of {self.id} changes {state!r}, which is no state of these rules."
                raise InvalidType(msg)
            for kind in kinds:
                self.events(kind)
                self.reducers.setdefault(kind, []).append(Reducer(state, function, _tuple(cites), self.id))
            return function

        return register if function is None else register(function)

    # ------------------------------------------------------------ decisions

    @overload
    def decider(self, function: F) -> F: ...
    @overload
    def decider(self, *, by_host: bool = ..., cites: Cites = ...) -> Callable[[F], F]: ...
    def decider(self, function: F | None = None, *, by_host: bool = False, cites: Cites = ()) -> F | Callable[[F], F]:
        """Declare how a command is decided: a generator ``(now, command) -> events`` that may :func:`refuse`.

        Each event that it yields is folded at once, so the next line sees the new position. With ``by_host`` the
        command is the host's, not a seat's.
        """

        def register(function: F) -> F:
            _, kinds = _annotated(function)
            for kind in kinds:
                tag = tag_of(kind)
                check_plain(kind)
                self._own(tag, kind, self.command_types)
                if kind in self.deciders:
                    msg = f"Command {tag} of {self.id} has two deciders."
                    raise OwnedTwice(msg)
                self.command_types[tag] = kind
                self.deciders[kind] = Decider(function, by_host, _tuple(cites), self.id)
            return function

        return register if function is None else register(function)

    @overload
    def reaction(self, function: F) -> F: ...
    @overload
    def reaction(self, *, cites: Cites = ...) -> Callable[[F], F]: ...
    def reaction(self, function: F | None = None, *, cites: Cites = ()) -> F | Callable[[F], F]:
        """Declare what follows from an event, in the same batch: a generator ``(now, event) -> events``."""

        def register(function: F) -> F:
            _, kinds = _annotated(function)
            self.reactions.extend((kind, Reaction(function, _tuple(cites), self.id)) for kind in kinds)
            return function

        return register if function is None else register(function)

    def setup(self, function: Callable[[Now], Iterator[Event]]) -> Callable[[Now], Iterator[Event]]:
        """Declare the events with which a table begins: a generator ``(now) -> events``."""
        self.setup_function = function
        return function

    def legal(
        self, function: Callable[[Position, Seat], Iterable[Command]]
    ) -> Callable[[Position, Seat], Iterable[Command]]:
        """Declare which commands of these rules are legal: ``(position, seat) -> commands``.

        Asked only for a seat that may act. It must work on the seat's view, too.
        """
        self.legal_function = function
        return function

    def to_act(self, function: Callable[[Position], Iterable[Seat]]) -> Callable[[Position], Iterable[Seat]]:
        """Declare who may act: ``(position) -> seats``. A game's; variants bend it through the game's slots."""
        self.to_act_function = function
        return function

    def waiting(
        self, function: Callable[[Position, Seat, Command], Refusal | None]
    ) -> Callable[[Position, Seat, Command], Refusal | None]:
        """Declare why a seat that may not act has to wait; without it the library says whose turn it is.

        ``None`` lets the command's decider judge, for commands that may come out of turn.
        """
        self.waiting_function = function
        return function

    def due(self, function: Callable[[Position, int], Command | None]) -> Callable[[Position, int], Command | None]:
        """Declare what falls due as time passes: ``(position, at) -> a command of the host``, or ``None``. A game's.

        ``at`` is the moment, in microseconds, at which something arrives at the table: a command, or a host's tick.
        What is due by then is recorded first, as a command of its own; until it is, nothing else is decided. What a
        command makes due at its own moment is recorded right after it. It must work on views, too.
        """
        self.due_function = function
        return function

    def scoring(self, function: Callable[[Position, str], Outcome]) -> Callable[[Position, str], Outcome]:
        """Declare the outcome of a game that ended: ``(position, reason) -> Outcome``. A game's."""
        self.scoring_function = function
        return function

    def determinize(self, function: Callable[[Position, Chance], Position]) -> Callable[[Position, Chance], Position]:
        """Declare how hidden values are drawn to fit a view: ``(view, chance) -> position``."""
        self.determinize_function = function
        return function

    def value(self, function: Callable[[Position], Mapping[Seat, float]]) -> Callable[[Position], Mapping[Seat, float]]:
        """Declare how the seats stand before the end: ``(position) -> points by seat``. A game's; for bots.

        The scale is that of the final scores; of a game without scores, ``ludolog.standing.WON`` for a sure win.
        Asked only of full positions. Without it, the lines of the score sheet so far count.
        """
        self.value_function = function
        return function

    def invariant(self, function: Callable[[Position], None]) -> Callable[[Position], None]:
        """Declare what holds in every position: ``(position) -> None``, raising AssertionError where it does not.

        Play never asks it; the conformance kit does after every batch, of these rules and of whatever they are
        played with. Variants may declare more.
        """
        self.invariants.append(function)
        return function

    def picture(self, kind: str) -> Callable[[F], F]:
        """Declare a picture, ``"text"`` or ``"svg"``: ``(position) -> str``.

        What can be asked of it (shade this, turn that) are further keywords, each with a default.
        """

        def register(function: F) -> F:
            self.pictures[kind] = function
            return function

        return register

    def sentence(self, function: F) -> F:
        """Declare how an event or a command reads: ``(position, event) -> sentence``, the type by its annotation.

        The position is what the reader sees after the event, or before the command; what the reader is not told
        is ``None`` in both. An empty sentence means that there is nothing to tell people, as of mere bookkeeping.
        Without it, the sentence is made of the names of type and fields.
        """
        _, kinds = _annotated(function)
        self.sentences.update(dict.fromkeys(kinds, function))
        return function

    def upcast(self, tag: str) -> Callable[[Upcaster], Upcaster]:
        """Declare how a stored event of the old type ``tag`` becomes events of a newer one."""

        def register(function: Upcaster) -> Upcaster:
            if owner_of(tag) != self.id:
                msg = f"{self.id} can't upcast {tag!r}, which belongs to {owner_of(tag)}."
                raise OwnedTwice(msg)
            if tag in self.upcasters:
                msg = f"{tag!r} has two upcasters."
                raise OwnedTwice(msg)
            self.upcasters[tag] = function
            return function

        return register

    # ------------------------------------------------------------ slots

    def slot(self, slot: Slot[T], entries: Mapping[Key, T] | None = None, *, cites: str = "") -> Slot[T]:
        """Declare a slot, with its first entries."""
        self.slots.append(slot)
        for key, value in (entries or {}).items():
            self.add(slot, key, value, cites=cites)
        return slot

    def add(self, slot: Slot[T], key: Key, value: T, *, cites: str, before: Key | None = None) -> None:
        """Add an entry, at the end or ``before`` another."""
        self.changes.append(Change(slot, key, "adds", value, cites, before))

    def share(self, slot: Slot[T], key: Key, value: T, *, cites: str) -> None:
        """Add an entry that other rules may bring as well, from the place where it is defined: it is there once."""
        self.changes.append(Change(slot, key, "shares", value, cites))

    def replace(self, slot: Slot[T], key: Key, value: T, *, cites: str) -> None:
        """Put ``value`` in the place of an entry."""
        self.changes.append(Change(slot, key, "replaces", value, cites))

    def remove(self, slot: Slot[Any], key: Key, *, cites: str) -> None:
        """Take an entry out."""
        self.changes.append(Change(slot, key, "removes", None, cites))

    def adjust(self, slot: Slot[T], key: Key, change: Callable[[T], T], *, cites: str) -> None:
        """Change an entry by a function of its value; several variants may, in the ruleset's order."""
        self.changes.append(Change(slot, key, "adjusts", change, cites))

    def data(self, option: str) -> Callable[[Callable[[str], Rules]], Callable[[str], Rules]]:
        """Declare how an owner's data changes the slots of these rules: ``(text) -> rules``, whose changes count.

        Args:
            option: The option, of type str with default ``""``, that is given as the name of a file. Its text is
                recorded in the log. :mod:`ludolog.own_data` has what it takes to read one, and to say what is wrong.
        """

        def register(function: Callable[[str], Rules]) -> Callable[[str], Rules]:
            if option not in self.options_type.__struct_fields__:
                msg = f"{self.id} reads data by an option {option!r}, which it doesn't have."
                raise InvalidType(msg)
            self.data_functions[option] = function
            return function

        return register

    def _own(self, tag: str, kind: type, known: Mapping[str, type]) -> None:
        if owner_of(tag) != self.id:
            msg = f"{tag!r} belongs to {owner_of(tag)}, so {self.id} can't declare or reduce it."
            raise OwnedTwice(msg)
        if known.get(tag, kind) is not kind:
            msg = f"{self.id} declares {tag!r} twice, as {known[tag].__qualname__} and as {kind.__qualname__}."
            raise OwnedTwice(msg)


def _tuple(cites: Cites) -> tuple[str, ...]:
    return (cites,) if isinstance(cites, str) else cites


def _annotated(function: Callable[..., Any]) -> tuple[type[State], tuple[type[Any], ...]]:
    """Types of the two parameters of a reducer, decider or reaction."""
    try:
        hints = typing.get_type_hints(function)
    except NameError as error:
        msg = f"The annotations of {function.__qualname__} can't be read ({error}); import their types at run time."
        raise InvalidType(msg) from None
    hints.pop("return", None)
    if len(hints) != 2:  # noqa: PLR2004 - a first and a second parameter
        msg = f"{function.__qualname__} must take exactly two annotated parameters."
        raise InvalidType(msg)
    first, second = hints.values()
    if typing.get_origin(second) in {Union, types.UnionType}:
        return first, typing.get_args(second)
    return first, (second,)
