"""Playing against the clock: bots act at their moments, time passes in between, and the clock stays outside."""

from __future__ import annotations

import pytest

import ludolog
from insect_inc.scenes import DECLARE, REVEAL, SEATS, Scene, new_game
from ludolog import Chance, Command, Position, catalogue, errors
from ludolog_plugins.bots.insect import InsectBot
from ludolog_plugins.bots.match import bot_chance, bot_from
from ludolog_plugins.insect_inc.commands import Claim, CloseWindow, Declare, Reveal
from ludolog_plugins.insect_inc.events import WindowClosed
from ludolog_plugins.insect_inc.judging import catchable
from ludolog_plugins.insect_inc.realtime import Happened, RealTime, command_from, prompt
from ludolog_plugins.insect_inc.state import Insects, Players, Window

T = 1_700_000_000_000_000
MS = 1000


class Fixed:
    """A bot that acts after so many milliseconds: a claim that succeeds, or a declaration."""

    def __init__(self, after: int, *, finds: bool = True) -> None:
        self.after = after
        self.finds = finds

    def delay(self, view: Position, chance: Chance) -> int:
        return self.after * MS

    def choose(self, view: Position, legal: tuple[Command, ...], chance: Chance) -> Command:
        if len(legal) == 1:
            return legal[0]
        if not self.finds:
            return DECLARE
        return next(Claim(cards=pair) for kind in view[Insects].open for pair in catchable(view, kind))


def new_table(count: int, **options: object) -> ludolog.Table:
    return ludolog.new_table("insect-inc", seats=tuple(SEATS[:count]), options=options, seed=5, at=T)


def play_out(table: ludolog.Table, bots: dict[str, object]) -> list[Happened]:
    game = RealTime(table, bots, {seat: bot_chance(1, seat) for seat in bots}, began=T)
    done: list[Happened] = []
    while not table.over and (moment := game.next_moment) is not None:
        done += game.advance(moment)
    return done


def test_bots_act_at_their_moments_and_the_window_is_closed_between():
    table = new_table(2)
    start = table.to_act[0]
    other = next(seat for seat in table.seats if seat != start)
    bots = {start: Fixed(1000), other: Fixed(1300, finds=False)}
    game = RealTime(table, bots, dict.fromkeys(bots, Chance(b"x")), began=T)
    assert game.next_moment == T + 1000 * MS
    assert game.advance(T + 999 * MS) == []
    assert [(found.seat, found.command) for found in game.advance(T + 2500 * MS)] == [
        (start, Reveal()),
        (start, table.journal.batch(3).command),
        (other, Declare()),
        (None, None),
    ]
    assert [batch.time for batch in table.journal.batches(2)] == [T + ms * MS for ms in (1000, 2000, 2300)] + [
        T + 2400 * MS + 1
    ]
    assert len(table.position[Players].taken) == 1
    assert table.audit([table.receipt]).ok


def test_how_often_the_host_looks_changes_nothing():
    """The same moments come about whether the host asks at every one of them or once in a while."""
    logs = []
    for step in (None, 16 * MS, 3_000 * MS):
        table = new_table(4)
        bots = {seat: InsectBot(900, 700) for seat in table.seats}
        game = RealTime(table, bots, {seat: bot_chance(1, seat) for seat in bots}, began=T)
        now = T
        while not table.over:
            now = game.next_moment if step is None else now + step
            game.advance(now)
        logs.append([(batch.seat, batch.command, batch.time) for batch in table.journal.batches(2)])
    assert logs[0] == logs[1] == logs[2]


def test_a_person_may_act_between_the_bots():
    table = new_table(2)
    bots = {"B": Fixed(2000)}
    game = RealTime(table, bots, {"B": Chance(b"x")}, began=T)
    if table.to_act == ("B",):
        game.advance(T + 2000 * MS)
    else:
        assert game.next_moment is None
        table.play("A", REVEAL, at=T + 2000 * MS)
        game.advance(T + 2000 * MS)
    (kind,) = table.position[Insects].open
    pair = next(iter(catchable(table.position, kind)))
    table.play("A", Claim(cards=pair), at=T + 3000 * MS)
    assert game.next_moment == T + 3400 * MS + 1
    game.advance(T + 3500 * MS)
    assert table.position[Players].kinds_of("A") == (kind,)
    assert game.next_moment == T + 5400 * MS + 1


def test_when_all_bots_have_given_up_the_person_is_waited_for():
    table = new_table(2)
    game = RealTime(table, {"B": Fixed(100, finds=False)}, {"B": Chance(b"x")}, began=T)
    if table.to_act == ("A",):
        table.play("A", REVEAL, at=T)
    game.advance(T + 10_000 * MS)
    assert table.position[Window].has_declared("B")
    assert game.next_moment is None
    table.play("A", DECLARE, at=T + 20_000 * MS)
    assert game.next_moment == T + 20_400 * MS + 1
    game.advance(T + 20_500 * MS)
    assert table.position[Insects].revealed == 2


@pytest.mark.parametrize("window", ["until-closed", "first-claim"])
def test_the_same_bots_play_in_blind_rounds_and_hand_by_hand(window):
    """The host closes when everyone has claimed or declared; the rules are the same."""
    table = new_table(4, claims_window=window)
    play_out(table, {seat: InsectBot() for seat in table.seats})
    assert table.over
    assert table.audit([table.receipt]).ok
    closed = [batch for batch in table.journal.batches(2) if isinstance(batch.command, CloseWindow)]
    assert bool(closed) == (window == "until-closed")
    judged = [
        len(event.hands)
        for batch in table.journal.batches(2)
        for event in batch.events
        if isinstance(event, WindowClosed) and event.hands
    ]
    assert (max(judged) > 1) == (window == "until-closed")


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("7 31", Claim(cards=(7, 31))),
        ("31,7", Claim(cards=(7, 31))),
        ("7", Claim(cards=(7,))),
        ("n", DECLARE),
        ("1 2 3", Claim(cards=(1, 2, 3))),
    ],
)
def test_what_a_person_types(typed, command):
    assert command_from(Scene().position, typed) == command


@pytest.mark.parametrize("typed", ["", "seven", "7 x", "n n", "1.5"])
def test_what_a_person_mistypes(typed):
    with pytest.raises(ValueError, match=r"."):
        command_from(Scene().position, typed)


def test_before_the_first_reveal_enter_reveals():
    assert command_from(new_game(), "") == REVEAL


def test_a_host_that_could_not_close_a_full_window_closes_it_at_once_when_it_goes_on():
    """F26: killed between the last claim and the closing step."""
    table = new_table(2)
    table.play(table.to_act[0], REVEAL, at=T)
    table.play("A", Claim(cards=(1, 2)), at=T + 5 * MS)
    table.play("B", Claim(cards=(1, 3)), at=T + 9 * MS, settle=False)
    game = RealTime(table, {}, {}, began=T + 9 * MS)
    assert game.next_moment == T + 9 * MS
    assert game.advance(T + 9 * MS) == [Happened(T + 9 * MS, None, None)]
    assert len(table.position[Window].judged) == 2


def test_what_a_person_may_do_is_told():
    scene = Scene(3, out=("C",)).claim("A", 10, 11).declare("B")
    assert [prompt(scene.position, seat) for seat in "ABC"] == [
        "You wait: your hand is on cards 10 and 11.",
        "You found nothing, but you may still look for the open insects.",
        "You wait: you are out until another player has succeeded or failed.",
    ]
    assert prompt(Scene().position, "A") == "Look for the open insects!"
    position = new_game()
    start = position[Players].start
    for seat in position.seats:
        first = "Press Enter to reveal the first insect."
        assert prompt(position, seat) == (first if seat == start else f"{start} reveals the first insect.")


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_games_between_bots_end_and_stand_up_to_an_audit(count):
    table = new_table(count)
    play_out(table, {seat: InsectBot() for seat in table.seats})
    assert table.over
    assert table.audit([table.receipt]).ok


@pytest.mark.parametrize("errors_in_a_hundred", [0, 100])
def test_the_rate_of_errors_is_an_option(errors_in_a_hundred):
    table = new_table(3)
    bot = bot_from(f"insect:errors={errors_in_a_hundred}:misses=0:reaction=100:spread=0")
    play_out(table, dict.fromkeys(table.seats, bot))
    failed = [
        event
        for batch in table.journal.batches(2)
        for event in batch.events
        if type(event).__name__ == "ClaimFailed" and event.failure != "different-faces"
    ]
    assert bool(failed) == bool(errors_in_a_hundred)


def test_reaction_times_are_options():
    bot = InsectBot(reaction=500, spread=200)
    delays = {bot.delay(new_table(2).position, Chance(bytes([seed]) * 32)) for seed in range(50)}
    assert len(delays) > 40
    assert 300 * MS <= min(delays) <= max(delays) <= 700 * MS
    assert catalogue().bot("insect").options["reaction"] == 12_000


@pytest.mark.parametrize("options", [{"reaction": 1, "spread": 2}, {"errors": 101}, {"misses": -1}, {"spread": -1}])
def test_bots_that_make_no_sense_are_refused(options):
    with pytest.raises(errors.BadOptions):
        InsectBot(**options)


def test_bots_see_views_only():
    """F22: the pile is hidden from what a bot is given."""
    table = new_table(2)
    seen: list[Position] = []

    class Looking(Fixed):
        def choose(self, view, legal, chance):
            seen.append(view)
            return super().choose(view, legal, chance)

    play_out(table, {seat: Looking(100) for seat in table.seats})
    assert seen
    assert all(view.is_view and set(view[Insects].pile) <= {None} for view in seen)
