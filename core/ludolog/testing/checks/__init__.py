"""Everything a game promises, one function a promise; each raises a finding, or says what it could not look at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from ludolog.testing.checks.composition import variants_have_one_order
from ludolog.testing.checks.ending import audits_say_yes, every_game_ends, invariants_hold, nobody_acts_after_the_end
from ludolog.testing.checks.folding import (
    folding_gives_the_position,
    pictures_can_be_drawn,
    views_are_part_of_the_position,
)
from ludolog.testing.checks.legality import (
    listed_commands_are_accepted,
    malformed_commands_are_refused,
    other_commands_are_refused,
    views_list_the_same_commands,
)
from ludolog.testing.checks.purity import rules_change_nothing_else, rules_import_nothing_foreign
from ludolog.testing.checks.reopening import reopening_changes_nothing, values_survive_their_encoding
from ludolog.testing.checks.sameness import other_processes_give_the_same, played_again_it_is_the_same
from ludolog.testing.checks.secrecy import secrets_stay_secret
from ludolog.testing.checks.types import values_are_plain
from ludolog.testing.checks.undoing import undo_and_redo_keep_in_step, undo_stops_at_the_barrier
from ludolog.testing.checks.worlds import determinized_positions_fit, hidden_worlds_look_alike
from ludolog.testing.findings import Finding
from ludolog.testing.simultaneous import simultaneous_commands_come_in_any_order
from ludolog.testing.subject import Subject
from ludolog_events import LudologError

__all__ = ["CHECKS", "ONCE", "Check", "name_of", "run"]

Check: TypeAlias = Callable[[Subject], None]

CHECKS: Final[tuple[Check, ...]] = (
    every_game_ends,
    listed_commands_are_accepted,
    other_commands_are_refused,
    malformed_commands_are_refused,
    views_list_the_same_commands,
    values_are_plain,
    folding_gives_the_position,
    views_are_part_of_the_position,
    pictures_can_be_drawn,
    reopening_changes_nothing,
    values_survive_their_encoding,
    rules_change_nothing_else,
    rules_import_nothing_foreign,
    played_again_it_is_the_same,
    other_processes_give_the_same,
    secrets_stay_secret,
    hidden_worlds_look_alike,
    determinized_positions_fit,
    undo_and_redo_keep_in_step,
    undo_stops_at_the_barrier,
    nobody_acts_after_the_end,
    audits_say_yes,
    variants_have_one_order,
    simultaneous_commands_come_in_any_order,
    invariants_hold,
)


ONCE: Final[frozenset[Check]] = frozenset({other_processes_give_the_same, rules_import_nothing_foreign})
"""Checks that look at all numbers of seats together."""


def name_of(check: Check) -> str:
    """Name of a check as it stands in test ids and messages."""
    return getattr(check, "__name__", str(check)).replace("_", "-")


def run(check: Check, subject: Subject) -> None:
    """Make one check.

    Raises:
        Finding: The promise is broken; the message names the check, the game and the place.
        Skipped: It can't be made here.
    """
    name = name_of(check)
    try:
        for sample in subject.samples:
            if sample.trouble is not None and sample.trouble.check == name:
                raise sample.trouble
        check(subject)
    except Finding as finding:
        finding.check, finding.game = name, str(subject)
        raise
    except LudologError as error:
        fault = Finding(f"{type(error).__name__}: {error}", check=name)
        fault.game = str(subject)
        raise fault from error
