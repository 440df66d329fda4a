"""The guide to the PostgreSQL store does what it says, on a real server."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
import pytest

from ludolog.testing.stores import batch
from ludolog_plugins.stores.postgres import PostgresStore
from stores.postgres_server import database_url

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "postgres.md"


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_code_of_the_guide_runs():
    code = "\n".join(blocks("python"))
    assert code.count("postgresql://localhost/games?") == 1
    scope = {}
    exec(code.replace("postgresql://localhost/games", database_url()), scope)  # noqa: S102 - what this test is for
    scope["store"].close()

    rights, setting = blocks("sql")
    with psycopg.connect(database_url(), autocommit=True) as connection:
        connection.execute(rights)
        connection.execute(setting)
        connection.execute("SELECT pg_reload_conf()")
    with PostgresStore(database_url().replace("postgres@", "player_server@"), schema="club") as store:
        store.create("t", [batch(0)], seed=b"s" * 32)
        store.keep_snapshot("t", 0, b"")
        assert len(store.tables()) == 2
    with psycopg.connect(database_url().replace("postgres@", "player_server@"), autocommit=True) as connection:
        assert connection.execute("SHOW idle_in_transaction_session_timeout").fetchone() == ("1min",)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("DELETE FROM club.batches")


def test_the_guide_tells_every_option():
    told = set(re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    assert told >= {"schema", "durability", "busy_timeout", "connections"}
