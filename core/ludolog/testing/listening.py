"""Everything that is written while something runs: log lines of any logger, and what is printed."""

from __future__ import annotations

import contextlib
import io
import logging
from collections.abc import Generator

import structlog
from structlog.testing import LogCapture

__all__ = ["Line", "listening"]


class Line:
    """A line that was written: its text, and the values in it."""

    def __init__(self, text: str, values: object) -> None:
        self.text = text
        self.values = values


_ORDINARY = frozenset(vars(logging.makeLogRecord({})))


class _Ear(logging.Handler):
    def __init__(self, lines: list[Line]) -> None:
        super().__init__(0)
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        extra = {name: value for name, value in vars(record).items() if name not in _ORDINARY}
        text = " ".join([record.getMessage(), *(f"{name}={value}" for name, value in extra.items())])
        self._lines.append(Line(text, (record.args, extra)))


@contextlib.contextmanager
def listening() -> Generator[list[Line]]:
    """Collect what the standard library's loggers, structlog and ``print`` write, on every level."""
    lines: list[Line] = []
    ear = _Ear(lines)
    root = logging.getLogger()
    level, disabled = root.level, logging.root.manager.disable
    was_configured = structlog.is_configured()
    processors = structlog.get_config()["processors"]
    capture = LogCapture()
    root.addHandler(ear)
    root.setLevel(1)
    logging.disable(logging.NOTSET)
    structlog.configure(processors=[capture])
    printed, complained = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complained):
            yield lines
    finally:
        root.removeHandler(ear)
        root.setLevel(level)
        logging.disable(disabled)
        structlog.configure(processors=processors)
        if not was_configured:
            structlog.reset_defaults()
        lines.extend(
            Line(" ".join(f"{name}={value}" for name, value in entry.items()), dict(entry)) for entry in capture.entries
        )
        lines.extend(Line(text, ()) for text in (*printed.getvalue().splitlines(), *complained.getvalue().splitlines()))
