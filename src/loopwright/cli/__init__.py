"""The command line. In the order of a call:

    main         this file: how a command ends, whatever happens to it
    process      Ctrl-C at any moment, and output that nobody can read
    commands     all of them
    options      the arguments and options that commands share, each declared once
    algorithm    what ALGORITHM stands for: a name of ours, `own_file`, a saved model, `plugins`
    find         what else they stand for: models to run, graphs, limits, inputs
    progress     bars on stderr, while people wait
    output       one JSON object, or tables and sentences
    experiment   extras, figures and provenance, for commands that run experiments
    run, …       a module for each command, with the function that is this command

An error is one line on stderr; `--debug` shows where it comes from. Commands, and with them NumPy
and all else, are imported when `main` is called: by then it knows what to do about Ctrl-C.
"""

from __future__ import annotations

import sys
from typing import NoReturn

from loopwright.cli import process
from loopwright.errors import FailedCheck, LoopwrightError, printable

FAILED_CHECK, BAD_INPUT = 1, 2
"""Exit codes, beside 0, which says that all is well, and those in `process`."""


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run a command and exit, with a code that says how it went.

    Without arguments, those of the process are meant, which then has nothing else to do.
    """
    try:
        process.raise_from_now_on()
        code = _run(sys.argv[1:] if arguments is None else arguments)
        if arguments is None:
            process.end_at_once_from_now_on()
    except KeyboardInterrupt:
        if arguments is None:
            process.end_at_once_from_now_on()
        code = process.interrupted()
    sys.exit(code)


def _run(given: list[str]) -> int:
    """Run a command; the code to exit with, unless it is interrupted."""
    debug = "--debug" in given  # wherever it stands, also behind the command
    try:
        process.require_output()
        with process.ending_at_once():
            from loopwright.cli.commands import call
        try:
            return call([argument for argument in given if argument != "--debug"])
        finally:
            sys.stdout.flush()
    except Exception as problem:
        if debug or not (complaint := _complaint(problem)):
            raise
        if isinstance(problem, OSError) and problem.filename is None:
            process.abandon_output()
        if isinstance(problem, BrokenPipeError):
            return process.CLOSED_PIPE
        process.complain(complaint)
        return FAILED_CHECK if isinstance(problem, FailedCheck) else BAD_INPUT


def _complaint(problem: Exception) -> str | None:
    """One line that says what was wrong, if a user can mend it.

    Without any command, Typer complains with the help.
    """
    from typer.exceptions import TyperException  # not above: see the top

    if isinstance(problem, OSError):
        where = printable(str(problem.filename or "standard output"))
        return f"loopwright: {where}: {problem.strerror}."
    if isinstance(problem, MemoryError):
        said = printable(f"not enough memory: {problem}".removesuffix(": "))
        return (
            f"loopwright: {said}: take fewer nodes, or --machine native, which keeps edges alone."
        )
    if isinstance(problem, LoopwrightError):
        return f"loopwright: {printable(str(problem))}"
    if not isinstance(problem, TyperException):
        return None
    message = problem.format_message().replace("Value error, ", "")
    return message if "\n" in message else f"loopwright: {message} (try --help)"
