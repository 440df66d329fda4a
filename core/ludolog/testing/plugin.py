"""The kit's part in pytest: the mark ``rule``, and the option ``--trace-rules``."""

from __future__ import annotations

from typing import Final

import pytest

__all__ = [
    "pytest_addoption",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_sessionfinish",
    "pytest_terminal_summary",
]

_UNTRACED: Final = pytest.StashKey[list[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    group = parser.getgroup("ludolog", "rules of tabletop games")
    group.addoption(
        "--trace-rules",
        action="store_true",
        help="fail if a clause of an installed game has no test that is marked with it, or a mark or citation names "
        "no clause; collect all tests for it",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark."""
    config.addinivalue_line("markers", "rule(*ids): the rule clauses that the test proves, such as DH-12")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Trace the rules of all installed games, before any test is left out."""
    if not config.getoption("--trace-rules"):
        return
    # Imported here: every pytest of an environment that has the library loads this module.
    from ludolog.catalogue import catalogue  # noqa: PLC0415
    from ludolog.testing.tracing import Mention, strangers, traced  # noqa: PLC0415

    marks = [
        Mention(str(name), item.nodeid)
        for item in items
        if item.get_closest_marker("skip") is None
        for mark in item.iter_markers("rule")
        for name in mark.args
    ]
    found = [f"{game.id}: {sentence}" for game in catalogue().games for sentence in traced(game, marks)]
    config.stash[_UNTRACED] = list(dict.fromkeys((*found, *strangers(marks))))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Let the run fail if something is not traced."""
    fine = {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}
    if session.config.stash.get(_UNTRACED, None) and session.exitstatus in fine:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Tell what is not traced."""
    found = config.stash.get(_UNTRACED, None)
    if found is None:
        return
    terminalreporter.section("rules without a test, and citations of no rule")
    for sentence in found or ["none"]:
        terminalreporter.line(sentence)
