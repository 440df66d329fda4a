"""A person against bots: keys, pages, undo, leaving and going on, and nobody else's secrets."""

from __future__ import annotations

import re
import shlex

import pytest

import ludolog
from ludolog import catalogue
from ludolog_plugins.cli import play as play_module
from ludolog_plugins.cli.keys import ENTER, ERASE, ESCAPE, Terminal
from ludolog_plugins.cli.looking_up import find_rules, show_rules
from ludolog_plugins.cli.menu import LEAVE, pick
from ludolog_plugins.cli.scene import Scene


class Keys:
    """Keys that somebody presses, one after the other."""

    def __init__(self, *keys, at_once=True):
        self.keys = list(keys)
        self.at_once = at_once

    def key(self):
        return self.keys.pop(0) if self.keys else ""


def picked(keys, count, page=9, letters=("u", LEAVE), **how):
    return pick([f"item {n}" for n in range(1, count + 1)], dict.fromkeys(letters, "?"), Keys(*keys, **how), page=page)


@pytest.mark.parametrize(
    ("keys", "count", "place"),
    [
        ("5", 9, 4),
        ("9", 9, 8),
        (["3", ENTER], 25, 2),
        (["2", "5", ENTER], 25, 24),
        (["2", ENTER], 25, 1),
        (["2", ERASE, "1", "7", ENTER], 25, 16),
        (["0", "x", "7"], 9, 6),
        (["9", "4"], 5, 3),
        (["n", "1", "n", "1", "2", ENTER], 30, 11),
        (["12", ENTER], 30, 11),
        (["/", "m", "x", ERASE, " ", "2", "9", ENTER, "2", "9", ENTER], 30, 28),
        ("u", 9, "u"),
        ("", 9, LEAVE),
    ],
)
def test_of_nine_items_one_key_picks_and_of_more_a_number_with_enter(keys, count, place):
    assert picked(list(keys), count) == place


@pytest.mark.parametrize(
    ("keys", "count", "place"),
    [(["5"], 9, 4), (["x", "0", "26", "25"], 25, 24), (["n", "p", "3"], 25, 2), (["u"], 3, "u")],
)
def test_a_script_picks_by_lines(keys, count, place):
    assert picked(keys, count, at_once=False) == place


def test_a_long_list_has_pages(capsys):
    picked(["n", "n", "n", "p", "q"], 20)
    out = capsys.readouterr().out
    assert re.findall(r"page (\d) of 3", out) == ["1", "2", "3", "1", "3"]
    assert out.count("item 20") == 2
    assert "[u] ?  [q] ?" in out


@pytest.mark.parametrize(("keys", "at_once"), [(["/", "m", " ", "1", "7", ENTER, "q"], True), (["/m 17", "q"], False)])
def test_a_long_list_is_searched(capsys, keys, at_once):
    picked(keys, 20, at_once=at_once)
    out = capsys.readouterr().out
    assert out.count("item 17") == 1
    told = r"^ 17  item 17\nnumber and \[enter\]  1 of 20 with 'm 17': \[esc\] or an empty \[/\] shows all"
    assert re.findall(told, out, re.MULTILINE)


@pytest.mark.parametrize(
    ("keys", "at_once"),
    [(["/", "7", ENTER, ESCAPE, "q"], True), (["/", "7", ENTER, "/", ENTER, "q"], True), (["/7", "/", "q"], False)],
)
def test_a_search_is_cleared_by_an_empty_one_or_a_key(capsys, keys, at_once):
    picked(keys, 20, at_once=at_once)
    out = capsys.readouterr().out
    assert out.count("item 1\n") == 2
    assert re.findall(r"(\d+) of 20 with '7'", out) == ["2"]


def test_a_search_that_is_given_up_changes_nothing(capsys):
    picked(["/", "7", ESCAPE, "q"], 20)
    assert "with" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("keys", "count", "refused"),
    [
        (["9", "9", ENTER, "q"], 10, ["99"]),
        (["9", "9", "q"], 10, []),
        (["0", ENTER, "1", "1", ENTER, "q"], 10, ["0", "11"]),
        (["1", "x", ENTER, "q"], 10, ["x"]),
        ([*"word", "7", "x", "q"], 10, ["w", "x"]),
        (["7", "0", "x", "q"], 6, ["7", "0", "x"]),
        (["\x1b[H", ESCAPE, ENTER, ERASE, "q"], 10, []),
        (["n", "q"], 5, ["n"]),
    ],
)
def test_a_number_is_taken_when_it_is_complete_and_what_is_none_is_told(capsys, keys, count, refused):
    """The first digit of a number that is too high was taken for the number; a wrong key was not answered."""
    assert picked(keys, count) == LEAVE
    out = capsys.readouterr().out
    assert re.findall(r"'(\w+)' is none of these: ", out) == refused
    assert all(f"none of these: 1 to {count}, " in line for line in out.splitlines() if "none of" in line)


def test_long_items_and_the_legend_are_broken_between_words(capsys):
    items = ["Go home.", "Build a town on -1,-2, beside a face-down hex and another.", "Stay."]
    letters = {"u": "undo", "l": "look again", "q": "leave"}
    assert pick(items, letters, Keys("q"), page=9, width=32) == LEAVE
    assert capsys.readouterr().out.splitlines() == [
        " 1  Go home.",
        " 2  Build a town on -1,-2,",
        "    beside a face-down hex and",
        "    another.",
        " 3  Stay.",
        "[u] undo  [l] look again",
        "[q] leave",
    ]


@pytest.mark.parametrize(
    ("count", "long", "page", "first", "sizes"),
    [
        (20, (), 9, 9, [7, 7, 6]),
        (20, (), 12, 5, [5, 8, 7]),
        (6, (), 12, 5, [4, 2]),
        (10, (), 9, 9, [5, 5]),
        (10, (), 18, 17, [10]),
        (6, (0, 1), 4, 4, [2, 4]),
        (3, (0, 1, 2), 1, 1, [1, 1, 1]),
    ],
)
def test_pages_are_as_full_as_the_screen_allows(capsys, count, long, page, first, sizes):
    """``long`` items take two lines."""
    items = [f"item {'and more ' * 3 if place in long else ''}end" for place in range(count)]
    pick(items, {"q": "leave"}, Keys(*["n"] * (len(sizes) - 1), "q"), page=page, first=first, width=30)
    shown = re.split(r"\[q\] leave\n", capsys.readouterr().out)[:-1]
    assert [part.count(" item ") for part in shown] == sizes


def test_a_search_for_what_is_not_there_shows_everything(capsys):
    picked(["/gold", "q"], 20, at_once=False)
    out = capsys.readouterr().out
    assert "Nothing here holds 'gold'." in out
    assert out.count("item 1\n") == 2


def test_the_keyboard_knows_enter_erase_and_the_end(monkeypatch):
    pressed = iter(["\n", "\b", "\x04", "a"])
    monkeypatch.setattr("typer.getchar", lambda: next(pressed))
    assert [Terminal().key() for _ in range(4)] == [ENTER, ERASE, "", "a"]

    def closed():
        raise EOFError

    monkeypatch.setattr("typer.getchar", closed)
    assert Terminal().key() == ""


def test_keys_that_come_at_once_are_keys_one_after_the_other(monkeypatch):
    """What is pasted, or typed while the bots play, was taken for one key that nobody knows."""
    pressed = iter(["12\r", "\x1b[A", "q\x03", "z"])
    monkeypatch.setattr("typer.getchar", lambda: next(pressed))
    keys = Terminal()
    assert [keys.key() for _ in range(5)] == ["1", "2", ENTER, "\x1b[A", "q"]
    with pytest.raises(KeyboardInterrupt):
        keys.key()
    assert keys.key() == "z"


# ------------------------------------------------------------ a sitting


def test_a_whole_game_against_a_bot(run):
    out = run("play tic-tac-toe me it --seed 3 --bots random", given="1\n" * 9).stdout
    assert "you are me" in out
    assert "Your move, me:\n 1  Place: cell 0.\n" in out
    assert "* Placed: cell 0, mark X." in out
    assert re.search(r"The game is over: .*\n", out)
    table = re.search(r"ludolog audit (\S+)", out)[1]
    assert run(f"audit {table}").stdout.count(" yes\n") == 3


def test_the_rules_are_at_hand_while_playing(run):
    """A word shows the clauses it stands in, an id the clause that a refusal names, and nothing is played by it."""
    out = run("play dark-horse-bugs ann bob cy --bots random", given="?\nDH-33\n?\ntoken\n?\nzeppelin\nq\n").stdout
    assert re.search(r"^DH-33 +\S", out, re.MULTILINE)
    assert len(set(re.findall(r"^(DH-\w+) ", out, re.MULTILINE))) > 2
    assert "No rule of Dark Horse: the bug race holds 'zeppelin'." in out
    assert out.count("Your move, ann:") == 4


def test_only_rules_in_play_are_looked_up_by_a_word():
    known = catalogue()
    plain = find_rules(known.ruleset("dark-horse-west"), "silver")
    assert {entry.module for entry in plain if not entry.is_ruling} <= {"base", "base-characters", ""}
    with_silver = find_rules(known.ruleset("dark-horse-west", ("silver",)), "silver")
    assert {"RR-016", "RR-038", "RR-R66"} <= {entry.id for entry in with_silver}
    assert not {"robbery", "mystery-hexes"} & {entry.module for entry in with_silver}
    assert [entry.id for entry in find_rules(known.ruleset("dark-horse-west"), "rr-038")] == ["RR-038"]
    assert len(show_rules(with_silver, "silver", known.game("dark-horse-west"))) == max(0, len(with_silver) - 6)


def test_what_happened_stands_below_the_picture(run):
    out = run("play tic-tac-toe me it --seed 3 --bots random", given="1\nq\n").stdout
    assert re.search(r"\* Placed: cell \d, mark O\.\nYour move, me:", out)


def test_a_refusal_stands_next_to_the_question(run):
    out = run("play tic-tac-toe me it --seed 3 --bots random", given="u\nq\n").stdout
    assert re.search(r"nothing to take back.*\nYour move, me:", out)


def test_a_list_leaves_the_picture_on_a_low_screen(run, monkeypatch):
    """No more commands are listed than fit below the board."""
    monkeypatch.setattr(play_module, "keyboard", lambda: Keys("\r", "q"))
    monkeypatch.setenv("LINES", "20")
    out = run("play dark-is-the-night me it --seed 3 --bots random").stdout
    last = out[out.rindex("Hunter: me") :].partition("\nnumber and")[0].partition("\npage 1")[0]
    assert len(last.splitlines()) + 1 <= 20
    assert "Start on NW." in last


LOW, HIGH = "low\nboard", "\n".join(f"row {number}" for number in range(40))


@pytest.fixture
def scene_of(monkeypatch):
    """What stands above the question on a screen of 24 lines."""
    monkeypatch.setenv("LINES", "24")
    return lambda *keys, at_once=True: Scene(Keys(*keys, at_once=at_once))


def test_a_picture_is_shown_when_it_has_changed_or_is_asked_for(capsys, scene_of):
    scene = scene_of()
    for asked, drawn, shown in ((0, LOW, 1), (0, LOW, 0), (0, "other", 1), (1, "other", 1), (0, "other", 0)):
        if asked:
            scene.ask()
        scene.look(drawn)
        assert capsys.readouterr().out.count(drawn) == shown
        assert scene.room < scene.page if shown else scene.room == scene.page == 18


def test_a_picture_that_is_higher_than_the_screen_is_shown_by_screens_and_only_when_asked_for(capsys, scene_of):
    """Its top scrolled away at each question."""
    scene = scene_of("x", "x", "q")
    scene.look(HIGH)
    first, second, end = capsys.readouterr().out.split("Any key goes on")
    assert (first.count("row"), second.count("row"), end) == (23, 17, ".\n")
    assert scene.room == scene.page
    scene.look(f"{HIGH}!")
    assert capsys.readouterr().out == "The picture is higher than the screen: [l] shows it.\n"
    scene.look(f"{HIGH}!")
    assert capsys.readouterr().out == ""
    scene.ask()
    scene.look(f"{HIGH}!")
    assert "row 39" not in capsys.readouterr().out, "who has seen enough skips the rest"


def test_screens_of_a_picture_part_where_it_has_an_empty_line(capsys, scene_of):
    scene_of("x", "x").look("\n".join(f"row {n}" if n != 20 else "" for n in range(40)))
    first, second, _ = capsys.readouterr().out.split("Any key goes on")
    assert first.endswith("row 19\n")
    assert second.startswith(", [q] skips the rest.\nrow 21\n")


def test_a_script_gets_every_picture_whole(capsys, scene_of):
    scene = scene_of(at_once=False)
    for _ in range(2):
        scene.look(HIGH)
        assert capsys.readouterr().out.count(HIGH) == 1


def test_what_happened_leaves_less_room_for_the_list(capsys, scene_of):
    scene = scene_of()
    scene.look(LOW)
    before = scene.room
    scene.tell("ann wins.", mark="* ")
    assert capsys.readouterr().out.endswith("\n* ann wins.\n")
    assert scene.room == before - 1
    for _ in range(30):
        scene.tell("And on.")
    assert scene.room == 5


def test_looking_again_shows_a_high_picture(run, monkeypatch):
    monkeypatch.setattr(play_module, "keyboard", lambda: Keys("x", "x", "x", "?", ENTER, "l", "q", "q"))
    monkeypatch.setenv("LINES", "24")
    out = run("play dark-horse-west me it --as it --seed 3 --bots random").stdout
    assert out.count("Turn 0, set-up") == 2
    assert out.count("Your move, it:") == 3


def test_what_reads_alike_is_listed_once(run):
    out = run("play dark-horse-west ann bob --bots random --seed 4", given="1\n" * 14 + "q\n").stdout
    menus = [part.partition("\n[u]")[0] for part in out.split("Your move, ann:\n")[1:]]
    assert len(menus) > 5
    for menu in menus:
        items = re.findall(r"^ +\d+  (.*)$", menu, re.MULTILINE)
        assert len(set(items)) == len(items)


def test_leaving_and_going_on(run):
    out = run("play tic-tac-toe me it --bots random", given="5\nq\n").stdout
    table = re.search(r"Go on later: ludolog play (\S+) --as me", out)[1]
    length = len(run(f"log {table} --json").stdout)
    out = run(f"play {table[:6]} --as me --bots random").stdout
    assert "X" in out
    assert "Go on later" in out
    assert len(run(f"log {table} --json").stdout) == length


def last_command(out, words):
    """What a closing line says after its words, as arguments of the program."""
    return shlex.split(re.search(rf"{words}: ludolog (.+)", out)[1])


def test_the_closing_lines_name_the_store_that_was_given(run):
    out = run(["play", "tic-tac-toe", "me", "it", "--bots", "random", "--store", "my games.db"], given="5\nq\n").stdout
    assert "Go on later" in run(last_command(out, "Go on later"), given="q\n").stdout
    out = run(["play", "tic-tac-toe", "--bots", "random", "--store", "my games.db"], given="1\n" * 9).stdout
    assert run(last_command(out, "Check it")).stdout.count(" yes\n") == 3
    assert "batch 1 ---" in run(last_command(out, "See it again")).stdout


def test_a_store_of_the_environment_is_not_repeated_on_the_screen(run, monkeypatch):
    """It may be a URL with a password in it."""
    monkeypatch.setenv("LUDOLOG_STORE", "secret.db")
    out = run("play tic-tac-toe me it --bots random", given="q\n").stdout
    assert "Go on later" in out
    assert "secret" not in out
    assert "Go on later" in run(last_command(out, "Go on later"), given="q\n").stdout


def test_undo_goes_back_before_the_answer_of_the_bots(run):
    out = run("play tic-tac-toe me it --bots random", given="u\n5\nu\nn\nu\ny\nr\nq\n").stdout
    assert "There is nothing to take back." in out
    assert out.count("Do you ask the others? They agree.") == 2
    assert "* me took back 2 commands." in out
    assert "not me's alone" in out
    assert out.rstrip().endswith("--as me")


def test_a_seat_that_waits_sees_the_bots_play_first(run):
    out = run("play tic-tac-toe it me --as me --bots random", given="q\n").stdout
    assert out.index("* Placed: cell") < out.index("Your move, me:")


def test_simultaneous_seats_and_a_whole_hidden_game(run):
    out = run("play high-card me it third --seed 2", given="1\n" * 4).stdout
    assert out.count("Your move, me:") == 4
    assert "All hands are empty." in out
    assert re.search(r"Total +\d+ +\d+ +\d+", out)


def test_a_person_is_shown_what_their_seat_is_told_and_no_more(run):
    """F4, F8"""
    out = run("play high-card me it --seed 2", given="1\nq\n").stdout
    table = ludolog.open_table(re.search(r"ludolog play (\S+) --as", out)[1], "ludolog.db")
    hands = next(state for kind, state in table.at(2).slices.items() if kind.__name__ == "Cards").hands
    first = out[: out.index("Your move, me:")]
    assert f"me: hand {' '.join(map(str, hands[0]))}, laid -" in first
    assert "it: hand ? ? ? ?, laid -" in first
    assert "it laid a card face down." in out
    assert f"me laid the {hands[0][0]}." in out


def test_the_picture_can_show_more_when_asked(run):
    out = run("play dark-is-the-night me it --seed 3 --bots random", given="1\nw\nw\nq\n").stdout
    assert "[w] possible on or off" in out
    boards = out.split("Your move, me:")
    assert ["?" in board.replace("[?]", "") for board in boards[1:4]] == [False, True, False]


def test_an_interrupt_says_how_to_go_on(run, monkeypatch):
    class Interrupted(Keys):
        def key(self):
            raise KeyboardInterrupt

    monkeypatch.setattr(play_module, "keyboard", Interrupted)
    assert "Go on later" in run("play tic-tac-toe", code=130).stdout
