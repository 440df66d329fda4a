"""What an owner's data may not say, and that whatever it may say can be played."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from typing import cast

import msgspec
import pytest
from msgspec.structs import replace

from dark_horse_west.west import begun
from ludolog import Chance, Command, Position, catalogue
from ludolog.errors import BadData
from ludolog_plugins.dark_horse_west import data
from ludolog_plugins.dark_horse_west.checking import faults_of_card
from ludolog_plugins.dark_horse_west.checking_tables import (
    faults_of_costs,
    faults_of_layout,
    faults_of_points,
    faults_of_space,
    faults_of_start,
    room_fault,
)
from ludolog_plugins.dark_horse_west.commands import Collect, Finish, PlayCard, UseAbility
from ludolog_plugins.dark_horse_west.conserved import lost_or_doubled
from ludolog_plugins.dark_horse_west.data import cards_of, packaged, spaces, with_terms
from ludolog_plugins.dark_horse_west.state import Cards, HandCard
from ludolog_plugins.dark_horse_west.vocabulary import Card

GAMES = 200 if os.environ.get("LUDOLOG_NIGHTLY") else 8

TIMINGS = {
    "action": ("placement", "collect"),
    "event": ("event",),
    "character-base": ("start", "placement", "collect", "trigger", "passive", "end"),
}
GOLD = '{ op = "gain", what = "gold", n = 1 }'


def card(effect: str, timing: str = "collect", more: str = "", deck: str = "", **fields: str) -> str:
    """A card with one ability; its deck is one whose cards are used then."""
    at = deck or next(name for name in TIMINGS if timing in TIMINGS[name])
    said = {"id": '"X"', "deck": f'"{at}"', "name": '"X"', **fields}
    head = "".join(f"{key} = {value}\n" for key, value in said.items())
    return f'[[card]]\n{head}[[card.ability]]\ntiming = "{timing}"\neffects = [{effect}]\n{more}\n'


def site(*lines: str) -> str:
    return "\n".join(("[[space]]", 'id = "builder"', *lines, ""))


EMPTY_MAP = """\
[map]
hexes = 0
safe = []
hidden = []
rugged = []
mystery = []
non_resource = []
tiles = { food = 0, wood = 0, ore = 0 }
"""

REFUSED: list[tuple[str, str, str]] = [
    # Whom an effect touches.
    (card('{ op = "gain", what = "resource", n = 1, who = "trigger" }'), "effects[0].who", "not 'trigger'"),
    (card('{ op = "gain", what = "gold", n = 1, who = "trigger" }', "start"), "effects[0].who", "not 'trigger'"),
    (card('{ op = "gain", what = "gold", n = 1, who = "trigger" }', "event"), "effects[0].who", "nobody"),
    (card('{ op = "order", to = "first", who = "trigger" }'), "effects[0].who", "not 'trigger'"),
    (card('{ op = "gain", what = "gold", n = 1, who = "others" }'), "effects[0].who", "not 'others'"),
    (card('{ op = "produce", what = "food", who = "all" }'), "effects[0].who", "doesn't read"),
    (card('{ op = "close", space = "mayor" }'), "effects[0].who", "others or all"),
    (card('{ op = "close", space = "mayor", who = "opponent" }'), "effects[0].who", "others or all"),
    (card('{ op = "steal", what = "food", n = 1 }'), "effects[0].who", "not 'owner'"),
    (card('{ op = "peek" }'), "effects[0].who", "not 'owner'"),
    (
        card('{ op = "steal", what = "food", n = 1, who = "trigger" }', "trigger", 'trigger = ["collect:mayor"]'),
        "effects[0].who",
        "not 'trigger'",
    ),
    (card(GOLD, "event"), "effects[0].who", "nobody"),
    (card('{ op = "steal", what = "food", n = 1, who = "all" }', "event"), "effects[0].op", "nobody"),
    (card('{ op = "rail", n = 1 }', "event"), "effects[0].op", "nobody"),
    (
        card('{ op = "choose", options = [[{ op = "jail", n = 1, who = "trigger" }]] }'),
        "effects[0].options[0][0].who",
        "not 'trigger'",
    ),
    # Ids and names.
    (card(GOLD, id='"B B"'), "card[0].id", "letters"),
    (card(GOLD, id='"C+C"'), "card[0].id", "letters"),
    (card(GOLD, id='"C,C"'), "card[0].id", "letters"),
    (card(GOLD, id='"C:C"'), "card[0].id", "letters"),
    (card(GOLD, id='""'), "card[0].id", "letters"),
    (card(GOLD, id='"EV-01"'), "card[0].id", "event deck"),
    (card(GOLD, id='"CX-06"', deck="action"), "card[0].id", "character deck"),
    (card(GOLD, name='" "'), "card[0].name", "one line"),
    (card(GOLD, name='"A\\u001b[0m"'), "card[0].name", "one line"),
    (site('name = "A\\nB"'), "space[0].name", "one line"),
    (site('effect = "A\\u001b[0m"'), "space[0].effect", "printed"),
    (card(GOLD, more='text = "A\\u001b[0m"'), "ability[0].text", "printed"),
    # Numbers that would end in a crash, a game without end or a question without end.
    ("[start]\ntowns = 0\n", "start.towns", "1 or more"),
    ("[start]\ncities = 0\n", "start.cities", "1 or more"),
    ("[start]\ncities = 7\n", "start.cities", "more than 6"),
    ("[start]\nstart_towns = 9\n", "start.start_towns", "more than 6"),
    ("[start]\nstart_towns = 4\n", "start.start_towns", "5 seats"),
    ("[start]\ntowns = 1\n", "start.start_towns", "fewer than 2"),
    ("[start]\ninfluence = 11\n", "start.influence", "more than 10"),
    ("[start]\nfood = 9223372036854775807\n", "start.food", "more than 50"),
    ("[costs]\nlinks_per_purchase = 0\n", "costs.links_per_purchase", "1 or more"),
    ("[costs]\npurchases_with_town = 99\n", "costs.purchases_with_town", "more than 4"),
    ("[costs]\ntown = { food = 51 }\n", "costs.town", "more than 50"),
    ("[scoring]\ngold = 9223372036854775807\n", "scoring.gold", "more than 1000"),
    ("[scoring]\nloan = -1001\n", "scoring.loan", "-1000 or more"),
    ("[scoring]\ncity_one_town = 3\n", "scoring.city_two_towns", "more than one"),
    (site(f'need = "{"9" * 5000}"'), "space[0].need", "no need"),
    (site('need = "0+"'), "space[0].need", "1 to 18"),
    (site('need = "19"'), "space[0].need", "1 to 18"),
    (site('need = "7"', 'dice = "one die"'), "space[0].need", "1 to 6"),
    (site('need = "٣"'), "space[0].need", "no need"),
    (card('{ op = "gain", what = "resource", n = 13 }'), "effects[0].n", "more than 12"),
    (card('{ op = "gain", what = "gold", n = 51 }'), "effects[0].n", "more than 50"),
    (card('{ op = "draw", deck = "any", n = 1, keep = -1 }'), "effects[0].keep", "1 or more"),
    (card('{ op = "draw", deck = "any", n = 2 }'), "effects[0].keep", "1 or more"),
    (card('{ op = "draw", deck = "any", n = 1, keep = 2 }'), "effects[0].keep", "more than 1"),
    (card('{ op = "draw", deck = "any", n = 9, keep = 4 }'), "effects[0].n", "more than 8"),
    (card('{ op = "draw", deck = "event", n = 1, keep = 1 }'), "effects[0].deck", "deck 'event'"),
    (card('{ op = "order", to = "up" }'), "effects[0].n", "1 or more"),
    (card('{ op = "die", mode = "shift", n = 7 }', "placement"), "effects[0].n", "more than 6"),
    (card('{ op = "extra-draw", n = -3 }', "passive"), "effects[0].n", "1 or more"),
    (card('{ op = "price", item = "town", n = 4 }', "passive"), "effects[0].n", "more than 3"),
    (card('{ op = "price", item = "town" }', "passive"), "effects[0].n", "the same"),
    (card('{ op = "need", space = "mayor" }', "passive"), "effects[0].space", "one of"),
    (card('{ op = "need", space = "mayor", exact = 19 }', "passive"), "effects[0].exact", "more than 18"),
    (card('{ op = "score", measure = "gold", per = 1, points = 1 }', "end"), "effects[0].cap", "1 or more"),
    (card('{ op = "score", measure = "gold", points = 1 }', "end"), "effects[0].measure", "either per"),
    (card('{ op = "score", measure = "gold", min = 3, max = 2, points = 1 }', "end"), "effects[0].max", "3 or more"),
    (card(GOLD, more='cost = [{ what = "resource", n = 13 }]'), "cost[0].n", "more than 12"),
    # What nobody would read, or pay.
    ("[costs]\ntown = { gold = 2 }\n", "costs.town", "'gold'"),
    ("[costs]\nrugged_link = { oar = 2 }\n", "costs.rugged_link", "'oar'"),
    ("[start]\nstart_cities = 2\n", "start.start_cities", "1 city"),
    (site("slots = 3"), "space[0].slots", "limit"),
    (site('resolves = "sideways"'), "space[0].resolves", "collection"),
    (site('resolves = "placement"'), "space[0].resolves", "collection"),
    (site('need = "4"') + site('need = "5"'), "space[1].id", "listed twice"),
    (card('{ op = "gain", what = "gold", n = 1, space = "mayor" }'), "effects[0].space", "doesn't read"),
    (card('{ op = "shield", n = 1 }', "passive"), "effects[0].n", "doesn't read"),
    (card('{ op = "gain", what = "gold", n = 1, terms = { min = 1 } }'), "terms", "Expected"),
    (card('{ op = "role", role = "king" }'), "effects[0].role", "'king'"),
    (card('{ op = "ban", what = "jail", mode = "own" }', "passive"), "effects[0].mode", "Jail"),
    (card('{ op = "die", mode = "set", n = 1 }'), "effects[0].op", "nothing"),
    (card('{ op = "rail", n = 1 }', "start"), "effects[0].op", "nothing"),
    (card('{ op = "choose", options = [[]] }'), "effects[0].options", "1 to 12"),
    (card(GOLD, more='cost = [{ what = "die", min = 6 }]'), "cost[0].what", "die"),
    (card(GOLD, more='cost = [{ what = "gold", min = 6 }]'), "cost[0].min", "only a die"),
    (card(GOLD, "start", 'cost = [{ what = "gold" }]'), "ability[0].cost", "nobody pays"),
    (card(GOLD, more='trigger = ["reveal"]'), "ability[0].trigger", "nothing sets off"),
    (card(GOLD, "trigger"), "ability[0].trigger", "sets it off"),
    (card(GOLD, "trigger", 'trigger = ["reveal"]\ncondition = { die_min = 5 }'), "ability[0].condition", "dice"),
    (card(GOLD, "card-die", deck="action"), "ability[0].timing", "card-die"),
    (card(GOLD, more='module = "chess"'), "ability[0].module", "'chess'"),
    (card(GOLD, more='place = "top"'), "ability[0].place", "no place"),
    (card(GOLD, more=f'[[card.ability]]\ntiming = "collect"\neffects = [{GOLD}]'), "card[0].ability", "at most 1"),
    (card(GOLD, requires='["chess"]'), "card[0].requires", "'chess'"),
    (card(GOLD, replaces='"X"'), "card[0].replaces", "no other card"),
    (card(GOLD, colour='"black"'), "card[0].colour", "no colour"),
    # Too few characters, or a map on which not everybody can play.
    (card(GOLD, "start"), "card[0].deck", "5 seats"),
    (
        "".join(card(GOLD, "start", id=f'"{n}"', requires='["silver"]') for n in range(5)),
        "card[0].deck",
        "0 characters",
    ),
    (EMPTY_MAP, "map.mystery", "6 different"),
    ("[map]\ndirections = []\n", "map.directions", "neighbours"),
    ("[map]\ndirections = [[0, -1], [1, -1], [1, 0], [0, 1], [-1, 1]]\n", "map.directions", "neighbours"),
    ("[map]\nmystery = [[1, -2], [2, -1]]\n", "map.mystery", "6 different"),
    ("[map]\nmystery = [[1, -2], [2, -1], [1, 1], [-1, 2], [-2, 1], [-2, 1]]\n", "map.mystery", "6 different"),
    ("[map]\ntiles = { food = 21, wood = -1, ore = 0 }\n", "map.tiles.wood", "below 0"),
    ("[map]\nradius = 3\n", "map.safe", "farther"),
    ("[map]\nradius = 1000000\n", "map.radius", "more than 6"),
    ('[map]\norientation = "pointed"\n', "map.orientation", "another orientation"),
]


@pytest.mark.parametrize(("text", "field", "words"), REFUSED)
def test_what_would_go_wrong_later_is_refused_when_it_is_loaded(text: str, field: str, words: str) -> None:
    with pytest.raises(BadData) as raised:
        catalogue().ruleset("dark-horse-west", (), {"data": text})
    assert raised.value.field.endswith(field)
    assert raised.value.line
    assert words in str(raised.value)


def crowded_map() -> str:
    """All tiles in one heap around the middle: two seats may take what is beside the hexes for cities."""
    hexes = sorted(data.layout().all, key=lambda hex_: max(abs(hex_[0]), abs(hex_[1]), abs(hex_[0] + hex_[1])))
    heap, bare = [list(hex_) for hex_ in hexes[:20]], [list(hex_) for hex_ in hexes[20:]]
    return f"[map]\nsafe = {heap[:8]}\nhidden = {heap[8:]}\nrugged = []\nnon_resource = {bare}\nmystery = {bare[:6]}\n"


def test_a_map_on_which_the_last_seat_might_find_no_place_is_refused() -> None:
    with pytest.raises(BadData, match="5 seats might not all find a hex"):
        catalogue().ruleset("dark-horse-west", (), {"data": crowded_map()})
    roomy = catalogue().ruleset("dark-horse-west", (), {"data": crowded_map() + "[start]\nstart_towns = 0\n"})
    assert roomy.to_act(begun(roomy, 4))


def test_packaged_data_is_held_to_the_same() -> None:
    files = ("rules.toml", "rebels_and_rogues.toml")
    sites = tuple(row["id"] for file in files for row in packaged(file)["space"])
    decks = dict.fromkeys(row["deck"] for row in packaged("decks.toml")["card"])
    assert len(decks) == 7
    for found in (card for deck in decks for card in cards_of(deck)):
        assert list(faults_of_card(found, sites)) == [], found.id
    assert [fault for row in spaces().values() for fault in faults_of_space(row, row)] == []
    assert list(faults_of_costs(data.costs())) == []
    assert list(faults_of_start(data.start())) == []
    assert list(faults_of_points(data.points())) == []
    assert list(faults_of_layout(data.layout(), data.layout())) == []
    assert room_fault(data.layout(), data.start()) == ""


# ------------------------------------------------------------ whatever is accepted can be played


def written(value: object) -> str:
    """A value as TOML writes it."""
    if isinstance(value, dict):
        return (
            "{ "
            + ", ".join(f"{key} = {written(item)}" for key, item in cast("dict[str, object]", value).items())
            + " }"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(written, cast("list[object]", value))) + "]"
    return str(value).lower() if isinstance(value, bool | int) else f'"{value}"'


def drawn(row: dict[str, str], pick: random.Random, depth: int = 0) -> dict[str, object]:
    """An effect that says something in most of the fields that its operation reads."""
    vocabulary = packaged("decks.toml")
    known: dict[str, list[object]] = {
        "what": ["food", "resource", "gold", "influence", "wild", "bonus-die", "choice", "jail", "black"],
        "n": [-1, 1, 1, 2, 3, 12],
        "who": ["owner", "opponent", "each-opponent", "all", "trigger", "others"],
        "deck": ["any", "action"],
        "to": ["first", "last", "up", "down"],
        "mode": ["set", "shift", "reroll"] if row["id"] == "die" else ["collect", "own"],
        "space": [*spaces(), "choice"],
        "role": ["mayor", "sheriff"],
        "else": ["sheriff"],
        "item": ["town", "city", "rail", "rugged"],
        "measure": [entry["id"] for entry in vocabulary["measure"]],
        "scope": ["self", "all-own"],
        "any": [True],
        "modifiers": [True],
    }
    found: dict[str, object] = {"op": row["id"]}
    for field in re.findall("[a-z]+", row["fields"]):
        if field == "options":
            rows = [entry for entry in vocabulary["effect_op"] if entry["mode"] == "active" and entry["id"] != "choose"]
            found[field] = [[drawn(pick.choice(rows), pick)] for _ in range(2)]
        elif pick.random() < 0.6 or field in {"what", "who", "mode", "space", "item", "measure"}:
            found[field] = pick.choice(known.get(field, [-1, 1, 2, 3]))
    return found


def drawn_cards(deck: str, count: int, pick: random.Random) -> Iterator[str]:
    """Cards of a deck that are accepted, drawn from the whole vocabulary, as TOML."""
    vocabulary = packaged("decks.toml")
    while count:
        timing = pick.choice(TIMINGS[deck])
        mode = timing if timing in {"passive", "end"} else "active"
        rows = [entry for entry in vocabulary["effect_op"] if entry["mode"] == mode]
        ability: dict[str, object] = {"timing": timing, "effects": [drawn(pick.choice(rows), pick)]}
        if timing == "trigger":
            ability["trigger"] = pick.sample(["produce:wood", "build:town", "reveal", "collect:produce"], 2)
        if timing in {"placement", "collect", "trigger"} and pick.random() < 0.3:
            ability["cost"] = [{"what": pick.choice(["food", "resource", "jail", "wild"]), "n": 1}]
        row: dict[str, object] = {"id": f"{deck}-{count}", "deck": deck, "name": timing, "mark": pick.random() < 0.3}
        made = msgspec.convert(with_terms(row | {"ability": [ability]}), Card)
        if next(faults_of_card(made, tuple(spaces())), None) is None:
            head, inner = (
                "".join(f"{key} = {written(value)}\n" for key, value in part.items()) for part in (row, ability)
            )
            yield f"[[card]]\n{head}[[card.ability]]\n{inner}"
            count -= 1


def drawn_text(pick: random.Random) -> str:
    """Data with numbers at and between their limits, and cards of every deck."""
    price = {"food": pick.choice([0, 1, 50]), "wood": pick.randint(0, 2)}
    town, surcharge = written(price), written({"wood": pick.randint(0, 2)})
    return (
        f"[costs]\ntown = {town}\nrugged_town = {surcharge}\nlinks_per_purchase = {pick.randint(1, 4)}\n"
        f"purchases_at_rail_baron = {pick.randint(0, 4)}\npurchases_with_city = {pick.choice([0, 4])}\n"
        f"[start]\nfood = {pick.choice([0, 9, 50])}\nwood = {pick.choice([0, 9, 50])}\ncities = {pick.randint(1, 6)}\n"
        f"towns = {pick.randint(3, 12)}\nstart_towns = {pick.randint(0, 3)}\nrail = {pick.randint(0, 6)}\n"
        f"influence = {pick.choice([0, 10])}\n"
        + "".join(text for deck in TIMINGS for text in drawn_cards(deck, 10, pick))
    )


def with_hands(position: Position) -> Position:
    """The Action cards are dealt out, so that they are played."""
    cards = position[Cards]
    pile = next(pile for pile in cards.piles if pile.deck == "action")
    hands = tuple(
        (seat, (*hand, *(HandCard("action", name) for name in pile.pile[number :: len(position.seats)])))
        for number, (seat, hand) in enumerate(cards.hands)
    )
    piles = tuple(replace(other, pile=()) if other is pile else other for other in cards.piles)
    return position.having(replace(cards, piles=piles, hands=hands))


@pytest.mark.parametrize("seed", range(GAMES))
def test_accepted_data_opens_a_table_on_which_nothing_breaks(seed: int) -> None:
    pick = random.Random(seed)
    variants, seats = [((), 2), (("base-changes", "silver"), 4), (("five-player",), 5)][seed % 3]
    ruleset = catalogue().ruleset("dark-horse-west", variants, {"data": drawn_text(pick)})
    position = with_hands(begun(ruleset, seats, seed))
    for number in range(250):
        if position.over:
            break
        (seat, *_) = ruleset.to_act(position)
        legal = ruleset.legal(position, seat)
        used: tuple[Command, ...] = tuple(
            command for command in legal if isinstance(command, PlayCard | UseAbility | Collect)
        )
        acts = used or tuple(command for command in legal if not isinstance(command, Finish))
        command = pick.choice(acts if acts and pick.random() < 0.9 else legal)
        position = ruleset.decide(position, seat, command, Chance(b"k" * 32, number)).position
        assert lost_or_doubled(position) == ()
