"""Machines: different ways to run the same weights. Each module has `prepare(model) → Loop`."""

from __future__ import annotations

from importlib import import_module
from typing import Literal, Protocol, get_args

from loopwright.errors import LoopwrightError, require_known
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


Machine = Literal["reference", "native", "torch", "exact"]
"""The name of a machine, which is also its module's."""
MACHINES: tuple[Machine, ...] = get_args(Machine)
IN_RATIONALS: tuple[Machine, ...] = ("exact",)
"""The machines for which X and the weights of edges are encoded as rationals; else as floats."""


def is_exact(machine: str) -> bool:
    """Whether a machine works in rationals, so that nothing is rounded.

    Raises:
        LoopwrightError: if there is no such machine.
    """
    require_known("machine", machine, MACHINES)
    return machine in IN_RATIONALS


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
