"""Commands for the command line, as a plugin of somebody else's would add them."""

from __future__ import annotations

import sys

import typer

from ludolog import hookimpl

greeting = typer.Typer(help="Greet.")


@greeting.command()
def hello() -> None:
    """Say hello."""
    sys.stdout.write("hello from a plugin\n")


@greeting.command()
def bye() -> None:
    """Say good-bye."""


@hookimpl
def ludolog_cli() -> typer.Typer:
    return greeting
