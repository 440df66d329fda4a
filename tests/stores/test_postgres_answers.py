"""Each kind of error that a PostgreSQL server can answer with is one of our tree, and leaves the log as it was."""

# ruff: noqa: S608 - statements of tests

from __future__ import annotations

import psycopg
import pytest

from ludolog.errors import CorruptLog, LudologError, StoreBusy, StoreFailed, StoreReadOnly
from ludolog.opening import table_from
from ludolog.testing.stores import batch, check_log
from stores.postgres_server import database_url, schema_of, store_in
from toys.walk import STEPS, ruleset

SEED = b"the seed nobody may see"

ANSWERS = [
    ("53100", StoreFailed, "nothing was stored"),  # S20: disk full
    ("53200", StoreFailed, "nothing was stored"),  # out of memory
    ("53300", StoreFailed, "nothing was stored"),  # too many connections
    ("58030", StoreFailed, "nothing was stored"),  # S20: input or output failed
    ("XX000", StoreFailed, "nothing was stored"),  # internal error
    ("0A000", StoreFailed, "nothing was stored"),  # not supported
    ("P0001", StoreFailed, "nothing was stored"),  # somebody's trigger
    ("22021", StoreFailed, "can't hold such a value"),
    ("54000", StoreFailed, "can't hold such a value"),
    ("25006", StoreReadOnly, "can't be written"),
    ("42501", StoreReadOnly, "can't be written"),
    ("55P03", StoreBusy, "try again"),
    ("57014", StoreBusy, "try again"),
    ("40001", StoreBusy, "try again"),
    ("40P01", StoreBusy, "try again"),
    ("XX001", CorruptLog, "can't be read"),
    ("08006", StoreFailed, "unknown whether"),
    ("57P01", StoreFailed, "unknown whether"),
    ("40003", StoreFailed, "unknown whether"),
    ("99999", StoreFailed, "nothing was stored"),  # a code of the future
]


@pytest.fixture(scope="module")
def answering(tmp_path_factory):
    """A store whose server answers to each append with what ``answer`` sets; it quotes the row, as servers do."""
    folder = tmp_path_factory.mktemp("answers")
    name = schema_of(folder)
    with store_in(folder, busy_timeout=0.2) as store, psycopg.connect(database_url(), autocommit=True) as owner:
        store.create("t", [batch(0, "c0")], seed=SEED)
        owner.execute(f"CREATE TABLE public.{name} (code text)")

        def answer(code):
            owner.execute(f"DELETE FROM public.{name}")
            if code:
                owner.execute(f"INSERT INTO public.{name} VALUES (%s)", (code,))

        owner.execute(
            f"""CREATE FUNCTION public.{name}() RETURNS trigger LANGUAGE plpgsql AS $$
                DECLARE code text := (SELECT code FROM public.{name} LIMIT 1);
                BEGIN
                    IF code IS NOT NULL THEN
                        RAISE EXCEPTION 'it went wrong' USING ERRCODE = code, DETAIL = NEW::text, HINT = NEW::text;
                    END IF;
                    RETURN NEW;
                END $$;
            CREATE TRIGGER one BEFORE INSERT ON {name}.batches FOR EACH ROW EXECUTE FUNCTION public.{name}();
            CREATE TRIGGER two BEFORE INSERT ON {name}.seeds FOR EACH ROW EXECUTE FUNCTION public.{name}()"""
        )
        yield store, answer


@pytest.mark.parametrize(("code", "error", "match"), ANSWERS)
def test_what_a_server_can_answer(answering, code, error, match):
    store, answer = answering
    answer(code)
    for call in (
        lambda: store.append("t", 1, [batch(1, "c1")]),
        lambda: store.append("t", 1, [batch(1, "c1"), batch(2)]),
        lambda: store.create("u", [batch(0)], seed=SEED),
    ):
        with pytest.raises(LudologError, match=match) as caught:
            call()
        assert type(caught.value) is error
        message = str(caught.value)
        assert message.endswith(("it went wrong", "."))
        assert "c1" not in message
        assert SEED.hex() not in message
        assert caught.value.__cause__ is caught.value.__context__ is None
        assert check_log(store) == [batch(0, "c0")]
        assert store.tables() == ("t",)
    answer(None)


def test_a_table_goes_on_when_the_disk_has_space_again(answering):
    """S20: the command that failed is played again, under the same id."""
    store, answer = answering
    table = table_from(ruleset(), ("ann",), store=store, seed=1)
    length = table.length
    answer("53100")
    for _ in range(2):
        with pytest.raises(StoreFailed):
            table.play("ann", STEPS[0], command_id="one")
        assert table.length == length
    answer(None)
    receipt = table.play("ann", STEPS[0], command_id="one")
    assert (receipt.length, receipt.repeated) == (length + 1, False)
    assert table.audit(receipts=[receipt]).ok
