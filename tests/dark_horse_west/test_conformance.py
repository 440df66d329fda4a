from __future__ import annotations

from ludolog.testing import conformance
from ludolog_plugins.dark_horse_west.conserved import nothing_lost

test_two_to_four = conformance("dark-horse-west", games=1, bound=4000, invariants=(nothing_lost,))
