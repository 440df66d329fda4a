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

from ludolog_plugins.cli.application import app

__all__ = ["main"]


def main() -> None:
    """Run the command line and exit."""
    app()
