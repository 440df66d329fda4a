"""An undo that is refused or granted tells nothing about what another seat secretly knows."""

from __future__ import annotations

import pytest

from ludolog.errors import UndoRefused
from ludolog.testing import Finding, Settings, Subject
from ludolog.testing.checks import run
from ludolog.testing.checks.worlds import hidden_worlds_look_alike
from toys import peeks
from toys.made import table_of

SETTINGS = Settings(reveals=("peeks/card-shown",))


@pytest.mark.parametrize("before", [peeks.Peek(), peeks.Pass()])
def test_the_answer_is_the_same_whether_the_other_had_peeked_or_not(before) -> None:
    """F6: the one who shows the card must not learn from the answer whether it had been seen."""
    table = table_of(peeks.ruleset())
    table.play("bob", before)
    table.play("ann", peeks.Show())
    with pytest.raises(UndoRefused) as caught:
        table.undo("ann")
    assert "another seat came to know something" in str(caught.value)


def test_worlds_that_differ_in_what_another_knows_look_alike() -> None:
    run(hidden_worlds_look_alike, Subject(peeks.ruleset(), 2, SETTINGS))


def test_the_kit_finds_an_answer_that_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    def telling(_batch, before) -> str:
        return "" if before["bob"][peeks.Card].card else "another seat came to know something"

    monkeypatch.setattr("ludolog.testing.checks.worlds.what_was_learnt", telling)
    with pytest.raises(Finding) as caught:
        run(hidden_worlds_look_alike, Subject(peeks.ruleset(), 2, SETTINGS))
    assert (caught.value.field, caught.value.seat) == ("undo", "ann")
