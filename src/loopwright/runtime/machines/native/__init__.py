"""The machine for speed: weights → machine code, through LLVM.

In the order of the flow: `sparse` (the weights' non-zeros), `assume` (what a run will look like),
`analyse` and `forms` (what each layer then comes to), `layer`, `attention`, `graph` and `survey`
(code for it, with `routine` and `code` to write it), `build` (machine code), and for one run
`check` and `workspace`.

Everything is derived from the weights and the layout. No algorithm, step or column is known here.

Where the reference is free of rounding, results are the same bit for bit. Positions are rotated by
numbers that are rounded: after k rotations each machine is within 4·k·2⁻⁵³ of the truth, and so
within twice that of the other. Weights that are 0 vanish, so infinities do not become NaN as 0 · ∞
would.
"""

from __future__ import annotations

import time
from functools import partial
from threading import Lock
from weakref import WeakKeyDictionary

from loopwright.errors import DidNotHalt
from loopwright.model.weights import Matrix, Weights
from loopwright.runtime.encode import Problem
from loopwright.runtime.machines import Loop
from loopwright.runtime.machines.native.analyse import Assumptions, analyse
from loopwright.runtime.machines.native.assume import guess
from loopwright.runtime.machines.native.build import HALTED, Build, make
from loopwright.runtime.machines.native.sparse import sparsify
from loopwright.runtime.machines.native.workspace import Workspace
from loopwright.runtime.observe import AfterLayer, Progress

SLICE = 1024
"""Iterations that machine code does before anything else may happen; more if they are SHORT."""
SHORT = 0.1
"""Seconds."""


class Builds:
    """The builds of one model: the fast one at once, the general one when a run needs it."""

    def __init__(self, model: Weights) -> None:
        layers = sparsify(model)
        self.fast = make(model, layers, guess(model, layers))
        self._general: Build | None = None
        self._lock = Lock()

    def general(self, model: Weights) -> Build:
        with self._lock:
            if self._general is None:
                layers = sparsify(model)
                nothing = Assumptions.none(layers, model.width)
                self._general = make(model, layers, analyse(layers, nothing))
            return self._general


_builds: WeakKeyDictionary[Weights, Builds] = WeakKeyDictionary()
_building = Lock()


def prepare(model: Weights) -> Loop:
    """Compile a model, once; its code is freed with it."""
    with _building:
        if model not in _builds:
            _builds[model] = Builds(model)
        return partial(loop, model, _builds[model])


def loop(
    model: Weights,
    builds: Builds,
    problem: Problem,
    max_iterations: int,
    after_layer: AfterLayer | None = None,
    progress: Progress | None = None,
) -> tuple[Matrix, int]:
    """X ← layers(X, Ã) until the halting flag is set. [P Alg. 1]"""
    space = workspace(model, builds, problem)
    report = progress or (lambda done: None)
    if after_layer is None:
        iterations = in_slices(space, max_iterations, report)
    else:
        iterations = observed(model, space, max_iterations, after_layer, report)
    if iterations < 0:
        raise DidNotHalt(f"'{model.name}' did not halt within {max_iterations} iterations.")
    return space.x(), iterations


def workspace(model: Weights, builds: Builds, problem: Problem) -> Workspace:
    """Lay out a run for the fast build, or for the general one if an assumption fails."""
    if builds.fast.check(problem):
        space = Workspace(builds.fast, problem)
        if space.survey():
            return space
    space = Workspace(builds.general(model), problem)
    space.survey()
    return space


def in_slices(space: Workspace, max_iterations: int, report: Progress) -> int:
    """Some iterations at a time, so that others hear of a long run, and can end it (Ctrl-C)."""
    done, size = 0, SLICE
    while done < max_iterations:
        begin = time.perf_counter()
        size = min(size, max_iterations - done)
        halted = space.build.run(space.address, size)
        if halted >= 0:
            return done + halted
        done += size
        report(done)
        if time.perf_counter() - begin < SHORT:
            size *= 2
    return -1


def observed(
    model: Weights, space: Workspace, max_iterations: int, after_layer: AfterLayer, report: Progress
) -> int:
    """The same loop, layer by layer."""
    halt = model.layout[model.layout.halt].first
    for iteration in range(1, max_iterations + 1):
        for index, layer in enumerate(space.build.layers):
            layer(space.address, 0)
            after_layer(iteration, index, space.x())
        if space.row_zero[halt] > HALTED:
            return iteration
        report(iteration)
    return -1
