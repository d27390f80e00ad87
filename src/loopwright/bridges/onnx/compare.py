"""ONNX Runtime against `reference`: the same X in the end, after as many iterations."""

# onnxruntime has no complete types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from math import inf
from os import PathLike

import numpy as np

from loopwright.errors import DidNotHalt, LoopwrightError, needing
from loopwright.model.paths import path_of
from loopwright.model.weights import Matrix, Weights
from loopwright.runtime.encode import Problem
from loopwright.runtime.machines import prepare

with needing("running an ONNX file"):
    import onnxruntime


class OnnxLoop:
    """The loop of an ONNX file, called as those of the machines are."""

    def __init__(self, path: str | PathLike[str]) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        file = path_of(path, LoopwrightError)
        try:
            self.session = onnxruntime.InferenceSession(
                str(file), options, providers=["CPUExecutionProvider"]
            )
        except Exception as problem:  # of ONNX Runtime's own kinds, which it does not name
            raise LoopwrightError(f"{file}: ONNX Runtime cannot read it: {problem}.") from None

    def __call__(self, problem: Problem, max_iterations: int) -> tuple[Matrix, int]:
        a = np.zeros((problem.rows, problem.rows))
        a[problem.tails, problem.heads] = problem.weights
        given = {"x": problem.x, "a": a, "max_iterations": np.array(max_iterations)}
        x, iterations, halted = self.session.run(None, given)
        if not halted:
            raise DidNotHalt(f"it did not halt within {max_iterations} iterations.")
        return np.asarray(x), int(np.asarray(iterations))


def largest_difference(model: Weights, loop: OnnxLoop, problem: Problem) -> float:
    """Between all cells of X in the end; infinite if the iterations are not as many.

    Raises:
        LoopwrightError: if the program has no bound of its own.
    """
    most = model.max_iterations(problem.rows - 1)
    if most is None:
        raise LoopwrightError(f"'{model.name}' runs as long as its input says.")
    expected, wanted = prepare(model, "reference")(problem, most)
    try:
        x, iterations = loop(problem, most)
    except DidNotHalt:
        return inf
    return float(np.abs(x - expected).max()) if iterations == wanted else inf
