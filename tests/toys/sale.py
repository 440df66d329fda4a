"""A sale: whoever bid most when a second has passed since the last bid gets it; whoever bids enough gets it at once.

For what falls due as time passes, or by a command.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ludolog import Command, Event, Game, Now, Outcome, Position, Refusal, Rules, Ruleset, Seat, State, refuse

rules: Final = Rules("sale")

PATIENCE: Final = 1_000_000
LOTS: Final = 2
ENOUGH: Final = 100
"""Nobody bids more than that, so there is nothing to wait for."""


@rules.state
class Sale(State, frozen=True):
    """The highest bid of the present lot, by whom and when; who bought the lots before."""

    bidder: Seat = ""
    bid: int = 0
    moment: int = 0
    buyers: tuple[Seat, ...] = ()


class BidMade(Event, frozen=True, tag="sale/bid-made"):
    seat: Seat
    bid: int
    moment: int


class LotSold(Event, frozen=True, tag="sale/lot-sold"):
    buyer: Seat


class Bid(Command, frozen=True, tag="sale/bid"):
    bid: int


class Shout(Command, frozen=True, tag="sale/shout"):
    """Allowed at any time, to those who don't act too."""


class Sell(Command, frozen=True, tag="sale/sell"):
    """The hammer falls."""


@rules.reducer
def bid_made(sale: Sale, event: BidMade) -> Sale:
    return Sale(bidder=event.seat, bid=event.bid, moment=event.moment, buyers=sale.buyers)


@rules.reducer
def lot_sold(sale: Sale, event: LotSold) -> Sale:
    return Sale(buyers=(*sale.buyers, event.buyer))


@rules.to_act
def to_act(position: Position) -> tuple[Seat, ...]:
    return tuple(seat for seat in position.seats if seat != position[Sale].bidder)


@rules.waiting
def waiting(_position: Position, _seat: Seat, command: Command) -> Refusal | None:
    return None if isinstance(command, Shout) else Refusal(code="leading", sentence="Your bid leads.")


@rules.due
def due(position: Position, at: int) -> Command | None:
    sale = position[Sale]
    return Sell() if sale.bid >= ENOUGH or (sale.bid and at > sale.moment + PATIENCE) else None


@rules.decider
def bid(now: Now, command: Bid) -> Iterator[Event]:
    if command.bid <= now[Sale].bid:
        refuse("too-low", "A bid must be higher.", bid=now[Sale].bid)
    yield BidMade(seat=now.seat, bid=command.bid, moment=now.at)


@rules.decider
def shout(now: Now, _command: Shout) -> Iterator[Event]:
    sale = now[Sale]
    yield BidMade(seat=sale.bidder, bid=sale.bid + 1, moment=now.at)


@rules.decider(by_host=True)
def sell(now: Now, _command: Sell) -> Iterator[Event]:
    if not now[Sale].bid:
        refuse("no-bid", "Nobody has bid.")
    yield LotSold(buyer=now[Sale].bidder)
    if len(now[Sale].buyers) == LOTS:
        yield now.end("sold")


@rules.legal
def legal(position: Position, _seat: Seat) -> tuple[Command, ...]:
    return (Bid(bid=position[Sale].bid + 1), Shout())


@rules.scoring
def scoring(position: Position, reason: str) -> Outcome:
    return Outcome(reason=reason, sentence="All is sold.", ranking=(position.seats,), drawn=True)


def load() -> Rules:
    """The rules."""
    return rules


GAME: Final = Game(id="sale", title="Sale", summary="Going, going, gone.", seats=(2, 3), rules=load)


def ruleset() -> Ruleset:
    """The sale's ruleset."""
    return Ruleset(GAME)
