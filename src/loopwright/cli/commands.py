"""All commands, and the options that stand before them."""

from __future__ import annotations

from typing import Annotated

import typer

from loopwright import __version__
from loopwright.cli.bench import bench
from loopwright.cli.check import check
from loopwright.cli.circuits import circuits
from loopwright.cli.clrs import clrs
from loopwright.cli.conditioning import conditioning
from loopwright.cli.limits import limits
from loopwright.cli.output import say
from loopwright.cli.recover import recover
from loopwright.cli.run import run
from loopwright.cli.show import show
from loopwright.cli.subleq import subleq
from loopwright.cli.takes_algorithm import TakesAlgorithm
from loopwright.cli.traces import traces
from loopwright.cli.verify import verify
from loopwright.cli.view import view

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
TAKE_ALGORITHMS = (run, show, view, check, verify, limits, bench, traces, circuits)
"""The commands that take your own algorithms, too."""

COMMANDS = (
    *(run, show, view, check, verify, limits, clrs, bench, subleq),
    *(conditioning, recover, traces, circuits),
)
for command in COMMANDS:
    app.command(cls=TakesAlgorithm if command in TAKE_ALGORITHMS else None)(command)


def _version(wanted: bool) -> None:
    if wanted:
        say(f"loopwright {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    debug: Annotated[
        bool, typer.Option("--debug", help="Show a traceback where something fails.")
    ] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Graph algorithms as the weights of a looped transformer."""


def call(arguments: list[str]) -> int:
    """Do what the arguments say, and return 0, or the code that the command asks to exit with.

    Typer's own way to call a command turns Ctrl-C and closed pipes into other things; this one
    leaves them to the caller.
    """
    command = typer.main.get_command(app)
    try:
        with command.make_context("loopwright", arguments) as context:
            command.invoke(context)
    except typer.Exit as wish:
        return wish.exit_code
    return 0
