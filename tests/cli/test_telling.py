"""What happened, in sentences for one audience."""

from __future__ import annotations

import msgspec
import pytest

import ludolog
from ludolog.folding import HOST
from ludolog.ruleset import Ruleset
from ludolog.story import plain_sentence
from ludolog_plugins.cli.scores import score_rows
from ludolog_plugins.cli.telling import picture, seen, tell, tell_outcome, wishes_of
from toys import high_card, vault


def sentences(table, who, start=0):
    return [sentence for found in tell(table, who, start) for sentence in found.sentences]


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        (vault.Echoed(left=3), "Echoed: left 3."),
        (vault.Knock(), "Knock."),
        (vault.LayDown(card=""), "Lay down: card none."),
        (vault.Note(watchers=("a", "b"), note="x"), "Note: watchers a b, note x."),
        (vault.Note(watchers=(), note="x"), "Note: watchers none, note x."),
        (vault.Noted(watchers=("a",), note=None), "Noted: watchers a, note hidden."),
        (high_card.HandDealt(seat="a", cards=(None, None)), "Hand dealt: seat a, cards 2 hidden."),
        (high_card.HandDealt(seat="a", cards=(4, None)), "Hand dealt: seat a, cards 4 hidden."),
    ],
)
def test_what_a_game_does_not_put_into_words_is_told_by_its_names(message, sentence):
    assert plain_sentence(message) == sentence


def test_words_for_values_that_are_more_than_one():
    class Found(ludolog.Event, frozen=True, tag="words/found"):
        line: ludolog.ScoreLine
        all_of_it: bool

    message = Found(line=ludolog.ScoreLine(label="gold", points=2), all_of_it=True)
    assert plain_sentence(message) == "Found: line (label gold, points 2, clause none), all of it yes."


def test_everyone_is_told_their_own():
    table = ludolog.table_from(Ruleset(high_card.ludolog_game(), (), {"hand": 1}), ("a", "b"), seed=1, id="t")
    own, other = (hand[0] for hand in table.position[high_card.Cards].hands)
    prize = table.position[high_card.Cards].prizes[0]
    opened = "Table t was opened for a, b: high-card."
    dealt = f"Hand dealt: seat a, cards {own}.", "Hand dealt: seat b, cards 1 hidden."
    assert sentences(table, "a") == [opened, "Game begun.", *dealt, f"Prize turned: prize {prize}."]
    assert f"Hand dealt: seat b, cards {other}." in sentences(table, HOST)
    table.play("a", high_card.Lay(card=own))
    assert sentences(table, "a", 2) == [f"a laid the {own}."]
    assert sentences(table, None, 2) == sentences(table, "b", 2) == ["a laid a card face down."]
    table.play("b", high_card.Lay(card=other))
    assert sentences(table, None, 3)[-2:] == [
        "The game is over: All hands are empty.",
        f"The seed was revealed: {table.seed.hex()}.",
    ]


def test_the_view_after_each_batch_is_the_one_that_the_audience_had():
    """F2"""
    table = ludolog.table_from(Ruleset(high_card.ludolog_game()), ("a", "b"), seed=1)
    table.play("a", table.legal("a")[0])
    table.undo(None)
    table.redo(None)
    table.undo(None)
    table.play("b", table.legal("b")[1])
    for who in ("a", "b", None, HOST):
        found = list(tell(table, who))
        assert [step.view for step in found] == [seen(table, who, length) for length in range(1, table.length + 1)]
        assert list(tell(table, who, 3, 5))[1].view == seen(table, who, 5)


def vault_of_marks():
    """The vault, with a mark of which nobody hears anything at all."""
    rules = vault.load()
    kept = rules.deciders[vault.Mark]
    rules.deciders[vault.Mark] = kept._replace(function=lambda _now, command: iter([vault.Marked(what=command.what)]))
    try:
        return Ruleset(vault.GAME)
    finally:
        rules.deciders[vault.Mark] = kept


def test_an_undo_is_told_only_to_whom_it_takes_something():
    """F4: that something secret was taken back is as secret as that it happened."""
    table = ludolog.table_from(vault_of_marks(), ("a", "b"), seed=1)
    start = table.length
    table.play("a", vault.Mark(what="cross"))
    table.undo("a", consent=("b",))
    assert sentences(table, "b", start) == sentences(table, None, start) == []
    assert sentences(table, "a", start) == ["a took back the last command."]
    assert sentences(table, HOST, start) == ["Marked: what cross.", "a took back the last command."]


def quiet_vault():
    """The vault, whose walks and notes are mere bookkeeping, and whose marks nobody at all hears of."""
    ruleset = vault_of_marks()
    ruleset.merged.sentences[vault.Walked] = lambda _position, _event: ""
    ruleset.merged.sentences[vault.Noted] = lambda _position, _event: ""
    return ludolog.table_from(ruleset, ("a", "b"), seed=1)


def test_a_command_of_which_the_events_say_nothing_is_told_itself_to_whom_it_is_no_secret():
    """F4: the others hear that there was one, if they were told of it at all; what it was may be hidden."""
    table = quiet_vault()
    start = table.length
    table.play("a", vault.Note(watchers=("a",), note="the safe"))
    table.play("b", vault.Mark(what="cross"))
    found = {who: [list(step.lines) for step in tell(table, who, start)] for who in ("a", "b", None, HOST)}
    note = ["a: Note: watchers a, note the safe."]
    assert found["a"] == [note, []]
    assert found["b"] == [["a has acted."], ["b: Mark: what cross."]]
    assert found[None] == [["a has acted."], []]
    assert found[HOST] == [note, ["Marked: what cross."]]
    assert all(not step.sentences for who in ("a", "b", None) for step in tell(table, who, start))


def test_an_undo_that_is_not_told_stays_untold():
    """F4"""
    table = quiet_vault()
    start = table.length
    table.play("a", vault.Mark(what="cross"))
    table.undo("a", consent=("b",))
    for other in ("b", None):
        assert [step.lines for step in tell(table, other, start)] == [(), ()]


def test_a_host_takes_back_and_restores():
    table = ludolog.table_from(Ruleset(high_card.ludolog_game()), ("a", "b"), seed=1)
    for seat in "ab":
        table.play(seat, table.legal(seat)[0])
    table.undo(None, to=2)
    table.redo(None)
    assert sentences(table, "b", 4) == ["The host took back 2 commands.", "The host restored 2 commands."]


def test_before_the_beginning_there_is_no_picture():
    table = ludolog.table_from(Ruleset(high_card.ludolog_game()), ("a", "b"), seed=1)
    assert picture(table.at(1)) == "The game has not begun."
    assert picture(table.at(2)).startswith("prizes ")


def test_only_what_is_yes_or_no_can_be_wished(monkeypatch):
    ruleset = Ruleset(high_card.ludolog_game())
    assert wishes_of(ruleset) == wishes_of(ruleset, "svg") == ()
    monkeypatch.setitem(ruleset.pictures, "text", lambda position, *, shade=False, size=3: f"{shade} {size}")
    assert wishes_of(ruleset) == ("shade",)
    begun = ludolog.table_from(Ruleset(high_card.ludolog_game()), ("a", "b"), seed=1).position
    begun = msgspec.structs.replace(begun, ruleset=ruleset)
    assert picture(begun, ("shade",)) == "True 3"


def test_scores_are_told_line_by_line(capsys):
    lines = {
        "ann": [ludolog.ScoreLine(label="Towns", points=3, clause="X-1"), ludolog.ScoreLine(label="Gold", points=1)],
        "bob": [ludolog.ScoreLine(label="Towns", points=4, clause="X-1")],
    }
    tell_outcome(ludolog.Outcome.by_score(lines, reason="end", sentence="Level.", clause="X-9"))
    out = capsys.readouterr().out
    assert out.startswith("Level. (X-9)\n  1. ann and bob\n")
    rows = [line.split() for line in out.splitlines()[-3:]]
    assert rows == [["Towns", "3", "4", "X-1"], ["Gold", "1", "0"], ["Total", "4", "4"]]


def sheets(*by_seat):
    """A sheet for each seat, of labels with points, all by one clause."""
    lines = [tuple(ludolog.ScoreLine(label=text, points=n, clause="X-1") for text, n in sheet) for sheet in by_seat]
    return [ludolog.SeatScore(seat=seat, lines=found) for seat, found in zip("abcd", lines, strict=False)]


@pytest.mark.parametrize(
    ("by_seat", "rows"),
    [
        ([[("3 towns", 3)], [("6 towns", 6)]], ["towns (3, 6)|3|6|X-1"]),
        ([[("3 towns", 3)], [("3 towns", 3)]], ["3 towns|3|3|X-1"]),
        ([[("1 city", 3)], [("2 cities", 4)]], ["cities (1, 2)|3|4|X-1"]),
        ([[("1 pair of gloves", 1)], [], [("0 pairs of gloves", 0)]], ["pairs of gloves (1, -, 0)|1|0|0|X-1"]),
        ([[("2 maps", 2), ("3 maps", 4)], [("2 maps", 2)]], ["2 maps|2|2|X-1", "3 maps|4|0|X-1"]),
        ([[("Gold", 1)], [("Golds", 2)]], ["Gold|1|0|X-1", "Golds|0|2|X-1"]),
        ([[("1 Gold", 1)], [("1 Ore", 2)]], ["1 Gold|1|0|X-1", "1 Ore|0|2|X-1"]),
        ([[("1st", 1)], [("2nd", 2)]], ["1st|1|0|X-1", "2nd|0|2|X-1"]),
        ([[("Gold", 1), ("Gold", 2)], []], ["Gold|3|0|X-1"]),
        ([[], []], []),
    ],
)
def test_lines_that_differ_only_in_a_count_are_one_row(by_seat, rows):
    """One line of a game's scores was as many rows as there were counts of it."""
    assert ["|".join(row) for row in score_rows(sheets(*by_seat))] == rows


def test_lines_of_different_clauses_stay_apart():
    lines = {"ann": [ludolog.ScoreLine(label="2 maps", points=2, clause="X-1")]}
    lines["bob"] = [ludolog.ScoreLine(label="3 maps", points=3, clause="X-2")]
    outcome = ludolog.Outcome.by_score(lines, reason="end", sentence="Over.")
    assert [row[0] for row in score_rows(outcome.scores)] == ["2 maps", "3 maps"]
