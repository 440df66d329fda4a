"""The kit against planted faults: each is caught by the check that is meant for it, and is named."""

from __future__ import annotations

import pytest

from ludolog.testing.checks import CHECKS, name_of, run
from ludolog.testing.findings import Finding
from ludolog.testing.subject import Settings, Subject
from toys import faulty_course, faulty_lists, faulty_secrets, lanterns
from toys.planting import FAULTS, Fault

BY_NAME = {name_of(check): check for check in CHECKS}


def test_the_faults_are_there() -> None:
    loaded = {module.__name__ for module in (faulty_course, faulty_lists, faulty_secrets)}
    assert {fault.load.__module__ for fault in FAULTS} == loaded
    assert len({fault.load for fault in FAULTS}) >= 25


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault!r}-{fault.check}")
def test_a_planted_fault_is_caught(fault: Fault) -> None:
    """F41: no check is switched off, and none passes in silence."""
    settings = Settings(bound=200, reveals=lanterns.REVEALS, invariants=fault.invariants, walk=200)
    subject = Subject(fault.ruleset(), 2, settings)
    with pytest.raises(Finding) as caught:
        run(BY_NAME[fault.check], subject)
    finding = caught.value
    assert finding.check == fault.check
    assert finding.event == fault.event or not fault.event
    assert fault.field in finding.field
    for told in (fault.check, finding.event, finding.field, f"batch {finding.batch}" if finding.batch else ""):
        assert told in str(finding)
