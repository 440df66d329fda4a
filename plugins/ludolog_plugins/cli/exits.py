"""From errors to exit codes and one sentence on standard error."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NoReturn, Protocol, cast, runtime_checkable

import typer
from typer.core import TyperGroup

from ludolog import LudologError
from ludolog.errors import (
    BadClause,
    BadOptions,
    BadSeats,
    CommandError,
    CompositionError,
    CorruptLog,
    LogError,
    NotFound,
    StillSecret,
    StoreError,
)
from ludolog_plugins.cli.console import clean

__all__ = ["FAULT", "INTERRUPTED", "OK", "PIPE_GONE", "REFUSED", "STORE", "USAGE", "Group", "code_of", "explained"]

OK: Final = 0
REFUSED: Final = 1
USAGE: Final = 2
STORE: Final = 3
FAULT: Final = 4
INTERRUPTED: Final = 130
PIPE_GONE: Final = 141

_CODES: Final[tuple[tuple[tuple[type[BaseException], ...], int], ...]] = (
    ((CommandError, StillSecret), REFUSED),
    ((NotFound, BadOptions, BadSeats, CompositionError), USAGE),
    ((StoreError, LogError, CorruptLog, BadClause, OSError), STORE),
)


def code_of(error: BaseException) -> int:
    """Exit code for an error."""
    return next((code for kinds, code in _CODES if isinstance(error, kinds)), FAULT)


@runtime_checkable
class _OfTheCommandLine(Protocol):
    """What the parser raises; its class has moved between packages, its form has not."""

    exit_code: int

    def format_message(self) -> str: ...


@contextmanager
def explained() -> Generator[None]:
    """Turn what goes wrong inside into one sentence and an exit code.

    Raises:
        typer.Exit: Something went wrong.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError as error:
        # What is still in the buffer has nowhere to go; without this Python would complain when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise typer.Exit(PIPE_GONE) from error
    except KeyboardInterrupt as error:
        _say("interrupted.")
        raise typer.Exit(INTERRUPTED) from error
    except (typer.Exit, typer.Abort):
        raise
    except Exception as error:
        if isinstance(error, _OfTheCommandLine):
            raise
        _say(_sentence(error))
        if os.environ.get("LUDOLOG_TRACEBACK"):
            traceback.print_exc()
        raise typer.Exit(code_of(error)) from error


def _sentence(error: Exception) -> str:
    if isinstance(error, LudologError):
        return str(error)
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}."
    return f"unexpected {type(error).__name__}: {error} (set LUDOLOG_TRACEBACK=1 to see where)."


def _say(sentence: str) -> None:
    one_line = " ".join(clean(sentence).split())
    sys.stderr.write(f"ludolog: {one_line}\n")


class Group(TyperGroup):
    """The commands; every error of theirs is explained, and so is a wrong command line."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - the parser's own types differ between its versions
        """Run the command that was asked for."""
        with explained():
            return super().invoke(ctx)

    def main(self, *args: Any, **settings: Any) -> Any:  # noqa: ANN401
        """Parse and run; exits unless ``standalone_mode=False`` is given."""
        standalone = settings.pop("standalone_mode", True)
        if standalone:
            # Killed at once, it would leave a terminal that shows nothing of what is typed.
            with suppress(ValueError):  # only the main thread may
                signal.signal(signal.SIGTERM, _leave)
        _have_streams()
        _never_fail_to_print()
        try:
            settings["standalone_mode"] = False
            result = super().main(*args, **settings)
        except typer.Abort:
            result = INTERRUPTED
        except Exception as error:
            if not isinstance(error, _OfTheCommandLine):
                raise
            found = cast("_OfTheCommandLine", error)
            path = getattr(getattr(error, "ctx", None), "command_path", "ludolog")
            # Without any argument, the help has been shown, and there is nothing to say.
            if message := found.format_message().rstrip("."):
                stop = "" if message.endswith("?") else "."
                _say(f"{message}{stop} Try '{path} --help'.")
            result = found.exit_code
        if standalone:
            sys.exit(result if isinstance(result, int) else OK)
        return result


def _leave(number: int, _frame: object) -> NoReturn:
    sys.exit(128 + number)


def _have_streams() -> None:
    """Read nothing and print to nobody where the one who called has closed a stream: Python has none there then."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - open to the end


def _never_fail_to_print() -> None:
    """A terminal that can't show a letter shows another one."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
