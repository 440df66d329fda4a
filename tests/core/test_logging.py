"""What the library logs: silent by default, through the application's structlog when it has one, never a secret."""

import logging
import subprocess
import sys
from pathlib import Path

import pytest
import structlog

from ludolog import MemoryStore, Ruleset, open_table
from ludolog.errors import CommandError, LudologError
from toys.made import new_rules, table_of
from toys.vault import CARDS, GAME, Draw, LayDown, Note, Vault, Walk

VAULT = Ruleset(GAME)
SEATS = ("ann", "bob", "cy")


@pytest.fixture
def configured():
    """An application's structlog, which keeps every event; unconfigured again afterwards."""
    kept = []

    def keep(_logger, name, event):
        kept.append({**event, "level": name})
        raise structlog.DropEvent

    structlog.configure(processors=[structlog.contextvars.merge_contextvars, keep])
    yield kept
    structlog.reset_defaults()


def a_whole_story(store=None):
    """Everything that a table does, with secrets in many places."""
    store = store or MemoryStore()
    table = table_of(VAULT, SEATS, store=store, seed="hush")
    table.play("ann", Draw())
    table.play("bob", LayDown(card=table.position[Vault].hands[1][0]))
    table.play("cy", Note(watchers=("ann",), note="marker-note"), command_id="c-1")
    for call in (
        lambda: table.play("bob", Walk(to=1)),
        lambda: table.undo("cy"),
        lambda: table.play("ann", LayDown(card="card-99")),
    ):
        with pytest.raises(CommandError):
            call()
    table.undo(None)
    table.redo(None)
    table.keep_snapshot()
    store.keep_snapshot("t", table.length - 1, b"marker-snapshot")
    table = open_table("t", store, ruleset=VAULT)
    table.fork(id="f", seed="marker-seed")
    table.audit([table.receipt])
    return table


SCRIPT = """
import sys, warnings
warnings.simplefilter("error")
sys.path[:0] = [{tests!r}, {core!r}]
from test_logging import a_whole_story
a_whole_story()
"""


def test_silent_by_default():
    """Neither on the screen nor through Python's handler of last resort, even for a warning."""
    tests = Path(__file__).parents[1]
    script = SCRIPT.format(tests=str(tests), core=str(tests / "core"))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_the_library_never_configures_structlog():
    assert not structlog.is_configured()
    a_whole_story()
    assert not structlog.is_configured()


def test_the_applications_structlog_hears_of_everything_with_table_batch_and_seat(configured):
    table = a_whole_story()
    batches = [event for event in configured if event["event"] == "batch appended"]
    assert [(event["table"], event["batch"], event["seat"]) for event in batches] == [
        ("t", 2, "ann"),
        ("t", 3, "bob"),
        ("t", 4, "cy"),
        ("t", 5, None),
        ("t", 6, None),
    ]
    assert {event["event"] for event in configured} == {
        "table opened",
        "batch appended",
        "snapshot passed over",
        "table opened again",
        "table forked",
    }
    assert all(event["table"] in {"t", "f"} for event in configured)
    assert {event["level"] for event in configured if event["event"] == "snapshot passed over"} == {"warning"}
    assert table.length == 7


def test_what_the_application_has_bound_is_kept(configured):
    with structlog.contextvars.bound_contextvars(request="r-1"):
        table_of(VAULT, SEATS)
    assert configured[0]["request"] == "r-1"


def leaks(text: str, table) -> list[str]:
    secrets = [*CARDS, "marker-", "hush", table.seed.hex(), repr(table.seed)]
    return [secret for secret in secrets if secret in text]


def test_no_secret_is_ever_logged(configured, caplog):
    """F4: no card, no note, no seed, no snapshot; in either way of logging."""
    table = a_whole_story()
    assert configured
    assert leaks(repr(configured), table) == []
    structlog.reset_defaults()
    with caplog.at_level(logging.DEBUG, logger="ludolog"):
        table = a_whole_story()
    assert len(caplog.records) > 8
    assert leaks(repr([vars(record) for record in caplog.records]), table) == []


def test_through_the_standard_library_when_structlog_is_not_used(caplog):
    with caplog.at_level(logging.INFO, logger="ludolog"):
        table_of(VAULT, SEATS)
    (record,) = caplog.records
    assert (record.name, record.levelname, record.message) == ("ludolog", "INFO", "table opened")
    assert (record.table, record.game, record.seats) == ("t", "vault", 3)
    caplog.clear()
    table_of(VAULT, SEATS)
    assert caplog.records == []


def test_no_secret_stands_in_what_a_table_says_of_itself():
    """F4: tables, positions, rulesets and errors are printed by whoever debugs an app."""
    table = a_whole_story()
    texts = [repr(table), str(table), repr(table.position), repr(table.view("ann")), repr(table.receipt)]
    try:
        table.play("ann", LayDown(card="nothing"))
    except LudologError as error:
        texts.append(str(error))
    assert leaks(" ".join(texts), table) == []
    assert repr(table_of(new_rules())) == "<Table t of toy, 2 batches>"
