"""Golden Spike: whoever joins an opponent's rails wins that opponent's spike, and gives up the own one.

Source: clauses RR-017 and RR-185 to RR-187 of ``rebels_and_rogues.toml``, completed by RR-R32.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from ludolog import Event, Now, Options, Position, Rules, ScoreLine, Seat, State, Variant, hookimpl
from ludolog_plugins.dark_horse_west.events import LinkBuilt
from ludolog_plugins.dark_horse_west.slots import CONSERVED, MEASURES, PANEL_LINES, SCORE_LINES
from ludolog_plugins.dark_horse_west.state import Board
from ludolog_plugins.dark_horse_west.wording import joined

__all__ = ["SpikeDiscarded", "SpikeOptions", "SpikeTaken", "Spikes", "ludolog_variant"]

POINTS = 2
"""What another player's spike scores (RR-187)."""


class SpikeOptions(Options, frozen=True):
    """What a table may settle in its own way (RR-R32)."""

    spike_discard: Literal["always", "when-received"] = "always"


rules = Rules("dark-horse-west/golden-spike", version=1, options=SpikeOptions)

# ------------------------------------------------------------ state and events


@rules.state
class Spikes(State, frozen=True):
    """Where the spikes are that don't lie before their owner any more: won ones by (holder, owner), and those gone."""

    won: tuple[tuple[Seat, Seat], ...] = ()
    gone: tuple[Seat, ...] = ()


class SpikeTaken(Event, frozen=True, tag="dark-horse-west/golden-spike/spike-taken"):
    """A seat received the spike of another."""

    seat: Seat
    of: Seat


class SpikeDiscarded(Event, frozen=True, tag="dark-horse-west/golden-spike/spike-discarded"):
    """A seat's own spike left the game."""

    seat: Seat


@rules.reducer(cites="RR-185")
def spike_taken(spikes: Spikes, event: SpikeTaken) -> Spikes:
    """The spike lies before whoever joined the rails (RR-185)."""
    return replace(spikes, won=(*spikes.won, (event.seat, event.of)))


@rules.reducer(cites="RR-186")
def spike_discarded(spikes: Spikes, event: SpikeDiscarded) -> Spikes:
    """The own spike is out of the game (RR-186)."""
    return replace(spikes, gone=(*spikes.gone, event.seat))


# ------------------------------------------------------------ joining rails


def holds_own(position: Position | Now, seat: Seat) -> bool:
    """Whether a seat still has its own spike: everybody begins with one (RR-017)."""
    spikes = position[Spikes]
    return seat not in spikes.gone and all(owner != seat for _, owner in spikes.won)


def won_by(position: Position, seat: Seat) -> int:
    """How many spikes of others a seat holds."""
    return sum(holder == seat for holder, _ in position[Spikes].won)


@rules.reaction(cites=("RR-185", "RR-186", "RR-R32"))
def rails_joined(now: Now, event: LinkBuilt) -> Iterator[Event]:
    """A new link that shares a hex with an opponent's wins that opponent's spike and costs the own (RR-R32)."""
    ends = {event.a, event.b}
    met = {link.seat for link in now[Board].links if link.seat != event.seat and ends & {link.a, link.b}}
    receives = [other for other in now.seats if other in met and holds_own(now, other)]
    for other in receives:
        yield SpikeTaken(seat=event.seat, of=other)
    counts = met if now.options(SpikeOptions).spike_discard == "always" else receives
    if counts and holds_own(now, event.seat):
        yield SpikeDiscarded(seat=event.seat)


# ------------------------------------------------------------ score, picture, proof


def spike_line(position: Position, seat: Seat) -> tuple[ScoreLine, ...]:
    """Each spike that isn't the own one scores 2 points (RR-187)."""
    n = won_by(position, seat)
    return (ScoreLine(label=f"{n} Golden Spikes of others", points=POINTS * n, clause="RR-187"),)


def spikes_held(position: Position, seat: Seat) -> str:
    """The spikes before a seat."""
    held = [seat] if holds_own(position, seat) else []
    held.extend(owner for holder, owner in position[Spikes].won if holder == seat)
    return f"holds the Golden Spike{'' if len(held) == 1 else 's'} of {joined(held)}" if held else ""


def each_once(position: Position) -> str:
    """Every spike is before its owner, before another seat, or gone (RR-017)."""
    spikes = position[Spikes]
    away = sorted((*spikes.gone, *(owner for _, owner in spikes.won)))
    wrong = len(set(away)) < len(away) or any(holder == owner for holder, owner in spikes.won)
    return f"The spikes of {away} are doubled." if wrong else ""


rules.add(SCORE_LINES, "spikes", spike_line, cites="RR-187")
rules.add(MEASURES, "spikes", won_by, cites="RR-187")
rules.add(PANEL_LINES, "spikes", spikes_held, cites="RR-017")
rules.add(CONSERVED, "spikes", each_once, cites="RR-017")


@rules.sentence
def _taken(_position: Position, event: SpikeTaken) -> str:
    return f"{event.seat} joins the rails of {event.of} and receives the Golden Spike."


@rules.sentence
def _discarded(_position: Position, event: SpikeDiscarded) -> str:
    return f"The Golden Spike of {event.seat} leaves the game."


def load() -> Rules:
    """The rules."""
    return rules


@hookimpl
def ludolog_variant() -> Variant:
    """Manifest."""
    return Variant(
        id="dark-horse-west/golden-spike",
        title="Golden Spike",
        summary="Joining an opponent's rails wins that player's spike, worth 2 points.",
        rules=load,
        clauses=("ludolog_plugins.dark_horse_west:rebels_and_rogues.toml",),
    )
