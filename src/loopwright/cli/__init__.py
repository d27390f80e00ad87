"""The command line. In the order of a call:

    options      the arguments and options that commands share, each declared once
    find         what they stand for: programs, graphs, limits, inputs
    progress     bars on stderr, while people wait
    output       one JSON object, or tables and sentences
    experiment   extras, figures and provenance, for commands that run experiments
    run, …       a module for each command, with the function that is this command

An error is one line on stderr; `--debug` shows where it comes from.
"""

from __future__ import annotations

import sys
from typing import Annotated

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
from loopwright.errors import FailedCheck, LoopwrightError, printable

FAILED_CHECK, BAD_INPUT, INTERRUPTED = 1, 2, 130
"""Exit codes; 0 says that all is well."""

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (run, show, check, limits, clrs, bench, subleq, conditioning, recover, traces):
    app.command()(command)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"loopwright {__version__}")
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


def main(arguments: list[str] | None = None) -> None:
    """Run a command and exit, with a code that says how it went."""
    given = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in given  # wherever it stands, also behind the command
    given = [argument for argument in given if argument != "--debug"]
    try:
        sys.exit(app(given, prog_name="loopwright", standalone_mode=False))
    except (TyperException, LoopwrightError, OSError) as problem:
        if debug:
            raise
        print(_complaint(problem), file=sys.stderr)
        sys.exit(FAILED_CHECK if isinstance(problem, FailedCheck) else BAD_INPUT)
    except (KeyboardInterrupt, typer.Abort):
        print("loopwright: interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)


def _complaint(problem: TyperException | LoopwrightError | OSError) -> str:
    """One line that says what was wrong; without any command, Typer complains with the help."""
    if isinstance(problem, OSError):
        where = f"{printable(str(problem.filename))}: " if problem.filename else ""
        return f"loopwright: {where}{problem.strerror}."
    if isinstance(problem, LoopwrightError):
        return f"loopwright: {printable(str(problem))}"
    message = problem.format_message().replace("Value error, ", "")
    return message if "\n" in message else f"loopwright: {message} (try --help)"
