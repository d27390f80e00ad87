"""The command line, one module for each command. An error is one line; `--debug` shows more."""

from __future__ import annotations

import sys

import typer
from typer.exceptions import TyperException

from loopwright import __version__
from loopwright.cli.bench import bench
from loopwright.cli.check import check
from loopwright.cli.clrs import clrs
from loopwright.cli.conditioning import conditioning
from loopwright.cli.limits import limits
from loopwright.cli.recover import recover
from loopwright.cli.run import run
from loopwright.cli.show import show
from loopwright.cli.subleq import subleq
from loopwright.cli.traces import traces
from loopwright.errors import FailedCheck, LoopwrightError

FAILED_CHECK = 1
BAD_INPUT = 2

app = typer.Typer(
    name="loopwright",
    help="Graph algorithms as the weights of a looped transformer.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(run)
app.command()(show)
app.command()(check)
app.command()(limits)
app.command()(clrs)
app.command()(bench)
app.command()(subleq)
app.command()(conditioning)
app.command()(recover)
app.command()(traces)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"loopwright {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    debug: bool = typer.Option(False, "--debug", help="Show a traceback where something fails."),
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version."
    ),
) -> None:
    """Graph algorithms as the weights of a looped transformer."""


def main(arguments: list[str] | None = None) -> None:
    """Run a command: exit 0 if all is well, 1 for a failed check, 2 for bad usage or input."""
    given = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in given
    given = [argument for argument in given if argument != "--debug"]
    try:
        sys.exit(app(given, standalone_mode=False))
    except TyperException as problem:
        if debug:
            raise
        message = problem.format_message()
        hint = "" if "\n" in message else " (try --help)"
        print(f"loopwright: {message}{hint}" if hint else message, file=sys.stderr)
        sys.exit(BAD_INPUT)
    except LoopwrightError as problem:
        if debug:
            raise
        print(f"loopwright: {problem}", file=sys.stderr)
        sys.exit(FAILED_CHECK if isinstance(problem, FailedCheck) else BAD_INPUT)
    except (KeyboardInterrupt, typer.Abort):
        print("loopwright: interrupted", file=sys.stderr)
        sys.exit(130)
