"""Play tabletop games as event logs: legal moves with reasons, hidden information, undo, audit, fair dice.

::

    import ludolog

    table = ludolog.new_table("dark-horse-bugs", seats=("ann", "bob", "cy"), variants=("dilly-dally",))
    table.play("ann", table.legal("ann")[0])
"""

from ludolog import errors
from ludolog.audit import Answer, AuditReport, Blame
from ludolog.bots import Bot, BotPlugin
from ludolog.catalogue import Catalogue, catalogue
from ludolog.chance import Chance
from ludolog.derived import derived
from ludolog.errors import IllegalCommand, LudologError, Refusal
from ludolog.frame import Frame
from ludolog.hookspecs import hookimpl
from ludolog.manifest import Game, Options, Variant
from ludolog.opening import new_table, open_store, open_table, table_from, tables
from ludolog.outcome import Outcome, ScoreLine, SeatScore
from ludolog.position import Now, Position
from ludolog.rules import Rules, refuse
from ludolog.ruleset import Ruleset
from ludolog.slots import Slot
from ludolog.store import Appended, MemoryStore, Store, Stored, StorePlugin
from ludolog.subscribing import Subscription
from ludolog.table import Table
from ludolog.viewing import FeedItem, Retracted
from ludolog_events import (
    NOBODY,
    Audience,
    Command,
    Event,
    Private,
    PrivateTuple,
    Receipt,
    Seat,
    Secret,
    SecretTuple,
    State,
    told_to,
)

__all__ = [
    "NOBODY",
    "Answer",
    "Appended",
    "Audience",
    "AuditReport",
    "Blame",
    "Bot",
    "BotPlugin",
    "Catalogue",
    "Chance",
    "Command",
    "Event",
    "FeedItem",
    "Frame",
    "Game",
    "IllegalCommand",
    "LudologError",
    "MemoryStore",
    "Now",
    "Options",
    "Outcome",
    "Position",
    "Private",
    "PrivateTuple",
    "Receipt",
    "Refusal",
    "Retracted",
    "Rules",
    "Ruleset",
    "ScoreLine",
    "Seat",
    "SeatScore",
    "Secret",
    "SecretTuple",
    "Slot",
    "State",
    "Store",
    "StorePlugin",
    "Stored",
    "Subscription",
    "Table",
    "Variant",
    "catalogue",
    "derived",
    "errors",
    "hookimpl",
    "new_table",
    "open_store",
    "open_table",
    "refuse",
    "table_from",
    "tables",
    "told_to",
]
