"""``simulate``: many games between bots, and what came out."""

from __future__ import annotations

import multiprocessing
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Annotated, Any

import msgspec
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ludolog import Seat, catalogue
from ludolog_plugins.bots.match import play_match
from ludolog_plugins.cli.arguments import AsJson
from ludolog_plugins.cli.console import grid, headline, print_json, say
from ludolog_plugins.cli.play import NAMES, bots_for
from ludolog_plugins.cli.tables import GivenOptions, GivenVariants, split_options

__all__ = ["Recipe", "Result", "play_some", "simulate", "summary"]

_BAR = 40


class Recipe(msgspec.Struct, frozen=True, kw_only=True):
    """What to play, in a form that other processes can be told."""

    game: str
    variants: tuple[str, ...]
    options: dict[str, str]
    seats: tuple[Seat, ...]
    bots: str
    seed: str
    longest: int


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """One game: its end, commands, points and winners by seat; ``reason`` is empty if it was broken off."""

    reason: str
    moves: int
    points: tuple[int, ...]
    winners: tuple[Seat, ...]


def play_some(recipe: Recipe, start: int, stop: int) -> list[Result]:
    """Play the games numbered from ``start`` to ``stop``; each by its own seed, whoever plays it."""
    ruleset = catalogue().ruleset(recipe.game, recipe.variants, recipe.options)
    bots = bots_for(recipe.bots, recipe.seats)
    found: list[Result] = []
    for number in range(start, stop):
        match = play_match(ruleset, recipe.seats, bots, f"{recipe.seed}/{number}", longest=recipe.longest)
        outcome = match.outcome
        if outcome is None:
            found.append(Result(reason="", moves=match.moves, points=(0,) * len(recipe.seats), winners=()))
            continue
        points = tuple(outcome.score(seat) for seat in recipe.seats)
        found.append(Result(reason=outcome.reason, moves=match.moves, points=points, winners=outcome.winners))
    return found


def simulate(  # noqa: PLR0913, PLR0917 - an option each
    game: Annotated[str, typer.Argument(metavar="GAME", show_default=False)],
    seats: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SEAT]...", help="Names, clockwise; by default as few as it takes.", show_default=False
        ),
    ] = None,
    games: Annotated[int, typer.Option("-n", "--games", min=1, metavar="N", help="How many games.")] = 1000,
    bots: Annotated[
        str, typer.Option(metavar="BOT,...", help="Who plays the seats, in turn: name[:option=value]...")
    ] = "random",
    variant: GivenVariants = None,
    option: GivenOptions = None,
    seed: Annotated[str, typer.Option(metavar="TEXT", help="The same seed gives the same games.")] = "0",
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=64, help="Processes at work.")] = 1,
    longest: Annotated[int, typer.Option(min=1, help="Commands after which a game is broken off.")] = 10_000,
    *,
    as_json: AsJson = False,
) -> None:
    """Let bots play many games in memory, and show results, lengths and reasons."""
    manifest = catalogue().game(game)
    options = {**{name: str(value) for name, value in manifest.bot_options.items()}, **split_options(option)}
    ruleset = catalogue().ruleset(game, variant or (), options)
    names = tuple(seats or NAMES[: next((count for count in ruleset.seat_counts if count > 1), 1)])
    ruleset.check_seats(names)
    bots_for(bots, names)
    recipe = Recipe(
        game=game,
        variants=tuple(variant or ()),
        options=options,
        seats=names,
        bots=bots,
        seed=seed,
        longest=longest,
    )
    results = list(_with_progress(recipe, games, jobs))
    told = summary(recipe, results)
    if as_json:
        print_json(told)
    else:
        _print(recipe, told, results)


def _with_progress(recipe: Recipe, games: int, jobs: int) -> Iterator[Result]:
    from rich.console import Console  # noqa: PLC0415 - the bar goes where errors go, so that output can be piped

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task(recipe.game, total=games)
        for some in _batches(recipe, games, jobs):
            bar.advance(task, len(some))
            yield from some


def _batches(recipe: Recipe, games: int, jobs: int) -> Iterator[list[Result]]:
    size = max(1, min(50, games // (jobs * 8) or 1)) if jobs > 1 else 1
    spans = [(start, min(start + size, games)) for start in range(0, games, size)]
    if jobs == 1:
        for start, stop in spans:
            yield play_some(recipe, start, stop)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        waiting = [pool.submit(play_some, recipe, start, stop) for start, stop in spans]
        try:
            for done in as_completed(waiting):
                yield done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def summary(recipe: Recipe, results: Sequence[Result]) -> dict[str, Any]:
    """Results in numbers; the same whatever the order of the games."""
    ended = [result for result in results if result.reason]
    moves = sorted(result.moves for result in results)
    return {
        "game": recipe.game,
        "variants": recipe.variants,
        "options": recipe.options,
        "bots": recipe.bots,
        "seed": recipe.seed,
        "games": len(results),
        "unfinished": len(results) - len(ended),
        "reasons": dict(sorted(Counter(result.reason for result in ended).items())),
        "drawn": sum(not result.winners for result in ended),
        "shared": sum(len(result.winners) > 1 for result in ended),
        "moves": {
            "least": moves[0],
            "median": statistics.median_low(moves),
            "mean": round(statistics.fmean(moves), 2),
            "most": moves[-1],
        },
        "seats": [_seat(recipe, place, ended) for place in range(len(recipe.seats))],
    }


def _seat(recipe: Recipe, place: int, ended: Sequence[Result]) -> dict[str, Any]:
    seat = recipe.seats[place]
    names = recipe.bots.split(",")
    points = sorted(result.points[place] for result in ended) or [0]
    return {
        "seat": seat,
        "bot": names[place % len(names)].strip(),
        "won": sum(result.winners == (seat,) for result in ended),
        "shared": sum(seat in result.winners and len(result.winners) > 1 for result in ended),
        "points": {
            "least": points[0],
            "mean": round(statistics.fmean(points), 2),
            "deviation": round(statistics.pstdev(points), 2),
            "most": points[-1],
        },
    }


def _print(recipe: Recipe, told: Mapping[str, Any], results: Sequence[Result]) -> None:
    headline(f"{told['games']} games of {' + '.join((recipe.game, *recipe.variants))}")
    played = told["games"]
    rows = [
        (
            row["seat"],
            row["bot"],
            str(row["won"]),
            f"{100 * row['won'] / played:.1f}",
            str(row["shared"]),
            f"{row['points']['mean']:.2f}",
            f"{row['points']['deviation']:.2f}",
            f"{row['points']['least']} to {row['points']['most']}",
        )
        for row in told["seats"]
    ]
    columns = ["seat", "bot", "won", "%", "shared", "points", "deviation", "range"]
    grid(columns, rows, right=columns[2:])
    say(f"\nDrawn: {told['drawn']}. Shared: {told['shared']}. Broken off: {told['unfinished']}.")
    say("Ends: " + (", ".join(f"{reason} {count}" for reason, count in told["reasons"].items()) or "none") + ".")
    moves = told["moves"]
    say(f"\nCommands a game: {moves['least']} to {moves['most']}, median {moves['median']}, mean {moves['mean']}.")
    for line in histogram([result.moves for result in results]):
        say(line)


def histogram(values: Sequence[int], bins: int = 12) -> list[str]:
    """Bars of text: how many of ``values`` lie in each of at most ``bins`` equal spans."""
    least, most = min(values), max(values)
    width = max(1, -(-(most - least + 1) // bins))
    counts = Counter((value - least) // width for value in values)
    highest = max(counts.values())
    lines: list[str] = []
    for span in range((most - least) // width + 1):
        first = least + span * width
        label = f"{first}" if width == 1 else f"{first}-{first + width - 1}"
        bar = "█" * round(_BAR * counts[span] / highest)
        lines.append(f"{label:>13}  {bar} {counts[span]}")
    return lines
