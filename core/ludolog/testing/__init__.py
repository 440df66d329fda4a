"""For authors of games, variants and stores: conformance checks, a stateful machine, tracing of rules.

::

    from ludolog.testing import conformance

    test_tic_tac_toe = conformance("tic-tac-toe")

Needs pytest, and hypothesis for :func:`state_machine`: ``pip install ludolog[testing]``.
"""

from ludolog.testing.conformance import conformance
from ludolog.testing.findings import Finding, Skipped
from ludolog.testing.machine import state_machine
from ludolog.testing.subject import Settings, Subject
from ludolog.testing.tracing import untraced

__all__ = ["Finding", "Settings", "Skipped", "Subject", "conformance", "state_machine", "untraced"]
