"""Opening tables: new ones, stored ones, and forks."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, cast

import msgspec

from ludolog import _log
from ludolog.catalogue import Catalogue, catalogue
from ludolog.chance import Blinder, Streams, commitment_of, fork_seed, seed_from
from ludolog.contributing import LONGEST, is_contribution
from ludolog.decoding import seal
from ludolog.errors import BadOptions, BadSeats, NotAStore, UnknownTable
from ludolog.folding import HOST, Facts, Fold
from ludolog.frame import Begin, ContributionsAsked, ForkPoint, Frame, Open, TableOpened
from ludolog.journal import Journal
from ludolog.position import Position
from ludolog.reading import Reading
from ludolog.recorded import mismatch as unplayable
from ludolog.recorded import ruleset_of
from ludolog.ruleset import Ruleset
from ludolog.store import MemoryStore, Store, Stored, StorePlugin
from ludolog.table import Table, moment_of
from ludolog.undoing import protected_batches
from ludolog_events import FORMAT, GENESIS, Batch, Command, CorruptLog, Event, Seat, encode, head_of, read_raw, shown

__all__ = ["fork_table", "new_table", "open_store", "open_table", "opening_in", "table_from", "tables"]

MAX_ID = 200

MAX_FORKS: Final = 50
"""How many times in a row a table may be forked: each is read through all before it."""

ASKED: Final = "asked"
"""What ``contributions`` is where the seats are asked at the table."""


def open_store(spec: Store | str | Path | None, *, create: bool = True) -> Store:
    """A store from a path (SQLite), a URL such as ``postgresql://...``, a store, or ``None`` (in memory).

    Raises:
        NotAStore: No plugin serves the URL, or the file is no store.
    """
    if spec is None:
        return MemoryStore()
    if not isinstance(spec, str | Path):
        if isinstance(spec, type) or not callable(getattr(spec, "payloads", None)):
            msg = f"{shown(spec)} is no store; give a path, a URL, a store, or None for one in memory."
            raise NotAStore(msg)
        return spec
    scheme = spec.partition("://")[0] if isinstance(spec, str) and "://" in spec else "sqlite"
    installed = catalogue()
    for name in installed.ids("ludolog_store"):
        plugin: StorePlugin = installed.load(name)
        if scheme in plugin.schemes:
            return plugin.open(str(spec), create=create)
    msg = f"No installed plugin has a store for {scheme!r}."
    raise NotAStore(msg)


def tables(store: Store | str | Path) -> tuple[str, ...]:
    """Ids of the tables in a store, sorted."""
    return open_store(store, create=False).tables()


def new_table(  # noqa: PLR0913 - its keywords are the library's front door
    game: str,
    seats: Sequence[Seat],
    variants: Iterable[str] = (),
    options: Mapping[str, Any] | None = None,
    *,
    seed: int | str | bytes | None = None,
    contributions: Mapping[Seat, str] | Literal["asked"] | None = None,
    store: Store | str | Path | None = None,
    id: str | None = None,  # noqa: A002 - the field's name everywhere
    at: int | None = None,
    source: Catalogue | None = None,
) -> Table:
    """Open a new table.

    Args:
        game: Id of the game.
        seats: Names of the seats, clockwise.
        variants: Short or full ids of variants.
        options: Options of game and variants, by name.
        seed: Secret from which all chance comes; ``None`` takes one from the system's generator. With the same seed,
            seats, variants, options and commands the same things happen.
        contributions: What seats add to the seed, so that nobody alone decides the dice. ``"asked"``: they are asked
            at the table, which begins when they have answered, see :mod:`ludolog.contributing`. Or their texts, where
            an app has collected them by itself; nothing in the log tells then when each of them was fixed.
        store: ``None``: in memory; a path: SQLite; a URL; or a store.
        id: The table's id; by default a random one.
        at: Time of opening in microseconds since 1970; by default now.
        source: Where plugins are looked up; by default among those installed.

    Raises:
        LudologError: Something is unknown, malformed or doesn't fit together; nothing was written.
    """
    ruleset = (catalogue() if source is None else source).ruleset(game, variants, options)
    return table_from(ruleset, seats, seed=seed, contributions=contributions, store=store, id=id, at=at)


def table_from(
    ruleset: Ruleset,
    seats: Sequence[Seat],
    *,
    seed: int | str | bytes | None = None,
    contributions: Mapping[Seat, str] | Literal["asked"] | None = None,
    store: Store | str | Path | None = None,
    id: str | None = None,  # noqa: A002
    at: int | None = None,
) -> Table:
    """Open a new table of a compiled ruleset; for the arguments see :func:`new_table`."""
    ruleset.check_seats(seats)
    table_id = _table_id(id)
    secret = seed_from(seed)
    moment = moment_of(at)
    opened = TableOpened(
        table=table_id,
        rules=ruleset.records,
        digest=ruleset.digest,
        seats=tuple(seats),
        commitment=commitment_of(secret, table_id),
        contributions=() if contributions == ASKED else _contributions(contributions or {}, tuple(seats)),
    )
    steps = _first_steps(ruleset, opened, secret, moment, asked=contributions == ASKED)
    found = open_store(store)
    found.create(table_id, [step.stored for step in steps], seed=secret)
    _log.info("table opened", table=table_id, game=ruleset.id, seats=len(seats))
    journal = Journal(found, table_id, ruleset, len(steps), steps[-1].stored.head)
    fold = Fold(ruleset.start(), journal.facts, HOST)
    for step in steps:
        fold.advance(Facts(step.stored.number, step.events), step.position)
    return Table(journal, opened, fold, seed=secret)


class _Step(NamedTuple):
    """A batch with which a table begins, and the position after it."""

    stored: Stored
    events: tuple[Event, ...]
    position: Position


def _first_steps(ruleset: Ruleset, opened: TableOpened, secret: bytes, moment: int, *, asked: bool) -> list[_Step]:
    """Opening and beginning; the opening alone, if the seats are asked to contribute to the dice before it begins."""
    events: tuple[Event, ...] = (opened,)
    if asked:
        events = (opened, ContributionsAsked(promise=opened.commitment))
    payload = seal(ruleset, _batch(secret, opened.table, 0, moment, Open(), events, GENESIS))
    position = ruleset.fold(ruleset.start(), events)
    steps = [_Step(Stored(0, payload, head_of(payload), None), events, position)]
    if not asked:
        begun = ruleset.begin(position, Streams(secret).at(1, opened.contributions), moment)
        events = begun.recorded(secret)
        batch = _batch(secret, opened.table, 1, moment, Begin(), events, head_of(payload), begun.draws)
        payload = seal(ruleset, batch)
        steps.append(_Step(Stored(1, payload, head_of(payload), None), events, begun.position))
    return steps


def open_table(
    table_id: str,
    store: Store | str | Path,
    *,
    source: Catalogue | None = None,
    ruleset: Ruleset | None = None,
) -> Table:
    """Open a stored table.

    Args:
        table_id: Its id.
        store: Where it is stored; see :func:`open_store`.
        source: Where plugins are looked up; by default among those installed.
        ruleset: What it is played by, compiled already; by default the rules that its opening names are looked up.

    Raises:
        UnknownTable: The store has no such table.
        MissingPlugin: Its game or a variant isn't installed; verifying and exporting its log still work.
        CorruptLog: Its log is damaged.
    """
    found = open_store(store, create=False)
    opened = read_opening(found, table_id)
    if ruleset is None:
        ruleset = ruleset_of(catalogue() if source is None else source, opened)
    parent = None
    if opened.forked:
        parent = _parent_of(opened, found, source, ruleset)
    journal = Journal(found, table_id, ruleset, *found.head(table_id))
    mismatch = unplayable(ruleset, opened)
    table = Table(journal, opened, seed=found.seed(table_id) or None, parent=parent, mismatch=mismatch)
    _log.info("table opened again", table=table_id, game=ruleset.id, length=table.length)
    return table


def _parent_of(opened: TableOpened, store: Store, source: Catalogue | None, ruleset: Ruleset) -> Table:
    """The table that a fork left; its log must still hold the batch that the fork follows."""
    fork = opened.forked[0]
    _check_forks(opened, store)
    parent = open_table(fork.table, store, source=source, ruleset=ruleset)
    if [head.hex() for head in parent.journal.heads(fork.length - 1, fork.length)] != [fork.head]:
        why = f"the log of {fork.table!r} is not the one that it was forked from"
        raise CorruptLog(why, table=opened.table, batch=0)
    return parent


def _check_forks(opened: TableOpened, store: Store) -> None:
    """Forks of forks come to an end: a log that was made up may name a table that names it in turn."""
    seen: set[str] = set()
    at = opened
    while at.forked:
        seen.add(at.table)
        parent = at.forked[0].table
        why = ""
        if parent in seen:
            why = "it says that it was forked from itself" + (f", by way of {at.table!r}" if at is not opened else "")
        elif len(seen) > MAX_FORKS:
            why = f"it is a fork of a fork more than {MAX_FORKS} times"
        if why:
            raise CorruptLog(why, table=opened.table, batch=0)
        at = read_opening(store, parent)


def read_opening(store: Store, table_id: str) -> TableOpened:
    """The first event of a log; readable whatever is installed.

    Raises:
        UnknownTable: The store has no such table.
        CorruptLog: The log doesn't begin with the opening of this table.
    """
    if not isinstance(table_id, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        msg = f"The store has no table {shown(table_id)}."
        raise UnknownTable(msg)
    store.head(table_id)
    for stored in store.read(table_id, 0, 1):
        opened = opening_in(stored.payload)
        if opened.table != table_id:
            why = f"it begins with the opening of table {opened.table!r}"
            raise CorruptLog(why, table=table_id, batch=0)
        return opened
    why = "it is empty"
    raise CorruptLog(why, table=table_id)


def opening_in(payload: bytes) -> TableOpened:
    """The opening in the first batch of a log.

    Raises:
        CorruptLog: The batch doesn't open a table.
    """
    raw = read_raw(payload, batch=0)
    try:
        opened = msgspec.msgpack.decode(raw.events[0], type=TableOpened)
    except (msgspec.DecodeError, IndexError, RecursionError) as error:
        why = f"it does not begin with the opening of a table ({error})"
        raise CorruptLog(why, batch=0) from None
    if not opened.rules:
        why = "it begins with the opening of a table without rules"
        raise CorruptLog(why, table=opened.table, batch=0)
    return opened


def fork_table(
    parent: Reading, length: int, *, table_id: str | None = None, seed: int | str | bytes | None = None
) -> Table:
    """A new table in the parent's store that goes on after ``length`` of its batches."""
    _check_depth(parent)
    parent.at(length)
    if not parent.position[Frame].begun:
        msg = f"Table {parent.id!r} has not begun, so it can't be forked yet."
        raise BadOptions(msg)
    first_game_batch = protected_batches(parent.opened, parent.position, parent.journal, parent.length)
    if length < first_game_batch:
        msg = f"Table {parent.id!r} can be forked from batch {first_game_batch} on, not after {length}."
        raise BadOptions(msg)
    new_id = _table_id(table_id)
    head = parent.journal.heads(length - 1, length)[0]
    secret = fork_seed(seed_from(seed), parent.seed or b"", length)
    opened = TableOpened(
        table=new_id,
        rules=parent.opened.rules,
        digest=parent.opened.digest,
        seats=parent.seats,
        commitment=commitment_of(secret, new_id),
        forked=(ForkPoint(table=parent.id, length=length, head=head.hex()),),
    )
    payload = encode(_batch(secret, new_id, 0, moment_of(None), Open(), (opened,), GENESIS))
    store = parent.journal.store
    store.create(new_id, [Stored(0, payload, head_of(payload), None)], seed=secret)
    _log.info("table forked", table=new_id, parent=parent.id, length=length)
    journal = Journal(store, new_id, parent.ruleset, 1, head_of(payload))
    return Table(journal, opened, seed=secret, parent=parent, mismatch=parent.mismatch)


def _check_depth(parent: Reading) -> None:
    depth, at = 1, parent
    while at.parent is not None:
        depth, at = depth + 1, at.parent
    if depth > MAX_FORKS:
        msg = f"Table {parent.id!r} can't be forked: it is a fork of a fork {MAX_FORKS} times already."
        raise BadOptions(msg)


def _contributions(given: object, seats: tuple[Seat, ...]) -> tuple[tuple[Seat, str], ...]:
    """What the seats contributed to the chance stream, in seat order."""
    if not isinstance(given, Mapping):
        msg = f"Contributions are {ASKED!r}, or texts by seat, not {shown(given)}."
        raise BadOptions(msg)
    texts = cast("Mapping[Seat, str]", given)
    for seat, text in texts.items():
        if seat not in seats:
            msg = f"Nobody named {shown(seat)} sits at this table, so nobody of that name contributes to its seed."
            raise BadSeats(msg)
        if not is_contribution(text):
            msg = f"{seat} can't contribute {shown(text)}: a contribution has 1 to {LONGEST} printable characters."
            raise BadOptions(msg)
    return tuple((seat, texts[seat]) for seat in seats if seat in texts)


def _table_id(given: object) -> str:
    if given is None:
        return secrets.token_hex(6)
    if (
        not isinstance(given, str)
        or not given
        or len(given) > MAX_ID
        or not given.isprintable()
        or given != given.strip()
    ):  # pyright: ignore[reportUnnecessaryIsInstance]
        msg = f"A table can't have the id {shown(given)}: an id has 1 to {MAX_ID} printable characters."
        raise BadOptions(msg)
    # A text of a kind of its own, such as a member of an enumeration, is none that a log can hold.
    return str.__str__(given)


def _batch(
    secret: bytes,
    table_id: str,
    number: int,
    at: int,
    command: Command,
    events: tuple[Event, ...],
    previous: bytes,
    draws: str = "",
) -> Batch[Command, Event]:
    return Batch(
        format=FORMAT,
        number=number,
        time=at,
        seat=None,
        command_id=None,
        command=command,
        events=events,
        draws=draws,
        blind=Blinder(secret, table_id).blind(number),
        previous=previous,
    )
