"""Databases that are no store, or can't be used as one: one sentence of our own, nothing written, no password told."""

# ruff: noqa: S105, S106, S608 - passwords and statements of tests

from __future__ import annotations

import socket
import subprocess
import sys
import time
import traceback
from urllib.parse import quote

import psycopg
import pytest
from structlog.testing import capture_logs

import ludolog
from ludolog.errors import (
    BadOptions,
    CorruptLog,
    LudologError,
    NewerFormat,
    NotAStore,
    StoreFailed,
    StoreReadOnly,
    UnknownTable,
)
from ludolog.testing.stores import batch, check_log
from ludolog_plugins.stores.postgres import PostgresStore, open_spec
from stores.postgres_server import PASSWORD, USER, database_url, schema_of, store_in

SEED = b"s" * 32
SECRET = "tr0ub4dor"


@pytest.fixture
def sql():
    """Runs statements as the database's owner."""
    with psycopg.connect(database_url(), autocommit=True) as connection:
        yield lambda *statements: [connection.execute(statement) for statement in statements][-1]


@pytest.fixture
def schema(tmp_path):
    return schema_of(tmp_path)


def place(user="postgres", password="", host="", database="postgres"):
    server = database_url().partition("@")[2].partition("/")[0]
    credentials = quote(user, safe="") + (f":{quote(password, safe='')}" if password else "")
    return f"postgresql://{credentials}@{host or server}/{database}"


def told(error):
    """Everything that an error can tell: its texts, its chain, and the local variables of the library's frames."""
    seen = []
    while error is not None:
        seen += [repr(error), *traceback.format_exception(error)]
        frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
        seen += [repr(list(f.f_locals.values())) for f in frames if f.f_code.co_name == "_run"]
        error = error.__cause__ or error.__context__
    return "\n".join(seen)


def refused(url, error, match, *, secret=SECRET, opener=open_spec, **options):
    with capture_logs() as logs, pytest.raises(error, match=match) as caught:
        opener(url, **options)
    assert type(caught.value) is error
    message = str(caught.value)
    assert message.endswith(".")
    assert "\n" not in message
    assert secret not in message + repr(logs)
    assert secret not in told(caught.value).replace(url, "the test's own URL")


# ---------------------------------------------------------------- URLs


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://ann:{SECRET}@@127.0.0.1/games",
        f"postgresql://ann:p@{SECRET}@127.0.0.1/games",
        f"postgresql://ann:{SECRET}/x@127.0.0.1/games",
        f"postgresql://ann:x/{SECRET}@127.0.0.1/games",
        f"postgresql://ann:{SECRET}%zz@127.0.0.1/games",
        f"postgresql://ann:{SECRET}@127.0.0.1:54x2/games",
        f"postgresql://ann:{SECRET}@[127.0.0.1/games",
        f"postgresql://ann:x/y?{SECRET.replace('0', 'o').replace('4', 'a')}=1@127.0.0.1/games",
        f"postgresql://ann:{SECRET}@127.0.0.1/games?{SECRET}",
        f"postgresql://ann:{SECRET}\0@127.0.0.1/games",
        f"postgresql://ann:{SECRET}\ud800@127.0.0.1/games",
        f"mysql://ann:{SECRET}@127.0.0.1/games",
        f"host=127.0.0.1 password={SECRET}",
        "",
    ],
)
def test_a_malformed_url_is_refused_and_not_repeated(url):
    refused(url, NotAStore, "malformed|can't be opened")


@pytest.mark.parametrize("options", ["shema={0}", "sslmode=require&shema={0}&schema=x", "connect_timeout=5&shema="])
def test_a_misspelt_option_is_named_beside_those_that_there_are(options):
    url = f"postgresql://ann:{SECRET}@127.0.0.1/games?{options.format(SECRET)}"
    own = "schema, durability, busy_timeout and connections, and those of libpq"
    refused(url, BadOptions, f"A PostgreSQL store has no option 'shema'; it has {own}\\.")


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ("durability=often", "durability='often' isn't one of full, normal"),
        ("busy_timeout=soon", "busy_timeout='soon' is no number"),
        ("busy_timeout=-1", "busy_timeout=-1.0 isn't between 0 and 3600 seconds"),
        ("busy_timeout=nan", "busy_timeout=nan isn't between 0 and 3600 seconds"),
        ("connections=0", "connections=0 isn't 1 or more"),
        ("connections=1.5", "connections='1.5' is no number"),
        ("schema=", "schema='' is no name"),
        ("schema=" + "x" * 64, "is no name of 1 to 63 bytes"),
        ("schema=a&schema=b", "gives schema twice"),
    ],
)
def test_bad_options(options, match):
    refused(f"postgresql://ann:{SECRET}@127.0.0.1:1/games?{options}", BadOptions, match)


def test_the_url_may_hold_options_of_the_store_and_of_libpq(schema):
    url = (
        f"{database_url()}?application_name=a%20club+&schema={schema}&durability=normal&busy_timeout=1.5&connections=2"
    )
    for scheme in ("postgresql", "postgres"):
        with ludolog.open_store(scheme + url.removeprefix("postgresql")) as store:
            server = store._database.queries._server
            assert server.settings == ("normal", 1.5, 2)
            connection = server._take()
            assert connection.info.parameter_status("application_name") == "a club+"
            server._give_back(connection)
            assert repr(store) == f"PostgresStore('{database_url()} schema {schema}')"


# ---------------------------------------------------------------- getting in


def test_an_unreachable_server_is_told_at_once():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = place("ann", SECRET, f"127.0.0.1:{unused.getsockname()[1]}")
        began = time.monotonic()
        refused(url, StoreFailed, "postgresql://ann@127.0.0.1:.* can't be opened: .*refused")
        assert time.monotonic() - began < 2


def test_a_server_that_says_nothing():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = place("ann", SECRET, f"127.0.0.1:{silent.getsockname()[1]}")
        refused(f"{url}?connect_timeout=2", StoreFailed, "can't be opened: .*time")


def test_the_host_of_a_url_may_not_exist():
    refused(place("ann", SECRET, "no-such-host.invalid"), StoreFailed, "can't be opened")


def test_a_wrong_password_is_never_told(monkeypatch):
    refused(place(USER, SECRET), StoreFailed, "locked@127.0.0.1:.* can't be opened: .*password authentication failed")
    refused(place(USER), StoreFailed, "can't be opened: .*no password")
    monkeypatch.setenv("PGPASSWORD", SECRET)
    refused(place(USER), StoreFailed, "password authentication failed")
    # Also where the password is the name of the user, which the server repeats.
    refused(place("ann", "ann"), StoreFailed, "can't be opened", secret='"ann"')


def test_the_right_password_is_never_told_either(sql, tmp_path, schema):
    sql(f"CREATE SCHEMA {schema} AUTHORIZATION {USER}")
    with capture_logs() as logs, store_in(tmp_path, url=place(USER, PASSWORD), busy_timeout=0.1) as store:
        store.create("t", [batch(0)], seed=SEED)
        errors = []
        sql("BEGIN", f"LOCK TABLE {schema}.batches")
        for call in (lambda: store.append("t", 1, [batch(1)]), lambda: store.head("t"), lambda: store.head("u")):
            with pytest.raises(LudologError) as caught:
                call()
            errors.append(told(caught.value))
        store.keep_snapshot("t", 0, "no bytes")
        sql("ROLLBACK")
        store.wait(0.1)
        texts = [repr(store), repr(logs), *errors, repr(vars(store)), repr(store._database.queries._server.address)]
        assert not [text for text in texts if PASSWORD in text or quote(PASSWORD) in text]
        assert check_log(store) == [batch(0)]


def test_a_database_that_does_not_exist():
    refused(place(database="no_such"), NotAStore, 'can\'t be opened: .*database "no_such" does not exist')


def test_psycopg_is_an_extra():
    """The plugin is there without it, and says what to install."""
    script = """if True:
        import sys
        sys.modules["psycopg"] = None
        import ludolog
        from ludolog.errors import PluginFailed
        assert not ludolog.catalogue().problems, ludolog.catalogue().problems
        for open in (ludolog.open_store, ludolog.tables):
            try:
                open("postgresql://ann:tr0ub4dor@127.0.0.1/games")
            except PluginFailed as error:
                print(error, error.__cause__, error.code)
        """
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.count('pip install "ludolog[postgres]"') == 2
    assert SECRET not in done.stdout + done.stderr


# ---------------------------------------------------------------- what is in the database


def test_a_schema_that_does_not_exist_is_made_only_if_asked_for(tmp_path, sql, schema):
    for make in (lambda: None, lambda: sql(f"CREATE SCHEMA {schema}")):
        make()
        refused(f"{database_url()}?schema={schema}", NotAStore, f"Schema '{schema}' .* doesn't exist", create=False)
    store_in(tmp_path).close()
    store_in(tmp_path, create=False).close()


@pytest.mark.parametrize(
    "tables",
    [
        ["CREATE TABLE {}.people (name text)"],
        ["CREATE VIEW {}.people AS SELECT 1"],
        ["CREATE TABLE {}.about (product text)"],
        ["CREATE TABLE {}.about (product text, format integer, store text, epoch integer)"],
        [
            "CREATE TABLE {}.about (product text, format integer, store text, epoch integer)",
            "INSERT INTO {}.about VALUES ('another', 1, '', 1)",
        ],
    ],
)
def test_the_schema_of_another_program_is_left_alone(sql, schema, tables):
    sql(f"CREATE SCHEMA {schema}", *(table.format(schema) for table in tables))
    refused(f"{database_url()}?schema={schema}", NotAStore, "holds tables of something else")
    assert len(sql(f"SELECT relname FROM pg_class WHERE relnamespace = '{schema}'::regnamespace").fetchall()) == 1


def test_a_newer_format(tmp_path, sql, schema):
    store_in(tmp_path).close()
    sql(f"UPDATE {schema}.about SET format = 2", f"DROP TABLE {schema}.seeds")
    url = f"{database_url()}?schema={schema}"
    refused(url, NewerFormat, "has format 2; this version of the library reads formats up to 1")
    sql(f"UPDATE {schema}.about SET format = 0")
    refused(url, CorruptLog, "lacks some of the tables")


@pytest.mark.parametrize("damage", ["DROP TABLE {}.snapshots", "ALTER TABLE {}.batches DROP COLUMN head"])
def test_a_schema_that_was_a_store(tmp_path, sql, schema, damage):
    with store_in(tmp_path) as store:
        store.create("t", [batch(0)], seed=SEED)
        sql(damage.format(schema))
        with pytest.raises(CorruptLog):
            (store.snapshot if "snapshots" in damage else store.head)("t")
    refused(f"{database_url()}?schema={schema}", CorruptLog, "lacks some of the tables or columns of a store")


@pytest.mark.parametrize(
    ("damage", "match"),
    [
        ("DELETE FROM {}.batches WHERE number = 1", "batch is missing"),
        ("DELETE FROM {}.batches", "no last batch"),
        ("UPDATE {}.batches SET command_id = '\\xff' WHERE number = 1", "no text"),
    ],
)
def test_rows_that_no_store_has(tmp_path, sql, schema, damage, match):
    with store_in(tmp_path) as store:
        store.create("t", [batch(number, f"c{number}") for number in range(3)], seed=SEED)
        sql(damage.format(schema))
        with pytest.raises(CorruptLog, match=match):
            check_log(store)


def test_a_batch_of_no_table(tmp_path, sql, schema):
    with store_in(tmp_path) as store:
        store.create("t", [batch(0)], seed=SEED)
        sql(f"DELETE FROM {schema}.tables")
        with pytest.raises(CorruptLog, match="its feed has a batch of no table"):
            store.feed()


# ---------------------------------------------------------------- rights


def test_a_role_that_only_reads(tmp_path, sql, schema):
    with store_in(tmp_path) as store:
        store.create("t", [batch(0, "c0")], seed=SEED)
    reader = f"r{schema}"
    sql(f"CREATE ROLE {reader} LOGIN", f"GRANT USAGE ON SCHEMA {schema} TO {reader}")
    with pytest.raises(StoreFailed, match="permission denied"):
        store_in(tmp_path, url=place(reader))
    sql(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {reader}")
    with store_in(tmp_path, url=place(reader)) as store, capture_logs() as logs:
        assert check_log(store) == [batch(0, "c0")]
        assert len(store.feed()) == 1
        for call in (lambda: store.append("t", 1, [batch(1)]), lambda: store.create("u", [batch(0)], seed=SEED)):
            with pytest.raises(StoreReadOnly, match="can't be written: permission denied for table"):
                call()
        store.keep_snapshot("t", 0, b"")
        assert [entry["event"] for entry in logs] == ["snapshot not kept"]
        assert check_log(store) == [batch(0, "c0")]


def test_a_database_that_only_reads(tmp_path, schema):
    """As a server in recovery does, a standby."""
    read_only = f"{database_url()}?options=-c%20default_transaction_read_only%3Don"
    with pytest.raises(StoreReadOnly, match=f"Schema '{schema}' .* doesn't exist, and can't be made"):
        store_in(tmp_path, url=read_only)
    with store_in(tmp_path) as store:
        store.create("t", [batch(0)], seed=SEED)
    with store_in(tmp_path, url=read_only) as store:
        assert check_log(store) == [batch(0)]
        with pytest.raises(StoreReadOnly):
            store.append("t", 1, [batch(1)])


def test_the_rights_of_a_player_s_server(tmp_path, sql, schema):
    """What the guide grants is enough, and doesn't let it change or remove a batch."""
    store_in(tmp_path).close()
    writer = f"w{schema}"
    sql(
        f"CREATE ROLE {writer} LOGIN",
        f"GRANT USAGE ON SCHEMA {schema} TO {writer}",
        f"GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA {schema} TO {writer}",
        f"GRANT UPDATE, DELETE ON {schema}.snapshots TO {writer}",
    )
    with store_in(tmp_path, url=place(writer)) as store:
        store.create("t", [batch(0)], seed=SEED)
        store.append("t", 1, [batch(1, "c1")])
        for number in range(20):
            store.keep_snapshot("t", number, b"%d" % number)
        assert store.snapshot("t") == (19, b"19")
        assert store.snapshot("t", 11) is None
        assert len(check_log(store)) == 2
        assert len(store.feed()) == 2
    with psycopg.connect(place(writer), autocommit=True) as connection:
        for statement in ("DELETE FROM {}.batches", "UPDATE {}.batches SET payload = ''", "DROP TABLE {}.batches"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement.format(schema))


# ---------------------------------------------------------------- odd values


ODD = (
    "\0",
    "a\0b",
    "\ud800",
    "\udcff",
    "",
    " ",
    "ﬀ",
    "A\u030a",
    "\U0010ffff",
    "%s %(x)s {}",
    '"; DROP SCHEMA public; --',
)


@pytest.mark.parametrize("encoding", ["UTF8", "LATIN1", "SQL_ASCII"])
def test_any_text_is_a_name_in_any_database(sql, encoding):
    """S34: names and command ids are stored as bytes, NUL and all, whatever the database's encoding."""
    name = f"in_{encoding.lower()}"
    sql(f"CREATE DATABASE {name} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0")
    with PostgresStore(place(database=name), schema='odd "schema" %s {} é') as store:
        for text in ODD:
            store.create(text, [batch(0)._replace(command_id=text)], seed=text.encode("utf-8", "surrogatepass"))
            store.append(text, 1, [batch(1)._replace(command_id=f"{text}1")])
        assert store.tables() == tuple(sorted(ODD))
        for text in ODD:
            assert check_log(store, text) == [
                batch(0)._replace(command_id=text),
                batch(1)._replace(command_id=f"{text}1"),
            ]
            assert store.find(text, text).number == 0
            assert store.seed(text) == text.encode("utf-8", "surrogatepass")
        assert {appended.table for appended in store.feed()} == set(ODD)
        with pytest.raises(UnknownTable):
            store.head("a")


def test_a_value_that_the_server_refuses_is_not_told(tmp_path):
    with store_in(tmp_path) as store:
        for seed in (None, [SEED]):
            with pytest.raises(LudologError) as caught:
                store.create("t", [batch(0)], seed=seed)
            assert "sss" not in "".join(traceback.format_exception(caught.value))
        assert store.tables() == ()
