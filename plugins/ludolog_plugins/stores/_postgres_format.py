"""What a store looks like inside a PostgreSQL database, and how a schema is told from one that isn't a store."""

from __future__ import annotations

import secrets
from typing import Final, LiteralString, NamedTuple

from ludolog.errors import CorruptLog, NewerFormat, NotAStore, StoreReadOnly

from ._postgres_server import Refused, Server, Statement

__all__ = ["Format", "Schema", "open_format"]

FORMAT: Final = 1
_PRODUCT: Final = "ludolog"

# Names and command ids are bytes (UTF-8), so that neither the database's encoding nor its collation matters, and
# every text can be kept. No foreign key refers to ``tables``: it would lock the table's row on each append.
_TABLES: Final[tuple[LiteralString, ...]] = (
    """CREATE TABLE {}.about (
        product text NOT NULL,
        format integer NOT NULL,
        store text NOT NULL,
        epoch integer NOT NULL,
        only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one)
    )""",
    """CREATE TABLE {}.tables (
        key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name bytea NOT NULL UNIQUE
    )""",
    """CREATE TABLE {}.batches (
        table_key bigint NOT NULL,
        number bigint NOT NULL,
        payload bytea NOT NULL,
        head bytea NOT NULL,
        command_id bytea,
        epoch integer NOT NULL,
        transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
        stored_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (table_key, number),
        UNIQUE (table_key, command_id)
    )""",
    "CREATE INDEX feed ON {}.batches (epoch, transaction, table_key, number)",
    "CREATE TABLE {}.seeds (table_key bigint PRIMARY KEY, seed bytea NOT NULL)",
    """CREATE TABLE {}.snapshots (
        table_key bigint NOT NULL,
        number bigint NOT NULL,
        payload bytea NOT NULL,
        PRIMARY KEY (table_key, number)
    )""",
)
_HAS_NUMBERS: Final = """SELECT to_regproc('pg_catalog.pg_current_xact_id') IS NOT NULL
    AND to_regproc('pg_catalog.pg_snapshot_xmin') IS NOT NULL AND version() NOT LIKE '%%-YB-%%'"""
"""Whether the engine numbers its transactions as PostgreSQL does. Some compatible ones have the functions all the same,
and their numbers say nothing about the order in which transactions become visible."""

_COLUMNS: Final = {
    "about": {"product", "format", "store", "epoch"},
    "tables": {"key", "name"},
    "batches": {"table_key", "number", "payload", "head", "command_id", "epoch", "transaction", "stored_at"},
    "seeds": {"table_key", "seed"},
    "snapshots": {"table_key", "number", "payload"},
}
_LIST = b"""SELECT relname, attname, format_type(atttypid, NULL) FROM pg_catalog.pg_namespace n
    LEFT JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE n.nspname = %b"""


class Schema:
    """The schema of a database that a store lives in; writes its name into statements."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._quoted = '"' + name.replace('"', '""').replace("%", "%%") + '"'
        self._known: dict[LiteralString, bytes] = {}

    def __call__(self, template: LiteralString) -> bytes:
        """A statement with the schema's name, quoted, in place of each pair of braces."""
        statement = self._known.get(template)
        if statement is None:
            statement = self._known[template] = template.replace("{}", self._quoted).encode()
        return statement


class Format(NamedTuple):
    """What a store says of itself."""

    store: str
    """Its own id."""
    has_feed: bool
    """Whether the engine on which it was made can give it a feed."""


def open_format(server: Server, schema: Schema, *, create: bool) -> Format:
    """What the store is, after making sure that the schema is a store; an empty one is made a store.

    Raises:
        NotAStore: it holds tables of something else; or nothing, and ``create`` is false.
        NewerFormat: a newer version of the library made it.
        CorruptLog: it was a store, and lacks tables or columns.
        StoreReadOnly: the store would have to be made, and can't be.
    """
    found = _read_format(server, schema)
    if found is None and not create:
        why = f"{_name(server, schema)} doesn't exist."
        raise NotAStore(why)
    if found is None:
        _make_format(server, schema)
        found = _read_format(server, schema)
    if found is None:
        why = f"{_name(server, schema)} could not be made."
        raise NotAStore(why)
    return found


def _name(server: Server, schema: Schema) -> str:
    return f"Schema {schema.name!r} of {server.where}"


def _read_format(server: Server, schema: Schema) -> Format | None:
    """What the store is; None if there is nothing in the schema yet."""
    columns: dict[str, dict[str, str]] = {}
    for table, column, kind in server.read(Statement(_LIST, (schema.name,)))[0].rows:
        if table is not None:
            columns.setdefault(table, {})[column] = kind
    if not columns:
        return None
    foreign = f"{_name(server, schema)} holds tables of something else."
    if not columns.get("about", {}).keys() >= _COLUMNS["about"]:
        raise NotAStore(foreign)
    rows = server.read(Statement(schema("SELECT product, format, store FROM {}.about")))[0].rows
    if len(rows) != 1 or rows[0][0] != _PRODUCT:
        raise NotAStore(foreign)
    version, store = rows[0][1:]
    if version > FORMAT:
        why = f"{_name(server, schema)} has format {version}; this version of the library reads formats up to {FORMAT}."
        raise NewerFormat(why)
    if version < FORMAT or not all(columns.get(table, {}).keys() >= wanted for table, wanted in _COLUMNS.items()):
        why = f"{_name(server, schema)} lacks some of the tables or columns of a store"
        raise CorruptLog(why)
    return Format(store, columns["batches"]["transaction"] == "xid8")


def _make_format(server: Server, schema: Schema) -> None:
    """Lay out a store in one transaction; if another process does so at this moment, one of the two is refused."""
    exists, numbers = server.read(
        Statement(b"SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = %b", (schema.name,)),
        Statement(schema(_HAS_NUMBERS)),
    )
    tables = _TABLES if numbers.rows[0][0] else _without_numbers()
    statements = [Statement(schema(table)) for table in tables]
    about = "INSERT INTO {}.about (product, format, store, epoch) VALUES (%b, %b, %b, 1)"
    statements.append(Statement(schema(about), (_PRODUCT, FORMAT, secrets.token_hex(6))))
    if not exists.rows:
        statements.insert(0, Statement(schema("CREATE SCHEMA {}")))
    try:
        server.write(*statements)
    except Refused:
        return  # The other one's catalogue entry came first.
    except StoreReadOnly as error:
        why = f"{_name(server, schema)} doesn't exist, and can't be made: {error}"
        raise StoreReadOnly(why) from None


def _without_numbers() -> list[LiteralString]:
    """The same tables for an engine that doesn't number transactions."""
    return [
        table.replace("xid8 NOT NULL DEFAULT pg_current_xact_id()", "bigint NOT NULL DEFAULT 0") for table in _TABLES
    ]
