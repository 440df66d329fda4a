"""Every store keeps every promise of the protocol."""

from __future__ import annotations

from ludolog.store import MemoryStore
from ludolog.testing.stores import store_contract
from ludolog_plugins.stores.sqlite import SqliteStore
from stores.postgres_server import store_in

TestMemory = store_contract(lambda folder: MemoryStore())
TestSqliteFull = store_contract(lambda folder: SqliteStore(folder / "s.db", shared="allow"), durable=True)
TestSqliteNormal = store_contract(
    lambda folder: SqliteStore(folder / "s.db", shared="allow", durability="normal"), durable=True
)
TestPostgresFull = store_contract(store_in, durable=True)
