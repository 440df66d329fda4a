"""Faults made on purpose: processes that are killed, disks that fail, power that goes.

For authors of stores. Nothing here is needed to play.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
import traceback
import warnings
from collections.abc import Callable

__all__ = ["Child", "Report"]


class Report:
    """A child's end of the line to its parent."""

    def __init__(self, name: str, out: int, back: int) -> None:
        self.name = name
        self._out = out
        self._back = back

    def __call__(self, line: str) -> None:
        """Tell the parent one line; it gets there even if the child is killed right after."""
        os.write(self._out, line.encode() + b"\n")

    def wait(self) -> None:
        """Wait until the parent says to go on."""
        os.read(self._back, 1)


class Child:
    """A forked process that runs ``work`` and then ends without any clean-up.

    It is forked and not started afresh, so that ``work`` may be any function.
    """

    def __init__(self, work: Callable[[Report], None], *, name: str = "child") -> None:
        self._in, out = os.pipe()
        back, self._go = os.pipe()
        with warnings.catch_warnings():
            # Threads of a test runner don't matter here: the child never returns to it.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.pid = os.fork()
        if self.pid == 0:
            os.close(self._in)
            os.close(self._go)
            _run(work, Report(name, out, back))
        os.close(out)
        os.close(back)
        self._rest = b""
        self.name = name

    def line(self, timeout: float = 60.0) -> str:
        """The next line the child reports; AssertionError if it ends, fails or takes too long."""
        deadline = time.monotonic() + timeout
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                os.kill(self.pid, signal.SIGKILL)
                why = f"{self.name} said nothing for {timeout} seconds"
                raise AssertionError(why)
            more = os.read(self._in, 65536)
            if not more:
                why = f"{self.name} ended too early"
                raise AssertionError(why)
            self._rest += more
        line, self._rest = self._rest.split(b"\n", 1)
        if line.startswith(b"Traceback"):
            raise AssertionError(line.decode().replace("\r", "\n"))
        return line.decode()

    def lines(self, timeout: float = 60.0) -> list[str]:
        """All further lines, until the child ends."""
        found: list[str] = []
        while True:
            try:
                found.append(self.line(timeout))
            except AssertionError as error:
                if "ended too early" not in str(error):
                    raise
                return found

    def go_on(self) -> None:
        """Let a child go on that waits."""
        os.write(self._go, b".")

    def kill(self) -> list[str]:
        """End the child as a crash would, with no handler and no clean-up; what it had reported besides."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        found = self.lines()
        self.wait()
        return found

    def finish(self, timeout: float = 60.0) -> list[str]:
        """All further lines of a child that has to end by itself and well."""
        found = self.lines(timeout)
        status = self.wait()
        if status != 0:
            why = f"{self.name} ended with status {status}"
            raise AssertionError(why)
        return found

    def wait(self) -> int:
        """The exit status; negative: the signal that ended it."""
        _, status = os.waitpid(self.pid, 0)
        os.close(self._in)
        os.close(self._go)
        return os.waitstatus_to_exitcode(status)


def _run(work: Callable[[Report], None], report: Report) -> None:
    status = 1
    try:
        work(report)
        status = 0
    except BaseException:  # noqa: BLE001 - told to the parent, which raises it
        report(traceback.format_exc().strip().replace("\n", "\r"))
    finally:
        os._exit(status)
