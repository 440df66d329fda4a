"""The command line, ``ludolog``: play, look, undo, audit, share and simulate from a terminal.

Exit codes, for scripts:

==== =====================================================================================
0    done; every check passed
1    a command was refused, or a check failed (``audit``, ``verify``)
2    the command line is wrong: an unknown option, game, variant, option, seat, table or bot
3    the store, the log or a file can't be read or written, or needs a plugin that isn't here
4    a plugin or the library itself is at fault
130  interrupted from the keyboard
141  whoever read the output went away
==== =====================================================================================

An error is one sentence on standard error. With ``LUDOLOG_TRACEBACK`` set, its traceback follows.
"""

import sys
import warnings
from typing import TextIO

from ludolog_plugins.cli.application import app

__all__ = ["main"]


def main() -> None:
    """Run the command line and exit."""
    warnings.showwarning = _show_warning
    app()


def _show_warning(
    message: Warning | str,
    category: type[Warning],  # noqa: ARG001
    filename: str,  # noqa: ARG001
    lineno: int,  # noqa: ARG001
    file: TextIO | None = None,  # noqa: ARG001
    line: str | None = None,  # noqa: ARG001
) -> None:
    """A warning is for whoever runs the program, who has no use for the line of code it comes from."""
    sys.stderr.write(f"ludolog: {' '.join(str(message).split())}\n")
