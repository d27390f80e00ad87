"""`file.py:name` → an Algorithm. The file is read as a module that nobody else can import."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from inspect import isfunction
from pathlib import Path
from types import ModuleType

from loopwright.algorithms import ALGORITHMS
from loopwright.algorithms.registry import Algorithm
from loopwright.cli.own_algorithm import EXPECTED, Reading, algorithm_of, arguments_of, blaming
from loopwright.errors import LoopwrightError, brief, suggestion
from loopwright.language.program import Program

PYTHON = ".py"


def split_file(written: str) -> tuple[str, str] | None:
    """A file and a name in it, which may be missing; None where no file of Python is meant.

    The last colon counts, and a path may have others.

    >>> split_file("a:b.py:hops"), split_file("C:/hops.py"), split_file("hops")
    (('a:b.py', 'hops'), ('C:/hops.py', ''), None)
    """
    if written.endswith(PYTHON):
        return written, ""
    file, _, name = written.rpartition(":")
    return (file, name) if file.endswith(PYTHON) else None


def algorithm_in_file(file: str, name: str) -> Algorithm:
    """The algorithm of this name in a file; without a name, the only one that there is.

    Raises:
        OSError: if the file cannot be read.
        LoopwrightError: with file and line, if it cannot be run, or has no such algorithm.
    """
    reading = partial(_reading, file)
    module = _module(file, reading)
    if not name:
        name = _only_name(file, module)
    elif not hasattr(module, name):
        there = _names(module, Algorithm, Program) + _makers(module)
        near = suggestion(name, there)
        known = ", ".join(there) or "nothing that is an algorithm"
        said = f"{file}: no '{brief(name)}' in it;"
        raise LoopwrightError(
            f"{said}{near} It has: {known}." if near else f"{said} it has {known}."
        )
    return algorithm_of(getattr(module, name), f"{file}: '{brief(name)}'", reading)


def _module(file: str, reading: Reading) -> ModuleType:
    """Run a file. No cache of it is written, so that it leaves nothing behind."""
    source = Path(file).read_bytes()
    private = f"_loopwright_{sha256(str(Path(file).resolve()).encode()).hexdigest()[:16]}"
    module = ModuleType(private)
    module.__file__ = file
    sys.modules[private] = module  # dataclasses look there for the module of a class
    with reading():
        exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)
    return module


@contextmanager
def _reading(file: str) -> Generator[None]:
    """Run code of a file: what lies beside it can be imported, and mistakes are its own."""
    before = list(sys.path)
    sys.path.insert(0, str(Path(file).resolve().parent))
    try:
        with blaming(file, file):
            yield
    finally:
        sys.path[:] = before


def _only_name(file: str, module: ModuleType) -> str:
    """The name of the one algorithm in a file.

    Raises:
        LoopwrightError: listing them, if there are several, or none.
    """
    names = _names(module, Algorithm, Program)
    if len(names) == 1:
        return names[0]
    example = f"{file}:{(names or _makers(module) or ['name'])[0]}"
    if names:
        raise LoopwrightError(f"{file} has {', '.join(names)}: say which, as {example}.")
    raise LoopwrightError(f"{file}: no algorithm in it; name {EXPECTED}, as {example}.")


def _names(module: ModuleType, *kinds: type) -> list[str]:
    """Names of what is of these kinds; each once, and without what is imported from the package."""
    found: dict[int, str] = {id(each): "" for each in ALGORITHMS.values()}
    for name, thing in vars(module).items():
        if isinstance(thing, kinds) and not name.startswith("_"):
            found.setdefault(id(thing), name)
    return [name for name in found.values() if name]


def _makers(module: ModuleType) -> list[str]:
    """Names of the file's own functions that need no arguments: any may return a Program."""
    return [
        name
        for name, thing in vars(module).items()
        if isfunction(thing)
        and thing.__module__ == module.__name__
        and not name.startswith("_")
        and not arguments_of(thing)
    ]
