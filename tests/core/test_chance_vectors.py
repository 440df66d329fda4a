"""Known answers: every log with dice hangs on these values, so they may never change.

Each is written down, and derived a second time here from the standard library alone, as another program would.
"""

from __future__ import annotations

import hashlib
import hmac

import pytest

from ludolog import Chance
from ludolog.chance import Blinder, commitment_of, contribution_commitment, fork_seed, seed_from, stream_key

SEED = "e230e7ed4f41c0b647df7867bb8178dee3889e9bba6fe0f1932841acd5912306"
PROMISE = "33ec8c9a948527564c1de9188335790791f9250b52bd032db5b9ffb9499d470e"
NAMES = ("ann", "bob", "cy", "dot", "eve", "fay", "gus", "hal")
WORDS = tuple((name, f"{name}'s word") for name in NAMES)
KEY = bytes(range(32))


def framed(*parts: bytes) -> bytes:
    """Each part after its length in four bytes, the highest first."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


# ---------------------------------------------------------------- seeds and commitments


@pytest.mark.parametrize(
    ("given", "kind", "raw", "seed", "commitment"),
    [
        (7, b"int", b"7", SEED, PROMISE),
        (
            "7",
            b"str",
            b"7",
            "773c9425d01e6df4a2d1f4c7f512772ce73e28b39580fb9d1cfa0df857d9c0a3",
            "55ed0c4e4b3ddacaef1a4512debfce535bdfd131b06971215a84edee79e73f6d",
        ),
        (
            b"7",
            b"bytes",
            b"7",
            "7c393a59913eaf4131153c8a53393dfdab11d9cd61ac9235cdbf09ecd0e5f3f0",
            "acf1068cc38fdb99bb59f7c0fcccdf5f057bdfe137c957e46cb45c24fda6ab01",
        ),
        (
            "",
            b"str",
            b"",
            "44bba9375e6fecf17d977828fd0fdfe4bce984d102889717c2ec78699acee427",
            "2fafe3ccee7330f01bdecaaaf20781bb8ae997713aa408b7ca4b79ba7d2d3bbe",
        ),
        (
            bytes(32),
            b"bytes",
            bytes(32),
            "11920a1a35501d3b114e8e79d033e2d7828ccbc37a1dcb23d03d81b078bb006e",
            "a1d615b778f7d6ea5ec931be3450d5375b920658a068a1cc7957bcd0e269184e",
        ),
        (
            -1,
            b"int",
            b"-1",
            "6a13818160a298cee635185e7ee10c486a005b973861ab00ab81968c39fa27a8",
            "1ccf0cea3976992a47f97cb2549437ca55db1b81e2455e28d61f87d3eec905d2",
        ),
        (
            10**30,
            b"int",
            b"1000000000000000000000000000000",
            "aae3aae286d5463c320c862b1d415e97b13c37d3001b0ee03a6ccd740e60abc8",
            "bbadb95b640ac5054aa768793724ffbdad36938cc7b81cbaef93e9fee6cb25af",
        ),
        (
            "é",
            b"str",
            b"\xc3\xa9",
            "19d8ad52f07bbdbd8d7f77d5503c986496188a238b13cc9d19bc1a839afddcf7",
            "59539abb0aa046c024441c31f6a93fe4c5dd5c503351dc700938c66b9a876981",
        ),
    ],
)
def test_seed_and_commitment(given, kind, raw, seed, commitment):
    assert seed_from(given).hex() == seed == hashlib.sha256(framed(b"ludolog/seed", kind, raw)).hexdigest()
    own = hashlib.sha256(framed(b"ludolog/commitment", b"t", bytes.fromhex(seed))).hexdigest()
    assert commitment_of(bytes.fromhex(seed), "t") == commitment == own


@pytest.mark.parametrize(
    ("pair", "commitment"),
    [
        *zip(
            WORDS,
            [
                "8b25a1c096daf891b7b9950000bfe827afa462bad5590b774ccf907593024192",
                "49320447e8e2c357d69defca8e0a6ff14086882370f466cb3020cdf4aaad44d8",
                "e3358232d5f52199c5bbb52ac61a1c9d3a1c3384139990ec855795bf2e9a2e65",
                "a8ba935bad89d680d70c90298349a31705c88266f945d6b72f9e7a086dc46145",
                "47dba6aa583c39e64c853acb717fa498b97a0071138fb545c65e0d09dbae555d",
                "a87cbca481ce76f5c9c998f9b8acc3b0ba37e8b2f99add706fbe0153196bc666",
                "a143b46de4b56fb4e82873d61137c700347272719c7c26e7f76f3b31d1fa9eb0",
                "e853de9435896a0e6b58586b63c46d8b2e5c97956b90f597515618553c732db3",
            ],
            strict=True,
        )
    ],
)
def test_commitment_to_a_contribution(pair, commitment):
    seat, word = pair
    parts = framed(b"ludolog/contribution", PROMISE.encode(), seat.encode(), word.encode())
    assert contribution_commitment(PROMISE, seat, word) == commitment == hashlib.sha256(parts).hexdigest()


@pytest.mark.parametrize(
    ("count", "key"),
    [
        *enumerate(
            [
                "d8c4c9cc3df2cd52fc8e9e59305bfc3b8bc6bbbdd29fb9d9fc1195aee761ad7c",
                "1cdaa00a67a281d55233f016bdbb7240afdd66ee6e28d53b68027c2a180b308c",
                "c31382827c4c2c56bd9e151c88c96450f2beae0fa5b5f7d69b8687d4beef51a0",
                "f26e40d9d6591bb74f1c8e370d1449f2d9c93cfcfdcedf2e6b4d6be0af0211b0",
                "4f5a90187aa3c3a590c6809f10e9f91b022a2c00628a8363bd6c3418b3bf9a58",
                "ad99b87f7ecac8bd8e2a21e18a9b99ff51871bbc98abe0efef0c3814b18e96b1",
                "5b4af599b500c42eeae1b7bf166b2128dc739e177334a1c7e81b7477670d4e47",
                "96c7dad90149f6483fad2c8be32f630dd6bf2e2bba33f2daf7b9871df4548c4e",
                "6d81a61d129eeb8f15f346ab3dc304ac267914c6105335807b7aa90969d0b8e4",
            ]
        )
    ],
)
def test_key_of_the_stream_with_none_to_eight_contributions(count, key):
    seed = bytes.fromhex(SEED)
    parts = [part.encode() for pair in WORDS[:count] for part in pair]
    own = hmac.new(seed, framed(b"ludolog/stream", *parts), hashlib.sha256).hexdigest()
    assert stream_key(seed, WORDS[:count]).hex() == key == own


def test_seed_of_a_fork():
    parts = framed(b"ludolog/fork", bytes(32), b"5", bytes.fromhex(SEED))
    expected = "0c8533e5828785c78205bfd927681192f93119a56097110e2353cf0ac432fc3f"
    assert fork_seed(bytes.fromhex(SEED), bytes(32), 5).hex() == expected == hashlib.sha256(parts).hexdigest()


@pytest.mark.parametrize(
    ("number", "blind"),
    [
        (0, "200f8448fba9dc8334c74ee3588fddd5"),
        (1, "9a86baa9064d867f5f41444626db59bb"),
        (2, "93c8ac5bf098e5cdfb176435ac029569"),
        (9, "62daabd30e9c5b91d83dfea8dac368be"),
        (10, "c1ab13102996b2abd482ae5b0c761d56"),
        (999999, "4366244541c439bce7cb66713fb693a2"),
    ],
)
def test_blinding_bytes(number, blind):
    seed = bytes.fromhex(SEED)
    own = hashlib.blake2b(f"t/{number}".encode(), key=seed, digest_size=16, person=b"ludolog/blind").hexdigest()
    assert Blinder(seed, "t").blind(number).hex() == blind == own


# ---------------------------------------------------------------- what is drawn


def words(place: int, count: int) -> list[int]:
    """The first words of a stream, as RFC 2104 and counters of eight bytes give them."""
    blocks = [
        hmac.new(KEY, place.to_bytes(8, "big") + block.to_bytes(8, "big"), hashlib.sha256).digest()
        for block in range(-(-count // 4))
    ]
    stream = b"".join(blocks)
    return [int.from_bytes(stream[at : at + 8], "big") for at in range(0, 8 * count, 8)]


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (0, "ff921230177d146e e8401eb821731284 10002ba6f997e8e8 37e804407c8cdd38 1d302fae600b17c0"),
        (1, "cdbe1dc9c6753162 c1e459a77fa59aa2 5b77b52c792ff3b6 640ccd9cadd5278e 15bc884473b30e0e"),
        (2**40, "bd8f90028b60006f 3eed3d2e9395c1dc 9ef4ac29fdee9a28 c1cac93551ed60be afc86e09f2447240"),
    ],
)
def test_words(place, expected):
    chance = Chance(KEY, place)
    assert " ".join(f"{chance.below(1 << 64):016x}" for _ in range(5)) == expected
    assert " ".join(f"{word:016x}" for word in words(place, 5)) == expected


def test_rejection():
    """Of three quarters of all words; the three words of fifteen that lie in the last quarter are passed over."""
    bound = 3 << 62
    chance = Chance(KEY, 5)
    drawn = [chance.below(bound) for _ in range(12)]
    assert " ".join(f"{number:016x}" for number in drawn) == (
        "8d5b917a4df51474 02f5523554319cda 5fadb376ae5f97b5 9b4d1c50073a15f5 b9b95e9650cd121a 29f8b54fc75e58c4 "
        "b4fc2b464eef24f7 097af1a5b8612150 250065ce36ab4a59 b03e9fe6bbc401ff 25c3b184414f36b5 3ba25f8e2ad4a942"
    )
    assert chance.drawn == 15
    assert drawn == [word for word in words(5, 15) if word < bound]


def test_rejection_of_two_words():
    """Nearly every second pair is passed over."""
    bound = (1 << 127) + 1
    chance = Chance(KEY, 6)
    drawn = [chance.below(bound) for _ in range(3)]
    pairs = iter(words(6, chance.drawn))
    numbers = [high << 64 | low for high, low in zip(pairs, pairs, strict=True)]
    assert drawn == [number for number in numbers if number < bound]
    assert (
        " ".join(f"{number:032x}" for number in drawn)
        == "1d4522ee6d8a41d1f96cfcdf8dc43e8b 2501a678035f77e9b86da50fb6971c64 4dd3712315d0982756a5e703abbc951c"
    )
    assert chance.drawn == 14


def test_shuffle():
    """From the last place to the second, each changes places with one of those up to itself."""
    deck, numbers = list(range(52)), iter(words(7, 51))
    for last in range(51, 0, -1):
        at = next(numbers) % (last + 1)  # no word of these is so high that it is passed over
        deck[last], deck[at] = deck[at], deck[last]
    assert Chance(KEY, 7).shuffle(range(52)) == tuple(deck)
    assert bytes(deck).hex() == (
        "2f020c3301000f130712110d251f0b1a1424300328182d20191c2710061b09230e0a322a2b311716051e262c2221152e0429081d"
    )


def test_draws_weights_choices_and_dice():
    chance = Chance(KEY, 8, recorded=True)
    assert chance.draw(range(52), 5) == (2, 14, 40, 8, 19)
    assert chance.weighted({"a": 1, "b": 2, "c": 3}) == "b"
    assert chance.choose("abcdefg") == "a"
    assert chance.dice(6, 20) == (1, 12, 7, 18, 17, 4)
    assert chance.draws == "52:2 51:13 50:38 49:5 48:15 6:1 7:0 20:0 20:11 20:6 20:17 20:16 20:3"
    bounds = [int(draw.partition(":")[0]) for draw in chance.draws.split()]
    assert bounds == [52, 51, 50, 49, 48, 6, 7, *[20] * 6]
    own = [f"{bound}:{word % bound}" for bound, word in zip(bounds, words(8, len(bounds)), strict=True)]
    assert " ".join(own) == chance.draws
