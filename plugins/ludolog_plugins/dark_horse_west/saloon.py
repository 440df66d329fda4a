"""Saloon: Boots, Black Hats and Wild Die tokens; a Boot pushes an opponent's dice off a site.

Source: clauses RR-010 and RR-153 to RR-160 of ``rebels_and_rogues.toml``, completed by RR-R24 to RR-R27 and RR-R69.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from ludolog import Event, Now, Position, Refusal, Rules, Seat, Variant, hookimpl
from ludolog_plugins.dark_horse_west.agenda import do
from ludolog_plugins.dark_horse_west.choices import READINGS
from ludolog_plugins.dark_horse_west.claims import claim, claim_refusal, own_subsets
from ludolog_plugins.dark_horse_west.events import ClaimWithdrawn, DieChanged, GoodsChanged, UseTakenBack
from ludolog_plugins.dark_horse_west.expansion import CLAUSES, site_from, space
from ludolog_plugins.dark_horse_west.goods import counter, has
from ludolog_plugins.dark_horse_west.offers import cost, gained, offered
from ludolog_plugins.dark_horse_west.reasons import no
from ludolog_plugins.dark_horse_west.slots import (
    CARDS,
    CONSERVED,
    DIE_KINDS,
    SITES,
    TASKS,
    THINGS,
    TOKENS,
    Offer,
    Question,
    Token,
)
from ludolog_plugins.dark_horse_west.state import Claim, Claims, Dice, Die, Task
from ludolog_plugins.dark_horse_west.vocabulary import Effect
from ludolog_plugins.dark_horse_west.wording import pips, site

__all__ = ["ludolog_variant", "pushes"]

rules = Rules("dark-horse-west/saloon", version=1)

BOOTS: Final = 9
PUSH: Final = "push-off"

# ------------------------------------------------------------ the site

BRAWL: Final = Offer(title="Boot and 2 Black Hats", cost=(cost("jail"),), effects=(gained("black", 2), gained("boot")))
"""For one die in Jail next turn (RR-155)."""
POKER: Final = Offer(
    title="Wild Die token and Black Hat",
    cost=(cost("silver"),),
    effects=(Effect(op="order", to="last"), gained("wild"), gained("black")),
)
"""For 1 Silver and the last place in turn order (RR-156, RR-R69)."""

rules.remove(SITES, "market", cites="RR-153")
rules.add(
    SITES,
    "saloon",
    site_from(space("saloon"), offered(BRAWL, POKER, source="saloon"), cites="RR-154", gives=("black",)),
    cites="RR-153",
)

# ------------------------------------------------------------ the Boot


def boot_gained(now: Now, seat: Seat, _n: int) -> Iterator[Event]:
    """A second Boot is not received (RR-157, RR-R27)."""
    if not has(now, seat, "boot"):
        yield GoodsChanged(seat=seat, changes=(("boot", 1),))


def pushes(position: Position, seat: Seat) -> tuple[str, ...]:
    """Claims that the seat could push off, with the dice it would claim with: ``"trader 0+2"`` (RR-158, RR-R26)."""
    claims = position[Claims]
    found: list[str] = []
    for held in claims.claims:
        if held.seat == seat or position.slot(SITES)[held.site].limit not in {"Limited", "Restricted"}:
            continue
        without = position.having(replace(claims, claims=tuple(other for other in claims.claims if other != held)))
        found.extend(
            f"{held.site} {'+'.join(map(str, numbers))}"
            for numbers in own_subsets(position, seat)
            if claim_refusal(without, seat, held.site, numbers) is None
        )
    return tuple(found)


def boot_refusal(position: Position, seat: Seat) -> Refusal | None:
    """Why a Boot can't be spent: there is none, or no claim that it could push off (RR-R26)."""
    if not has(position, seat, "boot"):
        return no("no-token", f"{seat} has no Boot.", "RR-158", held=0)
    if not pushes(position, seat):
        sentence = f"{seat} has no dice for a Limited or Restricted site that an opponent has claimed."
        return no("nothing-to-push", sentence, "RR-R26", claimed=tuple(held.site for held in position[Claims].claims))
    return None


def boot_spent(_now: Now, seat: Seat) -> Iterator[Event]:
    """The Boot is gone; which claim it pushes off is asked next (RR-158)."""
    yield GoodsChanged(seat=seat, changes=(("boot", -1),))
    yield do(Task(kind=PUSH, seat=seat))


def pushed(now: Now, task: Task, option: str) -> Iterator[Event]:
    """The opponent takes back dice and tokens, the seat claims, and the opponent places anew at once (RR-R26)."""
    site, _, numbers = option.partition(" ")
    held = next(held for held in now[Claims].claims if held.site == site)
    yield ClaimWithdrawn(seat=held.seat, site=site)
    yield from tokens_back(now, held)
    yield from claim(now, task.seat, site, tuple(map(int, numbers.split("+"))))
    yield do(Task(kind="placement", seat=held.seat))


def told_push(position: Position, _task: Task, option: str) -> str:
    """How a push reads: whose dice, off which site, with which dice."""
    where, _, numbers = option.partition(" ")
    whose = next((held.seat for held in position[Claims].claims if held.site == where), "an opponent")
    return f"Push {whose} off {site(position, where)} with {pips(position, map(int, numbers.split('+')))}."


def tokens_back(now: Now, held: Claim) -> Iterator[Event]:
    """Tokens used on the dice are returned and count as not used; what else changed the dice stays (RR-159)."""
    for number in held.dice:
        die = now[Dice].dice[number]
        tokens = [source for source, _ in die.steps if source.startswith("token:")]
        if tokens:
            yield from without_tokens(now, number, die)
        for source in tokens:
            yield UseTakenBack(seat=held.seat, key=source)
            yield GoodsChanged(seat=held.seat, changes=((source.removeprefix("token:"), 1),))


def without_tokens(now: Now, number: int, die: Die) -> Iterator[Event]:
    """The die as it was before the first token changed it, then the later changes by anything else once more."""
    afterwards = (*(value for _, value in die.steps[1:]), die.value)
    first = next(at for at, (source, _) in enumerate(die.steps) if source.startswith("token:"))
    value = die.steps[first][1]
    yield DieChanged(die=number, value=value, source="", natural=first == 0, fixed=die.fixed, steps=first)
    for (source, before), after in list(zip(die.steps, afterwards, strict=True))[first:]:
        if source.startswith("token:"):
            continue
        moved = value + after - before if shifts(now, source) else after
        value = min(max(1, moved), now.slot(DIE_KINDS)[die.kind].sides)
        yield DieChanged(die=number, value=value, source=source, fixed=die.fixed)


def shifts(now: Now, source: str) -> bool:
    """Whether a change by this source moves a die up or down, and doesn't set or roll it."""
    card = now.slot(CARDS).get(source.removeprefix("card:"))
    effects = [effect for ability in (card.ability if card is not None else ()) for effect in ability.effects]
    return source == "dealer" or any(effect.op == "die" and effect.mode == "shift" for effect in effects)


def boots_held(position: Position) -> str:
    """Nobody holds two (RR-R27), and there are nine (RR-010)."""
    held = {seat: has(position, seat, "boot") for seat in position.seats}
    return f"The Boots are {held}." if max(held.values()) > 1 or sum(held.values()) > BOOTS else ""


rules.add(
    THINGS,
    "boot",
    replace(counter("Boot", "boot", BOOTS), gain=boot_gained),
    cites="RR-157",
)
rules.add(
    TOKENS,
    "boot",
    Token(title="Boot", window="placement", refusal=boot_refusal, use=boot_spent, cites="RR-R26"),
    cites="RR-158",
)
rules.add(
    TASKS,
    PUSH,
    Question(
        ask=lambda _position, task: f"Whose dice does {task.seat} push off, and with which dice: site and numbers?",
        options=lambda position, task: pushes(position, task.seat),
        take=pushed,
        cites="RR-R26",
    ),
    cites="RR-158",
)
rules.add(READINGS, PUSH, told_push, cites="RR-158")
rules.add(CONSERVED, "boots", boots_held, cites="RR-010")


def load() -> Rules:
    """The rules."""
    return rules


@hookimpl
def ludolog_variant() -> Variant:
    """Manifest."""
    return Variant(
        id="dark-horse-west/saloon",
        title="Saloon",
        summary="A Boot and 2 Black Hats for a die in Jail, or a Wild Die token and 1 Black Hat for the last place.",
        rules=load,
        requires=("reputation", "silver"),
        conflicts=("barnstorming", "pork-barrel"),
        clauses=(CLAUSES,),
    )
