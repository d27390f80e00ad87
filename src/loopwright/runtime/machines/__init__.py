"""Machines: different ways to run the same weights. Each module has `prepare(model) → Loop`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Literal, Protocol

from loopwright.errors import LoopwrightError
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Array, Problem
from loopwright.runtime.observe import AfterLayer, Progress


class Loop(Protocol):
    """(problem, most iterations) → last X and the iterations done; raises DidNotHalt."""

    def __call__(
        self,
        problem: Problem,
        max_iterations: int,
        after_layer: AfterLayer | None = None,
        progress: Progress | None = None,
        /,
    ) -> tuple[Array, int]: ...


MACHINES: Mapping[str, Literal["floats", "rationals"]] = {
    "reference": "floats",
    "native": "floats",
    "torch": "floats",
    "exact": "rationals",
}
"""Every machine, and what numbers it works in: X and the weights of edges are encoded as those."""


def is_exact(machine: str) -> bool:
    """Whether a machine works in rationals, so that nothing is rounded.

    Raises:
        LoopwrightError: if there is no such machine.
    """
    if machine not in MACHINES:
        raise LoopwrightError(f"no machine '{machine}'; there are: {', '.join(MACHINES)}.")
    return MACHINES[machine] == "rationals"


def prepare(model: Weights, machine: str) -> Loop:
    """The loop of a machine, ready for this model.

    Raises:
        LoopwrightError: if there is no such machine, or what it needs is not installed.
    """
    is_exact(machine)  # or it is unknown
    try:
        module = import_module(f"{__name__}.{machine}")
    except ImportError as problem:
        raise LoopwrightError(
            f"machine '{machine}' needs {problem.name}: pip install 'loopwright[{machine}]'."
        ) from None
    return module.prepare(model)
