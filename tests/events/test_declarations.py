"""Types that can't be stored, compared or hidden rightly are refused when they are declared."""

import datetime as dt
from collections.abc import Callable
from enum import Enum, IntEnum, auto
from typing import Annotated, Any, ClassVar, Literal, NewType

import msgspec
import pytest

from ludolog import Game, Now, Options, Rules, Ruleset
from ludolog_events import (
    NOBODY,
    Audience,
    Command,
    Event,
    InvalidType,
    Private,
    PrivateTuple,
    Seat,
    Secret,
    State,
    audiences,
    check_plain,
    owner_of,
    tag_of,
    told_to,
)


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Numbered(Enum):
    RED = auto()
    BLUE = auto()


class Rank(IntEnum):
    LOW = 1


class Corner(msgspec.Struct, frozen=True):
    x: int
    colours: tuple[Colour, ...] = ()


class Loose(msgspec.Struct):
    x: int


class Tree(msgspec.Struct, frozen=True):
    children: tuple["Tree", ...] = ()


class Marking(msgspec.Struct, frozen=True):
    card: Private[str]


Cell = NewType("Cell", int)


def declare(annotation: Any, parent: type[msgspec.Struct] = Event) -> type[Any]:
    namespace = {"__annotations__": {"seat": str, "field": annotation}, "__module__": __name__}
    return type(msgspec.Struct)("Fact", (parent,), namespace, frozen=True, tag="toy/fact")


@pytest.mark.parametrize(
    "annotation",
    [
        int,
        str,
        bool,
        tuple[int, ...],
        tuple[tuple[str | None, ...], ...],
        (Literal["a", 3, True] | None),
        Colour,
        Corner,
        Tree,
        Cell,
        Annotated[int, msgspec.Meta(ge=0)],
        Private[str],
        Secret[Corner],
        PrivateTuple[Cell],
        Annotated[str | None, told_to("seat")],
    ],
)
def test_plain_values_may_be_declared(annotation):
    check_plain(declare(annotation), hides=True)


@pytest.mark.parametrize(
    ("annotation", "named"),
    [
        (float, "float"),
        (float | None, "float"),
        (bytes, "bytes"),
        (list[int], "list"),
        (set[str], "set"),
        (frozenset[str], "frozenset"),
        (dict[str, int], "dict"),
        (dt.datetime, "datetime"),
        (dt.timedelta, "timedelta"),
        (object, "object"),
        (Any, "Any"),
        (tuple, "tuple"),
        (tuple[list[int], ...], "list"),
        (Callable[[], int], "Callable"),
        (Numbered, "RED of Numbered"),
        (Rank, "LOW of Rank"),
        (Loose, "Loose, which is not frozen"),
        (tuple[Loose, ...], "Loose, which is not frozen"),
        (Private[dict[str, int]], "dict"),
    ],
)
def test_what_does_not_keep_its_value_is_refused_at_registration(annotation, named):
    """F31, F28, S33: class instances, numbered enumerations and dates; naming type, field and what is wrong."""
    with pytest.raises(InvalidType, match=r"Fact\.field") as error:
        check_plain(declare(annotation), hides=True)
    assert named in str(error.value)


@pytest.mark.parametrize(
    "annotation",
    [tuple[Private[str], ...], Private[str] | None, Secret[int] | str, Marking, tuple[Secret[tuple[int, ...]], int]],
)
def test_an_audience_that_would_hide_nothing_is_refused(annotation):
    """An audience inside a tuple, a union or a nested struct would silently tell everyone."""
    with pytest.raises(InvalidType, match="hides nothing"):
        check_plain(declare(annotation), hides=True)


def test_only_events_hide():
    with pytest.raises(InvalidType, match="hides nothing"):
        check_plain(declare(Private[str], Command))


def test_a_type_that_can_be_changed_or_takes_unknown_fields_is_refused():
    class Changing(Event, frozen=False, tag="toy/changing"):
        x: int

    class Lenient(Command, frozen=True, forbid_unknown_fields=False, tag="toy/lenient"):
        x: int

    for kind in (Changing, Lenient):
        with pytest.raises(InvalidType, match="must be frozen and forbid unknown fields"):
            check_plain(kind)


@pytest.mark.parametrize(
    ("annotation", "why"),
    [
        (Annotated[str | None, told_to("watchers")], "no field"),
        (Annotated[str, NOBODY], "must allow None"),
        (Annotated[tuple[str, ...], NOBODY], "elements must allow None"),
        (Private[tuple[str, ...]], "elements must allow None"),
        (Annotated[str | None, told_to("seat"), NOBODY], "two audiences"),
        (Annotated[Private[str], NOBODY], "two audiences"),
    ],
)
def test_a_field_that_can_not_be_hidden_as_declared_is_refused(annotation, why):
    with pytest.raises(InvalidType, match=why):
        audiences(declare(annotation))


def test_the_field_that_names_the_seats_must_hold_seats():
    class Counted(Event, frozen=True, tag="toy/counted"):
        count: int
        note: Annotated[str | None, told_to("count")]

    class WholeCounted(Event, frozen=True, tag="toy/whole-counted"):
        audience: ClassVar[Audience | None] = told_to("count")
        count: int

    class WholeMissing(Event, frozen=True, tag="toy/whole-missing"):
        audience: ClassVar[Audience | None] = told_to("count")

    for kind, why in ((Counted, "must be a Seat"), (WholeCounted, "must be a Seat"), (WholeMissing, "no field")):
        with pytest.raises(InvalidType, match=why):
            audiences(kind)


def test_an_audience_that_is_no_class_variable_is_refused():
    class Fielded(Event, frozen=True, tag="toy/fielded"):
        audience: Audience | None = NOBODY

    class Texted(Event, frozen=True, tag="toy/texted"):
        audience: ClassVar[Any] = "seat"

    for kind in (Fielded, Texted):
        with pytest.raises(InvalidType, match="ClassVar"):
            audiences(kind)


@pytest.mark.parametrize(
    "tag", ["fact", "Toy/fact", "toy/fact/extra/long", "toy/", "toy/fact@0", "toy.module:Fact", 7, True, "toy/fact "]
)
def test_a_tag_that_is_no_stable_name_is_refused(tag):
    kind = type(msgspec.Struct)("Fact", (Event,), {"__module__": __name__}, frozen=True, tag=tag)
    with pytest.raises(InvalidType, match="Fact needs tag="):
        tag_of(kind)


def test_tags_name_their_owner():
    assert owner_of("toy/fact") == "toy"
    assert owner_of("toy/variant/fact@2") == "toy/variant"


def test_what_is_no_struct_is_refused_with_a_sentence():
    rules = Rules("toy")

    @rules.state
    class Count(State, frozen=True):
        n: int = 0

    with pytest.raises(InvalidType, match="needs tag="):

        @rules.reducer
        def wrong(count: Count, event: int) -> Count:
            return count

    with pytest.raises(InvalidType, match="exactly two annotated parameters"):

        @rules.reducer
        def unannotated(count, event):
            return count


def test_annotations_that_can_not_be_read_are_refused_with_advice():
    class Fact(Event, frozen=True, tag="toy/fact"):
        x: "Nowhere"  # noqa: F821

    for check in (check_plain, audiences):
        with pytest.raises(InvalidType, match="import their types at run time"):
            check(Fact)


def test_rules_check_what_they_are_given():
    """F31: state, events, commands and options alike."""
    rules = Rules("toy")

    class NoDefault(State, frozen=True):
        n: int

    class Floating(State, frozen=True):
        n: float = 0.0

    class Asked(Command, frozen=True, tag="toy/ask"):
        n: list[int]

    class Told(Event, frozen=True, tag="toy/told"):
        n: list[int]

    class Wishes(Options, frozen=True):
        n: list[int] = []  # noqa: RUF012 - that is the fault

    for kind in (NoDefault, Floating):
        with pytest.raises(InvalidType, match=kind.__name__):
            rules.state(kind)
    with pytest.raises(InvalidType, match=r"Told\.n"):
        rules.events(Told)
    with pytest.raises(InvalidType, match=r"Asked\.n"):

        @rules.decider
        def ask(now: Now, command: Asked):
            yield Told(n=[])

    with pytest.raises(InvalidType, match=r"Wishes\.n"):
        Rules("toy", options=Wishes)


def test_two_slices_of_one_name_are_refused():
    """A snapshot keeps slices by name, so one would take the other's place."""

    class Count(State, frozen=True):
        n: int = 0

    class Other(State, frozen=True):
        n: int = 0

    Other.__name__ = "Count"
    rules = Rules("toy")
    rules.state(Count)
    rules.state(Other)
    rules.to_act(lambda position: ())
    rules.scoring(lambda position, reason: None)
    with pytest.raises(InvalidType, match="two states named Count"):
        Ruleset(Game(id="toy", title="", summary="", seats=(1,), rules=lambda: rules))


def test_seats_are_names():
    assert Seat is str
