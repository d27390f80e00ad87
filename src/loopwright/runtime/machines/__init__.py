"""Machines: different ways to run the same weights. Each module has `prepare(model) → Loop`."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from threading import RLock
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


class ForkGuard:
    """Who forks waits until no thread does what the child would wait for in vain: the child has no
    such thread, and so nobody who would finish it.

    That is the import of a machine, and whatever else machines say when they are imported. It is
    one guard for all, so that locks are taken in one order, and only those are released that were
    taken: a thread may import a machine, and so add to them, while another one waits to fork.
    """

    def __init__(self) -> None:
        self.importing = RLock()
        self._others: list[tuple[Callable[[], object], Callable[[], object]]] = []
        self._held: list[Callable[[], object]] = []
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(
                before=self._hold, after_in_parent=self._release, after_in_child=self._release
            )

    def add(self, hold: Callable[[], object], release: Callable[[], object]) -> None:
        """What to do as well before a fork, and after it, here and in the child. Nobody may import
        a machine who holds what `hold` waits for."""
        self._others.append((hold, release))

    def _hold(self) -> None:
        self.importing.acquire()
        for hold, release in self._others:
            hold()
            self._held.append(release)

    def _release(self) -> None:
        while self._held:
            self._held.pop()()
        self.importing.release()


fork_guard = ForkGuard()


def prepare(model: Weights, machine: str) -> Loop:
    """The loop of a machine, ready for this model.

    Raises:
        LoopwrightError: if there is no such machine, or what it needs is not installed.
    """
    is_exact(machine)  # or it is unknown
    try:
        with fork_guard.importing:
            module = import_module(f"{__name__}.{machine}")
    except ImportError as problem:
        raise LoopwrightError(
            f"machine '{machine}' needs {problem.name}: pip install 'loopwright[{machine}]'."
        ) from None
    return module.prepare(model)
