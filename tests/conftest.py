"""What holds for every test: the profiles of hypothesis, and a structlog that nobody has configured."""

from collections.abc import Iterator

import pytest
import structlog
from hypothesis import HealthCheck, settings

# `fast` finds the same things on every machine and every day; `nightly` looks further.
settings.register_profile(
    "fast",
    database=None,
    deadline=None,
    derandomize=True,
    max_examples=40,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "nightly",
    deadline=None,
    max_examples=1000,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("fast")


@pytest.fixture(autouse=True)
def structlog_as_it_was() -> Iterator[None]:
    """Capturing its events leaves structlog configured, and a configured one prints in every test after that."""
    configured = structlog.is_configured()
    yield
    if structlog.is_configured() and not configured:
        structlog.reset_defaults()
