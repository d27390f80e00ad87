"""Machines: different ways to run the same weights. Each module has `prepare(model) → Loop`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Protocol

from loopwright.errors import LoopwrightError
from loopwright.model import Model
from loopwright.runtime.encode import Array, Problem

Observe = Callable[[int, int, Array], None]
"""Called after every layer with the iteration (from 1), the layer's index, and X."""
Progress = Callable[[int], None]
"""Called now and then with the iterations done."""


class Loop(Protocol):
    """(problem, most iterations) → last X and the iterations done; raises DidNotHalt."""

    def __call__(
        self,
        problem: Problem,
        max_iterations: int,
        observe: Observe | None = None,
        progress: Progress | None = None,
        /,
    ) -> tuple[Array, int]: ...


MACHINES = ("reference", "native", "torch", "exact")


def prepare(model: Model, machine: str) -> Loop:
    """The loop of a machine, ready for this model.

    Raises:
        LoopwrightError: if there is no such machine, or what it needs is not installed.
    """
    if machine not in MACHINES:
        raise LoopwrightError(f"no machine '{machine}'; there are: {', '.join(MACHINES)}.")
    try:
        module = import_module(f"{__name__}.{machine}")
    except ImportError as problem:
        raise LoopwrightError(
            f"machine '{machine}' needs {problem.name}: pip install 'loopwright[{machine}]'."
        ) from None
    return module.prepare(model)
