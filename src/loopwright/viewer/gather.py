"""A run → all that a page knows of it, as JSON."""

from __future__ import annotations

from loopwright.errors import LoopwrightError, TraceError, brief
from loopwright.model.description import JSON
from loopwright.model.storage import BAD_METADATA
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Problem
from loopwright.viewer.breaking import Broken
from loopwright.viewer.facts import (
    constant_facts,
    graph_facts,
    kept_variables,
    layout_facts,
    margin_facts,
    program_facts,
    statement_facts,
    weight_facts,
)
from loopwright.viewer.frames import Frames, frames_of
from loopwright.viewer.record import Recorded
from loopwright.viewer.replay import problem_of
from loopwright.watch.monitor import MarginsOf
from loopwright.watch.trace import Trace
from loopwright.watch.trace.format import RATIONALS


def of_trace(trace: Trace, model: Weights | None, start: int) -> dict[str, JSON]:
    """Of a run that was recorded before.

    Raises:
        TraceError: if the trace is damaged where only a page looks.
    """
    try:
        return of_sound_trace(trace, model, start)
    except LoopwrightError:
        raise
    except BAD_METADATA as problem:
        reason = brief(f"{type(problem).__name__}: {problem}")
        raise TraceError(f"the trace is damaged ({reason}): record the run again.") from None


def of_sound_trace(trace: Trace, model: Weights | None, start: int) -> dict[str, JSON]:
    problem = None if model is None else problem_of(trace, model)
    measure = None if model is None or problem is None else MarginsOf(model, problem)
    frames = frames_of(trace, start=start, measure=measure)
    notices = [] if trace.halted else ["The recorded run did not come to its end."]
    return gathered(trace, model, problem, frames, notices)


def of_recorded(
    recorded: Recorded, model: Weights, start: int, broken: Broken | None
) -> dict[str, JSON]:
    """Of a run that was made for the page."""
    measure = MarginsOf(model, recorded.problem)
    frames = frames_of(recorded.trace, start=start, measure=measure)
    notices = [] if broken is None else [f"One weight is broken: {broken}."]
    trace = recorded.trace
    if recorded.reason is None and broken is not None and trace.halted:
        notices.append("On this run it changes nothing: program and weights agree throughout.")
    stop = None
    if recorded.reason is not None:
        stop = {"message": recorded.reason, "apart": recorded.apart}
    mark = None
    if broken is not None:
        mark = [broken.layer, broken.matrix, broken.row, broken.column, broken.was]
    longer = stop is None and not trace.halted
    return gathered(
        trace, model, recorded.problem, frames, notices, longer=longer, stop=stop, mark=mark
    )


def gathered(
    trace: Trace,
    model: Weights | None,
    problem: Problem | None,
    frames: Frames,
    notices: list[str],
    *,
    longer: bool = False,
    stop: JSON = None,
    mark: JSON = None,
) -> dict[str, JSON]:
    """Everything, with a notice for all that the page does not show as it was."""
    layers, header = len(trace.layers), trace.header
    notices = list(notices)
    if frames.before or longer or frames.last < len(trace):
        first, last = frames.before // layers + 1, -(-frames.last // layers)
        notices.append(
            f"This page shows iterations {first:,} to {last:,}; the run is longer: --start N, or "
            "start=N in Python, begins a page with iteration N."
        )
    if model is not None and frames.measured < frames.last:
        until = -(-frames.measured // layers)
        notices.append(f"Margins (Safety) were measured up to iteration {until:,} alone.")
    if trace.scale != 1:
        notices.append(f"Weights were multiplied by {trace.scale}, and so are all values in X.")
    if header["numbers"] == RATIONALS:
        notices.append("The run was in fractions; here are the nearest floats.")
    if model is None:
        notices.append("A trace holds no weights: give the model to see attention and weights.")
    words = [str(header[key]) for key in ("algorithm", "construction", "attention")]
    return {
        "title": f"{words[0]} ({words[1]}, {words[2]}) on {trace.graph.n} nodes",
        "words": words,
        "graph": graph_facts(trace.graph, None if problem is None else problem.weights),
        "source": None if trace.source is None else trace.graph.index(trace.source),
        "rows": header["rows"],
        "layout": layout_facts(trace.layout, layers),
        "kept": kept_variables(trace),
        "layers": program_facts(trace),
        "written": statement_facts(trace),
        "weights": None if model is None else weight_facts(model),
        "constants": constant_facts(trace.constants),
        "before": frames.before,
        "last": frames.last,
        "halted": trace.halted and frames.last == len(trace),
        "start": frames.start,
        "changes": frames.changes,
        "turns": margin_facts(),
        "margins": frames.margins,
        "notices": notices,
        "stop": stop,
        "broken": mark,
    }
