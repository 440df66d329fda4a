"""The conformance kit's checks, with and without the variant, by the defaults and by all other options."""

from __future__ import annotations

from dark_horse_bugs.situations import ANTS, BASIC, DILLY_DALLY, GAME, check_parts
from ludolog.testing import conformance

REVEALS = ("dark-horse-bugs/card-laid.card", "dark-horse-bugs/goals-revealed")
OTHERS = {name: values[1] for name, values in BASIC.items()}
OTHER_ANTS = {name: values[1] for name, values in ANTS.items()}

# Every number of seats is in one of these; a campaign plays thousands of games with each.
test_basic_game = conformance(GAME, seats=(2, 6), games=2, reveals=REVEALS, invariants=(check_parts,))
test_basic_game_by_other_options = conformance(
    GAME, options=OTHERS, seats=(4,), games=2, reveals=REVEALS, invariants=(check_parts,)
)
test_dilly_dally = conformance(
    GAME, variants=DILLY_DALLY, seats=(3, 5), games=2, reveals=REVEALS, invariants=(check_parts,)
)
test_dilly_dally_by_other_options = conformance(
    GAME,
    variants=DILLY_DALLY,
    options=OTHERS | OTHER_ANTS,
    seats=(2,),
    games=2,
    reveals=REVEALS,
    invariants=(check_parts,),
)
