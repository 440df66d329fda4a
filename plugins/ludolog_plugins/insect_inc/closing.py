"""What closing the window leads to: its claims are judged as one batch, and insects are revealed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from ludolog import Event, Now, Position, Seat, refuse
from ludolog_plugins.insect_inc.commands import CloseWindow
from ludolog_plugins.insect_inc.events import (
    Cause,
    ClaimFailed,
    ForestTurned,
    HiddenShown,
    InsectRemoved,
    InsectRevealed,
    InsectTaken,
    SkipEnded,
    StartPlayerSet,
    WindowClosed,
)
from ludolog_plugins.insect_inc.judging import Verdict, judge, stuck, touched
from ludolog_plugins.insect_inc.state import (
    ENDS,
    Forest,
    Insects,
    Players,
    Taken,
    Window,
    rules,
)
from ludolog_plugins.insect_inc.window import (
    UNTIMED,
    all_declared,
    deadline,
    due,
    moment_of,
    next_since,
    window_length,
)

__all__ = ["close", "reveals"]


# ---------------------------------------------------------------- closing the window


@rules.decider(by_host=True, cites=("II-36", "II-42", "II-R3", "II-R15", "II-R26"))
def close_window(now: Now, _command: CloseWindow) -> Iterator[Event]:
    """The host closes the window, or the table once it has passed (II-R15, II-R26)."""
    position = now.position
    window = now[Window]
    if not window.hands and not (window.declared and all_declared(position)):
        refuse("nothing-to-close", "The window holds no claim, and not everyone has declared.", "II-R15")
    if window_length(position) != UNTIMED and due(position, now.at) is None:
        sentence = "The window is still open: its time has not passed, and somebody has not claimed yet."
        refuse("window-still-open", sentence, "II-R26", until=deadline(position))
    yield from close(now)


def close(now: Now) -> Iterator[Event]:
    """The claims are judged on the faces before, as one batch; without a claim, all have declared (II-R3, II-39)."""
    position = now.position
    window = now[Window]
    verdicts = [judge(position, hand) for seat in now.seats if (hand := window.hand_of(seat)) is not None]
    since = next_since(position)
    yield WindowClosed(hands=window.hands, moment=max(window.latest, moment_of(now)))
    if not verdicts:
        yield from reveals(now, "declared", since)
        return
    yield from _judged(now, verdicts)
    yield from reveals(now, "batch", since)


@rules.reducer(cites=("II-R15", "II-R29"))
def window_closed(window: Window, event: WindowClosed) -> Window:
    """The hands leave the window (II-R15) and are known to all (II-R29)."""
    return replace(
        window,
        hands=(),
        judged=event.hands,
        repeatable=(*window.repeatable, *event.hands),
        latest=max(window.latest, event.moment),
    )


def _judged(now: Now, verdicts: Sequence[Verdict]) -> Iterator[Event]:
    """What follows from a batch of claims, whatever the order in which they arrived (II-R3 to II-R8, II-R16)."""
    if now[Players].skipping:
        yield SkipEnded(seats=now[Players].skipping)
    takers: list[Seat] = []
    for kind in dict.fromkeys(verdict.kind for verdict in verdicts if not verdict.failure):
        seats = tuple(verdict.hand.seat for verdict in verdicts if not verdict.failure and verdict.kind == kind)
        if seats[1:]:
            yield InsectRemoved(kind=kind, seats=seats)
        else:
            takers.extend(seats)
            yield from (InsectTaken(seat=seat, kind=kind) for seat in seats)
    yield from (ClaimFailed(seat=verdict.hand.seat, failure=verdict.failure) for verdict in verdicts if verdict.failure)
    if len(now[Players].skipping) == len(now.seats):
        yield SkipEnded(seats=now.seats)
    down = now[Forest].down
    turned = sorted({card for verdict in verdicts for card in touched(verdict.hand) if not down[card]})
    if turned:
        yield ForestTurned(cards=tuple(turned))
    if takers:
        order = (now[Players].start, *now.rest(now[Players].start))
        yield StartPlayerSet(seat=next(seat for seat in order if seat in takers))


@rules.reducer(cites=("II-22",))
def insect_kept(players: Players, event: InsectTaken) -> Players:
    """The successful player takes the insect card (II-22)."""
    return replace(players, taken=(*players.taken, Taken(seat=event.seat, kind=event.kind)))


@rules.reducer(cites=("II-22",))
def insect_taken(insects: Insects, event: InsectTaken) -> Insects:
    """A taken insect is no longer open (II-22)."""
    return replace(insects, open=tuple(kind for kind in insects.open if kind != event.kind))


@rules.reducer(cites=("II-43", "II-R4"))
def insect_removed(insects: Insects, event: InsectRemoved) -> Insects:
    """An insect with which several succeeded at once leaves the game (II-43)."""
    return replace(
        insects,
        open=tuple(kind for kind in insects.open if kind != event.kind),
        removed=(*insects.removed, event.kind),
    )


@rules.reducer(cites=("II-25", "II-R8"))
def claim_failed(players: Players, event: ClaimFailed) -> Players:
    """A player whose claim failed is out for a while (II-25)."""
    return replace(players, skipping=(*players.skipping, event.seat))


@rules.reducer(cites=("II-26", "II-R8"))
def skip_ended(players: Players, event: SkipEnded) -> Players:
    """A later claim of another player ends the skip (II-26)."""
    return replace(players, skipping=tuple(seat for seat in players.skipping if seat not in event.seats))


@rules.reducer(cites=("II-31", "II-32", "II-33", "II-R7", "II-R22"))
def forest_turned(forest: Forest, event: ForestTurned) -> Forest:
    """Touched cards are down for good (II-31 to II-33)."""
    down = list(forest.down)
    for card in event.cards:
        down[card] = True
    return replace(forest, down=tuple(down))


# ---------------------------------------------------------------- reveals


@rules.reducer(cites=("II-37", "II-38"))
def insect_revealed(insects: Insects, event: InsectRevealed) -> Insects:
    """A revealed insect joins the open ones (II-38)."""
    return replace(insects, pile=insects.pile[1:], open=(*insects.open, event.kind), revealed=insects.revealed + 1)


@rules.reducer(cites=("II-R9", "II-R15"))
def window_opened(window: Window, event: InsectRevealed) -> Window:
    """A reveal opens a window (II-R15), cancels all declarations (II-R9), and makes earlier moments too late."""
    return replace(
        window,
        declared=(),
        since=event.since,
        latest=max(window.latest, event.since),
        repeatable=tuple(hand for hand in window.repeatable if hand.moment >= event.since > 0),
    )


def reveals(now: Now, cause: Cause, since: int) -> Iterator[Event]:
    """Reveal an insect, and more while only different faces could complete one (II-37, II-R17, II-R19)."""
    due = True
    while due:
        if (reason := _ended(now.position, due=True)) is not None:
            break
        # Where the top card isn't known, the undo barrier stops here: who is told of it learns something.
        yield InsectRevealed(kind=now[Insects].pile[0], cause=cause, since=since)  # type: ignore[arg-type]
        due, cause = stuck(now.position), "faces"
    else:
        reason = _ended(now.position, due=False)
    if reason is not None:
        insects = now[Insects]
        yield HiddenShown(pile=insects.pile, unused=insects.unused)  # type: ignore[arg-type]
        yield now.end(reason)


def _ended(position: Position, *, due: bool) -> str | None:
    """Name of the end condition that holds (II-45); ``None`` if the game goes on."""
    return next((str(name) for name, end in position.slot(ENDS).items() if end.holds(position, due)), None)


@rules.reducer(cites="II-R21")
def hidden_shown(insects: Insects, event: HiddenShown) -> Insects:
    """Once the game is over nothing is hidden any more (II-R21)."""
    return replace(insects, pile=event.pile, unused=event.unused)
