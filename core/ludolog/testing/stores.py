"""The promises of ``ludolog.Store`` as tests.

One line in a test file runs them all on a store::

    TestMyStore = store_contract(lambda folder: MyStore(folder / "my.store"), durable=True)

``open_store`` gets an empty folder of the test's own. A durable store that is opened twice on the same folder is the
same store, also in another process.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ludolog.store import Store
from ludolog.testing._batches import append_retrying, batch, check_feed, check_log
from ludolog.testing._durable_promises import DurablePromises
from ludolog.testing._store_promises import Promises

__all__ = ["append_retrying", "batch", "check_feed", "check_log", "store_contract"]


def store_contract(open_store: Callable[[Path], Store], *, durable: bool = False) -> type:
    """The tests of a store, as a class for pytest to collect.

    Args:
        open_store: opens the store that lives in a folder.
        durable: what is stored survives the process, and several processes may use it at once.
    """
    promises = DurablePromises if durable else Promises
    return type("StoreContract", (promises,), {"opener": staticmethod(open_store)})
