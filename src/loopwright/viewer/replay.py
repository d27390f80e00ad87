"""A trace, and the model that is said to have run → what it ran on, if that is so."""

from __future__ import annotations

from itertools import islice

import numpy as np

from loopwright.errors import LoopwrightError
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Problem, encode
from loopwright.runtime.machines.reference import layer_output
from loopwright.viewer.frames import floats
from loopwright.watch.trace import Trace
from loopwright.watch.trace.format import RATIONALS, number_from_json

SAME = 1e-6
"""What machines may differ by in a cell of X, of rounding alone."""

MOST_ROWS = 2000
"""Rows of X for which a layer is done again by its definition, which is dense."""


def problem_of(trace: Trace, model: Weights) -> Problem:
    """What the model of a trace ran on.

    Raises:
        LoopwrightError: if it is another model.
    """
    names = [layer.name for layer in model.layers]
    if names != [layer["name"] for layer in trace.layers] or model.layout != trace.layout:
        raise LoopwrightError(f"the trace is not of {model!r}: give the model that ran.")
    problem = encode(
        model,
        trace.graph,
        source=trace.source,
        inputs={name: number_from_json(data) for name, data in trace.header["inputs"].items()},
        rows=int(trace.header["rows"]) - 1,
        exact=trace.header["numbers"] == RATIONALS,
        checked=False,
        scale=trace.scale,
    )
    require_same_run(trace, model, problem)
    return problem


def require_same_run(trace: Trace, model: Weights, problem: Problem) -> None:
    """Refuse a model that does something else than the trace says: its attention would be shown as
    what happened. One iteration tells, by the definition of a layer.

    Raises:
        LoopwrightError: if it is another model.
    """
    if problem.rows > MOST_ROWS:
        return
    a, x, after = floats(problem.adjacency()), floats(problem.x), floats(trace.start.x)
    same = np.allclose(x, after, atol=SAME)
    for frame in islice(trace, len(model.layers)):
        x, before = layer_output(model, model.layers[frame.layer], after, a), after
        after = floats(frame.x)
        same = same and before.shape == x.shape and np.allclose(x, after, atol=SAME)
    if not same:
        raise LoopwrightError(f"the trace is not of {model!r}: give the model that ran.")
