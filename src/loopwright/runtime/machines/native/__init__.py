"""The machine for speed: weights → machine code, through LLVM. `README.md` has a picture of it.

In the order of the flow:

    sparse      weight matrices → their non-zero entries
    forms       weighted sums of columns and ReLUs, and how they are simplified
    analyse     what each layer comes to, if certain assumptions hold
    assume      which assumptions a run will most likely meet
    alike       which columns hold one number for all nodes, layer by layer
    rest        what becomes of nodes that no edge brings anything to
    frame       what machine code and Python must agree on: the frame of a run
    code        LLVM IR in packs of rows, loops and branches
    routine     one function of machine code, and forms evaluated in it
    attention   code for what rows find in a head
    survey      code that computes at the start of a run what never changes, and checks the plans
    graph       code for heads over Ã and Ãᵀ
    choose      code for edge heads
    anew        code that tells which nodes must choose anew in them
    layer       code for one layer
    build       all this code → machine code
    kept        machine code of earlier processes, in the user's cache directory
    load        machine code → functions that Python can call
    edges       code that looks at the edges of a problem, and lays them out
    workspace   the memory of one run

This file chooses the build for a run, and runs it in slices. Everything is derived from the weights
and the layout. No algorithm, step or column is known here.

Where the reference is free of rounding, results are the same bit for bit. Positions are rotated by
numbers that are rounded: after k rotations each machine is within 4·k·2⁻⁵³ of the truth, and so
within twice that of the other. Weights that are 0 vanish, so infinities do not become NaN as 0 · ∞
would.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from threading import RLock
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from llvmlite.binding import ffi

from loopwright.errors import DidNotHalt, LoopwrightError
from loopwright.model.weights import Matrix, Weights
from loopwright.runtime.encode import Problem
from loopwright.runtime.machines import Loop, fork_guard
from loopwright.runtime.machines.native.kept import key_of
from loopwright.runtime.machines.native.load import HALTED, Build, compiler, kept_build
from loopwright.runtime.machines.native.sparse import sparsify
from loopwright.runtime.machines.native.workspace import Workspace
from loopwright.runtime.observe import AfterLayer, Progress

FIRST_SLICE = 1024
"""How many iterations a run does at first before it lets anything else happen."""
MANY_EDGES = 200_000
"""From so many edges on, several threads choose among them. No row needs what another one finds, so
the result is the same bit for bit, whatever their number."""
SHARES_EACH = 4
"""Shares of the nodes for each thread, as some have more edges than others."""
SHORT_SLICE = 0.1
"""After a slice that took fewer seconds than this, the next one has twice as many iterations."""


class Builds:
    """The builds of one model: the fast one at once, the general one when a run needs it.

    They do not refer to the model, so that they are freed with it.
    """

    def __init__(self, model: Weights) -> None:
        self.width, self.halt = model.width, model.layout[model.layout.halt].first
        self.layers = sparsify(model)
        key, self.general_key = (key_of(model, compiler(), kind) for kind in ("fast", "general"))
        self.fast = kept_build(key) or self._make(model, key)
        self._general: Build | None = None

    def _make(self, model: Weights | None, key: str) -> Build:
        """A build for likely runs of a model, or without one a build that assumes nothing."""
        # Not above: all this is imported only where code has to be made.
        from loopwright.runtime.machines.native.analyse import Assumptions, analyse
        from loopwright.runtime.machines.native.assume import analyse_likely_run
        from loopwright.runtime.machines.native.build import make

        if model is not None:
            return make(analyse_likely_run(model, self.layers), self.halt, key)
        return make(analyse(self.layers, Assumptions.none(self.layers, self.width)), self.halt, key)

    @property
    def general(self) -> Build:
        """The build that assumes nothing."""
        with _building:
            if self._general is None:
                key = self.general_key
                self._general = kept_build(key) or self._make(None, key)
            return self._general


_builds: WeakKeyDictionary[Weights, Builds] = WeakKeyDictionary()
_llvm: Any = ffi.lib._lock  # pyright: ignore
_building = RLock()
"""One thread compiles at a time."""


def _hold() -> None:
    """Who forks waits until nobody compiles, or frees code: the child has no such thread, and so
    nobody who would release this lock, or LLVM's own. (llvmlite does not offer the latter.)"""
    _building.acquire()
    _llvm.__enter__()


def _release() -> None:
    _llvm.__exit__(None, None, None)
    _building.release()


fork_guard.add(_hold, _release)


def prepare(model: Weights) -> Loop:
    """Compile a model, once; its code is freed with it."""
    builds = _builds.get(model)
    if builds is None:
        with _building:
            builds = _builds.get(model) or _builds.setdefault(model, Builds(model))
    return partial(loop, model, builds)


def _tell_nobody(iterations: int) -> None:
    """What is told of the progress of a run that nobody watches."""


def loop(
    model: Weights,
    builds: Builds,
    problem: Problem,
    max_iterations: int,
    after_layer: AfterLayer | None = None,
    progress: Progress | None = None,
) -> tuple[Matrix, int]:
    """X ← layers(X, Ã) until the halting flag is set. [P Alg. 1]"""
    threads = threads_for(builds.fast, len(problem.tails))
    report = progress or _tell_nobody
    with ExitStack() as closing:
        pool = closing.enter_context(ThreadPoolExecutor(threads)) if threads > 1 else None
        space = set_up(builds, problem, pool, SHARES_EACH * threads if pool else 1)
        if after_layer is pool is None:
            iterations = run_in_slices(space, max_iterations, report)
        else:
            iterations = run_by_layers(space, builds.halt, max_iterations, after_layer, report)
    if iterations < 0:
        raise DidNotHalt(f"'{model.name}' did not halt within {max_iterations} iterations.")
    return space.x(), iterations


def set_up(
    builds: Builds, problem: Problem, pool: Executor | None = None, shares: int = 1
) -> Workspace:
    """Lay out a run for the fast build, or for the general one if an assumption fails.

    Raises:
        LoopwrightError: if X₀ is not (K, d), or an edge is incomplete or leads out of it.
    """
    require_shapes(problem, builds.width)
    space = Workspace(builds.fast, problem, pool, shares)
    if space.take_edges() and space.survey():
        return space
    space = Workspace(builds.general, problem, pool, shares)
    space.take_edges()
    return space


def require_shapes(problem: Problem, width: int) -> None:
    """Machine code trusts them, too."""
    x, tails, heads, weights = problem.x, problem.tails, problem.heads, problem.weights
    if x.ndim != 2 or x.shape[1] != width or not len(x):
        raise LoopwrightError(f"X₀ is {x.shape}: this model needs (rows, {width}).")
    if not (tails.shape == heads.shape == weights.shape) or tails.ndim != 1:
        raise LoopwrightError("tails, heads and weights must be lists of the same length.")
    for ends in (tails, heads):
        if ends.dtype != np.int64:
            raise LoopwrightError(f"the rows that edges join are {ends.dtype}: expected int64.")


def run_in_slices(space: Workspace, max_iterations: int, report: Progress) -> int:
    """Run some iterations at a time, so that others hear of a long run, and can end it (Ctrl-C).

    Returns how many iterations were done when the halting flag was set, or −1 if it never was.
    """
    done, size = 0, FIRST_SLICE
    while done < max_iterations:
        begin = time.perf_counter()
        size = min(size, max_iterations - done)
        halted = space.build.run(space.address, size)
        if halted >= 0:
            return done + halted
        done += size
        report(done)
        if time.perf_counter() - begin < SHORT_SLICE:
            size *= 2
    return -1


def run_by_layers(
    space: Workspace,
    halt: int,
    max_iterations: int,
    after_layer: AfterLayer | None,
    report: Progress,
) -> int:
    """Run the same loop layer by layer, for those who want to see each, or for several threads that
    take their shares; returns the same."""
    for iteration in range(1, max_iterations + 1):
        for index, layer in enumerate(space.build.layers):
            for function, shared in layer:
                if shared:
                    space.do_shares(function)
                else:
                    function(space.address, 0)
            if after_layer is not None:
                after_layer(iteration, index, space.x(index).copy())
        if space.row_zero[halt] > HALTED:
            return iteration
        report(iteration)
    return -1


def threads_for(build: Build, edges: int) -> int:
    """How many threads a run is worth: one for each core, if there is much to share."""
    if edges < MANY_EDGES or not any(part.shared for layer in build.layers for part in layer):
        return 1
    allowed = getattr(os, "sched_getaffinity", None)  # not every system says which cores are ours
    return len(allowed(0)) if allowed else os.cpu_count() or 1
