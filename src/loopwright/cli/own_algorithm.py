"""An object of somebody's own → an Algorithm: an Algorithm, a Program, or what makes a Program."""

from __future__ import annotations

import inspect
import re
import sys
import traceback
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from functools import partial
from os.path import basename
from typing import Any, cast

from loopwright.algorithms.registry import Algorithm
from loopwright.errors import LoopwrightError, brief
from loopwright.language.program import Program

EXPECTED = "an Algorithm, a Program, or a function without arguments that returns a Program"
LONGEST_COMPLAINT = 400
"""Characters of an exception's own text: a message of this package's is rarely longer."""

Reading = Callable[[], AbstractContextManager[None]]
"""Makes a context in which code of others may run, and which says whose mistakes are whose."""


def algorithm_of(thing: object, named: str, reading: Reading) -> Algorithm:
    """The algorithm that somebody's object is; their code runs in `reading()`, now or later.

    Raises:
        LoopwrightError: naming what else the object is.
    """
    if isinstance(thing, Algorithm):
        return Algorithm(
            thing.name,
            thing.summary,
            {name: _read(partial(thing, name), reading) for name in thing.constructions},
            thing.differences,
        )
    if isinstance(thing, Program):
        return Algorithm(thing.name, "", {thing.construction: lambda: thing})
    if not inspect.isroutine(thing):
        raise LoopwrightError(f"{named} is of type {type(thing).__name__}, not {EXPECTED}.")
    if needed := arguments_of(thing):
        raise LoopwrightError(f"{named} needs arguments ({', '.join(needed)}): {EXPECTED}.")
    made: object = _read(cast("Callable[[], object]", thing), reading)()
    if isinstance(made, Algorithm | Program):
        return algorithm_of(made, named, reading)
    raise LoopwrightError(f"{named} returned a value of type {type(made).__name__}, no Program.")


def arguments_of(function: Callable[..., Any]) -> list[str]:
    """The names of the arguments that a call cannot do without."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # some functions of C do not say
        return ["unknown"]
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [
        each.name
        for each in parameters
        if each.default is inspect.Parameter.empty and each.kind not in variadic
    ]


def _read(make: Callable[[], Any], reading: Reading) -> Callable[[], Any]:
    def read() -> Any:
        with reading():
            return make()

    return read


@contextmanager
def blaming(where: str, file: str | None = None) -> Generator[None]:
    """Run somebody's code; whatever goes wrong in it is one line that names `where`.

    The line is the last one of `file` that was running. What the code prints goes to stderr, for
    stdout may be JSON.

    Raises:
        LoopwrightError: for every exception, SystemExit included; not for Ctrl-C.
    """
    try:
        with redirect_stdout(sys.stderr):
            yield
    except (Exception, SystemExit) as problem:
        place, said = _place(where, file, problem), _said(problem)
        own = re.match(rf"{re.escape(basename(file or ''))}, line (\d+)[:,] ", said)
        if file and own:  # statements say it themselves, and know it better
            place, said = f"{where}:{own[1]}", said[own.end() :]
        raise LoopwrightError(f"{place}: {said}") from problem


def _place(where: str, file: str | None, problem: BaseException) -> str:
    """File and line, as compilers write them."""
    if isinstance(problem, SyntaxError) and problem.filename and problem.lineno:
        return f"{problem.filename}:{problem.lineno}"
    frames = traceback.extract_tb(problem.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == file]
    return f"{where}:{lines[-1]}" if lines else where


def _said(problem: BaseException) -> str:
    if isinstance(problem, LoopwrightError):
        return str(problem)
    kind = type(problem).__name__
    said = problem.msg if isinstance(problem, SyntaxError) else problem
    text = brief(said, most=LONGEST_COMPLAINT)
    return f"{kind}: {text}." if text else f"{kind}."
