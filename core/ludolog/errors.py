"""One tree of errors; each has a stable ``code`` and a message that is one sentence for people.

::

    LudologError
      InvalidType                 a type of events, commands or state is declared wrongly
      CorruptLog                  stored or received bytes are not what a log may hold
        NotABundle, NewerBundle   a file is something else than a bundle, or one of a newer version
      RulesFault                  rules raised something else than a refusal
      NotFound                    UnknownGame, UnknownVariant, UnknownSeat, UnknownTable, UnknownClause, UnknownBot,
                                  UnknownField
      BadOptions (BadData), BadSeats
      CompositionError            MissingRequirement, VariantConflict, ReplacedTwice, OwnedTwice, UnknownSlot, ...
      PluginError                 PluginFailed, DuplicatePlugin, MisspeltHook
      CommandError                MalformedCommand, NotYourTurn, IllegalCommand, GameOver, VersionConflict, ...
      LogError                    MissingPlugin, RulesetMismatch, SeedMissing, StillSecret
      StoreError                  StoreBusy, NotAStore, StoreReadOnly, NewerFormat, StoreFailed, BadPosition, ...
"""

from __future__ import annotations

from typing import Any

import msgspec

from ludolog_events import CorruptLog, InvalidType, LudologError, shown

__all__ = [
    "BadClause",
    "BadData",
    "BadOptions",
    "BadPosition",
    "BadSeats",
    "CommandError",
    "CommandIdReused",
    "CompositionError",
    "CorruptLog",
    "DuplicateCommand",
    "DuplicatePlugin",
    "GameOver",
    "IllegalCommand",
    "InvalidType",
    "LogError",
    "LudologError",
    "MalformedCommand",
    "MissingPlugin",
    "MissingRequirement",
    "MisspeltHook",
    "NewerBundle",
    "NewerFormat",
    "NotABundle",
    "NotAStore",
    "NotFound",
    "NotYourTurn",
    "OrderCycle",
    "OwnedTwice",
    "PluginError",
    "PluginFailed",
    "Refusal",
    "ReplacedTwice",
    "RulesFault",
    "RulesetMismatch",
    "SeedMissing",
    "StillSecret",
    "StoreBusy",
    "StoreClosed",
    "StoreError",
    "StoreFailed",
    "StoreReadOnly",
    "TableExists",
    "UndoRefused",
    "UnknownBot",
    "UnknownClause",
    "UnknownEntry",
    "UnknownField",
    "UnknownGame",
    "UnknownSeat",
    "UnknownSlot",
    "UnknownTable",
    "UnknownVariant",
    "UsedAfterFork",
    "VariantConflict",
    "VersionConflict",
]


class RulesFault(LudologError):
    """A game or variant raised something else than a refusal; the batch was dropped and nothing was stored."""

    code = "rules-fault"


# ---------------------------------------------------------------- looking things up


class NotFound(LudologError):
    """Something was asked for by a name that nothing has."""

    code = "not-found"


class UnknownGame(NotFound):
    """No installed plugin has this game."""

    code = "unknown-game"


class UnknownVariant(NotFound):
    """No installed plugin has this variant, or it belongs to another game."""

    code = "unknown-variant"


class UnknownBot(NotFound):
    """No installed plugin has this bot."""

    code = "unknown-bot"


class UnknownSeat(NotFound):
    """Nobody at the table has this seat's name."""

    code = "unknown-seat"


class UnknownTable(NotFound):
    """The store has no table with this id."""

    code = "unknown-table"


class UnknownClause(NotFound):
    """The rules data has no clause or ruling with this id."""

    code = "unknown-clause"


class UnknownField(NotFound):
    """No state slice has this field, or nothing has set it yet."""

    code = "unknown-field"


class BadClause(LudologError):
    """A rules data file is malformed; the message names the file, the entry and the field."""

    code = "bad-clause"


class BadOptions(LudologError):
    """An option doesn't exist or has a value that it can't have."""

    code = "bad-options"


class BadData(BadOptions):
    """An owner's data can't be used. ``line`` counts from 1 (0: unknown), ``field`` is its place in the text."""

    code = "bad-data"

    def __init__(self, why: str, *, line: int = 0, field: str = "") -> None:
        self.line = line
        self.field = field
        place = f"line {line}" if line else ""
        where = ", ".join(part for part in (place, field) if part)
        super().__init__(f"The data can't be used{f' ({where})' if where else ''}: {why}.")


class BadSeats(LudologError):
    """Seat names are empty, doubled or malformed, or their number doesn't suit the game."""

    code = "bad-seats"


# ---------------------------------------------------------------- composing rules


class CompositionError(LudologError):
    """The chosen variants don't make one ruleset; the message tells both sides, the slot and the citations."""

    code = "composition"


class MissingRequirement(CompositionError):
    """A variant requires another that is not switched on."""

    code = "missing-requirement"


class VariantConflict(CompositionError):
    """Two variants exclude each other, or one excludes the number of seats."""

    code = "variant-conflict"


class ReplacedTwice(CompositionError):
    """Two variants add, replace or remove the same entry of a slot."""

    code = "replaced-twice"


class OwnedTwice(CompositionError):
    """Two rules declare the same event, command, state slice or slot."""

    code = "owned-twice"


class UnknownSlot(CompositionError):
    """A variant contributes to a slot that the ruleset doesn't have."""

    code = "unknown-slot"


class UnknownEntry(CompositionError):
    """A variant replaces, removes or adjusts an entry that the slot doesn't hold."""

    code = "unknown-entry"


class OrderCycle(CompositionError):
    """Variants ask to come after each other in a circle."""

    code = "order-cycle"


# ---------------------------------------------------------------- plugins


class PluginError(LudologError):
    """Something is wrong with an installed plugin."""

    code = "plugin"


class PluginFailed(PluginError):
    """A plugin could not be imported, or raised in a hook."""

    code = "plugin-failed"


class DuplicatePlugin(PluginError):
    """Two installed plugins have one id."""

    code = "duplicate-plugin"


class MisspeltHook(PluginError):
    """A plugin implements a hook that doesn't exist, or with other arguments."""

    code = "misspelt-hook"


# ---------------------------------------------------------------- commands


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """Why a command is refused: a stable code, a sentence, the rule clause (if a rule) and the facts that block it."""

    code: str
    sentence: str
    clause: str | None = None
    facts: dict[str, Any] = {}

    def __str__(self) -> str:
        """The sentence, with its clause."""
        return f"{self.sentence} ({self.clause})" if self.clause else self.sentence


class CommandError(LudologError):
    """A command was not accepted; the log and the position are as they were."""

    code = "command"

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(str(refusal))


class MalformedCommand(CommandError):
    """It is no command of this ruleset, or a field has a value of the wrong type."""

    code = "malformed-command"


class NotYourTurn(CommandError):
    """The seat may not act now."""

    code = "not-your-turn"


class IllegalCommand(CommandError):
    """The rules refuse it now; ``refusal`` says why."""

    code = "illegal-command"


class UndoRefused(CommandError):
    """There is nothing to undo or redo, or it lies behind the barrier and not everyone has agreed."""

    code = "undo-refused"


class GameOver(CommandError):
    """The game has ended."""

    code = "game-over"


class VersionConflict(CommandError):
    """The log has another length than the caller expects; ``actual`` is its length now."""

    code = "version-conflict"

    def __init__(self, table: str, expected: int, actual: int) -> None:
        self.table = table
        self.expected = expected
        self.actual = actual
        sentence = f"Table {table!r} has {actual} batches, and {shown(expected)} were expected."
        super().__init__(Refusal(code=self.code, sentence=sentence, facts={"expected": expected, "actual": actual}))


class CommandIdReused(CommandError):
    """Another command was recorded under this command id."""

    code = "command-id-reused"


# ---------------------------------------------------------------- logs


class LogError(LudologError):
    """The log is whole, but can't be folded or played on here."""

    code = "log"


class MissingPlugin(LogError):
    """The log needs a game or a variant that isn't installed; listing, verifying and exporting still work."""

    code = "missing-plugin"


class RulesetMismatch(LogError):
    """The log was written under other rules; reading goes on, playing on is refused."""

    code = "ruleset-mismatch"


class SeedMissing(LogError):
    """The store doesn't have the table's secret seed, as after an import; reading goes on, playing on is refused."""

    code = "seed-missing"


class StillSecret(LogError):
    """The game is not over, so its log holds what seats may not know."""

    code = "still-secret"


# ---------------------------------------------------------------- bundles


class NotABundle(CorruptLog):
    """A file is no bundle, or not one of the kind that is asked for."""

    code = "not-a-bundle"

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.args = (f"This is no bundle: {why}.",)  # nothing is damaged, it is something else


class NewerBundle(NotABundle):
    """A bundle was written by a newer version of the library."""

    code = "newer-bundle"

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.args = (f"This bundle was written by a newer version of the library: {why}.",)


# ---------------------------------------------------------------- stores


class StoreError(LudologError):
    """A store could not do what it was asked."""

    code = "store"


class TableExists(StoreError):
    """A table with this id is already in the store."""

    code = "table-exists"


class DuplicateCommand(StoreError):
    """The table already holds a batch with this command id; ``number`` says which."""

    code = "duplicate-command"

    def __init__(self, table: str, command_id: str, number: int) -> None:
        self.table = table
        self.command_id = command_id
        self.number = number
        super().__init__(f"Table {table!r} holds command id {command_id!r} already, as batch {number}.")


class StoreBusy(StoreError):
    """Another writer held the store for longer than the time-out; ``waited`` is in seconds. Try again."""

    code = "store-busy"

    def __init__(self, where: str, waited: float) -> None:
        self.waited = waited
        super().__init__(f"{where} was busy for {waited:.1f} seconds; nothing was written, try again.")


class NotAStore(StoreError):
    """The file is no store of this library."""

    code = "not-a-store"


class StoreReadOnly(StoreError):
    """The store can be read, not written."""

    code = "store-read-only"


class NewerFormat(StoreError):
    """The store was written by a newer version of the library."""

    code = "newer-format"


class StoreFailed(StoreError):
    """Reading or writing failed: disk full, I/O error and the like; reopen the store before going on."""

    code = "store-failed"


class UsedAfterFork(StoreError):
    """A store opened by the parent process was used in a forked child; open it anew there."""

    code = "used-after-fork"


class StoreClosed(StoreError):
    """The store was closed."""

    code = "store-closed"


class BadPosition(StoreError):
    """A feed can't go on from this position: it is malformed, of another store, or what was there is gone."""

    code = "bad-position"

    def __init__(self, position: object, why: str = "the feed of this store never gave it, or was replaced") -> None:
        self.position = position
        super().__init__(f"There is no going on from position {shown(position)}: {why}.")
