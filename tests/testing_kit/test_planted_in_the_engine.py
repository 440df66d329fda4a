"""The kit against faults planted in the engine itself, on a game in which nothing is wrong."""

from __future__ import annotations

import pytest

import ludolog.snapshot
import ludolog.undoing
from ludolog import Ruleset, Table
from ludolog.history import History
from ludolog.testing.checks import CHECKS, name_of, run
from ludolog.testing.findings import Finding
from ludolog.testing.subject import Settings, Subject
from ludolog.undoing import Past
from toys import lanterns

BY_NAME = {name_of(check): check for check in CHECKS}


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch):
    """Put something else in a place, given as text."""

    def plant(place: str, new: object) -> None:
        monkeypatch.setattr(place, new)

    return plant


def caught(check: str, **settings) -> Finding:
    """What a check finds in the lanterns."""
    subject = Subject(lanterns.ruleset(), 2, Settings(reveals=lanterns.REVEALS, **settings))
    with pytest.raises(Finding) as found:
        run(BY_NAME[check], subject)
    return found.value


def test_an_undo_without_a_barrier(plant) -> None:
    """F6: a free peek."""
    plant("ludolog.undoing.what_was_learnt", lambda _batch, _before: "")
    finding = caught("undo-stops-at-the-barrier")
    assert "freely" in finding.why
    finding = caught("undo-and-redo-keep-in-step")
    assert "alone" in finding.why


def test_an_undo_of_what_another_did(plant) -> None:
    """F1: a seat takes back the other seat's move."""
    check = ludolog.undoing._check_barrier

    def for_anybody(past: Past, _seat: str, number: int) -> None:
        check(past, past.journal.batch(number).seat, number)

    plant("ludolog.undoing._check_barrier", for_anybody)
    assert "took back" in caught("undo-and-redo-keep-in-step").why
    assert "may take back" in caught("undo-stops-at-the-barrier").why


def test_an_undo_of_more_than_was_announced(plant) -> None:
    """F42: a whole round is gone."""

    def since(self: History, number: int) -> tuple[int, ...]:
        return tuple(found for found in range(max(number - 1, 2), self.length) if self.counts(found))

    plant("ludolog.history.History.since", since)
    finding = caught("undo-and-redo-keep-in-step")
    assert (finding.event, finding.field) == ("Undone", "Undone.batches")


def test_a_redo_by_anybody(plant) -> None:
    redone = ludolog.undoing.redone
    plant("ludolog.table.redone", lambda past, _seat: redone(past, None))
    assert caught("undo-and-redo-keep-in-step").event in {"Redo", "Redone"}


def test_a_feed_that_tells_everything(plant) -> None:
    """F8: the state is filtered, the list of events is not."""
    plant("ludolog.viewing.told", lambda event, _seat: event)
    assert caught("undo-and-redo-keep-in-step").field.startswith("feed")


def test_a_view_that_is_the_position(plant) -> None:
    """F9: what was not told is in the view."""
    plant("ludolog.ruleset.told", lambda event, _seat: event)
    plant("ludolog.testing.marking.told", lambda event, _seat: event)
    finding = caught("secrets-stay-secret")
    assert (finding.event, finding.field) == ("HandDealt", "Hands.cards[1][0]")
    assert caught("hidden-worlds-look-alike").field == "picture text"


def test_a_snapshot_that_forgets_a_slice(plant) -> None:
    """F13: a restored state has lost something."""
    load = ludolog.snapshot.load

    def forgetful(ruleset: Ruleset, data: bytes):
        position, history, head = load(ruleset, data)
        return position.having(lanterns.Bids()), history, head

    plant("ludolog.snapshot.load", forgetful)
    assert caught("reopening-changes-nothing").field.startswith("Bids.")


def test_a_seed_in_the_log(plant) -> None:
    plant("ludolog.opening.commitment_of", lambda secret, _table: secret.hex())
    finding = caught("secrets-stay-secret")
    assert (finding.field, finding.batch) == ("seed", 0)


def test_a_command_after_the_end(plant) -> None:
    """F21: the reason differs from command to command."""
    plant("ludolog.deciding.refuse_when_over", lambda _position: None)
    finding = caught("nobody-acts-after-the-end")
    assert "after the end" in finding.why


def test_a_lax_reader_of_commands(plant) -> None:
    """F32: an extra or altered field is taken."""
    plant("ludolog.ruleset.Ruleset.read_command", lambda _self, _text: lanterns.Pass())
    assert "an unknown field" in caught("malformed-commands-are-refused").why


def test_a_check_that_says_something_else_than_play(plant) -> None:
    plant("ludolog.table.Table.check", lambda self, seat, command, at=None: None)
    assert "by check with 'None'" in caught("other-commands-are-refused").why


def test_a_refused_command_that_leaves_a_trace(plant) -> None:
    play = Table.play

    def forgetful_play(self: Table, seat, command, *, at=None):
        try:
            return play(self, seat, command, at=at)
        except ludolog.IllegalCommand:
            self._fold.position = self.position.having(lanterns.Deck())
            raise

    plant("ludolog.table.Table.play", forgetful_play)
    finding = caught("other-commands-are-refused")
    assert finding.field == "Deck.cards"
    assert "changed the position" in finding.why
