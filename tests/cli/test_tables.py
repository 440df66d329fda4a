"""One step at a table from the command line: new, show, legal, do, undo, redo, log, replay, audit."""

from __future__ import annotations

import json
import re
from importlib.metadata import EntryPoint

import pytest

import ludolog

PLACE = '{"type":"tic-tac-toe/place","cell":4}'


@pytest.fixture
def table(run):
    run("new tic-tac-toe ann bob --id rows --seed 7")
    return "rows"


def cards(place="ludolog.db", *, seed=1, hand=2):
    """A table of the made-up card game, its first moments fixed."""
    return ludolog.new_table("high-card", ("a", "b"), (), {"hand": hand}, seed=seed, store=place, id="cards", at=10**15)


# ------------------------------------------------------------ games and rules


def test_games_lists_what_is_installed(run):
    out = run("games").stdout
    assert "high-card" in out
    assert "+ misere" in out
    listed = json.loads(run("games --json").stdout)
    assert {"tic-tac-toe", "dark-horse-bugs"} <= {game["id"] for game in listed}


def test_games_shows_the_options_of_one(run):
    assert re.search(r"hand\s+4\s+a number", run("games high-card").stdout)
    [told] = json.loads(run("games high-card --json").stdout)
    assert told["options"] == [{"name": "hand", "default": 4, "values": "a number", "of": "high-card", "rulings": []}]


def test_games_says_what_an_option_settles_and_how_to_read_more(run, monkeypatch):
    """Thirty options had no word on any of them."""
    out = run("games dark-horse-west").stdout
    assert re.search(r"turn_limit +100 +0, 100 +DW-R53 Turn limit", out)
    assert re.search(r"DW-R27 Sheriff *\n.*DW-R69 The Deputy die", out), "an option may belong to two"
    assert re.search(r"\+ golden-spike *\nspike_discard", out)
    how = re.search(r"A ruling with its reason: ludolog (rules dark-horse-west (DW-R\d+))\n", out)
    option = re.search(rf"(\w+) .*{how[2]} ", out)[1]
    assert f"Option: {option}" in run(how[1]).stdout
    [told] = json.loads(run("games dark-horse-west --json").stdout)
    assert {"DW-R27", "DW-R69"} == set(next(o["rulings"] for o in told["options"] if o["name"] == "deputy_die"))
    bugs = run("games dark-horse-bugs").stdout
    assert re.search(r"goal_exchange_order +give-first .*DH-R5 The outgoing Goal card", bugs), "it has no title"
    assert "also II-R26, II-R27, II-R28" in run("games insect-inc").stdout
    monkeypatch.setenv("COLUMNS", "80")
    out = run("games dark-horse-west").stdout.partition("\noption ")[2]
    assert max(map(len, out.splitlines())) <= 80
    assert "\nsilver_mines_product " in out, "what is to be typed stands in one piece"


def test_games_says_which_variants_go_together(run):
    """Either of two that exclude each other may be the one that says so."""
    out = " ".join(run("games dark-horse-west").stdout.split())
    assert "A fifth set of pieces. (seats: 2-5; not with gunslinger or solitaire)" in out
    assert "(seats: 1; needs gunslinger; not with five-player)" in out
    assert "(needs silver and base-changes)" in out
    assert "pork-barrel" not in out, "it isn't installed"
    [told] = json.loads(run("games dark-horse-west --json").stdout)
    found = next(variant for variant in told["variants"] if variant["id"].endswith("/saloon"))
    assert (found["needs"], found["not_with"]) == (["reputation", "silver"], ["barnstorming"])


def test_values_of_options_are_told_as_a_command_line_takes_them(run, monkeypatch):
    west = run("games dark-horse-west").stdout
    assert re.search(r"event_steps +3,6,9 +numbers with commas", west)
    assert re.search(r"limited_supply +false +true, false", west)
    assert re.search(r"data +a file", west)
    monkeypatch.setenv("COLUMNS", "120")
    assert re.search(r"claims_window +400 +a number, until-closed, first-claim", run("games insect-inc").stdout)
    run("new dark-horse-west ann bob -o event_steps=3,6,9 -o limited_supply=false")


def test_a_plugin_that_cannot_be_used_is_told(run, catalogue_of):
    catalogue_of([EntryPoint(name="gone", value="no_such_module_anywhere", group="ludolog")])
    assert "Can't be used: Plugin 'gone' (no_such_module_anywhere) can't be imported" in run("games").stdout


def test_rules_lists_clauses_and_rulings_with_their_reasons(run):
    out = run("rules dark-horse-bugs").stdout
    assert re.search(r"DH-33 +On a turn the player lays exactly one card", out)
    assert re.search(r"DH-R12 .*?house: ", out, re.DOTALL)
    assert len(json.loads(run("rules dark-horse-bugs --json").stdout)) > 80


def test_rules_shows_one_clause(run):
    out = run("rules dark-horse-bugs dh-r12").stdout
    assert "Why: " in out
    assert "Option: token_pass" in out
    assert "has no rules data" in run("rules high-card").stdout


# ------------------------------------------------------------ playing


def test_a_game_goes_from_new_to_audit(run, table):
    assert "To act: ann." in run("show rows").stdout
    assert re.search(r"5 +Place: cell 4\. *\n", run("legal rows").stdout)
    for seat, command in (("ann", "1"), ("bob", PLACE), ("ann", "1"), ("bob", "2"), ("ann", "1")):
        last = run(["do", table, command, "--as", seat]).stdout
    assert "The game is over: ann wins." in last
    assert "ann wins. (TTT-5)\n  1. ann\n  2. bob" in run("show rows").stdout
    assert run("audit rows").stdout.count(" yes\n") == 3


def test_a_new_table_may_ask_its_seats_for_contributions(run):
    run("new high-card a b --id asked --ask-seats")
    assert "decline" in run("legal asked --as a --json").stdout
    run("do asked 1 --as a")
    run("do asked 1 --as b")
    assert ludolog.open_table("asked", "ludolog.db").position[ludolog.Frame].begun


def test_new_takes_variants_options_and_seeds(run):
    run("new high-card ann bob -o hand=3 --seed 7 --id one")
    run("new high-card ann bob -o hand=3 --seed 7 --id two")
    run("new tic-tac-toe ann bob -v misere --id three")
    deals = [json.loads(run(f"show {name} --host --json").stdout)["view"] for name in ("one", "two")]
    assert deals[0] == deals[1]
    assert json.loads(run("show three --json").stdout)["rules"][1]["id"] == "tic-tac-toe/misere"
    same = ludolog.new_table("high-card", ("ann", "bob"), (), {"hand": 3}, seed=7).position
    assert deals[0]["high-card/Cards"]["hands"] == [list(hand) for hand in same[type_of(same)].hands]


def type_of(position):
    return next(kind for kind in position.slices if kind.__name__ == "Cards")


def test_tables_are_listed_and_named_by_how_they_begin(run, table):
    run("new tic-tac-toe ann bob --id rover")
    assert [row["table"] for row in json.loads(run("show --json").stdout)] == ["rover", "rows"]
    assert re.search(r"rows +tic-tac-toe +ann, bob +2", run("show").stdout)
    assert "rows: tic-tac-toe" in run("show row").stdout
    assert "Several tables here begin with 'ro': rover, rows." in run("show ro", code=2).stderr


def test_the_store_can_be_named_in_the_environment(run, tmp_path, monkeypatch):
    monkeypatch.setenv("LUDOLOG_STORE", "elsewhere.db")
    run("new tic-tac-toe ann bob --id there")
    assert (tmp_path / "elsewhere.db").exists()
    assert "ludolog.db doesn't exist" in run("show there --store ludolog.db", code=3).stderr


def test_do_tells_what_happened_and_gives_a_receipt(run, table):
    out = run(["do", table, "5"]).stdout
    assert "Placed: cell 4, mark X.\nTo act: bob.\n" in out
    receipt = re.search(r"Receipt (3:[0-9a-f]{64})", out)[1]
    assert "yes" in run(["audit", table, "--receipt", receipt]).stdout
    short = receipt[:-1] + ("0" if receipt[-1] != "0" else "1")
    assert "its hash is not the one of a receipt" in run(["audit", table, "-r", short], code=1).stdout


def test_do_in_json_gives_receipt_or_refusal(run, table):
    receipt = json.loads(run(["do", table, PLACE, "--json", "--command-id", "c1"]).stdout)
    assert receipt["length"] == 3
    again = json.loads(run(["do", table, PLACE, "--json", "--command-id", "c1", "--as", "ann"]).stdout)
    assert again == receipt | {"repeated": True}
    refused = json.loads(run(["do", table, PLACE, "--json"], code=1).stdout)["refusal"]
    assert (refused["code"], refused["clause"], refused["facts"]) == ("cell-taken", "TTT-3", {"cell": 4})


def test_undo_and_redo_are_for_whoever_played_last(run, table):
    run(["do", table, "5"])
    assert "ann took back the last command.\nTo act: ann." in run("undo rows").stdout
    assert "ann restored the last command.\nTo act: bob." in run("redo rows").stdout
    assert "not bob's" in run("undo rows --as bob", code=1).stderr
    run("undo rows --as bob --consent ann --consent bob")
    assert "nothing to take back" in run("undo rows --host", code=1).stderr
    assert json.loads(run("redo rows --host --json").stdout)["length"] == 7


def test_legal_needs_to_know_which_of_several_seats(run):
    cards()
    assert "say which seat with --as: a, b may all act now" in run("legal cards", code=2).stderr
    hand = json.loads(run("legal cards --as a --json").stdout)
    assert len(hand) == 2
    assert "b may not act now" in (run(["do", "cards", "1", "--as", "b"]) and run("legal cards --as b")).stdout


def test_only_commands_told_in_the_same_words_are_shown_themselves(run, table, monkeypatch):
    assert "{" not in run("legal rows").stdout
    monkeypatch.setattr(
        ludolog.Ruleset,
        "tell",
        lambda _self, _view, command: "Corner." if command.cell in {0, 2} else "Else."[: command.cell],
    )
    told = run("legal rows").stdout
    assert re.search(r'1 +Corner\. +\{"type":"tic-tac-toe/place","cell":0\}', told)
    assert re.search(r"2 +E *\n", told)


def test_a_number_out_of_turn_is_refused_with_whose_turn_it_is(run, table):
    assert "bob may not act now. To act: ann." in run("do rows 1 --as bob", code=1).stderr
    assert "ann has 9 legal commands now, so there is no number 10." in run("do rows 10", code=1).stderr
    assert "The host's commands have no numbers" in run("do rows 1 --host", code=1).stderr
    for cell in (0, 3, 1, 4, 2):
        run(["do", "rows", f'{{"type":"tic-tac-toe/place","cell":{cell}}}'])
    assert "bob may not act any more. The game is over: ann wins." in run("do rows 1 --as bob", code=1).stderr


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("do", "Which seat plays."),
        ("show", "Which seat asks."),
        ("new", "Id of the table; by default a new one is made up."),
        ("legal", "numbered for 'do'"),
    ],
)
def test_help_says_what_is_meant(run, command, told):
    assert told in " ".join(run(f"{command} --help").stdout.replace("│", " ").split())


def test_show_draws_at_any_time_and_as_svg(run, tmp_path):
    run("new dark-horse-bugs ann bob --id race")
    assert run("show race --svg race.svg").stdout == "The picture is in race.svg.\n"
    assert (tmp_path / "race.svg").read_text().startswith("<svg")
    assert run("show race --svg -").stdout.startswith("<svg")
    assert "To act" not in run("show race --at 1").stdout
    assert "so there is no position after 9" in run("show race --at 9", code=1).stderr


def test_a_picture_is_asked_for_more(run):
    run("new dark-is-the-night hunter monster --id dark --seed 3")
    run("do dark 1")
    run("do dark 1")
    plain = run("show dark --as hunter").stdout
    assert run("show dark --as hunter --with possible").stdout != plain
    assert run("show dark --as hunter --with possible --svg -").stdout != run("show dark --as hunter --svg -").stdout
    assert "can't be asked for 'more'; it can for possible" in run("show dark --with more", code=2).stderr


# ------------------------------------------------------------ looking back


def test_log_is_a_table_of_batches_to_filter(run, table):
    run(["do", table, "1"])
    run(["do", table, "1"])
    run("undo rows")
    lines = run("log rows").stdout
    assert re.search(r"3 undone .* bob +Placed: cell 1, mark O\.", lines)
    assert re.search(r"3 undone .* bob +place +Placed: cell 1, mark O\.", run("log rows --host").stdout)
    assert "opened" not in run("log rows --seat bob").stdout
    by_type = [json.loads(line) for line in run("log rows --type placed --json").stdout.splitlines()]
    assert [batch["number"] for batch in by_type[0]] == [2, 3]
    assert [batch["counts"] for batch in by_type[0]] == [True, False]
    assert "Nobody named 'cy'" in run("log rows --seat cy", code=2).stderr


def test_log_tells_the_day_once_and_leaves_room_for_what_happened(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    store = ludolog.open_store("ludolog.db")
    table = ludolog.new_table("tic-tac-toe", ("ann", "bob"), store=store, id="rows", at=1_000_000)
    for day, command in ((0, 1), (1, 2), (1, 3), (10**7, 4)):
        seat = table.to_act[0]
        table.play(seat, table.legal(seat)[command], at=day * 86_400_000_000 + 2_000_000)
    store.close()
    lines = run("log rows").stdout.splitlines()
    days = [line.split(" --")[0] for line in lines if " ---" in line]
    assert days == ["1970-01-01 (UTC)", "1970-01-02 (UTC)", "Microseconds since 1970 (UTC)"]
    assert re.match(r"2 +00:00:02 +ann +Placed: cell 1", lines[5])
    assert 80 - lines[1].index("what happened") > 50


def test_replay_goes_step_by_step(run, table):
    run(["do", table, "1"])
    out = run("replay rows").stdout
    assert out.index("batch 1 ---") < out.index("Placed: cell 0, mark X.\nX 1 2")
    assert "0 1 2" in run("replay rows --at 2").stdout
    found = json.loads(run("replay rows --at 2 --json").stdout)
    assert (found["at"], found["length"], found["picture"].splitlines()[0]) == (2, 3, "0 1 2")
    steps = [json.loads(line) for line in run("replay rows --json").stdout.splitlines()]
    assert steps[-1]["picture"].startswith("X 1 2")


def test_bookkeeping_is_no_news(run):
    """An event with an empty sentence is in the JSON, but in no line for people."""
    run("new dark-horse-west ann bob --seed 1 --id west")
    text = run("log west").stdout
    assert "ann receives" in text
    assert "Tasks" not in text
    assert "\n\n" not in text
    batch = json.loads(run("log west --json").stdout)[1]
    assert "" not in batch["sentences"]
    assert len(batch["events"]) > len(batch["sentences"])


def test_every_command_that_one_was_told_of_is_a_line_of_the_log(run):
    """Where all its events are bookkeeping, the log left the command out."""
    run("new dark-horse-west ann bob --seed 1 --id west")
    table = ludolog.open_table("west", "ludolog.db")
    while not any(type(batch.command).__name__ == "Finish" for batch in table.journal.batches(2, table.length)):
        seat = table.to_act[0]
        table.play(seat, table.legal(seat)[-1])
    assert len(table.feed(None)) > table.length
    for asking in ("", " --as ann", " --host"):
        listed = json.loads(run(f"log west{asking} --json").stdout)
        assert [batch["number"] for batch in listed] == list(range(table.length))
        assert all(batch["sentences"] for batch in listed)
        assert len(re.findall(r"^\d+ ", run(f"log west{asking}").stdout, re.MULTILINE)) == table.length


def test_audit_says_which_question_fails(run):
    store = ludolog.open_store("ludolog.db")
    table = ludolog.new_table("tic-tac-toe", ("ann", "bob"), seed=1, store=store, id="rows")
    store.create("copy", list(store.read(table.id)), seed=b"x" * 32)
    store.close()
    assert "it begins with the opening of table 'rows'" in run("audit copy", code=3).stderr
    told = json.loads(run("audit rows --json").stdout)
    assert told["ok"]
    assert [answer["verdict"] for answer in told["answers"]] == ["yes"] * 3


# ------------------------------------------------------------ secrets


def outputs(run, line):
    """What a command prints, without hashes, which are blinded and differ."""
    return re.sub(r"[0-9a-f]{64}", "#", run(line).output)


LOOKS = ["show cards", "log cards", "replay cards", "show cards --json", "log cards --json", "replay cards --json"]


@pytest.mark.parametrize("seat", ["a", ""])
def test_two_worlds_that_a_seat_cannot_tell_apart_look_the_same(run, tmp_path, monkeypatch, seat):
    """F4, F8: nothing that a seat or a viewer asks for shows what it was not told."""
    worlds = {}
    for seed in range(500):
        table = ludolog.new_table("high-card", ("a", "b"), (), {"hand": 1}, seed=seed)
        own, other = table.position[type_of(table.position)].hands
        worlds.setdefault((own, table.position[type_of(table.position)].prizes), {}).setdefault(other, seed)
    pair = next(list(found.values())[:2] for found in worlds.values() if len(found) > 1)
    told = []
    for seed in pair:
        folder = tmp_path / str(seed)
        folder.mkdir()
        monkeypatch.chdir(folder)
        table = cards(seed=seed, hand=1)
        table.play("b", table.legal("b")[0], at=10**15)
        asking = f" --as {seat}" if seat else ""
        told.append([outputs(run, look + asking) for look in LOOKS])
    assert told[0] == told[1]
    assert "b laid a card face down." in told[0][1]


def test_the_host_sees_everything_and_only_when_asked(run):
    table = cards()
    secret = list(table.position[type_of(table.position)].hands[1])
    view = json.loads(run("show cards --as a --json").stdout)["view"]["high-card/Cards"]
    assert view["hands"][1] == [None, None]
    view = json.loads(run("show cards --host --json").stdout)["view"]["high-card/Cards"]
    assert view["hands"][1] == secret
    assert "exclude each other" in run("show cards --as a --host", code=2).stderr
