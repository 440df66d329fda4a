"""The parts of the kit: comparing, marks, listening, probes, and what stands around rules."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import msgspec
import pytest
import structlog

from ludolog import Chance, Command, Event, Now, Outcome, Secret
from ludolog.testing import Finding, Settings, Skipped, Subject
from ludolog.testing.checks import CHECKS, name_of, run
from ludolog.testing.comparing import culprit, difference, leaves, not_part_of
from ludolog.testing.listening import listening
from ludolog.testing.marks import Mark, MarkedChance, loud, marks_of, number, plain, planted, text
from ludolog.testing.probing import Probes
from ludolog.testing.subject import some
from ludolog.testing.surroundings import Surroundings, print_of
from toys import faulty_lists, lanterns
from toys.lanterns import Bid, CardDrawn, Hands, Pass, Play
from toys.made import new_rules, ruleset_of
from toys.planting import altered

BY_NAME = {name_of(check): check for check in CHECKS}


# ---------------------------------------------------------------- findings and comparing


def test_a_finding_tells_check_game_place_and_reason() -> None:
    finding = Finding("it is wrong", batch=7, event="CardDrawn", field="Hands.cards[0]", seat="ann", check="a-check")
    finding.game = "lanterns, 2 seats"
    assert str(finding) == (
        "a-check (lanterns, 2 seats): batch 7, CardDrawn, field Hands.cards[0], seat ann: it is wrong"
    )
    assert str(Finding("it is wrong", check="a-check")) == "a-check: it is wrong"


def test_a_difference_has_a_path() -> None:
    one = Hands(cards=(("a", "b"), ("c",)))
    assert difference(one, Hands(cards=(("a", "b"), ("d",)))) == ("cards[1][0]", "c", "d")
    assert difference(one, Hands(cards=(("a",), ("c",)))) == ("cards[0]", ("a", "b"), ("a",))
    assert difference(one, Hands(cards=(("a", "b"), ("c",)))) is None


@pytest.mark.parametrize(("one", "other"), [(1, True), (0, False), ((1,), [1]), ((1,), (True,)), ("1", 1)])
def test_equal_values_of_different_types_differ(one: object, other: object) -> None:
    assert difference(one, other) is not None
    assert difference((one,), (other,)) is not None


def test_a_view_is_part_of_a_position_where_it_says_the_same_or_nothing() -> None:
    full = Hands(cards=(("a", "b"), ("c",)), peeked=(True, False))
    assert not_part_of(Hands(cards=((None, "b"), (None,)), peeked=(True, False)), full) is None
    assert not_part_of(Hands(cards=((None, "a"), (None,)), peeked=(True, False)), full) == ("cards[0][1]", "a", "b")
    assert not_part_of(Hands(cards=((None,), (None,)), peeked=(True, False)), full).path == "cards[0]"
    assert not_part_of(Hands(cards=full.cards, peeked=(False, False)), full) == ("peeked[0]", False, True)


def test_leaves_have_paths() -> None:
    assert list(leaves(Hands(cards=(("a",),), peeked=(True,)))) == [("cards[0][0]", "a"), ("peeked[0]", True)]


def test_the_culprit_is_the_last_event_into_the_slice() -> None:
    position = lanterns.ruleset().opening(("ann", "bob"))
    drawn = CardDrawn(seat="ann", place=0, card="x")
    passed = lanterns.TurnPassed(seat="ann")
    assert culprit(position, (drawn, passed), "Hands.cards[0]") == "CardDrawn"
    assert culprit(position, (drawn, passed), "Street.turns") == "TurnPassed"


@pytest.mark.parametrize(("length", "most"), [(0, 5), (1, 5), (5, 5), (100, 5), (7, 2)])
def test_some_are_evenly_spread_with_both_ends(length: int, most: int) -> None:
    found = some(range(length), most)
    assert len(found) == min(length, most)
    assert found == sorted(set(found))
    assert not found or (found[0], found[-1]) == (0, length - 1)


# ---------------------------------------------------------------- marks


def test_a_marked_value_works_like_the_plain_one() -> None:
    card, five = planted("amber-5", Mark), planted(5, Mark)
    assert card == "amber-5"
    assert {card: 1}["amber-5"] == 1
    assert {"amber-5": 1}[card] == 1
    assert five == 5
    assert ["a"] * five == ["a"] * 5
    assert tuple(range(9))[five] == 5
    assert f"{card} {five:02d} {card!r}" == "amber-5 05 'amber-5'"
    assert sorted([planted(2, Mark), planted(1, Mark)]) == [1, 2]
    assert divmod(five, 2) == (2, 1)
    assert msgspec.json.encode(plain((card, five))) == b'["amber-5",5]'
    assert {type(value) for value in plain((card, five))} == {str, int}


def test_what_is_made_of_marked_values_carries_their_marks() -> None:
    one, other = Mark("one"), Mark("other")
    card, five = text("amber-5", frozenset({one})), number(5, frozenset({other}))
    for made in (card + "s", "a " + card, card[0], card[2:], card.upper(), card.partition("-")[0], card.split("-")[1]):
        assert marks_of(made) == {one}
        assert made.derived
    for made in (five + 1, 1 + five, five - 2, 10 - five, five * 2, -five, five // 2, five % 2, sum([five, 1])):
        assert marks_of(made) == {other}
        assert made.derived
    assert marks_of((card, five, "plain", 3)) == {one, other}
    assert marks_of(Outcome(reason="x", sentence=card, ranking=())) == {one}
    assert not marks_of((True, None, "plain"))
    assert type(five == 5) is bool


def test_loud_marks_are_written_into_texts() -> None:
    one = Mark("one")
    card = text("amber-5", frozenset({one}))
    with loud():
        written = f"You hold {card}, {card!s}, {card!r}, %s." % card
    assert "amber" not in written
    assert set(Mark.written_in(written)) == {one}
    assert Mark.written_in(f"You hold {card}.") == ()


def test_what_is_drawn_is_marked_and_the_same() -> None:
    cards = tuple("abcdefgh")
    marked, bare = MarkedChance(Chance(b"k", recorded=True), Mark), Chance(b"k", recorded=True)
    for draw in (
        lambda chance: chance.shuffle(cards),
        lambda chance: chance.draw(cards, 3),
        lambda chance: chance.choose(cards),
        lambda chance: chance.dice(3),
        lambda chance: chance.weighted({"a": 1, "b": 2}),
    ):
        one, other = draw(marked), draw(bare)
        assert one == other
    assert marked.draws == bare.draws
    assert all(mark.fresh for mark in marks_of(marked.shuffle(cards)))


# ---------------------------------------------------------------- listening, probes, surroundings


def test_everything_that_is_written_is_heard(caplog: pytest.LogCaptureFixture) -> None:
    configured = structlog.is_configured()
    with listening() as lines:
        logging.getLogger("a.game").debug("%s draws %s", "ann", "amber-1", extra={"card": "blue-2"})
        structlog.get_logger().info("dealt", card="green-3")
        print("white-4")
    heard = " ".join(line.text for line in lines)
    for told in ("ann draws amber-1", "card=blue-2", "card=green-3", "white-4"):
        assert told in heard
    assert structlog.is_configured() == configured
    assert logging.getLogger().level == logging.WARNING


def test_probes_are_well_formed_and_many() -> None:
    probes = Probes(lanterns.ruleset(), ("ann", "bob"))
    probes.learn([Play(card="amber-1"), Play(card="blue-2"), Bid(amount=3), Pass()])
    drawn = probes.draw(Chance(b"k"), [Bid(amount=3)], 40)
    assert len(set(drawn)) == len(drawn) > 15
    assert {type(command) for command in drawn} >= {Play, Bid, Pass, lanterns.Draw, lanterns.Peek, lanterns.Roll}
    assert any(isinstance(command, Bid) and command.amount not in lanterns.BIDS for command in drawn)
    assert all(lanterns.ruleset().checked(command) == command for command in drawn)


def test_what_changes_around_rules_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    around = Surroundings(lanterns.ruleset())
    assert around.changed() == ""
    monkeypatch.setattr(lanterns, "HAND", 4)
    assert around.changed() == "toys.lanterns.HAND"
    assert around.changed() == ""
    monkeypatch.setattr(lanterns.Deck, "__doc__", "Another.")
    assert around.changed() == "toys.lanterns.Deck"
    faulty_lists.SEEN.append("not in the module of these rules")
    assert around.changed() == ""


def test_a_print_changes_with_what_is_inside() -> None:
    value: list[dict[str, set[int]]] = [{"a": {1}}]
    before = print_of(value)
    assert print_of(value) == before
    value[0]["a"].add(2)
    assert print_of(value) != before


# ---------------------------------------------------------------- what can't be checked is said


def skipped(check: str, subject: Subject) -> str:
    with pytest.raises(Skipped) as reason:
        run(BY_NAME[check], subject)
    return str(reason.value)


def test_what_can_t_be_looked_at_is_said() -> None:
    """F41: no check passes in silence where it looks at nothing."""
    endless = Subject(lanterns.ruleset(rounds=500), 2, Settings(games=1, bound=20))
    assert skipped("audits-say-yes", endless) == "no sample game came to its end"
    assert skipped("nobody-acts-after-the-end", endless) == "no sample game came to its end"
    local = ruleset_of(altered())
    assert "can't be named" in skipped("other-processes-give-the-same", Subject(local, 2, Settings(games=1)))


def test_a_game_without_determinize_says_so() -> None:
    subject = Subject(ruleset_of(altered(determinize=None)), 2, Settings(games=1, reveals=lanterns.REVEALS))
    assert "no determinize" in skipped("determinized-positions-fit", subject)
    run(BY_NAME["hidden-worlds-look-alike"], subject)


class Seen(Event, frozen=True, tag="toy/seen"):
    note: Secret[str]


class See(Command, frozen=True, tag="toy/see"):
    pass


def test_a_game_whose_secrets_never_differ_says_so() -> None:
    rules = new_rules()
    rules.events(Seen)

    @rules.decider
    def see(now: Now, _command: See) -> Iterator[Event]:
        yield Seen(note="always the same")
        yield now.end("seen")

    rules.legal(lambda _position, _seat: (See(),))
    subject = Subject(ruleset_of(rules), 2, Settings(games=1))
    assert "no other history was found" in skipped("hidden-worlds-look-alike", subject)
