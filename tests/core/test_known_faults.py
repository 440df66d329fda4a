"""Rows of the list of known faults that go across games: over every event kind of every shipped game."""

import copy
import itertools
import pickle
from collections import Counter

import msgspec
import pytest

from ludolog import Command, Event, Game, Now, Rules, Ruleset, Seat, State, catalogue, open_table
from ludolog.errors import CommandError, GameOver, MissingRequirement, NotYourTurn, UndoRefused, VariantConflict
from ludolog.frame import Undo
from ludolog.testing.checks import CHECKS, name_of, run
from ludolog.testing.findings import Finding
from ludolog.testing.subject import FIRST, Settings, Subject
from ludolog.testing.walking import told_to_another
from ludolog.undoing import undone
from ludolog_events import audience_of, audiences, tag_of, told
from toys.faulty_course import another_course_from_step_50_on
from toys.made import closed, table_of
from toys.planting import FAULTS

SECRETS = "".join(f'[[space]]\nid = "{site}"\nneed = "any die"\nlimit = "Unlimited"\n' for site in ("pioneer", "scout"))
"""Sites where cards are drawn and tiles seen are open to all dice, so that random players come there."""
SHORT = {"data": f"[start]\ncities = 1\ntowns = 3\nfood = 9\nwood = 9\nore = 9\ninfluence = 10\n{SECRETS}"}
EXPANDED = (
    "barnstorming",
    "base-changes",
    "five-player",
    "golden-spike",
    "improved-towns",
    "mystery-hexes",
    "reputation",
    "silver",
    "stagecoach",
)
SHIPPED = {
    # game, variants, options, seats, games
    "bug race": ("dark-horse-bugs", (), {}, 2, 2),
    "bug race with a variant": ("dark-horse-bugs", ("dilly-dally",), {}, 3, 2),
    "night": ("dark-is-the-night", (), {"turn_cap": 60}, 2, 4),
    "insects": ("insect-inc", (), {}, 3, 1),
    "west, in short": ("dark-horse-west", (), SHORT, 4, 3),
    "west, expanded": ("dark-horse-west", EXPANDED, {"data": SECRETS}, 3, 1),
}
SELDOM = {
    # What random players of the western game hardly ever cause, or only with its expansion; its own tests do.
    "dark-horse-west/hand-seen",
    "dark-horse-west/hexes-laid",
}


@pytest.fixture(params=SHIPPED.values(), ids=list(SHIPPED), scope="module")
def subject(request):
    game, variants, options, seats, games = request.param
    found = Subject(catalogue().ruleset(game, variants, options), seats, Settings(games=games, bound=4000))
    assert [sample.trouble for sample in found.samples] == [None] * games
    return found


def tells_in_part(kind):
    return bool(audiences(kind)) or audience_of(kind) is not None


def new_kinds(batch_events, counts, often):
    """Whether a batch holds a kind of event that has not been looked at so often yet."""
    fresh = [type(event) for event in batch_events if counts[type(event)] < often]
    counts.update(set(fresh))
    return bool(fresh)


def test_no_kind_of_event_that_told_something_is_taken_back_freely(subject):
    """F6: over every event kind of every shipped game: what was drawn, or told to somebody else, blocks undo."""
    judged = Counter()
    for number, sample in enumerate(subject.samples):
        table = subject.open(number)
        for turn, facts in zip(sample.turns, sample.facts[FIRST:], strict=True):
            table.play(turn.seat, turn.command, at=turn.at, settle=False)
            if table.over or not new_kinds(facts.events, judged, 3):
                continue
            draws = table.journal.batch(facts.number).draws
            for seat in table.seats:
                learnt = draws or any(told_to_another(event, seat) for event in facts.events)
                try:
                    undone(table.past, seat, Undo(to=-1))
                except CommandError:
                    continue
                assert not learnt, [type(event).__name__ for event in facts.events]
                assert seat == turn.seat
    begun = {type(event) for sample in subject.samples for event in sample.facts[1].events}
    hidden = {kind for kind in subject.ruleset.event_types.values() if tells_in_part(kind)}
    assert {tag_of(kind) for kind in hidden - begun - set(judged)} <= SELDOM


def test_events_commands_and_slices_keep_their_value(subject):
    """F18, F31: through msgpack, JSON, copies and pickles, one of each kind that comes up in shipped games."""
    kinds = Counter()
    for sample in subject.samples:
        for facts, position in zip(sample.facts, sample.positions, strict=True):
            if not new_kinds(facts.events, kinds, 2):
                continue
            for value in (*facts.events, *position.slices.values()):
                kind = type(value)
                for codec in (msgspec.msgpack, msgspec.json):
                    assert codec.decode(codec.encode(value), type=kind) == value
                assert copy.copy(value) == copy.deepcopy(value) == pickle.loads(pickle.dumps(value)) == value  # noqa: S301
        for turn in sample.turns[:200]:
            command = turn.command
            assert msgspec.json.decode(msgspec.json.encode(command), type=type(command)) == command
    assert len(kinds) > 10


def test_a_restored_prefix_lists_the_same(subject):
    """F13: at prefixes all over the game, what was folded from the log lists what was listed when it was played."""
    sample = subject.samples[0]
    table = sample.table
    for number in range(FIRST, table.length, max(table.length // 20, 1)):
        position = table.at(number)
        assert position == sample.positions[number - 1]
        assert subject.ruleset.to_act(position) == subject.ruleset.to_act(sample.positions[number - 1])
        for seat in subject.seats:
            assert subject.ruleset.legal(position, seat) == sample.listed[number - 1][seat]


def test_what_differs_for_a_seat_is_what_it_was_told(subject):
    """F12: two of a seat's views differ if, and only if, it was told something in between."""
    sample = subject.samples[0]
    for viewer in sample.viewers:
        views = sample.views[viewer]
        for number in range(1, len(views), max(len(views) // 60, 1)):
            heard = [event for event in sample.facts[number].events if told(event, viewer) is not None]
            if views[number] != views[number - 1]:
                assert heard


def test_after_the_end_there_is_nothing_to_do(subject):
    """F21: no legal command for anyone, one end, and every further command refused for the same reason."""
    for sample in subject.samples:
        table = sample.table
        assert table.over
        assert table.to_act == ()
        assert all(table.legal(seat) == () for seat in table.seats)
        last = sample.turns[-1]
        refusals = {str(table.check(seat, last.command).code) for seat in table.seats}
        assert refusals == {"game-over"}
        with pytest.raises(GameOver):
            table.undo(None)


# ------------------------------------------------------------ the kit


def test_a_fault_that_begins_at_step_50():
    """F17: games are compared to their end, not their beginning."""
    (fault,) = [fault for fault in FAULTS if fault.load is another_course_from_step_50_on]
    (check,) = [check for check in CHECKS if name_of(check) == "played-again-it-is-the-same"]
    subject = Subject(fault.ruleset(), 2, Settings(bound=200))
    with pytest.raises(Finding) as caught:
        run(check, subject)
    assert caught.value.batch > 50


# ------------------------------------------------------------ seats that drop out

drop_out = Rules("drop-out")


@drop_out.state
class Round(State, frozen=True):
    """Who is still in, and whose turn it is among them."""

    inside: tuple[Seat, ...] = ()
    turn: int = 0


class Entered(Event, frozen=True, tag="drop-out/entered"):
    seats: tuple[Seat, ...]


class Passed(Event, frozen=True, tag="drop-out/passed"):
    pass


class Left(Event, frozen=True, tag="drop-out/left"):
    seat: Seat


class Pass(Command, frozen=True, tag="drop-out/pass"):
    pass


class Drop(Command, frozen=True, tag="drop-out/drop"):
    seat: Seat


@drop_out.reducer
def entered(_now: Round, event: Entered) -> Round:
    return Round(inside=event.seats)


@drop_out.reducer
def passed(now: Round, _event: Passed) -> Round:
    return Round(inside=now.inside, turn=(now.turn + 1) % len(now.inside))


@drop_out.reducer
def left(now: Round, event: Left) -> Round:
    at = now.inside.index(event.seat)
    inside = tuple(seat for seat in now.inside if seat != event.seat)
    turn = now.turn - (at < now.turn)
    return Round(inside=inside, turn=turn % len(inside) if inside else 0)


@drop_out.setup
def setup(now: Now):
    yield Entered(seats=now.seats)


@drop_out.decider
def let_pass(_now: Now, _command: Pass):
    yield Passed()


@drop_out.decider(by_host=True)
def drop(now: Now, command: Drop):
    yield Left(seat=command.seat)
    if len(now[Round].inside) == 1:
        yield now.end("one is left")


drop_out.to_act(lambda position: position[Round].inside[position[Round].turn : position[Round].turn + 1])
drop_out.legal(lambda _position, _seat: (Pass(),))
drop_out.scoring(closed)

DROP_OUT = Ruleset(Game(id="drop-out", title="", summary="", seats=(4,), rules=lambda: drop_out))
FOUR = ("ann", "bob", "cy", "dee")


@pytest.mark.parametrize("order", list(itertools.permutations(FOUR, 3)), ids="-".join)
@pytest.mark.parametrize("turns", [0, 1, 3])
def test_seats_that_drop_out_in_every_order(order, turns):
    """F36: somebody who is in is always to act, the log gives the same, and no seat takes anything back across it."""
    table = table_of(DROP_OUT, FOUR)
    gone = set()
    for seat in order:
        for _ in range(turns):
            table.play(table.to_act[0], Pass())
        table.play(None, Drop(seat=seat))
        gone.add(seat)
        if len(gone) < 3:
            (acting,) = table.to_act
            assert acting not in gone
            for name in FOUR:
                with pytest.raises(UndoRefused):
                    table.undo(name)
            with pytest.raises(NotYourTurn):
                table.play(seat, Pass())
        assert open_table("t", table.journal.store, ruleset=DROP_OUT).position == table.position
    assert table.over
    assert table.audit([table.receipt]).ok


# ------------------------------------------------------------ variants


def fits(game, pair):
    """Whether two variants can be switched on together, and no others; what stands against it is told."""
    try:
        return catalogue().ruleset(game, pair)
    except (MissingRequirement, VariantConflict) as error:
        told_reason = str(error)
    assert any(variant.rpartition("/")[2] in told_reason for variant in pair)
    return None


def test_every_legal_pair_of_variants_is_set_up():
    """F33: what a variant needs or excludes is told by name, and every pair that is legal sets the game up."""
    tried = Counter()
    for game in catalogue().games:
        ids = [variant.id for variant in catalogue().variants(game.id)]
        for pair in itertools.combinations(ids, 2):
            ruleset = fits(game.id, pair)
            tried[ruleset is not None] += 1
            if ruleset is not None:
                assert Subject(ruleset, ruleset.seat_counts[0], Settings(games=1)).open(0).length >= FIRST
    assert min(tried.values()) > 10
