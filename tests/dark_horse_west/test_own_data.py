"""An owner's numbers and decks: dropped in as a file, checked, recorded in the log."""

from __future__ import annotations

import pytest

import ludolog
from dark_horse_west.scenes import ANN
from dark_horse_west.test_building import at
from dark_horse_west.west import NAMES, begun, walk, west
from ludolog import MemoryStore, Ruleset, catalogue
from ludolog.errors import BadData, BadOptions, ReplacedTwice
from ludolog.own_data import line_of
from ludolog_plugins.dark_horse_west import slots
from ludolog_plugins.dark_horse_west.cards import cards_in_play
from ludolog_plugins.dark_horse_west.conserved import lost_or_doubled
from ludolog_plugins.dark_horse_west.state import Cards

OWN = """\
# The numbers of the box.
[costs]
town = { food = 2, wood = 1 }

[start]
food = 4

[scoring]
loan = -5

[[space]]
id = "politics"
need = "2 or 3"
limit = "Unlimited"

[[card]]
id = "X-1"
deck = "action"
name = "Gold Rush"

[[card.ability]]
timing = "collect"
effects = [{ op = "gain", what = "gold", n = 2 }]

[[card]]
id = "AC-01"
deck = "action"
name = "Better Harvest"

[[card.ability]]
timing = "collect"
cost = [{ what = "wood" }]
effects = [
  { op = "gain", what = "food", n = 4 },
]
"""


def with_data(text: str, **options: object) -> Ruleset:
    return catalogue().ruleset("dark-horse-west", (), {"data": text, **options})


CHARACTERS = "".join(
    f"""
[[card]]
id = "OWN-{n}"
deck = "character-base"
name = "Own {n}"

[[card.ability]]
timing = "start"
effects = [{{ op = "gain", what = "food", n = 1 }}]
"""
    for n in range(5)
)


def test_no_card_comes_in_place_of_one_that_an_own_deck_doesnt_hold():
    ruleset = catalogue().ruleset("dark-horse-west", ("base-changes",), {"data": CHARACTERS})
    assert set(cards_in_play(ruleset.opening(NAMES[:2]), "character-base")) == {f"OWN-{n}" for n in range(5)}


def test_a_waived_surcharge_comes_off_what_it_consists_of():
    """DW-R13: by an owner's numbers a rugged town costs 1 Ore more; who pays 1 less for that pays no Wood less."""
    rules = {"data": "[costs]\nrugged_town = { ore = 1 }\n"}
    rails = {ANN: (((1, -3), (1, -2)), ((1, -2), (1, -1)))}
    plain = at("builder", cities={ANN: ((1, -3),)}, links=rails, options=rules).position
    price = plain.slot(slots.BUILDS)["town"].price(plain, ANN, (1, -1))
    assert (price.food, price.wood, price.ore) == (1, 1, 2)
    tracker = {"fronts": {ANN: ("CX-06",)}, "variants": ("base-changes",)}
    less = at("builder", cities={ANN: ((1, -3),)}, links=rails, options=rules, **tracker).position
    price = less.slot(slots.BUILDS)["town"].price(less, ANN, (1, -1))
    assert (price.food, price.wood, price.ore) == (1, 1, 1)


def test_a_larger_map_is_drawn_smaller():
    layout = west().slots[slots.LAYOUT.name]["map"]
    around = range(-5, 6)
    every = {(q, r) for q in around for r in around if abs(q + r) <= 5}
    bare = sorted(every - set(layout.places))
    text = f"[map]\nradius = 5\nhexes = {len(every)}\nnon_resource = {[list(hex_) for hex_ in bare]}\n"
    assert "scale(" not in begun(west(), 2).svg()
    assert "scale(0.818)" in begun(with_data(text), 2).svg()


def test_numbers_sites_and_decks_take_the_place_of_the_packaged_ones():
    ruleset = with_data(OWN)
    table = ruleset.slots
    assert table[slots.COSTS.name]["costs"].town == {"food": 2, "wood": 1}
    assert table[slots.COSTS.name]["costs"].city == {"food": 2, "wood": 2, "ore": 2}
    assert table[slots.START.name]["start"].food == 4
    assert table[slots.POINTS.name]["points"].loan == -5
    politics = table[slots.SITES.name]["politics"]
    assert (politics.need.values, politics.limit, politics.name) == ((2, 3), "Unlimited", "Politics")
    cards = table[slots.CARDS.name]
    assert [card.id for card in cards.values() if card.deck == "action"] == ["AC-01", "X-1"]
    assert cards["AC-01"].name == "Better Harvest"
    assert sum(card.deck == "event" for card in cards.values()) == 6
    assert tuple(table[slots.SITES.name]) == tuple(catalogue().ruleset("dark-horse-west").slots[slots.SITES.name])


def test_games_with_own_data_end_and_lose_nothing():
    for position, _, _ in walk(with_data(OWN, turn_limit=100), 2):
        assert lost_or_doubled(position) == ()
    assert position.over


def test_a_file_is_read_once_and_recorded_so_that_the_table_opens_without_it(tmp_path):
    path = tmp_path / "my_west.toml"
    path.write_text(OWN, encoding="utf-8")
    store = MemoryStore()
    table = ludolog.new_table("dark-horse-west", NAMES[:2], options={"data": str(path)}, seed=1, store=store)
    assert '"data":"# The numbers of the box.' in table.opened.rules[0].options
    for _ in range(30):
        table.play(table.to_act[0], table.legal(table.to_act[0])[0])
    path.unlink()
    again = ludolog.open_table(table.id, store)
    assert again.position == table.position
    again.play(again.to_act[0], again.legal(again.to_act[0])[0])
    assert again.audit().answers[1].verdict == "yes"
    assert {card.id for card in again.ruleset.slots[slots.CARDS.name].values() if card.deck == "action"} == {
        "AC-01",
        "X-1",
    }
    assert again.position[Cards].piles


def test_the_digest_depends_on_the_data_not_on_the_name_of_its_file(tmp_path):
    one, two, other = (tmp_path / name for name in ("one.toml", "two.toml", "other.toml"))
    one.write_text(OWN, encoding="utf-8")
    two.write_text(OWN + "\n\n", encoding="utf-8")
    other.write_text(OWN.replace("food = 4", "food = 3"), encoding="utf-8")
    digests = [with_data(str(path)).digest for path in (one, two, other)]
    assert digests[0] == digests[1] != digests[2]
    one.write_text(OWN.replace("food = 4", "food = 3"), encoding="utf-8")
    assert with_data(str(one)).digest == digests[2]  # a changed file is read again


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no-such-file.toml", "'no-such-file.toml': it doesn't exist."),
        ("no/../such.toml", "'no/../such.toml': it doesn't exist."),
        ("/", "'/': it is no ordinary file."),
        ("noise.bin", "'noise.bin': it is no text in UTF-8."),
        ("\0", "'\\x00': it doesn't exist."),
    ],
)
def test_a_file_that_cannot_be_read_is_named_as_it_was_given(name, words, tmp_path, monkeypatch):
    """No other path is told: one who may choose an option need not know where the host keeps things."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "noise.bin").write_bytes(b"\xff\xfe")
    with pytest.raises(BadOptions) as found:
        with_data(name)
    assert str(found.value) == f"Option 'data' names a file that can't be read: {words}"


CARD = '[[card]]\nid = "X-1"\ndeck = "action"\nname = "X"\n[[card.ability]]\ntiming = "collect"\neffects = [%s]\n'


@pytest.mark.parametrize(
    ("text", "line", "field", "words"),
    [
        ("[costs\n", 1, "", "no TOML"),
        ("[costs]\n\n[prices]\n", 3, "prices", "there is no table 'prices'"),
        ("costs = 3\n", 1, "costs", "must be a table"),
        ('[costs]\ncity = { food = "two" }\n', 2, "costs.city", "int"),
        ("[costs]\nvillage = 3\n", 2, "costs.village", "unknown field"),
        ("[costs]\ntown = { food = -1 }\n", 2, "costs.town", "below 0"),
        ("[map]\ntiles = { food = 7, wood = 7, ore = 7 }\n", 2, "map.tiles", "21 tiles"),
        ("[map]\nrugged = [[0, 0], [1, 0], [-1, 1], [-1, 0]]\n", 1, "map.non_resource", "twice"),
        ('[[space]]\nneed = "4"\n', 1, "space[0].id", "needs an id"),
        ('[[space]]\nid = "bank"\n', 2, "space[0].id", "no site 'bank'"),
        ('[[space]]\nid = "mayor"\n\n[[space]]\nid = "market"\nneed = "lots"\n', 6, "space[1].need", "no need"),
        ('[[space]]\nid = "mayor"\nlimit = "Open"\n', 3, "space[0].limit", "unknown class of site 'Open'"),
        ('[[card]]\nid = "X-1"\ndeck = "poker"\nname = "X"\n', 3, "card[0].deck", "X-1"),
        ('[[card]]\nid = "X-1"\ndeck = "action"\nname = "X"\n', 1, "card[0].ability", "needs an ability"),
        ('[[card]]\nid = "X-1"\ndeck = "action"\nname = 3\n', 4, "card[0].name", "Expected `str`"),
        (CARD % '{ op = "grant" }', 7, "card[0].ability[0].effects[0].op", "card X-1: unknown effect 'grant'"),
        (CARD % '{ op = "gain", what = "gems", n = 1 }', 7, "card[0].ability[0].effects[0].what", "'gems'"),
        (CARD % '{ op = "gain", what = "gold" }', 7, "card[0].ability[0].effects[0].n", "1 or more"),
        (CARD % '{ op = "gain", whot = "gold" }', 7, "card[0].ability[0].effects[0].whot", "unknown field"),
        (CARD % '{ op = "order", to = "middle" }', 7, "card[0].ability[0].effects[0].to", "middle"),
        (CARD % '{ op = "die", mode = "eat" }', 7, "card[0].ability[0].effects[0].mode", "eat"),
        (CARD % '{ op = "close", space = "bank" }', 7, "card[0].ability[0].effects[0].space", "bank"),
        (CARD % '{ op = "price", item = "town", n = -1 }', 7, "card[0].ability[0].effects[0].op", "passive"),
        (CARD % '{ op = "choose" }', 7, "card[0].ability[0].effects[0].options", "nothing to choose"),
        (CARD % "", 7, "card[0].ability[0].effects", "needs an effect"),
        ((CARD % '{ op = "rail", n = 1 }').replace("collect", "noon"), 6, "card[0].ability[0].timing", "noon"),
        ((CARD % '{ op = "rail", n = 1 }').replace("collect", "start"), 6, "card[0].ability[0].timing", "start"),
        (
            (CARD % '{ op = "rail", n = 1 }') + 'trigger = ["collect:bank"]\n',
            8,
            "card[0].ability[0].trigger",
            "bank",
        ),
        (
            (CARD % '{ op = "rail", n = 1 }') + 'cost = [{ what = "love" }]\n',
            8,
            "card[0].ability[0].cost[0].what",
            "love",
        ),
        ((CARD % '{ op = "rail", n = 1 }') * 2, 9, "card[1].id", "listed twice"),
    ],
)
def test_what_cannot_be_used_is_refused_with_line_and_field(text, line, field, words):
    with pytest.raises(BadData) as raised:
        with_data(text if "\n" in text else text + "\n")
    assert (raised.value.line, raised.value.field) == (line, field)
    assert words in str(raised.value)
    if line:
        assert f"line {line}" in str(raised.value)


def test_lines_of_places_in_a_text():
    assert line_of(OWN, "card[1].ability[0].effects[0].n") == 33
    assert line_of(OWN, "card[1].ability[0].cost[0].what") == 32
    assert line_of(OWN, "card[0].ability[0].timing") == 22
    assert line_of(OWN, "nowhere") == 0


def test_a_variant_comes_on_top_of_own_data():
    """What a variant replaces or removes is the owner's entry then; two variants would contradict each other."""
    toy = ludolog.Rules("dark-horse-west/toy")
    toy.remove(slots.SITES, "politics", cites="T-1")
    toy.adjust(slots.COSTS, "costs", lambda costs: costs, cites="T-2")
    variant = ludolog.Variant(id="dark-horse-west/toy", title="", summary="", rules=lambda: toy)
    try:
        ruleset = Ruleset(catalogue().game("dark-horse-west"), (variant,), {"data": OWN})
    except ReplacedTwice:
        pytest.fail("a variant and own data exclude each other")
    assert "politics" not in ruleset.slots[slots.SITES.name]
    assert ruleset.slots[slots.COSTS.name]["costs"].town == {"food": 2, "wood": 1}
