"""What holds for every test: the profiles of hypothesis."""

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
