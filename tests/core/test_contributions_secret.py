"""A commitment fits one seat at one table, and tells nothing; nor does anything else before its time."""

from __future__ import annotations

import msgspec
import pytest

from ludolog import (
    Frame,
)
from ludolog.chance import commitment_of, contribution_commitment, seed_from
from ludolog.contributing import Contribution, is_contribution, new_contribution
from ludolog.errors import (
    BadOptions,
    UnknownSeat,
)
from ludolog.frame import (
    CloseCommitments,
    CloseContributions,
    Commit,
    Contribute,
    Contributed,
    ContributionsClosed,
    Decline,
)
from toys.bag import (
    WORDS,
    asked,
    commit,
    refused,
    settled,
    tell,
    the,
)


def test_a_commitment_fits_one_seat_at_one_table_with_one_seed():
    table = asked()
    promises = {
        "another seed": commitment_of(seed_from(8), "t"),
        "another table": commitment_of(table.seed, "u"),
    }
    for promise in promises.values():
        other = asked()
        other.play("ann", Commit(commitment=contribution_commitment(promise, "ann", WORDS["ann"])))
        other.play(None, CloseCommitments())
        assert refused(other, "ann", Contribute(contribution=WORDS["ann"])) == "contribution-differs"


def test_a_copied_commitment_is_of_no_use_and_does_no_harm():
    """Whoever copies it, even before the seat whose it is, can tell nothing that fits; that seat can."""
    for first, second in (("ann", "bob"), ("bob", "ann")):
        table = asked()
        right = contribution_commitment(table.opened.commitment, "ann", WORDS["ann"])
        for seat in (first, second):
            table.play(seat, Commit(commitment=right))
        table.play("cy", Decline())
        assert refused(table, "bob", Contribute(contribution=WORDS["ann"])) == "contribution-differs"
        tell(table, "ann")
        assert refused(table, "bob", Contribute(contribution=WORDS["ann"])) == "contribution-differs"
        table.play(None, CloseContributions())
        end = the(table, ContributionsClosed)
        assert end == ContributionsClosed(contributions=(("ann", WORDS["ann"]),), withheld=("bob",))


def test_a_new_contribution_can_not_be_guessed():
    table = asked()
    made = [new_contribution(table.opened, "ann", "17 apples") for _ in range(100)]
    assert len({own.text for own in made}) == len({own.commitment for own in made}) == 100
    assert all(own.text.startswith("17 apples ") and len(own.text) == 10 + 32 for own in made)
    assert all(len(new_contribution(table.opened, "bob").text) == 32 for _ in range(9))
    own = made[0]
    assert own == Contribution("ann", own.text, contribution_commitment(table.opened.commitment, "ann", own.text))
    table.play("ann", own.commit)
    table.play(None, CloseCommitments())
    table.play("ann", own.tell)
    assert the(table, ContributionsClosed).contributions == (("ann", own.text),)
    with pytest.raises(UnknownSeat):
        new_contribution(table.opened, "dot")
    assert is_contribution(new_contribution(table.opened, "ann", "x" * 167).text)
    for word in ("x" * 168, "a\nb"):
        with pytest.raises(BadOptions):
            new_contribution(table.opened, "ann", word)


def test_a_contribution_is_told_to_nobody_before_its_seat_tells_it():
    """F4: the text is in no view, feed or log before that; a client of its own makes the commitment."""
    table = asked()
    for seat in table.seats:
        commit(table, seat)
    for done, seat in enumerate(table.seats):
        for hidden in table.seats[done:]:
            marker = WORDS[hidden][-16:]
            seen = [
                *table.journal.store.payloads(table.id),
                str(table.position).encode(),
                repr(table.position).encode(),
            ]
            for viewer in (*table.seats, None):
                seen.append(msgspec.json.encode([item.event for item in table.feed(viewer)]))
                seen.append(msgspec.json.encode(table.view(viewer)[Frame]))
            assert not any(marker.encode() in told for told in seen)
        tell(table, seat)
    for viewer in (*table.seats, None):
        assert table.view(viewer)[Frame] == table.position[Frame]
        told = [item.event for item in table.feed(viewer) if type(item.event) is Contributed]
        assert told == [Contributed(seat=seat, contribution=WORDS[seat]) for seat in table.seats]


def test_the_seed_is_told_to_nobody_before_the_end():
    table = settled(asked())
    assert not any(
        table.seed.hex().encode() in told or table.seed in told for told in table.journal.store.payloads("t")
    )
