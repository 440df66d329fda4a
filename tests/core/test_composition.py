"""Composition: which variants fit together, in which order, who put each entry there, and what the digest covers."""

import itertools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec
import pytest

from ludolog import Catalogue, Command, Event, Now, Options, Rules, Ruleset, Slot, State, Variant
from ludolog.errors import (
    BadOptions,
    BadSeats,
    CompositionError,
    InvalidType,
    MissingRequirement,
    OrderCycle,
    OwnedTwice,
    ReplacedTwice,
    UnknownEntry,
    UnknownSlot,
    UnknownVariant,
    VariantConflict,
)
from toys.made import catalogue_of, game_of, new_rules, table_of, variant_of

SITES: Slot[int] = Slot("sites", "What a site pays.")


class Board(State, frozen=True):
    spent: tuple[str, ...] = ()


class Went(Event, frozen=True, tag="toy/went"):
    site: str


class Go(Command, frozen=True, tag="toy/go"):
    site: str


def game(**more) -> Rules:
    rules = new_rules(**more)
    rules.state(Board)
    rules.slot(SITES, {"mine": 3, "farm": 2}, cites="T-1")

    @rules.reducer
    def went(board: Board, event: Went) -> Board:
        return Board(spent=(*board.spent, event.site))

    @rules.decider
    def go(now: Now, command: Go) -> Iterator[Event]:
        yield Went(site=command.site)

    return rules


def variant(name: str, bend=lambda rules: None, **more) -> Variant:
    rules = Rules(f"toy/{name}")
    bend(rules)
    return variant_of(rules, **more)


def compiled(*variants: Variant, **options) -> Ruleset:
    return Ruleset(game_of(game()), variants, options)


def sites(*variants: Variant) -> dict:
    return dict(compiled(*variants).slots["sites"])


def adding(key, value, cites="V-1", **more):
    return lambda rules: rules.add(SITES, key, value, cites=cites, **more)


PAYS = (5, 5)


def sharing(key, value, cites="V-5"):
    return lambda rules: rules.share(SITES, key, value, cites=cites)


def replacing(key, value, cites="V-2"):
    return lambda rules: rules.replace(SITES, key, value, cites=cites)


def removing(key, cites="V-3"):
    return lambda rules: rules.remove(SITES, key, cites=cites)


def adjusting(key, change, cites="V-4"):
    return lambda rules: rules.adjust(SITES, key, change, cites=cites)


def refused(error: type[CompositionError], told: tuple[str, ...], *variants: Variant) -> None:
    """Composing fails with ``error``, in whatever order the variants are given, with the same words."""
    messages = set()
    for order in itertools.permutations(variants):
        with pytest.raises(error) as found:
            compiled(*order)
        messages.add(str(found.value))
    (message,) = messages
    for words in told:
        assert words in message


# ---------------------------------------------------------------- entries


def test_entries_are_added_replaced_removed_and_adjusted():
    assert sites() == {"mine": 3, "farm": 2}
    assert sites(variant("a", adding("bank", 5))) == {"mine": 3, "farm": 2, "bank": 5}
    assert list(sites(variant("a", adding("bank", 5, before="farm")))) == ["mine", "bank", "farm"]
    assert sites(variant("a", replacing("mine", 9))) == {"mine": 9, "farm": 2}
    assert list(sites(variant("a", replacing("mine", 9)))) == ["mine", "farm"]
    assert sites(variant("a", removing("mine"))) == {"farm": 2}
    assert sites(variant("a", adjusting("mine", lambda pays: pays * 2))) == {"mine": 6, "farm": 2}


def test_several_adjust_one_entry_in_the_rulesets_order():
    double = variant("b", adjusting("mine", lambda pays: pays * 2))
    more = variant("a", adjusting("mine", lambda pays: pays + 1))
    late = variant("a", adjusting("mine", lambda pays: pays + 1), after=("b",))
    assert sites(double, more)["mine"] == sites(more, double)["mine"] == 8
    assert sites(double, late)["mine"] == sites(late, double)["mine"] == 7


def test_one_may_come_on_top_of_what_it_requires():
    first = variant("b", lambda rules: (replacing("mine", 9)(rules), adding("bank", 5)(rules)))
    second = variant("a", lambda rules: (replacing("mine", 1)(rules), removing("bank")(rules)), requires=("b",))
    assert sites(first, second) == sites(second, first) == {"mine": 1, "farm": 2}
    third = variant("0", replacing("mine", 0), requires=("toy/a",))
    assert sites(first, second, third)["mine"] == 0


def test_one_may_move_an_entry():
    def move(rules):
        removing("mine")(rules)
        adding("mine", 4)(rules)

    assert list(sites(variant("a", move)).items()) == [("farm", 2), ("mine", 4)]


def test_who_put_each_entry_there():
    ruleset = compiled(
        variant("b", adjusting("mine", lambda pays: pays * 2, "B-7")), variant("a", adding("bank", 5, "A-3"))
    )
    told = {key: [str(source) for source in found] for key, found in ruleset.slots["sites"].sources.items()}
    assert told == {
        "mine": ["toy adds it (T-1)", "toy/b adjusts it (B-7)"],
        "farm": ["toy adds it (T-1)"],
        "bank": ["toy/a adds it (A-3)"],
    }


def test_positions_and_deciders_read_the_same_table():
    ruleset = compiled(variant("a", adding("bank", 5)))
    position = ruleset.opening(("ann",))
    assert position.slot(SITES)["bank"] == 5
    assert len(position.slot(SITES)) == 3
    with pytest.raises(KeyError):
        position.slot(SITES)["nowhere"]


# ---------------------------------------------------------------- what does not fit


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (replacing("mine", 1, "A-1"), replacing("mine", 2, "B-1")),
        (replacing("mine", 1, "A-1"), removing("mine", "B-1")),
        (removing("mine", "A-1"), replacing("mine", 1, "B-1")),
        (removing("mine", "A-1"), removing("mine", "B-1")),
        (adding("bank", 1, "A-1"), adding("bank", 1, "B-1")),
        (removing("mine", "A-1"), adding("mine", 1, "B-1")),
        (adjusting("mine", lambda pays: 0, "A-1"), replacing("mine", 1, "B-1")),
        (adjusting("mine", lambda pays: 0, "A-1"), removing("mine", "B-1")),
    ],
)
def test_two_claims_on_one_entry(one, other):
    """F33: the error names both variants, the slot, the entry and both citations."""
    refused(
        ReplacedTwice,
        ("'sites'", "toy/a", "A-1", "toy/b", "B-1", "can't both hold"),
        variant("a", one),
        variant("b", other),
    )


def test_a_variant_adds_what_the_game_has():
    refused(ReplacedTwice, ("'mine'", "toy adds it (T-1)", "toy/a adds it (V-1)"), variant("a", adding("mine", 1)))


def test_rules_add_one_entry_twice():
    def twice(rules):
        adding("bank", 1, "A-1")(rules)
        adding("bank", 2, "A-2")(rules)

    refused(ReplacedTwice, ("'bank'", "A-1", "A-2"), variant("a", twice))


def test_what_several_share_is_there_once():
    """Whichever of them are switched on, and it tells who brought it."""
    for name in "ab":
        assert sites(variant(name, sharing("bank", PAYS)))["bank"] is PAYS
    both = compiled(variant("a", sharing("bank", PAYS, "A-1")), variant("b", sharing("bank", PAYS, "B-1")))
    told = [str(source) for source in both.slots["sites"].sources["bank"]]
    assert told == ["toy/a shares it (A-1)", "toy/b shares it (B-1)"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (sharing("bank", PAYS, "A-1"), sharing("bank", (1,), "B-1")),
        (adding("bank", PAYS, "A-1"), sharing("bank", PAYS, "B-1")),
        (sharing("bank", PAYS, "A-1"), adding("bank", PAYS, "B-1")),
    ],
)
def test_only_one_and_the_same_value_is_shared(one, other):
    refused(ReplacedTwice, ("'bank'", "A-1", "B-1"), variant("a", one), variant("b", other))


@pytest.mark.parametrize("bend", [replacing("bank", 1), removing("bank"), adjusting("bank", lambda pays: pays)])
def test_an_entry_that_is_not_there(bend):
    refused(UnknownEntry, ("'sites'", "'bank'", "toy/a", "V-"), variant("a", bend))


def test_an_entry_that_another_took_out():
    refused(
        UnknownEntry,
        ("'sites'", "'mine'", "toy/a removes it (A-1)", "toy/b adjusts it (B-1)"),
        variant("a", removing("mine", "A-1")),
        variant("b", adjusting("mine", lambda pays: pays, "B-1")),
    )
    refused(
        UnknownEntry,
        ("'sites'", "'bank'", "before 'mine'", "toy/a removes it (A-1)", "toy/b adds it (B-1)"),
        variant("a", removing("mine", "A-1")),
        variant("b", adding("bank", 1, "B-1", before="mine")),
    )
    refused(UnknownEntry, ("before 'nowhere'", "toy/b"), variant("b", adding("bank", 1, "B-1", before="nowhere")))


def test_an_adjustment_that_fails():
    refused(
        CompositionError,
        ("'sites'", "'mine'", "toy/a adjusts it (A-1)", "toy adds it (T-1)", "ZeroDivisionError"),
        variant("a", adjusting("mine", lambda pays: pays // 0, "A-1")),
    )


def test_a_slot_that_nobody_declares():
    lost: Slot[int] = Slot("cards")
    refused(
        UnknownSlot, ("'cards'", "toy/a adds it (A-1)"), variant("a", lambda rules: rules.add(lost, 1, 1, cites="A-1"))
    )


def test_a_slot_of_two():
    def declare(rules):
        rules.slot(Slot("cards"), {})

    refused(OwnedTwice, ("'cards'", "toy/a", "toy/b"), variant("a", declare), variant("b", declare))
    refused(OwnedTwice, ("'sites'", "toy ", "toy/a"), variant("a", lambda rules: rules.slot(Slot("sites"), {})))


def test_a_state_of_two():
    class Purse(State, frozen=True):
        gold: int = 0

    def declare(rules):
        rules.state(Purse)

    refused(OwnedTwice, ("State Purse", "toy/a", "toy/b"), variant("a", declare), variant("b", declare))
    refused(OwnedTwice, ("State Board", "by toy ", "toy/a"), variant("a", lambda rules: rules.state(Board)))


def test_an_event_of_two():
    """One owner for each event type, by its very name."""
    rules = Rules("toy/a")
    rules.state(type("Purse", (State,), {"__module__": __name__}, frozen=True))
    with pytest.raises(OwnedTwice, match="'toy/went' belongs to toy, so toy/a can't declare or reduce it"):
        rules.events(Went)
    with pytest.raises(OwnedTwice, match="'toy/go' belongs to toy, so toy/a"):

        @rules.decider
        def go(now: Now, command: Go) -> Iterator[Event]:
            yield Went(site="")


def test_a_name_for_two_types():
    class Other(Event, frozen=True, tag="toy/went"):
        pass

    class Again(Command, frozen=True, tag="toy/go"):
        pass

    rules = game()
    with pytest.raises(OwnedTwice, match="toy declares 'toy/went' twice"):
        rules.events(Other)

    with pytest.raises(OwnedTwice, match="toy declares 'toy/go' twice"):

        @rules.decider
        def again(now: Now, command: Again) -> Iterator[Event]:
            yield Went(site="")

    with pytest.raises(OwnedTwice, match="two deciders"):

        @rules.decider
        def go(now: Now, command: Go) -> Iterator[Event]:
            yield Went(site="")


def test_a_reducer_changes_a_slice_of_its_own_rules_only():
    rules = Rules("toy/a")

    class Sold(Event, frozen=True, tag="toy/a/sold"):
        pass

    with pytest.raises(InvalidType, match=r"Reducer sold of toy/a changes .*Board.*, which is no state of these"):

        @rules.reducer
        def sold(board: Board, event: Sold) -> Board:
            return board


def test_what_is_required_must_be_switched_on():
    """F33."""
    refused(MissingRequirement, ("'toy/a'", "'toy/b'", "not switched on"), variant("a", requires=("b",)))


def test_what_excludes_each_other():
    """F33: it is enough that one of them says so."""
    refused(VariantConflict, ("'toy/a'", "'toy/b'"), variant("a"), variant("b", conflicts=("a",)))
    refused(VariantConflict, ("'toy/a'", "'toy/b'"), variant("a", conflicts=("toy/b",)), variant("b"))


def test_a_circle_of_orders():
    refused(OrderCycle, ("toy/a", "toy/b"), variant("a", after=("b",)), variant("b", after=("a",)))
    refused(
        OrderCycle,
        ("toy/a", "toy/b", "toy/c"),
        variant("a", after=("b",)),
        variant("b", requires=("c",)),
        variant("c", after=("a",)),
    )


def test_numbers_of_seats():
    assert compiled(variant("a", seats=(2, 3, 5)), variant("b", seats=(3, 2, 6))).seat_counts == (2, 3)
    assert compiled(variant("a", seats=(2,)), variant("b", seats=(1,), requires=("a",))).seat_counts == (1,)
    refused(
        VariantConflict, ("'toy/a' takes [2]", "'toy/b' takes [3]"), variant("a", seats=(2,)), variant("b", seats=(3,))
    )
    with pytest.raises(BadSeats, match=r"toy\+a is played by 2 seats, not by 3"):
        compiled(variant("a", seats=(2,))).check_seats(("x", "y", "z"))


def test_variants_that_would_seat_so_many_are_named(monkeypatch):
    """Each with what it requires; none that doesn't go together with what is chosen."""
    crowd, alone, rival = (
        variant("crowd", seats=(4, 5)),
        variant("alone", seats=(1,), requires=("rival",)),
        variant("rival"),
    )
    small, odd, even = variant("small", seats=(5, 2), conflicts=("rival",)), variant("odd", seats=(5,)), variant("even")
    toy = game_of(game(), (2, 3))
    everything = (crowd, alone, rival, small, odd, even)
    monkeypatch.setattr(sys.modules[Catalogue.__module__], "_installed", [catalogue_of(toy, *everything)])

    def said(count, *chosen):
        with pytest.raises(BadSeats) as found:
            Ruleset(toy, chosen).check_seats(tuple("abcdefg"[:count]))
        return str(found.value).partition(" by ")[2]

    assert said(1) == "2, 3 seats, not by 1; with the variants rival and alone it can be."
    assert said(1, rival) == "2, 3 seats, not by 1; with the variant alone it can be."
    assert said(4) == "2, 3 seats, not by 4; with the variant crowd it can be."
    assert said(5) == "2, 3 seats, not by 5; with the variant crowd or the variant odd or the variant small it can be."
    assert said(5, rival) == "2, 3 seats, not by 5; with the variant crowd or the variant odd it can be."
    assert said(4, odd) == "5 seats, not by 4.", "both together are for 5"
    assert said(3, alone, rival) == "1 seat, not by 3."
    assert said(7) == "2, 3 seats, not by 7."
    with pytest.raises(BadSeats, match=r"toy is played by 2, 3 seats, not by 4\.$"):
        Ruleset(game_of(game(), (2, 3))).check_seats(tuple("abcd"))  # it isn't the one that is installed


def test_a_variant_of_another_game_or_twice():
    other = variant_of(Rules("chess/a"))
    with pytest.raises(UnknownVariant, match="'chess/a' belongs to game 'chess', not to 'toy'"):
        compiled(other)
    with pytest.raises(CompositionError, match="'toy/a' is switched on twice"):
        compiled(variant("a"), variant("a"))


# ---------------------------------------------------------------- order and digest


def test_the_order_is_one_whatever_the_caller_says():
    """S30: topological, the game first, ties by id."""
    variants = [
        variant("a", after=("z",)),
        variant("b"),
        variant("m", requires=("c",)),
        variant("c"),
        variant("z", after=("unknown",)),
    ]
    orders = {compiled(*order).id for order in itertools.permutations(variants)}
    assert orders == {"toy+b+c+m+z+a"}
    digests = {compiled(*order).digest for order in itertools.permutations(variants)}
    assert len(digests) == 1


def test_set_up_and_reactions_run_in_that_order():
    seen = []

    def noting(name):
        def bend(rules):
            def setup(now: Now) -> Iterator[Event]:
                seen.append(f"set-up of {name}")
                yield Went(site=name)

            @rules.reaction
            def react(now: Now, event: Went) -> Iterator[Event]:
                seen.append(f"{name} hears of {event.site}")
                return iter(())

            rules.setup(setup)

        return bend

    variants = [variant("a", noting("a"), after=("b",)), variant("b", noting("b"))]
    for order in itertools.permutations(variants):
        seen.clear()
        table = table_of(compiled(*order))
        assert seen == ["set-up of b", "b hears of b", "a hears of b", "set-up of a", "b hears of a", "a hears of a"]
        assert table.position[Board].spent == ("b", "a")


class Wishes(Options, frozen=True):
    track: Literal["long", "short"] = "long"
    rounds: int = 3


def digest_of(change=lambda rules: None, *variants: Variant, **options) -> str:
    rules = game(options=Wishes)
    change(rules)
    return Ruleset(game_of(rules), variants, options).digest


def test_the_digest_covers_what_shapes_the_play():
    """S28: versions, options, entries of slots with their sources, and the fields of every type."""

    class Purse(State, frozen=True):
        gold: int = 0

    class Paid(Event, frozen=True, tag="toy/paid"):
        gold: int

    changes = [
        digest_of(),
        digest_of(lambda rules: setattr(rules, "version", 2)),
        digest_of(track="short"),
        digest_of(rounds=4),
        digest_of(adding("bank", 5)),
        digest_of(adding("bank", 6)),
        digest_of(adding("bank", 5, "V-9")),
        digest_of(adding("bank", lambda: 0)),
        digest_of(adding("bank", sorted)),
        digest_of(lambda rules: rules.state(Purse)),
        digest_of(lambda rules: rules.events(Paid)),
        digest_of(lambda rules: None, variant("a")),
        digest_of(lambda rules: None, variant("b")),
    ]
    assert len(set(changes)) == len(changes)
    assert digest_of() == digest_of(track="long", rounds=3)
    assert len(digest_of()) == 64


def test_the_digest_is_the_same_in_every_process():
    """S30: sets and dicts among the entries have one order, whatever the hash seed."""
    code = (
        "from ludolog import Slot; from toys.made import *; rules = new_rules();"
        "rules.slot(Slot('s'), {'set': frozenset('abcdefgh'), 'dict': {'b': {'x', 'y', 'z'}, 'a': 1}, 'fn': len,"
        " 'obj': object()});"
        "print(ruleset_of(rules).digest)"
    )
    tests = Path(__file__).parents[1]
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(tests)},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(digests) == 1
    assert len(next(iter(digests)).strip()) == 64


# ---------------------------------------------------------------- options


class VariantWishes(Options, frozen=True):
    rounds: int = 9
    bold: bool = False
    pair: tuple[int, str] = (1, "a")


def with_options(**options) -> Ruleset:
    bold = Rules("toy/bold", options=VariantWishes)
    return Ruleset(game_of(game(options=Wishes)), [variant_of(bold)], options)


def test_options_are_typed_and_belong_to_their_rules():
    ruleset = with_options(track="short", bold=True)
    position = ruleset.opening(("ann",))
    assert position.options(Wishes) == Wishes(track="short")
    assert position.options(VariantWishes).bold is True
    assert [record.options for record in ruleset.records] == [
        '{"rounds":3,"track":"short"}',
        '{"bold":true,"pair":[1,"a"],"rounds":9}',
    ]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"trak": "short"}, "no option 'trak'; the options here are bold, pair, rounds, track"),
        ({"track": "medium"}, "Option 'track' of toy can't be 'medium'; it must be one of 'long', 'short'"),
        ({"track": None}, "Option 'track' of toy can't be None"),
        ({"rounds": 3}, "Option 'rounds' is ambiguous; say toy:rounds or toy/bold:rounds"),
        ({"toy:rounds": "many"}, "Option 'rounds' of toy can't be 'many'"),
        ({"chess:rounds": 3}, "no option 'chess:rounds'"),
        ({"toy:bold": True}, "no option 'toy:bold'"),
        ({"bold": []}, "Option 'bold' of toy/bold can't be []"),
        ({"pair": (1, 2, 3)}, "Option 'pair' of toy/bold can't be (1, 2, 3)"),
        ({"toy:rounds": 2.5}, "Option 'rounds' of toy can't be 2.5"),
        ({7: 7}, "no option 7"),
        ({"": 7}, "no option ''"),
    ],
)
def test_options_that_are_not_there_or_not_possible(options, told):
    with pytest.raises(BadOptions) as error:
        with_options(**{str(name): value for name, value in options.items()}) if 7 not in options else Ruleset(
            game_of(game()), (), options
        )
    assert told in str(error.value)


def test_an_ambiguous_option_can_be_named():
    ruleset = with_options(**{"toy:rounds": 1, "bold:rounds": 2})
    assert (ruleset.options[Wishes].rounds, ruleset.options[VariantWishes].rounds) == (1, 2)
    ruleset = with_options(**{"toy/bold:rounds": 2})
    assert (ruleset.options[Wishes].rounds, ruleset.options[VariantWishes].rounds) == (3, 2)


def test_options_of_two():
    with pytest.raises(OwnedTwice, match="Options Wishes are declared by two rules"):
        Ruleset(game_of(game(options=Wishes)), [variant_of(Rules("toy/a", options=Wishes))])


def test_values_from_a_command_line_are_read():
    """Text where a number or a yes is meant; what was meant is recorded."""
    ruleset = with_options(**{"toy:rounds": "5", "bold": "true"})
    assert ruleset.options[Wishes].rounds == 5
    assert msgspec.json.decode(ruleset.records[1].options)["bold"] is True
