"""The catalogue: found by entry point, imported when asked for, and one bad plugin never takes the others down."""

import itertools
from types import ModuleType, SimpleNamespace

import pytest

import ludolog
from ludolog import Catalogue, Game, Rules, hookimpl
from ludolog.bots import BotPlugin
from ludolog.errors import (
    BadOptions,
    DuplicatePlugin,
    MisspeltHook,
    PluginFailed,
    UnknownBot,
    UnknownGame,
    UnknownVariant,
)
from ludolog.store import StorePlugin
from toys.made import Point, catalogue_of, game_of, new_rules, point_of, variant_of

TOY = game_of(new_rules())
CHESS = game_of(new_rules("chess"))
BOLD = variant_of(Rules("toy/bold"))
SHY = variant_of(Rules("toy/shy"), conflicts=("bold",))


def module(**members) -> ModuleType:
    made = ModuleType("made")
    vars(made).update(members)
    return made


def loading(name: str, found: object, value: str = "somewhere") -> Point:
    return Point(name, value, lambda: found)


def raising(name: str, error: BaseException) -> Point:
    def load() -> object:
        raise error

    return Point(name, f"broken.{name}", load)


def with_hook(name: str, hook: str, gives: object) -> Point:
    return loading(name, module(**{hook: hookimpl(lambda: gives)}), f"made.{name}")


def test_games_and_variants_are_listed_by_id_whatever_the_order_of_discovery():
    """S30."""
    for points in itertools.permutations(map(point_of, (TOY, BOLD, CHESS, SHY))):
        found = Catalogue(points)
        assert list(found) == ["chess", "toy", "toy/bold", "toy/shy"]
        assert [game.id for game in found.games] == ["chess", "toy"]
        assert [variant.id for variant in found.variants("toy")] == ["toy/bold", "toy/shy"]
        assert found.variants("chess") == ()
        assert len(found) == 4
        assert found.problems == ()


def test_nothing_is_imported_that_was_not_asked_for():
    imported = []

    def counted(point: Point) -> Point:
        return Point(point.name, point.value, lambda: imported.append(point.name) or point.load())

    found = Catalogue([counted(point_of(TOY)), counted(point_of(BOLD)), counted(point_of(CHESS))])
    assert list(found) == ["chess", "toy", "toy/bold"]
    assert found.ids("ludolog_variant") == ("toy/bold",)
    assert "toy" in found
    assert imported == []
    found.ruleset("toy")
    assert imported == ["toy"]
    found.ruleset("toy", ("bold",))
    assert imported == ["toy", "toy/bold"]
    assert found["toy"] is found.game("toy") is TOY
    assert imported == ["toy", "toy/bold"]


def test_rules_are_loaded_when_a_ruleset_is_compiled():
    loaded = []
    game = Game(id="toy", title="", summary="", seats=(2,), rules=lambda: loaded.append(1) or new_rules())
    found = catalogue_of(game)
    assert found.games == (game,)
    assert loaded == []
    found.ruleset("toy")
    assert loaded == [1]


@pytest.mark.parametrize(
    "error", [ImportError("no module x"), SyntaxError("bad"), ZeroDivisionError("1 // 0"), SystemExit(3), KeyError("k")]
)
def test_a_plugin_that_can_not_be_imported_is_reported_and_the_others_work(error):
    found = Catalogue([point_of(TOY), raising("apple", error), raising("toy/bold", error), point_of(SHY)])
    assert list(found) == ["apple", "toy", "toy/bold", "toy/shy"]
    for _ in range(2):
        assert [problem.id for problem in found.problems] == ["apple", "toy/bold"]
        assert found.games == (TOY,)
        assert found.variants("toy") == (SHY,)
        assert found.ruleset("toy", ("shy",)).id == "toy+shy"
    with pytest.raises(PluginFailed, match=rf"'apple' \(broken.apple\) can't be imported: {type(error).__name__}"):
        found.game("apple")
    with pytest.raises(PluginFailed, match="'toy/bold'"):
        found.ruleset("toy", ("bold",))


def test_a_hook_that_raises():
    """S29."""

    @hookimpl
    def ludolog_game() -> Game:
        raise RuntimeError("oh")  # noqa: EM101

    found = Catalogue([loading("apple", module(ludolog_game=ludolog_game)), point_of(TOY)])
    for _ in range(2):
        (problem,) = found.problems
        assert str(problem.error) == "Plugin 'apple' raised RuntimeError in its hook ludolog_game: oh."
        assert found.games == (TOY,)


@pytest.mark.parametrize(
    ("name", "hook", "gives", "told"),
    [
        ("apple", "ludolog_game", TOY, "gives the manifest of 'toy'"),
        ("apple", "ludolog_game", None, "must give a Game"),
        ("apple", "ludolog_game", {"id": "apple"}, "must give a Game"),
        ("toy/bold", "ludolog_variant", TOY, "must give a Variant"),
        ("bots/bold", "ludolog_bot", SimpleNamespace(id="bots/bold"), "must give a BotPlugin"),
        ("stores/bold", "ludolog_store", 7, "must give a StorePlugin"),
        ("toy/bold", "ludolog_variant", variant_of(Rules("toy/bold"), conflicts="shy"), "'shy' for conflicts"),
        ("toy/bold", "ludolog_variant", variant_of(Rules("toy/bold"), seats=("2",)), "('2',) for seats"),
        ("toy/bold", "ludolog_variant", variant_of(Rules("toy/bold"), requires=["shy"]), "['shy'] for requires"),
    ],
)
def test_a_hook_that_gives_something_else(name, hook, gives, told):
    found = Catalogue([with_hook(name, hook, gives), point_of(CHESS)])
    for _ in range(2):
        (problem,) = found.problems
        assert problem.id == name
        assert told in str(problem.error)
    assert found.games == (CHESS,)


def test_two_plugins_of_one_name():
    """S29."""
    found = Catalogue([loading("toy", module(), "here.toy"), loading("toy", module(), "there.toy"), point_of(CHESS)])
    with pytest.raises(DuplicatePlugin, match=r"'toy': here.toy and there.toy. Uninstall one"):
        found.game("toy")
    assert found.games == (CHESS,)
    assert [problem.id for problem in found.problems] == ["toy"]


def test_one_plugin_that_is_listed_twice_is_one():
    """An editable install beside an old one lists the same module again."""
    found = Catalogue([point_of(TOY), point_of(TOY)])
    assert found.games == (TOY,)


def test_two_names_for_one_module():
    shared = module(ludolog_game=hookimpl(lambda: TOY))
    found = Catalogue([loading("toy", shared), loading("toy2", shared)])
    assert found.game("toy") is TOY
    with pytest.raises(DuplicatePlugin, match="'toy' and 'toy2' are one module"):
        found.game("toy2")


def marked(function):
    return hookimpl(function)


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ({"ludolog_gmae": marked(lambda: TOY)}, "'ludolog_gmae', which is no hook; did you mean 'ludolog_game'?"),
        ({"game": marked(lambda: TOY)}, "'game', which is no hook"),
        ({"ludolog_game": marked(lambda config: TOY)}, "takes config, which it is not given"),
        ({"ludolog_game": marked(lambda ctx, app: TOY)}, "takes app, ctx, which it is not given"),
        ({"ludolog_game": lambda: TOY}, "lacks the decorator @hookimpl"),
        ({"ludolog_variant": marked(lambda: BOLD)}, "doesn't implement ludolog_game"),
        ({}, "doesn't implement ludolog_game, which its id asks for"),
        ({"ludolog_game": marked(lambda: TOY), "ludolog_gam": marked(lambda: TOY)}, "'ludolog_gam'"),
    ],
)
def test_hooks_that_pluggy_would_ignore_are_refused_by_name(members, told):
    """S29: a typo in a hook or in its arguments is an error, not a plugin that does nothing."""
    found = Catalogue([loading("toy", module(**members)), point_of(CHESS)])
    with pytest.raises(MisspeltHook) as error:
        found.game("toy")
    assert told in str(error.value)
    assert "'toy'" in str(error.value)
    assert found.games == (CHESS,)


def test_what_is_no_module_at_all():
    found = Catalogue([loading("toy", 7)])
    with pytest.raises(MisspeltHook, match="doesn't implement ludolog_game"):
        found.game("toy")


def test_what_is_not_installed_is_named_with_what_is():
    found = catalogue_of(TOY, BOLD, CHESS)
    with pytest.raises(UnknownGame, match="'go'; the games here are chess, toy"):
        found.ruleset("go")
    with pytest.raises(UnknownGame, match="games here are none"):
        Catalogue([]).ruleset("go")
    with pytest.raises(UnknownVariant, match="'toy' has no variant 'shy'; its variants here are bold"):
        found.ruleset("toy", ("shy",))
    with pytest.raises(UnknownVariant, match="'chess' has no variant 'toy/bold'; its variants here are none"):
        found.ruleset("chess", ("toy/bold",))
    with pytest.raises(UnknownBot, match="'deep'; the bots here are none"):
        found.bot("deep")
    with pytest.raises(KeyError):
        found["toy/shy"]
    for game in (None, 7, "", "toy/bold"):
        with pytest.raises(UnknownGame):
            found.ruleset(game)
    with pytest.raises(UnknownVariant):
        found.ruleset("toy", (7,))
    for options in ("track", 7, [("a", 1)]):
        with pytest.raises(BadOptions, match="Options are names and values"):
            found.ruleset("toy", (), options)


def test_variants_by_short_and_full_id_are_one_ruleset():
    found = catalogue_of(TOY, BOLD, SHY)
    rulesets = [found.ruleset("toy", variants) for variants in (("bold",), ("toy/bold",), "bold", ["bold"])]
    assert len(set(map(id, rulesets))) == 1
    assert found.ruleset("toy") is not rulesets[0]
    assert found.ruleset("toy").id == "toy"


def test_stores_and_bots_are_found_by_the_form_of_their_id():
    store = StorePlugin("tape", ("tape",), lambda spec, create=True: None)
    bot = BotPlugin(id="bots/deep", title="", summary="", make=lambda: None)
    found = Catalogue(
        [with_hook("bots/deep", "ludolog_bot", bot), with_hook("stores/tape", "ludolog_store", store), point_of(TOY)]
    )
    assert found.bot("deep") is bot
    assert found.load("stores/tape") is store
    assert list(found) == ["toy"]
    assert found.problems == ()


def test_the_installed_plugins_have_no_problems():
    """Every line of the entry points leads to a plugin."""
    assert ludolog.catalogue().problems == ()
    assert ludolog.catalogue() is ludolog.catalogue()
