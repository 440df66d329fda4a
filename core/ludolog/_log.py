"""What the library tells about itself: structlog events, never a secret, never configured here."""

from __future__ import annotations

import logging
from typing import Any, Final

import structlog

__all__ = ["debug", "info", "warning"]

_stdlib: Final = logging.getLogger("ludolog")
_stdlib.addHandler(logging.NullHandler())  # without it, Python's handler of last resort prints warnings
_through_stdlib: Final = structlog.wrap_logger(
    _stdlib,
    processors=[structlog.stdlib.filter_by_level, structlog.stdlib.render_to_log_kwargs],
    wrapper_class=structlog.stdlib.BoundLogger,
)


def _logger() -> Any:  # noqa: ANN401 - structlog's own loggers differ in type
    """The application's structlog where it has configured one, else the standard library's logger ``ludolog``.

    An unconfigured structlog would print every event, which no library should do to its user.
    """
    return structlog.get_logger("ludolog") if structlog.is_configured() else _through_stdlib


def debug(event: str, **facts: object) -> None:
    """Tell a detail, such as a batch appended."""
    if _stdlib.isEnabledFor(logging.DEBUG) or structlog.is_configured():
        _logger().debug(event, **facts)


def info(event: str, **facts: object) -> None:
    """Tell something that happens seldom, such as a table opened."""
    if _stdlib.isEnabledFor(logging.INFO) or structlog.is_configured():
        _logger().info(event, **facts)


def warning(event: str, **facts: object) -> None:
    """Tell something that somebody should look at, such as a damaged snapshot."""
    _logger().warning(event, **facts)
