"""Everything that reads what may come from outside, each with input made for it."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.resources
import io
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import msgspec

from ludolog.bundles import export_bundle, export_told, import_bundle, read_lines, verify_against, verify_bundle
from ludolog.catalogue import catalogue
from ludolog.clauses import read_clauses
from ludolog.decoding import decode_batch, written_alike
from ludolog.feed_position import FeedPosition
from ludolog.opening import open_store, open_table, opening_in
from ludolog.ruleset import Ruleset, rules_of
from ludolog.snapshot import load
from ludolog.store import MemoryStore
from ludolog.testing.hostile_inputs import json_value, msgpack_value, mutated, spliced, text, toml_lines
from ludolog.testing.specimens import Specimen, specimens
from ludolog.testing.tampered_files import files_of
from ludolog.testing.tampered_logs import fields_of
from ludolog.verifying import verify_table
from ludolog_events import Receipt, check_canonical, check_chain, from_json, head_of, read_raw, to_json

__all__ = ["Reader", "readers"]

BUGS = "dark-horse-bugs"
CLAUSES = "hostile_clauses"


class Reader(msgspec.Struct, frozen=True):
    """Something that reads: what is made for it, and how it reads that.

    ``weight`` says how often it gets its turn; what takes long is seldom asked.
    """

    name: str
    weight: int
    make: Callable[[Random], Any]
    read: Callable[[Any], object]


def readers(folder: Path) -> tuple[Reader, ...]:
    """All of them; ``folder`` is for files that they read."""
    logs = specimens(BUGS)
    return (
        *_of_batches(logs[0], logs[0].ruleset),
        *_of_commands(),
        *_of_snapshots(logs[1]),
        *_of_stored_logs(logs),
        *_of_bundles(logs[0], folder),
        *_of_data(),
        *_of_places(folder),
        *_of_the_command_line(logs[0], folder),
    )


# ------------------------------------------------------------ batches


def _batch(rng: Random, log: Specimen) -> bytes:
    """A batch that isn't one, or not a good one."""
    payload = rng.choice(log.rows).payload
    chance = rng.random()
    if chance < 1 / 8:
        return rng.randbytes(rng.randrange(200))
    if chance < 1 / 4:
        return msgpack_value(rng)
    if chance < 1 / 2:
        return mutated(rng, payload)
    return msgspec.msgpack.encode(spliced(rng, [*fields_of(payload).values()], msgpack_value))


def _line(rng: Random, log: Specimen) -> bytes:
    line = to_json(rng.choice(log.rows).payload)
    chance = rng.random()
    if chance < 1 / 4:
        return json_value(rng)
    if chance < 1 / 2:
        return mutated(rng, line)
    return msgspec.json.encode(spliced(rng, msgspec.json.decode(line), json_value))


def _of_batches(log: Specimen, ruleset: Ruleset) -> Iterator[Reader]:
    def canonical(payload: bytes) -> None:
        check_canonical(payload)
        check_chain(payload, 3, bytes(32))

    def typed(payload: bytes) -> None:
        decode_batch(ruleset, payload, read_raw(payload).number)
        written_alike(ruleset, payload)

    yield Reader("batch", 12, lambda rng: _batch(rng, log), read_raw)
    yield Reader("canonical bytes of a batch", 12, lambda rng: _batch(rng, log), canonical)
    yield Reader("batch with its types", 12, lambda rng: _batch(rng, log), typed)
    yield Reader("batch as JSON", 12, lambda rng: _line(rng, log), from_json)
    yield Reader("opening", 4, lambda rng: _batch(rng, log._replace(rows=log.rows[:1])), opening_in)


# ------------------------------------------------------------ commands


def _of_commands() -> Iterator[Reader]:
    installed = catalogue()
    for game in installed.ids("ludolog_game"):
        ruleset = installed.ruleset(game)
        tags = sorted(ruleset.command_types)

        def make(rng: Random, tags: Sequence[str] = tags) -> bytes:
            if rng.random() < 1 / 4:
                return json_value(rng)
            names = (
                "card",
                "seat",
                "cell",
                "to",
                "bug",
                "consent",
                "kind",
                text(rng).encode(errors="replace").decode(),
            )
            plain = {"type": rng.choice(tags), **{rng.choice(names): 1 for _ in range(rng.randrange(4))}}
            return msgspec.json.encode(spliced(rng, plain, json_value))

        yield Reader(f"command of {game}", 4, make, ruleset.read_command)


# ------------------------------------------------------------ snapshots


def _of_snapshots(log: Specimen) -> Iterator[Reader]:
    def checked(payload: bytes) -> bytes:
        return hashlib.sha256(payload).digest() + payload

    def make(rng: Random) -> bytes:
        number, sound = rng.choice(log.snapshots)
        assert number  # noqa: S101 - a snapshot of nothing would prove nothing
        if rng.random() < 1 / 4:
            return mutated(rng, sound)
        if rng.random() < 1 / 3:
            return checked(mutated(rng, sound[32:]))
        return checked(msgspec.msgpack.encode(spliced(rng, msgspec.msgpack.decode(sound[32:]), msgpack_value)))

    def opened(data: bytes) -> None:
        store = log._replace(snapshots=((len(log.rows) - 1, data),)).store()
        table = open_table(log.table, store, ruleset=log.ruleset)
        table.at(len(log.rows) - 2)
        table.audit()

    yield Reader("snapshot", 8, make, lambda data: load(log.ruleset, data))
    yield Reader("snapshot of a table", 2, make, opened)


# ------------------------------------------------------------ whole logs


def _of_stored_logs(logs: Sequence[Specimen]) -> Iterator[Reader]:
    def make(rng: Random) -> tuple[Specimen, MemoryStore]:
        """A log whose last batch is wrong, and says that it follows the one before it."""
        log = rng.choice(logs)
        number = rng.randrange(len(log.rows))
        payload = _batch(rng, log._replace(rows=log.rows[number : number + 1]))
        last = log.rows[number]._replace(payload=payload, head=head_of(payload))
        seed = rng.choice((log.seed, b"", rng.randbytes(3)))
        forged = log._replace(rows=(*log.rows[:number], last), snapshots=(), seed=seed)
        return log, forged.store()

    def read(made: tuple[Specimen, MemoryStore]) -> None:
        log, store = made
        table = open_table(log.table, store, ruleset=log.ruleset)
        for seat in (*log.position.seats, None):
            if seat is None or seat in table.seats:
                table.view(seat)
                table.feed(seat)
        table.audit((log.receipt,))

    def looked_up(made: tuple[Specimen, MemoryStore]) -> None:
        open_table(made[0].table, made[1])

    def exported(made: tuple[Specimen, MemoryStore]) -> None:
        log, store = made
        list(export_bundle(log.table, store, secrets=True))
        list(export_told(log.table, store, None, ruleset=log.ruleset))

    yield Reader("stored log", 2, make, read)
    yield Reader("stored log, its rules looked up", 1, make, looked_up)
    yield Reader("stored log, exported", 2, make, exported)

    def receipt(rng: Random) -> Receipt:
        length = rng.choice((0, -1, 1, 2**63, 10**30, len(logs[0].rows)))
        return Receipt(table=rng.choice(("t", text(rng))), length=length, head=rng.choice((text(rng), "ab" * 32)))

    sound = logs[0].store()
    yield Reader("receipt", 2, receipt, lambda found: verify_table("t", sound, (found,)))
    yield Reader("receipt of an earlier check", 2, receipt, lambda found: verify_table("t", sound, since=found))
    yield Reader("position in a feed", 4, text, FeedPosition.parse)


# ------------------------------------------------------------ bundles


def _of_bundles(log: Specimen, folder: Path) -> Iterator[Reader]:
    whole = tuple(export_bundle(log.table, log.store()))
    told = tuple(export_told(log.table, log.store(), log.position.seats[0], ruleset=log.ruleset))

    def lines(rng: Random, sound: Sequence[bytes]) -> list[bytes]:
        number = rng.choice((0, 0, 1, rng.randrange(len(sound))))
        found = list(sound[: number + 1] if rng.random() < 1 / 2 else sound)
        plain = msgspec.json.decode(found[number])
        choices = (json_value(rng), mutated(rng, found[number]), msgspec.json.encode(spliced(rng, plain, json_value)))
        found[number] = rng.choice(choices).rstrip(b"\n") + b"\n"
        return found

    path = folder / "a.ludolog"

    def from_file(found: list[bytes]) -> None:
        path.write_bytes(b"".join(found))
        with path.open("rb") as file:
            verify_bundle(read_lines(file))

    def against(found: list[bytes]) -> None:
        verify_against(found, whole, ruleset=log.ruleset)

    yield Reader("bundle", 4, lambda rng: lines(rng, whole), verify_bundle)
    yield Reader(
        "bundle, imported", 2, lambda rng: lines(rng, whole), lambda found: import_bundle(found, MemoryStore())
    )
    yield Reader("bundle in a file", 2, lambda rng: lines(rng, whole), from_file)
    yield Reader("bundle of what a seat was told", 4, lambda rng: lines(rng, told), verify_bundle)
    yield Reader("what a seat was told, held against a log", 2, lambda rng: lines(rng, told), against)


# ------------------------------------------------------------ data of owners, and of rules


def _samples(game: str) -> list[str]:
    """Parts of the texts that a game packs: single tables."""
    specs = catalogue().game(game).clauses
    package = specs[0].partition(":")[0]
    found: list[str] = []
    for file in importlib.resources.files(package).iterdir():
        if file.name.endswith(".toml"):
            found += ["[" + part for part in ("\n" + file.read_text("utf-8")).split("\n[") if "=" in part]
    single = [part for part in found if not part.startswith(("[[clause", "[[ruling", "[[example"))][:400]
    names = dict.fromkeys(part.partition("\n")[0] for part in single)
    whole = ["\n".join(part for part in single if part.startswith(f"{name}\n")) for name in names]
    return [*single, *whole * (len(single) // len(whole) // 2)] if whole else []


def _of_data() -> Iterator[Reader]:
    for game in catalogue().ids("ludolog_game"):
        for option, read in rules_of(catalogue().game(game)).data_functions.items():
            samples = _samples(game)

            def make(rng: Random, samples: Sequence[str] = samples) -> str:
                return toml_lines(rng, samples)

            def compiled(found: str, game: str = game, option: str = option) -> None:
                catalogue().ruleset(game, (), {option: found})

            yield Reader(f"{option} of {game}", 4, make, read)
            yield Reader(f"option {option} of {game}", 1, make, compiled)


def _of_places(folder: Path) -> Iterator[Reader]:
    package = folder / CLAUSES
    package.mkdir()
    (package / "__init__.py").write_text("")
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    importlib.import_module(CLAUSES)

    def clauses(found: str) -> None:
        (package / "rules.toml").write_text(found, "utf-8", errors="replace")
        read_clauses.__wrapped__(f"{CLAUSES}:rules.toml")

    def clause_text(rng: Random) -> str:
        return toml_lines(rng, ('[[clause]]\nid = "AB-1"\nkind = "rule"\ntext = "x"', '[[ruling]]\nid = "AB-R1"'))

    def place(rng: Random) -> str:
        scheme = rng.choice(("", "sqlite://", "sqlite:///", "file://", "http://", "postgresql", f"{text(rng)}://"))
        query = rng.choice(("", "?durability=normal", f"?{text(rng)}", f"?busy_timeout={text(rng)}", "?shared=%00"))
        return f"{scheme}{folder / 'none'}{text(rng)}{query}"

    def server(rng: Random) -> str:
        """Of a server that is never asked: there is no socket in the folder that the address names."""
        own = quote(text(rng), errors="replace", safe="")
        name = rng.choice(("connect_timeout", "sslmode", "options", "lag", "busy_timeout", "schema", own or "x"))
        return f"postgresql://{rng.choice(('', f'{own}@', f'{own}:{own}@'))}/{own}?host={folder}&{name}={own}"

    log, sound = files_of(BUGS, 0)
    path = folder / "a.db"

    def database(rng: Random) -> bytes:
        size = rng.choice((0, 1, 100, 5000))
        made = (rng.randbytes(size), b"SQLite format 3\0" + rng.randbytes(size), mutated(rng, sound.whole.database))
        return rng.choice(made)

    def opened(data: bytes) -> None:
        for left in folder.glob("a.db*"):
            left.unlink()
        path.write_bytes(data)
        with contextlib.closing(open_store(path, create=False)) as store:
            for name in store.tables():
                open_table(name, store, ruleset=log.ruleset)

    yield Reader("clauses", 4, clause_text, clauses)
    yield Reader("place of a store", 2, place, lambda found: open_store(found, create=False))
    yield Reader("address of a server", 1, server, lambda found: open_store(found, create=False))
    yield Reader("database file", 1, database, opened)


# ------------------------------------------------------------ the command line


class UnexplainedError(Exception):
    """The program had nothing to say but that something unexpected happened."""


def _of_the_command_line(log: Specimen, folder: Path) -> Iterator[Reader]:
    """The installed program, run in this process."""
    (point,) = (found for found in entry_points(group="console_scripts") if found.name == "ludolog")
    main = point.load()
    store, bundle = folder / "cli.db", folder / "cli.ludolog"
    with contextlib.closing(open_store(store)) as kept:
        kept.create(log.table, log.rows, seed=log.seed)

    def make(rng: Random) -> list[str]:
        command = f'{{"type":"{BUGS}/{text(rng)}","card":{text(rng)}}}'
        word = rng.choice((text(rng), command, f"{rng.randrange(99)}:{text(rng)}", '{"length":"x"}'))
        bundle.write_bytes(mutated(rng, b"".join(export_bundle(log.table, log.store()))[:2000]))
        choices = (
            ["do", "t", word, "--as", "ann"],
            ["audit", "t", "--receipt", word],
            ["verify", str(bundle), "--receipt", word],
            ["import", str(bundle)],
            ["show", "t", "--as", word],
            ["show", "t", "--at", word],
            ["rules", BUGS, word],
            ["new", word, "ann", "bob"],
            ["new", BUGS, "ann", "bob", "-o", word],
            ["new", "dark-horse-west", "ann", "bob", "-o", f"data={word}"],
        )
        # No system passes NUL on, nor any surrogate but those that stand for bytes.
        words = [part.replace("\0", "").replace("\ud800", "\udc80") for part in rng.choice(choices)]
        return words if words[0] in {"verify", "rules"} else [*words, "--store", str(store)]

    def run(words: list[str]) -> None:
        said = io.StringIO()
        before = sys.argv
        try:
            sys.argv = ["ludolog", *words]
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
                main()
        except SystemExit as end:
            if end.code not in {0, 1, 2, 3} or "unexpected" in said.getvalue():
                raise UnexplainedError(said.getvalue()) from None
        finally:
            sys.argv = before

    yield Reader("command line", 1, make, run)
