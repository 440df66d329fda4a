"""The rules object of the western game and every place where a variant may bend it.

Read this file to write a variant: each slot says what its entries are and when they are asked. Functions that refuse
return a :class:`~ludolog.Refusal` or ``None``; functions that act are generators of events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import msgspec

from ludolog import Event, Now, Outcome, Position, Refusal, Rules, ScoreLine, Seat, Slot
from ludolog_plugins.dark_horse_west.options import WestOptions
from ludolog_plugins.dark_horse_west.state import Die, Hex, Task
from ludolog_plugins.dark_horse_west.tables import Costs, Layout, Points, Start
from ludolog_plugins.dark_horse_west.vocabulary import Card, Cost, Effect

__all__ = [
    "BLOCKS",
    "BUILDS",
    "CARDS",
    "CARD_PLAYS",
    "CLAIM_FILTERS",
    "COLOURS",
    "CONSERVED",
    "COSTS",
    "DECKS",
    "DICE_TO_ROLL",
    "DIE_CHANGES",
    "DIE_KINDS",
    "END_TRIGGERS",
    "EXTRA_CLAIMS",
    "GROUNDS",
    "ICONS",
    "IN_PLAY",
    "LAYOUT",
    "MAP_MARKS",
    "MEASURES",
    "NEEDS",
    "OFFER_FILTERS",
    "OPS",
    "PANEL_LINES",
    "PHASES",
    "POINTS",
    "PRICES",
    "REST_OF_DRAW",
    "RESULTS",
    "ROLES",
    "SCORE_LINES",
    "SETUP_STEPS",
    "SHIELDS",
    "SITES",
    "SITE_NAMES",
    "SPOTS",
    "START",
    "TASKS",
    "THINGS",
    "TOKENS",
    "TOWN_SERVES",
    "WORTHS",
    "YIELDS",
    "Build",
    "CardPlay",
    "Deck",
    "DieKind",
    "EndTrigger",
    "Ground",
    "Need",
    "Offer",
    "Price",
    "Question",
    "Role",
    "Site",
    "Spot",
    "Step",
    "Thing",
    "Token",
    "Window",
    "rules",
]

rules = Rules("dark-horse-west", version=2, options=WestOptions)

Events: TypeAlias = Iterator[Event]


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What the entries of slots share."""


# ------------------------------------------------------------ numbers and map

LAYOUT: Slot[Layout] = rules.slot(Slot("layout", "The map, as entry 'map': hexes, and places of tiles."))
COSTS: Slot[Costs] = rules.slot(Slot("costs", "Prices of towns, cities and rails, as entry 'costs'."))
START: Slot[Start] = rules.slot(Slot("start", "What every seat starts with, as entry 'start'."))
POINTS: Slot[Points] = rules.slot(Slot("points", "What scores how many points, as entry 'points'."))
COLOURS: Slot[str] = rules.slot(Slot("colours", "Sets of pieces by number from 0: a colour for each seat."))


class Ground(Entry, frozen=True, kw_only=True):
    """What a hex is now: what it produces (``""``: nothing), how many towns it takes, whether it takes a city."""

    resource: str = ""
    towns: int = 0
    city: bool = False
    rugged: bool = False
    name: str = ""


GROUNDS: Slot[Callable[[Position, Hex, Ground], Ground]] = rules.slot(
    Slot("grounds", "Layers over the printed map, lowest first: (position, hex, ground below) -> ground.")
)
BLOCKS: Slot[Callable[[Position, Seat, Hex, str], Refusal | None]] = rules.slot(
    Slot(
        "blocks",
        "Why a seat can't put 'first-city', 'city', 'town', 'link' or 'dice' on a hex, or 'use' what is laid there.",
    )
)
TOWN_SERVES: Slot[Callable[[Position, Hex], bool]] = rules.slot(
    Slot("town-serves", "Whether a town on a hex may serve a city in scoring; all must say so.")
)
YIELDS: Slot[Callable[[Position, Seat, Hex, str, int], int]] = rules.slot(
    Slot("yields", "Changes to what a hex with a town yields, in order: (position, seat, hex, resource, n) -> n.")
)

# ------------------------------------------------------------ building


class Price(Entry, frozen=True, kw_only=True):
    """A price in resources, less ``off`` of them by choice of the payer (never below 0)."""

    food: int = 0
    wood: int = 0
    ore: int = 0
    off: int = 0


class Build(Entry, frozen=True, kw_only=True):
    """Something that a claim of Builder can build on a hex.

    ``hexes`` lists where it might go, ``refusal`` tells why not there (access apart). ``reach`` is how a hex is
    reached without new links: ``"access"`` (beside an own city or an end of an own link), ``"link"`` (an end of an own
    link) or ``"any"``. ``purchases`` of links may be bought with it. ``price`` is that of the piece alone; the links
    come on top. ``place`` puts it there. ``surcharge`` tells that rugged ground makes it dearer, which an Engineer
    token may waive.
    """

    title: str
    hexes: Callable[[Position, Seat], tuple[Hex, ...]]
    refusal: Callable[[Position, Seat, Hex], Refusal | None]
    price: Callable[[Position, Seat, Hex], Price]
    place: Callable[[Now, Seat, Hex], Events]
    reach: str
    purchases: Callable[[Position], int]
    cites: str
    surcharge: bool = False


BUILDS: Slot[Build] = rules.slot(Slot("builds", "What a claim of Builder can build."))
PRICES: Slot[Callable[[Position, Seat, str, Price], Price]] = rules.slot(
    Slot(
        "prices",
        "Changes to prices of 'town', 'city', 'rail', 'rugged': (position, seat, item, price) -> price.",
    )
)

# ------------------------------------------------------------ the agenda


class Step(Entry, frozen=True, kw_only=True):
    """A task that the rules carry out by themselves, once nothing else is to be done before."""

    run: Callable[[Now, Task], Events]


class Question(Entry, frozen=True, kw_only=True):
    """A task that waits for the answer of its seat: one of ``options``, given by ``Choose``.

    A question without options falls away; one with a single option answers itself, unless ``ask_always``. ``explain``
    tells why something else than the options was refused.
    """

    ask: Callable[[Position, Task], str]
    options: Callable[[Position, Task], tuple[str, ...]]
    take: Callable[[Now, Task, str], Events]
    cites: str
    explain: Callable[[Position, Task, str], Refusal | None] | None = None
    ask_always: bool = False


class Window(Entry, frozen=True, kw_only=True):
    """A task in which its seat acts by commands of its own until it finishes: ``"placement"`` or ``"collection"``."""

    cites: str
    finish: Callable[[Now, Task], Events]


TASKS: Slot[Step | Question | Window] = rules.slot(
    Slot("tasks", "Kinds of tasks: automatic steps, questions that wait for a seat's answer, windows.")
)
SETUP_STEPS: Slot[Callable[[Now], Events]] = rules.slot(
    Slot("setup-steps", "Set-up, step by step; each may put questions on the agenda, answered before the next step.")
)
PHASES: Slot[Callable[[Now], Events]] = rules.slot(
    Slot("phases", "The phases of a turn, in order; each may put tasks on the agenda, done before the next phase.")
)

# ------------------------------------------------------------ dice


class DieKind(Entry, frozen=True, kw_only=True):
    """A kind of die: its sides, and whether it is never added to another."""

    title: str
    sides: int = 6
    alone: bool = False


DIE_KINDS: Slot[DieKind] = rules.slot(Slot("die-kinds", "Kinds of dice."))
DICE_TO_ROLL: Slot[Callable[[Position, Seat, tuple[str, ...]], tuple[str, ...]]] = rules.slot(
    Slot("dice-to-roll", "Which kinds of dice a seat rolls, changed in order: (position, seat, kinds) -> kinds.")
)
DIE_CHANGES: Slot[Callable[[Position, Die, str], Refusal | None]] = rules.slot(
    Slot("die-changes", "Why a die can't be changed by a source, or None.")
)

# ------------------------------------------------------------ sites and claims


class Need(Entry, frozen=True, kw_only=True):
    """Which dice serve: one of ``values``, ``least`` or more, or any; by ``single`` dice only, or sums as well."""

    values: tuple[int, ...] = ()
    least: int = 0
    single: bool = False
    natural: bool = False

    @property
    def text(self) -> str:
        """In words."""
        if self.values:
            number = " or ".join(map(str, self.values))
        else:
            number = f"{self.least} or more" if self.least > 1 else "any die"
        return number + (" by a natural roll" if self.natural else "")


class Site(Entry, frozen=True, kw_only=True):
    """A place where dice are put: what it needs, who may claim it, and what collecting gives.

    ``limit`` is ``"Limited"``, ``"Restricted"``, ``"Reserved"`` or ``"Unlimited"``. ``role`` is the role it gives, if
    any. ``resolves`` is ``"collection"`` or ``"placement"`` (at once; such a claim is not the claim of the turn).
    ``gives`` names what collecting forces on the seat (``"black"``, ``"white"``, ``"jail"``), for those who may not.
    ``robbery`` tells that it shows the Robbery icon, for rules in which sites are robbed.
    """

    name: str
    need: Need
    limit: str
    collect: Callable[[Now, Seat], Events]
    cites: str
    effect: str = ""
    resolves: str = "collection"
    role: str = ""
    gives: tuple[str, ...] = ()
    robbery: bool = False


SITES: Slot[Site] = rules.slot(Slot("sites", "The action sites."))
SITE_NAMES: Slot[tuple[str, ...]] = rules.slot(
    Slot("site-names", "For a name that cards use, further sites that it covers: 'pioneer' -> ('stagecoach',).")
)
NEEDS: Slot[Callable[[Position, Seat, str, tuple[Need, ...]], tuple[Need, ...]]] = rules.slot(
    Slot("needs", "Changes to the needs of a site for a seat, in order; dice that meet any one of them serve.")
)
CLAIM_FILTERS: Slot[Callable[[Position, Seat, str], Refusal | None]] = rules.slot(
    Slot("claim-filters", "Why a seat can't claim a site now, or None: full, closed, blocked, forbidden.")
)
EXTRA_CLAIMS: Slot[Callable[[Position, Seat, tuple[int, ...]], bool]] = rules.slot(
    Slot(
        "extra-claims",
        "Whether a claim with these dice comes beside the one of the turn; one such claim by each entry.",
    )
)


class Spot(Entry, frozen=True, kw_only=True):
    """Places for dice that are no sites: cards, hexes, tokens. A spot is named ``"<key>:<place>"``.

    ``places`` lists those a seat might use, ``need`` the dice for one, ``refusal`` why not. ``put`` follows once the
    dice lie there. ``resolve`` (if any) comes at the start of the Collection Phase, in turn order.
    """

    title: str
    places: Callable[[Position, Seat], tuple[str, ...]]
    need: Callable[[Position, Seat, str], Need]
    refusal: Callable[[Position, Seat, str], Refusal | None]
    put: Callable[[Now, Seat, str], Events]
    resolve: Callable[[Now, Seat, str], Events] | None = None
    cites: str


SPOTS: Slot[Spot] = rules.slot(Slot("spots", "Kinds of places for dice beside the sites."))


ALSO_CLAIMS: Slot[Callable[[Position, Seat], bool]] = rules.slot(
    Slot("also-claims", "Whether a seat that claims no site this turn did what counts as its claim.")
)


class Role(Entry, frozen=True, kw_only=True):
    """A role token that lies at a site until a seat holds it."""

    title: str
    site: str


ROLES: Slot[Role] = rules.slot(Slot("roles", "The role tokens."))


class Offer(Entry, frozen=True, kw_only=True):
    """Something a seat may take at a site: everything in ``cost`` is paid, then ``effects`` happen in order."""

    title: str
    effects: tuple[Effect, ...]
    cost: tuple[Cost, ...] = ()


OFFER_FILTERS: Slot[Callable[[Position, Seat, tuple[Cost, ...], tuple[Effect, ...]], Refusal | None]] = rules.slot(
    Slot(
        "offer-filters",
        "Why a seat may not take an offer, ability or card with this cost and effects, or None.",
    )
)

# ------------------------------------------------------------ things, tokens, cards


class Thing(Entry, frozen=True, kw_only=True):
    """Something countable: how a seat gains and gives ``n`` of it (or all it has), and how many it could pay.

    With limited supply there are ``supply`` of all things in ``pool`` together. One of it may be so many of another
    thing, ``made_of``; then both are paid from one purse. ``told`` puts a number of it into
    words, where that isn't the number before its title.
    """

    title: str
    gain: Callable[[Now, Seat, int], Events]
    lose: Callable[[Now, Seat, int], Events]
    count: Callable[[Position, Seat], int]
    supply: int = 0
    pool: tuple[str, ...] = ()
    made_of: tuple[str, int] | None = None
    told: Callable[[int], str] | None = None


THINGS: Slot[Thing] = rules.slot(
    Slot("things", "What can be gained, lost and paid. A thing of a variant that is not in play is simply not given.")
)


class Token(Entry, frozen=True, kw_only=True):
    """A token that is spent by ``UseToken`` in a window (``"placement"`` or ``"collection"``), one a turn."""

    title: str
    window: str
    refusal: Callable[[Position, Seat], Refusal | None]
    use: Callable[[Now, Seat], Events]
    cites: str


TOKENS: Slot[Token] = rules.slot(Slot("tokens", "Tokens that are spent in a window."))


class Deck(Entry, frozen=True, kw_only=True):
    """A deck. A ``drawable`` one may be chosen where any deck may be; ``shuffled`` ones have a face-down pile."""

    title: str
    drawable: bool = False
    shuffled: bool = True


class CardPlay(Entry, frozen=True, kw_only=True):
    """How cards of one deck are played from the hand: why not (or None), and what follows."""

    refusal: Callable[[Position, Seat, Card], Refusal | None]
    play: Callable[[Now, Seat, Card], Events]
    cites: str


DECKS: Slot[Deck] = rules.slot(Slot("decks", "The decks."))
CARDS: Slot[Card] = rules.slot(Slot("cards", "All cards by id; those whose modules are not in play are left out."))
CARD_PLAYS: Slot[CardPlay] = rules.slot(Slot("card-plays", "How cards are played from the hand, by deck."))
REST_OF_DRAW: Slot[Callable[[Position, Seat], bool]] = rules.slot(
    Slot("rest-of-draw", "Where cards that are not kept go ('discard', 'top'): whether the seat may choose that.")
)
IN_PLAY: Slot[Callable[[Position, Seat], tuple[str, ...]]] = rules.slot(
    Slot("in-play", "Cards whose abilities a seat has now.")
)
ICONS: Slot[Callable[[Position, str, int], int]] = rules.slot(
    Slot("icons", "Changes to the Combat icons of a card that fights, in order: (position, card, n) -> n.")
)
SHIELDS: Slot[Callable[[Position, Seat], bool]] = rules.slot(
    Slot("shields", "Whether marked cards can't be aimed at a seat; one yes is enough.")
)
OPS: Slot[Callable[[Now, Task, Effect], Events]] = rules.slot(
    Slot("ops", "How the active operations of the vocabulary are carried out, for the task's seat.")
)
MEASURES: Slot[Callable[[Position, Seat], int]] = rules.slot(Slot("measures", "What the op 'score' can measure."))

# ------------------------------------------------------------ end and score


class EndTrigger(Entry, frozen=True, kw_only=True):
    """What ends the game after the running turn; ``{who}`` in its sentence stands for the seats that met it.

    ``met`` gives those seats, all of them where it isn't one seat's doing; none as long as it isn't met.
    """

    met: Callable[[Position], tuple[Seat, ...]]
    sentence: str
    cites: str


END_TRIGGERS: Slot[EndTrigger] = rules.slot(Slot("end-triggers", "What ends the game; one met is enough."))
SCORE_LINES: Slot[Callable[[Position, Seat], tuple[ScoreLine, ...]]] = rules.slot(
    Slot("score-lines", "The lines of a seat's score sheet.")
)
RESULTS: Slot[Callable[[Position, Outcome], Outcome]] = rules.slot(Slot("results", "Changes to the outcome, in order."))

# ------------------------------------------------------------ bots, pictures and proof

WORTHS: Slot[Callable[[Position, Seat], int]] = rules.slot(
    Slot("worths", "For bots: hundredths of points that a claim of a site may bring; without an entry, an average.")
)

PANEL_LINES: Slot[Callable[[Position, Seat], str]] = rules.slot(
    Slot("panel-lines", "Lines of a seat's panel in the pictures; an empty one is left out.")
)
MAP_MARKS: Slot[Callable[[Position], tuple[tuple[Hex, str], ...]]] = rules.slot(
    Slot("map-marks", "Short marks on hexes in the pictures.")
)
CONSERVED: Slot[Callable[[Position], str]] = rules.slot(
    Slot("conserved", "What holds in every position: '' or a sentence that tells what is lost or doubled.")
)
