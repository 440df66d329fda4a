"""Claims of sites: what a site needs, which dice serve, and what keeps a seat off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from ludolog import Event, Now, Position, Refusal, Seat, derived
from ludolog_plugins.dark_horse_west.agenda import proceed
from ludolog_plugins.dark_horse_west.commands import ClaimSite, PutDice
from ludolog_plugins.dark_horse_west.dice import dice_refusal, role_of, unplaced
from ludolog_plugins.dark_horse_west.events import Claimed, DicePlaced, UseNoted
from ludolog_plugins.dark_horse_west.options import WestOptions
from ludolog_plugins.dark_horse_west.reasons import insist, no
from ludolog_plugins.dark_horse_west.slots import (
    CLAIM_FILTERS,
    EXTRA_CLAIMS,
    NEEDS,
    SITES,
    SPOTS,
    Need,
    Spot,
    rules,
)
from ludolog_plugins.dark_horse_west.state import Claims, Dice, Turn, Usage
from ludolog_plugins.dark_horse_west.windows import in_window

__all__ = [
    "claim",
    "claim_refusal",
    "claims_of",
    "listed_claims",
    "listed_spots",
    "meets",
    "own_subsets",
    "site_needs",
    "used",
]


def used(position: Position | Now, seat: Seat, key: str) -> bool:
    """Whether the seat used something this turn that works once a turn (DW-062, DW-063)."""
    return (seat, key) in position[Usage].used


def claims_of(position: Position | Now, seat: Seat) -> tuple[str, ...]:
    """Sites that the seat has claimed this turn and collects from."""
    return tuple(claim.site for claim in position[Claims].claims if claim.seat == seat)


# ------------------------------------------------------------ needs


def site_needs(position: Position, seat: Seat, site: str) -> tuple[Need, ...]:
    """What serves the seat at a site: its printed need, and what roles, cards and variants add to it."""
    return _all_needs(position, seat)[site]


@derived
def _all_needs(position: Position, seat: Seat) -> Mapping[str, tuple[Need, ...]]:
    found: dict[str, tuple[Need, ...]] = {}
    for key, site in position.slot(SITES).items():
        needs: tuple[Need, ...] = (site.need,)
        for change in position.slot(NEEDS).values():
            needs = change(position, seat, str(key), needs)
        found[str(key)] = needs
    return found


def meets(position: Position, needs: tuple[Need, ...], numbers: tuple[int, ...]) -> bool:
    """Whether dice meet any of the needs: singly or added together, alone dice by themselves (DW-007, DW-057)."""
    shown = _shown(position, numbers)
    return shown is not None and _serve(needs, shown)


class _Shown(NamedTuple):
    """What some dice show together: their sum, whether all are natural, whether it is a single die."""

    total: int
    natural: bool
    single: bool


def _shown(position: Position, numbers: tuple[int, ...]) -> _Shown | None:
    """What dice show together; None if one of them is never added to another (DW-057)."""
    dice = [position[Dice].dice[number] for number in numbers]
    if len(dice) > 1 and any(die.alone for die in dice):
        return None
    return _Shown(sum(die.value for die in dice), all(die.natural for die in dice), len(dice) == 1)


def _serve(needs: tuple[Need, ...], shown: _Shown) -> bool:
    total, natural, single = shown
    for need in needs:
        if (total in need.values if need.values else total >= need.least) and (
            (natural or not need.natural) and (single or not need.single)
        ):
            return True
    return False


def _need_refusal(
    position: Position, seat: Seat, name: str, needs: tuple[Need, ...], numbers: tuple[int, ...]
) -> Refusal:
    dice = [position[Dice].dice[number] for number in numbers]
    shown = tuple(die.value for die in dice)
    wanted = ", or ".join(need.text for need in needs)
    if len(dice) > 1 and any(die.alone for die in dice):
        kind = next(die.kind for die in dice if die.alone)
        return no("die-alone", f"The {kind} die is never added to another.", "DW-057", dice=shown, kind=kind)
    total = sum(shown)
    if any(total in need.values or (not need.values and total >= need.least) for need in needs):
        changed = tuple(die.value for die in dice if not die.natural)
        if changed and all(need.natural for need in needs):
            sentence = f"{name} needs {wanted}; the {changed[0]} was changed."
            return no("not-natural", sentence, "DW-R28", dice=shown, changed=changed)
        return no("one-die-only", f"{name} takes one die.", "DW-055", dice=shown)
    return no("wrong-dice", f"{name} needs {wanted}; {seat}'s dice show {total}.", "DW-R14", dice=shown, total=total)


rules.add(
    NEEDS,
    "tycoon-option",
    lambda position, _seat, site, needs: (
        (Need(single=True),) if site == "tycoon" and position.options(WestOptions).tycoon_need == "any die" else needs
    ),
    cites="DW-R30",
)

# ------------------------------------------------------------ what keeps a seat off


def _full(position: Position, seat: Seat, site: str) -> Refusal | None:
    """Limited and Restricted sites take one claim a turn, Reserved ones one a seat (DW-R32)."""
    entry = position.slot(SITES)[site]
    if entry.limit == "Unlimited":
        return None
    for claim in position[Claims].claims:
        if claim.site == site and (entry.limit != "Reserved" or claim.seat == seat):
            sentence = f"{entry.name} is {entry.limit}, and {claim.seat} has claimed it this turn."
            return no("site-full", sentence, "DW-R32", site=site, by=claim.seat)
    return None


def _held(position: Position, seat: Seat, site: str) -> Refusal | None:
    """A Restricted site that gives a role isn't claimed by its holder (DW-R32)."""
    role = position.slot(SITES)[site].role
    if role and role_of(position, role) == seat:
        return no("role-held", f"{seat} holds the {role} role already.", "DW-R32", role=role)
    return None


def _closed(position: Position, seat: Seat, site: str) -> Refusal | None:
    """A card or Event closed the site for this turn (DW-R42)."""
    for closing in position[Claims].closed:
        if closing.site == site and closing.turn == position[Turn].number and closing.but != seat:
            name = position.slot(SITES)[site].name
            return no("site-closed", f"{name} is closed this turn.", "DW-R42", site=site)
    return None


rules.add(CLAIM_FILTERS, "full", _full, cites="DW-R32")
rules.add(CLAIM_FILTERS, "role-held", _held, cites="DW-R32")
rules.add(CLAIM_FILTERS, "closed", _closed, cites="DW-R42")


def _deputy_claim(position: Position, _seat: Seat, numbers: tuple[int, ...]) -> bool:
    """By option the Deputy die makes a claim of its own (DW-R69)."""
    if position.options(WestOptions).deputy_die != "second-claim":
        return False
    return all(position[Dice].dice[number].kind == "deputy" for number in numbers)


rules.add(EXTRA_CLAIMS, "deputy", _deputy_claim, cites="DW-R69")


def _extra(position: Position, seat: Seat, numbers: tuple[int, ...]) -> str:
    """By which rule a claim with these dice comes beside the one claim of the turn; ``""``: by none."""
    rules_in_play = position.slot(EXTRA_CLAIMS).items()
    return next((str(key) for key, extra in rules_in_play if extra(position, seat, numbers)), "")


def _site_refusal(position: Position, seat: Seat, site: str) -> Refusal | None:
    """Why the seat can't claim the site, whatever its dice."""
    for check in position.slot(CLAIM_FILTERS).values():
        refusal = check(position, seat, site)
        if refusal is not None:
            return refusal
    return None


def _turn_refusal(position: Position, seat: Seat, site: str, numbers: tuple[int, ...]) -> Refusal | None:
    """One claim a turn; a site that resolves at once doesn't count, but works once a turn (DW-009, DW-R16)."""
    entry = position.slot(SITES)[site]
    if entry.resolves == "placement":
        if used(position, seat, f"site:{site}"):
            return no("used-this-turn", f"{seat} has used {entry.name} this turn.", "DW-R16", site=site)
        return None
    made = [claim for claim in position[Claims].claims if claim.seat == seat]
    extra = _extra(position, seat, numbers)
    for claim in made:
        if claim.site == site:
            return no("claimed-already", f"{seat} has claimed {entry.name} this turn.", "DW-009", site=site)
        if claim.extra == extra:
            return no("one-claim", f"{seat} has made the claim of this turn.", "DW-009", claimed=claim.site)
    return None


def claim_refusal(position: Position, seat: Seat, site: str, numbers: tuple[int, ...]) -> Refusal | None:
    """Why the seat can't claim a site with these dice (DW-R14, DW-R28, DW-R32)."""
    if site not in position.slot(SITES):
        return no("no-such-site", f"There is no site {site!r}.", "DW-066", site=site)
    refusal = (
        dice_refusal(position, seat, numbers)
        or _turn_refusal(position, seat, site, numbers)
        or _site_refusal(position, seat, site)
    )
    if refusal is not None:
        return refusal
    needs = site_needs(position, seat, site)
    if not meets(position, needs, numbers):
        return _need_refusal(position, seat, position.slot(SITES)[site].name, needs, numbers)
    return None


@rules.decider(cites=("DW-007", "DW-009", "DW-055", "DW-R14", "DW-R28", "DW-R32", "DW-R33"))
def claim_site(now: Now, command: ClaimSite) -> Iterator[Event]:
    """On the own placement turn a seat claims a site with dice that meet its need (DW-053)."""
    insist(in_window(now.position, now.seat, "placement"))
    insist(claim_refusal(now.position, now.seat, command.site, command.dice))
    yield from claim(now, now.seat, command.site, command.dice)
    yield from proceed(now)


def claim(now: Now, seat: Seat, site: str, numbers: tuple[int, ...]) -> Iterator[Event]:
    """The dice are laid down: they claim the site, or it gives at once what it has to give (DW-R16)."""
    entry = now.slot(SITES)[site]
    if entry.resolves == "placement":
        yield UseNoted(seat=seat, key=f"site:{site}")
        yield DicePlaced(dice=numbers, at=f"site:{site}")
        yield from entry.collect(now, seat)
    else:
        yield Claimed(seat=seat, site=site, dice=numbers, extra=_extra(now.position, seat, numbers))


def own_subsets(position: Position, seat: Seat) -> tuple[tuple[int, ...], ...]:
    """Every choice among the seat's unplaced dice."""
    mine = unplaced(position, seat)
    return tuple(chosen for count in range(1, len(mine) + 1) for chosen in combinations(mine, count))


@derived
def _shown_subsets(position: Position, seat: Seat) -> tuple[tuple[tuple[int, ...], _Shown], ...]:
    """Every choice among the seat's unplaced dice that may be added up, with what it shows."""
    return tuple((dice, shown) for dice in own_subsets(position, seat) if (shown := _shown(position, dice)) is not None)


def listed_claims(position: Position, seat: Seat) -> Iterator[ClaimSite]:
    """Every claim that the seat may make now."""
    subsets, all_needs = _shown_subsets(position, seat), _all_needs(position, seat)
    for key in position.slot(SITES) if subsets else ():
        site = str(key)
        needs = all_needs[site]
        fitting = [dice for dice, shown in subsets if _serve(needs, shown)]
        if not fitting or _site_refusal(position, seat, site) is not None:
            continue
        for dice in fitting:
            if _turn_refusal(position, seat, site, dice) is None:
                yield ClaimSite(site=site, dice=dice)


# ------------------------------------------------------------ dice on other spots


def _spot(position: Position, name: str) -> tuple[Spot, str] | None:
    key, _, place = name.partition(":")
    entry = position.slot(SPOTS).get(key)
    return None if entry is None else (entry, place)


def spot_refusal(position: Position, seat: Seat, name: str, numbers: tuple[int, ...]) -> Refusal | None:
    """Why the seat can't put these dice on a spot."""
    found = _spot(position, name)
    if found is None or found[1] not in found[0].places(position, seat):
        return no("no-such-spot", f"There is no spot {name!r} for {seat}'s dice.", "DW-072", spot=name)
    entry, place = found
    refusal = dice_refusal(position, seat, numbers) or entry.refusal(position, seat, place)
    if refusal is not None:
        return refusal
    needs = (entry.need(position, seat, place),)
    if not meets(position, needs, numbers):
        return _need_refusal(position, seat, name, needs, numbers)
    return None


@rules.decider(cites=("DW-072", "DW-R56"))
def put_dice(now: Now, command: PutDice) -> Iterator[Event]:
    """On the own placement turn a seat puts dice on cards and other spots beside the sites (DW-R56)."""
    insist(in_window(now.position, now.seat, "placement"))
    insist(spot_refusal(now.position, now.seat, command.spot, command.dice))
    found = _spot(now.position, command.spot)
    if found is not None:
        yield DicePlaced(dice=command.dice, at=command.spot)
        yield from found[0].put(now, now.seat, found[1])
    yield from proceed(now)


def listed_spots(position: Position, seat: Seat) -> Iterator[PutDice]:
    """Every spot on which the seat may put dice now."""
    subsets = _shown_subsets(position, seat)
    for key, entry in position.slot(SPOTS).items():
        for place in entry.places(position, seat):
            if entry.refusal(position, seat, place) is not None:
                continue
            needs = (entry.need(position, seat, place),)
            for dice, shown in subsets:
                if _serve(needs, shown):
                    yield PutDice(spot=f"{key}:{place}", dice=dice)
