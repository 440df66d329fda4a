"""Bots pick legal commands from a view alone, and the better ones win."""

from __future__ import annotations

import collections

import pytest

import tic_tac_toe
from ludolog import Chance, Outcome, Position, catalogue, table_from
from ludolog.errors import BadOptions, RulesFault, UnknownBot
from ludolog.ruleset import Ruleset
from ludolog_plugins.bots.any_move import RandomBot
from ludolog_plugins.bots.greedy import GreedyBot, lead
from ludolog_plugins.bots.match import bot_chance, bot_from, play_match, play_turn
from ludolog_plugins.bots.search import SearchBot, shares
from toys import high_card

SMALL = {"random": {}, "greedy": {"worlds": 1}, "search": {"playouts": 6, "horizon": 30}}
ROWS = Ruleset(tic_tac_toe.ludolog_game())
CARDS = Ruleset(high_card.ludolog_game())


def chance(seed: int) -> Chance:
    return bot_chance(seed, "a")


def board(cells: str) -> Position:
    marks = tuple(mark.strip() for mark in cells)
    position = ROWS.begin(ROWS.opening(("a", "b")), chance(0)).position
    board = tic_tac_toe.Board(cells=marks, moves=sum(map(bool, marks)))
    return position.having(board)


def seen_by(position: Position, seat: str) -> Position:
    return Position(position.ruleset, position.slices, viewer=seat, is_view=True)


def wins(ruleset: Ruleset, specs: dict[str, str], games: int) -> collections.Counter[str]:
    found = collections.Counter()
    for game in range(games):
        bots = {seat: bot_from(spec) for seat, spec in specs.items()}
        outcome = play_match(ruleset, tuple(specs), bots, game).outcome
        found.update(outcome.winners)
    return found


@pytest.mark.parametrize("name", SMALL)
def test_a_bot_is_found_by_its_entry_point(name):
    plugin = catalogue().bot(name)
    assert plugin.id == f"bots/{name}"
    assert plugin.title
    assert plugin.summary


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_bot_picks_a_legal_command_from_a_view_without_secrets(name, seats):
    class Watching:
        def __init__(self, bot):
            self.bot = bot

        def choose(self, view, legal, chance):
            place = view.seats.index(view.viewer)
            cards = view[high_card.Cards]
            foreign = [hand for at, hand in enumerate(cards.hands) if at != place]
            assert view.is_view
            assert not [card for hand in foreign for card in hand if card is not None]
            command = self.bot.choose(view, legal, chance)
            assert command in legal
            return command

    names = ("a", "b", "c", "d")[:seats]
    bots = {seat: Watching(catalogue().bot(name).make(**SMALL[name])) for seat in names}
    match = play_match(CARDS, names, bots, 3)
    assert match.outcome is not None
    assert match.moves == 4 * seats


@pytest.mark.parametrize("name", SMALL)
def test_a_bot_that_sees_the_same_plays_the_same(name):
    """The row of two worlds in the list of known faults: what a seat was not told can't change what it does."""
    one = CARDS.begin(CARDS.opening(("a", "b")), Chance(b"1" * 32))
    cards = one.position[high_card.Cards]
    other = one.position.having(
        high_card.Cards(
            hands=(cards.hands[0], tuple(sorted(set(high_card.CARDS) - set(cards.hands[0]))[:4])),
            laid=cards.laid,
            points=cards.points,
            prizes=cards.prizes,
        )
    )
    assert other != one.position
    picks = []
    for hidden in (one.position, other):
        hands = hidden[high_card.Cards].hands
        view = seen_by(
            hidden.having(
                high_card.Cards(hands=(hands[0], (None,) * 4), laid=cards.laid, points=(0, 0), prizes=cards.prizes)
            ),
            "a",
        )
        picks.append(catalogue().bot(name).make(**SMALL[name]).choose(view, CARDS.legal(view, "a"), Chance(b"x" * 32)))
    assert picks[0] == picks[1]


@pytest.mark.parametrize("name", SMALL)
def test_the_same_seed_gives_the_same_game(name):
    """F19"""
    bot = catalogue().bot(name).make(**SMALL[name])
    games = [play_match(CARDS, ("a", "b", "c"), dict.fromkeys("abc", bot), 11).position for _ in range(2)]
    assert games[0] == games[1]


def test_a_game_in_memory_is_the_one_at_a_table_with_the_same_seed():
    bots = {"a": GreedyBot(), "b": RandomBot()}
    match = play_match(CARDS, ("a", "b"), bots, 5)
    table = table_from(CARDS, ("a", "b"), seed=5)
    order = bot_chance(5, "")
    chances = {seat: bot_chance(5, seat) for seat in "ab"}
    while table.to_act:
        seat = order.choose(table.to_act)
        play_turn(table, seat, bots[seat], chances[seat])
    assert table.position == match.position
    assert table.audit().ok


def test_a_match_is_broken_off_where_the_caller_says():
    match = play_match(CARDS, ("a", "b"), {"a": RandomBot(), "b": RandomBot()}, 1, longest=3)
    assert (match.moves, match.outcome) == (3, None)


# ------------------------------------------------------------ greedy


def test_greedy_completes_a_line():
    for seed in range(10):
        command = GreedyBot().choose(
            seen_by(board("XX OO    "), "a"), ROWS.legal(board("XX OO    "), "a"), chance(seed)
        )
        assert command == tic_tac_toe.Place(cell=2)


def test_greedy_plays_any_of_equal_commands():
    view = seen_by(board("         "), "a")
    picks = {GreedyBot().choose(view, ROWS.legal(view, "a"), chance(seed)).cell for seed in range(80)}
    assert picks == set(range(9))


def test_greedy_beats_random_where_one_step_tells():
    found = wins(ROWS, {"a": "random", "b": "greedy"}, 150)
    assert found["b"] > found["a"]


def test_greedy_counts_the_lead_before_the_strongest_rival():
    position = CARDS.begin(CARDS.opening(("a", "b", "c")), chance(0)).position
    cards = high_card.Cards(hands=position[high_card.Cards].hands, laid=(0, 0, 0), points=(7, 9, 4))
    assert [lead(position.having(cards), seat) for seat in "abc"] == [-2, 2, -5]


# ------------------------------------------------------------ search


@pytest.mark.parametrize(
    ("cells", "seat", "cell"), [("XX OO    ", "a", 2), ("XX  O    ", "b", 2), ("X O X O  ", "a", 8)]
)
def test_search_completes_a_line_and_stops_one(cells, seat, cell):
    view = seen_by(board(cells), seat)
    for seed in range(5):
        command = SearchBot(playouts=300).choose(view, ROWS.legal(view, seat), chance(seed))
        assert command == tic_tac_toe.Place(cell=cell)


@pytest.mark.parametrize("search", ["a", "b"])
def test_search_beats_random_from_both_seats(search):
    specs = {seat: "search:playouts=60" if seat == search else "random" for seat in "ab"}
    found = wins(ROWS, specs, 15)
    assert found[search] >= 9 * max(found.total() - found[search], 1)


@pytest.mark.parametrize("search", ["a", "b"])
def test_search_beats_random_with_hidden_cards(search):
    specs = {seat: "search:playouts=40" if seat == search else "random" for seat in "ab"}
    found = wins(CARDS, specs, 30)
    assert found[search] >= 18


def test_search_stops_when_its_time_is_up():
    ticks = iter(range(1000))
    walked = []

    class Counting(SearchBot):
        def _budget(self):
            for step in super()._budget():
                walked.append(step)
                yield

    bot = Counting(seconds=5, clock=lambda: next(ticks))
    view = seen_by(board("         "), "a")
    assert bot.choose(view, ROWS.legal(view, "a"), chance(1)) in ROWS.legal(view, "a")
    assert len(walked) == 5


def test_search_needs_no_time_for_one_command():
    def clock():
        raise AssertionError

    view = seen_by(board("XOXXOOOX "), "a")
    legal = ROWS.legal(view, "a")
    assert SearchBot(seconds=1, clock=clock).choose(view, legal, chance(1)) == legal[0]


def test_a_share_goes_from_last_to_first():
    over = ROWS.decide(board("XX OO    "), "a", tic_tac_toe.Place(cell=2), chance(0)).position
    assert shares(over)["a"] > 0.99
    assert shares(over)["b"] < 0.01
    assert shares(board("XX OO    ")) == {"a": 0.5, "b": 0.5}


def test_a_lead_before_the_end_is_less_than_a_win_and_more_than_a_defeat():
    position = CARDS.begin(CARDS.opening(("a", "b")), chance(0)).position
    cards = high_card.Cards(hands=position[high_card.Cards].hands, laid=(0, 0), points=(50, 0), prizes=(1,))
    found = shares(position.having(cards))
    assert 0.7 < found["a"] < 0.75
    assert 0.25 < found["b"] < 0.3


# ------------------------------------------------------------ how seats stand


def test_a_game_over_without_points_counts_by_rank():
    """F16"""
    over = ROWS.decide(board("XX OO    "), "a", tic_tac_toe.Place(cell=2), chance(0)).position
    assert ROWS.value(over) == {"a": 1000, "b": -1000}
    drawn = ROWS.decide(board("XOXXOOOX "), "a", tic_tac_toe.Place(cell=8), chance(0)).position
    assert ROWS.value(drawn) == {"a": 0, "b": 0}


def test_a_scoring_that_cannot_be_asked_before_the_end_is_named(monkeypatch):
    sentences = {"hands-empty": "All hands are empty."}
    monkeypatch.setattr(
        high_card.rules,
        "scoring_function",
        lambda position, reason: Outcome(reason=reason, sentence=sentences[reason], ranking=()),
    )
    position = CARDS.begin(CARDS.opening(("a", "b")), chance(0)).position
    with pytest.raises(RulesFault, match=r"scoring of high-card .* declare a @rules\.value"):
        CARDS.value(position)
    monkeypatch.setattr(high_card.rules, "value_function", lambda position: {"a": 3, "b": 1})
    assert CARDS.value(position) == {"a": 3, "b": 1}


# ------------------------------------------------------------ names and options


def test_a_bot_is_made_from_its_name_and_options():
    bot = bot_from("search:playouts=7:seconds=0.5")
    assert (bot.playouts, bot.seconds) == (7, 0.5)


@pytest.mark.parametrize(
    ("spec", "error", "sentence"),
    [
        ("nobody", UnknownBot, "greedy, "),
        ("search:depth=3", BadOptions, "has no option 'depth=3'; its options are playouts=400"),
        ("random:x=1", BadOptions, "options are none"),
        ("search:playouts", BadOptions, "has no option 'playouts'"),
        ("search:playouts=many", BadOptions, "can't be 'many'"),
        ("search:playouts=0", BadOptions, "1 or more"),
        ("search:seconds=nan", BadOptions, "not below 0"),
        ("greedy:worlds=0", BadOptions, "1 or more"),
    ],
)
def test_a_wrong_bot_is_explained(spec, error, sentence):
    with pytest.raises(error, match=sentence):
        bot_from(spec)


# ------------------------------------------------------------ every installed game


@pytest.mark.parametrize("game", catalogue().ids("ludolog_game"))
@pytest.mark.parametrize("name", SMALL)
def test_every_bot_plays_every_installed_game(game, name):
    manifest = catalogue().game(game)
    ruleset = catalogue().ruleset(game, (), manifest.bot_options)
    seats = ("ann", "bob", "cy", "dee", "eve", "fay")[: min(ruleset.seat_counts)]
    bots = {seat: catalogue().bot(name).make(**SMALL[name]) for seat in seats}
    match = play_match(ruleset, seats, bots, 1, longest=4)
    assert match.moves == 4 or match.outcome is not None
