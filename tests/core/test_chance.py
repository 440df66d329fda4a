"""Chance: fair, the same everywhere, derivable again from the seed, and nothing else than the seed matters."""

import copy
import hashlib
import hmac
import random
from collections.abc import Iterator

import pytest

from ludolog import Chance, Command, Event, MemoryStore, Now, Ruleset, SecretTuple, State, new_table, open_table
from ludolog.chance import Blinder, commitment_of, fork_seed, seed_from, stream_key
from ludolog.errors import BadOptions, BadSeats, RulesFault
from ludolog.frame import SeedRevealed, TableOpened
from toys.made import new_rules, ruleset_of, table_of
from toys.vault import CARDS, GAME, Finish, Roll, Vault

KEY = bytes(range(32))
VAULT = Ruleset(GAME)
SEATS = ("ann", "bob", "cy")


class Scripted(Chance):
    """Gives the words that it is told to give."""

    def __init__(self, *words: int) -> None:
        super().__init__(b"", recorded=True)
        self.script = list(words)

    def _word(self) -> int:
        self.drawn += 1
        return self.script.pop(0)


# ---------------------------------------------------------------- known answers


def test_the_words_are_hmac_sha_256_in_counter_mode():
    """RFC 2104: place and block number, 8 bytes each, big-endian, under the key; four words a block."""
    for place in (0, 3, 2**40):
        chance = Chance(KEY, place)
        words = [chance.below(2**64) for _ in range(10)]
        blocks = [
            hmac.new(KEY, place.to_bytes(8, "big") + block.to_bytes(8, "big"), hashlib.sha256).digest()
            for block in range(3)
        ]
        stream = b"".join(blocks)
        assert words == [int.from_bytes(stream[at : at + 8], "big") for at in range(0, 80, 8)]
        assert chance.drawn == 10


def test_known_answers():
    """These may never change: every log with dice hangs on them."""
    chance = Chance(KEY, 0)
    assert [chance.below(2**64) for _ in range(3)] == [
        18415801824033182830,
        16735409991492768388,
        1152969500758894824,
    ]
    chance = Chance(KEY, 3, recorded=True)
    assert chance.dice(8) == (6, 6, 2, 4, 2, 3, 6, 5)
    assert chance.shuffle("abcdef") == ("f", "e", "a", "c", "b", "d")
    assert chance.draw(range(10), 3) == (8, 5, 3)
    assert chance.choose("xyz") == "z"
    assert chance.weighted({"a": 1, "b": 3}) == "b"
    assert chance.draws == "6:5 6:5 6:1 6:3 6:1 6:2 6:5 6:4 6:3 5:1 4:2 3:0 2:1 10:8 9:4 8:1 3:2 4:3"
    seed = seed_from(7)
    assert seed.hex() == "e230e7ed4f41c0b647df7867bb8178dee3889e9bba6fe0f1932841acd5912306"
    assert stream_key(seed).hex() == "d8c4c9cc3df2cd52fc8e9e59305bfc3b8bc6bbbdd29fb9d9fc1195aee761ad7c"
    assert (
        stream_key(seed, (("ann", "x"), ("bob", "y"))).hex()
        == "aadbd96e88225dc1603716fe270bfbf6bc598632427b179efa91a0efddc975b1"
    )
    assert commitment_of(seed, "t") == "33ec8c9a948527564c1de9188335790791f9250b52bd032db5b9ffb9499d470e"
    assert Blinder(seed, "t").blind(5).hex() == "8a66743f815ba1f34684b43067735b03"
    assert fork_seed(seed, bytes(32), 5).hex() == "0c8533e5828785c78205bfd927681192f93119a56097110e2353cf0ac432fc3f"


def test_what_goes_into_a_hash_is_framed():
    """No two lists of parts give the same bytes."""
    assert stream_key(KEY, (("ab", "c"),)) != stream_key(KEY, (("a", "bc"),))
    assert stream_key(KEY, (("a", ""), ("b", ""))) != stream_key(KEY, (("a", "b"), ("", "")))
    assert commitment_of(b"ab", "t") != commitment_of(b"b", "ta")
    assert seed_from(7) != seed_from("7") != seed_from(b"7") != seed_from(7)


# ---------------------------------------------------------------- fairness


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 7, 100, 2**32 + 1, 2**63 + 1, 2**64 - 1, 2**64])
def test_what_would_make_some_numbers_likelier_is_drawn_again(bound):
    """The words that are kept are a multiple of the bound, and the last ones above it are rejected."""
    kept = 2**64 - 2**64 % bound
    assert Scripted(kept - 1).below(bound) == bound - 1
    assert Scripted(0).below(bound) == 0
    if kept < 2**64:
        chance = Scripted(kept, 2**64 - 1, 0)
        assert chance.below(bound) == 0
        assert chance.drawn == 3


@pytest.mark.parametrize(
    "draw",
    [
        lambda chance: chance.below(0),
        lambda chance: chance.below(-1),
        lambda chance: chance.roll(0),
        lambda chance: chance.choose(()),
        lambda chance: chance.weighted({}),
        lambda chance: chance.weighted({"a": 0}),
        lambda chance: chance.weighted({"a": 3, "b": -1}),
        lambda chance: chance.draw("ab", 3),
        lambda chance: chance.draw("ab", -1),
    ],
)
def test_what_can_not_be_drawn_is_an_error(draw):
    with pytest.raises(ValueError, match=r"drawn|negative"):
        draw(Chance(KEY))


def test_a_set_has_no_order_to_draw_from():
    """F19: it would give other cards in every run."""
    for draw in (lambda items: Chance(KEY).shuffle(items), lambda items: Chance(KEY).draw(items, 1)):
        for items in ({"a", "b"}, frozenset("ab")):
            with pytest.raises(TypeError, match="no order"):
                draw(items)
    assert set(Chance(KEY).shuffle({"a": 1, "b": 2}.keys())) == {"a", "b"}


# ---------------------------------------------------------------- at a table


def logged(table) -> list[bytes]:
    return list(table.journal.store.payloads(table.id))


def rolled(**more):
    table = table_of(VAULT, SEATS, **more)
    for number in range(9):
        table.play(SEATS[number % 3], Roll(), at=number)
    return table


def test_the_same_seed_gives_the_same_log_and_another_seed_another():
    """F19."""
    assert logged(rolled()) == logged(rolled())
    assert logged(rolled(seed="x")) == logged(rolled(seed="x"))
    one, other = rolled(), rolled(seed=8)
    assert one.position[Vault].deck != other.position[Vault].deck
    assert one.position[Vault].rolls != other.position[Vault].rolls
    fresh = {rolled(seed=None).position[Vault].deck for _ in range(5)}
    assert len(fresh) == 5


def test_options_survive_a_seed():
    """F19: a seed resets nothing else."""
    from toys.high_card import CardOptions, Cards, ludolog_game  # noqa: PLC0415

    ruleset = Ruleset(ludolog_game(), (), {"hand": 2})
    for seed in (1, 1, 2):
        table = table_of(ruleset, SEATS, seed=seed)
        assert table.position.options(CardOptions).hand == 2
        assert [len(hand) for hand in table.position[Cards].hands] == [2, 2, 2]


def test_the_global_generator_does_not_matter_and_is_not_touched():
    """F19."""
    random.seed(1)
    one = logged(rolled())
    random.seed(2)
    state = random.getstate()
    assert logged(rolled()) == one
    assert random.getstate() == state


def test_a_save_between_two_draws_changes_nothing():
    """F14: draw, save, load, draw; at every prefix, with a snapshot and without."""
    whole = rolled()
    for cut in range(9):
        for snapshot in (False, True):
            store = MemoryStore()
            table = table_of(VAULT, SEATS, store=store)
            for number in range(9):
                if number == cut:
                    if snapshot:
                        table.keep_snapshot()
                    table = open_table("t", store, ruleset=VAULT)
                table.play(SEATS[number % 3], Roll(), at=number)
            assert logged(table) == logged(whole)


def test_the_seed_is_secret_until_the_end_and_then_everybody_can_derive_every_draw():
    """From the log of a finished game alone, without the rules."""
    table = rolled()
    assert not any(table.seed.hex().encode() in payload or table.seed in payload for payload in logged(table))
    opened = table.journal.one(0).events[0]
    assert isinstance(opened, TableOpened)
    assert opened.commitment == commitment_of(table.seed, "t")
    table.play(None, Finish())
    revealed = table.journal.one(table.length - 1).events[-1]
    assert isinstance(revealed, SeedRevealed)
    seed = bytes.fromhex(revealed.seed)
    assert commitment_of(seed, "t") == opened.commitment
    for batch in table.journal.batches(1):
        chance = Chance(stream_key(seed), batch.number)
        for drawn in batch.draws.split():
            bound, number = map(int, drawn.split(":"))
            assert chance.below(bound) == number
    assert Chance(stream_key(seed), 1).shuffle(CARDS)[:3] == table.position[Vault].hands[0]


def test_who_knows_a_batch_can_not_guess_its_secrets_from_its_hash():
    """Two tables that differ in their seed alone: each batch is blinded by bytes that nobody can guess."""
    one, other = (list(rolled(seed=seed).journal.batches()) for seed in (7, 8))
    blinds = {batch.blind for batch in (*one, *other)}
    assert len(blinds) == len(one) + len(other)
    assert all(len(blind) == 16 for blind in blinds)


def test_a_refused_command_draws_nothing():
    table, other = rolled(), rolled()
    for seat in SEATS:
        for command in (Roll(), Finish()):
            table.check(seat, command)
    for command in (Roll(), Roll()):
        assert table.check("ann", command) is None
    table.play("ann", Roll(), at=9)
    other.play("ann", Roll(), at=9)
    assert logged(table) == logged(other)


# ---------------------------------------------------------------- contributions


def test_seats_may_contribute_to_the_dice():
    """Hashed in seat order with their seats; the opening records them, so that the audit derives the same dice."""
    plain = rolled()
    one = rolled(contributions={"cy": "17 apples", "ann": "x"})
    same = rolled(contributions={"ann": "x", "cy": "17 apples"})
    assert logged(one) == logged(same)
    assert one.opened.contributions == (("ann", "x"), ("cy", "17 apples"))
    assert one.position[Vault].rolls != plain.position[Vault].rolls
    assert one.opened.commitment == plain.opened.commitment
    swapped = rolled(contributions={"ann": "17 apples", "cy": "x"})
    assert swapped.position[Vault].deck != one.position[Vault].deck
    one.play(None, Finish())
    reader = open_table("t", one.journal.store, ruleset=VAULT)
    assert reader.audit([one.receipt]).ok


def test_a_reopened_table_goes_on_with_the_same_stream():
    store = MemoryStore()
    table = table_of(VAULT, SEATS, store=store, contributions={"bob": "b"})
    table.play("ann", Roll())
    again = open_table("t", store, ruleset=VAULT)
    again.play("bob", Roll())
    whole = table_of(VAULT, SEATS, contributions={"bob": "b"})
    whole.play("ann", Roll())
    whole.play("bob", Roll())
    assert again.position == whole.position


@pytest.mark.parametrize(
    ("contributions", "error"),
    [({"dot": "x"}, BadSeats), ({"ann": ""}, BadOptions), ({"ann": 7}, BadOptions), ({"ann": "\ud800"}, BadOptions)],
)
def test_contributions_of_nobody_or_of_nothing(contributions, error):
    with pytest.raises(error):
        rolled(contributions=contributions)


@pytest.mark.parametrize("seed", [1.5, True, object(), (1, 2), [7], {}])
def test_a_seed_must_be_something_that_stays_the_same(seed):
    with pytest.raises(BadOptions, match="A seed is a whole number, a text or bytes"):
        rolled(seed=seed)
    with pytest.raises(BadOptions):
        new_table("tic-tac-toe", ("a", "b"), seed=seed)


def test_any_text_is_a_seed():
    assert len({rolled(seed=seed).seed for seed in ("", "é", "\ud800", "\x00", b"", -1, 10**100)}) == 7


# ---------------------------------------------------------------- outcomes are in the events


class Rolls(State, frozen=True):
    dice: tuple[int, ...] = ()
    order: tuple[int | None, ...] = ()


class Diced(Event, frozen=True, tag="toy/diced"):
    die: int
    order: SecretTuple[int]


class Dice(Command, frozen=True, tag="toy/dice"):
    pass


def dicing(unused: int, version: int = 1):
    rules = new_rules(version=version)
    rules.state(Rolls)

    @rules.reducer
    def diced(rolls: Rolls, event: Diced) -> Rolls:
        return Rolls(dice=(*rolls.dice, event.die), order=event.order)

    @rules.decider
    def dice(now: Now, command: Dice) -> Iterator[Event]:
        for _ in range(unused):
            now.chance.roll()
        yield Diced(die=now.chance.roll(), order=now.chance.shuffle(range(5)))

    return rules


def test_a_newer_version_that_draws_more_folds_old_logs_the_same():
    """F27: outcomes are events, so only deciding again would see the difference, and the version says so."""
    store = MemoryStore()
    table = table_of(dicing(0), store=store)
    for _ in range(20):
        table.play("ann", Dice())
    newer = open_table("t", store, ruleset=ruleset_of(dicing(1, version=2)))
    assert newer.position == table.position
    assert newer.view("ann") == table.view("ann")
    assert [answer.verdict for answer in newer.audit().answers] == ["yes", "yes", "unknown"]
    silently = open_table("t", store, ruleset=ruleset_of(dicing(1)))
    assert silently.position == table.position
    answer = silently.audit().answers[2]
    assert (answer.verdict, answer.batch) == ("no", 2)
    assert "was drawn, and the seed gives" in answer.why


def test_drawing_wrongly_is_the_rules_fault():
    rules = dicing(0)

    class Choose(Command, frozen=True, tag="toy/choose"):
        pass

    @rules.decider
    def choose(now: Now, command: Choose) -> Iterator[Event]:
        yield Diced(die=now.chance.choose(()), order=())

    table = table_of(rules)
    with pytest.raises(RulesFault, match="decider choose of toy raised ValueError"):
        table.play("ann", Choose())
    assert table.length == 2


def test_copies_of_a_stream_are_apart():
    chance = Chance(KEY)
    chance.roll()
    other = copy.deepcopy(chance)
    assert [chance.roll() for _ in range(9)] == [other.roll() for _ in range(9)]
